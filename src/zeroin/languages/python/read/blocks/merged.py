"""Symbolic execution of blocks, with all ways to each block merged, and with the calls in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from .....model.blocks import Block, BlockCall, Callee, Composed, Edge
from .....model.invariants import Loop, Way, is_whole
from .....model.merging import merged
from .....solvers.quick import QuickRefuter
from .....subject import turns
from .....subject.acyclic_regions import reducible, regions
from .....term.core.build import FALSE, TRUE, conjunction, disjunction, negation
from .....term.core.nodes import Term, variable
from .....term.core.simplify import simpler
from .....term.core.traversal import postorder, rebuild

_MOST_COPIES = 64  # of blocks of loops that are entered at several places
_MOST_IN_LOOP, _MOST_IN_VAIN = 400, 1_500  # blocks of all turns of a loop; of all turns that came to no end
# Blocks that one call executes, with the calls in it, and that all calls execute; calls inside of each other.
_MOST_IN_CALL, _MOST_IN_CALLS, _DEEPEST = 1_500, 6_000, 24


class Graph:
    """The control flow graph of blocks.

    Args:
        blocks: the blocks, the entry first.
        name: the name of the function.

    Attributes:
        blocks: the blocks, with copies where a loop is entered at several places.
        number: the number of each block.
        targets: for each block, the blocks that may come next.
        regions: the order of the blocks.
    """

    def __init__(self, blocks: Sequence[Block], name: str) -> None:
        self.blocks = _entered_at_one_place(blocks)
        self.number = {block: number for number, block in enumerate(self.blocks)}
        self.targets = [tuple(dict.fromkeys(self.number[edge.to] for edge in _ways_of(one))) for one in self.blocks]
        ending = {n for n, block in enumerate(self.blocks) if block.guards}
        self.regions = regions(self.targets, name, ending)

    @cached_property
    def changed(self) -> dict[int, frozenset[Term]]:
        """For the header of each loop, the variables that the loop changes."""
        return {header: frozenset(self._changed(inside)) for header, inside in self.regions.loops.items()}

    def _changed(self, inside: Collection[int]) -> Iterable[Term]:
        for one in inside:
            for edge in _ways_of(self.blocks[one]):
                if self.number[edge.to] in inside:
                    yield from (v for v, term in zip(edge.to.variables, edge.values, strict=True) if v is not term)


class _Result(NamedTuple):
    """What a call does.

    Attributes:
        value: what it returns.
        raises: whether it ends with an exception.
        hits: for each site, its evaluations in the call: when it is evaluated, and its condition.
        unknown: the variables in it that were made for this call: they may have other values in another call.
    """

    value: Term
    raises: Term
    hits: Mapping[int, Sequence[tuple[Term, Term]]]
    unknown: frozenset[Term] = frozenset()

    @property
    def terms(self) -> list[Term]:
        """All terms in it."""
        return [self.value, self.raises, *(term for several in self.hits.values() for pair in several for term in pair)]


class _TooLong(Exception):
    """A call executes too many blocks."""


@dataclass
class _Shared:
    """What an execution shares with the executions of the calls in it.

    Attributes:
        quick: finds out that no run goes on.
        unread: sites of which nothing is known, as they are evaluated in calls that could not be executed.
        graphs: those of called functions.
        results: those of calls, by function, arguments and what holds at the call; None if it could not be executed.
        left: how many blocks may still be executed in calls.
        least: how many blocks must be left in the call that is executed now.
        made: the variables for what nobody knows, in their order.
    """

    quick: QuickRefuter = field(default_factory=QuickRefuter)
    unread: set[int] = field(default_factory=set)
    graphs: dict[Callee, Graph] = field(default_factory=dict)
    results: dict[tuple[Callee, tuple[Term, ...], Term], _Result | None] = field(default_factory=dict)
    left: int = _MOST_IN_CALLS
    least: int = 0
    made: list[Term] = field(default_factory=list)

    def fresh(self, one: Term) -> Term:
        """Return a new variable instead of another one."""
        self.made.append(variable(f"?{one.data} {len(self.made) + 1}", one.sort))
        return self.made[-1]

    def again(self, result: _Result) -> _Result:
        """Return what another call with the same arguments does: what nobody knows may be different."""
        if not result.unknown:
            return result
        other = {one: self.fresh(one) for one in result.unknown}
        value, raises, *pairs = (rebuild(term, simpler, other) for term in result.terms)
        parts = iter(pairs)
        hits = {site: [(next(parts), next(parts)) for _ in several] for site, several in result.hits.items()}
        return _Result(value, raises, hits, frozenset(other.values()))

    def graph(self, callee: Callee) -> Graph:
        """Return the graph of a function that can be executed. Its first block has the parameters as variables."""
        if callee not in self.graphs:
            assert callee.entry is not None
            first = Block(callee.parameters, edges=(callee.entry,))
            self.graphs[callee] = Graph([first, *callee.blocks], callee.name)
        return self.graphs[callee]


@dataclass(frozen=True)
class _Arrival(turns.Arrival):
    """A way to a block, with values for its variables."""

    values: tuple[Term, ...]


class Merged(turns.Flow[_Arrival]):
    """An execution of blocks with all ways to each merged. Turns of loops are carried out one by one where these come
    to an end.

    Args:
        graph: the blocks.
        chosen: for each edge of the first block, a condition that holds if a run takes it.
        given: the values of the first block's variables.
        shared: what the execution shares with those around it.
        context: what holds for all runs.
        depth: how many calls it is in.

    Attributes:
        hits: for each site, its evaluations: when it is evaluated, and its condition.
        loops: the loops whose turns were not carried out one by one.
        stores: what is assigned to variables that outlive the run: to which, when, and the value.
    """

    def __init__(self, graph: Graph, chosen: Sequence[Term], given: Sequence[Term] = (), shared: _Shared | None = None,
                 context: Term = TRUE, depth: int = 0) -> None:  # fmt: skip
        super().__init__(graph.regions, graph.targets)
        self._graph, self._chosen, self._given = graph, chosen, given
        self.shared, self._context, self._depth = shared or _Shared(), context, depth
        self.hits, self.loops = dict[int, list[tuple[Term, Term]]](), list[Loop]()
        self.stores = list[tuple[Any, Term, Term]]()
        self._returned, self._raised = list[tuple[Term, Term]](), list[Term]()
        self._edges = dict[tuple[int, int], list[_Arrival]]()
        self._values = dict[int, list[Term]]()
        self._made = self._in_vain = 0
        self._endless = set[int]()
        self.execute(self.regions.order)

    def ways(self, one: int, block: int) -> list[_Arrival]:
        return self._edges.get((one, block), [])

    def begin(self, block: int, arrivals: Sequence[_Arrival], changes: bool) -> None:
        changed = self._graph.changed[block] if changes else ()
        self._values[block] = [] if block else [*self._given]
        for place, one in enumerate(self._graph.blocks[block].variables if block else ()):
            value = None if one in changed else merged([(way.way, way.values[place]) for way in arrivals])
            assert value is None or isinstance(value, Term)
            self._values[block].append(self.shared.fresh(one) if value is None else value)
        self._carry_out(block)

    def _carry_out(self, number: int) -> None:
        """Leave a block on all ways."""
        self._count_block()
        block = self._graph.blocks[number]
        composed = Composed(block, self._values[number], self._free(number))
        for place, guard in enumerate(block.guards):
            came = conjunction([*map(negation, composed.guards[:place]), composed.guards[place]])
            if guard.edge is not None:
                self._go(number, guard.edge, came, composed.raised(place))
            elif self._depth:
                self._raised.append(conjunction([self.between(number, 0), came]))
        passed = conjunction(map(negation, composed.guards))
        if self._depth and composed.result is not None:
            self._returned.append((conjunction([self.between(number, 0), passed]), composed.result))
        self.stores += [(what, self.between(number, 0), composed.of(value)) for what, value in block.stores]
        decision = block.decision
        if decision is not None and decision.site >= 0:
            evaluated = conjunction([self.between(number, 0), passed])
            self.hits.setdefault(decision.site, []).append((evaluated, composed.condition))
        for way, edge in enumerate(block.edges):
            if edge is None:
                continue
            if number == 0:
                taken = self._chosen[way]
            else:
                taken = TRUE if decision is None else composed.condition if way == 0 else negation(composed.condition)
            self._go(number, edge, conjunction([passed, taken]), composed.after(way))

    def _go(self, number: int, edge: Edge, way: Term, values: tuple[Term, ...]) -> None:
        """Note a way from a block along an edge."""
        self._edges.setdefault((number, self._graph.number[edge.to]), []).append(_Arrival(number, way, values))

    # ---- calls ----

    def _count_block(self) -> None:
        """Count a block that is executed.

        Raises:
            _TooLong: the call has executed too many.
        """
        self._made += 1
        if self._depth:
            self.shared.left -= 1
            if self.shared.left < self.shared.least:
                raise _TooLong

    def _free(self, number: int) -> list[Term]:
        """Return terms for the free variables of a block: for the results of calls, what the calls return."""
        block = self._graph.blocks[number]
        free = {one: self.shared.fresh(one) for one in block.free}
        made = {**dict(zip(block.variables, self._values[number], strict=True)), **free} if block.calls else {}
        for call in block.calls:
            guards = (negation(rebuild(one.raises, simpler, made)) for one in block.guards[: call.guards])
            came = conjunction([self.between(number, 0), *guards])
            result = self._result(call, tuple(rebuild(one, simpler, made) for one in call.arguments), came)
            self.shared.unread |= call.callee.sites if result is None else call.callee.unread
            if result is not None:
                free[call.result] = made[call.result] = result.value
                free[call.raises] = made[call.raises] = result.raises
                for site, several in result.hits.items():
                    inside = [(conjunction([came, evaluated]), condition) for evaluated, condition in several]
                    self.hits.setdefault(site, []).extend(inside)
        return [*free.values()]

    def _result(self, call: BlockCall, arguments: tuple[Term, ...], came: Term) -> _Result | None:
        """Return what a call does; None if that takes too long.

        Raises:
            _TooLong: the call around it takes too long.
        """
        if self._depth:
            return self._executed(call, arguments, conjunction([self._context, came]))
        found = self._outermost(call, arguments, TRUE)  # for all calls with these arguments
        return self._outermost(call, arguments, came) if found is None and came is not TRUE else found

    def _outermost(self, call: BlockCall, arguments: tuple[Term, ...], context: Term) -> _Result | None:
        """Execute a call that is in no other one; None if that takes too long."""
        self.shared.least = max(0, self.shared.left - _MOST_IN_CALL)
        if self.shared.left <= 0:
            return None
        try:
            return self._executed(call, arguments, context)
        except _TooLong:
            self.shared.results[call.callee, arguments, context] = None
            return None

    def _executed(self, call: BlockCall, arguments: tuple[Term, ...], context: Term) -> _Result | None:
        """Execute a call. ``context`` is what holds for all runs that come to it.

        Raises:
            _TooLong: that takes too long.
        """
        key, begun = (call.callee, arguments, context), len(self.shared.made)
        if key in self.shared.results:
            known = self.shared.results[key]
            return known and self.shared.again(known)
        if call.callee.entry is None or self._depth >= _DEEPEST:
            raise _TooLong
        if self._depth and self.shared.quick.refutes(context):
            return _Result(self.shared.fresh(call.result), FALSE, {})
        graph = self.shared.graph(call.callee)
        inside = Merged(graph, [TRUE], arguments, self.shared, context, self._depth + 1)
        value = merged(inside._returned) if inside._returned else self.shared.fresh(call.result)
        assert isinstance(value, Term)
        result = _Result(value, disjunction(inside._raised), inside.hits)
        unknown = frozenset(self.shared.made[begun:]).intersection(postorder(result.terms))
        self.shared.results[key] = result = result._replace(unknown=unknown)
        return result

    def keep_loop(self, header: int) -> None:
        changed = self._graph.changed[header]
        places = [place for place, one in enumerate(self._graph.blocks[header].variables)
                  if one in changed and is_whole(one.sort)]  # fmt: skip

        def ways(before: Iterable[int]) -> tuple[Way, ...]:
            return tuple(Way(one.way, tuple(one.values[place] for place in places))
                         for one in self.arrivals(header, before, 0))  # fmt: skip

        entered = tuple(self._values[header][place] for place in places)
        loop = sorted(self.regions.loops[header])
        self.loops.append(Loop(entered, ways(self.regions.before[header]), ways(loop)))

    def leaving(self, header: int, ways: list[_Arrival]) -> list[_Arrival]:
        return ways

    def behind(self, header: int, ways: list[_Arrival]) -> None:
        """All values go along edges: nothing is left to do."""

    def forget(self, blocks: Collection[int]) -> None:
        super().forget(blocks)
        for pair in [pair for pair in self._edges if pair[0] in blocks]:
            del self._edges[pair]

    def may_try(self, header: int) -> bool:
        return header not in self._endless and self._in_vain <= _MOST_IN_VAIN

    def is_never(self, base: int, way: Term) -> bool:
        return self.shared.quick.refutes(conjunction([self._context, self.between(base, 0), way]))

    def mark(self) -> _Mark:
        counts = {site: len(several) for site, several in self.hits.items()}
        return _Mark(counts, len(self.loops), len(self._returned), len(self._raised), self._made)

    def is_too_far(self, mark: _Mark) -> bool:
        return self._made - mark.made > _MOST_IN_LOOP

    def return_to(self, mark: _Mark, header: int) -> None:
        self._in_vain += self._made - mark.made
        self._made = mark.made
        del self.loops[mark.loops :], self._returned[mark.returned :], self._raised[mark.raised :]
        for site in self.hits:
            del self.hits[site][mark.hits.get(site, 0) :]
        self._endless.add(header)


class _Mark(NamedTuple):
    """How far the execution has come: evaluations of each site, loops, ends, and blocks."""

    hits: Mapping[int, int]
    loops: int
    returned: int
    raised: int
    made: int


def _entered_at_one_place(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, with copies where a loop is entered at several places: a variable that is an int in the first turn
    and a float in the others leads there."""
    number = {block: number for number, block in enumerate(blocks)}
    ways = [[number[edge.to] for edge in _ways_of(block)] for block in blocks]
    origin, ways = reducible(ways, _MOST_COPIES + 2 * len(blocks))
    if len(origin) == len(blocks):
        return list(blocks)
    made = [replace(blocks[one], edges=(), guards=[]) for one in origin]
    for block, one, some in zip(made, origin, ways, strict=True):
        targets = iter(some)
        block.edges = tuple(edge and Edge(made[next(targets)], edge.values) for edge in blocks[one].edges)
        block.guards = [replace(guard, edge=guard.edge and Edge(made[next(targets)], guard.edge.values))
                        for guard in blocks[one].guards]  # fmt: skip
    return made


def _ways_of(block: Block) -> list[Edge]:
    """The edges of a block: those at its end, and then those of its guards."""
    return [edge for edge in (*block.edges, *(guard.edge for guard in block.guards)) if edge is not None]
