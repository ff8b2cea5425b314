"""What an operation, or a constant, may be instead: for mutants of IR."""

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
    """What an instruction's result, or an operand, may be instead.

    Attributes:
        change: for people.
        lines: that compute it, given the names of the condition that says whether it counts and of the result.
    """

    change: str
    lines: Callable[[str, str], list[str]]


def instead(change: str, type_: str, value: str) -> Alternative:
    """A value that is there already."""
    return Alternative(change, lambda _, name: [f"  {name} = {_copied(type_, value)}"])


def _copied(type_: str, value: str) -> str:
    return f"select i1 true, {type_} {value}, {type_} {value}"


def computed(change: str, right: str) -> Alternative:
    """What another instruction makes."""
    return Alternative(change, lambda _, name: [f"  {name} = {right}"])


def divided(change: str, word: str, type_: str, left: str, right: str) -> Alternative:
    """A division of integers, which must not be carried out by 0 where it does not count."""
    return Alternative(change, lambda is_it, name: [
        f"  {name}.b = select i1 {is_it}, {type_} {right}, {type_} 1",
        f"  {name} = {word} {type_} {left}, {name}.b",
    ])  # fmt: skip


def swapped(case: int, free: int, type_: str, value: str) -> Alternative:
    """What a switch sees if one of its cases is one more."""
    return Alternative(f"case {case} -> case {case + 1}", lambda _, name: [
        f"  {name}.a = icmp eq {type_} {value}, {case}",
        f"  {name}.b = icmp eq {type_} {value}, {case + 1}",
        f"  {name}.c = select i1 {name}.a, {type_} {free}, {type_} {value}",
        f"  {name} = select i1 {name}.b, {type_} {case}, {type_} {name}.c",
    ])  # fmt: skip


def changed(type_: str, operand: str) -> Iterator[str]:
    """What a constant may be instead: one more, one less or the negative; of a float also 0 and half as much again."""
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
    """The number that IR writes so; None if it is none."""
    if type_ in ("double", "float"):
        return constant_of(operand)
    return int(operand) if _INTEGER.fullmatch(type_) and re.fullmatch(r"-?\d+", operand) else None


def _written(type_: str, value: float) -> str:
    if type_ == "float":
        try:
            value = struct.unpack("<f", struct.pack("<f", value))[0]
        except OverflowError:
            value = math.copysign(math.inf, value)
    return f"0x{struct.pack('>d', value).hex().upper()}"


def shown(type_: str, operand: str) -> str:
    """A constant for people."""
    number = value(type_, operand)
    return f"{number:g}" if type_ == "float" else str(number)


def constant(type_: str, operand: str) -> Constant | None:
    """The number as the rest of the house knows it; None if it is none."""
    number = value(type_, operand)
    if isinstance(number, float):
        return Constant.of_float(number)
    return None if number is None else Constant.of_integer(int(number), int(type_[1:]))
