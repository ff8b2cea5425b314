"""What can not be true of a target is left out of what its tasks say."""

from __future__ import annotations

from typing import Any

import pytest

from programs import Programs
from zeroin.generate.stopped import Stopped
from zeroin.subject.base import Run, Termination
from zeroin.subject.mutants import Kills
from zeroin.worker.message_checks import MessageChecks
from zeroin.worker.messages import Chosen, Explained, Found, Grown, Searched, Strengthened, Traced, Withdrawn


def run(words: tuple[int, ...] = (5, 6), covered: frozenset[int] = frozenset({0, 3})) -> Run:
    return Run(words, Termination.RETURNED, covered)


FINE = run()
FALSE = [
    run((5,)),
    run((5, 6, 7)),
    run((300, 6)),
    run((5, -1)),
    run(covered=frozenset({0, 5})),
    run(covered=frozenset({-1})),
]


@pytest.fixture
def plausible(programs: Programs) -> MessageChecks:
    signature = programs.load("int f(unsigned char a, unsigned char b) { return a > b; }").signature
    return MessageChecks(signature, 2)


@pytest.mark.parametrize("make", [lambda one: Found(one, 1, 0.5), lambda one: Explained(1, one, "so"),
                                  lambda one: Kills(one, frozenset({1}))])  # fmt: skip
def test_runs_are_of_inputs_and_branches_that_there_are(make: Any, plausible: MessageChecks) -> None:
    assert plausible.part(make(FINE)) == make(FINE)
    for one in FALSE:
        assert plausible.part(make(one)) is None, one


def test_of_several_those_stay_that_can_be_true(plausible: MessageChecks) -> None:
    chosen = Chosen([FINE, *FALSE], {1: FINE, 2: FALSE[0], 9: FINE})
    assert plausible.part(chosen) == Chosen([FINE], {1: FINE})
    noticing = [Kills(one, frozenset({1})) for one in [*FALSE, FINE]]
    assert plausible.part(Strengthened(noticing, [], frozenset())) == Strengthened(noticing[-1:], [], frozenset())
    over = Searched(Stopped.TRIED, 1, 0.5, frozenset({-1, 0, 1, 2}), {4: "a path", 5: "what", -1: "what"})
    assert plausible.part(over) == Searched(Stopped.TRIED, 1, 0.5, frozenset({0, 1}), {4: "a path"})


@pytest.mark.parametrize(
    ("message", "is_kept"),
    [
        (Traced((5, 6), frozenset({0, 4})), True),
        (Traced((5, 6), frozenset({0, 5})), False),
        (Withdrawn(4, "why"), True),
        (Withdrawn(5, "why"), False),
        (Grown((("a", 3),), 0, frozenset(), (), 1, 0.5), True),
        (Grown((("a", 3),), 0, frozenset(), (5, 6), 1, 0.5), True),
        (Grown((("a", 3),), 0, frozenset(), (5, 600), 1, 0.5), False),
    ],
)
def test_other_messages_are_true_or_not(message: Any, is_kept: bool, plausible: MessageChecks) -> None:
    assert plausible.part(message) == (message if is_kept else None)
