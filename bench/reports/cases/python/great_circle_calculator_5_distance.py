"""https://github.com/seangrogan/great_circle_calculator/issues/5

For two points on opposite sides of the globe the haversine term is rounded to a
little more than 1, and the root of 1 minus it fails: reported(8.0, -8.0, 180.0),
the points being given by their latitudes and the longitude between them.
"""

import math


def _haversine(lat1: float, lat2: float, between: float) -> float:
    up = math.sin(math.radians(lat2 - lat1) / 2.0)
    across = math.sin(math.radians(between) / 2.0)
    shrink = math.cos(math.radians(lat1)) * math.cos(math.radians(lat2))
    return up * up + shrink * across * across


def reported(lat1: float, lat2: float, between: float) -> float:
    if not (-90.0 <= lat1 <= 90.0 and -90.0 <= lat2 <= 90.0):
        raise ValueError("latitude out of range")
    if not -180.0 <= between <= 180.0:
        raise ValueError("longitude out of range")
    if lat1 == lat2 and between == 0.0:
        return 0.0
    part = _haversine(lat1, lat2, between)
    rest = math.sqrt(1.0 - part)  # fault: ValueError
    angle = 2.0 * math.atan2(math.sqrt(part), rest)
    return 6371.0088 * angle


def mended(lat1: float, lat2: float, between: float) -> float:
    if not (-90.0 <= lat1 <= 90.0 and -90.0 <= lat2 <= 90.0):
        raise ValueError("latitude out of range")
    if not -180.0 <= between <= 180.0:
        raise ValueError("longitude out of range")
    if lat1 == lat2 and between == 0.0:
        return 0.0
    part = min(1.0, max(0.0, _haversine(lat1, lat2, between)))
    angle = 2.0 * math.atan2(math.sqrt(part), math.sqrt(1.0 - part))
    return 6371.0088 * angle
