"""C++ classes as targets: a run is a constructor call, then calls of any public methods."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import c_tests
from commands import zeroin
from programs import Programs, check_paths
from zeroin import Budget, Options, cover
from zeroin.errors import OptionError, TargetError, UnsupportedParameter
from zeroin.languages.c.front.any_method import AnyMethod
from zeroin.languages.c.front.call_sequence import SequenceSignature
from zeroin.languages.c.run.engine import LlvmSubject

CLASSES = """
#include <stdexcept>
namespace ns {
struct Pair { int a; double b; };
class One {
public:
    unsigned add(unsigned x) { return one_ += x; }
    int both(int x) { return x; }
protected:
    unsigned one_ = 1;
};
class Two { public: bool set(unsigned char c) { two_ = c; return two_ == 200; } protected: int two_ = 2; };
class Private { public: int hide() { return 3; } };
class Both : public One, public Two, private Private {
public:
    explicit Both(int first) { if (first < 0) throw std::invalid_argument("first"); one_ = first; }
    Both(const Both &) = default;
    ~Both() { if (one_ == 5) one_ = 6; }
    Pair pair() const { return {(int)one_, two_ * 0.5}; }
    float ratio(float f) { if (one_ == 77 && two_ == 200 && f > 0.5f) return 1.0f / f; return f; }
    int get() { return 1; }
    int get() const { return 2; }
    int both(double x) { return x > 3 ? 4 : 5; }
    int over(int x) { return x; }
    int over(double x) { return x > 3 ? 4 : 5; }
    void text(const char *s) { one_ = s[0]; }
    void fill(int (&out)[2]) { out[0] = (int)one_; out[1] = two_; }
    int operator[](int at) const { return at == 1 ? (int)one_ : two_; }
    void stop() { if (two_ == 9) throw std::runtime_error("nine"); }
    static int is_static(int x) { return x; }
private:
    void secret(int x) { if (x) one_ = 0; }
};
class Hidden { Hidden() {} public: int f(int x) { return x; } };
class Closed { int f(int x) { return x; } public: Closed() {} };
class Plain { public: int next(int x) { if (x == n_) return 1; n_ = x; return 0; } private: int n_ = 3; };
}
"""


@pytest.fixture
def both(programs: Programs) -> LlvmSubject:
    return programs.load(CLASSES, "Both", ".cpp", calls=8)


def sequence(subject: LlvmSubject) -> SequenceSignature:
    assert isinstance(subject.signature, SequenceSignature)
    return subject.signature


def test_all_public_methods_are_called(both: LlvmSubject) -> None:
    each = sequence(both).each
    assert isinstance(each, AnyMethod)
    # Of two methods that differ by const alone, the other one is called. Names hide those of bases.
    assert [one.name for one in each.methods] == [
        "pair", "ratio", "get", "both", "over(int)", "over(double)", "fill", "operator[]", "stop", "add", "set",
    ]  # fmt: skip
    assert [one.offset for one in each.methods if one.name in ("ratio", "add", "set")] == [0, 0, 4]
    (note,) = both.remarks()
    assert note.startswith("not called: text: parameter 's' has type 'const char *'")
    functions = {site.within for site in both.sites}
    assert {"ns::Both::Both", "ns::Both::ratio", "ns::Both::stop"} <= functions
    assert not functions & {"ns::Both::secret", "ns::Both::is_static", "ns::Private::hide", "ns::One::both"}


CALLS = """5, [{"method": "add", "x": 70, "times": 2}, {"method": "set", "c": 200},
    {"method": "over(double)", "x": 3.5}, {"method": "pair"}, {"method": "get"}, {"method": "operator[]", "at": 1},
    {"method": "fill", "out": [0, 0]}]"""


def test_what_calls_return(both: LlvmSubject) -> None:
    signature = sequence(both)
    words = both.words_of(CALLS)
    assert both.same(both.replay(words), both.observe(words))
    results = signature.results(both.replay(words))
    assert results == ["145", "1", "4", {"a": "145", "b": "0x1.9p+6"}, "1", "145", None]
    assert signature.show_left(words, both.replay(words)) == {"out": "{145, 200}"}
    assert signature.show(words) == (
        "ns::Both both(5); both.add(70) 2 times; both.set(200); both.over(3.5); both.pair(); both.get(); "
        "both.operator[](1); both.fill({0, 0})"
    )


def test_values_of_calls(both: LlvmSubject) -> None:
    signature = sequence(both)
    words = both.words_of(CALLS)
    assert both.words_of(repr(signature.arguments(words))[1:-1]) == words == signature.tidy(words)
    junk = list(words)
    first = len(signature.making(words)) + 1
    junk[first + 1] = 0x3FF0000000000000  # the argument of ratio(), in the call of add()
    assert both.tidy(tuple(junk)) == words
    assert both.run(tuple(junk)).covered == both.run(words).covered


@pytest.mark.parametrize("values", [
    "5", "5, []", '5, [{"x": 1}]', '5, [{"method": "secret", "x": 1}]', '5, [{"method": "add"}]',
    '5, [{"method": "add", "x": 1, "c": 2}]', '5, [{"method": "add", "x": 1, "times": 0}]', '[{"method": "get"}]',
])  # fmt: skip
def test_calls_that_there_are_not(values: str, both: LlvmSubject) -> None:
    with pytest.raises(OptionError):
        both.words_of(values)


def test_the_message_says_how_to_write_calls(both: LlvmSubject) -> None:
    said = 'first, [{"method": "pair", "times": ...} or {"method": "ratio", "f": ...'
    with pytest.raises(OptionError, match=re.escape(said)):
        both.words_of("5, 7")


def test_exceptions_of_the_constructor_and_of_methods(both: LlvmSubject) -> None:
    nine = '1, [{"method": "set", "c": 9}, {"method": "stop"}]'
    for values, thrown in [('-1, [{"method": "get"}]', "invalid_argument: first"), (nine, "runtime_error: nine")]:
        replay = both.replay(both.words_of(values))
        assert sequence(both).show_result(replay) == f"throws std::{thrown}"


def test_paths_go_through_the_methods(both: LlvmSubject) -> None:
    several = [both.words_of(f'{first}, [{{"method": "set", "c": {c}}}, {{"method": "ratio", "f": {f}}}]')
               for first in (77, 78) for c in (200, 3) for f in (0.25, 2.0)]  # fmt: skip
    assert check_paths(both, several) == 4


def test_the_object_may_have_no_written_constructor(programs: Programs) -> None:
    subject = programs.load(CLASSES, "ns::Plain", ".cpp", calls=8)
    words = subject.words_of('[{"method": "next", "x": 3}, {"method": "next", "x": 4}, {"method": "next", "x": 4}]')
    assert subject.signature.results(subject.replay(words)) == ["1", "0", "1"]


@pytest.mark.parametrize(
    ("name", "error", "why"),
    [
        ("Hidden", UnsupportedParameter, "no constructor of ns::Hidden can be called"),
        ("Closed", TargetError, "the class Closed has no public method; name a function"),
        ("Gone", TargetError, "no function 'Gone'"),
    ],
)
def test_classes_that_can_not_be_used(name: str, error: type[Exception], why: str, programs: Programs) -> None:
    with pytest.raises(error, match=re.escape(why)):
        programs.load(CLASSES, name, ".cpp", calls=8)


# The branch needs four calls of three methods in one order.
STACK = """
class Stack {
public:
    explicit Stack(int size) : size_(size < 1 ? 1 : size > 3 ? 3 : size) {}
    void push(int x) { if (n_ < size_) data_[n_++] = x; }
    int pop() { return n_ > 0 ? data_[--n_] : -1; }
    int check(int x) { if (n_ == 2 && data_[0] == 11 && data_[1] == x) return 1; return n_ > 3; }
    int size() const { return size_; }
private:
    int size_, n_ = 0, data_[3];
};
"""


@pytest.mark.parametrize("engine", ["hybrid", "explore"])
def test_branches_behind_calls_of_several_methods(engine: str, tmp_path: Path) -> None:
    (tmp_path / "stack.cpp").write_text(STACK)
    options = ["--engine", engine, "--json", "-", "--budget", "60", "--evals", "3000000", "--quiet"]
    done = zeroin("cover", "stack.cpp:Stack", *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (target,) = json.loads(done.stdout)["targets"]
    assert [branch["id"] for branch in target["branches"] if branch["verdict"] != "covered"] == []


def test_tests_of_classes(tmp_path: Path) -> None:
    path = tmp_path / "classes.cpp"
    path.write_text(CLASSES)
    suite = cover(f"{path}:Both", Options(budget=Budget(400_000, 60.0)))
    assert all(verdict.verdict == "covered" for verdict in suite.verdicts)
    assert any("not called: text: " in note for note in suite.notes)
    program = c_tests.build(suite, tmp_path / "plain")
    status, said = c_tests.run(program)
    assert status == 0, said
    text = program.with_suffix(".cpp").read_text()
    for part in ("ns::Both both(", "both.set(", "both.operator[](1)", "both.ratio(", "both.stop()"):
        assert part in text
    status, output = c_tests.run_in(suite, "googletest", tmp_path / "googletest")
    assert status == 0, output


OPERATORS = """
class Counter {
public:
    int operator,(int k) { return k > 3 ? n_ : (n_ += k); }
    bool operator&&(int k) const { return n_ == 2 && k == 7; }
    Counter &operator+=(int k) { n_ += k; return *this; }
private:
    int n_ = 1;
};
"""


def test_tests_of_operators(tmp_path: Path) -> None:
    path = tmp_path / "operators.cpp"
    path.write_text(OPERATORS + "int use() { Counter c; (c, 1); c += 2; return c && 3; }\n")
    suite = cover(f"{path}:Counter", Options(budget=Budget(400_000, 60.0)))
    assert all(verdict.verdict == "covered" for verdict in suite.verdicts)
    assert c_tests.run(c_tests.build(suite, tmp_path / "tests"))[0] == 0


def test_methods_with_types_of_the_library_are_named(programs: Programs) -> None:
    text = """
