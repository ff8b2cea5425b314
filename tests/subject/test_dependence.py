"""Control dependence and approach levels: known cases, and the definition against brute force."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from objectives import GUARD_IN_LOOP
from programs import Programs
from zeroin import PythonSubject
from zeroin.subject.control_dependence import (
    EXIT,
    START,
    Dependence,
    Edge,
    FunctionGraph,
    control_dependence,
    post_dominators,
)
from zeroin.subject.graph import ControlFlow, Graph, reached

T0, F0, T1, F1, T2, F2, T3, F3 = range(8)

EARLY_RETURNS = """
int f(int a, int b, int c) {
  if (a < 0) return -1;
  if (b < 0) return -2;
  if (c == 5) return 1;
  return 0;
}
"""
CALLS = """
static void need(int ok) { if (!ok) exit(3); }
static int deep(int z) { return z == 9 ? 1 : 0; }
int f(int x, int y, int z) {
  need(x > 5);
  if (y == 1) return deep(z);
  if (y == 2) deep(z + 1);
  return 0;
}
"""

# ---- known cases ----


def test_nested_conditions() -> None:
    graph = Graph(3, {T0: [1], T1: [2]}, [0])
    assert graph.controls == [[], [T0], [T1]]
    assert graph.levels(T2) == {T2: 0, T1: 1, T0: 2}
    assert graph.levels(F1) == {F1: 0, T0: 1}


def test_conditions_in_a_row_do_not_depend_on_each_other() -> None:
    graph = Graph(3, {T0: [1], F0: [1], T1: [2], F1: [2]}, [0])
    assert graph.controls == [[], [], []]
    assert graph.levels(T2) == {T2: 0}


def test_a_guard_in_a_loop(programs: Programs) -> None:
    """Each time the loop goes on, both ways of its guard come to it again; only one of them decides on the target."""
    graph = programs.load(GUARD_IN_LOOP).graph
    assert graph.controls == [[F1, F2], [T0], [T1]]
    assert graph.levels(T2) == {T2: 0, T1: 1, T0: 2, F1: 3, F2: 3}


def test_what_comes_after_early_returns_depends_on_each(programs: Programs) -> None:
    graph = programs.load(EARLY_RETURNS).graph
    assert graph.controls == [[], [F0], [F1]]
    assert graph.levels(T2) == {T2: 0, F1: 1, F0: 2}


def test_calls(programs: Programs) -> None:
    """What a function depends on is what its calls depend on; what comes after a call, on what lets it return."""
    subject = programs.load("#include <stdlib.h>\n" + CALLS, callees=True)
    site = {s.condition: s.number for s in subject.sites}
    ok, one, two, nine = (site[text] for text in ("ok", "y == 1", "y == 2", "z == 9"))
    controls = subject.graph.controls
    assert controls[ok] == []
    assert controls[one] == [2 * ok]
    assert controls[two] == [2 * one + 1]
    assert controls[nine] == sorted([2 * one, 2 * two])
    assert subject.graph.levels(2 * nine)[2 * ok] == 2


def test_python_has_the_same(tmp_path: Path) -> None:
    source = tmp_path / "loops.py"
    source.write_text("""
def f(a: int, b: int):
    for i in range(10):
        if a + i == 123456:
            if b == 77:
                return 1
    return 0
