"""Frontiers, which choose the node to flip next: basic ones and combinations (Xie et al. 2009, section 4.2).

An expression such as ``RoundRobin(Shortest(), Random())`` is only a description. :meth:`Frontier.empty` makes a working
frontier from it. A frontier gets all new nodes. Before it returns a node, it checks whether the node is still open.
"""

from __future__ import annotations

import copy
import heapq
import itertools
import random
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Self

from .fitness import FitnessTarget, Gains
from .tree import MOST_HITS, Node

MOST_IN_A_ROW = 256


@dataclass
class View:
    """The part of an exploration that frontiers see.

    Attributes:
        random: the source of random choices.
        gains: the gains of the flips so far.
        is_target: tells whether a target is still uncovered.
        flipped: functions that are called after each run that was meant to flip a node, also if it did not. They get
            the node and the uncovered targets that came closer than ever before.
    """

    random: random.Random
    gains: Gains = field(default_factory=Gains)
    is_target: Callable[[FitnessTarget], bool] = lambda target: True
    flipped: list[Callable[[Node, set[FitnessTarget]], None]] = field(default_factory=list)


class Frontier(ABC):
    """A set of nodes from which it chooses the next one.

    Attributes:
        view: the view of the exploration. A description has none.
        outer: the frontier that contains this one; None for the outermost.
    """

    view: View
    outer: Frontier | None = None

    def empty(self, view: View, outer: Frontier | None = None) -> Self:
        """Return a new working frontier of this description, without nodes. The description stays unchanged.

        Args:
            view: the view of the exploration.
            outer: the frontier that contains the new one; None for the outermost.
        """
        made = copy.copy(self)
        made.view, made.outer = view, outer
        made.begin()
        return made

    @abstractmethod
    def begin(self) -> None:
        """Forget all nodes."""

    @abstractmethod
    def add(self, node: Node) -> None:
        """Add an open node: a new one, or one that was given up and is open again."""

    @abstractmethod
    def choose(self) -> Node | None:
        """Return an open node and forget it; None if it has none to offer until further nodes are added.

        Nodes that are not open any more are dropped. The returned node stays open: the caller settles its status.
        """

    def progressed(self, inner: Frontier) -> None:
        """Note that an inner frontier made progress, so that it gets an extra turn.

        All frontiers pass this on to the outer one; only :class:`RoundRobin` gives extra turns.

        Args:
            inner: the frontier directly inside this one that made progress, or that contains the one that did.
        """
        if self.outer is not None:
            self.outer.progressed(self)


# ---- basic frontiers ----


class Random(Frontier):
    """A random node."""

    def begin(self) -> None:
        self._nodes: list[Node] = []

    def add(self, node: Node) -> None:
        self._nodes.append(node)

    def choose(self) -> Node | None:
        while self._nodes:
            at = self.view.random.randrange(len(self._nodes))
            self._nodes[at], self._nodes[-1] = self._nodes[-1], self._nodes[at]
            node = self._nodes.pop()
            if node.is_open:
                return node
        return None


class _ByDepth(Frontier):
    """Nodes sorted by depth in the execution tree, then by age."""

    sign = 1

    def begin(self) -> None:
        self._nodes: list[tuple[int, int, Node]] = []
        self._count = itertools.count()

    def add(self, node: Node) -> None:
        heapq.heappush(self._nodes, (self.sign * node.depth, self.sign * next(self._count), node))

    def _first(self) -> Node | None:
        """Return the first open node without forgetting it; None if there is none."""
        while self._nodes and not self._nodes[0][2].is_open:
            heapq.heappop(self._nodes)
        return self._nodes[0][2] if self._nodes else None

    def choose(self) -> Node | None:
        node = self._first()
        if node is not None:
            heapq.heappop(self._nodes)
        return node


class IterativeDeepening(_ByDepth):
    """The node with the smallest depth, the oldest first."""


class DepthFirst(_ByDepth):
    """The node with the greatest depth, the latest first."""

    sign = -1


class Shortest(_ByDepth):
    """A node with the smallest depth that any node ever had; None if none of these is open any more."""

    def begin(self) -> None:
        super().begin()
        self._smallest: int | None = None

    def add(self, node: Node) -> None:
        super().add(node)
        self._smallest = node.depth if self._smallest is None else min(self._smallest, node.depth)

    def choose(self) -> Node | None:
        node = self._first()
        return super().choose() if node is not None and node.depth == self._smallest else None


class BreadthFirst(Frontier):
    """The oldest node."""

    def begin(self) -> None:
        self._nodes: deque[Node] = deque()

    def add(self, node: Node) -> None:
        self._nodes.append(node)

    def choose(self) -> Node | None:
        while self._nodes:
            node = self._nodes.popleft()
            if node.is_open:
                return node
        return None


# ---- combinations ----


class Inner:
    """A frontier inside another one. It passes new nodes on only when it has to choose one.

    The result is the same as with passing them on at once. It saves time because many inner frontiers never choose.

    Args:
        frontier: the inner frontier, without nodes.
    """

    __slots__ = ("_new", "add", "frontier")

    def __init__(self, frontier: Frontier) -> None:
        self.frontier, self._new = frontier, list[Node]()
        self.add = self._new.append

    def choose(self) -> Node | None:
        """Pass the new nodes on, and let the inner frontier choose, see :meth:`Frontier.choose`."""
        for node in self._new:
            self.frontier.add(node)
        self._new.clear()
        return self.frontier.choose()


