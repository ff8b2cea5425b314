"""What undefined behaviour the faults of operations are, in words."""

from __future__ import annotations

from collections.abc import Mapping

UNDEFINED: Mapping[str, str] = {
    "cast": "a cast out of range",
    "intoverflow": "a signed overflow",
    "bounds": "an index out of bounds",
    "shift": "a shift by the width or more",
    "divzero": "a division by zero",
}
