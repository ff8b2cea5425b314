"""The command ``zeroin``: parse the command line and run the module of the command."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from .. import __version__
from ..errors import CompileError, OptionError, WorkerDied, ZeroinError
from ..generate.strategies import STRATEGIES
from ..languages.plugins import EMITTERS, JUDGES
from ..limits import described
from ..report import file_reports
from .interrupt import Stop, handling_signals, stop
from .streams import standard_streams

if TYPE_CHECKING:
    from ..worker.worker import Worker
    from .configuration import CommandLine

DONE, FOUND, REFUSED = 0, 1, 2  # exit statuses, see _EPILOG

_LONGEST_WAIT = 60.0  # seconds for the compilation of kernels at the end

_EPILOG = """\
A target is FILE.c:FUNCTION (also .cpp, .ll, .bc), FILE.py:FUNCTION, FILE:LINE or PACKAGE.MODULE:FUNCTION; a method is
MODULE:CLASS.METHOD. A file or module without a function stands for all functions that it defines, a package for those
of its modules, and a folder for those of all files in it and its subfolders.

exit status: 0 done; 1 a finding (such as a crash, a hang or a failed assertion), or fewer branches decided than
--fail-under; 2 an error: the request could not be carried out; 130 interrupted (128 + the signal), after reporting and
writing all results so far. Results go to stdout, progress and diagnostics to stderr."""

_SOLVE_EPILOG = """\
Types: float (or double), float32, int (any size), i8 to i64 and u8 to u64 (they wrap around, as in C), bool, real.
float, int and bool are Python's: n == x is exact, 2**n is an int, n/m is rounded once. Where Python raises an exception
(1/0, sqrt(-1), int(nan); here also a complex power), a condition is neither true nor false. With a float, i8 to u64 are
converted to float, as in C, and a real is compared exactly. A real is never divided by 0. Functions: those of Python's
math module, min, max, abs, pow, round, fma and conversions such as int(x).

Prints sat and the values, unsat, or unknown, with the reason on stderr.
exit status: 0 for each of these; 1 two provers disagree (--check-proofs); 2 an error: the request could not be carried
out."""


class Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line.

    Attributes:
        commands: the parser of each command, by name.
    """

    commands: Mapping[str, Parser]

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the words as argparse does, but reject each word such as ``--option=--`` or ``-o=--``, even after
        ``--``.

        argparse would store a list as that option's value.

        Args:
            args: the words; unlike argparse's, they must not be None.
            namespace: as argparse's.

        Raises:
            SystemExit: the arguments are invalid, or ask for help or the version.
        """
        for text in args:
            if text.startswith("-") and text.endswith("=--"):
                self.error(f"argument {text.removesuffix('=--')}: -- is not a value")
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Print the message on standard error and exit with status 2.

        Raises:
            SystemExit: always.
        """
        self.exit(REFUSED, f"{self.prog}: {message}  (see {self.prog} --help)\n")


