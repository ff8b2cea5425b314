"""One run in the interpreter."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import Any

from ....subject.base import Termination
from ..front.modules import resolve
from ..front.signature import Call, PythonSignature
from .probes import cells as probes
from .probes.shared_state import Probing

# r of words that make no input: the largest finite value, so that any input is better.
NO_INPUT = struct.unpack("<q", struct.pack("<d", 1.7976931348623157e308))[0]


def drive(probing: Probing, signature: PythonSignature, call: Call, ended: Callable[[BaseException], None],
          fresh: Callable[[], None], always: bool) -> None:  # fmt: skip
    """Let probes know what one run is; it never raises.

    Args:
        probing: the probes.
        signature: what words mean.
        call: what is called.
        ended: is told the exception that a run ended with.
        fresh: puts back what outlives a run: after one that called setters first, and ``always`` before one.
    """
    state, tags, function = probing.state, signature.tags, call.function
    bounds, at = [], 0
    for parameter in signature.parameters:
        bounds.append((parameter.shape.build, at, at + parameter.arity))
        at += parameter.arity
    from_address = (ctypes.c_int64 * at).from_address

    def run(*values: Any) -> None:
        try:
            function(*values)
        except BaseException as error:
            ended(error)

    def run_words(address: int) -> None:
        if always:
            fresh()
        words = from_address(address)[:]
        try:
            values = [build(words[low:high], resolve) for build, low, high in bounds]
        except Exception:  # a constructor does not take these: no input of the function
            state[probes.R], state[probes.OUTCOME] = NO_INPUT, Termination.REFUSED
            return
        try:
            call(values)
        except BaseException as error:
            ended(error)
        if any(words[tag] for tag in tags):
            fresh()

    own = signature.alone.parameters
    scalars = [kind for p in own if (kind := p.shape.scalar) is not None]
    if len(scalars) == len(own) and not call.names and call.spread is None:
        probing.drive(run, scalars, run_words, tags)
    else:
        probing.drive(run_words, None)
