"""https://github.com/python-humanize/humanize/pull/329

The unit is chosen before the number is rounded, so that a size just below the
next unit reads "1000.0 kB" where "1.0 MB" is meant: reported(999999.0, False).
"""

import math

_UNITS = ["kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"]


def reported(size: float, binary: bool) -> str:
    if not math.isfinite(size) or size < 0.0:
        raise ValueError("no such size")
    base = 1024.0 if binary else 1000.0
    if size < base:
        return f"{int(size)} bytes"
    amount = size / base
    step = 0
    while amount >= base and step < len(_UNITS) - 1:
        amount /= base
        step += 1
    if round(amount, 1) >= base and step < len(_UNITS) - 1:  # fault: branch
        return f"{base:.1f} {_UNITS[step]}"
    return f"{amount:.1f} {_UNITS[step]}"


def mended(size: float, binary: bool) -> str:
    if not math.isfinite(size) or size < 0.0:
        raise ValueError("no such size")
    base = 1024.0 if binary else 1000.0
    if size < base:
        return f"{int(size)} bytes"
    amount = size / base
    step = 0
    while round(amount, 1) >= base and step < len(_UNITS) - 1:
        amount /= base
        step += 1
    return f"{amount:.1f} {_UNITS[step]}"
