"""Emitted tests compare what C++ returns and leaves behind, whatever its type is: each notices a changed subject."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import c_tests
from suites import MakeSuite, suite_maker
from zeroin.emit.files import deliver, write
from zeroin.emit.test_header import Batch
from zeroin.languages.c.emit.test_file import CTest
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.report.json import as_json
from zeroin.report.text import TextReport
from zeroin.suite.suite import Suite

CLASSES = """namespace lab {
struct Base { int left; };
struct Wave : Base { Wave(double given) : Base{11}, rise(given) {} double rise; std::vector<std::string> names; };
class Money {
public:
    explicit Money(int given) : cents_(given) {}
    int cents() const { return cents_; }
    bool operator==(const Money &other) const { return cents_ == other.cents_; }
private:
    int cents_;
};
}
"""
FUNCTIONS = """std::string text(int x) { return x > 3 ? "a\\"11\\\\" : "few"; }
std::vector<double> several(int x) { return {11.5, x / 3.0}; }
std::array<float, 2> two(int x) { return {{11.1f, float(x)}}; }
std::pair<int, std::string> pair(int x) { return {11, std::string(x, 'y')}; }
std::tuple<bool, double, char> triple(int x) { return std::make_tuple(x > 1, 11.0, 'c'); }
std::map<std::string, std::vector<int>> table(int x) { return {{"b", {x}}, {"a", {11, 2}}}; }
std::unordered_map<int, int> hashed(int x) { return {{x, 1}, {7, 11}, {3, 5}, {1, 2}}; }
std::set<int> sorted(int x) { return {11, x}; }
std::optional<int> maybe(int x) { if (x > 1) return 11; return std::nullopt; }
std::variant<int, std::string> either(int x) { if (x > 1) return 11; return "no"; }
std::unique_ptr<int> owned(int x) { return x > 1 ? std::make_unique<int>(11) : nullptr; }
std::complex<double> complex(int x) { return {11.0, 1.0 * x}; }
lab::Wave wave(int x) { lab::Wave made(x); made.names = {"n"}; return made; }
lab::Money money(int x) { return lab::Money(x + 11); }
const std::string &referred(int x) { static const std::string one = "11", other = ""; return x > 1 ? one : other; }
void fill(std::vector<double> &out, int x) { for (double &each : out) each += 11 * x; }
int append(std::string &out) { out += "11"; return 0; }
void swap(std::array<int, 2> &out) { out = {{out[1], out[0] + 11}}; }
"""
HEADERS = {
    "string": ("text", "pair", "table", "either", "wave", "referred", "append"),
    "vector": ("several", "table", "wave", "fill"),
    "array": ("two", "swap"),
    "utility": ("pair",),
    "tuple": ("triple",),
    "map": ("table",),
    "unordered_map": ("hashed",),
    "set": ("sorted",),
    "optional": ("maybe",),
    "variant": ("either",),
    "memory": ("owned",),
    "complex": ("complex",),
}
CASES: dict[str, tuple[list[object], str]] = {
    "text": ([5], r'R"("a\"11\\")"'),
    "several": ([2], '"{11.5, 0.6666666666666666}"'),
    "two": ([2], '"{11.1, 2.0}"'),
    "pair": ([2], 'R"({11, "yy"})"'),
    "triple": ([2], '"{true, 11.0, 99}"'),
    "table": ([2], 'R"({{"a", {11, 2}}, {"b", {2}}})"'),
    "hashed": ([2], '"{{1, 2}, {2, 1}, {3, 5}, {7, 11}}"'),
    "sorted": ([2], '"{2, 11}"'),
    "maybe": ([2], '"11"'),
    "either": ([2], '"#0 = 11"'),
    "owned": ([2], '"&11"'),
    "complex": ([2], '"{11.0, 2.0}"'),
    "wave": ([2], 'R"({.left = 11, .rise = 2.0, .names = {"n"}})"'),
    "money": ([2], '"{.cents() = 13}"'),
    "referred": ([2], 'R"("11")"'),
    "fill": ([[0.0, 1.0], 2], '"{22.0, 23.0}"'),
    "append": ([b"x"], 'R"("x11")"'),
    "swap": ([[1, 2]], '"{2, 12}"'),
}


@pytest.fixture(scope="module", params=range(0, len(CASES), 3))
def suites(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Suite]:
    """Of three of them."""
    make = suite_maker(tmp_path_factory.mktemp("shown"))
    some = list(CASES.items())[request.param : request.param + 3]
    source = source_of([name for name, _ in some])
    return [make("a.cpp", source, name, [with_length(given)]) for name, (given, _) in some]


def source_of(names: list[str]) -> str:
    """These functions with what they need: headers take most of the time."""
    headers = [f"#include <{header}>" for header, users in HEADERS.items() if {*users} & {*names}]
    functions = [
        line for line in FUNCTIONS.splitlines() if any(f" {name}(" in line or f"&{name}(" in line for name in names)
    ]
    assert len(functions) == len(names)
    return "\n".join([*headers, CLASSES if {"wave", "money"} & {*names} else "", *functions, ""])


def with_length(given: list[object]) -> list[object]:
    """A vector has a word for its length, behind its elements."""
    first = given[0]
    if not isinstance(first, list) or len(given) == 1:
        return given
    return [[*first, *[0.0] * (8 - len(first))], len(first), *given[1:]]


def test_each_is_compared_and_notices_a_change(suites: list[Suite], tmp_path: Path) -> None:
    out = suites[0].target.path.parent / "tests"
    out.mkdir(exist_ok=True)
    written = deliver(CTest(), Batch(tuple(suites)), out)
    assert written.remarks == ()
    text = written.path.read_text()
    for suite in suites:
        assert CASES[suite.target.function][1] in text, suite.target.function
    source = suites[0].target.path
    before = source.read_text()
    source.write_text(before.replace("11", "12"))
    try:
        failed = CTest().tried(written.path, Batch(tuple(suites))).failed
        assert [place for place, _ in enumerate(suites) if (place, 0) not in failed] == []
    finally:
        source.write_text(before)


@pytest.mark.parametrize("name", c_tests.FRAMEWORKS)
def test_frameworks_compare_the_same(name: str, make_suite: MakeSuite, tmp_path: Path) -> None:
    """Without C++'s library, so that the bundled compiler links it anywhere."""
    source = """struct Pair { Pair(int a, double b) : first(a), second(b) {} int first; double second; };
Pair pair(int x) { return Pair(x + 11, 0.5); }
"""
    suite = make_suite("p.cpp", source, "pair", [[2]])
    status, said = c_tests.run_in(suite, name, tmp_path / "tests")
    assert status == 0, said
    replay = dataclasses.replace(c_tests.replay_of(suite.inputs[0]), shown=("{.first = 12, .second = 0.5}",))
    status, said = c_tests.run_in(c_tests.with_replay(suite, 0, replay), name, tmp_path / "tests")
    assert status != 0, said


def test_results_of_calls_on_an_object(make_suite: MakeSuite, tmp_path: Path) -> None:
    source = """#include <string>
class Log {
public:
    std::string add(int x) { text_ += x > 3 ? "+" : "-"; return text_; }
private:
    std::string text_;
};
"""
    suite = make_suite("log.cpp", source, "Log::add", [[[{"x": 5, "times": 2}, {"x": 1}]]], calls=2)
    text = deliver(CTest(), Batch((suite,)), suite.target.path.parent).path.read_text()
    assert 'ZEROIN_EQ_SHOWN(log.add(5), R"("++")");' in text
    assert 'ZEROIN_EQ_SHOWN(log.add(1), R"("++-")");' in text


def test_what_can_not_be_compared_is_said(make_suite: MakeSuite, tmp_path: Path) -> None:
    source = """class Hidden { int x_; public: explicit Hidden(int x) : x_(x) {} };
Hidden hidden(int x) { return Hidden(x); }
"""
    suite = make_suite("h.cpp", source, "hidden", [[1]])
    assert not suite.is_tested
    text = write(CTest(), suite, tmp_path).read_text()
    assert "/* nothing is compared: the call only has to return */" in text
    report = TextReport().text([suite])
    assert "hidden(1)  (nothing is compared)" in report
    assert "Not tested: its result, Hidden, can not be compared, so its tests only see that it returns." in report
    (target,) = as_json([suite])["targets"]
    assert (target["tested"], target["inputs"][0]["compared"]) == (False, False)
    both = TextReport().text([suite, make_suite("g.c", "int g(int x) { return x; }", "g", [[1]])])
    assert "2 functions: 1 complete, 0 incomplete, 1 not tested." in both


def test_what_fails_while_it_is_shown_is_no_crash(make_suite: MakeSuite) -> None:
    source = """class Mean {
    int sum_, count_;
public:
    Mean(int sum, int count) : sum_(sum), count_(count) {}
    int value() const { if (!count_) throw sum_; return sum_ / count_; }
};
Mean mean(int sum, int count) { return Mean(sum, count); }
"""
    suite = make_suite("m.cpp", source, "mean", [[6, 3], [1, 0]])
    assert [suite.compares(kept) for kept in suite.inputs] == [True, False]
    assert suite.signature.show_result(suite.inputs[0].replay) == "= {.value() = 2}"


def test_mutants_are_judged_by_what_is_compared(make_suite: MakeSuite) -> None:
    source = """struct Pair { Pair(int a, double b) : first(a), second(b) {} int first; double second; };
Pair pair(int x) { return Pair(3 * x + 11, x - 0.5); }
"""
    suite = make_suite("p.cpp", source, "pair", [[2]])
    mutation = LlvmSubject(suite.target.path, "pair").mutation
    numbers = [mutant.number for mutant in mutation.mutants]
    differs = mutation.differing(suite.inputs[0].words, numbers, np.zeros(4, dtype=np.int64))
    assert sum(differs) == len(numbers) > 5


def test_an_order_that_nothing_says_is_not_compared(make_suite: MakeSuite) -> None:
    suite = make_suite("a.cpp", source_of(["hashed"]), "hashed", [[2]])
    assert c_tests.replay_of(suite.inputs[0]).shown == ("{{1, 2}, {2, 1}, {3, 5}, {7, 11}}",)
