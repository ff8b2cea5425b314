"""The vocabulary that every subject shares, whatever its language."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from ..words import Kind, decode, encode, exact, readable, value_range, word_from_bits, word_range

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Words = tuple[int, ...]
WordArray: TypeAlias = "npt.NDArray[np.int64]"  # text: who only reads results needs no NumPy


class Outcome(IntEnum):
    """How one run ended. Keep in step with ``runtime.h``."""

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
    RAISED = 11  # Python: an exception that the code did not raise itself
    REFUSED = 12  # Python: a constructor does not take these arguments, so there was nothing to call
    FORBIDDEN = 13  # it tried to harm the machine that it runs on, and was stopped

    @property
    def word(self) -> str:
        """``returned``, ``raised``, ``forbidden``, ``crashed`` or ``hung``, as the JSON report says."""
        if self in (Outcome.RETURNED, Outcome.RAISED, Outcome.FORBIDDEN):
            return self.name.lower()
        return "hung" if self is Outcome.HUNG else "crashed"

    @property
    def finding(self) -> str:
        """The kind of finding: ``crash``, ``hang``, ``assertion``, ``exception`` or ``forbidden``."""
        kinds = {Outcome.HUNG: "hang", Outcome.ASSERTED: "assertion", Outcome.RAISED: "exception",
                 Outcome.FORBIDDEN: "forbidden"}  # fmt: skip
        return kinds.get(self, "crash")

    @property
    def message(self) -> str:
        return _MESSAGES[self]


_MESSAGES = {
    Outcome.RETURNED: "returned",
    Outcome.SEGV: "segmentation fault (SIGSEGV): an invalid address was used",
    Outcome.FPE: "arithmetic fault (SIGFPE): an integer division by zero or overflow",
    Outcome.ILL: "illegal instruction (SIGILL/SIGTRAP)",
    Outcome.ABORT: "abort() was called (SIGABRT)",
    Outcome.EXITED: "exit() was called",
    Outcome.ASSERTED: "assertion failed",
    Outcome.HUNG: "did not return: the run was stopped",
    Outcome.STACK: "stack overflow: the recursion is too deep",
    Outcome.MEMORY: "asked for more memory than the limit",
    Outcome.KILLED: "the process that ran it ended",
    Outcome.RAISED: "raised",
    Outcome.REFUSED: "an argument could not be made",
    Outcome.FORBIDDEN: "tries what it may not do",
}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a subject.

    Attributes:
        name: as in the source, or ``arg1`` when the source gives none.
        type: the type as the source's language writes it (``double``, ``const int *``).
        kind: the primitive kind of the value, or of what the pointer points to.
        length: None for a plain value; for a pointer or array, how many elements it points to.
        nullable: the subject compares this pointer with NULL, so NULL is tried as well.
        count_of: name of the array parameter whose used length this integer gives (``--array xs=8,n``).
        values: constants worth trying (an enumeration's members).
    """

    name: str
    type: str
    kind: Kind
    length: int | None = None
    nullable: bool = False
    is_output: bool = False
    count_of: str | None = None
    limit: int | None = None
    values: tuple[int, ...] = ()

    @property
    def arity(self) -> int:
        """How many words it takes: one an element, and one that says NULL."""
        return (1 if self.length is None else self.length) + int(self.nullable)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        head = (Kind.BOOL,) if self.nullable else ()
        return head + (self.kind,) * (1 if self.length is None else self.length)

    def ranges(self) -> list[tuple[int, int]]:
        """Lowest and highest word of each of its words."""
        if self.limit is not None:
            return [(encode(self.kind, 0), encode(self.kind, min(self.limit, value_range(self.kind)[1])))]
        return [word_range(kind) for kind in self.kinds]

    def hints(self) -> list[tuple[int, ...]]:
        """For each of its words further words worth trying."""
        return [tuple(word_from_bits(kind, v & ((1 << kind.bits) - 1)) for v in self.values) for kind in self.kinds]

    @property
    def driven(self) -> str:
        """What values it is given, in words."""
        what = {Kind.F64: "any double", Kind.F32: "any float", Kind.BOOL: "0 or 1"}.get(
            self.kind, f"any {'signed' if self.kind.signed else 'unsigned'} {self.kind.bits}-bit integer"
        )
        if self.length is None:
            return what
        return f"points to {self.length} of: {what}" + ("; or NULL" if self.nullable else "")

    def own(self, words: Words) -> Words | None:
        """Its words without the one that says NULL; None for a NULL pointer."""
        if not self.nullable:
            return words
        return None if words[0] else words[1:]

    def argument(self, words: Words) -> Any:
        """The value of its words: a list for an array, None for NULL."""
        return self._render(words, decode)

    def exact(self, words: Words) -> Any:
        """The value in the notation of :func:`zeroin.words.exact`."""
        return self._render(words, exact)

    def show(self, words: Words) -> str:
        """The value for a person."""
        shown = self._render(words, readable)
        if shown is None:
            return "NULL"
        return "{" + ", ".join(shown) + "}" if isinstance(shown, list) else str(shown)

    def _render(self, words: Words, one: Any) -> Any:
        mine = self.own(words)
        if mine is None:
            return None
        return one(self.kind, mine[0]) if self.length is None else [one(self.kind, word) for word in mine]


