"""Frontiers: what all owe, and what each of them prefers."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from zeroin.errors import OptionError
from zeroin.explore.fitness import WORST, Fitness, FitnessTarget
from zeroin.explore.fitnex import Fitnex
from zeroin.explore.frontier import (
    MOST_IN_A_ROW,
    BreadthFirst,
    CallStackTracePrioritized,
    CappedBranchCoveragePrioritized,
    CodeLocationFrequencyPrioritized,
    CodeLocationPrioritized,
    DepthFirst,
    DepthPrioritized,
    Frontier,
    IterativeDeepening,
    Random,
    RoundRobin,
    ShortCircuit,
    Shortest,
    ShortestThroughAllCodeBranches,
    View,
)
from zeroin.explore.guidance import Guided
from zeroin.explore.registry import FITTEST, FRONTIERS, frontier_named
from zeroin.explore.tree import Branch, Node, Path, Status
from zeroin.model.path import PathCondition

T5 = (5, True)


def node(branch: Branch = (0, True), depth: int = 0, stack: tuple[int, ...] = (), hits: bytes = bytes(12),
         frequency: int = 0, fitness: Fitness | None = None) -> Node:  # fmt: skip
    path = Path(PathCondition((), (), {}), {T5: 3.0} if fitness is None else fitness)
    return Node(branch, depth, path, 0, stack, frequency, hits, Status.OPEN)


def begun(kind: Frontier) -> Frontier:
    return kind.empty(View(random.Random(0)))


def chosen(frontier: Frontier, *nodes: Node) -> list[Node]:
    """What it chooses of these until it declines, each flipped at once."""
    for one in nodes:
        frontier.add(one)
    found = []
    while (one_more := frontier.choose()) is not None:
        one_more.status = Status.FLIPPED
        found.append(one_more)
    return found


KINDS = {
    "Random": Random(), "IterativeDeepening": IterativeDeepening(), "DepthFirst": DepthFirst(),
    "BreadthFirst": BreadthFirst(), "ShortCircuit": ShortCircuit(Shortest(), Random()),
    "RoundRobin": RoundRobin(Shortest(), Random(), IterativeDeepening()),
    "CodeLocationPrioritized": CodeLocationPrioritized(Random()),
    "CallStackTracePrioritized": CallStackTracePrioritized(Random()),
    "CappedBranchCoveragePrioritized": CappedBranchCoveragePrioritized(Random()),
    "CodeLocationFrequencyPrioritized": CodeLocationFrequencyPrioritized(Random()),
    "DepthPrioritized": DepthPrioritized(Random()), "Guided": Guided(Random(), {0: 1, 2: -1}),
    "Fittest": FITTEST, **FRONTIERS,
}  # fmt: skip


def some_nodes(count: int) -> list[Node]:
    rng = random.Random(1)
    return [node((rng.randrange(6), rng.random() < 0.5), rng.randrange(9), tuple(range(rng.randrange(3))),
                 bytes(rng.randrange(9) for _ in range(12)), 0, {T5: float(rng.randrange(1, 4))})
            for _ in range(count)]  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_every_open_node_is_chosen_once(name: str) -> None:
    nodes = some_nodes(100)
    frontier = begun(KINDS[name])
    assert frontier.choose() is None
    found = chosen(frontier, *nodes)
    assert Counter(map(id, found)) == Counter(map(id, nodes))
    late = some_nodes(7)
    assert set(map(id, chosen(frontier, *late))) == set(map(id, late))


@pytest.mark.parametrize("name", [*KINDS, "Shortest", "ShortestThroughAllCodeBranches"])
def test_what_is_not_open_is_not_chosen(name: str) -> None:
    kind = {"Shortest": Shortest(), "ShortestThroughAllCodeBranches": ShortestThroughAllCodeBranches(), **KINDS}[name]
    nodes = some_nodes(40)
    frontier = begun(kind)
    for number, one in enumerate(nodes):
        frontier.add(one)
        one.status = list(Status)[number % len(Status)]
    assert all(one in nodes[1 :: len(Status)] for one in chosen(frontier))


@pytest.mark.parametrize("name", KINDS)
def test_a_description_stays_empty(name: str) -> None:
    view = View(random.Random(0))
    one, other = KINDS[name].empty(view), KINDS[name].empty(view)
    one.add(node())
    assert other.choose() is None
    assert one.choose() is not None


def test_depths() -> None:
    nodes = [node(depth=n) for n in (3, 1, 2, 1)]
    assert [n.depth for n in chosen(begun(IterativeDeepening()), *nodes)] == [1, 1, 2, 3]
    nodes = [node(depth=n) for n in (3, 1, 2, 1)]
    assert [n.depth for n in chosen(begun(DepthFirst()), *nodes)] == [3, 2, 1, 1]
    nodes = [node(depth=n) for n in (3, 1, 2, 1)]
    assert [n.depth for n in chosen(begun(BreadthFirst()), *nodes)] == [3, 1, 2, 1]


def test_shortest_gives_nodes_of_the_smallest_depth_ever_seen_and_no_others() -> None:
    frontier = begun(Shortest())
    assert [n.depth for n in chosen(frontier, node(depth=3), node(depth=2), node(depth=2))] == [2, 2]
    assert chosen(frontier, node(depth=3)) == []
    assert [n.depth for n in chosen(frontier, node(depth=1))] == [1]
    assert chosen(frontier, node(depth=2)) == []


def test_shortest_through_all_code_branches_has_a_list_for_each_set_of_branches() -> None:
    """How often a branch was taken does not count."""
    one, two, other = bytes([1, 0] * 6), bytes([9, 0] * 6), bytes([0, 1] * 6)
    nodes = [node(depth=4, hits=one), node(depth=5, hits=two), node(depth=9, hits=other)]
    assert sorted(n.depth for n in chosen(begun(ShortestThroughAllCodeBranches()), *nodes)) == [4, 9]


def test_short_circuit_asks_the_next_only_when_the_first_declines() -> None:
    nodes = [node(depth=n) for n in (5, 1, 1)]
    frontier = begun(ShortCircuit(Shortest(), DepthFirst()))
    assert [n.depth for n in chosen(frontier, *nodes)] == [1, 1, 5]


def fair(kind: Frontier, classes: list[list[Node]]) -> None:
    """While all classes have nodes, the choice goes round them."""
    found = chosen(begun(kind), *(one for several in classes for one in several))
    shortest = min(map(len, classes))
    for turn in range(shortest):
        group = found[turn * len(classes) : (turn + 1) * len(classes)]
        assert all(sum(one in several for one in group) == 1 for several in classes)


def test_partitions_choose_fairly_between_their_classes() -> None:
    fair(
        CodeLocationPrioritized(Random()), [[node((s, h)) for _ in range(3 + s)] for s in (0, 1) for h in (True, False)]
    )
    fair(CallStackTracePrioritized(Random()), [[node(stack=s) for _ in range(4)] for s in ((), (1,), (2,), (1, 2))])
    fair(DepthPrioritized(Random()), [[node(stack=(1,)), node(stack=(2,))], [node(stack=(1, 2)), node(stack=(3, 4))]])
    fair(CodeLocationFrequencyPrioritized(Random()), [[node(frequency=300) for _ in range(9)], [node(frequency=2)]])


def test_capped_coverage_is_a_tree_of_partitions() -> None:
    """First by which branches were taken at all; only among such by whether they were taken twice, and so on."""
    none = [node(hits=bytes(12)) for _ in range(2)]
    once = [node(hits=bytes([1, *[0] * 11])) for _ in range(8)]
    twice, often = [node(hits=bytes([level, *[0] * 11])) for level in (2, 9)]
    found = chosen(begun(CappedBranchCoveragePrioritized(Random())), *none, *once, twice, often)
    kinds = ["none" if n in none else "once" if n in once else "more" for n in found[:6]]
    assert kinds[::2] == ["none", "none", "once"] or kinds[1::2] == ["none", "none", "once"]
    assert twice in found[:6]
    assert often in found[:8]


def test_extra_turns_are_for_who_made_progress() -> None:
    class Named(Frontier):
        def __init__(self, name: str, eager: bool) -> None:
            self.name, self.eager = name, eager

        def begin(self) -> None:
            pass

        def add(self, node: Node) -> None:
            pass

        def choose(self) -> Node | None:
            turns.append(self.name)
            if self.eager and self.outer is not None:
                self.outer.progressed(self)
            return node()

    turns: list[str] = []
    frontier = begun(RoundRobin(Named("a", False), Named("b", True), Named("c", False)))
    for _ in range(MOST_IN_A_ROW + 5):
        frontier.choose()
    assert turns == ["a", "b", *["b"] * MOST_IN_A_ROW, "c", *["b"] * 2]


def test_the_fittest_is_of_the_lowest_fitness_less_gain() -> None:
    view = View(random.Random(0))
    frontier = Fitnex(IterativeDeepening()).empty(view)
    far, near, nearer = (node((n, True), fitness={T5: f}) for n, f in enumerate((20.0, 19.0, 18.0)))
    view.gains.learn((0, True), {T5: 20.0}, {T5: 15.0})  # 20 - 5
    assert chosen(frontier, far, near, nearer) == [far, nearer, near]


def test_who_never_came_to_the_target_is_not_chosen() -> None:
    frontier = begun(Fitnex(IterativeDeepening()))
    assert chosen(frontier, node(fitness={}), node(fitness={T5: WORST}), node(fitness={T5: 0.0})) == []


def test_targets_take_turns_until_they_are_covered() -> None:
    view = View(random.Random(0))
    covered: set[object] = set()
    view.is_target = lambda target: target not in covered
    frontier = Fitnex(IterativeDeepening()).empty(view)
    one = [node(fitness={T5: 1.0}) for _ in range(3)]
    other = [node(fitness={(6, True): 900.0}) for _ in range(3)]
    for each in (*one, *other):
        frontier.add(each)
    first, second = frontier.choose(), frontier.choose()
    assert {first in one, second in one} == {True, False}
    covered.add(T5)
    assert all(each in other for each in chosen(frontier))


def test_fitnex_tells_of_the_progress_of_its_own_flips() -> None:
    view = View(random.Random(0))
    told = []

    class Outer(RoundRobin):
        def progressed(self, inner: Frontier) -> None:
            told.append(inner)

    frontier = Outer(Fitnex(BreadthFirst())).empty(view)
    frontier.add(node())
    mine, foreign = frontier.choose(), node()
    assert mine is not None
    (learn,) = view.flipped
    learn(foreign, {T5})
    learn(mine, set())
    assert told == []
    learn(mine, {T5})
    assert len(told) == 1


def test_names() -> None:
    assert frontier_named("random") is FRONTIERS["random"]


def story(kind: Frontier, seed: int) -> list[int]:
    """What is chosen, by number, in the course of an exploration of 60 paths: they come one by one, nodes are flipped
    meanwhile by other flips, and some flips come closer to a target."""
    rng, nodes = random.Random(seed), list[Node]()
    view = View(random.Random(1), is_target=lambda target: len(nodes) < 40 or target[0] != 5)
    frontier, found = kind.empty(view), list[int]()
    for _ in range(60):
        fitness: dict[FitnessTarget, float] = {(n, True): float(rng.randrange(4)) for n in rng.sample(range(8), 3)}
        for _ in range(rng.randrange(6)):
            hits, branch = bytes(rng.choices((0, 0, 1, 2, 7), k=12)), (rng.randrange(4), rng.random() < 0.5)
            nodes.append(node(branch, rng.randrange(9), tuple(rng.sample((1, 2), rng.randrange(3))), hits, 0, fitness))
            frontier.add(nodes[-1])
        for other in rng.sample(nodes, min(len(nodes), 2)):
            other.status = Status.FLIPPED
        if (one := frontier.choose()) is not None:
            one.status = Status.FLIPPED
            found.append(nodes.index(one))
            closer: set[FitnessTarget] = {T5} if rng.random() < 0.3 else set()
            view.gains.learn(one.branch, one.path.fitness, fitness)
            for told in view.flipped:
                told(one, closer)
    return found


# Section 4.2, as the paper prints it.
PRINTED = """
ShortCircuit(
   CodeLocationPrioritized[Shortest],
   RoundRobin(
      CodeLocationPrioritized[
         ShortestThroughAllCodeBranches],
      CodeLocationPrioritized[
         CallStackTracePrioritized[
            ShortCircuit(
               Shortest,
               CappedBranchCoveragePrioritized[
                  Random])]],
      CodeLocationPrioritized[
         CodeLocationFrequencyPrioritized[
            DepthPrioritized[Random]]],
      CallStackTracePrioritized[
         CodeLocationPrioritized[
            ShortCircuit(
               Shortest,
               DepthPrioritized[Random])]],
      Fittest[
         RoundRobin(
            CallStackTracePrioritized[
               IterativeDeepening],
            CodeLocationPrioritized[
               IterativeDeepening])]))
