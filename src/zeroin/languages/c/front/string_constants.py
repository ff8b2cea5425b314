"""C strings: how to write them as literals, and which values are worth trying for string parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ....subject.constant import Constant
from ....words import Kind, decode, word_from_bits
from ..llvm_ir.ir import Function, Module, mentioned

# Longer string constants, and larger numbers that the code compares lengths with, are ignored.
_LONGEST, _LONGEST_COMPARED = 63, 255
_FEWEST = 15  # characters that a string parameter has room for at least
_BETWEEN, _MOST_TOGETHER = 8, 48  # characters between constants, and of all constants together
_MOST_NUMBERS = 32
_PLAIN = ("", "0", "1", "-1", "12", "1.5", "-1e10", "0x1F", " 1", "1 ", "a", "A", "abc", "nan", "inf", "true")
_ESCAPES = {ord("\n"): "\\n", ord("\t"): "\\t", ord("\r"): "\\r", ord('"'): '\\"', ord("\\"): "\\\\"}
_STRING = re.compile(r'\[\d+ x i8\] c"((?:[^"\\]|\\.)*)"')
_LENGTH = re.compile(r" icmp \w+ i64 %\S+, (\d+)")
_BYTE = re.compile(r"\\([0-9A-Fa-f]{2})|(.)", re.DOTALL)
# Strings that are passed to these functions are messages, not input.
_MESSAGES = re.compile(r"@(__assert_fail|__assert|perror|puts|fputs|v?f?printf|v?s?n?printf)\(")


def literal(content: bytes) -> str:
    """Return bytes as a C string literal: ``"a\\\\n\\\\377"``."""
    text, before = "", 0
    for byte in content:
        if byte == before == ord("?"):
            text += "\\?"  # two of them begin a trigraph
        elif byte in _ESCAPES:
            text += _ESCAPES[byte]
        else:
            text += chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"
        before = byte
    return f'"{text}"'


def literals(module: Module, entry: str) -> list[bytes]:
    """Return the string constants, except messages, that a function uses: itself, by its callees, or by tables.

    Strings of more than 63 bytes are left out.

    Args:
        module: the IR module.
        entry: IR name of the function.
    """
    functions, initial = module.functions, module.initialisers()
    waiting, seen, found = [entry], {entry}, dict[bytes, None]()
    while waiting:
        name = waiting.pop(0)
        if name in functions:
            named = [one for line in _lines(functions[name]) for one in mentioned(line)]
        else:
            text = initial.get(name, "")
            for content in _STRING.findall(text):
                found.update(dict.fromkeys(_pieces(content)))
            named = mentioned(text)
        waiting += [one for one in dict.fromkeys(named) if one not in seen]
        seen.update(named)
    return [content for content in found if len(content) <= _LONGEST]


def _lines(function: Function) -> Iterator[str]:
    """Yield the instructions of a function, without the calls that print or report a message."""
    return (line for block in function.blocks for line in block.lines if not _MESSAGES.search(line))


def _pieces(text: str) -> list[bytes]:
    """Return the strings in an IR constant, each without its terminator."""
    content = bytes(int(m[1], 16) if m[1] else ord(m[2]) for m in _BYTE.finditer(text) if m[1] or ord(m[2]) < 256)
    return content.rstrip(b"\0").split(b"\0")


def room_for(texts: Iterable[bytes], function: Function) -> int:
    """Return for how many characters string parameters have room, without the terminator: at least 15.

    The constants in the code fit, several of them one after the other with 8 characters between them, if that is no
    more than 48 characters. Strings can be longer than the lengths that the code compares with.
    """
    texts = [*texts]
    together = sum(map(len, texts)) + _BETWEEN if len(texts) > 1 else 0
    compared = [int(length) + 2 for line in _lines(function) for length in _LENGTH.findall(line)]
    longest = max((length for length in compared if length <= _LONGEST_COMPARED), default=0)
    return max([_FEWEST, min(together, _MOST_TOGETHER), longest, *map(len, texts)])


def worth_trying(texts: Iterable[bytes], constants: Iterable[Constant]) -> tuple[bytes, ...]:
    """Return the string values worth trying: the code's strings, common values, and up to 32 of the code's numbers.

    Args:
        texts: the string constants in the code.
        constants: the numbers that the code compares with.
    """
    numbers = [*dict.fromkeys(_number(constant) for constant in sorted(constants))]
    found = [*texts, *(text.encode() for text in (*_PLAIN, *numbers[:_MOST_NUMBERS]))]
    return tuple(dict.fromkeys(found))


def _number(constant: Constant) -> str:
    """Return the value of a constant as a decimal text."""
    kind, bits = constant
    if kind is Kind.F64:
        return repr(decode(kind, word_from_bits(kind, bits))).removesuffix(".0")
    return str(bits - (1 << kind.bits) if kind is not Kind.BOOL and bits >> (kind.bits - 1) else bits)
