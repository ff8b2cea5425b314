"""The code that stands for functions of the C library does what the library does, and is followed and proved with."""

from __future__ import annotations

import ctypes
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from programs import Programs
from zeroin import Budget, Options, cover
from zeroin.languages.c.front.compile import LIBRARY, _bundled
from zeroin.languages.c.read.c_library import names

STUBS = """
#include <setjmp.h>
int unknown;  // whether our code does not know its result
static int leaves;
static jmp_buf back;
static void note(void) { unknown = 1; if (leaves) longjmp(back, 1); }
long zeroin_unknown_integer(void) { note(); return 0; }
double zeroin_unknown_number(void) { note(); return 12345; }
char *zeroin_unknown_address(void) { note(); return ""; }
void zeroin_forget(void *address, long size) { }
int __isoc99_sscanf(const char *s, const char *format, ...);
int scan(const char *s, const char *format, void *a, void *b, void *c) {
    leaves = 1;
    int count = setjmp(back) ? -99 : __isoc99_sscanf(s, format, a, b, c);
    leaves = 0;
    return count;
}
"""
LIBC = ctypes.CDLL(None)


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """Our code as a library of its own."""
    folder = tmp_path_factory.mktemp("library")
    (folder / "stubs.c").write_text(STUBS)
    command = [*_bundled(), "cc", "-shared", "-fPIC", "-O1", "-fno-builtin", "-Wl,-Bsymbolic", str(LIBRARY),
               str(folder / "stubs.c"), "-o", str(folder / "ours.so")]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    return ctypes.CDLL(str(folder / "ours.so"))


TEXT, SIZE, LONG, DOUBLE = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_long, ctypes.c_double
LETTERS = b"ab, \t0123x-+.eEfZ"


def text(rng: random.Random, most: int = 6) -> bytes:
    return bytes(rng.choice(LETTERS) for _ in range(rng.randrange(most)))


def both(ours: ctypes.CDLL, name: str, result: type | None, call: Callable[..., object]) -> None:
    """A function of ours and the library's do the same."""
    found = []
    for library in (ours, LIBC):
        function = getattr(library, name)
        function.restype = result
        found.append(call(function))
    assert found[0] == found[1]


def place(function: Callable[..., int | None], whole: ctypes.Array[ctypes.c_char], *others: object) -> int | None:
    """Where in the whole the result is."""
    found = function(whole, *others)
    return None if found is None else found - ctypes.addressof(whole)


@pytest.mark.parametrize("name", ["strchr", "strrchr", "strchrnul"])
def test_characters_are_found(ours: ctypes.CDLL, name: str) -> None:
    rng = random.Random(name)
    for _ in range(400):
        whole, c = ctypes.create_string_buffer(text(rng)), rng.choice([*LETTERS, 0, 256 + 97, -1])
        both(ours, name, ctypes.c_void_p, lambda function, whole=whole, c=c: place(function, whole, c))


@pytest.mark.parametrize("name", ["strstr", "strpbrk", "strspn", "strcspn"])
def test_strings_are_found(ours: ctypes.CDLL, name: str) -> None:
    rng = random.Random(name)
    for _ in range(600):
        whole, other = ctypes.create_string_buffer(text(rng, 9)), text(rng, 4)
        if name.endswith("spn"):
            both(ours, name, SIZE, lambda function, whole=whole, other=other: function(whole, other))
        else:
            both(ours, name, ctypes.c_void_p, lambda function, whole=whole, other=other: place(function, whole, other))


@pytest.mark.parametrize("name", ["memchr", "memrchr", "memmem"])
def test_bytes_are_found(ours: ctypes.CDLL, name: str) -> None:
    rng = random.Random(name)
    for _ in range(600):
        whole, size, other = ctypes.create_string_buffer(text(rng, 9)), rng.randrange(9), text(rng, 3)
        size = min(size, len(whole))
        others = (SIZE(size), other, SIZE(len(other))) if name == "memmem" else (rng.choice(LETTERS), SIZE(size))
        both(ours, name, ctypes.c_void_p, lambda function, whole=whole, others=others: place(function, whole, *others))


