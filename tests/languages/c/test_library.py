"""Functions of the C library as terms: they give what the library gives, and proofs use them."""

from __future__ import annotations

import ctypes
import math
import random
import struct
import subprocess
import sys
from collections.abc import Callable

import pytest

from languages.c.test_reach import refuted
from programs import Programs
from zeroin.languages.c.read.library import WRITING, function
from zeroin.term.core.evaluate import evaluate, signed
from zeroin.term.core.nodes import Term, constant, float_of_bits, variable
from zeroin.term.core.open_values import resting_on
from zeroin.term.core.sorts import FLOAT32, FLOAT64, Sort, bits

D, F, I32, I64 = FLOAT64, FLOAT32, bits(32), bits(64)
C = {D: "double", F: "float", I32: "int", I64: "long"}
# A function of the library, the sorts of its arguments, and that of its result; each has an entry in the table.
_OF_ONE = ("floor", "ceil", "trunc", "rint", "nearbyint", "round", "sqrt", "fabs")
NUMBERS: list[tuple[str, tuple[Sort, ...], Sort]] = [
    *((f"{name}{suffix}", (sort,), sort) for name in _OF_ONE
      for suffix, sort in (("", D), ("f", F))),
    *((f"{name}{suffix}", (sort, sort), sort) for name in ("fmin", "fmax", "copysign", "fdim", "fmod")
      for suffix, sort in (("", D), ("f", F))),
    *((f"{name}{suffix}", (sort,), I64) for name in ("lround", "llround", "lrint", "llrint")
      for suffix, sort in (("", D), ("f", F))),
    ("fma", (D, D, D), D), ("abs", (I32,), I32), ("labs", (I64,), I64),
]  # fmt: skip
# The same of Clang's own functions, by LLVM's name, and what they are in C.
OF_LLVM: list[tuple[str, tuple[Sort, ...], str]] = [
    ("llvm.ctpop.i32", (I32,), "__builtin_popcount(a)"), ("llvm.ctpop.i64", (I64,), "__builtin_popcountl(a)"),
    ("llvm.bswap.i32", (I32,), "(int)__builtin_bswap32(a)"), ("llvm.bswap.i64", (I64,), "(long)__builtin_bswap64(a)"),
    ("llvm.bitreverse.i32", (I32,), "(int)__builtin_bitreverse32(a)"),
    ("llvm.fshl.i32", (I32, I32, I32), "c % 32 ? (int)((unsigned)a << c % 32u | (unsigned)b >> (32 - c % 32u)) : a"),
    ("llvm.fshr.i32", (I32, I32, I32), "c % 32 ? (int)((unsigned)a << (32 - c % 32u) | (unsigned)b >> c % 32u) : b"),
    ("llvm.ctlz.i32", (I32,), "a ? __builtin_clz(a) : 32"), ("llvm.cttz.i32", (I32,), "a ? __builtin_ctz(a) : 32"),
]  # fmt: skip
OVERFLOWING = [(sign, name, sort) for sign in "su" for name in ("add", "sub", "mul") for sort in (I32, I64)]
SPECIAL = (0.0, -0.0, 0.5, -0.5, 1.0, 1.5, 2.5, -2.5, 3.0, 1e-310, -1e-310, 1e-40, 1e300, 4503599627370497.5, math.inf,
           -math.inf, math.nan, -math.nan, 7.0, 9e18, 1e19, 2.0**-1074, 2.0**-126, 2.0**31)  # fmt: skip
INTEGERS = (0, 1, 2, 3, -1, -2, 5, 31, 32, 33, 64, 2**31 - 1, -(2**31), 0x12345678)
Fits = Callable[[int, int], bool]


