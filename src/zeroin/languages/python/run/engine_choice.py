"""The choice between the interpreter and native code.

A Python subject first runs in the interpreter, and then as native code, as long as both behave the same. The choice is
made for each slice of a search (a number of evaluations spent on one search problem).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ....subject.base import WordArray
from .native.check import NotNative
from .probes import cells as probes

# Runs in the interpreter before compilation pays, and native runs that may differ from CPython's.
_FIRST_RUNS, _MOST_WRONG = 100_000, 10
_MOST_LEAKS = 2_000_000  # native runs that may raise: each of them may leak some hundred bytes


@dataclass(frozen=True)
class Engine:
    """One way to run a subject.

    Attributes:
        name: its name in the report.
        address: the address of ``double objective(const int64_t *words)``, which makes one run.
        slow: whether a run takes a microsecond or more.
        owner: the object that keeps the code at the address alive.
    """

    name: str
    address: int
    slow: bool
    owner: object


class EngineChoice:
    """Chooses the engine of each slice of a search.

    Args:
        interpreted: the engine to begin with.
        cells: the state of the probes, see ``probes/cells.py``. A compilation sets ``TELL`` in it.
        compile_: makes the native engine, or raises :class:`NotNative`.
        why_not: the reason not to use native code; empty if it may be used.

    Attributes:
        native: the native engine; None before it is compiled.
        checked: the number of inputs that both engines ran for comparison.
        wrong: the number of these for which native code and CPython behaved differently.
    """

    def __init__(self, interpreted: Engine, cells: WordArray, compile_: Callable[[], Engine],
                 why_not: str = "") -> None:  # fmt: skip
        self.interpreted, self._cells, self._compile = interpreted, cells, compile_
        self.native: Engine | None = None
        self._trusted = True
        self._reason = why_not
        self.wrong = self.checked = 0

    @property
    def current(self) -> Engine:
        """The engine in use."""
        return self.native if self.native is not None and self._trusted else self.interpreted

    def next(self) -> Engine:
        """Return the engine for the next slice of a search. Compile the native one after 100,000 interpreted runs.

        A compilation that fails is not tried again. If too many native runs raise, the interpreter is used for good.
        """
        if self.native is None and not self._reason and self._cells[probes.RUNS] >= _FIRST_RUNS:
            try:
                self.native = self._compile()
                self._cells[probes.TELL] = _MOST_WRONG
            except NotNative as error:
                self._reason = f"Numba can not compile it ({error})"
        if self.current is self.native and self._cells[probes.LEAKS] > _MOST_LEAKS:
            self._trusted, self._reason = False, "it raises so often that native code would run out of memory"
        return self.current

    def agree(self, alike: bool) -> None:
        """Count a comparison of both engines. After more than 10 differences, native code is no longer used.

        Args:
            alike: whether both engines behaved the same.
        """
        self.checked += 1
        self.wrong += not alike
        if self.wrong > _MOST_WRONG:
            self._trusted = False  # ``native`` stays: the current slice may still call its code
            self._reason = f"native runs differed from CPython's for {self.wrong} of {self.checked} inputs checked"

    def __str__(self) -> str:
        if self.current is self.native:
            return self.native.name + (f", {self.wrong} of {self.checked} inputs checked differ" if self.wrong else "")
        runs = f"{_FIRST_RUNS:,}"
        return f"{self.current.name}, because {self._reason or f'fewer than {runs} runs were needed'}"
