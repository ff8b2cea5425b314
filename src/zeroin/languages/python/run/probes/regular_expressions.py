"""Make texts that a regular expression matches, from the structure that the standard library's parser returns.

By hand on purpose: the texts that rstr makes depend on Python's hash seed, and have up to 100 characters for a ``+``.
rstr knows no flags, atomic groups or conditional groups. Hypothesis makes unusual texts, and takes 0.15 s to import.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from itertools import repeat
from random import Random
from re import _parser  # type: ignore[attr-defined]  # the only place that has the structure
from typing import Any

_WAYS = 4  # texts that make the same choice everywhere: of alternatives, repetitions and characters
_MIXED = 8  # texts that choose at random
_REPEATED = 3  # the most repetitions beyond the required ones
_OF_CATEGORY = {"DIGIT": "0179", "WORD": "ab0_", "SPACE": " \t", "NOT_DIGIT": "a-", "NOT_WORD": "- ", "NOT_SPACE": "a0"}


def matching(pattern: object, flags: int = 0) -> list[str]:
    """Return a few texts that ``re.search`` finds a match in, at most 12, always the same ones.

    The list is empty if the pattern is invalid or no ``str``, or if no text that was made satisfies the pattern's
    assertions.

    Args:
        pattern: the pattern as text.
        flags: as for ``re.compile``.
    """
    if not isinstance(pattern, str):
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree, compiled = _parser.parse(pattern, flags), re.compile(pattern, flags)
    except (re.error, RecursionError, OverflowError):
        return []
    ways = [repeat(way) for way in range(_WAYS)] + [_mixed(Random(seed)) for seed in range(_MIXED)]
    made = dict.fromkeys(_Maker(way).text(tree) for way in ways)
    return [text for text in made if compiled.search(text)]


def _mixed(random: Random) -> Iterator[int]:
    """Yield random numbers of choices, forever."""
    while True:
        yield random.randrange(_WAYS)


Part = tuple[object, Any]  # of a parsed pattern: its kind, and what belongs to it


class _Maker:
    """Makes one text. ``ways`` yields a number for each choice that the pattern allows."""

    def __init__(self, ways: Iterator[int]) -> None:
        self._ways, self._groups = ways, dict[int, str]()

    @property
    def _way(self) -> int:
        """The next number of ``ways``."""
        return next(self._ways)

    def text(self, tree: Sequence[Part]) -> str:
        """Return a text for a parsed pattern. It may fail the pattern's assertions."""
        return "".join(self._part(code, argument) for code, argument in tree)

    def _part(self, code: object, argument: Any) -> str:
        """Return a text for one part of a parsed pattern; empty for an anchor or an assertion."""
        name = str(code)
        if name == "LITERAL":
            return chr(argument)
        if name == "NOT_LITERAL":
            return "a" if argument != ord("a") else "b"
        if name == "ANY":
            return "a1 -"[self._way % 4]
        if name == "IN":
            return self._one_of(argument)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            least, most, inner = argument
            count = min(least + self._way % (_REPEATED + 1), int(most))
            return "".join(self.text(inner) for _ in range(count))
        if name == "SUBPATTERN":
            number, *_, inner = argument
            made = self.text(inner)
            if number is not None:
                self._groups[number] = made
            return made
        if name == "ATOMIC_GROUP":
            return self.text(argument)
        if name == "BRANCH":
            alternatives = argument[1]
            return self.text(alternatives[self._way % len(alternatives)])
        if name == "GROUPREF":
            return self._groups.get(argument, "")
        if name == "GROUPREF_EXISTS":
            number, present, absent = argument
            return self.text((present if number in self._groups else absent) or ())
        return ""  # anchors and assertions consume no character

    def _one_of(self, items: Sequence[Part]) -> str:
        """Return a character of a set, or one outside of a negated set; empty if none was found."""
        if str(items[0][0]) == "NEGATE":
            return next((c for c in "a0 -~" if not any(_has(item, c) for item in items[1:])), "\x80")
        made = [c for item in items for c in _of(item)]
        return made[self._way % len(made)] if made else ""


def _of(item: Part) -> Iterator[str]:
    """Yield some characters that an item of a set stands for."""
    code, argument = item
    if str(code) == "LITERAL":
        yield chr(argument)
    elif str(code) == "RANGE":
        yield from (chr(argument[0]), chr(argument[1]))
    elif str(code) == "CATEGORY":
        yield from _OF_CATEGORY.get(str(argument).removeprefix("CATEGORY_"), "")


def _has(item: Part, character: str) -> bool:
    """Whether an item of a set stands for a character. For an unknown category, it does not."""
    code, argument = item
    if str(code) == "RANGE":
        return bool(argument[0] <= ord(character) <= argument[1])
    if str(code) == "CATEGORY":
        word = {"DIGIT": r"\d", "WORD": r"\w", "SPACE": r"\s"}.get(str(argument).removeprefix("CATEGORY_"))
        return word is not None and re.match(word, character) is not None
    return bool(argument == ord(character))