def _source() -> str:
    lines = ["#include <math.h>", "#include <stdlib.h>", "#include <string.h>"]

    def taken(sorts: tuple[Sort, ...]) -> str:
        named = enumerate(zip("abc", sorts, strict=False))
        return "".join(f"    {C[s]} {n}; memcpy(&{n}, &in[{k}], sizeof {n});\n" for k, (n, s) in named)

    def add(name: str, sorts: tuple[Sort, ...], made: str) -> None:
        lines.append(f"void call_{name}(const unsigned long *in, unsigned long *out)\n{{\n{taken(sorts)}{made}\n}}")

    def put(value: str, at: int = 0) -> str:
        return f"    {{ __typeof__({value}) v = {value}; memcpy(&out[{at}], &v, sizeof v); }}"

    for name, sorts, _ in NUMBERS:
        add(name, sorts, put(f"{name}({', '.join('abc'[: len(sorts)])})"))
    for name, sorts, code in OF_LLVM:
        add(name.replace(".", "_"), sorts, put(f"({C[sorts[0]]})({code})"))
    for sign, name, sort in OVERFLOWING:
        type_ = ("unsigned " if sign == "u" else "") + C[sort]
        called = f"__builtin_{name}_overflow(({type_})a, ({type_})b, &r)"
        add(f"{sign}{name}_{sort.width}", (sort, sort),
            f"    {type_} r; long flag = {called};\n{put('r')}\n{put('flag', 1)}")  # fmt: skip
    for name, sort in (("modf", D), ("modff", F)):
        add(name, (sort,), f"    {C[sort]} w; {C[sort]} r = {name}(a, &w);\n{put('r')}\n{put('w', 1)}")
    for name, sort in (("frexp", D), ("frexpf", F)):
        add(name, (sort,), f"    int w; {C[sort]} r = {name}(a, &w);\n{put('r')}\n{put('w', 1)}")
    for number in (-1022, -30, -1, 0, 3, 60, 1023):
        add(f"ldexp_{number + 2000}", (D,), put(f"ldexp(a, {number})"))
    add("div", (I32, I32), f"    div_t d = div(a, b);\n{put('d')}")
    add("ldiv", (I64, I64), f"    ldiv_t d = ldiv(a, b);\n{put('d.quot')}\n{put('d.rem', 1)}")
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("library")
    (folder / "calls.c").write_text(_source())
    command = [sys.executable, "-m", "ziglang", "cc", "-O0", "-fno-builtin", "-w", "-shared", "-fPIC",
               "-fno-sanitize=all", "-o", str(folder / "calls.so"), str(folder / "calls.c"), "-lm"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(folder / "calls.so"))


def _drawn(sort: Sort, rng: random.Random) -> int:
    """Return the bits of a number."""
    if sort.is_bits:
        return rng.choice([*INTEGERS, rng.getrandbits(sort.width)]) & ((1 << sort.width) - 1)
    width = 32 if sort == F else 64
    if rng.random() < 0.4:
        return rng.getrandbits(width)
    value = rng.choice([*SPECIAL, rng.uniform(-100, 100), rng.randint(-40, 40) / 2])
    try:
        return int.from_bytes(struct.pack("<f" if sort == F else "<d", value), "little")
    except OverflowError:
        return 0


def _check(compiled: ctypes.CDLL, name: str, sorts: tuple[Sort, ...],
           made: Callable[..., Term | tuple[Term, ...] | None], fits: Fits | None = None) -> None:  # fmt: skip
    """Compare terms with the results of a function, for 1,500 arguments."""
    rng, arguments = random.Random(name), [variable(n, s) for n, s in zip("abc", sorts, strict=False)]
    found = made(*arguments)
    assert found is not None
    terms = [found] if isinstance(found, Term) else [*found]
    compared = 0
    for _ in range(1500):
        drawn = [_drawn(sort, rng) for sort in sorts]
        if fits is not None and not fits(*drawn):
            continue
        into, out = (ctypes.c_uint64 * 3)(*drawn), (ctypes.c_uint64 * 2)()
        getattr(compiled, f"call_{name}")(into, out)
        model = {n: b if s.is_bits else float_of_bits(s, b) for n, s, b in zip("abc", sorts, drawn, strict=False)}
        for term, got in zip(terms, out, strict=False):
            if resting_on([term], model):
                continue
            compared += 1
            value = evaluate(term, model)
            assert _is(value, term.sort, got), (name, drawn, model, value, got)
    assert compared > 500


def _is(value: float, sort: Sort, got: int) -> bool:
    """Whether a value has these bits. All NaNs are alike."""
    if not sort.is_float:
        mask = (1 << sort.width) - 1 if sort.is_bits else 1
        return int(value) & mask == got & mask
    real = float_of_bits(sort, got & ((1 << (32 if sort == F else 64)) - 1))
    return (math.isnan(value) and math.isnan(real)) or (
        value == real and math.copysign(1, value) == math.copysign(1, real)
    )


