"""The hierarchy of zeroin's exceptions.

ZeroinError                  an error that stops a request; its message is one line that says what to do
├── OptionError              an option has an invalid value (a NaN budget, an unknown minimizer)
├── TargetError              the target can not be found: an unknown file or function
│   ├── NoFunctions          a module defines no function that can be tested
│   └── MissingSymbol        a function that the target calls is defined nowhere
├── CompileError             the source does not compile; carries the compiler's message
├── UnsupportedParameter     zeroin can not generate values of a parameter's type
├── OutputError              a file of results can not be written
├── MissingDependency        an optional package is needed and not installed
└── WorkerDied               the worker process ended and could not be restarted
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class ZeroinError(Exception):
    """The base class of all errors that zeroin raises on purpose."""


class OptionError(ZeroinError):
    """An option has an invalid value."""


class TargetError(ZeroinError):
    """The target can not be found."""


class NoFunctions(TargetError):
    """A module, or a file, defines no function that can be tested.

    Attributes:
        skipped: the functions that it has, each with the reason why it can not be tested
            (:class:`zeroin.subject.language.Skipped`).
    """

    def __init__(self, message: str, skipped: Sequence[Any] = ()) -> None:
        super().__init__(message)
        self.skipped = list(skipped)

    def __reduce__(self) -> tuple[type[NoFunctions], tuple[str, list[object]]]:
        return type(self), (str(self), self.skipped)


class MissingSymbol(TargetError):
    """The subject calls a function that no file or library defines.

    Attributes:
        file: the path of a file beside the subject's source that defines it; empty if there is none.
    """

    def __init__(self, message: str, file: str = "") -> None:
        super().__init__(message)
        self.file = file

    def __reduce__(self) -> tuple[type[MissingSymbol], tuple[str, str]]:
        return type(self), (str(self), self.file)


class CompileError(ZeroinError):
    """The source does not compile.

    Attributes:
        output: the output of the compiler, unchanged; empty if there is none.
    """

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output

    def __reduce__(self) -> tuple[type[CompileError], tuple[str, str]]:
        return type(self), (str(self), self.output)


class UnsupportedParameter(ZeroinError):
    """zeroin can not generate values of a parameter's type. The message names the parameter and the reason."""


class OutputError(ZeroinError):
    """A file of results can not be written."""


class MissingDependency(ZeroinError):
    """An optional dependency is not installed. The message names the extra that installs it."""


class WorkerDied(ZeroinError):
    """The worker process ended and could not be restarted."""
