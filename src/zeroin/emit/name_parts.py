"""Facts about an input and its result in a few words, from which names of tests are made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

RESULT = "returns"
_NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|inf|nan)")
_WORD = re.compile(r"[A-Za-z_]\w{0,15}(?:\.\w{1,16})?")
_QUOTED = re.compile(r"""(["'])(.*)\1""", re.S)
_LONGEST, _LONGEST_TEXT = 8, 16  # the most characters of a number, and of a text, in a name
_FEW = 16  # only this many items at the start of a list become facts
_SPECIAL = ("nan", "inf", "-inf", "True", "False", "true", "false", "None", "NULL")


@dataclass(frozen=True)
class Fact:
    """A fact about an input or its result.

    Attributes:
        what: the name of a parameter or of a part of one; :data:`RESULT` for the result.
        value: the value as text.
        phrase: the words for a test's name.
        rank: a key to sort by: facts with a lower rank say more. Its second part is True for the result.
        reworded: the same phrase without a number at its end, for names that would differ only in that number; empty
            if there is none.
    """

    what: str
    value: str
    phrase: str
    rank: tuple[int, bool]
    reworded: str = ""


@dataclass(frozen=True)
class NamedValue:
    """An argument or a result, as people see it.

    Attributes:
        name: the name of the parameter; :data:`RESULT` for the result.
        text: the value as text.
        parts: for an object that a call creates, the names of the call's positional arguments; otherwise empty.
    """

    name: str
    text: str
    parts: Sequence[str] = ()


def facts_of(several: Iterable[NamedValue]) -> list[Fact]:
    """Return the facts about some values, sorted by rank.

    A number with more than 8 characters gives no fact; of a long string or a list, the length is a fact.
    """
    found = [fact for one in several for fact in _in(one.name, one.text, one.parts)]
    return sorted(found, key=lambda fact: fact.rank)


def _in(what: str, text: str, names: Sequence[str]) -> Iterator[Fact]:
    """Yield the facts about a value from its text; for an object or a structure, the facts about its parts.

    ``names`` are the names of the positional arguments of a call that makes an object; those without one are ignored.
    """
    call = re.fullmatch(r"([\w.]+)\((.*)\)", text, re.S)
    if call and call[1] == "array":
        yield from _in(what, call[2], names)
    elif call:
        for at, part in enumerate(_parts(call[2])):
            name, equals, value = part.partition("=")
            if equals and name.isidentifier():
                yield from _in(name, value, ())
            elif at < len(names):
                yield from _in(names[at], part, ())
    elif text[:1] in ("[", "(", "{"):
        parts = _parts(text[1:-1])
        if parts and parts[0].startswith("."):
            for part in parts:
                name, _, value = part[1:].partition(" = ")
                yield from _in(name, value, ())
        else:
            yield _counted(what, len(parts))
            numbers = enumerate(parts[:_FEW] if what != RESULT else ())
            yield from (_item(f"{what}_{at}", part) for at, part in numbers if _is_short_number(part))
    elif (plain := _plain(what, text)) is not None:
        yield plain


def _counted(what: str, count: int) -> Fact:
    """Return the fact that a list, or a list as the result, has ``count`` items."""
    if what == RESULT:
        phrase = f"{what} {count} items" if count else f"{what} empty"
    else:
        phrase = f"with {what} of {count}" if count else f"without {what}"
    return Fact(what, f"of {count}", phrase, (5 if count else 0, what == RESULT))


def _item(place: str, text: str) -> Fact:
    """Return the fact about a number in a list, at a place such as ``xs_0``."""
    return Fact(place, text, f"where {place} is {_said(text)}", (6, False))


def _said(number: str) -> str:
    """Return a number as names show it: without ``.0`` at its end."""
    return re.sub(r"\.0$", "", number)


def _is_short_number(text: str) -> bool:
    """Whether a text is a number of at most 8 characters, ``inf`` or ``nan``."""
    return bool(_NUMBER.fullmatch(text)) and len(text) <= _LONGEST


def _plain(what: str, text: str) -> Fact | None:
    """Return the fact about a number, a name or a string; None if a number is too long, or for any other value.

    The fact about a long string is its length.
    """
    said, quoted, reworded = text, _QUOTED.fullmatch(text), ""
    if quoted is not None:
        said = re.sub(r"[^A-Za-z0-9]+", "_", quoted[2]).strip("_") or f"of {len(quoted[2])}"
        said, rank = (said, 4) if quoted[2] else ("empty", 0)
        if len(said) > _LONGEST_TEXT:
            said, rank = f"of {len(quoted[2])}", 5
    elif _is_short_number(text):
        said, reworded = _said(text), f"with {_said(text)} for {what}" if what != RESULT else ""
        rank = 0 if text in _SPECIAL else 1 if said in ("0", "-0") else 2 if "." not in said and "e" not in said else 3
    elif _WORD.fullmatch(text):
        said, rank = text.rpartition(".")[2], 0
    else:
        return None
    return Fact(what, text, f"{'' if what == RESULT else 'with '}{what} {said}", (rank, what == RESULT), reworded)


def _parts(text: str) -> list[str]:
    """Split a text at its commas outside of brackets and quotes. Parts are stripped, and empty ones are left out."""
    parts, depth, quote, before = [""], 0, "", ""
    for char in text:
        if quote:
            quote = "" if char == quote and before != "\\" else quote
        elif char in "\"'":
            quote = char
        else:
            depth += (char in "([{") - (char in ")]}")
        if char == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += char
        before = "" if before == "\\" else char
    return [part.strip() for part in parts if part.strip()]
