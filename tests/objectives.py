"""Programs whose branches objectives are asked about, and how they are asked."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from programs import words_of
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.minimize import Door
from zeroin.objective.base import Objective

ALL = -1  # every outcome is covered and seen: no run is news

PROGRAMS = {
    "nested": "int f(int a, int b, int c) { if (a > 10) { if (b == a) { if (c < b) return 1; } } return 0; }",
    "loop": "int f(int a, int b, int c) { for (int i = 0; i < (a & 7); i++) { if (i * b == c) return 1; } return 0; }",
    "switch": "int f(int a, int b, int c)\n"
    "{ switch (a) { case 3: b++; case -7: if (b > c) return 1; break; case 90: return 4; } return 0; }",
    "values": "int f(int a, int b, int c)\n"
    "{ int x = a && b > c; while (x && (a || b)) { a = b = 0; } return c ? x : a; }",
    "floats": "int f(int a, int b, int c)\n"
    "{ double x = a / 4.0, y = b / (double)c; if (x != x || y != y) return 1;"
    " return x * y == 1.5 ? 2 : y > x; }",
}
small = st.integers(-12, 12)
values = st.tuples(*[small | st.integers(-(2**31), 2**31 - 1)] * 3)

# Baars et al. 2011, figures 1 and 2.
FIGURE_1 = "int f(int x, int y, int z) { if (x == y) { if (z == 0) { if (x == -z) return 1; } } return 0; }"
FIGURE_2 = """
int f(int n, int a, int b) {
  int s = 0;
  if (n > 0) {
    for (int i = 0; i < n; i++) s += i;
    if (a == n)
      if (n == s)
        if (b == s) return 1;
  }
  return 0;
}
"""
GUARD_IN_LOOP = """
int f(int a, int b) {
  for (int i = 0; i < 10; i++)
    if (a + i == 123456)
      if (b == 77) return 1;
  return 0;
}
"""


def value_of(subject: LlvmSubject, objective: Objective, *arguments: Any) -> float:
    """Of one run."""
    question = objective.question
    door = Door(subject.install(question), subject.signature.arity, question, subject.outcome_address)
    door.open(1)
    return door.evaluate(words_of(subject.signature, *arguments))


def exponential(distance: float) -> float:
    """As the papers normalise a distance."""
    return 1.0 - math.exp(-distance * math.log(1.001))
