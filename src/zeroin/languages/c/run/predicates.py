"""Conditions that need special probes.

Calls such as ``isfinite`` and ``strcmp`` return only whether their arguments satisfy a condition. The functions here
return the comparison behind such a call, so that a probe can measure a distance. They also recognise conditions that
the compiler made, which the source does not have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import dataclass

from .... import distance as d
from ..llvm_ir.instructions import instruction

_CLASS = {"@llvm.is.fpclass.f64": "double", "@llvm.is.fpclass.f32": "float"}
_FINITE, _INFINITE, _NAN = 0x1F8, 0x204, 0x003  # sets of classes, in the encoding of llvm.is.fpclass
_TESTS = {_FINITE: d.LT, _INFINITE: d.EQ}  # how the absolute value compares with infinity
_INFINITY = "0x7FF0000000000000"
# Flags for strings.c: whether a comparison ends at a NUL, and whether it ignores the case of letters.
_NUL, _FOLDED = 1, 2
_COMPARERS = {"strcmp": _NUL, "strncmp": _NUL, "memcmp": 0, "bcmp": 0, "strcasecmp": _NUL | _FOLDED,
              "strncasecmp": _NUL | _FOLDED}  # fmt: skip

_LOADED_BIT = re.compile(r"load i1, ptr (%[-\w$.]+)")
_FAR = 1 << 62
# For each comparison of long doubles: the comparison with 0, and the difference to assume if an operand is NaN, which
# gives the correct result.
_APART = {"oeq": (d.EQ, _FAR), "ueq": (d.EQ, 0), "one": (d.NE_ORDERED, 0), "une": (d.NE_ORDERED, _FAR),
          "ogt": (d.GT, -_FAR), "ugt": (d.GT, _FAR), "oge": (d.GE, -_FAR), "uge": (d.GE, _FAR),
          "olt": (d.LT, _FAR), "ult": (d.LT, -_FAR), "ole": (d.LE, _FAR), "ule": (d.LE, -_FAR)}  # fmt: skip


@dataclass
class ProbedComparison:
    """A comparison, as its probe reports it.

    Attributes:
        is_float: whether the operands are doubles; else they are 64-bit integers.
        op: the comparison, as in :mod:`zeroin.distance`.
        prepare: lines of IR that convert the operands.
        left: the left operand, an IR value.
        right: the right operand, an IR value.
    """

    is_float: bool
    op: int
    prepare: list[str]
    left: str
    right: str


def class_test(text: str, name: str) -> ProbedComparison | None:
    """Return the comparison behind a test of a float's class, such as ``isfinite``.

    Args:
        text: the instruction that computes the condition.
        name: a name that is not used in the IR yet.

    Returns:
        None if the instruction is no such test, or if the test is not a single comparison.
    """
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
    """Return the IR that measures the difference behind a call of ``strcmp`` or a similar function.

    The difference is an i64 with the sign of the call's result. The longer the common prefix, the closer it is to 0.

    Args:
        text: the instruction.
        name: the name of the difference.
        defined: names of the functions that the subject's own file defines.

    Returns:
        None if the instruction is no such call.
    """
    call = instruction(text) if " i32 @" in text else None
    called = call.callee[1:] if call is not None else ""
    if call is None or called not in _COMPARERS or called in defined or call.type != "i32":
        return None
    if [argument.type for argument in call.operands] not in (["ptr", "ptr"], ["ptr", "ptr", "i64"]):
        return None
    one, other, most = (*call.values, "-1")[:3]
    return [f"  {name} = call i64 @zeroin_difference(ptr {one}, ptr {other}, i64 {most}, i64 {_COMPARERS[called]})"]


def apart(name: str, predicate: str, left: str, right: str) -> ProbedComparison | None:
    """Return a comparison of long doubles as a comparison of their difference, in ULP, with 0.

    Args:
        name: a name that is not used in the IR yet.
        predicate: the comparison, as in LLVM's ``fcmp``.
        left, right: the operands.

    Returns:
        None if the predicate is not supported.
    """
    if predicate not in _APART:
        return None
    op, unordered = _APART[predicate]
    call = f"  {name}.a = call i64 @zeroin_apart(x86_fp80 {left}, x86_fp80 {right}, i64 {unordered})"
    return ProbedComparison(False, op, [call], f"{name}.a", "0")


def is_made(condition: str, right: Callable[[str], str]) -> bool:
    """Whether the compiler made a condition that the source does not have.

    Such a condition chooses the catch clause of an exception, or checks whether an object was constructed before it is
    destroyed. (The flag for the latter has one bit; a ``bool`` of the source has eight.)

    Args:
        condition: the condition, an IR value.
        right: returns the instruction that defines a value.
    """
    flag = _LOADED_BIT.match(right(condition))
    return selects_handler(condition, right) or (flag is not None and right(flag[1]).startswith("alloca i1,"))


def selects_handler(condition: str, right: Callable[[str], str]) -> bool:
    """Whether a condition chooses the catch clause of an exception. The arguments are those of :func:`is_made`."""
    operands = [condition, *re.findall(r"%[-\w$.]+", right(condition))]
    return any("@llvm.eh.typeid.for" in right(operand) for operand in operands)
