"""zeroin finds the test inputs that numerical code needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .config import Budget, Options
    from .errors import ZeroinError
    from .minimize import Domain, Door, random_state
    from .objective.base import Objective
    from .subject.llvm.engine import LlvmOptions, LlvmSubject
    from .suite.cover import cover
    from .suite.suite import Suite, Target

__all__ = ["Budget", "Domain", "Door", "LlvmOptions", "LlvmSubject", "Objective", "Options", "Suite", "Target",
           "ZeroinError", "__version__", "cover", "random_state"]  # fmt: skip

_HOMES = {
    "Budget": "config", "Options": "config", "ZeroinError": "errors", "Domain": "minimize", "Door": "minimize",
    "random_state": "minimize", "Objective": "objective.base",
    "LlvmOptions": "subject.llvm.engine", "LlvmSubject": "subject.llvm.engine",
    "cover": "suite.cover", "Suite": "suite.suite", "Target": "suite.suite",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import on first use: ``import zeroin`` alone loads neither NumPy nor a compiler."""
    if name not in _HOMES:
        raise AttributeError(f"module 'zeroin' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"zeroin.{_HOMES[name]}"), name)
