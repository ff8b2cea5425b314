"""Hypothesis: strategies from the type hints, example after example until the time is up or all branches are taken."""

from __future__ import annotations

from .base import ToolRun, Work, drive, ensure_venv

TITLE = "Hypothesis: strategies from type hints, in a loop until the time is up or every branch is taken"
MODES = ("loop",)
DETERMINISTIC = False
_PINS = ("hypothesis==6.170.15",)


def version() -> str:
    """As pinned."""
    return ", ".join(_PINS)


def run(work: Work) -> ToolRun:
    """See the driver."""
    return drive(ensure_venv("hypothesis", *_PINS), "with_hypothesis.py", work, 2 * work.seconds + 30)
