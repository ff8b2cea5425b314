"""Find the source text of a condition or operation, from a position in the debug info.

Lines and columns count from 1; columns count bytes. The public functions return "" if the text can not be found. They
cut a text of more than 60 characters to 60, the last three of which are dots. A process reads each source file once.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_MAX = 60
_LEADS = re.compile(r"\b(?:return|else|do|case)(?!\w).$", re.S)  # a keyword right before a condition
_LITERAL = r""" "(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*' """.strip()


@cache
def _lines(path: str) -> list[str]:
    """Return the lines of a source file, a shared list; empty if the file can not be read."""
    try:
        return Path(path).read_text(errors="surrogateescape").split("\n")
    except OSError:  # no source file, as for IR from another machine: the report shows the IR comparison instead
        return []


def condition_text(path: str, line: int, column: int) -> str:
    """Return the text of the condition around a position: an operand of ``&&``, ``||`` or ``?:``, or the whole one."""
    full, at = _around(path, line, column)
    if at < 0:
        return ""
    scanned = _mask(full)
    if scanned[at : at + 2] in ("&&", "||"):  # the position of an operator stands for its right operand
        at = len(full) - len(full[at + 2 :].lstrip())
    start, end = _left(scanned, at), _right(scanned, at)
    found = _in_a_line(full[start:end])
    return _unwrap(found) if len(found) <= _MAX else found[: _MAX - 3] + "..."


def operation_text(path: str, line: int, column: int) -> str:
    """Return the text of the operation whose operator, or first character, is at a position."""
    full, at = _around(path, line, column)
    if at < 0:
        return ""
    scanned = _mask(full)
    if (match := _OPERATOR.match(scanned, at)) is None:
        start, end = at, _primary(scanned, at)
    elif match[0] in ("++", "--") or match[0].endswith("="):
        start, end = _left(scanned, at), _right(scanned, at)
    else:
        tight = match[0] in "*/%"
        start, end = _operand_before(scanned, at, tight), _operand_behind(scanned, match.end(), tight)
        while match[0] in ("<<", ">>") and (further := re.compile(r"\s*[-+](?![-+=])").match(scanned, end)):
            end = _operand_behind(scanned, further.end(), False)
    found = _in_a_line(full[start:end])
    return found if len(found) <= _MAX else found[: _MAX - 3] + "..."


_CASE = re.compile(r"\bcase\s+((?:::)?\w+(?:::\w+)*)\s*(?=:(?!:)|\.\.\.)")


def case_names(path: str, line: int) -> list[str]:
    """Return the names that ``case`` labels have after a line: enumerators, and other constants. Numbers are left out.

    All of the file is searched, so the names of later switches are among them.
    """
    later = "\n".join(_mask(_blank(text)) for text in _lines(path)[max(0, line - 1) :])
    return list(dict.fromkeys(name for name in _CASE.findall(later) if not name[0].isdigit()))


def _around(path: str, line: int, column: int) -> tuple[str, int]:
    """Return the text around a position, and the index of the position in it; -1 if it is unknown.

    The text has a few lines before and after, since a condition may span lines. Comments are replaced by spaces.
    """
    lines = _lines(path)
    if not 1 <= line <= len(lines) or column < 1:
        return "", -1
    text = "\n".join(_blank(t) for t in lines[line - 1 : line + 4])
    before = "\n".join(_blank(t) for t in lines[max(0, line - 4) : line - 1])
    full = before + "\n" + text if before else text
    return full, len(full) - len(text) + _characters(lines[line - 1], column - 1)


def _in_a_line(text: str) -> str:
    """Return the text with single spaces in place of space and line ends, and U+FFFD in place of invalid UTF-8."""
    return re.sub(r"\s+", " ", text).strip().encode(errors="surrogateescape").decode(errors="replace")


def line_text(path: str, line: int) -> str:
    """Return a line of the source without comments."""
    text = " ".join(_blank("".join(_lines(path)[line - 1 : line])).split())
    return text if len(text) <= _MAX else text[: _MAX - 3] + "..."


def _characters(line: str, size: int) -> int:
    """Convert a number of bytes at the beginning of a line to characters."""
    return len(line.encode(errors="surrogateescape")[:size].decode(errors="surrogateescape"))


def _blank(text: str) -> str:
    """Return a line with as many spaces in place of each comment; literals stay as they are.

    A comment that goes on in the next line is replaced, too. One that began in an earlier line is not recognised.
    """
    return re.sub(rf"({_LITERAL})|/\*.*?\*/|//.*|/\*.*", lambda m: m[1] or " " * len(m[0]), text)


