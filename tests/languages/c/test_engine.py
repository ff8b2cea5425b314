"""Running compiled subjects: the plain and the instrumented function agree with the C compiler, and survive."""

from __future__ import annotations

import ctypes
import itertools
import math
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programs import Programs, ended, ends_of, run_alone
from zeroin.errors import MissingSymbol
from zeroin.languages.c.front.layout import Scalar
from zeroin.languages.c.front.parameters import CSignature
from zeroin.languages.c.options import LlvmOptions
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.subject.base import Run, Termination, Words
from zeroin.subject.search_problem import Tracer
from zeroin.words import Kind, bits_from_word, encode, word_from_bits, word_range

# ---- the same as a C compiler's code, bit for bit ----

FUNCTIONS = r"""
#include <math.h>
#include <stdint.h>
#include <string.h>

double polynomial(double x, double y) { double z = x * y + x - 1e-3; return z > y ? z / (y - x) : z * z - x; }

float single(float x, float y) { float s = 0; for (int i = 0; i < 5; i++) s = s * x + y / (i + 1); return s; }

int mixed(signed char a, unsigned char b, short c, unsigned short d)
{ return (a > b ? a - b : b * c) ^ (d << 3) ^ (a >> 1); }

uint64_t wide(uint64_t a, int64_t b, uint32_t c)
{ return a * 0x9e3779b97f4a7c15u + (uint64_t)(b >> 3) - (a > (uint64_t)b ? c : ~c); }

double high_word(double x)
{
    int32_t hx = *(1 + (int32_t *)&x);
    int32_t ix = hx & 0x7fffffff;
    if (ix >= 0x7ff00000) return x + x;
    if (ix < 0x3e400000) { if ((int)x == 0) return x; }
    return hx < 0 ? -sqrt(fabs(x)) : x - floor(x);
}

_Bool flags(_Bool a, _Bool b, double x) { return (a && !b) || x != x; }

int table[4] = {3, 1, 4, 1};
int arrays(int v[4], const double w[2])
{
    for (int i = 0; i < 4; i++) { v[i] = v[i] / 2 + table[i]; table[i] += v[i] & 3; }
    return w[0] < w[1] ? v[0] ^ v[3] : v[1] - v[2];
}

double conversions(float x, long n, unsigned char c) { return (double)x * (double)n + c - (double)(float)n; }

int state(int a)
{ switch (a & 7) { case 0: return 1; case 1: a++; case 2: return a * 3; case 6: a = -a; break; default: a ^= 0x55; }
  return a; }
"""
C_TYPES: dict[Kind, Any] = {
    Kind.F64: ctypes.c_double, Kind.F32: ctypes.c_float, Kind.BOOL: ctypes.c_bool,
    Kind.I8: ctypes.c_int8, Kind.I16: ctypes.c_int16, Kind.I32: ctypes.c_int32, Kind.I64: ctypes.c_int64,
    Kind.U8: ctypes.c_uint8, Kind.U16: ctypes.c_uint16, Kind.U32: ctypes.c_uint32, Kind.U64: ctypes.c_uint64,
}  # fmt: skip
NAMES = ["polynomial", "single", "mixed", "wide", "high_word", "flags", "arrays", "conversions", "state"]


class Library:
    """The functions as the C compiler alone makes them, called with words."""

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))

    def call(self, signature: CSignature, words: Words) -> tuple[bytes, list[bytes]]:
        """The result's bytes, and those of what pointers point to afterwards."""
        arguments: list[Any] = []
        outputs: list[Any] = []
        for parameter, mine in signature.split(words):
            assert mine is not None
            plain = C_TYPES[parameter.kind]
            raw = b"".join(bytes_of(parameter.kind, word) for word in mine)
            if parameter.length is None:
                arguments.append(plain.from_buffer_copy(raw))
            else:
                outputs.append((plain * parameter.length).from_buffer_copy(raw))
                arguments.append(outputs[-1])
        assert isinstance(signature.result, Scalar)
        function = self._library[signature.name]
        function.restype = C_TYPES[signature.result.kind]
        ctypes.memmove(
            ctypes.addressof(ctypes.c_int.in_dll(self._library, "table")), (ctypes.c_int * 4)(3, 1, 4, 1), 16
        )
        return bytes(function.restype(function(*arguments))), [bytes(o) for o in outputs]