class ShortCircuit(Frontier):
    """The first frontier that returns a node.

    Args:
        frontiers: the frontiers, in the order in which they choose.
    """

    def __init__(self, *frontiers: Frontier) -> None:
        self._kinds = frontiers

    def begin(self) -> None:
        self._inner = [Inner(kind.empty(self.view, self)) for kind in self._kinds]

    def add(self, node: Node) -> None:
        for inner in self._inner:
            inner.add(node)

    def choose(self) -> Node | None:
        return next((node for inner in self._inner if (node := inner.choose()) is not None), None)


class RoundRobin(Frontier):
    """All frontiers in turn. One that makes progress gets an extra turn, up to 256 in a row.

    Args:
        frontiers: the frontiers, in the order of their turns.
    """

    def __init__(self, *frontiers: Frontier) -> None:
        self._kinds = frontiers

    def begin(self) -> None:
        self._inner = [Inner(kind.empty(self.view, self)) for kind in self._kinds]
        self._extra = [0] * len(self._inner)
        self._turn = self._in_a_row = 0

    def add(self, node: Node) -> None:
        for inner in self._inner:
            inner.add(node)

    def progressed(self, inner: Frontier) -> None:
        self._extra[next(n for n, known in enumerate(self._inner) if known.frontier is inner)] += 1
        super().progressed(inner)

    def choose(self) -> Node | None:
        boosted = next((n for n, extra in enumerate(self._extra) if extra), None)
        if boosted is not None and self._in_a_row < MOST_IN_A_ROW:
            self._extra[boosted] -= 1
            self._in_a_row += 1
            node = self._inner[boosted].choose()
            if node is not None:
                return node
        self._in_a_row = 0
        for _ in self._inner:
            inner = self._inner[self._turn]
            self._turn = (self._turn + 1) % len(self._inner)
            node = inner.choose()
            if node is not None:
                return node
        return None


class Partition(Frontier):
    """Classes of nodes, each with a frontier of its own. The classes take turns.

    Args:
        inner: the description of the frontiers.
    """

    def __init__(self, inner: Frontier) -> None:
        self._kind = inner

    @abstractmethod
    def class_of(self, node: Node) -> Hashable:
        """Return a key that is equal for nodes of the same class."""

    def begin(self) -> None:
        self._classes: dict[Hashable, Inner] = {}
        self._ready: dict[Hashable, None] = {}  # in the order of turns; without classes that have no open nodes

    def add(self, node: Node) -> None:
        key = self.class_of(node)
        inner = self._classes.get(key)
        if inner is None:
            inner = self._classes[key] = Inner(self._kind.empty(self.view, self))
        inner.add(node)
        self._ready.setdefault(key)

    def choose(self) -> Node | None:
        while self._ready:
            key = next(iter(self._ready))
            del self._ready[key]
            node = self._classes[key].choose()
            if node is not None:
                self._ready[key] = None
                return node
        return None


class CodeLocationPrioritized(Partition):
    """Classes by the branch of the node."""

    def class_of(self, node: Node) -> Hashable:
        return node.branch


class CallStackTracePrioritized(Partition):
    """Classes by the call stack at the node."""

    def class_of(self, node: Node) -> Hashable:
        return node.stack


class CodeLocationFrequencyPrioritized(Partition):
    """Classes by how often the node's site was decided above it."""

    def class_of(self, node: Node) -> Hashable:
        return node.frequency


class DepthPrioritized(Partition):
    """Classes by the depth of the call stack."""

    def class_of(self, node: Node) -> Hashable:
        return len(node.stack)


class ShortestThroughAllCodeBranches(Partition):
    """The shortest node for each set of branches taken above it."""

    def __init__(self) -> None:
        super().__init__(Shortest())

    def class_of(self, node: Node) -> Hashable:
        return node.hits.translate(_TAKEN)


class CappedBranchCoveragePrioritized(Frontier):
    """Nested classes by how often each branch was taken above the node.

    The outermost level distinguishes only whether a branch was taken at all, the next one whether it was taken twice,
    then four times, and so on up to 256 times.

    Args:
        inner: the frontier within the innermost classes.
    """

    def __init__(self, inner: Frontier) -> None:
        self._kind = inner

    def begin(self) -> None:
        described = self._kind
        for height in reversed(range(len(_HEIGHTS))):
            described = _Height(height, described)
        self._inner = described.empty(self.view, self)

    def add(self, node: Node) -> None:
        self._inner.add(node)

    def choose(self) -> Node | None:
        return self._inner.choose()


class _Height(Partition):
    """One level of the nested classes. Level ``height`` tells counts of up to ``2**height`` apart by powers of two."""

    def __init__(self, height: int, inner: Frontier) -> None:
        super().__init__(inner)
        self._height = height

    def class_of(self, node: Node) -> Hashable:
        return node.hits.translate(_HEIGHTS[self._height])


_TAKEN = bytes(min(hits, 1) for hits in range(256))
# What the hits of a branch count as at height n of the nested classes: the powers of two up to 2**n that they reach.
_HEIGHTS = [bytes(min(hits, height + 1) for hits in range(256)) for height in range(MOST_HITS.bit_length())]
