"""Every branch decided: how many of the branches of our Python functions are covered, and how many refuted by a proof.

These are zeroin's branches, each outcome of a condition, of which there are more than coverage.py's pairs of lines.
With ``--attack S`` each function with a proof is searched for S more seconds, without proofs, with another seed: a
branch that an input takes in spite of a proof is printed, and the exit code is 1.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from zeroin import Budget, Options

from ..decided import Function, command_of, decide, parser_of
from .run import machine
from .subjects import ENTRIES, FUNCTIONS

_HERE = Path(__file__).parent


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; 0 when no proof is wrong, 1 when one is."""
    parser = parser_of("bench.python.decided", __doc__)
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this function (repeatable)")
    options = parser.parse_args(argv)
    functions = [Function(f"{FUNCTIONS / entry.module}.py:{entry.function}", _options) for entry in ENTRIES
                 if not options.only or entry.name in options.only]  # fmt: skip
    title = f"{len(functions)} Python functions"
    command = command_of("bench.python.decided", argv)
    return decide(functions, options, title, command, [machine()], _HERE)


def _options(budget: Budget, seed: int) -> Options:
    return Options(budget=budget, seed=seed)


if __name__ == "__main__":
    sys.exit(main())
