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
A target is FILE.c:FUNCTION (also .cpp, .ll, .bc), FILE.py:FUNCTION or PACKAGE.MODULE:FUNCTION; a method is
MODULE:CLASS.METHOD. A file or module alone stands for all the functions that it defines, a package for those of its
modules, and a folder for those of all files below it.

exit status: 0 done; 1 a finding (crash, hang, failed assertion, forbidden act) or less than --fail-under; 2 the
request could not be carried out; 130 interrupted (128 + the signal): what was found is reported and written all the
same. Results go to stdout, progress and diagnostics to stderr."""

_SOLVE_EPILOG = """\
Types: float (or double), float32, int (any size), i8 to i64 and u8 to u64 (they wrap around, as in C), bool, real.
float, int and bool are Python's: n == x is exact, 2**n is an int, n/m is rounded once. Where Python raises an exception
(1/0, sqrt(-1), int(nan); here also where a power is complex), an expression is neither true nor false. Beside a float,
i8 to u64 become one, as in C, and a real is compared exactly; nothing is divided by 0. Functions are those of Python's
math module, min, max, abs, pow, round, fma and conversions such as int(x).

Prints sat and the values, unsat, or unknown, with the reason on stderr.
exit status: 0 for each of these; 1 two provers disagree (--check-proofs); 2 the request could not be carried out."""


class Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line.

    Attributes:
        commands: the parser of each command, by name.
    """

    commands: Mapping[str, Parser]

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments; reject ``--option=--``, which argparse would store as a list."""
        for text in args:
            if text.startswith("-") and text.endswith("=--"):
                self.error(f"argument {text.removesuffix('=--')}: -- is no value")
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Print the message and exit."""
        self.exit(REFUSED, f"{self.prog}: {message}  (see {self.prog} --help)\n")


