"""What holds in the loops of Python functions: what needs it is refuted, what a run takes never is."""

from __future__ import annotations

import random
import textwrap

import pytest

from languages.python.modules import Modules
from proofs import refuted
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.solvers.chain import checked
from zeroin.solvers.smt import Z3
from zeroin.words import Kind, encode

SOLVER = checked(Z3())
INPUTS = range(-12, 45)


def taken(subject: PythonSubject) -> set[int]:
    return {outcome for n in INPUTS for outcome in subject.run((encode(Kind.INT, n),)).covered}


def load(modules: Modules, body: str) -> PythonSubject:
    """A function with this body, whose lines may be divided by ``|``."""
    body = body.replace("|", "\n")
    return modules.load("def f(n: int) -> int:\n" + textwrap.indent(textwrap.dedent(body), "    "), fuel=3_000)


@pytest.mark.parametrize(
    ("body", "impossible"),
    [
        ("i = 0|while i < 40:| i += 1|if i > 40:| return 1|return n", {2}),
        ("i = 0|while i < n:| if i < 0:|  return 1| i += 3|return i", {2}),
        ("k = 1|for i in range(50):| k = k * 3| if k == 0:|  return 1|return k", {2}),
        ("k = 9|for i in range(n):| if i == -1:|  return 1|return k", {2}),
        ("for i in range(30):| j = i| while j < 40:|  if j < 0:|   return 1|  j += 1|return n", {4}),
        ("d = n|if d < 1:| return 0|while d < 10000000:| d += d| if d == 0:|  return 1|return d", {4}),
    ],
)  # fmt: skip
def test_what_needs_invariants_is_refuted(modules: Modules, body: str, impossible: set[int]) -> None:
    subject = load(modules, body)
    found, hard = refuted(subject, SOLVER)
    assert hard == impossible
    assert not taken(subject) & found


@pytest.mark.parametrize(
    "body",
    [
        "i = 1|while i != 7:| if i < -2:|  return 1| i = i + 2 if n < 3 else i - 2|return i",
        "j = 9|for i in range(3):| if j == 0 and i:|  return 1| j = 3| while j:|  j -= 1|return n",
        "a, b = 1, 2|for i in range(3):| if a == 2:|  return 1| a, b = b, a|return n",
        "i = 0|while True:| if i == 4:|  return 1| i = 4 if i == n else i + 1| if i > 9:|  break|return i",
        "k = 0|for i in range(n):| if k == 3:|  return 1| k = i|if k == 3:| return 2|return k",
        "k = 0|for i in range(n, 0, -1):| if i == 1:|  k = 5| else:|  continue|if k == 5:| return 2|return k",
        "k = 5|while k > 0:| k = k - 10 // n|if k == 0:| return 1|return k",
        "k = False|for i in range(n):| k = not k| if k == 1:|  return 2|return 1",
    ],
)
def test_what_runs_take_is_not_refuted(modules: Modules, body: str) -> None:
    subject = load(modules, body)
    assert not taken(subject) & refuted(subject, SOLVER)[0]


class Writer:
    """A function with loops that are different for each seed."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def text(self) -> str:
        lines = [f"{name} = {self.value()}" for name in "pqr"]
        lines += [*self.loop(0), *self.check(), *self.check(), "return 0"]
        return "\n".join(lines) + "\n"

    def value(self) -> str:
        number = self.rng.choice((0, 1, 2, 3, 4, 7, 8, 16, -1, -2, -8))
        return self.rng.choice((f"{number}", f"{number}", "n", f"n % {abs(number) + 1}", f"n * {number}"))

    def test(self) -> str:
        return f"{self.rng.choice('pqrn')} {self.rng.choice(('<', '<=', '>', '>=', '==', '!='))} {self.value()}"

    def check(self) -> list[str]:
        return [f"if {self.test()}:", f"    return {self.rng.randint(2, 9)}"]

    def step(self) -> str:
        name, other, one = self.rng.choice("pqr"), self.rng.choice("pqr"), self.rng.choice((1, 2, 3, 4, 8))
        return self.rng.choice((f"{name} += {one}", f"{name} -= {one}", f"{name} *= 2", f"{name} //= 2",
                                f"{name} = {other} + {one}", f"{name} = {self.value()}"))  # fmt: skip

    def loop(self, depth: int) -> list[str]:
        body = [line for _ in range(self.rng.randint(1, 3)) for line in self.statement(depth)]
        head = self.rng.choice((f"while {self.test()}:", f"for {self.rng.choice('pqr')} in range({self.value()}):"))
        return [head, *(f"    {line}" for line in [*body, self.step()])]

    def statement(self, depth: int) -> list[str]:
        if depth < 1 and self.rng.random() < 0.25:
            return self.loop(depth + 1)
        then = self.rng.choice((self.step(), "continue", "break"))
        return self.rng.choice((self.check(), self.check(), [self.step()], [f"if {self.test()}:", f"    {then}"]))


@pytest.mark.parametrize("seed", range(16))
def test_what_some_input_takes_is_never_refuted(modules: Modules, seed: int) -> None:
    subject = load(modules, Writer(seed).text())
    assert not taken(subject) & refuted(subject, SOLVER)[0]


def test_some_of_the_random_functions_need_invariants(modules: Modules) -> None:
    assert sum(len(refuted(load(modules, Writer(seed).text()), SOLVER)[1]) for seed in range(12)) > 3
