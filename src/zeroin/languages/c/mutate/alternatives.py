"""The replacements that mutants make: other operations and other constants, as LLVM IR."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ....subject.constant import Constant
from ..run.boundaries import constant_of

_INTEGER = re.compile(r"i(?:8|16|32|64)")


@dataclass
class Alternative:
    """A replacement for an instruction's result, or for an operand.

    Attributes:
        change: the change, for people: ``< -> <=``.
        lines: returns the lines of IR that compute the replacement. Its arguments are two names: of an i1 that says
            whether this mutant runs, and of the result.
    """

    change: str
    lines: Callable[[str, str], list[str]]


def instead(change: str, type_: str, value: str) -> Alternative:
    """Return a replacement by an existing value.

    Args:
        change: the change, for people.
        type_: the IR type of the value.
        value: the IR value.
    """
    return Alternative(change, lambda _, name: [f"  {name} = {_copied(type_, value)}"])


def _copied(type_: str, value: str) -> str:
    """Return an instruction whose result is this value."""
    return f"select i1 true, {type_} {value}, {type_} {value}"


def computed(change: str, right: str) -> Alternative:
    """Return a replacement by the result of another instruction.

    Args:
        change: the change, for people.
        right: the instruction, without the name of its result.
    """
    return Alternative(change, lambda _, name: [f"  {name} = {right}"])


def divided(change: str, word: str, type_: str, left: str, right: str) -> Alternative:
    """Return a replacement by an integer division, whose divisor is 1 unless this mutant runs.

    Every run computes the division, whichever mutant runs, and a division by 0 would crash.

    Args:
        change: the change, for people.
        word: the IR instruction, such as ``sdiv``.
        type_: the type of the operands.
        left, right: the operands.
    """
    return Alternative(change, lambda is_it, name: [
        f"  {name}.b = select i1 {is_it}, {type_} {right}, {type_} 1",
        f"  {name} = {word} {type_} {left}, {name}.b",
    ])  # fmt: skip


def swapped(case: int, free: int, type_: str, value: str) -> Alternative:
    """Return a replacement for a switch's operand, which acts as if one case value were one more.

    Args:
        case: the case value that changes.
        free: a value that is none of the cases.
        type_: the type of the operand.
        value: the operand.
    """
    return Alternative(f"case {case} -> case {case + 1}", lambda _, name: [
        f"  {name}.a = icmp eq {type_} {value}, {case}",
        f"  {name}.b = icmp eq {type_} {value}, {case + 1}",
        f"  {name}.c = select i1 {name}.a, {type_} {free}, {type_} {value}",
        f"  {name} = select i1 {name}.b, {type_} {case}, {type_} {name}.c",
    ])  # fmt: skip


def changed(type_: str, operand: str) -> Iterator[str]:
    """Yield replacements for a constant: for an integer ``n`` these are ``n + 1``, ``n - 1`` and ``-n``.

    For a float ``x`` they are ``x + 1``, ``-x``, ``0`` and ``1.5 * x``. Nothing is yielded for other operands, for
    infinities and for NaN. Replacements are IR text. Those that are equal to the constant, or that a signed integer of
    this type can not hold, are left out.
    """
    now = value(type_, operand)
    if now is None or (isinstance(now, float) and not math.isfinite(now)):
        return
    others: Iterable[float] = (now + 1.0, -now, 0.0, 1.5 * now)
    if isinstance(now, int):
        half = 1 << int(type_[1:]) - 1
        others = (n for n in (now + 1, now - 1, -now) if -half <= n < half)
    seen = {operand, str(now) if isinstance(now, int) else _written(type_, now)}
    for other in others:
        text = str(other) if isinstance(other, int) else _written(type_, other)
        if text not in seen:
            seen.add(text)
            yield text


def value(type_: str, operand: str) -> float | None:
    """Return the value of a constant in IR: an int for ``i8`` to ``i64``, a float for ``float`` and ``double``.

    None if the operand is no such constant; also for ``i1``.
    """
    if type_ in ("double", "float"):
        return constant_of(operand)
    return int(operand) if _INTEGER.fullmatch(type_) and re.fullmatch(r"-?\d+", operand) else None


def _written(type_: str, value: float) -> str:
    """Return a float as IR writes it, rounded to the type; a value too large for ``float`` becomes infinite."""
    if type_ == "float":
        try:
            value = struct.unpack("<f", struct.pack("<f", value))[0]
        except OverflowError:
            value = math.copysign(math.inf, value)
    return f"0x{struct.pack('>d', value).hex().upper()}"


def shown(type_: str, operand: str) -> str:
    """Return a constant of IR as people write it: ``1.5`` for ``0x3FF8000000000000``.

    The operand must be a number for which :func:`value` is not None.
    """
    number = value(type_, operand)
    return f"{number:g}" if type_ == "float" else str(number)


def constant(type_: str, operand: str) -> Constant | None:
    """Return a constant of IR as a :class:`zeroin.subject.constant.Constant`; None if :func:`value` is None."""
    number = value(type_, operand)
    if isinstance(number, float):
        return Constant.of_float(number)
    return None if number is None else Constant.of_integer(int(number), int(type_[1:]))
