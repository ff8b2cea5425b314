"""A mutant: one operator or constant of a source file replaced by another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# What an operator is replaced by: one that computes something near, and for comparisons the next one and the contrary.
OPERATORS: dict[str, tuple[str, ...]] = {
    "+": ("-", "*"),
    "-": ("+",),
    "*": ("/", "+"),
    "/": ("*",),
    "//": ("*",),
    "%": ("*",),
    "**": ("*",),
    "<<": (">>",),
    ">>": ("<<",),
    "&": ("|", "^"),
    "|": ("&", "^"),
    "^": ("&", "|"),
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=", "<=", ">="),
    "!=": ("==",),
    "&&": ("||",),
    "||": ("&&",),
    "and": ("or",),
    "or": ("and",),
    "is": ("is not",),
    "is not": ("is",),
    "in": ("not in",),
    "not in": ("in",),
    "++": ("--",),
    "--": ("++",),
}


@dataclass(frozen=True, order=True)
class Mutant:
    """One change.

    Attributes:
        start: of what is replaced, in bytes from the beginning of the file.
        end: behind it.
        new: what takes its place.
        old: what stood there.
        line: of the file, from 1.
        column: from 1, in bytes.
    """

    start: int
    end: int
    new: str
    old: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column} {self.old} -> {self.new or 'nothing'}"

    def applied(self, source: bytes) -> bytes:
        """The file with the change."""
        return source[: self.start] + self.new.encode() + source[self.end :]


def mutant(source: bytes, start: int, end: int, new: str) -> Mutant:
    """The mutant that has ``new`` in the place of these bytes."""
    line = source.count(b"\n", 0, start) + 1
    column = start - (source.rfind(b"\n", 0, start) + 1) + 1
    return Mutant(start, end, new, source[start:end].decode(errors="replace"), line, column)


def replaced(operator: str) -> tuple[str, ...]:
    """What stands for an operator in its mutants; that of ``+=`` follows that of ``+``."""
    if operator.endswith("=") and operator not in OPERATORS:
        return tuple(f"{new}=" for new in OPERATORS.get(operator[:-1], ())[:1])
    return OPERATORS.get(operator, ())


def integers(n: int) -> Iterator[int]:
    """What stands for an integer in its mutants; negative ones have a sign of their own."""
    yield from (other for other in dict.fromkeys((n + 1, n - 1, 0, 1)) if other != n)


def floats(x: float) -> Iterator[float]:
    """What stands for a float in its mutants."""
    yield from (other for other in dict.fromkeys((x + 1.0, 0.0, -x, 1.5 * x)) if other != x)


def spread(mutants: Sequence[Mutant], most: int) -> list[Mutant]:
    """At most so many of them, evenly spread over the source."""
    if len(mutants) <= most:
        return list(mutants)
    return [mutants[i * len(mutants) // most] for i in range(most)]
