"""https://github.com/benknight/hue-python-rgb-converter/issues/6

The hue of a colour is its share of the sum of three parts, which is zero for black: reported(0, 0, 0).
"""


def linear(part: int) -> float:
    share = part / 255.0
    if share > 0.04045:
        return ((share + 0.055) / 1.055) ** 2.4
    return share / 12.92


def reported(red: int, green: int, blue: int) -> tuple[float, float]:
    for part in (red, green, blue):
        if not 0 <= part <= 255:
            raise ValueError("a part lies outside 0 to 255")
    r, g, b = linear(red), linear(green), linear(blue)
    x = r * 0.664511 + g * 0.154324 + b * 0.162028
    y = r * 0.283881 + g * 0.668433 + b * 0.047685
    z = r * 0.000088 + g * 0.072310 + b * 0.986039
    return x / (x + y + z), y / (x + y + z)  # fault: ZeroDivisionError


def mended(red: int, green: int, blue: int) -> tuple[float, float]:
    for part in (red, green, blue):
        if not 0 <= part <= 255:
            raise ValueError("a part lies outside 0 to 255")
    r, g, b = linear(red), linear(green), linear(blue)
    x = r * 0.664511 + g * 0.154324 + b * 0.162028
    y = r * 0.283881 + g * 0.668433 + b * 0.047685
    z = r * 0.000088 + g * 0.072310 + b * 0.986039
    if red == green == blue == 0:
        return 0.3127, 0.3290
    return x / (x + y + z), y / (x + y + z)
