"""What the drivers share; they run under other Pythons, so this needs nothing but the standard library."""

from __future__ import annotations

import ast
import dataclasses
import enum
import importlib
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

Arc = tuple[int, int]


def load(path: str) -> tuple[dict[str, Any], Callable[..., object]]:
    """The job and its function."""
    job = json.loads(Path(path).read_text())
    source = Path(job["source"])
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(source.parent))
    return job, getattr(importlib.import_module(source.stem), job["function"])


def expression(value: object) -> str:
    """Python text that evaluates to the value; floats that are no numbers are called ``nan`` and ``inf``."""
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if isinstance(value, list):
        return f"[{', '.join(map(expression, value))}]"
    if dataclasses.is_dataclass(value):
        parts = (expression(getattr(value, field.name)) for field in dataclasses.fields(value))
        return f"{type(value).__name__}({', '.join(parts)})"
    return repr(value)


def call_text(function: str, arguments: list[object]) -> str:
    """The call as Python text."""
    return f"{function}({', '.join(map(expression, arguments))})"


class Tracer:
    """Collects the branches that calls of one function take, numbered as coverage.py does."""

    def __init__(self, function: Callable[..., object], source: str, branches: list[list[int]]) -> None:
        self._code = function.__code__
        self._exit = -self._code.co_firstlineno
        self._first = _first_lines(source)
        self._branches = {(line, to) for line, to in branches}
        self._line = 0
        self._taken: set[Arc] = set()
        self.covered: set[Arc] = set()

    @property
    def complete(self) -> bool:
        return self.covered == self._branches

    def run(self, call: Callable[[], object]) -> bool:
        """Whether the call took a new branch; what it raises is ignored."""
        self._taken.clear()
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            call()
        except Exception:
            pass
        finally:
            sys.settrace(before)
        new = (self._taken & self._branches) - self.covered
        self.covered |= new
        return bool(new)

    def _enter(self, frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code is not self._code:
            return None
        self._line = 0
        return self._step

    def _step(self, frame: FrameType, event: str, argument: object) -> Any:
        if event in ("line", "return"):
            line = self._exit if event == "return" else self._first.get(frame.f_lineno, frame.f_lineno)
            self._taken.add((self._line, line))
            self._line = line
        return self._step


def _first_lines(source: str) -> dict[int, int]:
    """Where the statement on each line begins: coverage.py counts a statement as one line."""
    result = {}
    for node in ast.walk(ast.parse(Path(source).read_text())):
        if isinstance(node, ast.stmt):
            end = node.end_lineno or node.lineno
            if isinstance(node, ast.Match):
                end = node.cases[0].pattern.lineno - 1
            elif hasattr(node, "body"):
                end = node.body[0].lineno - 1
            result.update(dict.fromkeys(range(node.lineno, end + 1), node.lineno))
    return result
