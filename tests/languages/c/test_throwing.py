"""Exceptions of C++ that leave a function: its own are a way to return, those of the library a finding."""

from __future__ import annotations

import pytest

from programs import Programs, words_of
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.subject.base import Termination

SOURCE = """#include <stdexcept>
#include <string>
#include <vector>
namespace lab { struct Odd : std::runtime_error { using std::runtime_error::runtime_error; }; }
namespace { struct Hidden {}; }
struct Counted { static int alive; Counted() { alive++; } ~Counted() { alive--; } };
int Counted::alive = 0;
double f(int x, unsigned n)
{
    Counted counted;
    struct Local {};
    switch (x) {
    case 1: throw std::invalid_argument("no values");
    case 2: throw lab::Odd("odd " + std::string(3, 'x'));
    case 3: throw 42;
    case 4: throw Hidden();
    case 5: throw Local();
    case 6: try { throw 1; } catch (int) { return 7; }
    case 7: try { return std::vector<double>(3, 1.0).at(n); } catch (const std::out_of_range &) { throw lab::Odd(""); }
    case 9: try { std::vector<double>(3, 1.0).at(n); } catch (const std::out_of_range &) {} throw lab::Odd("late");
    case 8: return std::vector<double>(3, 1.0).at(n);
    default: return Counted::alive;
    }
}
double strict(double x) noexcept { if (x > 3) throw 1; return x; }
"""


@pytest.fixture
def f(programs: Programs) -> LlvmSubject:
    return programs.load(SOURCE, "f", ".cpp")


@pytest.mark.parametrize(
    ("x", "threw", "shown"),
    [
        (1, "std::invalid_argument", "throws std::invalid_argument: no values"),
        (2, "lab::Odd", "throws lab::Odd: odd xxx"),
        (3, "int", "throws int"),
        (4, "Hidden", "throws Hidden"),
        (5, "f(int, unsigned int)::Local", "throws f(int, unsigned int)::Local"),
        (6, "", "= 7.0"),
        (7, "lab::Odd", "throws lab::Odd"),
        (9, "lab::Odd", "throws lab::Odd: late"),
    ],
)
def test_what_the_code_throws_itself(f: LlvmSubject, x: int, threw: str, shown: str) -> None:
    words = words_of(f.signature, x, 3)
    replay = f.replay(words)
    assert (replay.outcome, replay.threw, f.signature.show_result(replay)) == (Termination.RETURNED, threw, shown)
    assert f.run(words).returned


def test_what_the_library_throws_is_a_finding(f: LlvmSubject) -> None:
    replay = f.replay(words_of(f.signature, 8, 3))
    assert (replay.outcome, replay.ending) == (Termination.RAISED, "raised: std::out_of_range: vector")
    assert f.replay(words_of(f.signature, 8, 2)).outcome is Termination.RETURNED
    assert f.run(words_of(f.signature, 8, 3)).outcome is Termination.RAISED


def test_what_the_code_throws_may_lie_where_an_exception_of_the_library_lay(f: LlvmSubject) -> None:
    assert f.replay(words_of(f.signature, 8, 3)).outcome is Termination.RAISED
    assert f.replay(words_of(f.signature, 2, 3)).outcome is Termination.RETURNED
    assert f.run(words_of(f.signature, 8, 3)).outcome is Termination.RAISED
    assert f.run(words_of(f.signature, 2, 3)).returned


def test_objects_are_destroyed_on_the_way(f: LlvmSubject) -> None:
    for x in (1, 8, 0):
        replay = f.replay(words_of(f.signature, x, 3))
    assert f.signature.show_result(replay) == "= 1.0"


def test_one_that_may_not_leave_ends_the_program(programs: Programs) -> None:
    subject = programs.load(SOURCE, "strict", ".cpp")
    assert subject.replay(words_of(subject.signature, 3.0)).outcome is Termination.RETURNED
    assert len(subject.sites) == 1


def test_the_type_counts_where_runs_are_compared(f: LlvmSubject) -> None:
    one, same, other = (f.replay(words_of(f.signature, x, 3)) for x in (2, 7, 3))
    assert f.same(one, same)
    assert not f.same(one, other)
    assert not f.same(one, f.replay(words_of(f.signature, 0, 3)))


def test_what_the_compiler_destroys_is_no_branch(f: LlvmSubject) -> None:
    """A text that is made for an exception is destroyed if it has been made."""
    assert {site.condition for site in f.sites} == {"x"}
    assert len(f.sites) == 9


def test_mutants_that_throw_otherwise_are_noticed(programs: Programs) -> None:
    import numpy as np

    text = """#include <stdexcept>
    void f(double x) { if (x < 3.0) throw 1; if (x > 9.0) throw std::logic_error(""); }"""
    subject = programs.load(text, "f", ".cpp")
    mutation = subject.mutation
    numbers = [mutant.number for mutant in mutation.mutants]
    note = np.zeros(1, dtype=np.int64)
    noticed = [mutation.differing(words_of(subject.signature, x), numbers, note) for x in (2.0, 3.0, 5.0, 9.0, 10.0)]
    assert all(any(one) for one in noticed)
    assert all(any(column) for column in zip(*noticed, strict=True)) or len(numbers) > 4
