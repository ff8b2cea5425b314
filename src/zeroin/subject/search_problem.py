"""Search problems: the data that probes read, and the native functions that probes call.

Such a function is called a *pen*. It returns the penalty of a run after a condition (Fu & Su 2016, section 5.1).
"""

from __future__ import annotations

import mmap
import os
import select
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ..distance import EQ, GT, LT, UNORDERED, holds
from ..native.cells import CAPACITY, COUNT, HEADER, SITES
from ..native.kernel import callback, kernel
from ..sandbox import forking
from .base import Decision

FLOAT_PEN = "float64(cells, float64, int64, int64, float64, float64)"
_RETURNED = 113  # the exit status of a fork whose run returned
INT_PEN = "float64(cells, float64, int64, int64, int64, int64)"


@dataclass
class SearchProblem:
    """A representing function, as data: ``r`` starts at ``r0``, and each site sets it to ``pen(...)`` (Fu & Su 2016).

    Attributes:
        r0: the value of ``r`` before the first site (Fu & Su 2016, section 5.1).
        pens: the addresses of the native pen for float and for integer operands (see :func:`native_pens`).
        data: the tables of the pen. The first ``HEADER`` cells are reserved (:mod:`zeroin.native.cells`).
        asked: the probe mode of each branch, one byte each (:class:`zeroin.native.cells.ProbeMode`).
        levels: the approach level of each branch whose mode is ``AT`` or ``NEAR``; at first, all are 0.
        slices: the number of slices that searches have spent on it. Searches change it.
    """

    r0: float
    pens: tuple[int, int]
    data: npt.NDArray[np.int64]
    asked: npt.NDArray[np.uint8]
    levels: npt.NDArray[np.int32] = field(init=False)
    slices: int = 0

    def __post_init__(self) -> None:
        self.levels = np.zeros(len(self.asked), dtype=np.int32)


def native_pens(pen: Callable[..., object]) -> tuple[int, int]:
    """Compile ``pen(data, r, site, op, a, b) -> r`` for float and for integer operands; return both addresses.

    Each pen is compiled once, and its addresses stay valid until the process ends.

    Args:
        pen: a function that Numba can compile. ``data`` are int64 cells (``data[i]``). ``op`` is a comparison as in
            :mod:`zeroin.distance`. ``a`` and ``b`` are both float64 or both int64.
    """
    float_pen, int_pen = _compiled(pen)
    return float_pen.address, int_pen.address


@cache
def _compiled(pen: Callable[..., object]) -> tuple[Any, Any]:
    return callback(FLOAT_PEN)(pen), callback(INT_PEN)(pen)


# ---- the pen behind Subject.execute: it records every decision ----


@kernel
def _record(data: Any, site: int, op: int, taken: bool) -> Any:
    """Note that a branch was taken, and record the decision if there is room.

    Returns:
        The index in ``data`` of the new record, whose operands are still to be written; -1 if the trace is full.
    """
    count = data[COUNT]
    data[COUNT] = count + 1
    data[HEADER + 2 * site + (0 if taken else 1)] = count + 1
    if count >= data[CAPACITY]:
        return -1
    at = HEADER + 2 * data[SITES] + 4 * count
    data[at] = site
    data[at + 1] = op
    return at


@callback(FLOAT_PEN)
def _trace_float(data: Any, r: float, site: int, op: int, a: float, b: float) -> float:
    at = _record(data, site, op | 16, holds(op, a, b))
    if at >= 0:
        data[at + 2] = np.float64(a).view(np.int64)
        data[at + 3] = np.float64(b).view(np.int64)
    return r


@callback(INT_PEN)
def _trace_int(data: Any, r: float, site: int, op: int, a: int, b: int) -> float:
    at = _record(data, site, op, holds(op, a, b))
    if at >= 0:
        data[at + 2] = a
        data[at + 3] = b
    return r


