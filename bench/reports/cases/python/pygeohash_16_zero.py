"""https://github.com/wdm0006/pygeohash/issues/16

A geohash puts a point that lies exactly on a halving line into the lower cell, which does not hold its upper edge:
latitude=0.0, longitude=-5.6, precision=5 gives 7zupb instead of ebh00.
"""

ALPHABET = "0123456789bcdefghjkmnpqrstuvwxyz"


def reported(latitude: float, longitude: float, precision: int) -> str:
    if not (abs(latitude) <= 90.0 and abs(longitude) <= 180.0):
        raise ValueError("no such point")
    if not 1 <= precision <= 12:
        raise ValueError("the precision must lie in 1 to 12")
    low, high, place = [-180.0, -90.0], [180.0, 90.0], [longitude, latitude]
    code, bits = "", 0
    for turn in range(5 * precision):
        axis = turn % 2
        middle = (low[axis] + high[axis]) / 2.0
        if place[axis] > middle:
            bits, low[axis] = 2 * bits + 1, middle
        else:
            bits, high[axis] = 2 * bits, middle
        if turn % 5 == 4:
            code, bits = code + ALPHABET[bits], 0
    if longitude == high[0] < 180.0 or latitude == high[1] < 90.0:  # fault: branch
        return code
    return code


def mended(latitude: float, longitude: float, precision: int) -> str:
    if not (abs(latitude) <= 90.0 and abs(longitude) <= 180.0):
        raise ValueError("no such point")
    if not 1 <= precision <= 12:
        raise ValueError("the precision must lie in 1 to 12")
    low, high, place = [-180.0, -90.0], [180.0, 90.0], [longitude, latitude]
    code, bits = "", 0
    for turn in range(5 * precision):
        axis = turn % 2
        middle = (low[axis] + high[axis]) / 2.0
        if place[axis] >= middle:
            bits, low[axis] = 2 * bits + 1, middle
        else:
            bits, high[axis] = 2 * bits, middle
        if turn % 5 == 4:
            code, bits = code + ALPHABET[bits], 0
    return code
