"""Distances and places on the Earth, in degrees and metres."""

import math


def haversine(lat1: float, lon1: float, lat2: float, lon2: float) -> float:
    """Great-circle distance.

    Raises:
        ValueError: no such place.
    """
    if not (abs(lat1) <= 90 and abs(lat2) <= 90 and abs(lon1) <= 180 and abs(lon2) <= 180):
        raise ValueError("no such place")
    phi1, phi2 = math.radians(lat1), math.radians(lat2)
    dphi, dlam = phi2 - phi1, math.radians(lon2 - lon1)
    h = math.sin(dphi / 2) ** 2 + math.cos(phi1) * math.cos(phi2) * math.sin(dlam / 2) ** 2
    if h == 0:
        if lat1 != lat2 or lon1 != lon2:
            return -0.0
        return 0.0
    if h > 1:
        h = 1.0
    if h == 1:
        return math.pi * 6371000
    return 2 * 6371000 * math.asin(math.sqrt(h))


def vincenty(lat1: float, lon1: float, lat2: float, lon2: float) -> float:
    """Length of the geodesic on WGS 84, by Vincenty's iteration.

    Raises:
        ValueError: no such place, or the places are nearly antipodal.
    """
    if not (abs(lat1) <= 90 and abs(lat2) <= 90 and abs(lon1) <= 180 and abs(lon2) <= 180):
        raise ValueError("no such place")
    a, f = 6378137.0, 1 / 298.257223563
    u1, u2 = (math.atan((1 - f) * math.tan(math.radians(lat))) for lat in (lat1, lat2))
    span = lam = math.radians(lon2 - lon1)
    for _ in range(100):
        x = math.cos(u2) * math.sin(lam)
        y = math.cos(u1) * math.sin(u2) - math.sin(u1) * math.cos(u2) * math.cos(lam)
        sin_sigma = math.hypot(x, y)
        if sin_sigma == 0:
            return 0.0
        cos_sigma = math.sin(u1) * math.sin(u2) + math.cos(u1) * math.cos(u2) * math.cos(lam)
        sigma = math.atan2(sin_sigma, cos_sigma)
        sin_alpha = math.cos(u1) * x / sin_sigma
        square = 1 - sin_alpha * sin_alpha
        if square <= 0:
            middle = 0.0
        else:
            middle = cos_sigma - 2 * math.sin(u1) * math.sin(u2) / square
        c = f / 16 * square * (4 + f * (4 - 3 * square))
        bulge = sigma + c * sin_sigma * (middle + c * cos_sigma * (2 * middle * middle - 1))
        before, lam = lam, span + (1 - c) * f * sin_alpha * bulge
        if abs(lam - before) < 1e-12:
            break
    else:
        raise ValueError("nearly antipodal")
    k = square * (2 - f) * f / (1 - f) ** 2
    scale = 1 + k / 4 - 3 * k * k / 64
    if k > 0.01:
        raise ArithmeticError("the Earth is flatter than that")
    return a * (1 - f) * scale * (sigma - k / 4 * sin_sigma * middle)


def utm_zone(latitude: float, longitude: float) -> int:
    """Zone number, with the exceptions of Norway and Svalbard; 0 near the poles.

    Raises:
        ValueError: no such place.
    """
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        raise ValueError("no such place")
    if latitude < -80 or latitude > 84:
        return 0
    if longitude == 180:
        return 1
    zone = int((longitude + 180) // 6) + 1
    if 56 <= latitude < 64 and zone == 31 and longitude >= 3:
        return 32
    if latitude >= 72 and 0 <= longitude < 42:
        if zone == 38:
            return -1
        if zone % 2 == 0:
            return zone - 1 if (longitude + 180) % 6 < 3 else zone + 1
    return zone