def bytes_of(kind: Kind, word: int) -> bytes:
    return bits_from_word(kind, word).to_bytes(ctypes.sizeof(C_TYPES[kind]), "little")


def same_bits(kind: Kind, bits: tuple[int, ...], raw: bytes) -> bool:
    """Equal, or both NaN: which of two NaNs an addition hands on is not laid down."""
    size = ctypes.sizeof(C_TYPES[kind])
    pairs = [(b.to_bytes(size, "little"), raw[n * size : (n + 1) * size]) for n, b in enumerate(bits)]
    values = [tuple(C_TYPES[kind].from_buffer_copy(b).value for b in pair) for pair in pairs]
    assert len(raw) == size * len(bits)
    return all(one == two or (v != v and w != w) for (one, two), (v, w) in zip(pairs, values, strict=True))


def drawn_words(signature: CSignature) -> st.SearchStrategy[Words]:
    def one(kind: Kind) -> st.SearchStrategy[int]:
        low, high = word_range(kind)
        anywhere = st.integers(low, high)
        if kind.is_float:
            return anywhere | st.floats(width=64 if kind is Kind.F64 else 32).map(lambda v: encode(kind, v))
        return anywhere | st.sampled_from([w for w in (low, -1, 0, 1, 2, high) if low <= w <= high])

    return st.tuples(*(one(kind) for kind in signature.kinds))


@pytest.fixture(scope="module")
def library(programs: Programs) -> Library:
    return Library(programs.shared_library(FUNCTIONS))


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_agrees_with_the_c_compiler(programs: Programs, library: Library, name: str, data: st.DataObject) -> None:
    subject = programs.load(FUNCTIONS, name)
    signature = subject.signature
    words = data.draw(drawn_words(signature))
    result, outputs = library.call(signature, words)
    kinds = [p.kind for p in signature.parameters if p.length is not None]
    assert subject.execute(words).outcome is Termination.RETURNED
    for replay in (subject.replay(words), subject.observe(words)):
        assert replay.outcome is Termination.RETURNED
        assert isinstance(signature.result, Scalar)
        assert isinstance(replay.result, int)
        assert same_bits(signature.result.kind, (replay.result,), result)
        assert len(replay.outputs) == len(kinds)
        for kind, found, raw in zip(kinds, replay.outputs, outputs, strict=True):
            assert found is not None
            assert same_bits(kind, found, raw)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_covers_what_execute_covers(programs: Programs, name: str, data: st.DataObject) -> None:
    subject = programs.load(FUNCTIONS, name)
    words = data.draw(drawn_words(subject.signature))
    execution = subject.execute(words)
    run = subject.run(words)
    assert (run.words, run.outcome, run.covered) == (words, execution.outcome, execution.covered)
    assert subject.execute(words).covered == execution.covered


def test_covers_in_a_child_of_this_process(programs: Programs) -> None:
    text = """
    #include <signal.h>
    #include <unistd.h>
    int f(int x) { if (x > 3) return 1; if (x < -3) kill(getpid(), SIGKILL); if (x == 2) for (;;) pause(); return 2; }
    """
    subject = programs.load(text)
    for x in (4, 0):
        assert subject.covers_in_child((x,), seconds=2.0) == (subject.run((x,)).covered, True)
    assert subject.covers_in_child((-9,), seconds=2.0) == (frozenset({1, 2}), False)
    assert subject.covers_in_child((2,), seconds=0.5) == (frozenset({1, 3, 4}), False)


def test_what_is_lethal_is_not_run_again(programs: Programs) -> None:
    text = "int f(int a, int b) { if (a == 3 && b == 4) raise(SIGKILL); return a; }"
    subject = programs.load(f"#include <signal.h>\n{text}")
    subject.avoid([(7, 7), (3, 4)])
    assert subject.run((3, 4)) == Run((3, 4), Termination.KILLED, frozenset(), 0)
    assert [subject.run(words).outcome for words in ((3, 7), (4, 3), (7, 4))] == [Termination.RETURNED] * 3
    address = subject.install(Tracer(len(subject.sites), 0).question)
    objective = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(address)
    assert objective(ctypes.addressof((ctypes.c_int64 * 2)(3, 4))) == sys.float_info.max


