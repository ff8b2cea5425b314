"""The subjects of bench/fitnex, and what its table says."""

from __future__ import annotations

import pytest
from bench.fitnex.run import (
    CAP,
    STRATEGIES,
    SUBJECTS,
    Runs,
    apart,
    improvement,
    medians_of,
    read_table,
    subjects,
    table,
)


def test_there_are_thirty_subjects_each_with_a_marked_statement() -> None:
    found = list(subjects())
    lines = SUBJECTS.read_text().splitlines()
    assert len({name for name, _, _ in found}) == 30
    assert all("return 1; /* target */" in lines[line - 1] for _, _, line in found)


def test_the_factors_are_of_medians_and_their_mean_over_subjects() -> None:
    runs: Runs = {("a", "random"): [100, 200, 90], ("a", "fitnex"): [10, 1000, 5], ("b", "random"): [30, 30, 30],
                  ("b", "fitnex"): [60, 60, 60]}  # fmt: skip
    assert improvement(medians_of(runs), "fitnex") == (10 + 0.5) / 2
    assert improvement(medians_of(runs), "random") == 1


def test_the_table_counts_what_was_covered() -> None:
    runs: Runs = {(name, s): [count] for s in STRATEGIES for name, count in (("a", 10), ("b", CAP))}
    text = table(medians_of(runs), 1, 10.0)
    assert "| b | 1000 | 1000 | 1000 | 1000 |" in text
    assert "| **targets covered** | **1 of 2** | **1 of 2** | **1 of 2** | **1 of 2** |" in text


def test_the_rows_of_a_page_are_read_again() -> None:
    medians = {(name, s): count for s in STRATEGIES for name, count in (("a", 10.5), ("b", 1000.0))}
    assert read_table(table(medians, 5, 30.0)) == medians


@pytest.mark.parametrize(("name", "most"), [("test_loop", 50), ("nested_3", 50), ("boolean", 200)])
def test_fitnex_reaches_the_statement(name: str, most: int) -> None:
    """The papers' example in at most 50 runs."""
    (subject,) = [subject for subject in subjects() if subject[0] == name]
    assert 0 < apart(*subject, "fitnex", 0, 60.0) <= most
