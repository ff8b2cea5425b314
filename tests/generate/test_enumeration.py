"""All inputs are run, each once, and only what surely does the same again is a proof."""

from __future__ import annotations

import ctypes
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from programs import Programs
from zeroin import Options, cover
from zeroin.config import Budget
from zeroin.generate.domain import domain_of
from zeroin.generate.schedule import DEFAULT, generate, schedule_named
from zeroin.generate.search import Search
from zeroin.generate.stopped import Stopped
from zeroin.languages.c.front.signature import ArraySpec
from zeroin.minimize import Domain, Door
from zeroin.minimize.seeds import every
from zeroin.subject.base import branches_of
from zeroin.words import Kind, word_range


def search_of(programs: Programs, text: str, evaluations: int = 10**9, **options: Any) -> Search:
    subject = programs.load(text, **options)
    domain = domain_of(subject.signature, subject.constants)
    return Search(subject, branches_of(subject.sites), domain, Budget(evaluations, 60.0), 0)


@pytest.mark.parametrize("at_once", [1, 7, 10**6])
def test_each_input_is_run_once(at_once: int) -> None:
    kinds = Kind.I8, Kind.BOOL, Kind.U8
    domain = Domain(kinds, (*map(word_range, kinds[:2]), (250, 255)), ((0,),) * 3)
    seen = list[tuple[int, ...]]()

    def note(words: Any) -> float:
        seen.append(tuple(words[:3]))
        return 1.0

    objective = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.POINTER(ctypes.c_int64))(note)
    door = Door(ctypes.cast(objective, ctypes.c_void_p).value or 0, 3)
    x, state = np.zeros(3, dtype=np.int64), np.zeros(2, dtype=np.int64)
    everything = list(itertools.product(range(-128, 128), range(2), range(250, 256)))
    while state[0] < len(everything):
        before = int(state[0])
        door.open(at_once)
        every(door.native, domain.native, x, state)
        assert state[0] - before == min(at_once, len(everything) - before)
    assert sorted(seen) == everything
    assert state[1] == 0


COUNTED = """#include <stdint.h>
static int ones(uint8_t x) { int n = 0; for (int i = 0; i < 8; i++) n += x >> i & 1; return n; }
int f(uint8_t a, int8_t b) {
    int n = ones(a) + ones((uint8_t)b);
    if (n == 17) return 1;
    if ((uint8_t)(a * b) == 251 && ones(a) == 7) return 2;
    return 0;
}
"""


@pytest.mark.parametrize("engine", ["enumerate", "hybrid"])
def test_what_no_input_takes_is_proved(programs: Programs, engine: str) -> None:
    search = search_of(programs, COUNTED)
    assert generate(search, schedule_named(engine)) is Stopped.DECIDED
    (outcome,) = search.proofs
    assert search.subject.sites[outcome >> 1].condition == "n == 17"
    assert outcome % 2 == 0
    proof = search.proofs[outcome]
    assert (proof.solver, proof.method) == ("enumeration", "all 65,536 inputs were run")
    assert proof.assumptions == ("what C leaves open as in these runs",)
    assert engine == "hybrid" or search.evaluations == 65_536


