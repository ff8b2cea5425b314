"""Control dependence through calls: which branches decide whether a site is evaluated.

The algorithm is that of Ferrante, Ottenstein & Warren 1987. Points with several successors that are not sites, such as
calls that may not return, are followed further to the branches that decide about them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

START, EXIT = -1, -2  # before the entry of a function, and behind all its ends

Edge = tuple[int, int]


@dataclass(frozen=True)
class FunctionGraph:
    """The control flow graph of one function. A call is a step to the point after it.

    Attributes:
        entry: the point where the function starts.
        steps: for each point, its successors: other points of the function, or EXIT. A point without successors ends
            the function or the run.
    """

    entry: int
    steps: Mapping[int, Sequence[int]]

    def edges(self) -> dict[int, Sequence[int]]:
        """Return the graph with START and EXIT.

        START leads to the entry and to EXIT. A point that can not reach an end (in an endless loop) also leads to EXIT.
        """
        found: dict[int, Sequence[int]] = {START: (self.entry, EXIT), EXIT: ()}
        found |= {point: after or (EXIT,) for point, after in self.steps.items() if point != EXIT}
        before = backwards(found)
        ending, todo = {EXIT}, [EXIT]
        while todo:
            fresh = [point for point in before[todo.pop()] if point not in ending]
            ending.update(fresh)
            todo += fresh
        return {point: after if point in ending else (*after, EXIT) for point, after in found.items()}


def backwards(steps: Mapping[int, Sequence[int]]) -> dict[int, list[int]]:
    """Return the predecessors of each point. All successors must be keys of ``steps``, too."""
    before: dict[int, list[int]] = {point: [] for point in steps}
    for point, following in steps.items():
        for after in following:
            before[after].append(point)
    return before


def post_dominators(steps: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """Return the immediate post-dominator of each point but EXIT: the next point on all ways to EXIT.

    Points that can not reach EXIT are left out. EXIT and all successors must be keys of ``steps``. The algorithm is
    that of Cooper, Harvey & Kennedy 2001.
    """
    order = _postorder(backwards(steps))
    number = {point: n for n, point in enumerate(order)}
    found = {EXIT: EXIT}
    changed = True
    while changed:
        changed = False
        for point in reversed(order[:-1]):
            known = [after for after in steps[point] if after in found]
            common = known[0]
            for other in known[1:]:
                while common != other:
                    if number[common] < number[other]:
                        common = found[common]
                    else:
                        other = found[other]
            if found.get(point) != common:
                found[point], changed = common, True
    del found[EXIT]
    return found


def _postorder(before: Mapping[int, Sequence[int]]) -> list[int]:
    """Return the points that can reach EXIT in postorder of the reversed graph, EXIT last."""
    order, seen = list[int](), {EXIT}
    stack = [(EXIT, iter(before[EXIT]))]
    while stack:
        point, rest = stack[-1]
        following = next((p for p in rest if p not in seen), None)
        if following is None:
            order.append(point)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(before[following])))
    return order


def control_dependence(function: FunctionGraph) -> dict[int, list[Edge]]:
    """Return, for each point of a function, the edges ``(point, successor)`` that it depends on.

    Points that depend on no edge have no entry. A point depends on an edge if it always comes after the edge, but
    not always after the edge's start. The edge from START to the entry counts, too.
    """
    steps = function.edges()
    dominator = post_dominators(steps)
    found: dict[int, list[Edge]] = {}
    for point, following in steps.items():
        if len(set(following)) < 2:
            continue
        for after in dict.fromkeys(following):
            at = after
            while at not in (dominator[point], EXIT):
                found.setdefault(at, []).append((point, after))
                at = dominator[at]
    return found


class Dependence:
    """The branches that decide whether a point is reached, in all functions of a subject.

    If a point depends on the return of a call, the search for branches continues inside the called function, and does
    not leave it for other callers. Only a search that starts in a function continues from its entry to all its callers.

    Args:
        outcomes: the branch of each point that has one.
        functions: all functions.
        callers: for each entry, the points that call it.
        ends: for each step over a call, the end points of the called function for this step.
    """

    def __init__(self, outcomes: Mapping[int, int], functions: Iterable[FunctionGraph],
                 callers: Mapping[int, Iterable[int]], ends: Mapping[Edge, Sequence[int]]) -> None:  # fmt: skip
        self.outcomes, self._callers, self._ends = outcomes, callers, ends
        self._edges: dict[int, list[Edge]] = {}
        for function in functions:
            for point, edges in control_dependence(function).items():
                self._edges.setdefault(point, []).extend(edges)
        self._free = self._from_entries()

    def of(self, point: int) -> list[int]:
        """Return the branches that a point depends on directly, sorted; empty if no branch decides about it."""
        found = set[int]()
        seen, todo = set[tuple[int, bool]](), [(point, False)]
        while todo:
            state = todo.pop()
            if state not in seen:
                seen.add(state)
                for edge in self._edges.get(state[0], ()):
                    if edge[1] in self.outcomes:
                        found.add(self.outcomes[edge[1]])
                    else:
                        todo += self._before(edge, state[1])
        return sorted(found)

    def _before(self, edge: Edge, inside: bool) -> Iterable[tuple[int, bool]]:
        """Return the points that decide whether a step that belongs to no site is taken.

        Each comes with the new value of ``inside``: whether the search has entered the function from behind a call. If
        so, it does not leave the function for other callers.
        """
        before, after = edge
        if before == START:
            return [] if inside else [(call, False) for call in self._callers.get(after, ())]
        ends = self._ends.get(edge)
        if ends is None:
            return [(before, inside)]
        found = [(end, True) for end in ends]
        return found if self._free.isdisjoint(ends) else [*found, (before, inside)]

    def _from_entries(self) -> set[int]:
        """Return the points whose dependences lead back to the entry of their function without a branch."""
        waiting: dict[int, list[tuple[int, Edge]]] = {}  # the points that depend on a point, each with the edge
        found, todo = set[int](), list[tuple[int, Edge]]()
        for point, edges in self._edges.items():
            for edge in edges:
                if edge[0] == START:
                    todo.append((point, edge))
                elif edge[1] not in self.outcomes:
                    for other in (edge[0], *self._ends.get(edge, ())):
                        waiting.setdefault(other, []).append((point, edge))
        while todo:
            point, edge = todo.pop()
            ends = self._ends.get(edge)
            leads = edge[0] == START or (edge[0] in found and (ends is None or not found.isdisjoint(ends)))
            if leads and point not in found:
                found.add(point)
                todo += waiting.get(point, ())
        return found
