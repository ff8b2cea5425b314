"""The graph of a subject's branches: which come next, which are still reachable, and which control others.

The nodes are branches: ``2 * site`` (the condition holds) and ``2 * site + 1`` (it does not). The edges come from the
control flow between the sites.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial

from .control_dependence import EXIT, Dependence, FunctionGraph


@dataclass(frozen=True)
class Ways:
    """The sites that may come next, stepping over calls that return.

    Attributes:
        steps: for each branch, the sites that may come next. If the subject has calls, branches and sites are those of
            both copies (see :class:`Graph`).
        start: the sites that may come first.
    """

    steps: Sequence[Sequence[int]]
    start: Sequence[int]

    @cached_property
    def before(self) -> list[list[int]]:
        """For each site, of both copies if there are two, the branches that lead to it."""
        before: list[list[int]] = [[] for _ in range(len(self.steps) // 2)]
        for outcome, sites in enumerate(self.steps):
            for site in sites:
                before[site].append(outcome)
        return before


class Graph:
    """Reachability and distance between the branches of a subject.

    A subject of several functions has two copies of every site, as in context-free reachability (Reps 1998). From the
    first copy, control may return to all callers, since the caller is unknown. A call leads to the second copy, from
    which control does not return to callers. Thus a function that is called twice does not lead from the second call
    back to the code after the first one. Branch ``o`` of the second copy has the number ``2 * sites + o``.

    Args:
        sites: the number of sites.
        follows: for each branch, the sites that may come next.
        first: the sites that may come first.
        fatal: a bit set of branches whose runs never return, such as those of a failed assertion.
        ways: returns the :class:`Ways` for a bit set of infeasible branches. It omits calls that can not return without
            one of them. None: use ``follows`` and ``first``.
        controls: returns, for each site, the branches that its evaluation depends on directly. None: compute it from
            ``follows`` and ``first``, where only branches without a next site end the run.
    """

    def __init__(self, sites: int, follows: Mapping[int, Sequence[int]], first: Sequence[int], fatal: int = 0,
                 ways: Callable[[int], Ways] | None = None,
                 controls: Callable[[], Sequence[Sequence[int]]] | None = None) -> None:  # fmt: skip
        self.sites, self.fatal = sites, fatal
        self.follows = {outcome: tuple(follows.get(outcome, ())) for outcome in range(2 * sites)}
        self.first = tuple(first)
        without_calls = Ways([*self.follows.values()], self.first)
        self._ways = ways or (lambda infeasible: without_calls)
        self._controls = controls or self._own_controls
        self._entered = self._reachable(0)

    @cached_property
    def descendants(self) -> list[int]:
        """For each branch, a bit set of the branches that can come after it (Fu & Su 2016, Definition 3.2)."""
        following = self._ways(0).steps
        reach = [sum(0b11 << 2 * site for site in set(sites)) for sites in following]
        changed = True
        while changed:
            changed = False
            for outcome in range(len(reach) - 1, -1, -1):
                grown = reach[outcome]
                for site in following[outcome]:
                    grown |= reach[2 * site] | reach[2 * site + 1]
                if grown != reach[outcome]:
                    reach[outcome] = grown
                    changed = True
        every = (1 << 2 * self.sites) - 1
        return [(below | below >> 2 * self.sites) & every for below in reach[: 2 * self.sites]]

    def saturated(self, done: int, infeasible: int = 0) -> int:
        """Return the branches that are in ``done`` with all their descendants (Fu & Su 2016, Definition 3.2).

        No path leads through an infeasible branch. So infeasible branches, and those reachable only through them, are
        saturated (appendix B.3) and count as nobody's descendants.

        Args:
            done: a bit set of branches.
            infeasible: a bit set of branches.

        Returns:
            A bit set of branches.
        """
        gone, ways = self.beyond(infeasible), self._ways(infeasible)
        wanted = ~done & ~gone
        own = 2 * self.sites
        live = [bool(wanted >> state % own & 1) for state in range(len(ways.steps))]
        todo = [state for state, is_live in enumerate(live) if is_live]
        while todo:
            for state in ways.before[todo.pop() >> 1]:
                if not live[state] and not gone >> state % own & 1:
                    live[state] = True
                    todo.append(state)
        return sum(1 << outcome for outcome in range(own) if not live[outcome])

    def beyond(self, outcomes: int) -> int:
        """Return these branches and those that the entry reaches only through them. Both are bit sets; 0: no branch."""
        return outcomes | self._entered & ~self._reachable(outcomes) if outcomes else 0

    def _reachable(self, without: int) -> int:
        """Return the branches on paths from the entry that avoid the branches ``without``, as a bit set."""
        ways = self._ways(without)
        found, seen = 0, [False] * (len(ways.steps) // 2)
        todo = list(ways.start)
        while todo:
            site = todo.pop()
            if seen[site]:
                continue
            seen[site] = True
            for state in (2 * site, 2 * site + 1):
                outcome = state % (2 * self.sites)
                if not without >> outcome & 1:
                    found |= 1 << outcome
                    todo += ways.steps[state]
        return found

    @cached_property
    def controls(self) -> Sequence[Sequence[int]]:
        """For each site, the branches that it depends on directly, also in callers (Ferrante et al. 1987)."""
        return self._controls()

    def levels(self, target: int) -> dict[int, int]:
        """Return the approach level of each branch that ``target`` depends on, directly or not. Others have no entry.

        The level of a branch is the number of such conditions between it and the target; the target has level 0
        (Wegener et al. 2001; Baars et al. 2011, section II).
        """
        level, queue = {target: 0}, deque([target])
        while queue:
            outcome = queue.popleft()
            for before in self.controls[outcome >> 1]:
                if before not in level:
                    level[before] = level[outcome] + 1
                    queue.append(before)
        return level

    def _own_controls(self) -> list[list[int]]:
        """Return what ``controls`` would return, from ``follows`` and ``first`` alone."""
        outcomes = 2 * self.sites
        steps = {outcome: [outcomes + site for site in sites] for outcome, sites in self.follows.items()}
        steps |= {outcomes + site: [2 * site, 2 * site + 1] for site in range(self.sites)}
        entry = outcomes + self.sites
        steps[entry] = [outcomes + site for site in self.first]
        function = FunctionGraph(entry, reached(entry, steps))
        found = Dependence({outcome: outcome for outcome in range(outcomes)}, [function], {}, {})
        return [found.of(outcomes + site) for site in range(self.sites)]


def reached(entry: int, steps: Mapping[int, Collection[int]]) -> dict[int, list[int]]:
    """Return the points that are reachable from an entry, each with its successors in ascending order.

    A point that is no key of ``steps`` has none.
    """
    found, todo = dict[int, list[int]](), [entry]
    while todo:
        point = todo.pop()
        if point not in found:
            found[point] = sorted(steps.get(point, ()))
            todo += found[point]
    return found


class ControlFlow:
    """A builder of graphs: points in functions, steps between them, and calls.

    Attributes:
        steps: for each point, its successors within the function.
        site_at: the site of each point that evaluates one, and of the two points after it (its branches).
    """

    def __init__(self) -> None:
        self.steps: list[set[int]] = []
        self.site_at: dict[int, int] = {}
        self._entries: dict[int, set[int]] = {}  # the point of a call -> the entries of the called functions
        self._returns: dict[int, set[int]] = {}  # the point where a function ends -> the points where callers continue
        self._calls: list[tuple[int, int, tuple[tuple[int, int], ...]]] = []

    def point(self, *before: int) -> int:
        """Add a point with these predecessors, and return its number. Numbers count from 0."""
        self.steps.append(set())
        point = len(self.steps) - 1
        for previous in before:
            self.steps[previous].add(point)
        return point

    def decision(self, site: int, at: int) -> tuple[int, int]:
        """Add a point after ``at`` that evaluates a site; return the points of its true and its false branch."""
        own = self.point(at)
        yes, no = self.point(own), self.point(own)
        self.site_at.update({own: site, yes: site, no: site})
        return yes, no

    def call(self, at: int, entry: int, *ends: tuple[int, int]) -> None:
        """Add a call of a function.

        Args:
            at: the point of the call.
            entry: the entry of the called function.
            ends: pairs of an end of the called function and the point where the caller then continues; none if the
                call never returns.
        """
        self._calls.append((at, entry, ends))
        self._entries.setdefault(at, set()).add(entry)
        for end, after in ends:
            self._returns.setdefault(end, set()).add(after)

    def leads_to(self, start: int, ends: Collection[int]) -> bool:
        """Return whether a path without sites leads from a point to one of ``ends``, which may be the point itself.

        The path neither enters called functions nor continues after a call.
        """
        seen, todo = {start}, [start]
        while todo:
            point = todo.pop()
            if point in ends:
                return True
            new = {n for n in self.steps[point] if n not in self.site_at and n not in seen}
            seen |= new
            todo += new
        return False

    def graph(self, entry: int, outcomes: Sequence[int], fatal: int = 0) -> Graph:
        """Return the graph of the branches.

        Args:
            entry: the point where runs start.
            outcomes: the point of each branch, by the number of the branch.
            fatal: a bit set of branches whose runs never return.
        """
        sites = len(outcomes) // 2
        empty = _by_call(self._past_calls(past_sites=False))
        follows = {o: sorted({s % sites for s in self._next(p, 0, sites, empty)}) for o, p in enumerate(outcomes)}
        first = sorted({site % sites for site in self._next(entry, 1, sites, empty)})
        if not self._calls:
            return Graph(sites, follows, first, fatal, controls=partial(self._controls, entry, outcomes))
        starts = [*((point, inside) for inside in (0, 1) for point in outcomes), (entry, 1)]

        @cache
        def past_these(past: frozenset[tuple[int, int]]) -> Ways:
            *steps, start = (sorted(self._next(*start, sites, _by_call(past))) for start in starts)
            return Ways(steps, start)

        @cache
        def ways(infeasible: int) -> Ways:
            closed = {point for o, point in enumerate(outcomes) if infeasible >> o & 1}
            return past_these(self._past_calls(past_sites=True, closed=closed))

        return Graph(sites, follows, first, fatal, ways, partial(self._controls, entry, outcomes))

    def _controls(self, entry: int, outcomes: Sequence[int]) -> list[list[int]]:
        """Return, for each site, the branches that its evaluation depends on directly; empty if there are none."""
        past = _by_call(self._past_calls(past_sites=True))
        steps = {point: {*following, *past.get(point, ())} for point, following in enumerate(self.steps)}
        entries = {entry: reached(entry, steps)}
        callers: dict[int, list[int]] = {}
        ends: dict[tuple[int, int], list[int]] = {}
        for at, called, pairs in self._calls:
            entries.setdefault(called, reached(called, steps))
            callers.setdefault(called, []).append(at)
            for end, after in pairs:
                ends.setdefault((at, after), []).append(end)
        self._add_stops(steps, entries)
        functions = [FunctionGraph(one, reached(one, steps)) for one in entries]
        found = Dependence({point: o for o, point in enumerate(outcomes)}, functions, callers, ends)
        at_site = {self.site_at[point]: own for own, following in enumerate(self.steps) for point in following
                   if own in self.site_at and point in found.outcomes}  # fmt: skip
        return [found.of(at_site[site]) if site in at_site else [] for site in range(len(outcomes) // 2)]

    def _add_stops(self, steps: Mapping[int, set[int]], entries: Mapping[int, Iterable[int]]) -> None:
        """Add a step to EXIT, in ``steps``, at each call in which the run may end."""
        inside = {called: set(entries[called]) for _, called, _ in self._calls}
        for _, called, pairs in self._calls:
            inside[called] -= {end for end, _ in pairs}
        changed = True
        while changed:
            stopping = {point for point, following in steps.items() if not following or EXIT in following}
            calls = {at for at, called, _ in self._calls if not inside[called].isdisjoint(stopping)}
            changed = any(EXIT not in steps[at] for at in calls)
            for at in calls:
                steps[at].add(EXIT)

    def _next(self, start: int, inside: int, sites: int, past: Mapping[int, Iterable[int]]) -> set[int]:
        """Return the sites that come first after a point, numbered as in :class:`Graph`."""
        found = set()
        seen, todo = {(start, inside)}, [(start, inside)]
        while todo:
            point, inside = todo.pop()
            states = [(p, inside) for p in (*self.steps[point], *past.get(point, ()))]
            states += [(p, 1) for p in self._entries.get(point, ())]
            states += [(p, 0) for p in self._returns.get(point, ()) if not inside]
            for state in states:
                if state[0] in self.site_at:
                    found.add(self.site_at[state[0]] + sites * state[1])
                elif state not in seen:
                    seen.add(state)
                    todo.append(state)
        return found

    def _past_calls(self, past_sites: bool, closed: Collection[int] = ()) -> frozenset[tuple[int, int]]:
        """Return pairs of a call and a point after it, for all calls that can return.

        The called function must be able to reach its end without the ``closed`` points. Unless ``past_sites``, it must
        do so without a site.
        """
        past: dict[int, set[int]] = {}
        changed = True
        while changed:
            changed = False
            reached: dict[int, set[int]] = {}
            for at, entry, ends in self._calls:
                if entry not in reached:
                    reached[entry] = self._inside(entry, past, closed if past_sites else self.site_at)
                after = {after for end, after in ends if end in reached[entry]}
                changed |= not after <= past.setdefault(at, set())
                past[at] |= after
        return frozenset((at, after) for at, points in past.items() for after in points)

    def _inside(self, entry: int, past: Mapping[int, set[int]], closed: Collection[int]) -> set[int]:
        """Return the points of a function that are reachable from its entry without the ``closed`` points."""
        seen, todo = {entry}, [entry]
        while todo:
            point = todo.pop()
            for following in (*self.steps[point], *past.get(point, ())):
                if following not in seen and following not in closed:
                    seen.add(following)
                    todo.append(following)
        return seen


def _by_call(past: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    """Group the points after calls by the call."""
    points: dict[int, set[int]] = {}
    for at, after in past:
        points.setdefault(at, set()).add(after)
    return points
