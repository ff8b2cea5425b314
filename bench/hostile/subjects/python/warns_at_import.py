"""A module that warns when it is imported, and asks for the newest annotations."""

from __future__ import annotations

import warnings

warnings.warn("this module is old", DeprecationWarning, stacklevel=2)


# expects: nothing
def is_warned_of(x: int, later: _Later | None = None) -> int:
    if x > 100:
        return 2
    return 1 if later is None else 0


class _Later:
    def __init__(self, n: int) -> None:
        self.n = n