def _holds(op: int, a: float, b: float) -> bool:
    """Return the same as :func:`zeroin.distance.holds`, which would have to be compiled first."""
    relation = LT if a < b else GT if a > b else EQ if a == b else UNORDERED
    return op & relation != 0


class Tracer:
    """A search problem that records a run instead of measuring it.

    It records which branches were taken, when each was taken last, and the first decisions. Records of several runs
    add up until :meth:`clear` is called.

    Args:
        sites: the number of sites.
        capacity: the largest number of decisions to record; with 0, only branches are recorded.
        memory: the cells to write to, all 0 and at least ``HEADER + 2 * sites + 4 * capacity``. None: allocate them.

    Attributes:
        question: the search problem. The run that is to be recorded needs it.
    """

    def __init__(self, sites: int, capacity: int, memory: npt.NDArray[np.int64] | None = None) -> None:
        self.sites = sites
        data = memory if memory is not None else np.zeros(HEADER + 2 * sites + 4 * capacity, dtype=np.int64)
        data[CAPACITY], data[SITES] = capacity, sites
        pens = (_trace_float.address, _trace_int.address)
        self.question = SearchProblem(0.0, pens, data, np.ones(2 * sites, dtype=np.uint8))

    def clear(self) -> None:
        """Forget all recorded runs."""
        self.question.data[COUNT] = 0
        self.question.data[HEADER : HEADER + 2 * self.sites] = 0

    def covered(self) -> frozenset[int]:
        """Return the numbers of the branches taken."""
        marks = self.question.data[HEADER : HEADER + 2 * self.sites]
        return frozenset(np.flatnonzero(marks).tolist())

    def latest(self) -> tuple[int, ...]:
        """Return the branches taken, the one taken last first."""
        times = self.question.data[HEADER : HEADER + 2 * self.sites]
        return tuple(int(n) for n in np.argsort(-times)[: np.count_nonzero(times)])

    def records(self) -> tuple[npt.NDArray[np.int64], bool]:
        """Return rows of (site, op, a, b) in order, and whether the trace was too short for all.

        The rows are a copy. For float operands, a and b are their bits, and 16 is added to op.
        """
        data = self.question.data
        count, capacity = int(data[COUNT]), int(data[CAPACITY])
        start = HEADER + 2 * self.sites
        return data[start : start + 4 * min(count, capacity)].reshape(-1, 4).copy(), count > capacity

    def decisions(self) -> tuple[tuple[Decision, ...], bool]:
        """Return the recorded decisions in order, and whether the trace was too short for all."""
        rows, truncated = self.records()
        found = []
        for site, op, a, b in rows.tolist():
            left, right = (float(np.int64(v).view(np.float64)) if op & 16 else v for v in (a, b))
            found.append(Decision(site, _holds(op & 15, left, right), op & 15, left, right))
        return tuple(found), truncated


def covered_in_fork(sites: int, run: Callable[[SearchProblem], bool], seconds: float) -> tuple[frozenset[int], bool]:
    """Run an input that may end its process in a fork; return the branches it took, and whether it returned.

    If the fork ends early or is killed, the result has the branches taken by then.

    Args:
        sites: the number of sites.
        run: called in the fork. It runs the input with a search problem, and tells whether the run returned. If it
            raises an exception, the run counts as not returned.
        seconds: the time after which the fork is killed.

    Raises:
        OSError: there are too many processes.
    """
    memory = mmap.mmap(-1, 8 * (HEADER + 2 * sites + 1))
    marks = Tracer(sites, 0, np.frombuffer(memory, dtype=np.int64))
    child = forking.fork()
    if child == 0:
        status = 0
        try:
            status = _RETURNED if run(marks.question) else 0
        finally:
            os._exit(status)
    ended = os.pidfd_open(child)
    waiting = select.poll()
    waiting.register(ended, select.POLLIN)
    waiting.poll(1000.0 * seconds)
    os.close(ended)
    forking.end(child)
    _, status = os.waitpid(child, 0)
    return marks.covered(), os.waitstatus_to_exitcode(status) == _RETURNED
