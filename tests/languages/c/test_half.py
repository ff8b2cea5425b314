"""``_Float16``: its words, how it is passed, what a search finds of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from c_tests import build, check, replay_of, run, with_replay
from programs import Programs, words_of
from zeroin import Budget, Options, cover
from zeroin.distance import holds
from zeroin.languages.c.front.layout import Array, Half
from zeroin.suite.suite import Suite
from zeroin.words import Kind, bits_from_word, word_from_bits, word_range

MakeSuite = Callable[..., Suite]

FORMS = """\
struct s { int n; _Float16 x; };
_Float16 f(_Float16 x, const _Float16 *p, struct s s, struct s *q)
{
    q->x = s.x;
    if (s.n) q->x = *p;
    return x;
}
"""


def test_all_bits_go_in_and_come_out(programs: Programs) -> None:
    subject = programs.load(FORMS)
    signature = subject.signature
    assert [p.layout for p in signature.parameters[:2]] == [Half(), Array(Half(), 1)]
    low, high = word_range(Kind.F16)
    for word in range(low, high + 1, 5):
        assert word_from_bits(Kind.F16, bits_from_word(Kind.F16, word)) == word
        words = (word, high - word + low, 0, word, 0, 0, *[0] * (signature.arity - 6))
        found = signature.canonical(subject.replay(words))
        assert found == signature.canonical(subject.observe(words))
        value = np.array([bits_from_word(Kind.F16, word)], dtype=np.uint16).view(np.float16)[0]
        assert signature.arguments(words)[0] == value or value != value
        assert isinstance(found.result, tuple)
        assert found.result == (bits_from_word(Kind.F16, word),) or value != value
        assert found.outputs[1] == (0, *found.result)


def test_the_order_of_words_is_that_of_values() -> None:
    low, high = word_range(Kind.F16)
    bits = np.array([bits_from_word(Kind.F16, word) for word in range(low, high + 1)], dtype=np.uint16)
    values = bits.view(np.float16).astype(float)
    values = values[~np.isnan(values)]
    assert list(values) == sorted(values)
    assert (values[0], values[-1], len(values)) == (-math.inf, math.inf, 2 * 31 * 1024 + 2)


def test_texts(programs: Programs) -> None:
    signature = programs.load(FORMS).signature
    words = words_of(signature, 0.1, [-2.0], {"n": 3, "x": math.inf}, {"n": 4, "x": 70000})
    assert signature.show(words) == "f(0.0999755859375, {-2.0}, {.n = 3, .x = inf}, {.n = 4, .x = inf})"
    assert signature.exact(words)[0] == "0x1.998p-4"
    assert signature.parameters[0].driven == "any _Float16"


@pytest.mark.parametrize("operator", ["<", "<=", ">", ">=", "==", "!="])
def test_probes(programs: Programs, operator: str) -> None:
    subject = programs.load(f"int f(_Float16 x, _Float16 y) {{ if (x {operator} y) return 1; return 0; }}")
    values = [0.0, -0.0, 1.0, 1.0009765625, -2.5, 6e-8, 65504.0, math.inf, -math.inf, math.nan]
    for a in values:
        for b in values:
            (decision,) = subject.execute(words_of(subject.signature, a, b)).decisions
            expected = eval(f"a {operator} b", {"a": a, "b": b})
            assert decision.holds == expected == holds(decision.op, decision.left, decision.right)


def test_a_search(tmp_path: Path) -> None:
    text = """int f(_Float16 x, double y, _Float16 *p) {
        if (x == (_Float16)0.1) return 1;
        if (x * x == (_Float16)2.25 && x < 0) return 2;
        if ((float)*p > 65000 && *p == (_Float16)(float)y) return 3;
        if (x != x) return 4;
        return 0; }"""
    (tmp_path / "f.c").write_text(text)
    suite = cover(f"{tmp_path}/f.c:f", Options(budget=Budget(seconds=10.0)))
    assert {verdict.verdict for verdict in suite.verdicts} == {"covered"}


@pytest.mark.parametrize("file", ["a.c", "a.cpp"])
def test_emitted(make_suite: MakeSuite, tmp_path: Path, file: str) -> None:
    zero = {"n": 0, "x": 0.0}
    suite = make_suite(file, FORMS, "f", [[0.1, [2.5], {"n": 1, "x": 3.0}, zero], [math.nan, [-math.inf], zero, zero]])
    written = check(suite, tmp_path / "tests")
    assert "f((_Float16)0.0999755859375, &p, s, &q)" in written
    assert "f(zeroin_half(0x7e00U /* nan */), " in written
    replay = replay_of(suite.inputs[0])
    assert isinstance(replay.result, tuple)
    wrong = replay.__class__(replay.outcome, (replay.result[0] ^ 1,), replay.outputs)
    status, lines = run(build(with_replay(suite, 0, wrong), tmp_path / "tests"))
    assert status == 1
    assert lines[0].endswith(" = 0.099976, expected 0.10004")
