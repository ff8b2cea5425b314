"""Terms: immutable, interned, typed expressions over the inputs.

Equal terms are the same object, so a pass over a term visits what it shares once (:mod:`.walk`). A float's constant is
kept as its bits: NaN equals itself and -0.0 is not 0.0. :func:`make` checks the sorts of the arguments by one rule an
operation (:mod:`.rules`); everything that builds terms goes through it.
"""

from __future__ import annotations

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
from .sorts import BOOL, FLOAT32, FLOAT64, INT, REAL, ROUNDING, STRING, Sort


class SortError(ZeroinError):
    """An operation does not take arguments of these sorts."""


class Rounding(Enum):
    """The rounding modes of IEEE 754."""

    RNE = "roundNearestTiesToEven"
    RNA = "roundNearestTiesToAway"
    RTP = "roundTowardPositive"
    RTN = "roundTowardNegative"
    RTZ = "roundTowardZero"


class Op(Enum):
    """Operations. Those of floats that round take the rounding mode as first argument.

    *Open* is a value that the languages leave to the machine, or give no meaning: there a proof holds for every value,
    and evaluation takes the one that is said here (:mod:`.open_values`).
    """

    __hash__ = object.__hash__  # not by name: each term that is made looks its operation up several times

    VARIABLE = auto()  # data: its name
    CONSTANT = auto()  # data: bool, int, Fraction, str, Rounding; the bits of a bit vector or float
    # Bool, and any sort
    NOT = auto()
    AND = auto()  # any number of arguments
    OR = auto()
    ITE = auto()
    EQUAL = auto()  # the same value: NaN equals NaN, -0.0 is not 0.0
    OPEN = auto()  # open; evaluated, the argument. data: what leaves it open. The same term has one value
    # floats
    FP_EQ = auto()  # IEEE comparison
    FP_LT = auto()
    FP_LE = auto()
    FP_IS_NAN = auto()
    FP_IS_INF = auto()
    FP_IS_ZERO = auto()
    FP_IS_NORMAL = auto()
    FP_IS_SUBNORMAL = auto()
    FP_IS_NEGATIVE = auto()  # NaN is neither
    FP_IS_POSITIVE = auto()
    FP_ADD = auto()
    FP_SUB = auto()
    FP_MUL = auto()
    FP_DIV = auto()
    FP_FMA = auto()
    FP_SQRT = auto()
    FP_ROUND = auto()  # to an integral value
    FP_REM = auto()  # IEEE remainder: of the nearest quotient
    FP_MIN = auto()  # the other argument if one is NaN; of -0.0 and 0.0 one of them is open: the first
    FP_MAX = auto()
    FP_ABS = auto()
    FP_NEG = auto()
    # casts that round; data: the target sort
    FP_TO_FP = auto()
    SIGNED_TO_FP = auto()  # from bits
    UNSIGNED_TO_FP = auto()
    INT_TO_FP = auto()
    REAL_TO_FP = auto()
    FP_TO_SIGNED = auto()  # open where the value does not fit: as C on x86-64 (evaluate.machine_cast)
    FP_TO_UNSIGNED = auto()
    # casts that do not
    FP_FROM_BITS = auto()  # data: the target sort
    FP_TO_BITS = auto()  # an input's own; of NaN that was computed any NaN's are open: those of inf - inf here
    FP_TO_REAL = auto()  # of NaN and infinities open: 0
    FP_TO_INT = auto()  # towards zero; of NaN and infinities open: 0
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
    BV_SDIV = auto()  # towards zero; by zero: -1 or 1, as SMT-LIB says
    BV_SREM = auto()  # sign of the dividend
    BV_SMOD = auto()  # sign of the divisor
    BV_SHL = auto()  # shifts by the width or more: all bits are gone
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
    FLOOR_DIV = auto()  # Int, as Python; by zero open, here and below: 0
    FLOOR_MOD = auto()  # as Python; by zero: the dividend
    TRUNC_DIV = auto()  # Int, as C
    TRUNC_MOD = auto()
    EUCLID_DIV = auto()  # Int, as SMT-LIB's div and mod
    EUCLID_MOD = auto()
    POWER = auto()  # Int to an Int; 0 for a negative exponent
    LT = auto()
    LE = auto()
    # as Python
    FP_FLOOR_DIV = auto()  # of floats, the // of CPython; by zero: NaN
    # a float beside an Int or a Real
    EXACT_EQ = auto()  # as numbers, without rounding; a NaN is beside everything
    EXACT_LT = auto()
    EXACT_LE = auto()
    QUOTIENT = auto()  # of two Ints, as a double, rounded once to nearest even; by zero: NaN
    # functions
    MATH = auto()  # data: name of a function of the C library's math; floats
    CALL = auto()  # data: Opaque
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
    """A function that is only ever called: a native one by its address, or a Python callable.

    Calls with the same arguments have the same value. A function whose value may change from call to call needs an
    ``Opaque`` for each call.

    Attributes:
        name: for people.
        parameters: sorts of its arguments: floats, bit vectors of 8 to 64 bits, Bool, Int.
        result: sort of its result, one of these, too.
        address: of native code that takes and returns these as C does.
        function: called with Python values; used where there is no address.
    """

    name: str
    parameters: tuple[Sort, ...]
    result: Sort
    address: int | None = None
    function: Callable[..., Any] | None = field(default=None, compare=False)


