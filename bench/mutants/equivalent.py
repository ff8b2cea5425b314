"""Mutants that no test can kill, and why: results, outputs and exceptions are the same, bit by bit.

They are those among the survivors of a first suite, each read by hand. Arguments are of the types that are annotated.
"""

from __future__ import annotations

_LIMIT = "at the limit the sum is the limit"
_ZERO = "with b = 0 the second comparison is false for every a"
_SIGN = "the sign of the divisor is nothing to fmod"
_SUM = "the sum is no less than 0, and divisible by 10 if its negative is"
_ABSOLUTE = "an absolute value is greater than each of these"
_RETURNED = "longitudes from 0 up to this one have returned before"
_NO_MORE = "the largest row, at latitude -85.0511, is n - 1 up to zoom 19"

# By target, and by mutant as the page writes it.
EQUIVALENT: dict[str, dict[str, str]] = {
    "bits.c:q16_div": {
        "39:18 > -> >=": "the largest value itself is returned either way",
        "41:18 < -> <=": "the smallest value itself is returned either way",
    },
    "motion.c:fan_duty": {"35:31 >= -> >": "at 70 degrees the line of duties has come to 100"},
    "earth.c:wrap_degrees": {"9:42 360.0 -> (-360.0)": _SIGN},
    "earth.c:side_of_track": {
        "19:41 360.0 -> (-360.0)": _SIGN,
        "20:13 < -> <=": "0 and 360 are both within half a degree of the track",
        "24:16 < -> <=": "180 has returned before",
    },
    "money.c:income_tax": {
        "10:18 1 -> 0": "the first bracket has the rate 0, and all that ends the loop there ends it at the next, too",
        "11:20 <= -> <": "what is added is 0, and the loop ends at the next bracket",
        "13:38 > -> >=": "the two values to choose from are equal",
    },
    "money.c:loan_payment": {"24:21 == -> <=": "negative rates have returned before"},
    "strings.c:luhn_valid": {"24:13 += -> -=": _SUM, "28:34 == -> <=": _SUM},
    "arrays.c:argmax_abs": {"8:23 1.0 -> 1.5": _ABSOLUTE, "8:23 1.0 -> 2.0": _ABSOLUTE},
    "bits_and_codes.py:popcount": {"10:32 0xFFFFFFFF -> 4294967294": "the lowest bit is shifted out"},
    "earth.py:tile": {
        "28:26 0 -> (-1)": "the smallest row, at latitude 85.0511, is 0",
        "28:32 - -> +": _NO_MORE,
        "28:34 1 -> 0": _NO_MORE,
    },
    "money.py:net_salary": {"10:16 <= -> <": "0.15 * 30000 is 4500.0, and so is 4500 + 0.35 * 0"},
    "money.py:effective_rate": {"22:16 == -> <=": "negative numbers have raised before"},
    "texts.py:hex_color": {"11:20 == -> <=": "twice 0, 1 or 2 digits are no 6 either, and the message is the same"},
    "texts.py:roman": {
        "22:12 0 -> (-1)": "no digit has a value below 1",
        "22:12 0 -> 1": "no digit has a value below 1",
    },
    "fixed.c:sat_add_i32": {
        "37:11 > -> >=": _ZERO,
        "37:13 0 -> (-1)": _ZERO,
        "37:20 > -> >=": _LIMIT,
        "39:11 < -> <=": _ZERO,
        "39:13 0 -> 1": _ZERO,
        "39:20 < -> <=": _LIMIT,
    },
    "geo.c:utm_zone": {"48:20 9.0 -> 0.0": _RETURNED, "50:20 21.0 -> 0.0": _RETURNED},
    "linalg.c:type_k_celsius": {"72:23 1 -> 0": "no value is above the last one of the table"},
    "sensors.c:pt100_celsius": {"81:22 < -> <=": "-200 becomes -200"},
    "bits.py:rotl": {
        "11:10 == -> <=": "a remainder of a positive width is not negative",
        "11:13 0 -> (-1)": "a rotation by 0 gives x, too",
        "13:22 | -> ^": "the two have no bit in common",
    },
    "finance.py:black_scholes": {
        "123:15 == -> <=": "neither factor is negative",
        "128:13 == -> >=": 'kind is "call" or "put" here, and "call" comes first',
    },
    "weather.py:convert": {
        "61:17 == -> >=": "the enumeration has no greater member",
        "69:15 == -> >=": "the enumeration has no greater member",
    },
}
