"""Mutants that no test can kill, and why: results, outputs and exceptions are the same, bit by bit.

They are those among the survivors of a first suite, each read by hand. Arguments are of the types that are annotated.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..python.subjects import FUNCTIONS
from .functions import Function

_LIMIT = "at the limit the sum is the limit"
_ZERO = "with b = 0 the second comparison is false for every a"
_SIGN = "the sign of the divisor is nothing to fmod"
_SUM = "the sum is no less than 0, and divisible by 10 if its negative is"
_ABSOLUTE = "an absolute value is greater than each of these"
_FACTOR = "a product with what is not 0 is 0 if the other factor is"
_HUGE = "1e300 is by far the larger one"
_ROOM = "an array with more room"
_KERNEL = "all that counts is that it is not 0"
_WOOD = "the sum and the difference of x2 and x4 tell it"
_ONES = "all are 1 here, by what has been compared"
_NINES = "a number is divisible by 9 if its digits' sum is"
_MEAN = "one is so far below the mean that others are above, and the mean is returned"
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

# Of bench/python, where functions may be called as others are.
IN_PYTHON: dict[str, dict[str, str]] = {
    "bits.py:float_class": {
        "8:54 0 -> (-1)": "it is a tuple of one",
        "10:17 == -> >=": "0x7FF is the highest exponent",
        "14:17 == -> <=": "bits are not below 0",
        "22:17 == -> <=": "bits are not below 0",
    },
    "bits.py:single_precision": {
        "45:55 0 -> (-1)": "it is a tuple of one",
        "54:19 == -> >=": "where they differ by 1, x has no fraction",
    },
    "calendrical.py:easter": {
        "46:10 == -> >=": "a remainder by 30 is at most 29",
        "48:10 == -> >=": "29 with e == 6 has returned before",
        "54:23 25 -> 26": "the day is at most 56: 57 has returned before",
    },
    "control.py:rate_limit": {
        "76:21 == -> <=": "they are the same infinity, or one is a NaN",
        "80:26 == -> <=": "a sum with what is above 0 is not less",
        "85:15 == -> <=": "what is less has returned before",
    },
    "flopsy.py:helical_valley": {
        "32:8 10 -> 1": _FACTOR,
        "32:8 10 -> 9": _FACTOR,
        "32:40 10 -> 11": _FACTOR,
    },
    "flopsy.py:rosenbrock": {
        "50:30 100 -> 1": _FACTOR,
        "50:30 100 -> 101": _FACTOR,
        "50:30 100 -> 99": _FACTOR,
        "50:70 == -> <=": "a sum of squares is not below 0",
    },
    "flopsy.py:wood": {
        "57:8 10 -> 0": _WOOD,
        "57:8 10 -> 11": _FACTOR,
        "57:28 == -> >=": _WOOD,
        "57:44 == -> <=": _WOOD,
        "57:63 90 -> 1": _FACTOR,
        "58:19 == -> <=": _WOOD,
        "58:38 10 -> 0": _ONES,
        "58:38 10 -> 9": _ONES,
        "58:58 == -> >=": _ONES,
        "58:67 10 -> 11": _ONES,
        "58:71 - -> nothing": _ONES,
        "58:72 0.5 -> 0.75": _ONES,
        "58:88 == -> <=": _ONES,
    },
    "integers.py:gcd_steps": {
        "19:10 == -> <=": "an absolute value is not below 0",
        "19:13 0 -> (-1)": "of 0 and 0 there are no steps, and 0 is returned anyway",
    },
    "integers.py:integer_root": {
        "43:29 1 -> 2": "the root is never too small",
        "45:20 == -> >=": "a remainder by 1000 is at most 999",
        "45:33 == -> <=": "what is not above the square has returned before",
    },
    "integers.py:collatz": {
        "56:29 == -> <=": "a remainder is not below 0",
    },
    "integers.py:digit_sums": {
        "80:14 == -> <=": "a remainder is not below 0",
        "80:17 0 -> (-1)": _NINES,
        "80:31 9 -> 1": _NINES,
    },
    "kinds.py:clean": {
        "142:27 > -> >=": "x is infinite",
        "142:29 0 -> (-1)": "x is infinite",
        "142:29 0 -> 1": "x is infinite",
        "144:37 1 -> 2": "the sign alone counts",
        "144:43 < -> <=": "it is 1 or -1",
        "144:45 0 -> 1": "it is 1 or -1",
    },
    "needles.py:int_needle": {
        "10:16 4 -> 3": "no square leaves 2",
        "10:18 == -> >=": "a square leaves 0 or 1",
        "12:36 == -> <=": "a remainder is not below 0",
    },
    "needles.py:float_needle": {
        "25:17 == -> <=": "a sum with what is above 0 is not less",
    },
    "sequences.py:stack_machine": {
        "41:44 == -> <=": "it is 0 or 1",
        "46:28 < -> <=": "0 is a case before",
    },
    "special.py:cube_root": {
        "106:13 * -> /": "what follows returns the same",
        "106:20 * -> /": "what follows returns the same",
        "106:27 == -> !=": "what follows returns the same",
        "106:27 == -> >=": "what follows returns the same",
        "107:17 > -> <=": "what follows returns the same",
        "107:19 1000 -> 0": "what follows returns the same",
        "107:19 1000 -> 1001": "what follows returns the same",
        "107:19 1000 -> 999": "what follows returns the same",
        "107:33 % -> *": "what follows returns the same",
        "107:35 1 -> 2": "what follows returns the same",
        "107:37 != -> ==": "what follows returns the same",
        "107:40 0 -> 1": "what follows returns the same",
    },
    "stats.py:spread": {
        "40:17 == -> <=": "a sum of squares is not below 0",
        "44:19 0 -> (-1)": "a sum of squares is not below 0",
    },
    "texts.py:parse_decimal": {
        "26:18 == -> >=": "it is at most 1",
        "35:14 == -> <=": "it is not below 0",
        "35:30 0 -> 1": "it is 1 or -1",
    },
    "special.py:exponential_integral": {
        "45:10 == -> <=": "it is not below 0",
        "46:14 == -> <=": "it is not below 0",
    },
    "stats.py:trimmed_mean": {
        "25:32 0 -> (-1)": _MEAN,
        "25:35 < -> <=": _MEAN,
        "25:38 100 -> 0": _MEAN,
        "25:38 100 -> 101": _MEAN,
    },
}

# Of fdlibm.
IN_FDLIBM: dict[str, dict[str, str]] = {
    "libm/math/e_asin.c:__ieee754_asin": {
        "91:12 > -> >=": _HUGE,
    },
    "libm/math/e_atanh.c:__ieee754_atanh": {
        "65:28 > -> >=": _HUGE,
        "72:7 >= -> >": "a tiny x has returned before",
    },
    "libm/math/e_j0.c:__ieee754_j0": {
        "130:15 > -> >=": _HUGE,
    },
    "libm/math/s_asinh.c:asinh": {
        "85:15 > -> >=": _HUGE,
        "96:7 > -> >=": "a tiny x has returned before",
    },
    "libm/math/s_ceil.c:ceil": {
        "46:13 0.0 -> 1.0": _HUGE,
    },
    "libm/math/s_floor.c:floor": {
        "96:10 + -> -": _HUGE,
    },
    "libm/math/e_rem_pio2.c:__ieee754_rem_pio2": {
        "92:13 0.0 -> 1.0": "both its words are set before it is used",
        "159:11 < -> <=": "a tiny x has returned before",
        "181:7 < -> <=": "a tiny x has returned before",
    },
    "libm/common/s_cbrt.c:cbrt": {
        "73:15 0.0 -> 1.0": "its upper word is set before it is used, and the lower one is the same",
    },
    "libm/math/s_cos.c:cos": {
        "56:11 2 -> 3": _ROOM,
        "74:42 1 -> 2": _KERNEL,
    },
    "libm/math/s_sin.c:sin": {
        "94:11 2 -> 3": _ROOM,
        "113:42 1 -> 2": _KERNEL,
    },
    "libm/math/s_tanh.c:tanh": {
        "116:12 >= -> >": "a tiny x has returned before",
    },
    "libm/math/s_erf.c:erfc": {
        "328:13 0 -> (-1)": "it is of a NaN, which has returned before",
    },
    "libm/math/e_acos.c:__ieee754_acos": {
        "89:17 0 -> (-1)": "it is of a NaN, which has returned before",
    },
    "libm/common/s_nextafter.c:nextafter": {
        "79:9 0 -> (-1)": "it is of a NaN, which has returned before",
    },
    "libm/math/e_sinh.c:__ieee754_sinh": {
        "61:9 0 -> 1": "for a tiny x it is not used",
    },
}


def equivalent(function: Function) -> Mapping[str, str]:
    """Those of a function, and why each is one."""
    return (IN_PYTHON if function.project == FUNCTIONS else EQUIVALENT | IN_FDLIBM).get(function.target, {})
