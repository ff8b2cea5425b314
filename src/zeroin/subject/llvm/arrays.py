"""Where that lies what pointer parameters point to: beside pages that can not be touched; to leave it is a crash."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Sequence

_PAGE = mmap.PAGESIZE
_WALL = 16 * _PAGE  # what is further away is not noticed


class Arrays:
    """The arrays of one subject, each in a room of its own between two walls.

    A room is whole pages, so an array can touch one wall only: it ends where its room ends, or begins where it begins.

    Args:
        sizes: of the arrays, in bytes.

    Attributes:
        tables: addresses of tables of the arrays' addresses: where the arrays end at a wall, and where they begin at
            one. Without arrays these are the same, and there is one.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = sizes
        rooms = [-(-size // _PAGE) * _PAGE for size in sizes]
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

    def content(self, table: int) -> list[bytes]:
        """What is in the arrays now, in the places that one of the tables says."""
        return [ctypes.string_at(at, size) for at, size in zip(self.addresses(table), self._sizes, strict=False)]

    def addresses(self, table: int) -> list[int]:
        """Of the arrays, in the places that one of the tables says."""
        return list(self._tables[self.tables.index(table)])


def _close(at: int) -> None:
    """Make a wall here."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(_WALL), 0):
        raise OSError(ctypes.get_errno(), "mprotect")
