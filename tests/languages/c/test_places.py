"""Pointers that lead to the same memory in a call: they are searched for, run, read, told and proved of alike."""

from __future__ import annotations

import random

import pytest

from programs import Programs
from zeroin.errors import OptionError
from zeroin.languages.c.front.alias_parameters import AliasSignature
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.model.memory import Unreadable
from zeroin.subject.base import Termination, Words
from zeroin.subject.growth import refitted

PROGRAMS = {
    "numbers": "int f(int *p, int *q) { if (p == q) return 1; *p = 5; *q = 7; return *p == 7 ? 2 : 3; }",
    "three": """int f(int *p, int *q, int *r) {
        *p = 1; *q = 2; *r = 3; if (*p == 2) return 1; if (*q == 3) return 2; return p == r && q == r ? 3 : 4; }""",
    "order": "int f(short *p, short *q) { if (p < q) return 1; if (q - p == -1) return 2; *p = 3; return *q == 3; }",
    "arrays": """int f(int p[3], const int q[3])
        { int i; for (i = 0; i < 3; i++) p[i] = q[i] + 1;
        if (q[1] == q[0] + 1) return 1; return p + 2 == q ? 2 : 3; }""",
    "counted": """void f(unsigned char *d, const unsigned char *s, int n) { int i;
        if (d < s) for (i = 0; i < n; i++) d[i] = s[i]; else for (i = n; i > 0; i--) d[i - 1] = s[i - 1]; }""",
    "null": "int f(int *p, int *q) { if (!p || !q) return 0; *p = 1; *q = 2; if (*p == 2) return 1; return 2; }",
    "structures": """struct V { double x, y; };
        int f(struct V *a, const struct V *b) { a->x = b->y; a->y = b->x;
        if (b->x == b->y) return 1; return a == b; }""",
    "a member": """struct V { double x; int n, m; };
        int f(struct V *a, int *n) { a->n = 1; a->m = 2; *n = 3;
        if (a->n == 3) return 1; return a->m == 3 ? 2 : 0; }""",
    "a member first": """struct V { double x; int n, m; };
        int f(int *n, struct V *a) { *n = 3; a->m = 2; if (*n == 2) return 1; return a->n == 3 ? 2 : 0; }""",
    "characters": """int f(unsigned short *p, char *q) { *p = 0x101; *q = 2;
        if (*p == 0x102) return 1; return *p == 0x201; }""",
    "strings": """int f(const char *s, const char *t) { if (s == t) return 1; if (s + 1 == t) return *t ? 2 : 3;
        while (*s && *s == *t) s++, t++; return *s == *t ? 4 : 5; }""",
}  # fmt: skip
CXX = "int f(int &p, const int &q) { if (&p == &q) return 1; p = q + 1; return q > p ? 2 : 3; }"


def load(programs: Programs, name: str) -> LlvmSubject:
    return programs.load(CXX, name=".cpp") if name == "references" else programs.load(PROGRAMS[name])


def drawn(subject: LlvmSubject, rng: random.Random) -> Words:
    """Words of small values, of which many are the same."""
    ranges = subject.signature.ranges()
    near = (rng.choice([0, 1, 2, 3, 97, rng.randint(0, 15)]) for _ in ranges)
    return tuple(min(max(word, low), high) for word, (low, high) in zip(near, ranges, strict=True))


@pytest.mark.parametrize("name", [*PROGRAMS, "references"])
def test_runs_words_and_paths_agree(programs: Programs, name: str) -> None:
    subject, rng = load(programs, name), random.Random(name)
    assert isinstance(subject.signature, AliasSignature)
    runs = list[tuple[Words, tuple[tuple[int, bool], ...]]]()
    for _ in range(150):
        words = drawn(subject, rng)
        tidy, run = subject.tidy(words), subject.execute(words)
        assert subject.tidy(tidy) == tidy
        assert [d.holds for d in subject.execute(tidy).decisions] == [d.holds for d in run.decisions]
        assert subject.same(subject.replay(words), subject.replay(tidy))
        if run.outcome is Termination.RETURNED:
            runs.append((words, tuple((d.site, d.holds) for d in run.decisions)))
    assert len({way for _, way in runs}) > 1
    followed = 0
    for words, way in runs[::6]:
        path = subject.along(words, subject.execute(words))
        if path.ended:
            continue
        followed += 1
        assert subject.model.words(path.inputs)[-1] == words[-1]
        for other, its_way in runs:
            if path.holds(subject.model.inputs(other)):
                assert way == its_way
    assert followed > 2


