"""The benchmark on fdlibm, without its sources: the paper's table, the reader of packages, and the results' page."""

from __future__ import annotations

import io
import os
import statistics
import tarfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from bench.fdlibm import campaign, sources
from bench.fdlibm.campaign import Round, Row, Way
from bench.fdlibm.feasible import INFEASIBLE, feasible
from bench.fdlibm.functions import functions_of
from bench.fdlibm.run import STARTS
from bench.fdlibm.speed import Speed
from bench.fdlibm.subjects import ENTRIES, Entry, Rates
from bench.fdlibm.table import Results, render, summary

from zeroin.config import Budget, Options
from zeroin.languages.c.language import CTarget
from zeroin.languages.c.measure.gcov import GcovReport
from zeroin.minimize import BasinHopping, minimizer_named
from zeroin.suite.suite import COVERED
from zeroin.worker.worker import Worker

ROOT = Path(__file__).resolve().parents[2]

# ---- the paper's table ----


def test_forty_functions() -> None:
    names = [entry.function for entry in ENTRIES]
    assert len(names) == len(set(names)) == 40
    assert sum(entry.paper.branches for entry in ENTRIES) == 914


@pytest.mark.parametrize(
    ("what", "random", "coverme"),
    [
        (lambda e: e.paper.line, 54.2, 97.0),
        (lambda e: e.paper.condition, 61.2, 98.2),
        (lambda e: e.paper.branch, 38.0, 90.8),
        (lambda e: e.paper.call, 39.6, 100.0),
    ],
)
def test_means_are_the_papers(what: Callable[[Entry], Rates | None], random: float, coverme: float) -> None:
    rates = [rate for entry in ENTRIES if (rate := what(entry)) is not None]
    assert statistics.mean(rate.random for rate in rates) == pytest.approx(random, abs=0.05)
    assert statistics.mean(rate.coverme for rate in rates) == pytest.approx(coverme, abs=0.05)


def test_means_of_austin_are_the_papers() -> None:
    rows = [entry.paper.austin for entry in ENTRIES]
    assert sum(row.seconds is None for row in rows) == 5
    assert {row.failure for row in rows} == {"", "timeout", "crash"}
    assert statistics.mean(row.seconds for row in rows if row.seconds) == pytest.approx(6058.4, abs=0.05)
    assert statistics.mean(row.branch for row in rows if row.branch) == pytest.approx(42.8, abs=0.05)


def test_mean_of_seconds_is_the_papers() -> None:
    assert statistics.mean(entry.paper.seconds for entry in ENTRIES) == pytest.approx(6.9, abs=0.05)


def test_feasible_branches() -> None:
    assert set(INFEASIBLE) <= {entry.function for entry in ENTRIES}
    assert sum(feasible(entry.function, entry.paper.branches) for entry in ENTRIES) == 885


# ---- the package ----


