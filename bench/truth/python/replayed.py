"""Inputs that zeroin found, run in the twin of their module."""

from __future__ import annotations

import contextlib
import importlib
import sys
import types
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from zeroin import Suite
from zeroin.languages.python.front.signature import SetterParameter
from zeroin.languages.python.replay import PythonReplay
from zeroin.languages.python.values.missing import MISSING
from zeroin.languages.python.values.object_uses import Step

from .twin import Decision, Twin


class Replayer:
    """Runs the inputs of suites of a module, each as the first call after import."""

    def __init__(self, text: str, name: str) -> None:
        self._twin = Twin(text, name)
        self._name = name

    def runs(self, suite: Suite) -> Iterator[tuple[str, set[Decision], list[Decision]]]:
        """For each input that can be made again: its call, what zeroin says it takes, the decisions of its run."""
        names = {one.outcome: ((one.site.line, one.site.condition), one.label == "true") for one in suite.branches
                 if one.site.form != "path"}  # fmt: skip
        for kept in suite.inputs:
            replay = kept.replay
            assert isinstance(replay, PythonReplay)
            if not all(value.has_source for value in replay.arguments):
                continue
            module = self._twin.fresh()
            given, first = dict[str, Any](), list[Step]()
            for parameter, value in zip(suite.signature.parameters, replay.arguments, strict=True):
                is_other = value.form == "shared"  # the object that the parameter of this name has, too
                made = given[value.data] if is_other else value.build(partial(self._resolve, module))
                if isinstance(parameter, SetterParameter):
                    first += [made] * (made is not MISSING)
                else:
                    given[parameter.name] = made
            trace = self._run(module, suite.target.function, given, first)
            claimed = {names[outcome] for outcome in kept.covered if outcome in names}
            yield suite.signature.show(kept.words), claimed, trace

    def _run(self, module: types.ModuleType, function: str, given: dict[str, Any],
             first: Sequence[Step]) -> list[Decision]:  # fmt: skip
        self._twin.trace.clear()
        for step in first:
            step.in_module(module)
        with contextlib.suppress(Exception):  # which is an end like any other
            vars(module)[function](**{name: value for name, value in given.items() if value is not MISSING})
        return self._twin.decisions()

    def _resolve(self, module: types.ModuleType, path: str) -> Any:
        """What ``module:Qual.Name`` names; the module under test is the twin."""
        where, _, name = path.partition(":")
        found: Any = module if where == self._name else sys.modules.get(where) or importlib.import_module(where)
        for part in name.split("."):
            found = getattr(found, part)
        return found