def test_covers_in_a_child_that_stops(programs: Programs) -> None:
    subject = programs.load("#include <signal.h>\nint f(int x) { if (x > 3) raise(SIGSTOP); return x > 7; }")
    assert subject.covers_in_child((5,), seconds=0.3) == (frozenset({0}), False)


def test_one_nan_is_as_good_as_another(programs: Programs) -> None:
    subject = programs.load("double f(double x, double *y) { *y = -x; return x; }")
    bits = [0x7FF8000000000000, 0xFFF8000000000123, 0x7FF0000000000001]
    replays = [subject.replay((word_from_bits(Kind.F64, b), 0)) for b in bits]
    assert [r.result for r in replays] == bits
    assert len({subject.signature.canonical(r) for r in replays}) == 1
    infinite = subject.replay((encode(Kind.F64, math.inf), 0))
    assert subject.signature.canonical(infinite) == infinite
    assert infinite.outputs == ((0xFFF0000000000000,),)


# ---- every run starts afresh ----

MEMORY = """
#include <stdlib.h>
#include <string.h>
static int calls = 5;
int shared[3] = {1, 2, 3};
int f(int x) {
    static int last = -1;
    int before = last;
    last = x;
    calls += x;
    shared[x & 1] *= 7;
    if (calls > 100) calls = 0;
    return before * 1000 + calls * 10 + shared[0];
}
int g(int x) {
    char *block = malloc(4000000), *other = calloc(1000, 1000);
    int sum = 0;
    for (int i = 0; i < 1000; i++) sum += other[i];
    memset(block, x, 4000000);
    other = realloc(other, 2000000);
    other[1999999] = block[3];
    char *last = realloc(NULL, 10);
    free(last);
    free(NULL);
    return sum + other[0] + other[1999999];
}
"""


def test_variables_are_put_back(programs: Programs) -> None:
    subject = programs.load(MEMORY)
    assert subject.stateful
    expected = {x: (1 << 32) - 1000 + (5 + x) * 10 + (1 if x & 1 else 7) for x in (1, 2, 30)}
    for x in (1, 2, 1, 30, 30, 2):
        assert subject.replay((x,)).result == expected[x]
        assert subject.observe((x,)).result == expected[x]
    assert not programs.load("static const int t[2] = {1, 2}; int f(int x) { return t[x & 1]; }").stateful


def test_memory_left_behind_is_freed(programs: Programs) -> None:
    out = run_alone(
        """
        import resource, sys
        from pathlib import Path
        from zeroin.languages.c.run.engine import LlvmSubject
        from zeroin.languages.c.options import LlvmOptions
        subject = LlvmSubject(Path(sys.argv[1]), "g", LlvmOptions(memory=30_000_000))
        subject.guard()
        runs = [subject.observe((3,)).result for _ in range(3)] + [subject.replay((3,)).result for _ in range(3)]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        runs += [subject.observe((3,)).result for _ in range(100)] + [subject.replay((3,)).result for _ in range(100)]
        print(set(runs), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 10_000)
        """,
        str(programs.write(MEMORY)),
    )
    assert out == "{3} True\n"


WALLS = """
#include <string.h>
#include <stdint.h>
int reads(const int a[3], int n) { return a[n]; }
int writes(const double *x, char s[5], int n) { s[n] = 1; return s[0] + (x[0] != x[0]); }
int measures(const signed char s[3], int *out) { *out = (int)strlen((const char *)s); return *out; }
int leaves_beside(int a[2], int n) { static int once; if (n == 7 && !once++) a[-1] = 9; return a[0]; }
int aligned(const double x[3], const short s[3]) { return ((uintptr_t)x % 8 == 0) + ((uintptr_t)s % 2 == 0); }
"""


