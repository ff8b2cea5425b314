"""Faults and malformed inputs: the same from the same seed, a sample is in order, and what is not is seen."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from bench.hostile import faults, malformed
from bench.hostile.damage import KINDS, Case, cases
from bench.hostile.sections import write_section


def test_they_follow_from_the_seed() -> None:
    one, other = list(cases(1)), list(cases(2))
    assert one == list(cases(1)) != other
    assert Counter(case.kind for case in one) == dict.fromkeys(KINDS, 300)
    assert len({(case.arguments, tuple(case.files.values())) for case in one}) > 2500
    deaths = [fault for fault in faults.faults() if fault.kind.startswith("kill") and "trial" not in fault.kind]
    assert Counter(fault.detail for fault in deaths) == dict.fromkeys(("parent", "base", "job", "task"), 100)
    assert {fault.source for fault in deaths} == {"f.c", "f.py"}


@pytest.mark.parametrize("case", list(cases())[20:30], ids=lambda case: str(case.name))
def test_a_malformed_input_is_in_order(case: Case) -> None:
    assert malformed.judge(case).problems == {}


def test_what_is_not_in_order_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(malformed, "_run", lambda arguments, place: _end_badly(place))
    result = malformed.judge(Case("C", 3, ("show", "f.c")))
    assert result.problems == {"status": "7: Traceback: zeroin", "traceback": "Traceback: zeroin"}
    assert "| C | 1 | 0 | 0 | 0 | 1 | 1 | 0 |" in malformed.page([result])
    assert "- C:3: status: 7: Traceback: zeroin; traceback: Traceback: zeroin" in malformed.page([result])


def _end_badly(place: str) -> None:
    import os

    (Path(place) / ".stderr").write_text("Traceback: zeroin")
    os._exit(7)


@pytest.mark.parametrize("kind", ["kill parent", "kill job", "kill parent at its trial"])
def test_a_fault_is_survived(kind: str) -> None:
    assert faults.judge(faults.Fault(kind, "f.py", 0.6)) == {}


@pytest.mark.parametrize("source", ["f.c", "f.py"])
def test_a_parent_that_is_killed_on_a_new_machine_leaves_nothing(
    source: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """While its workers compile all that they need."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert faults.judge(faults.Fault("kill parent", source, 0.5)) == {}


def test_sections_stand_beside_each_other(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    for text in ("# One\n\n1\n", "# Two\n\n2\n", "# One\n\n3\n"):
        write_section(text, page)
    assert page.read_text() == "# One\n\n3\n\n# Two\n\n2\n"
    fault = faults.Fault("kill job", "f.c", 0.5)
    assert "| kill job | 1 | 0 | 1 | 0 | 0 | 0 | 0 | 0 |" in faults.page([(fault, {"late": "it had to be ended"})])
