"""What a subject is, whatever its language: the whole interface that the rooms above use."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

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
    from ..model.reach import Reached
    from .mutants import Mutation
    from .preconditions import Assumed

_TRACE = 4096  # decisions that a trace holds


class WaysAhead(Protocol):
    """The ways from sites to outcomes, over the state that runs write down."""

    def ahead(self, target: int) -> Mapping[int, Sequence[tuple[Sequence[tuple[int, int]], int]]]:
        """For each site that leads to a target its ways: the distances of its conditions, each the address of a
        function of the state and a number, and that number; and how many conditions it takes beside these."""

    def superfluous(self, target: int) -> Set[int]:
        """Outcomes at which the ways of the site need not be asked: the next site is as near, whatever the state."""

    def levels(self, target: int) -> Mapping[int, int]:
        """The levels, as :meth:`zeroin.subject.graph.Graph.levels` has them, of those outcomes of whose sites nobody
        knows what they compare: there, how far the operands are from it is all that can be said."""


class Lookahead(Protocol):
    """What lies ahead of the sites of a subject.

    Attributes:
        address: of the words in which runs write their state down.
        seconds: that reading has taken so far.
    """

    address: int
    seconds: float

    def compiled(self, table: str) -> WaysAhead:
        """With distances by a table of :mod:`zeroin.distance`."""


class Subject(ABC):
    """A function under test, loaded and instrumented in this process, which it may end.

    Attributes:
        language: a key of :data:`zeroin.languages.registry.LANGUAGES`.
        sites: its conditionals.
        graph: the way between them.
        constants: what it compares with.
        signature: its parameters and result.
        priorities: that its source gives to sites, by number; see :mod:`zeroin.marks`.
        patience: fuel of a run that is made to see what it covers; None: all there is.
        lookahead: what lies ahead of its sites, where it was loaded so that its runs write their state down.
        wanted: outcomes; runs whose decisions begin with these take the outcome after all others, too.
        grows: whether single runs may end with :class:`zeroin.subject.growth.Outgrown`; else such a run is ``BEYOND``.
        ignored: lines about what was said of other subjects.
        assumed: what holds of its inputs, as the user says; other words are not run.
        beat: if there is one, called when a single run begins, so that who watches sees one after the other.
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
    grows: bool = False

    assumed: Assumed | None = None
    ignored: tuple[str, ...] = ()
    beat: Callable[[], None] | None = None

    _fuel: Fuel

    def _trace(self) -> None:
        """To be called when the sites are known."""
        self._tracer = Tracer(len(self.sites), _TRACE)
        self._marks = Tracer(len(self.sites), 0)

    def assume(self, assumed: Assumed) -> None:
        """Run no other inputs. To be called before anything is run, or read."""
        self.assumed, self.signature = assumed, assumed.signature
        self.ignored += assumed.ignored

    def _may_run(self, words: Words) -> bool:
        return self.assumed is None or self.assumed.holds(words)

    # ---- what it says of itself ----

    @property
    @abstractmethod
    def slow(self) -> bool:
        """Whether a run takes a microsecond or more."""

    @property
    @abstractmethod
    def engine(self) -> str:
        """How it runs: ``native``, or ``interpreted`` and why."""

    @property
    @abstractmethod
    def stateful(self) -> bool:
        """Whether it writes variables that outlive a call."""

    def remarks(self) -> list[str]:
        """What a reader should know about how it behaved."""
        return []

    # ---- searching ----

    @property
    @abstractmethod
    def outcome_address(self) -> int:
        """Where the outcome of the last run stands, as an int64."""

    @abstractmethod
    def guard(self, patience: float = LONGEST_SILENCE) -> None:
        """Survive, in this process, what can be survived: signal handlers, the clock. A run that gives no sign of life
        for so many seconds would be ended with its process: it may be ended alone before that."""

    @property
    def has_waited(self) -> bool:
        """Whether a run in this process was ended by the clock."""
        return False

    @abstractmethod
    def avoid(self, lethal: Sequence[Words]) -> None:
        """Do not run these words any more: they end the process. Outcome and distance are those of a run that was
        killed."""

    @abstractmethod
    def begin(self) -> None:
        """Forget what earlier searches taught about fuel."""

    @abstractmethod
    def install(self, question: SearchProblem, share: int = 1, start: Words = ()) -> int:
        """Make this what the runs of a slice are asked; the address of ``double objective(const int64_t *)``.

        Args:
            question: see there.
            share: the more, the more fuel a run gets.
            start: words that must not end for want of it.
        """

    @property
    @abstractmethod
    def ran_short(self) -> bool:
        """Whether a run of this slice ended because it got less fuel than there is."""

    @abstractmethod
    def limit_time(self, seconds: float | None, door: int) -> None:
        """After so many seconds close the door (``Door.native``); None: leave it alone."""

    def tidy(self, words: Words) -> Words:
        """Words of the same values."""
        return words

    def other_lengths(self, words: Words) -> Sequence[Words]:
        """The same input with other lengths of its arrays, one of each."""
        return ()

    # ---- single runs ----

    def _start_afresh(self) -> None:
        """Nothing is left of earlier runs."""
        if self.beat is not None:
            self.beat()

    @abstractmethod
    def _run(self, question: SearchProblem, words: Words, fuel: int | None = None) -> Termination:
        """One instrumented run; with all the fuel there is if nothing else is said."""

    @abstractmethod
    def _burnt(self) -> int:
        """The fuel that the last run used."""

    @abstractmethod
    def _end(self) -> int:
        """Which of the ends known so far the last run that did not return came to."""

    def _detail(self, outcome: Termination) -> str:
        """More about how the last run ended."""
        return ""

    def run(self, words: Words, fuel: int | None = None) -> Run:
        """One instrumented run: how it ended and what it took; with ``patience`` if nothing else is said."""
        if not self._may_run(words):
            return Run(words, Termination.REFUSED, frozenset())
        self._marks.clear()
        outcome, covered = self._run(self._marks.question, words, fuel or self.patience), self._marks.covered()
        if self.wanted and self._follows(words, fuel):
            covered |= {2 * len(self.sites)}
        if outcome is Termination.RETURNED:
            self._fuel.returned(words, covered, self._burnt())
            return Run(words, outcome, covered)
        return Run(words, outcome, covered, self._end())

    def _follows(self, words: Words, fuel: int | None) -> bool:
        """Whether the decisions of a run begin with those that are wanted."""
        return along_path(self.execute(words, fuel or self.patience).decisions, self.wanted) == len(self.wanted)

    def covers_in_child(self, words: Words, seconds: float) -> tuple[frozenset[int], bool]:
        """The outcomes taken by a run that may end its process, and whether it returns: it runs in a fork, which is
        killed after a while."""
        return covered_in_fork(len(self.sites), lambda marks: self._run(marks, words) is Termination.RETURNED, seconds)

    def execute(self, words: Words, fuel: int | None = None) -> Execution:
        """One instrumented run, with its decisions; with all the fuel there is if nothing else is said."""
        if not self._may_run(words):
            return Execution(Termination.REFUSED, (), frozenset())
        self._tracer.clear()
        outcome = self._run(self._tracer.question, words, fuel)
        decisions, truncated = self._tracer.decisions()
        covered, latest = self._tracer.covered(), self._tracer.latest()
        return Execution(outcome, decisions, covered, self._detail(outcome), truncated, latest)

    def compare(self, words: Words, fuel: int | None = None) -> tuple[Execution, Sequence[Compared]]:
        """Like :meth:`execute`, with what the run compared texts with."""
        return self.execute(words, fuel), ()

    @property
    def takes_texts(self) -> bool:
        """Whether there may be texts in its inputs that :meth:`exchanged` and :meth:`extended` change."""
        return False

    def exchanged(self, words: Words, old: str, new: str) -> Iterable[Words]:
        """The inputs in which one text stands in place of another one, in each case at one place."""
        return ()

    def extended(self, words: Words) -> Iterable[Words]:
        """The inputs in which a text that is worth trying is put into another one."""
        return ()

    def words_of(self, values: str) -> Words:
        """The words of arguments that are written as Python writes them: ``1.5, [1, 2], None``.

        Raises:
            OptionError: they are no arguments of the function.
        """
        raise OptionError(f"functions in {self.language} can not be given arguments yet")

    def along(self, words: Words, execution: Execution) -> PathCondition:
        """What an input has to satisfy so that its run takes the same path as this one; what is assumed of it first.

        Raises:
            Unreadable: the function can not be read.
        """
        path = self._along(words, execution)
        return path if self.assumed is None else self.assumed.along(path)

    def _along(self, words: Words, execution: Execution) -> PathCondition:
        """What only the code says."""
        raise self._unread()

    def reach(self, outcome: int) -> Reached:
        """What every input satisfies that takes a branch, and is as is assumed.

        Raises:
            Unreadable: the function can not be read so.
        """
        reached = self._reach(outcome)
        return reached if self.assumed is None else self.assumed.reached(reached)

    def _reach(self, outcome: int) -> Reached:
        """What only the code says."""
        raise self._unread()

    @property
    def guesses(self) -> str:
        """The parameters whose types are guesses of ours, with these: a proof refutes the guess, and nothing else.
        Empty where all types are said."""
        return ""

    def why_open(self, outcome: int) -> str:
        """What an outcome depends on beside inputs, so that it may be that none of these takes it; else empty."""
        return ""

    @property
    def further_guess(self) -> int:
        """For ``Target.guess``: what to load instead, where the guesses do not do; 0: nothing is left."""
        return 0

    def doubts(self) -> str:
        """Why nothing is proved where no input satisfies a path condition, exact as that may be; empty if something
        is."""
        return f"of {self.language} functions, what is read of a run proves nothing of others"

    def repeats(self) -> tuple[str, ...]:
        """What has to be taken for granted so that runs of the same words are the same, and words stand for all inputs.

        Raises:
            Unreadable: nobody knows whether they are.
        """
        from ..model.memory import Unreadable

        raise Unreadable(f"whether {self.language} functions always do the same is not known")

    def _unread(self) -> Exception:
        from ..model.memory import Unreadable

        return Unreadable(f"functions in {self.language} are not read yet")

    def words_with(self, inputs: Mapping[str, Any]) -> Words:
        """The words of values of the variables of path conditions.

        Raises:
            Unreadable: the function can not be read.
        """
        raise self._unread()

    def circumstances(self, site: int) -> str:
        """The operation of a site that is a fault, with the operands that the last run had there, for people; empty
        where no site is one."""
        return ""

    def prepare_replay(self) -> None:  # noqa: B027
        """Load what :meth:`replay` needs, if that is more than there is; nothing of the subject runs."""

    @abstractmethod
    def replay(self, words: Words) -> Replay:
        """What the plain function does: uninstrumented, as a user would run it."""

    def confirmed(self, run: Run) -> Run:
        """The run, or one that does what is undefined if the plain function, or one of its builds, does something else
        than the instrumented one."""
        replay = self.replay(run.words)
        if replay.outcome is not Termination.UNDEFINED and self.same(self.observe(run.words), replay):
            return run
        return replace(run, outcome=Termination.UNDEFINED)

    @abstractmethod
    def observe(self, words: Words) -> Replay:
        """What :meth:`replay` reports, of the instrumented function."""

    @property
    @abstractmethod
    def mutation(self) -> Mutation:
        """Its mutants, loaded beside it."""

    @abstractmethod
    def same(self, one: Replay, other: Replay) -> bool:
        """Whether two replays tell of the same, bit for bit; one NaN is as good as another."""
