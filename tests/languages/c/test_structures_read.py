"""Structures as terms: paths and proofs of random functions of structures, against all that their runs do."""

from __future__ import annotations

import random

import pytest

from programs import Programs, words_of
from structure_programs import Written
from zeroin.config import Budget
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.solvers.base import Query, Unsat
from zeroin.solvers.smt import Bitwuzla
from zeroin.subject.base import Words
from zeroin.words import Kind, encode, value_range

FLOATS = (0.0, -0.0, 1.0, -2000.0, 1e35, float("nan"), 0.25, 2.0, 3.0)


def drawn(rng: random.Random, kind: Kind) -> int:
    if kind.is_float:
        return encode(kind, rng.choice(FLOATS))
    low, high = value_range(kind)
    return encode(kind, max(low, min(high, rng.choice([rng.randint(0, 7), rng.randint(low, high), -1, low, high]))))


def refuted(subject: LlvmSubject) -> set[int]:
    """The outcomes that are proved to be taken by no input."""
    found = {n: Query((subject.reach(n).condition,)) for n in range(2 * len(subject.sites))}
    return {n for n, query in found.items() if isinstance(Bitwuzla().solve(query, Budget(10_000, 20.0)), Unsat)}


@pytest.mark.parametrize("seed", range(12))
def test_random_functions(programs: Programs, seed: int) -> None:
    subject, rng = programs.load(Written(seed).text, callees=True), random.Random(seed)
    runs: list[tuple[Words, tuple[tuple[int, bool], ...]]] = []
    for _ in range(250):
        words = tuple(drawn(rng, kind) for kind in subject.signature.kinds)
        runs.append((words, tuple((d.site, d.holds) for d in subject.execute(words).decisions)))
    for words, way in runs[:8]:
        path = subject.along(words, subject.execute(words))
        assert (path.ended, path.is_exact) == ("", True)
        assert subject.words_with(path.inputs) == words
        for other, its_way in runs[:60]:
            assert path.holds(subject.model.inputs(other)) == (way == its_way)
    taken = {2 * site + (not holds) for _, way in runs for site, holds in way}
    assert refuted(subject) == set(range(2 * len(subject.sites))) - taken


def test_padding_is_unknown_where_it_is_passed_and_behind_a_pointer(programs: Programs) -> None:
    text = "struct s { char a; int b; };\nint f(struct s %s) { char *raw = (char *)%ss; return raw[2] != 0 ? 1 : 2; }"
    passed, pointed = programs.load(text % ("s", "&")), programs.load(text % ("*s", ""))
    assert (refuted(passed), refuted(pointed)) == (set(), set())
    assert passed.reach(0).assumptions == ()
    assert pointed.reach(0).assumptions == ("s points to a struct s of its own",)


def test_other_structures_are_others(programs: Programs) -> None:
    text = """struct s { int a, b; };
    int f(struct s *p, struct s *%sq, struct s r) {
        int before = q->a, copy = r.a;
        p->a = 5; r.b = 7;
        if (q->a != before) return 1;
        if (r.a != copy) return 2;
        if (p->a != 5) return 3;
        return p == q;
    }"""
    assert refuted(programs.load(text % "restrict ")) == {0, 2, 4}
    assert refuted(programs.load(text % "")) == {2, 4}


def test_copies_of_a_part(programs: Programs) -> None:
    text = """#include <string.h>
    struct s { short a[3]; char c; };
    int f(struct s *p, const struct s *restrict q, int n) {
        struct s own = {{1, 2, 3}, 4};
        struct s *any = n ? &own : p;
        memmove(&own.a[1], &own.a[0], 4);
        if (own.a[0] != 1 || own.a[1] != 1 || own.a[2] != 2) return 1;
        p->a[2] = 9;
        memcpy(p, q, 5);
        if (p->a[1] != q->a[1]) return 2;
        if (p->a[2] == 9) return 3;
        memset(p->a, 255, 4);
        if (p->a[1] != -1) return 4;
        any->a[0] = 3;
        if (own.a[0] == 1) return 5;
        return own.a[0] == 3;
    }"""
    subject = programs.load(text)
    names = [subject.sites[n // 2].condition + "TF"[n % 2] for n in sorted(refuted(subject))]
    assert names[:3] == ["own.a[0] != 1T", "own.a[1] != 1T", "own.a[2] != 2T"]
    assert names[3:] == ["p->a[1] != q->a[1]T", "p->a[1] != -1T"]


def test_what_is_not_known_of_a_part_is_not_taken_for_zero(programs: Programs) -> None:
    text = """#include <stdlib.h>
    struct pair { char *at; long n; };
    static struct pair made(long n) { struct pair r; r.at = getenv("HOME"); r.n = n; return r; }
    int f(long n) {
        struct pair r = made(n);
        if (r.at == NULL) return 1;
        return r.n != n;
    }"""
    assert refuted(programs.load(text)) == set()


@pytest.mark.parametrize("name", [".c", ".cpp"])
def test_vectors_of_floats(programs: Programs, name: str) -> None:
    text = """struct v { float x, y, z; };
    static struct v twice(struct v a) { struct v r = {a.x + a.x, a.y + a.y, a.z + a.z}; return r; }
    int f(struct v a, struct v *b) {
        struct v t = twice(a);
        if (t.x > 3.0f && a.x < 1.0f) return 1;
        *b = t;
        if (b->z != t.z && t.z == t.z) return 2;
        return a.y > b->y;
    }"""
    subject = programs.load(text, "f", name)
    words = words_of(subject.signature, {"x": 2.0, "y": -1.0, "z": 0.5}, {"x": 0.0, "y": 0.0, "z": 0.0})
    path = subject.along(words, subject.execute(words))
    assert (path.ended, path.is_exact) == ("", True)
    assert path.holds(path.inputs)
    conditions = [subject.sites[n // 2].condition for n in sorted(refuted(subject)) if n % 2 == 0]
    assert "a.x < 1.0f" in conditions
    assert "t.z == t.z" in conditions
