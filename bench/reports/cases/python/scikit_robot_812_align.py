"""https://github.com/iory/scikit-robot/pull/812

Aligning two directions refuses the zero vector, yet the squared length of a tiny vector underflows to zero and is
divided by (nan in the report, an exception in plain Python): a=(1e-300, 0.0, 0.0), b=(0.0, 1.0, 0.0).
"""

import math


def unit(v: tuple[float, float, float]) -> tuple[float, float, float]:
    length = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    return v[0] / length, v[1] / length, v[2] / length  # fault: ZeroDivisionError


def safe_unit(v: tuple[float, float, float]) -> tuple[float, float, float]:
    big = max(abs(v[0]), abs(v[1]), abs(v[2]))
    x, y, z = v[0] / big, v[1] / big, v[2] / big
    length = math.sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length


def reported(a: tuple[float, float, float], b: tuple[float, float, float]) -> float:
    for part in a + b:
        if not math.isfinite(part):
            raise ValueError("a component is not finite")
    if a == (0.0, 0.0, 0.0) or b == (0.0, 0.0, 0.0):
        raise ValueError("a zero vector has no direction")
    p, q = unit(a), unit(b)
    dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
    if dot >= 1.0:
        return 0.0
    if dot <= -1.0:
        return math.pi
    return math.acos(dot)


def mended(a: tuple[float, float, float], b: tuple[float, float, float]) -> float:
    for part in a + b:
        if not math.isfinite(part):
            raise ValueError("a component is not finite")
    if a == (0.0, 0.0, 0.0) or b == (0.0, 0.0, 0.0):
        raise ValueError("a zero vector has no direction")
    p, q = safe_unit(a), safe_unit(b)
    dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
    if dot >= 1.0:
        return 0.0
    if dot <= -1.0:
        return math.pi
    return math.acos(dot)
