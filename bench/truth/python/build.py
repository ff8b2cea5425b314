"""The common part of random programs: numbers, conditions and statements; features add words of their own to them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from .program import Parameter

Words = Callable[[], str]  # draws an expression
Block = list[str]  # lines

NUMBERS = (*(str(number) for number in range(-16, 17)), "False", "True")  # of an int: order with -7 to 7, residue of 8
BOOLS = ("False", "True")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_LOWEST = re.compile(r"& ([137])\b")
_DEEPEST = 2  # blocks in blocks


@dataclass
class Builder:
    """Draws one program.

    Attributes:
        rng: of all that is drawn.
        name: of the function; names of classes and helpers end with its number.
        smalls: draw expressions that are small integers.
        conditions: draw expressions that decide.
        statements: draw statements of a feature.
        bases: small integers that are there from the beginning.
        before: sources of calls that may come first.
        stateful: calls leave something behind.
        bits: numbers are put together by ``&``, ``|``, ``^`` and shifts, too.
        wanted: how likely a feature's own words are drawn, where there are some.
    """

    rng: random.Random
    name: str
    parameters: list[Parameter] = field(default_factory=list)
    helpers: list[Block] = field(default_factory=list)
    head: Block = field(default_factory=list)
    smalls: list[Words] = field(default_factory=list)
    conditions: list[Words] = field(default_factory=list)
    statements: list[Callable[[], Block]] = field(default_factory=list)
    bases: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    stateful: bool = False
    assume: str = ""
    bits: bool = False
    wanted: float = 0.6
    _locals: list[str] = field(default_factory=list)
    _made: int = 0
    _compared: list[str] = field(default_factory=list)

    @property
    def tag(self) -> str:
        """What names of this program end with."""
        return self.name[1:]

    def pick(self, *some: str) -> str:
        return self.rng.choice(some)

    def comparing(self) -> str:
        return self.rng.choice(_COMPARISONS)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    # ---- parameters ----

    def parameter(self, name: str, annotation: str, *values: str, default: str = "", shared: str = "") -> str:
        self.parameters.append(Parameter(name, annotation, values, default, shared))
        return name

    def integer(self, name: str) -> None:
        """An int, of which the program looks at the lowest three bits and at its order with small numbers."""
        self.parameter(name, "int", *NUMBERS)
        self.bases += [f"{name} & 7", f"{name} & 3", f"{name} // 2 & 3", f"{name} & 1"]
        self.conditions.append(lambda: f"{name} {self.comparing()} {self.rng.randint(-7, 7)}")

    def boolean(self, name: str) -> None:
        self.parameter(name, "bool", *BOOLS)
        self.bases.append(name)
        self.conditions.append(lambda: self.pick(name, f"not {name}"))

    # ---- expressions ----

    def small(self, depth: int = 1) -> str:
        """A small integer, without parentheses around it where it is an operation."""
        if self.smalls and self.chance(self.wanted * 0.7):
            return self.rng.choice(self.smalls)()
        if self._locals and self.chance(0.35):
            return self.rng.choice(self._locals)
        if depth <= 0 or self.chance(0.4):
            return self.rng.choice([*self.bases, str(self.rng.randint(0, 7))])
        a, b = self.inner(depth - 1), self.inner(depth - 1)
        plain = (f"{a} + {b}", f"{a} - {b}", f"{a} * {b}", f"{a} // (({b} & 3) + 1)", f"{a} % (({b} & 3) + 2)",
                 f"min({a}, {b})", f"max({a}, {b})", f"abs({a} - {b})", f"-{a}", f"{a} * 2 - 1",
                 f"({a} if {self.comparison(depth - 1)} else {b})")  # fmt: skip
        bits = f"{a} & {b}", f"{a} | {b}", f"{a} ^ {b}", f"{a} << ({b} & 3)", f"{a} >> ({b} & 1)", f"~({a} | 0)"
        return self.rng.choice((*plain, *bits) if self.bits else plain)

    def inner(self, depth: int = 1) -> str:
        """The same with parentheses where it takes some."""
        text = self.small(depth)
        return text if text.isidentifier() or text.isdigit() or _is_call(text) else f"({text})"

    def comparison(self, depth: int = 1) -> str:
        other = str(self.rng.randint(-3, 12)) if self.chance(0.8) else self.inner(depth)
        return f"{self.inner(depth)} {self.comparing()} {other}"

    def atom(self) -> str:
        """A comparison, or what a feature decides by; rather often of what was compared before."""
        if self.conditions and self.chance(self.wanted):
            return self.rng.choice(self.conditions)()
        known = [text for text in self._compared if not text.isidentifier() or text in self._locals]
        text = self.rng.choice(known) if known and self.chance(0.4) else self.inner()
        self._compared.append(text)
        if self.chance(0.15):
            low = self.rng.randint(-2, 4)
            return f"{low} {self.pick('<', '<=')} {text} {self.pick('<', '<=')} {low + self.rng.randint(0, 6)}"
        other = str(self.rng.randint(-3, 12)) if self.chance(0.8) else self.inner()
        return f"{text} {self.comparing()} {other}"

    def condition(self) -> str:
        """One or two atoms."""
        text = f" {self.pick('and', 'or')} ".join(self.atom() for _ in range(1 + self.chance(0.25)))
        return f"not ({text})" if self.chance(0.08) else text

    # ---- statements ----

    def local(self) -> str:
        """A new variable, whose name is not yet among those that expressions may have."""
        self._made += 1
        return f"v{self._made}"

    def keep(self, name: str) -> None:
        """From here on expressions of the block may have it."""
        self._locals.append(name)

    def block(self, depth: int, least: int = 1, most: int = 2) -> Block:
        """Some statements; variables that are made there are not known behind it."""
        known, compared = list(self._locals), list(self._compared)
        lines = Block()
        for _ in range(self.rng.randint(least, most)):
            lines += self.statement(depth)
            if lines[-1].startswith(("return", "raise")):
                break
        self._locals, self._compared = known, compared
        return lines

    def indented(self, depth: int, least: int = 1, most: int = 2) -> Block:
        return indent(self.block(depth, least, most))

    def statement(self, depth: int) -> Block:
        if self.statements and self.chance(self.wanted * 0.6):
            return self.rng.choice(self.statements)()
        draw = self.rng.random()
        if depth >= _DEEPEST:
            return self._return() if draw < 0.5 else self._assign()
        if draw < 0.5:
            return self._if(depth)
        if draw < 0.58 and depth < _DEEPEST - 1:
            return self._for(depth)
        if draw < 0.65 and depth < _DEEPEST - 1:
            return self._while(depth)
        return self._assign() if draw < 0.9 or not depth else self._return()

    def _return(self) -> Block:
        return [f"return {self.small()}"]

    def _assign(self) -> Block:
        changed = [name for name in self._locals if name[0] == "v"]
        if changed and self.chance(0.4):
            name = self.rng.choice(changed)
            return [f"{name} {self.pick('+', '-', '*', *'^&|' * self.bits)}= {self.inner()}"]
        name, value = self.local(), self.small(2)
        self.keep(name)
        return [f"{name} = {value}"]

    def _if(self, depth: int) -> Block:
        lines = [f"if {self.condition()}:", *self.indented(depth + 1)]
        if self.chance(0.25):
            lines += [f"elif {self.condition()}:", *self.indented(depth + 1)]
        if self.chance(0.4):
            lines += ["else:", *self.indented(depth + 1)]
        return lines

    def _for(self, depth: int) -> Block:
        name = self.local()
        head = f"for i{name[1:]} in range({self.inner()} & 3):"
        known, compared = list(self._locals), list(self._compared)
        self._locals.append(f"i{name[1:]}")
        body = self.indented(depth + 1)
        if self.chance(0.4):
            body += indent([f"if {self.condition()}:", f"    {self.pick('break', 'continue')}"])
        self._locals, self._compared = known, compared
        lines = [head, *body]
        return [*lines, "else:", *self.indented(depth + 1)] if self.chance(0.2) else lines

    def _while(self, depth: int) -> Block:
        name = f"k{self.local()[1:]}"
        start = f"{name} = {self.inner()} & 7"
        body = ["    " + f"{name} -= {self.pick('1', '2', '3')}"]
        self._locals.append(name)
        body += self.indented(depth + 1)
        self._locals.pop()
        return [start, f"while {name} > {self.rng.randint(0, 2)}:", *body]

    def function(self, body: Block) -> str:
        """The source of helpers and function; the lowest bits are remainders, unless the program is one of bits."""
        head = f"def {self.name}({', '.join(parameter.text for parameter in self.parameters)}):"
        parts = [*self.helpers, [head, *indent([*self.head, *body])]]
        text = "\n\n\n".join("\n".join(part) for part in parts) + "\n"
        return text if self.bits else _LOWEST.sub(lambda found: f"% {int(found[1]) + 1}", text)


def indent(lines: Block) -> Block:
    return [f"    {line}" if line else "" for line in lines]


def _is_call(text: str) -> bool:
    """``abs(...)`` as a whole."""
    name, bracket, rest = text.partition("(")
    if not (bracket and name.isidentifier() and rest.endswith(")")):
        return False
    depth = 1
    for at, letter in enumerate(rest):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return at == len(rest) - 1
    return False
