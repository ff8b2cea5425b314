"""Functions with a branch that chance hardly ever takes."""

import itertools
import math


def product(x: float) -> int:
    return 1 if x * x == 5.0625 and x < 0 else 0


def sine(x: float) -> int:
    return 1 if math.sin(x) > 0.9999999 and x > 1000 else 0


def linear(a: int, b: int) -> int:
    return 1 if 3 * a + 5 * b == 98765 and a > b else 0


def greeting(text: str) -> int:
    return 1 if text.startswith("Hello") and text.endswith("World!") else 0


def counted(x: int, xs: list[int]) -> int:
    if x == 90:
        for item in xs:
            if item == 15:
                x += 1
        if x == 95:
            return 1
    return 0


def ascending(xs: list[float]) -> int:
    if len(xs) < 5:
        return 0
    if all(a < b for a, b in itertools.pairwise(xs)):
        return 1
    return 2


def clock(text: str) -> int:
    hours, colon, minutes = text.partition(":")
    if colon and hours.isdigit() and minutes.isdigit() and int(hours) < 24 and int(minutes) == 59:
        return 1
    return 0


def member(x: float, name: str) -> int:
    return 1 if name in ("alpha", "beta") and x in (0.1, 0.7) else 0


def hopeless(a: int, b: int) -> int:
    if 3 * a + 5 * b == 98765:
        return 1
    return 2 if a % 3 == 3 else 0


def digits(n: int) -> bool:
    """Most of the decimal digits have to be nines."""
    total = 0
    while 0 < n < 10**18:
        n, digit = divmod(n, 10)
        total += digit
    return total == 150


_KNOTS = ((-40.0, 12.5), {"high": 31.7})


def tabulated(x: float) -> bool:
    """Just below a number that stands in a table."""
    if x < _KNOTS[0][1] and x * 3.0 + 1.0 > 38.499999999999986:
        return True
    return x == _KNOTS[1]["high"]


def checksummed(line: str) -> str:
    """A checksum over the rest, and tokens that it covers."""
    body, star, checksum = line.partition("*")
    total = 0
    for char in body:
        total ^= ord(char)
    if not star or f"{total:02X}" != checksum.upper():
        return "broken"
    fields = body.split(",")
    if not fields[0].endswith("GGA") or len(fields) < 5:
        return "another"
    if fields[3] == "S" and fields[4] != fields[2]:
        return "south"
    return "north"


def peaks(values: list[float]) -> int:
    """Two peaks that lie apart."""
    found = 0
    for i in range(1, len(values) - 1):
        if values[i - 1] < values[i] > values[i + 1]:
            found += 1
    if found == 2:
        return 1
    return 0


def numerals(text: str) -> int:
    """Roman numerals without a check: seven letters have to be known ones, and the last one the largest."""
    values = {"I": 1, "V": 5, "X": 10, "L": 50}
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
    if total < 0:
        return -1
    return total