@pytest.mark.parametrize("name", ["strcpy", "stpcpy", "strncpy", "stpncpy", "strcat", "strncat"])
def test_strings_are_copied(ours: ctypes.CDLL, name: str) -> None:
    rng = random.Random(name)
    for _ in range(300):
        before, other, size = text(rng), text(rng), rng.randrange(8)

        def call(
            function: Callable[..., int], before: bytes = before, other: bytes = other, size: int = size
        ) -> object:
            whole = ctypes.create_string_buffer(before, 32)
            at = place(function, whole, other, *[SIZE(size)] * ("n" in name[3:]))
            return at, whole.raw

        both(ours, name, ctypes.c_void_p, call)


def test_a_string_is_divided(ours: ctypes.CDLL) -> None:
    rng = random.Random(1)
    for _ in range(300):
        before, set_ = text(rng, 9), text(rng, 3)

        def call(function: Callable[..., int | None], before: bytes = before, set_: bytes = set_) -> object:
            whole, rest = ctypes.create_string_buffer(before), ctypes.c_void_p()
            start = ctypes.addressof(whole)
            found = [function(whole if n == 0 else None, set_, ctypes.byref(rest)) for n in range(4)]
            return [one and one - start for one in found], (rest.value or start) - start, whole.raw

        both(ours, "strtok_r", ctypes.c_void_p, call)


def numbers(rng: random.Random) -> Iterator[bytes]:
    yield from (b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808", b"-9223372036854775809",
                b"18446744073709551615", b"18446744073709551616", b"0x", b"0xg", b"0x1F", b"-0x1", b"077", b"08", b"",
                b" \n\t\v\f\r12", b"+-1", b"zz", b"7fffffffffffffff", b"f" * 16, b"0b101", b"1e3")  # fmt: skip
    for _ in range(400):
        yield text(rng, 3) + str(rng.randrange(10 ** rng.randrange(1, 24))).encode() + text(rng, 3)


def test_a_string_is_copied_to_memory_of_its_own(ours: ctypes.CDLL) -> None:
    rng = random.Random(2)
    for _ in range(100):
        whole = ctypes.create_string_buffer(text(rng))
        both(ours, "strdup", ctypes.c_void_p, lambda function, whole=whole: ctypes.string_at(function(whole)))


SIGNED, UNSIGNED = ("strtol", "strtoll"), ("strtoul", "strtoull")
NEWER = [f"__isoc23_{name}" for name in (*SIGNED, *UNSIGNED) if hasattr(LIBC, f"__isoc23_{name}")]  # since glibc 2.38


@pytest.mark.parametrize("name", [*SIGNED, *UNSIGNED, *NEWER])
@pytest.mark.parametrize("base", [0, 2, 8, 10, 16, 36])
def test_whole_numbers_are_read(ours: ctypes.CDLL, name: str, base: int) -> None:
    for one in numbers(random.Random(base)):

        def call(function: Callable[..., int], one: bytes = one) -> object:
            whole, end = ctypes.create_string_buffer(one), ctypes.c_void_p()
            return function(whole, ctypes.byref(end), base), (end.value or 0) - ctypes.addressof(whole)

        both(ours, name, LONG if "u" not in name else SIZE, call)


def test_binary_numbers_of_c23_are_read(ours: ctypes.CDLL) -> None:
    for one, base, value, used in ((b"0b101", 0, 5, 5), (b"-0B1z", 2, -1, 4), (b"0b2", 0, 0, 1), (b"0b1", 16, 0xB1, 3)):
        whole, end = ctypes.create_string_buffer(one), ctypes.c_void_p()
        ours.__isoc23_strtol.restype = LONG
        assert ours.__isoc23_strtol(whole, ctypes.byref(end), base) == value
        assert (end.value or 0) - ctypes.addressof(whole) == used


@pytest.mark.parametrize("name", ["atoi", "atol", "atoll"])
def test_short_numbers_are_read(ours: ctypes.CDLL, name: str) -> None:
    rng = random.Random(name)
    for _ in range(300):
        one = text(rng, 3) + str(rng.randrange(-(1 << 31), 1 << 31)).encode()
        both(ours, name, ctypes.c_int if name == "atoi" else LONG, lambda function, one=one: function(one))


