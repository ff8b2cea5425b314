"""The execution tree: what the runs so far have decided, and what of it can be decided otherwise (Xie et al. 2009,
section 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from ..model.path import Choice, PathCondition
from ..term.core.nodes import Term
from .fitness import Fitness

MOST_HITS = 255  # that are told apart

Branch = tuple[int, bool]  # a site (negative: the place of a condition that has none), and what it decides


class Status(Enum):
    """What has become of a node."""

    FIXED = "no input decides it otherwise: it depends on none, or the same was decided before"
    OPEN = "nobody has tried to flip it"
    FLIPPED = "both of its branches have been taken"
    EXHAUSTED = "no input decides it otherwise here, as a solver has proved"
    GIVEN_UP = "not known"
    UNSTEADY = "the same decisions led here and elsewhere: the function keeps a state between calls"


@dataclass(frozen=True)
class Path:
    """A run that has been followed.

    Attributes:
        condition: its path condition.
        fitness: how close it came to each target.
    """

    condition: PathCondition
    fitness: Fitness


@dataclass(eq=False)
class Node:
    """A branching node: a decision of the tree, and the way to it.

    Attributes:
        branch: the one that was taken when it was found.
        depth: how many nodes that depend on inputs come before it.
        path: the run that found it.
        number: which of its choices.
        stack: the calls that it lies in.
        hits: how often each branch was taken before it, in this order: site 0 true, site 0 false, site 1 true, ...
        status: see :class:`Status`.
        why: it was given up.
    """

    branch: Branch
    depth: int
    path: Path
    number: int
    stack: tuple[int, ...]
    hits: bytes
    status: Status
    why: str = ""
    after: dict[bool, Node] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        return self.status is Status.OPEN

    @property
    def frequency(self) -> int:
        """How often its site was decided before it."""
        site = self.branch[0]
        return sum(self.hits[2 * site : 2 * site + 2]) if site >= 0 else 0

    @property
    def before(self) -> Choice | None:
        """The last choice of its path that comes before it."""
        return self.path.condition.choices[self.number - 1] if self.number else None

    @property
    def choice(self) -> Choice:
        return self.path.condition.choices[self.number]


class Tree:
    """All that is known of a function's paths.

    Args:
        sites: how many the function has.

    Attributes:
        paths: in the order in which they were added.
        nodes: that depend on inputs.
        unsteady: the nodes where a run with the same decisions came to another place. What lies behind them is explored
            no further.
    """

    def __init__(self, sites: int) -> None:
        self._sites = sites
        self._root: Node | None = None
        self.paths: list[Path] = []
        self.nodes: list[Node] = []
        self.unsteady: list[Node] = []

    def add(self, path: Path) -> list[Node]:
        """Take a run up; the nodes that were not known."""
        fresh = list(self._grown(path))
        self.nodes += fresh
        self.paths.append(path)
        return fresh

    def _grown(self, path: Path) -> Iterator[Node]:
        hits, depth = bytearray(2 * self._sites), 0
        before: Node | None = None
        holds, held = True, set[Term]()
        for number, choice in enumerate(path.condition.choices):
            known = self._root if before is None else before.after.get(holds)
            is_fixed = choice.constraint.is_constant or choice.constraint in held
            held.add(choice.constraint)
            if known is None:
                status = Status.FIXED if is_fixed else Status.OPEN
                branch = (choice.site, choice.holds)
                known = Node(branch, depth, path, number, choice.stack, bytes(hits), status)
                if before is None:
                    self._root = known
                else:
                    before.after[holds] = known
                if known.is_open:
                    yield known
            elif known.status is Status.UNSTEADY:
                return
            elif known.branch[0] != choice.site and not (
                path.condition.is_exact_before(choice) and known.path.condition.is_exact_before(known.choice)
            ):
                return  # other values were taken from the runs
            elif known.branch[0] != choice.site:
                return self._close(known)
            elif known.branch[1] != choice.holds:
                known.status = Status.FLIPPED
            if choice.site >= 0:
                at = 2 * choice.site + (not choice.holds)
                hits[at] = min(hits[at] + 1, MOST_HITS)
            depth += not is_fixed
            before, holds = known, choice.holds

    def _close(self, node: Node) -> None:
        """Explore no further from here."""
        self.unsteady.append(node)
        waiting = [node]
        while waiting:
            closed = waiting.pop()
            closed.status = Status.UNSTEADY
            waiting += closed.after.values()

    @property
    def is_exhausted(self) -> bool:
        """Whether every path is known, up to where the paths could be followed."""
        return all(node.status in (Status.FLIPPED, Status.EXHAUSTED) for node in self.nodes)


def follows(choices: Sequence[Choice], node: Node) -> bool:
    """Whether a run came to a node and decided otherwise there, as was predicted."""
    predicted = [(choice.site, choice.holds) for choice in node.path.condition.choices[: node.number]]
    predicted.append((node.branch[0], not node.branch[1]))
    return [(choice.site, choice.holds) for choice in choices[: node.number + 1]] == predicted