def test_what_a_pointer_points_to_lies_between_walls(programs: Programs) -> None:
    inputs: dict[str, list[Words]] = {
        "reads": [(1, 2, 3, n) for n in (2, 0, 3, -1, -2, 16384, -16384)],
        "writes": [(0, 1, 2, 3, 4, 5, n) for n in (4, 0, 5, -1)],
        "measures": [(65, 66, 0, 0), (65, 66, 67, 0), (0, 66, 67, 0)],
        "leaves_beside": [(5, 6, n) for n in (0, 7, 0)],
        "aligned": [(0,) * 6],
    }
    assert ends_of(programs, WALLS, inputs) == {
        "reads": [
            "RETURNED 3",
            "RETURNED 1",
            "SEGV read of a[3], one element past the buffer of 3",
            "SEGV read of a[-1], one element before the buffer of 3",
            "SEGV read of a[-2], 2 elements before the buffer of 3",
            "SEGV read of a[16384], 16382 elements past the buffer of 3",
            "SEGV read of a[-16384], 16384 elements before the buffer of 3",
        ],
        "writes": [
            "RETURNED 1",
            "RETURNED 1",
            "SEGV write of s[5], one element past the buffer of 5",
            "SEGV write of s[-1], one element before the buffer of 5",
        ],
        "measures": ["RETURNED 2", "SEGV read of s[3], one element past the buffer of 3", "RETURNED 0"],
        "leaves_beside": ["RETURNED 5", "SEGV write of a[-1], one element before the buffer of 2", "RETURNED 5"],
        "aligned": ["RETURNED 2"],
    }


def test_a_search_sees_both_walls(programs: Programs) -> None:
    script = """
    import ctypes, sys
    from pathlib import Path
    from zeroin.minimize import Door
    from zeroin.objective.coverage import CoverageObjective
    from zeroin.subject.base import Termination
    from zeroin.languages.c.run.engine import LlvmSubject
    subject = LlvmSubject(Path(sys.argv[1]), "reads")
    subject.guard()
    objective = CoverageObjective(len(subject.sites))
    for n in (3, -1, 0):
        subject.begin()
        for _ in range(3):
            door = Door(subject.install(objective.question), 4, objective.question, subject.outcome_address)
            door.open(10)
            door.evaluate((1, 2, 3, n))
            print(Termination(ctypes.c_int64.from_address(subject.outcome_address).value).name, end=" ")
    """
    ended = run_alone(script, str(programs.write(WALLS))).split()
    assert ended == ["SEGV", "SEGV", "RETURNED", "RETURNED", "RETURNED", "SEGV", "RETURNED", "RETURNED", "RETURNED"]


# ---- how runs end ----

ENDS = r"""
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>
volatile int zero, sink;
static volatile int *volatile nowhere;
int segv(int x) { if (x) return *nowhere; return 7; }
int wild(int x) { if (x) *(volatile int *)(0xdead0000 + 8L * x) = 1; return 7; }
int fpe(int x) { return 100 / x; }
int aborted(int x) { if (x) abort(); return 7; }
int leaves(int x) { if (x) exit(x); return 7; }
int leaves_at_once(int x) { if (x) _exit(x); return 7; }
int asserted(int x) { assert(x < 5 && "small"); return 7; }
int trap(int x) { if (x) __builtin_trap(); return 7; }
int endless(int x) { while (x) sink++; return 7; }
int goes_deep(int x) { volatile char room[4096]; room[x & 1] = 1; return x ? goes_deep(x) + room[0] : 7; }
int greedy(int x) { int n = 0; while (x && malloc(1 << 20)) n++; return 7; }
int too_much(int x) { char *p = x ? malloc((size_t)-1) : malloc(1); return p ? 7 : 8; }
"""


def test_ends(programs: Programs) -> None:
    names = ["segv", "wild", "fpe", "aborted", "leaves", "leaves_at_once", "asserted", "trap", "endless", "goes_deep",
             "greedy", "too_much"]  # fmt: skip
    good = {name: 4 if name == "asserted" else 100 if name == "fpe" else 0 for name in names}
    bad = {name: 0 if name == "fpe" else 9 for name in names}
    inputs: dict[str, list[Words]] = {name: [(good[name],), (bad[name],), (good[name],)] for name in names}
    ends = ends_of(programs, ENDS, inputs, fuel=100_000)
    returned = {name: "RETURNED 1" if name == "fpe" else "RETURNED 7" for name in names}
    expected = {
        "segv": "SEGV", "wild": "SEGV", "fpe": "FPE", "aborted": "ABORT", "leaves": "EXITED status 9",
        "leaves_at_once": "EXITED status 9", "asserted": 'ASSERTED x < 5 && "small"', "trap": "ILL", "endless": "HUNG",
        "goes_deep": "STACK", "greedy": "MEMORY", "too_much": "MEMORY",
    }  # fmt: skip
    assert ends == {name: [returned[name], expected[name], returned[name]] for name in names}


