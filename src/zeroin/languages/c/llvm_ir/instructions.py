"""A parser for single LLVM IR instructions.

It balances brackets and quotes, so a constant expression such as ``getelementptr inbounds (i32, ptr @table, i64 4)``
is one operand in spite of its commas.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

# A token: a string, a name, a number, a word or a bracket. Floats have several notations.
TOKEN = re.compile(r'\s*(c?"(?:[^"\\]|\\.)*"|[%@$]"(?:[^"\\]|\\.)*"|[%@$][-\w$.]+|!"(?:[^"\\]|\\.)*"|![-\w$.]*'
                   r"|0x[KMLHR]?[0-9A-Fa-f]+|-?\d+\.\d+(?:e[+-]?\d+)?|-?\d+|[\w.]+|<\{|\}>|\S)")  # fmt: skip
_PIECES = re.compile(r'"(?:[^"\\]|\\.)*"|[()\[\]{}<>, ]')
_OPENS, _CLOSES = "([{<", ")]}>"
_NAMED = re.compile(r'(%(?:"(?:[^"\\]|\\.)*"|[-\w$.]+)) = ')
_CONSTANTS = {"null", "true", "false", "undef", "poison", "zeroinitializer", "none", "getelementptr", "ptrtoint",
              "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast", "trunc", "add", "sub", "xor", "mul", "splat",
              "blockaddress", "dso_local_equivalent", "no_cfi", "ptrauth", "asm", "extractelement", "insertelement",
              "shufflevector", "icmp", "fcmp", "select", "shl", "zext", "sext"}  # fmt: skip
_WORD = re.compile(r"[a-z_]\w*$")
FAST = {"fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"}  # flags of floating-point instructions
_FLAGS = {*FAST, "nuw", "nsw", "nusw", "inbounds", "exact", "disjoint", "samesign", "nneg", "volatile", "atomic",
          "tail", "musttail", "notail", "inalloca", "swifterror", "weak"}  # fmt: skip
BINARY = {"add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "shl", "lshr", "ashr", "and", "or", "xor", "fadd",
          "fsub", "fmul", "fdiv", "frem"}  # fmt: skip
CASTS = {"trunc", "zext", "sext", "fptosi", "fptoui", "sitofp", "uitofp", "fptrunc", "fpext", "bitcast", "ptrtoint",
         "ptrtoaddr", "inttoptr", "addrspacecast"}  # fmt: skip


@dataclass(frozen=True)
class Operand:
    """An operand: its type and value as IR text; ``block`` is the incoming block of a phi's operand, else empty."""

    type: str
    value: str
    block: str = ""


@dataclass(frozen=True)
class Instruction:
    """A parsed instruction.

    Attributes:
        result: name of the result with its ``%``; empty if there is none.
        opcode: LLVM's name of the operation.
        flags: flags such as ``nsw`` and ``nnan``.
        predicate: predicate of a comparison (``slt``); else empty.
        type: the operands' type for comparisons and operations; the type that is loaded, stored, allocated or
            returned; the result type of a cast or call; the source element type of a ``getelementptr``.
        operands: the operands; for a call, its arguments. The operands of a ``store`` are the value and the address. A
            conditional ``br`` and a ``switch`` have only the value that they decide on, and ``ret void`` has none.
        callee: the called function or pointer, as IR text with its ``@`` or ``%``; empty if this is no call.
    """

    result: str
    opcode: str
    flags: frozenset[str] = frozenset()
    predicate: str = ""
    type: str = ""
    operands: tuple[Operand, ...] = ()
    callee: str = ""

    @property
    def values(self) -> tuple[str, ...]:
        """The operands' values."""
        return tuple(operand.value for operand in self.operands)


def split(text: str, at: str = ",") -> list[str]:
    """Split text at a separator (``","`` or ``" "``) outside brackets and quotes.

    Returns:
        The non-empty pieces, stripped of spaces.
    """
    depth, start, found = 0, 0, []
    for match in _PIECES.finditer(text):
        sign = match[0]
        if sign == at:
            if depth == 0:
                found.append(text[start : match.start()].strip())
                start = match.end()
        elif sign in _OPENS:
            depth += 1
        elif sign in _CLOSES:
            depth -= 1
    found.append(text[start:].strip())
    return [piece for piece in found if piece]


def depths(text: str) -> list[int]:
    """Return the bracket depth of each character; brackets inside quoted strings do not count.

    An opening bracket has the depth of the text behind it, and so has a closing one.
    """
    found, depth = [0] * len(text), 0
    at = 0
    for match in _PIECES.finditer(text):
        found[at : match.start()] = [depth] * (match.start() - at)
        depth += (match[0] in _OPENS) - (match[0] in _CLOSES)
        found[match.start() : match.end()] = [depth] * len(match[0])
        at = match.end()
    found[at:] = [depth] * (len(text) - at)
    return found


def operand(text: str) -> Operand:
    """Parse an operand such as ``i32 noundef signext %x``; attributes are dropped.

    The value is empty if there is only a type. The text must not be empty.
    """
    words = split(text, " ")
    type_, rest = words[0], words[1:]
    if rest and rest[0].startswith("addrspace("):
        type_, rest = f"{type_} {rest[0]}", rest[1:]
    while len(rest) > 1:
        word = rest[0]
        if word == "align" and rest[1].isdigit():
            rest = rest[2:]
        elif (_WORD.match(word) and word not in _CONSTANTS) or re.match(r"[a-z_]+\(", word):
            rest = rest[1:]
        else:
            break
    return Operand(type_, _first_value(rest))


