"""The boundaries of a comparison, as three more conditions.

They say that the operands are equal, that the left operand is one step above the right one, and that it is one step
below (Fu & Su 2016, section 4.4.2, extended by a step on either side).

A step is 1 for integers and one ULP for floats; both zeros are one value. It is a step of the type in which C compares.
There is one exception: C may widen an operand first, while the other operand is a constant or is widened from the same
type. The step is then one of the type before widening. For ``n < 2.5`` with an int ``n``, for example, no ``n`` is one
ULP above 2.5.
"""

from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass

from .... import distance as d
from ....subject.base import STEPS
from ..llvm_ir.instructions import instruction
from ..llvm_ir.signedness import RightOf, Signs

_HIGH, _LOW = (1 << 63) - 1, -(1 << 63)
_FLOATS = {"double": 64, "float": 32}
_WHOLE = {"double": 32, "float": 16}  # the widest common integer type whose values the float type holds exactly
_EXTENDS = ("zext", "sext")
_MOST = 2.0**40  # constants from here on are beyond all such integers


@dataclass
class Boundary:
    """A condition ``left op right`` of 64-bit integers. All fields are IR.

    Attributes:
        prepare: the lines that compute the other fields.
        op: the comparison, a number as in :mod:`zeroin.distance`, or an IR value that is one.
        left, right: the operands.
        holds: an i1, whether the condition holds.
    """

    prepare: list[str]
    op: str
    left: str
    right: str
    holds: str


@dataclass
class _Line:
    """Both operands as 64-bit integers: their positions in the order of all values. Neighbours differ by 1.

    Attributes:
        prepare: the lines of IR that compute the positions.
        left: the position of the left operand.
        right: for each of ``STEPS``, the position where the left operand has to be; None: no value is there.
        ordered: an i1, whether neither operand is NaN; empty if they can not be NaN.
        wraps: whether a step from the highest position may wrap around to the lowest.
    """

    prepare: list[str]
    left: str
    right: dict[int, str | None]
    ordered: str = ""
    wraps: bool = False


def boundaries(type_: str, predicate: str, left: str, right: str, name: str, right_of: RightOf,
               signs: Signs) -> list[Boundary]:  # fmt: skip
    """Return the boundaries of a comparison, in the order of ``STEPS``.

    Args:
        type_: the operands' type in IR.
        predicate: the comparison, as in IR.
        left, right: the operands.
        name: a name for new IR values; neither it nor a name that begins with it and a dot is used yet.
        right_of: returns the instruction that defines a value.
        signs: says which integers are signed.

    Returns:
        One boundary for each step. All use values that ``prepare`` of the first one computes, so its lines must come
        first. An empty list for operands without neighbours: addresses, truth values, and types that are not supported.
    """
    line = _line(type_, predicate, left, right, name, right_of, signs)
    if line is None:
        return []
    found = [_boundary(line, step, f"{name}.{number}") for number, step in enumerate(STEPS)]
    found[0].prepare[:0] = line.prepare
    return found


def _line(type_: str, predicate: str, left: str, right: str, name: str, right_of: RightOf,
          signs: Signs) -> _Line | None:  # fmt: skip
    """Return the positions of both operands and of the steps; None for operands without neighbours."""
    if type_ in _FLOATS:
        one, other = (_before_widening(type_, value, right_of) for value in (left, right))
        if one and other and one[0] == other[0]:
            return _of_own(one[0], one[1], other[1], name)
        if one and (value := constant_of(right)) is not None:
            return _besideconstant_of(*one, value, 1, name)
        if other and (value := constant_of(left)) is not None:
            return _besideconstant_of(*other, value, -1, name)
        return _of_own(type_, left, right, name)
    width = int(type_[1:]) if re.fullmatch(r"i\d+", type_) else 0
    if not 1 < width <= 64 or (predicate in ("eq", "ne") and right == "0" and _is_truth(left, right_of)):
        return None
    if predicate in ("eq", "ne"):
        signed = signs.of_both(left, right)
        return _of_own(("" if signed else "u") + type_, left, right, name, turns=signed is None)
    return _of_own(("u" if predicate[0] == "u" else "") + type_, left, right, name)


def _before_widening(type_: str, value: str, right_of: RightOf) -> tuple[str, str] | None:
    """Return the type and the value of an operand before C widened it to ``type_``; None if it was not widened.

    The result is None also if the conversion may lose digits. An unsigned integer's type has ``u`` in front.
    """
    widened = instruction(right_of(value))
    if widened is None or widened.opcode not in ("fpext", "sitofp", "uitofp") or widened.type != type_:
        return None
    own, value = widened.operands[0].type, widened.values[0]
    if widened.opcode == "fpext":
        return (own, value) if own in _FLOATS else None
    extended = instruction(right_of(value))
    narrow = extended.operands[0].type if extended is not None and extended.opcode in _EXTENDS else own
    if not re.fullmatch(r"i\d+", narrow) or int(narrow[1:]) > _WHOLE[type_]:
        return None
    return ("u" * (widened.opcode == "uitofp") + own), value


def constant_of(operand: str) -> float | None:
    """Return the value of a floating-point constant in IR; None if the operand is no such constant."""
    if re.fullmatch(r"0x[0-9A-F]{16}", operand):
        value: float = struct.unpack(">d", bytes.fromhex(operand[2:]))[0]
        return value
    return float(operand) if re.fullmatch(r"-?\d+\.\d+e[+-]\d+", operand) else None


