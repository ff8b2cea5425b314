"""The exceptions zeroin raises, one tree.

ZeroinError                  anything that stops a request; its message is one line that says what to do
├── OptionError              an option has a value that makes no sense (a NaN budget, an unknown minimizer)
├── TargetError              the target can not be found: no such file, no such function
│   ├── NoFunctions          a module defines no function that can be tested
│   └── MissingSymbol        a function that the target calls is defined nowhere
├── CompileError             the compiler refused the source; carries the compiler's own message
├── UnsupportedParameter     a parameter's type is one that zeroin can not drive
├── OutputError              what was found can not be written to the place that was named
├── MissingDependency        an optional package is needed and not installed
└── WorkerDied               the process that runs the subject ended and could not be restarted
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class ZeroinError(Exception):
    """Base of every error zeroin raises on purpose."""


class OptionError(ZeroinError):
    """An option's value can not be used."""


class TargetError(ZeroinError):
    """The thing to test can not be found."""


class NoFunctions(TargetError):
    """A module, or a file, defines no function that can be tested.

    Attributes:
        skipped: what it has (:class:`zeroin.subject.language.Skipped`).
    """

    def __init__(self, message: str, skipped: Sequence[Any] = ()) -> None:
        super().__init__(message)
        self.skipped = list(skipped)

    def __reduce__(self) -> tuple[type[NoFunctions], tuple[str, list[Any]]]:
        return type(self), (str(self), self.skipped)


class MissingSymbol(TargetError):
    """The subject calls a function that no file or library defines.

    Attributes:
        file: one beside the subject's that does; empty if there is none.
    """

    def __init__(self, message: str, file: str = "") -> None:
        super().__init__(message)
        self.file = file

    def __reduce__(self) -> tuple[type[MissingSymbol], tuple[str, str]]:
        return type(self), (str(self), self.file)


class CompileError(ZeroinError):
    """The source does not compile.

    Attributes:
        output: what the compiler printed, unchanged.
    """

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output

    def __reduce__(self) -> tuple[type[CompileError], tuple[str, str]]:
        return type(self), (str(self), self.output)


class UnsupportedParameter(ZeroinError):
    """A parameter's type can not be driven; names the parameter and the reason."""


class OutputError(ZeroinError):
    """What was found can not be written where it should be."""


class MissingDependency(ZeroinError):
    """An optional dependency is not installed; names the extra that brings it."""


class WorkerDied(ZeroinError):
    """The worker process ended in a way that no restart could mend."""