def test_floats_are_read_or_unknown(ours: ctypes.CDLL) -> None:
    rng, unknown = random.Random(3), 0
    ours.strtod.restype = LIBC.strtod.restype = DOUBLE
    flag = ctypes.c_int.in_dll(ours, "unknown")
    for _ in range(3000):
        flag.value = 0
        one = b"".join(rng.choice([b"0", b"12", b"7", b".", b"5", b"e", b"E-", b"+", b"-", b" ", b"x", b"i", b"9" * 5])
                       for _ in range(rng.randrange(1, 7)))  # fmt: skip
        whole = ctypes.create_string_buffer(one)
        results: list[tuple[str, int | None]] = []
        for library in (ours, LIBC):
            end = ctypes.c_void_p()
            value = library.strtod(whole, ctypes.byref(end))
            results.append((ctypes.c_double(value).value.hex(), end.value))
        if flag.value:
            unknown += 1
        else:
            assert results[0] == results[1], one
    assert 0 < unknown < 700


def test_floats_are_read_without_an_end(ours: ctypes.CDLL) -> None:
    for one in (b"2.5", b"-12e3x", b" 7", b"", b"."):
        both(ours, "atof", DOUBLE, lambda function, one=one: function(one))


FORMATS = [b"%d", b"%d %lf", b"%d,%d", b"%i", b"%x", b"%o", b"%u", b"%ld %hd %hhd", b"%3d%2d", b"%*d %d", b"%lf", b"%f",
           b"%5lf%d", b"%s", b"%s %d", b"%3s%c", b"%c%c", b"%5c", b"%[0-9]%s", b"%[^,],%d", b"%[]a]%d", b"%4[a-z]%n",
           b"%d%%%d", b"a%d", b"%d a%n%d", b" %c", b"(%d)", b"%*s%n", b"%2x-%2x", b"%lli"]  # fmt: skip
PIECES = [b"0", b"12", b"-7", b"+", b"-", b".", b"5", b"e", b"e3", b" ", b"x", b"0x1f", b"a", b"abc", b",", b"%", b"]",
          b"9" * 11, b"(4)", b"\t\n", b"-0"]  # fmt: skip


@pytest.mark.parametrize("directives", FORMATS, ids=lambda one: one.decode())
def test_a_string_is_scanned(ours: ctypes.CDLL, directives: bytes) -> None:
    rng, flag, known = random.Random(directives), ctypes.c_int.in_dll(ours, "unknown"), 0
    for _ in range(600):
        one, flag.value, results = b"".join(rng.choices(PIECES, k=rng.randrange(5))), 0, []
        for scan in (ours.scan, LIBC.__isoc99_sscanf):
            targets = [ctypes.create_string_buffer(b"\xaa" * 32, 32) for _ in range(3)]
            count = scan(one, directives, *targets)
            results.append((count, [target.raw for target in targets]))
        known += not flag.value
        assert flag.value or results[0] == results[1], one
    assert known > 400


def test_the_table_of_classes_is_that_of_glibc(ours: ctypes.CDLL) -> None:
    tables = []
    for library in (ours, LIBC):
        library.__ctype_b_loc.restype = ctypes.POINTER(ctypes.POINTER(ctypes.c_uint16))
        table = library.__ctype_b_loc()[0]
        tables.append([table[n] for n in range(-128, 256)])
    assert tables[0] == tables[1]


COMPARE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))


def test_arrays_are_sorted_and_searched(ours: ctypes.CDLL) -> None:
    compare, rng = COMPARE(lambda a, b: (a[0] > b[0]) - (a[0] < b[0])), random.Random(4)
    for _ in range(100):
        values = [rng.randrange(-9, 9) for _ in range(rng.randrange(8))]
        array = (ctypes.c_int * len(values))(*values)
        ours.qsort(array, SIZE(len(values)), SIZE(4), compare)
        assert [*array] == sorted(values)
        ours.bsearch.restype = ctypes.c_void_p
        key = ctypes.c_int(rng.randrange(-9, 9))
        found = ours.bsearch(ctypes.byref(key), array, SIZE(len(values)), SIZE(4), compare)
        assert (found is not None) is (key.value in values)
        assert found is None or ctypes.c_int.from_address(found).value == key.value


