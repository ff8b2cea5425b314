"""Good inputs, and how they are damaged: everything follows from a seed, and nothing is stored."""

from __future__ import annotations

import random
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

_EACH = 300  # of a kind
_SUBJECTS = Path(__file__).with_name("subjects")
_COVER = ("cover", "--budget", "0.05", "--evals", "1000", "--quiet")
_ODD = ["", " ", "\x01", "\n", "\t", "--", "-", "-1", "0", "1e999", "nan", "inf", "-inf", "1" * 5000, "1" * 30,
        "0x10", "\xe4\u2603\U0001f600", "\ud800", "\udcff", "None", "''", '"', "'", "%s%n", "../..", "/", ".", "~", "*",
        "(", ")", ",", ":", "=", "[]", "{}", "a" * 300, "\\", "1,2,3", "x=y=z", "x:y:z", "e", "1_000", "\u0663",
        "True"]  # fmt: skip
_TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)

_C = b"""#include <math.h>
typedef struct { double x; int n; } pair;
static double scale = 2.5;
static int helper(int n) { return n > 3 ? n * 2 : n; }
double f(double x, int n, const double *values) {
    double sum = 0;
    for (int i = 0; i < n && i < 4; i++) { sum += values[i] * scale; }
    switch (n) { case 1: return sum; case 7: return -1; default: break; }
    if (x > 10 && sqrt(x) < sum) return helper(n);
    while (x > 1e3) x /= 2;
    return x == 0.1 ? 1 : 0;
}
"""
_PYTHON = b'''"""A module."""
from __future__ import annotations
import math
from dataclasses import dataclass

@dataclass
class Point:
    x: float
    y: float = 0.0

    def far(self, limit: float) -> bool:
        return math.hypot(self.x, self.y) > limit

def f(x: float, names: list[str], point: Point | None = None) -> float:
    total = 0.0
    for number, name in enumerate(names):
        if name == "zero" or len(name) > 3:
            total += number / 2
    try:
        if x > 10 and math.sqrt(x) < total:
            return -1.0
    except ValueError as error:
        raise RuntimeError(f"bad {x!r}") from error
    match names:
        case [first, *_] if first.startswith("a"):
            return 1.0
    return lambda_(x) if point is None else point.x

def lambda_(x): return 0.0 if x < 0 else (lambda y: y * 2)(x)
'''
_SMT = b"""(set-info :status sat)
(set-logic QF_FPBV)
(declare-fun x () (_ FloatingPoint 11 53))
(declare-const n (_ BitVec 32))
(declare-fun a () (Array Int Real))
(define-fun twice ((y Float64)) Float64 (fp.add RNE y y))
(assert (fp.lt (twice x) ((_ to_fp 11 53) RNE 3.5)))
(assert (let ((m (bvadd n #x00000001)) (k (select a 3))) (and (bvult m (_ bv77 32)) (> k (/ 1.0 3.0)))))
(assert (not (= x (fp #b0 #b10000000000 #x0000000000000))))
(check-sat)
(get-model)
(exit)
"""
_IR = b"""target triple = "x86_64-unknown-linux-gnu"
@scale = global double 2.5
declare double @sqrt(double)
define double @f(double %x, i32 %n) {
entry:
  %c = fcmp ogt double %x, 1.000000e+01
  br i1 %c, label %big, label %small
big:
  %r = call double @sqrt(double %x)
  %i = icmp eq i32 %n, 7
  %s = select i1 %i, double %r, double 0.000000e+00
  ret double %s
small:
  %p = phi i32 [ 0, %entry ], [ %q, %small ]
  %q = add i32 %p, 1
  %d = icmp slt i32 %q, %n
  br i1 %d, label %small, label %end
end:
  ret double -1.0
}
"""


@dataclass(frozen=True)
class Case:
    """A command line and the files that it needs."""

    kind: str
    number: int
    arguments: tuple[str, ...]
    files: dict[str, bytes] = field(default_factory=dict, hash=False)

    @property
    def name(self) -> str:
        return f"{self.kind}:{self.number}"

    @property
    def command(self) -> str:
        return shlex.join(["zeroin", *(ascii(a)[1:-1] if not a.isprintable() else a for a in self.arguments)])[:400]


