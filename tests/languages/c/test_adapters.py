"""Containers and strings of C++'s library as parameters: made by an adapter that nobody sees."""

from __future__ import annotations

from typing import Any

import pytest

from programs import Programs
from zeroin.errors import OptionError, TargetError, UnsupportedParameter
from zeroin.languages.c.front.signature import ArraySpec
from zeroin.languages.c.language import C
from zeroin.subject.base import Termination
from zeroin.words import decode

SOURCE = """#include <deque>
#include <list>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>
namespace lab {
enum class Mode { OFF, SLOW = 5 };
struct Point { double x; short n; };
using Samples = std::vector<float>;
double mean(const std::vector<double> &values, double least)
{
    if (values.empty()) throw std::invalid_argument("no values");
    double sum = 0;
    for (double value : values)
        if (value > least) sum += value;
    return sum / values.size();
}
}
int by_value(std::vector<lab::Point> points, int values_size)
{
    return points.size() > 20 ? points.back().n : values_size;
}
int typedefs(const lab::Samples &samples, int *out) { *out = 7; return samples.size() == 2 && samples[1] > 3; }
int moved(std::deque<unsigned char> &&bytes) { return bytes.size() > 1 ? bytes[1] : -1; }
int modes(const std::list<lab::Mode> &modes) { return modes.front() == lab::Mode::SLOW; }
int names(const std::string &name, char c) { return name == "zeroin" ? 1 : name.find(c) != std::string::npos ? 2 : 0; }
int several(std::set<int> keys, std::vector<int> keys_size) { return keys.size() + 10 * keys_size.size(); }
static int at(const std::vector<bool> &flags) { return flags.at(2) ? 1 : 0; }
int changed(std::vector<int> &values) { values.push_back(1); return values.size(); }
int nested(const std::vector<std::vector<int>> &rows) { return rows.size(); }
int over(double x) { return x > 3; }
int over(const std::vector<double> &x) { return x.size() > 3; }
template <class T> T larger(T a, T b) { return a > b ? a : b; }
"""


@pytest.mark.parametrize(
    ("function", "prototype", "given", "result"),
    [
        ("lab::mean", "double lab::mean(const std::vector<double> &values, double least)", "[1.0, 2.0, 6.0], 1.5",
         "0x1.5555555555555p+1"),
        ("by_value", "int by_value(std::vector<lab::Point> points, int values_size)", "[], 4", "4"),
        ("typedefs", "int typedefs(const lab::Samples &samples, int *out)", "[1.0, 4.0], [0]", "1"),
        ("moved", "int moved(std::deque<unsigned char> &&bytes)", "[3, 200]", "200"),
        ("modes", "int modes(const std::list<lab::Mode> &modes)", "[5]", "1"),
        ("names", "int names(const std::string &name, char c)", "'zeroin', 120", "1"),
        ("names", "int names(const std::string &name, char c)", "'text', 120", "2"),
        ("several", "int several(std::set<int> keys, std::vector<int> keys_size)", "[1, 1, 2], [4, 4, 4]", "32"),
        ("at", "int at(const std::vector<bool> &flags)", "[False, False, True]", "1"),
        ("over(const std::vector<double> &)", "int over(const std::vector<double> &x)", "[1.0] * 4", "1"),
    ],
)  # fmt: skip
def test_they_are_called(programs: Programs, function: str, prototype: str, given: str, result: str) -> None:
    subject = programs.load(SOURCE, function, ".cpp")
    assert subject.signature.prototype == prototype
    values: list[Any] = list(eval(f"({given},)"))
    words = words_of_given(subject, values)
    assert subject.signature.arguments(words) == values
    replay = subject.replay(words)
    assert (replay.outcome, subject.signature.exact_result(replay)) == (Termination.RETURNED, result)


def words_of_given(subject: Any, values: list[Any]) -> tuple[int, ...]:
    return tuple(subject.words_of(repr(values)[1:-1]))


def test_sites_are_the_functions(programs: Programs) -> None:
    subject = programs.load(SOURCE, "mean", ".cpp")
    assert [(site.line, site.condition) for site in subject.sites] == [
        (13, "values.empty()"), (15, "double value"), (16, "value > least")]  # fmt: skip
    assert {site.file for site in subject.sites} == {str(subject.path)}
    assert subject.run(words_of_given(subject, [[], 0.0])).covered == {0}
    assert subject.signature.show(words_of_given(subject, [[1.0, 2.0], 0.5])) == "mean({1.0, 2.0}, 0.5)"


def test_an_exception_of_the_container_is_a_finding(programs: Programs) -> None:
    subject = programs.load(SOURCE, "at", ".cpp")
    replay = subject.replay(words_of_given(subject, [[True, True]]))
    assert (replay.outcome, replay.ending) == (Termination.RAISED, "raised: std::out_of_range: vector")


def test_as_long_as_the_code_compares_or_the_user_says(programs: Programs) -> None:
    def most(function: str, **options: Any) -> int:
        parameter = programs.load(SOURCE, function, ".cpp", **options).signature.parameters[1]
        assert not parameter.is_shown
        return int(decode(parameter.kind, parameter.ranges()[0][1]))

    assert most("mean") == 8
    assert most("by_value") == 22
    assert most("mean", arrays=(ArraySpec("values", 20),)) == 20


def test_conditions_know_lengths(programs: Programs) -> None:
    subject = programs.load(SOURCE, "mean", ".cpp")
    names = C().names(subject.signature)
    assert {"len(values)", "values", "values[0]", "least"} <= {*names.bounded}


@pytest.mark.parametrize(
    ("function", "why"),
    [
        ("nested", r"'const std::vector<std::vector<int>> &', a type of the C\+\+ library that is not supported"),
    ],
)
def test_what_is_not_made_is_refused(programs: Programs, function: str, why: str) -> None:
    with pytest.raises(UnsupportedParameter, match=why):
        programs.load(SOURCE, function, ".cpp")


def test_a_template_is_named_as_one(programs: Programs) -> None:
    with pytest.raises(TargetError, match="larger is a template that the file does not instantiate"):
        programs.load(SOURCE, "larger", ".cpp")


def test_wrong_values_are_refused(programs: Programs) -> None:
    subject = programs.load(SOURCE, "mean", ".cpp")
    with pytest.raises(OptionError, match="takes 2 arguments, not 3"):
        subject.words_of("[1.0], 1, 0.5")
    with pytest.raises(OptionError, match="values: 'abc' does not fit"):
        subject.words_of("'abc', 0.5")


def test_paths_can_be_read(programs: Programs) -> None:
    subject = programs.load(SOURCE, "names", ".cpp")
    words = words_of_given(subject, ["text", 120])
    path = subject.along(words, subject.execute(words))
    assert set(path.inputs) >= {"name[0]", "c"}
