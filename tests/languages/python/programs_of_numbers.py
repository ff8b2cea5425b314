"""Random functions of the numeric subset of Python."""

from __future__ import annotations

import textwrap

from hypothesis import strategies as st

from term.python_expressions import conditions, numbers

HEAD = """\
from math import *
import math
CUTS = (0.5, 2.0, 8.0)
def helper(u, v=3, *, w=0.5):
    if u > v:
        return u
    while v > 2:
        v = v - 1 if w else v - 2
    return None if u == w else (u, v)[1]
def f(x: float, y: float, n: int, m: int, k: int, b: bool):
    s, t, c = 0, y, 0
"""
_NUMBER, _CONDITION = numbers(plain=True, leaves=3), conditions(plain=True, leaves=2)
_FLOAT = st.sampled_from(
    ["x", "y", "sqrt(fabs(x))", "math.floor(t) + y", "radians(x)", "CUTS[k % 3]", "CUTS[k]", "s", "t"]
)
_SIMPLE = st.one_of(
    st.builds("s = {}".format, _NUMBER),
    st.builds("t = {}".format, _FLOAT),
    st.builds("s {}= {}".format, st.sampled_from(["+", "-", "*", "//", "/", "%"]), _FLOAT),
    st.builds("s, t = {}, s".format, _NUMBER),
    st.builds("b = {}".format, _CONDITION),
    st.builds("t = x if {} else n".format, _CONDITION),
    st.builds("t = {} and t".format, _CONDITION),
    st.builds("b = s < t < {}".format, _FLOAT),
    st.builds("s = helper({}) or 7".format, _FLOAT),
    st.builds("t = helper({}, w=b, v=n % 5) or x".format, _FLOAT),
    st.builds("assert {}, f'not {{t}}'".format, _CONDITION),
    st.builds("if {}: raise ValueError(s)".format, _CONDITION),
    st.builds("if {}: return {}".format, _CONDITION, _NUMBER),
    st.sampled_from(["pass", "c += 1", "s = None if b else 1", "(c := c + 2)", "s = max(s, t)", "t = t.is_integer()"]),
)


def _indented(lines: list[str]) -> str:
    return textwrap.indent("\n".join(lines), "    ")


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    block = st.lists(inner, min_size=1, max_size=2).map(_indented)
    return st.one_of(
        st.builds("if {}:\n{}\nelse:\n{}".format, _CONDITION, block, block),
        st.builds("for i in range({}):\n{}\n    if i > 2: {}\nelse:\n    c += 1".format,
                  st.sampled_from(["n % 4", "1, k % 7", "m % 3, -2, -1", "3"]), block,
                  st.sampled_from(["break", "continue", "pass"])),
        st.builds("for i in ({}, n):\n{}".format, _FLOAT, block),
        st.builds("while {} and c < 4:\n    c += 1\n{}".format, _CONDITION, block),
        st.builds("match k % 4:\n    case 0 | 3:\n{}\n    case 1 if b:\n{}\n    case other:\n        s = other".format,
                  block.map(lambda text: textwrap.indent(text, "    ")),
                  block.map(lambda text: textwrap.indent(text, "    "))),
    )  # fmt: skip


def programs() -> st.SearchStrategy[str]:
    """Modules with a function ``f(x: float, y: float, n: int, m: int, k: int, b: bool)``."""
    statement = st.recursive(_SIMPLE, _compound, max_leaves=4)
    return st.lists(statement, min_size=1, max_size=4).map(lambda body: HEAD + _indented([*body, "return s"]) + "\n")
