"""A Python function that is read: the path condition of a run."""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping, Sequence

from .....model.memory import Unreadable
from .....model.path import PathCondition
from .....subject.base import Execution, Site, Words
from ...front.code import CodeSwap, LocatedFunction, ModuleSource, read_again, with_probes
from ...front.modules import Module, resolve
from ...front.signature import Call, PythonSignature
from ...run.probes.control_flow import Flow
from ...run.probes.source import Function
from .calls import Caller
from .inputs import Inputs
from .probes import Probes
from .recording import DEEPEST, Recording
from .rewrite import ReadingRewriter


class PythonModel:
    """A Python function, read. To be made while its functions run their plain code.

    Args:
        functions: whose conditions are the sites, in the order in which these were numbered.
        others: of the modules.
        modules: whose functions these are.
        sites: of the subject.
        signature: its parameters.
        call: how it is called.
        not_in_blocks: why it is not of the numeric subset.

    Raises:
        Unreadable: the source is no longer what was loaded.
    """

    def __init__(
        self,
        functions: Sequence[LocatedFunction],
        others: Sequence[LocatedFunction],
        modules: Sequence[Module],
        sites: Sequence[Site],
        signature: PythonSignature,
        call: Call,
        not_in_blocks: str = "",
    ) -> None:
        self.not_in_blocks = not_in_blocks
        self._inputs, self._call = Inputs(signature.parameters), call
        placed = [*functions, *others]
        sources = ModuleSource.again(placed)
        self._caller = Caller(set(sources), {module.name for module in modules} | {m.module.__name__ for m in modules})
        self._probes = Probes(sites, self._caller)
        nodes = {file: source.nodes() for file, source in sources.items()}
        try:
            again = read_again(placed, nodes)
        except KeyError:
            raise Unreadable("its source changed after it was loaded") from None
        flow = Flow(again[: len(functions)])
        if flow.sites != list(sites):
            raise Unreadable("its source changed after it was loaded")
        rewriter = ReadingRewriter(flow.numbers)
        inner = {id(node) for described in again for node in _inside(described)}
        for node in {id(described.node): described.node for described in again}.values():  # functions may share one
            if id(node) not in inner:
                rewriter.function(node)
        self._probes.literal = rewriter.literal
        codes = {file: source.compile() for file, source in sources.items()}
        self._code = CodeSwap([(p.function, with_probes(codes[p.described.source.file][p.key], self._probes.probe))
                               for p in placed])  # fmt: skip

    def inputs(self, words: Words) -> dict[str, float]:
        """The values of the variables that words stand for."""
        return self._inputs.values(words)

    def words(self, inputs: Mapping[str, object]) -> Words:
        """The words of values of all the variables."""
        return self._inputs.words(inputs)

    def along(self, words: Words, execution: Execution) -> PathCondition:
        """The path condition of a run, which is made again with values that carry terms.

        Raises:
            Left: it does not go where the run went.
        """
        recording = Recording(self.inputs(words), self._inputs.ranges(), execution.decisions, execution.truncated)
        self._caller.recording = recording
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(limit + 10 * DEEPEST)
        self._code.use(True)
        try:
            self._call(self._inputs.arguments(recording, words, resolve))
        except BaseException as error:  # however it ends, up to there it has been followed
            _forget(error)
        finally:
            self._code.use(False)
            sys.setrecursionlimit(limit)
            recording.over()
        return recording.path()


def _forget(error: BaseException) -> None:
    """Let go of the frames of a run, and of the values in them."""
    error.__traceback__ = None


def _inside(function: Function) -> list[object]:
    """The functions inside of a function."""
    return [node for node in ast.walk(function.node) if node is not function.node]
