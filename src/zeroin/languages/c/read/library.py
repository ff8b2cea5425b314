"""Functions of the C library and of LLVM as terms: one entry a function.

- ``_NUMBERS``: the result is a term over the arguments. Names are those for ``double``; the variants for ``float``
  follow.
- ``_WITH_FLAG``: the result is a number, and whether it does not fit.
- ``WRITING``: the function also stores a number through its last argument, a pointer.

Functions of strings are in :mod:`.strings`, and those that copy or allocate memory in :mod:`.calls`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ....term.core.build import FALSE, RNA, RNE, RTN, RTP, RTZ, conjunction, disjunction, equal, if_else, negation
from ....term.core.nodes import Op, Term, constant, make
from ....term.core.simplify import folded
from ....term.core.sorts import FLOAT32, FLOAT64, Sort, bits
from ....term.core.typing_rules import MATH
from ....term.core.undefined import bits_of, c_operation, open_where
from .operations import as_bits

Function = Callable[[Sequence[Term]], Term]
_FUSED = "whether a product is rounded before something is added to it"
_OF_NOTHING = "the exponent of an infinity or NaN"
_INT, _LONG = bits(32), bits(64)


def function(name: str, arguments: Sequence[Term]) -> Term | tuple[Term, ...] | None:
    """Return the result of a function of the C library or of LLVM; None if it is unknown for these arguments.

    A structure is a tuple of its parts.
    """
    if not arguments:
        return None
    sort, plain = arguments[0].sort, name
    if name.startswith("llvm."):
        plain = name.split(".")[1]
        if ".with.overflow." in name:
            return _with_flag(plain, arguments)
        if plain in _OF_BITS and sort.is_bits:
            return _OF_BITS[plain](arguments)
    elif sort == FLOAT32:
        plain = name.removesuffix("f")
        if plain == name:
            return None
    if sort.is_bits:
        return _OF_INTEGERS[name](arguments) if name in _OF_INTEGERS else None
    if sort not in (FLOAT32, FLOAT64):
        return None
    if name in _CLASSES:
        return _CLASSES[name](arguments[0])
    if plain not in _SCALING and any(one.sort != sort for one in arguments):
        return None
    count, made = _NUMBERS.get(plain, (0, None))
    if made is not None:
        return made(arguments) if count == len(arguments) else None
    return make(Op.MATH, *arguments, data=plain) if MATH.get(plain) == len(arguments) else None


# ---- floats ----


def _rounded(mode: Term) -> Function:
    return lambda a: make(Op.FP_ROUND, mode, a[0])


def _to_integer(mode: Term) -> Function:
    """Return a function that rounds a float to a ``long``; the result is open if it does not fit."""
    return lambda a: folded(Op.FP_TO_SIGNED, mode, a[0], data=_LONG)


def _multiplied_and_added(a: Sequence[Term]) -> Term:
    """Return ``a * b + c``, where the product may be rounded or not."""
    return make(Op.OPEN, make(Op.FP_ADD, RNE, make(Op.FP_MUL, RNE, *a[:2]), a[2]), data=_FUSED)


def _chosen(op: Op) -> Function:
    """Return ``fmin`` or ``fmax``: of a NaN and another number it gives the other number, if the NaN is quiet."""

    def chosen(a: Sequence[Term]) -> Term:
        signals = disjunction(map(_signals, a))
        found = make(op, *a)
        return found if signals is FALSE else if_else(signals, _nan(found.sort), found)

    return chosen


def _signals(value: Term) -> Term:
    """Return whether a float is a signalling NaN. What is computed is none."""
    if value.op in (Op.VARIABLE, Op.FP_FROM_BITS):
        quiet = 22 if value.sort == FLOAT32 else 51
        is_quiet = make(Op.BV_EXTRACT, bits_of(value), data=(quiet, quiet))
        return conjunction([make(Op.FP_IS_NAN, value), equal(is_quiet, constant(bits(1), 0))])
    if value.op is Op.ITE:
        then, other = map(_signals, value.args[1:])
        return FALSE if then is other is FALSE else if_else(value.args[0], then, other)
    return _signals(value.args[0]) if value.op in (Op.FP_NEG, Op.FP_ABS) else FALSE


def _nan(sort: Sort) -> Term:
    return constant(sort, float("nan"))


def _with_sign(a: Sequence[Term]) -> Term:
    """Return ``copysign(size, sign)``."""
    size, sign = a
    size = make(Op.FP_ABS, size)
    negative: Term = make(Op.FP_IS_NEGATIVE, sign)
    if not sign.is_constant:
        top = sign.sort.width - 1
        of_nan = equal(make(Op.BV_EXTRACT, bits_of(sign), data=(top, top)), constant(bits(1), 1))
        negative = if_else(make(Op.FP_IS_NAN, sign), of_nan, negative)
    return if_else(negative, make(Op.FP_NEG, size), size)


def _difference(a: Sequence[Term]) -> Term:
    """Return ``fdim(x, y)``: ``x - y`` if that is greater than 0, else 0."""
    return if_else(make(Op.FP_LE, *a), constant(a[0].sort, 0.0), make(Op.FP_SUB, RNE, *a))


def _scaled(a: Sequence[Term]) -> Term | None:
    """Return ``ldexp(x, n)`` for a constant ``n`` such that the power of 2 is a float."""
    value, count = a
    most = 127 if value.sort == FLOAT32 else 1023
    if not count.is_constant:
        return None
    number = count.data - (1 << count.sort.width) if count.data >> (count.sort.width - 1) else count.data
    return make(Op.FP_MUL, RNE, value, constant(value.sort, 2.0**number)) if -most < number <= most else None


_SCALING = ("ldexp", "scalbn", "scalbln")
_NUMBERS: Mapping[str, tuple[int, Callable[[Sequence[Term]], Term | None]]] = {
    **{name: (1, _rounded(mode)) for name, mode in (("floor", RTN), ("ceil", RTP), ("trunc", RTZ), ("rint", RNE),
                                                   ("nearbyint", RNE), ("roundeven", RNE), ("round", RNA))},
    **{name: (1, _to_integer(mode)) for name, mode in (("lround", RNA), ("llround", RNA), ("lrint", RNE),
                                                      ("llrint", RNE))},
    "sqrt": (1, lambda a: make(Op.FP_SQRT, RNE, *a)), "fabs": (1, lambda a: make(Op.FP_ABS, *a)),
    "fma": (3, lambda a: make(Op.FP_FMA, RNE, *a)), "fmuladd": (3, _multiplied_and_added),
    **dict.fromkeys(("fmin", "minnum"), (2, _chosen(Op.FP_MIN))),
    **dict.fromkeys(("fmax", "maxnum"), (2, _chosen(Op.FP_MAX))),
    "copysign": (2, _with_sign), "fdim": (2, _difference), **dict.fromkeys(_SCALING, (2, _scaled)),
}  # fmt: skip


# ---- what is stored through a pointer ----


def _parts(a: Sequence[Term]) -> tuple[Term, Term]:
    """Return ``modf(x, whole)``: the fraction, and the whole number to store. Both have the sign of ``x``."""
    (value,) = a
    whole = make(Op.FP_ROUND, RTZ, value)
    zero, one = constant(value.sort, 0.0), constant(value.sort, 1.0)
    rest = make(Op.MATH, value, one, data="fmod")
    return if_else(make(Op.FP_IS_INF, value), _with_sign((zero, value)), rest), whole


def _mantissa(a: Sequence[Term]) -> tuple[Term, Term]:
    """Return ``frexp(x, exponent)``: a number from 0.5 up to but not including 1, and the exponent to store."""
    (value,) = a
    width, mantissa, up, bias = (32, 23, 2.0**25, 126) if value.sort == FLOAT32 else (64, 52, 2.0**54, 1022)
    sort, is_small = bits(width), make(Op.FP_IS_SUBNORMAL, value)
    normal = if_else(is_small, make(Op.FP_MUL, RNE, value, constant(value.sort, up)), value)
    of = bits_of(normal)
    ones = (1 << (width - 1 - mantissa)) - 1
    field = make(Op.BV_AND, make(Op.BV_LSHR, of, constant(sort, mantissa)), constant(sort, ones))
    lowest = make(Op.BV_AND, of, constant(sort, ((1 << width) - 1) ^ (ones << mantissa)))
    found = make(Op.FP_FROM_BITS, make(Op.BV_OR, lowest, constant(sort, bias << mantissa)), data=value.sort)
    low = field if width == 32 else make(Op.BV_EXTRACT, field, data=(31, 0))
    shift = if_else(is_small, constant(_INT, bias + (25 if width == 32 else 54)), constant(_INT, bias))
    exponent = make(Op.BV_SUB, low, shift)
    is_odd = disjunction([make(Op.FP_IS_NAN, value), make(Op.FP_IS_INF, value)])
    is_none = disjunction([is_odd, make(Op.FP_IS_ZERO, value)])
    exponent = if_else(is_none, constant(_INT, 0), exponent)
    return if_else(is_none, value, found), open_where(is_odd, exponent, _OF_NOTHING)


# What is returned, and what is stored, by the arguments but the last one.
WRITING: Mapping[str, Callable[[Sequence[Term]], tuple[Term, Term]]] = {
    **dict.fromkeys(("modf", "modff"), _parts), **dict.fromkeys(("frexp", "frexpf"), _mantissa),
}  # fmt: skip


# ---- integers ----


def _absolute(arguments: Sequence[Term]) -> Term:
    value = arguments[0]
    return if_else(make(Op.BV_SLT, value, constant(value.sort, 0)), make(Op.BV_NEG, value), value)


def _extreme(op: Op) -> Function:
    """Return a function that gives the first argument if it is related to the second, else the second."""
    return lambda arguments: if_else(make(op, arguments[0], arguments[1]), arguments[0], arguments[1])


def _swapped(op: Op) -> Function:
    """Return a function that gives the first argument if the second is related to it, else the second."""
    return lambda arguments: if_else(make(op, arguments[1], arguments[0]), arguments[0], arguments[1])


def _joined(parts: Sequence[Term]) -> Term:
    """Return the bits of some bit vectors, the highest first."""
    found = parts[0]
    for part in parts[1:]:
        found = make(Op.BV_CONCAT, found, part)
    return found


def _reversed(size: int) -> Function:
    """Return a function that reverses the order of parts of this many bits."""

    def reversed_(arguments: Sequence[Term]) -> Term:
        (value,) = arguments
        return _joined([make(Op.BV_EXTRACT, value, data=(at + size - 1, at))
                        for at in range(0, value.sort.width, size)])  # fmt: skip

    return reversed_


def _bit(value: Term, at: int) -> Term:
    return equal(make(Op.BV_EXTRACT, value, data=(at, at)), constant(bits(1), 1))


def _zeros(from_top: bool) -> Function:
    """Return LLVM's ``ctlz`` (from the top) or ``cttz``: how many zero bits precede the first bit that is set.

    If all bits are zero, the count is the width, or an unknown value if the call's second argument is true.
    """

    def zeros(arguments: Sequence[Term]) -> Term:
        value, width = arguments[0], arguments[0].sort.width
        found = constant(value.sort, width)
        places = range(width) if from_top else range(width - 1, -1, -1)
        for at in places:  # the place that decides comes last
            found = if_else(_bit(value, at), constant(value.sort, width - 1 - at if from_top else at), found)
        is_open = len(arguments) > 1 and bool(arguments[1].data)
        return open_where(equal(value, constant(value.sort, 0)), found, "the zeros of 0") if is_open else found

    return zeros


def _ones(arguments: Sequence[Term]) -> Term:
    """Return the number of bits that are 1."""
    (value,) = arguments
    sort = value.sort
    found = constant(sort, 0)
    for at in range(sort.width):
        found = make(Op.BV_ADD, found, make(Op.BV_ZERO_EXTEND, make(Op.BV_EXTRACT, value, data=(at, at)), data=sort)
                     if sort.width > 1 else value)  # fmt: skip
    return found


def _shifted(is_left: bool) -> Function:
    """Return a function that shifts two joined numbers, and gives the upper or the lower half."""

    def shifted(arguments: Sequence[Term]) -> Term:
        high, low, count = arguments
        width = high.sort.width
        count = make(Op.BV_UREM, count, constant(count.sort, width))
        wide = bits(2 * width)
        by = make(Op.BV_ZERO_EXTEND, count, data=wide)
        both = make(Op.BV_SHL if is_left else Op.BV_LSHR, make(Op.BV_CONCAT, high, low), by)
        return make(Op.BV_EXTRACT, both, data=(2 * width - 1, width) if is_left else (width - 1, 0))

    return shifted


_OF_BITS: dict[str, Function] = {
    "abs": _absolute, "smin": _extreme(Op.BV_SLT), "umin": _extreme(Op.BV_ULT), "smax": _swapped(Op.BV_SLT),
    "umax": _swapped(Op.BV_ULT), "bswap": _reversed(8), "bitreverse": _reversed(1), "ctlz": _zeros(True),
    "cttz": _zeros(False), "ctpop": _ones, "fshl": _shifted(True), "fshr": _shifted(False),
    "expect": lambda arguments: arguments[0],
}  # fmt: skip


def _divided(arguments: Sequence[Term]) -> tuple[Term, Term]:
    """Return the quotient and the rest of ``ldiv``."""
    return c_operation(Op.BV_SDIV, *arguments), c_operation(Op.BV_SREM, *arguments)


def _packed(arguments: Sequence[Term]) -> Term:
    """Return the result of ``div``: the quotient and the rest in one number, as x86-64 and 64-bit ARM return them."""
    quotient, rest = _divided(arguments)
    return make(Op.BV_CONCAT, rest, quotient)


def _in_ranges(ranges: str, actual: int) -> Function:
    """Return a test of a character in the C locale: not 0 if it is in one of the ranges, such as ``azAZ``.

    The result is open but for that.

    Args:
        ranges: the first and the last character of each range, one after the other.
        actual: what glibc returns for a character in them.
    """

    def test(arguments: Sequence[Term]) -> Term:
        (c,) = arguments
        pairs = zip(ranges[::2], ranges[1::2], strict=True)
        found = make(Op.OPEN, constant(_INT, actual), data="what a test of a character returns")
        nonzero = if_else(equal(found, constant(_INT, 0)), constant(_INT, 1), found)
        return if_else(disjunction(_between(c, low, high) for low, high in pairs), nonzero, constant(_INT, 0))

    return test


def _between(c: Term, low: str, high: str) -> Term:
    """Return whether a character is in a range."""
    return conjunction([make(Op.BV_SLE, constant(_INT, ord(low)), c), make(Op.BV_SLE, c, constant(_INT, ord(high)))])


def _other_case(low: str, high: str, added: int) -> Function:
    """Return a function that adds a number to characters in a range."""
    return lambda a: if_else(_between(a[0], low, high), make(Op.BV_ADD, a[0], constant(_INT, added)), a[0])


CHARACTERS: Mapping[str, Function] = {
    "isalnum": _in_ranges("azAZ09", 8), "isalpha": _in_ranges("azAZ", 1024), "isdigit": _in_ranges("09", 2048),
    "islower": _in_ranges("az", 512), "isupper": _in_ranges("AZ", 256), "isxdigit": _in_ranges("09afAF", 4096),
    "isspace": _in_ranges("\t\r  ", 8192), "isblank": _in_ranges("\t\t  ", 1), "isprint": _in_ranges(" ~", 16384),
    "isgraph": _in_ranges("!~", 32768), "ispunct": _in_ranges("!/:@[`{~", 4),
    "iscntrl": _in_ranges("\0\x1f\x7f\x7f", 2), "isascii": lambda a: if_else(
        equal(make(Op.BV_AND, a[0], constant(_INT, -128)), constant(_INT, 0)), constant(_INT, 1), constant(_INT, 0)),
    "tolower": _other_case("A", "Z", 32), "toupper": _other_case("a", "z", -32),
}  # fmt: skip
_OF_INTEGERS: Mapping[str, Callable[[Sequence[Term]], Term | tuple[Term, ...]]] = {
    **dict.fromkeys(("abs", "labs", "llabs"), _absolute), "div": _packed,
    **dict.fromkeys(("ldiv", "lldiv"), _divided), **CHARACTERS,
}  # fmt: skip
_ARITHMETIC = {"add": Op.BV_ADD, "sub": Op.BV_SUB, "mul": Op.BV_MUL}


def _with_flag(name: str, arguments: Sequence[Term]) -> tuple[Term, ...] | None:
    """Return the result of ``llvm.sadd.with.overflow`` and its relatives, and whether it does not fit."""
    op, extends = _ARITHMETIC.get(name[1:]), Op.BV_SIGN_EXTEND if name[0] == "s" else Op.BV_ZERO_EXTEND
    if op is None or len(arguments) != 2 or not arguments[0].sort.is_bits:
        return None
    width = arguments[0].sort.width
    wide = bits(2 * width if op is Op.BV_MUL else width + 1)
    found = folded(op, *arguments)
    exact = folded(op, *(folded(extends, one, data=wide) for one in arguments))
    return found, negation(equal(exact, folded(extends, found, data=wide)))


# ---- classes of floats ----


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