def cases(seed: int = 0) -> Iterator[Case]:
    """All of them, kind after kind in turn, so that each N-th are of all kinds."""
    for number in range(_EACH):
        for kind, make in _MAKERS.items():
            rng = random.Random(f"{seed}:{kind}:{number}")
            arguments, files = make(rng)
            # No argument of a process has a zero byte, or a lone surrogate that stands for none.
            clean = tuple(a.replace("\0", "").encode("utf-8", "replace").decode() for a in arguments)
            yield Case(kind, number, clean, files)


def damaged(rng: random.Random, content: bytes) -> bytes:
    """Cut, turned, shuffled, doubled, or with something in it."""
    for _ in range(rng.choice((1, 1, 2, 5))):
        content = rng.choice(_DAMAGES)(rng, content) if content else content
    return content


def _cut(rng: random.Random, content: bytes) -> bytes:
    return content[: rng.randrange(len(content))]


def _flip(rng: random.Random, content: bytes) -> bytes:
    found = bytearray(content)
    for _ in range(rng.choice((1, 3, 30))):
        found[rng.randrange(len(found))] ^= 1 << rng.randrange(8)
    return bytes(found)


def _shuffle(rng: random.Random, content: bytes) -> bytes:
    tokens = _TOKEN.findall(content.decode("latin-1"))
    for _ in range(rng.choice((1, 3, 30))):
        i, j = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        tokens[i], tokens[j] = tokens[j], tokens[i]
    return "".join(tokens).encode("latin-1")


def _drop(rng: random.Random, content: bytes) -> bytes:
    start = rng.randrange(len(content))
    return content[:start] + content[start + rng.randrange(1, 40) :]


def _double(rng: random.Random, content: bytes) -> bytes:
    start = rng.randrange(len(content))
    return content[:start] + content[start : start + rng.randrange(1, 80)] * rng.choice((2, 3, 50)) + content[start:]


def _insert(rng: random.Random, content: bytes) -> bytes:
    start = rng.randrange(len(content) + 1)
    odd = rng.choice((*(text.encode("utf-8", "surrogatepass") for text in _ODD), b"\0", b"\xff", b"\xef\xbb\xbf",
                      b"(" * 2000, b"-" * 500, b"{" * 300, b'"""', b"/*", b"#include \"none.h\"\n", b"#if 0\n",
                      b"#error no\n", b"\r", b"\x1a", b"import none\n", b"yield ", b"await "))  # fmt: skip
    return content[:start] + odd + content[start:]


def _recode(rng: random.Random, content: bytes) -> bytes:
    text = content.decode("latin-1")
    return text.encode(rng.choice(("utf-16", "utf-16-le", "utf-32", "utf-7", "cp500", "utf-8-sig")))


_DAMAGES: list[Callable[[random.Random, bytes], bytes]] = [
    _cut, _flip, _flip, _shuffle, _shuffle, _drop, _drop, _double, _insert, _insert, _recode,
]  # fmt: skip
_Made = tuple[list[str], dict[str, bytes]]


def _text(rng: random.Random, good: list[str]) -> str:
    """A damaged text, or an odd one."""
    if rng.random() < 0.3:
        return rng.choice(_ODD)
    return damaged(rng, rng.choice(good).encode()).decode("utf-8", "replace")


def _c(rng: random.Random) -> _Made:
    sources = [_C, *(p.read_bytes() for p in sorted((_SUBJECTS / "c").glob("n*.c")))]
    name = rng.choice(("f.c", "f.c", "f.cpp"))
    return [*_COVER, f"{name}:f"], {name: damaged(rng, rng.choice(sources[:1] * 4 + sources))}


def _python(rng: random.Random) -> _Made:
    return [*_COVER, "f.py:f"], {"f.py": damaged(rng, _PYTHON)}


def _smt(rng: random.Random) -> _Made:
    return ["solve", "f.smt2", "--budget", "0.2"], {"f.smt2": damaged(rng, _SMT)}


