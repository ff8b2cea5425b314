"""Mutants of C and C++ code, token by token: what does not compile is found out by compiling it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .mutant import Mutant, floats, integers, mutant, replaced

_TOKEN = re.compile(
    rb"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|\\\n)
    |(?P<directive>^[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*)
    |(?P<text>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|[uUL]?'(?:\\.|[^'\\\n])*')
    |(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<operator><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||::|[-+*/%&|^]=|.)""",
    re.X | re.S | re.M,
)
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uUlL]*)")
_FLOAT = re.compile(r"((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|0[xX][0-9a-fA-F.]+[pP][+-]?\d+)([fFlL]?)")
_TYPES = frozenset(
    ("void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "bool", "_Bool", "const",
     "volatile", "static", "auto", "size_t")
)  # fmt: skip
_TAGGED = frozenset(("struct", "union", "enum", "class"))
_NOT_OPERANDS = frozenset(("return", "case", "else", "do", "goto", "sizeof", "throw", "new", "delete", "typedef"))
_HEADS = frozenset(("if", "while", "for", "switch"))
_AMBIGUOUS = frozenset("+-*&")  # with one operand, or with two


@dataclass(frozen=True)
class Token:
    """A word of the source, with where it begins and what it is."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def tokens_of(source: bytes) -> list[Token]:
    """All that is no blank, comment or directive. Offsets are those of bytes."""
    found = []
    for at in _TOKEN.finditer(source):
        if at.lastgroup not in ("skip", "directive"):
            found.append(Token(str(at.lastgroup), at[0].decode("latin-1"), at.start()))
    return found


def lines_of(source: bytes, name: str) -> tuple[int, int]:
    """First and last line of a function, those of old style too; of ``a::b`` the last name is looked for.

    Raises:
        LookupError: there is none of this name.
    """
    tokens = tokens_of(source)
    name = name.split("::")[-1]
    for i, token in enumerate(tokens[:-1]):
        if token.text != name or tokens[i + 1].text != "(":
            continue
        behind = _closing(tokens, i + 1) + 1
        if behind >= len(tokens) or not _begins_body(tokens[behind]):
            continue
        body = next((k for k in range(behind, len(tokens)) if tokens[k].text == "{"), None)
        if body is not None:
            end = tokens[min(_closing(tokens, body), len(tokens) - 1)]
            return source.count(b"\n", 0, token.start) + 1, source.count(b"\n", 0, end.start) + 1
    raise LookupError(f"no {name}")


def _begins_body(behind: Token) -> bool:
    """Can this stand behind the parameters of a definition? ``{``, ``:``, ``const``, or a declaration of old style."""
    return behind.kind == "name" or behind.text in ("{", ":")


def mutants(source: bytes, first: int, last: int) -> list[Mutant]:
    """All of these lines, in the order of the source."""
    found = []
    for start, end, new in _changes(tokens_of(source)):
        one = mutant(source, start, end, new)
        if first <= one.line <= last:
            found.append(one)
    return sorted(set(found))


def _changes(tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    types = _types(tokens)
    for i, token in enumerate(tokens):
        if token.kind == "number":
            signed = i > 0 and tokens[i - 1].text == "-" and not _is_binary(tokens, i - 1, types)
            news: Sequence[str] = tuple(_constants(token.text, signed))
        elif token.text in ("!", "~"):
            news = ("",)
        elif token.text in _AMBIGUOUS and not _is_binary(tokens, i, types):
            news = ("",) if token.text == "-" else ()
        elif token.kind == "operator":
            news = replaced(token.text)
        else:
            continue
        for new in news:
            yield token.start, token.end, new


def _constants(text: str, signed: bool) -> Iterator[str]:
    """What stands for a number; its suffix stays. The negative one of a float that has a sign is that without."""
    integer, real = _INTEGER.fullmatch(text), _FLOAT.fullmatch(text)
    if integer:
        digits = integer[1]
        is_octal = len(digits) > 1 and digits.isdigit() and digits.startswith("0")
        n = int(digits, 8 if is_octal else 0)
        for other in integers(n):
            word = hex(other) if digits[:2].lower() == "0x" else str(other)
            yield word + integer[2] if other >= 0 else f"({word}{integer[2]})"
    elif real:
        x = float.fromhex(real[1]) if real[1][:2].lower() == "0x" else float(real[1])
        for y in floats(x):
            if not (signed and y == -x):
                yield f"{y!r}{real[2]}" if y >= 0 else f"({y!r}{real[2]})"


def _is_binary(tokens: Sequence[Token], i: int, types: frozenset[str]) -> bool:
    """Has the operator an operand on its left, too? Not behind a type, a cast, or the head of a statement."""
    if i == 0:
        return False
    before = tokens[i - 1]
    if before.text == ")":
        opening = _opening(tokens, i - 1)
        ahead = tokens[opening - 1].text if opening > 0 else ""
        inside = [token.text for token in tokens[opening + 1 : i - 1]]
        is_cast = all(word in types or word in _TAGGED or word == "*" for word in inside) and ahead != "sizeof"
        return not (ahead in _HEADS or (inside and is_cast))
    if before.kind == "name":
        return before.text not in types and before.text not in _NOT_OPERANDS
    return before.kind in ("number", "text") or before.text in ("]", "++", "--")


def _types(tokens: Sequence[Token]) -> frozenset[str]:
    """Names that stand for types, as far as this file tells."""
    found = set(_TYPES)
    for i, token in enumerate(tokens):
        if token.kind == "name" and token.text.endswith("_t"):
            found.add(token.text)
        if token.text in _TAGGED and i + 1 < len(tokens):
            found.add(tokens[i + 1].text)
        if token.text == "typedef":
            end = next((k for k in range(i, len(tokens)) if tokens[k].text == ";"), i)
            if tokens[end - 1].kind == "name":
                found.add(tokens[end - 1].text)
    return frozenset(found)


def _closing(tokens: Sequence[Token], i: int) -> int:
    """Where the parenthesis or brace at i is closed; the end if it is not."""
    opens = tokens[i].text
    closes = {"(": ")", "{": "}"}[opens]
    depth = 0
    for k in range(i, len(tokens)):
        depth += (tokens[k].text == opens) - (tokens[k].text == closes)
        if depth == 0:
            return k
    return len(tokens)


def _opening(tokens: Sequence[Token], i: int) -> int:
    """Where the parenthesis that is closed at i was opened."""
    depth = 0
    for k in range(i, -1, -1):
        depth += (tokens[k].text == ")") - (tokens[k].text == "(")
        if depth == 0:
            return k
    return 0
