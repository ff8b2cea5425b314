"""A program as blocks of terms.

A block is straight code, as terms over the variables at its beginning. These terms are the conditions under which the
run ends in it, the condition that it decides, and the values of the next block's variables. Along a path, blocks are
composed.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from ..term.core.build import TRUE
from ..term.core.nodes import Term
from ..term.core.simplify import simpler
from ..term.core.traversal import rebuild

_MOST_KNOWN = 100_000


@dataclass(frozen=True)
class Guard:
    """A place where the run may end.

    Attributes:
        raises: the condition under which it ends, a Bool.
        why: the reason, for people.
        place: a number that identifies the place in the code.
        edge: where the run goes on then, such as at the handler of an exception; None if it ends.
    """

    raises: Term
    why: str
    place: int
    edge: Edge | None = None


@dataclass(frozen=True)
class Decision:
    """A condition that decides which way the run goes.

    Attributes:
        condition: the condition, a Bool.
        site: the site's number; -1 for a condition without a probe.
        place: a number that identifies the place in the code.
        why: a description for people; may be empty.
        left: the left operand, if the condition compares two numbers; otherwise the term ``TRUE``.
        right: the right operand, if the condition compares two numbers; otherwise the term ``TRUE``.
    """

    condition: Term
    site: int
    place: int
    why: str = ""
    left: Term = TRUE
    right: Term = TRUE


@dataclass(frozen=True, eq=False)
class Edge:
    """An edge from one block to the next.

    Attributes:
        to: the next block.
        values: the values of the next block's variables, in their order, as terms over the variables of the first one.
    """

    to: Block
    values: tuple[Term, ...]


@dataclass(eq=False)
class Callee:
    """A function whose calls can be executed: its blocks, for arguments of certain types.

    Attributes:
        name: the function's name, for people.
        parameters: term variables for the arguments.
        entry: the edge to its first block; None if its calls can not be executed.
        blocks: its blocks. The result of a call is that of the block in which it ends.
        sites: the sites that a call may evaluate.
        unread: those of them of which nothing is known even if calls are executed.
    """

    name: str
    parameters: tuple[Term, ...] = ()
    entry: Edge | None = None
    blocks: list[Block] = field(default_factory=list)
    sites: frozenset[int] = frozenset()
    unread: frozenset[int] = frozenset()


@dataclass(frozen=True, eq=False)
class BlockCall:
    """A call in a block. Its result may be unknown: then it is a free variable of the block.

    Attributes:
        callee: the function.
        arguments: the arguments, as terms over the block's variables.
        result: the free variable for the result.
        raises: the free variable for whether the call ends with an exception, a Bool.
        guards: how many guards of the block come before the call.
    """

    callee: Callee
    arguments: tuple[Term, ...]
    result: Term
    raises: Term
    guards: int


@dataclass(eq=False)
class Block:
    """Straight code, as terms.

    Attributes:
        variables: term variables for the values that are known at its beginning.
        stack: the places of the calls that it is in, the outermost first.
        guards: the places where the run may end, in order.
        decision: the condition at its end; None if there is at most one edge.
        free: variables that stand for values which nobody knows, other ones each time that the block is carried out.
        edges: the edges to the next blocks. With a decision, the first edge is taken if the condition holds, and the
            second if it does not; None is an edge that is never taken. Empty if the run ends here.
        calls: calls of functions whose results are free variables.
        result: what the function returns, if it ends here and that is known.
        stores: what is assigned to variables that outlive the run, each with what identifies the variable.
    """

    variables: tuple[Term, ...]
    stack: tuple[int, ...] = ()
    guards: list[Guard] = field(default_factory=list)
    decision: Decision | None = None
    edges: tuple[Edge | None, ...] = ()
    free: list[Term] = field(default_factory=list)
    calls: list[BlockCall] = field(default_factory=list)
    result: Term | None = None
    stores: list[tuple[Hashable, Term]] = field(default_factory=list)


class Composed:
    """A block for certain values of its variables.

    Args:
        block: the block. It must be complete: later changes have no effect on the guards and the decision.
        state: the values of its variables, in their order, as simplified terms over the inputs.
        free: what stands for its free variables; empty: these themselves.

    Attributes:
        guards: the conditions of its guards, over the inputs, in their order. A run ends at the first that holds.
        condition: the condition of its decision, over the inputs; ``TRUE`` without a decision.
        left: the left operand of the decision, over the inputs; ``TRUE`` if there is none.
        right: the right operand of the decision, over the inputs; ``TRUE`` if there is none.
    """

    def __init__(self, block: Block, state: Sequence[Term], free: Sequence[Term] = ()) -> None:
        self.block, self._kept = block, state  # kept alive, since ``Compositions`` uses their ids as keys
        self._made = dict(zip(block.variables, state, strict=True))
        self._made.update(zip(block.free, free, strict=bool(free)))
        self._next: dict[int, tuple[Term, ...]] = {}
        self.guards = [self.of(guard.raises) for guard in block.guards]
        decision = block.decision
        self.condition, self.left, self.right = (
            map(self.of, (decision.condition, decision.left, decision.right)) if decision else (TRUE, TRUE, TRUE)
        )

    @property
    def result(self) -> Term | None:
        """What the function returns, over the inputs; None if it goes on, or if that is not known."""
        return None if self.block.result is None else self.of(self.block.result)

    def of(self, term: Term) -> Term:
        """Return a term of the block, over the inputs."""
        return rebuild(term, simpler, self._made)

    def after(self, way: int) -> tuple[Term, ...]:
        """Return the values of the next block's variables, over the inputs. The result is cached.

        Args:
            way: the index of the edge, which must not be None.
        """
        return self._along(way, self.block.edges[way])

    def raised(self, guard: int) -> tuple[Term, ...]:
        """Return the values of the variables of the block that a guard's edge leads to, over the inputs.

        Args:
            guard: the index of the guard, which must have an edge.
        """
        return self._along(-1 - guard, self.block.guards[guard].edge)

    def _along(self, way: int, edge: Edge | None) -> tuple[Term, ...]:
        found = self._next.get(way)
        if found is None:
            assert edge is not None
            found = self._next[way] = tuple(map(self.of, edge.values))
        return found


class Compositions:
    """A cache of composed blocks: paths with the same beginning share its blocks."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, ...], Composed] = {}

    def of(self, block: Block, state: tuple[Term, ...]) -> Composed:
        """Return the block for these values of its variables. Calls with the same terms share one result.

        After 100,000 results, the cache is emptied.
        """
        key = (id(block), *map(id, state))
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = self._known[key] = Composed(block, state)
        return found
