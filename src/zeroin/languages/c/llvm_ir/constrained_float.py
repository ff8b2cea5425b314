"""Replace constrained floating-point intrinsics by plain instructions that compute the same.

Under ``#pragma STDC FENV_ACCESS ON``, Clang writes an addition as ``call double
@llvm.experimental.constrained.fadd.f64(double %a, double %b, metadata !"round.dynamic", metadata !"fpexcept.strict")``.
If the rounding mode is to nearest, ``fadd double %a, %b`` gives the same result.
"""

from __future__ import annotations

import re

_NAME = "llvm.experimental.constrained."
_CALL = re.compile(r"(?:tail )?call (\w+) @llvm\.experimental\.constrained\.(\w+)\.[\w.]+\(([^()\n]*)\)(?: #\d+)?")
_BINARY = ("fadd", "fsub", "fmul", "fdiv", "frem")
_CASTS = ("fpext", "fptrunc", "fptosi", "fptoui", "sitofp", "uitofp")
_ROUNDINGS = ("round.dynamic", "round.tonearest")


def plain(text: str) -> str:
    """Return the IR, a line or a whole module, with constrained intrinsics replaced.

    An intrinsic without a plain equivalent stays, and so does one with a fixed rounding mode other than to nearest.
    """
    return _CALL.sub(_plain, text) if _NAME in text else text


def _plain(call: re.Match[str]) -> str:
    """Return the instruction that replaces a matched call; the call itself if it stays."""
    type_, name, written = call.groups()
    arguments = written.split(", ")
    operands = [one.split() for one in arguments if not one.startswith("metadata ")]
    modes = [one.partition('"')[2].rstrip('"') for one in arguments[len(operands) :]]
    if any(mode.startswith("round.") and mode not in _ROUNDINGS for mode in modes):
        return call[0]
    if any(len(operand) != 2 for operand in operands):
        return call[0]
    if name in _BINARY:
        return f"{name} {type_} {operands[0][1]}, {operands[1][1]}"
    if name in _CASTS:
        return f"{name} {' '.join(operands[0])} to {type_}"
    if name in ("fcmp", "fcmps"):
        return f"fcmp {modes[0]} {' '.join(operands[0])}, {operands[1][1]}"
    return call[0]
