"""Strings as parameters, in terms: paths and proofs of random functions, against all that their runs do."""

from __future__ import annotations

import pytest
from bench.reading.check import check

from programs import Programs, words_of
from proofs import refuted
from string_programs import LONGEST, Written, strings
from zeroin import Budget, Options, cover
from zeroin.languages.c.front.string_parameters import StringSpec
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.model.path import PathCondition
from zeroin.solvers.smt import Bitwuzla

SPEC = (StringSpec("s", LONGEST),)


@pytest.mark.parametrize("seed", range(16))
def test_random_functions(programs: Programs, seed: int) -> None:
    subject = programs.load(Written(seed).text, strings=SPEC)
    ways = {}
    for text in strings():
        words = words_of(subject.signature, text)
        ways[words] = tuple((d.site, d.holds) for d in subject.execute(words).decisions)
    for words in [*ways][:: len(ways) // 9]:
        path = subject.along(words, subject.execute(words))
        assert (path.ended, path.is_exact) == ("", True)
        assert subject.words_with(path.inputs) == words
        for other, way in ways.items():
            assert path.holds(subject.model.inputs(other)) == (way == ways[words])
    taken = {2 * site + (not holds) for way in ways.values() for site, holds in way}
    assert not refuted(subject, Bitwuzla())[0] & taken


@pytest.mark.parametrize("seed", range(0, 16, 3))
def test_bytes_behind_the_end_change_nothing(programs: Programs, seed: int) -> None:
    found = check(programs.load(Written(seed).text, strings=SPEC), 40, seed)
    assert found.disagreements == []
    assert found.whole == 40


def path_of(subject: LlvmSubject, *values: object) -> PathCondition:
    words = words_of(subject.signature, *values)
    return subject.along(words, subject.execute(words))


def names(subject: LlvmSubject) -> set[str]:
    return {f"{subject.sites[n // 2].condition} {'TF'[n % 2]}" for n in refuted(subject, Bitwuzla())[0]}


def test_no_proof_takes_a_length_for_granted(programs: Programs) -> None:
    """Strings have room for 15 characters where they are run."""
    long = " && ".join(f"s[{n}]" for n in range(40))
    text = f"#include <string.h>\nint f(const char *s) {{ if ({long}) return 1; return strlen(s) > 5000; }}"
    subject = programs.load(text)
    assert names(subject) == set()
    assert subject.reach(0).assumptions == ("s points to a string of its own",)


def test_a_path_says_how_long_its_string_is(programs: Programs) -> None:
    text = "#include <string.h>\nint f(const char *s) { if (s[1] == 'a') return 1; return strlen(s) > 3; }"
    subject = programs.load(text)
    short, long = path_of(subject, "ba"), path_of(subject, "bb")
    assert [(aside.why, aside.pins) for aside in short.asides] == [("s points to a string of its own", False)]
    assert ("s points to a string of at most 15 characters of its own", True) in [
        (aside.why, aside.pins) for aside in long.asides]  # fmt: skip
    assert (short.is_exact, long.is_exact) == (True, False)


def test_exploration_proves_nothing_with_a_length_of_ours(programs: Programs) -> None:
    text = "int f(const char *s) { int n = 0; while (s[n] == 'a') n++; if (n == 40) return 1; return 0; }"
    result = cover(f"{programs.write(text)}:f", Options(engine="explore", budget=Budget(100, 20.0)))
    assert [one.verdict for one in result.verdicts if one.verdict != "covered"] == ["undecided"]


def test_what_is_known_of_a_string(programs: Programs) -> None:
    text = """int f(char *s) {
        if (s[0] == 'a' && s[0] == 'b') return 1;
        if (s[0] == 0 && s[1] == 'x') return 2;
        s[2] = 'c';
        if (s[2] != 'c') return 3;
        while (*s) s++;
        return 0; }"""
    subject = programs.load(text)
    assert names(subject) == {"s[0] == 'b' T", "s[2] != 'c' T"}  # behind its end may be anything
    assert subject.reach(0).assumptions == ("s points to a string of its own",)


def test_what_looks_at_strings_changes_none(programs: Programs) -> None:
    text = """#include <string.h>
    int f(char *s, const char *t) {
        s[0] = 'q';
        if (strcmp(s, t) == 0 || strlen(t) > 3) return 1;
        if (s[0] != 'q') return 2;
        return 0; }"""
    subject = programs.load(
        text + "int g(char *s, const char *t) { if (f(s, t) == 0 && s[0] != 'q') return 1; return 0; }", "g"
    )
    assert "s[0] != 'q' T" in names(subject)


@pytest.mark.parametrize(
    ("own", "call"),
    [
        ("unsigned long strnlen(const char *s, unsigned long n) { mode = 1; return n + (s == 0); }", 'strnlen("a", 1)'),
        ("double fabs(double x) { mode = 1; return x; }", "fabs(-1.0)"),
    ],
)
def test_a_function_of_ones_own_with_such_a_name_may_write(programs: Programs, own: str, call: str) -> None:
    """Linking may put another one in its place, so it is not looked into."""
    text = f"""static int mode;
    __attribute__((weak)) {own}
    int f(int n) {{
        mode = n;
        {call};
        if (mode != n) return 1;
        return 0; }}"""
    assert names(programs.load(text)) == set()
