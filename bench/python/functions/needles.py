"""A few inputs out of all: equalities over integers and floats."""


def int_needle(n: int) -> str:
    """One residue class, and in it one number."""
    if n % 7 != 3:
        return "other class"
    if n * n * n - 7 * n == 1758408294:
        return "found"
    if n * n % 4 == 2:
        return "no square is 2 modulo 4"
    if n < -1_000_000 and n % 1009 == 0:
        return "deep"
    return "missed"


def float_needle(x: float, y: float) -> int:
    """Products and sums that must come out exactly."""
    if x * x == 2.25:
        if x < 0:
            if x * y + 0.25 == 13.0:
                return 3
            return 2
        return 1
    if x + 1e16 == x and y != x:
        return 4 if y == 2 * x else 5
    return 0


def mixed_needle(n: int, x: float) -> str:
    """An integer that a float must match, and a float that falls between two grid points."""
    if abs(n) > 2**53:
        raise ValueError("not exact as a float")
    if n / 8 == x and n % 2 == 1:
        if x > 100:
            if n == 1023:
                return "last"
            return "large"
        return "eighth"
    if 0.1 < x - n < 0.1000001:
        return "just above a tenth"
    return "apart"
