"""The meaning of LLVM's instructions on numbers, and of known library functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from .... import distance as d
from ....term.core.build import RNA, RNE, RTN, RTP, RTZ, TRUE, conjunction, disjunction, equal, if_else, negation
from ....term.core.evaluate import signed
from ....term.core.nodes import Op, Term, constant, make
from ....term.core.simplify import folded, simpler
from ....term.core.sorts import BOOL, FLOAT32, FLOAT64, Sort, bits
from ....term.core.typing_rules import MATH
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


def freed(value: V, is_free: bool) -> V | Term:
    """Return the value; an open one if ``is_free`` is True, as the compiler may then compute another result."""
    return make(Op.OPEN, value, data=FREE) if is_free and isinstance(value, Term) else value


# ---- functions of the C library, and of LLVM, that are terms ----

FREE = "what the compiler's flags let floats be"  # -ffast-math, its parts, and -ffp-contract=fast
_FUSED = "whether a product is rounded before something is added to it"
_ROUNDED = {"floor": RTN, "ceil": RTP, "trunc": RTZ, "rint": RNE, "nearbyint": RNE, "roundeven": RNE, "round": RNA}
Function = Callable[[Sequence[Term]], Term]
V = TypeVar("V")


def function(name: str, arguments: Sequence[Term]) -> Term | None:
    """Return the result of a function of the C library or of LLVM; None if it is unknown for these arguments."""
    sort = arguments[0].sort if arguments else None
    plain = name
    if name.startswith("llvm."):
        plain = name.split(".")[1]
        if plain in _OF_BITS and sort is not None and sort.is_bits:
            return _OF_BITS[plain](arguments)
    elif sort == FLOAT32:
        plain = name.removesuffix("f")
    if name in _CLASSES and sort is not None and sort.is_float:
        return _CLASSES[name](arguments[0])
    if name in ("abs", "labs", "llabs"):
        return _absolute(arguments)
    if sort not in (FLOAT32, FLOAT64) or any(a.sort != sort for a in arguments):
        return None
    if sort == FLOAT32 and not name.startswith("llvm.") and not name.endswith("f"):
        return None
    return _of_floats(plain, arguments)


def _of_floats(name: str, arguments: Sequence[Term]) -> Term | None:
    """Return the result of a function of floats; None if it is unknown. The name is that of the variant for double."""
    if name in _ROUNDED:
        return make(Op.FP_ROUND, _ROUNDED[name], *arguments)
    if name == "sqrt":
        return make(Op.FP_SQRT, RNE, *arguments)
    if name == "fabs":
        return make(Op.FP_ABS, *arguments)
    if name == "fma":
        return make(Op.FP_FMA, RNE, *arguments)
    if name == "fmuladd":
        return make(Op.OPEN, make(Op.FP_ADD, RNE, make(Op.FP_MUL, RNE, *arguments[:2]), arguments[2]), data=_FUSED)
    name = {"minnum": "fmin", "maxnum": "fmax"}.get(name, name)
    return make(Op.MATH, *arguments, data=name) if MATH.get(name) == len(arguments) else None


def _absolute(arguments: Sequence[Term]) -> Term:
    value = arguments[0]
    return if_else(make(Op.BV_SLT, value, constant(value.sort, 0)), make(Op.BV_NEG, value), value)


def _extreme(op: Op) -> Function:
    """Return a function that gives the first argument if it is related to the second, else the second."""
    return lambda arguments: if_else(make(op, arguments[0], arguments[1]), arguments[0], arguments[1])


def _swapped(op: Op) -> Function:
    """Return a function that gives the first argument if the second is related to it, else the second."""
    return lambda arguments: if_else(make(op, arguments[1], arguments[0]), arguments[0], arguments[1])


def _reversed_bytes(arguments: Sequence[Term]) -> Term:
    (value,) = arguments
    parts = [make(Op.BV_EXTRACT, value, data=(at + 7, at)) for at in range(0, value.sort.width, 8)]
    joined = parts[0]
    for part in parts[1:]:
        joined = make(Op.BV_CONCAT, joined, part)
    return joined


_OF_BITS: dict[str, Function] = {
    "abs": _absolute, "smin": _extreme(Op.BV_SLT), "umin": _extreme(Op.BV_ULT), "smax": _swapped(Op.BV_SLT),
    "umax": _swapped(Op.BV_ULT), "bswap": _reversed_bytes, "expect": lambda arguments: arguments[0],
}  # fmt: skip


def _flag(test: Callable[[Term], Term]) -> Callable[[Term], Term]:
    """Return a function that gives the result of a test as an ``int``."""
    return lambda value: as_bits(test(value), 32)


def _is(op: Op) -> Callable[[Term], Term]:
    """Return a function that applies a test."""
    return lambda value: make(op, value)


def _finite(value: Term) -> Term:
    return negation(make(Op.OR, make(Op.FP_IS_NAN, value), make(Op.FP_IS_INF, value)))


_CLASSES = {"isnan": _flag(_is(Op.FP_IS_NAN)), "finite": _flag(_finite), "isfinite": _flag(_finite)}
_CLASSES |= {f"__{name}{suffix}": test for name, test in _CLASSES.items() for suffix in ("", "f")}

# LLVM's bits for negative and positive numbers of a kind.
_SIGNED_CLASSES = ((0x004, 0x200, Op.FP_IS_INF), (0x008, 0x100, Op.FP_IS_NORMAL), (0x010, 0x080, Op.FP_IS_SUBNORMAL),
                   (0x020, 0x040, Op.FP_IS_ZERO))  # fmt: skip
_NAN = 0x003  # signalling and quiet


def has_class(value: Term, classes: int) -> Term | None:
    """Return the condition that a float is in one of several classes.

    Args:
        value: the float.
        classes: the classes as a bit set, in LLVM's numbering.

    Returns:
        The condition; None if it distinguishes signalling from quiet NaNs, which terms do not.
    """
    if classes & _NAN not in (0, _NAN):
        return None
    found = [make(Op.FP_IS_NAN, value)] if classes & _NAN else []
    for negative, positive, kind in _SIGNED_CLASSES:
        test = [make(kind, value)]
        if not classes & negative:
            test.append(make(Op.FP_IS_POSITIVE, value))
        if not classes & positive:
            test.append(make(Op.FP_IS_NEGATIVE, value))
        found += [conjunction(test)] if classes & (negative | positive) else []
    return disjunction(found)


def of_sort(value: Term, sort: Sort) -> Term:
    """Return a Bool as a bit vector, or the lowest bit of a bit vector as a Bool, if the sort differs."""
    if value.sort == sort:
        return value
    return as_truth(value) if sort == BOOL else as_bits(value, sort.width)
