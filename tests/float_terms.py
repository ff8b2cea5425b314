"""Short names for terms of doubles."""

from __future__ import annotations

from zeroin.term.core.build import RNE
from zeroin.term.core.nodes import Op, Term, constant, make
from zeroin.term.core.sorts import FLOAT64


def number(value: float) -> Term:
    return constant(FLOAT64, value)


def add(a: Term, b: Term) -> Term:
    return make(Op.FP_ADD, RNE, a, b)


def times(a: Term, b: Term) -> Term:
    return make(Op.FP_MUL, RNE, a, b)


def equals(a: Term, b: Term) -> Term:
    return make(Op.FP_EQ, a, b)


def less(a: Term, b: Term) -> Term:
    return make(Op.FP_LT, a, b)
