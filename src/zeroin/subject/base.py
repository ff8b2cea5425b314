"""The vocabulary that every subject shares, whatever its language."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from ..config import FAULTS
from ..words import Kind, encode
from .target import Target as Target

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Words = tuple[int, ...]
WordArray: TypeAlias = "npt.NDArray[np.int64]"  # text: who only reads results needs no NumPy


class Termination(IntEnum):
    """How one run ended."""

    RETURNED = 0
    SEGV = 1
    FPE = 2
    ILL = 3
    ABORT = 4
    EXITED = 5
    ASSERTED = 6
    HUNG = 7
    STACK = 8
    MEMORY = 9
    KILLED = 10  # the worker process itself ended; set by the parent
    RAISED = 11  # an exception that the code did not raise itself
    REFUSED = 12  # no input: it is not as was assumed; or a constructor of Python does not take these arguments
    FORBIDDEN = 13  # it tried to harm the machine that it runs on, and was stopped
    HEAP = 14  # C: it wrote beside a block of the heap, or freed what is none
    BEYOND = 15  # C: it left an array whose length nobody says, or one whose length is below 0: no finding
    UNDEFINED = 16  # C: it did what the language leaves undefined: what it takes and returns says nothing

    @property
    def word(self) -> str:
        """``returned``, ``raised``, ``forbidden``, ``undefined``, ``crashed`` or ``hung``, as the JSON report says."""
        named = self in (Termination.RETURNED, Termination.RAISED, Termination.FORBIDDEN, Termination.UNDEFINED)
        return self.name.lower() if named else "hung" if self is Termination.HUNG else "crashed"

    @property
    def finding(self) -> str:
        """The kind of finding: ``crash``, ``hang``, ``assertion``, ``exception``, ``forbidden`` or ``undefined``."""
        return _FINDINGS.get(self, "crash")

    @property
    def message(self) -> str:
        return _MESSAGES[self]


_FINDINGS = {
    Termination.HUNG: "hang",
    Termination.ASSERTED: "assertion",
    Termination.RAISED: "exception",
    **{outcome: outcome.name.lower() for outcome in (Termination.FORBIDDEN, Termination.UNDEFINED)},
}
_MESSAGES = {
    Termination.RETURNED: "returned",
    Termination.SEGV: "segmentation fault (SIGSEGV): an invalid address was used",
    Termination.FPE: "arithmetic fault (SIGFPE): an integer division by zero or overflow",
    Termination.ILL: "illegal instruction (SIGILL/SIGTRAP)",
    Termination.ABORT: "abort() was called (SIGABRT)",
    Termination.EXITED: "exit() was called",
    Termination.ASSERTED: "assertion failed",
    Termination.HUNG: "did not return: the run was stopped",
    Termination.STACK: "stack overflow: the recursion is too deep",
    Termination.MEMORY: "asked for more memory than the limit",
    Termination.KILLED: "the process that ran it ended",
    Termination.RAISED: "raised",
    Termination.REFUSED: "an argument could not be made",
    Termination.FORBIDDEN: "tries what it may not do",
    Termination.HEAP: "misuses the heap",
    Termination.BEYOND: "leaves an array whose length nobody says",
    Termination.UNDEFINED: "undefined behaviour",
}


class Parameter(ABC):
    """One parameter of a subject, and how words become its value.

    Attributes:
        name: as in the source, or ``arg1`` when the source gives none.
        type: the type as the source's language writes it (``double``, ``const int *``, ``list[float]``).
        default: the words with which it may be left out; None: it may not.
        is_shown: whether the source has it.
    """

    name: str
    type: str
    default: Words | None = None
    is_shown: bool = True

    @property
    @abstractmethod
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of its words."""

    @property
    def arity(self) -> int:
        """How many words it takes."""
        return len(self.kinds)

    @property
    @abstractmethod
    def driven(self) -> str:
        """What values it is given, for a person."""

    @abstractmethod
    def ranges(self) -> list[tuple[int, int]]:
        """Lowest and highest word of each of its words."""

    @abstractmethod
    def hints(self) -> list[tuple[int, ...]]:
        """For each of its words further words worth trying."""

    def refitted(self, words: Words, before: Parameter) -> Words:
        """The words of the same value, where the subject was loaded otherwise: array elements that are new are 0."""
        return (*words, *(encode(kind, 0) for kind in self.kinds[len(words) :]))

    def runs(self) -> Sequence[tuple[int, Sequence[Words]]]:
        """Some of its words, by the place of the first, and what is worth trying for all of those together."""
        return ()

    @abstractmethod
    def argument(self, words: Words) -> Any:
        """The value of its words."""

    @abstractmethod
    def exact(self, words: Words) -> Any:
        """The value in the notation of :func:`zeroin.words.exact`."""

    @abstractmethod
    def show(self, words: Words) -> str:
        """The value for a person."""


