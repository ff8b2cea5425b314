"""Python as a language of targets: find, load and describe Python functions and classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ...config import Options
from ...errors import NoFunctions
from ...sandbox.landlock import Sandbox
from ...subject.base import Signature, Target
from ...subject.language import Language, Skipped

if TYPE_CHECKING:
    from ...subject.input_names import InputNames
    from .run.audit_hook import PythonGuard
    from .run.engine import PythonSubject

# A dotted name with such an ending is a missing file, not a module.
_FILES = ("c", "cc", "cpp", "cxx", "C", "ll", "bc", "h", "hpp", "i", "py", "pyx", "so", "o", "f", "f90")


@dataclass(frozen=True)
class PythonTarget(Target):
    """A Python function, method or class that the user wants inputs for.

    Attributes:
        named: the file or module as the user wrote it; empty if only ``path`` is known.
        module: the name of the module to import.
        root: the folder that ``sys.path`` needs for this import; None if it needs none.
        callees: whether branches of the functions that it calls are goals, too.
    """

    language: str = "python"
    named: str = ""
    module: str = ""
    root: Path | None = None
    callees: bool = False

    @property
    def where(self) -> str:
        return self.named or str(self.path)

    @property
    def installed_module(self) -> str:
        return self.module if self.root is None else ""


class Python(Language):
    """The language Python: its targets are functions, methods and classes of files and modules."""

    name = "python"
    emitter = "pytest"
    suffixes = frozenset({".py"})
    compiles = False  # modules are imported
    raises_faults = True

    def is_module(self, where: str) -> bool:
        names = where.split(".")
        is_name = all(name.isidentifier() for name in names) and names[-1] not in _FILES
        return is_name and (not Path(where).exists() or Path(where, "__init__.py").is_file())

    def find(self, where: str, function: str | None, options: Options, scratch: Path) -> list[Target]:
        """Return the targets in a file or module, in source order.

        This process enters the sandbox for the rest of its life, and imports the module.

        The goals of a single function include the branches of its callees. For a whole module they do not, as each of
        its functions is a target itself.

        Args:
            where: a file or a module.
            function: the name of one function or class, or a line in it; None for all that can be tested.
            options: the user's options.
            scratch: the folder that the code may write to.

        Raises:
            NoFunctions: the module defines no function that can be tested; the error lists those that it defines.
            TargetError: the module can not be imported, or has no such function, or none at this line.
        """
        from .front.lines import function_at
        from .front.modules import find, import_module, public_functions
        from .front.skipped_functions import skipped_in

        _guarded(scratch, tuple(options.allow))
        home = import_module(where)
        if function and function.isdecimal():
            function = function_at(Path(home.file).read_text(errors="replace"), int(function), where)
        names = [find(home, function).name] if function else public_functions(home)
        if not names:
            passed = skipped_in(where, home.file, ())
            there = ", ".join(f"{one.text.rpartition(':')[2]} ({one.why})" for one in passed)
            raise NoFunctions(
                f"{where}: defines no function that can be tested" + f"; there is {there}" * bool(passed), passed
            )
        callees = function is not None
        return [PythonTarget(f"{where}:{name}", Path(home.file), name, named=where, module=home.name,
                             root=home.root, callees=callees) for name in names]  # fmt: skip

    def parts(self, where: str, options: Options, scratch: Path) -> tuple[list[str], list[Skipped]]:
        if not self.is_module(where):
            return [], []
        from .front.modules import modules_of

        _guarded(scratch, tuple(options.allow))
        return modules_of(where)

    def skipped_functions(self, where: str, targets: Sequence[Target]) -> list[Skipped]:
        from .front.skipped_functions import skipped_in

        return skipped_in(where, str(targets[0].path), {target.function for target in targets})

    def load(self, target: Target, options: Options, scratch: Path) -> PythonSubject:
        from .front.expected_exceptions import expected_in
        from .options import PythonOptions
        from .run.engine import PythonSubject

        guard = _guarded(scratch, tuple(options.allow))
        assert isinstance(target, PythonTarget)
        python = PythonOptions(options.types, options.include, options.callees or target.callees, options.fuel,
                               options.native, bool(options.expect), options.line, options.boundary,
                               options.looks_ahead, target.guess, target.rooms,
                               options.ahead_as_paper, options.checked)  # fmt: skip
        subject = PythonSubject(target.where, target.function, python, guard)
        home = subject.home
        expected = expected_in(options.expect, vars(home.module), home.name, options.shared)
        subject.endings.expected, subject.ignored = expected
        return subject

    def names(self, signature: Signature) -> InputNames:
        from .front.input_names import PythonNames
        from .front.signature import PythonSignature

        assert isinstance(signature, PythonSignature)
        return PythonNames(signature)

    def prepare(self, options: Options) -> None:
        from .run import engine  # noqa: F401

    def prepare_more(self) -> None:
        from ...native.kernel import load_numba

        load_numba()


@cache
def _guarded(scratch: Path, allow: tuple[str, ...]) -> PythonGuard:
    """Confine this process to the sandbox for good, and return the guard that refuses forbidden operations.

    The first call with given arguments does this; later ones return the same guard.
    """
    from .run import engine  # noqa: F401  # as long as Python may still keep its bytecode
    from .run.audit_hook import PythonGuard

    guard = PythonGuard(Sandbox(scratch, frozenset(allow)))
    guard.sandbox.close()
    guard.install()
    return guard
