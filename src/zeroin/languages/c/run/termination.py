"""Read how a run of compiled code ended, and what it returned, from the variables of the runtime."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping

from ....sandbox.system_calls import attempt
from ....subject.base import Termination, Words
from ..front.layout import Scalar, bits_in
from ..front.parameters import CSignature
from ..front.symbols import demangled
from ..replay import CReplay
from .arrays import Arrays
from .out_of_bounds import held
from .undefined_behaviour import told

_CALL = re.compile(r"^tries to make the system call (\d+)$")
Cells = Mapping[str, ctypes.c_int64]


def detail_of(outcome: Termination, cells: Cells, scratch: str) -> str:
    """Return details of how a run ended, for people; empty if there are none.

    Args:
        outcome: how the run ended.
        cells: the variables of the runtime, by name.
        scratch: the path of the scratch folder, which the text shows as ``.``; empty if there is none.
    """
    detail = cells["detail"].value
    if outcome is Termination.EXITED:
        return f"status {detail}"
    if outcome in (Termination.ASSERTED, Termination.FORBIDDEN, Termination.HEAP):
        text = _CALL.sub(lambda found: attempt(int(found[1])), _text(detail))
        return text.replace(scratch, ".") if scratch else text
    if outcome is Termination.UNDEFINED:
        return told(_text(detail), cells["undefined_one"].value, cells["undefined_other"].value)
    if outcome is Termination.RAISED:
        return CReplay(outcome, None, (), *thrown(cells)).thrown
    return ""


def returned(signature: CSignature, words: Words, cells: Cells, arrays: Arrays) -> CReplay:
    """Return the result of a run that returned, and what it left in the memory behind its pointers.

    Call this before the next run.
    """
    pointers = [(p, mine) for p, mine in signature.split(words) if p.is_pointer]
    contents = arrays.content(cells["buffers"].value, held(signature, words))
    result: int | tuple[int, ...] | None = None
    if isinstance(signature.result, Scalar):
        result = cells["result"].value & ((1 << signature.result.kind.bits) - 1)
    elif signature.result is not None:
        result = bits_in(contents[-1], signature.result)
    outputs = (None if p.own(mine) is None else bits_in(content, p.layout)
               for (p, mine), content in zip(pointers, contents, strict=False))  # fmt: skip
    return CReplay(Termination.RETURNED, result, tuple(outputs))


def thrown(cells: Cells) -> tuple[str, str]:
    """Return the type of the uncaught exception, as C++ writes it, and its message; both are empty if there is none."""
    if not cells["threw"].value:
        return "", ""
    name = demangled("_ZTS" + _text(cells["threw"].value)).removeprefix("typeinfo name for ")
    return name.replace("(anonymous namespace)::", ""), _text(cells["what"].value)


def _text(address: int) -> str:
    """Return the C string at an address; bytes that are not UTF-8 are replaced."""
    return ctypes.string_at(address).decode(errors="replace")
