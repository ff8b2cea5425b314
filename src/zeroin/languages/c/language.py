"""The languages C (with C++) and LLVM IR, as the worker and the command line see them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from ...config import Options, SourceOptions
from ...errors import NoFunctions, OptionError, TargetError
from ...sandbox.landlock import Sandbox
from ...subject.base import Signature, Target, Termination
from ...subject.language import Language
from .front.compile import C_SUFFIXES, CXX_SUFFIXES, IR_SUFFIXES, compile_ahead, compile_all
from .undefined import UNDEFINED

if TYPE_CHECKING:
    from ...subject.input_names import InputNames
    from .run.engine import LlvmSubject


@dataclass(frozen=True)
class CTarget(Target):
    """A function of C, C++ or LLVM IR.

    Attributes:
        cc: flags for the compiler, optionally led by a compiler's name.
        others: further source files to link with the subject.
        passed_over: why this function is skipped when the user names the whole file, as the rest of a sentence that
            begins with the function's name; empty if it is a real target.
    """

    language: str = "c"
    cc: tuple[str, ...] = ()
    others: tuple[Path, ...] = ()
    passed_over: str = ""


class C(Language):
    """C and C++."""

    name = "c"
    suffixes = frozenset(C_SUFFIXES | CXX_SUFFIXES)
    emitter = "c"
    undefined: ClassVar = UNDEFINED
    ends: ClassVar = {"exit": Termination.EXITED, "abort": Termination.ABORT, "assert": Termination.ASSERTED}

    def named(self, where: str, function: str | None, options: Options) -> list[Target] | None:
        """Return the target if the user named its function; None if only a worker can find or list the functions.

        It is not checked that the file and the function exist. In both cases, threads start to compile the files into
        the cache, so that compilation overlaps with the worker's start. They ignore errors, as the worker meets them
        again.
        """
        compile_ahead([Path(where), *options.others], options.cc)
        return [self._target(Path(where), function, options)] if function and not function.isdecimal() else None

    def with_options(self, target: Target, options: Options) -> Target:
        assert isinstance(target, CTarget)
        return replace(target, cc=options.cc, others=options.others)

    def find(self, where: str, function: str | None, options: Options, scratch: Path) -> list[Target]:
        """Return the function that the user named, without a check that it exists, or all functions of the file.

        Where the user gave a line, it is the function at this line.

        If the file defines ``main``, that is the last of all functions, and it is marked as skipped
        (:attr:`CTarget.passed_over`).

        Raises:
            NoFunctions: the file defines no function.
            TargetError: no function is at this line.
            ZeroinError: the file can not be compiled, see :func:`.front.compile.compile_all`; not for a named function.
        """
        from .front.symbols import function_at, functions_of

        path = Path(where)
        if function and not function.isdecimal():
            return [self._target(path, function, options)]
        texts = compile_all([path], options.cc)
        if function:
            return [self._target(path, function_at(path, texts, int(function)), options)]
        targets: list[Target] = [self._target(path, name, options) for name in functions_of(path, texts)]
        if re.search(r"^define [^@]*@main\(", texts[0], re.M):
            targets.append(self._target(path, "main", options, f"is skipped; to cover it, name it: {path}:main"))
        if not targets:
            raise NoFunctions(f"{path}: defines no function")
        return targets

    def _target(self, path: Path, name: str, options: SourceOptions, passed_over: str = "") -> CTarget:
        return CTarget(f"{path}:{name}", path, name, self.name, cc=options.cc, others=options.others,
                       passed_over=passed_over)  # fmt: skip

    def load(self, target: Target, options: Options, scratch: Path) -> LlvmSubject:
        """Load and instrument the target's function in this process; see :meth:`zeroin.subject.language.Language.load`.

        If ``--expect`` was given for several targets, a termination that C does not have is ignored, with a message in
        the subject's ``ignored``.

        Raises:
            OptionError: ``--expect`` has such a termination for this target alone.
            ZeroinError: see :meth:`subject`.
        """
        strange = [name for name in options.expect if name not in self.ends]
        if wrong := [name for name in strange if name not in options.shared]:
            raise OptionError(f"--expect {wrong[0]}: {target.text} is {self.name}, where only exit, abort and assert "
                              "can be expected; leave it out")  # fmt: skip
        subject = self.subject(target, options, Sandbox(scratch, frozenset(options.allow)))
        subject.ignored = tuple(f"--expect {name} is ignored: it is not exit, abort or assert" for name in strange)
        return subject

    def subject(self, target: Target, options: Options, sandbox: Sandbox | None) -> LlvmSubject:
        """Compile, instrument and load the target's function.

        Args:
            target: the function to load.
            options: the user's options.
            sandbox: the sandbox for the code under test; None for trusted code, as in benchmarks.

        Raises:
            TargetError: the function is one that is skipped, or does not exist.
            OptionError: a value of ``--array`` or ``--string`` is malformed.
            ZeroinError: the function can not be loaded; see :class:`.run.engine.LlvmSubject`.
        """
        from .front.signature import ArraySpec
        from .front.string_parameters import StringSpec
        from .options import LlvmOptions
        from .run.engine import LlvmSubject

        if isinstance(target, CTarget) and target.passed_over:
            raise TargetError(f"{target.path}: {target.function} {target.passed_over}")
        arrays = tuple(ArraySpec.parse(text) for text in options.arrays)
        strings = tuple(StringSpec.parse(text) for text in options.strings)
        return LlvmSubject(target.path, target.function, LlvmOptions(
            options.cc, options.others, options.callees, arrays, strings, options.fuel, options.memory, options.allow,
            options.line, options.boundary, options.checked, options.looks_ahead, options.ahead_as_paper,
            rooms=target.rooms,
            sanitized=True, load_timeout=options.load_timeout,
        ), sandbox=sandbox)  # fmt: skip

    def names(self, signature: Signature) -> InputNames:
        from .front.input_names import CInputNames
        from .front.parameters import CSignature

        assert isinstance(signature, CSignature)
        return CInputNames(signature)

    def prepare(self, options: Options) -> None:
        """Import the engine, and load the runtime if the cache has its IR."""
        from .run import engine, runtime_library  # noqa: F401

        runtime_library.preload(options.cc)

    def prepare_more(self) -> None:
        """Do nothing: :meth:`prepare` already imports everything that a C target may need."""


class Llvm(C):
    """LLVM IR, as text or bitcode."""

    name = "llvm"
    suffixes = frozenset(IR_SUFFIXES)
