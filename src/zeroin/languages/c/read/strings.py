"""``strlen``, ``strcmp`` and their relatives as terms over the bytes of the strings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ....model.memory import MemoryValue, Object, Unreadable, as_sort, load
from ....term.core.build import FALSE, TRUE, conjunction, equal, if_else, negation
from ....term.core.nodes import Op, Term, constant, make
from ....term.core.simplify import simpler, simplify
from ....term.core.sorts import bits
from .access import number, pointer
from .run_record import Record

_BYTE, _INT, _LONG = bits(8), bits(32), bits(64)
_UP_TO_NUL, _FOLDED, _LONGEST = 1, 2, 1 << 12  # as in strings.c
_MOST = 1024  # bytes of a string
_NUL = constant(_BYTE, 0)
_COMPARERS = {"strcmp": _UP_TO_NUL, "strncmp": _UP_TO_NUL, "memcmp": 0, "bcmp": 0,
              "strcasecmp": _UP_TO_NUL | _FOLDED, "strncasecmp": _UP_TO_NUL | _FOLDED}  # fmt: skip


def _bytes(record: Record, address: MemoryValue | None) -> tuple[Object, int]:
    """Return the object and the offset of a string, fixed to its value in the run.

    Raises:
        Unreadable: the address is NULL or no address.
    """
    there = pointer(address)
    if there.to is None:
        raise Unreadable("a null pointer is read as a string")
    return there.to, record.pinned(there.offset)


def _pairs(record: Record, one: MemoryValue | None, other: MemoryValue | None, most: Term | None,
           how: int) -> Iterator[tuple[Term, Term]]:  # fmt: skip
    """Yield the pairs of bytes that may be compared, up to one that is certainly the last.

    Raises:
        Unreadable: the strings are too long.
    """
    (a, start), (b, other_start) = _bytes(record, one), _bytes(record, other)
    size = min(a.size - start, b.size - other_start)
    for i in range(min(most.data, size) if most is not None and most.is_constant else size):
        if i >= _MOST:
            raise Unreadable(f"strings of more than {_MOST} bytes are compared")
        try:
            pair = tuple(_folded(as_sort(load(target, at + i, 1), _BYTE), how)
                         for target, at in ((a, start), (b, other_start)))  # fmt: skip
        except Unreadable:
            return  # nothing was written there
        yield pair[0], pair[1]
        if how & _UP_TO_NUL and _NUL in pair:
            return


def _folded(byte: Term, how: int) -> Term:
    """Return a byte in lower case, if ``how`` says that case does not count."""
    if not how & _FOLDED:
        return byte
    is_upper = conjunction([make(Op.BV_ULE, constant(_BYTE, 65), byte), make(Op.BV_ULE, byte, constant(_BYTE, 90))])
    return simplify(if_else(is_upper, make(Op.BV_ADD, byte, constant(_BYTE, 32)), byte))


def _compared(record: Record, one: MemoryValue | None, other: MemoryValue | None, most: Term | None, how: int,
              differs: Callable[[int, Term, Term], Term], same: Term) -> Term:  # fmt: skip
    """Return the result of a comparison of two strings.

    Args:
        record: the run.
        one: the address of the first string.
        other: the address of the second string.
        most: the largest number of bytes to compare; None: no limit.
        how: a bit set of ``_UP_TO_NUL`` and ``_FOLDED``.
        differs: returns the result for the index and the values of the first bytes that differ.
        same: the result for equal strings.

    Raises:
        Unreadable: the run reads beyond an object or an uninitialised byte, or the strings are too long.
    """
    pairs = list(_pairs(record, one, other, most, how))
    result, goes_on = same, [_is_more(most, len(pairs))]  # an array ends there
    for i, (a, b) in reversed([*enumerate(pairs)]):
        alike, ends = simpler(equal(a, b)), simpler(equal(a, _NUL)) if how & _UP_TO_NUL else FALSE
        after = simpler(if_else(ends, same, result))
        found = simpler(if_else(alike, after, differs(i, a, b)))
        result = simpler(if_else(_is_more(most, i), found, same))
        goes_on += [alike, negation(ends)]
    _note_end(record, simplify(conjunction(goes_on)))
    return result


def _is_more(most: Term | None, size: int) -> Term:
    """Return the condition that more than ``size`` bytes may be compared."""
    return TRUE if most is None else simpler(make(Op.BV_ULT, constant(_LONG, size), most))


def _note_end(record: Record, goes_on: Term) -> None:
    """Add the constraint that a string ends before its object does, or before an uninitialised byte.

    Raises:
        Unreadable: it does not end there in the run.
    """
    if record.value(goes_on):
        raise Unreadable("a string is read beyond its array, or before it is initialised")
    record.note(negation(goes_on), "a string ends in its array")


def _goes_on(a: Term, b: Term, how: int) -> Term:
    """Return the condition that a comparison goes on after two bytes."""
    alike = simpler(equal(a, b))
    return simplify(conjunction([alike, negation(simpler(equal(a, _NUL)))])) if how & _UP_TO_NUL else alike


def _signed(i: int, a: Term, b: Term) -> Term:
    """Return a result whose sign says which byte is less. The rest of its value is open."""
    sign = constant(_INT, 1 << 31)
    below = make(Op.BV_OR, sign, make(Op.OPEN, constant(_INT, -1), data="strcmp's result"))
    above = make(Op.BV_AND, make(Op.OPEN, constant(_INT, 1), data="strcmp's result"), constant(_INT, (1 << 31) - 1))
    return simpler(if_else(simpler(make(Op.BV_ULT, a, b)), below, make(Op.BV_OR, above, constant(_INT, 1))))


def _distant(i: int, a: Term, b: Term) -> Term:
    """Return the result of ``zeroin_difference`` for the index and the values of the first bytes that differ."""
    left = constant(_LONG, 256 * max(_LONGEST - i, 0))
    wide = [simpler(make(Op.BV_ZERO_EXTEND, byte, data=_LONG)) for byte in (a, b)]
    apart = simpler(make(Op.BV_SUB, *wide))
    below, above = (simpler(make(op, apart, left)) for op in (Op.BV_SUB, Op.BV_ADD))
    return simpler(if_else(simpler(make(Op.BV_ULT, a, b)), below, above))


def difference(record: Record, arguments: Sequence[MemoryValue | None]) -> Term:
    """Return the result of ``zeroin_difference(one, other, most, how)`` in ``strings.c``.

    Raises:
        Unreadable: see :func:`_compared`.
    """
    most, how = number(arguments[2]), record.pinned(number(arguments[3]))
    return _compared(record, arguments[0], arguments[1], most, how, _distant, constant(_LONG, 0))


def comparison(name: str) -> Callable[[Record, Sequence[MemoryValue | None]], Term]:
    """Return a function that computes the result of ``strcmp`` or another function in ``_COMPARERS``."""
    how = _COMPARERS[name]

    def compare(record: Record, arguments: Sequence[MemoryValue | None]) -> Term:
        most = number(arguments[2]) if len(arguments) > 2 else None
        return _compared(record, arguments[0], arguments[1], most, how, _signed, constant(_INT, 0))

    return compare


def length(record: Record, arguments: Sequence[MemoryValue | None]) -> Term:
    """Return the result of ``strlen(one)`` or ``strnlen(one, most)``.

    Raises:
        Unreadable: the run reads beyond the object or an uninitialised byte, or the object is too large.
    """
    most = number(arguments[1]) if len(arguments) > 1 else None
    target, start = _bytes(record, arguments[0])
    size = target.size - start
    if size > _MOST:
        raise Unreadable(f"strings of more than {_MOST} bytes are read")
    ends: list[Term] = []
    while len(ends) < size and TRUE not in ends[-1:]:
        try:
            ends.append(simpler(equal(as_sort(load(target, start + len(ends), 1), _BYTE), _NUL)))
        except Unreadable:
            break  # nothing was written there
    _note_end(record, simplify(conjunction([*map(negation, ends), _is_more(most, len(ends))])))
    result = constant(_LONG, len(ends)) if most is None else most
    for i, is_end in reversed([*enumerate(ends)]):
        result = simpler(if_else(is_end, constant(_LONG, i), result))
        result = simpler(if_else(_is_more(most, i), result, most or result))
    return result


STRINGS: dict[str, Callable[[Record, Sequence[MemoryValue | None]], Term]] = {
    **{name: comparison(name) for name in _COMPARERS}, "zeroin_difference": difference, "strlen": length,
    "strnlen": length,
}  # fmt: skip
