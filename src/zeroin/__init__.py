"""zeroin finds the test inputs that numerical code needs."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .config import Budget, Options
    from .errors import ZeroinError
    from .minimize import Domain, Door, random_state
    from .objective.base import Objective
    from .solve import solve
    from .subject.llvm.engine import LlvmSubject
    from .subject.llvm.options import LlvmOptions
    from .subject.python.engine import PythonSubject
    from .subject.python.options import PythonOptions
    from .suite.cover import cover
    from .suite.suite import Suite, Target

__all__ = ["Budget", "Domain", "Door", "LlvmOptions", "LlvmSubject", "Objective", "Options", "PythonOptions",
           "PythonSubject", "Suite", "Target", "ZeroinError", "__version__", "cover", "random_state",
           "solve"]  # fmt: skip

_HOMES = {
    "Budget": "config", "Options": "config", "ZeroinError": "errors", "Domain": "minimize", "Door": "minimize",
    "random_state": "minimize", "Objective": "objective.base",
    "LlvmOptions": "subject.llvm.options", "LlvmSubject": "subject.llvm.engine",
    "PythonOptions": "subject.python.options", "PythonSubject": "subject.python.engine",
    "cover": "suite.cover", "Suite": "suite.suite", "Target": "suite.suite",
}  # fmt: skip


class _Called(ModuleType):
    """The package ``zeroin.solve``, which is the function ``solve``, too."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self.solve(*args, **options)


class _Package(ModuleType):
    def __setattr__(self, name: str, value: Any) -> None:
        if name == "solve" and isinstance(value, ModuleType):  # the import system puts the package here
            value.__class__ = _Called
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    """Import on first use: ``import zeroin`` alone loads neither NumPy nor a compiler."""
    from importlib import import_module

    if name == "solve":
        return import_module("zeroin.solve")
    if name not in _HOMES:
        raise AttributeError(f"module 'zeroin' has no attribute {name!r}")
    return getattr(import_module(f"zeroin.{_HOMES[name]}"), name)
