"""Places, in degrees."""

import math


def normalise(lat: float, lon: float) -> tuple[float, float]:
    """The same place with a longitude in [-180, 180), where the latitude may have gone over a pole once."""
    if abs(lat) > 270:
        raise ValueError("more than once over a pole")
    if lat > 90:
        lat, lon = 180 - lat, lon + 180
    elif lat < -90:
        lat, lon = -180 - lat, lon + 180
    lon = (lon + 180) % 360 - 180
    return lat, lon


def tile(lat: float, lon: float, zoom: int) -> tuple[int, int]:
    """Column and row of the tile of a web map."""
    if not 0 <= zoom <= 19:
        raise ValueError("zoom must be in 0..19")
    if abs(lat) > 85.0511 or not -180 <= lon < 180:
        raise ValueError("off the map")
    n = 1 << zoom
    x = int((lon + 180) / 360 * n)
    phi = math.radians(lat)
    y = int((1 - math.asinh(math.tan(phi)) / math.pi) / 2 * n)
    return x, min(max(y, 0), n - 1)


def initial_course(lat1: float, lon1: float, lat2: float, lon2: float) -> float:
    """Course in [0, 360) at the start of the great circle; 0 from a place to itself."""
    if lat1 == lat2 and lon1 == lon2:
        return 0.0
    phi1, phi2, dlon = math.radians(lat1), math.radians(lat2), math.radians(lon2 - lon1)
    y = math.sin(dlon) * math.cos(phi2)
    x = math.cos(phi1) * math.sin(phi2) - math.sin(phi1) * math.cos(phi2) * math.cos(dlon)
    course = math.degrees(math.atan2(y, x))
    return course + 360 if course < 0 else course
