# ruff: noqa: SIM102, SIM109

"""Examples that every paper on test generation has."""

import math


def triangle(a: int, b: int, c: int) -> str:
    """Classify a triangle by its sides."""
    if a <= 0 or b <= 0 or c <= 0:
        return "invalid"
    if a + b <= c or a + c <= b or b + c <= a:
        return "invalid"
    if a == b == c:
        if a * a + b * b == c * c:
            return "impossible"
        return "equilateral"
    if a == b or b == c or a == c:
        return "isosceles"
    if a * a + b * b == c * c:
        if c > 1000:
            return "right, large"
        return "right"
    return "scalene"


def loop_total(x: int, y: list[int]) -> bool:
    """Fitnex's TestLoop; it asks for 98 instead of 110, so that eight elements do."""
    if x == 90:
        for value in y:
            if value == 15:
                x += 1
        if x == 98:
            return True
    return False


def hello_world(value: str) -> bool:
    """Pex's HelloWorld, one condition after the other."""
    if value.startswith("Hello"):
        if value.endswith("World!"):
            if " " in value:
                return True
    return False


def quadratic(a: float, b: float, c: float) -> list[float]:
    """Real roots of a x^2 + b x + c.

    Raises:
        ValueError: a coefficient is not finite, or all numbers are roots.
    """
    if not all(math.isfinite(k) for k in (a, b, c)):
        raise ValueError("not finite")
    if a == 0:
        if b == 0:
            if c == 0:
                raise ValueError("every number is a root")
            return []
        return [-c / b]
    discriminant = b * b - 4 * a * c
    if math.isinf(discriminant) or math.isnan(discriminant):
        raise ValueError("too large")
    if discriminant < 0:
        return []
    if discriminant == 0:
        if b != 0 and c != 0 and abs(b) > 3:
            return [-b / (2 * a)]
        return [-b / (2 * a)] * 2
    far = -0.5 * (b + math.copysign(math.sqrt(discriminant), b))
    if far == 0:
        return [0.0]
    return sorted([far / a, c / far])
