"""The graph of a subject's outcomes: which follow which, what each can still reach, what controls what.

Nodes are outcomes (``2*site`` and ``2*site + 1``); the graph comes from the control flow between sites.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial

from .control_dependence import EXIT, Dependence, FunctionGraph


@dataclass(frozen=True)
class Ways:
    """Which sites may come next, and which after the calls that are next.

    Attributes:
        steps: for each outcome of the sites and of their second selves (see :class:`Graph`), those sites.
        start: the same for the entry.
    """

    steps: Sequence[Sequence[int]]
    start: Sequence[int]

    @cached_property
    def before(self) -> list[list[int]]:
        """For each site the outcomes that lead to it."""
        before: list[list[int]] = [[] for _ in range(len(self.steps) // 2)]
        for outcome, sites in enumerate(self.steps):
            for site in sites:
                before[site].append(outcome)
        return before


class Graph:
    """Reachability and distance between outcomes.

    A subject of several functions has every site twice, as in context-free reachability (Reps 1998): from the first of
    the two control may return to callers that it did not come from, as it must where nobody knows who called; from the
    second, which is where a call leads, it may not. So a function that is called early and late does not lead from the
    late call back to what follows the early one. Outcome ``o`` of the second site is ``2*sites + o``.

    Args:
        sites: how many sites there are.
        follows: for each outcome, the sites that may be evaluated next.
        first: the sites that may be evaluated first.
        fatal: outcomes, as a bit set, that no run takes and returns (a failed assertion's).
        ways: given infeasible outcomes, as a bit set: without a call that needs them to return; None for what
            ``follows`` and ``first`` say.
        controls: for each site the outcomes that its evaluation depends on directly; None for what ``follows`` and
            ``first`` say, where no outcome but one that nothing follows ends the run.
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
        """For each outcome a bit set of the outcomes that can come after it (Def. 3.2's descendants)."""
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
        """The outcomes that are in ``done`` together with all their descendants, as a bit set (Def. 3.2).

        No path leads through the ``infeasible`` outcomes: they, and what is reachable only through them, are saturated
        (appendix B.3), and are nobody's descendants.
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
        """These outcomes, and those that no path from the entry reaches without them, as a bit set."""
        return outcomes | self._entered & ~self._reachable(outcomes) if outcomes else 0

    def _reachable(self, without: int) -> int:
        """The outcomes that a path from the entry reaches, none of those ``without`` being on it."""
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
        """For each site the outcomes that its evaluation depends on directly (Ferrante et al. 1987), in callers too."""
        return self._controls()

    def levels(self, target: int) -> dict[int, int]:
        """The approach level of each outcome that ``target`` depends on, directly or not (0 for the target itself): how
        many such conditions come after it (Wegener et al. 2001; Baars et al. 2011, section II)."""
        level, queue = {target: 0}, deque([target])
        while queue:
            outcome = queue.popleft()
            for before in self.controls[outcome >> 1]:
                if before not in level:
                    level[before] = level[outcome] + 1
                    queue.append(before)
        return level

    def _own_controls(self) -> list[list[int]]:
        outcomes = 2 * self.sites
        steps = {outcome: [outcomes + site for site in sites] for outcome, sites in self.follows.items()}
        steps |= {outcomes + site: [2 * site, 2 * site + 1] for site in range(self.sites)}
        entry = outcomes + self.sites
        steps[entry] = [outcomes + site for site in self.first]
        function = FunctionGraph(entry, reached(entry, steps))
        found = Dependence({outcome: outcome for outcome in range(outcomes)}, [function], {}, {})
        return [found.of(outcomes + site) for site in range(self.sites)]


def reached(entry: int, steps: Mapping[int, Collection[int]]) -> dict[int, list[int]]:
    """The points that control comes to from an entry, each with its steps."""
    found, todo = dict[int, list[int]](), [entry]
    while todo:
        point = todo.pop()
        if point not in found:
            found[point] = sorted(steps.get(point, ()))
            todo += found[point]
    return found


class ControlFlow:
    """Points in some functions, steps between them, calls; from these, the graph of the outcomes.

    Attributes:
        steps: for each point, where control may go from there within the function.
        site_at: the site of the points where one is evaluated, and of the two after it.
    """

    def __init__(self) -> None:
        self.steps: list[set[int]] = []
        self.site_at: dict[int, int] = {}
        self._entries: dict[int, set[int]] = {}  # a call's point -> where functions start
        self._returns: dict[int, set[int]] = {}  # a point where a function ends -> where callers go on
        self._calls: list[tuple[int, int, tuple[tuple[int, int], ...]]] = []

    def point(self, *before: int) -> int:
        """A new point, to which control comes from those before."""
        self.steps.append(set())
        point = len(self.steps) - 1
        for previous in before:
            self.steps[previous].add(point)
        return point

    def decision(self, site: int, at: int) -> tuple[int, int]:
        """The site is evaluated at a new point after ``at``; the points of its two outcomes."""
        own = self.point(at)
        yes, no = self.point(own), self.point(own)
        self.site_at.update({own: site, yes: site, no: site})
        return yes, no

    def call(self, at: int, entry: int, *ends: tuple[int, int]) -> None:
        """A function is called: where it starts, and for each of its ends where control goes on in the caller."""
        self._calls.append((at, entry, ends))
        self._entries.setdefault(at, set()).add(entry)
        for end, after in ends:
            self._returns.setdefault(end, set()).add(after)

    def leads_to(self, start: int, ends: Collection[int]) -> bool:
        """Whether control may come from a point to one of these without any site."""
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
        """The graph, given the point where runs start and the point of each outcome."""
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
        """For each site the outcomes that its evaluation depends on."""
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
        """Calls in which the run may end lead to EXIT, too."""
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
        """The sites met first from a point on, numbered as :class:`Graph` wants them."""
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
        """Each call with a point where control may be after it, as far as the called function comes to its ends at all
        without the ``closed`` points, and unless ``past_sites``, without evaluating a site."""
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
        """The points of a function that control comes to, none of those ``closed`` being on the way."""
        seen, todo = {entry}, [entry]
        while todo:
            point = todo.pop()
            for following in (*self.steps[point], *past.get(point, ())):
                if following not in seen and following not in closed:
                    seen.add(following)
                    todo.append(following)
        return seen


def _by_call(past: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    """For each call the points where control may be after it."""
    points: dict[int, set[int]] = {}
    for at, after in past:
        points.setdefault(at, set()).add(after)
    return points