""")
    subject = PythonSubject(str(source), "f")
    guard, inner = (site.number for site in subject.sites if "==" in site.condition)
    controls = subject.graph.controls
    assert controls[inner] == [2 * guard]
    assert 2 * guard not in controls[guard]


# ---- the definition ----


@st.composite
def functions(draw: st.DrawFn) -> FunctionGraph:
    """Points 0 to n, each with up to three steps; all are come to from 0."""
    count = draw(st.integers(1, 7))
    points = st.lists(st.integers(0, count - 1), max_size=3, unique=True)
    steps = {point: draw(points) for point in range(count)}
    seen, todo = {0}, [0]
    while todo:
        fresh = [p for p in steps[todo.pop()] if p not in seen]
        seen.update(fresh)
        todo += fresh
    return FunctionGraph(0, {point: steps[point] for point in seen})


def always_passes(steps: Mapping[int, Sequence[int]], start: int, point: int) -> bool:
    """Whether each way from the start to EXIT has the point on it."""
    seen, todo = set[int](), [start]
    while todo:
        at = todo.pop()
        if at == point or at in seen:
            continue
        if at == EXIT:
            return False
        seen.add(at)
        todo += steps[at]
    return True


@given(functions())
def test_post_dominators_and_dependence_are_as_they_are_defined(function: FunctionGraph) -> None:
    steps = function.edges()
    ends = {point for point in steps if not always_passes({**steps, EXIT: ()}, point, START)}
    assert ends == set(steps) - {START}, "EXIT is come to from everywhere"
    for point, dominator in post_dominators(steps).items():
        proper = {
            other for other in steps if other != point and all(always_passes(steps, s, other) for s in steps[point])
        }
        assert dominator in proper | {EXIT}
        assert all(other == dominator or always_passes(steps, dominator, other) for other in proper)
    found = control_dependence(function)
    for at in function.steps:
        expected = {
            (point, after)
            for point, following in steps.items()
            for after in following
            if always_passes(steps, after, at) and not (point != at and always_passes(steps, point, at))
            if not all(always_passes(steps, other, at) for other in following)
        }
        assert set(found.get(at, ())) == expected, at


Items = list[tuple[str, int, int]]


@st.composite
def programs_without_loops(draw: st.DrawFn) -> list[Items]:
    """Functions that each call later ones; control goes forward, and may stop."""
    count = draw(st.integers(1, 3))
    made = []
    for number in range(count):
        length = draw(st.integers(1, 4))
        items: Items = []
        for at in range(length):
            to = st.integers(at + 1, length)
            kinds = [st.tuples(st.just("decide"), to, to)]
            if number + 1 < count:
                kinds.append(st.tuples(st.just("call"), st.integers(number + 1, count - 1), to))
            if number:
                kinds.append(st.tuples(st.just("stop"), st.just(0), st.just(0)))
            items.append(draw(st.one_of(kinds)))
        made.append(items)
    return made


class Built:
    """The points of such a program: functions that are called, or that stand where they are called."""

    def __init__(self, bodies: list[Items], inline: bool) -> None:
        self.flow, self.outcomes, self.origin = ControlFlow(), list[int](), list[tuple[int, int]]()
        self._bodies = bodies
        self._known: dict[int, list[int]] = {}
        self.entry = (self._inlined(0) if inline else self._called(0))[0]
        self.graph = self.flow.graph(self.entry, self.outcomes)

    def _decide(self, place: tuple[int, int], at: int, targets: Sequence[int]) -> None:
        pair = self.flow.decision(len(self.outcomes) // 2, at)
        self.outcomes += pair
        self.origin.append(place)
        for outcome, target in zip(pair, targets, strict=True):
            self.flow.steps[outcome].add(target)

    def _called(self, number: int) -> list[int]:
        if number in self._known:
            return self._known[number]
        items = self._bodies[number]
        points = self._known[number] = [self.flow.point() for _ in range(len(items) + 1)]
        for at, (kind, one, two) in enumerate(items):
            if kind == "decide":
                self._decide((number, at), points[at], (points[one], points[two]))
            elif kind == "call":
                called = self._called(one)
                self.flow.call(points[at], called[0], (called[-1], points[two]))
        return points

    def _inlined(self, number: int) -> list[int]:
        items = self._bodies[number]
        points = [self.flow.point() for _ in range(len(items) + 1)]
        for at, (kind, one, two) in enumerate(items):
            if kind == "decide":
                self._decide((number, at), points[at], (points[one], points[two]))
            elif kind == "call":
                copy = self._inlined(one)
                self.flow.steps[points[at]].add(copy[0])
                self.flow.steps[copy[-1]].add(points[two])
        return points


@given(programs_without_loops())
def test_dependence_through_calls_is_that_of_the_program_without_calls(bodies: list[Items]) -> None:
    called, inlined = Built(bodies, inline=False), Built(bodies, inline=True)
    number = {place: site for site, place in enumerate(called.origin)}
    expected: dict[int, set[int]] = {}
    for site in _reached(inlined.graph):
        expected.setdefault(number[inlined.origin[site]], set()).update(
            2 * number[inlined.origin[outcome >> 1]] + (outcome & 1) for outcome in inlined.graph.controls[site]
        )
    assert {site: set(called.graph.controls[site]) for site in expected} == expected


def _reached(graph: Graph) -> set[int]:
    found, todo = set(graph.first), list(graph.first)
    while todo:
        site = todo.pop()
        fresh = {s for o in (2 * site, 2 * site + 1) for s in graph.follows[o]} - found
        found |= fresh
        todo += fresh
    return found


# ---- many calls ----


class Large:
    """Functions of many points with loops, each of which calls later ones, at random; most choices are outcomes."""

    def __init__(self, seed: int, functions: int = 6, points: int = 150, calls: int = 3) -> None:
        rng = random.Random(seed)
        self.outcomes: dict[int, int] = {}
        self.callers: dict[int, list[int]] = {}
        self.ends: dict[Edge, list[int]] = {}
        self.functions = []
        for number in range(functions):
            first, last = number * points, (number + 1) * points - 1
            steps = {at: {at + 1} for at in range(first, last)}
            for at in rng.sample(range(first, last), points // 2):
                steps[at].add(rng.randrange(max(first, at - 10), min(last, at + 20)))
            for at in rng.sample(range(first, last - 1), calls if number + 1 < functions else 0):
                called = rng.randrange(number + 1, functions) * points
                steps[at] = {at + 1, EXIT} if rng.random() < 0.5 else {at + 1}
                self.callers.setdefault(called, []).append(at)
                self.ends[at, at + 1] = [called + points - 1]
            for following in steps.values():
                if len(following) > 1 and EXIT not in following and rng.random() < 0.8:
                    self.outcomes.update((after, after) for after in following)
            self.functions.append(FunctionGraph(first, reached(first, steps)))

    def dependence(self) -> Dependence:
        return Dependence(self.outcomes, self.functions, self.callers, self.ends)


def by_all_calls(large: Large, point: int) -> list[int]:
    """What a point depends on, looked for in each call in each call apart."""
    edges: dict[int, list[Edge]] = {}
    for function in large.functions:
        for at, found in control_dependence(function).items():
            edges.setdefault(at, []).extend(found)
    nowhere: tuple[int, ...] = ()
    known, seen, todo = set[int](), set[tuple[int, tuple[int, ...]]](), [(point, nowhere)]
    while todo:
        at, within = state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        for before, after in edges.get(at, ()):
            if after in large.outcomes:
                known.add(large.outcomes[after])
            elif before == START:
                todo += [(within[0], within[1:])] if within else [(call, ()) for call in large.callers.get(after, ())]
            elif (before, after) in large.ends:
                todo += [(end, (before, *within)) for end in large.ends[before, after]]
            else:
                todo.append((before, within))
    return sorted(known)


def test_dependence_through_many_calls_is_that_of_each_call_apart() -> None:
    sizes = set()
    for seed in range(5):
        large = Large(seed)
        found = large.dependence()
        for function in large.functions:
            for point in list(function.steps)[::7]:
                expected = by_all_calls(large, point)
                assert found.of(point) == expected, (seed, point)
                sizes.add(len(expected))
    assert max(sizes) > 10


def test_calls_in_calls_are_not_gone_through_one_by_one() -> None:
    """Each of 40 functions calls the next one twice; the last one need not return."""
    flow = ControlFlow()
    bodies = [[flow.point() for _ in range(3)] for _ in range(40)]
    for (first, second, end), called in pairwise(bodies):
        flow.call(first, called[0], (called[2], second))
        flow.call(second, called[0], (called[2], end))
    stays, stops = flow.decision(0, bodies[-1][0])
    flow.steps[stays].add(bodies[-1][2])
    yes, no = flow.decision(1, bodies[0][2])
    assert flow.graph(bodies[0][0], [stays, stops, yes, no]).controls == [[0], [0]]
