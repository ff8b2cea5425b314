"""Text of others as text. A name, a value or a message comes from the code under test: what a terminal would obey in
it, or nobody would see, is written as an escape sequence."""

from __future__ import annotations

import os
import re

_UNUSUAL = re.compile(r"[^\x20-\x7e]")


def plain(text: str) -> str:
    """The text in one line: each character that is not printable (the end of a line, escape, a change of the direction
    of writing) as an escape sequence of Python's."""
    return text if text.isprintable() else _UNUSUAL.sub(_shown, text)


def _shown(found: re.Match[str]) -> str:
    character = found[0]
    return character if character.isprintable() else character.encode("unicode_escape").decode()


def shell_word(text: str) -> str:
    """The text as a word of a shell's; with what is not printable as ``$'a\\nb'``, which Bash and its like know."""
    import shlex

    return shlex.quote(text) if text.isprintable() else f"$'{''.join(map(_in_shell, text))}'"


def _in_shell(character: str) -> str:
    if character in "\\'":
        return f"\\{character}"
    if character.isascii() or character.isprintable():
        return plain(character)
    return "".join(f"\\x{byte:02x}" for byte in os.fsencode(character))
