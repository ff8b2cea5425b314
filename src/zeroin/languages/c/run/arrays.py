"""Where that lies what pointer parameters point to: beside pages that can not be touched; to leave it is a crash."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from typing import NamedTuple

PAGE = mmap.PAGESIZE
_THIN = 16 * PAGE
_WALL = max(_THIN, 1 << 24)  # what is further away is not noticed
_NEAR = 1 << 36  # an address further away from all arrays belongs to none


class Held(NamedTuple):
    """What a pointer leads to: in the array with this number, from there on so many bytes, of all that it has now."""

    number: int
    at: int
    size: int
    whole: int


class Arrays:
    """The arrays of one subject, each in a room of its own between two walls.

    A room is whole pages, so an array can touch one wall only: it ends where its room ends, or begins where it begins.

    Args:
        sizes: the most bytes that each array has.
        vary: whether it may have fewer: then it still ends, or begins, at a wall, and its room is so large that it
            never does both.

    Attributes:
        tables: addresses of tables of the arrays' addresses: where the arrays end at a wall, and where they begin at
            one. Without arrays these are the same, and there is one.
    """

    def __init__(self, sizes: Sequence[int], vary: Sequence[bool] = ()) -> None:
        self._sizes = sizes
        self._rooms = [-(-(size + more) // PAGE) * PAGE for size, more in zip_longest(sizes, vary, fillvalue=False)]
        self._memory = list[mmap.mmap]()
        self._tables = dict[int, ctypes.Array[ctypes.c_int64]]()  # by their addresses
        self._further = dict[bool, list[int]]()  # the tables of further places
        self.tables = self._place(range(len(sizes)), _WALL)

    def _place(self, order: Iterable[int], wall: int) -> list[int]:
        """Give the arrays places in this order, between walls of so many bytes; their tables."""
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
        """The arrays are in other places meanwhile, in the same order or ``turned``: the last one first."""
        if turned not in self._further:
            order = range(len(self._sizes))
            self._further[turned] = self._place(order[::-1] if turned else order, _THIN)
        before, self.tables = self.tables, self._further[turned]
        try:
            yield
        finally:
            self.tables = before

    def content(self, table: int, spans: Sequence[Held]) -> list[bytes]:
        """What lies now where each of these does, in the places that one of the tables says."""
        places = self._places(table, [whole for _, _, _, whole in spans], [number for number, *_ in spans])
        return [ctypes.string_at(start + at, size) for start, (_, at, size, _) in zip(places, spans, strict=True)]

    def nearest(self, address: int, table: int, spans: Sequence[Held]) -> tuple[int, int] | None:
        """Which of these is next to an address that is in none, and how many bytes behind its beginning that is."""
        places = self._places(table, [whole for _, _, _, whole in spans], [number for number, *_ in spans])
        found = [(max(start - address, address - start - held.whole + 1), held.at, n, address - start - held.at)
                 for n, (start, held) in enumerate(zip(places, spans, strict=True))]  # fmt: skip
        distance, _, number, offset = min(found, default=(_NEAR, 0, 0, 0))
        return (number, offset) if 0 < distance < _NEAR else None

    def _places(self, table: int, sizes: Sequence[int], numbers: Iterable[int] | None = None) -> list[int]:
        """Where arrays of so many bytes lie, those with these numbers, or all."""
        at_end, addresses = table == self.tables[0], list(self._tables[table])
        which = range(len(sizes)) if numbers is None else numbers
        return [addresses[n] + (self._sizes[n] - size) * at_end for n, size in zip(which, sizes, strict=True)]

    def addresses(self, table: int) -> list[int]:
        """Where arrays of the most bytes lie, in the places that one of the tables says."""
        return list(self._tables[table])


def _close(at: int, wall: int) -> None:
    """Make a wall here."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(wall), 0):
        raise OSError(ctypes.get_errno(), "mprotect")