def _tar_xz(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return packed.getvalue()


def _ar(files: dict[str, bytes]) -> bytes:
    parts = [b"!<arch>\n"]
    for name, content in files.items():
        parts += [f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n".encode(), content]
        parts += [b"\n"] * (len(content) % 2)
    return b"".join(parts)


@pytest.fixture
def deb(tmp_path: Path) -> Path:
    inner = _tar_xz(
        {
            "newlib-3.3.0/newlib/libm/math/e_exp.c": b"double exp;",
            "newlib-3.3.0/newlib/libc/include/math.h": b"#pragma once",
            "newlib-3.3.0/newlib/libm/math/Makefile.am": b"all:",
            "newlib-3.3.0/newlib/libc/string/memcpy.c": b"int no;",
        }
    )
    data = _tar_xz({"./usr/share/doc/x": b"x", "./usr/src/newlib/newlib-3.3.0.tar.xz": inner})
    path = tmp_path / "tiny.deb"
    path.write_bytes(_ar({"debian-binary": b"2.0\n", "control.tar.xz": b"odd", "data.tar.xz": data}))
    return path


def test_members_of_an_archive(deb: Path) -> None:
    members = dict(sources._ar_members(deb.read_bytes()))
    assert list(members) == ["debian-binary", "control.tar.xz", "data.tar.xz"]
    assert members["control.tar.xz"] == b"odd"


def test_only_what_is_needed_is_unpacked(deb: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    sources._unpack(deb.read_bytes(), tree)
    files = {path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file()}
    assert files == {"libm/math/e_exp.c", "libc/include/math.h"}
    assert (tree / "libm/math/e_exp.c").read_bytes() == b"double exp;"


def test_another_package_is_refused(deb: Path, tmp_path: Path) -> None:
    with pytest.raises(sources.SourceError, match="its SHA-256 is"):
        sources.fetch(tmp_path / "work", deb)
    assert not (tmp_path / "work/newlib-3.3.0").exists()


# ---- random testing ----


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # a sandbox keeps its file for another start
def test_random_testing_knows_no_constants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    source = tmp_path / "f.c"
    source.write_text(
        "int f(double x)\n{\n    if (x > 2.0)\n        return 1;\n"
        "    if (x == 12.25)\n        return 2;\n    return 3;\n}\n"
    )
    target = CTarget("f.c:f", source, "f")
    with Worker() as sandbox:
        suite = campaign.cover_by_chance(target, Options(budget=Budget(seconds=1.0)), sandbox)
    covered = [v.branch.id for v in suite.verdicts if v.verdict == COVERED]
    assert covered[:2] == ["0T", "0F"]
    assert "1T" not in covered
    assert suite.evaluations > 10_000
    assert suite.disagreements == 0


# ---- the page ----


def _row(function: str, taken: int, total: int, covered: str) -> Row:
    report = GcovReport((9, 10), (total, total), (taken, total), (0, 0))
    return Row(function, report, ("0T", "0F", "1T"), frozenset(covered.split()), 0.25, 1.0, 1000, 3, 0, 0, "because")


@pytest.fixture
def results() -> Results:
    seeds = [
        Round(0, 10.0, [_row("floor", 27, 30, "0T 0F"), _row("tan", 4, 4, "0T 0F 1T")]),
        Round(1, 12.0, [_row("floor", 26, 30, "0T"), _row("tan", 4, 4, "0T 0F 1T")]),
        Round(2, 11.0, [_row("floor", 27, 30, "0T 0F"), _row("tan", 4, 4, "0T 0F 1T")]),
    ]
    chance = [Round(0, 9.0, [_row("floor", 15, 30, "0T"), _row("tan", 2, 4, "0T")])]
    coverme = [
        Round(0, 9.0, [_row("floor", 24, 30, "0T"), _row("tan", 4, 4, "0T")]),
        Round(1, 9.0, [_row("floor", 21, 30, "0T"), _row("tan", 3, 4, "0T")]),
    ]
    speed = [
        Speed("floor", 20e-9, 5e-9, 1000, 3, 1e-7, 5e-9, 1.0),
        Speed("tan", 20e-9, 15e-9, 1000, 0, 6e-5, 1e-8, 0.001),
    ]
    ways = [Way("random", "random testing", chance), Way("bits", "CoverMe's configuration", coverme)]
    return Results("an edition", "the command", ("the machine",), 1.0, 2, seeds, ways, speed, True, ["tan: no"])


def test_summary(results: Results) -> None:
    text = "\n".join(summary(results, functions_of(results.rounds, results.ways)))
    assert "30 in the worst of 3 seeds, 31 in the median, of 34; 31 are not known to be infeasible" in text
    assert "That is 96.8 % of what is feasible in the worst seed" in text
    assert "above 98.5 % of what is feasible: 2 of 3; above 99 %: 2 of 3" in text
    assert "11.0 s in the median, 12.0 s at most" in text
    assert "0.50 in the median" in text
    assert "FAILED: tan: no" in text


def test_page(results: Results) -> None:
    lines = render(results).splitlines()
    rows = [line for line in lines if line.startswith(("| `floor`", "| `tan`"))]
    assert rows[0] == "| `floor` | 30 | 27 | 27 (26) | 90.0 | 50.0 | 75.0 | 0.25 | 1,000 | 3 |"
    assert rows[2] == (
        "| `floor` | 26.7, 100.0 | 90.0, 90.0, 90.0 | 20.0, 100.0 | 100.0, 100.0, 100.0 "
        "| 10.0, 83.3 | 50.0, 75.0, 90.0 | n/a | n/a, n/a, n/a |"
    )
    assert rows[4] == "| `floor` | 7620.6 | 36.7 | 10.1 | 83.3 | 0.25 | 75.0 | 0.25 | 90.0 |"
    assert rows[6:] == ["| `floor` | 3 | 20.0 | 5.0 | 0.25 | 0.05 |", "| `tan` | 0 | 20.0 | 15.0 | 0.75 | - |"]
    assert "- `floor`: `0F` **not taken with seed 1**." in lines
    assert "- `floor`, taken with no seed: `1T`." in lines
    tables = [line.count("|") for line in lines if line.startswith("|")]
    assert tables == [11] * 5 + [10] * 5 + [10] * 5 + [7] * 4


def test_covermes_configuration_has_its_column_and_its_difference(results: Results) -> None:
    page = render(results)
    floor = next(line for line in page.splitlines() if line.startswith("| `floor`")).split(" | ")
    assert floor[6] == "75.0", "22.5 of 30 in the median of two seeds"
    assert "24 in the worst of 2 seeds, 26 in the median; 81.2 % on average" in page
    assert "worth 6 branches: 30 against 24 in CoverMe's configuration, in the worst of 2 seeds" in page
    assert "more than our worst seed: 0." in page
    bare = render(replace(results, ways=()))
    assert "CoverMe's configuration" not in bare
    assert "bits" not in bare


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # a sandbox keeps its file for another start
@pytest.mark.parametrize("starts", STARTS)
def test_covermes_configuration_is_the_papers(starts: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Section 5.1; and these options arrive: another minimizer would be refused there."""
    asked = []
    monkeypatch.setattr(campaign, "cover", lambda target, options, sandbox: asked.append(options))
    given = Options(budget=Budget(seconds=0.3), seed=7)
    with Worker() as sandbox:
        campaign.cover_as_coverme(starts)(CTarget("f.c:f", tmp_path / "f.c", "f"), given, sandbox)
    asked_for = campaign.coverme(starts)
    assert asked == [replace(given, engine="minimize", distance="squared", minimizer=asked_for)]
    assert minimizer_named(asked_for) == BasinHopping(500, 5, "powell", pools=False, starts=starts)


def test_one_strategy_alone(results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its name arrives, and stands above the table."""
    asked = []
    monkeypatch.setattr(campaign, "cover", lambda target, options, sandbox: asked.append(options))
    with Worker() as sandbox:
        campaign.cover_with("explore")(CTarget("f.c:f", tmp_path / "f.c", "f"), Options(seed=7), sandbox)
    assert asked == [Options(seed=7, engine="explore")]
    heads = [render(one).splitlines()[0] for one in (results, replace(results, engine="explore"))]
    assert heads[1] == f"{heads[0]}, `explore` alone"


def test_columns_that_were_not_asked_for(results: Results) -> None:
    bare = Results(results.library, results.command, results.machine, 1.0, 2, results.rounds[:1])
    page = render(bare)
    assert "CoverMe %" not in page
    assert "random" not in page
    assert "## Speed" not in page
    assert "seeds" not in page.partition("## Functions")[2]
    assert os.linesep + os.linesep + os.linesep not in page
