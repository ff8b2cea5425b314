"""How runs of compiled code ended, as the runtime wrote it down."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping

from ..base import Outcome
from .replay import CReplay
from .symbols import demangled

Cells = Mapping[str, ctypes.c_int64]


def detail_of(outcome: Outcome, cells: Cells, scratch: str) -> str:
    """What is known of how a run ended besides the outcome, for a person.

    Args:
        outcome: of the run.
        cells: variables of the runtime.
        scratch: the path of the folder that runs may write to, which is no part of it; empty if there is none.
    """
    detail = cells["detail"].value
    if outcome is Outcome.EXITED:
        return f"status {detail}"
    if outcome in (Outcome.ASSERTED, Outcome.FORBIDDEN, Outcome.HEAP):
        text = _text(detail)
        return text.replace(scratch, ".") if scratch else text
    if outcome is Outcome.RAISED:
        return CReplay(outcome, None, (), *thrown(cells)).thrown
    return ""


def thrown(cells: Cells) -> tuple[str, str]:
    """The type of the exception that left the run, as C++ writes it, and what it says; both empty if none did."""
    if not cells["threw"].value:
        return "", ""
    name = demangled("_ZTS" + _text(cells["threw"].value)).removeprefix("typeinfo name for ")
    return name.replace("(anonymous namespace)::", ""), _text(cells["what"].value)


def _text(address: int) -> str:
    return ctypes.string_at(address).decode(errors="replace")
