"""The C functions: ten of fdlibm, ten of the Concolic Walk paper's programs, and ten of bench/fitnex."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..fdlibm import subjects as fdlibm
from ..fdlibm.sources import Library
from ..fitnex.run import SUBJECTS
from ..fitnex.run import subjects as fitnex

_PROGRAMS = Path(__file__).parents[1] / "concolic_walk" / "programs"
_FDLIBM = (
    "__ieee754_acos", "__ieee754_atan2", "__ieee754_exp", "__ieee754_fmod", "__ieee754_log", "__ieee754_sqrt", "atan",
    "ceil", "cbrt", "tanh",
)  # fmt: skip
_WALK = (
    ("blind", "blind"), ("dart", "dart"), ("hash", "hash_1"), ("opti", "helical_valley"), ("power", "power"),
    ("ray", "vector_normalize"), ("sine", "sine"), ("sorted", "find"), ("tsafe", "conflict"), ("tsafe", "turn_logic"),
)  # fmt: skip
_FITNEX = (
    "triangle", "day_of_year", "floats_between", "test_loop", "count_positive", "machine", "hello_world", "brackets",
    "telephone", "parser",
)  # fmt: skip


@dataclass(frozen=True)
class CFunction:
    """One function to cover.

    Attributes:
        kind: where it comes from.
        others: files that define what it calls.
        cc: flags for Clang.
        gcc: the same for gcc.
        arrays: as ``--array`` takes them.
    """

    kind: str
    path: Path
    function: str
    others: tuple[Path, ...] = ()
    cc: tuple[str, ...] = ()
    gcc: tuple[str, ...] = ()
    arrays: tuple[str, ...] = ()


def c_functions(library: Library) -> Iterator[CFunction]:
    """All of them."""
    for entry in fdlibm.ENTRIES:
        if entry.function in _FDLIBM:
            yield CFunction("fdlibm", library.source(entry), entry.function, library.others(entry), library.cc_flags,
                            library.gcc_flags, entry.arrays)  # fmt: skip
    for program, function in _WALK:
        array = "sorted=8,n" if program == "sorted" else ""
        yield CFunction("Concolic Walk's", _PROGRAMS / f"{program}.c", function, arrays=_given(array))
    for name, array, _line in fitnex():
        if name in _FITNEX:
            yield CFunction("Fitnex's", SUBJECTS, name, arrays=_given(array))


def _given(array: str) -> tuple[str, ...]:
    return (array,) if array else ()