def _first_value(words: list[str]) -> str:
    """Return the value at the beginning of the words, without suffixes such as an atomic load's ordering."""
    if len(words) > 1 and words[0] in _CONSTANTS:
        end = next((n for n, word in enumerate(words) if word[0] == "("), 0)
        return " ".join(words[: end + 1])
    return words[0] if words else ""


@lru_cache(maxsize=1 << 14)
def instruction(line: str) -> Instruction | None:
    """Parse an instruction, with or without its result, or a constant expression.

    Returns:
        The instruction, from a cache. None for kinds that no caller needs, such as fences, landing pads,
        ``unreachable`` and calls of inline assembly.
    """
    text = line.strip()
    named = _NAMED.match(text)
    result, text = (named[1], text[named.end() :]) if named else ("", text)
    if not (pieces := split(text)):
        return None
    words = split(pieces[0], " ")
    start = next((n for n, word in enumerate(words) if word not in ("tail", "musttail", "notail")), 0)
    opcode = words[start]
    start += 1
    flags = set[str]()
    while start < len(words) and (words[start] in _FLAGS or words[start].startswith("inrange(")):
        flags.add(words[start])
        start += 1
    head = words[start:]
    rest = [piece for piece in pieces[1:] if piece[0] != "!"]
    if len(head) == 1 and head[0][0] == "(" and head[0][-1] == ")":  # a constant expression
        first, *rest = split(head[0][1:-1])
        head = split(first, " ")
    known = _SHAPES.get(opcode)
    if known is None or not head:
        return None
    made = known(opcode, head, rest)
    if made is None:
        return None
    predicate, type_, operands, callee = made
    return Instruction(result, opcode, frozenset(flags), predicate, type_, operands, callee)


_Shape = tuple[str, str, tuple[Operand, ...], str] | None


def _typed(words: list[str]) -> Operand:
    return operand(" ".join(words))


def _of_two(opcode: str, head: list[str], rest: list[str]) -> _Shape:
    """Parse an instruction with two operands of one type: an arithmetic operation or a comparison.

    The arguments of all these parsers are the opcode, the words behind it and its flags up to the first comma, and the
    further pieces between commas. They return the predicate, type, operands and callee, or None.
    """
    predicate = ""
    if opcode in ("icmp", "fcmp"):
        predicate, *head = head
    if len(head) < 2 or not rest:
        return None
    one = _typed(head)
    return predicate, one.type, (one, Operand(one.type, rest[0])), ""


def _of_one(opcode: str, head: list[str], rest: list[str]) -> _Shape:
    """Parse an instruction with one operand, or the first operand of a ``br`` or ``switch``."""
    one = _typed(head)
    return "", one.type, (one,) if one.value else (), ""


def _of_cast(opcode: str, head: list[str], rest: list[str]) -> _Shape:
    at = len(head) - 1 - head[::-1].index("to") if "to" in head else 0
    return ("", " ".join(head[at + 1 :]), (_typed(head[:at]),), "") if at else None


def _of_all(opcode: str, head: list[str], rest: list[str]) -> _Shape:
    """Parse an instruction whose operands all carry a type: ``select``, ``store``."""
    operands = (_typed(head), *(operand(piece) for piece in rest if not piece.startswith("align ")))
    return "", operands[-1].type if opcode == "select" else operands[0].type, operands, ""


def _of_address(opcode: str, head: list[str], rest: list[str]) -> _Shape:
    """Parse an instruction with a leading type, followed by operands: ``load``, ``getelementptr``, ``alloca``."""
    return "", " ".join(head), tuple(operand(piece) for piece in rest if not piece.startswith("align ")), ""


def _of_phi(opcode: str, head: list[str], rest: list[str]) -> _Shape:
    type_, first = head[0], " ".join(head[1:])
    found = []
    for piece in (first, *rest):
        if not (piece.startswith("[") and piece.endswith("]")):
            return None
        value, label = split(piece[1:-1])
        found.append(Operand(type_, value, label.removeprefix("%")))
    return "", type_, tuple(found), ""


def _of_call(opcode: str, head: list[str], rest: list[str]) -> _Shape:
    """Parse a call; None for a call of inline assembly."""
    at = next((n for n, word in enumerate(head) if word[0] in "@%" and word.endswith(")")), None)
    if at is None or at == 0:
        return None
    called, _, given = head[at].partition("(") if head[at][1] != '"' else _after_quotes(head[at])
    before = [word for word in head[:at] if word[0] != "("]
    operands = tuple(map(operand, split(given[:-1])))
    return "", before[-1] if before else "", operands, called


def _after_quotes(text: str) -> tuple[str, str, str]:
    """Split a called name in quotes from its arguments, as ``str.partition("(")`` does for a plain name."""
    end = text.index('"', 2)
    return text[: end + 1], "(", text[end + 2 :]


_SHAPES = {
    **dict.fromkeys((*BINARY, "icmp", "fcmp"), _of_two), **dict.fromkeys(("fneg", "freeze"), _of_one),
    **dict.fromkeys(CASTS, _of_cast), **dict.fromkeys(("select", "store"), _of_all),
    **dict.fromkeys(("load", "getelementptr", "alloca"), _of_address), "phi": _of_phi,
    **dict.fromkeys(("call", "invoke"), _of_call), **dict.fromkeys(("br", "switch", "ret"), _of_one),
}  # fmt: skip
