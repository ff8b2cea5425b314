"""Look-ahead from a site to a target, without a run (Baars et al. 2011, Algorithm 1).

The blocks on the ways are composed over the variables that runs write down at the site.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .....model.ahead import Ahead, PartialPath, is_denied, nearest, solved
from .....model.blocks import Block, Compositions
from .....model.path_expression import Destroyed, Label, Word, path_expression, reached_from
from .....subject.base import Site
from .....term.core.build import FALSE, conjuncts, negation
from .....term.core.nodes import Op, Term
from .....term.core.simplify import Conjunctions, simpler
from .....term.core.sorts import INT, Sort
from .....term.core.traversal import postorder, variables
from .....term.expression.typed import Typed
from ...front.code import LocatedFunction
from ...front.signature import Call, PythonSignature
from ...values.shapes import Shape
from ..values.inputs import Inputs
from .model import codes_of, entered, value_of
from .partial import Beginning, PartialMachine, is_unknown, unknown
from .recorded_variables import KEPT, SORTS, Written
from .scope import changed_globally
from .values import UNKNOWN, BlockValue, Unread

_ROOM = 1 << 63
_ROUNDS = 1  # of a loop, before what it changes is destroyed
_MOST_CALLS = 64  # in a condition
MOST_PATHS = 16  # from where a site begins, in one block, to one target


class Reader:
    """Reads what lies ahead.

    Args:
        machine: has made the blocks.
        entry: the block that runs begin with; None if nothing is read.
        written: what runs write down at sites; those variables are asked for that have one type there.
        paper: whether conditions stay as they are, as in the paper.

    Attributes:
        missing: why not all of the code is read, for people; empty if it is.
    """

    def __init__(self, machine: PartialMachine, entry: Block | None, written: Written, paper: bool = False) -> None:
        self._paper = paper
        self.missing = machine.missing if entry is not None else "it is called through a wrapper"
        self._beginnings, self._entry = machine.beginnings, entry
        self._number = {block: number for number, block in enumerate(machine.blocks)}
        self._blocks, self._whole = machine.blocks, machine.whole
        self._changed: dict[frozenset[Label], frozenset[str]] = {}
        self._decided: dict[int, list[int]] = {}
        self._edges: list[tuple[int, Label, Label]] = []
        for number, block in enumerate(self._blocks):
            if block.decision is not None and block.decision.site >= 0:
                self._decided.setdefault(block.decision.site, []).append(number)
            self._edges += [(number, self._number[edge.to], (number, way))
                            for way, edge in enumerate(block.edges) if edge and edge.to in self._number]  # fmt: skip
        self._compositions, self._conjunctions = Compositions(), Conjunctions({})
        self._parts: dict[Term, list[Term] | None] = {}
        self._known = {site: self._wanted(site, written) for site in self._beginnings if site in written.names}
        self._found: dict[tuple[int, int], Ahead] = {}
        self._without: dict[int, set[Label]] = {}

    def _wanted(self, site: int, written: Written) -> dict[str, Term]:
        """What is written down at a site, by variable: what has the same type wherever the site begins."""
        found = {}
        for name in written.names[site]:
            sorts = {_sort(_value(beginning, name)) for beginning in self._beginnings[site]}
            if len(sorts) == 1 and (sort := sorts.pop()) is not None:
                found[name] = written.want(site, name, sort)
        return found

    def between(self, site: int, target: int) -> Ahead | None:
        """All ways from where a site's evaluation begins to an outcome; None if nobody knows any."""
        if site not in self._known or target >> 1 not in self._decided:
            return None
        if (site, target) not in self._found:
            self._found[site, target] = self._ahead(site, target)
        return self._found[site, target]

    def is_always_before(self, one: int, other: int) -> bool:
        """Whether every run that comes to the other site has come to the one before: a site of the function that is
        called, which runs enter once."""
        before, after = ({self._number[b.block] for b in self._beginnings.get(site, ())} for site in (one, other))
        if not before or not after or any(self._blocks[number].stack for number in before):
            return False
        return not self._reached_without(one) & after

    def _reached_without(self, site: int) -> set[Label]:
        """The blocks that runs may come to before they come to a site."""
        if site not in self._without:
            itself = {self._number[beginning.block] for beginning in self._beginnings[site]}
            further = [edge for edge in self._edges if edge[0] not in itself]
            assert self._entry is not None
            self._without[site] = reached_from(self._number[self._entry], further) - itself
        return self._without[site]

    def _ahead(self, site: int, target: int) -> Ahead:
        """The ways from all blocks that a site begins in. In which of them a run is, nobody knows: that is one more
        condition of a way that there is only from some of them."""
        beginnings, count = self._beginnings[site], 0
        found: Counter[PartialPath] = Counter()
        for beginning in beginnings:
            own = dict[PartialPath, None]()
            for word in self._words(self._number[beginning.block], target):
                count += 1
                way = self._follow(site, beginning, word)
                own |= {way: None} if way is not None else {}
            found.update(list(own))
        ways = [way if times == len(beginnings) else PartialPath(way.conditions, way.dropped + 1)
                for way, times in found.items()]  # fmt: skip
        tried = (solved(way, self._conjunctions, self._paper) for way in nearest(ways))
        possible = [way for way in tried if way is not None]
        is_whole = self._whole and not any(way.dropped for way in ways)
        return Ahead(tuple(nearest(possible)), count - len(possible), is_whole)

    def _words(self, start: int, target: int) -> Sequence[Word]:
        """The ways from a block to an outcome."""
        end = "end"
        last = [(number, end, (number, target & 1)) for number in self._decided[target >> 1]
                if self._blocks[number].edges[target & 1] is not None]  # fmt: skip
        found = path_expression([*self._edges, *last], start, end)
        return [] if found is None else list(found.limited(MOST_PATHS).words(_ROUNDS))

    def _follow(self, site: int, beginning: Beginning, word: Word) -> PartialPath | None:
        """What a way takes; None if no state takes it."""
        way = _Way(self._compositions, self._parts)
        way.begin(beginning, self._known[site])
        for item in word:
            if isinstance(item, Destroyed):
                way.destroy(self._changes(item.labels), item.dropped)
            else:
                way.take(*self._step(item))
            if way.impossible:
                return None
        return PartialPath(tuple(way.conditions), way.dropped)

    def _changes(self, labels: frozenset[Label]) -> frozenset[str]:
        """The variables that these steps change."""
        if labels not in self._changed:
            found = set()
            for block, way in map(self._step, labels):
                edge = block.edges[way]
                assert edge is not None
                for one, term in zip(edge.to.variables, edge.values, strict=True):
                    if term.op is not Op.VARIABLE or term.data != one.data:
                        found.add(str(one.data))
            self._changed[labels] = frozenset(found)
        return self._changed[labels]

    def knows(self, site: int) -> bool:
        """Whether what a site compares is known where it begins."""
        return site in self._known and all(self._knows(site, beginning) for beginning in self._beginnings[site])

    def _knows(self, site: int, beginning: Beginning) -> bool:
        way, block = _Way(self._compositions, self._parts), beginning.block
        way.begin(beginning, self._known[site])
        for _ in range(_MOST_CALLS):
            if block.decision is not None or len(block.edges) != 1 or (edge := block.edges[0]) is None:
                break
            way.take(block, 0)
            block = edge.to
        if block.decision is None:
            return False
        if block.decision.site == site:
            way.take(block, int(block.edges[0] is None))
            return not way.dropped
        own = [self.between(site, outcome) for outcome in (2 * site, 2 * site + 1)]  # it calls what decides, too
        return any(not path.dropped for ahead in own if ahead is not None for path in ahead.paths)

    def _step(self, label: Label) -> tuple[Block, int]:
        assert isinstance(label, tuple)
        number, way = label
        return self._blocks[number], way


