"""How a Python subject runs: in the interpreter at first, then as native code, as long as both agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ....subject.base import WordArray
from .native.check import NotNative
from .probes import cells as probes

# Runs in the interpreter before compiling is worth its time, and runs that native code may get wrong.
_FIRST_RUNS, _MOST_WRONG = 100_000, 10
_MOST_LEAKS = 2_000_000  # native runs that raise, each of which may lose some hundred bytes


@dataclass(frozen=True)
class Engine:
    """One way to run a subject.

    Attributes:
        name: for the report.
        address: of ``double objective(const int64_t *words)``, one run.
        slow: a run takes a microsecond or more.
        owner: what the address is valid as long as.
    """

    name: str
    address: int
    slow: bool
    owner: object


class EngineChoice:
    """Chooses the engine.

    Args:
        interpreted: what is used at first.
        cells: of the probes.
        compile_: makes the native engine; raises :class:`NotNative`.
        why_not: native code may be used at all; empty if it may.

    Attributes:
        native: the native engine, once there is one.
        wrong: runs that native code and CPython disagreed about.
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
        """The engine for the next slice of a search; makes the native one when it is time to."""
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
        """Count a comparison of both engines; too many differences end the use of native code."""
        self.checked += 1
        self.wrong += not alike
        if self.wrong > _MOST_WRONG:
            self._trusted = False  # but kept: its code may be in use
            self._reason = f"native runs differed from CPython's for {self.wrong} of {self.checked} inputs checked"

    def __str__(self) -> str:
        if self.current is self.native:
            return self.native.name + (f", {self.wrong} of {self.checked} inputs checked differ" if self.wrong else "")
        runs = f"{_FIRST_RUNS:,}"
        return f"{self.current.name}, because {self._reason or f'fewer than {runs} runs were needed'}"
