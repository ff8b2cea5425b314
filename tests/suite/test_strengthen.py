"""Inputs are chosen for what they notice, and coverage is never the price."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from zeroin.languages.c.front.layout import Scalar
from zeroin.languages.c.front.parameters import CParameter, CSignature
from zeroin.subject.base import Run, Termination, Words
from zeroin.subject.constant import Constant
from zeroin.subject.mutants import Kills
from zeroin.suite.strengthen import LEAST, MOST_TIMES, choose, strengthen
from zeroin.words import Kind, decode

SIGNATURE = CSignature("f", (CParameter("x", "", Scalar(Kind.I32)), CParameter("y", "", Scalar(Kind.I32))))
sets = st.frozensets(st.integers(0, 12), max_size=6)


def noticing(covered: frozenset[int], mutants: frozenset[int]) -> Kills:
    return Kills(Run((len(covered), len(mutants)), Termination.RETURNED, covered), mutants)


@given(st.lists(st.builds(noticing, sets, sets), min_size=1, max_size=12), sets, st.integers(1, 6))
def test_all_that_can_be_covered_is_and_with_room_all_that_can_be_noticed(found: list[Kills], wanted: frozenset[int],
                                                                          most: int) -> None:  # fmt: skip
    chosen = choose(found, wanted, most)
    together = frozenset[int]().union(*(one.run.covered for one in found))
    assert frozenset[int]().union(*(one.run.covered for one in chosen)) >= wanted & together
    everything = choose(found, wanted, len(found))
    assert {m for one in everything for m in one.mutants} == {m for one in found for m in one.mutants}
    needed = [one for one in chosen if one.run.covered & wanted]
    assert len(chosen) <= max(most, len(needed))


class Subject:
    """``x > 10`` (outcome 0, else 1); mutants 1: ``>=``, 2: ``y + 1`` for ``y``, 3: ``y * 2``, 4: another constant for
    37 in ``x == 37``, 5: nothing notices."""

    def __init__(self, most: int = 10**9) -> None:
        self.runs, self.most, self.told = 0, most, list[Kills]()
        self.more: list[tuple[int, int]] = []

    def again(self, words: Words) -> Run:
        self.runs += 1
        x, _ = self.values(words)
        return Run(words, Termination.RETURNED, frozenset([0 if x > 10 else 1]))

    def differing(self, words: Words, numbers: Sequence[int]) -> frozenset[int]:
        self.runs += 1
        x, y = self.values(words)
        differ = {1: x == 10, 2: x > 10, 3: x > 10 and y != 0, 4: x == 37, 5: False}
        return frozenset(number for number in numbers if differ[number])

    @staticmethod
    def values(words: Words) -> tuple[int, int]:
        return int(decode(Kind.I32, words[0])), int(decode(Kind.I32, words[1]))

    def strengthened(self, seed: int = 0) -> list[Kills]:
        base = [self.again((11, 0)), self.again((0, 0)), *map(self.again, self.more)]
        constants = [Constant.of_integer(10), Constant.of_integer(37)]
        return strengthen(SIGNATURE, [(0, 1), (0, 1)], base, [], frozenset([0, 1]), range(1, 6), constants, self.again,
                          self.differing, lambda: self.runs / self.most, seed, self.told.append)  # fmt: skip


def test_every_mutant_that_can_be_is_noticed_and_all_is_covered() -> None:
    for seed in range(10):
        subject = Subject()
        found = subject.strengthened(seed)
        assert {m for one in found for m in one.mutants} == {1, 2, 3, 4}
        assert {o for one in found for o in one.run.covered} == {0, 1}
        assert len(found) <= max(LEAST, 2 * MOST_TIMES)
        for one in found:
            assert one.mutants == subject.differing(one.run.words, range(1, 6))
            assert one.run == subject.again(one.run.words)


def test_values_that_do_not_matter_are_ordinary() -> None:
    for one in Subject().strengthened():
        x, y = Subject.values(one.run.words)
        assert x not in (0, 1, -1)
        assert y not in (0, 1, -1)
        assert x != y or x == 37


def test_it_ends_when_all_is_spent_and_nothing_is_lost() -> None:
    subject = Subject(most=4)
    found = subject.strengthened()
    assert subject.runs < 60
    assert {o for one in found for o in one.run.covered} == {0, 1}


def test_the_same_seed_makes_the_same_suite() -> None:
    assert Subject().strengthened(3) == Subject().strengthened(3)


def test_what_notices_something_new_is_told_at_once() -> None:
    subject = Subject()
    subject.strengthened()
    assert {m for one in subject.told for m in one.mutants} >= {1, 4}


class Refusing(Subject):
    """Only runs where ``y`` is even; all else is no input, and mutants must not see it."""

    def again(self, words: Words) -> Run:
        if self.values(words)[1] % 2:
            return Run(words, Termination.REFUSED, frozenset())
        return super().again(words)

    def differing(self, words: Words, numbers: Sequence[int]) -> frozenset[int]:
        assert self.values(words)[1] % 2 == 0
        return super().differing(words, numbers)


def test_what_is_no_input_is_not_run_with_mutants_and_not_kept() -> None:
    for seed in range(5):
        found = Refusing().strengthened(seed)
        assert {m for one in found for m in one.mutants} == {1, 2, 3, 4}
        assert all(Subject.values(one.run.words)[1] % 2 == 0 for one in found)


class Raising(Subject):
    """Negative ``x`` end with an exception that is expected, which no mutant changes."""

    def again(self, words: Words) -> Run:
        return replace(super().again(words), end=int(self.values(words)[0] < 0))


def test_an_input_of_an_expected_exception_is_kept_and_stays_one() -> None:
    subject = Raising()
    subject.more = [(-1_000_003, 0)]
    kept = [one for one in subject.strengthened() if one.run.end]
    assert kept
    assert all(subject.again(one.run.words).end for one in kept)