# ---- what symbolic execution does with it ----

TEN = """
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
int chr(const char *s) {
    const char *p = strchr(s, '=');
    if (!p) return 0;
    if (p == s) return 1;
    if (p[1] == '7') return 2;
    return 3;
}
int rchr(const char *s) {
    const char *p = strrchr(s, '/');
    if (p && strcmp(p, "/x.c") == 0) return 1;
    return p != 0;
}
int str(const char *s) {
    const char *p = strstr(s, "key:");
    if (p && p[4] == 'v' && p > s) return 1;
    return 0;
}
int spn(const char *s) {
    size_t n = strspn(s, "0123456789");
    if (n == 4 && s[n] == 0) return 1;
    if (n > 6) return 2;
    return 0;
}
int cspn(const char *s) {
    size_t n = strcspn(s, ",;");
    if (s[n] == ';' && n == 3) return 1;
    if (s[n] == ',') return 2;
    return 0;
}
int cpy(const char *s) {
    char b[32];
    if (strlen(s) > 20) return 3;
    strcpy(b, s);
    strcat(b, ".txt");
    if (strcmp(b, "read.txt") == 0) return 1;
    strncpy(b, s, 3);
    if (b[2] == 'q') return 2;
    return 0;
}
int mem(const char *s) {
    size_t n = strlen(s);
    if (n < 5) return 0;
    const char *p = memchr(s, 'z', 5);
    if (p && memmem(s, n, "az", 2)) return 1;
    return p ? 2 : 3;
}
int num(const char *s) {
    char *end;
    long n = strtol(s, &end, 10);
    if (end == s) return 0;
    if (*end == 'k' && n == 250) return 1;
    if (n < -40) return 2;
    if (atoi(s) == 77) return 3;
    return 4;
}
int real(const char *s) {
    if (s[0] != 'r') return 0;
    double x = strtod(s + 1, NULL);
    if (x == 25) return 1;
    if (x < -100) return 2;
    return 3;
}
int ctype(const char *s) {
    if (isdigit((unsigned char)s[0])) return 1;
    if (isupper((unsigned char)s[0]) && ispunct((unsigned char)s[1])) return 2;
    if (tolower(s[0]) == 'q' && isspace((unsigned char)s[1])) return 3;
    return 0;
}
"""
NAMES = ["chr", "rchr", "str", "spn", "cspn", "cpy", "mem", "num", "real", "ctype"]


def test_exploration_alone_takes_all_branches_of_ten_functions(programs: Programs) -> None:
    path, left, all_ = programs.write(TEN), list[str](), 0
    for name in NAMES:
        result = cover(f"{path}:{name}", Options(engine="explore", budget=Budget(400, 60.0)))
        all_ += len(result.verdicts)
        left += [f"{name}: {one.branch}" for one in result.verdicts if one.verdict != "covered"]
    assert (all_, left) == (68, [])


PROOFS = """
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
int equal(const char *s) {
    if (strcmp(s, "abc") == 0 && s[1] != 'b') return 1;
    if (strncmp(s, "ab", 2) == 0 && s[0] == 'b') return 2;
    return 0;
}
int found(const char *s) { const char *p = strchr(s, ','); if (p && *p != ',') return 1; return 0; }
int copied(int n) {
    char b[8];
    strcpy(b, "no");
    if (n > 3) strcat(b, "t");
    if (strlen(b) == 3 && n < 3) return 1;
    return strcmp(b, "maybe") == 0;
}
int classes(int c) {
    if (isdigit(c & 255) && isalpha(c & 255)) return 1;
    if (toupper(c & 127) == 'a') return 2;
    return 0;
}
int number(int n) {
    if (atoi("42") != 42) return 1;
    if (strtol("0x1f", NULL, 16) + n - n != 31) return 2;
    return n;
}
int kept(const char *s, int *n) {
    *n = 5;
    if (strlen(s) > 3 && strspn(s, "a") > 2) { if (*n != 5) return 1; } return 0;
}
"""


