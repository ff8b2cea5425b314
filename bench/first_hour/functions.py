"""Sixty functions as people have them who write numerical code: what they would try in the first hour.

They were written, and what is expected of each was put down here, before zeroin had been tried on any of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

SUBJECTS = Path(__file__).with_name("subjects")


class Finding(Enum):
    """Whether something is to be found wrong with a function."""

    NONE = "none"
    MAY = "may be"  # it is there, or is a matter of taste; a run without checks need not show it
    MUST = "must be"  # a call that the documentation allows shows it


@dataclass(frozen=True)
class Entry:
    """One function.

    Attributes:
        target: file and function, as zeroin takes them, in the folder of the subjects.
        works: what a user expects, and what the contract is.
        finding: whether there is something to find.
        fault: a regular expression for what may be found; everything else that is reported is a false finding.
        within: whether arguments, as the JSON has them, keep the contract.
        unreachable: of each branch that no call within the contract takes, why.
    """

    target: str
    works: str
    finding: Finding = Finding.NONE
    fault: str = ""
    within: Callable[..., bool] = lambda *_: True
    unreachable: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What follows the colon."""
        return self.target.partition(":")[2]

    @property
    def path(self) -> Path:
        return SUBJECTS / self.target.partition(":")[0]

    @property
    def is_python(self) -> bool:
        return self.path.suffix == ".py"

    def allows(self, finding: str, arguments: Sequence[Any]) -> bool:
        """May this be reported of a call with these arguments?"""
        if self.finding is Finding.NONE or re.search(self.fault, finding) is None:
            return False
        return self.within(*arguments)


_ENUM = "an enumeration has the values that it lists"

C = (
    Entry("sensors.c:ntc_celsius", "all four statuses; out points to one double"),
    Entry("sensors.c:adc_to_millivolts", "NULL for both pointers, the clamping below and above, gain 0 and above 128"),
    Entry("sensors.c:pt100_celsius", "all statuses, both formulas, the clamping at -200; out points to one double"),
    Entry("protocol.c:crc16_modbus", "buf has len bytes: some buffer of at least one byte, and none read behind it"),
    Entry("protocol.c:frame_parse", "buf has len bytes: each error, and a frame whose CRC is right"),
    Entry(
        "protocol.c:cobs_decode",
        "in has len bytes, out has cap bytes; the zero between blocks is written without looking at cap",
        Finding.MAY,
        r"crash|bounds|overflow|write",
        lambda read, count, written, room: count <= len(read) and room <= len(written),
    ),
    Entry("protocol.c:varint_decode", "buf has len bytes: complete, incomplete, too large"),
    Entry("ring.c:ring_push", "room, full, and the counter at its end; head and tail are below 8"),
    Entry("ring.c:ring_read_line", "a line feed, empty, out full; out has n bytes; head and tail are below 8"),
    Entry("input.c:debounce_update", "calls in a row, as the state is static: a press that lasts, one that does not"),
    Entry(
        "input.c:lowpass_update", "calls in a row, as the state is static: NaN, the first, near, one and three jumps"
    ),
    Entry(
        "input.c:button_step",
        "each transition; now_ms may wrap around",
        unreachable=(_ENUM,),
    ),
    Entry("fixed.c:q15_mul", "both saturations that can be reached, and none", unreachable=("-1 is not saturated",)),
    Entry(
        "fixed.c:q15_div",
        "both saturations, and none; b = 0 is forbidden by the comment, and is what many call it with all the same",
        Finding.MAY,
        r"SIGFPE|divi|arithmetic|crash",
    ),
    Entry("fixed.c:sat_add_i32", "both saturations and a sum"),
    Entry("nmea.c:nmea_checksum_ok", "a sentence with the right checksum, digits of all kinds, one that is too long"),
    Entry(
        "nmea.c:nmea_coordinate",
        "each hemisphere, minutes from 60, degrees above the limit; a field of 1e99 is cast to an int",
        Finding.MAY,
        r"cast",
    ),
    Entry(
        "text.c:parse_int",
        "each result; 2147483648 overflows a signed int, as the last digit is not looked at",
        Finding.MAY,
        r"overflow",
    ),
    Entry("text.c:hex_decode", "out has cap bytes: digits of all kinds, odd length, too long, no digit"),
    Entry("text.c:parse_version", "each result, two numbers and three; the limits of each number"),
    Entry("control.c:pid_step", "dt is positive, as the assert says; clamped both ways, primed and not"),
    Entry("control.c:kalman_step", "taken, rejected, not finite"),
    Entry("linalg.c:mat3_invert", "a singular matrix and a regular one"),
    Entry("linalg.c:interp1", "x and y have n values, n at least 1: before, behind, between, NaN"),
    Entry("linalg.c:type_k_celsius", "outside both ways, first and last interval"),
    Entry("geo.c:polar", "y has two values: each quadrant, outside"),
    Entry("geo.c:utm_zone", "each exception, both poles, the wrap around, zone 61 that becomes 60"),
    Entry("geo.c:vincenty_inverse", "the same place, the equator, no convergence between antipodes, out of the domain"),
    Entry(
        "daycount.c:day_count",
        "a leap year, each convention, ends of months, dates that are none, dates in the wrong order",
        unreachable=(_ENUM,),
    ),
    Entry("signal.cpp:logger::Hysteresis::update", "calls in a row on one object: on, off, between"),
    Entry("signal.cpp:logger::quadratic_roots", "no, one, two and all roots; linear; roots in both orders"),
    Entry("signal.cpp:logger::trimmed_mean", "std::invalid_argument for what is documented, and a mean"),
)

