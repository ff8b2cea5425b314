"""Which engine runs the subject: the interpreter at first, then native code, as long as both agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..probes import functions as probes
from ..probes.probing import Probing
from .check import NotNative

# Runs in the interpreter before compiling is worth its time, and runs that native code may get wrong.
_FIRST_RUNS, _MOST_WRONG = 100_000, 10
_MOST_LEAKS = 2_000_000  # native runs that raise, each of which may lose some hundred bytes


class EngineChoice:
    """Chooses the engine.

    Args:
        probing: the interpreter's side.
        compile_: makes the native function, an object with an ``address``; raises :class:`NotNative`.
        allowed: whether native code may be used at all.

    Attributes:
        wrong: runs that native code and CPython disagreed about.
    """

    def __init__(self, probing: Probing, compile_: Callable[[], Any], allowed: bool = True) -> None:
        self._probing, self._compile = probing, compile_
        self._native: Any = None
        self._trusted = True
        self._reason = "" if allowed else "native code is not wanted"
        self.wrong = self.checked = 0

    @property
    def is_native(self) -> bool:
        return self._native is not None and self._trusted

    def address(self) -> int:
        """Of the objective of the engine in use; compiles the native one when it is time to."""
        if self._native is None and not self._reason and self._probing.state[probes.RUNS] >= _FIRST_RUNS:
            try:
                self._native = self._compile()
                self._probing.state[probes.TELL] = _MOST_WRONG
            except NotNative as error:
                self._reason = f"Numba can not compile it ({error})"
        if self.is_native and self._probing.state[probes.LEAKS] > _MOST_LEAKS:
            self._trusted, self._reason = False, "it raises so often that native code would run out of memory"
        return int(self._native.address) if self.is_native else self._probing.address

    @property
    def native_address(self) -> int:
        return int(self._native.address)

    def agree(self, alike: bool) -> None:
        """Count a comparison of both engines; too many differences end the use of native code."""
        self.checked += 1
        self.wrong += not alike
        if self.wrong > _MOST_WRONG:
            self._trusted = False  # but kept: its code may be in use
            self._reason = f"native runs differed from CPython's for {self.wrong} of {self.checked} inputs checked"

    def __str__(self) -> str:
        if self.is_native:
            return "native" + (f", {self.wrong} of {self.checked} inputs checked differ" if self.wrong else "")
        runs = f"{_FIRST_RUNS:,}"
        return f"interpreted, because {self._reason or f'fewer than {runs} runs were needed'}"
