"""Numbers in texts."""

ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def hex_color(text: str) -> tuple[int, int, int]:
    """Red, green and blue of "#f80" or "#ff8800"."""
    if not text.startswith("#"):
        raise ValueError("no number sign")
    digits = text[1:]
    if len(digits) == 3:
        digits = "".join(c + c for c in digits)
    if len(digits) != 6:
        raise ValueError("three or six digits")
    value = int(digits, 16)
    return value >> 16, (value >> 8) & 0xFF, value & 0xFF


def roman(text: str) -> int:
    """Value of a Roman number, without looking at the order of all digits."""
    total = 0
    last = 0
    for c in reversed(text):
        if c not in ROMAN:
            raise ValueError(f"no Roman digit: {c}")
        value = ROMAN[c]
        if value < last:
            total -= value
        else:
            total += value
            last = value
    return total
