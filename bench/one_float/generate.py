"""Random functions of one float, by seed and number: bounds, roundings, bits, and branches on them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

_UNARY = (
    "fabsf({})",
    "truncf({})",
    "floorf({})",
    "ceilf({})",
    "roundf({})",
    "(-({}))",
    "sqrtf(fabsf({}))",
    "rintf({})",
)
_BINARY = (
    "fminf({}, {})",
    "fmaxf({}, {})",
    "copysignf({}, {})",
    "({} + {})",
    "({} - {})",
    "({} * {})",
    "fdimf({}, {})",
)
_NUMBERS = ("0.0f", "1.0f", "-1.0f", "0.5f", "2.0f", "10.0f", "-3.0f", "100.0f", "1e10f", "0.1f", "1e-3f")
_MASKS = ("0x7f800000u", "0x80000000u", "0x007fffffu", "0x7fffffffu", "0x00400000u", "0xffu", "0x3f800000u")
_RELATIONS = ("<", "<=", ">", ">=", "==", "!=")


@dataclass
class Program:
    """A function ``int fN(float x)``.

    Attributes:
        number: ``N``.
        text: its C, where ``ZT(k, c)`` stands for its condition ``c`` of number ``k``.
        lines: of the conditions.
    """

    number: int
    text: str = ""
    lines: list[int] = field(default_factory=list)


class _Writer:
    def __init__(self, number: int, rng: random.Random) -> None:
        self.program, self._rng = Program(number), rng
        self._lines = [f"int f{number}(float x)", "{", "    uint32_t u; memcpy(&u, &x, 4);", "    int r = 0;"]
        self._floats, self._returns = ["x"], 0

    def written(self) -> Program:
        """Write the function."""
        for _ in range(self._rng.randint(2, 3)):
            self._define()
        for _ in range(self._rng.randint(3, 5)):
            self._branch(1)
        self._lines += ["    return r;", "}"]
        self.program.text = "\n".join(self._lines) + "\n"
        return self.program

    def _define(self) -> None:
        name = f"y{len(self._floats)}"
        self._lines.append(f"    float {name} = {self._float(2)};")
        self._floats.append(name)

    def _float(self, depth: int) -> str:
        draw = self._rng.random()
        if depth == 0 or draw < 0.15:
            return self._rng.choice(self._floats) if self._rng.random() < 0.7 else self._rng.choice(_NUMBERS)
        if draw < 0.5:
            return self._rng.choice(_UNARY).format(self._float(depth - 1))
        return self._rng.choice(_BINARY).format(self._float(depth - 1), self._float(depth - 1))

    def _condition(self) -> str:
        draw = self._rng.random()
        if draw < 0.2:
            mask = self._rng.choice(_MASKS)
            return f"(u & {mask}) {self._rng.choice(('==', '!=', '<'))} {self._rng.choice((mask, '0u', '0x3f800000u'))}"
        if draw < 0.3:
            name = self._rng.choice(self._floats)
            return f"{name} == {name}"
        return f"{self._float(1)} {self._rng.choice(_RELATIONS)} {self._float(1)}"

    def _branch(self, depth: int) -> None:
        indent = "    " * depth
        number = len(self.program.lines)
        self.program.lines.append(len(self._lines) + 1)
        self._lines.append(f"{indent}if (ZT({number}, {self._condition()})) {{")
        for _ in range(self._rng.randint(0, 2) if depth < 3 else 0):
            self._branch(depth + 1)
        self._lines.append(f"{indent}    r += {number + 1};")
        if self._rng.random() < 0.3:
            self._lines.append(f"{indent}    return r;")
        self._lines.append(f"{indent}}}")


def program(seed: int, number: int) -> Program:
    """Make a function; the same seed and number make the same one."""
    return _Writer(number, random.Random(f"{seed}:{number}")).written()
