"""https://github.com/fonttools/fonttools/issues/3515

Where two lines meet is computed from their slopes, and two vertical lines above each other get past the tests for
parallel ones: reported((310.0, 0.0), (310.0, 10.0), (310.0, 800.0), (310.0, 810.0)).
"""

import math

Point = tuple[float, float]


def verify(*points: Point) -> None:
    for x, y in points:
        if not (abs(x) <= 100000.0 and abs(y) <= 100000.0):
            raise ValueError("a point lies too far away")


def reported(s1: Point, e1: Point, s2: Point, e2: Point) -> Point | None:
    verify(s1, e1, s2, e2)
    if math.isclose(s2[0], e2[0]) and math.isclose(s1[0], e1[0]) and not math.isclose(s1[0], s2[0]):
        return None
    if math.isclose(s2[1], e2[1]) and math.isclose(s1[1], e1[1]) and not math.isclose(s1[1], s2[1]):
        return None
    if s1 == e1 or s2 == e2:
        return None
    if math.isclose(s1[0], e1[0]):
        slope = (e2[1] - s2[1]) / (e2[0] - s2[0])  # fault: ZeroDivisionError
        return s1[0], slope * (s1[0] - s2[0]) + s2[1]
    if math.isclose(s2[0], e2[0]):
        slope = (e1[1] - s1[1]) / (e1[0] - s1[0])
        return s2[0], slope * (s2[0] - s1[0]) + s1[1]
    one = (e1[1] - s1[1]) / (e1[0] - s1[0])
    other = (e2[1] - s2[1]) / (e2[0] - s2[0])
    if math.isclose(one, other, abs_tol=1e-9):
        return None
    x = (one * s1[0] - s1[1] - other * s2[0] + s2[1]) / (one - other)
    return x, one * (x - s1[0]) + s1[1]


def mended(s1: Point, e1: Point, s2: Point, e2: Point) -> Point | None:
    verify(s1, e1, s2, e2)
    across1, across2 = e1[0] - s1[0], e2[0] - s2[0]
    upward1, upward2 = e1[1] - s1[1], e2[1] - s2[1]
    turn = across1 * upward2 - upward1 * across2
    if abs(turn) < 1e-9:
        return None
    along = ((s2[0] - s1[0]) * upward2 - (s2[1] - s1[1]) * across2) / turn
    return s1[0] + along * across1, s1[1] + along * upward1