@dataclass
class _Way:
    """The state along one way.

    Attributes:
        parts: of conditions, as far as they have been needed; None for what is not known.
        values: of the variables of the block that it has come to, by name.
        conditions: that it takes,
        dropped: and how many that are not known.
        impossible: no state takes it.
    """

    compositions: Compositions
    parts: dict[Term, list[Term] | None]
    values: dict[str, Term] = field(default_factory=dict)
    conditions: list[Term] = field(default_factory=list)
    dropped: int = 0
    impossible: bool = False
    _unknown: Counter[str] = field(default_factory=Counter)

    def begin(self, beginning: Beginning, known: Mapping[str, Term]) -> None:
        """At a site: of a variable that is written down, the value is known."""
        for name, one in known.items():
            value = _value(beginning, name)
            assert isinstance(value, Typed)
            self.values[str(value.term.data)] = one

    def take(self, block: Block, way: int) -> None:
        """Carry a block out and leave it that way."""
        state = []
        for one in block.variables:
            name = str(one.data)
            value = self.values.get(name)
            if value is None or value.sort != one.sort:
                self._unknown[name] += 1
                value = unknown(one.sort, f"{name}.{self._unknown[name]}")
            state.append(value)
        composed = self.compositions.of(block, tuple(state))
        for raises in composed.guards:
            self._require(simpler(negation(raises)), 0)
        if block.decision is not None:
            self._require(composed.condition if way == 0 else simpler(negation(composed.condition)))
        edge = block.edges[way]
        assert edge is not None
        self.values = {str(one.data): term for one, term in zip(edge.to.variables, composed.after(way), strict=True)}

    def destroy(self, names: Iterable[str], dropped: int) -> None:
        """These variables are not known any further."""
        self.dropped += dropped
        for name in names:
            self.values.pop(name, None)

    def _require(self, condition: Term, unless: int = 1) -> None:
        """One more condition; ``unless`` it is known, so many were dropped."""
        if condition not in self.parts:
            is_known = not any(map(is_unknown, variables([condition]))) and _is_native(condition)
            self.parts[condition] = conjuncts([condition]) if is_known else None
        parts = self.parts[condition]
        if parts is None:
            self.dropped += unless
            return
        for part in parts:
            self.impossible |= part is FALSE or is_denied(part, self.conditions)
            self.conditions.append(part)


