"""What is read of a Python subject: its model, and what every input satisfies that takes a branch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from ....subject.base import Words
from ..front.changed_variables import Changes, shown_value, variables_in
from ..front.code import CodeSwap, LocatedFunction
from ..front.inference.guesses import MOST
from ..front.modules import Module
from ..front.signature import Call, PythonSignature
from ..options import PythonOptions
from ..run.input_to_state import InputToStateSubject
from ..values.lengths import longer

if TYPE_CHECKING:
    from ....model.reach import ReachCondition
    from ....term.core.nodes import Term
    from .blocks.model import BlockModel
    from .blocks.reach import Reach
    from .values.model import PythonModel


class ReadSubject(InputToStateSubject):
    """A Python subject that is read when somebody asks."""

    options: PythonOptions
    home: Module
    signature: PythonSignature
    call: Call
    _code: CodeSwap
    _chosen: list[LocatedFunction]
    _others: list[LocatedFunction]
    _called_first: Sequence[LocatedFunction]
    _modules: Sequence[Module]
    _no_proofs = ""  # why nothing is proved

    @cached_property
    def model(self) -> BlockModel | PythonModel:
        """The function as terms: of the numeric subset from its syntax tree, else by values that carry terms."""
        from .blocks.model import read

        self._code.use(False)
        return read(self._chosen, self._others, self._modules, self.sites, self.signature, self.call)

    @cached_property
    def _read(self) -> Reach:
        """All that its sites evaluate, whatever the input.

        Raises:
            Unreadable: nothing is proved.
        """
        from ....model.memory import Unreadable
        from .blocks.reach import Reach

        if self._no_proofs:
            raise Unreadable(self._no_proofs)
        signature, call = self.signature.alone, self.call.alone
        is_narrowed = self.assumed is not None
        try:
            first = [one.function for one in self._called_first]
            return Reach(self._chosen, self._others, self.sites, signature, call, self._changes, first, is_narrowed)
        except Unreadable as error:
            self._no_proofs = str(error)  # each outcome is asked about
            raise

    def _reach(self, outcome: int) -> ReachCondition:
        self._prepare_run()  # proofs look at what variables hold after import
        return self._read.reach(outcome)

    def words_with(self, inputs: Mapping[str, object]) -> Words:
        """Words for the inputs; without inputs for setters, no setter is called first."""
        from .values.inputs import Inputs

        own = len(self.signature.alone.parameters)
        return self.model.words({**Inputs(self.signature.parameters[own:]).plain(), **inputs})

    def with_more_room(self, constraints: Sequence[Term]) -> tuple[Sequence[Term], tuple[tuple[str, int], ...]]:
        from ....term.core.traversal import variables
        from .values.inputs import length_of

        used, rooms = set(variables(constraints)), dict(self.options.rooms)
        limits: dict[Term | None, Term | None] = {}
        for parameter in self.signature.parameters:
            found = longer(parameter.shape)
            if found is not None and (length := length_of(parameter)).term in used:
                rooms[parameter.name], most = found
                limits[length.range] = replace(length, high=most).range
        if not limits:
            return constraints, ()
        return [limits.get(one) or one for one in constraints], tuple(rooms.items())

    def why_open(self, outcome: int) -> str:
        if outcome >> 1 >= len(self.sites):  # a path as a whole
            return ""
        site = self.sites[outcome >> 1]
        functions = [one.function for one in self._chosen if one.described.name == site.function]
        for name, namespace, value in variables_in(site.condition, functions):
            if who := self._changes.who(namespace, name):
                return f"{name} is {shown_value(value)} in these runs, and may be changed by {who}"
        return ""

    @cached_property
    def _changes(self) -> Changes:
        return Changes(self.home)

    @property
    def guesses(self) -> str:
        return self.signature.unsaid

    @property
    def further_guess(self) -> int:
        return 0 if not self.guesses or self.options.guess == MOST else self.options.guess + 1
