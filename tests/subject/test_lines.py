"""A line that is to be reached is a site: a run takes it exactly if it comes to that line."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from languages.python.modules import Modules
from programs import Programs
from zeroin import Options, cover
from zeroin.errors import OptionError
from zeroin.subject.base import branches_of
from zeroin.subject.subject import Subject
from zeroin.suite.suite import COVERED, INFEASIBLE
from zeroin.words import Kind, encode, word_range

# Each marked line sets the bit that its comment names in what is returned.
C = """static int inner(int n, unsigned *m) {
    *m |= 1u << 12;                                /* 12 */
    return n + 1;
}
unsigned f(int n, double x) {
    unsigned m = 1u;                               /* 0 */
    if (n > 5 && x < 2.0) m |= 2u;
    for (int i = 0; i < (n & 3);
         i++)
        m |= 4u;                                   /* 2 */
    switch (n & 7) {
    case 1:
        m |= 8u;                                   /* 3 */
    case 2:
        m |= 16u; break;                           /* 4 */
    default:
        m |= 32u;                                  /* 5 */
    }
    while (x > 100.0) {
        x /= 2.0; m |= 64u;                        /* 6 */
        if (x == 128.0) goto out;
        m |= 128u;                                 /* 7 */
    }
    do { m |= 256u; x += 1.0; } while (x < -3.0);  /* 8 */
    m |= inner(n, &m) > 9 ?
        512u :                                     /* 9 */
        1024u;                                     /* 10 */
    if (n == 77) return m;
out:
    m |= 2048u;                                    /* 11 */
    return m;
}
"""

PYTHON = """
def inner(n):
    return n + 1

def f(n: int, x: float) -> float:
    \"\"\"A docstring.\"\"\"
    total = 0
    if n > 5 and x < 2.0:
        total += 1
    elif n == 3:
        total += (2 +
                  inner(n))
    else:
        total += 4
    for i in range(n & 3):
        if i == 1:
            continue
        total += i
    while x > 100.0:
        x /= 2.0
        if x == 128.0:
            break
    else:
        total += 8
    try:
        total += 7 // (n - 4)
    except ZeroDivisionError:
        total -= 1
    finally:
        total += 16
    match n:
        case 1:
            total += 32
        case 2 | 3:
            return 1.5
    def later(y):
        y += 1
        return y
    return total if total > 20 else later(total)
"""


def some_words(rng: random.Random, count: int) -> list[tuple[int, int]]:
    """Of runs that come to their end: not every x does."""
    numbers = [0, 1, 2, 3, 4, 6, 7, 77, -5, *(rng.randint(*word_range(Kind.I32)) for _ in range(count))]
    return [(encode(Kind.I32, n), encode(Kind.F64, x)) for n in numbers for x in (0.0, 1.5, 256.0, 300.0, -9.0)]


def reached_by(subject: Subject, words: tuple[int, ...]) -> bool:
    outcomes = [branch.outcome for branch in branches_of(subject.sites) if branch.site.form == "line"]
    assert outcomes
    return not subject.run(words).covered.isdisjoint(outcomes)


@pytest.mark.parametrize("bit", [0, 2, 3, 4, 5, 6, 7, 8, 11, 12])
def test_lines_of_c(programs: Programs, bit: int) -> None:
    (line,) = [n for n, text in enumerate(C.splitlines(), 1) if f"/* {bit} */" in text]
    subject = programs.load(C, line=line, callees=bit == 12)
    plain = programs.load(C)
    for words in some_words(random.Random(bit), 30):
        mask = plain.replay(words).result
        assert isinstance(mask, int)
        assert reached_by(subject, words) == bool(mask >> bit & 1), words


@pytest.mark.parametrize("native", [False, True])
def test_lines_of_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, native: bool) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    modules, lines = Modules(tmp_path), list(enumerate(PYTHON.splitlines(), 1))
    unmarked = ("", "def ", '"""', "else", "elif", "try", "finally", "except", "case", "inner(n))", "for i", "while")
    for line, text in lines:
        if text.strip().startswith(unmarked[1:]) or not text.strip() or line < 5:
            continue
        subject = modules.load(PYTHON, line=line, native=native)
        for words in [(n, encode(Kind.F64, x)) for n in (0, 1, 2, 3, 4, 6, 77) for x in (0.0, 3.5, 256.0, 300.0)]:
            assert reached_by(subject, words) == (line in executed(subject, words)), (text, words)


def executed(subject: Any, words: tuple[int, ...]) -> set[int]:
    """The lines that Python itself says it comes to."""
    found = set[int]()

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename == str(subject.home.file):
            found.update([frame.f_lineno] if event == "line" else [])
            return trace
        return None

    subject._code.use(False)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        subject.replay(words)
    finally:
        sys.settrace(before)
    return found


def test_a_part_of_a_statement_stands_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (line,) = [n for n, text in enumerate(PYTHON.splitlines(), 1) if "inner(n))" in text]
    subject = Modules(tmp_path).load(PYTHON, line=line)
    assert reached_by(subject, (3, 0))
    assert not reached_by(subject, (2, 0))


