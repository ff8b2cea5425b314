"""https://github.com/python/cpython/issues/106498

Converting an almost white colour to hue, lightness and saturation divides by zero, because the sum of the
largest and the smallest channel rounds to 2.0: r=1.0, g=1.0, b=0.9999999999999999.
"""


def hue_of(r: float, g: float, b: float, high: float, spread: float) -> float:
    if r == high:
        turn = (g - b) / spread
    elif g == high:
        turn = 2.0 + (b - r) / spread
    else:
        turn = 4.0 + (r - g) / spread
    return (turn / 6.0) % 1.0


def reported(r: float, g: float, b: float) -> tuple[float, float, float]:
    if not (0.0 <= r <= 1.0 and 0.0 <= g <= 1.0 and 0.0 <= b <= 1.0):
        raise ValueError("a channel lies outside 0 to 1")
    high = max(r, g, b)
    low = min(r, g, b)
    total = high + low
    spread = high - low
    lightness = total / 2.0
    if spread == 0.0:
        return 0.0, lightness, 0.0
    if lightness <= 0.5:
        saturation = spread / total
    else:
        saturation = spread / (2.0 - total)  # fault: ZeroDivisionError
    return hue_of(r, g, b, high, spread), lightness, saturation


def mended(r: float, g: float, b: float) -> tuple[float, float, float]:
    if not (0.0 <= r <= 1.0 and 0.0 <= g <= 1.0 and 0.0 <= b <= 1.0):
        raise ValueError("a channel lies outside 0 to 1")
    high = max(r, g, b)
    low = min(r, g, b)
    spread = high - low
    lightness = (high + low) / 2.0
    if spread == 0.0:
        return 0.0, lightness, 0.0
    if lightness <= 0.5:
        saturation = spread / (high + low)
    else:
        saturation = spread / ((1.0 - high) + (1.0 - low))
    return hue_of(r, g, b, high, spread), lightness, min(1.0, saturation)
