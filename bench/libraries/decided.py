"""Every branch decided: how many of the branches of three C libraries are covered, and how many refuted by a proof.

Options are those that a function's signature needs, if any. With ``--attack S`` each function with a proof is searched
for S more seconds, without proofs, with another seed: a branch that an input takes in spite of a proof is printed, and
the exit code is 1.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from zeroin import Budget, Options, ZeroinError
from zeroin.errors import OptionError
from zeroin.languages.c.language import CTarget

from ..decided import Function, command_of, decide, parser_of
from ..fdlibm.run import machine
from .subjects import Entry, entries

_HERE = Path(__file__).parent


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; 0 when no proof is wrong, 1 when one is, 2 when the request can not be carried out."""
    parser = parser_of("bench.libraries.decided", __doc__)
    parser.add_argument("--only", action="append", default=[], metavar="NAME",
                        help="the functions of this library (newlib, musl or ERFA), or of this name (repeatable)",
                        )  # fmt: skip
    options = parser.parse_args(argv)
    try:
        chosen = [entry for entry in entries() if not options.only or _asked(entry, options.only)]
        if not chosen:
            raise OptionError(f"--only {' '.join(options.only)}: no such library, and no such function in one")
        functions = [Function(_target(entry), partial(_options, entry), entry.library) for entry in chosen]
        command = command_of("bench.libraries.decided", argv)
        title = f"{len(functions)} functions of newlib, musl and ERFA"
        return decide(functions, options, title, command, machine(), _HERE)
    except ZeroinError as error:
        print(f"bench.libraries: {error}", file=sys.stderr)
        return 2


def _asked(entry: Entry, names: Sequence[str]) -> bool:
    return entry.function in names or entry.library.partition(" ")[0].lower() in [name.lower() for name in names]


def _target(entry: Entry) -> CTarget:
    return CTarget(f"{entry.path.name}:{entry.function}", entry.path, entry.function, "c", entry.cc, entry.others)


def _options(entry: Entry, budget: Budget, seed: int) -> Options:
    return Options(budget=budget, seed=seed, cc=entry.cc, others=entry.others, arrays=entry.arrays)


if __name__ == "__main__":
    sys.exit(main())
