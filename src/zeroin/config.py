"""Budgets and options: immutable, and checked when they are made."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from pathlib import Path, PurePath

from .errors import OptionError
from .named import name_and_parameters

MOST_FUEL = 1 << 40
# The faults of operations that a search can look for. In this order: finite operands and an infinite result; a NaN from
# operands that are not NaN; a division by zero; all digits lost by cancellation; a cast out of range; a signed integer
# overflow; an index out of bounds; an argument outside of a function's domain; a shift by a negative number;
# an integer that becomes a float with fewer digits; an unsigned integer that wraps around.
FAULTS = ("overflow", "nan", "divzero", "cancel", "cast", "intoverflow", "bounds", "domain", "shift",
          "precision", "wrap")  # fmt: skip
# The faults that are looked for if the user names none: after the branches, with a share of the budget.
USUAL_FAULTS = ("overflow", "nan", "divzero", "cast", "intoverflow", "bounds", "domain", "shift")
SUITES = ("full", "small")
FINITE = "all floats are finite"  # the precondition that ``Options.finite`` adds
GUARDED = ("files", "network", "processes")


@dataclass(frozen=True)
class Budget:
    """The budget of a search for one target, or of a solver for one query.

    Attributes:
        evaluations: the largest number of evaluations.
        seconds: the longest time, in seconds.
        work: the most work that solvers may do for one query, in the nominal seconds of
            :mod:`zeroin.solvers.work_clock`. If it is finite, :meth:`part` divides the work and not the seconds.
            Then the answers do not depend on the machine's speed.

    Raises:
        OptionError: a number is not positive, or the seconds are not finite.
    """

    evaluations: int = 10**12  # unlimited in practice
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
        """Return a part of this budget, as a new one. The evaluations are not divided.

        Args:
            share: the share of the work, or of the time if the work is not limited; more than 0, at most 1.
            seconds: at most this much work, or time if the work is not limited; both in seconds.
            evaluations: at most this many evaluations.

        Raises:
            OptionError: the part is empty: an argument is not positive.
        """
        fewer = min(self.evaluations, evaluations)
        if math.isinf(self.work):
            return Budget(fewer, min(seconds, share * self.seconds))
        return Budget(fewer, self.seconds, min(seconds, share * self.work))


@dataclass(frozen=True)
class FaultSearch:
    """A search for the usual faults, after that for the branches.

    Attributes:
        budget: the budget of both searches together.
        ordinary: whether only ordinary inputs are tried: finite floats and integers of moderate size. If not, only the
            faults are looked for that are wrong whatever the input.
    """

    budget: Budget
    ordinary: bool


@dataclass(frozen=True)
class SearchOptions:
    """How to search.

    Attributes:
        budget: the budget of each target.
        engine: ``hybrid`` (:data:`zeroin.generate.schedule.DEFAULT`), or the name of one strategy: ``minimize`` (all
            branches at once, as CoverMe), ``targets`` (one branch at a time), ``random``, ...
        minimizer: a name from :data:`zeroin.minimize.MINIMIZERS`, optionally with parameters:
            ``es(mu=15, lambda=100)``.
        distance: the branch distance: ``ulp``, ``korel`` or ``squared``.
        seed: the seed of all random choices; not negative.
        native: compile Python functions to machine code when that pays.
        prefer: names of functions and numbers of lines (``17``, ``17-25``) whose decisions an exploration flips first.
        defer: functions and lines whose decisions an exploration flips last.

    Raises:
        OptionError: the seed is negative, or ``prefer`` or ``defer`` is given and the engine is not ``explore``. The
            other names are not checked here.
    """

    budget: Budget = Budget()
    engine: str = "hybrid"
    minimizer: str = "avm"
    distance: str = "ulp"
    seed: int = 0
    native: bool = True
    prefer: tuple[str, ...] = ()
    defer: tuple[str, ...] = ()

    @property
    def looks_ahead(self) -> bool:
        """Whether the engine's fitness uses look-ahead: the conditions between a site and the target branch.

        Raises:
            OptionError: the parameters in the engine's name are malformed.
        """
        name, given = name_and_parameters(self.engine)
        return name == "targets" and given.get("fitness") in ("enhanced", "both")

    @property
    def ahead_as_paper(self) -> bool:
        """Whether the conditions ahead are those of Baars et al. 2011, without simplification.

        Raises:
            OptionError: the parameters in the engine's name are malformed.
        """
        return self.looks_ahead and name_and_parameters(self.engine)[1].get("ahead") == "paper"

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise OptionError(f"--seed {self.seed}: give a number that is not negative")
        if (self.prefer or self.defer) and name_and_parameters(self.engine)[0] != "explore":
            raise OptionError(f"--{'prefer' if self.prefer else 'defer'}: works with --engine explore only")


@dataclass(frozen=True)
class GoalOptions:
    """What to search for: every branch, unless an attribute names something else.

    Attributes:
        branches: the branches to search for, by the names that ``zeroin show`` prints; empty: all branches.
        line: search only for inputs that reach this source line; 0: no line.
        path: search only for a run that begins with these decisions, such as ``0T, 3F``; empty: no path.
        boundary: search only for the boundaries of comparisons.
        objective: search only for inputs for which this objective of the user is 0: ``FILE.py:CLASS`` or
            ``MODULE:CLASS``; empty: none.
        find: the faults of operations to search for in addition; members of :data:`FAULTS`. They are goals like the
            branches, and the budget is for both.
        faults: whether to look for :data:`USUAL_FAULTS` after the branches, with a share of the budget. It has no
            effect if other goals than all branches are named, and with an engine other than the default.
        checks_usual: whether the subject has probes for :data:`USUAL_FAULTS` without ``find``. They are no goals. It is
            set by the worker.

    Raises:
        OptionError: the path has no decision, the line is negative, or a fault is unknown. The names of branches and
            decisions are not checked here.
    """

    branches: tuple[str, ...] = ()
    line: int = 0
    path: str = ""
    boundary: bool = False
    objective: str = ""
    find: tuple[str, ...] = ()
    faults: bool = True
    checks_usual: bool = False

    @property
    def checked(self) -> tuple[str, ...]:
        """The kinds of faults that have probes."""
        return self.find or (USUAL_FAULTS if self.checks_usual else ())

    @property
    def goal(self) -> str:
        """The goal of the search as a part of file names, such as ``line_17`` or ``path_0T_3F``. Faults do not count.

        It is empty if the goal is every branch.
        """
        if self.path:
            return "_".join(["path", *self.decisions])
        if self.boundary:
            return "boundary"
        if self.objective:
            return f"objective_{self.objective.rpartition(':')[2]}"
        return f"line_{self.line}" if self.line else "_".join(self.branches)

    @property
    def decisions(self) -> list[str]:
        """The names of the decisions in ``path``, in order; an empty list without a path."""
        return self.path.replace(",", " ").split()

    def __post_init__(self) -> None:
        if self.path and not self.decisions:
            raise OptionError('--path: name the decisions, such as "0T, 3F"')
        if self.line < 0:
            raise OptionError(f"--line {self.line}: give a line number, 1 or more")
        for what in self.find:
            if what not in FAULTS:
                raise OptionError(f"--find {what}: no such fault; choose from {', '.join(FAULTS)}, all")


@dataclass(frozen=True)
class SourceOptions:
    """How to find and build the code under test.

    Attributes:
        cc: flags for the C compiler, one word each. The first may be the name of a compiler instead.
        others: further source files.
        link: also link neighbouring source files that define functions which the target calls and nothing else defines.
        callees: also cover the functions that the target calls. A Python function that is named always does so.
        include: names of Python modules whose functions are instrumented when the target calls them.
        exclude: patterns of names and paths to leave out when the target is a folder.

    Raises:
        OptionError: a pattern is empty.
    """

    cc: tuple[str, ...] = ()
    others: tuple[Path, ...] = ()
    link: bool = False
    callees: bool = False
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for pattern in self.exclude:
            if not PurePath(pattern).parts:
                raise OptionError(f"--exclude {pattern!r}: give the name of a file or folder, or the end of a path")


@dataclass(frozen=True)
class InputOptions:
    """Which inputs are possible, and which ends of a run are expected.

    Attributes:
        arrays: ``NAME=LENGTH[,COUNT]`` for pointer parameters: the number of elements, and the parameter that has the
            number in use.
        strings: ``NAME=LENGTH`` for pointer parameters: the largest number of characters.
        types: ``x: float, n: int`` for Python parameters, in place of their annotations; empty: no types.
        assume: preconditions: conditions that all inputs satisfy, such as ``0 < x <= 1e3, x == x``.
        finite: generate no inputs with NaNs or infinities.
        expect: terminations that are no findings: names of Python exceptions; for C ``exit``, ``abort`` and
            ``assert``.
        shared: the preconditions and expected terminations that the user gave for several targets. If a target has no
            such parameter or exception, its result notes this instead of an error.
    """

    arrays: tuple[str, ...] = ()
    strings: tuple[str, ...] = ()
    types: str = ""
    assume: tuple[str, ...] = ()
    finite: bool = False
    expect: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()


@dataclass(frozen=True)
class SandboxOptions:
    """What the code under test may do, and for how long.

    Attributes:
        fuel: the largest number of loop iterations and calls of one run.
        memory: the largest number of bytes that one run may allocate.
        load_timeout: the longest time, in seconds, for the import of a module or the constructors of a C or C++ file.
        allow: effects that the sandbox permits: ``files`` (write, delete or rename files outside the scratch folder),
            ``network`` and ``processes`` (start processes, run programs, send signals).

    Raises:
        OptionError: a limit or an effect is invalid.
    """

    fuel: int = 1_000_000
    memory: int = 1 << 30
    load_timeout: float = 60.0
    allow: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.fuel <= MOST_FUEL:
            raise OptionError(f"--fuel {self.fuel}: give a number from 1 to {MOST_FUEL}")
        if not (math.isfinite(self.load_timeout) and self.load_timeout > 0):
            raise OptionError(f"--load-timeout {self.load_timeout:g}: give a positive number of seconds")
        for what in self.allow:
            if what not in GUARDED:
                raise OptionError(f"--allow {what}: choose from {', '.join(GUARDED)}")


@dataclass(frozen=True)
class SuiteOptions:
    """What the result contains.

    Attributes:
        suite: ``full``: also inputs that kill mutants (with the default engine); ``small``: as few inputs as cover
            every branch.
        simplify: simplify the values of the inputs found. The simplified inputs may cover more than the original ones.
        mutants: count the mutants that the suite kills.
        queries: keep the query of each proof, as SMT-LIB text.
        findings: how tests treat inputs with findings: ``xfail`` (as tests that are expected to fail, or that run only
            on request) or ``omit`` (no tests).
        samples: run functions with one or two numeric inputs at further points, so that a report can draw them.
        test_name: the name of test files, with ``{}`` for the source and functions; empty: the emitter's default.

    Raises:
        OptionError: there is no such kind of suite.
    """

    suite: str = "full"
    simplify: bool = True
    mutants: bool = False
    queries: bool = False
    findings: str = "xfail"
    samples: bool = False
    test_name: str = ""

    def __post_init__(self) -> None:
        if self.suite not in SUITES:
            raise OptionError(f"--suite {self.suite}: choose from {', '.join(SUITES)}")


@dataclass(frozen=True)
class RecordOptions:
    """What a search writes down while it runs.

    Attributes:
        found: a folder into which a search writes inputs as soon as it finds them; None: nowhere.
        resume: start from the inputs that an earlier search of the target wrote to ``found``. Without ``found``, it has
            no effect.
        trace: the file to which the events of searches are added, see :mod:`zeroin.worker.trace_file`; None: nowhere.
        verbose: log these events.
    """

    found: Path | None = None
    resume: bool = False
    trace: Path | None = None
    verbose: bool = False


# The fields of the last base class come first.
@dataclass(frozen=True)
class Options(RecordOptions, SuiteOptions, SandboxOptions, InputOptions, SourceOptions, GoalOptions, SearchOptions):
    """The options of a ``cover`` run for one target: all groups together.

    A function that needs only one group takes that group's class.

    Attributes:
        jobs: the number of targets that are searched in parallel.

    Raises:
        OptionError: an option is invalid, or two of them exclude each other.
    """

    jobs: int = 1

    @property
    def seeks_faults(self) -> bool:
        """Whether to look for the usual faults after the branches."""
        named = self.branches or self.line or self.path or self.boundary or self.objective or self.find
        return self.faults and not named and self.engine == "hybrid"

    @property
    def strengthens(self) -> bool:
        """Whether to add inputs that kill mutants: for a full, simplified suite of every branch by the default engine.

        A strategy that runs alone gets none, because they may cover branches that the strategy has missed.
        """
        named = self.branches or self.line or self.path or self.boundary or self.find
        return self.suite == "full" and self.simplify and not named and self.engine == "hybrid"

    def __post_init__(self) -> None:
        for group in (SearchOptions, GoalOptions, SourceOptions, SandboxOptions, SuiteOptions):
            group.__post_init__(self)
        if self.path and self.engine != "hybrid":
            raise OptionError(f"--path: --engine {self.engine} can not follow a path; leave out --engine")
        if self.jobs < 1:
            raise OptionError(f"--jobs {self.jobs}: give at least 1")
