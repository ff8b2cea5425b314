"""Random expressions, conditions and statements of C over given operands."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from .code import Text

_RELATIONS = ("==", "==", "!=", "<", ">", "<=", ">=")
_CONSTANTS = (0, 1, 2, 3, 5, 7, 9, -1, -5, 16, 31, 64, 100, 127, 128, 200, 255, 256, -128, 1000, 32767)
_DEPTH = 2
Maker = Callable[[], Sequence[str]]


class Body:
    """Writes the statements of one function.

    Args:
        rng: of all choices.
        code: the program.
        number: of the program; names that have to be unique in the file end with it.

    Attributes:
        operands: integer expressions that can be read anywhere.
        targets: what can be assigned to: an lvalue, and how a value is made to fit.
        extra: makers of statements that the feature adds to the usual ones.
        compound: the same for statements that others may stand in, so deep.
        operators: templates of expressions of ``a`` and ``b``.
        constants: that conditions compare with.
        leaves: templates of conditions that the feature adds.
        jumps: labels that a ``goto`` may name.
    """

    def __init__(self, rng: random.Random, code: Text, number: int) -> None:
        self.rng = rng
        self.code = code
        self.number = number
        self.operands = list[str]()
        self.targets: list[tuple[str, str]] = [("r", "{}")]
        self.extra = list[Maker]()
        self.compound = list[Callable[[int], Sequence[str]]]()
        self.operators = ["({a} + {b})", "({a} - {b})", "({a} & {b})", "({a} ^ {b})", "({a} * {b})", "({a} | {b})",
                          "({a} < {b})", "(signed char)({a} + {b})", "(unsigned char)({a} - {b})"]  # fmt: skip
        self.constants = list(_CONSTANTS)
        self.leaves = list[str]()
        self.jumps = list[str]()
        self._counters = 0

    # ---- expressions ----

    def expression(self, depth: int = _DEPTH) -> str:
        """An integer expression, which depends on an operand."""
        if depth == 0 or self.rng.random() < 0.3:
            return self.rng.choice(self.operands)
        one, other = self.expression(depth - 1), self.expression(depth - 1)
        if one == other or self.rng.random() < 0.4:
            other = self.constant()
        return self.rng.choice(self.operators).format(a=one, b=other)

    def constant(self) -> str:
        value = self.rng.choice(self.constants)
        return str(value) if value >= 0 else f"({value})"

    def condition(self) -> str:
        """One condition, for a line of its own."""
        kind = self.rng.random()
        if self.leaves and kind < 0.35:
            text = self.rng.choice(self.leaves).format(k=self.constant(), a=self.rng.choice(self.operands))
        elif kind < 0.45:
            text = self.expression(1)
        else:
            right = self.constant() if self.rng.random() < 0.7 else self.expression(1)
            text = f"{self.expression()} {self.rng.choice(_RELATIONS)} {right}"
        return self.code.condition(text)

    def decision(self) -> list[str]:
        """What stands between the parentheses of an ``if``: one condition, or several, a line each."""
        count = self.rng.choices((1, 2, 3), (6, 3, 1))[0]
        lines = [f"{self.rng.choice(('', '', '!'))}({self.condition()})"]
        for _ in range(count - 1):
            lines[-1] += f" {self.rng.choice(('&&', '||'))}"
            lines.append(f"({self.condition()})")
        return lines

    # ---- statements ----

    def statements(self, most: int, depth: int = 2) -> list[str]:
        """At least one, indented."""
        count = 1 if depth == 0 else self.rng.randint(1, most)
        return [f"    {line}" for _ in range(count) for line in self.statement(depth)]

    def statement(self, depth: int) -> Sequence[str]:
        """One of any kind; ``depth`` is how deep others may stand in it."""
        if depth > 0 and self.rng.random() < 0.7:
            return self.rng.choice([self.decided, self.decided, self.repeated, *self.compound])(depth)
        return self.rng.choice([self.assignment, self.chosen, *self.extra])()

    def assignment(self) -> list[str]:
        target, fit = self.rng.choice(self.targets)
        if target == "r" and self.rng.random() < 0.5:
            return [f"r += {self.rng.randint(1, 9)};"]
        return [f"{target} = {fit.format(self.expression())};"]

    def decided(self, depth: int) -> list[str]:
        """An ``if``."""
        first, *others = self.decision()
        lines = [f"if ({first}", *(f"    {line}" for line in others)]
        lines[-1] += ") {"
        lines += self.statements(2, depth - 1)
        if self.rng.random() < 0.15:
            lines.append(f"    return {self.rng.choice(('r', str(self.rng.randint(-9, 9))))};")
        elif self.jumps and self.rng.random() < 0.3:
            lines.append(f"    goto {self.rng.choice(self.jumps)};")
        if self.rng.random() < 0.4:
            lines += ["} else {", *self.statements(2, depth - 1)]
        return [*lines, "}"]

    def chosen(self) -> list[str]:
        """A conditional expression."""
        target, fit = self.rng.choice(self.targets)
        value = f"({self.condition()})"
        return [
            f"{target} = {value}",
            f"    ? {fit.format(self.expression(1))}",
            f"    : {fit.format(self.constant())};",
        ]

    def repeated(self, depth: int) -> list[str]:
        """A loop with few turns."""
        self._counters += 1
        i = f"i{self._counters}"
        bound = self.rng.choice(
            ("3", "5", f"({self.rng.choice(self.operands)} & 7)", f"({self.rng.choice(self.operands)} & 3)")
        )
        inside = self.statements(2, depth - 1)
        if self.rng.random() < 0.3:
            inside += [f"    if ({self.condition()})", f"        {self.rng.choice(('break', 'continue'))};"]
        kind = self.rng.random()
        if kind < 0.6:
            return [
                f"for (int {i} = 0;",
                f"     {self.code.condition(f'{i} < {bound}')};",
                f"     {i}++) {{",
                *inside,
                "}",
            ]
        if kind < 0.8:
            return [f"int {i} = {bound};", f"while ({self.code.condition(f'{i}-- > 0')}) {{", *inside, "}"]
        return [f"int {i} = 0;", "do {", *inside, f"}} while ({self.code.condition(f'++{i} < {bound}')});"]

    def switched(self, depth: int) -> list[str]:
        """A ``switch``, whose cases may fall through."""
        cases = self.rng.sample(range(-1, 9), self.rng.randint(2, 4))
        value = self.rng.choice(
            (f"{self.rng.choice(self.operands)}", f"({self.rng.choice(self.operands)} & 7)", self.expression(1))
        )
        lines = [f"switch ({self.code.condition(value, cases)}) {{"]
        for case in cases:
            lines += [f"case {case}:", *self.statements(1, depth - 1)]
            lines += ["    break;"] * (self.rng.random() < 0.5)
        if self.rng.random() < 0.6:
            lines += ["default:", *self.statements(1, depth - 1)]
        return [*lines, "}"]
