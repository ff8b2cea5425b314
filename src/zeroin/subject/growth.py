"""Subjects that are loaded again because longer arrays, strings or lists are needed than were assumed."""

from __future__ import annotations

from .base import Signature, Words


class Outgrown(Exception):
    """A run left an array whose length was a guess, or a branch needs a longer sequence.

    The subject has to be loaded again with more room.

    Attributes:
        words: the input of that run, or of one that comes to the branch's condition.
        rooms: the new value of :attr:`zeroin.subject.target.Target.rooms`.
    """

    def __init__(self, words: Words, rooms: tuple[tuple[str, int], ...]) -> None:
        super().__init__(words, rooms)
        self.words, self.rooms = words, rooms


def refitted(words: Words, before: Signature, after: Signature) -> Words:
    """Return the words of the same call after arrays got more elements, or parameters more types.

    New elements are 0. An argument that the new parameter can not have becomes a simple one.

    Args:
        words: the words of the call for the signature ``before``.
        before: the signature of the earlier subject.
        after: the signature of the subject that was loaded again.
    """
    found = list[int]()
    for parameter, (old, mine) in zip(after.parameters, Signature.split(before, words), strict=True):
        found += parameter.refitted(mine, old)
    return tuple(found)