def test_the_very_first_run_may_end_badly(programs: Programs) -> None:
    assert ended(programs, ENDS, "leaves", (3,)) == ["EXITED status 3"]


def test_a_run_that_sleeps_is_stopped_by_the_clock(programs: Programs) -> None:
    text = "#include <unistd.h>\nint f(int x) { while (x) pause(); return 7; }"
    assert ended(programs, text, "f", (0,), (1,), (0,)) == ["RETURNED 7", "HUNG", "RETURNED 7"]


def test_fuel_is_what_the_options_say(programs: Programs) -> None:
    text = "int f(int x) { volatile int n = 0; for (int i = 0; i < x; i++) n += i; return n; }"
    script = """
    import sys
    from pathlib import Path
    from zeroin.languages.c.run.engine import LlvmSubject
    from zeroin.languages.c.options import LlvmOptions
    subject = LlvmSubject(Path(sys.argv[1]), "f", LlvmOptions(fuel=1000))
    subject.guard()
    print(*(subject.execute((x,)).outcome.name for x in (10, 990, 1010, 10)), subject.replay((1010,)).outcome.name)
    """
    assert run_alone(script, str(programs.write(text))) == "RETURNED RETURNED HUNG RETURNED RETURNED\n"


def test_what_was_decided_before_the_end_is_known(programs: Programs) -> None:
    script = """
    import sys
    from pathlib import Path
    from zeroin.languages.c.run.engine import LlvmSubject
    subject = LlvmSubject(Path(sys.argv[1]), "f")
    subject.guard()
    print(subject.run((5,)), [d.holds for d in subject.execute((5,)).decisions])
    print(subject.run((6,)), subject.run((5,)).end)
    """
    text = "#include <stdlib.h>\nint f(int x) { if (x > 3) { if (x == 6) exit(1); abort(); } return 1; }"
    assert run_alone(script, str(programs.write(text))) == (
        "Run(words=(5,), outcome=<Termination.ABORT: 4>, covered=frozenset({0, 3}), end=0) [True, False]\n"
        "Run(words=(6,), outcome=<Termination.EXITED: 5>, covered=frozenset({0, 2}), end=1) 0\n"
    )


def test_an_objective_is_not_zero_where_the_run_does_not_return(programs: Programs) -> None:
    script = """
    import sys
    from pathlib import Path
    from zeroin.minimize import Door, Stop
    from zeroin.objective.coverage import CoverageObjective
    from zeroin.languages.c.run.engine import LlvmSubject
    subject = LlvmSubject(Path(sys.argv[1]), "f")
    subject.guard()
    objective = CoverageObjective(len(subject.sites))
    objective.update(0, -1, -1)
    door = Door(subject.install(objective.question), 1, objective.question, subject.outcome_address)
    door.open(10)
    print(door.evaluate((5,)), Stop(int(door.cells[1])).name, door.evaluate((1,)), Stop(int(door.cells[1])).name)
    """
    text = "#include <stdlib.h>\nint f(int x) { if (x > 3) abort(); return 1; }"
    out = run_alone(script, str(programs.write(text))).split()
    assert out[0] == "1.0"
    assert out[1] == "NEWS"


def test_the_clock_closes_the_door(programs: Programs) -> None:
    script = """
    import sys, time
    from pathlib import Path
    import numpy as np
    from zeroin.minimize import Domain, Door, minimize, random_state, warm_up
    from zeroin.objective.coverage import CoverageObjective
    from zeroin.languages.c.run.engine import LlvmSubject
    subject = LlvmSubject(Path(sys.argv[1]), "f")
    subject.guard()
    warm_up("random")
    objective = CoverageObjective(len(subject.sites))
    objective.update(1, -1, -1)
    door = Door(subject.install(objective.question), 1, objective.question, subject.outcome_address)
    door.open(10**15)
    subject.limit_time(0.3, door.native)
    started = time.perf_counter()
    domain = Domain(subject.signature.kinds, tuple(subject.signature.ranges()), ((),))
    minimum = minimize("random", door, domain, np.zeros(1, dtype=np.int64), random_state([1]))
    print(minimum.reason.name, 0.2 < time.perf_counter() - started < 3.0, 0 < minimum.evaluations < 10**15)
    """
    text = "int f(unsigned x) { if (x <= 4294967295u) return 1; return 2; }"
    assert run_alone(script, str(programs.write(text))) == "TIME True True\n"


