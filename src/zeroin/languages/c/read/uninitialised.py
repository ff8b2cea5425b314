"""Variables that are declared and not set: what they hold is open.

LLVM's ``sroa`` has variables in values, and takes for one that was never set whatever suits: of ``k`` in ``int k; if
(x > 5) k = 3;`` it makes 3. So each is set first, to what a function gives of which nothing is known. Clang marks where
variables are declared without a value (:mod:`..compile`); in IR without marks, that is where they are made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ....model.memory import MemoryValue, Unreadable
from ..front.compile import MARKED, UNSET
from ..llvm_ir.instructions import Instruction, instruction
from .types import Reader, Type

OPEN, FORGET = "zeroin_open.", "zeroin_forget"  # functions: what gives a value that is open; what makes memory so
_NAMED = re.compile(r"^(%(?:\"[^\"]+\"|[-\w$.]+)) = type (.*)$", re.M)
_MOST = 64  # numbers in a variable that are set one by one


def opened(text: str) -> str:
    """IR in which variables that are not set where they are declared hold what is open."""
    marked = MARKED in text
    if not marked and " = alloca " not in text:
        return text
    writer = _Writer(dict(_NAMED.findall(text)))
    lines = "\n".join(writer.lines(text, marked))
    return f"{lines}\n{writer.declarations()}"


class _Writer:
    """Args:
    named: the types that have names.
    """

    def __init__(self, named: Mapping[str, str]) -> None:
        self._named, self._types, self._count = named, dict[str, None](), 0
        self._leaves: dict[str, list[tuple[int, str]] | None] = {}

    def lines(self, text: str, marked: bool) -> Iterator[str]:
        variables: dict[str, str] = {}  # the types of those of the function
        for line in text.splitlines():
            yield line
            if line.startswith("define "):
                variables = {}
            elif " = alloca " in line and (made := instruction(line)) is not None:
                if not made.operands:
                    variables[made.result] = made.type
                if not marked:
                    yield from self._set(made.result, made.type if not made.operands else "", "-1")
            elif UNSET in line and (does := instruction(line.partition(UNSET)[2])) is not None:
                yield from self._marked(does, variables)

    def declarations(self) -> str:
        """Of the functions that are called."""
        lines = [f"declare {type_} @{OPEN}{type_}()\n" for type_ in self._types]
        return "".join([*lines, f"declare void @{FORGET}(ptr, i64)\n"])

    def _marked(self, does: Instruction, variables: Mapping[str, str]) -> Iterator[str]:
        """In place of what Clang would have had there: a store of 0, or ``memset``."""
        if does.opcode == "store":
            yield from self._set(does.values[1], does.type, "-1")
        elif does.callee.startswith("@llvm.memset"):
            variable, size = does.values[0], does.values[2]
            yield from self._set(variable, variables.get(variable, ""), size)

    def _set(self, variable: str, type_: str, size: str) -> Iterator[str]:
        """Set a variable of a type, or so many bytes if that is not known."""
        leaves = self._leaves_of(type_) if type_ else None
        if leaves is None:
            yield f"  call void @{FORGET}(ptr {variable}, i64 {size})"
            return
        for offset, leaf in leaves:
            self._types[leaf] = None
            self._count += 1
            value, place = f"%zu.{self._count}", variable
            yield f"  {value} = call {leaf} @{OPEN}{leaf}()"
            if offset:
                place = f"{value}.at"
                yield f"  {place} = getelementptr inbounds i8, ptr {variable}, i64 {offset}"
            yield f"  store {leaf} {value}, ptr {place}, align 1"

    def _leaves_of(self, type_: str) -> list[tuple[int, str]] | None:
        """The numbers and addresses in a type and where they lie; None if there are too many, or it can not be read."""
        if type_ not in self._leaves:
            try:
                made = Reader(type_, self._named, _no_variable).type()
                self._leaves[type_] = list(_leaves(made)) if _count(made) <= _MOST else None
            except Unreadable:
                self._leaves[type_] = None
        return self._leaves[type_]


def _no_variable(name: str) -> MemoryValue:
    raise Unreadable(f"{name} is no type")


def _count(type_: Type) -> int:
    if type_.is_scalar:
        return 1
    return sum(map(_count, type_.parts)) * (1 if type_.count is None else type_.count)


def _leaves(type_: Type, offset: int = 0) -> Iterator[tuple[int, str]]:
    if type_.is_scalar:
        yield offset, type_.name
        return
    for inner, at in type_.members:
        yield from _leaves(inner, offset + at)