SHOWN = [
    ("numbers", "[5], p", "f(p={5}, q=p)", {"q": "p"}),
    ("numbers", "[5], [6]", "f({5}, {6})", {}),
    ("arrays", "[1, 2, 3], p + 1", "f(p={1, 2, 3, 0}, q=p + 1)", {"q": "p + 1"}),
    ("arrays", "[1, 2, 3], p - 2", "f(p=q + 2, q={0, 0, 1, 2, 3})", {"p": "q + 2"}),
    ("counted", "[1, 2], d, 2", "f(d={1, 2}, s=d, n=2)", {"s": "d"}),
    ("null", "None, [2]", "f(NULL, {2})", {}),
    ("a member", "{'x': 1.0, 'n': 2, 'm': 3}, [4]", "f({.x = 1.0, .n = 2, .m = 3}, {4})", {}),
]


@pytest.mark.parametrize(("name", "given", "shown", "aliases"), SHOWN)
def test_calls_are_written_and_told(programs: Programs, name: str, given: str, shown: str, aliases: object) -> None:
    subject = load(programs, name)
    words = subject.words_of(given)
    assert (subject.signature.show(words), subject.signature.aliases(words)) == (shown, aliases)


def test_members_are_told(programs: Programs) -> None:
    subject = load(programs, "a member")
    signature = subject.signature
    assert isinstance(signature, AliasSignature)
    plain = signature.words_of("{'x': 1.0, 'n': 2, 'm': 3}, [4]")
    told = [signature.aliases((*plain[:-1], number)) for number in range(len(signature.places["n"].ways) + 1)]
    assert told == [{}, {"n": "&a->n"}, {"n": "&a->m"}]
    assert signature.arguments(subject.tidy((*plain[:-1], 2))) == [{"x": 1.0, "n": 2, "m": 3}, [3]]


@pytest.mark.parametrize("given", ["[5], r", "q, [5]", "[5], p + 7", "[5], x"])
def test_where_nothing_can_lie_is_refused(programs: Programs, given: str) -> None:
    with pytest.raises(OptionError, match=r"can not point there|write the arguments"):
        load(programs, "numbers").words_of(given)


def test_what_can_not_be_told_apart_costs_nothing(programs: Programs) -> None:
    for text in ("int f(const int *p, const int *q) { return *p > *q ? 1 : 0; }",
                 "int f(int *restrict p, int *restrict q) { *p = 5; *q = 7; return *p > 3 ? 1 : 0; }",
                 "int f(int *p, double *q) { *p = 5; *q = 7; return *p > 3 ? 1 : 0; }",
                 "int f(int *p, int n) { *p = n; return *p > 3 ? 1 : 0; }"):  # fmt: skip
        assert not isinstance(programs.load(text).signature, AliasSignature)


@pytest.mark.parametrize(("name", "is_whole"), [("numbers", True), ("three", True), ("structures", True),
                                                ("a member", True), ("references", True), ("order", False),
                                                ("arrays", False), ("counted", False)])  # fmt: skip
def test_runs_prove_something_where_they_try_all_ways(programs: Programs, name: str, is_whole: bool) -> None:
    subject = load(programs, name)
    assert (subject.doubts() == "") == is_whole
    if is_whole:
        assert any("leads to memory of its own, or to that of" in why for why in subject.repeats())
    else:
        with pytest.raises(Unreadable):
            subject.repeats()


def test_what_is_assumed_of_numbers_keeps_pointers_apart(programs: Programs) -> None:
    subject = load(programs, "numbers")
    from zeroin.languages.c.front.input_names import CInputNames

    names = CInputNames(subject.signature)
    assert names.signature.ranges()[-1] == (0, 0)
    assert "place of q" not in names.bounded


def test_where_arrays_grow_a_pointer_leads_where_it_did(programs: Programs) -> None:
    """Of many ways to overlap only the nearest are left, so the others have other numbers, or none."""
    source = "int f(int *p, int *q) { if (p + 2 == q) return 1; return p[3] == q[1] + 7; }"
    before, after = (programs.load(source, rooms=(("p", room), ("q", room))).signature for room in (4, 40))
    assert isinstance(before, AliasSignature)
    assert isinstance(after, AliasSignature)
    for name, place in before.places.items():
        kept = set[int]()
        for number in range(len(place.ways) + 1):
            (moved,) = after.places[name].refitted((number,), place)
            assert not moved or after.places[name].ways[moved - 1] == place.ways[number - 1]
            kept.add(moved)
        assert len(kept) > 1
    last = tuple(high for _, high in before.ranges())
    assert after.show(refitted(last, before, after))


def test_a_function_whose_name_begins_as_one_of_the_library_may_write(programs: Programs) -> None:
    """Only what is known of the library's own functions holds: ``strstr`` writes nothing, ``strstrip`` does."""
    other = programs.write("void strstrip(int *s) { *s = 9; }\n")
    source = "void strstrip(int *s); int f(const int *p, int *q) { int a = *p; strstrip(q); return a == *p ? 1 : 2; }"
    subject = programs.load(source, others=(other,))
    assert isinstance(subject.signature, AliasSignature)
    assert [place.ways for place in subject.signature.places.values()]
