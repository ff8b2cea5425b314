"""Subjects that are loaded anew, as what their arrays have to hold was not known when they were loaded."""

from __future__ import annotations

from .base import Signature, Words


class Outgrown(Exception):
    """A run used more of an array than there was, and how long the array is was a guess: it has to be loaded anew.

    Attributes:
        words: of that run.
        rooms: for :class:`zeroin.subject.base.Target`.
    """

    def __init__(self, words: Words, rooms: tuple[tuple[str, int], ...]) -> None:
        super().__init__(words, rooms)
        self.words, self.rooms = words, rooms


def refitted(words: Words, before: Signature, after: Signature) -> Words:
    """The words of the same call where arrays have more elements, or parameters more types.

    Args:
        words: of the call, as ``before`` says.
    """
    found = list[int]()
    for parameter, (old, mine) in zip(after.parameters, Signature.split(before, words), strict=True):
        found += parameter.refitted(mine, old)
    return tuple(found)