PYTHON = (
    Entry("bits.py:rotl", "each width, n = 0, ValueError for another width"),
    Entry("bits.py:from_gray", "zero, some code, ValueError for a negative one"),
    Entry("bits.py:saturating_add", "both saturations, signed and not; bits is in 2 to 64, as the assert says"),
    Entry(
        "finance.py:irr",
        "no change of sign, no rate in the range, a rate; hundreds of flows make 0.01 ** i zero",
        Finding.MAY,
        r"ZeroDivisionError|OverflowError",
    ),
    Entry(
        "finance.py:bond_price",
        "each ValueError, rate zero, a price; a yield near -frequency overflows",
        Finding.MAY,
        r"OverflowError|ZeroDivisionError",
    ),
    Entry("finance.py:year_fraction", "each convention, ends of months, dates in the wrong order"),
    Entry(
        "finance.py:amortisation",
        "each ValueError, rate zero, extra repayments; a rate below 1e-15 divides by zero",
        Finding.MAY,
        r"ZeroDivisionError|OverflowError",
    ),
    Entry(
        "finance.py:black_scholes",
        "calls and puts, each ValueError, no spread; rates of -1000 overflow exp, of 1000 make the strike zero",
        Finding.MAY,
        r"OverflowError|ZeroDivisionError|math domain error|math range error|a positive input",
    ),
    Entry(
        "geo.py:haversine",
        "km and mi, another unit, latitudes out of range; numbers are finite",
        unreachable=("rounding beyond 1 is there for safety",),
    ),
    Entry("geo.py:parse_dms", "degrees alone, all parts, each hemisphere, each ValueError"),
    Entry("geo.py:maidenhead", "each precision, places that are none"),
    Entry("lab.py:moving_average", "lists of numbers: ValueError, too short, some means"),
    Entry("lab.py:find_peaks", "a peak, none, two that are too near in both orders"),
    Entry(
        "lab.py:linear_fit",
        "a line, a level one, both ValueErrors; all x the same divides by zero, which is not documented",
        Finding.MUST,
        r"ZeroDivisionError|OverflowError",
    ),
    Entry("lab.py:crossings", "arrays of NumPy: wrong dimensions, too short, a crossing, none"),
    Entry("lab.py:kalman_step", "arrays of the shapes (2,) and (2, 2): taken, rejected; wrong shapes; r not positive"),
    Entry(
        "control.py:PID.update",
        "one call on a fresh object: ValueError, clamped both ways, and not",
        unreachable=("no call comes before the first",),
    ),
    Entry("control.py:MovingAverage", "calls in a row: rejected, three and four times, with reject and without"),
    Entry("control.py:Thermostat", "calls in a row: on, off, too early for a switch"),
    Entry("control.py:RateLimiter", "calls in a row: allowed, refused, each ValueError"),
    Entry("parsing.py:parse_version", "two and three numbers, v, a label, each ValueError"),
    Entry("parsing.py:parse_duration", "each unit, each ValueError"),
    Entry("parsing.py:parse_resistance", "with a prefix and without, ValueErrors; text is a str"),
    Entry(
        "parsing.py:parse_gga",
        "a sentence with the right checksum, with a fix and without; $GGA*41 has too few fields: IndexError",
        Finding.MUST,
        r"IndexError",
    ),
    Entry("weather.py:Calibration.apply", "inside, before, behind; raw ascends, and has as many values as true"),
    Entry("weather.py:convert", "each unit on both sides, below absolute zero"),
    Entry("weather.py:felt_temperature", "wind chill, humidex, neither; without wind; ValueError"),
    Entry("weather.py:interpolate", "inside, outside both ways with and without extrapolate, each ValueError"),
)

ENTRIES = C + PYTHON
