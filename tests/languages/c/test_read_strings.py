"""Strings of C, read: ``strcmp``, ``strlen`` and their relatives."""

from __future__ import annotations

import pytest
from bench.reading.check import check

from programs import Programs
from zeroin import Budget, domain_of
from zeroin.generate.search import Search
from zeroin.generate.strategies.explore import Explore
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.subject.base import branches_of
from zeroin.term.core.evaluate import evaluate, signed

BODIES = {
    "strcmp(s, \"fast\") == 0": 2, "strcmp(s, t) < 0": 2, "strncmp(s, \"no\", 2) == 0": 2, "strncmp(s, t, 3) > 0": 2,
    "memcmp(s, t, 3) == 0": 2, "strcasecmp(s, \"On\") == 0": 2, "strncasecmp(s, t, 2) == 0": 2, "strlen(s) == 3": 2,
    "strnlen(s, 2) == 2": 2, "strcmp(s, \"a\") && strcmp(t, \"b\")": 4, "strlen(s) > strlen(t)": 2,
    "!strcmp(s + 1, t)": 2, "strncmp(s, t, n & 3) == 0": 2,
}  # fmt: skip


def function(body: str, programs: Programs) -> LlvmSubject:
    head = "#include <string.h>\n#include <strings.h>\nint f(char s[6], char t[4], unsigned n)"
    return programs.load(f"{head} {{ s[5] = t[3] = 0; if ({body}) return 1; return 0; }}")


@pytest.mark.parametrize("body", BODIES)
def test_what_is_read_is_what_runs(body: str, programs: Programs) -> None:
    found = check(function(body, programs), 60, seed=3)
    assert found.disagreements == []
    assert found.whole == 60


PAIRS = [
    ("Zz", "zZ"),
    ("[", "{"),
    ("@", "`"),
    ("A", "a"),
    ("ab", "aB"),
    ("abc", "abd"),
    ("", "a"),
    ("ab", "a"),
    ("", ""),
]


@pytest.mark.parametrize("call", ["strcmp(s, t)", "strncmp(s, t, 2)", "memcmp(s, t, 3)", "strcasecmp(s, t)"])
def test_how_nearly_strings_are_equal_is_what_the_probe_says(call: str, programs: Programs) -> None:
    subject = function(f"{call} == 0", programs)
    for one, other in PAIRS:
        words = (*one.ljust(6, "\0").encode(), *other.ljust(4, "\0").encode(), 0)
        words = (*words, *[0] * (subject.signature.arity - len(words)))
        execution = subject.execute(words)
        (step,), (decision,) = subject.along(words, execution).steps, execution.decisions
        assert signed(evaluate(step.left, subject.model.inputs(words)), 64) == decision.left
        assert step.holds == decision.holds


@pytest.mark.parametrize("body", BODIES)
def test_exploration_solves_it(body: str, programs: Programs) -> None:
    """Whether strings are equal is one question: no search goes from character to character."""
    subject = function(body, programs)
    search = Search(
        subject, branches_of(subject.sites), domain_of(subject.signature, subject.constants), Budget(100, 60.0), 0
    )
    strategy = Explore(search)
    while search.missing and not search.stopped and not strategy.done:
        strategy.step(1)
    assert search.seen.bit_count() == BODIES[body]
    assert strategy.runs <= 8


def test_how_much_less_a_string_is_is_nobodys_business(programs: Programs) -> None:
    """A library may return -1 or the difference: no path condition says which."""
    subject = programs.load(
        '#include <string.h>\nint f(const char s[4]) { if (strcmp(s, "k") == 7) return 1; return 2; }'
    )
    words = (ord("r"), 0, 0, 0)
    (step,) = subject.along(words, subject.execute(words)).steps
    assert "strcmp's result" in repr(step.condition)


def test_a_string_without_an_end_is_told(programs: Programs) -> None:
    text = 'char b[2]; b[0] = s[0]; b[1] = s[1]; if (strcmp(b, "kkkk")) return 1; return 2;'
    subject = programs.load(f"#include <string.h>\nint f(char s[2]) {{ {text} }}")
    path = subject.along((107, 107), subject.execute((107, 107)))
    assert "a string is read beyond its array" in path.ended


def test_memory_that_is_allocated_again(programs: Programs) -> None:
    subject = programs.load("""
        #include <stdlib.h>
        int f(int x, int y) {
            int *p = malloc(4);
            *p = x;
            p = realloc(p, 8);
            p[1] = y;
            int found = p[0] + p[1] == 77123;
            free(p);
            return found ? 1 : 0;
        }
        """)
    found = check(subject, 40)
    assert (found.disagreements, found.whole) == ([], 40)
