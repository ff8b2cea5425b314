"""https://github.com/TaipanRex/pyvisgraph/pull/33

The angle at a corner comes from the lengths of three sides, and its cosine is slightly above one if two corners lie
close together: reported((82.04, -19.74), (45.0, -19.74), (45.00589933774891, -19.74)).
"""

import math


def square(p: tuple[float, float], q: tuple[float, float]) -> float:
    return (q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2


def reported(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    for x, y in (a, b, c):
        if not (abs(x) <= 1000.0 and abs(y) <= 1000.0):
            raise ValueError("a corner lies too far away")
    to_c, opposite, to_a = square(b, c), square(a, c), square(a, b)
    if to_c < 1e-12 or to_a < 1e-12:
        return 0.0
    cosine = (to_c + to_a - opposite) / (2.0 * math.sqrt(to_c) * math.sqrt(to_a))
    return math.acos(cosine)  # fault: ValueError


def mended(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    for x, y in (a, b, c):
        if not (abs(x) <= 1000.0 and abs(y) <= 1000.0):
            raise ValueError("a corner lies too far away")
    to_c, opposite, to_a = square(b, c), square(a, c), square(a, b)
    if to_c < 1e-12 or to_a < 1e-12:
        return 0.0
    cosine = (to_c + to_a - opposite) / (2.0 * math.sqrt(to_c) * math.sqrt(to_a))
    if cosine >= 1.0:
        return 0.0
    if cosine <= -1.0:
        return math.pi
    return math.acos(cosine)
