"""https://github.com/fabiocaccamo/python-fsutil/issues/184

For 1024 YB and more the loop goes one unit past the last one:
reported(2 ** 90).
"""

_UNITS = ["bytes", "KB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"]


def reported(size: int) -> str:
    if size < 0:
        raise ValueError("a size is not negative")
    if size > 10**300:
        raise ValueError("a size is not that large")
    amount = float(size)
    step = 0
    while amount >= 1024.0 and step < len(_UNITS):
        amount /= 1024.0
        step += 1
    if step == 0:
        return f"{size} bytes"
    unit = _UNITS[step]  # fault: IndexError
    return f"{amount:.2f} {unit}"


def mended(size: int) -> str:
    if size < 0:
        raise ValueError("a size is not negative")
    if size > 10**300:
        raise ValueError("a size is not that large")
    amount = float(size)
    step = 0
    while amount >= 1024.0 and step < len(_UNITS) - 1:
        amount /= 1024.0
        step += 1
    if step == 0:
        return f"{size} bytes"
    return f"{amount:.2f} {_UNITS[step]}"
