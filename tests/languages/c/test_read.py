"""Path conditions of compiled functions."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from programs import Programs, run_alone, words_of
from zeroin.model.path import PathCondition
from zeroin.solvers.base import Query

WAYS = """
import json, sys
from pathlib import Path
from programs import words_of
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.languages.c.options import LlvmOptions
subject, found = LlvmSubject(Path(sys.argv[1]), "f", LlvmOptions(callees=True)), []
subject.guard()
for values in json.loads(sys.argv[2]):
    words = words_of(subject.signature, *values)
    path = subject.along(words, subject.execute(words))
    assert path.holds(path.inputs)
    found.append([[step.holds for step in path.steps], path.ended])
print(json.dumps(found))
"""


def ways(path: Path, *inputs: list[object]) -> list[Any]:
    """Which way runs went, and why they were not followed further, in a process of its own."""
    place = f"import sys; sys.path.insert(0, {str(Path(__file__).parents[2])!r})\n"
    found: list[Any] = json.loads(run_alone(place + WAYS, str(path), json.dumps(inputs), timeout=200))
    return found


def along(programs: Programs, text: str, *values: object, **options: Any) -> PathCondition:
    subject = programs.load(text, **options)
    words = words_of(subject.signature, *values)
    return subject.along(words, subject.execute(words))


def test_a_path_reads_as_the_source_does(programs: Programs) -> None:
    path = along(programs, "int f(double x, int n) { if (n + 1 > 3 && x * x < 2.5) return 1; return 0; }", 1.5, 7)
    assert [repr(term) for term in path.constraints()] == [
        "(bvslt #x00000003 (bvadd n #x00000001))",
        "(fp.lt (fp.mul RNE x x) 2.5)",
    ]
    assert path.is_exact
    assert path.ended == ""


def test_a_structure_that_is_passed_is_the_callees_own(programs: Programs) -> None:
    text = """struct large { long a, b, c; };
    static void set(struct large *s, int n) { s->a = 1; s->b = n; s->c = 0; }
    static int change(struct large s) { s.a = 5; return (int)s.b; }
    int f(int n) { struct large s; set(&s, n); if (change(s) * s.a == 77) return 1; return 0; }"""
    path = along(programs, text, 77)
    (step,) = path.steps
    assert step.holds
    assert path.holds(path.inputs)
    assert path.is_exact
    assert not path.holds({"n": 15})


def test_an_index_that_depends_on_an_input_stays_in_its_array(programs: Programs) -> None:
    text = "static int t[4] = {5, 6, 7, 8}; int f(unsigned n) { if (t[n & 3] == 7) return 1; return 0; }"
    path = along(programs, text, 2)
    (step,) = path.steps
    assert step.holds
    assert [aside.why for aside in path.asides] == ["an index is within t"] * len(path.asides)
    assert [path.holds({"n": n}) for n in range(8)] == [n & 3 == 2 for n in range(8)]


def test_what_is_taken_from_the_run_is_told(programs: Programs) -> None:
    text = "int f(int n) { char b[8] = {0}; char *p = b; p[0] = n; long k = n & 7; char **q = &p; *q = b + k; "
    text += "for (int i = 0; i < k; i++) b[i] = 1; return **q == 1 ? 1 : 2; }"
    path = along(programs, text, 3)
    assert path.ended == ""
    text = "#include <stdlib.h>\nint f(int n) { char *p = calloc(n & 7, 1); free(p); if (n > 3) return 1; return 0; }"
    path = along(programs, text, 5)
    assert not path.is_exact
    assert [aside.why for aside in path.asides if aside.pins] == ["memory has room for more than the run"]


@pytest.mark.parametrize(
    ("text", "values", "why"),
    [("#include <stdlib.h>\nint f(int n) { if (n > 2) return 1; return rand() > n; }", [0], "it calls rand"),
     ("#include <string.h>\nint f(const signed char s[4]) { if (s[0] == 'x') return 1; return !strcoll(s, \"ab\"); }",
      [[97, 98, 0, 0]], "it calls strcoll"),
     ("int f(int n) { int *p = 0; if (n > 5) return *p; return n < 3; }", [9], "a null pointer is dereferenced"),
     ("int f(int n) { int a[3]; if (n > 5) a[n & 1] = 1; return a[n & 1] > 0 && n; }", [3],
      "an uninitialised value is used"),
     ("int f(long n) { if (n < 0) return 1; return f(n + 1) > 3; }", [1], "")],
    ids=["unknown function", "strings", "null", "never set", "recursion without end"],
)  # fmt: skip
def test_what_can_not_be_followed_is_told(programs: Programs, text: str, values: list[object], why: str) -> None:
    ((_, ended),) = ways(programs.write(text), values)
    assert ended
    assert why in ended


def test_null_is_an_input(programs: Programs) -> None:
    text = "int f(const int *p, int n) { if (p == 0) return 1; if (*p == n) return 2; return 3; }"
    absent, there = along(programs, text, None, 5), along(programs, text, [5], 5)
    assert [step.holds for step in absent.steps] == [True]
    assert [step.holds for step in there.steps] == [False, True]
    assert not absent.holds({**absent.inputs, "p == NULL": False})
    assert there.holds(there.inputs)
    assert not there.holds(absent.inputs)


CXX = """
struct Guard { int *p; ~Guard() { *p += 1; } };
static int checked(int x) { if (x == 12345) throw 1; return x; }
int f(int x) {
  int n = 0;
  { Guard g{&n}; if (checked(x) > 3) n += 10; }
  if (n == 11) return 1;
  return 2;
}
"""


def test_cxx_is_read_until_it_throws(programs: Programs) -> None:
    path = programs.write(CXX, ".cpp")
    returns, small, throws = ways(path, [7], [1], [12345])
    assert returns == [[False, True, True], ""]
    assert small == [[False, False, False], ""]
    assert throws[0] == [True]
    assert throws[1].startswith("it calls __cxa_allocate_exception")


def test_a_decision_is_flipped(programs: Programs) -> None:
    path = along(programs, "int f(int a, int b) { if (a > 3) if (b == a + 2) return 1; return 0; }", 10, 1)
    first, second = map(path.otherwise, path.choices)
    assert Query(tuple(first)).holds({"a": 3, "b": 0})
    assert not Query(tuple(first)).holds({"a": 4, "b": 0})
    assert Query(tuple(second)).holds({"a": 7, "b": 9})
    assert not Query(tuple(second)).holds({"a": 7, "b": 8})


def test_a_long_path_is_sent_in_one_piece(programs: Programs) -> None:
    path = along(programs, "int f(int n) { int i = 0, m = n; while (i++ < 2000 && m) m = m * 3 | 1; return m; }", 5)
    assert len(path.steps) > 4000 or path.ended
    sent = pickle.dumps(path)
    assert len(sent) < 300 * len(path.steps)  # each turn's terms once, not with all before them
    assert pickle.loads(sent) == path
