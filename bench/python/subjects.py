"""The functions, how many branches each has, which can not be taken, and inputs that take all others.

A branch is what coverage.py calls one: a pair of a line and where it went. ``tests/bench/test_python.py`` measures that
the witnesses take every branch that is not listed as infeasible, and no other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .measure import Arc
from .witnesses import WITNESSES

FUNCTIONS = Path(__file__).with_name("functions")


@dataclass(frozen=True)
class Entry:
    """One function of the benchmark.

    Attributes:
        module: its file in ``functions``, without the ending.
        function: its name.
        branches: as coverage.py counts them.
        infeasible: branches that no input takes, with the reason.
        witnesses: calls that together take all other branches.
    """

    module: str
    function: str
    branches: int
    infeasible: dict[Arc, str]
    witnesses: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.module}.{self.function}"

    @property
    def source(self) -> Path:
        return FUNCTIONS / f"{self.module}.py"

    @property
    def reachable(self) -> int:
        return self.branches - len(self.infeasible)


# Line, where it goes, why it never does.
_INFEASIBLE: dict[str, dict[Arc, str]] = {
    "calendrical.easter": {(54, 55): "day is at most 22 + 29 + 5: d = 29 with e = 6 has returned before"},
    "calendrical.weekday_name": {(78, 79): "a remainder modulo 7 is at most 6"},
    "classics.triangle": {(15, 16): "2 a^2 = a^2 only for a = 0, and a is positive"},
    "classics.quadratic": {
        (71, 72): "the root of a positive float is at least 2e-162, and both summands have one sign"
    },
    "finance.internal_rate": {
        (21, 30): "a sum of flows that is not zero keeps its sign for |rate| < 5e-17, so no more than 120 halvings"
    },
    "finance.day_count": {(58, 59): "the dates are in order, and both conventions keep it"},
    "finance.tax_due": {(82, 83): "the tax is at most 40 % of the income"},
    "geodesy.vincenty": {(62, 63): "k is at most (2 - f) f / (1 - f)^2 = 0.0067"},
    "guards.sine_window": {(17, 18): "sin^2 + cos^2 is 1 within rounding"},
    "guards.log_ladder": {(62, 63): "levels above 709 have returned before"},
    "guards.atan2_sector": {(80, 81): "atan2 is at most pi, which is 180.0 degrees"},
    "integers.integer_root": {(43, 44): "isqrt rounds down"},
    "integers.digit_sums": {(80, 81): "a number and its digit sum are equal modulo 9"},
    "kinds.to_kelvin": {(42, 45): "the enumeration has three members"},
    "kinds.area": {(120, 122): "a shape that is no circle is a box"},
    "kinds.clean": {(149, 150): "NaN and infinities have returned before"},
    "matrices.eigen2": {(50, 51): "hypot is not negative"},
    "needles.int_needle": {(10, 11): "squares are 0 or 1 modulo 4"},
    "special.erf_pieces": {(32, 33): "each piece is at most 1 within rounding"},
    "special.exponential_integral": {
        (59, 69): "for x <= 1 the terms fall below 1e-18 of the sum within 25 turns",
        (66, 67): "for x <= 1 the terms fall below 1e-18 of the sum within 25 turns",
    },
    "special.cube_root": {(109, 110): "cube roots of finite floats are below 1e103"},
    "special.bisect_cosine": {
        (
            138,
            139,
        ): "from a negative start the bisection ends at the root -2.13, and at no float there is the value zero"
    },
    "stats.spread": {(44, 45): "a sum of squares is not negative"},
}
_BRANCHES = """
bits.float_class 14
bits.magic_bits 8
bits.single_precision 12
calendrical.day_of_year 16
calendrical.easter 14
calendrical.weekday_name 12
classics.triangle 14
classics.loop_total 8
classics.hello_world 6
classics.quadratic 18
control.pid_step 16
control.thermostat 12
control.rate_limit 16
control.gear 16
finance.internal_rate 16
finance.day_count 18
finance.tax_due 14
flopsy.beale 2
flopsy.freudenstein_roth 2
flopsy.helical_valley 6
flopsy.powell 2
flopsy.rosenbrock 2
flopsy.wood 4
geodesy.haversine 10
geodesy.vincenty 12
geodesy.utm_zone 14
guards.sine_window 12
guards.exp_balance 10
guards.log_ladder 14
guards.atan2_sector 12
integers.gcd_steps 10
integers.integer_root 12
integers.collatz 14
integers.digit_sums 14
kinds.to_kelvin 12
kinds.postage 16
kinds.as_seconds 18
kinds.area 16
kinds.clean 16
matrices.det2_class 14
matrices.det3_sign 12
matrices.eigen2 16
needles.int_needle 8
needles.float_needle 8
needles.mixed_needle 10
sequences.luhn 14
sequences.stack_machine 18
special.erf_pieces 16
special.exponential_integral 22
special.kepler 12
special.cube_root 12
special.bisect_cosine 14
stats.trimmed_mean 14
stats.spread 14
tables.viscosity 16
tables.table_lookup 18
texts.parse_decimal 20
texts.parse_clock 20
texts.roman 12
"""


def _entry(row: str) -> Entry:
    name, branches = row.split()
    module, function = name.split(".")
    calls = tuple(f"{function}{arguments}" for arguments in re.split(r"\s{2,}", WITNESSES[name].strip()))
    return Entry(module, function, int(branches), _INFEASIBLE.get(name, {}), calls)


ENTRIES: tuple[Entry, ...] = tuple(_entry(row) for row in _BRANCHES.strip().splitlines())
