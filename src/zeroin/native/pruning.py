"""Branch and prune: boxes of inputs are shrunk by interval propagation, and split (:mod:`.intervals`)."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .backwards import backward
from .forwards import forward
from .intervals import BOOL, F32, F64, KIND, LEAF, Domains, above, down, of_pattern, pattern, tighten, up
from .kernel import kernel
from .words import float_of_word, word_of_float

_INF = math.inf
_SWEEPS = 16  # the most sweeps over the tape for one box
_CONDITION = 99.0  # the width of an undecided condition: less than that of a domain with numbers and NaN
_FAR = 1e300  # integers beyond this magnitude are not split
# The results of ``look``: no box is left; the limit is reached; a box is not refuted and can not be split.
REFUTED, STOPPED, STUCK = 0, 1, 2


class Boxes(NamedTuple):
    """The stack of boxes that are left.

    Attributes:
        inputs: the tape's rows that are split: the variables, and some conditions of if-then-else rows.
        low, high, nan: the domains of these rows, one row for each box.
        count: two numbers: of the boxes on the stack, and of the boxes that have been processed so far.
        first: the initial domains of all rows of the tape.
    """

    inputs: Any
    low: Any
    high: Any
    nan: Any
    count: Any
    first: Domains


@kernel
def prune(d: Domains) -> Any:
    """Shrink all domains until this makes little progress, and return whether one is empty.

    ``d.state[1]`` must be 0 before. At most ``_SWEEPS`` sweeps are made.
    """
    size = len(d.nan)
    for _ in range(_SWEEPS):
        d.state[0] = 0
        for n in range(size):
            forward(d, n)
            if d.state[1]:
                return True
        for n in range(size - 1, -1, -1):
            backward(d, n)
            if d.state[1]:
                return True
        if not d.state[0]:
            break
    return False


@kernel
def look(d: Domains, boxes: Boxes, at_most: int) -> Any:
    """Process boxes: refute or split them.

    A further call goes on with the boxes that are left.

    Args:
        d: the domains; on ``STUCK``, those of the box that can not be split.
        boxes: the stack of boxes, which is changed.
        at_most: the most boxes to process.

    Returns:
        ``REFUTED`` if no box is left. ``STOPPED`` after ``at_most`` boxes. ``STUCK`` for a box that is not refuted and
        can not be split, or for whose halves the stack has no room. That box is no longer on the stack.
    """
    for _ in range(at_most):
        if boxes.count[0] == 0:
            return REFUTED
        boxes.count[0] -= 1
        boxes.count[1] += 1
        _open(d, boxes, boxes.count[0])
        if d.state[1] or prune(d):
            continue
        chosen = _widest(d, boxes)
        if chosen < 0 or boxes.count[0] + 2 > len(boxes.low):
            return STUCK
        _split(d, boxes, chosen)
    return STOPPED


@kernel
def _open(d: Domains, boxes: Boxes, box: int) -> Any:
    """Set the domains to those of a box."""
    d.state[1] = 0
    first = boxes.first
    for n in range(len(d.low)):
        d.low[n], d.high[n] = first.low[n], first.high[n]
    for n in range(len(d.nan)):
        d.nan[n] = first.nan[n]
    for place in range(len(boxes.inputs)):
        tighten(d, boxes.inputs[place], boxes.low[box, place], boxes.high[box, place], boxes.nan[box, place])


@kernel
def _width(kind: int, low: float, high: float, nan: int) -> Any:
    """Return a measure of how many values a domain has; 0 if it can not be split. The widest domain is split first.

    For numbers this is the binary logarithm of their count. Domains with numbers and NaN count as 100, unbounded
    integers as 70, and a Bool that is undecided as 30. Integers beyond 1e300 are not split.
    """
    if nan:
        return 100.0 if low <= high else 0.0
    if low >= high:
        return 0.0
    if kind == BOOL:
        return 30.0
    if kind in (F64, F32):
        steps = word_of_float(high) - word_of_float(low) if low > 0.0 or high < 0.0 else 1 << 62
        return math.log2(np.float64(steps) + 1.0)
    if low > _FAR or high < -_FAR or (max(abs(low), abs(high)) >= 2.0**53 and up(low) >= high):
        return 0.0
    return math.log2(high - low + 1.0) if high - low < _INF else 70.0


@kernel
def _widest(d: Domains, boxes: Boxes) -> Any:
    """Return the row to split next, as an index in ``boxes.inputs``: that with the widest domain.

    Conditions come before all numbers, as each half decides which value an if-then-else has. -1 if no domain can be
    split.
    """
    found, most = -1, 0.0
    for place in range(len(boxes.inputs)):
        n = boxes.inputs[place]
        width = _width(d.code[n, KIND], d.low[n], d.high[n], d.nan[n])
        if width > 0.0 and d.code[n, KIND] == BOOL and d.code[n, 0] != LEAF:
            width = _CONDITION
        if width > most:
            found, most = place, width
    return found


@kernel
def _split(d: Domains, boxes: Boxes, chosen: int) -> Any:
    """Push the two halves of a box, for which the stack must have room. The half nearer to zero is processed first."""
    n = boxes.inputs[chosen]
    low, high, nan = d.low[n], d.high[n], d.nan[n]
    if nan:
        _put(d, boxes, chosen, _INF, -_INF, 1)
        _put(d, boxes, chosen, low, high, 0)
        return
    kind = d.code[n, KIND]
    if kind in (F64, F32):
        middle = _middle(kind, low, high)
        after = above(kind, middle)
    else:
        middle = min(_halfway(low, high), down(high))  # the middle may be rounded up from 2**53 on
        after = middle + 1.0 if abs(middle) < 2.0**53 else middle
    if abs(low) > abs(high):
        _put(d, boxes, chosen, low, middle, 0)
        _put(d, boxes, chosen, after, high, 0)
    else:
        _put(d, boxes, chosen, after, high, 0)
        _put(d, boxes, chosen, low, middle, 0)


@kernel
def _middle(kind: int, low: float, high: float) -> Any:
    """Return the float halfway between two floats on the ULP line, but never the upper one."""
    if low < 0.0 < high:
        return 0.0
    if kind == F32:
        steps = (pattern(F32, abs(low)) + pattern(F32, abs(high))) / 2.0
        return of_pattern(F32, np.floor(steps)) if high > 0.0 else -of_pattern(F32, np.ceil(steps))
    one, other = word_of_float(low), word_of_float(high)
    return float_of_word(np.int64((one >> np.int64(1)) + (other >> np.int64(1)) + (one & other & np.int64(1))))


@kernel
def _halfway(low: float, high: float) -> Any:
    """Return the middle between two integers. Without a bound, it is four times as far from 0 as the other bound."""
    if low == -_INF and high == _INF:
        return 0.0
    if high == _INF:
        return max(low * 4.0, 16.0) if low >= 0.0 else 0.0
    if low == -_INF:
        return min(high * 4.0, -16.0) if high <= 0.0 else -1.0
    return np.floor(low / 2.0 + high / 2.0)


@kernel
def _put(d: Domains, boxes: Boxes, chosen: int, low: float, high: float, nan: int) -> Any:
    """Push a box with the current domains, except for one of the inputs, whose domain is given."""
    box = boxes.count[0]
    for place in range(len(boxes.inputs)):
        n = boxes.inputs[place]
        boxes.low[box, place], boxes.high[box, place], boxes.nan[box, place] = d.low[n], d.high[n], d.nan[n]
    boxes.low[box, chosen], boxes.high[box, chosen], boxes.nan[box, chosen] = low, high, nan
    boxes.count[0] += 1
