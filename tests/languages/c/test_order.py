"""What a run may change besides memory is known from what the subject calls; constructors run before it."""

from __future__ import annotations

import ctypes

import pytest

from programs import Programs
from zeroin.native.cells import Disturbs
from zeroin.subject.base import Termination

HEADERS = "".join(f"#include <{name}.h>\n" for name in (
    "errno", "fcntl", "fenv", "locale", "math", "signal", "stdio", "stdlib", "string", "sys/resource", "unistd"
))  # fmt: skip


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return x > 3 ? abs(x) : (int)sqrt(x);", Disturbs(0)),
        ("return x > 3 ? fesetround(FE_UPWARD) : 0;", Disturbs.FLOATS),
        ("return fetestexcept(FE_INEXACT);", Disturbs.FLOATS),
        ('unsigned short word = 895; __asm__ volatile ("fldcw %0" : : "m"(word)); return x;', Disturbs.FLOATS),
        ('__asm__ volatile ("nop"); return x;', Disturbs(0)),
        ("return signal(x, SIG_IGN) == 0;", Disturbs.SIGNALS),
        ("return (int)alarm(x);", Disturbs.SIGNALS),
        ('return setlocale(LC_ALL, "C") == 0;', Disturbs.LOCALE),
        ('return chdir("/");', Disturbs.FOLDER),
        ("struct rlimit few = {3, 3}; return setrlimit(x, &few);", Disturbs.LIMITS),
        ('return fopen("a", "w") == 0;', Disturbs.FILES),
        ("return close(x);", Disturbs.FILES),
        ("return (int)umask(x);", Disturbs.MASK),
        ('return setenv("A", "B", x);', Disturbs.ENVIRONMENT),
        ("return rand();", Disturbs.RANDOM),
        ("return errno;", Disturbs.ERRNO),
        ('errno = x; return chdir("/") + rand();', Disturbs.ERRNO | Disturbs.FOLDER | Disturbs.RANDOM),
    ],
)  # fmt: skip
def test_what_a_run_may_disturb(programs: Programs, body: str, expected: Disturbs) -> None:
    if "fldcw" in body and not programs_are_x86():
        body = 'unsigned long word = 0; __asm__ volatile ("msr fpcr, %0" : : "r"(word)); return x;'
    others = "int other(int x) { return fesetround(x) + rand(); }\n"  # which f does not call
    subject = programs.load(f"#include <sys/stat.h>\n{HEADERS}{others}int f(int x) {{ {body} }}", "f")
    assert subject._disturbs == expected
    assert subject.stateful == bool(expected)


@pytest.mark.parametrize(("flag", "text"), [("feraiseexcept", "fetestexcept(FE_INEXACT)"), ("sqrt", "errno")])
def test_what_was_computed_between_runs_is_not_seen(programs: Programs, flag: str, text: str) -> None:
    subject = programs.load(f"{HEADERS} int f(int x) {{ return {text} ? 1 : 2; }}", "f")
    ctypes.CFUNCTYPE(None, ctypes.c_int64)(subject._code.function("zeroin_disturb"))(int(subject._disturbs))
    library = ctypes.CDLL("libm.so.6")
    library.sqrt.argtypes = [ctypes.c_double]
    library.feraiseexcept.argtypes = [ctypes.c_int]
    getattr(library, flag)(0x30 if flag == "feraiseexcept" else -1.0)  # inexact is 0x20 or 0x10
    assert subject.observe((3,)).result == 2


def programs_are_x86() -> bool:
    import platform

    return platform.machine() in ("x86_64", "AMD64")


def test_constructors_run_for_the_plain_function_too(programs: Programs) -> None:
    text = """
    static int made;
    __attribute__((constructor)) static void make(void) { for (int i = 0; i < 5000; i++) made += 2; }
    int f(int x) { made++; return x > 3 ? made : 0; }
    """
    subject = programs.load(text, "f")
    for _ in range(2):
        assert subject.observe((5,)).result == subject.replay((5,)).result == 10_001


def test_variables_of_a_thread_start_afresh_in_each_run(programs: Programs) -> None:
    text = """
    _Thread_local int mine = 7;
    static __thread double other[3];
    int f(int x) { mine += x; other[x & 1] += x; return mine + (int)other[x & 1]; }
    """
    subject = programs.load(text, "f")
    for x in (5, -3, 5):
        assert subject.observe((x,)).result == subject.replay((x,)).result == 7 + 2 * x


def test_objects_with_destructors_are_constructed(programs: Programs) -> None:
    text = """
    struct Room { double size; Room(double a, double b) : size(a * b) {} ~Room() { size = -1; } };
    static double three() { return 3.0; }
    static Room room(three(), 4.0);
    extern "C" int f(int x) { static Room inner(x, 2.0); return room.size == 12.0 && inner.size > 6 ? 1 : 2; }
    """
    subject = programs.load(text, "f", ".cpp")
    for x, expected in ((5, 1), (3, 2), (5, 1)):
        replay = subject.replay((x,))
        assert replay.outcome is Termination.RETURNED
        assert subject.observe((x,)).result == replay.result == expected