def _is_native(condition: Term) -> bool:
    """Whether native integers have room for its constants: else no distance tells anything."""
    return all(-_ROOM <= term.data < _ROOM for term in postorder([condition]) if term.is_constant and term.sort == INT)


def _value(beginning: Beginning, name: str) -> object:
    """What is written down where a site begins; None if there is no such value there."""
    return beginning.top if name == KEPT else beginning.variables.get(name)


def _sort(value: object) -> Sort | None:
    """Of a plain number."""
    if isinstance(value, Typed) and value.rounded is None and value.term.sort in SORTS:
        return value.term.sort
    return None


def read_ahead(functions: Sequence[LocatedFunction], others: Sequence[LocatedFunction], sites: Sequence[Site],
               signature: PythonSignature, call: Call, written: Written, paper: bool = False) -> Reader:  # fmt: skip
    """What lies ahead of sites, as far as it can be read; arguments as of :class:`.model.BlockModel`.

    ``paper`` says whether conditions stay as they are, as in the paper, see :func:`zeroin.model.ahead.solved`.

    Raises:
        Unreadable: the source is no longer what was loaded.
    """
    every = [*functions, *others]
    changing = changed_globally(one.described.node for one in every)
    machine, entry = PartialMachine(codes_of(every, len(functions), sites), changing), None
    if call.spread is None and call.function is functions[0].function:
        inputs = Inputs(signature.parameters)
        given = [_given(parameter.shape, inputs.terms_of(n)) for n, parameter in enumerate(signature.parameters)]
        try:
            entry = entered(machine, functions[0].function, given, call).to
        except Unread:
            entry = None  # it is called in another way than it says
    return Reader(machine, entry, written, paper)


def _given(shape: Shape, terms: Iterator[Term]) -> BlockValue:
    try:
        return value_of(shape, terms)
    except Unread:
        return UNKNOWN