def build_parser() -> Parser:
    """Return the parser of the command line, with all commands and their options."""
    parser = Parser(
        prog="zeroin",
        description="Finds the test inputs that numerical code needs, and writes the test.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"zeroin {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    parser.commands = commands.choices
    _all_options(_search_command(commands, "cover", "find inputs for every branch of a function, and write a test"))
    _goal_options(
        _search_command(
            commands,
            "reach",
            "find an input that comes to a line or takes a branch, or prove that there is none, and write a test",
        )
    )
    _search_command(
        commands,
        "boundary",
        "find inputs on the boundary of each comparison and next to it, or prove that there are none, and write a test",
    ).set_defaults(resume=False, find=[])
    show = commands.add_parser("show", help="show what would be tested: parameters, conditions and branches")
    _subject_options(show)
    show.add_argument("--path", metavar='"VALUES"', help="run it with these arguments, as \"1.5, [1, 2], None\", and "
        "show what an input has to satisfy to take the same path")  # fmt: skip
    _solve_options(
        commands.add_parser(
            "solve",
            help="find values for which a condition holds, or prove that there are none",
            epilog=_SOLVE_EPILOG,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
    )
    trust = commands.add_parser("trust", help="let a configuration start the compiler, or load the plug-ins, that it "
        "names, until it is changed")  # fmt: skip
    trust.set_defaults(needs_worker=False)
    trust.add_argument("file", nargs="?", metavar="FILE", help="the configuration (default: the one that counts here)")
    explain = commands.add_parser("explain", help="say where the time of a search went, and why a branch was not "
        "decided, from the FILE of --trace")  # fmt: skip
    explain.set_defaults(needs_worker=False)
    explain.add_argument("file", metavar="FILE.jsonl", help="what cover --trace wrote")
    explain.add_argument("branch", nargs="?", metavar="BRANCH", help="a branch, as zeroin show names it: 7F")
    explain.add_argument("--target", metavar="TARGET", help="which target, if the file has several")
    commands.add_parser("doctor", help="see whether all that is needed is here and works, and what to do if not"
        ).set_defaults(needs_worker=False)  # fmt: skip
    completion = commands.add_parser("completion", help="print a script that has a shell complete commands, options, "
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
        "pyproject.toml with [tool.zeroin], from here upwards)")  # fmt: skip
    files.add_argument("--no-config", action="store_true", help="do without a configuration")
    parser.add_argument(
        "targets",
        nargs="+",
        metavar="TARGET",
        help="FILE.c:FUNCTION or PACKAGE.MODULE:FUNCTION; a file, folder, module or package",
    )
    add = parser.add_argument_group("the subject").add_argument
    add("--cc", metavar='"FLAGS"', default="", help="flags for the C compiler; a Clang's name may come first")
    add("--with", dest="others", metavar="FILE", action="append", default=[], help="a further source file (repeatable)")
    add("--callees", action="store_true", help="cover the functions of the file that the target calls, too (Python: "
        "done anyway when a function is named)")  # fmt: skip
    add("--compile-commands", metavar="FILE", help="compile_commands.json, or its folder, for each C file's flags; "
        "none: do without (default: that of the project that a file is part of)")  # fmt: skip
    add("--array", dest="arrays", metavar="NAME=N[,COUNT]", action="append", default=[],
        help="pointer NAME points to N elements, and COUNT says how many are used; of one function alone: "
        "FUNCTION:NAME=N (repeatable)")  # fmt: skip
    add("--string", dest="strings", metavar="NAME=N", action="append", default=[],
        help="pointer NAME points to a string of at most N characters; of one function alone: FUNCTION:NAME=N "
        "(repeatable)")  # fmt: skip
    add("--types", metavar='"x: float, ..."', action="append", default=[], help="types of Python parameters, instead "
        "of what they say; of one function alone: \"FUNCTION: x: float, ...\" (repeatable)")  # fmt: skip
    add("--assume", metavar='"0 < x <= 1, ..."', action="append", default=[], help="conditions that all inputs "
        "satisfy, in Python, over parameters, p.x, xs[0], len(xs); of one function alone: \"FUNCTION: x > 0\" "
        "(repeatable: all of them)")  # fmt: skip
    add("--finite", action="store_true", help="no float is NaN or infinite")
    add("--expect", metavar="EXCEPTION", action="append", default=[], help="no finding if a run ends so: a class of "
        "Python, subclasses count; in C exit, abort or assert (repeatable, or separated by commas)")  # fmt: skip
    add("--include", metavar="MODULE", action="append", default=[],
        help="cover the functions of this Python module that the target calls, too (repeatable)")  # fmt: skip
    add("--exclude", metavar="PATTERN", action="append", default=[], help="of a folder, leave out files and folders "
        "with such names, or such paths below it: \"gen_*\", \"src/old/*\" (repeatable)")  # fmt: skip
    add("--sandbox", choices=("auto", "require"), default="auto", help="require: refuse to run code where a wall "
        "around it is missing on this machine; auto: say so and go on behind the others (default auto)")  # fmt: skip
    add("--load-timeout", type=float, default=60.0, metavar="S", help="seconds that importing a module may take, or "
        "the constructors of a C or C++ file (default 60)")  # fmt: skip
    add("--allow", metavar="WHAT", action="append", default=[], help="let the target do in earnest what it is stopped "
        "from otherwise: files, network, processes (repeatable, or separated by commas)")  # fmt: skip


def _cover_options(parser: argparse.ArgumentParser) -> None:
    _subject_options(parser)
    add = parser.add_argument_group("the search").add_argument
    add("--budget", type=float, metavar="SECONDS", help="for each target (default 10)")
    add("--evals", type=int, metavar="N", help="evaluations for each target (default: what fits in the time)")
    add(
        "--engine", default="hybrid", metavar="NAME", help="hybrid (default), or one strategy: " + ", ".join(STRATEGIES)
    )
    add("--minimizer", default="avm", metavar="NAME", help="avm (default), avm-paper, basinhopping, es, ga, "
        "ga-tournament or random; parameters in parentheses: \"es(mu=15, lambda=100)\"")  # fmt: skip
    add("--distance", default="ulp", metavar="NAME", help="ulp (default), korel or squared")
    add("--seed", type=int, default=0, metavar="N", help="same seed, same suite (default 0)")
    add("-j", "--jobs", type=int, default=1, metavar="N", help="targets at the same time (default 1)")
    for what, when in (("prefer", "first"), ("defer", "last")):
        add(f"--{what}", metavar="PLACE", action="append", default=[], help="with --engine explore: flip the decisions "
            f"of this function, line or range of lines (17-25) {when} (repeatable)")  # fmt: skip
    add("--no-native", dest="native", action="store_false", help="run Python functions in the interpreter only")
    add("--fuel", type=int, default=1_000_000, metavar="N", help="loop turns and calls of one run (default 1 million)")
    add("--memory", type=int, default=1024, metavar="MB", help="that one run may allocate (default 1024)")
    add = parser.add_argument_group("the result").add_argument
    add("-o", "--out", default="zeroin-out", metavar="DIR", help="where tests are written (default zeroin-out)")
    add("--test-name", metavar="NAME", default="", help="what files of tests are called, {} for source and functions "
        "(default test_zeroin_{} in Python, test_{} in C)")  # fmt: skip
    kinds = ", ".join([*EMITTERS, *file_reports()])
    add("--emit", action="append", default=[], metavar="KIND",
        help=f"{kinds} or none (repeatable; default: by the target's language)")  # fmt: skip
    add("--findings", choices=["xfail", "omit"], default="xfail", help="what tests have of findings: tests "
        "that are expected to fail, or that are run only when asked for (the default); or nothing")  # fmt: skip
    for name in file_reports():
        add(f"--{name}", dest="reports", action="append", default=[], type=partial(_pair, name), metavar="FILE",
            help=f"write the report as {name.upper()} to FILE, - for stdout")  # fmt: skip
    add("--suite", choices=("full", "small"), default="full", help="full (default): inputs that notice changes of "
        "operators and constants, too; small: as few as cover every branch")  # fmt: skip
    add("--measure", choices=[*JUDGES, "mutants"], help="report the coverage that this tool measures, too; mutants: "
        "how many changes of operators and constants the suite notices")  # fmt: skip
    add("--fail-under", type=float, metavar="PCT", help="exit 1 if fewer branches of all targets are decided")
    add("--baseline", metavar="FILE", help="compare with an earlier --json: exit 1 only for findings that are new, "
        "and for branches that were decided and are not any more")  # fmt: skip
    add("--trace", metavar="FILE", help="write what the search does as JSON lines to FILE, for zeroin explain")
    add("-v", "--verbose", action="store_true", help="log on stderr what the search does, instead of progress")
    add("-q", "--quiet", action="store_true", help="no progress, and only findings and the summary")


def _all_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``cover``, which searches for everything."""
    parser.add_argument("--find", metavar="FAULTS", action="append", default=[], help="inputs with which an operation "
        "goes wrong: overflow, nan, divzero, cancel, cast, intoverflow, bounds, or all (repeatable, or separated by "
        "commas; not Python)")  # fmt: skip
    parser.add_argument("--resume", action="store_true", help="start from what an earlier run with the same --out has "
        "found, even one that was killed")  # fmt: skip


def _goal_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``reach``, which name the goal."""
    parser.set_defaults(resume=False, find=[])
    group = parser.add_argument_group("what is to be reached").add_mutually_exclusive_group(required=True)
    group.add_argument("--line", type=int, metavar="N", help="a line of the target's file, on which a statement begins")
    group.add_argument("--path", metavar='"ID, ..."', help="the first decisions of the run, all of them, "
        "by names of branches: \"0T, 3F\"")  # fmt: skip
    group.add_argument("--branch", dest="branches", metavar="ID", action="append", default=[],
        help="a branch, as zeroin show names it: 7F (repeatable: all of them)")  # fmt: skip


def _pair(name: str, place: str) -> tuple[str, str]:
    return name, place


def _solve_options(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(needs_worker=False)
    parser.add_argument("file", nargs="?", metavar="FILE.smt2", help="a problem in SMT-LIB's language")
    add = parser.add_argument
    add(
        "-e",
        dest="expressions",
        metavar="EXPRESSION",
        action="append",
        default=[],
        help="a Python expression that has to hold (repeatable: all of them); in parentheses if it starts with a minus",
    )
    add("--var", dest="types", metavar="NAME:TYPE", action="append", default=[],
        help="the type of a variable of -e (repeatable; default float)")  # fmt: skip
    add("--solver", default="portfolio", metavar="NAME", help="who answers (default portfolio: several at once)")
    add("--budget", type=float, metavar="SECONDS", help="in all (default 10)")
    add("--evals", type=int, metavar="N", help="evaluations of a search (default: what fits in the time)")
    add("--seed", type=int, default=0, metavar="N", help="of random choices (default 0)")
    add("--check-proofs", action="store_true", help="ask a second prover to confirm unsat, in the time that is left: "
        "stderr says who did, or why nobody could; if they disagree, the answer is unknown, exit status 1")  # fmt: skip
    add("--stats", action="store_true", help="say on stderr who answered, in what time, and how large the problem is")
    add("--json", metavar="FILE", help="write the answer as JSON to FILE, - for stdout")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status.

    Args:
        arguments: the words of the command line; None: those of this process.
    """
    if sys.stdout is None:
        return _refuse("stdout is closed")
    with standard_streams() as out, handling_signals(stop):
        status = _run(sys.argv[1:] if arguments is None else arguments)
        out.flush()
        if isinstance(out.error, BrokenPipeError):
            return _refuse("stdout was closed before everything was written")
        if out.error is not None:
            return _refuse(f"stdout can not be written to ({out.error.strerror}); what else was asked for is done")
        return status


def _run(arguments: Sequence[str]) -> int:
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
        arguments: the words of the command line.
        parser: the parser, if it is built already.

    Raises:
        OptionError: the configuration is invalid.
    """
    from .configuration import configured

    parser = parser or build_parser()
    parsed = parser.parse_args(arguments)
    return configured(parsed, _given(parser, parsed.command, arguments), configured_commands(parser))


def configured_commands(parser: Parser | None = None) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of the commands whose options a configuration may set, by name."""
    commands = (parser or build_parser()).commands
    return {name: one for name, one in commands.items() if one.get_default("needs_worker")}


def _given(parser: Parser, command: str, arguments: Sequence[str]) -> set[str]:
    """Return the names of the options that the command line itself sets.

    The command line is parsed without defaults for that.
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
    """Wait until the kernels are compiled. Otherwise a series of short commands would never have them."""
    if not worker.wait_for_kernels(0):
        sys.stdout.flush()
        if sys.stderr.isatty():
            tell("compiling native code for later runs, this once")
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
    tell(message)
    return REFUSED


def tell(message: object) -> None:
    """Print one line on standard error. Only the traceback of a crash of zeroin itself keeps its line breaks."""
    text = str(message)
    print(f"zeroin: {text if isinstance(message, WorkerDied) else ' '.join(text.splitlines())}", file=sys.stderr)
