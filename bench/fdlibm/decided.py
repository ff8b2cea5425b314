"""Every branch decided: how many of the branches of fdlibm's functions are covered, and how many refuted by a proof.

With ``--attack S`` each function with a proof is searched for S more seconds, without proofs, with another seed: a
branch that an input takes in spite of a proof is printed, and the exit code is 1.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from zeroin import Budget, Options, ZeroinError

from ..decided import Function, command_of, decide, parser_of
from .campaign import options_of, target_of
from .run import machine
from .sources import Library, fetch
from .subjects import ENTRIES, Entry

_HERE = Path(__file__).parent


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; 0 when no proof is wrong, 1 when one is, 2 when the request can not be carried out."""
    parser = parser_of("bench.fdlibm.decided", __doc__)
    parser.add_argument("--deb", type=Path, metavar="FILE", help="the package of newlib's sources, if it is at hand")
    options = parser.parse_args(argv)
    try:
        library = fetch(_HERE / "work", options.deb)
        functions = [Function(target_of(library, entry), partial(_options, library, entry)) for entry in ENTRIES]
        command = command_of("bench.fdlibm.decided", argv)
        return decide(functions, options, library.name, command, machine(), _HERE)
    except ZeroinError as error:
        print(f"bench.fdlibm: {error}", file=sys.stderr)
        return 2


def _options(library: Library, entry: Entry, budget: Budget, seed: int) -> Options:
    return options_of(target_of(library, entry), entry, budget, seed)


if __name__ == "__main__":
    sys.exit(main())
