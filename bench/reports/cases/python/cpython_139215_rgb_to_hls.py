"""https://github.com/python/cpython/pull/139215

For a colour that is almost white, the sum of the largest and the smallest part
is rounded to 2, and the saturation divides by zero:
reported(0.9999999999999999, 1.0, 1.0).
"""


def _hue(red: float, green: float, blue: float, high: float, low: float) -> float:
    if red == high:
        turn = (green - blue) / (high - low)
    elif green == high:
        turn = 2.0 + (blue - red) / (high - low)
    else:
        turn = 4.0 + (red - green) / (high - low)
    return turn / 6.0 % 1.0


def reported(red: float, green: float, blue: float) -> tuple[float, float, float]:
    high = max(red, green, blue)
    low = min(red, green, blue)
    if not (low >= 0.0 and high <= 1.0 and 0.0 <= green <= 1.0 and 0.0 <= blue <= 1.0):
        raise ValueError("a part is outside 0 to 1")
    both = high + low
    light = both / 2.0
    if high == low:
        return 0.0, light, 0.0
    if light <= 0.5:
        strength = (high - low) / both
    else:
        strength = (high - low) / (2.0 - both)  # fault: ZeroDivisionError
    return _hue(red, green, blue, high, low), light, strength


def mended(red: float, green: float, blue: float) -> tuple[float, float, float]:
    high = max(red, green, blue)
    low = min(red, green, blue)
    if not (low >= 0.0 and high <= 1.0 and 0.0 <= green <= 1.0 and 0.0 <= blue <= 1.0):
        raise ValueError("a part is outside 0 to 1")
    light = (high + low) / 2.0
    if high == low:
        return 0.0, light, 0.0
    if light <= 0.5:
        strength = (high - low) / (high + low)
    else:
        strength = (high - low) / ((1.0 - high) + (1.0 - low))
    return _hue(red, green, blue, high, low), light, min(1.0, strength)
