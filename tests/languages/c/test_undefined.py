"""Runs that do what C leaves undefined: checks end them as such, and so do builds that do not agree."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from zeroin import COVERED, Budget, Options, cover
from zeroin.languages.c.front.compile import compile_all
from zeroin.languages.c.options import LlvmOptions
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.subject.base import Termination, Words

OPERATIONS = """
int to_int(double x) { return (int)x; }
unsigned char to_byte(float x) { return (unsigned char)x; }
int add(int a, int b) { return a + b; }
long product(long a, long b) { return a * b; }
int shifted(int a, int by) { return a << by; }
unsigned shifted_right(unsigned a, unsigned by) { return a >> by; }
static const int codes[2] = {7, 9};
int element(int at) { return codes[at]; }
struct ring { unsigned char bytes[4]; unsigned char head; };
int put(struct ring *r) { r->bytes[r->head] = 1; return 1; }
int zeros(unsigned x) { return __builtin_ctz(x); }
int never(int x) { if (x == 3) __builtin_unreachable(); return x; }
unsigned wraps(unsigned a, unsigned b) { return a + b; }
int negative(int a) { return a << 2; }
"""


def subject_of(tmp_path: Path, text: str, function: str, *cc: str, sanitized: bool = True) -> LlvmSubject:
    (tmp_path / "f.c").write_text(text)
    subject = LlvmSubject(tmp_path / "f.c", function, LlvmOptions(cc=cc, sanitized=sanitized))
    subject.guard()
    return subject


@pytest.mark.parametrize(
    ("function", "fine", "undefined", "said"),
    [
        ("to_int", "-2147483648.9", "-2147483649.0", "a cast out of range: (int32_t) -2147483649.0 (f.c:2)"),
        ("to_int", "2147483647.5", "nan", "a cast out of range: (int32_t) nan (f.c:2)"),
        ("to_byte", "255.5", "256.0", "a cast out of range: (uint8_t) 256.0 (f.c:3)"),
        ("add", "2147483646, 1", "2147483647, 1", "a signed overflow: 2147483647 + 1 (f.c:4)"),
        ("product", "3037000499, 3037000499", "3037000500, 3037000500",
         "a signed overflow: 3037000500 * 3037000500 (f.c:5)"),
        ("shifted", "1, 31", "1, 32", "a shift by the width or more: of 32 bits by 32 (f.c:6)"),
        ("shifted", "1, 0", "1, -1", "a shift by the width or more: of 32 bits by -1 (f.c:6)"),
        ("shifted_right", "8, 3", "8, 40", "a shift by the width or more: of 32 bits by 40 (f.c:7)"),
        ("element", "1", "2", "an index out of bounds: index 2 of 2 elements (f.c:9)"),
        ("element", "0", "-1", "an index out of bounds: index -1 of 2 elements (f.c:9)"),
        ("zeros", "8", "0", "an argument that a built-in function may not get: (__builtin_clz or __builtin_ctz of 0) "
         "(f.c:12)"),
        ("never", "4", "3", "code that is said to be unreachable (f.c:13)"),
    ],
)  # fmt: skip
def test_what_an_operation_leaves_undefined(
    function: str, fine: str, undefined: str, said: str, tmp_path: Path
) -> None:
    subject = subject_of(tmp_path, OPERATIONS, function)
    assert subject.run(subject.words_of(fine)).returned
    assert subject.replay(subject.words_of(fine)).outcome is Termination.RETURNED
    words = subject.words_of(undefined)
    assert subject.run(words).outcome is Termination.UNDEFINED
    observed = subject.observe(words)
    assert observed.ending == f"undefined behaviour: {said}"
    # The compiler's own sanitizers find the same, at the same place.
    assert subject.replay(words).ending == f"undefined behaviour: {said.partition(':')[0]} ({said.rpartition('(')[2]}" \
        if ":" in said.partition("(")[0] else f"undefined behaviour: {said}"  # fmt: skip


@pytest.mark.parametrize(("function", "values"), [("wraps", "4294967295, 1"), ("negative", "-5")])
def test_what_is_defined_or_harms_nobody(function: str, values: str, tmp_path: Path) -> None:
    subject = subject_of(tmp_path, OPERATIONS, function)
    words = subject.words_of(values)
    assert subject.run(words).returned
    assert subject.replay(words).outcome is Termination.RETURNED


CHARACTERS = """
#include <ctype.h>
int table(int c) { return isalpha(c) ? 1 : 0; }
int upper(int c) { return toupper(c); }
int text(const char *s) { int n = 0; while (*s) n += isspace(*s++) != 0; return n; }
int cast(const char *s) { int n = 0; while (*s) n += isspace((unsigned char)*s++) != 0; return n; }
"""
OF_CTYPE = "undefined behaviour: neither EOF nor an unsigned char, for a function of <ctype.h>: "


@pytest.mark.parametrize("function", ["table", "upper"])
@pytest.mark.parametrize(("value", "defined"), [(-1, True), (0, True), (255, True), (-2, False), (256, False),
                                                (10000, False), (-2147483648, False)])  # fmt: skip
@pytest.mark.parametrize("language", ["c", "c++"])
def test_what_functions_of_characters_take(
    function: str, value: int, defined: bool, language: str, tmp_path: Path
) -> None:
    source = tmp_path / ("f.c" if language == "c" else "f.cpp")
    source.write_text(CHARACTERS)
    subject = LlvmSubject(source, function, LlvmOptions())
    subject.guard()
    words = subject.words_of(str(value))
    assert subject.run(words).outcome is (Termination.RETURNED if defined else Termination.UNDEFINED)
    line = 3 if function == "table" else 4
    assert defined or subject.observe(words).ending == f"{OF_CTYPE}{value} ({source.name}:{line})"


def test_a_negative_character_is_none_for_isspace_until_it_is_cast(tmp_path: Path) -> None:
    for function, outcome in (("text", Termination.UNDEFINED), ("cast", Termination.RETURNED)):
        subject = subject_of(tmp_path, CHARACTERS, function)
        assert subject.run(subject.words_of(r"'a\200'")).outcome is outcome
        assert subject.run(subject.words_of("'a b'")).returned


def test_a_call_without_an_argument_is_no_check(tmp_path: Path) -> None:
    subject = subject_of(tmp_path, "int isalpha(); int f(int c) { return c ? 1 : isalpha(); }\n", "f", "-std=c89")
    assert subject.run((1,)).returned


def test_a_function_of_ones_own_takes_what_it_likes(tmp_path: Path) -> None:
    text = "int isalpha(int c) { return c > 4000; }\nint f(int c) { return isalpha(c); }\n"
    subject = subject_of(tmp_path, text, "f")
    assert subject.run(subject.words_of("10000")).returned


def test_an_index_in_a_structure(tmp_path: Path) -> None:
    subject = subject_of(tmp_path, OPERATIONS, "put")
    assert subject.run((0, 0, 0, 0, 3)).returned
    assert subject.run((0, 0, 0, 0, 4)).outcome is Termination.UNDEFINED


@pytest.mark.parametrize("flag", ["-fwrapv", "-fno-strict-overflow"])
def test_the_users_flags_say_what_is_undefined(flag: str, tmp_path: Path) -> None:
    subject = subject_of(tmp_path, OPERATIONS, "add", flag)
    words = subject.words_of("2147483647, 1")
    assert subject.run(words).returned
    replay = subject.replay(words)
    assert (replay.outcome, replay.result) == (Termination.RETURNED, 1 << 31)


def test_the_run_goes_on_so_that_it_is_known_what_follows(tmp_path: Path) -> None:
    """Of what only such runs take this can be said, and of a crash that follows it is the cause."""
    text = "int f(int x) { int y = x + 1; if (y < x) return 1; return 0; }\n"
    subject = subject_of(tmp_path, text, "f")
    run = subject.run(subject.words_of("2147483647"))
    assert (run.outcome, run.covered) == (Termination.UNDEFINED, frozenset({0}))
    crash = "int f(double x) { int a[1]; int *p = a; return p[(int)x]; }\n"
    subject = subject_of(tmp_path, crash, "f")
    replay = subject.observe(subject.words_of("1e300"))
    assert replay.ending == "undefined behaviour: a cast out of range: (int32_t) 1e+300 (f.c:1)"


def test_a_run_that_does_so_is_further_from_a_goal_than_any_other(tmp_path: Path) -> None:
    from zeroin.objective.branch import BranchObjective

    text = "int f(double x) { int i = (int)x; if (i == 7) return 1; return 0; }\n"
    subject = subject_of(tmp_path, text, "f")
    objective = BranchObjective(1, "ulp")
    objective.aim(subject.graph.levels(0), 0, 0)
    subject.install(objective.question)

    def far(values: str) -> float:
        return float(subject._objective(_address(subject, subject.words_of(values))))

    assert far("7.0") == 0.0 < far("8.0") < far("-2147483648.0") < far("1e300")


def _address(subject: LlvmSubject, words: Words) -> int:
    subject._words[: len(words)] = words
    return int(subject._words.ctypes.data)


COPIES = """
#include <string.h>
int bytes(int n) { char b[32] = "abcdefghijklmnop"; memcpy(b + 4, b, n & 15); return b[5]; }
int text(int n) { char b[32] = "abcdef"; strcpy(b + (n & 15), b + 1); return b[0]; }
int added(int n) { char b[32] = "abcdef"; strcat(b, b + (n & 7)); return b[0]; }
int moved(int n) { char b[32] = "abcdefghijklmnop"; memmove(b + 4, b, n & 15); return b[5]; }
"""


@pytest.mark.parametrize(
    ("function", "fine", "undefined", "by"),
    [("bytes", "4", "5", "memcpy"), ("text", "7", "2", "strcpy"), ("text", "1", "0", "strcpy"),
     ("added", "6", "5", "strcpy")],
)  # fmt: skip
def test_a_copy_between_overlapping_memory(function: str, fine: str, undefined: str, by: str, tmp_path: Path) -> None:
    subject = subject_of(tmp_path, COPIES, function)
    assert subject.run(subject.words_of(fine)).returned
    words = subject.words_of(undefined)
    assert subject.run(words).outcome is Termination.UNDEFINED
    said = f"undefined behaviour: a copy between overlapping memory, by {by}"
    assert subject.observe(words).ending == subject.replay(words).ending == said


def test_memmove_may_overlap(tmp_path: Path) -> None:
    subject = subject_of(tmp_path, COPIES, "moved")
    assert subject.replay(subject.words_of("15")).outcome is Termination.RETURNED


@pytest.mark.parametrize(
    "body",
    [
        "int a[4]; return n == 7 ? a[2] > 0 : 2;",
        "int a[4]; return n == 7 ? a[2] < 0 : 2;",
        "int x; int *p = &x; if (n != 7) x = 3; return *p == 3;",
    ],
)
@pytest.mark.parametrize("sanitized", [False, True])
def test_a_variable_that_nothing_has_initialised(body: str, sanitized: bool, tmp_path: Path) -> None:
    subject = subject_of(tmp_path, f"int f(int n) {{ {body} }}\n", "f", sanitized=sanitized)
    assert subject.replay(subject.words_of("6")).outcome is Termination.RETURNED
    assert subject.replay(subject.words_of("7")).outcome is Termination.UNDEFINED


MEMORY = """
#include <stdlib.h>
int fresh(int n) { int *p = malloc(8); if (n != 7) *p = 3; n = *p; free(p); return n; }
int grown(int n) { int *p = malloc(4); *p = 3; p = realloc(p, 8); n = p[n == 7]; free(p); return n; }
int freed(int n) { int *p = malloc(4); *p = 3; if (n == 7) free(p); int r = *p; if (n != 7) free(p); return r; }
int same(int n) { int *p = malloc(4); *p = 3; if (n == 7) free(p); int r = *p == 3; if (n != 7) free(p); return r; }
int chosen(int n) { int *p = malloc(8); if (n != 7) *p = 0; n = *p ? 4 : 2; free(p); return n; }
int ended(int n) { int *p = &n; { int y = n & 7; if (n == 7) p = &y; } return *p; }
"""


@pytest.mark.parametrize("function", ["fresh", "grown", "freed", "same", "ended", "chosen"])
def test_memory_that_nothing_has_initialised_or_that_is_gone(function: str, tmp_path: Path) -> None:
    subject = subject_of(tmp_path, MEMORY, function)
    assert subject.run((7,)).returned
    assert subject.replay((6,)).outcome is Termination.RETURNED
    said = "it depends on memory that nothing has initialised, or that is no longer there"
    assert subject.replay((7,)).ending == f"undefined behaviour: {said}"


ORDERS = """
#include <stdint.h>
int first(int *p, int *q) { return p < q; }
int same(int *p, int *q) { return p == q; }
int *lower(int *p, int *q) { return p < q ? p : q; }
int tells(int *p, int *q) { return (int)((uintptr_t)p >> 12) + *q; }
int moves(int *d, const int *s) { if (d < s) { *d = *s; return 1; } *d = *s + 0; return 1; }
"""


def test_which_of_two_objects_comes_first(tmp_path: Path) -> None:
    said = "undefined behaviour: it depends on which of two objects comes first in memory"
    for function, ending in (("first", said), ("same", "returned"), ("lower", "returned"), ("tells", "returned"),
                             ("moves", "returned")):  # fmt: skip
        subject = subject_of(tmp_path, ORDERS, function)
        words = (0,) * subject.signature.arity
        assert subject.replay(words).ending == ending, function
        assert subject.observe(words).ending == "returned"


def test_a_branch_is_not_lost_to_inputs_that_are_undefined(tmp_path: Path) -> None:
    """Each pair of objects seems to take it, and so inputs that notice mutants do, until they are replayed."""
    path = tmp_path / "f.c"
    path.write_text("int f(int *p, int *q) { if (p < q) return 1; return 0; }\n")
    suite = cover(f"{path}:f", Options(budget=Budget(1_000_000, 60.0, work=0.5)))
    assert [verdict.verdict for verdict in suite.verdicts] == [COVERED, COVERED]
    assert [finding.kind for finding in suite.findings] == ["undefined"]


def test_memory_that_is_set_and_there(tmp_path: Path) -> None:
    text = """
    #include <stdlib.h>
    int zeros(int n) { int *p = calloc(4, 4); n = p[n & 3]; free(p); return n; }
    int grown(int n) { int *p = malloc(4); *p = 9; p = realloc(p, 4000); p[5] = n; n = p[0] + p[5]; free(p); return n; }
    int rounds(int n) {
        int s = 0;
        for (int i = 0; i < 3; i++) { int y[2] = {n & 7, i}, *p = y; s += p[i & 1]; }
        return s;
    }
    """
    for function, result in (("zeros", 0), ("grown", 14), ("rounds", 11)):
        replay = subject_of(tmp_path, text, function).replay((5,))
        assert (replay.outcome, replay.result) == (Termination.RETURNED, result)


def test_builds_that_do_not_agree(tmp_path: Path) -> None:
    """The sanitizers do not look for pointers of the wrong type; with -O2 these show."""
    text = """
    static __attribute__((noinline)) int g(int *i, float *x) { *i = 1; *x = 0.0f; return *i; }
    int f(int n) { int own[2]; return g(own, (float *)&own[n & 1]); }
    """
    subject = subject_of(tmp_path, text, "f")
    assert subject.replay(subject.words_of("1")).result == 1
    replay = subject.replay(subject.words_of("0"))
    assert replay.ending == ("undefined behaviour: = 0 in a build with -O2, = 1 in one with -O2 with sanitizers")
    subject = subject_of(tmp_path, text, "f", "-fno-strict-aliasing")
    assert subject.replay(subject.words_of("0")).result == 0


def test_what_depends_on_something_else_is_not_called_undefined(tmp_path: Path) -> None:
    text = "#include <time.h>\nlong f(int n) { struct timespec t; clock_gettime(1, &t); return t.tv_nsec + n; }\n"
    subject = subject_of(tmp_path, text, "f")
    assert subject.replay(subject.words_of("6")).outcome is Termination.RETURNED


def test_a_crash_by_the_processor_stays_a_crash(tmp_path: Path) -> None:
    subject = subject_of(tmp_path, "int f(int a, int b) { return a / b; }\n", "f")
    assert subject.replay(subject.words_of("1, 0")).outcome is Termination.FPE
    assert subject.replay(subject.words_of("-2147483648, -1")).outcome is Termination.FPE


def test_files_that_are_linked_with_it_have_checks_too(tmp_path: Path) -> None:
    (tmp_path / "other.c").write_text("int g(double x) { return (int)x; }\n")
    (tmp_path / "f.c").write_text("int g(double); int f(double x) { return g(x) > 5; }\n")
    options = LlvmOptions(others=(tmp_path / "other.c",), sanitized=True)
    subject = LlvmSubject(tmp_path / "f.c", "f", options)
    subject.guard()
    assert subject.run(subject.words_of("5.5")).returned
    words = subject.words_of("1e10")
    assert subject.observe(words).ending.endswith("a cast out of range: (int32_t) 10000000000.0 (other.c:1)")
    assert subject.replay(words).outcome is Termination.UNDEFINED


def test_what_constructors_do_ends_nothing(tmp_path: Path) -> None:
    (tmp_path / "f.cpp").write_text("static int big = 2147483647;\nstatic int made = big + 1;\n"
                                    "int f(int n) { return n + (made < 0); }\n")  # fmt: skip
    subject = LlvmSubject(tmp_path / "f.cpp", "f", LlvmOptions())
    subject.guard()
    assert subject.run(subject.words_of("1")).returned


def test_a_compiler_without_sanitizers(tmp_path: Path) -> None:
    """It refuses them: then the builds are those that it can make, and a reader is told so."""
    compiler = tmp_path / "poor"
    compiler.write_text(f'#!/bin/sh\ncase "$*" in *-fsanitize=*) echo "no sanitizers" >&2; exit 1;; esac\n'
                        f'exec {sys.executable} -m ziglang cc "$@"\n')  # fmt: skip
    compiler.chmod(0o755)
    assert subprocess.run([compiler, "--version"], check=False, capture_output=True).returncode == 0
    subject = subject_of(tmp_path, OPERATIONS, "to_int", str(compiler))
    assert subject._sanitized == []
    words = subject.words_of("1e10")
    assert subject.run(words).outcome is Termination.UNDEFINED
    assert subject.remarks() == [
        "the compiler has no sanitizers for it: inputs were replayed in builds with -O0 and -O2 only"
    ]


def test_what_is_compiled_with_sanitizers_has_traps(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(OPERATIONS)
    (plain,), (traps,) = compile_all([tmp_path / "f.c"]), compile_all([tmp_path / "f.c"], sanitized=True)
    assert "llvm.ubsantrap" not in plain
    assert traps.count("call void @llvm.ubsantrap(") >= 9
    assert "add nsw i32" in plain
