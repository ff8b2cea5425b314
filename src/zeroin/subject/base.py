"""The types that subjects of all languages share: terminations, parameters, signatures, sites, branches and runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from ..config import FAULTS
from ..words import Kind, encode
from .target import Target as Target
from .values import Value, numbers

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Words = tuple[int, ...]
WordArray: TypeAlias = "npt.NDArray[np.int64]"  # text: a process that only reads results needs no NumPy


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
    KILLED = 10  # the worker process itself ended; set by the parent process
    RAISED = 11  # an exception that the code did not raise itself
    REFUSED = 12  # not run: the input violates a precondition, or a Python constructor rejects its arguments
    FORBIDDEN = 13  # it tried to harm the machine, and the sandbox stopped it
    HEAP = 14  # C: it wrote beside a heap block, or freed something that is not a block
    BEYOND = 15  # C: it left an array of unknown length, or an array with a negative length: no finding
    UNDEFINED = 16  # C: it did something undefined: its branches and results mean nothing

    @property
    def word(self) -> str:
        """The name in the JSON report: ``returned``, ``raised``, ``forbidden``, ``undefined`` or ``hung``.

        For all other terminations it is ``crashed``, even for ``EXITED`` and ``ASSERTED``.
        """
        named = self in (Termination.RETURNED, Termination.RAISED, Termination.FORBIDDEN, Termination.UNDEFINED)
        return self.name.lower() if named else "hung" if self is Termination.HUNG else "crashed"

    @property
    def finding(self) -> str:
        """The kind of finding: ``hang``, ``assertion``, ``exception``, ``forbidden`` or ``undefined``; else ``crash``.

        It has no meaning for ``RETURNED``.
        """
        return _FINDINGS.get(self, "crash")

    @property
    def message(self) -> str:
        """A description for the report."""
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
    Termination.BEYOND: "leaves an array of unknown length",
    Termination.UNDEFINED: "undefined behaviour",
}


class Parameter(ABC):
    """One parameter of a subject. It turns words into values.

    Its methods take the words of this parameter only, not those of the whole input.

    Attributes:
        name: the name in the source, or ``arg1`` if the source gives none.
        type: the type in the source language's notation (``double``, ``const int *``, ``list[float]``).
        default: the words of the default value, with which a call may omit the parameter. None: there is no default, or
            it has no words.
        is_shown: whether the parameter is in the source.
    """

    name: str
    type: str
    default: Words | None = None
    is_shown: bool = True

    @property
    @abstractmethod
    def kinds(self) -> tuple[Kind, ...]:
        """The kind (primitive type) of each of its words."""

    @property
    def arity(self) -> int:
        """The number of its words."""
        return len(self.kinds)

    @property
    @abstractmethod
    def driven(self) -> str:
        """A description, for people, of the values that it gets."""

    @abstractmethod
    def ranges(self) -> list[tuple[int, int]]:
        """Return the lowest and the highest value of each of its words, both inclusive."""

    @abstractmethod
    def hints(self) -> list[tuple[int, ...]]:
        """Return further values worth trying, for each of its words; an empty tuple for a word without any.

        They may lie outside of :meth:`ranges`.
        """

    def refitted(self, words: Words, before: Parameter) -> Words:
        """Return the words of the same value after the subject was loaded with larger arrays. New elements are 0.

        Args:
            words: the words of the value in the earlier subject.
            before: the parameter in the earlier subject.
        """
        return (*words, *(encode(kind, 0) for kind in self.kinds[len(words) :]))

    def runs(self) -> Sequence[tuple[int, Sequence[Words]]]:
        """Return values worth trying for several words together, each with the index of its first word.

        An example is a string, whose words are its characters. Indices count from the parameter's first word. Values
        may lie outside of :meth:`ranges`.
        """
        return ()

    def values_in(self, words: Words, at: int = 0) -> Iterator[Value]:
        """Yield the values that these words encode. Words that this input does not use are left out.

        Args:
            words: the words of this parameter.
            at: the index of the first one in the input.
        """
        return numbers(self.kinds, at)

    @abstractmethod
    def argument(self, words: Words) -> Any:
        """Return the value that the words encode, made of Python's numbers, strings, None, lists and dicts."""

    @abstractmethod
    def exact(self, words: Words) -> Any:
        """Return the value in the notation of :func:`zeroin.words.exact`."""

    @abstractmethod
    def show(self, words: Words) -> str:
        """Return the value as text for people."""


