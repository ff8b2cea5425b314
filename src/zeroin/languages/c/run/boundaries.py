"""The boundaries of a comparison: three more conditions, that its operands are equal, and that the left one is the next
one above or below the right one (Fu & Su 2016, section 4.4.2, and a step on either side).

The step is one of the type in which C compares: one integer, or one ULP, where both zeros are one value. Where C widens
an operand first, and the other one is a constant or is widened likewise, it is one of the operand's own type: there is
no int one ULP above 2.5 (``n < 2.5``), and no float one ULP of doubles above 0.1.
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
_WHOLE = {"double": 32, "float": 16}  # bits of the integers that are all exact in a float
_EXTENDS = ("zext", "sext")
_MOST = 2.0**40  # no such integer is near a constant from here on


@dataclass
class Boundary:
    """A condition ``left op right`` of 64-bit integers, in IR, and what prepares it. ``op`` is IR, too."""

    prepare: list[str]
    op: str
    left: str
    right: str
    holds: str


@dataclass
class _Line:
    """Both operands on a line of 64-bit integers, in which neighbours are one apart.

    Attributes:
        right: for each of the steps, what the left operand has to be; None: nothing.
        ordered: holds if none is NaN; empty: always.
        wraps: whether one more than the highest may be the lowest.
    """

    prepare: list[str]
    left: str
    right: dict[int, str | None]
    ordered: str = ""
    wraps: bool = False


def boundaries(type_: str, predicate: str, left: str, right: str, name: str, right_of: RightOf,
               signs: Signs) -> list[Boundary]:  # fmt: skip
    """The boundaries of ``left predicate right``, in the order of ``STEPS``; none of values that have no neighbours:
    addresses, truth values, and types that are not ours.

    Args:
        type_: of the operands, as IR has it.
        name: new in the IR, as is what begins with it and a dot.
        right_of: what defines a value.
        signs: which integers have one.
    """
    line = _line(type_, predicate, left, right, name, right_of, signs)
    if line is None:
        return []
    found = [_boundary(line, step, f"{name}.{number}") for number, step in enumerate(STEPS)]
    found[0].prepare[:0] = line.prepare
    return found


def _line(type_: str, predicate: str, left: str, right: str, name: str, right_of: RightOf,
          signs: Signs) -> _Line | None:  # fmt: skip
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
    """What an operand was before C made this type of it, if all its values differ still: its type, with ``u`` in front
    for unsigned integers, and the value."""
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
    """The float that IR writes so; None if it is no constant."""
    if re.fullmatch(r"0x[0-9A-F]{16}", operand):
        value: float = struct.unpack(">d", bytes.fromhex(operand[2:]))[0]
        return value
    return float(operand) if re.fullmatch(r"-?\d+\.\d+e[+-]\d+", operand) else None


def _is_truth(value: str, right_of: RightOf) -> bool:
    """Whether an integer is a truth value that was widened, as in ``(a < b) != 0``."""
    for _ in range(8):
        made = instruction(right_of(value))
        if made is None or not (made.opcode in _EXTENDS or made.callee.startswith("@llvm.expect.")):
            return False
        if made.opcode in _EXTENDS and made.operands[0].type == "i1":
            return True
        value = made.values[0]
    return False


def _of_own(type_: str, left: str, right: str, name: str, turns: bool = False) -> _Line:
    """Two operands of one type. If it ``turns``, the lowest follows the highest, whichever these are: nobody knows
    whether there is a sign."""
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
    """An operand and a constant of a type that has more values; the operand is on the left if ``sign`` is 1."""
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
    """Where a value of the type is that is equal to a constant, next above it and next below it."""
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
    """Rounded to a float."""
    try:
        rounded: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return rounded


def _place_of_single(value: float) -> int:
    bits: int = struct.unpack("<i", struct.pack("<f", value))[0]
    return bits if bits >= 0 else -(bits & 0x7FFFFFFF)


def _placed(type_: str, value: str, name: str, prepare: list[str]) -> str:
    """The place of a value on the line of its type."""
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
    """That the left operand is at one of the places."""
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
