"""The meaning of LLVM's instructions on numbers, and of known library functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from .... import distance as d
from ....term.core.build import RNE, RTZ, TRUE, conjunction, disjunction, equal, if_else, negation
from ....term.core.evaluate import signed
from ....term.core.nodes import Op, Term, constant, make
from ....term.core.simplify import folded, simpler
from ....term.core.sorts import BOOL, Sort, bits
from ....term.core.undefined import bits_of, c_operation
from .types import Type

_PLAIN = {"add": Op.BV_ADD, "sub": Op.BV_SUB, "mul": Op.BV_MUL, "and": Op.BV_AND, "or": Op.BV_OR, "xor": Op.BV_XOR}
_OPEN = {"shl": Op.BV_SHL, "lshr": Op.BV_LSHR, "ashr": Op.BV_ASHR, "udiv": Op.BV_UDIV, "urem": Op.BV_UREM,
         "sdiv": Op.BV_SDIV, "srem": Op.BV_SREM}  # fmt: skip
_FLOAT = {"fadd": Op.FP_ADD, "fsub": Op.FP_SUB, "fmul": Op.FP_MUL, "fdiv": Op.FP_DIV}
BINARY = {*_PLAIN, *_OPEN, *_FLOAT, "frem"}
_ORDER = {"lt": (Op.BV_SLT, Op.BV_ULT), "le": (Op.BV_SLE, Op.BV_ULE)}
_FP_ORDER = {"eq": Op.FP_EQ, "lt": Op.FP_LT, "le": Op.FP_LE}


def binary(opcode: str, a: Term, b: Term) -> Term:
    """Return ``a opcode b`` for an opcode in :data:`BINARY`. Undefined results, such as of ``x / 0``, are open."""
    if a.sort == BOOL:
        return _of_truths(opcode, a, b)
    if opcode in _FLOAT:
        return make(_FLOAT[opcode], RNE, a, b)
    if opcode == "frem":
        return make(Op.MATH, a, b, data="fmod")
    if opcode in _PLAIN:
        return folded(_PLAIN[opcode], a, b)
    return _folded(c_operation(_OPEN[opcode], a, b))


def _of_truths(opcode: str, a: Term, b: Term) -> Term:
    """Return ``a opcode b`` for two Bools, which LLVM has as integers of one bit."""
    if opcode in ("and", "or"):
        return conjunction([a, b]) if opcode == "and" else disjunction([a, b])
    if opcode == "xor":
        return negation(a) if b is TRUE else simpler(negation(equal(a, b)))
    return as_truth(binary(opcode, as_bits(a, 1), as_bits(b, 1)))


def _folded(term: Term) -> Term:
    """Return the term, folded if its arguments are constants. So constant addresses stay constants."""
    return simpler(term) if all(a.is_constant for a in term.args) else term


def as_bits(value: Term, width: int) -> Term:
    """Return a Bool as a bit vector with the value 1 or 0."""
    if value.is_constant:
        return constant(bits(width), int(value.data))
    return if_else(value, constant(bits(width), 1), constant(bits(width), 0))


def as_truth(value: Term) -> Term:
    """Return the lowest bit of a bit vector as a Bool."""
    if value.op is Op.ITE and value.args[1].is_constant and value.args[2].is_constant:
        one, other = (a.data & 1 for a in value.args[1:])
        if one != other:
            return value.args[0] if one else negation(value.args[0])
    low = value if value.sort.width == 1 else make(Op.BV_EXTRACT, value, data=(0, 0))
    return simpler(equal(low, constant(bits(1), 1)))


def compare(opcode: str, predicate: str, a: Term, b: Term) -> Term:
    """Return the result of a comparison as a Bool.

    Args:
        opcode: ``icmp`` or ``fcmp``.
        predicate: LLVM's name of the relation, such as ``slt`` or ``oeq``.
        a: the left operand.
        b: the right operand.
    """
    if opcode == "fcmp":
        return _compare_floats(predicate, a, b)
    if a.sort == BOOL:
        if predicate in ("eq", "ne"):
            same = equal(a, b)
            return simpler(same if predicate == "eq" else negation(same))
        a, b = as_bits(a, 1), as_bits(b, 1)
    if predicate in ("eq", "ne"):
        test = _truth_behind(a, b)
        same = test if test is not None else simpler(equal(a, b))
        return same if predicate == "eq" else negation(same)
    if predicate[1:] in ("gt", "ge"):
        a, b, predicate = b, a, f"{predicate[0]}{'lt' if predicate[1:] == 'gt' else 'le'}"
    signed, unsigned = _ORDER[predicate[1:]]
    return folded(signed if predicate[0] == "s" else unsigned, a, b)


RELATIONS = {
    "eq": d.EQ, "ne": d.NE, "true": 15, "false": 0, "ord": d.ORDERED, "uno": d.UNORDERED,
    **{f"{kind}{name}": op | (d.UNORDERED if kind == "u" else 0) for kind in "sou" for name, op in (
        ("eq", d.EQ), ("ne", d.NE_ORDERED), ("lt", d.LT), ("le", d.LE), ("gt", d.GT), ("ge", d.GE))},
}  # fmt: skip


def as_number(value: Any, sort: Sort, predicate: str) -> float:
    """Return the number that a comparison sees. Bit vectors are signed, unless the predicate is an unsigned one."""
    if not sort.is_bits or predicate[0] == "u":
        return value if sort.is_bits or sort == BOOL else float(value)
    return signed(value, sort.width)


def _truth_behind(a: Term, b: Term) -> Term | None:
    """Return the Bool for a test of ``c ? 1 : 0`` against a constant: c or its negation; None for any other test."""
    if a.op is Op.ITE and b.is_constant and all(part.is_constant for part in a.args[1:]):
        one, other = (part is b for part in a.args[1:])
        if one != other:
            return a.args[0] if one else negation(a.args[0])
    return None


def _compare_floats(predicate: str, a: Term, b: Term) -> Term:
    """Return the result of ``fcmp``."""
    if predicate in ("true", "false"):
        return TRUE if predicate == "true" else negation(TRUE)
    unordered = make(Op.OR, make(Op.FP_IS_NAN, a), make(Op.FP_IS_NAN, b))
    if predicate in ("ord", "uno"):
        return negation(unordered) if predicate == "ord" else unordered
    kind, rest = predicate[0], predicate[1:]
    if rest == "ne":
        same = make(Op.FP_EQ, a, b)
        return negation(same) if kind == "u" else conjunction([negation(same), negation(unordered)])
    if kind == "u":  # the opposite does not hold
        opposite = {"eq": "one", "gt": "ole", "ge": "olt", "lt": "oge", "le": "ogt"}[rest]
        return negation(_compare_floats(opposite, a, b))
    if rest in ("gt", "ge"):
        a, b, rest = b, a, "lt" if rest == "gt" else "le"
    return simpler(make(_FP_ORDER[rest], a, b))


def cast(opcode: str, value: Term, to: Type) -> Term:
    """Return a number or Bool after a cast between numbers. A float that does not fit an integer gives an open value.

    Raises:
        Unreadable: terms have no numbers of the target type.
    """
    sort = to.sort
    if value.sort == BOOL:
        if opcode == "zext":
            return as_bits(value, sort.width)
        if opcode == "sext":
            return if_else(value, constant(sort, -1), constant(sort, 0))
        if opcode == "uitofp":
            return if_else(value, constant(sort, 1.0), constant(sort, 0.0))
        value = as_bits(value, 1)
    if opcode == "trunc":
        return as_truth(value) if sort == BOOL else folded(Op.BV_EXTRACT, value, data=(sort.width - 1, 0))
    if opcode == "bitcast":
        if sort.is_float:
            return folded(Op.FP_FROM_BITS, value, data=sort) if value.sort.is_bits else value
        return bits_of(value) if value.sort.is_float else value
    operation, rounds = {
        "zext": (Op.BV_ZERO_EXTEND, None), "sext": (Op.BV_SIGN_EXTEND, None), "sitofp": (Op.SIGNED_TO_FP, RNE),
        "uitofp": (Op.UNSIGNED_TO_FP, RNE), "fptosi": (Op.FP_TO_SIGNED, RTZ), "fptoui": (Op.FP_TO_UNSIGNED, RTZ),
        "fptrunc": (Op.FP_TO_FP, RNE), "fpext": (Op.FP_TO_FP, RNE),
    }[opcode]  # fmt: skip
    if sort == BOOL:  # of a float
        return negation(make(Op.FP_EQ, value, constant(value.sort, 0.0)))
    arguments = (value,) if rounds is None else (rounds, value)
    return folded(operation, *arguments, data=sort)


_CASTS = {"trunc", "zext", "sext", "fptosi", "fptoui", "sitofp", "uitofp", "fptrunc", "fpext", "bitcast"}


def computed(opcode: str, type_: Type | None, values: Sequence[Term]) -> Term | None:
    """Return the result of an arithmetic instruction, ``fneg`` or a cast between numbers; None for any other."""
    if opcode in BINARY:
        return binary(opcode, *values)
    if opcode == "fneg":
        return make(Op.FP_NEG, values[0])
    return cast(opcode, values[0], type_) if opcode in _CASTS and type_ is not None else None


FREE = "what the compiler's flags let floats be"  # -ffast-math, its parts, and -ffp-contract=fast
V = TypeVar("V")


def freed(value: V, is_free: bool) -> V | Term:
    """Return the value; an open one if ``is_free`` is True, as the compiler may then compute another result."""
    return make(Op.OPEN, value, data=FREE) if is_free and isinstance(value, Term) else value


def of_sort(value: Term, sort: Sort) -> Term:
    """Return a Bool as a bit vector, or the lowest bit of a bit vector as a Bool, if the sort differs."""
    if value.sort == sort:
        return value
    return as_truth(value) if sort == BOOL else as_bits(value, sort.width)
