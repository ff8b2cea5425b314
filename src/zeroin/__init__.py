"""zeroin finds test inputs for numerical code in C, C++ and Python.

This module is the public interface; its names are imported from the modules below on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import lazily

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .config import Budget, Options
    from .errors import ZeroinError
    from .generate.domain import domain_of
    from .languages.c.language import CTarget
    from .languages.c.options import LlvmOptions
    from .languages.c.run.engine import LlvmSubject
    from .languages.python.language import PythonTarget
    from .languages.python.options import PythonOptions
    from .languages.python.run.engine import PythonSubject
    from .marks import defer, prefer
    from .minimize import Domain, Door, random_state
    from .notebook import cover
    from .objective.base import Objective
    from .solvers import solve
    from .subject.base import Target
    from .suite.suite import COVERED, INFEASIBLE, UNDECIDED, Suite
    from .worker.parent import cover_all, show, targets_of
    from .worker.worker import Worker

    Sandbox = Worker

__all__ = ["COVERED", "INFEASIBLE", "UNDECIDED", "Budget", "CTarget", "Domain", "Door", "LlvmOptions", "LlvmSubject",
           "Objective", "Options", "PythonOptions", "PythonSubject", "PythonTarget", "Sandbox", "Suite", "Target",
           "Worker", "ZeroinError", "__version__", "cover", "cover_all", "defer", "domain_of", "prefer", "random_state",
           "show", "solve", "targets_of"]  # fmt: skip

# Imported on first use, so that ``import zeroin`` alone loads neither NumPy nor a compiler.
__getattr__ = lazily(__name__, {
    "Budget": "config", "Options": "config", "ZeroinError": "errors", "Domain": "minimize", "Door": "minimize",
    "random_state": "minimize", "domain_of": "generate.domain", "Objective": "objective.base",
    "defer": "marks", "prefer": "marks",
    "LlvmOptions": "languages.c.options", "LlvmSubject": "languages.c.run.engine",
    "PythonOptions": "languages.python.options", "PythonSubject": "languages.python.run.engine",
    "cover": "notebook", "cover_all": "worker.parent", "show": "worker.parent", "targets_of": "worker.parent",
    "Worker": "worker.worker", "Sandbox": "worker.worker:Worker",  # its name before 0.2
    "solve": "solvers", "Suite": "suite.suite", "COVERED": "suite.suite",
    "INFEASIBLE": "suite.suite", "UNDECIDED": "suite.suite", "Target": "subject.base",
    "CTarget": "languages.c.language", "PythonTarget": "languages.python.language",
})  # fmt: skip
