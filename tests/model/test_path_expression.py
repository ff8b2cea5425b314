"""Path expressions: the paper's example, the language that they stand for, and their products."""

from __future__ import annotations

import itertools
import re

from hypothesis import given
from hypothesis import strategies as st

from zeroin.model.path_expression import Destroyed, Expression, Word, path_expression

Edges = list[tuple[int, int, str]]

# Baars et al. 2011, figure 2, with its labels: from the condition n > 0, through the loop, to the target.
FIGURE_2 = [(1, 2, "a"), (2, 3, "b"), (3, 2, "c"), (2, 4, "d"), (4, 5, "e"), (5, 6, "f"), (6, 7, "g")]


def found(edges: Edges, start: int, end: int) -> Expression:
    expression = path_expression(edges, start, end)
    assert expression is not None
    return expression


def written(word: Word) -> str:
    return "".join("D" if isinstance(item, Destroyed) else str(item) for item in word)


def test_the_papers_example() -> None:
    expression = found(FIGURE_2, 1, 7)
    assert str(expression) == "a(bc)*defg"
    assert [written(word) for word in expression.words(1)] == ["adefg", "abcDdefg"]
    assert [written(word) for word in expression.words(2)] == ["adefg", "abcdefg", "abcbcDdefg"]
    (destroyed,) = (item for word in expression.words(1) for item in word if isinstance(item, Destroyed))
    assert destroyed == Destroyed(frozenset("bc"), 0)


def test_from_the_inside_of_a_loop_the_way_goes_on_and_round() -> None:
    assert str(found(FIGURE_2, 3, 7)) == "(cb)*cdefg"
    assert str(found(FIGURE_2, 2, 2)) == "(bc)*"
    assert path_expression(FIGURE_2, 4, 3) is None


def test_two_edges_between_the_same_nodes_are_two_ways() -> None:
    assert str(found([(0, 1, "a"), (0, 1, "b"), (1, 1, "c"), (1, 2, "d")], 0, 2)) == "(a + b)c*d"


GRAPHS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=6).map(
    lambda pairs: [(one, two, "abcdef"[n]) for n, (one, two) in enumerate(pairs)]
)


def is_way(edges: Edges, start: int, end: int, word: str) -> bool:
    steps, at = {label: (one, two) for one, two, label in edges}, start
    for label in word:
        if steps[label][0] != at:
            return False
        at = steps[label][1]
    return at == end


@given(GRAPHS, st.integers(0, 4), st.integers(0, 4))
def test_it_stands_for_all_ways_and_nothing_else(edges: Edges, start: int, end: int) -> None:
    expression = path_expression(edges, start, end)
    pattern = re.compile("$." if expression is None else str(expression).replace(" + ", "|").replace("1", ""))
    labels = "".join(label for *_, label in edges)
    for length in range(5):
        for letters in itertools.product(labels, repeat=length):
            word = "".join(letters)
            assert bool(pattern.fullmatch(word)) == is_way(edges, start, end, word), (str(expression), word)


@given(GRAPHS, st.integers(0, 4), st.integers(0, 4), st.integers(1, 2))
def test_products_are_ways(edges: Edges, start: int, end: int, rounds: int) -> None:
    expression = path_expression(edges, start, end)
    if expression is None or expression.count > 200:
        return
    words = list(itertools.islice(expression.words(rounds), 5000))
    assert rounds > 1 or len(words) == expression.count
    for word in words:
        assert is_way(edges, start, end, written(word).replace("D", ""))


@given(GRAPHS, st.integers(0, 4), st.integers(0, 4), st.integers(1, 12))
def test_as_many_products_as_there_may_be(edges: Edges, start: int, end: int, most: int) -> None:
    """What is cut out stands for what it is in the place of; an expression that fits is left as it is."""
    expression = path_expression(edges, start, end)
    if expression is None:
        return
    limited = expression.limited(most)
    assert limited.count <= most
    assert limited.labels == expression.labels
    assert (limited is expression) == (expression.count <= most) or str(limited) == str(expression)
    for word in limited.words(1):
        cut = [item for item in word if isinstance(item, Destroyed) and item.dropped]
        assert (expression.count > most) or not cut


def test_many_conditions_in_a_row() -> None:
    edges = [(n, n + 1, f"{side}{n}") for n in range(400) for side in "ab"]
    expression = found(edges, 0, 400)
    assert expression.count == 2**400
    words = list(expression.limited(100).words(1))
    assert len(words) == 64
    assert all(sum(isinstance(item, Destroyed) for item in word) == 394 for word in words)
