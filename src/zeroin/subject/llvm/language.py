"""C and C++, and the IR of LLVM."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...config import Options
from ...errors import TargetError
from ..base import Target
from ..fence import Fence
from ..language import Language
from .compile import C_SUFFIXES, CXX_SUFFIXES, IR_SUFFIXES, compile_ahead, compile_all

if TYPE_CHECKING:
    from .engine import LlvmSubject


@dataclass(frozen=True)
class CTarget(Target):
    """A function of C, C++ or LLVM IR.

    Attributes:
        cc: flags for the compiler.
        others: further files that the subject needs.
    """

    language: str = "c"
    cc: tuple[str, ...] = ()
    others: tuple[Path, ...] = ()


class C(Language):
    """C and C++."""

    name = "c"
    suffixes = frozenset(C_SUFFIXES | CXX_SUFFIXES)

    def named(self, where: str, function: str | None, options: Options) -> list[Target] | None:
        """A file is taken at its word; while the worker starts, it is compiled."""
        compile_ahead([Path(where), *options.others], options.cc)
        return self._targets(Path(where), [function], options) if function else None

    def find(self, where: str, function: str | None, options: Options, scratch: Path) -> list[Target]:
        from .engine import functions_of

        path = Path(where)
        names = [function] if function else functions_of(path, compile_all([path], options.cc))
        if not names:
            raise TargetError(f"{path}: defines no function")
        return self._targets(path, names, options)

    def _targets(self, path: Path, names: list[str], options: Options) -> list[Target]:
        return [CTarget(f"{path}:{name}", path, name, self.name, options.cc, options.others) for name in names]

    def load(self, target: Target, options: Options, scratch: Path) -> LlvmSubject:
        subject, fence = self.unfenced(target, options), Fence.around(scratch, options.allow)
        fence.close()  # not before: the compiler is another process, and writes
        subject.stay_within(fence)
        return subject

    def unfenced(self, target: Target, options: Options) -> LlvmSubject:
        """The subject without a fence, for code that is known."""
        from .engine import LlvmSubject
        from .options import LlvmOptions
        from .signature import ArraySpec

        arrays = tuple(ArraySpec.parse(text) for text in options.arrays)
        return LlvmSubject(target.path, target.function, LlvmOptions(
            options.cc, options.others, options.callees, arrays, options.fuel, options.memory, options.allow
        ))  # fmt: skip

    def prepare(self, options: Options) -> None:
        from . import engine, runtime  # noqa: F401

        runtime.preload(options.cc)

    def prepare_more(self) -> None:
        """Nothing: all of them need the same."""


class Llvm(C):
    """LLVM's IR, as text or bitcode."""

    name = "llvm"
    suffixes = frozenset(IR_SUFFIXES)
