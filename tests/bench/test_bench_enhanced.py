"""The standard and the enhanced fitness: the bench's functions, its searches and its page."""

from __future__ import annotations

import sys

from bench.enhanced import inside
from bench.enhanced import run as bench
from bench.enhanced.run import DOMAINS, FITNESSES, MINIMIZERS, Row, Searched, declared, domain_of, measure, render
from bench.explore.subjects import CFunction

from zeroin import LlvmSubject
from zeroin.words import decode

SOURCE = bench._HERE / "subjects.c"


def test_every_function_has_its_domain() -> None:
    for function, ranges in DOMAINS.items():
        subject = LlvmSubject(SOURCE, function)
        domain = domain_of(subject, ranges)
        for kind, words, ends in zip(domain.kinds, domain.ranges, ranges, strict=True):
            assert tuple(decode(kind, word) for word in words) == ends, function
        assert not any(domain.pools), "no constants of the subject"


def test_domains_as_the_types_have_them() -> None:
    ints, floats = (declared(LlvmSubject(SOURCE, name)) for name in ("nested", "place_image"))
    assert ints[0] == (-(2**31), 2**31 - 1)
    assert floats[0] == (-sys.float_info.max, sys.float_info.max)
    assert measure("nested", 1, 100, reduced=False).inputs == 2**96


def test_what_stands_ahead_leads_where_the_standard_fitness_does_not() -> None:
    row = measure("nested", 3, 20_000)
    assert len(row.branches) == 6
    last = next(name for name in row.branches if name.endswith("true") and row.branches[name] == 4)
    rates = {fitness: row.searched[last, "AVM", fitness].rate for fitness in FITNESSES}
    assert rates == {"standard": 0.0, "last": 0.0, "paper's": 0.0, "enhanced": 1.0, "both": 1.0}
    assert all(c.evaluations == [20_000] * 3 for c in [row.searched[last, "AVM", "standard"]])
    page = render([row], 3, 20_000, "command")
    assert "| nested | 6 | 5, 0.833, " in page
    assert f"| nested | {last} | AVM | 0 | 0 | 0 | 3 | 3 |" in page


def test_a_page_from_known_numbers() -> None:
    row = Row("f", {"1:1 true": 0, "1:1 false": 1, "2:1 true": 2}, analysis=[12.3, 14.3], inputs=10**6)
    for number, branch in enumerate(row.branches):
        for minimizer in MINIMIZERS:
            for fitness in FITNESSES:
                spent = 100 + 10 * number if fitness == "standard" else 50 + number
                searched = Searched([spent, spent], [True, fitness != "last"], [2.0, 2.0])
                row.searched[branch, minimizer, fitness] = searched
    page = render([row], 2, 1000, "command")
    assert "| f | 3 | 3, 1.000, 110 | 3, 0.500, 51 | 3, 1.000, 51 | 3, 1.000, 51 |" in page
    assert "enhanced: -53.6 % evaluations in all, -53.6 % on average for a function, p = 0.1 (one-sided signed" in page
    assert "| f | 2:1 true | GA | 2 | 1 | 2 | 2 |" in page
    assert "| f | 3 | 10^6 | 13 ± 1 | 0.0 | " in page


def test_speed_is_that_of_long_searches() -> None:
    row = Row("f", {"1:1 true": 0})
    row.searched["1:1 true", "AVM", "standard"] = Searched([999, 6_000_000], [True, False], [5.0, 2.0])
    row.searched["1:1 true", "GA", "standard"] = Searched([1000], [True], [1.0])
    row.searched["1:1 true", "GA", "both"] = Searched([999], [True], [1.0])
    assert row.speed("standard") == 6_001_000 / 3.0 / 1e6
    assert row.speed("both") == 0.0


def test_each_fitness_inside_the_default_strategy() -> None:
    for fitness in inside.FITNESSES:
        found = inside.searched(CFunction("", SOURCE, "nested"), fitness, 0, 20.0)
        assert (found.branches, found.covered) == (6, 6), fitness
        assert 0 < found.evaluations < 100_000
        assert 0.0 < found.seconds < 20.0


def test_the_page_of_the_default_strategy() -> None:
    def of(covered: int, seconds: float) -> list[inside.Found]:
        return [inside.Found(8, covered + (name == "both") - (name == "enhanced"), 1000, seconds)
                for name in inside.FITNESSES]  # fmt: skip

    page = inside.render(["a", "a", "b", "b"], [of(6, 1.0), of(7, 3.0), of(5, 2.0), of(5, 2.0)], 2, 1.5, "command")
    assert "| a | 1 | standard | 6.5 of 8 | 0, 0 | 1,000 | 2.000 | 2.0 |" in page
    assert "| a | 1 | enhanced | 5.5 of 8 | 0, 2 | " in page
    assert "| b | 1 | both | 6.0 of 8 | 2, 0 | " in page
    assert "1.5 s of search for each function, seeds 0 to 1;" in page
