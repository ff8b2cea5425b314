"""Descendants, saturation and levels, on the paper's examples and against brute force."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from programs import Programs
from zeroin.subject.graph import ControlFlow, Graph

T0, F0, T1, F1, T2, F2 = range(6)

# Fu & Su 2016, figure 3: if (x <= 1) x++; y = x*x; if (y == 4) ...
FOO = """
static double square(double x) { return x * x; }
int f(double x)
{
    if (x <= 1.0) x++;
    double y = square(x);
    if (y == 4.0) return 1;
    return 0;
}
"""


def bits_of(number: int) -> list[int]:
    return [n for n in range(number.bit_length()) if number >> n & 1]


def bits(*outcomes: int) -> int:
    return sum(1 << o for o in set(outcomes))


def test_figure_3() -> None:
    graph = Graph(2, {T0: [1], F0: [1]}, [0])
    assert graph.descendants == [bits(T1, F1), bits(T1, F1), 0, 0]
    # Table 1, rows 1 to 4
    assert graph.saturated(0) == 0
    assert graph.saturated(bits(T0, F1)) == bits(F1)
    assert graph.saturated(bits(T0, F1, T1)) == bits(T0, T1, F1)
    assert graph.saturated(bits(T0, F1, T1, F0)) == bits(T0, F0, T1, F1)


def test_figure_3_from_its_source(programs: Programs) -> None:
    subject = programs.load(FOO)
    assert [site.condition for site in subject.sites] == ["x <= 1.0", "y == 4.0"]
    assert subject.graph.first == (0,)
    assert subject.graph.descendants == [bits(T1, F1), bits(T1, F1), 0, 0]


def test_example_of_definition_3_2() -> None:
    """X covers 0T, 0F and 1F; 1 stands under 0T: 0F and 1F are saturated."""
    graph = Graph(2, {T0: [1]}, [0])
    assert graph.saturated(bits(T0, F0, F1)) == bits(F0, F1)


def test_loop_reaches_itself() -> None:
    graph = Graph(2, {T0: [1], T1: [0], F1: [0]}, [0])  # while (0) { if (1) ...; }
    everything = bits(T0, F0, T1, F1)
    assert graph.descendants == [everything, 0, everything, everything]
    assert graph.saturated(bits(F0, T0, T1)) == bits(F0)
    assert graph.saturated(everything) == everything


GRAPHS = st.integers(1, 6).flatmap(
    lambda n: st.builds(
        Graph,
        st.just(n),
        st.dictionaries(st.integers(0, 2 * n - 1), st.lists(st.integers(0, n - 1), max_size=2)),
        st.lists(st.integers(0, n - 1), min_size=1, max_size=2),
    )
)


def steps_to(graph: Graph, outcome: int, goal: int) -> int | None:
    """How many sites come after the outcome up to the goal, which is one of them; None if it never comes."""
    here, seen, steps = set(graph.follows[outcome]), set[int](), 1
    while here - seen:
        if goal in here:
            return steps
        seen |= here
        here = {s for site in here for o in (2 * site, 2 * site + 1) for s in graph.follows[o]}
        steps += 1
    return None


@given(GRAPHS)
def test_descendants_by_brute_force(graph: Graph) -> None:
    for outcome in range(2 * graph.sites):
        expected = [g for g in range(2 * graph.sites) if steps_to(graph, outcome, g >> 1) is not None]
        assert graph.descendants[outcome] == bits(*expected)


@given(GRAPHS, st.data())
def test_saturated_is_definition_3_2(graph: Graph, data: st.DataObject) -> None:
    done = data.draw(st.integers(0, (1 << 2 * graph.sites) - 1))
    expected = [o for o in range(2 * graph.sites) if done >> o & 1 and graph.descendants[o] & ~done == 0]
    assert graph.saturated(done) == bits(*expected)
    assert graph.saturated(done) & ~done == 0


@given(GRAPHS, st.data())
def test_what_decides_on_a_target_has_a_level(graph: Graph, data: st.DataObject) -> None:
    """One way of it leads there, and the other one does not; and what has a level leads there."""
    target = data.draw(st.integers(0, 2 * graph.sites - 1))
    leading = {o for o in range(2 * graph.sites) if o == target or steps_to(graph, o, target >> 1) is not None}
    levels = graph.levels(target)
    assert levels.keys() <= leading
    met = {0b11 << 2 * site for site in graph.first}
    entered = {o for o in range(2 * graph.sites) if any(bits >> o & 1 for bits in met)}
    entered |= {o for first in entered for o in bits_of(graph.descendants[first])}
    assert {o for o in leading & entered if o ^ 1 not in leading} <= levels.keys()


# ---- what is given up ----


def test_what_is_only_reachable_through_an_infeasible_outcome_is_saturated_with_it() -> None:
    graph = Graph(3, {T0: [1], T1: [2]}, [0])  # nested three deep
    assert graph.beyond(bits(T0)) == bits(T0, T1, F1, T2, F2)
    assert graph.saturated(bits(F0)) == bits(F0)
    assert graph.saturated(bits(F0), bits(T0)) == bits(T0, F0, T1, F1, T2, F2)
    assert graph.saturated(bits(F0, T0, F1), bits(T1)) == bits(T0, F0, T1, F1, T2, F2)
    assert graph.saturated(bits(F0, T0), bits(T1)) == bits(F0, T1, T2, F2)  # F1 is still wanted
    assert Graph(2, {T1: [0]}, [1]).beyond(bits(T1)) == bits(T0, F0, T1)


def test_what_is_reachable_on_other_ways_stays_wanted() -> None:
    graph = Graph(3, {T0: [1], F0: [2], T1: [2]}, [0])  # 2 comes after F0, and after T0 T1
    assert graph.beyond(bits(T1)) == bits(T1)
    assert graph.saturated(bits(T0, F0, F1), bits(T1)) == bits(T0, F1, T1)  # F0 leads to 2, T0 no longer
    assert graph.beyond(bits(T1, F0)) == bits(T1, F0, T2, F2)


def test_a_loop_given_up() -> None:
    graph = Graph(2, {T0: [1], T1: [0], F1: [0]}, [0])
    assert graph.beyond(bits(T0)) == bits(T0, T1, F1)
    assert graph.beyond(bits(T1)) == bits(T1)
    assert graph.saturated(bits(T0, F1), bits(T1)) == bits(T1)  # F0 is wanted, and comes after T0 and F1
    assert graph.saturated(bits(T0, F0, F1), bits(T1)) == bits(T0, F0, T1, F1)


@given(GRAPHS, st.data())
def test_giving_up_by_brute_force(graph: Graph, data: st.DataObject) -> None:
    """As if the graph had no step from the infeasible outcomes on, and nothing there were wanted."""
    done, infeasible = (data.draw(st.integers(0, (1 << 2 * graph.sites) - 1)) for _ in "12")
    left = {o: () if infeasible >> o & 1 else sites for o, sites in graph.follows.items()}
    cut = Graph(graph.sites, left, graph.first)
    entry = bits(*(o for site in graph.first for o in (2 * site, 2 * site + 1)))

    def reachable(graph: Graph) -> int:
        return entry | bits(*(o for e in bits_of(entry) for o in bits_of(graph.descendants[e])))

    beyond = infeasible | reachable(graph) & ~reachable(cut)
    assert graph.beyond(infeasible) == beyond
    open_ = [
        o for o in range(2 * graph.sites) if not beyond >> o & 1
        and (not done >> o & 1 or cut.descendants[o] & ~infeasible & ~beyond & ~done)
    ]  # fmt: skip
    assert graph.saturated(done, infeasible) == bits(*range(2 * graph.sites)) & ~bits(*open_)


# ---- calls, against walking with a stack ----

Item = tuple[str, int, int]  # a decision and the items after its outcomes; a call, the function, the item after it
Bodies = list[list[Item]]


@st.composite
def bodies(draw: st.DrawFn) -> Bodies:
    """Functions of items; control that goes to the item after the last one returns."""
    count = draw(st.integers(1, 3))

    def item(length: int) -> st.SearchStrategy[Item]:
        to = st.integers(0, length)
        calls = st.tuples(st.just("call"), st.integers(0, count - 1), to)
        return st.one_of(st.tuples(st.just("decide"), to, to), calls)

    lengths = [draw(st.integers(1, 3)) for _ in range(count)]
    return [[draw(item(length)) for _ in range(length)] for length in lengths]


def built(functions: Bodies) -> Graph:
    flow, outcomes = ControlFlow(), list[int]()
    points = [[flow.point() for _ in range(len(items) + 1)] for items in functions]
    for own, items in zip(points, functions, strict=True):
        for at, (kind, one, two) in zip(own, items, strict=False):
            if kind == "call":
                flow.call(at, points[one][0], (points[one][-1], own[two]))
                continue
            outcomes += flow.decision(len(outcomes) // 2, at)
            for outcome, target in zip(outcomes[-2:], (one, two), strict=True):
                flow.steps[outcome].add(own[target])
    return flow.graph(points[0][0], outcomes)


Place = tuple[int, int]  # a function and one of its items


def walked(functions: Bodies, start: Place, unknown: bool, all_: bool, without: int = 0) -> set[int]:
    """The sites that control may come to, all or only the next, and by no outcome of ``without``; where the stack is
    empty it returns to any caller if the caller is ``unknown``."""
    places = [(f, i) for f, items in enumerate(functions) for i in range(len(items))]
    decisions = [place for place in places if functions[place[0]][place[1]][0] == "decide"]
    callers = [(f, i, functions[f][i]) for f, i in places if functions[f][i][0] == "call"]
    found, seen = set[int](), set[tuple[Place, tuple[Place, ...]]]()
    todo: list[tuple[Place, tuple[Place, ...]]] = [(start, ())]
    while todo:
        (f, i), stack = state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        if i == len(functions[f]):
            back = [((c, item[2])) for c, _, item in callers if item[1] == f] if unknown and not stack else []
            todo += [(stack[-1], stack[:-1])] if stack else [(place, ()) for place in back]
            continue
        kind, one, two = functions[f][i]
        if kind == "call":
            todo += [((one, 0), (*stack, (f, two)))] if len(stack) < 5 else []
            continue
        site = decisions.index((f, i))
        found.add(site)
        todo += [((f, to), stack) for o, to in enumerate((one, two), 2 * site) if all_ and not without >> o & 1]
    return found


@given(bodies())
def test_descendants_through_calls_are_those_of_walks_with_a_stack(functions: Bodies) -> None:
    graph = built(functions)
    decisions = [(f, item) for f, items in enumerate(functions) for item in items if item[0] == "decide"]
    assert len(graph.descendants) == 2 * len(decisions)
    assert set(graph.first) == walked(functions, (0, 0), unknown=False, all_=False)
    for site, (f, (_, *targets)) in enumerate(decisions):
        for outcome, target in zip((2 * site, 2 * site + 1), targets, strict=True):
            following = walked(functions, (f, target), unknown=True, all_=False)
            assert set(graph.follows[outcome]) == following
            below = walked(functions, (f, target), unknown=True, all_=True)
            assert graph.descendants[outcome] == bits(*itertools.chain(*((2 * s, 2 * s + 1) for s in below)))
    for target in range(2 * graph.sites):
        leading = {o for o in range(2 * graph.sites) if graph.descendants[o] >> target & 1}
        assert set(graph.levels(target)) <= leading | {target}
    entered = walked(functions, (0, 0), unknown=False, all_=True)
    first = bits(*(o for site in graph.first for o in (2 * site, 2 * site + 1)))
    assert graph.beyond(first) == bits(*itertools.chain(*((2 * s, 2 * s + 1) for s in entered)))


@given(bodies(), st.data())
def test_giving_up_through_calls_is_that_of_walks_with_a_stack(functions: Bodies, data: st.DataObject) -> None:
    graph = built(functions)
    infeasible = data.draw(st.integers(0, (1 << 2 * graph.sites) - 1))
    with_, left = (
        bits(*(o for site in walked(functions, (0, 0), False, True, without) for o in (2 * site, 2 * site + 1)))
        for without in (0, infeasible)
    )
    assert graph.beyond(infeasible) == infeasible | with_ & ~left


def test_what_stands_after_a_call_that_can_not_return_is_given_up_with_it() -> None:
    functions: Bodies = [[("call", 1, 1), ("decide", 2, 2)], [("decide", 1, 0)]]  # the called one repeats, or returns
    graph = built(functions)
    assert graph.beyond(bits(F1)) == bits(F1)
    assert graph.beyond(bits(T1)) == bits(T0, F0, T1)
    assert graph.saturated(0, bits(T1)) == bits(T0, F0, T1)
    assert graph.saturated(bits(F1), bits(T1)) == bits(T0, F0, T1, F1)


def test_a_call_is_passed_when_the_calls_in_it_are_found_to_return_later() -> None:
    """Each function calls the next one and returns, the last one only returns; the first has a condition after it."""
    flow = ControlFlow()
    outer, middle, inner, last = ([flow.point(), flow.point()] for _ in range(4))
    for caller, called in itertools.pairwise((outer, middle, inner, last)):
        flow.call(caller[0], called[0], (called[1], caller[1]))
    flow.steps[last[0]].add(last[1])
    graph = flow.graph(outer[0], flow.decision(0, outer[1]))
    assert graph.first == (0,)