def test_proofs_with_strings(programs: Programs) -> None:
    path, found = programs.write(PROOFS), dict[str, list[tuple[str, str]]]()
    for name in ("equal", "found", "copied", "classes", "number", "kept"):
        result = cover(f"{path}:{name}", Options(engine="prove", budget=Budget(200_000, 20.0)))
        found[name] = [(one.branch.site.condition, one.branch.label) for one in result.verdicts
                       if one.verdict == "infeasible"]  # fmt: skip
    assert found == {
        "equal": [("s[1] != 'b'", "true"), ("s[0] == 'b'", "true")],
        "found": [],  # where in a string of any length it is, is not known
        "copied": [("n < 3", "true")],
        "classes": [("isalpha(c & 255)", "true"), ("toupper(c & 127) == 'a'", "true")],
        "number": [('atoi("42") != 42', "true"), ('strtol("0x1f", NULL, 16) + n - n != 31', "true")],
        "kept": [("*n != 5", "true")],
    }


OPEN = """
#include <string.h>
static int calls;
int strcasecmp(const char *a, const char *b) { calls++; return a != b; }
int behind(const char *s) { if (s[0] == 0 && s[1] == 'x') return 1; return 0; }
int sign(int a) { char s[4] = "abc"; s[1] = a; if (strcmp(s, "abc") == 98) return 1; return 0; }
int defined(int n) {
    calls = 0;
    for (int i = 0; i < n; i++) if (strcasecmp("a", "b") == 2) return 2;
    if (calls == 3) return 1;
    return 0;
}
"""


def test_what_c_leaves_open_is_not_refuted(programs: Programs) -> None:
    path = programs.write(OPEN)
    for name, conditions in (
        ("behind", ["s[1] == 'x'"]),
        ("sign", ['strcmp(s, "abc") == 98']),
        ("defined", ["calls == 3"]),
    ):
        result = cover(f"{path}:{name}", Options(engine="prove", budget=Budget(200_000, 20.0)))
        proved = [one.branch.site.condition for one in result.verdicts if one.verdict == "infeasible"]
        assert not set(conditions) & set(proved)


def test_a_user_may_define_a_function_of_this_name(programs: Programs) -> None:
    text = "char *strchr(const char *s, int c) { return (char *)s + (s[0] == c); }\n"
    text += "int f(const char *s) { return strchr(s, 'a') > s ? 1 : 2; }"
    result = cover(f"{programs.write(text)}:f", Options(engine="explore", budget=Budget(50, 20.0)))
    assert result.percent == 100


OWN = """
int strncmp(const char *s, const char *t, unsigned long n) { return 0; }
char *strstr(const char *, const char *);
char *strcpy(char *, const char *);
static char *stpcpy(char *d, const char *s) { if (*s == 'q') return d; return strcpy(d, s); }
int f(int a) {
    char x[4] = "ab";
    if (strstr(x, "b") != x + 1) return 1;
    if (strncmp(x, "zz", 2)) return 2;
    return 0;
}
int g(const char *s) {
    char d[8] = "";
    if (s[0] == 'q' && stpcpy(d, s) != d) return 1;
    if (s[0] && s[0] != 'q' && !s[1] && stpcpy(d, s) == d) return 2;
    return 0;
}
"""


def test_a_user_may_define_what_other_functions_of_the_library_use(programs: Programs) -> None:
    path = programs.write(OWN)
    for name, expected in (("f", 2), ("g", 2)):
        result = cover(f"{path}:{name}", Options(engine="prove", budget=Budget(200_000, 20.0), callees=False))
        assert [one.verdict for one in result.verdicts].count("infeasible") == expected


def test_the_locale_is_assumed_where_it_matters(programs: Programs) -> None:
    text = """
    #include <ctype.h>
    static int inner(int c) { return isalpha(c) != 0; }
    int f(int c) { return inner(c & 127) > 1 ? 1 : 2; }
    int g(int c) { return c == c + 1 ? 1 : 2; }"""
    assumed = [programs.load(text, name).reach(0).assumptions for name in ("f", "g")]
    assert assumed == [("the locale is that of C",), ()]


def test_what_there_is_code_for() -> None:
    assert {"strchr", "strtol", "memmem", "qsort", "__ctype_b_loc", "strtod"} <= names()
    assert not {"is_among", "whole", "zeroin_unknown_number", "malloc"} & names()
    assert Path(LIBRARY).exists()