# ---- C++ exceptions ----


def test_exceptions(programs: Programs) -> None:
    text = """
    #include <stdexcept>
    static int thrower(int x) { if (x > 5) throw std::runtime_error("big"); if (x == 3) throw x; return x; }
    int f(int x) {
        try { return thrower(x); } catch (int e) { return 100 + e; } catch (const std::exception &e) {
            if (x > 10) throw;
            return 200;
        }
    }
    """
    found = ends_of(programs, text, {"f": [(1,), (3,), (7,), (11,), (1,)]}, ".cpp")["f"]
    assert found == ["RETURNED 1", "RETURNED 103", "RETURNED 200", "RETURNED None", "RETURNED 1"]


# ---- names ----


@pytest.mark.parametrize(
    ("text", "function", "value", "expected"),
    [
        ("double sin(double x) { if (x > 3) return 42; return x; }", "sin", 4.0, 42.0),
        ("double floor(double x) { return x + 1; }", "floor", 2.0, 3.0),
        ("double fabs(double x) { return x * 3; }", "fabs", 2.0, 6.0),
        ("double sqrt(double x) { double sin(double); return sin(x); } double sin(double x) { return x + 5; }",
         "sqrt", 2.0, 7.0),
        ("float sinf(float x) { return x + 1; }", "sinf", 2.0, 3.0),
        ("int abs(int x) { return x * 2; }", "abs", -3, -6),
        ("int toupper(int x) { return x - 1; }", "toupper", 97, 96),
        ("long malloc(long x) { return x + 1; }", "malloc", 5, 6),
        ("int free(int x) { return x + 1; }", "free", 5, 6),
        ("int exit(int x) { return x + 1; }", "exit", 5, 6),
        ("int abort(int x) { return x + 1; }", "abort", 5, 6),
        ("int main(int x) { return x + 1; }", "main", 5, 6),
        ("int zeroin_call(int x) { return x + 1; }", "zeroin_call", 5, 6),
        ("int zeroin_burn(int x) { for (int i = 0; i < x; i++) x--; return x + 3; }", "zeroin_burn", 5, 5),
        ("int zeroin_probe_int(int x) { if (x > 3) return x + 1; return 0; }", "zeroin_probe_int", 5, 6),
        ("int zeroin_r(int x) { return x > 3 ? x + 1 : 0; }", "zeroin_r", 5, 6),
        ("int reallocarray(int x) { return x + 1; }", "reallocarray", 5, 6),
        ("int atexit(int x) { return x + 1; }", "atexit", 5, 6),
        ("int write(int x) { return x + 1; }", "write", 5, 6),
        ("static double pow(double x) { return x + 1; }", "pow", 5.0, 6.0),
    ],
)  # fmt: skip
def test_the_subjects_own_definition_wins(
    programs: Programs, text: str, function: str, value: float, expected: float
) -> None:
    subject = programs.load(text, function)
    kind = subject.signature.kinds[0]
    for replay in (subject.observe((encode(kind, value),)), subject.replay((encode(kind, value),))):
        assert replay.result == bits_from_word(kind, encode(kind, expected))


def test_library_functions_are_called_where_the_subject_has_none(programs: Programs) -> None:
    subject = programs.load("#include <math.h>\n#include <stdlib.h>\nint f(int x) { return abs(x) + (int)floor(2.5); }")
    assert subject.replay(((1 << 32) - 3 - (1 << 32),)).result == 5


def test_inline_assembly_is_compiled(programs: Programs) -> None:
    """In a process of its own: LLVM ends the process over assembly that it has no parser for."""
    script = """
        import sys
        from pathlib import Path
        from zeroin.languages.c.run.engine import LlvmSubject
        subject = LlvmSubject(Path(sys.argv[1]), "f")
        print(subject.observe((41,)).result, subject.replay((41,)).result)
    """
    path = programs.write('int f(int x) { __asm__ volatile ("nop" : "+r"(x)); return x + 1; }')
    assert run_alone(script, str(path)).split() == ["42", "42"]


# ---- several files ----