@pytest.mark.parametrize(("name", "sorts", "result"), NUMBERS, ids=[name for name, _, _ in NUMBERS])
def test_a_term_is_what_the_library_gives(
    compiled: ctypes.CDLL, name: str, sorts: tuple[Sort, ...], result: Sort
) -> None:
    def made(*arguments: Term) -> Term:
        found = function(name, arguments)
        assert isinstance(found, Term)
        assert found.sort == result
        return found

    _check(compiled, name, sorts, made)


@pytest.mark.parametrize(("name", "sorts", "code"), OF_LLVM, ids=[name for name, _, _ in OF_LLVM])
def test_a_term_is_what_clang_computes(compiled: ctypes.CDLL, name: str, sorts: tuple[Sort, ...], code: str) -> None:
    _check(compiled, name.replace(".", "_"), sorts, lambda *arguments: function(name, arguments))


@pytest.mark.parametrize(("sign", "name", "sort"), OVERFLOWING)
def test_a_result_that_does_not_fit_is_told(compiled: ctypes.CDLL, sign: str, name: str, sort: Sort) -> None:
    called = f"llvm.{sign}{name}.with.overflow.i{sort.width}"
    _check(compiled, f"{sign}{name}_{sort.width}", (sort, sort), lambda *arguments: function(called, arguments))


@pytest.mark.parametrize("name", WRITING)
def test_what_is_stored_is_a_term_too(compiled: ctypes.CDLL, name: str) -> None:
    _check(compiled, name, (F if name in ("modff", "frexpf") else D,), lambda *arguments: WRITING[name](arguments))


@pytest.mark.parametrize("number", [-1022, -30, -1, 0, 3, 60, 1023])
def test_powers_of_two(compiled: ctypes.CDLL, number: int) -> None:
    _check(compiled, f"ldexp_{number + 2000}", (D,), lambda a: function("ldexp", (a, constant(I32, number))))


@pytest.mark.parametrize(("name", "sort"), [("div", I32), ("ldiv", I64)])
def test_quotients(compiled: ctypes.CDLL, name: str, sort: Sort) -> None:
    least = 1 << (sort.width - 1)
    _check(compiled, name, (sort, sort), lambda *arguments: function(name, arguments),
           lambda a, b: b != 0 and not (a == least and signed(b, sort.width) == -1))  # fmt: skip


@pytest.mark.parametrize(
    ("body", "impossible"),
    [
        ("double y = fmin(fmax(x, 0.0), 10.0); return y > 10.0 || y < 0 || y != y;", {0, 2, 4}),
        ("float y = fminf(fmaxf((float)x, -1.0f), 1.0f); if (y > 1.5f) return 1; return 0;", {0}),
        ("double y = fmax(x, 0); if (y != y) return 1; return 0;", set()),  # a signalling NaN stays one
        ("double y = copysign(2.0, x); return y == 0 || fabs(y) < 2;", {0, 2}),
        ("double y = round(x); return y == y && y != floor(y);", {2}),
        ("if (!(fabs(x) < 1e6)) return 9; return lround(x) > 1000000 || lrint(x) > 2000000;", {2, 4}),
        ("if (lround(x) > 1000000) return 1; return 0;", set()),
        ("double w, r = modf(x, &w); return fabs(r) >= 1.0 || w != trunc(w);", {0}),
        ("int e; double m = frexp(x, &e); return m == m && fabs(m) < HUGE_VAL && fabs(m) >= 1.0;", {4}),
        ("double y = ldexp(x, 3); return y == 24.0 && x != 3.0;", {2}),
        ("div_t d = div(n, 7); if (d.rem >= 7) return 1; return 0;", {0}),
        ("int r; return __builtin_add_overflow(n, 5, &r) && n < 0;", {2}),
        ("return fabs(fmod(x, 3.0)) >= 3.0 || fdim(x, 1.0) < 0;", {0, 2}),
        ("return __builtin_popcount(n) > 32 || n != 0 && __builtin_ctz(n) > 31;", {0, 4}),
    ],
)
def test_proofs_know_the_library(programs: Programs, body: str, impossible: set[int]) -> None:
    subject = programs.load(f"#include <math.h>\n#include <stdlib.h>\nint f(double x, int n)\n{{\n    {body}\n}}\n")
    found = {outcome for outcome in range(2 * len(subject.sites)) if refuted(subject, outcome)}
    assert found >= impossible if impossible else not found