def test_arrays_are_inputs_and_what_is_taken_for_granted_of_them_is_told(programs: Programs) -> None:
    text = """int f(const signed char *p) {
        if (!p) return 0;
        for (int i = 0; i < 2; i++) if (p[i] % 7 == 7) return 1;
        return 2;
    }"""
    search = search_of(programs, text, arrays=(ArraySpec.parse("p=2"),))
    assert generate(search, schedule_named("enumerate")) is Stopped.DECIDED
    (proof,) = search.proofs.values()
    assert proof.assumptions[0] == "p points to 2 elements of its own or is NULL"
    assert search.evaluations == 2 * 256 * 256


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("int mode; void set(int to) { mode = to; } int f(char a) { if (mode == 4) return a; return 0; }",
         "uses the variable mode, which other code"),
        ("int f(char a) { static int n; if (n++ > a + 500) return 1; return 0; }", "uses the variable"),
        ("#include <stdlib.h>\nint f(char a) { if (rand() == a - 500) return 1; return 0; }", "calls rand, which may"),
        ("int f(char a, char b) { int n = a; while (n > 126) n += b & 0; if (n == 200) return 1; return 0; }",
         "runs did not end"),
        ("static unsigned g(unsigned n) { return n ? g(n + 1) + 1 : 0; } "
         "int f(char a) { if (g(a) == -5u) return 1; return 0; }", "runs did not end"),
        ("int n; int f(char a) { int *t[2] = {&n, 0}; if (*t[0] == 5) return 1; return a > 3; }", "the variable n"),
        ("int n; static const struct { int *p; } t[] = {{&n}, {&n}}; int f(char a) { if (*t[a & 1].p == 5) return 1; "
         "return 0; }", "the variable n"),
        ("const volatile int reg = 0; int f(char a) { if (reg == 1) return a; return 0; }", "f uses volatile memory"),
        ("__attribute__((weak)) const int lim = 5; int f(char a) { if (lim == 1) return a; return 0; }",
         "another definition of lim may"),
        ("__attribute__((weak)) int g(int a) { return 0; } int f(char a) { return g(a) ? 1 : 0; }",
         "another definition of g may"),
        ("#include <stdlib.h>\nint f(char a) { char *p = malloc(4); if (!p) return 1; p[0] = a; return p[0] > 3; }",
         "it calls malloc, which may"),
        ("int f(char a) { asm goto(\"\" :::: odd); if (a == 300) return 1; return 0; odd: return 3; }",
         "zeroin can not read a part"),
        ("int f(char a) { int x = a; if ((__UINTPTR_TYPE__)&x % 16 == 3) return 1; return x; }", "address as a number"),
        ("int f(const char *a) { char b[1] = {1}; if (a && a < b && *a == 300) return 1; return 0; }",
         "addresses of objects"),
        ("int f(char a) { int (*g)(int) = 0; if (a == 300) return g(1); return 0; }", "through a pointer"),
    ],
)  # fmt: skip
def test_what_may_do_something_else_next_time_proves_nothing(programs: Programs, text: str, why: str) -> None:
    arrays = (ArraySpec.parse("a=1"),) if "*a" in text else ()
    search = search_of(programs, text, arrays=arrays)
    generate(search, schedule_named("enumerate"))
    assert not search.proofs
    assert search.missing
    (told,) = [said for remark in search.remarks if (said := remark())]
    assert why in told
    assert told.startswith("all ")  # and all inputs were tried


@pytest.mark.parametrize(("own", "given"), [("static ", ()), ("", ("no other code sets mode",))])
def test_a_variable_that_nobody_sets_is_as_it_is_defined(programs: Programs, own: str, given: tuple[str]) -> None:
    search = search_of(programs, f"{own}int mode = 3; int f(char a) {{ if (mode == 4) return a; return 0; }}")
    generate(search, schedule_named("enumerate"))
    (proof,) = search.proofs.values()
    assert proof.assumptions == (*given, "what C leaves open as in these runs")


def test_what_is_known_of_the_c_library_does_the_same_again(programs: Programs) -> None:
    text = """#include <math.h>
    #include <string.h>
    int f(signed char a, _Bool b) {
        char copy[4];
        memset(copy, a, 3);
        copy[3] = 0;
        if (sqrt(fabs((double)a)) + sin(a) > 13.0) return 1;
        if (strlen(copy) == 2) return 2;
        if (floorf(a / 2.0f) == 63.5f) return 3;
        return b;
    }"""
    search = search_of(programs, text)
    assert generate(search, schedule_named("enumerate")) is Stopped.DECIDED
    assert {search.subject.sites[outcome >> 1].condition for outcome in search.proofs} == {
        "sqrt(fabs((double)a)) + sin(a) > 13.0", "strlen(copy) == 2", "floorf(a / 2.0f) == 63.5f"}  # fmt: skip
    assert {proof.assumptions for proof in search.proofs.values()} == {
        ("sin as this machine computes it", "what C leaves open as in these runs")}  # fmt: skip


def test_more_inputs_than_evaluations_are_not_begun(programs: Programs) -> None:
    search = search_of(programs, COUNTED, evaluations=65_535)
    assert generate(search, schedule_named("enumerate")) is Stopped.TRIED
    assert search.evaluations == 0
    told = search.remarks[-1]()
    assert told.startswith("not all of the 65,536 inputs were tried: 65,536 are more than the remaining evaluations")


def test_wide_inputs_are_left_to_others(programs: Programs) -> None:
    search = search_of(programs, "int f(double x) { if (x > 1e300 && x < 2.0) return 1; return 0; }")
    assert generate(search, schedule_named("enumerate")) is Stopped.TRIED
    assert search.evaluations == 0
    assert generate(search, DEFAULT) is Stopped.DECIDED


@pytest.mark.parametrize("engine", ["enumerate", "explore", "hybrid"])
def test_what_only_a_run_that_does_not_return_takes_is_not_refuted(tmp_path: Path, engine: str) -> None:
    (tmp_path / "f.c").write_text("""int f(signed char a) {
        if (a == 15) { int *p = 0; return *p; }
        if (a == 300) return 2;
        return 0;
    }""")
    suite = cover(f"{tmp_path}/f.c:f", Options(engine=engine, budget=Budget(seconds=2.0)))
    assert {suite.sites[outcome >> 1].condition for outcome in suite.proofs} <= {"a == 300"}
    assert suite.refuted == []
    assert any(finding.kind == "crash" for finding in suite.findings) or engine == "explore"
