"""Terms: immutable, interned, typed expressions over the inputs.

Equal terms are the same object, so a pass over a term visits each shared part once (:mod:`.traversal`). A float
constant is stored as its bits: NaN equals itself and -0.0 differs from 0.0. :func:`make` checks the sorts of the
arguments: :mod:`.typing_rules` has one rule for each operation. All code that builds terms calls :func:`make`.
"""

from __future__ import annotations

import math
import struct
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from fractions import Fraction
from functools import cache
from typing import Any

from ...errors import ZeroinError
from .sorts import BOOL, FLOAT32, FLOAT64, INT, REAL, ROUNDING, STRING, Sort, has_values


class SortError(ZeroinError):
    """An operation got arguments of sorts that it does not take."""


class Rounding(Enum):
    """The rounding modes of IEEE 754."""

    RNE = "roundNearestTiesToEven"
    RNA = "roundNearestTiesToAway"
    RTP = "roundTowardPositive"
    RTN = "roundTowardNegative"
    RTZ = "roundTowardZero"


class Op(Enum):
    """The operations of terms. A float operation that rounds takes the rounding mode as its first argument.

    A value is *open* where C or SMT-LIB does not define it, or leaves it to the machine. A proof must hold for every
    choice of an open value. Evaluation uses one choice, given in the comments below (:mod:`.open_values`).
    """

    __hash__ = object.__hash__  # faster than Enum's hash of the name: each new term needs several look-ups

    VARIABLE = auto()  # data: its name
    CONSTANT = auto()  # data: bool, int, Fraction, str, Rounding; for a bit vector or a float, its bits
    # Bool, and any sort
    NOT = auto()
    AND = auto()  # any number of arguments
    OR = auto()
    ITE = auto()
    EQUAL = auto()  # the same value: NaN equals NaN, -0.0 is not 0.0
    OPEN = auto()  # an open value, the same in all places; evaluates to its argument. data: the reason, a str
    # floats
    FP_EQ = auto()  # IEEE comparison
    FP_LT = auto()
    FP_LE = auto()
    FP_IS_NAN = auto()
    FP_IS_INF = auto()
    FP_IS_ZERO = auto()
    FP_IS_NORMAL = auto()
    FP_IS_SUBNORMAL = auto()
    FP_IS_NEGATIVE = auto()  # NaN is neither negative nor positive
    FP_IS_POSITIVE = auto()
    FP_ADD = auto()
    FP_SUB = auto()
    FP_MUL = auto()
    FP_DIV = auto()
    FP_FMA = auto()
    FP_SQRT = auto()
    FP_ROUND = auto()  # to an integral value
    FP_REM = auto()  # IEEE remainder: uses the nearest integer quotient
    FP_MIN = auto()  # if one argument is NaN, the other one; for -0.0 and 0.0 open: the first argument
    FP_MAX = auto()
    FP_ABS = auto()
    FP_NEG = auto()
    # casts that round; data: the target sort
    FP_TO_FP = auto()
    SIGNED_TO_FP = auto()  # from bits
    UNSIGNED_TO_FP = auto()
    INT_TO_FP = auto()
    REAL_TO_FP = auto()
    FP_TO_SIGNED = auto()  # open where the value does not fit: the value of C on x86-64 (evaluate.machine_cast)
    FP_TO_UNSIGNED = auto()
    # casts without a rounding mode
    FP_FROM_BITS = auto()  # data: the target sort
    FP_TO_BITS = auto()  # a variable's own bits; for a computed NaN open: the bits of inf - inf
    FP_TO_REAL = auto()  # for NaN and infinities open: 0
    FP_TO_INT = auto()  # towards zero; for NaN and infinities open: 0
    INT_TO_REAL = auto()
    REAL_TO_INT = auto()  # downwards
    BITS_TO_INT = auto()  # unsigned
    SIGNED_TO_INT = auto()
    INT_TO_BITS = auto()  # modulo 2**width; data: the target sort
    # bit vectors
    BV_NOT = auto()
    BV_NEG = auto()
    BV_AND = auto()
    BV_OR = auto()
    BV_XOR = auto()
    BV_ADD = auto()
    BV_SUB = auto()
    BV_MUL = auto()
    BV_UDIV = auto()  # by zero: all ones
    BV_UREM = auto()  # by zero: the dividend
    BV_SDIV = auto()  # towards zero; by zero: -1 or 1, as in SMT-LIB
    BV_SREM = auto()  # sign of the dividend
    BV_SMOD = auto()  # sign of the divisor
    BV_SHL = auto()  # a shift by the width or more shifts out all bits
    BV_LSHR = auto()
    BV_ASHR = auto()
    BV_CONCAT = auto()
    BV_EXTRACT = auto()  # data: (highest, lowest) bit
    BV_ZERO_EXTEND = auto()  # data: the target sort
    BV_SIGN_EXTEND = auto()
    BV_ULT = auto()
    BV_ULE = auto()
    BV_SLT = auto()
    BV_SLE = auto()
    # Int and Real
    ADD = auto()
    SUB = auto()
    MUL = auto()
    NEG = auto()
    ABS = auto()
    DIVIDE = auto()  # Real; by zero open: 0
    FLOOR_DIV = auto()  # Int, as in Python; all divisions by zero are open: 0
    FLOOR_MOD = auto()  # as in Python; by zero open, for all three remainders: the dividend
    TRUNC_DIV = auto()  # Int, as in C
    TRUNC_MOD = auto()
    EUCLID_DIV = auto()  # Int, as SMT-LIB's div and mod
    EUCLID_MOD = auto()
    POWER = auto()  # Int to an Int; 0 for a negative exponent
    LT = auto()
    LE = auto()
    # as in Python
    FP_FLOOR_DIV = auto()  # CPython's // of floats; by zero: NaN
    # comparisons of a float with an Int or a Real
    EXACT_EQ = auto()  # compares the exact numbers, without rounding; every comparison with NaN is false
    EXACT_LT = auto()
    EXACT_LE = auto()
    QUOTIENT = auto()  # the quotient of two Ints as a double, rounded once to nearest even; by zero: NaN
    # functions
    MATH = auto()  # data: the name of a function of C's math library; takes and returns floats
    CALL = auto()  # data: the Opaque function
    # arrays
    SELECT = auto()
    STORE = auto()
    FILLED = auto()  # an array with one value everywhere; data: the array's sort
    # strings
    STR_CONCAT = auto()
    STR_LENGTH = auto()
    STR_AT = auto()  # a string of one character, or the empty one
    STR_PREFIX = auto()  # whether the second starts with the first
    STR_SUFFIX = auto()
    STR_CONTAINS = auto()  # whether the first contains the second
    STR_LT = auto()


