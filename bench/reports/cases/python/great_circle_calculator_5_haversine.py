"""https://github.com/seangrogan/great_circle_calculator/issues/5

The haversine term of two opposite points of the globe rounds to 1.0000000000000002, so that a square root is taken of
a negative number: lon1=5.0, lat1=12.0, lon2=-175.0, lat2=-12.0 (45.0 in the report, whose sines round differently).
"""

import math


def reported(lon1: float, lat1: float, lon2: float, lat2: float) -> float:
    if not (abs(lat1) <= 90.0 and abs(lat2) <= 90.0):
        raise ValueError("a latitude lies outside -90 to 90")
    if not (abs(lon1) <= 180.0 and abs(lon2) <= 180.0):
        raise ValueError("a longitude lies outside -180 to 180")
    if lon1 == lon2 and lat1 == lat2:
        return 0.0
    phi1, phi2 = math.radians(lat1), math.radians(lat2)
    rise = math.sin((phi2 - phi1) / 2.0)
    turn = math.sin(math.radians(lon2 - lon1) / 2.0)
    a = rise * rise + math.cos(phi1) * math.cos(phi2) * turn * turn
    angle = 2.0 * math.atan2(math.sqrt(a), math.sqrt(1.0 - a))  # fault: ValueError
    return 6371008.8 * angle


def mended(lon1: float, lat1: float, lon2: float, lat2: float) -> float:
    if not (abs(lat1) <= 90.0 and abs(lat2) <= 90.0):
        raise ValueError("a latitude lies outside -90 to 90")
    if not (abs(lon1) <= 180.0 and abs(lon2) <= 180.0):
        raise ValueError("a longitude lies outside -180 to 180")
    if lon1 == lon2 and lat1 == lat2:
        return 0.0
    phi1, phi2 = math.radians(lat1), math.radians(lat2)
    rise = math.sin((phi2 - phi1) / 2.0)
    turn = math.sin(math.radians(lon2 - lon1) / 2.0)
    a = rise * rise + math.cos(phi1) * math.cos(phi2) * turn * turn
    a = max(0.0, min(1.0, a))
    angle = 2.0 * math.atan2(math.sqrt(a), math.sqrt(1.0 - a))
    return 6371008.8 * angle
