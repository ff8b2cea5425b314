"""Bit twiddling on unsigned words of a given width."""


def rotl(x: int, n: int, width: int = 32) -> int:
    """Rotate `x` left by `n` bits; a negative `n` rotates right. `width` is 8, 16, 32 or 64."""
    if width not in (8, 16, 32, 64):
        raise ValueError(f"no such width: {width}")
    mask = (1 << width) - 1
    x &= mask
    n %= width
    if n == 0:
        return x
    return ((x << n) | (x >> (width - n))) & mask


def from_gray(gray: int) -> int:
    """The number whose Gray code this is."""
    if gray < 0:
        raise ValueError("a Gray code is not negative")
    value = gray
    shift = 1
    while gray >> shift:
        value ^= gray >> shift
        shift += 1
    return value


def saturating_add(a: int, b: int, bits: int = 16, signed: bool = True) -> int:
    """a + b, held in the range of an integer of so many bits."""
    assert 2 <= bits <= 64
    if signed:
        low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    else:
        low, high = 0, (1 << bits) - 1
    total = a + b
    if total > high:
        return high
    if total < low:
        return low
    return total
