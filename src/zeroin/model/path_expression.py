"""Path expressions (Baars et al. 2011, section IV).

A path expression is a regular expression over the edges of a graph: all ways from one node to another. It is computed
by node reduction. It can be expanded into a sum of products (words, which are paths), with approximated loops.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from math import prod
from typing import TypeAlias

Label: TypeAlias = Hashable


@dataclass(frozen=True)
class Destroyed:
    """An unknown part of a path: some edges may have been taken, any number of times.

    The values that these edges change are unknown afterwards.

    Attributes:
        labels: the labels of these edges.
        dropped: the number of unknown conditions on the part. It is 0 for a loop, since a path leaves the loop by a
            condition of its own.
    """

    labels: frozenset[Label]
    dropped: int = 0


Word: TypeAlias = tuple[Label | Destroyed, ...]  # one path


class Expression(ABC):
    """A regular expression over edges. Its ``str`` is the usual notation."""

    @property
    @abstractmethod
    def labels(self) -> frozenset[Label]:
        """The labels of all its edges."""

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of its products, if each loop is approximated by one round."""

    @abstractmethod
    def words(self, rounds: int) -> Iterator[Word]:
        """Yield its products, the paths.

        Args:
            rounds: the number k of rounds of a loop: ``a*`` becomes ``1 + a + aa + ... + a^k D``, where D is
                :class:`Destroyed`. If k is 0, only the paths without the loop remain.
        """

    def limited(self, most: int) -> Expression:
        """Return an approximation with at most ``most`` products, counted as in :attr:`count`.

        It has a :class:`Cut` for each part left out.
        """
        return self if self.count <= most else Cut(*self.labels)


class _Simple(Expression):
    """An expression with a single product.

    Args:
        labels: the labels of all its edges.
    """

    count = 1

    def __init__(self, *labels: Label) -> None:
        self._labels = frozenset(labels)

    @property
    def labels(self) -> frozenset[Label]:
        return self._labels


class Edge(_Simple):
    """One edge."""

    def words(self, rounds: int) -> Iterator[Word]:
        yield (*self._labels,)

    def __str__(self) -> str:
        return "".join(map(str, self._labels))


class Cut(_Simple):
    """A part of the graph that is left out: any way through it."""

    def words(self, rounds: int) -> Iterator[Word]:
        yield (Destroyed(self._labels, 1),)

    def __str__(self) -> str:
        return "?"


class _Compound(Expression):
    """An expression that is made of others.

    Args:
        parts: the other expressions.
    """

    def __init__(self, *parts: Expression) -> None:
        self.parts = parts

    @cached_property
    def labels(self) -> frozenset[Label]:
        return frozenset[Label]().union(*(part.labels for part in self.parts))


class Product(_Compound):
    """A concatenation of expressions; without parts, the empty path."""

    @cached_property
    def count(self) -> int:
        return prod(part.count for part in self.parts)

    def words(self, rounds: int) -> Iterator[Word]:
        for parts in product(*(list(part.words(rounds)) for part in self.parts)):
            yield tuple(chain.from_iterable(parts))

    def limited(self, most: int) -> Expression:
        parts = [part.limited(most) for part in self.parts]
        while prod(part.count for part in parts) > most:
            worst = max(range(len(parts)), key=lambda n: parts[n].count)
            parts[worst] = Cut(*parts[worst].labels)
        return Product(*parts)

    def __str__(self) -> str:
        return "".join(f"({part})" if isinstance(part, Sum) else str(part) for part in self.parts) or "1"


