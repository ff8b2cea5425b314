"""The interface of a subject in any language. The packages above use a subject only through it."""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np

from ..errors import OptionError
from ..limits import LONGEST_SILENCE
from .base import Execution, Replay, Run, Signature, Site, Termination, Words
from .constant import Constant
from .fuel import Fuel
from .goals import along_path
from .graph import Graph
from .input_to_state import Compared
from .search_problem import SearchProblem, Tracer, covered_in_fork

if TYPE_CHECKING:
    from ..model.path import PathCondition
    from ..model.reach import ReachCondition
    from ..term.core.nodes import Term
    from .mutants import Mutation
    from .preconditions import Preconditions

_TRACE = 4096  # the number of decisions that a trace holds


class WaysAhead(Protocol):
    """The partial paths from each site to a target branch, as conditions on the recorded state of a run."""

    def ahead(self, target: int) -> Mapping[int, Sequence[tuple[Sequence[tuple[int, int]], int]]]:
        """Return the partial paths to a target branch, by site. Sites that do not lead to it have no entry.

        A partial path is a pair: the distances of its conditions, and the number of conditions without a distance. A
        distance is the address of ``double (*)(const int64_t *state, int64_t number)``, and that number.
        """

    def superfluous(self, target: int) -> Set[int]:
        """Return the branches at which the partial paths of the site need no evaluation.

        The next site is at most as far from the target, whatever the state.
        """

    def levels(self, target: int) -> Mapping[int, int]:
        """Return the approach levels of the branches whose site compares operands that are not in the recorded state.

        At these branches only the distance of the operands is known. The levels are those of
        :meth:`zeroin.subject.graph.Graph.levels`.
        """


class Lookahead(Protocol):
    """What lies between the sites of a subject and a target branch (Baars et al. 2011).

    Attributes:
        address: the address of the memory in which runs record their state: one 64-bit cell for each value.
        seconds: the time spent so far to read the partial paths from the code.
    """

    address: int
    seconds: float

    def compiled(self, table: str) -> WaysAhead:
        """Compile the partial paths to native code, with distances from a table of :mod:`zeroin.distance` (such as
        ``ulp``)."""


