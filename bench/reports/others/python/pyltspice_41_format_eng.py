"""https://github.com/nunobrum/PyLTSpice/issues/41

A component's value is written with the prefix that its logarithm tells, and zero has none: reported(0.0).
"""

import math


def reported(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError("the value is not finite")
    exponent = math.floor(math.log(abs(value), 1000))  # fault: ValueError
    if -4 <= exponent < 0:
        suffix = "pnum"[exponent]
    elif exponent == 0:
        suffix = ""
    elif exponent == 1:
        suffix = "k"
    elif exponent == 2:
        suffix = "Meg"
    else:
        return f"{value:E}"
    return f"{value * 1000**-exponent:g}{suffix}"


def mended(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError("the value is not finite")
    exponent = math.floor(math.log(abs(value), 1000)) if value != 0.0 else 0
    if -4 <= exponent < 0:
        suffix = "pnum"[exponent]
    elif exponent == 0:
        suffix = ""
    elif exponent == 1:
        suffix = "k"
    elif exponent == 2:
        suffix = "Meg"
    else:
        return f"{value:E}"
    return f"{value * 1000**-exponent:g}{suffix}"