class Term:
    """One node. Make them with :func:`make` and the functions of :mod:`.build`.

    Attributes:
        op: the operation.
        args: its arguments.
        data: what else it needs, see :class:`Op`.
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
        return self.op is Op.CONSTANT

    @property
    def value(self) -> Any:
        """Of a constant: bool, int (a bit vector's unsigned), float, Fraction, str or :class:`Rounding`."""
        return float_of_bits(self.sort, self.data) if self.sort.is_float else self.data

    def __reduce__(self) -> Any:
        return _restored, (flattened([self]),)

    def __deepcopy__(self, memo: Any) -> Term:
        return self


_known: weakref.WeakValueDictionary[Any, Term] = weakref.WeakValueDictionary()
_lock = threading.RLock()  # a finaliser that runs while it is held may make terms


def intern(op: Op, args: tuple[Term, ...], data: Any, sort: Sort) -> Term:
    """The one term with these parts; sorts are not checked."""
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
    """Terms as one list, so that depth is no limit, and what they share is there once.

    Attributes:
        parts: each with the places of its arguments among those before it.
        roots: the places of the terms.
    """

    parts: list[tuple[Op, list[int], Any, Sort]]
    roots: list[int]

    def terms(self) -> list[Term]:
        """The terms again."""
        made: list[Term] = []
        for op, places, data, sort in self.parts:
            made.append(intern(op, tuple(made[n] for n in places), data, sort))
        return [made[n] for n in self.roots]


def flattened(terms: Sequence[Term]) -> Flat:
    """Several terms, to be pickled together."""
    from .traversal import postorder

    parts = postorder(terms)
    place = {part: n for n, part in enumerate(parts)}
    return Flat([(p.op, [place[a] for a in p.args], p.data, p.sort) for p in parts], [place[term] for term in terms])


def _restored(flat: Flat) -> Term:
    return flat.terms()[0]


def make(op: Op, *args: Term, data: Any = None) -> Term:
    """The term ``op(*args)``.

    Raises:
        SortError: the operation does not take these arguments.
    """
    return intern(op, args, data, _rules()(op, args, data))


@cache
def _rules() -> Callable[[Op, tuple[Term, ...], Any], Sort]:
    from .typing_rules import sort_of  # which is about operations

    return sort_of


def variable(name: str, sort: Sort) -> Term:
    """An input. The same name with another sort is another variable."""
    return intern(Op.VARIABLE, (), str(name), sort)


_ACCEPTED: dict[Sort, tuple[type | tuple[type, ...], Callable[[Any], Any]]] = {
    BOOL: (bool, bool), INT: (int, int), REAL: ((int, Fraction), Fraction), STRING: (str, str),
    ROUNDING: (Rounding, Rounding),
}  # fmt: skip


def constant(sort: Sort, value: Any) -> Term:
    """A value of a sort. Of a float: a Python number (rounded to the sort), of a bit vector: any int, modulo its range.

    Raises:
        SortError: the value is none of that sort.
    """
    if sort in (FLOAT32, FLOAT64) and isinstance(value, float | int):
        if isinstance(value, int):  # rounded once
            from .rounding import round_float

            value = round_float(sort, Fraction(value), Rounding.RNE)
        return intern(Op.CONSTANT, (), bits_of_float(sort, value), sort)
    if sort.is_bits and isinstance(value, int):
        return intern(Op.CONSTANT, (), int(value) & ((1 << sort.width) - 1), sort)
    wanted, plain = _ACCEPTED.get(sort, ((), bool))
    if not isinstance(value, wanted) or (sort != BOOL and isinstance(value, bool)):
        raise SortError(f"{value!r} is no {sort}")
    return intern(Op.CONSTANT, (), plain(value), sort)  # not of a subclass: equal terms are the same object


def float_constant(sort: Sort, pattern: int) -> Term:
    """A float by its bits; every NaN is the one NaN."""
    exponent_and_sign = pattern >> (sort.sizes[1] - 1) & ((1 << sort.sizes[0]) - 1)
    if exponent_and_sign == (1 << sort.sizes[0]) - 1 and pattern & ((1 << (sort.sizes[1] - 1)) - 1):
        return constant(sort, float("nan"))
    return intern(Op.CONSTANT, (), pattern, sort)


def bits_of_float(sort: Sort, value: float) -> int:
    """The bits of a Python float in a sort, rounded to nearest; of any NaN those of the one quiet NaN."""
    if value != value:
        return 0x7FC00000 if sort == FLOAT32 else 0x7FF8000000000000
    if sort == FLOAT64:
        return int.from_bytes(struct.pack("<d", value), "little")
    try:
        return int.from_bytes(struct.pack("<f", value), "little")
    except OverflowError:
        return 0xFF800000 if value < 0 else 0x7F800000


def float_of_bits(sort: Sort, pattern: int) -> float:
    """The Python float of a pattern; a NaN keeps its sign and payload."""
    if sort == FLOAT32:
        single = float(struct.unpack("<f", pattern.to_bytes(4, "little"))[0])
        if single == single:
            return single
        pattern = pattern >> 31 << 63 | 0x7FF << 52 | (pattern & 0x7FFFFF) << 29  # the machine's cast makes it quiet
    return float(struct.unpack("<d", pattern.to_bytes(8, "little"))[0])


def own_bits(sort: Sort, value: float) -> int:
    """The bits of a Python float in a sort, rounded to nearest; NaN's with its sign and payload."""
    if value == value:
        return bits_of_float(sort, value)
    pattern = int.from_bytes(struct.pack("<d", value), "little")
    if sort == FLOAT64:
        return pattern
    return pattern >> 63 << 31 | 0xFF << 23 | (pattern >> 29 & 0x7FFFFF or 1 << 22)


_INFINITY = float("inf")


def computed_nan(sort: Sort) -> int:
    """The bits of the NaN that this machine computes: its sign is set on x86, and not on Arm."""
    return own_bits(sort, _INFINITY - _INFINITY)
