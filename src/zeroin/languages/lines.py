"""The function at a line of a source file, for all languages."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import TargetError


def name_at(spans: Sequence[tuple[str, int, int]], line: int, where: str, shown: int | None = None) -> str:
    """Return the name of the last span that has a line.

    Args:
        spans: names of functions with their first and last lines; inner ones follow outer ones.
        line: the line, from 1.
        where: the file or module, for the message.
        shown: the line for the message; None: ``line``.

    Raises:
        TargetError: the line is in no span; the message names the nearest one.
    """
    inside = [name for name, first, last in spans if first <= line <= last]
    if inside:
        return inside[-1]
    near = min(spans, key=lambda span: min(abs(span[1] - line), abs(span[2] - line)), default=None)
    there = f"; the nearest is {near[0]}, in lines {near[1]} to {near[2]}" if near else ""
    raise TargetError(f"{where}: line {shown or line} is in no function that can be tested{there}")
