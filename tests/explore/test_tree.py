"""The execution tree: what is known of each node, and whether a run did what was predicted."""

from __future__ import annotations

from dataclasses import replace

from zeroin.explore.tree import MOST_HITS, Path, Status, Tree, follows
from zeroin.model.path import PathCondition, SideConstraint, Step
from zeroin.term.core.build import TRUE, equal
from zeroin.term.core.nodes import constant, variable
from zeroin.term.core.sorts import bits

ZERO = constant(bits(8), 0)


def path(*decided: tuple[int, bool], fixed: tuple[int, ...] = (), one: int = -1) -> Path:
    """A path of these decisions; those at ``fixed`` sites depend on no input, all at the site ``one`` on the same."""
    steps = [Step(site, holds, TRUE if site in fixed else equal(variable(f"x{n if site != one else 0}", bits(8)), ZERO),
                  ZERO, ZERO, (site,))
             for n, (site, holds) in enumerate(decided)]  # fmt: skip
    return Path(PathCondition(tuple(steps), (), {}), {})


def test_paths_share_what_they_have_in_common() -> None:
    tree = Tree(6)
    first = tree.add(path((1, True), (2, True), (3, False)))
    assert [(n.branch, n.depth, n.number, n.status) for n in first] == [
        ((1, True), 0, 0, Status.OPEN), ((2, True), 1, 1, Status.OPEN), ((3, False), 2, 2, Status.OPEN)]  # fmt: skip
    second = tree.add(path((1, True), (2, False), (3, False), (2, True)))
    assert [(n.branch, n.depth) for n in second] == [((3, False), 2), ((2, True), 3)]
    assert [n.status for n in first] == [Status.OPEN, Status.FLIPPED, Status.OPEN]
    assert tree.add(path((1, True), (2, True), (3, False))) == []
    assert len(tree.paths) == 3
    assert not tree.is_exhausted


def test_what_depends_on_no_input_is_no_branching_node() -> None:
    """The paper's compact form of the tree."""
    tree = Tree(6)
    nodes = tree.add(path((1, True), (2, True), (2, True), (3, False), fixed=(2,)))
    assert [(n.branch[0], n.depth) for n in nodes] == [(1, 0), (3, 1)]
    assert [(n.stack, n.frequency) for n in nodes] == [((1,), 0), ((3,), 0)]
    assert nodes[1].hits == bytes([0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0])
    for node in nodes:
        node.status = Status.EXHAUSTED
    assert tree.is_exhausted
    nodes[0].status = Status.GIVEN_UP
    assert not tree.is_exhausted


def test_what_was_decided_before_is_no_branching_node() -> None:
    """An endless loop has one."""
    nodes = Tree(6).add(path(*[(1, True)] * 5, (1, False), (1, True), one=1))
    assert [(n.number, n.depth) for n in nodes] == [(0, 0), (5, 1)]


def test_hits_are_counted_up_to_a_limit() -> None:
    """At height n of Pex's tree of hit counts, 2**n hits are told from fewer, up to 256."""
    nodes = Tree(1).add(path(*[(0, True)] * 300))
    assert [n.frequency for n in nodes] == [*range(300)]
    first = {level: next(n.frequency for n in nodes if n.hits[0] == level) for level in range(10)}
    assert first == {0: 0, **{level: 2 ** (level - 1) for level in range(1, 10)}}
    assert nodes[-1].hits == bytes([MOST_HITS.bit_length(), 0])


def test_another_site_behind_a_value_that_was_taken_from_the_run_is_none() -> None:
    """Other values lead elsewhere without any decision."""
    pin = SideConstraint(TRUE, 1, "taken from the run", pins=True)
    tree, first, other = Tree(6), path((1, True), (2, True)), path((1, True), (4, True))
    tree.add(replace(first, condition=replace(first.condition, asides=(pin,))))
    assert tree.add(replace(other, condition=replace(other.condition, asides=(pin,)))) == []
    assert len(tree.paths) == 2


def test_another_site_after_the_same_decisions_is_a_state() -> None:
    """What lies behind is explored no further; all else is."""
    tree = Tree(6)
    first, second, third = tree.add(path((1, True), (2, True), (3, True)))
    assert tree.add(path((1, True), (4, True), (3, True))) == []
    assert tree.unsteady == [second]
    assert [node.status for node in (first, second, third)] == [Status.OPEN, Status.UNSTEADY, Status.UNSTEADY]
    assert second.before is not None
    assert second.before.site == 1
    for again in (path((1, True), (2, True), (3, False)), path((1, True), (2, False), (5, True))):
        assert tree.add(again) == []
    assert [tree.unsteady, second.status, len(tree.paths)] == [[second], Status.UNSTEADY, 4]
    assert [node.branch for node in tree.add(path((1, False), (5, True)))] == [(5, True)]
    assert first.status is Status.FLIPPED
    assert not tree.is_exhausted


def test_predictions() -> None:
    _, node, _ = Tree(6).add(path((1, True), (2, True), (3, False)))
    assert follows(path((1, True), (2, False)).condition.choices, node)
    assert follows(path((1, True), (2, False), (5, True)).condition.choices, node)
    for other in (
        path((1, True), (2, True)),
        path((1, True)),
        path((1, False), (2, False)),
        path((4, True), (2, False)),
    ):
        assert not follows(other.condition.choices, node)
