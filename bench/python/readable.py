"""Which Python functions Numba compiles, and which are read as blocks: ``python -m bench.python.readable``.

Native code could be made of the blocks instead.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from zeroin.languages.python.options import PythonOptions
from zeroin.languages.python.read.blocks.model import BlockModel
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.languages.python.run.native.check import NotNative

from .subjects import ENTRIES, Entry

_PAGE = Path(__file__).with_name("RESULTS-readable.md")
Found = tuple[str, bool, str]  # the name, whether Numba compiles it, and why it is not read as blocks (empty: it is)


def look(entry: Entry) -> Found:
    """Compile a function with Numba, and read it as blocks."""
    subject = PythonSubject(str(entry.source), entry.function, PythonOptions())
    try:
        subject._compile()
        compiled = True
    except NotNative:
        compiled = False
    model = subject.model
    return entry.name, compiled, "" if isinstance(model, BlockModel) else model.not_in_blocks


def page(found: Sequence[Found]) -> str:
    """The table: the four cases, and why functions that Numba compiles are no blocks."""
    counts = [[sum(one[1] is compiled and (one[2] == "") is read for one in found) for read in (True, False)]
              for compiled in (True, False)]  # fmt: skip
    rows = [f"| `{name}` | {why} |" for name, compiled, why in found if compiled and why]
    return f"""# What native code could be made of

Written by `python -m bench.python.readable --write`: {len(found)} functions.

| | read as blocks | not |
| --- | ---: | ---: |
| compiled by Numba | {counts[0][0]} | {counts[0][1]} |
| not compiled | {counts[1][0]} | {counts[1][1]} |

Functions that Numba compiles and that are no blocks, and why:

| function | why it is not read as blocks |
| --- | --- |
""" + "\n".join(rows)


def main(argv: Sequence[str] | None = None) -> int:
    """Look at all functions, print or write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.python.readable", description=__doc__)
    parser.add_argument("--only", action="append", metavar="NAME", help="only this function (repeatable)")
    parser.add_argument("--write", action="store_true", help=f"write the page to {_PAGE.name} beside this file")
    args = parser.parse_args(argv)
    text = page([look(entry) for entry in ENTRIES if not args.only or entry.name in args.only])
    print(text)
    if args.write:
        _PAGE.write_text(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