#include <array>
#include <string>
class Log {
public:
    void add(const std::string &s) { if (s == "x") n_++; }
    double first(std::array<double, 3> xs) const { return n_ > 2 ? xs[0] : xs[2]; }
private:
    int n_ = 0;
};
double use() { Log log; log.add("a"); return log.first({}); }
"""
    signature = programs.load(text, "Log", ".cpp", calls=4).signature
    assert [note for note in signature.notes if "not called" in note] == [
        "not called: add: parameter 's' has type 'const string &', a type of the C++ library; write a small function "
        "that makes it"
    ]
    assert "first" in signature.prototype


@pytest.mark.parametrize(
    "destructor", ["~Own() {} public:", "protected: ~Own() {} public:", "public: ~Own() = delete;"]
)
def test_a_class_whose_objects_can_not_be_destroyed_is_refused(programs: Programs, destructor: str) -> None:
    text = f"class Own {{ {destructor} Own() {{}} int f(int x) {{ return x > n_; }} private: int n_ = 3; }};\n"
    with pytest.raises(UnsupportedParameter, match="the destructor of Own is private, protected or deleted"):
        programs.load(text + "int use(Own &own) { return (new Own())->f(1); }\n", "Own", ".cpp", calls=4)


def test_a_function_with_the_name_of_a_class_is_no_class(programs: Programs) -> None:
    text = "struct stat { int n; int half() { return n / 2; } };\nint stat(int x) { return x > 3; }\n"
    assert programs.load(text, "stat", ".cpp", calls=8).signature.prototype == "int stat(int x)"


LEFT_OUT = """
class Gate {
public:
    void name(const char *s) { if (s[0] == 'x') open_ = 1; }
    int enter(int x) { if (open_) return 1; if (x == 77) return 2; return 0; }
private:
    int open_ = 0;
};
class alignas(64) Wide {
public: int get(int x) { if (x == 5) return v_[3]; return v_[0]; }
private: double v_[8] = {};
};
namespace a { class Twin { public: int f(int x) { return x > 3; } }; }
namespace b { class Twin { public: int f(int x) { return x > 3; } }; }
"""


@pytest.mark.parametrize("engine", ["hybrid", "explore", "prove"])
def test_methods_that_are_left_out_are_neither_counted_nor_forgotten(engine: str, tmp_path: Path) -> None:
    """What they do to the object is not known, and their own branches are no goals."""
    path = tmp_path / "gate.cpp"
    path.write_text(LEFT_OUT)
    suite = cover(f"{path}:Gate", Options(budget=Budget(200_000, 5.0), engine=engine))
    verdicts = {f"{v.branch.site.condition} {v.branch.label}": v.verdict for v in suite.verdicts}
    assert verdicts.keys() == {"open_ true", "open_ false", "x == 77 true", "x == 77 false"}
    assert verdicts["open_ true"] != "infeasible"


def test_objects_with_a_large_alignment(programs: Programs) -> None:
    subject = programs.load(LEFT_OUT, "Wide", ".cpp", calls=8)
    words = subject.words_of('[{"method": "get", "x": 5}, {"method": "get", "x": 1}]')
    assert subject.signature.results(subject.replay(words)) == ["0", "0"]


def test_two_classes_of_one_name(programs: Programs) -> None:
    with pytest.raises(TargetError, match="there are several classes Twin; name one of 'a::Twin', 'b::Twin'"):
        programs.load(LEFT_OUT, "Twin", ".cpp", calls=8)
    assert programs.load(LEFT_OUT, "b::Twin", ".cpp", calls=8).signature.name == "b::Twin"
