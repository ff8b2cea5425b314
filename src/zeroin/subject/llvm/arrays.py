"""Where that lies what pointer parameters point to: beside pages that can not be touched; to leave it is a crash."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple

PAGE = mmap.PAGESIZE
_WALL = max(16 * PAGE, 1 << 24)  # what is further away is not noticed
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
        rooms = [-(-(size + more) // PAGE) * PAGE for size, more in zip_longest(sizes, vary, fillvalue=False)]
        self._memory = mmap.mmap(-1, sum(rooms) + (len(rooms) + 1) * _WALL, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        at = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        ends, begins = [], []
        _close(at)
        for size, room in zip(sizes, rooms, strict=True):
            at += _WALL
            ends.append(at + room - size)
            begins.append(at)
            at += room
            _close(at)
        placed = [ends, begins] if sizes else [ends]
        self._tables = [(ctypes.c_int64 * max(1, len(addresses)))(*addresses) for addresses in placed]
        self.tables = [ctypes.addressof(table) for table in self._tables]

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
        at_end, addresses = table == self.tables[0], list(self._tables[self.tables.index(table)])
        which = range(len(sizes)) if numbers is None else numbers
        return [addresses[n] + (self._sizes[n] - size) * at_end for n, size in zip(which, sizes, strict=True)]

    def addresses(self, table: int) -> list[int]:
        """Where arrays of the most bytes lie, in the places that one of the tables says."""
        return list(self._tables[self.tables.index(table)])


def _close(at: int) -> None:
    """Make a wall here."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(_WALL), 0):
        raise OSError(ctypes.get_errno(), "mprotect")