class Sum(_Compound):
    """A choice between expressions."""

    @cached_property
    def count(self) -> int:
        return sum(part.count for part in self.parts)

    def words(self, rounds: int) -> Iterator[Word]:
        for part in self.parts:
            yield from part.words(rounds)

    def limited(self, most: int) -> Expression:
        if self.count <= most:
            return self
        if len(self.parts) > most:
            return Cut(*self.labels)
        return Sum(*(part.limited(most // len(self.parts)) for part in self.parts))

    def __str__(self) -> str:
        return " + ".join(map(str, self.parts))


class Star(_Compound):
    """A loop: one expression, any number of times."""

    @cached_property
    def count(self) -> int:
        return 1 + self.parts[0].count

    def words(self, rounds: int) -> Iterator[Word]:
        yield ()
        once = list(self.parts[0].words(rounds))
        for times in range(1, rounds + 1):
            end: Word = (Destroyed(self.labels),) if times == rounds else ()
            for turns in product(once, repeat=times):
                yield (*(item for turn in turns for item in turn), *end)

    def limited(self, most: int) -> Expression:
        if self.count <= most:
            return self
        return Star(self.parts[0].limited(most - 1)) if most > 1 else Cut(*self.labels)

    def __str__(self) -> str:
        text = str(self.parts[0])
        return f"{text}*" if len(text) == 1 else f"({text})*"


EMPTY = Product()


def joined(*parts: Expression) -> Expression:
    """Return the concatenation of expressions; without any, the empty path."""
    flat = [one for part in parts for one in (part.parts if isinstance(part, Product) else (part,))]
    return flat[0] if len(flat) == 1 else Product(*flat)


def either(one: Expression | None, other: Expression) -> Expression:
    """Return the choice between two expressions; if the first is None, the second one."""
    if one is None:
        return other
    return Sum(*(part for both in (one, other) for part in (both.parts if isinstance(both, Sum) else (both,))))


class Graph:
    """A directed graph whose path expressions can be computed.

    Args:
        edges: the edges: source node, destination node and the edge's label.
    """

    def __init__(self, edges: Iterable[tuple[Label, Label, Label]]) -> None:
        self._edges = list(edges)
        self._after, self._before = _steps(self._edges), _steps((two, one) for one, two, _ in self._edges)
        self._nodes = dict.fromkeys(node for one, two, _ in self._edges for node in (one, two))
        self._onwards: dict[Label, set[Label]] = {}
        self._backwards: dict[Label, set[Label]] = {}

    def expression(self, start: Label, end: Label) -> Expression | None:
        """Return all ways from one node to another; None if there are none.

        From a node to itself, the empty path is one of them.

        Args:
            start: the node where ways begin; they may visit it again.
            end: the node where ways end; they may visit it before.
        """
        if start not in self._onwards:
            self._onwards[start] = _closure(start, self._after)
        if end not in self._backwards:
            self._backwards[end] = _closure(end, self._before)
        inside = self._onwards[start] & self._backwards[end]
        if start not in inside:
            return None
        edges = [edge for edge in self._edges if edge[0] in inside and edge[1] in inside]
        return _reduced(edges, [node for node in {**self._nodes, end: None} if node in inside], start, end)


def path_expression(edges: Iterable[tuple[Label, Label, Label]], start: Label, end: Label) -> Expression | None:
    """Return all ways from ``start`` to ``end`` in the graph of these edges; see :meth:`Graph.expression`."""
    return Graph(edges).expression(start, end)


def _reduced(edges: Iterable[tuple[Label, Label, Label]], nodes: Sequence[Label], start: Label,
             end: Label) -> Expression | None:  # fmt: skip
    """Compute all ways by node reduction; None if there are none. Each of the edges and nodes has to be on some way."""
    begin, finish = object(), object()
    ways: dict[Label, dict[Label, Expression]] = {node: {} for node in (begin, *nodes, finish)}
    before: dict[Label, set[Label]] = {node: set() for node in ways}

    def add(one: Label, two: Label, expression: Expression) -> None:
        ways[one][two] = either(ways[one].get(two), expression)
        before[two].add(one)

    for one, two, label in edges:
        add(one, two, Edge(label))
    add(begin, start, EMPTY)
    add(end, finish, EMPTY)
    place = {node: n for n, node in enumerate((begin, *nodes))}  # a fixed order, so that the result is deterministic
    cost = {node: len(before[node]) * len(ways[node]) for node in nodes}
    while cost:
        node = min(cost, key=cost.__getitem__)  # creates the fewest new edges
        del cost[node]
        loop = ways[node].pop(node, None)
        around = EMPTY if loop is None else Star(loop)
        for one in sorted(before[node] - {node}, key=place.__getitem__):
            arriving = ways[one].pop(node)
            for two, leaving in ways[node].items():
                add(one, two, joined(arriving, around, leaving))
        near = before[node] | ways[node].keys()
        for two in ways.pop(node):
            before[two].discard(node)
        cost |= {other: len(before[other]) * len(ways[other]) for other in near if other in cost}
    return ways[begin].get(finish)


def reached_from(start: Label, edges: Iterable[tuple[Label, Label, Label]]) -> set[Label]:
    """Return the nodes that are reachable from a node, including the node itself."""
    return _closure(start, _steps((one, two) for one, two, _ in edges))


def _steps(pairs: Iterable[tuple[Label, ...]]) -> dict[Label, list[Label]]:
    """Return the successors of each node."""
    after: dict[Label, list[Label]] = {}
    for one, two, *_ in pairs:
        after.setdefault(one, []).append(two)
    return after


def _closure(start: Label, after: Mapping[Label, Sequence[Label]]) -> set[Label]:
    seen, todo = {start}, [start]
    while todo:
        fresh = [node for node in after.get(todo.pop(), ()) if node not in seen]
        seen.update(fresh)
        todo += fresh
    return seen
