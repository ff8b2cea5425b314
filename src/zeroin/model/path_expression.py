"""Path expressions: all ways from one node of a graph to another as a regular expression over its edges, by node
reduction (Baars et al. 2011, section IV, row SE2), and as a sum of products, where loops are approximated."""

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
    """On a path: something happened that is not known any further.

    Attributes:
        labels: of the edges that may have been taken, any number of times.
        dropped: how many conditions that takes that are not known either; 0 for a loop, which a path leaves again by a
            condition of its own.
    """

    labels: frozenset[Label]
    dropped: int = 0


Word: TypeAlias = tuple[Label | Destroyed, ...]


class Expression(ABC):
    """A regular expression. ``str`` of it is its usual notation."""

    @property
    @abstractmethod
    def labels(self) -> frozenset[Label]:
        """Of all its edges."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many products it has, with loops approximated by one round."""

    @abstractmethod
    def words(self, rounds: int) -> Iterator[Word]:
        """Its products; a loop ``a*`` counts as ``1 + a + aa + ... + a^k D``."""

    def limited(self, most: int) -> Expression:
        """With at most so many products; what does not fit is cut out, and what it changes is destroyed."""
        return self if self.count <= most else Cut(*self.labels)


class _Simple(Expression):
    """One product.

    Args:
        labels: of all edges in it.
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
    """Any way through a part of the graph."""

    def words(self, rounds: int) -> Iterator[Word]:
        yield (Destroyed(self._labels, 1),)

    def __str__(self) -> str:
        return "?"


class _Compound(Expression):
    """Made of others.

    Args:
        parts: these.
    """

    def __init__(self, *parts: Expression) -> None:
        self.parts = parts

    @cached_property
    def labels(self) -> frozenset[Label]:
        return frozenset[Label]().union(*(part.labels for part in self.parts))


class Product(_Compound):
    """One after the other; of none, the empty path."""

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
    """One of several."""

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
    """One part, any number of times."""

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
    """One after the other."""
    flat = [one for part in parts for one in (part.parts if isinstance(part, Product) else (part,))]
    return flat[0] if len(flat) == 1 else Product(*flat)


def either(one: Expression | None, other: Expression) -> Expression:
    """One of two, where there are two."""
    if one is None:
        return other
    return Sum(*(part for both in (one, other) for part in (both.parts if isinstance(both, Sum) else (both,))))


class Graph:
    """A graph, asked for the ways from one node to another.

    Args:
        edges: from where, to where, and the edge's label.
    """

    def __init__(self, edges: Iterable[tuple[Label, Label, Label]]) -> None:
        self._edges = list(edges)
        self._after, self._before = _steps(self._edges), _steps((two, one) for one, two, _ in self._edges)
        self._nodes = dict.fromkeys(node for one, two, _ in self._edges for node in (one, two))
        self._onwards: dict[Label, set[Label]] = {}
        self._backwards: dict[Label, set[Label]] = {}

    def expression(self, start: Label, end: Label) -> Expression | None:
        """All ways from one node to another; None if there is none.

        Args:
            start: where ways begin; they may come by again.
            end: where they end; they may have come by before.
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
    """The same for one start and end; arguments as of :class:`Graph`."""
    return Graph(edges).expression(start, end)


def _reduced(edges: Iterable[tuple[Label, Label, Label]], nodes: Sequence[Label], start: Label,
             end: Label) -> Expression | None:  # fmt: skip
    """All ways, by node reduction; each edge and node is on some."""
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
    place = {node: n for n, node in enumerate((begin, *nodes))}  # the same ways, the same expression
    cost = {node: len(before[node]) * len(ways[node]) for node in nodes}
    while cost:
        node = min(cost, key=cost.__getitem__)  # makes the fewest new edges
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
    """The nodes that ways from one lead to, itself too."""
    return _closure(start, _steps((one, two) for one, two, _ in edges))


def _steps(pairs: Iterable[tuple[Label, ...]]) -> dict[Label, list[Label]]:
    """For each node those that it leads to."""
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
