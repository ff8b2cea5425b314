"""Imports relatively."""

from .limits import LIMIT, doubled


def above(x: float) -> bool:
    return bool(doubled(x) > LIMIT)