@pytest.mark.parametrize(
    ("name", "text", "verdicts"),
    [
        ("f.c", "int f(double x) {\n if (x * x == 2.25 && x < 0)\n  return 1;\n if (x != x && x > 1.0)\n"
                "  return 2;\n return 0;\n}\n", {3: COVERED, 5: INFEASIBLE, 6: COVERED}),
        ("f.py", "def f(x: float) -> int:\n if x * x == 2.25 and x < 0:\n  return 1\n if x != x and x > 1.0:\n"
                 "  return 2\n return 0\n", {3: COVERED, 5: INFEASIBLE, 6: COVERED}),
    ],
)  # fmt: skip
def test_lines_are_found_or_proved_to_be_out_of_reach(
    tmp_path: Path, name: str, text: str, verdicts: dict[int, str]
) -> None:
    (tmp_path / name).write_text(text)
    for line, verdict in verdicts.items():
        suite = cover(f"{tmp_path / name}:f", Options(line=line))
        assert [(v.branch.id, v.branch.label, v.verdict) for v in suite.verdicts] == [(f"L{line}", "reached", verdict)]
        assert suite.branches[0].site.condition == text.splitlines()[line - 1].strip().rstrip(";") + ";" * (
            name == "f.c"
        )
        assert (suite.percent, len(suite.inputs)) == (100.0, 0 if verdict == INFEASIBLE else 1)


@pytest.mark.parametrize("name", ["f.c", "f.py"])
def test_a_line_without_a_statement_is_refused(tmp_path: Path, name: str) -> None:
    text = {"f.c": "/* f */\nint f(int n) {\n\n return n > 3;\n}\nint g(int n) {\n return n;\n}\n",
            "f.py": "# f\ndef f(n: int) -> int:\n\n return n > 3 and 1\ndef g(n: int):\n\n return n\n"}  # fmt: skip
    (tmp_path / name).write_text(text[name])
    for line in (1, 3, 7, 99):
        with pytest.raises(OptionError, match=f"--line {line}: no statement of the function begins there"):
            cover(f"{tmp_path / name}:f", Options(line=line))


@pytest.mark.parametrize("name", ["f.c", "f.py"])
def test_named_branches_alone_are_looked_for(tmp_path: Path, name: str) -> None:
    text = {"f.c": "int f(int n) { if (n > 3) return 1; if (n < -9) return 2; return 0; }\n",
            "f.py": "def f(n: int) -> int:\n return 1 if n > 3 else 2 if n < -9 else 0\n"}  # fmt: skip
    (tmp_path / name).write_text(text[name])
    suite = cover(f"{tmp_path / name}:f", Options(branches=("1T", "0T", "1T")))
    assert [(v.branch.id, v.verdict) for v in suite.verdicts] == [("1T", COVERED), ("0T", COVERED)]
    with pytest.raises(OptionError, match=r"--branch 1X: no such branch; there are 0T, 0F, 1T, 1F \(zeroin show"):
        cover(f"{tmp_path / name}:f", Options(branches=("0T", "1X")))


CXX = """#include <stdexcept>
struct Held { int *n; ~Held() { ++*n; } };
static int last(int n) { if (n > 100) throw std::runtime_error("n"); return n + 1; }
int f(int n) {
    Held held{&n};
    try {
        if (n == 7) throw 1;
        n = last(n);
    } catch (int) {
        return 1;
    } catch (const std::exception &) {
        return 2;
    }
    return last(n);
}
"""


@pytest.mark.parametrize("line", range(5, 16))
def test_lines_of_c_plus_plus(programs: Programs, line: int) -> None:
    subject = programs.load(CXX, name=".cpp", line=line)
    if line in (5, 7, 8, 10, 12, 14):
        for n, taken in ((7, {5, 7, 10}), (500, {5, 7, 8, 12}), (3, {5, 7, 8, 14})):
            assert reached_by(subject, (n,)) == (line in taken), (line, n)


def test_a_line_of_another_file_of_that_name_is_another_line(programs: Programs) -> None:
    folder = programs.write('int f(int a) {\n#include "sub/k.c"\n if (a > 3) return 9;\n return a; }\n', "k.c").parent
    (folder / "sub").mkdir(exist_ok=True)
    (folder / "sub" / "k.c").write_text("\n\n a = a + 3;\n")
    suite = cover(f"{folder}/k.c:f", Options(line=3))
    assert [(v.branch.id, v.branch.site.condition, v.verdict) for v in suite.verdicts] == [
        ("L3", "if (a > 3) return 9;", COVERED)
    ]


MATCH = """def f(x: int) -> int:
    match x:
        case n if n * 0 == 0:
            return 1
        # a comment
        case 7:
            return 2
    return 3
"""


@pytest.mark.parametrize("line", [3, 5, 6])
def test_a_line_within_a_match_that_is_no_statement_is_none_of_it(tmp_path: Path, line: int) -> None:
    (tmp_path / "m.py").write_text(MATCH)
    with pytest.raises(OptionError, match="no statement of the function begins there"):
        cover(f"{tmp_path}/m.py:f", Options(line=line))