def _is_truth(value: str, right_of: RightOf) -> bool:
    """Whether an integer is a truth value that was widened to int, as in ``(a < b) != 0``."""
    for _ in range(8):
        made = instruction(right_of(value))
        if made is None or not (made.opcode in _EXTENDS or made.callee.startswith("@llvm.expect.")):
            return False
        if made.opcode in _EXTENDS and made.operands[0].type == "i1":
            return True
        value = made.values[0]
    return False


def _of_own(type_: str, left: str, right: str, name: str, turns: bool = False) -> _Line:
    """Place two operands of one type. With ``turns``, it is unknown whether the type is signed: steps wrap around."""
    prepare: list[str] = []
    one, other = (_placed(type_, value, f"{name}.{side}", prepare) for side, value in (("l", left), ("r", right)))
    places: dict[int, str | None] = {0: other}
    for step, word in ((1, "up"), (-1, "down")):
        prepare.append(f"  {name}.{word} = add i64 {other}, {step}")
        places[step] = f"{name}.{word}"
        if turns and type_ != "ui64":
            prepare.append(f"  {name}.{word}.t = and i64 {name}.{word}, {(1 << int(type_[2:])) - 1}")
            places[step] = f"{name}.{word}.t"
    ordered = f"{name}.ord" if type_ in _FLOATS else ""
    if ordered:
        prepare.append(f"  {ordered} = fcmp ord {type_} {left}, {right}")
    return _Line(prepare, one, places, ordered, wraps=type_.lstrip("u") == "i64" and not turns)


def _besideconstant_of(type_: str, value: str, constant: float, sign: int, name: str) -> _Line:
    """Place an operand and a constant of a wider type. ``sign`` is 1 if the operand is on the left, and else -1."""
    prepare: list[str] = []
    one = _placed(type_, value, f"{name}.l", prepare)
    places = {step: None if place is None else str(place) for step, place in _around(type_, constant).items()}
    if sign < 0:
        places = {step: places[-step] for step in STEPS}
    ordered = f"{name}.ord" if type_ in _FLOATS else ""
    if ordered:
        prepare.append(f"  {ordered} = fcmp ord {type_} {value}, {value}")
    return _Line(prepare, one, places, ordered)


def _around(type_: str, constant: float) -> dict[int, int | None]:
    """Return, for each of ``STEPS``, the position of the value at that step from a constant; None: no such value."""
    if math.isnan(constant) or (type_ not in _FLOATS and abs(constant) > _MOST):
        return dict.fromkeys(STEPS)
    if type_ in _FLOATS:
        below = above = _place_of_single(_single(constant))
        rounded = _single(constant)
    else:
        below = above = round(constant)
        rounded = float(below)
    if rounded != constant:
        return {0: None, 1: above + (rounded < constant), -1: below - (rounded > constant)}
    return {0: above, 1: above + 1, -1: below - 1}


def _single(value: float) -> float:
    """Round a double to a float; too large numbers become infinite."""
    try:
        rounded: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return rounded


def _place_of_single(value: float) -> int:
    """Return the position of a float among all floats of 32 bits; both zeros are at 0."""
    bits: int = struct.unpack("<i", struct.pack("<f", value))[0]
    return bits if bits >= 0 else -(bits & 0x7FFFFFFF)


def _placed(type_: str, value: str, name: str, prepare: list[str]) -> str:
    """Return an IR value: the position of ``value`` in the order of all values of its type, as an i64.

    The lines that compute it are added to ``prepare``. An unsigned integer's type has ``u`` in front.
    """
    if type_ in _FLOATS:
        width = _FLOATS[type_]
        word = f"i{width}"
        prepare += [
            f"  {name}.b = bitcast {type_} {value} to {word}",
            f"  {name}.s = ashr {word} {name}.b, {width - 1}",
            f"  {name}.m = and {word} {name}.b, {(1 << width - 1) - 1}",
            f"  {name}.n = xor {word} {name}.m, {name}.s",
            f"  {name}.w = sub {word} {name}.n, {name}.s",
        ]
        value, type_ = f"{name}.w", word
    unsigned = type_[0] == "u"
    own = type_.lstrip("u")
    if own != "i64":
        prepare.append(f"  {name} = {'zext' if unsigned else 'sext'} {own} {value} to i64")
    elif unsigned:
        prepare.append(f"  {name} = xor i64 {value}, {_LOW}")
    return name if own != "i64" or unsigned else value


def _boundary(line: _Line, step: int, name: str) -> Boundary:
    """Return the condition that the left operand is at the position of a step; it never holds if no value is there."""
    op, left, right = str(d.EQ), line.left, line.right[step]
    if right is None:
        return Boundary([], op, "0", "1", "false")
    prepare = [f"  {name} = icmp eq i64 {left}, {right}"]
    holds = name
    if line.wraps and step:
        edge, never = (_HIGH, d.GT) if step > 0 else (_LOW, d.LT)  # nothing is beyond the edge
        prepare += [
            f"  {name}.in = icmp ne i64 {line.right[0]}, {edge}",
            f"  {name}.is = and i1 {name}, {name}.in",
            f"  {name}.op = select i1 {name}.in, i64 {d.EQ}, i64 {never}",
            f"  {name}.to = select i1 {name}.in, i64 {right}, i64 {edge}",
        ]
        holds, op, right = f"{name}.is", f"{name}.op", f"{name}.to"
    if line.ordered:
        prepare += [
            f"  {name}.is = and i1 {name}, {line.ordered}",
            f"  {name}.of = select i1 {line.ordered}, i64 {left}, i64 0",
            f"  {name}.to = select i1 {line.ordered}, i64 {right}, i64 {_HIGH}",
        ]
        holds, left, right = f"{name}.is", f"{name}.of", f"{name}.to"
    return Boundary(prepare, op, left, right, holds)
