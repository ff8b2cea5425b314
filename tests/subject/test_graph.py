"""Descendants, saturation and levels, on the paper's examples and against brute force."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from programs import Programs
from zeroin.subject.graph import Graph

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


def test_levels_of_nested_conditions() -> None:
    graph = Graph(3, {T0: [1], T1: [2]}, [0])
    assert graph.levels(T2) == {T2: 0, T1: 1, T0: 2}
    assert graph.levels(F1) == {F1: 0, T0: 1}
    assert graph.levels(F0) == {F0: 0}


def test_levels_take_the_shortest_way() -> None:
    graph = Graph(3, {T0: [1], F0: [2], T1: [2]}, [0])
    assert graph.levels(T2) == {T2: 0, F0: 1, T1: 1, T0: 2}


def test_levels_in_a_loop() -> None:
    graph = Graph(2, {T0: [1], T1: [0], F1: [0]}, [0])
    assert graph.levels(T1) == {T1: 0, T0: 1, F1: 2}
    assert graph.levels(F0) == {F0: 0, T1: 1, F1: 1, T0: 2}


GRAPHS = st.integers(1, 6).flatmap(
    lambda n: st.builds(
        Graph,
        st.just(n),
        st.dictionaries(st.integers(0, 2 * n - 1), st.lists(st.integers(0, n - 1), max_size=2)),
        st.just([0]),
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
def test_levels_by_brute_force(graph: Graph, data: st.DataObject) -> None:
    target = data.draw(st.integers(0, 2 * graph.sites - 1))
    expected = {o: steps_to(graph, o, target >> 1) for o in range(2 * graph.sites)}
    assert graph.levels(target) == {o: n for o, n in expected.items() if n is not None and o != target} | {target: 0}
