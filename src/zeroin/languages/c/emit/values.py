"""Write the values of a test in C or C++: literals, arrays, arguments."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from .... import extended
from ....words import Kind, bits_from_word, decode, encode, exact, readable, value_range
from ..front.containers import Container
from ..front.layout import Array, Callback, Layout, OddFloat, Scalar, Structure, Text, as_array, cells, flat, in_rows
from ..front.parameters import CParameter
from ..front.string_constants import literal

_PLAIN = {
    Kind.F64: "double", Kind.F32: "float", Kind.I8: "signed char", Kind.I16: "short", Kind.I32: "int",
    Kind.I64: "long long", Kind.U8: "unsigned char", Kind.U16: "unsigned short", Kind.U32: "unsigned int",
    Kind.U64: "unsigned long long", Kind.BOOL: "_Bool", Kind.BYTE: "char",
}  # fmt: skip
_SUFFIXES = {Kind.I64: "LL", Kind.U64: "ULL", Kind.U32: "U"}
_QUIET = {Kind.F64: 0x7FF8 << 48, Kind.F32: 0x7FC0 << 16, Kind.F16: 0x7E00}  # bits of the compilers' NaN
_LONG_BITS = (1 << 80) - 1
_LONG = 1 << 16  # integers from here on may be bit patterns, which are written in hexadecimal
_BUILTIN = {*_PLAIN.values(), "char", "long", "unsigned long", "bool"}
_CXX_BUILTIN = {*_BUILTIN, "wchar_t", "char8_t", "char16_t", "char32_t"}


@dataclass(frozen=True)
class Writer:
    """Writes values in one language.

    Attributes:
        cxx: whether to write C++ instead of C.
        enumerators: whether the test can use the source's enumerators.
        types: names for structures that the test declares itself.
        callees: names for functions that the test declares itself, by the functions' linker names.
    """

    cxx: bool
    enumerators: bool = True
    types: Mapping[Structure, str] = field(default_factory=dict)
    callees: Mapping[str, str] = field(default_factory=dict)

    def type(self, kind: Kind) -> str:
        """Return the plain type of a kind: ``double``, ``unsigned short``, ...

        ``_Float16`` and ``long double`` have none.
        """
        return "bool" if self.cxx and kind == Kind.BOOL else _PLAIN[kind]

    def number(self, scalar: Scalar, word: int) -> str:
        """Return an expression with exactly the value of an ordered word: an enumerator's name, if there is one."""
        if self.enumerators and scalar.names:
            value = decode(scalar.kind, word)
            for name, own in zip(scalar.names, scalar.values, strict=True):
                if own == value:
                    return name
        return self.literal(scalar.kind, word)

    def literal(self, kind: Kind, word: int) -> str:
        """Return an expression of the kind's plain type, with exactly the value of an ordered word.

        For the words of a ``_Float16`` or a ``long double``, see :meth:`odd_float`.
        """
        if kind.is_float:
            return self._float(kind, word)
        value = int(decode(kind, word))
        suffix = _SUFFIXES.get(kind, "")
        if kind == Kind.BOOL and self.cxx:
            return "true" if value else "false"
        if kind in (Kind.I32, Kind.I64) and value == value_range(kind)[0]:
            return f"(-{-(value + 1)}{suffix} - 1)"  # C has no negative literals, and -value does not fit
        return f"{_shorter(value) if suffix.startswith('U') else value}{suffix}"

    def _float(self, kind: Kind, word: int) -> str:
        """Return a literal, or an expression for an infinity or a NaN. The compilers' NaN is ``ZEROIN_NAN``."""
        value, cast, bits = float(decode(kind, word)), "(float)" * (kind == Kind.F32), bits_from_word(kind, word)
        if math.isfinite(value):
            return readable(kind, word).replace("e+", "e") + "f" * (kind == Kind.F32)
        if math.isinf(value):
            return f"{cast}{'-' * (value < 0)}ZEROIN_INFINITY"
        if bits == _QUIET[kind]:
            return f"{cast}ZEROIN_NAN"
        number = f"0x{bits:016x}ULL" if kind == Kind.F64 else f"0x{bits:08x}U"
        return f"zeroin_{self.type(kind)}({number} /* {exact(kind, word)} */)"

    def odd_float(self, words: Sequence[int]) -> str:
        """Return an expression with exactly the value of a ``_Float16`` (one word) or a ``long double`` (two words)."""
        if len(words) == 1:
            bits = bits_from_word(Kind.F16, words[0])
            value = extended.half(bits)
            if math.isfinite(value):
                return f"(_Float16){value!r}"
            return f"zeroin_half(0x{bits:04x}U /* {exact(Kind.F64, encode(Kind.F64, value))} */)"
        high, low = bits_from_word(Kind.F80, words[0]), words[1]
        bits, text = high << 16 | low, extended.readable(high << 16 | low)
        if bits << 1 & _LONG_BITS == 0x7FFF << 65 | 1 << 64:
            return f"(long double){'-' * (bits >> 79)}ZEROIN_INFINITY"
        if bits == 0x7FFF_C000 << 48:
            return "(long double)ZEROIN_NAN"
        if "n" not in text and extended.bits_of(Fraction(text)) | text.startswith("-") << 79 == bits:
            return f"{text}L"
        return f"zeroin_long_double(0x{high:016x}ULL, 0x{low:04x}U /* {extended.exact(bits)} */)"

    def initialiser(self, layout: Layout, words: Sequence[int]) -> str:
        """Return the initialiser of a variable: ``{.x = 0x1p+0, .v = {0, 1}}``."""
        left = iter(words)

        def made(layout: Layout, typed: bool) -> str:
            if isinstance(layout, OddFloat):
                return self.odd_float([next(left) for _ in cells(layout)])
            if isinstance(layout, Scalar):
                literal = self.number(layout, next(left))
                return f"zeroin_any({literal})" if typed and layout.enumeration and _is_plain(literal) else literal
            if isinstance(layout, Array):
                return _braced(in_rows([made(layout.element, typed) for _ in range(layout.count)], layout.sizes))
            named = not self.cxx or not layout.is_plain
            return "{" + ", ".join(f".{f.name} = " * named + made(f.layout, self.cxx) for f in layout.fields) + "}"

        return made(layout, False)  # the test declares variables of enumerations with a plain type

    def variable(self, parameter: CParameter, name: str, words: Sequence[int]) -> str:
        """Return the declaration of a local variable for what a pointer points to, or for a structure."""
        return self.declared(parameter.layout, self.element(parameter), name, words)

    def declared(self, layout: Layout, type_: str, name: str, words: Sequence[int]) -> str:
        """Return the declaration of a local variable; for an array, ``type_`` is the type of its elements.

        The variable of an empty array has one element, and an array of several dimensions becomes one of one.
        """
        layout = flat(layout)
        if self.cxx and isinstance(layout, Scalar) and layout.enumeration and type_ in _PLAIN.values():
            return f"{type_} {name} = {self.literal(layout.kind, words[0])};"
        if isinstance(layout, Array) and not layout.count:
            # C has no empty arrays: the pointer points one past this one.
            return f"{type_} {name}[1] = {'{}' if self.cxx else '{0}'};"
        size = f"[{layout.count}]" if isinstance(layout, Array) else ""
        value = self._characters(type_, words) if isinstance(layout, Text) else self.initialiser(layout, words)
        return f"{type_} {name}{size} = {value};"

    def _characters(self, type_: str, words: Sequence[int]) -> str:
        """Return the initialiser of a string; of a buffer without a final 0, the initialiser of an array."""
        if words[-1] == 0:
            return literal(bytes(words).rstrip(b"\0"))
        return "{" + ", ".join(_character(type_, word) for word in words) + "}"

    def text(self, parameter: CParameter, words: Sequence[int]) -> str | None:
        """Return a literal as the argument for a string; None if the argument must be a variable.

        That is so for other types than strings of ``char``, and for strings that the function may change.
        """
        is_plain = isinstance(parameter.layout, Text) and not parameter.is_output
        if not is_plain or self.element(parameter) != "char" or parameter.type.count("*") > 1:
            return None
        return literal(bytes(words).rstrip(b"\0"))

    def made(self, parameter: CParameter, container: Container, words: Sequence[int]) -> str:
        """Return an expression for a C++ container with these elements: ``std::vector<double>{1.0, 2.0}``."""
        if isinstance(parameter.layout, Text):
            return f"{container.type}({literal(bytes(words).rstrip(bytes(1)))})"
        element, left = as_array(parameter.layout).element, list(words)
        values, step = list[str](), len(cells(element))
        for at in range(0, len(left), step):
            value = self.initialiser(element, left[at : at + step])
            if isinstance(element, Structure):
                value = container.element + value
            elif element.enumeration and _is_plain(value):
                value = f"static_cast<{container.element}>({value})"
            values.append(value)
        inner = "{" * bool(container.count) + ", ".join(values) + "}" * bool(container.count)
        return f"{container.type}{{{inner}}}"

    def element(self, parameter: CParameter) -> str:
        """Return the type of a structure, of what a pointer points to, or of an array's elements."""
        if parameter.container:
            return parameter.container.element
        inner = parameter.layout.element if isinstance(parameter.layout, Array) else parameter.layout
        if isinstance(inner, Structure):
            name = self.structure(inner)
            return f"__typeof__(*({parameter.type})0)" if "(unnamed)" in name else name
        target = _target(parameter.type)
        return target if inner.kind != Kind.BOOL and self._builtin(target) else self.type(inner.kind)

    def structure(self, layout: Structure) -> str:
        """Return the name of a structure's type."""
        return self.types.get(layout, layout.type)

    def value(self, parameter: CParameter, word: int) -> str:
        """Return the argument for a parameter that is a number or a pointer to a function.

        For a pointer, the word is the index of the function; NULL if there is none with this index.
        """
        if isinstance(parameter.layout, Callback):
            callees = parameter.layout.callees
            if word < len(callees):
                return self.callees.get(callees[word].symbol, callees[word].name)
            return "0" if self.cxx else "(void *)0"
        assert isinstance(parameter.layout, Scalar)
        literal = self.number(parameter.layout, word)
        if not self.cxx or parameter.kind.is_float or not _is_plain(literal):
            return literal
        type_ = _target(parameter.type)
        if type_.startswith("enum ") or parameter.layout.enumeration:
            return f"zeroin_any({literal})"
        if self._builtin(type_) and (type_ != self.type(parameter.kind) or parameter.kind not in _OWN_TYPE):
            return f"({type_}){literal}"  # else the call may choose another overload
        return literal

    def pointer(self, parameter: CParameter, variable: str | None) -> str:
        """Return the argument for a pointer or a reference to a local variable; for None, return NULL."""
        inner = parameter.layout.element if isinstance(parameter.layout, Array) else parameter.layout
        of_structure = isinstance(inner, Structure)
        first = f"{'' if isinstance(parameter.layout, Array) else '&'}{variable}"
        if isinstance(parameter.layout, Array) and not parameter.layout.count:
            first += " + 1"
        target = self.element(parameter) if of_structure else _target(parameter.type)
        # If the source's type has another name, the pointer is a void * in C; in C++, it converts to the right type.
        direct = of_structure or (self._builtin(target) and parameter.type.count("*") + parameter.type.count("&") == 1)
        if parameter.type.endswith("&"):
            itself = f"{variable}{'[0]' * isinstance(parameter.layout, Array)}"
            return itself if direct else f"zeroin_reference({first})"
        if variable is None:
            if not self.cxx:
                return "(void *)0"  # a plain 0 is an int to a function without a prototype
            return f"({target} *)0" if direct else "zeroin_pointer(0)"
        if direct:
            return first
        return f"zeroin_pointer({first})" if self.cxx else f"(void *){first}"

    def _builtin(self, type_: str) -> bool:
        """Whether a type is one of the language itself, so that the test can use its name."""
        return type_ in (_CXX_BUILTIN if self.cxx else _BUILTIN)


