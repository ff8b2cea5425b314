"""https://github.com/sffjunkie/astral/issues/9

In a northern summer the sun does not sink to the wanted depth, the cosine of its hour angle lies below -1 and the arc
cosine fails: latitude=62.54999923706055, declination=21.466634091977532, zenith=96.0.
"""

import math


def cosine_of_hour_angle(latitude: float, declination: float, zenith: float) -> float:
    phi, delta = math.radians(latitude), math.radians(declination)
    height = math.cos(math.radians(zenith)) / (math.cos(phi) * math.cos(delta))
    return height - math.tan(phi) * math.tan(delta)


def reported(latitude: float, declination: float, zenith: float) -> float:
    if not abs(latitude) <= 90.0:
        raise ValueError("the latitude lies outside -90 to 90")
    if not (abs(declination) <= 24.0 and 0.0 <= zenith <= 180.0):
        raise ValueError("no such position of the sun")
    if latitude > 89.8:
        latitude = 89.8
    if latitude < -89.8:
        latitude = -89.8
    h = cosine_of_hour_angle(latitude, declination, zenith)
    return math.degrees(math.acos(h))  # fault: ValueError


def mended(latitude: float, declination: float, zenith: float) -> float:
    if not abs(latitude) <= 90.0:
        raise ValueError("the latitude lies outside -90 to 90")
    if not (abs(declination) <= 24.0 and 0.0 <= zenith <= 180.0):
        raise ValueError("no such position of the sun")
    latitude = max(-89.8, min(89.8, latitude))
    h = cosine_of_hour_angle(latitude, declination, zenith)
    if h >= 1.0:
        return 0.0
    if h <= -1.0:
        return 180.0
    return math.degrees(math.acos(h))
