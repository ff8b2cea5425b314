"""The attacks on what lies around a function: they are many, a sample does nothing, and harm would be seen."""

from __future__ import annotations

import pytest
from bench.hostile.attacks import Attack, attacks, judge, page

ALL = {attack.name: attack for attack in attacks()}
SAMPLE = [
    "raw mode, C, in a run",
    "libc fork, Python, in a run",
    "write, C, while loading",
    "limits, Python, while loading",
]


def test_there_are_many() -> None:
    assert len(ALL) == len(list(attacks())) >= 150
    assert {(attack.language, attack.loading) for attack in ALL.values()} == {
        (language, loading) for language in ("C", "Python") for loading in (False, True)
    }


@pytest.mark.parametrize("name", SAMPLE)
def test_a_sample_does_nothing(name: str) -> None:
    assert judge(ALL[name], 1.0) == {}


@pytest.mark.parametrize(
    ("what", "language", "allowed"),
    [("write", "Python", "files"), ("mode", "C", "files"), ("signal", "Python", "processes"),
     ("connect", "Python", "network"), ("times", "C", "files")],
)  # fmt: skip
def test_harm_would_be_seen(what: str, language: str, allowed: str) -> None:
    """Where the wall has been taken away."""
    attack = Attack(what, language, loading=False)
    problems = judge(attack, 1.0, ["--allow", allowed])
    assert "harm" in problems
    assert f"- {attack.name}: " in page([(attack, problems)], 1.0)
