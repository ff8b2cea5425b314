"""https://github.com/coderholic/django-cities/issues/222

The cosine of the angle between two places rounds to 1.0000000000000002 if they are the same, and the arc cosine fails:
reported((113.9192428, 22.4876533), (113.9192428, 22.4876533)).
"""

import math


def cosine_between(a: tuple[float, float], b: tuple[float, float]) -> float:
    a_y, b_y = math.radians(a[1]), math.radians(b[1])
    across = math.radians(a[0] - b[0])
    return math.sin(a_y) * math.sin(b_y) + math.cos(a_y) * math.cos(b_y) * math.cos(across)


def reported(a: tuple[float, float], b: tuple[float, float]) -> float:
    for longitude, latitude in (a, b):
        if not abs(latitude) <= 90.0:
            raise ValueError("the latitude lies outside -90 to 90")
        if not abs(longitude) <= 180.0:
            raise ValueError("the longitude lies outside -180 to 180")
    return math.acos(cosine_between(a, b)) * 6370.986  # fault: ValueError


def mended(a: tuple[float, float], b: tuple[float, float]) -> float:
    for longitude, latitude in (a, b):
        if not abs(latitude) <= 90.0:
            raise ValueError("the latitude lies outside -90 to 90")
        if not abs(longitude) <= 180.0:
            raise ValueError("the longitude lies outside -180 to 180")
    cosine = max(-1.0, min(1.0, cosine_between(a, b)))
    return math.acos(cosine) * 6370.986
