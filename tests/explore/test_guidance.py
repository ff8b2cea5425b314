"""Guidance: what the user prefers comes first, and nothing waits for ever."""

from __future__ import annotations

import random
import re

import pytest

from zeroin.errors import OptionError
from zeroin.explore.frontier import BreadthFirst, View
from zeroin.explore.guidance import Guided, priorities_of
from zeroin.explore.tree import Node, Path, Status
from zeroin.model.path import PathCondition
from zeroin.subject.base import Site

SITES = [Site(n, "f" if n < 2 else "g", "f.c", line, 1, f"x > {n}") for n, line in enumerate((3, 5, 9, 12))]


@pytest.mark.parametrize(
    ("prefer", "defer", "priorities"),
    [
        ([], [], {}),
        (["g"], [], {2: 1, 3: 1}),
        (["5"], ["g"], {1: 1, 2: -1, 3: -1}),
        (["4-9", " 9 "], [], {1: 1, 2: 2}),
        (["f"], ["3"], {1: 1}),
    ],
)
def test_functions_lines_and_ranges_add_up(prefer: list[str], defer: list[str], priorities: dict[int, int]) -> None:
    assert priorities_of(SITES, prefer, defer, {}) == priorities


def test_what_the_source_says_counts_too() -> None:
    assert priorities_of(SITES, ["5"], ["g"], {0: -1, 1: 1, 2: 1}) == {0: -1, 1: 2, 3: -1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("h", "--defer h: no such place; functions with conditionals: f, g"),
        ("4", "--defer 4: no such place; lines with conditionals: 3, 5, 9, 12"),
        ("9-5", "--defer 9-5: no such place; lines with conditionals: 3, 5, 9, 12"),
    ],
)
def test_what_there_is_not_is_refused(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        priorities_of(SITES, [], [text], {})


def test_seven_of_eight_choices_are_of_the_highest_priority_there_is() -> None:
    frontier = Guided(BreadthFirst(), {0: 1, 2: -1}).empty(View(random.Random(0)))
    nodes = [Node((site, True), 0, Path(PathCondition((), (), {}), {}), 0, (), 0, bytes(8), Status.OPEN)
             for site in (2, 1, 0) for _ in range(200)]  # fmt: skip
    for node in nodes:
        frontier.add(node)
    chosen = []
    while (choice := frontier.choose()) is not None:
        choice.status = Status.FLIPPED
        chosen.append(choice.branch[0])
    assert len(chosen) == 600
    assert chosen[:16] == [0] * 7 + [1] + [0] * 7 + [1]
    assert [n + 1 for n, site in enumerate(chosen[:200]) if site == 2] == [64, 128, 192]
    assert chosen[-150:] == [2] * 150
