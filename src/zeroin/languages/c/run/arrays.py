"""The memory behind pointer parameters: arrays between guard pages, so that an access out of bounds crashes.

A *wall* is a run of guard pages: memory that can be neither read nor written.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from typing import NamedTuple

PAGE = mmap.PAGESIZE
_THIN = 16 * PAGE
_WALL = max(_THIN, 1 << 24)  # bytes; an access that is further out of bounds may go unnoticed
_NEAR = 1 << 36  # bytes; an address further away from all arrays is not out of their bounds but wild


class Held(NamedTuple):
    """The part of an array that a pointer parameter points to.

    Attributes:
        number: the number of the array in :class:`Arrays`, from 0.
        at: the offset of the part in the array, in bytes.
        size: the size of the part, in bytes.
        whole: the size of the array in this call, in bytes.
    """

    number: int
    at: int
    size: int
    whole: int


class Arrays:
    """The arrays of one subject, each in a room of its own between two walls.

    A room consists of whole pages, so most arrays touch only one wall: they end where their room ends, or begin where
    it begins.

    Args:
        sizes: the largest size of each array, in bytes.
        vary: for each array, whether it may be smaller in some calls. It then ends, or begins, at a wall as well, and
            its room is so large that it never touches both. Missing items at the end count as false.

    Attributes:
        tables: the addresses of two tables of array addresses: one for arrays that end at a wall, and one for arrays
            that begin at a wall. Without arrays, there is only one table. The memory lives as long as this object.

    Raises:
        OSError: the memory can not be reserved or protected.
    """

    def __init__(self, sizes: Sequence[int], vary: Sequence[bool] = ()) -> None:
        self._sizes = sizes
        self._rooms = [-(-(size + more) // PAGE) * PAGE for size, more in zip_longest(sizes, vary, fillvalue=False)]
        self._memory = list[mmap.mmap]()
        self._tables = dict[int, ctypes.Array[ctypes.c_int64]]()  # by their addresses
        self._further = dict[bool, list[int]]()  # the tables of further places
        self.tables = self._place(range(len(sizes)), _WALL)

    def _place(self, order: Iterable[int], wall: int) -> list[int]:
        """Allocate the arrays in this order, between walls of ``wall`` bytes. Return the addresses of their tables."""
        size = sum(self._rooms) + (len(self._rooms) + 1) * wall
        memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self._memory.append(memory)
        at = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        ends, begins = [0] * len(self._sizes), [0] * len(self._sizes)
        _close(at, wall)
        for number in order:
            at += wall
            ends[number], begins[number] = at + self._rooms[number] - self._sizes[number], at
            at += self._rooms[number]
            _close(at, wall)
        placed = [ends, begins] if self._sizes else [ends]
        tables = [(ctypes.c_int64 * max(1, len(addresses)))(*addresses) for addresses in placed]
        found = [ctypes.addressof(table) for table in tables]
        self._tables.update(zip(found, tables, strict=True))
        return found

    def __len__(self) -> int:
        return len(self._sizes)

    @contextmanager
    def moved(self, turned: bool) -> Iterator[None]:
        """Within this context, the arrays lie at other addresses, in the same order or in reverse (``turned``).

        ``tables`` has other addresses in this context. The contents of the arrays are not copied.
        """
        if turned not in self._further:
            order = range(len(self._sizes))
            self._further[turned] = self._place(order[::-1] if turned else order, _THIN)
        before, self.tables = self.tables, self._further[turned]
        try:
            yield
        finally:
            self.tables = before

    def content(self, table: int, spans: Sequence[Held]) -> list[bytes]:
        """Return a copy of the current bytes of each span.

        Args:
            table: the address of the table that was used in the run; one of the current ``tables``.
            spans: the parts of arrays to read.
        """
        places = self._places(table, [whole for _, _, _, whole in spans], [number for number, *_ in spans])
        return [ctypes.string_at(start + at, size) for start, (_, at, size, _) in zip(places, spans, strict=True)]

    def nearest(self, address: int, table: int, spans: Sequence[Held]) -> tuple[int, int] | None:
        """Find the span that is nearest to an address outside all spans.

        Args:
            address: the address.
            table: the address of the table that was used in the run; one of the current ``tables``.
            spans: the parts of arrays.

        Returns:
            The index of the span, and the address's offset from its beginning in bytes, which may be negative. None if
            the address lies within an array, or at least 64 GiB away from all of them.
        """
        places = self._places(table, [whole for _, _, _, whole in spans], [number for number, *_ in spans])
        found = [(max(start - address, address - start - held.whole + 1), held.at, n, address - start - held.at)
                 for n, (start, held) in enumerate(zip(places, spans, strict=True))]  # fmt: skip
        distance, _, number, offset = min(found, default=(_NEAR, 0, 0, 0))
        return (number, offset) if 0 < distance < _NEAR else None

    def _places(self, table: int, sizes: Sequence[int], numbers: Iterable[int] | None = None) -> list[int]:
        """Return the addresses of arrays of these sizes in bytes: of the arrays with these numbers, or of all."""
        at_end, addresses = table == self.tables[0], list(self._tables[table])
        which = range(len(sizes)) if numbers is None else numbers
        return [addresses[n] + (self._sizes[n] - size) * at_end for n, size in zip(which, sizes, strict=True)]

    def addresses(self, table: int) -> list[int]:
        """Return the addresses in one of the tables: where arrays of the largest size lie."""
        return list(self._tables[table])


def _close(at: int, wall: int) -> None:
    """Make a wall of ``wall`` bytes at an address.

    Raises:
        OSError: the system call failed.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(wall), 0):
        raise OSError(ctypes.get_errno(), "mprotect")
