"""The execution tree: the decisions of all runs so far (Xie et al. 2009, section 3).

To *flip* a node is to find an input whose run reaches the node's decision and takes the other branch there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from ..model.path import Choice, PathCondition
from ..term.core.nodes import Term
from .fitness import Fitness

MOST_HITS = 256  # higher counts are not told apart (Xie et al. 2009, section 4.2)
_MOST_LEVEL = MOST_HITS.bit_length()

Branch = tuple[int, bool]  # the site (negative: the place of a condition without one), and its decision


class Status(Enum):
    """The state of a node."""

    FIXED = "no input decides it otherwise: it depends on none, or the same was decided before"
    OPEN = "nobody has tried to flip it"
    FLIPPED = "both of its branches have been taken"
    EXHAUSTED = "no input decides it otherwise here, as a solver has proved"
    GIVEN_UP = "not known"
    UNSTEADY = "the same decisions led here and elsewhere: the function keeps a state between calls"


@dataclass(frozen=True)
class Path:
    """A run that was executed symbolically.

    Attributes:
        condition: its path condition.
        fitness: how close it came to each target.
    """

    condition: PathCondition
    fitness: Fitness


@dataclass(eq=False)
class Node:
    """A decision in the tree, reached by the decisions above it.

    Attributes:
        branch: the branch that the first run took.
        depth: the number of nodes above it that depend on the input.
        path: the path of the first run.
        number: the index of the decision in that path's choices.
        stack: the call stack at the decision, the outermost call first.
        frequency: how often its site was decided above it; 0 for a condition without a site.
        hits: for each branch (site 0 true, site 0 false, site 1 true, ...) a byte that says how often the path took it
            above the node. 0 means never, 1 once, 2 two or three times, 3 four to seven times, and so on.
        status: its state.
        why: the reason why it was last given up, for people; empty if it never was.
        after: the nodes below it, by decision. A decision that no run took has no entry.
    """

    branch: Branch
    depth: int
    path: Path
    number: int
    stack: tuple[int, ...]
    frequency: int
    hits: bytes
    status: Status
    why: str = ""
    after: dict[bool, Node] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """Whether it can still be flipped."""
        return self.status is Status.OPEN

    @property
    def before(self) -> Choice | None:
        """The last choice before it on its path. None if it is the first."""
        return self.path.condition.choices[self.number - 1] if self.number else None

    @property
    def choice(self) -> Choice:
        """Its choice on the path of the first run."""
        return self.path.condition.choices[self.number]


class Tree:
    """All known paths of a function.

    Args:
        sites: the number of sites.

    Attributes:
        paths: the paths in the order of :meth:`add`.
        nodes: the nodes that depend on the input, in the order in which they were found, with any status.
        unsteady: the nodes at which a run with the same decisions reached another place. What lies below them is not
            explored any more.
    """

    def __init__(self, sites: int) -> None:
        self._sites = sites
        self._root: Node | None = None
        self.paths: list[Path] = []
        self.nodes: list[Node] = []
        self.unsteady: list[Node] = []

    def add(self, path: Path) -> list[Node]:
        """Add a path and return its new open nodes, in the order of the path.

        Known nodes change their status: a node is flipped if the path takes its other branch. It becomes unsteady, with
        all nodes below it, if equal decisions lead to another place. Nodes below an unsteady node are not added, and
        neither are those after a difference that a concretisation explains.
        """
        fresh = list(self._grown(path))
        self.nodes += fresh
        self.paths.append(path)
        return fresh

    def _grown(self, path: Path) -> Iterator[Node]:
        """Put a path into the tree and yield the new open nodes; see :meth:`add`."""
        counts, hits, depth = [0] * (2 * self._sites), bytearray(2 * self._sites), 0
        before: Node | None = None
        holds, held = True, set[Term]()
        for number, choice in enumerate(path.condition.choices):
            known = self._root if before is None else before.after.get(holds)
            is_fixed = choice.constraint.is_constant or choice.constraint in held
            held.add(choice.constraint)
            if known is None:
                status = Status.FIXED if is_fixed else Status.OPEN
                branch = (choice.site, choice.holds)
                own = sum(counts[2 * choice.site : 2 * choice.site + 2]) if choice.site >= 0 else 0
                known = Node(branch, depth, path, number, choice.stack, own, bytes(hits), status)
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
                return  # because other values were concretised
            elif known.branch[0] != choice.site:
                return self._close(known)
            elif known.branch[1] != choice.holds:
                known.status = Status.FLIPPED
            if choice.site >= 0:
                at = 2 * choice.site + (not choice.holds)
                counts[at] += 1
                hits[at] = min(counts[at].bit_length(), _MOST_LEVEL)
            depth += not is_fixed
            before, holds = known, choice.holds

    def _close(self, node: Node) -> None:
        """Mark a node and everything below it as unsteady."""
        self.unsteady.append(node)
        waiting = [node]
        while waiting:
            closed = waiting.pop()
            closed.status = Status.UNSTEADY
            waiting += closed.after.values()

    @property
    def is_exhausted(self) -> bool:
        """Whether all paths are known, as far as runs could be executed symbolically; also true without a path."""
        return all(node.status in (Status.FLIPPED, Status.EXHAUSTED) for node in self.nodes)


def follows(choices: Sequence[Choice], node: Node) -> bool:
    """Return whether a run followed the path that was predicted for the flip of a node, the flip included.

    Args:
        choices: the choices of the run.
        node: the node that it was meant to flip.
    """
    predicted = [(choice.site, choice.holds) for choice in node.path.condition.choices[: node.number]]
    predicted.append((node.branch[0], not node.branch[1]))
    return [(choice.site, choice.holds) for choice in choices[: node.number + 1]] == predicted
