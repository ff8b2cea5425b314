"""The interface of a language: how to find and load its functions, in the command's process and in workers.

All processes import this module and the modules that define languages, so these import the rest only when it is needed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from ..config import Options
from ..errors import CompileError
from .base import Signature, Target, Termination

if TYPE_CHECKING:
    from .input_names import InputNames
    from .subject import Subject


class Skipped(NamedTuple):
    """A file, module or function that belongs to the user's selection but is not a target.

    Attributes:
        text: the name by which the user could name it.
        why: the reason.
    """

    text: str
    why: str

    @classmethod
    def because(cls, text: str, error: Exception) -> Skipped:
        """Return a ``Skipped`` whose reason is an error's message, without the name at its beginning.

        For a compiler error, the reason ends with the compiler's first error.
        """
        said = str(error).removeprefix(f"{text}: ").removeprefix(f"{text.rpartition(':')[0]}: ")
        if isinstance(error, CompileError):
            lines = (line.partition("error: ")[2] for line in error.output.splitlines())
            said += next((f": {line}" for line in lines if line), "")
        return cls(text, said)


class Language(ABC):
    """A language that subjects are written in.

    Attributes:
        name: the name in ``Target.language`` and in reports.
        suffixes: the suffixes of its files.
        ends: names for terminations, other than exceptions, that users may declare as expected.
        emitter: the usual kind of test, by its name in :mod:`zeroin.languages.plugins`; empty: there is none.
        compiles: whether files are compiled to find or load a target, which may take minutes.
        raises_faults: whether operations raise exceptions instead of behaving in an undefined way.
        undefined: what undefined behaviour each kind of fault is, in words.
    """

    name: ClassVar[str]
    suffixes: ClassVar[frozenset[str]]
    ends: ClassVar[Mapping[str, Termination]] = {}
    emitter: ClassVar[str] = ""
    compiles: ClassVar[bool] = True
    raises_faults: ClassVar[bool] = False
    undefined: ClassVar[Mapping[str, str]] = {}

    def owns(self, where: str) -> bool:
        """Return whether this is a file or a module of the language. It need not exist."""
        return Path(where).suffix in self.suffixes or self.is_module(where)

    def is_module(self, where: str) -> bool:
        """Return whether this names a module rather than a file. The module need not exist."""
        return False

    # ---- in the process of the command ----

    def named(self, where: str, function: str | None, options: Options) -> list[Target] | None:
        """Return the targets that the user named, if no worker is needed to find them; else None.

        The function need not exist; then :meth:`load` raises the error.
        """
        return None

    def with_options(self, target: Target, options: Options) -> Target:
        """Return the target with those options that are a part of it, such as the flags that it is compiled with."""
        return target

    # ---- in a worker ----

    @abstractmethod
    def find(self, where: str, function: str | None, options: Options, scratch: Path) -> list[Target]:
        """Return the targets that the user named, at least one.

        The process may enter the sandbox, for the rest of its life. A named function of C need not exist; then
        :meth:`load` raises the error.

        Args:
            where: a file or a module.
            function: the name of one function. None: all functions that can be tested.
            options: the options of the target.
            scratch: the folder that code may write to.

        Raises:
            NoFunctions: there is no function that can be tested.
            TargetError, CompileError, MissingDependency: see :mod:`zeroin.errors`.
        """

    def parts(self, where: str, options: Options, scratch: Path) -> tuple[list[str], list[Skipped]]:
        """Return the modules of a package, and the skipped ones. Both are empty for anything but a package.

        The process may enter the sandbox, for the rest of its life.

        Raises:
            TargetError: the package can not be inspected. The message says why.
        """
        return [], []

    def skipped_functions(self, where: str, targets: Sequence[Target]) -> list[Skipped]:
        """Return the functions of a file or module that are not targets, with reasons.

        Args:
            where: the file or module.
            targets: its targets, at least one.
        """
        return []

    @abstractmethod
    def load(self, target: Target, options: Options, scratch: Path) -> Subject:
        """Load and instrument the target's function in this process.

        The process enters the sandbox before any code of the target runs, and stays in it.

        Raises:
            ZeroinError: the function can not be found, compiled or tested, or an option does not fit it.
        """

    @abstractmethod
    def names(self, signature: Signature) -> InputNames:
        """Return the names that preconditions can use for the numbers of a function's inputs.

        The signature is not changed: the result narrows the ranges of a copy.
        """

    @abstractmethod
    def prepare(self, options: Options) -> None:
        """Import or load what every job on a target needs, so that forked children share it."""

    @abstractmethod
    def prepare_more(self) -> None:
        """Import what only few jobs need, while a job runs, so that later jobs share it."""
