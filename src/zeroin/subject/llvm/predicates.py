"""The comparison behind a call that tests its arguments, such as ``isfinite`` and ``strcmp``: what such a call returns
says whether, and not how nearly. And conditions that are none of the source's."""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import dataclass

from ... import distance as d

_CLASS = re.compile(r"@llvm\.is\.fpclass\.f(64|32)\((?:double|float) (?:noundef )?(\S+), i32 (\d+)\)")
_FINITE, _INFINITE, _NAN = 0x1F8, 0x204, 0x003  # sets of classes, as LLVM numbers them
_TESTS = {_FINITE: d.LT, _INFINITE: d.EQ}  # of the absolute value, with infinity
_INFINITY = "0x7FF0000000000000"
_COMPARER = re.compile(r"call i32 @(\w+)\((ptr [^,()]+), (ptr [^,()]+)(?:, (i64 [^,()]+))?\)")
# strings.c compares up to a NUL, or not, and with the case of letters folded, or not.
_NUL, _FOLDED = 1, 2
_COMPARERS = {"strcmp": _NUL, "strncmp": _NUL, "memcmp": 0, "bcmp": 0, "strcasecmp": _NUL | _FOLDED,
              "strncasecmp": _NUL | _FOLDED}  # fmt: skip

_LOADED_BIT = re.compile(r"load i1, ptr (%[-\w$.]+)")
_FAR = 1 << 62
# Of long doubles: the comparison, and what stands for how far NaN is apart, so that it comes out as it should.
_APART = {"oeq": (d.EQ, _FAR), "ueq": (d.EQ, 0), "one": (d.NE_ORDERED, 0), "une": (d.NE_ORDERED, _FAR),
          "ogt": (d.GT, -_FAR), "ugt": (d.GT, _FAR), "oge": (d.GE, -_FAR), "uge": (d.GE, _FAR),
          "olt": (d.LT, _FAR), "ult": (d.LT, -_FAR), "ole": (d.LE, _FAR), "ule": (d.LE, -_FAR)}  # fmt: skip


@dataclass
class Comparison:
    """What a probe reports: operands in the IR's notation, converted by ``prepare`` to doubles or 64-bit integers."""

    is_float: bool
    op: int
    prepare: list[str]
    left: str
    right: str


def class_test(text: str, name: str) -> Comparison | None:
    """Of a test of a float's class, where that is one comparison. ``name`` is new in the IR."""
    match = _CLASS.search(text)
    classes = int(match[3]) if match else 0
    if not match or (classes != _NAN and classes not in _TESTS):
        return None
    prepare, value = [], match[2]
    if match[1] == "32":
        prepare, value = [f"  {name}.w = fpext float {value} to double"], f"{name}.w"
    if classes == _NAN:
        return Comparison(True, d.UNORDERED, prepare, value, value)
    prepare += [
        f"  {name}.i = bitcast double {value} to i64",
        f"  {name}.m = and i64 {name}.i, {(1 << 63) - 1}",
        f"  {name}.a = bitcast i64 {name}.m to double",
    ]
    return Comparison(True, _TESTS[classes], prepare, f"{name}.a", _INFINITY)


def difference(text: str, name: str, defined: Set[str]) -> list[str] | None:
    """If this calls ``strcmp`` or a relative: IR of ``name``, an i64 of its sign that also says how much of the two is
    alike. ``defined`` are the names that are the subject's own."""
    match = _COMPARER.match(text.removeprefix("tail "))
    if not match or match[1] not in _COMPARERS or match[1] in defined:
        return None
    one, other = (argument.split()[-1] for argument in match.group(2, 3))
    most = match[4].split()[-1] if match[4] else "-1"
    return [f"  {name} = call i64 @zeroin_difference(ptr {one}, ptr {other}, i64 {most}, i64 {_COMPARERS[match[1]]})"]


def apart(name: str, predicate: str, left: str, right: str) -> Comparison | None:
    """A comparison of long doubles, as one with 0 of how far they are apart. ``name`` is new in the IR."""
    if predicate not in _APART:
        return None
    op, unordered = _APART[predicate]
    call = f"  {name}.a = call i64 @zeroin_apart(x86_fp80 {left}, x86_fp80 {right}, i64 {unordered})"
    return Comparison(False, op, [call], f"{name}.a", "0")


def is_made(condition: str, right: Callable[[str], str]) -> bool:
    """Whether the compiler itself made a condition: to choose the catch clause of an exception, or to destroy only what
    has been made (a ``bool`` of the source has eight bits). ``right`` tells the instruction behind a value."""
    flag = _LOADED_BIT.match(right(condition))
    return selects_handler(condition, right) or (flag is not None and right(flag[1]).startswith("alloca i1,"))


def selects_handler(condition: str, right: Callable[[str], str]) -> bool:
    """Whether a condition chooses the catch clause of an exception."""
    operands = [condition, *re.findall(r"%[-\w$.]+", right(condition))]
    return any("@llvm.eh.typeid.for" in right(operand) for operand in operands)
