"""A Python function of the numeric subset, read: the path condition of a run from blocks, without running anything."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from types import FunctionType
from typing import Any

from .....model.blocks import Block, Compositions, Edge
from .....model.memory import Unreadable
from .....model.path import PathCondition
from .....subject.base import Execution, Site, Words
from .....term.core.nodes import Term
from .....term.expression.typed import DOUBLE, TRUTH, WHOLE, Typed
from ...front.code import LocatedFunction, ModuleSource, read_again
from ...front.modules import Module
from ...front.signature import Call, PythonSignature
from ...run.probes.control_flow import Flow
from ...values.scalars import FixedTuple, NoneShape
from ...values.shapes import Bool, Float, Int, Shape
from ..values.inputs import Inputs
from ..values.model import PythonModel
from ..values.recording import DEEPEST, Left, Recording, Stop
from .code import Code
from .lowering import Lowering
from .machine import Machine
from .values import NONE, BlockValue, Items, Unread


def read(
    functions: Sequence[LocatedFunction],
    others: Sequence[LocatedFunction],
    modules: Sequence[Module],
    sites: Sequence[Site],
    signature: PythonSignature,
    call: Call,
) -> BlockModel | PythonModel:
    """The model of a function: of blocks, or, where these can not say all of it, of runs.

    Args:
        modules: whose functions these are; the others as of :class:`BlockModel`.

    Raises:
        Unreadable: the source is no longer what was loaded.
    """
    try:
        return BlockModel(functions, others, sites, signature, call)
    except Unread as why:
        return PythonModel(functions, others, modules, sites, signature, call, str(why))


class BlockModel:
    """A function of numbers, as blocks.

    Args:
        functions: whose conditions are the sites, in the order in which these were numbered; the first one is called.
        others: of the modules.
        sites: of the subject.
        signature: its parameters.
        call: how it is called.

    Attributes:
        entry: the block that runs begin with.
        blocks: all that there are.

    Raises:
        Unread: it is not of the numeric subset; says why.
        Unreadable: the source is no longer what was loaded.
    """

    def __init__(self, functions: Sequence[LocatedFunction], others: Sequence[LocatedFunction], sites: Sequence[Site],
                 signature: PythonSignature, call: Call) -> None:  # fmt: skip
        if call.spread is not None or call.function is not functions[0].function:
            raise Unread("it is called through a wrapper, or takes *args")
        self._inputs = Inputs(signature.parameters)
        self._machine = Machine(codes_of([*functions, *others], len(functions), sites))
        terms = self._inputs.terms()
        given = [value_of(parameter.shape, terms) for parameter in signature.parameters]
        edge = entered(self._machine, functions[0].function, given, call)
        self.entry, self._start = edge.to, edge.values
        self.blocks = self._machine.blocks
        self._compositions = Compositions()

    def inputs(self, words: Words) -> dict[str, Any]:
        """The values of the variables that words stand for."""
        return self._inputs.values(words)

    def words(self, inputs: Mapping[str, object]) -> Words:
        """The words of values of all the variables."""
        return self._inputs.words(inputs)

    @property
    def _is_current(self) -> bool:
        """Whether the names that are read still stand for what they did."""
        return all(names.get(name, getattr(builtins, name, None)) is value
                   for (_, name), (names, value) in self._machine.names.items())  # fmt: skip

    def along(self, words: Words, execution: Execution) -> PathCondition:
        """The path condition of a run.

        Raises:
            Left: the code, as it is read, does not go where the run went.
        """
        if not self._is_current:
            raise Left("a name stands for something else than when it was read")
        recording = Recording(self.inputs(words), self._inputs.ranges(), execution.decisions, execution.truncated)
        try:
            self._follow(recording)
        except Stop:
            pass  # the recording knows why
        finally:
            recording.over()
        return recording.path()

    def _follow(self, recording: Recording) -> None:
        block: Block | None = self.entry
        state = self._start
        while block is not None:
            recording.burn()
            recording.stack = block.stack
            if len(block.stack) > DEEPEST:
                raise recording.stop(f"calls are nested more than {DEEPEST} deep")
            composed = self._compositions.of(block, state)
            for guard, condition in zip(block.guards, composed.guards, strict=True):
                if recording.fails(condition, guard.why, guard.place):
                    return
            decision, way = block.decision, 0
            if decision is not None:
                holds = bool(recording.value(composed.condition))
                way = not holds
                if decision.site >= 0:
                    recording.decide(decision.site, composed.condition, holds, composed.left, composed.right)
                else:
                    recording.choose(composed.condition, holds, decision.why, decision.place)
            edge = block.edges[way] if block.edges else None
            if edge is None:
                return
            block, state = edge.to, composed.after(way)


def entered(machine: Machine, function: FunctionType, given: Sequence[BlockValue], call: Call) -> Edge:
    """The way into a function, called with values of its parameters."""
    split = len(given) - len(call.names)
    return machine.entry(function, given[:split], dict(zip(call.names, given[split:], strict=True)))


def codes_of(placed: Sequence[LocatedFunction], chosen: int, sites: Sequence[Site]) -> dict[Any, Code]:
    """The code of each function."""
    nodes = {file: source.nodes() for file, source in ModuleSource.again(placed).items()}
    try:
        again = read_again(placed, nodes)
    except KeyError:
        raise Unreadable("its source changed after it was loaded") from None
    flow = Flow(again[:chosen])
    if flow.sites != list(sites):
        raise Unreadable("its source changed after it was loaded")
    places, codes = count(1), dict[object, Code]()
    for one, described in zip(placed, again, strict=True):
        code = codes[one.function] = Lowering(described, flow.numbers, places).code
        for part in code.whole:
            part.globals = one.function.__globals__
    return codes


def value_of(shape: Shape, terms: Iterator[Term]) -> BlockValue:
    """A parameter of this shape."""
    for known, type_ in ((Float, DOUBLE), (Int, WHOLE), (Bool, TRUTH)):
        if type(shape) is known:
            return Typed(next(terms), type_)
    if type(shape) is FixedTuple:
        return Items(tuple(value_of(part, terms) for part in shape.shapes))
    if type(shape) is NoneShape:
        return NONE
    raise Unread(f"a parameter of type {shape.type}")
