"""Budgets and options: frozen, checked when made."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from pathlib import Path, PurePath

from .errors import OptionError
from .named import name_and_parameters

MOST_FUEL = 1 << 40
# What may go wrong with the numbers of an operation: finite operands and an infinite result, a NaN of what is none, a
# division by zero, all digits lost by cancellation, a cast out of range, a signed integer that overflows, an index out
# of bounds.
FAULTS = ("overflow", "nan", "divzero", "cancel", "cast", "intoverflow", "bounds")
SUITES = ("full", "small")
FINITE = "all floats are finite"  # what is assumed then
GUARDED = ("files", "network", "processes")


@dataclass(frozen=True)
class Budget:
    """How much a search may spend on one target: evaluations first, seconds second.

    Attributes:
        evaluations: at most so many.
        seconds: at most so long.
        work: of solvers, at most so much for one question, in seconds that their steps are worth
            (:mod:`zeroin.solvers.work_clock`). Where it is limited, parts of a budget are parts of it, and not of the
            seconds: so it is no matter how fast a machine is.

    Raises:
        OptionError: a number that is not positive, or not finite (work may be infinite).
    """

    evaluations: int = 10**12  # more than anybody waits for
    seconds: float = 10.0
    work: float = math.inf

    def __post_init__(self) -> None:
        if not (math.isfinite(self.seconds) and self.seconds > 0):
            raise OptionError(f"--budget {self.seconds:g}: give a positive number of seconds")
        if self.evaluations <= 0:
            raise OptionError(f"--evals {self.evaluations}: give a positive number of evaluations")
        if not self.work > 0:
            raise OptionError(f"a budget's work is {self.work:g}: it has to be positive")

    def part(self, share: float, seconds: float = math.inf, evaluations: int = sys.maxsize) -> Budget:
        """This share of the work, or of the time where work is not limited, and at most so many seconds of it."""
        fewer = min(self.evaluations, evaluations)
        if math.isinf(self.work):
            return Budget(fewer, min(seconds, share * self.seconds))
        return Budget(fewer, self.seconds, min(seconds, share * self.work))


@dataclass(frozen=True)
class Options:
    """Everything a ``cover`` run can be told.

    Attributes:
        budget: for each target.
        engine: ``hybrid`` (:data:`zeroin.generate.schedule.DEFAULT`), or one strategy alone: ``minimize`` (all branches
            at once, as CoverMe), ``targets`` (one branch at a time), ``random``, ...
        minimizer: a name from :data:`zeroin.minimize.MINIMIZERS`, also with parameters: ``es(mu=15, lambda=100)``.
        distance: ``ulp``, ``korel`` or ``squared``.
        seed: of every random choice.
        jobs: targets worked on at the same time.
        cc: flags for the C compiler.
        others: further source files.
        link: add files beside the target's that define what it calls, where that is missing.
        callees: make the functions that the target calls goals, too (a Python function that is named: always).
        arrays: ``NAME=LENGTH[,COUNT]`` for pointer parameters.
        strings: ``NAME=LENGTH`` for pointer parameters.
        types: ``x: float, n: int`` for Python parameters.
        assume: conditions that all inputs satisfy, ``0 < x <= 1e3, x == x``.
        finite: no float that is made is a NaN or infinite.
        expect: what runs may end with that is no finding: exceptions of Python by their names; of C ``exit``, ``abort``
            and ``assert``.
        shared: what is assumed and expected of several targets: where one has no such parameter, or its module no such
            exception, it is ignored, and told.
        include: Python modules whose functions are instrumented when the target calls them.
        exclude: patterns of names and paths that are left out where a folder is asked for.
        fuel: loop iterations and calls that one run may take.
        memory: bytes that one run may allocate.
        load_timeout: seconds that importing a module may take, or running the constructors of a C or C++ file.
        allow: what the target may do in earnest, of ``files`` (write, delete, rename what is outside of its scratch
            folder), ``network`` and ``processes`` (start them, run programs, send signals).
        native: compile Python functions when that pays.
        found: a folder to which what a search finds is written as it is found.
        resume: start from what an earlier search of the target has written there.
        prefer: functions and lines (``17``, ``17-25``) that an exploration looks at first.
        defer: those that it looks at last.
        branches: those to look for, by the names that ``zeroin show`` prints; none: all of them.
        line: of the source, to be reached; 0: none. Nothing else is looked for then.
        path: decisions to be taken first of all, by their names: ``0T, 3F``. Nothing else is looked for then.
        boundary: look for the boundaries of comparisons, and for nothing else.
        find: what else to look for, of :data:`FAULTS`: inputs with which an operation goes wrong.
        findings: what tests have of inputs with findings: ``xfail`` (one that is expected to fail, or that is not run
            unless it is asked for), ``omit`` (nothing).
        test_name: what files of tests are called, with ``{}`` for source and functions; empty: as their kind has it.
        queries: keep what solvers were asked where they prove something, as SMT-LIB text.
        suite: ``full``: inputs that notice changes of the code, too (with the default engine); ``small``: as few as
            cover every branch.
        mutants: count which changes of the code the suite notices.
        simplify: make the values that are found as simple as they can be; they may then cover more than those found.
    """

    budget: Budget = Budget()
    engine: str = "hybrid"
    minimizer: str = "avm"
    distance: str = "ulp"
    seed: int = 0
    jobs: int = 1
    cc: tuple[str, ...] = ()
    others: tuple[Path, ...] = ()
    link: bool = False
    callees: bool = False
    arrays: tuple[str, ...] = ()
    strings: tuple[str, ...] = ()
    types: str = ""
    assume: tuple[str, ...] = ()
    finite: bool = False
    expect: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    fuel: int = 1_000_000
    memory: int = 1 << 30
    load_timeout: float = 60.0
    allow: tuple[str, ...] = ()
    native: bool = True
    found: Path | None = None
    resume: bool = False
    prefer: tuple[str, ...] = ()
    defer: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()
    line: int = 0
    path: str = ""
    boundary: bool = False
    find: tuple[str, ...] = ()
    findings: str = "xfail"
    test_name: str = ""
    queries: bool = False
    suite: str = "full"
    mutants: bool = False
    simplify: bool = True

    @property
    def strengthens(self) -> bool:
        """Whether inputs are wanted that notice changes of the code. A strategy that is asked for alone is shown as it
        is: such inputs may cover what it has not."""
        named = self.branches or self.line or self.path or self.boundary or self.find
        return self.suite == "full" and self.simplify and not named and self.engine == "hybrid"

    @property
    def goal(self) -> str:
        """What is looked for, as a part of names; empty if that is every branch."""
        if self.path:
            return "_".join(["path", *self.decisions])
        if self.boundary:
            return "boundary"
        return f"line_{self.line}" if self.line else "_".join(self.branches)

    @property
    def decisions(self) -> list[str]:
        """The names in the path."""
        return self.path.replace(",", " ").split()

    @property
    def looks_ahead(self) -> bool:
        """Whether the engine asks what lies ahead of a condition."""
        name, given = name_and_parameters(self.engine)
        return name == "targets" and given.get("fitness") in ("enhanced", "both")

    def __post_init__(self) -> None:
        if not (math.isfinite(self.load_timeout) and self.load_timeout > 0):
            raise OptionError(f"--load-timeout {self.load_timeout:g}: give a positive number of seconds")
        if self.seed < 0:
            raise OptionError(f"--seed {self.seed}: give a number that is not negative")
        if self.path and not self.decisions:
            raise OptionError('--path: name the decisions, as "0T, 3F"')
        if self.path and self.engine != "hybrid":
            raise OptionError(f"--path: --engine {self.engine} can not follow one; leave it out")
        if self.line < 0:
            raise OptionError(f"--line {self.line}: give the number of a line, from 1 on")
        if self.suite not in SUITES:
            raise OptionError(f"--suite {self.suite}: there are {', '.join(SUITES)}")
        if self.jobs < 1:
            raise OptionError(f"--jobs {self.jobs}: give at least 1")
        if not 1 <= self.fuel <= MOST_FUEL:
            raise OptionError(f"--fuel {self.fuel}: give a number from 1 to {MOST_FUEL}")
        if (self.prefer or self.defer) and name_and_parameters(self.engine)[0] != "explore":
            raise OptionError(f"--{'prefer' if self.prefer else 'defer'}: only --engine explore can be guided")
        for pattern in self.exclude:
            if not PurePath(pattern).parts:
                raise OptionError(f"--exclude {pattern!r}: give the name of a file or folder, or the end of a path")
        for what in self.find:
            if what not in FAULTS:
                raise OptionError(f"--find {what}: there are {', '.join(FAULTS)}, and all")
        for what in self.allow:
            if what not in GUARDED:
                raise OptionError(f"--allow {what}: there are {', '.join(GUARDED)}")