@dataclass(frozen=True, eq=False)
class Opaque:
    """A function whose code is not known: only calls give its values. It is native code or a Python callable.

    Calls with the same arguments have the same value. A function whose value may change from call to call needs an
    ``Opaque`` for each call. Two objects are different functions, even if all their attributes are equal.

    Attributes:
        name: the name that people see.
        parameters: the sorts of its arguments: floats, bit vectors of 8 to 64 bits, Bool or Int.
        result: the sort of its result, one of the same sorts.
        address: the address of native code with C's calling convention; None if there is only ``function``.
        function: a Python callable, called with Python values if ``address`` is None. If both are None, calls can not
            be evaluated.
    """

    name: str
    parameters: tuple[Sort, ...]
    result: Sort
    address: int | None = None
    function: Callable[..., object] | None = field(default=None, compare=False)


class Term:
    """One node of an expression. Build terms with :func:`make` and the functions of :mod:`.build`.

    Attributes:
        op: the operation.
        args: its arguments.
        data: further data of the operation, as the comments in :class:`Op` describe; None if there is none.
        sort: the type of its value.
    """

    __slots__ = ("__weakref__", "args", "data", "op", "sort")
    op: Op
    args: tuple[Term, ...]
    data: Any
    sort: Sort

    def __repr__(self) -> str:
        from .text import show

        return show(self)

    @property
    def is_constant(self) -> bool:
        """Whether the term is a constant."""
        return self.op is Op.CONSTANT

    @property
    def value(self) -> Any:
        """The value of a constant: bool, int (unsigned for a bit vector), float, Fraction, str or :class:`Rounding`.

        It has no meaning for other terms.
        """
        return float_of_bits(self.sort, self.data) if self.sort.is_float else self.data

    def __reduce__(self) -> tuple[Callable[[Flat], Term], tuple[Flat]]:
        return _restored, (flattened([self]),)

    def __deepcopy__(self, memo: object) -> Term:
        return self


