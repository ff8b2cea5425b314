"""angr: symbolic execution of the compiled function with z3, breadth first as it is by default.

It is not as ``pip install angr`` gives it: with the newest releases of two packages that it needs it can not be
imported, so these are pinned, too."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from zeroin import Suite
from zeroin.languages.c.front.parameters import CParameter, CSignature
from zeroin.languages.c.replay import CReplay
from zeroin.subject.base import Termination
from zeroin.suite.suite import Input
from zeroin.words import word_from_bits

from ..python.tools.base import ensure_venv, execute
from .subjects import CFunction

PINS = ("angr==9.2.213", "bitstring==4.2.3", "pycparser==3.0")
_DRIVER = Path(__file__).parent / "drivers" / "angr_inputs.py"
_GRACE = 3.0  # times the budget, after which it is ended; what it has told by then counts


@dataclass(frozen=True)
class Found:
    """What it comes to: inputs, for the same target as another suite; the seconds, what went wrong, and whether it
    followed every path to its end."""

    suite: Suite
    seconds: float
    note: str
    exhausted: bool


def run(function: CFunction, like: Suite, seconds: float, folder: Path) -> Found:
    """Ask it for inputs."""
    signature = like.signature
    assert isinstance(signature, CSignature)
    python = ensure_venv("angr", *PINS)
    program = folder / "program.so"
    subprocess.run(["gcc", "-O0", "-shared", "-fPIC", "-w", *function.gcc, str(function.path),
                    *map(str, function.others), "-o", str(program), "-lm"], check=True)  # fmt: skip
    job = {"program": str(program), "symbol": signature.symbol, "prototype": signature.prototype, "seconds": seconds,
           "parameters": [described(parameter) for parameter in signature.parameters]}  # fmt: skip
    (folder / "job.json").write_text(json.dumps(job))
    finished = execute([python, _DRIVER, folder / "job.json"], folder, 30 + _GRACE * seconds)
    found = [json.loads(line) for line in finished.output.splitlines() if line.startswith("[") and line.endswith("]")]
    kinds = [kind for parameter in signature.parameters for kind in parameter.kinds]
    every = dict.fromkeys(tuple(map(word_from_bits, kinds, bits)) for bits in found)
    inputs = [Input(words, frozenset(), CReplay(Termination.RETURNED)) for words in every]
    return Found(replace(like, inputs=inputs), finished.seconds, finished.note,
                 "exhausted" in finished.output.splitlines())  # fmt: skip


def described(parameter: CParameter) -> dict[str, object]:
    """For the driver, which knows no NULL."""
    assert not parameter.nullable, parameter.name
    return {"bits": parameter.kind.bits, "words": parameter.length or 1, "pointer": parameter.length is not None,
            "float": parameter.kind.is_float}  # fmt: skip