"""


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (PRINTED, "fitnex"),
        (PRINTED[: PRINTED.index(",\n      Fittest")] + "))", "without-fitnex"),
        ("Random", "random"),
        ("random()", "random"),
        ("depth", "depth-first"),
        ("breadth", "breadth-first"),
        ("ITERATIVE-DEEPENING", "iterative-deepening"),
        ("short-circuit(depth, iterative-deepening)", "depth-first"),
    ],
)
def test_a_text_composes_frontiers(text: str, same: str) -> None:
    for seed in range(3):
        assert story(frontier_named(text), seed) == story(FRONTIERS[same], seed)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "column 1: a frontier is missing"),
        ("RoundRobin(Random, best)", "column 20: no frontier 'best'; there are fitnex, "),
        ("RoundRobin(Random", "column 18: ')' is missing"),
        ("RoundRobin(Random]", "column 18: ')' is missing"),
        ("RoundRobin(Random Shortest)", "column 19: ')' is missing"),
        ("RoundRobin()", "column 1: RoundRobin has at least one frontier inside, not 0"),
        ("Shortest[Random]", "column 1: Shortest has no frontier inside, not 1"),
        ("random(Shortest)", "column 1: random has no frontier inside, not 1"),
        ("DepthPrioritized(Random, Shortest)", "column 1: DepthPrioritized has one frontier inside, not 2"),
        ("RoundRobin(, Random)", "column 12: a frontier is missing before ','"),
        ("Random)", "column 7: ')' after the end"),
        ("Random + Shortest", "column 8: '+' after the end"),
    ],
)
def test_an_expression_that_is_none_is_refused_with_the_place(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        frontier_named(text)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_to_hear_of_nodes_late_changes_nothing(kind: Frontier, monkeypatch: pytest.MonkeyPatch) -> None:
    stories = [story(kind, seed) for seed in range(5)]
    assert all(map(len, stories))
    at_once = property(lambda self: self.frontier.add)
    monkeypatch.setattr(
        "zeroin.explore.frontier.Inner",
        type("AtOnce", (), {"__init__": lambda self, frontier: setattr(self, "frontier", frontier), "add": at_once,
                            "choose": lambda self: self.frontier.choose()}))  # fmt: skip
    assert [story(kind, seed) for seed in range(5)] == stories
