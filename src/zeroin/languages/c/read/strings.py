"""``strlen``, ``strcmp`` and their relatives as terms over the bytes of the strings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Protocol

from ....model.memory import ADDRESS, MemoryValue, Object, Pointer, Unreadable, as_sort, load, places
from ....term.core.build import FALSE, TRUE, conjunction, equal, if_else, negation
from ....term.core.evaluate import signed
from ....term.core.nodes import Op, Term, constant, make
from ....term.core.simplify import simpler, simplify
from ....term.core.sorts import bits
from .access import number, pointer
from .run_record import Record
from .types import Type

_BYTE, _INT, _LONG = bits(8), bits(32), bits(64)
_UP_TO_NUL, _FOLDED, _LONGEST = 1, 2, 1 << 12  # as in strings.c
_MOST, _MOST_PLACES = 1024, 64  # bytes of a string; places at which strings may begin, all combinations together
_NUL = constant(_BYTE, 0)
_COMPARERS = {"strcmp": _UP_TO_NUL, "strncmp": _UP_TO_NUL, "memcmp": 0, "bcmp": 0,
              "strcasecmp": _UP_TO_NUL | _FOLDED, "strncasecmp": _UP_TO_NUL | _FOLDED}  # fmt: skip
Place = tuple[Object, int]  # an object, and an offset in bytes


class Strings(Protocol):
    """The strings of a symbolic execution.

    Attributes:
        most: the largest number of bytes of a string that are read.
        may_go_on: whether a string may have more bytes than are read. Then a result that depends on these is open.
    """

    most: int
    may_go_on: bool

    def places(self, address: MemoryValue | None) -> list[tuple[Term, Place]]:
        """Return the places where a string may begin, each with its condition.

        Raises:
            Unreadable: the address is NULL, or no address, or may be too many.
        """

    def byte(self, target: Object, at: int) -> Term:
        """Return a byte.

        Raises:
            Unreadable: nothing is known of it.
        """

    def fixed(self, value: Term) -> int:
        """Return the value of a number that must be known."""

    def ends(self, goes_on: Term) -> None:
        """Note that a string ends in its object, so this condition does not hold.

        Raises:
            Unreadable: it does not end there in the run.
        """


class StringsOfRun:
    """The strings of one run.

    Args:
        record: the run.
    """

    most, may_go_on = _MOST, False

    def __init__(self, record: Record) -> None:
        self._record = record

    def places(self, address: MemoryValue | None) -> list[tuple[Term, Place]]:
        there = pointer(address)
        if there.to is None:
            raise Unreadable("a null pointer is read as a string")
        found = [] if there.offset.is_constant else places(there.to, there.offset, 1, 1, _MOST_PLACES)
        if not found or self._record.value(there.offset) not in found:
            return [(TRUE, (there.to, self._record.pinned(there.offset)))]
        self._record.check(there.offset)
        within = make(Op.BV_ULE, there.offset, constant(ADDRESS, found[-1]))
        self._record.note(within, f"an index is within {there.to.name}")
        return [(equal(there.offset, constant(ADDRESS, at)), (there.to, at)) for at in found]

    def byte(self, target: Object, at: int) -> Term:
        return as_sort(load(target, at, 1), _BYTE)

    def fixed(self, value: Term) -> int:
        return self._record.pinned(value)

    def ends(self, goes_on: Term) -> None:
        if self._record.value(goes_on):
            raise Unreadable("a string is read beyond its array, or before it is initialised")
        self._record.note(negation(goes_on), "a string ends in its array")


class StringsOfAll:
    """The strings of all runs at once.

    Args:
        load: returns the value of a type at an address; None if nothing is known of it.
    """

    most, may_go_on = 64, True

    def __init__(self, load: Callable[[Pointer, Type], MemoryValue | None]) -> None:
        self._load = load

    def places(self, address: MemoryValue | None) -> list[tuple[Term, Place]]:
        there = pointer(address)
        if there.to is None:
            raise Unreadable("a null pointer is read as a string")
        return [(TRUE, (there.to, self.fixed(there.offset)))]

    def byte(self, target: Object, at: int) -> Term:
        value = self._load(Pointer(target, constant(ADDRESS, at)), Type("i8"))
        if not isinstance(value, Term):
            raise Unreadable("a byte of a string is unknown")
        return value

    def fixed(self, value: Term) -> int:
        if not value.is_constant:
            raise Unreadable("a number is not known")
        return signed(value.data, value.sort.width)

    def ends(self, goes_on: Term) -> None:
        """Take the result as it is: it is open where a string goes on."""


def _at_places(strings: Strings, addresses: Sequence[MemoryValue | None],
               result: Callable[[Sequence[Place]], tuple[Term, Term]]) -> Term:  # fmt: skip
    """Return the result of a function for each combination of places of strings, as an if-then-else.

    Args:
        strings: the strings.
        addresses: their addresses.
        result: returns the result for places of the strings, and the condition that a string does not end.

    Raises:
        Unreadable: the places are too many, or the function can not be computed for those of the run.
    """
    found: Term | None = None
    combinations = list(product(*map(strings.places, addresses)))
    if len(combinations) > _MOST_PLACES:
        raise Unreadable("strings may begin at too many places")
    for several in reversed(combinations):
        there = simplify(conjunction(condition for condition, _ in several))
        try:
            value, goes_on = result([place for _, place in several])
        except Unreadable:
            if len(combinations) == 1:
                raise
            strings.ends(there)
            continue
        strings.ends(simplify(conjunction([there, goes_on])))
        found = value if found is None else simpler(if_else(there, value, found))
    if found is None:
        raise Unreadable("a string is read beyond its array, or before it is initialised")
    return found


def _pairs(strings: Strings, of: Sequence[Place], most: Term | None, how: int) -> Iterator[tuple[Term, Term]]:
    """Yield the pairs of bytes that may be compared, up to one that is certainly the last.

    Raises:
        Unreadable: the strings are too long.
    """
    size = min(target.size - start for target, start in of)
    for i in range(min(most.data, size) if most is not None and most.is_constant else size):
        if i >= strings.most and strings.may_go_on:
            return
        if i >= strings.most:
            raise Unreadable(f"strings of more than {strings.most} bytes are compared")
        try:
            a, b = (_folded(strings.byte(target, at + i), how) for target, at in of)
        except Unreadable:
            return  # nothing was written there
        yield a, b
        if how & _UP_TO_NUL and _NUL in (a, b):
            return


def _folded(byte: Term, how: int) -> Term:
    """Return a byte in lower case, if ``how`` says that case does not count."""
    if not how & _FOLDED:
        return byte
    is_upper = conjunction([make(Op.BV_ULE, constant(_BYTE, 65), byte), make(Op.BV_ULE, byte, constant(_BYTE, 90))])
    return simplify(if_else(is_upper, make(Op.BV_ADD, byte, constant(_BYTE, 32)), byte))


def _compared(strings: Strings, addresses: Sequence[MemoryValue | None], most: Term | None, how: int,
              differs: Callable[[int, Term, Term], Term], same: Term) -> Term:  # fmt: skip
    """Return the result of a comparison of two strings.

    Args:
        strings: the strings.
        addresses: the addresses of the two.
        most: the largest number of bytes to compare; None: no limit.
        how: a bit set of ``_UP_TO_NUL`` and ``_FOLDED``.
        differs: returns the result for the index and the values of the first bytes that differ.
        same: the result for equal strings.

    Raises:
        Unreadable: the run reads beyond an object or an uninitialised byte, or the strings are too long.
    """

    def compared(of: Sequence[Place]) -> tuple[Term, Term]:
        pairs = list(_pairs(strings, of, most, how))
        more = _is_more(most, len(pairs))
        result, goes_on = same, [more]  # an array ends there
        if strings.may_go_on and more is not FALSE:
            result = if_else(more, make(Op.OPEN, same, data="how longer strings compare"), same)
        for i, (a, b) in reversed([*enumerate(pairs)]):
            alike, ends = simpler(equal(a, b)), simpler(equal(a, _NUL)) if how & _UP_TO_NUL else FALSE
            after = simpler(if_else(ends, same, result))
            found = simpler(if_else(alike, after, differs(i, a, b)))
            result = simpler(if_else(_is_more(most, i), found, same))
            goes_on += [alike, negation(ends)]
        return result, simplify(conjunction(goes_on))

    return _at_places(strings, addresses, compared)


def _is_more(most: Term | None, size: int) -> Term:
    """Return the condition that more than ``size`` bytes may be compared."""
    return TRUE if most is None else simpler(make(Op.BV_ULT, constant(_LONG, size), most))


def _signed(i: int, a: Term, b: Term) -> Term:
    """Return a result whose sign says which byte is less. The rest of its value is open."""
    sign = constant(_INT, 1 << 31)
    below = make(Op.BV_OR, sign, make(Op.OPEN, constant(_INT, -1), data="strcmp's result"))
    above = make(Op.BV_AND, make(Op.OPEN, constant(_INT, 1), data="strcmp's result"), constant(_INT, (1 << 31) - 1))
    above = if_else(equal(above, constant(_INT, 0)), constant(_INT, 1), above)
    return simpler(if_else(simpler(make(Op.BV_ULT, a, b)), below, above))


def _differing(i: int, a: Term, b: Term) -> Term:
    """Return a result that is not 0, and otherwise open."""
    found = make(Op.OPEN, constant(_INT, 1), data="bcmp's result")
    return if_else(equal(found, constant(_INT, 0)), constant(_INT, 1), found)


def _distant(i: int, a: Term, b: Term) -> Term:
    """Return the result of ``zeroin_difference`` for the index and the values of the first bytes that differ."""
    left = constant(_LONG, 256 * max(_LONGEST - i, 0))
    wide = [simpler(make(Op.BV_ZERO_EXTEND, byte, data=_LONG)) for byte in (a, b)]
    apart = simpler(make(Op.BV_SUB, *wide))
    below, above = (simpler(make(op, apart, left)) for op in (Op.BV_SUB, Op.BV_ADD))
    return simpler(if_else(simpler(make(Op.BV_ULT, a, b)), below, above))


def difference(strings: Strings, arguments: Sequence[MemoryValue | None]) -> Term:
    """Return the result of ``zeroin_difference(one, other, most, how)`` in ``strings.c``.

    Raises:
        Unreadable: see :func:`_compared`.
    """
    most, how = number(arguments[2]), strings.fixed(number(arguments[3]))
    return _compared(strings, arguments[:2], most, how, _distant, constant(_LONG, 0))


def comparison(name: str) -> Callable[[Strings, Sequence[MemoryValue | None]], Term]:
    """Return a function that computes the result of ``strcmp`` or another function in ``_COMPARERS``."""
    how, differs = _COMPARERS[name], _differing if name == "bcmp" else _signed

    def compare(strings: Strings, arguments: Sequence[MemoryValue | None]) -> Term:
        most = number(arguments[2]) if len(arguments) > 2 else None
        return _compared(strings, arguments[:2], most, how, differs, constant(_INT, 0))

    return compare


def length(strings: Strings, arguments: Sequence[MemoryValue | None]) -> Term:
    """Return the result of ``strlen(one)`` or ``strnlen(one, most)``.

    Raises:
        Unreadable: the run reads beyond the object or an uninitialised byte, or the object is too large.
    """
    most = number(arguments[1]) if len(arguments) > 1 else None

    def counted(of: Sequence[Place]) -> tuple[Term, Term]:
        ((target, start),) = of
        size, ends = target.size - start, list[Term]()
        if size > strings.most and not strings.may_go_on:
            raise Unreadable(f"strings of more than {strings.most} bytes are read")
        while len(ends) < min(size, strings.most) and TRUE not in ends[-1:]:
            try:
                ends.append(simpler(equal(strings.byte(target, start + len(ends)), _NUL)))
            except Unreadable:
                break  # nothing was written there
        result = least = constant(_LONG, len(ends))
        if strings.may_go_on and TRUE not in ends[-1:]:
            longer = make(Op.OPEN, least, data="the length of a longer string")
            result = if_else(make(Op.BV_ULT, longer, least), least, longer)
        result = result if most is None else if_else(make(Op.BV_ULT, result, most), result, most)
        for i, is_end in reversed([*enumerate(ends)]):
            result = simpler(if_else(is_end, constant(_LONG, i), result))
            result = simpler(if_else(_is_more(most, i), result, most or result))
        return result, simplify(conjunction([*map(negation, ends), _is_more(most, len(ends))]))

    return _at_places(strings, arguments[:1], counted)


STRINGS: dict[str, Callable[[Strings, Sequence[MemoryValue | None]], Term]] = {
    **{name: comparison(name) for name in _COMPARERS}, "zeroin_difference": difference, "strlen": length,
    "strnlen": length,
}  # fmt: skip
# The types of these functions, as LLVM writes them; another function may have such a name.
TYPES = {"strlen": "i64 (ptr)", "strnlen": "i64 (ptr, i64)",
         **dict.fromkeys(("strcmp", "strcasecmp"), "i32 (ptr, ptr)"),
         **dict.fromkeys(("strncmp", "strncasecmp", "memcmp", "bcmp"), "i32 (ptr, ptr, i64)")}  # fmt: skip
# Names of the functions that c_library.c calls begin so: the program may define others of their names.
PREFIX, OWN = "library.", ("memcmp", "strlen", "strncmp")
STRINGS |= {f"{PREFIX}{name}": STRINGS[name] for name in OWN}