def two_files(programs: Programs) -> tuple[Path, Path]:
    text = "double helper(double x);\nextern int limit;\nint f(double x) { return helper(x) > limit ? 1 : 0; }\n"
    user = programs.write(text, "user.c")
    other = user.with_name("other.c")
    other.write_text(
        "int limit = 10;\nstatic int f(int x) { return x; }\ndouble helper(double x) { return f(x - x + 1) + x; }\n"
    )
    user.with_name("unrelated.c").write_text("double g(double x) { return helper(x); }\n")
    return user, other


def test_a_missing_symbol_is_named_and_the_file_that_has_it(programs: Programs) -> None:
    user, other = two_files(programs)
    with pytest.raises(MissingSymbol) as caught:
        LlvmSubject(user, "f")
    message = str(caught.value)
    assert message == f"{user}: calls helper, which other.c defines: add --with {other}"


def test_a_missing_symbol_that_no_file_defines(programs: Programs) -> None:
    path = programs.write("int nowhere_to_be_found(int);\nint f(int x) { return nowhere_to_be_found(x); }\n")
    with pytest.raises(MissingSymbol) as caught:
        LlvmSubject(path, "f")
    assert str(caught.value) == (
        f"{path}: calls nowhere_to_be_found, which is not defined; name the file that defines it with --with FILE"
    )


def test_other_files_are_linked_but_not_instrumented(programs: Programs) -> None:
    user, other = two_files(programs)
    subject = LlvmSubject(user, "f", LlvmOptions(others=(other,)))
    assert [s.condition for s in subject.sites] == ["helper(x) > limit"]
    for x, expected in ((9.0, 0), (9.5, 1)):
        words = (encode(Kind.F64, x),)
        assert subject.replay(words) == subject.observe(words)
        assert subject.replay(words).result == expected


# ---- the functions that the subject calls ----

CALLEES = """
static int odd(int n);
static int even(int n) { if (n == 0) return 1; return odd(n - 1); }
static int odd(int n) { if (n == 0) return 0; return even(n - 1); }
static int unused(int n) { return n > 3 ? 1 : 2; }
int f(int n) { if (n < 0) return unused == 0; if (even(n) && n > 4) return 1; return 0; }
int stranger(int n) { return n > 5 ? f(n) : 0; }
"""


def test_callees_are_goals_when_asked_for(programs: Programs) -> None:
    alone = programs.load(CALLEES)
    assert {s.function for s in alone.sites} == {"f"}
    subject = programs.load(CALLEES, callees=True)
    conditions = [(s.function, s.condition) for s in subject.sites]
    assert conditions[: len(alone.sites)] == [("f", s.condition) for s in alone.sites]
    assert {("even", "n == 0"), ("odd", "n == 0")} <= set(conditions)
    assert "stranger" not in {s.function for s in subject.sites}
    for n in range(8):
        assert subject.replay((n,)) == alone.replay((n,))
        own = {(subject.sites[o >> 1].function, o & 1) for o in subject.run((n,)).covered}
        assert (("even", 0) in own) == (n % 2 == 0)
        assert (("odd", 0) in own) == (n % 2 == 1)


WRAPPED = """
static int inner(int n) { return n > 3 ? 1 : 2; }
static int wrapper(int n) { return inner(n); }
int f(int n) { if (wrapper(n) == 1) return 3; return n == 2 ? 1 : 0; }
"""


@pytest.mark.parametrize("text", [CALLEES, WRAPPED], ids=["recursive", "wrapped"])
def test_steps_through_callees_follow_in_the_graph(programs: Programs, text: str) -> None:
    subject = programs.load(text, callees=True)
    for n in range(-1, 8):
        decisions = subject.execute((n,)).decisions
        assert decisions[0].site in subject.graph.first
        for one, two in itertools.pairwise(decisions):
            assert subject.graph.descendants[2 * one.site + (not one.holds)] >> 2 * two.site & 0b11


# ---- what is written down ----


def test_long_runs_are_cut_but_their_coverage_is_complete(programs: Programs) -> None:
    text = "int f(int n) { for (int i = 0; i < n; i++) if (i == 5000) return 1; return 0; }"
    execution = programs.load(text).execute((6000,))
    assert execution.truncated
    assert len(execution.decisions) == 4096
    assert execution.covered == {0, 2, 3}
    assert execution.latest == (2, 0, 3)
    shorter = programs.load(text).execute((100,))
    assert not shorter.truncated
    assert shorter.latest == (1, 3, 0)
