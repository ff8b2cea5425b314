"""Decide which pointer parameters are strings, from the user's options, the source and the code."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from ....errors import OptionError
from ....subject.constant import Constant
from ..llvm_ir.debug_info import DebugInfo
from ..llvm_ir.ir import Function, Module
from .array_lengths import ways_of_use
from .layout import Array, Layout, Scalar, Text
from .parameters import CParameter, CSignature
from .string_constants import literals, room_for, worth_trying

MOST_CHARACTERS = 4095
# Library functions that read up to the terminator: their arguments are strings, even if there is a length as well.
_OF_STRINGS = ("strlen strcmp strcasecmp strcoll strcpy stpcpy strcat strncat strchr strrchr strstr strspn strcspn "
               "strpbrk strtok strtok_r strdup atoi atol atoll atof strtol strtoll strtoul strtoull strtod strtof "
               "strtoimax sscanf puts fputs")  # fmt: skip
_COUNTS = re.compile(r"n|n_\w+|nbytes|nchars|num\w*|sz|cap\w*|bytes|\w*_?(?:len|length|size|count)|max_?len\w*", re.I)
_COUNT_TYPES = ("size_t", "ssize_t", "rsize_t", "std::size_t")


@dataclass(frozen=True)
class StringSpec:
    """The user's option ``--string NAME=LENGTH``.

    Attributes:
        name: the pointer parameter.
        characters: maximal length of the string, without its terminator.
    """

    name: str
    characters: int

    @classmethod
    def parse(cls, text: str) -> StringSpec:
        """Parse the option's value.

        Raises:
            OptionError: the text has another form, or the length is out of range.
        """
        match = re.fullmatch(r"(\w+)=0*(\d{1,4})", text)
        if not match or not 1 <= int(match[2]) <= MOST_CHARACTERS:
            raise OptionError(f"--string {text!r}: write NAME=LENGTH with a length from 1 to {MOST_CHARACTERS}")
        return cls(match[1], int(match[2]))


@dataclass(frozen=True)
class Neighbour:
    """The parameter after a pointer parameter, which may be the number of elements.

    Attributes:
        name: name of the parameter; empty if unknown.
        type: type as C writes it.
        layout: layout of a number; None for other types.
    """

    name: str
    type: str
    layout: Layout | None

    @property
    def is_count(self) -> bool:
        """Whether its type and name suggest a number of elements."""
        if not isinstance(self.layout, Scalar) or self.layout.kind.is_float or self.layout.enumeration:
            return False
        return self.type.removeprefix("const ") in _COUNT_TYPES or _COUNTS.fullmatch(self.name) is not None


class Strings:
    """Decides which pointer parameters of one function are strings.

    Args:
        function: the IR function.
        module: its module.
        specs: the user's ``--string`` options.
    """

    def __init__(self, function: Function, module: Module, specs: Sequence[StringSpec]) -> None:
        self._specs = {spec.name: spec.characters for spec in specs}
        self._used, self._of_strings = ways_of_use(function), set(_OF_STRINGS.split()) - module.defined()
        self._room = room_for(literals(module, function.name), function)

    def given(self, own: str) -> bool:
        """Whether the user declared the parameter ``own`` to be a string."""
        return own in self._specs

    def made(self, parameter: CParameter, argument: int, is_char: bool, length: int | None,
             behind: Neighbour | None, counted: bool = False) -> CParameter:  # fmt: skip
        """Return the parameter, with the layout of a string if it is one.

        Args:
            parameter: the pointer parameter.
            argument: its position in the IR function.
            is_char: whether it points to plain ``char``.
            length: length that its declaration or the user gives; None if there is none.
            behind: the parameter after it; None if there is none.
            counted: whether the code uses it up to a length that an integer parameter gives.

        Raises:
            OptionError: the user declared it to be a string, and its type is no string's.
        """
        characters = self._specs.get(parameter.name)
        if characters is not None:
            if not _is_of_bytes(parameter):
                raise OptionError(f"--string {parameter.name}: it has type {parameter.type!r}, which is not a string")
            return replace(parameter, layout=Text.of(characters))
        ways = self._used.get(argument, set())
        if not is_char or not self._is_used_so(parameter, ways, length is not None or counted, behind):
            return parameter
        return replace(parameter, layout=Text.of(self._room if length is None else length - 1, length is None))

    def _is_used_so(self, parameter: CParameter, ways: Set[str], has_length: bool, behind: Neighbour | None) -> bool:
        """Whether the code uses a ``char`` pointer like a string.

        Args:
            parameter: the pointer.
            ways: the pointer's uses, see :func:`zeroin.languages.c.front.array_lengths.ways_of_use`.
            has_length: whether something else than a terminator gives its length.
            behind: the parameter after it; None if there is none.
        """
        if ways & self._of_strings:
            return True
        if has_length or (behind is not None and behind.is_count):
            return False
        return bool(ways) or not parameter.is_output


def _is_of_bytes(parameter: CParameter) -> bool:
    """Whether a parameter points to an array of 8-bit numbers."""
    inner = parameter.layout.element if isinstance(parameter.layout, Array) else None
    return parameter.is_pointer and isinstance(inner, Scalar) and inner.kind.bits == 8


def is_char(debug: DebugInfo, ref: str | None) -> bool:
    """Whether a type is a pointer to plain ``char``."""
    base, _ = debug.resolve(ref)
    pointed, _ = debug.resolve(debug.fields(base).get("baseType"))
    described = debug.fields(pointed)
    return described.get("name") == "char" and described.get("encoding", "").endswith("_char")


def with_texts(signature: CSignature, module: Module, entry: str, constants: Sequence[Constant]) -> CSignature:
    """Return the signature in which string parameters have values worth trying, from strings and numbers in the code.

    Args:
        signature: the function's signature.
        module: its module.
        entry: IR name of the function.
        constants: the numbers that the code compares with.
    """
    if not any(isinstance(p.layout, Text) for p in signature.parameters):
        return signature
    texts = worth_trying(literals(module, entry), constants)
    parameters = (replace(p, texts=texts) if isinstance(p.layout, Text) else p for p in signature.parameters)
    return replace(signature, parameters=tuple(parameters))


def check_specs(specs: Sequence[StringSpec], arrays: Sequence[str], parameters: Sequence[CParameter],
                function: str) -> None:  # fmt: skip
    """Check the user's ``--string`` options.

    Raises:
        OptionError: an option names no pointer parameter, or one that ``--array`` names as well.
    """
    known: Mapping[str, CParameter] = {p.name: p for p in parameters}
    for spec in specs:
        if spec.name not in known or not known[spec.name].is_pointer:
            pointers = ", ".join(p.name for p in parameters if p.is_pointer) or "none"
            raise OptionError(f"--string {spec.name}: {function} has no pointer parameter of that name (it has: "
                              f"{pointers})")  # fmt: skip
        if spec.name in arrays:
            raise OptionError(f"--string {spec.name}: --array declares it, too; give one of the two")