_known: weakref.WeakValueDictionary[object, Term] = weakref.WeakValueDictionary()
_lock = threading.RLock()  # reentrant: a finaliser that runs while the lock is held may build terms


def intern(op: Op, args: tuple[Term, ...], data: object, sort: Sort) -> Term:
    """Return the only term with these parts. The sorts of the arguments are not checked."""
    key = (op, tuple(map(id, args)), type(data), data, sort)
    with _lock:
        term = _known.get(key)
        if term is None:
            term = Term.__new__(Term)
            term.op, term.args, term.data, term.sort = op, args, data, sort
            _known[key] = term
        return term


@dataclass(frozen=True)
class Flat:
    """Terms as one flat list: pickling it needs no recursion, and shared parts are stored once.

    Attributes:
        parts: for each part its operation, the indices of its arguments (all smaller than its own), data and sort.
        roots: the indices in ``parts`` of the terms themselves.
    """

    parts: list[tuple[Op, list[int], object, Sort]]
    roots: list[int]

    def terms(self) -> list[Term]:
        """Return the terms that were flattened, in the same order."""
        made: list[Term] = []
        for op, places, data, sort in self.parts:
            made.append(intern(op, tuple(made[n] for n in places), data, sort))
        return [made[n] for n in self.roots]


def flattened(terms: Sequence[Term]) -> Flat:
    """Return several terms as one flat list, to pickle them together."""
    from .traversal import postorder

    parts = postorder(terms)
    place = {part: n for n, part in enumerate(parts)}
    return Flat([(p.op, [place[a] for a in p.args], p.data, p.sort) for p in parts], [place[term] for term in terms])


def _restored(flat: Flat) -> Term:
    """Return the only root of a pickled term."""
    return flat.terms()[0]


def make(op: Op, *args: Term, data: object = None) -> Term:
    """Return the term ``op(*args)``.

    Args:
        data: further data of the operation, as the comments in :class:`Op` describe.

    Raises:
        SortError: the operation does not take these arguments.
    """
    return intern(op, args, data, _rules()(op, args, data))


@cache
def _rules() -> Callable[[Op, tuple[Term, ...], object], Sort]:
    """Return the function that checks sorts."""
    from .typing_rules import sort_of  # imported here, as that module imports this one

    return sort_of


def variable(name: str, sort: Sort) -> Term:
    """Return the variable for an input. The same name with another sort is another variable."""
    return intern(Op.VARIABLE, (), str(name), sort)


_ACCEPTED: dict[Sort, tuple[type | tuple[type, ...], Callable[[Any], object]]] = {
    BOOL: (bool, bool), INT: (int, int), REAL: ((int, Fraction), Fraction), STRING: (str, str),
    ROUNDING: (Rounding, Rounding),
}  # fmt: skip


def constant(sort: Sort, value: object) -> Term:
    """Return the constant of a sort for a Python value.

    Args:
        sort: the sort of the constant.
        value: for a float sort, a number, which is rounded to nearest even, also to infinity; for a bit vector, any
            int, reduced modulo ``2**width``; for the other sorts, a value of the Python type that :attr:`Term.value`
            gives.

    Raises:
        SortError: the value does not belong to the sort.
    """
    if has_values(sort) and isinstance(value, float | int):
        if isinstance(value, int):  # float(value) would round a first time
            from .rounding import round_float

            value = round_float(sort, Fraction(value), Rounding.RNE)
        return intern(Op.CONSTANT, (), bits_of_float(sort, value), sort)
    if sort.is_bits and isinstance(value, int):
        return intern(Op.CONSTANT, (), int(value) & ((1 << sort.width) - 1), sort)
    wanted, plain = _ACCEPTED.get(sort, ((), bool))
    if not isinstance(value, wanted) or (sort != BOOL and isinstance(value, bool)):
        raise SortError(f"{value!r} is no {sort}")
    return intern(Op.CONSTANT, (), plain(value), sort)  # never a subclass: equal terms are the same object


