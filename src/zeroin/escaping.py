"""Safe printing of text from the code under test.

Names, values and messages of the code under test may contain control characters, which a terminal would obey, and
invisible characters. Both are replaced by escape sequences.
"""

from __future__ import annotations

import os
import re

_UNUSUAL = re.compile(r"[^\x20-\x7e]")


def plain(text: str) -> str:
    """Return the text in one line, with a Python escape sequence in place of each character that is not printable.

    Examples are the end of a line, the escape character, and a change of the writing direction. Backslashes stay as
    they are, so the result does not always tell the original.
    """
    return text if text.isprintable() else _UNUSUAL.sub(_shown, text)


def _shown(found: re.Match[str]) -> str:
    character = found[0]
    return character if character.isprintable() else character.encode("unicode_escape").decode()


def shell_word(text: str) -> str:
    """Return the text quoted as one word of a shell.

    Text that is not printable becomes ``$'a\\nb'``, which Bash and similar shells understand.
    """
    import shlex

    return shlex.quote(text) if text.isprintable() else f"$'{''.join(map(_in_shell, text))}'"


def _in_shell(character: str) -> str:
    if character in "\\'":
        return f"\\{character}"
    if character.isascii() or character.isprintable():
        return plain(character)
    return "".join(f"\\x{byte:02x}" for byte in os.fsencode(character))
