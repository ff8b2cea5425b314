"""Functions that keep a state are called several times in a row: which ones, with what, and what is known of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from programs import Programs, check_paths, ends_of
from zeroin.cli.main import main
from zeroin.config import Budget, Options
from zeroin.errors import OptionError, UnsupportedParameter
from zeroin.generate.domain import domain_of
from zeroin.generate.schedule import generate, schedule_named
from zeroin.generate.search import Search
from zeroin.languages.c.front.call_sequence import SequenceSignature
from zeroin.languages.c.front.input_names import CInputNames
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.model.memory import Unreadable
from zeroin.solvers.base import Query, Sat, Unsat
from zeroin.solvers.smt import Bitwuzla
from zeroin.subject.base import branches_of
from zeroin.subject.preconditions import preconditions_of

DEBOUNCE = """
#include <stdbool.h>
bool f(bool raw)
{
    static bool stable;
    static unsigned char ticks;
    if (raw == stable) ticks = 0;
    else if (++ticks >= 5) { stable = raw; ticks = 0; }
    return stable;
}
"""
# Branches that depend on calls before.
STATES = {
    "debounce": DEBOUNCE,
    "timeout": "int f(double v) { static int n; if (v > 1.5) n++; else n = 0; if (n == 3000) return 1; return 0; }",
    "machine": "int f(int ev) { static int s; switch (s) { case 0: if (ev == 1017) s = 1; break;\n"
        "case 1: if (ev == 2048) s = 2; else if (ev < 0) s = 0; break;\n"
        "default: if (ev == 31337) { s = 0; return 1; } } return 0; }",
    "in a callee": "static double sum; static void add(double x) { sum += x; }\n"
        "int f(double x) { add(x); if (sum == 1234.5) return 1; if (sum > 1e300 && x < 0) return 2; return 0; }",
}  # fmt: skip


def sequence(subject: LlvmSubject) -> SequenceSignature:
    assert isinstance(subject.signature, SequenceSignature)
    return subject.signature


def results(subject: LlvmSubject, *calls: tuple[Any, int]) -> list[Any] | None:
    """What calls return, each with one argument, and made so many times."""
    name = sequence(subject).each.parameters[0].name
    words = subject.words_of(repr([{name: value, "times": times} for value, times in calls]))
    assert subject.same(subject.replay(words), subject.observe(words))
    return [int(one) for one in subject.signature.results(subject.replay(words)) or ()]


def search_for(subject: LlvmSubject, evaluations: int, seed: int) -> Search:
    domain = domain_of(subject.signature, subject.constants)
    return Search(subject, branches_of(subject.sites), domain, Budget(evaluations, 60.0), seed)


# ---- calls ----


def test_calls_are_made_in_a_row(programs: Programs) -> None:
    subject = programs.load(DEBOUNCE, calls=8)
    assert sequence(subject).prototype == "_Bool f(_Bool raw), several calls in a row"
    assert results(subject, (True, 4), (True, 1), (False, 4), (False, 1)) == [0, 1, 1, 0]
    assert results(subject, (True, 4), (False, 1), (True, 4), (True, 1)) == [0, 0, 0, 1]
    assert results(subject, (True, 1)) == [0]  # each run begins anew


def test_how_calls_are_shown(programs: Programs) -> None:
    subject = programs.load(DEBOUNCE, calls=8)
    words = subject.words_of('[{"raw": True, "times": 5}, {"raw": False}]')
    assert subject.signature.show(words) == "f(True) 5 times; f(False)"
    assert subject.signature.arguments(words) == [[{"raw": True, "times": 5}, {"raw": False, "times": 1}]]
    assert subject.signature.show_result(subject.replay(words)) == "= True"
    assert [p.name for p in subject.signature.given] == ["steps"]


def test_what_pointers_hold_after_each_call(programs: Programs) -> None:
    subject = programs.load("void f(int *out, double x) { static int n; *out += ++n; if (x > 1) n = 10; }", calls=8)
    words = subject.words_of('[{"out": [5], "x": 0.0, "times": 2}, {"out": [7], "x": 2.0}, {"out": [0], "x": 0.0}]')
    replay = subject.replay(words)
    assert subject.signature.outputs(replay) == {"out": [["8"], ["10"], ["11"]]}
    assert subject.signature.show_left(words, replay) == {"out": "{11}"}
    assert subject.signature.results(subject.replay(words)) is None


@pytest.mark.parametrize(
    ("text", "keeps"),
    [
        ("int f(int x) { static int n; n += x; return n; }", True),
        ("static int n; static void set(int x) { n = x; }\nint f(int x) { if (n) return 1; set(x); return 0; }", True),
        ("int f(int x) { static int a[4]; a[x & 3]++; return a[0] > 1; }", True),
        ("int f(int x) { static const int a[4] = {1, 2, 3, 4}; return a[x & 3]; }", False),
        ("int f(int x) { static int a[4] = {1, 2, 3, 4}; return a[x & 3]; }", False),  # nobody writes it
        ("int last; int f(int x) { last = x; return x > 3; }", False),  # it does not read it
        ("int last; int f(int x) { last = x; return last > 3; }", False),  # but what this call has written
        ("int calls; int f(int x) { calls++; calls = calls + x; return x > 3; }", False),  # but to count it on
        ("int calls; int f(int x) { return x > calls++; }", True),
        ("struct s { int a[9]; } last; int f(struct s *x) { last = *x; return x->a[0]; }", False),
        ("struct s { int a[9]; } last; int f(struct s *x) { struct s old = last; last = *x; return old.a[0]; }", True),
        ("int log[9]; int f(int x) { log[x & 7] = x; return x > 3; }", False),
        ("int log[9]; int f(int x) { int *p = &log[x & 7]; *p = x; return log[3] > 3; }", True),
        ("short last; int f(int x) { *(char *)&last = x; return last > 3; }", True),
        ("int last; int f(int x) { if (x) last = x; return last > 3; }", True),
        ("int last; int old(void) { return last; }\nint f(int x) { int o = old(); last = x; return o; }", True),
        ("int n; void other(int x) { n += x; }\nint f(int x) { return n > x; }", False),  # others do
    ],
)
def test_who_is_called_several_times(text: str, keeps: bool, programs: Programs) -> None:
    assert isinstance(programs.load(text, calls=8).signature, SequenceSignature) == keeps


def test_what_can_not_be_given_several_times_is_told(programs: Programs) -> None:
    subject = programs.load("int f(const char *s) { static int n; if (s[0] == 'a') n++; return n; }", calls=8)
    assert not isinstance(subject.signature, SequenceSignature)
    assert subject.signature.notes == (
        "it keeps state, but is called only once: s (const char *) can not be passed repeatedly",
    )


def test_a_crash_in_a_later_call(programs: Programs) -> None:
    text = "int f(int x) { static int n = 3; n -= 1; return x / n; }"
    signature = sequence(programs.load(text, calls=8))
    inputs = [signature.words_of(f'[{{"x": 6, "times": {times}}}]') for times in (2, 3)]
    assert ends_of(programs, text, {"f": inputs}, calls=8)["f"] == ["RETURNED None", "FPE"]


@pytest.mark.parametrize("values", ["True", "[True]", "[]", '[{"raw": True, "times": 0}]', '[{"wrong": 1}]',
                                    '[{"raw": 3}]', '[{"raw": True}], 1'])  # fmt: skip
def test_arguments_that_do_not_fit(values: str, programs: Programs) -> None:
    with pytest.raises(OptionError):
        programs.load(DEBOUNCE, calls=8).words_of(values)


def test_shorter_inputs_make_fewer_calls(programs: Programs) -> None:
    subject = programs.load(DEBOUNCE, calls=8)
    words = subject.words_of('[{"raw": True, "times": 4}, {"raw": True, "times": 1}, {"raw": False}]')
    shown = [subject.signature.show(one) for one in subject.signature.shorter(words)]
    assert shown == [
        "f(True); f(False)", "f(True) 4 times; f(False)", "f(True) 4 times; f(True)",
        "f(True); f(True); f(False)", "f(True) 2 times; f(True); f(False)", "f(True) 3 times; f(True); f(False)",
        "f(True) 5 times; f(False)",
    ]  # fmt: skip
    usual = subject.signature.usual(words)  # how many, and how many times: the first word, and every second from there
    assert usual == set(range(0, 2 * 8 + 1, 2))


def test_assumptions_are_of_each_call(programs: Programs) -> None:
    subject = programs.load("int f(double x) { static double sum; sum += x; return sum > 100; }", calls=8)
    assumed = preconditions_of(CInputNames(sequence(subject)), Options(assume=("0 < x <= 3", "calls <= 2")), "f")
    assert assumed is not None
    good = assumed.signature.words_of('[{"x": 1.0, "times": 3}, {"x": 3.0}]')  # type: ignore[attr-defined]
    low, many = (subject.words_of(repr([{"x": x} for x in xs])) for xs in ((1.0, 0.0), (1.0, 1.0, 1.0)))
    assert [assumed.holds(words) for words in (good, low, many)] == [True, False, False]


# ---- searching ----


@pytest.mark.parametrize("what", STATES)
@pytest.mark.parametrize("engine", ["hybrid", "targets", "chance"])
def test_branches_behind_earlier_calls_are_found(what: str, engine: str, programs: Programs) -> None:
    subject = programs.load(STATES[what], callees=True, calls=8)
    for seed in range(3):
        search = search_for(subject, 2_000_000, seed)
        assert generate(search, schedule_named(engine)) == "every branch is covered", seed


def test_mutants_are_noticed_in_later_calls(programs: Programs) -> None:
    import numpy as np

    subject = programs.load(DEBOUNCE, calls=8)
    mutant = next(one.number for one in subject.mutation.mutants if one.change == "5 -> 6")
    for times, noticed in ((4, False), (5, True), (6, False)):
        words, note = subject.words_of(f'[{{"raw": True, "times": {times}}}]'), np.zeros(1, dtype=np.int64)
        assert any(subject.mutation.differing(words, [mutant], note)) == noticed


# ---- reading ----


@pytest.mark.parametrize("what", STATES)
def test_paths_are_those_of_the_runs(what: str, programs: Programs) -> None:
    subject = programs.load(STATES[what], callees=True, calls=8)
    name = sequence(subject).each.parameters[0].name
    values = [False, True] if what == "debounce" else [1.0, 2.0, -1.0] if "double" in STATES[what] else [0, 1017, 2048]
    several = [[(a, 1), (b, n), (c, 1)] for a in values for b in values for c in values for n in (1, 5)]
    runs = []
    for calls in several:
        words = subject.words_of(repr([{name: value, "times": times} for value, times in calls]))
        runs.append((words, tuple((d.site, d.holds) for d in subject.execute(words).decisions)))
    for words, way in runs[::7]:
        path = subject.along(words, subject.execute(words))
        assert (path.ended, path.is_exact) == ("", True)
        assert subject.words_with(path.inputs) == words
        for other, its_way in runs:
            assert not path.holds(subject.model.inputs(other)) or way == its_way
        assert path.holds(subject.model.inputs(words))


def refuted(subject: LlvmSubject) -> set[int]:
    """The outcomes that are proved to be taken by no input."""
    found = {n: Query((subject.reach(n).condition,)) for n in range(2 * len(subject.sites))}
    return {n for n, query in found.items() if isinstance(Bitwuzla().solve(query, Budget(10_000, 20.0)), Unsat)}


def test_proofs_are_of_any_number_of_calls(programs: Programs) -> None:
    """A ring of five is never at 7; a counter may be at 100,000, though no run calls it so often."""
    text = """int f(int x)
    {
        static int n, m;
        n = (n + 1) % 5;
        m++;
        if (n > 7) return x;
        return m == 100000 ? 1 : 0;
    }"""
    subject = programs.load(text, calls=8)
    assert refuted(subject) == {0}
    assert subject.doubts() != ""  # so that all runs that can be made prove nothing
    with pytest.raises(Unreadable):
        subject.repeats()


def test_what_is_assumed_of_each_call_holds_in_proofs(programs: Programs) -> None:
    text = (
        "int f(double x, int n) { static int k; k += n; if (x > 3.5) return 1; if (n == 7) return 2; return k > 99; }"
    )
    subject = LlvmSubject(programs.write(text), "f")
    assert refuted(subject) == set()
    subject = LlvmSubject(programs.write(text), "f")
    assumed = preconditions_of(
        CInputNames(sequence(subject)), Options(assume=("0 < x <= 3", "n[0] != 7", "n < 9")), "f"
    )
    assert assumed is not None
    subject.assume(assumed)
    assert refuted(subject) == {0}  # a second call may be given 7


def test_a_model_of_what_a_proof_asks_is_a_call(programs: Programs) -> None:
    subject = programs.load("int f(int x) { static int k; k++; if (x * 3 == 1234566) return 1; return k; }", calls=8)
    reached = subject.reach(0)
    assert set(reached.inputs) == {"x"}
    answer = Bitwuzla().solve(Query((reached.condition,)), Budget(10_000, 20.0))
    assert isinstance(answer, Sat)
    words = subject.words_with({**reached.inputs, **answer.model})
    assert 0 in subject.run(words).covered
    assert len(sequence(subject).calls(words)) == 1


def test_a_path_may_go_through_several_calls(programs: Programs, tmp_path: Path) -> None:
    target = f"{programs.write(DEBOUNCE)}:f"
    assert main(["reach", target, "--path", "0F, 1F, 0F, 1F, 0T", "--out", str(tmp_path), "--emit", "none"]) == 0


def test_a_parameter_of_c_may_be_called_this(programs: Programs) -> None:
    text = "int f(int this, int steps) { static int calls; calls += this; return calls > steps; }"
    subject = programs.load(text, calls=8)
    words = subject.words_of('[{"this": 3, "steps": 5, "times": 2}, {"this": 0, "steps": 6}]')
    assert subject.signature.results(subject.replay(words)) == ["1", "0"]


# ---- member functions ----

RAMP = """
#include <stdexcept>
namespace ctl {
enum class Mode { Slow = 3, Fast };
struct Limits { double low, high; };
class Ramp {
public:
    Ramp() : rate_(1) {}
    Ramp(Limits limits, Mode mode) : low_(limits.low), high_(limits.high), rate_(mode == Mode::Fast ? 10 : 1)
    {
        if (!(low_ < high_)) throw std::invalid_argument("limits");
    }
    Ramp(const Ramp &) = default;
    explicit Ramp(int **strange, double a, double b, double c) : rate_(**strange + a + b + c) {}
    virtual ~Ramp() {}
    int step(double target, double &out)
    {
        value_ += target > value_ ? rate_ : -rate_;
        out = value_;
        return value_ > high_ ? ++above_ : 0;
    }
    Limits limits(unsigned char n) const { return Limits{low_ - n, high_ + n}; }
    void name(const char *text) { above_ = text[0]; }
private:
    double low_ = -1, high_ = 1, value_ = 0, rate_;
    int above_ = 0;
};
class Single { Single() {} public: int tick(int x) { return x + 1; } };
class Bare { int n = 3; public: int tick(int x) { if (x > n) return -1; return ++n; } };
struct Plain { double x, y; double sum(double z) { x += z; return x + y; } };
}
"""


def ramp(programs: Programs, function: str) -> LlvmSubject:
    return programs.load(RAMP, f"Ramp::{function}", ".cpp", calls=8)


def test_calls_of_an_object_that_the_constructor_makes(programs: Programs) -> None:
    subject = ramp(programs, "step")
    signature = sequence(subject)
    # Of the constructors not the one that is given most, as a pointer alone says too little; nor the copying one.
    assert [p.name for p in signature.given] == ["limits", "mode", "steps"]
    words = subject.words_of("""{"low": 0.0, "high": 15.0}, 4,
        [{"target": 99.0, "out": [0.0]}, {"target": 99.0, "out": [0.0], "times": 3}, {"target": -1.0, "out": [0.0]}]""")
    replay = subject.replay(words)
    assert signature.results(replay) == ["0", "3", "4"]
    assert [float.fromhex(one[0]) for one in signature.outputs(replay)["out"]] == [10.0, 40.0, 30.0]
    assert signature.show(words) == (
        "ctl::Ramp ramp({.low = 0.0, .high = 15.0}, 4); ramp.step(99.0, {0.0}); ramp.step(99.0, {0.0}) 3 times; "
        "ramp.step(-1.0, {0.0})"
    )
    assert subject.words_of(repr(signature.arguments(words))[1:-1]) == words


def test_member_functions_that_return_structures(programs: Programs) -> None:
    subject = ramp(programs, "limits")
    words = subject.words_of('{"low": 0.0, "high": 15.0}, 3, [{"n": 2}, {"n": 3}]')
    results = subject.signature.results(subject.replay(words)) or []
    assert [[float.fromhex(one[name]) for name in ("low", "high")] for one in results] == [[-2.0, 17.0], [-3.0, 18.0]]


def test_a_constructor_that_throws(programs: Programs) -> None:
    subject = ramp(programs, "step")
    words = subject.words_of('{"low": 2.0, "high": 1.0}, 3, [{"target": 99.0, "out": [0.0]}]')
    assert subject.signature.show_result(subject.replay(words)) == "throws std::invalid_argument: limits"


def test_paths_through_a_constructor_and_calls(programs: Programs) -> None:
    subject = ramp(programs, "step")
    given = '{"low": 0.0, "high": %s}, 4, [{"target": %s, "out": [0.0], "times": 2}, {"target": 3.0, "out": [0.0]}]'
    several = [subject.words_of(given % (high, target)) for high in (5.0, 15.0, 25.0) for target in (99.0, -99.0, 5.0)]
    assert check_paths(subject, several) >= 4


@pytest.mark.parametrize(
    ("function", "why"),
    [
        ("Ramp::name", "parameter 'text' has type 'const char *', which is not supported in member functions"),
        ("Single::tick", "no constructor of ctl::Single can be called"),
    ],
)
def test_member_functions_that_can_not_be_called(function: str, why: str, programs: Programs) -> None:
    with pytest.raises(UnsupportedParameter, match=re.escape(why)):
        programs.load(RAMP, function, ".cpp", calls=8)


def test_classes_without_a_constructor_that_is_written_down(programs: Programs) -> None:
    """What the compiler makes sets what has a value, and makes the rest 0."""
    bare, plain = (programs.load(RAMP, name, ".cpp", calls=8) for name in ("Bare::tick", "Plain::sum"))
    words = bare.words_of('[{"x": 3, "times": 2}, {"x": 6}]')
    assert bare.signature.show(words) == "ctl::Bare bare; bare.tick(3) 2 times; bare.tick(6)"
    assert bare.signature.results(bare.replay(words)) == ["5", "-1"]
    (line,) = (number for number, text in enumerate(RAMP.splitlines(), 1) if "Bare" in text)
    assert {site.line for site in bare.sites} == {line}
    words = plain.words_of('[{"z": 1.5, "times": 3}]')
    assert plain.signature.results(plain.replay(words)) == ["0x1.2p+2"]