class Subject(ABC):
    """A function under test, loaded and instrumented in this process. A run of it may end the process.

    Inputs are *ordered words*: 64-bit integers in the order of the values that they encode (:mod:`zeroin.words`). A
    site is a place with a probe. Branch ``2 * n`` is the true side of site ``n``, branch ``2 * n + 1`` the false side.

    Attributes:
        language: a key of :data:`zeroin.languages.registry.LANGUAGES`.
        sites: the sites, by number.
        graph: the control flow between the sites.
        constants: the constants that the function compares with.
        signature: its parameters and result.
        priorities: site numbers with the priorities that marks in the source give them (:mod:`zeroin.marks`). A site
            without a mark has no entry.
        patience: the fuel of a run that only finds out what it covers. None: all the fuel there is.
        lookahead: what lies ahead of the sites. None if the subject was loaded without recording of the state.
        wanted: the branches of the path that the user named. A run that starts with them also takes the last branch,
            ``2 * len(sites)``. Empty: the user named no path.
        aim: the user's own objective. A run for which it is 0 also takes the branch ``2 * len(sites)``. None: there is
            none.
        grows: whether a single run that outgrows an array raises :class:`zeroin.subject.growth.Outgrown`. If not, such
            a run ends as ``BEYOND``.
        ignored: messages about preconditions that name numbers which only other targets have.
        assumed: the preconditions on its inputs. Inputs that violate them are not run. None: no preconditions.
        beat: heartbeat: called before each single run, so the parent process does not report a hang. None: nothing is
            called.
    """

    language: str
    sites: list[Site]
    graph: Graph
    constants: list[Constant]
    signature: Signature
    priorities: Mapping[int, int] = MappingProxyType({})
    patience: ClassVar[int | None] = None
    lookahead: Lookahead | None = None
    wanted: tuple[int, ...] = ()
    aim: SearchProblem | None = None
    grows: bool = False

    assumed: Preconditions | None = None
    ignored: tuple[str, ...] = ()
    beat: Callable[[], None] | None = None

    _fuel: Fuel

    def _trace(self) -> None:
        """Create the tracers. Call it when the sites are known."""
        self._tracer = Tracer(len(self.sites), _TRACE)
        self._marks = Tracer(len(self.sites), 0)

    def assume(self, assumed: Preconditions) -> None:
        """Set the preconditions, and the signature with the ranges that they narrow.

        Call it before the subject is run or read.
        """
        self.assumed, self.signature = assumed, assumed.signature
        self.ignored += assumed.ignored

    def _may_run(self, words: Words) -> bool:
        """Return whether an input satisfies the preconditions."""
        return self.assumed is None or self.assumed.holds(words)

    # ---- properties ----

    @property
    @abstractmethod
    def slow(self) -> bool:
        """Whether a run takes a microsecond or more."""

    @property
    def leaves_native(self) -> bool:
        """Whether the subject runs natively, except for inputs that call other functions first."""
        return False

    @property
    @abstractmethod
    def engine(self) -> str:
        """How the subject runs: ``native``, or ``interpreted`` and the reason."""

    @property
    @abstractmethod
    def stateful(self) -> bool:
        """Whether it writes variables that outlive a call. In Python, only what the runs so far changed is known."""

    def remarks(self) -> list[str]:
        """Return remarks about its behaviour so far, for the reader of the report."""
        return []

    # ---- searching ----

    @property
    @abstractmethod
    def outcome_address(self) -> int:
        """The address of the :class:`Termination` of the last run, an int64."""

    @abstractmethod
    def guard(self, patience: float = LONGEST_SILENCE) -> None:
        """Make this process survive a run's signals and endless loops, as far as a process can.

        Args:
            patience: seconds after which the parent process would end this one. The clock ends a run before that.
        """

    @property
    def has_waited(self) -> bool:
        """Whether the clock ended a run in this process."""
        return False

    @abstractmethod
    def avoid(self, lethal: Sequence[Words]) -> None:
        """Exclude inputs that end the process from :meth:`run`, :meth:`execute` and the runs of slices.

        Their termination is ``KILLED``; their distance is that of a killed run. The inputs replace those of an earlier
        call. :meth:`replay` still runs them.
        """

    @abstractmethod
    def begin(self) -> None:
        """Forget what earlier searches learnt about fuel."""

    @abstractmethod
    def install(self, question: SearchProblem, share: int = 1, start: Words = ()) -> int:
        """Prepare the runs of a slice and return the address of ``double objective(const int64_t *words)``.

        A single run installs a problem of its own, so call this again after it. The address may differ between calls.

        Args:
            question: the search problem that the objective computes.
            share: the larger, the more fuel each run gets.
            start: the start input. Its run gets enough fuel to finish. Empty: none.
        """

    @property
    @abstractmethod
    def ran_short(self) -> bool:
        """Whether a run since the last :meth:`install` was stopped with less fuel than a run may have."""

    @abstractmethod
    def limit_time(self, seconds: float | None, door: int) -> None:
        """Close a door when a time limit is over.

        Args:
            seconds: the time from now on. None: no limit.
            door: the address of the door's cells (``Door.native``).
        """

    def tidy(self, words: Words) -> Words:
        """Return the canonical words for the same values: words without influence get a fixed value."""
        return words

    def other_lengths(self, words: Words) -> Sequence[Words]:
        """Return copies of an input, each with another length of one of its arrays; empty if no length can change."""
        return ()

    # ---- single runs ----

    def _prepare_run(self) -> None:
        """Discard the state of earlier runs, and send a heartbeat."""
        if self.beat is not None:
            self.beat()

    @abstractmethod
    def _run(self, question: SearchProblem, words: Words, fuel: int | None = None) -> Termination:
        """Run the instrumented function once, without a check of the preconditions.

        Args:
            question: the search problem that the probes report to.
            words: the input.
            fuel: the fuel of the run. None: all the fuel there is.

        Raises:
            Outgrown: see :attr:`grows`.
        """

    @abstractmethod
    def _burnt(self) -> int:
        """Return the fuel that the last run used."""

    @abstractmethod
    def _end(self) -> int:
        """Return the number of the place where the last run ended, if it did not return."""

    def _detail(self, outcome: Termination) -> str:
        """Return more about how the last run ended; empty if nothing is known."""
        return ""

    def run(self, words: Words, fuel: int | None = None) -> Run:
        """Run the instrumented function once; return how it ended and which branches it took.

        An input that violates the preconditions is not run: the termination is ``REFUSED``, and no branch is taken.

        Args:
            words: the input.
            fuel: the fuel of the run. None: ``patience``.

        Raises:
            Outgrown: see :attr:`grows`.
        """
        if not self._may_run(words):
            return Run(words, Termination.REFUSED, frozenset())
        self._marks.clear()
        outcome, covered = self._run(self._marks.question, words, fuel or self.patience), self._marks.covered()
        if (self.wanted and self._follows(words, fuel)) or (self.aim is not None and self._is_zero(self.aim, words)):
            covered |= {2 * len(self.sites)}
        if outcome is Termination.RETURNED:
            self._fuel.returned(words, covered, self._burnt())
            return Run(words, outcome, covered)
        return Run(words, outcome, covered, self._end())

    def _follows(self, words: Words, fuel: int | None) -> bool:
        """Return whether the decisions of a run begin with the path ``wanted``."""
        return along_path(self.execute(words, fuel or self.patience).decisions, self.wanted) == len(self.wanted)

    def _is_zero(self, aim: SearchProblem, words: Words) -> bool:
        """Return whether an objective is 0 for an input whose run the preconditions allow."""
        array = np.array(words or (0,), dtype=np.int64)
        objective = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(self.install(aim))
        return bool(objective(array.ctypes.data) == 0.0)

    def covers_in_child(self, words: Words, seconds: float) -> tuple[frozenset[int], bool]:
        """Run an input that may end its process in a fork; return the branches it took, and whether it returned.

        The fork is killed after ``seconds``. Preconditions are not checked.

        Raises:
            OSError: there are too many processes.
        """
        return covered_in_fork(len(self.sites), lambda marks: self._run(marks, words) is Termination.RETURNED, seconds)

    def execute(self, words: Words, fuel: int | None = None) -> Execution:
        """Run the instrumented function once, and record its first 4096 decisions.

        An input that violates the preconditions is not run: the termination is ``REFUSED``, and nothing is recorded.

        Args:
            words: the input.
            fuel: the fuel of the run. None: all the fuel there is.

        Raises:
            Outgrown: see :attr:`grows`.
        """
        if not self._may_run(words):
            return Execution(Termination.REFUSED, (), frozenset())
        self._tracer.clear()
        outcome = self._run(self._tracer.question, words, fuel)
        decisions, truncated = self._tracer.decisions()
        covered, latest = self._tracer.covered(), self._tracer.latest()
        return Execution(outcome, decisions, covered, self._detail(outcome), truncated, latest)

    def compare(self, words: Words, fuel: int | None = None) -> tuple[Execution, Sequence[Compared]]:
        """Do the same as :meth:`execute`, and also return the comparisons of texts in the run.

        There are none in languages that do not record them (all but Python).
        """
        return self.execute(words, fuel), ()

    def with_more_room(self, constraints: Sequence[Term]) -> tuple[Sequence[Term], tuple[tuple[str, int], ...]]:
        """Return the constraints as they are for longer sequences, and the rooms to load the subject with for these.

        Without rooms, no constraint comes from a length that zeroin has chosen, or it is as large as it gets.

        Args:
            constraints: of a path condition.
        """
        return constraints, ()

    @property
    def takes_texts(self) -> bool:
        """Whether inputs can contain texts that :meth:`exchanged` and :meth:`extended` change."""
        return False

    def exchanged(self, words: Words, old: str, new: str) -> Iterable[Words]:
        """Yield the inputs in which the text ``new`` replaces one occurrence of the text ``old``; case is ignored.

        If ``old`` is empty, ``new`` is inserted. Inputs are left out if the length of their text would be out of range.
        """
        return ()

    def extended(self, words: Words) -> Iterable[Words]:
        """Yield the inputs in which a text of the dictionary is inserted into a text of the given input."""
        return ()

    def words_of(self, values: str) -> Words:
        """Return the words of arguments that are written as in Python: ``1.5, [1, 2], None``.

        Raises:
            OptionError: the values are not arguments of the function.
        """
        raise OptionError(f"functions in {self.language} can not be given arguments yet")

    def along(self, words: Words, execution: Execution, checked: bool = False) -> PathCondition:
        """Return the path condition of a run: the preconditions, then the conditions of the path.

        In Python, this may run the function again.

        Args:
            words: the input of the run.
            execution: the result of :meth:`execute` for this input.
            checked: C: whether to add that no operation on the path is undefined. The run itself may violate that.

        Raises:
            Unreadable: the function can not be executed symbolically, or not as the run went.
        """
        path = self._along(words, execution, checked)
        return path if self.assumed is None else self.assumed.along(path)

    def _along(self, words: Words, execution: Execution, checked: bool) -> PathCondition:
        """Return the path condition without the preconditions."""
        raise self._unread()

    def reach(self, outcome: int) -> ReachCondition:
        """Return the reach condition of a branch, which every input that takes the branch satisfies.

        It includes the preconditions.

        Raises:
            Unreadable: the function can not be analysed this way.
        """
        reached = self._reach(outcome)
        return reached if self.assumed is None else self.assumed.reached(reached)

    def _reach(self, outcome: int) -> ReachCondition:
        """Return the reach condition without the preconditions."""
        raise self._unread()

    @property
    def guesses(self) -> str:
        """The parameters whose types were guessed, with these types. Empty if none was.

        A proof that a branch is infeasible then holds for the guessed types only.
        """
        return ""

    def why_open(self, outcome: int) -> str:
        """Return what else than the input a branch depends on, so that perhaps no input takes it. Empty if nothing."""
        return ""

    @property
    def further_guess(self) -> int:
        """The next value of ``Target.guess`` to load if the guessed types do not reach all branches; 0 if none."""
        return 0

    def doubts(self) -> str:
        """Return why an unsatisfiable path condition proves nothing, even if it is exact. Empty if it is a proof."""
        return f"for {self.language} functions, one run proves nothing about others"

    def repeats(self) -> tuple[str, ...]:
        """Return the assumptions under which equal words give equal runs and words stand for all inputs.

        Raises:
            Unreadable: it is not known whether this holds.
        """
        from ..model.memory import Unreadable

        raise Unreadable(f"it is unknown whether {self.language} functions always do the same")

    def _unread(self) -> Exception:
        """Return the error of a language whose functions can not be executed symbolically."""
        from ..model.memory import Unreadable

        return Unreadable(f"zeroin can not read {self.language} functions yet")

    def words_with(self, inputs: Mapping[str, object]) -> Words:
        """Return the words for values of the variables of path conditions.

        Values are needed for all variables, except for those of setters and of further calls in a sequence. For these,
        no call is the default.

        Raises:
            Unreadable: the function can not be executed symbolically.
        """
        raise self._unread()

    def circumstances(self, site: int) -> str:
        """Return the faulty operation of a site, with its operands in the last run, as text for the report.

        Empty for a site that is not an operation that may go wrong.
        """
        return ""

    def prepare_replay(self) -> None:  # noqa: B027
        """Load what :meth:`replay` needs. Further calls do nothing.

        Of the subject's code, it runs only the constructors of global variables.

        Raises:
            MissingSymbol: see :mod:`zeroin.errors`.
        """

    @abstractmethod
    def replay(self, words: Words) -> Replay:
        """Run the plain function (without probes), as a user would run it; return what it did.

        Preconditions and the inputs of :meth:`avoid` are not checked. The function may run several times, to see
        whether it does the same.
        """

    def confirmed(self, run: Run) -> Run:
        """Return the run if the plain function and all its builds behave in the same way.

        Else return the run with the termination ``UNDEFINED``. Both functions are run to find out.
        """
        replay = self.replay(run.words)
        if replay.outcome is not Termination.UNDEFINED and self.same(self.observe(run.words), replay):
            return run
        return replace(run, outcome=Termination.UNDEFINED)

    @abstractmethod
    def observe(self, words: Words) -> Replay:
        """Run the instrumented function; return what :meth:`replay` returns for the plain one.

        It gets all the fuel there is. Preconditions are not checked.
        """

    @property
    @abstractmethod
    def mutation(self) -> Mutation:
        """The mutants of the subject, loaded in the same process at the first access."""

    @abstractmethod
    def same(self, one: Replay, other: Replay) -> bool:
        """Return whether two replays are equal bit for bit. All NaNs are equal.

        In Python, a replay whose result is not repeatable equals every other one.
        """
