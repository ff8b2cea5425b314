"""Coordinates in degrees."""

import math
import re

EARTH_RADIUS_KM = 6371.0088
DMS = re.compile(r"""^(\d{1,3})°(?:(\d{1,2})')?(?:(\d{1,2}(?:\.\d+)?)")?([NSEW])$""")


def haversine(lat1, lon1, lat2, lon2, unit="km"):
    """Great circle distance between two points, in "km" or "mi"."""
    if not (-90 <= lat1 <= 90 and -90 <= lat2 <= 90):
        raise ValueError("latitudes must be in [-90, 90]")
    phi1, phi2 = math.radians(lat1), math.radians(lat2)
    dphi = phi2 - phi1
    dlambda = math.radians(lon2 - lon1)
    a = math.sin(dphi / 2) ** 2 + math.cos(phi1) * math.cos(phi2) * math.sin(dlambda / 2) ** 2
    if a > 1:  # rounding, at antipodes
        a = 1.0
    km = 2 * EARTH_RADIUS_KM * math.asin(math.sqrt(a))
    if unit == "km":
        return km
    if unit == "mi":
        return km / 1.609344
    raise ValueError("unit must be km or mi")


def bearing(lat1: float, lon1: float, lat2: float, lon2: float) -> str:
    """Compass point, of eight, in which the second place lies as seen from the first."""
    if (lat1, lon1) == (lat2, lon2):
        raise ValueError("the places are the same")
    phi1, phi2 = math.radians(lat1), math.radians(lat2)
    dlambda = math.radians(lon2 - lon1)
    y = math.sin(dlambda) * math.cos(phi2)
    x = math.cos(phi1) * math.sin(phi2) - math.sin(phi1) * math.cos(phi2) * math.cos(dlambda)
    angle = math.degrees(math.atan2(y, x)) % 360
    points = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    return points[round(angle / 45) % 8]


def parse_dms(text: str) -> float:
    """Degrees of `49°16'27.5"N`; minutes and seconds may be left out."""
    match = DMS.match(text.strip())
    if match is None:
        raise ValueError(f"not a coordinate: {text!r}")
    degrees = int(match[1])
    minutes = int(match[2] or 0)
    seconds = float(match[3] or 0)
    if minutes >= 60 or seconds >= 60:
        raise ValueError("minutes and seconds must be below 60")
    value = degrees + minutes / 60 + seconds / 3600
    if value > (90 if match[4] in "NS" else 180):
        raise ValueError("out of range")
    return -value if match[4] in "SW" else value


def maidenhead(lat: float, lon: float, precision: int = 3) -> str:
    """Locator of amateur radio, as JN58td for precision 3 (pairs of characters, 1 to 3)."""
    if not -90 <= lat < 90 or not -180 <= lon < 180:
        raise ValueError("no such place")
    if precision < 1 or precision > 3:
        raise ValueError("precision must be 1, 2 or 3")
    x, y = lon + 180, lat + 90
    locator = chr(ord("A") + int(x // 20)) + chr(ord("A") + int(y // 10))
    if precision >= 2:
        locator += str(int(x % 20 // 2)) + str(int(y % 10))
    if precision >= 3:
        locator += chr(ord("a") + int(x % 2 * 12)) + chr(ord("a") + int(y % 1 * 24))
    return locator
