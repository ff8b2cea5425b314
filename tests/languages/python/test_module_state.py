"""What ints in variables of modules hold between calls (:mod:`zeroin.languages.python.read.blocks.call_state`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from languages.python.modules import Modules
from languages.python.test_attacks_on_state import refuted_in, refuted_of

NUMBER = "n = 0\n"
READS = "def f(x: int) -> int:\n    if n > 6:\n        return 1\n    return 0\n"
ONE = "def h() -> None:\n    global n\n    n = 1\n"

TEXT = (Path(__file__).parents[2] / "subjects" / "python" / "changed_modules.txt").read_text()
ATTACKS = dict(part.split("\n", 1) for part in TEXT.split("\n## ")[1:])

COUNTER = """
_level = 0
_limit: int = 3


def step(x: int) -> int:
    global _level
    if _level > 5:
        return 1
    if x > 0:
        _level = (_level + 1) % 4
    return 0


def read(x: int) -> int:
    if _level > 4 and x > 3:
        return 1
    if _level > 2:
        return 2
    return 0


def lower(x: int) -> int:
    global _limit
    if _limit < 0:
        return 1
    if _limit > 0 and x > 3:
        _limit -= 1
    return 0
"""
AFTER = """

def after(x: int) -> int:
    global _level
    _level = 2
    step(x)
    if _level == 0:
        return 1
    return 0
"""
PROVED = {"step": [0], "read": [0, 2, 3], "lower": [0]}


@pytest.mark.parametrize("name", ATTACKS)
def test_nothing_wrong_is_proved(modules: Modules, name: str) -> None:
    assert 0 not in refuted_of(modules, ATTACKS[name])[0]


@pytest.mark.parametrize("name", PROVED)
def test_what_no_sequence_of_calls_takes(modules: Modules, name: str) -> None:
    found, said = refuted_of(modules, COUNTER, name)
    assert found == set(PROVED[name])
    assert any("no other code sets" in one for one in said)


SEVERAL = "\n".join(f"def put{n}() -> None:\n    global _other\n    _other = {n}\n" for n in range(5))
BESIDE = f"""
_other = 0
{SEVERAL}
def both(x: int) -> int:
    if _other > 5 and _level > 4:
        return 1
    return 0
"""


def test_a_variable_of_which_nothing_is_known_does_not_matter(modules: Modules) -> None:
    assert 2 in refuted_of(modules, COUNTER + BESIDE, "both")[0]


def test_calls_and_assignments_in_the_function_itself_count(modules: Modules) -> None:
    assert refuted_of(modules, COUNTER + AFTER, "after")[0] == {0}


@pytest.mark.parametrize("sets", [False, True])
def test_another_file_may_set_the_variable(modules: Modules, sets: bool) -> None:
    path = modules.write(f"{NUMBER}{ONE}{READS}")
    text = f"import {path.stem}\n\n\ndef g():\n    {path.stem}.n = 9\n"
    path.with_name("zeroin_beside.py").write_text(text if sets else "")
    found, _ = refuted_in(modules.again(str(path), native=False, callees=False))
    assert (0 in found) == (not sets)


LATE = """
n = 0


class K:
    @staticmethod
    def _loop() -> None:
        global n
        for _ in range(2):
            n = 1


def f(x: int) -> int:
    if n == 0:
        return 1
    return 0
"""


def test_runs_before_the_proof_do_not_change_what_is_after_import(modules: Modules) -> None:
    path = modules.write(LATE)
    fresh = refuted_in(modules.again(str(path), native=False, callees=False))
    used = modules.again(str(path), native=False, callees=False)
    vars(used.home.module)["n"] = 1
    assert refuted_in(used) == fresh
    assert "n is 0 after import" in " ".join(fresh[1])
