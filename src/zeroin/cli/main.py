"""``zeroin``: the command line. Options become a library call, its result is rendered; nothing else happens here."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from .. import __version__
from ..errors import CompileError, ZeroinError

DONE, FOUND, REFUSED = 0, 1, 2

_EPILOG = """\
A target is FILE.c:FUNCTION (also .cpp, .ll, .bc), or FILE.c for all the functions that it defines.

exit status: 0 done; 1 a finding (crash, hang, failed assertion) or less than --fail-under; 2 the request could not be
carried out. Results go to stdout, progress and diagnostics to stderr."""


class Parser(argparse.ArgumentParser):
    """Complains in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(REFUSED, f"{self.prog}: {message}  (see {self.prog} --help)\n")


def build_parser() -> Parser:
    """All commands and their options."""
    parser = Parser(
        prog="zeroin",
        description="Finds the test inputs that numerical code needs, and writes the test.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"zeroin {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    cover = commands.add_parser(
        "cover",
        help="find inputs for every branch of a function, and write a test",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _cover_options(cover)
    show = commands.add_parser("show", help="show what would be tested: parameters, conditions and branches")
    _subject_options(show)
    return parser


def _subject_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("targets", nargs="+", metavar="TARGET", help="FILE.c:FUNCTION, or FILE.c for all its functions")
    add = parser.add_argument_group("the subject").add_argument
    add("--cc", metavar='"FLAGS"', default="", help="flags for the C compiler; a compiler's name may come first")
    add("--with", dest="others", metavar="FILE", action="append", default=[], help="a further source file (repeatable)")
    add("--callees", action="store_true", help="cover the functions of the file that the target calls, too")
    add("--array", dest="arrays", metavar="NAME=N[,COUNT]", action="append", default=[],
        help="pointer NAME points to N elements, and COUNT says how many are used")  # fmt: skip


def _cover_options(parser: argparse.ArgumentParser) -> None:
    _subject_options(parser)
    add = parser.add_argument_group("the search").add_argument
    add("--budget", type=float, metavar="SECONDS", help="for each target (default 10)")
    add("--evals", type=int, metavar="N", help="evaluations for each target (default 20 million)")
    add("--engine", default="hybrid", metavar="NAME", help="hybrid (default), minimize or targets")
    add("--minimizer", default="avm", metavar="NAME", help="avm (default), avm-paper, basinhopping or random")
    add("--distance", default="ulp", metavar="NAME", help="ulp (default), korel or squared")
    add("--seed", type=int, default=0, metavar="N", help="same seed, same suite (default 0)")
    add("--jobs", type=int, default=1, metavar="N", help="targets at the same time (default 1)")
    add("--fuel", type=int, default=1_000_000, metavar="N", help="loop turns and calls of one run (default 1 million)")
    add("--memory", type=int, default=1024, metavar="MB", help="that one run may allocate (default 1024)")
    add = parser.add_argument_group("the result").add_argument
    add("--out", default="zeroin-out", metavar="DIR", help="where tests are written (default zeroin-out)")
    add("--emit", action="append", metavar="KIND", help="c (default), json or none (repeatable)")
    add("--json", metavar="FILE", help="write the report as JSON to FILE, - for stdout")
    add("--measure", choices=["gcov"], help="report the coverage that gcov measures, too")
    add("--fail-under", type=float, metavar="PCT", help="exit 1 if fewer branches are decided")
    add("--quiet", action="store_true", help="no progress, and only the summary")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status."""
    if sys.stdout is None:
        return _refuse("stdout is closed")
    parsed = build_parser().parse_args(arguments)
    try:
        status = int(import_module(f"zeroin.cli.{parsed.command}").run(parsed))
        sys.stdout.flush()
        return status
    except CompileError as error:
        if error.output:
            print(error.output, file=sys.stderr)
        return _refuse(error)
    except ZeroinError as error:
        return _refuse(error)
    except BrokenPipeError:
        # Python flushes stdout once more at exit; let it flush into nothing.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _refuse("stdout was closed before everything was written")
    except KeyboardInterrupt:
        return _refuse("interrupted")


def _refuse(message: object) -> int:
    print(f"zeroin: {message}", file=sys.stderr)
    return REFUSED
