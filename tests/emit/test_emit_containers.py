"""Emitted tests of functions that take containers and strings of C++'s library."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import c_tests
from suites import MakeSuite
from zeroin.emit.files import deliver
from zeroin.emit.test_header import Batch
from zeroin.languages.plugins import EMITTERS
from zeroin.suite.suite import Suite

SOURCE = """#include <list>
#include <span>
#include <string>
#include <vector>
namespace lab {
enum class Mode { OFF, SLOW = 5 };
struct Point { double x; short n; };
double mean(const std::vector<double> &values, double least)
{
    double sum = 0;
    for (double value : values)
        if (value > least) sum += value;
    return sum / values.size();
}
int weigh(std::vector<Point> points, const std::list<Mode> &modes)
{
    return points[1].n + (modes.front() == Mode::SLOW);
}
void halve(std::span<float> xs) { for (float &x : xs) x /= 2; }
int found(const std::string &text, std::string_view part) { return text.find(part); }
}
"""
CC = ("-std=c++20",)


@pytest.mark.parametrize(
    ("function", "inputs", "lines"),
    [
        ("mean", [[[1.0, 2.5], 1.5], [[], 0.0], [[float("nan")] * 8, 0.0]],
         ["ZEROIN_EQ_DOUBLE(lab::mean(std::vector<double>{1.0, 2.5}, 1.5), 1.25);",
          "ZEROIN_EQ_DOUBLE(lab::mean(std::vector<double>{}, 0.0), ZEROIN_NAN);",
          "ZEROIN_EQ_DOUBLE(lab::mean(values, 0.0), 0.0);"]),
        ("weigh", [[[{"x": 1.0, "n": 2}, {"x": 0.5, "n": 7}], [5, 3]]],
         ["const std::vector<lab::Point> points{lab::Point{1.0, 2}, lab::Point{0.5, 7}};",
          "const std::list<lab::Mode> modes{lab::Mode::SLOW, static_cast<lab::Mode>(3)};",
          "ZEROIN_EQ_INT(lab::weigh(points, modes), 8);"]),
        ("halve", [[[3.0, 1.0]], [[]]],
         ["float xs[2] = {3.0f, 1.0f};", "lab::halve(std::span<float>(xs, 2));", "ZEROIN_EQ_FLOAT(xs[0], 1.5f);",
          "lab::halve(std::span<float>(xs, 0));"]),
    ],
)  # fmt: skip
def test_they_pass_and_are_readable(
    make_suite: MakeSuite, tmp_path: Path, function: str, inputs: list[list[object]], lines: list[str]
) -> None:
    suite = make_suite("a.cpp", SOURCE, function, [with_lengths(values) for values in inputs], cc=CC)
    text = written(suite, tmp_path / "tests")
    for line in lines:
        assert line in text
    assert "adapted" not in text
    assert "len(" not in text


def with_lengths(values: list[object]) -> list[object]:
    """As the adapter takes them: as many as there may be, and how many there are."""
    given = list[object]()
    for value in values:
        if isinstance(value, list):
            given += [[*value, *[value[0] if value else 0.0] * (8 - len(value))], len(value)]
        else:
            given.append(value)
    return given


def written(suite: Suite, folder: Path) -> str:
    """The test, which has passed and of which compilers have no warning."""
    found = deliver(EMITTERS["c"](), Batch((suite,)), folder)
    assert found.remarks == ()
    assert c_tests.warnings_in(found.path, CC) == []
    return found.path.read_text()


def test_strings(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite("a.cpp", SOURCE, "found", [['a"b', "b"], ["", "abc"]], cc=CC)
    text = written(suite, tmp_path / "tests")
    assert 'ZEROIN_EQ_INT(lab::found(std::string("a\\"b"), std::string_view("b")), 2);' in text
    assert 'ZEROIN_EQ_INT(lab::found(std::string(""), std::string_view("abc")), -1);' in text


def test_they_notice_what_a_view_has_changed(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite("a.cpp", SOURCE, "halve", [with_lengths([[3.0, 1.0]])], cc=CC)
    replay = c_tests.replay_of(suite.inputs[0])
    (after,) = replay.outputs
    assert after is not None
    wrong = dataclasses.replace(replay, outputs=((after[0], after[1] ^ 1),))
    status, said = c_tests.run(c_tests.build(c_tests.with_replay(suite, 0, wrong), tmp_path / "tests"))
    assert (status, said[-1]) == (1, "0 passed, 1 failed")
