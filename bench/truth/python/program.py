"""What a random program is: its text, its function, and values that stand for all that its parameters may be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Parameter:
    """One parameter.

    Attributes:
        name: as in the source.
        annotation: empty where the source has none.
        values: sources of values that stand for all that are accepted, as far as the program can tell them apart; an
            empty one: the argument is left out.
        default: source; empty where it has none.
        shared: the same text in parameters that may be handed one and the same object; empty for values that nobody can
            tell from equal ones.
    """

    name: str
    annotation: str
    values: tuple[str, ...]
    default: str = ""
    shared: str = ""

    @property
    def text(self) -> str:
        annotated = f"{self.name}: {self.annotation}" if self.annotation else self.name
        if not self.default:
            return annotated
        return f"{annotated} = {self.default}" if self.annotation else f"{annotated}={self.default}"


@dataclass(frozen=True)
class PythonProgram:
    """One program: a function and what it needs, all with names of its own, so that several can share a module.

    Attributes:
        name: of the function.
        text: source, without imports.
        parameters: of the function.
        features: what it has that real code has.
        before: sources of calls that may come before a call of the function, such as of a setter.
        stateful: calls may leave something behind for the next one.
        assume: what the user says of the inputs; the parameters' values are as it says.
    """

    name: str
    text: str
    parameters: tuple[Parameter, ...]
    features: tuple[str, ...]
    before: tuple[str, ...] = ()
    stateful: bool = False
    assume: str = ""


IMPORTS = """\
import bisect
import enum
import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Optional, Union
"""


def module_of(programs: list[PythonProgram]) -> tuple[str, list[int]]:
    """The source of a module with all of them, and how many lines stand before each program's own."""
    text, starts = IMPORTS, list[int]()
    for program in programs:
        text += "\n\n"
        starts.append(text.count("\n"))
        text += program.text
    return text, starts
