"""zeroin finds the test inputs that numerical code needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .config import Budget, Options
    from .errors import ZeroinError
    from .minimize import Domain, Door, random_state
    from .objective.base import Objective
    from .solvers import solve
    from .subject.base import Target
    from .subject.llvm.engine import LlvmSubject
    from .subject.llvm.options import LlvmOptions
    from .subject.python.engine import PythonSubject
    from .subject.python.options import PythonOptions
    from .suite.suite import Suite
    from .worker.parent import cover

__all__ = ["Budget", "Domain", "Door", "LlvmOptions", "LlvmSubject", "Objective", "Options", "PythonOptions",
           "PythonSubject", "Suite", "Target", "ZeroinError", "__version__", "cover", "random_state",
           "solve"]  # fmt: skip

_HOMES = {
    "Budget": "config", "Options": "config", "ZeroinError": "errors", "Domain": "minimize", "Door": "minimize",
    "random_state": "minimize", "Objective": "objective.base",
    "LlvmOptions": "subject.llvm.options", "LlvmSubject": "subject.llvm.engine",
    "PythonOptions": "subject.python.options", "PythonSubject": "subject.python.engine",
    "cover": "worker.parent", "solve": "solvers", "Suite": "suite.suite", "Target": "subject.base",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import on first use: ``import zeroin`` alone loads neither NumPy nor a compiler."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'zeroin' has no attribute {name!r}")
    return getattr(import_module(f"zeroin.{_HOMES[name]}"), name)