@dataclass(frozen=True)
class Signature(ABC):
    """Name, parameters and result of a subject. Each language has its own, which knows its own :class:`Replay`."""

    name: str
    parameters: tuple[Any, ...]  # Parameters of the language
    result_type: str = ""  # as the language writes it
    notes: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()  # of its inputs, in words
    several_engines: ClassVar[bool] = False  # whether such subjects run natively is worth telling

    @property
    def arity(self) -> int:
        return sum(p.arity for p in self.parameters)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return tuple(kind for p in self.parameters for kind in p.kinds)

    def ranges(self) -> list[tuple[int, int]]:
        return [r for p in self.parameters for r in p.ranges()]

    @property
    def given(self) -> tuple[Any, ...]:
        """The parameters that :meth:`arguments` are of."""
        return tuple(p for p in self.parameters if p.is_shown)

    def split(self, words: Words) -> list[tuple[Any, Words]]:
        """The words of each parameter."""
        parts, at = list[tuple[Any, Words]](), 0
        for parameter in self.parameters:
            parts.append((parameter, words[at : at + parameter.arity]))
            at += parameter.arity
        return parts

    def arguments(self, words: Words) -> list[Any]:
        """The arguments as Python values."""
        return [p.argument(mine) for p, mine in self.split(words) if p.is_shown]

    def exact(self, words: Words) -> list[Any]:
        """The arguments in exact notation."""
        return [p.exact(mine) for p, mine in self.split(words) if p.is_shown]

    def aliases(self, words: Words) -> dict[str, str]:
        """Which arguments are the same memory as another one, or a part of it, as the language says that one."""
        return {}

    @property
    def tags(self) -> tuple[int, ...]:
        """The places of the words that say which other functions are called before it: 0 for none."""
        return ()

    def called_first(self, words: Words) -> list[str]:
        """The calls of other functions before that of the subject, for a person: ``set_debug(True)``."""
        return []

    def show(self, words: Words) -> str:
        """``f(0.5, {1, 2}, NULL)`` for a person."""
        return f"{self.name}({', '.join(p.show(mine) for p, mine in self.split(words) if p.is_shown)})"

    @property
    @abstractmethod
    def prototype(self) -> str:
        """The function's head as its language writes it."""

    @property
    def guessed(self) -> str:
        """``x: float, n: int`` for the parameters whose types nobody has said."""
        return ""

    @abstractmethod
    def unconfirmed(self, words: Words, outcome: Termination) -> Replay:
        """What is known of a run that was not made again."""

    @abstractmethod
    def exact_result(self, replay: Replay) -> Any:
        """What the run returned, in exact notation; None when there is nothing to tell."""

    def results(self, replay: Replay) -> list[Any] | None:
        """What each call of a run returned, in exact notation; None where a run is a single call."""
        return None

    def usual(self, words: Words) -> set[int]:
        """The places of words that read best as they are, as all those of defaults do."""
        found, at = set[int](), 0
        for parameter, mine in self.split(words):
            found.update(range(at, at + len(mine)) if parameter.default == mine else ())
            at += len(mine)
        return found

    def shorter(self, words: Words) -> Iterable[Words]:
        """The words of inputs that do less than this one: one thing of several is left out."""
        return ()

    def unused(self, several: Sequence[Words]) -> Iterable[Sequence[Words]]:
        """For each thing that a run could do and none of these inputs does, inputs of which one may do it."""
        return ()

    @abstractmethod
    def show_result(self, replay: Replay) -> str:
        """``= 0.5`` for a person; empty when there is nothing to tell."""

    def show_left(self, words: Words, replay: Replay) -> dict[str, str]:
        """What the run left in arguments, for a person: of those alone that are not as they were given."""
        return {}

    def compares(self, replay: Replay) -> bool:
        """Whether a test of the run compares something that it did: a result, what it left, how it ended."""
        return True

    @abstractmethod
    def outputs(self, replay: Replay) -> dict[str, Any]:
        """What the run left in each argument that it may change, in exact notation; None for NULL."""


@dataclass(frozen=True)
class Site:
    """One conditional of the subject: a comparison whose two outcomes are ``2*number`` (it holds) and
    ``2*number + 1`` (it does not). A switch is a chain of such sites, one a case, that share ``group``."""

    number: int
    function: str
    file: str
    line: int
    column: int
    condition: str
    form: str = "branch"  # branch, select, operand, switch; Python: assert, for, case, except; line; boundary; a fault
    group: int = -1
    case: int | None = None  # of a boundary, how many steps the operands of the comparison are apart
    last: bool = False

    @property
    def place(self) -> tuple[str, int, int, str]:
        """Where it stands in the source; code without lines is a place of its own."""
        return self.file, self.line, self.column, "" if self.line else f"{self.function}: {self.condition}"