@dataclass(frozen=True)
class Signature:
    """Name, parameters and result of a subject. ``result`` is None when nothing comparable is returned."""

    name: str
    parameters: tuple[Any, ...]  # Parameter, or what offers the same in another language
    result: Kind | None
    result_type: str = "void"
    notes: tuple[str, ...] = ()
    several_engines: ClassVar[bool] = False  # whether such subjects run natively is worth telling

    @property
    def arity(self) -> int:
        return sum(p.arity for p in self.parameters)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return tuple(kind for p in self.parameters for kind in p.kinds)

    def ranges(self) -> list[tuple[int, int]]:
        return [r for p in self.parameters for r in p.ranges()]

    def split(self, words: Words) -> list[tuple[Any, Words]]:
        """The words of each parameter."""
        parts: list[tuple[Any, Words]] = []
        at = 0
        for parameter in self.parameters:
            parts.append((parameter, words[at : at + parameter.arity]))
            at += parameter.arity
        return parts

    def arguments(self, words: Words) -> list[Any]:
        """The arguments as Python values."""
        return [parameter.argument(mine) for parameter, mine in self.split(words)]

    def exact(self, words: Words) -> list[Any]:
        """The arguments in exact notation."""
        return [parameter.exact(mine) for parameter, mine in self.split(words)]

    def show(self, words: Words) -> str:
        """``f(0.5, {1, 2}, NULL)`` for a person."""
        return f"{self.name}({', '.join(parameter.show(mine) for parameter, mine in self.split(words))})"

    @property
    def prototype(self) -> str:
        """``double f(double x, int *out)``."""
        parameters = ", ".join(_declare(p.type, p.name) for p in self.parameters) or "void"
        return f"{_declare(self.result_type, self.name)}({parameters})"

    def unconfirmed(self, words: Words, outcome: Outcome) -> Replay:
        """What is known of a run that was not made again."""
        return Replay(outcome)

    def exact_result(self, replay: Replay) -> Any:
        """What the run returned, in exact notation; None when there is nothing to tell."""
        if self.result is None or replay.result is None:
            return None
        return exact(self.result, word_from_bits(self.result, replay.result))

    def show_result(self, replay: Replay) -> str:
        """``= 0.5`` for a person; empty when there is nothing to tell."""
        if replay.outcome is not Outcome.RETURNED:
            return f"  {replay.outcome.word}"
        if self.result is None or replay.result is None:
            return ""
        return f"= {readable(self.result, word_from_bits(self.result, replay.result))}"

    def outputs(self, replay: Replay) -> dict[str, Any]:
        """What the run left in each argument that it may change, in exact notation; None for NULL."""
        pointers = [parameter for parameter in self.parameters if parameter.length is not None]
        return {
            p.name: None if after is None else [exact(p.kind, word_from_bits(p.kind, bits)) for bits in after]
            for p, after in zip(pointers, replay.outputs, strict=False)
            if p.is_output
        }


def _declare(type_: str, name: str) -> str:
    return type_ + name if type_.endswith(("*", "&")) else f"{type_} {name}"


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
    form: str = "branch"  # branch, select, operand or switch; Python: assert, for, case, except
    group: int = -1
    case: int | None = None
    last: bool = False


@dataclass(frozen=True)
class Branch:
    """One outcome of a site that the report lists; ``outcome`` is its number among the subject's outcomes."""

    id: str
    site: Site
    outcome: int
    label: str  # true, false, case 3, default


def branches_of(sites: list[Site]) -> list[Branch]:
    """The branches of the sites: two each, and for a switch one a case and one for default."""
    branches = []
    names: dict[int, int] = {}
    for site in sites:
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

    outcome: Outcome
    decisions: tuple[Decision, ...]
    covered: frozenset[int]  # numbers of the outcomes taken
    detail: str = ""
    truncated: bool = False  # the run made more decisions than were recorded; ``covered`` and ``latest`` are complete
    latest: tuple[int, ...] = ()  # the same outcomes, in the order of their last times, the latest first


@dataclass(frozen=True)
class Replay:
    """What one run of the plain function did: the outcome, the result's bits, and the bits of what every
    pointer parameter points to afterwards (None for NULL)."""

    outcome: Outcome
    result: int | None = None
    outputs: tuple[tuple[int, ...] | None, ...] = ()
    detail: str = ""

    @property
    def ending(self) -> str:
        """How it ended, for a person."""
        if self.outcome is Outcome.FORBIDDEN and self.detail:
            return self.detail  # says it all
        return self.outcome.message + (f": {self.detail}" if self.detail else "")