@dataclass(frozen=True)
class Signature(ABC):
    """The name, parameters and result of a subject.

    Each language has a subclass, which knows the :class:`Replay` of its language.

    Attributes:
        name: the function's name.
        parameters: the parameters, of the language's subclass of :class:`Parameter`.
        result_type: the type of the result in the language's notation. Empty if the source does not give it.
        notes: remarks for the report.
        assumed: the preconditions on the inputs, as text.
        several_engines: whether the report should say which engine runs the subject.
    """

    name: str
    parameters: tuple[Any, ...]
    result_type: str = ""
    notes: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    several_engines: ClassVar[bool] = False

    @property
    def arity(self) -> int:
        """The number of words of an input."""
        return sum(p.arity for p in self.parameters)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of each word."""
        return tuple(kind for p in self.parameters for kind in p.kinds)

    def ranges(self) -> list[tuple[int, int]]:
        """Return the lowest and the highest value of each word, both inclusive."""
        return [r for p in self.parameters for r in p.ranges()]

    @property
    def given(self) -> tuple[Any, ...]:
        """The parameters that :meth:`arguments` returns values for: those in the source."""
        return tuple(p for p in self.parameters if p.is_shown)

    def split(self, words: Words) -> list[tuple[Any, Words]]:
        """Return each parameter with its words.

        A subclass may leave out words that this call does not use. ``Signature.split(self, words)`` never does.
        """
        parts, at = list[tuple[Any, Words]](), 0
        for parameter in self.parameters:
            parts.append((parameter, words[at : at + parameter.arity]))
            at += parameter.arity
        return parts

    def arguments(self, words: Words) -> list[Any]:
        """Return the arguments as Python values, in the order of :attr:`given`."""
        return [p.argument(mine) for p, mine in self.split(words) if p.is_shown]

    def exact(self, words: Words) -> list[Any]:
        """Return the arguments in exact notation, in the order of :attr:`given`."""
        return [p.exact(mine) for p, mine in self.split(words) if p.is_shown]

    def aliases(self, words: Words) -> dict[str, str]:
        """Return the arguments that share memory with another one, with an expression for it: ``{"b": "a"}``.

        Empty if no arguments share memory.
        """
        return {}

    @property
    def tags(self) -> tuple[int, ...]:
        """The indices of the words that choose functions to call before the subject. A word of 0 means no call."""
        return ()

    @property
    def late(self) -> tuple[int, ...]:
        """The indices of words that are 0 until a search has been in vain for a while."""
        return ()

    def called_first(self, words: Words) -> list[str]:
        """Return the calls of other functions before that of the subject, as text for people: ``set_debug(True)``."""
        return []

    def values_in(self, words: Words) -> list[Value]:
        """Return the values that the input consists of. Words that it does not use are left out."""
        found, at = list[Value](), 0
        for parameter in self.parameters:
            found += parameter.values_in(words[at : at + parameter.arity], at)
            at += parameter.arity
        return found

    def show(self, words: Words) -> str:
        """Return the call as text for people: ``f(0.5, {1, 2}, NULL)``."""
        return f"{self.name}({', '.join(p.show(mine) for p, mine in self.split(words) if p.is_shown)})"

    @property
    @abstractmethod
    def prototype(self) -> str:
        """The function's declaration in its language."""

    @property
    def guessed(self) -> str:
        """The parameters whose types were guessed: ``x: float, n: int``. Empty if there are none."""
        return ""

    @abstractmethod
    def unconfirmed(self, words: Words, outcome: Termination) -> Replay:
        """Return a replay that only tells the termination, for a run that was not repeated on the plain function."""

    @abstractmethod
    def exact_result(self, replay: Replay) -> Any:
        """Return the result of a run in exact notation.

        None if there is nothing to report: no result, one that can not be compared, or a run that did not return.
        """

    def results(self, replay: Replay) -> list[Any] | None:
        """Return the result of each call of a run in exact notation. None if a run is a single call."""
        return None

    def usual(self, words: Words) -> set[int]:
        """Return the indices of words that simplification does not change, such as those of default values."""
        found, at = set[int](), 0
        for parameter, mine in self.split(words):
            found.update(range(at, at + len(mine)) if parameter.default == mine else ())
            at += len(mine)
        return found

    def shorter(self, words: Words) -> Iterable[Words]:
        """Yield the words of simpler inputs. Each omits one part of this input."""
        return ()

    def unused(self, several: Sequence[Words]) -> Iterable[Sequence[Words]]:
        """Yield candidate inputs for each feature (such as a method) that none of the given inputs uses.

        One of the candidates for a feature may use it.
        """
        return ()

    @abstractmethod
    def show_result(self, replay: Replay) -> str:
        """Return the result as text for people: ``= 0.5``, or how the run ended: ``raises ValueError: x``, ``  hung``.

        Empty if there is nothing to report.
        """

    def show_left(self, words: Words, replay: Replay) -> dict[str, str]:
        """Return the arguments that the run changed, by name, with their new values as text for people."""
        return {}

    def compares(self, replay: Replay) -> bool:
        """Return whether a test of this run compares anything: a result, a changed argument, or how it ended."""
        return True

    @abstractmethod
    def outputs(self, replay: Replay) -> dict[str, Any]:
        """Return the new value of each argument that the run may change, by name, in exact notation; None for NULL.

        In Python, only the arguments that the run did change are included.
        """


