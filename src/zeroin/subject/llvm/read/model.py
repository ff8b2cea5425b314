"""A compiled function that is read: the path condition of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ....model.memory import NULL, Object, Pointer, Value
from ....model.path import PathCondition
from ....term.nodes import Term, float_of_bits, variable
from ....term.sorts import BOOL, FLOAT32, FLOAT64, Sort, bits
from ....words import Kind, bits_from_word
from ...base import Execution, Words
from .. import ir
from ..debuginfo import DebugInfo
from ..instrument import instrument
from ..linking import link_in
from ..parameters import CParameter, CSignature
from ..symbols import callees, declare_ours, find, parse
from .access import to_memory
from .code import Program
from .walk import Walk


class LlvmModel:
    """A C, C++ or LLVM IR function, read.

    Args:
        path: its file, for messages.
        function: its name.
        texts: the IR of that file, and of others that are linked with it.
        signature: its parameters.
        with_callees: whether functions of the file that it calls have sites, too.
    """

    def __init__(self, path: Path, function: str, texts: Sequence[str], signature: CSignature,
                 with_callees: bool) -> None:  # fmt: skip
        debug, module = DebugInfo(texts[0]), ir.read(texts[0])
        entry = find(module, debug, function, path)
        found = instrument([entry, *(callees(module, entry) if with_callees else [])], debug, set(), module.defined())
        module.parts.extend(found.tables)
        ir.strip_debug(module)
        self.signature, self._entry = signature, entry.name
        self._module = parse(declare_ours(module.text()), path)
        for text in texts[1:]:
            other = ir.read(text)
            ir.strip_debug(other)
            link_in(self._module, parse(declare_ours(other.text()), path), "", path)
        self._program = Program(self._module)

    def inputs(self, words: Words) -> dict[str, Any]:
        """The values of the variables that words stand for."""
        return self._called_with(words)[0]

    def along(self, words: Words, execution: Execution) -> PathCondition:
        """The path condition of a run.

        Raises:
            Left: the code, as it is read, does not go where the run went.
        """
        inputs, arguments = self._called_with(words)
        walk = Walk(self._program, inputs, execution.decisions, execution.truncated)
        return walk.path(self._entry, arguments)

    def _called_with(self, words: Words) -> tuple[dict[str, Any], list[Value]]:
        inputs: dict[str, Any] = {}
        return inputs, [_argument(p, mine, inputs) for p, mine in self.signature.split(words)]


def sort_of(kind: Kind) -> Sort:
    """Of an input of this kind."""
    known = {Kind.F64: FLOAT64, Kind.F32: FLOAT32, Kind.BOOL: BOOL}
    return known[kind] if kind in known else bits(kind.bits)


def input_value(kind: Kind, word: int) -> Any:
    """What an input is, as terms are evaluated."""
    pattern = bits_from_word(kind, word)
    if kind in (Kind.F64, Kind.F32):
        return float_of_bits(sort_of(kind), pattern)
    return bool(pattern) if kind is Kind.BOOL else pattern


def _argument(parameter: CParameter, words: Words, inputs: dict[str, Any]) -> Value:
    """What the function is called with; the inputs that are in it are added."""
    sort, name = sort_of(parameter.kind), parameter.name
    if parameter.length is None:
        return _input(name, sort, parameter.kind, words[0], inputs)
    size = max(1, parameter.kind.bits // 8)
    array = Object(name, parameter.length * size)
    if parameter.nullable:
        array.null = _input(f"{name} == NULL", BOOL, Kind.BOOL, words[0], inputs)
        array.is_live = not words[0]
        words = words[1:]
    for number, word in enumerate(words):
        element = _input(f"{name}[{number}]", sort, parameter.kind, word, inputs)
        array.cells[number * size] = (to_memory(element), size)
    return Pointer(array, NULL.offset)


def _input(name: str, sort: Sort, kind: Kind, word: int, inputs: dict[str, Any]) -> Term:
    inputs[name] = input_value(kind, word)
    return variable(name, sort)
