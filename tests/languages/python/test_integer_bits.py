"""Bits of ints without a width, as arithmetic: the same as Python for every small number."""

from __future__ import annotations

import itertools
import operator

import pytest

from zeroin.languages.python.read.blocks.integer_bits import bits_of_integers, most
from zeroin.term.core.evaluate import evaluate
from zeroin.term.core.nodes import Op, Term, constant, make, variable
from zeroin.term.core.sorts import INT

X, Y = variable("x", INT), variable("y", INT)
PYTHON = {"&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift}
NUMBERS = [*range(-40, 41), 255, -256, 1 << 40, -(1 << 40) - 3, (1 << 70) + 5]


def low(term: Term, bits: int) -> Term:
    return make(Op.FLOOR_MOD, term, constant(INT, 1 << bits))


@pytest.mark.parametrize("sign", ["&", "|", "^"])
def test_masks(sign: str) -> None:
    for mask in (*range(-20, 21), 0xF0F0, -0xF0F1, (1 << 66) - 1):
        for pair in ((X, constant(INT, mask)), (constant(INT, mask), X)):
            found = bits_of_integers(sign, *pair)
            assert found is not None
            for number in NUMBERS:
                assert evaluate(found, {"x": number}) == PYTHON[sign](number, mask)


@pytest.mark.parametrize("sign", PYTHON)
def test_two_numbers_of_few_bits(sign: str) -> None:
    found = bits_of_integers(sign, low(X, 4), low(Y, 3))
    assert found is not None
    for x, y in itertools.product(range(-17, 18), range(-9, 10)):
        assert evaluate(found, {"x": x, "y": y}) == PYTHON[sign](x % 16, y % 8)


@pytest.mark.parametrize("sign", ["<<", ">>"])
def test_shifts(sign: str) -> None:
    for by in (0, 1, 5, 70):
        found = bits_of_integers(sign, X, constant(INT, by))
        assert found is not None
        for number in NUMBERS:
            assert evaluate(found, {"x": number}) == PYTHON[sign](number, by)
    found = bits_of_integers(sign, X, low(Y, 3))
    assert found is not None
    for number, by in itertools.product(NUMBERS, range(-9, 17)):
        assert evaluate(found, {"x": number, "y": by}) == PYTHON[sign](number, by % 8)


def test_what_can_not_be_said() -> None:
    """A shift by a negative number raises ValueError, and of a negative one nobody knows the bits."""
    for sign, a, b in (("&", X, Y), ("|", low(X, 3), Y), ("<<", X, Y), (">>", X, constant(INT, -1)),
                       ("<<", X, constant(INT, 10**6)), ("&", X, constant(INT, 0x5555555555555))):  # fmt: skip
        assert bits_of_integers(sign, a, b) is None


def test_bounds() -> None:
    terms = [low(X, 3), make(Op.ADD, low(X, 2), low(Y, 2)), make(Op.MUL, low(X, 2), constant(INT, 5)),
             make(Op.FLOOR_DIV, low(X, 5), constant(INT, 4))]  # fmt: skip
    for term in terms:
        values = {evaluate(term, {"x": x, "y": y}) for x in range(-40, 41) for y in range(-5, 6)}
        assert (min(values), max(values)) == (0, most(term))
    for term in (
        X,
        make(Op.NEG, low(X, 3)),
        make(Op.SUB, low(X, 3), low(Y, 3)),
        make(Op.FLOOR_DIV, X, constant(INT, 4)),
    ):
        assert most(term) is None