@dataclass(frozen=True)
class Site:
    """A place in the subject with a probe: a comparison with two branches.

    Branch ``2 * number`` is taken if the comparison holds, branch ``2 * number + 1`` if it does not. A switch is a
    chain of sites, one for each case, that have the same ``group``.

    Attributes:
        number: the index in ``Subject.sites``.
        function: the name of the function that contains it.
        file, line, column: its position in the source. Lines and columns count from 1; line 0: unknown.
        condition: the condition as text.
        form: ``branch``, ``select``, ``operand`` or ``switch``; in Python also ``assert``, ``for``, ``case`` and
            ``except``; else ``line``, ``boundary``, ``path`` or a fault (:data:`zeroin.config.FAULTS`).
        group: the number of the switch or comparison that it belongs to; -1 for none.
        case: for a switch, the case; for a boundary, the number of steps between the operands; None for other forms.
        last: whether it is the last case of a switch.
        source_name: for C++, the function's name in the source; ``function`` is then the linker's name. Else empty.
        is_silent: for a fault: whether the run goes on, with an infinity, a NaN or a number that is not exact.
        case_name: for a case of a switch, the enumerator that the source has there; empty if there is none.
        is_meant: for a fault: whether the source makes it on purpose. It is a finding only if the user names its kind.
    """

    number: int
    function: str
    file: str
    line: int
    column: int
    condition: str
    form: str = "branch"
    group: int = -1
    case: int | None = None
    last: bool = False
    source_name: str = ""
    is_silent: bool = False
    case_name: str = ""
    is_meant: bool = False

    @property
    def within(self) -> str:
        """The name of the function that contains it, for people."""
        return self.source_name or self.function

    @property
    def place(self) -> tuple[str, int, int, str]:
        """File, line, column, and an empty text. For a site without a line, the text is its function and condition."""
        return self.file, self.line, self.column, "" if self.line else f"{self.function}: {self.condition}"


