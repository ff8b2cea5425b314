"""The functions of FloPSy's evaluation as conditions (Lakhotia et al. 2010, table 2), variants of them, and what the
paper reports.

Five of the six have a minimum at small whole numbers or at constants of their own, where a search that starts at such
values is at once. In a variant, ``u = M x - c`` stands for the variables; c is chosen such that u is the minimum at a
chosen x whose coordinates are odd multiples of 2**-20. All of these numbers have so few bits that no operation on the
way from x to u rounds, so the variant is 0 at that x in doubles, exactly as the function is at its minimum. Powell's
minimum is no number of few bits: its variants have a point near by instead, and for the constants 1 and 1.0001 what the
other sides are there.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

_THETA = "(atan(x2 / x1) / (2 * pi) if x1 > 0 else atan(x2 / x1) / (2 * pi) + 0.5 if x1 < 0 else 0.0)"
_POWELL = "pow(10.0, 4.0) * x1 * x2 - {} == 0 and pow(e, -x1) + pow(e, -x2) - {} == 0"

FUNCTIONS = {
    "Beale": "1.5 - x1 * (1.0 - x2) == 0",
    "Freudenstein and Roth": "(-13 + x1 + ((5 - x2) * x2 - 2) * x2) + (-29 + x1 + ((x2 + 1) * x2 - 14) * x2) == 0",
    "Helical valley": f"10 * (x3 - 10 * {_THETA}) == 0 and 10 * (sqrt(x1 * x1 + x2 * x2) - 1) == 0 and x3 == 0",
    "Powell": _POWELL.format("1", "1.0001"),
    "Rosenbrock": "pow(1 - x1, 2.0) + 100 * pow(x2 - x1 * x1, 2.0) == 0",
    "Wood": "10 * (x2 - x1 * x1) == 0 and 1 - x1 == 0 and sqrt(90.0) * (x4 - x3 * x3) == 0 and 1 - x3 == 0 "
            "and sqrt(10.0) * (x2 + x4 - 2) == 0 and pow(10.0, -0.5) * (x2 - x4) == 0",
}  # fmt: skip
MINIMA = {
    "Beale": (1.5, 0.0), "Freudenstein and Roth": (5.0, 4.0), "Helical valley": (1.0, 0.0, 0.0),
    "Powell": (1.0981593296998995e-05, 9.106146739865844), "Rosenbrock": (1.0, 1.0), "Wood": (1.0, 1.0, 1.0, 1.0),
}  # fmt: skip

Matrix = tuple[tuple[float, ...], ...]
# Orthogonal, but for a factor of 5/4, 3/4 and 1.
ROTATIONS: dict[int, Matrix] = {
    2: ((0.75, -1.0), (1.0, 0.75)),
    3: ((0.5, -0.5, 0.25), (0.25, 0.5, 0.5), (0.5, 0.25, -0.5)),
    4: ((0.5, 0.5, 0.5, 0.5), (0.5, -0.5, 0.5, -0.5), (0.5, 0.5, -0.5, -0.5), (0.5, -0.5, -0.5, 0.5)),
}
_PLACE = tuple(n * 2.0**-20 for n in (3202761, -1915133, 966533, 4633385))  # where the variants' minima are


@dataclass(frozen=True)
class Function:
    """A condition over doubles.

    Attributes:
        text: a Python expression over x1, x2, ...
        zero: a point where it holds, in doubles.
    """

    text: str
    zero: tuple[float, ...]

    @property
    def model(self) -> dict[str, float]:
        """The zero by the variables' names."""
        return {f"x{i}": value for i, value in enumerate(self.zero, 1)}


def halved(n: int) -> Matrix:
    """A shift alone would leave a coordinate that is 0 at the minimum at a constant of the condition."""
    return tuple(tuple(0.5 if i == j else 0.0 for j in range(n)) for i in range(n))


def variant(name: str, matrix: Matrix) -> Function:
    """The function of ``u = M x - c``."""
    text, minimum = FUNCTIONS[name], MINIMA[name]
    if name == "Powell":
        minimum = (round(minimum[0] * 2**40) * 2.0**-40, round(minimum[1] * 2**20) * 2.0**-20)
        u, v = minimum
        text = _POWELL.format(repr(math.pow(10.0, 4.0) * u * v), repr(math.pow(math.e, -u) + math.pow(math.e, -v)))
    place = _PLACE[: len(minimum)]
    inner = {f"x{i}": _linear(row, place, u) for i, (row, u) in enumerate(zip(matrix, minimum, strict=True), 1)}
    return Function(re.sub(r"\bx\d\b", lambda found: inner[found[0]], text), place)


def _linear(row: Sequence[float], place: Sequence[float], value: float) -> str:
    """``row . x - c``, which is the value at the place.

    Raises:
        ValueError: c is no double.
    """
    c = sum((Fraction(m) * Fraction(x) for m, x in zip(row, place, strict=True)), -Fraction(value))
    if Fraction(float(c)) != c:
        raise ValueError(f"{c} is no double")
    return f"({' + '.join(f'{m!r} * x{j}' for j, m in enumerate(row, 1) if m)} - {float(c)!r})"


SETS: dict[str, dict[str, Function]] = {
    "as published": {name: Function(text, MINIMA[name]) for name, text in FUNCTIONS.items()},
    "shifted": {name: variant(name, halved(len(MINIMA[name]))) for name in FUNCTIONS},
    "rotated": {name: variant(name, ROTATIONS[len(MINIMA[name])]) for name in FUNCTIONS},
}

# Section 4.4 in words, of 30 runs each; figure 2 has bars without numbers. Where it says nothing, None.
PAPER: dict[str, dict[str, int | None]] = {
    "AVM": {"Beale": 27, "Powell": 0, "Rosenbrock": 0},
    "ES": {"Beale": 30, "Freudenstein and Roth": 30, "Helical valley": 30, "Powell": 0, "Rosenbrock": 30, "Wood": 30},
}
PAPER_COMPLETE = {"Z3": 3, "ES": 5}  # functions with every run
