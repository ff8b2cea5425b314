"""How a Python subject is loaded."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PythonOptions:
    """How to load a Python subject.

    Attributes:
        types: ``x: float, n: int`` for parameters without annotation.
        include: further modules whose functions are instrumented when the target calls them.
        callees: instrument the functions that the target calls, too.
        fuel: loop iterations and calls that one run may take before it counts as hung.
        native: compile the function when that pays.
        expects: some exceptions are expected, which native code does not tell from others.
        line: of the target's file, which is a site to be reached; 0: none.
        boundary: the boundaries of comparisons are sites.
        guess: how many guesses of parameters' types did not do.
        ahead: runs write down what tells, at a condition, what lies ahead of it.
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

    @property
    def why_interpreted(self) -> str:
        """Why no native code is made; empty if it may be."""
        if not self.native:
            return "native code is not wanted"
        return "native code does not tell exceptions that are expected from others" if self.expects else ""