@dataclass(frozen=True)
class Branch:
    """One outcome of a site that the report lists; ``outcome`` is its number among the subject's outcomes."""

    id: str
    site: Site
    outcome: int
    label: str  # true, false, case 3, default, reached, equal, above, below; one of FAULTS

    @property
    def is_fault(self) -> bool:
        """Whether it is no branch of the source, but what may go wrong with an operation."""
        return self.site.form in FAULTS


STEPS = (0, 1, -1)  # on the boundary of a comparison, and next to it: how far the left operand is from the right one
_BESIDE = {0: ("=", "equal"), 1: ("+", "above"), -1: ("-", "below")}


def branches_of(sites: list[Site]) -> list[Branch]:
    """The branches of the sites: two each; for a switch one a case and one for default; else what the site asks for."""
    branches, names, comparisons, times = list[Branch](), dict[int, int](), dict[int, int](), Counter[str]()
    for site in sites:
        if site.form == "boundary":
            name = comparisons.setdefault(site.group, len(comparisons))
            sign, label = _BESIDE[site.case or 0]
            branches.append(Branch(f"{name}{sign}", site, 2 * site.number, label))
            continue
        if site.form in FAULTS:
            times[place := f"{site.form}@{site.line}:{site.column}"] += 1
            branches.append(Branch(place + f".{times[place]}" * (times[place] > 1), site, 2 * site.number, site.form))
            continue
        if site.form == "line":
            places = sum(branch.site.form == "line" for branch in branches)
            branches.append(Branch(f"L{site.line}" + f".{places + 1}" * (places > 0), site, 2 * site.number, "reached"))
            continue
        key = site.number if site.form != "switch" else -1 - site.group
        name = names.setdefault(key, len(names))
        if site.form == "switch":
            branches.append(Branch(f"{name}C{site.case}", site, 2 * site.number, f"case {site.case}"))
            if site.last:
                branches.append(Branch(f"{name}D", site, 2 * site.number + 1, "default"))
        else:
            branches.append(Branch(f"{name}T", site, 2 * site.number, "true"))
            branches.append(Branch(f"{name}F", site, 2 * site.number + 1, "false"))
    return branches


def words_for(branches: Sequence[Branch]) -> tuple[str, str]:
    """What one of these is called, and several."""
    return ("boundary", "boundaries") if any(b.site.form == "boundary" for b in branches) else ("branch", "branches")


@dataclass(frozen=True)
class Decision:
    """One evaluation of a site during a run: which outcome, and the operands it compared."""

    site: int
    holds: bool
    op: int
    left: float | int
    right: float | int


@dataclass(frozen=True)
class Execution:
    """What one run of the instrumented subject did."""

    outcome: Termination
    decisions: tuple[Decision, ...]
    covered: frozenset[int]  # numbers of the outcomes taken
    detail: str = ""
    truncated: bool = False  # the run made more decisions than were recorded; ``covered`` and ``latest`` are complete
    latest: tuple[int, ...] = ()  # the same outcomes, in the order of their last times, the latest first


@dataclass(frozen=True)
class Run:
    """One run of the instrumented subject.

    Attributes:
        words, outcome: its input, and how it ended.
        covered: numbers of the outcomes of sites that it took.
        end: which of the ends known so far it came to, if it did not return; one more, if by one that counts as that.
    """

    words: Words
    outcome: Termination
    covered: frozenset[int]
    end: int = 0

    @property
    def returned(self) -> bool:
        return self.outcome is Termination.RETURNED


@dataclass(frozen=True)
class Replay:
    """What one run of the plain function did; each language adds to it. ``uncounted`` says what the input does where
    that is no finding (``fails "assert x > 0" (line 3), which ...``). ``place`` is the file and line that an exception
    came from, if known. ``varies`` says on what else than the input the result depends: ``the clock``. ``is_missing``:
    there was no time to run the plain function, and nothing is known but how the instrumented one ended."""

    outcome: Termination
    detail: str = field(default="", kw_only=True)
    uncounted: str = field(default="", kw_only=True)
    place: str = field(default="", kw_only=True)
    varies: str = field(default="", kw_only=True)
    is_missing: bool = field(default=False, kw_only=True)

    def varying(self, cause: str) -> Replay | None:
        """The same, of which no test expects what depends on something else than the input; None if nothing is left."""
        return None

    @property
    def ending(self) -> str:
        """How it ended, for a person."""
        told = f": {self.detail}" if self.detail else ""
        return self.detail if told and self.outcome is Termination.FORBIDDEN else self.outcome.message + told
