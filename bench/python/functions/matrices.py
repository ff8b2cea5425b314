"""Small matrices."""

import math


def det2_class(a: float, b: float, c: float, d: float) -> str:
    """What a matrix of 2 by 2 does to the plane."""
    det = a * d - b * c
    if math.isnan(det) or math.isinf(det):
        return "overflow"
    if det == 0:
        if a and b and c and d:
            return "flattens, with four numbers"
        return "flattens"
    if a * a + c * c == 1 and b * b + d * d == 1 and a * b + c * d == 0:
        if det > 0:
            if a and b:
                return "turns by an angle"
            return "turns by quarters"
        return "reflects"
    if abs(det) == 1:
        return "keeps areas"
    return "other"


def det3_sign(rows: list[int]) -> int:
    """Sign of the determinant of nine small integers; 9 for what is no such matrix, 5 for one chosen value."""
    if len(rows) != 9:
        return 9
    if any(abs(v) > 1000 for v in rows):
        return 9
    a, b, c, d, e, f, g, h, i = rows
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    if det == 0:
        if a * e != b * d:
            return 0
        return 2
    if det == 1001:
        return 5
    if a == e == i and b == d and c == g and f == h:
        return 3 if det > 0 else -3
    return 1 if det > 0 else -1


def eigen2(a: float, b: float, d: float) -> str:
    """Eigenvalues of the symmetric matrix [[a, b], [b, d]]."""
    if not (abs(a) < 1e6 and abs(b) < 1e6 and abs(d) < 1e6):
        return "too large"
    half, gap = (a + d) / 2, math.hypot((a - d) / 2, b)
    if gap < 0:
        return "complex"
    if gap == 0:
        if half == 0:
            return "zero"
        return "multiple of the unit"
    low, high = half - gap, half + gap
    if low == 0:
        return "singular"
    if low > 0:
        if high / low > 1e6:
            return "badly conditioned"
        return "positive"
    if high == -low and b != 0:
        return "balanced"
    return "negative" if high < 0 else "indefinite"
