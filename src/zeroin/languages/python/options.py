"""The options of a Python subject."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PythonOptions:
    """How to load a Python subject, the function under test.

    Attributes:
        types: the types of parameters, as ``x: float, n: int``; they override annotations. Empty: none are given.
        include: names of further modules; their functions are instrumented when the target calls them.
        callees: whether the functions that the target calls are instrumented, too.
        fuel: how many loop iterations and calls one run may take; a run that needs more counts as hung.
        native: whether the function may be compiled to native code.
        expects: whether the user expects some exceptions. Native code can not distinguish these from others.
        line: a line of the target's file, from 1, that is a goal, so that it gets a probe; 0 for none.
        boundary: whether the boundaries of comparisons get probes (``a == b`` and the values next to it). If so,
            ``line`` has no effect.
        find: the kinds of faults that get probes, of :data:`zeroin.config.FAULTS`.
        guess: how many guesses of the parameters' types failed before; each guess allows more types than the last.
        rooms: numbers of items or characters for lists, strings and the like, by parameter.
        ahead: whether runs record variables at each condition, for the look-ahead of the enhanced fitness.
        ahead_as_paper: whether to use the look-ahead conditions as Baars et al. state them, without simplification.
    """

    types: str = ""
    include: tuple[str, ...] = ()
    callees: bool = True
    fuel: int = 1_000_000
    native: bool = True
    expects: bool = False
    line: int = 0
    boundary: bool = False
    ahead: bool = False
    guess: int = 0
    rooms: tuple[tuple[str, int], ...] = ()
    ahead_as_paper: bool = False
    find: tuple[str, ...] = ()

    @property
    def why_interpreted(self) -> str:
        """The reason not to make native code; empty if native code is allowed."""
        if not self.native:
            return "of --no-native"
        return "--expect needs the interpreter" if self.expects else ""
