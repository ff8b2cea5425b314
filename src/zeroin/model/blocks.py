"""A program as blocks: each says in terms over the variables at its beginning what may end the run in it, what it
decides, and what the variables are where it goes on. Along a path, blocks are composed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..term.core.build import TRUE
from ..term.core.nodes import Term
from ..term.core.simplify import simpler
from ..term.core.traversal import rebuild

_MOST_KNOWN = 100_000


@dataclass(frozen=True)
class Guard:
    """Where the run may end.

    Attributes:
        raises: the condition for that.
        why: for people.
        place: a number for the place in the code.
    """

    raises: Term
    why: str
    place: int


@dataclass(frozen=True)
class Decision:
    """Which way the run goes.

    Attributes:
        condition: a Bool.
        site: its number; -1 for a condition that has none.
        place: a number for the place in the code.
        why: for people.
        left: what is compared, where two numbers are,
        right: and with what.
    """

    condition: Term
    site: int
    place: int
    why: str = ""
    left: Term = TRUE
    right: Term = TRUE


@dataclass(frozen=True, eq=False)
class Edge:
    """Where control goes.

    Attributes:
        to: the block.
        values: of that block's variables, over those of the block that it comes from.
    """

    to: Block
    values: tuple[Term, ...]


@dataclass(eq=False)
class Block:
    """Straight code.

    Attributes:
        variables: what is known at its beginning, as variables.
        stack: the calls that it is in, by place.
        guards: where the run may end, in order.
        decision: how it goes on; None if there is one way, or none.
        edges: the way on; of a decision the one where it holds and the one where it does not, None for one that the
            code never goes. Without any the run ends.
    """

    variables: tuple[Term, ...]
    stack: tuple[int, ...] = ()
    guards: list[Guard] = field(default_factory=list)
    decision: Decision | None = None
    edges: tuple[Edge | None, ...] = ()


class Composed:
    """A block where its variables have certain values.

    Args:
        block: which.
        state: the values, as terms over the inputs, as small as they get.

    Attributes:
        guards: the conditions of its guards.
        condition: of its decision,
        left: with its operands,
        right: both of them.
    """

    def __init__(self, block: Block, state: Sequence[Term]) -> None:
        self.block, self._kept = block, state  # so that nothing else gets their ids
        self._made = dict(zip(block.variables, state, strict=True))
        self._next: dict[int, tuple[Term, ...]] = {}
        self.guards = [self._of(guard.raises) for guard in block.guards]
        decision = block.decision
        self.condition, self.left, self.right = (
            map(self._of, (decision.condition, decision.left, decision.right)) if decision else (TRUE, TRUE, TRUE)
        )

    def _of(self, term: Term) -> Term:
        return rebuild(term, simpler, self._made)

    def after(self, way: int) -> tuple[Term, ...]:
        """The values of the variables of the block at an edge."""
        found = self._next.get(way)
        if found is None:
            edge = self.block.edges[way]
            assert edge is not None
            found = self._next[way] = tuple(map(self._of, edge.values))
        return found


class Compositions:
    """Blocks that have been composed: paths that begin alike share what they come to."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, ...], Composed] = {}

    def of(self, block: Block, state: tuple[Term, ...]) -> Composed:
        """The block with these values."""
        key = (id(block), *map(id, state))
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = self._known[key] = Composed(block, state)
        return found