def float_constant(sort: Sort, pattern: int) -> Term:
    """Return the float constant with these bits. All NaN patterns give the same constant."""
    exponent_and_sign = pattern >> (sort.sizes[1] - 1) & ((1 << sort.sizes[0]) - 1)
    if exponent_and_sign == (1 << sort.sizes[0]) - 1 and pattern & ((1 << (sort.sizes[1] - 1)) - 1):
        return constant(sort, float("nan"))
    return intern(Op.CONSTANT, (), pattern, sort)


def bits_of_float(sort: Sort, value: float) -> int:
    """Return the bits of a Python float in a float sort, rounded to nearest. Every NaN gives the default quiet NaN."""
    if value != value:
        return (1 << (sort.sizes[0] + 1)) - 1 << (sort.sizes[1] - 2)
    if sort == FLOAT64:
        return int.from_bytes(struct.pack("<d", value), "little")
    if sort != FLOAT32:
        return _bits_of_other(sort, value)
    try:
        return int.from_bytes(struct.pack("<f", value), "little")
    except OverflowError:
        return 0xFF800000 if value < 0 else 0x7F800000


def _bits_of_other(sort: Sort, value: float) -> int:
    """Return the bits of a number in a float sort that the machine does not have, rounded to nearest."""
    from .rounding import narrow

    (exponent_bits, digits), rounded = sort.sizes, narrow(sort, value)
    sign, size = int(math.copysign(1.0, rounded) < 0) << (sort.width - 1), abs(rounded)
    bias = (1 << (exponent_bits - 1)) - 1
    if math.isinf(size):
        return sign | (2 * bias + 1) << (digits - 1)
    exponent = max(math.frexp(size)[1] - 1, 1 - bias) if size else 1 - bias
    units = int(math.ldexp(size, digits - 1 - exponent))  # the significand; without its highest bit if subnormal
    return sign | ((exponent + bias - 1) << (digits - 1)) + units


def float_of_bits(sort: Sort, pattern: int) -> float:
    """Return the Python float with these bits. A NaN keeps its sign and payload."""
    if sort == FLOAT32:
        single = float(struct.unpack("<f", pattern.to_bytes(4, "little"))[0])
        if single == single:
            return single
    elif sort != FLOAT64:
        return _other_of_bits(sort, pattern)
    else:
        return float(struct.unpack("<d", pattern.to_bytes(8, "little"))[0])
    return _nan_of_bits(sort, pattern)  # the machine's cast makes it quiet


def _other_of_bits(sort: Sort, pattern: int) -> float:
    """Return the Python float with these bits of a sort that the machine does not have."""
    exponent_bits, digits = sort.sizes
    exponent = pattern >> (digits - 1) & ((1 << exponent_bits) - 1)
    units, bias = pattern & ((1 << (digits - 1)) - 1), (1 << (exponent_bits - 1)) - 1
    if exponent == 2 * bias + 1 and units:
        return _nan_of_bits(sort, pattern)
    hidden = 1 << (digits - 1) if exponent else 0
    size = _INFINITY if exponent > 2 * bias else math.ldexp(hidden + units, max(exponent, 1) - bias - digits + 1)
    return -size if pattern >> (sort.width - 1) else size


def _nan_of_bits(sort: Sort, pattern: int) -> float:
    """Return the NaN with the sign and the payload of a pattern that is a NaN."""
    digits = sort.sizes[1] - 1
    payload = (pattern & ((1 << digits) - 1)) << (52 - digits)
    wide = pattern >> (sort.width - 1) << 63 | 0x7FF << 52 | payload
    return float(struct.unpack("<d", wide.to_bytes(8, "little"))[0])


def own_bits(sort: Sort, value: float) -> int:
    """Return the bits of a Python float in a float sort, rounded to nearest. A NaN keeps its sign and payload."""
    if value == value:
        return bits_of_float(sort, value)
    pattern = int.from_bytes(struct.pack("<d", value), "little")
    if sort == FLOAT64:
        return pattern
    (exponent_bits, digits) = sort.sizes
    payload = pattern >> (53 - digits) & ((1 << (digits - 1)) - 1) or 1 << (digits - 2)
    return pattern >> 63 << (sort.width - 1) | ((1 << exponent_bits) - 1) << (digits - 1) | payload


_INFINITY = float("inf")


def computed_nan(sort: Sort) -> int:
    """Return the bits of the NaN that this machine computes. Its sign bit is set on x86 and clear on Arm."""
    return own_bits(sort, _INFINITY - _INFINITY)
