"""Gives uninitialised variables open values.

LLVM's ``sroa`` pass moves variables into values. For a variable that was never set, it assumes whatever suits: after
``int k; if (x > 5) k = 3;``, it takes 3 for ``k``. So each variable is first set to the result of a function about
which nothing is known. Clang marks where variables are declared without a value
(:mod:`zeroin.languages.c.front.compile`). In IR without marks, every variable is set where it is allocated.
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
    """Return IR in which uninitialised variables have open values. Text without local variables stays as it is."""
    marked = MARKED in text
    if not marked and " = alloca " not in text:
        return text
    writer = _Writer(dict(_NAMED.findall(text)))
    lines = "\n".join(writer.lines(text, marked))
    return f"{lines}\n{writer.declarations()}"


class _Writer:
    """Writes the code that gives variables open values.

    Args:
        named: the definitions of the named types, by name.
    """

    def __init__(self, named: Mapping[str, str]) -> None:
        self._named, self._types, self._count = named, dict[str, None](), 0
        self._leaves: dict[str, list[tuple[int, str]] | None] = {}

    def lines(self, text: str, marked: bool) -> Iterator[str]:
        """Yield the lines of a text, with the new code between them.

        Args:
            text: the IR.
            marked: whether marks say which variables are uninitialised. If not, all are.
        """
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
        """Return the declarations of the functions that the lines yielded so far call."""
        lines = [f"declare {type_} @{OPEN}{type_}()\n" for type_ in self._types]
        return "".join([*lines, f"declare void @{FORGET}(ptr, i64)\n"])

    def _marked(self, does: Instruction, variables: Mapping[str, str]) -> Iterator[str]:
        """Yield code that replaces the initialisation that Clang marked: a store, or ``memset``."""
        if does.opcode == "store":
            yield from self._set(does.values[1], does.type, "-1")
        elif does.callee.startswith("@llvm.memset"):
            variable, size = does.values[0], does.values[2]
            yield from self._set(variable, variables.get(variable, ""), size)

    def _set(self, variable: str, type_: str, size: str) -> Iterator[str]:
        """Yield code that gives a variable open values.

        Args:
            variable: the name of the variable's address.
            type_: its type; empty if it is unknown.
            size: the size in bytes as text, for a variable of unknown type; ``-1``: the whole variable.
        """
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
        """Return the offset in bytes and the type of each number and address in a type.

        None if there are more than ``_MOST``, or the type is not supported.
        """
        if type_ not in self._leaves:
            try:
                made = Reader(type_, self._named, _no_variable).type()
                self._leaves[type_] = list(_leaves(made)) if _count(made) <= _MOST else None
            except Unreadable:
                self._leaves[type_] = None
        return self._leaves[type_]


def _no_variable(name: str) -> MemoryValue:
    """Refuse the name of a variable in a type.

    Raises:
        Unreadable: always.
    """
    raise Unreadable(f"{name} is no type")


def _count(type_: Type) -> int:
    """Return how many numbers and addresses are in a type."""
    if type_.is_scalar:
        return 1
    return sum(map(_count, type_.parts)) * (1 if type_.count is None else type_.count)


def _leaves(type_: Type, offset: int = 0) -> Iterator[tuple[int, str]]:
    """Yield the offset in bytes and the type of each number and address in a type."""
    if type_.is_scalar:
        yield offset, type_.name
        return
    for inner, at in type_.members:
        yield from _leaves(inner, offset + at)
