"""Strings that people write into configuration files."""

from typing import NamedTuple

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
PREFIXES = {"p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9}


class Version(NamedTuple):
    major: int
    minor: int
    patch: int
    label: str | None


def parse_version(text: str) -> Version:
    """Read "1.2", "v1.2.3" or "1.2.3-rc1".

    Raises:
        ValueError: it is none of these.
    """
    if text.startswith("v"):
        text = text[1:]
    number, dash, label = text.partition("-")
    if dash and not label:
        raise ValueError("empty label")
    parts = number.split(".")
    if len(parts) == 2:
        parts.append("0")
    if len(parts) != 3:
        raise ValueError("need two or three numbers")
    for part in parts:
        if not part.isdigit():
            raise ValueError(f"not a number: {part!r}")
    return Version(int(parts[0]), int(parts[1]), int(parts[2]), label or None)


def parse_duration(text: str) -> int:
    """Seconds in "1d2h30m" or "90s"; each unit at most once, larger ones first. ValueError for all else."""
    total = 0
    digits = ""
    last = None
    for char in text:
        if char.isdigit():
            digits += char
        elif char in UNITS:
            if not digits:
                raise ValueError(f"no number before {char}")
            if last is not None and UNITS[char] >= last:
                raise ValueError("units must descend")
            total += int(digits) * UNITS[char]
            last = UNITS[char]
            digits = ""
        else:
            raise ValueError(f"unexpected {char!r}")
    if digits:
        raise ValueError("no unit at the end")
    return total


def parse_resistance(text):
    """Ohms in "470", "4k7", "2.2M" or "10k".

    A ValueError tells what is wrong.
    """
    text = text.strip()
    if not text:
        raise ValueError("empty")
    for prefix, factor in PREFIXES.items():
        if prefix in text:
            whole, _, fraction = text.partition(prefix)
            if fraction and "." in whole:
                raise ValueError("two decimal points")
            return float(f"{whole}.{fraction}" if fraction else whole) * factor
    return float(text)


def parse_gga(sentence: str) -> tuple[float, float, int] | None:
    """Latitude, longitude and number of satellites of a GGA sentence of NMEA 0183; None without a fix.

    Raises:
        ValueError: it is no such sentence, or its checksum is wrong.
    """
    if not sentence.startswith("$") or "*" not in sentence:
        raise ValueError("not NMEA")
    body, _, checksum = sentence[1:].partition("*")
    total = 0
    for char in body:
        total ^= ord(char)
    if f"{total:02X}" != checksum.strip().upper():
        raise ValueError("wrong checksum")
    fields = body.split(",")
    if not fields[0].endswith("GGA"):
        raise ValueError("not GGA")
    if fields[6] == "0":
        return None
    lat = float(fields[2][:2]) + float(fields[2][2:]) / 60
    lon = float(fields[4][:3]) + float(fields[4][3:]) / 60
    if fields[3] == "S":
        lat = -lat
    if fields[5] == "W":
        lon = -lon
    return lat, lon, int(fields[7])
