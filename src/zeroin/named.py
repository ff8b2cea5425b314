"""Parsing of names with parameters in options: ``es``, ``es(mu=20, lambda=140)``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from .errors import OptionError

T = TypeVar("T")

_TEXT = re.compile(r"\s*([\w./:-]+)\s*(?:\((.*)\)\s*)?", re.DOTALL)  # also FILE.py:NAME


def name_and_parameters(text: str) -> tuple[str, dict[str, str]]:
    """Split a text into its name and its parameters.

    Returns:
        The name, and the parameters' values by name. A text of another form is returned as a name without parameters.

    Raises:
        OptionError: the text between the parentheses is no list of ``name=value``, or a parameter is given twice.
    """
    parts = _TEXT.fullmatch(text)
    if parts is None:
        return text, {}
    given = (parts[2] or "").strip()
    return parts[1], _pairs(parts[1], given) if given else {}


def _split(text: str) -> list[str]:
    """Split a text at the commas that are not inside of parentheses or brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _pairs(name: str, text: str) -> dict[str, str]:
    """Parse the ``key=value`` pairs between the parentheses.

    Raises:
        OptionError: a part is no ``key=value``, or a key is given twice.
    """
    found: dict[str, str] = {}
    for part in _split(text):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (key and equals and value):
            raise OptionError(f"{name}({text}): give parameters as name=value, separated by commas")
        if key in found:
            raise OptionError(f"{name}({text}): {key} is given twice")
        found[key] = value
    return found


_TRUTH = {"true": True, "false": False}


def configured(found: T, name: str, given: Mapping[str, str]) -> T:
    """Return a copy of a dataclass with other values of some fields, as ``es(mu=20)`` gives them.

    Args:
        found: the object with the defaults. If it is no dataclass, it has no parameters.
        name: its name, for messages.
        given: the new values, by the names of fields, without an underscore at the end.

    Raises:
        OptionError: there is no such field, or a value does not fit it.
    """
    if not given:
        return found
    known = {f.name.rstrip("_"): f.name for f in fields(found)} if is_dataclass(found) else {}
    chosen: dict[str, object] = {}
    for key, value in given.items():
        if key not in known:
            raise OptionError(f"{name} has no parameter {key!r}; {_listed(list(known))}")
        chosen[known[key]] = _converted(name, key, value, getattr(found, known[key]))
    made: Any = found
    try:
        changed: T = replace(made, **chosen)
    except OptionError as error:
        raise OptionError(f"{name}: {error}") from error
    return changed


def _listed(known: list[str]) -> str:
    """Return the known parameters, for messages."""
    return f"there are {', '.join(known)}" if known else "it has none"


def _converted(name: str, key: str, text: str, default: object) -> object:
    """Return the value of a parameter that is given as text. A parameter without a default is a number.

    Raises:
        OptionError: the text is no value of the parameter's type.
    """
    if isinstance(default, bool):
        if text not in _TRUTH:
            raise OptionError(f"{name}: {key}={text}: give true or false")
        return _TRUTH[text]
    if isinstance(default, str):
        return text
    try:
        return int(text) if isinstance(default, int) or text.lstrip("-").isdigit() else float(text)
    except ValueError:
        wanted = "a whole number" if isinstance(default, int) else "a number"
        raise OptionError(f"{name}: {key}={text}: give {wanted}") from None
