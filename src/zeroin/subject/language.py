"""What the work on targets needs of their language, in the process of the command line and in workers. What is
imported here, and where a language is defined, is imported by all of them: the rest, when it is needed."""

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
    """What was asked for with others, and is no target: how it would be named, and why."""

    text: str
    why: str

    @classmethod
    def because(cls, text: str, error: Exception) -> Skipped:
        """For what an error says, without the name that its message begins with; of what a compiler says the first
        error."""
        said = str(error).removeprefix(f"{text}: ").removeprefix(f"{text.rpartition(':')[0]}: ")
        if isinstance(error, CompileError):
            lines = (line.partition("error: ")[2] for line in error.output.splitlines())
            said += next((f": {line}" for line in lines if line), "")
        return cls(text, said)


class Language(ABC):
    """A language that subjects are written in.

    Attributes:
        name: as ``Target.language`` and the report have it.
        suffixes: of its files.
        ends: of runs that users may expect, by name, where these are no exceptions.
        compiles: whether files are compiled to find or load a target, which may take minutes.
    """

    name: ClassVar[str]
    suffixes: ClassVar[frozenset[str]]
    ends: ClassVar[Mapping[str, Termination]] = {}
    compiles: ClassVar[bool] = True

    def owns(self, where: str) -> bool:
        """Whether this is a file of the language, or a module of it."""
        return Path(where).suffix in self.suffixes or self.is_module(where)

    def is_module(self, where: str) -> bool:
        """Whether this names a module, not a file."""
        return False

    # ---- in the process of the command line ----

    def named(self, where: str, function: str | None, options: Options) -> list[Target] | None:
        """The targets that are meant, if that can be told without a worker."""
        return None

    # ---- in a worker ----

    @abstractmethod
    def find(self, where: str, function: str | None, options: Options, scratch: Path) -> list[Target]:
        """The targets that are meant.

        Args:
            where: a file or a module.
            function: one function of it; None: all that can be tested.
            options: see there.
            scratch: the folder where code may write.

        Raises:
            TargetError, CompileError, MissingDependency: see :mod:`zeroin.errors`.
        """

    def parts(self, where: str, options: Options, scratch: Path) -> tuple[list[str], list[Skipped]]:
        """The modules of a package, and what there is not meant with it; none of anything else.

        Raises:
            TargetError: it can not be looked into; says why.
        """
        return [], []

    def passed_over(self, where: str, targets: Sequence[Target]) -> list[Skipped]:
        """Of a file or module that stands for all its functions, those that are no targets."""
        return []

    @abstractmethod
    def load(self, target: Target, options: Options, scratch: Path) -> Subject:
        """Load and instrument the target's function in this process, which is fenced in before any of its code runs."""

    @abstractmethod
    def names(self, signature: Signature) -> InputNames:
        """The numbers of a function's inputs."""

    @abstractmethod
    def prepare(self, options: Options) -> None:
        """Import, or load, what a job on a target needs: for the children of this process."""

    @abstractmethod
    def prepare_more(self) -> None:
        """Import what few of such jobs need, while one of them runs: for the others that come."""