def _braced(values: Sequence[object]) -> str:
    """Return an initialiser for an array, whose rows are lists: ``{{1, 2}, {3, 4}}``."""
    return "{" + ", ".join(_braced(one) if isinstance(one, list) else str(one) for one in values) + "}"


def text_literal(text: str) -> str:
    """Return a string literal of C++; a raw one if the text would need escapes."""
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    marks = next(mark for mark in ("", "text", "zeroin") if f'){mark}"' not in text)
    return f'R"{marks}({text}){marks}"'


def _shorter(value: int) -> str:
    """Return an integer in decimal; in hexadecimal if it is large and thus more readable: ``0x80000000``."""
    pattern, number = f"{value:x}".strip("0").lstrip("f"), str(value).rstrip("0")
    return f"0x{value:x}" if value >= _LONG and 2 * len(pattern) < len(number) else str(value)


def _character(type_: str, word: int) -> str:
    """Return an expression for a byte of a string."""
    if 32 <= word < 127 and chr(word) not in "'\\":
        return f"'{chr(word)}'"
    return f"({type_}){word}"


def _is_plain(literal: str) -> bool:
    """Whether an expression is a number and not an enumerator."""
    return literal[0] in "-(0123456789"


# The kinds whose literals have the kind's plain type without a cast.
_OWN_TYPE = (Kind.I32, Kind.U32, Kind.I64, Kind.U64)


def _target(type_: str) -> str:
    """Return a type without qualifiers; for a pointer or a reference, the type that it points to."""
    return " ".join(word for word in re.sub(r"[*&]", " ", type_).split() if word not in _QUALIFIERS)


_QUALIFIERS = ("const", "volatile", "restrict")
