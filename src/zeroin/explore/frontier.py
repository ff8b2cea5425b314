"""Frontiers: who chooses the node that is flipped next. The basic ones, and those that combine others (Xie et al. 2009,
section 4.2).

A frontier that is written down, such as ``RoundRobin(Shortest(), Random())``, is a description; :meth:`Frontier.empty`
makes one to work with. It is told of new nodes; which of them have been flipped or exhausted meanwhile they say
themselves.
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
from .tree import Node

MOST_IN_A_ROW = 256


@dataclass
class View:
    """What frontiers see of an exploration.

    Attributes:
        random: for choices.
        gains: of flips so far.
        is_target: whether something is still to be covered.
        flipped: called with each node that was flipped, and the targets that came closer than ever.
    """

    random: random.Random
    gains: Gains = field(default_factory=Gains)
    is_target: Callable[[FitnessTarget], bool] = lambda target: True
    flipped: list[Callable[[Node, set[FitnessTarget]], None]] = field(default_factory=list)


class Frontier(ABC):
    """A choice among nodes."""

    view: View
    outer: Frontier | None = None

    def empty(self, view: View, outer: Frontier | None = None) -> Self:
        """One of the same kind that knows no nodes."""
        made = copy.copy(self)
        made.view, made.outer = view, outer
        made.begin()
        return made

    @abstractmethod
    def begin(self) -> None:
        """Forget everything."""

    @abstractmethod
    def add(self, node: Node) -> None:
        """Hear of a new node."""

    @abstractmethod
    def choose(self) -> Node | None:
        """An open node, which this frontier forgets; None to decline, for now."""

    def progressed(self, inner: Frontier) -> None:
        """An inner frontier has made progress, and asks to be considered once more than usual."""
        if self.outer is not None:
            self.outer.progressed(self)


# ---- basic frontiers ----


class Random(Frontier):
    """Any node."""

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
    """Nodes by depth in the execution tree, and then in the order of their coming."""

    sign = 1

    def begin(self) -> None:
        self._nodes: list[tuple[int, int, Node]] = []
        self._count = itertools.count()

    def add(self, node: Node) -> None:
        heapq.heappush(self._nodes, (self.sign * node.depth, self.sign * next(self._count), node))

    def _first(self) -> Node | None:
        while self._nodes and not self._nodes[0][2].is_open:
            heapq.heappop(self._nodes)
        return self._nodes[0][2] if self._nodes else None

    def choose(self) -> Node | None:
        node = self._first()
        if node is not None:
            heapq.heappop(self._nodes)
        return node


class IterativeDeepening(_ByDepth):
    """A node of the smallest depth that there is."""


class DepthFirst(_ByDepth):
    """A node of the greatest depth that there is, the latest first."""

    sign = -1


class Shortest(_ByDepth):
    """A node of the smallest depth that there ever was; else none."""

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
    """The node that has been known longest."""

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
    """A frontier inside another one. It hears of new nodes when it is asked to choose one: it would know the same if it
    had heard at once, and many are never asked.

    Args:
        frontier: that knows no nodes.
    """

    __slots__ = ("_new", "add", "frontier")

    def __init__(self, frontier: Frontier) -> None:
        self.frontier, self._new = frontier, list[Node]()
        self.add = self._new.append

    def choose(self) -> Node | None:
        for node in self._new:
            self.frontier.add(node)
        self._new.clear()
        return self.frontier.choose()


class ShortCircuit(Frontier):
    """The first that provides a node.

    Args:
        frontiers: in the order in which they are asked.
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
    """Each in turn. One that has made progress has another turn, up to 256 in a row.

    Args:
        frontiers: in the order of their turns.
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
    """Nodes in classes, with a frontier for each; a fair choice between the classes.

    Args:
        inner: chooses in a class.
    """

    def __init__(self, inner: Frontier) -> None:
        self._kind = inner

    @abstractmethod
    def class_of(self, node: Node) -> Hashable:
        """Equal for nodes of one class."""

    def begin(self) -> None:
        self._classes: dict[Hashable, Inner] = {}
        self._ready: dict[Hashable, None] = {}  # in the order of their turns; those that declined come back with a node

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
    """By branch."""

    def class_of(self, node: Node) -> Hashable:
        return node.branch


class CallStackTracePrioritized(Partition):
    """By the calls that the node lies in."""

    def class_of(self, node: Node) -> Hashable:
        return node.stack


class CodeLocationFrequencyPrioritized(Partition):
    """By how often the node's site was decided before it."""

    def class_of(self, node: Node) -> Hashable:
        return node.frequency


class DepthPrioritized(Partition):
    """By how many calls the node lies in."""

    def class_of(self, node: Node) -> Hashable:
        return len(node.stack)


class ShortestThroughAllCodeBranches(Partition):
    """Shortest, for each set of branches that were taken before a node."""

    def __init__(self) -> None:
        super().__init__(Shortest())

    def class_of(self, node: Node) -> Hashable:
        return node.hits.translate(_TAKEN)


class CappedBranchCoveragePrioritized(Frontier):
    """By how often each branch was taken before a node: first by whether it was at all, then by whether it was twice,
    four times, and so on up to 256 times.

    Args:
        inner: chooses where that tells nothing more apart.
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
    def __init__(self, height: int, inner: Frontier) -> None:
        super().__init__(inner)
        self._height = height

    def class_of(self, node: Node) -> Hashable:
        return node.hits.translate(_HEIGHTS[self._height])


_TAKEN = bytes(min(count, 1) for count in range(256))
# How far a count goes at a height n of the tree: the number of powers of two up to 2**n that it comes to.
_HEIGHTS = [bytes(min(count.bit_length(), height + 1) for count in range(256)) for height in range(9)]
