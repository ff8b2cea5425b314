"""Exceptions of Python's own that say more of an input than of the function."""

from __future__ import annotations

import math

import pytest

from languages.python.modules import Modules
from zeroin.subject.base import Replay, Termination

FLOATS = "import math\nfrom fractions import Fraction\ndef f(x: float):\n    return {body}\n"
SIZES = "from collections import deque\nimport numpy as np\ndef f(n: int):\n    return {body}\n"


def replay(modules: Modules, text: str, value: object) -> Replay:
    subject = modules.load(text)
    return subject.replay(subject.words_of(str(value)))


@pytest.mark.parametrize(("body", "value"), [
    ("math.sin(x)", math.inf),
    ("math.sin(x)", -math.inf),
    ("int(x)", math.inf),
    ("int(x)", math.nan),
    ("round(x)", math.nan),
    ("math.floor(x - x)", math.inf),
    ("Fraction(x)", math.nan),
    ("[1.0, 2.0].index(x)", math.nan),
])  # fmt: skip
def test_what_python_says_of_numbers_that_are_not_finite(modules: Modules, body: str, value: float) -> None:
    found = replay(modules, FLOATS.format(body=body), value)
    assert found.outcome is Termination.RAISED
    assert found.uncounted.startswith("raises ")
    assert found.uncounted.endswith("which no finite input does, as far as known (--finite leaves such inputs out)")


@pytest.mark.parametrize(("body", "value"), [
    ("math.sqrt(x)", -1.0),  # a finite one
    ("int(x * 10)", 1e308),
    ("[1.0, 2.0][int(x == x + 1) + 5]", math.inf),  # something else
    ("1 / (x - x == 0)", math.inf),
    ("[1.0, 2.0].index(0 if x else 1)", math.inf),
    ("int('a' * (x > 0))", math.inf),
    ("(lambda: 1 // 0)()", math.nan),
])  # fmt: skip
def test_all_else_that_they_come_to_is_a_finding(modules: Modules, body: str, value: float) -> None:
    found = replay(modules, FLOATS.format(body=body), value)
    assert (found.outcome, found.uncounted) == (Termination.RAISED, "")


@pytest.mark.parametrize(("body", "value"), [
    ("deque(maxlen=n)", 2**63),
    ("[0] * n", 2**63),
    ("bytes(n)", 2**80),
    ("len(range(n))", 2**100),
    ("'x' * n", 2**64),
])  # fmt: skip
def test_sizes_that_no_machine_has(modules: Modules, body: str, value: int) -> None:
    found = replay(modules, SIZES.format(body=body), value)
    assert found.outcome is Termination.RAISED
    assert found.uncounted.startswith("requests a size that no machine has (OverflowError: ")


@pytest.mark.parametrize("body", ["[0] * n", "bytearray(n)", "np.zeros(n)"])
def test_requests_of_the_inputs_size_that_there_is_no_memory_for(modules: Modules, body: str) -> None:
    found = replay(modules, SIZES.format(body=body), 2**60)
    assert found.outcome is Termination.MEMORY or "too large" in found.detail or "array is too big" in found.detail
    assert found.uncounted.startswith("requests ")


@pytest.mark.parametrize(("body", "value"), [
    ("len([0] * (1 << 60))", 2),  # whatever the input
    ("len([0] * 10 ** n)", 30),
    ("n.to_bytes(2, 'big')", 2**40),
    ("float(n)", 2**1025),
    ("chr(n)", 2**80),
])  # fmt: skip
def test_all_else_that_is_too_large_is_a_finding(modules: Modules, body: str, value: int) -> None:
    found = replay(modules, SIZES.format(body=body), value)
    assert found.outcome in (Termination.RAISED, Termination.MEMORY)
    assert found.uncounted == ""


def test_memory_that_is_taken_piece_by_piece_is_a_finding(modules: Modules, monkeypatch: pytest.MonkeyPatch) -> None:
    subject = modules.load(SIZES.format(body="[0] * n"))
    words = subject.words_of(str(2**59))
    monkeypatch.setattr("zeroin.languages.python.run.input_errors.memory_allowed", lambda: 1 << 60)
    assert subject.replay(words).uncounted == "requests more memory at once than there is (MemoryError)"
    monkeypatch.setattr(
        "zeroin.languages.python.run.input_errors.memory_allowed", lambda: 1 << 20
    )  # this process has had more
    assert subject.replay(words).uncounted == ""
