"""``long double``: its words, how it is passed, the probes of comparisons, and that nobody claims to have read it."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from c_tests import build, check, replay_of, run, with_replay
from programs import Programs, words_of
from proofs import refuted
from zeroin import Budget, Options, cover, extended
from zeroin.distance import holds
from zeroin.errors import OptionError
from zeroin.languages.c.front.layout import Array, LongDouble
from zeroin.languages.c.options import LlvmOptions
from zeroin.minimize.dictionary import special
from zeroin.solvers.smt import Bitwuzla
from zeroin.subject.base import Words
from zeroin.suite.suite import Suite
from zeroin.words import Kind, bits_from_word, word_range

MakeSuite = Callable[..., Suite]

FORMS = """\
struct s { int n; long double x; };
long double f(long double x, const long double *p, struct s s, struct s *q, long double v[3])
{
    q->x += s.x;
    v[1] = *p;
    return x;
}
"""
OPERATORS = ["<", "<=", ">", ">=", "==", "!="]
COMPARES = "int f(long double x, long double y) {{ if (x {} y) return 1; return 0; }}"

uppers = st.one_of(st.integers(*word_range(Kind.F80)), st.sampled_from(special(Kind.F80)), st.integers(-5, 5))
numbers = st.tuples(uppers, st.one_of(st.integers(0, 0xFFFF), st.just(0), st.just(1)))


def value_of(found: int) -> Fraction | float:
    value = extended.fraction(found)
    return extended.nearest(found) if value is None else value


def bits_of(words: Words) -> int:
    return bits_from_word(Kind.F80, words[0]) << 16 | words[1]


def test_words_and_texts(programs: Programs) -> None:
    subject = programs.load(FORMS)
    signature = subject.signature
    assert [p.layout for p in signature.parameters[:2]] == [LongDouble(), Array(LongDouble(), 1)]
    assert signature.prototype.startswith("long double f(long double x, const long double *p,")
    values = [0.1, [-2.0], {"n": 3, "x": 5e-324}, {"n": 4, "x": 1.5}, [1, math.nan, -math.inf]]
    words = words_of(signature, *values)
    assert signature.arguments(words)[:4] == values[:4]
    assert signature.exact(words)[0] == "0x1.999999999999ap-4"
    assert signature.show(words) == (
        "f(0.10000000000000000555, {-2.0}, {.n = 3, .x = 4.940656458412465442e-324}, {.n = 4, .x = 1.5}, "
        "{1.0, nan, -inf})"
    )
    assert signature.parameters[0].driven == "any long double"
    with pytest.raises(OptionError, match="x: 'a' does not fit; it is any long double"):
        signature.words_of("'a', [0.0], {}, {}, []")


@given(numbers, numbers, numbers)
def test_all_bits_go_in_and_come_out(programs: Programs, x: Words, p: Words, s: Words) -> None:
    subject = programs.load(FORMS)
    words = (*x, *p, 7, *s, 8)
    words = (*words, *[0] * (subject.signature.arity - len(words)))
    for replay in (subject.replay(words), subject.observe(words)):
        given = [bits_from_word(Kind.F80, x[0]), x[1]]
        found = subject.signature.canonical(replay)
        assert found.result == tuple(given) or extended.is_nan(bits_of(x))
        assert found.outputs[2] is not None
        assert found.outputs[2][2:4] == subject.signature.canonical(replay).outputs[0] or extended.is_nan(bits_of(p))
        assert found.outputs[1] is not None
        sums = found.outputs[1][1] << 16 | found.outputs[1][2]
        assert extended.fraction(sums) == extended.fraction(bits_of(s)) or extended.is_nan(bits_of(s))


@pytest.mark.parametrize("operator", OPERATORS)
@given(numbers, numbers)
def test_probes_see_every_bit(programs: Programs, operator: str, x: Words, y: Words) -> None:
    subject = programs.load(COMPARES.format(operator))
    expected = eval(f"a {operator} b", {"a": value_of(bits_of(x)), "b": value_of(bits_of(y))})
    (decision,) = subject.execute((*x, *y)).decisions
    assert decision.holds == expected == holds(decision.op, decision.left, decision.right)


def test_a_probe_says_how_far(programs: Programs) -> None:
    subject = programs.load(COMPARES.format("=="))

    def apart(x: Words, y: Words) -> float:
        (decision,) = subject.execute((*x, *y)).decisions
        return decision.left

    rising = [apart(words, (0, 0)) for words in [(0, 1), (0, 5), (1, 0), (1, 1), (7, 0), (1 << 60, 0)]]
    assert rising == sorted(set(rising))
    assert (apart((0, 1), (0, 0)), apart((0, 0), (0, 3)), apart((-1, 0), (0, 0))) == (1, -3, 0)
    assert apart((-(1 << 61), 0), (1 << 61, 0)) == -apart((1 << 61, 0), (-(1 << 61), 0)) < -(1 << 60)


def test_searches_find_the_last_bits(tmp_path: Path) -> None:
    text = """int f(long double x, long double y) {
        if (x > 1.0L && x < 1.0L + 3e-19L) return 1;
        if (x == 1e4000L) return 2;
        if (x == 0.1L && y == x + 0.3L) return 3;
        if (x * x == 2.25L && x < 0) return 4;
        if (x != x) return 5;
        return 0; }"""
    (tmp_path / "f.c").write_text(text)
    suite = cover(f"{tmp_path}/f.c:f", Options(budget=Budget(seconds=10.0)))
    assert {verdict.verdict for verdict in suite.verdicts} == {"covered"}


@pytest.mark.parametrize(
    ("odd", "why"),
    [("long double", "zeroin can not read long doubles"), ("_Float16", "zeroin can not read half-precision floats")],
)
def test_nothing_is_claimed_of_what_is_not_read(programs: Programs, odd: str, why: str) -> None:
    text = f"""int f({odd} x, int n, {odd} *p) {{
        if (x > ({odd})3 && x < ({odd})2) return 1;
        if (n > 3 && n < 2) return 2;
        if (*p > ({odd})1) return 3;
        return 0; }}"""
    subject = programs.load(text)
    never = {subject.sites[n // 2].condition for n in refuted(subject, Bitwuzla())[0]}
    assert never == {"n < 2"}
    words = words_of(subject.signature, 1.0, 2, [0.0])
    assert subject.along(words, subject.execute(words)).ended == why


@pytest.mark.parametrize("file", ["a.c", "a.cpp"])
@pytest.mark.parametrize("cc", [(), ("-std=c89",)])
def test_emitted(make_suite: MakeSuite, tmp_path: Path, file: str, cc: tuple[str, ...]) -> None:
    if cc and file == "a.cpp":
        cc = ("-std=c++98",)
    zero = {"n": 0, "x": 0.0}
    suite = make_suite(file, FORMS, "f", [
        [0.1, [2.5], {"n": 1, "x": 3.0}, {"n": 2, "x": -1.0}, [0.0, 0.0, 1.0]],
        [math.nan, [-math.inf], zero, {"n": 2, "x": math.inf}, [0.0, math.nan, 5.0]],
    ], options=LlvmOptions(cc=cc), cc=cc)  # fmt: skip
    written = check(suite, tmp_path / "tests")
    if not cc:
        assert "EQ_LONG_DOUBLE(f(0.10000000000000000555L, &p, s, &q, v), " in written
        assert "f((long double)ZEROIN_NAN, " in written
    replay = replay_of(suite.inputs[0])
    assert isinstance(replay.result, tuple)
    wrong = replay.__class__(replay.outcome, (replay.result[0], replay.result[1] ^ 1), replay.outputs)
    status, lines = run(build(with_replay(suite, 0, wrong), tmp_path / "tests"))
    assert status == 1
    assert ": f(0.1" in lines[0]


def test_fractions_are_not_rounded_twice() -> None:
    assert extended.bits_of(Fraction(1, 3)) & 0xFFFF == 0xAAAB
