"""Forty functions whose suites are judged by mutants; some are those of the first hour."""

from __future__ import annotations

from pathlib import Path

_OWN = Path(__file__).with_name("subjects")
_FIRST_HOUR = Path(__file__).parents[1] / "first_hour" / "subjects"

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

REALISTIC = tuple(f"{_OWN / target}" for target in _OF_OURS.split()) + tuple(
    f"{_FIRST_HOUR / target}" for target in _OF_THE_FIRST_HOUR.split()
)
