"""Texts that runs compare, in each other's place in their inputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from programs import Programs
from zeroin.config import Budget
from zeroin.distance import EQ, LT, NE
from zeroin.generate.domain import domain_of
from zeroin.generate.search import Search
from zeroin.generate.strategies.input_to_state import InputToState, of_numbers
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.subject.base import Decision, branches_of


def search_in(tmp_path: Path, code: str, start: str, budget: int = 100_000) -> Search:
    """Of a function ``f``, of which one run is known."""
    path = tmp_path / f"sample_{abs(hash(code))}.py"
    path.write_text(code)
    subject = PythonSubject(str(path), "f")
    search = Search(subject, branches_of(subject.sites), domain_of(subject.signature, subject.constants),
                    Budget(budget, 100.0), 0)  # fmt: skip
    assert search.offer(subject.words_of(start))
    return search


def shown(search: Search) -> list[str]:
    return [search.subject.signature.show(run.words) for run in search.runs]


TOKENS = """
def f(line: str) -> int:
    name, _, rest = line.partition(" ")
    if name == "SET":
        if rest == "gain":
            return 1
        return 2
    return 3
"""


def test_tokens_are_put_in_one_after_the_other(tmp_path: Path) -> None:
    search = search_in(tmp_path, TOKENS, "'a b'")
    assert InputToState(search).step(1000)
    assert shown(search)[-2:] == ['f("SET b")', 'f("SET gain")']
    assert not search.missing
    assert search.evaluations < 10


CHECKED = """
def f(line: str) -> int:
    body, checksum = line[:-2], line[-2:]
    if sum(map(ord, body)) % 256 != int(checksum, 16):
        return 0
    if body == "on":
        return 1
    return 2
"""


def test_what_is_spoilt_is_put_right_again(tmp_path: Path) -> None:
    """A number that the code computes stands in the text in digits."""
    search = search_in(tmp_path, CHECKED, "'xy00'")
    copying = InputToState(search)
    while copying.step(100):
        pass
    assert [call.lower() for call in shown(search)] == ['f("xy00")', 'f("xyf1")', 'f("ondd")']


def test_it_ends_with_its_evaluations_and_with_what_there_is(tmp_path: Path) -> None:
    code = "def f(line: str) -> int:\n    if line.upper() == 'ab':\n        return 1\n    return line.count('xy,z')\n"
    search = search_in(tmp_path, code, "'c'")
    copying = InputToState(search)
    assert not copying.step(3)
    assert 3 <= search.evaluations < 20
    assert not copying.step(10_000)
    ended = search.evaluations
    assert ended < 200
    assert not copying.step(10_000)
    assert search.evaluations == ended


def test_a_subject_without_texts_is_not_run(programs: Programs) -> None:
    subject = programs.load("int f(int a) { return a == 4711 ? 1 : 0; }")
    search = Search(subject, branches_of(subject.sites), domain_of(subject.signature, subject.constants),
                    Budget(1000, 100.0), 0)  # fmt: skip
    search.offer((1,))
    assert not InputToState(search).step(1000)
    assert search.evaluations == 0
    assert subject.compare((1,)) == (subject.execute((1,)), ())
    assert not list(subject.exchanged((1,), "a", "b"))
    assert not list(subject.extended((1,)))


@pytest.mark.parametrize(
    ("op", "left", "right", "expected"),
    [
        (EQ, 300, 7, {("7", "300"), ("07", "12C"), ("007"[1:], "12c"), ("0007", "012C"), ("300", "7")}),
        (NE, 10, 11, {("b", "a"), ("0B", "0A"), ("0000000b", "0000000a")}),
        (LT, 300, 7, None),
        (EQ, 7, 7, None),
        (EQ, 7.0, 8.0, None),
        (EQ, -1, 8, None),
        (EQ, 1 << 70, 8, None),
    ],
)
def test_numbers_in_digits(op: int, left: float, right: float, expected: set[tuple[str, str]] | None) -> None:
    found = list(of_numbers(Decision(0, False, op, left, right)))
    if expected is None:
        assert not found
    else:
        assert expected <= set(found)
        assert len(set(found)) == len(found)