def _expression(rng: random.Random) -> _Made:
    good = ["x*x == 2", "(x + y) ** 2 > 1e300 and not n % 3 == 1", "abs(x - 0.1) < 1e-9 or math.sin(y) == 1",
            "int(x) << 3 == n & 7", "x if n > 3 else y == 2.5", "max(x, y, 3) // n < min(1, x)"]  # fmt: skip
    types = ["float", "int", "i8", "u64", "bool", "real", "float32"]
    declared = rng.choice(([], ["--var", f"n:{rng.choice(types)}"], ["--var", _text(rng, ["n:int", "x:float32"])]))
    return ["solve", f"-e={_text(rng, good)}", "--budget=0.2", *declared], {}


def _types(rng: random.Random) -> _Made:
    good = ["x: float, names: list[str]", "x: int | None, names: dict[str, tuple[int, ...]]", "point: f.Point",
            "names: Literal['a', 'b'], x: Annotated[float, 3]", "x: np.ndarray", "x: Callable[[int], str]"]  # fmt: skip
    return [*_COVER, "f.py:f", f"--types={_text(rng, good)}"], {"f.py": _PYTHON}


def _array(rng: random.Random) -> _Made:
    return [*_COVER, "f.c:f", f"--array={_text(rng, ['values=4', 'values=4,n', 'x=3', 'values=0'])}"], {"f.c": _C}


def _cc(rng: random.Random) -> _Made:
    good = ["-O2 -DN=3", "-I /usr/include -std=c99", "clang -Wall", "-include none.h", "-x c++", "-Df=g", "-m32", "-E",
            "-c -o /dev/null", "-fsanitize=address", "-target arm", "-flto", "-nostdinc",
            "-Werror -Weverything"]  # fmt: skip
    return [*_COVER, "f.c:f", f"--cc={rng.choice((_text(rng, good), rng.choice(good)))}"], {"f.c": _C}


def _target(rng: random.Random) -> _Made:
    good = ["f.py:f", "f.c:f", "f:f", "f:Point.far", "math:sin", "os.path:join", "f.py:Point.__init__", "none.c:f",
            "f.c:none", "f.py", "f.c", "f", "f.py:math.sqrt", "f.c:helper", "json:loads", "f.py:Point",
            "f.py:dataclass"]  # fmt: skip
    command = rng.choice((_COVER, ("show",)))
    return [*command, _text(rng, good) or "f", *([] if rng.random() < 0.8 else [_text(rng, good)])], {
        "f.py": _PYTHON, "f.c": _C}  # fmt: skip


def _options(rng: random.Random) -> _Made:
    names = ["budget", "evals", "engine", "minimizer", "distance", "seed", "jobs", "fuel", "memory", "out", "emit",
             "json", "measure", "fail-under", "include", "allow", "with"]  # fmt: skip
    good = [
        "0.05",
        "1000",
        "minimize",
        "es(mu=15, lambda=100)",
        "ulp",
        "3",
        "files,network",
        "none",
        "100",
        "f.c",
        "1e9",
    ]
    chosen = rng.sample(names, rng.choice((1, 1, 2)))
    given = [f"--{name}={rng.choice((rng.choice(_ODD), _text(rng, good)))}" for name in chosen]
    return [*_COVER[:1], "f.py:f", *_COVER[1:], *given], {"f.py": _PYTHON, "f.c": _C}


def _ir(rng: random.Random) -> _Made:
    if rng.random() < 0.7:
        return [*_COVER, "f.ll:f"], {"f.ll": damaged(rng, _IR)}
    import llvmlite.binding as llvm

    bitcode: bytes = llvm.parse_assembly(_IR.decode()).as_bitcode()
    return [*_COVER, "f.bc:f"], {"f.bc": rng.choice((_cut, _flip, _drop))(rng, bitcode)}


_MAKERS: dict[str, Callable[[random.Random], _Made]] = {
    "C": _c, "Python": _python, "SMT-LIB": _smt, "-e": _expression, "--types": _types, "--array": _array, "--cc": _cc,
    "target": _target, "options": _options, "LLVM IR": _ir,
}  # fmt: skip
KINDS = tuple(_MAKERS)
