"""The Python function that makes one run in the interpreter: ordered words -> values -> call.

Words are 64-bit integers in the order of the values that they encode (``words.py``). Some words may choose *setters*,
functions that set variables of the module and are called before the function under test.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable

from ....subject.base import Termination
from ..front.modules import resolve
from ..front.signature import Call, PythonSignature
from .probes import cells as probes
from .probes.shared_state import Probes

# The objective's value, as bits, for words that encode no valid input: the largest finite double, so all inputs are
# better.
NO_INPUT = struct.unpack("<q", struct.pack("<d", 1.7976931348623157e308))[0]


def drive(probing: Probes, signature: PythonSignature, call: Call, ended: Callable[[BaseException], None],
          fresh: Callable[[], None], always: bool) -> None:  # fmt: skip
    """Set the Python function with which the probes' native code makes one run. That function never raises.

    If all parameters are plain numbers, native code turns the words into values. Else the Python function does.

    Args:
        probing: the probes of the subject.
        signature: the parameters, which turn words into values.
        call: calls the function under test.
        ended: receives the exception of a run that raised.
        fresh: restores variables that live longer than a call. It is called after a run that called setters.
        always: whether ``fresh`` is also called before each run.
    """
    state, tags, function = probing.state, signature.tags, call.function
    bounds, at = [], 0
    for parameter in signature.parameters:
        bounds.append((parameter.shape.build, at, at + parameter.arity))
        at += parameter.arity
    from_address = (ctypes.c_int64 * at).from_address

    def run(*values: object) -> None:
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
        except Exception:  # a constructor rejects its arguments, so the words encode no input of the function
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
