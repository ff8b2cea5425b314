"""Inline functions and members of C++, which nobody uses, are found; what is in headers alone is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from programs import Programs, words_of
from zeroin.errors import TargetError, UnsupportedParameter
from zeroin.languages.c.front.compile import compile_all
from zeroin.languages.c.front.inline_functions import may_pass_over
from zeroin.languages.c.front.symbols import find, functions_of
from zeroin.languages.c.llvm_ir.debug_info import DebugInfo
from zeroin.languages.c.llvm_ir.ir import read

MEMBERS = """#include <algorithm>
#include <cmath>
#include <vector>
namespace lab {
inline double half(double x) { return x > 3.0 ? x / 2 : std::fabs(x); }
class Level {
public:
    explicit Level(double low) : low_(low) {}
    ~Level() { low_ = 0; }
    bool above(double x) const { return x > low_; }
    static int sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
    struct Inner { int twice(int x) { return 2 * x; } };
private:
    static int secret(int x) { return x > 3; }
    double low_;
};
template <class T> T larger(T a, T b) { return a > b ? a : b; }
double largest(std::vector<double> values) { return *std::max_element(values.begin(), values.end()); }
}
static int unused(int x) { return x > 7; }
namespace { int hidden(int x) { return x > 8; } }
"""


def test_members_and_inline_functions_that_nobody_uses(programs: Programs) -> None:
    path = programs.write(MEMBERS, ".cpp")
    names = functions_of(path, compile_all([path]))
    assert names == ["half", "lab::Level::above", "lab::Level::sign", "lab::Level::Inner::twice", "largest", "unused",
                     "hidden"]  # fmt: skip


def test_what_only_headers_need_is_left_out(programs: Programs) -> None:
    (text,) = compile_all([programs.write(MEMBERS, ".cpp")])
    functions = read(text).functions
    assert any("max_element" in name for name in functions)  # needed
    assert not any("minmax" in name for name in functions)
    assert len(functions) < 200
    assert len(text) < 1_000_000


@pytest.mark.parametrize("wanted", ["above", "Level::above", "lab::Level::above"])
def test_a_member_with_the_constructor_of_its_class(programs: Programs, wanted: str) -> None:
    path = programs.write(MEMBERS, ".cpp")
    (text,) = compile_all([path])
    module, debug = read(text), DebugInfo(text)
    assert find(module, debug, wanted, path).name == "_ZNK3lab5Level5aboveEd"
    assert "_ZN3lab5LevelC2Ed" in module.functions
    assert debug.makes_or_ends(module.functions["_ZN3lab5LevelC2Ed"].subprogram)


@pytest.mark.parametrize(
    ("function", "sites", "given", "result"),
    [("half", 1, 8.0, "0x1p+2"), ("Level::sign", 2, -2.0, "-1"), ("unused", 0, 8, "1"), ("hidden", 0, 8, "0")],
)
def test_they_are_driven_like_any_function(
    programs: Programs, function: str, sites: int, given: float, result: str
) -> None:
    subject = programs.load(MEMBERS, function, ".cpp")
    replay = subject.replay(words_of(subject.signature, given))
    assert (len(subject.sites), subject.signature.exact_result(replay)) == (sites, result)


def test_what_a_test_can_not_call_is_refused(programs: Programs) -> None:
    with pytest.raises(UnsupportedParameter, match="Level::secret: is a private or protected member, which a test can"):
        programs.load(MEMBERS, "Level::secret", ".cpp")


@pytest.mark.parametrize("wanted", ["abov", "Level::abov", "Level.above"])
def test_members_are_suggested(programs: Programs, wanted: str) -> None:
    with pytest.raises(TargetError, match=r"it defines lab::Level::above, "):
        programs.load(MEMBERS, wanted, ".cpp")


def test_what_can_not_be_compiled_and_is_not_used_is_passed_over(programs: Programs) -> None:
    text = """#ifdef __x86_64__
    #define RARE "xop"
    #else
    #define RARE "sve2-bitperm"
    #endif
    __attribute__((always_inline, target(RARE))) static inline int twice(int x) { return x + x; }
    inline int four_times(int x) { return twice(twice(x)); }
    int f(int x) { if (x > 3) return 1; return 0; }
    """
    assert len(programs.load(text, "f", ".cpp").sites) == 1
    assert functions_of(Path("program.cpp"), compile_all([programs.write(text, ".cpp")])) == ["f"]


@pytest.mark.parametrize(
    ("source", "may"),
    [("double f(double x) { return x; }", False), ("inline double f(double x) { return x; }", True),
     ("namespace{double f(double x);}", True), ("namespace n { double f(double x); }", False),
     ("#include <immintrin.h>\nstruct S { int f(); };", False)],
)  # fmt: skip
def test_who_may_define_what_is_not_used(source: str, may: bool) -> None:
    assert may_pass_over(source.encode()) == may