@dataclass(frozen=True)
class Branch:
    """One branch of a site that the report lists.

    Attributes:
        id: the name that users give, such as ``3T``. Its number counts the listed conditions from 0, a switch as one.
            So it is not always the number of the site.
        site: the site.
        outcome: the number of the branch.
        label: ``true``, ``false``, ``case 3``, ``default``, ``reached``, ``equal``, ``above``, ``below``, ``followed``
            (a path) or a fault.
    """

    id: str
    site: Site
    outcome: int
    label: str

    @property
    def shown(self) -> str:
        """The label for people: with the enumerator instead of a case's number."""
        return f"case {self.site.case_name}" if self.site.case_name and self.label != "default" else self.label

    @property
    def is_fault(self) -> bool:
        """Whether it is not a branch of the source but the fault of an operation, such as a division by zero."""
        return self.site.form in FAULTS


STEPS = (0, 1, -1)  # boundary values: how far the left operand is from the right one
_BESIDE = {0: ("=", "equal"), 1: ("+", "above"), -1: ("-", "below")}


def branches_of(sites: list[Site]) -> list[Branch]:
    """Return the branches that the report lists, in the order of the sites.

    A condition has two branches. A switch has one for each case, and one for the default. A boundary, a fault and a
    line have one each: the true side of their site.
    """
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
    """Return the singular and the plural noun for these branches."""
    return ("boundary", "boundaries") if any(b.site.form == "boundary" for b in branches) else ("branch", "branches")


@dataclass(frozen=True)
class Decision:
    """One evaluation of a site during a run.

    Attributes:
        site: the number of the site.
        holds: whether the comparison held.
        op: the comparison, as in :mod:`zeroin.distance`.
        left, right: the operands.
    """

    site: int
    holds: bool
    op: int
    left: float | int
    right: float | int


@dataclass(frozen=True)
class Execution:
    """A run of the instrumented subject with its decisions.

    Attributes:
        outcome: how it ended.
        decisions: the first decisions, in order.
        covered: the numbers of the branches taken.
        detail: more about how it ended; empty if nothing is known.
        truncated: whether ``decisions`` is incomplete. ``covered`` and ``latest`` are always complete.
        latest: the branches taken, the one taken last first.
    """

    outcome: Termination
    decisions: tuple[Decision, ...]
    covered: frozenset[int]
    detail: str = ""
    truncated: bool = False
    latest: tuple[int, ...] = ()


@dataclass(frozen=True)
class Run:
    """A run of the instrumented subject.

    Attributes:
        words: the input.
        outcome: how it ended.
        covered: the numbers of the branches taken.
        end: the number of the place where it ended, if it did not return. For a run that returned: 0, or the number
            plus 1 of the place that raised an expected exception.
        needed: the indices of values that are not plausible (:mod:`zeroin.suite.plausible`), although the input loses
            its purpose with each plausible value that was tried.
    """

    words: Words
    outcome: Termination
    covered: frozenset[int]
    end: int = 0
    needed: tuple[int, ...] = field(default=(), compare=False)

    @property
    def returned(self) -> bool:
        """Whether the run returned."""
        return self.outcome is Termination.RETURNED


@dataclass(frozen=True)
class Replay:
    """What one run of the plain function did. Each language adds its results.

    Attributes:
        outcome: how it ended.
        detail: more about how it ended; empty if nothing is known.
        uncounted: the reason why this is no finding, such as ``fails "assert x > 0" (line 3), which ...``. Empty if
            there is none.
        place: ``file:line`` that an exception came from; empty if it is unknown, or if there was no exception.
        varies: what else than the input the result depends on, such as ``the clock``; empty if nothing is known.
        is_missing: whether there was no time to run the plain function. Then ``outcome`` is that of the instrumented
            run.
    """

    outcome: Termination
    detail: str = field(default="", kw_only=True)
    uncounted: str = field(default="", kw_only=True)
    place: str = field(default="", kw_only=True)
    varies: str = field(default="", kw_only=True)
    is_missing: bool = field(default=False, kw_only=True)

    def varying(self, cause: str) -> Replay | None:
        """Return a copy without the results that depend on ``cause``, which no test can expect.

        None if no result is left.
        """
        return None

    @property
    def ending(self) -> str:
        """How the run ended, as text for people."""
        told = f": {self.detail}" if self.detail else ""
        return self.detail if told and self.outcome is Termination.FORBIDDEN else self.outcome.message + told
