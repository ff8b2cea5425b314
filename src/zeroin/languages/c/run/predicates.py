"""The comparison behind a call that tests its arguments, such as ``isfinite`` and ``strcmp``: what such a call returns
says whether, and not how nearly. And conditions that are none of the source's."""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import dataclass

from .... import distance as d
from ..llvm_ir.instructions import instruction

_CLASS = {"@llvm.is.fpclass.f64": "double", "@llvm.is.fpclass.f32": "float"}
_FINITE, _INFINITE, _NAN = 0x1F8, 0x204, 0x003  # sets of classes, as LLVM numbers them
_TESTS = {_FINITE: d.LT, _INFINITE: d.EQ}  # of the absolute value, with infinity
_INFINITY = "0x7FF0000000000000"
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
class ProbedComparison:
    """What a probe reports: operands in the IR's notation, converted by ``prepare`` to doubles or 64-bit integers."""

    is_float: bool
    op: int
    prepare: list[str]
    left: str
    right: str


def class_test(text: str, name: str) -> ProbedComparison | None:
    """Of a test of a float's class, where that is one comparison. ``name`` is new in the IR."""
    call = instruction(text) if "@llvm.is.fpclass" in text else None
    if call is None or call.callee not in _CLASS:
        return None
    value, classes = call.values[0], int(call.values[1])
    if classes != _NAN and classes not in _TESTS:
        return None
    prepare = []
    if _CLASS[call.callee] == "float":
        prepare, value = [f"  {name}.w = fpext float {value} to double"], f"{name}.w"
    if classes == _NAN:
        return ProbedComparison(True, d.UNORDERED, prepare, value, value)
    prepare += [
        f"  {name}.i = bitcast double {value} to i64",
        f"  {name}.m = and i64 {name}.i, {(1 << 63) - 1}",
        f"  {name}.a = bitcast i64 {name}.m to double",
    ]
    return ProbedComparison(True, _TESTS[classes], prepare, f"{name}.a", _INFINITY)


def difference(text: str, name: str, defined: Set[str]) -> list[str] | None:
    """If this calls ``strcmp`` or a relative: IR of ``name``, an i64 of its sign that also says how much of the two is
    alike. ``defined`` are the names that are the subject's own."""
    call = instruction(text) if " i32 @" in text else None
    called = call.callee[1:] if call is not None else ""
    if call is None or called not in _COMPARERS or called in defined or call.type != "i32":
        return None
    if [argument.type for argument in call.operands] not in (["ptr", "ptr"], ["ptr", "ptr", "i64"]):
        return None
    one, other, most = (*call.values, "-1")[:3]
    return [f"  {name} = call i64 @zeroin_difference(ptr {one}, ptr {other}, i64 {most}, i64 {_COMPARERS[called]})"]


def apart(name: str, predicate: str, left: str, right: str) -> ProbedComparison | None:
    """A comparison of long doubles, as one with 0 of how far they are apart. ``name`` is new in the IR."""
    if predicate not in _APART:
        return None
    op, unordered = _APART[predicate]
    call = f"  {name}.a = call i64 @zeroin_apart(x86_fp80 {left}, x86_fp80 {right}, i64 {unordered})"
    return ProbedComparison(False, op, [call], f"{name}.a", "0")


def is_made(condition: str, right: Callable[[str], str]) -> bool:
    """Whether the compiler itself made a condition: to choose the catch clause of an exception, or to destroy only what
    has been made (a ``bool`` of the source has eight bits). ``right`` tells the instruction behind a value."""
    flag = _LOADED_BIT.match(right(condition))
    return selects_handler(condition, right) or (flag is not None and right(flag[1]).startswith("alloca i1,"))


def selects_handler(condition: str, right: Callable[[str], str]) -> bool:
    """Whether a condition chooses the catch clause of an exception."""
    operands = [condition, *re.findall(r"%[-\w$.]+", right(condition))]
    return any("@llvm.eh.typeid.for" in right(operand) for operand in operands)