def _mask(text: str) -> str:
    """Replace each literal by as many ``x``, so that its content is not taken for code."""
    return re.sub(_LITERAL, lambda m: "x" * len(m[0]), text)


def _unwrap(text: str) -> str:
    """Remove the parentheses around the whole text, if there are any."""
    while text.startswith("(") and text.endswith(")") and _right(_mask(text)[1:], 0) == len(text) - 2:
        text = text[1:-1].strip()
    return text


def _left(text: str, at: int) -> int:
    """Return where the operand around a position begins: after an unclosed parenthesis, or after an operator."""
    depth, start = 0, at
    while start > 0:
        character = text[start - 1]
        if text[max(0, start - 2) : start] == "::":
            start -= 2
            continue
        if character in ")]":
            depth += 1
        elif character in "([":
            if depth == 0:
                return start
            depth -= 1
        elif (
            depth == 0
            and (
                character in ";{},?:"
                or (character == "!" and text[start : start + 1] != "=")
                or text[start - 2 : start] in ("&&", "||")
                or _assigns(text, start - 1)
            )
        ) or (depth == 0 and start < at and _LEADS.search(text[max(0, start - 7) : start + 1])):
            return start
        start -= 1
    return start


def _right(text: str, at: int) -> int:
    """Return where the operand around a position ends: before an unmatched closing bracket, or before an operator."""
    depth, end = 0, at
    while end < len(text):
        character = text[end]
        if text[end : end + 2] == "::":
            end += 2
            continue
        if character in "([":
            depth += 1
        elif character in ")]":
            if depth == 0:
                return end
            depth -= 1
        elif depth == 0 and (character in ";{},?:" or (end > at and text[end : end + 2] in ("&&", "||"))):
            return end
        end += 1
    return end


def _assigns(text: str, at: int) -> bool:
    """Whether the character at a position is the ``=`` of an assignment, such as ``=`` or ``+=``."""
    return text[at] == "=" and text[at + 1 : at + 2] != "=" and (at == 0 or text[at - 1] not in "=!<>")


_OPERATOR = re.compile(r"\+\+|--|(?:<<|>>|[-+*/%])=?")
_ATOM = re.compile(r"\s*(?:[-+!~*&]\s*)*(?:[\w.]+(?:(?<=[eEpP])[-+]\d+)?|(?=\())(?:(?:->|\.|::)\w+)*")
_BINARY_SIGN = re.compile(r"[\w.)\]]\s*$")  # the end of a left operand: a sign after it is binary


def _primary(text: str, at: int) -> int:
    """Return the index after the operand that begins at an index.

    An operand is signs, then a name, number or text in parentheses, then its calls, indices and fields. A text in
    parentheses without signs ends at its parenthesis. If a word or a parenthesis follows, it is a cast, and its operand
    is included.

    Args:
        text: source text whose literals are masked by :func:`_mask`.
        at: where the operand begins, or the spaces in front of it.
    """
    match = _ATOM.match(text, at)
    end = match.end() if match else at
    while end < len(text) and text[end] in "([":
        opened = text[end]
        end = _closing(text, end)
        if match and opened == "(" and text[match.start() : match.end()].strip() == "":  # (double) x, (a) * b
            return _primary(text, end) if re.match(r"\s*[\w(]", text[end:]) else end
        fields = re.compile(r"(?:(?:->|\.)\w+)*").match(text, end)
        end = fields.end() if fields else end
    return end


def _closing(text: str, at: int) -> int:
    """Return the index after the bracket that closes the one at a position."""
    depth = 0
    for end in range(at, len(text)):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(text[end], 0)
        if depth == 0:
            return end + 1
    return len(text)


def _operand_before(text: str, at: int, tight: bool) -> int:
    """Return where the left operand of an operator begins.

    Args:
        text: the text.
        at: index of the operator.
        tight: whether the operator is ``*``, ``/`` or ``%``, which bind more tightly than ``+`` and ``-``.
    """
    start, depth = _left(text, at), 0
    for place in range(at - 1, start - 1, -1):
        here = text[place]
        depth += {")": 1, "]": 1, "(": -1, "[": -1}.get(here, 0)
        if depth or text[place - 1 : place + 1] == "->" or text[place : place + 2] == "->":
            continue
        if here in "<>=|&^" or (tight and here in "+-" and _BINARY_SIGN.search(text[start:place])):
            return place + 1
    return start


def _operand_behind(text: str, at: int, tight: bool) -> int:
    """Return where the right operand of an operator ends; ``at`` is the index after the operator."""
    end = _primary(text, at)
    while not tight and (match := re.compile(r"\s*[*/%](?!=)").match(text, end)):
        end = _primary(text, match.end())
    return end
