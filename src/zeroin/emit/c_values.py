"""How C and C++ write the values of a test: literals, arrays, arguments."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .. import extended
from ..subject.llvm.layout import Array, Callback, Layout, OddFloat, Scalar, Structure, Text, cells
from ..subject.llvm.parameters import CParameter
from ..subject.llvm.texts import literal
from ..words import Kind, bits_from_word, decode, encode, exact, value_range

_PLAIN = {
    Kind.F64: "double", Kind.F32: "float", Kind.I8: "signed char", Kind.I16: "short", Kind.I32: "int",
    Kind.I64: "long long", Kind.U8: "unsigned char", Kind.U16: "unsigned short", Kind.U32: "unsigned int",
    Kind.U64: "unsigned long long", Kind.BOOL: "_Bool", Kind.BYTE: "char",
}  # fmt: skip
_SUFFIXES = {Kind.I64: "LL", Kind.U64: "ULL", Kind.U8: "U", Kind.U16: "U", Kind.U32: "U"}
_BUILTIN = {*_PLAIN.values(), "char", "long", "unsigned long", "bool"}
_CXX_BUILTIN = {*_BUILTIN, "wchar_t", "char8_t", "char16_t", "char32_t"}
# These are strict about the standard's own date: the compiler refuses a hexadecimal float.
_NO_HEX = re.compile(r"-ansi|-std=(c89|c90|iso9899:(1990|199409)|c\+\+(98|03|0x|11|1y|14))")


@dataclass(frozen=True)
class Writer:
    """Writes values for one language.

    Attributes:
        cxx: C++ rather than C.
        hex_floats: the compiler reads C99 hexadecimal floats; otherwise they are given as bits.
        own: what our names in the test begin with; no subject has such names.
        types: the names of structures that are not called as in the source.
        callees: names of functions that are not, by their names for the linker.
    """

    cxx: bool
    hex_floats: bool = True
    own: str = "zeroin_"
    types: Mapping[Structure, str] = field(default_factory=dict)
    callees: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, cxx: bool, flags: Sequence[str], own: str, types: Mapping[Structure, str],
           callees: Mapping[str, str]) -> Writer:  # fmt: skip
        """The writer for a language and the user's compiler flags."""
        return cls(cxx, not any(_NO_HEX.fullmatch(flag) for flag in flags), own, types, callees)

    def type(self, kind: Kind) -> str:
        """The plain type of a kind: ``double``, ``unsigned short``, ..."""
        return "bool" if self.cxx and kind == Kind.BOOL else _PLAIN[kind]

    def literal(self, kind: Kind, word: int) -> str:
        """An expression of the kind's plain type that is exactly the value of the ordered word."""
        if kind.is_float:
            if self.hex_floats and math.isfinite(float(decode(kind, word))):
                return exact(kind, word) + ("f" if kind == Kind.F32 else "")
            return self._float_of_bits(kind, word)
        value = int(decode(kind, word))
        suffix = _SUFFIXES.get(kind, "")
        if kind in (Kind.I32, Kind.I64) and value == value_range(kind)[0]:
            return f"(-{-(value + 1)}{suffix} - 1)"  # C has no negative literals, and -value does not fit
        return f"{value}{suffix}"

    def odd_float(self, words: Sequence[int]) -> str:
        """An expression that is exactly the ``_Float16`` of its word, or the ``long double`` of its two."""
        if len(words) == 1:
            bits = bits_from_word(Kind.F16, words[0])
            word = encode(Kind.F64, extended.half(bits))
            if self.hex_floats and math.isfinite(extended.half(bits)):
                return f"(_Float16){exact(Kind.F64, word)}"
            return f"{self.own}half(0x{bits:04x}U /* {exact(Kind.F64, word)} */)"
        high, low = bits_from_word(Kind.F80, words[0]), words[1]
        text = extended.exact(high << 16 | low)
        if self.hex_floats and text.lstrip("-").startswith("0x"):
            return f"{text}L"
        return f"{self.own}long_double(0x{high:016x}ULL, 0x{low:04x}U /* {text} */)"

    def _float_of_bits(self, kind: Kind, word: int) -> str:
        bits = bits_from_word(kind, word)
        number = f"0x{bits:016x}ULL" if kind == Kind.F64 else f"0x{bits:08x}U"
        return f"{self.own}{self.type(kind)}({number} /* {exact(kind, word)} */)"

    def initialiser(self, layout: Layout, words: Sequence[int]) -> str:
        """A value as a declaration gives it to a variable: ``{.x = 0x1p+0, .v = {0, 1}}``."""
        left = iter(words)

        def made(layout: Layout, typed: bool) -> str:
            if isinstance(layout, OddFloat):
                return self.odd_float([next(left) for _ in cells(layout)])
            if isinstance(layout, Scalar):
                literal = self.literal(layout.kind, next(left))
                return f"{self.own}any({literal})" if typed and layout.enumeration else literal
            if isinstance(layout, Array):
                return "{" + ", ".join(made(layout.element, typed) for _ in range(layout.count)) + "}"
            named = not self.cxx or not layout.is_plain
            return "{" + ", ".join(f".{f.name} = " * named + made(f.layout, self.cxx) for f in layout.fields) + "}"

        return made(layout, False)  # a variable of ours that is an enumeration has a plain type

    def variable(self, parameter: CParameter, name: str, words: Sequence[int]) -> str:
        """The declaration of a local variable with what a pointer points to, or with a structure."""
        return self.declared(parameter.layout, self.element(parameter), name, words)

    def declared(self, layout: Layout, type_: str, name: str, words: Sequence[int]) -> str:
        """The declaration of a local variable; the type is that of an array's elements."""
        size = f"[{layout.count}]" if isinstance(layout, Array) else ""
        value = self._characters(type_, words) if isinstance(layout, Text) else self.initialiser(layout, words)
        return f"{type_} {name}{size} = {value};"

    def _characters(self, type_: str, words: Sequence[int]) -> str:
        """A string; a buffer that a function has filled to its last byte is none."""
        if words[-1] == 0:
            return literal(bytes(words).rstrip(b"\0"))
        return "{" + ", ".join(f"({type_}){word}" for word in words) + "}"

    def text(self, parameter: CParameter, words: Sequence[int]) -> str | None:
        """The argument for a string that is not changed, as a literal; None if it has to be a variable."""
        is_plain = isinstance(parameter.layout, Text) and not parameter.is_output
        if not is_plain or self.element(parameter) != "char" or parameter.type.count("*") > 1:
            return None
        return literal(bytes(words).rstrip(b"\0"))

    def element(self, parameter: CParameter) -> str:
        """The type of a structure, or of what a pointer points to; of an array, that of its elements."""
        inner = parameter.layout.element if isinstance(parameter.layout, Array) else parameter.layout
        if isinstance(inner, Structure):
            name = self.structure(inner)
            return f"__typeof__(*({parameter.type})0)" if "(unnamed)" in name else name
        target = _target(parameter.type)
        return target if inner.kind != Kind.BOOL and self._builtin(target) else self.type(inner.kind)

    def structure(self, layout: Structure) -> str:
        """The name of a structure's type."""
        return self.types.get(layout, layout.type)

    def value(self, parameter: CParameter, word: int) -> str:
        """The argument for a parameter that is no pointer, or one to a function."""
        if isinstance(parameter.layout, Callback):
            callees = parameter.layout.callees
            if word < len(callees):
                return self.callees.get(callees[word].symbol, callees[word].name)
            return "0" if self.cxx else "(void *)0"
        literal = self.literal(parameter.kind, word)
        if not self.cxx or parameter.kind.is_float:
            return literal
        type_ = _target(parameter.type)
        if type_.startswith("enum ") or (isinstance(parameter.layout, Scalar) and parameter.layout.enumeration):
            return f"{self.own}any({literal})"
        if self._builtin(type_) and (type_ != self.type(parameter.kind) or parameter.kind not in _OWN_TYPE):
            return f"({type_}){literal}"  # for the sake of overloads
        return literal

    def pointer(self, parameter: CParameter, variable: str | None) -> str:
        """The argument for a pointer or reference to a local variable; None is NULL."""
        inner = parameter.layout.element if isinstance(parameter.layout, Array) else parameter.layout
        of_structure = isinstance(inner, Structure)
        first = f"{'' if isinstance(parameter.layout, Array) else '&'}{variable}"
        target = self.element(parameter) if of_structure else _target(parameter.type)
        # A pointer to what the source calls otherwise is void * in C, and in C++ what the parameter asks for.
        direct = of_structure or (self._builtin(target) and parameter.type.count("*") + parameter.type.count("&") == 1)
        if parameter.type.endswith("&"):
            itself = f"{variable}{'[0]' * isinstance(parameter.layout, Array)}"
            return itself if direct else f"{self.own}reference({first})"
        if variable is None:
            if not self.cxx:
                return "(void *)0"  # a plain 0 is an int to a function without a prototype
            return f"({target} *)0" if direct else f"{self.own}pointer(0)"
        if direct:
            return first
        return f"{self.own}pointer({first})" if self.cxx else f"(void *){first}"

    def _builtin(self, type_: str) -> bool:
        return type_ in (_CXX_BUILTIN if self.cxx else _BUILTIN)


# The kinds whose literals have the kind's plain type already.
_OWN_TYPE = (Kind.I32, Kind.U32, Kind.I64, Kind.U64)


def _target(type_: str) -> str:
    """The type without qualifiers, and what a pointer or reference of it points to."""
    return " ".join(word for word in re.sub(r"[*&]", " ", type_).split() if word not in _QUALIFIERS)


_QUALIFIERS = ("const", "volatile", "restrict")
