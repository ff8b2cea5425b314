"""Parsing of names with parameters in options: ``es``, ``es(mu=20, lambda=140)``."""

from __future__ import annotations

import re

from .errors import OptionError

_TEXT = re.compile(r"\s*([\w-]+)\s*(?:\((.*)\)\s*)?", re.DOTALL)


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


def _pairs(name: str, text: str) -> dict[str, str]:
    """Parse the ``key=value`` pairs between the parentheses.

    Raises:
        OptionError: a part is no ``key=value``, or a key is given twice.
    """
    found: dict[str, str] = {}
    for part in text.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (key and equals and value):
            raise OptionError(f"{name}({text}): give parameters as name=value, separated by commas")
        if key in found:
            raise OptionError(f"{name}({text}): {key} is given twice")
        found[key] = value
    return found