def build_parser() -> Parser:
    """Return a new parser of the command line, with all commands and their options."""
    parser = Parser(
        prog="zeroin",
        description="Find test inputs for numerical code, prove branches infeasible, and write tests.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"zeroin {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    parser.commands = commands.choices
    _all_options(_search_command(commands, "cover", "find an input for every branch of a function, and write a test"))
    _goal_options(
        _search_command(
            commands,
            "reach",
            "find an input that reaches a line or takes a branch, or prove that there is none, and write a test",
        )
    )
    _search_command(
        commands,
        "boundary",
        "find inputs on and next to the boundary of each comparison, or prove that there are none, and write a test",
    ).set_defaults(resume=False, find=[])
    show = commands.add_parser("show", help="show what would be tested: parameters, conditions and branches")
    _subject_options(show)
    show.add_argument("--path", metavar='"VALUES"', help="run the target with these arguments, such as \"1.5, [1, 2], "
        "None\", and show the path condition: what other inputs need to take the same path")  # fmt: skip
    _solve_options(
        commands.add_parser(
            "solve",
            help="find values for which a condition holds, or prove that there are none",
            epilog=_SOLVE_EPILOG,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
    )
    trust = commands.add_parser("trust", help="allow a configuration to start the compiler, or load the plug-ins, "
        "that it names, until the file changes")  # fmt: skip
    trust.set_defaults(needs_worker=False)
    trust.add_argument("file", nargs="?", metavar="FILE", help="the configuration (default: the one that applies to "
        "this folder)")  # fmt: skip
    explain = commands.add_parser("explain", help="read a FILE of --trace: show where the time went, and why a branch "
        "is undecided")  # fmt: skip
    explain.set_defaults(needs_worker=False)
    explain.add_argument("file", metavar="FILE.jsonl", help="the file that --trace wrote")
    explain.add_argument("branch", nargs="?", metavar="BRANCH", help="a branch, as zeroin show prints it: 7F")
    explain.add_argument("--target", metavar="TARGET", help="which target, if the file has several")
    commands.add_parser("doctor", help="check whether this machine has what zeroin needs, and say what to do if not"
        ).set_defaults(needs_worker=False)  # fmt: skip
    completion = commands.add_parser("completion", help="print a script for shell completion of commands, options, "
        "files and functions")  # fmt: skip
    completion.set_defaults(needs_worker=False)
    completion.add_argument("shell", choices=["bash", "zsh", "fish"])
    return parser


def _search_command(commands: Any, name: str, what: str) -> argparse.ArgumentParser:
    """Add a command that searches; return its parser."""
    made: argparse.ArgumentParser = commands.add_parser(
        name, help=what, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    _cover_options(made)
    return made


def _subject_options(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(needs_worker=True)
    files = parser.add_mutually_exclusive_group()
    files.add_argument("--config", metavar="FILE", help="the configuration (default: the nearest zeroin.toml, or "
        "pyproject.toml with [tool.zeroin], in this folder or a parent)")  # fmt: skip
    files.add_argument("--no-config", action="store_true", help="use no configuration")
    parser.add_argument(
        "targets",
        nargs="+",
        metavar="TARGET",
        help="FILE.c:FUNCTION, FILE:LINE or PACKAGE.MODULE:FUNCTION; a file, folder, module or package",
    )
    add = parser.add_argument_group("the subject").add_argument
    add("--cc", metavar='"FLAGS"', default="", help="flags for the C compiler, such as \"-DN=4 -Iinclude\"; they may "
        "begin with the name of a Clang")  # fmt: skip
    add("--with", dest="others", metavar="FILE", action="append", default=[],
        help="another source file, to link with a C or C++ target (repeatable)")  # fmt: skip
    add("--callees", action="store_true", help="also cover the functions of the same file that the target calls "
        "(Python: always done if a function is named)")  # fmt: skip
    add("--compile-commands", metavar="FILE", help="take each C file's flags from this compile_commands.json, or the "
        "one in this folder; none: use none (default: that of the file's project)")  # fmt: skip
    add("--array", dest="arrays", metavar="NAME=N[,COUNT]", action="append", default=[],
        help="pointer NAME, or field p->NAME, points to N elements, and parameter COUNT is the number in use; for one "
        "function only: FUNCTION:NAME=N (repeatable)")  # fmt: skip
    add("--string", dest="strings", metavar="NAME=N", action="append", default=[],
        help="pointer NAME points to a string of at most N characters; for one function only: FUNCTION:NAME=N "
        "(repeatable)")  # fmt: skip
    add("--types", metavar='"x: float, ..."', action="append", default=[], help="types of Python parameters, instead "
        "of their annotations; for one function only: \"FUNCTION: x: float, ...\" (repeatable)")  # fmt: skip
    add("--assume", metavar='"0 < x <= 1, ..."', action="append", default=[], help="preconditions: every input "
        "satisfies these Python conditions over parameters, p.x, xs[0], len(xs); for one function only: "
        "\"FUNCTION: x > 0\" (repeatable: all hold)")  # fmt: skip
    add("--finite", action="store_true", help="precondition: no float is NaN or infinite")
    add("--expect", metavar="EXCEPTION", action="append", default=[], help="this end of a run is no finding: a Python "
        "exception or a subclass of it; in C exit, abort or assert (repeatable, or separated by commas)")  # fmt: skip
    add("--include", metavar="MODULE", action="append", default=[],
        help="also cover the functions of this Python module that the target calls (repeatable)")  # fmt: skip
    add("--exclude", metavar="PATTERN", action="append", default=[], help="in a folder, skip files and folders whose "
        "name or path matches: \"gen_*\", \"src/old/*\" (repeatable)")  # fmt: skip
    add("--sandbox", choices=("auto", "require"), default="auto", help="if this machine lacks a part of the sandbox: "
        "require: refuse to run code; auto: note it and continue (default auto)")  # fmt: skip
    add("--load-timeout", type=float, default=60.0, metavar="S", help="seconds that importing a module, or running "
        "the constructors of a C or C++ file, may take (default 60)")  # fmt: skip
    add("--allow", metavar="WHAT", action="append", default=[], help="do not block this in the sandbox: files, "
        "network, processes (repeatable, or separated by commas)")  # fmt: skip


def _cover_options(parser: argparse.ArgumentParser) -> None:
    _subject_options(parser)
    add = parser.add_argument_group("the search").add_argument
    add("--budget", type=float, metavar="SECONDS", help="time for each target (default 10)")
    add("--evals", type=int, metavar="N", help="evaluations for each target (default: as many as fit into --budget)")
    add(
        "--engine", default="hybrid", metavar="NAME", help="hybrid (default), or one strategy: " + ", ".join(STRATEGIES)
    )
    add("--minimizer", default="avm", metavar="NAME", help="avm (default), avm-paper, basinhopping, es, ga, "
        "ga-tournament or random; parameters in parentheses: \"es(mu=15, lambda=100)\"; or your own: FILE.py:NAME, "
        "MODULE:NAME")  # fmt: skip
    add("--distance", default="ulp", metavar="NAME", help="ulp (default), korel or squared")
    add("--seed", type=int, default=0, metavar="N", help="same seed, same suite (default 0)")
    add("-j", "--jobs", type=int, default=1, metavar="N", help="targets to cover in parallel (default 1)")
    for what, when in (("prefer", "first"), ("defer", "last")):
        add(f"--{what}", metavar="PLACE", action="append", default=[], help="with --engine explore: flip decisions in "
            f"this function, line or range of lines (17-25) {when} (repeatable)")  # fmt: skip
    add("--no-native", dest="native", action="store_false", help="do not compile Python functions, interpret them")
    add("--fuel", type=int, default=1_000_000, metavar="N", help="loop iterations and calls that one run may make "
        "(default 1 million)")  # fmt: skip
    add("--memory", type=int, default=1024, metavar="MB", help="memory that one run may allocate (default 1024)")
    add = parser.add_argument_group("the result").add_argument
    add("-o", "--out", default="zeroin-out", metavar="DIR", help="folder for the tests (default zeroin-out)")
    add("--test-name", metavar="NAME", default="", help="name of test files, with {} for the source file and functions "
        "(default test_zeroin_{} in Python, test_{} in C)")  # fmt: skip
    kinds = ", ".join([*EMITTERS, *file_reports()])
    add("--emit", action="append", default=[], metavar="KIND",
        help=f"what to write: {kinds} or none (repeatable; default: a test for the target's language)")  # fmt: skip
    add("--findings", choices=["xfail", "omit"], default="xfail", help="tests of findings: xfail (default): "
        "write tests that are expected to fail (C: that run only when named); omit: write none")  # fmt: skip
    for name in file_reports():
        add(f"--{name}", dest="reports", action="append", default=[], type=partial(_pair, name), metavar="FILE",
            help=f"write the report as {name.upper()} to FILE, - for stdout")  # fmt: skip
    add("--html", metavar="DIR", help="write the report as HTML pages into the folder DIR")
    add("--suite", choices=("full", "small"), default="full", help="full (default): also keep inputs that kill "
        "mutants; small: as few inputs as cover every branch")  # fmt: skip
    add("--measure", choices=[*JUDGES, "mutants"], help="also report the coverage that this tool measures; mutants: "
        "how many mutants (changed operators and constants) the suite kills")  # fmt: skip
    add("--fail-under", type=float, metavar="PCT", help="exit 1 if less than PCT percent of all branches are decided")
    add("--baseline", metavar="FILE", help="compare with an earlier --json: exit 1 only for new findings, and for "
        "branches that are no longer decided")  # fmt: skip
    add("--trace", metavar="FILE", help="write the events of the search to FILE as JSON lines, for zeroin explain")
    add("-v", "--verbose", action="store_true",
        help="print the whole result of each target, and how it was searched; log the search on stderr")  # fmt: skip
    add("-q", "--quiet", action="store_true", help="print one line for each target and totals, no progress")


def _all_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``cover``, which searches for everything."""
    parser.add_argument("--find", metavar="FAULTS", action="append", default=[], help="find inputs with which an "
        "operation goes wrong, with the whole budget: overflow, nan, divzero, cancel, cast, intoverflow, bounds, "
        "domain, shift, precision, wrap, or all (repeatable, or separated by commas); none: look for no faults "
        "(default: look for most of these after the branches, with a quarter of the budget)")  # fmt: skip
    parser.add_argument("--resume", action="store_true", help="start with the inputs of an earlier run with the same "
        "--out, even of one that was killed")  # fmt: skip
    parser.add_argument("--objective", metavar="PLACE", default="", help="search only for inputs for which your own "
        "objective is 0: FILE.py:CLASS or MODULE:CLASS, a subclass of zeroin.Objective")  # fmt: skip


def _goal_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``reach``, which name the goal."""
    parser.set_defaults(resume=False, find=[])
    group = parser.add_argument_group("the goal").add_mutually_exclusive_group(required=True)
    group.add_argument("--line", type=int, metavar="N", help="a line of the target's file, where a statement begins")
    group.add_argument("--path", metavar='"ID, ..."', help="the first decisions of the run, without "
        "gaps, as branches: \"0T, 3F\"")  # fmt: skip
    group.add_argument("--branch", dest="branches", metavar="ID", action="append", default=[],
        help="a branch, as zeroin show prints it: 7F (repeatable: an input for each)")  # fmt: skip


def _pair(name: str, place: str) -> tuple[str, str]:
    return name, place


def _solve_options(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(needs_worker=False)
    parser.add_argument("file", nargs="?", metavar="FILE.smt2", help="a problem in SMT-LIB 2 format")
    add = parser.add_argument
    add(
        "-e",
        dest="expressions",
        metavar="EXPRESSION",
        action="append",
        default=[],
        help="a Python condition that must hold (repeatable: all hold); in parentheses if it begins with a minus",
    )
    add("--var", dest="types", metavar="NAME:TYPE", action="append", default=[],
        help="the type of a variable of -e (repeatable; default float)")  # fmt: skip
    add("--solver", default="portfolio", metavar="NAME", help="the solver (default portfolio: several at once), "
        "optionally with parameters: two-phase-es(mu=20), concolic-walk(defaults=paper)")  # fmt: skip
    add("--budget", type=float, metavar="SECONDS", help="time in total (default 10)")
    add("--evals", type=int, metavar="N", help="evaluations of a search (default: as many as fit into --budget)")
    add("--seed", type=int, default=0, metavar="N", help="seed of random choices (default 0)")
    add("--check-proofs", action="store_true", help="ask a second prover to confirm unsat in the remaining time; "
        "stderr says which one did, or why none could; if they disagree, the answer is unknown, exit 1")  # fmt: skip
    add("--stats", action="store_true", help="print the solver, the time and the size of the problem on stderr")
    add("--json", metavar="FILE", help="write the answer as JSON to FILE, - for stdout")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status. Errors that zeroin raises on purpose are printed, not raised.

    During the run, standard streams and the handlers of signals are replaced.

    Args:
        arguments: the words of the command line without the program's name; None: those of this process.
    """
    if sys.stdout is None:
        return _refuse("stdout is closed")
    with standard_streams() as out, handling_signals(stop):
        status = _run(sys.argv[1:] if arguments is None else arguments)
        out.flush()
        if isinstance(out.error, BrokenPipeError):
            return _refuse("stdout was closed before everything was written")
        if out.error is not None:
            return _refuse(f"stdout can not be written to ({out.error.strerror}); all other output is complete")
        return status


def _run(arguments: Sequence[str]) -> int:
    """Carry out the command; print an expected error as a line. Return the exit status."""
    try:
        os.getcwd()
    except OSError:
        return _refuse("the current folder is gone: change to one that exists")
    try:
        return _carry_out(_joined(arguments))
    except SystemExit as end:  # --help, or an invalid command line
        return int(end.code or DONE)
    except CompileError as error:
        if error.output:
            print(error.output, file=sys.stderr)
        return _refuse(error)
    except ZeroinError as error:
        return _refuse(error)
    except (OSError, MemoryError) as error:
        return _refuse(described(error))
    except Stop as error:
        print("zeroin: interrupted", file=sys.stderr)
        return error.status


def command_line(arguments: Sequence[str], parser: Parser | None = None) -> CommandLine:
    """Parse the command line of a command that has a worker; add the values of the configuration.

    Args:
        arguments: the words of the command line without the program's name. A value of ``--cc`` that begins with a
            minus has to be joined with it: ``--cc=-Iinclude``.
        parser: the parser, if it is built already; None: build one.

    Raises:
        OptionError: the configuration is invalid.
        SystemExit: the command line is invalid, or asks for help; a message has been printed.
    """
    from .configuration import configured

    parser = parser or build_parser()
    parsed = parser.parse_args(arguments)
    return configured(parsed, _given(parser, parsed.command, arguments), configured_commands(parser))


def configured_commands(parser: Parser | None = None) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of the commands whose options a configuration may set, by name.

    Args:
        parser: the parser of the whole command line; None: build one.
    """
    commands = (parser or build_parser()).commands
    return {name: one for name, one in commands.items() if one.get_default("needs_worker")}


def _given(parser: Parser, command: str, arguments: Sequence[str]) -> set[str]:
    """Return the names of the attributes that the command line itself sets.

    For that, the command line is parsed without defaults. The parser has them again afterwards.
    """
    actions = parser.commands[command]._actions
    defaults = [action.default for action in actions]
    for action in actions:
        action.default = argparse.SUPPRESS
    given = set(vars(parser.parse_args(arguments)))
    for action, default in zip(actions, defaults, strict=True):
        action.default = default
    return given


def _carry_out(arguments: Sequence[str]) -> int:
    """Parse the command line, run the module of the command, and return the exit status."""
    parser = build_parser()
    parsed = parser.parse_args(arguments)
    name = f"zeroin.cli.{parsed.command}"
    if not parsed.needs_worker:
        return int(import_module(name).run(parsed))
    line = command_line(arguments, parser)
    from ..worker.worker import Worker

    with Worker() as worker:
        worker.start()  # both processes import at the same time
        try:
            status = int(import_module(name).run(line, worker))
        except OptionError as error:
            raise line.blames(error) from error
        with suppress(Stop):  # everything is printed already
            _let_compile(worker)
        return status


def _let_compile(worker: Worker) -> None:
    """Wait until the kernels are compiled, at most 60 seconds.

    Otherwise a series of short commands would never have them.
    """
    if not worker.wait_for_kernels(0):
        sys.stdout.flush()
        if sys.stderr.isatty():
            tell("compiling native code for later runs (only once)")
        worker.wait_for_kernels(_LONGEST_WAIT)


def _joined(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with ``--cc -Iinclude`` as one: argparse takes a word with a minus for an option."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] == "--cc":
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


def _refuse(message: object) -> int:
    """Print a message as one line on standard error; return the exit status of a refused request, 2."""
    tell(message)
    return REFUSED


def tell(message: object) -> None:
    """Print a message, a text or an error, as one line on standard error.

    Only a :class:`WorkerDied` keeps its line breaks: it may hold the traceback of a crash of zeroin itself.
    """
    text = str(message)
    print(f"zeroin: {text if isinstance(message, WorkerDied) else ' '.join(text.splitlines())}", file=sys.stderr)
