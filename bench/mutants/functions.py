"""The functions whose suites are judged by mutants: forty realistic ones, fdlibm's, and those of bench/python."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..fdlibm import sources
from ..fdlibm.subjects import ENTRIES as FDLIBM
from ..python.subjects import ENTRIES as PYTHON
from ..python.subjects import FUNCTIONS

_OWN = Path(__file__).with_name("subjects")
_FIRST_HOUR = Path(__file__).parents[1] / "first_hour" / "subjects"
_FDLIBM_WORK = Path(sources.__file__).with_name("work")

_OF_OURS = """
bits.c:isqrt32
bits.c:bcd_decode
bits.c:q16_div
bits.c:reverse_bits8
motion.c:slew_limit
motion.c:pi_step
motion.c:fan_duty
earth.c:wrap_degrees
earth.c:side_of_track
money.c:income_tax
money.c:loan_payment
strings.c:luhn_valid
strings.c:roman_value
arrays.c:argmax_abs
bits_and_codes.py:popcount
bits_and_codes.py:to_bcd
bits_and_codes.py:crc8
controllers.py:deadband
controllers.py:heater
controllers.py:pi_step
earth.py:normalise
earth.py:tile
earth.py:initial_course
money.py:net_salary
money.py:effective_rate
money.py:payback
texts.py:hex_color
texts.py:roman
"""
_OF_THE_FIRST_HOUR = """
fixed.c:sat_add_i32
fixed.c:clz32
geo.c:utm_zone
linalg.c:type_k_celsius
control.c:trapezoid_position
sensors.c:pt100_celsius
bits.py:rotl
finance.py:bond_price
finance.py:black_scholes
geo.py:maidenhead
parsing.py:parse_duration
weather.py:convert
"""


@dataclass(frozen=True)
class Function:
    """One of those whose suite is judged.

    Attributes:
        project: a folder with all that it needs, which is copied.
        target: its file in that folder, and its name.
        options: of ``zeroin cover``.
    """

    project: Path
    target: str
    options: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        """The file, in the folder."""
        return self.target.partition(":")[0]

    @property
    def name(self) -> str:
        return self.target.partition(":")[2]

    @property
    def is_python(self) -> bool:
        return self.source.endswith(".py")


def functions(which: str) -> list[Function]:
    """Those of a set, whose names are the keys of :data:`SETS`."""
    return list(SETS[which]())


def _realistic() -> Iterator[Function]:
    for target in _OF_OURS.split():
        yield Function(_OWN, target)
    for target in _OF_THE_FIRST_HOUR.split():
        yield Function(_FIRST_HOUR, target)


def _fdlibm() -> Iterator[Function]:
    library = sources.fetch(_FDLIBM_WORK)
    root = library.folders[0].parents[1]

    def inside(path: Path) -> str:
        return path.relative_to(root).as_posix()

    flags = [flag.replace(f"{root}/", "") for flag in library.cc_flags]
    for entry in FDLIBM:
        options = ["--cc", shlex.join(flags)]
        options += [word for other in library.others(entry) for word in ("--with", inside(other))]
        options += [word for array in entry.arrays for word in ("--array", array)]
        yield Function(root, f"{inside(library.source(entry))}:{entry.function}", tuple(options))


def _python() -> Iterator[Function]:
    for entry in PYTHON:
        yield Function(FUNCTIONS, f"{entry.module}.py:{entry.function}")


SETS = {"realistic": _realistic, "fdlibm": _fdlibm, "python": _python}
