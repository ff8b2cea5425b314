"""A C program while it is made: parameters, and how the driver numbers their values."""

from __future__ import annotations

import random

from .code import HOISTED, Driver, Text, Written
from .statements import Body

_BITS = {"signed char": 8, "unsigned char": 8, "char": 8, "_Bool": 1, "short": 16, "unsigned short": 16}
SIGNED_OR_NOT = ("signed char", "unsigned char")
_NARROW = ("signed char", "unsigned char", "char", "_Bool")


def masked(expression: str, bits: int) -> str:
    """The low bits of an integer: all that counts of it."""
    return f"({expression} & {(1 << bits) - 1})"


class Making:
    """One function and what belongs to it. A feature adds parameters, operands and statements; then it is written.

    Attributes:
        body: writes the statements.
        parameters: declarations.
        before: lines ahead of the function.
        opening: the first statements of the function.
        closing: the last ones, before it returns ``r``.
        making: statements of the driver, before the call.
        arguments: of the call.
        results: integers that the driver looks at after the call.
        state: variables that calls change.
        ahead: lines ahead of the driver.
        others: ways to change the state by a call of something else, a statement of the driver over ``v``.
    """

    def __init__(self, rng: random.Random, number: int) -> None:
        self.rng = rng
        self.number = number
        self.code = Text()
        self.body = Body(rng, self.code, number)
        self.parameters = list[str]()
        self.before = list[str]()
        self.opening = list[str]()
        self.closing = list[str]()
        self.making = list[str]()
        self.arguments = list[str]()
        self.results = list[str]()
        self.state = list[str]()
        self.ahead = list[str]()
        self.others = 0
        self.other = ""
        self.most = 2  # statements at the top beyond what it takes to have some conditions
        self._bits = 0

    def name(self, stem: str) -> str:
        """A name that no other program of the file has."""
        return f"{stem}{self.number}"

    # ---- inputs ----

    def take(self, bits: int) -> str:
        """The next bits of an input's number, for the driver."""
        text = f"(i >> {self._bits} & {(1 << bits) - 1})"
        self._bits += bits
        return text

    @property
    def left(self) -> int:
        """How many bits there are still to take, of 16."""
        return 16 - self._bits

    def scalar(self, type_: str = "", bits: int = 8) -> str:
        """A parameter that is an integer, and an operand; one of type ``int`` is masked."""
        name = "abcdefgh"[len(self.parameters)]
        type_ = type_ or self.rng.choice((*_NARROW, "int", "unsigned"))
        self.parameters.append(f"{type_} {name}")
        if type_ in _BITS:
            self.arguments.append(f"({type_}){self.take(_BITS[type_])}")
            self.body.operands.append(name)
            return name
        bits = self.rng.randint(2, bits)
        self.arguments.append(self.take(bits))
        self.opening.append(f"int {name}0 = (int)({name} & {(1 << bits) - 1});")
        self.body.operands.append(f"{name}0")
        self.body.targets.append((f"{name}0", "{}"))
        return f"{name}0"

    def scalars(self) -> None:
        """Some of them, of at least 8 bits together where there are as many."""
        until = self._bits + self.rng.choice((8, 8, 12))
        while self.left >= 8 and self._bits < until:
            self.scalar()

    def values(self, name: str, type_: str, count: int, bits: int) -> None:
        """An array of the driver; its elements have so many low bits."""
        elements = ", ".join(f"({type_}){self.take(bits)}" for _ in range(count))
        self.making.append(f"{type_} {name}[{count}] = {{{elements}}};")
        self.results += [f"{name}[{k}]" for k in range(count)]

    def pointer(self, declaration: str, argument: str) -> None:
        self.parameters.append(declaration)
        self.arguments.append(argument)

    def shapes(self, count: int) -> str:
        """A number below ``count`` of the driver; other inputs call nothing."""
        bits = (count - 1).bit_length()
        self.making += [f"unsigned long shape = {self.take(bits)};", f"if (shape >= {count}) return;"]
        return "shape"

    # ---- the text ----

    def static(self, declaration: str, name: str) -> None:
        """A variable of the function that keeps its value."""
        self.opening.append(f"{HOISTED}static {declaration};")
        self.state.append(name)

    def written(self, feature: str) -> Written:
        function = self.name("f")
        inside = ["int r = 0;", *self.opening, *self._statements(), *self.closing, "return r;"]
        self.code.add(*self.before, f"int {function}({', '.join(self.parameters) or 'void'})", "{")
        self.code.add(*(f"    {line}" for line in inside), "}")
        calls = 1 << self._bits
        body = list[str]()
        if self.others:
            body += [f"if (i >= {calls}) {{", f"    unsigned long v = i - {calls};", f"    {self.other}",
                     "    return;", "}"]  # fmt: skip
        body += [*self.making, f"zt_result({function}({', '.join(self.arguments)}));"]
        body += [f"zt_result({one});" for one in self.results]
        driver = Driver(calls, "\n".join(body), tuple(self.ahead), self.others, tuple(self.state))
        return Written(self.number, feature, function, self.code, driver)

    def _statements(self) -> list[str]:
        """Enough of them that there are some conditions."""
        lines, before = list[str](), len(self.code.conditions)
        while len(self.code.conditions) < before + 3:
            lines += self.body.statement(2)
        for _ in range(self.rng.randint(0, self.most)):
            lines += self.body.statement(2)
        return lines
