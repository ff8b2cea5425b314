"""Whatever a construct of C or C++ looks like in IR: what is put into the code is IR that LLVM reads, runs do what
        they do
without it, and what can not be read of it takes no proof of what stands beside it."""

from __future__ import annotations

from typing import Any

import pytest

from programs import Programs
from proofs import holds_never
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.model.memory import Unreadable
from zeroin.solvers.smt import Bitwuzla
from zeroin.subject.base import Termination

# Every function ends with a condition that never holds: that can be proved, whatever stands before it.
NEVER = "if (x > 5 && x < 3) return 77;"

C = {
    "pointer_past_a_table": """static const int table1[4] = {1, 3, 5, 7};
        int FUNCTION(int x) { for (const int *p = table1; p != table1 + 4; p++) if (*p == x) return 1;
        NEVER return 0; }""",
    "pointer_below_the_end": """static int ring[8];
        int FUNCTION(int x) { int n = 0; for (int *p = ring; p < &ring[8]; p++) { *p = x; n += *p > 3; }
        NEVER return n; }""",
    "address_as_a_number": """static int place1[4], place2;
        int FUNCTION(int x) { unsigned long at = (unsigned long)&place1[2];
        if (at == (unsigned long)&place2) return 5; if (((long)&place1[3] & 3) == x) return 1; NEVER return 0; }""",
    "nested_addresses": """struct in { int a[3]; struct { short s[5]; char c; } b[2]; }; static struct in deep[3];
        int FUNCTION(int x) { short *p = &deep[1].b[1].s[2]; short *end = &deep[2].b[0].s[4];
        if (p == end) return 1; if ((char *)p < (char *)&deep[2]) x++; NEVER return x; }""",
    "address_chosen": """static int left1, right1;
        int FUNCTION(int x) { int *p = x > 2 ? &left1 : &right1 + 1; if (p == &left1) return 1; NEVER return 0; }""",
    "addresses_in_tables": """static int cell1[6]; static int *const ends[2] = {cell1 + 1, &cell1[5]};
        static long apart1 = (char *)&cell1[3] - (char *)cell1;
        int FUNCTION(int x) { if (ends[0] == cell1 + 1 && x > 7) return 1; if (apart1 == x) return 2;
        NEVER return 0; }""",
    "call_with_addresses": """#include <string.h>
        static char buffer1[20] = "abc"; static const char *const word1 = "xabc";
        int FUNCTION(int x) { if (strcmp(buffer1 + 1, word1 + x % 2) == 0) return 1;
        if (memcmp(&buffer1[0], &"zabc"[1], 3) > 0) return 2; NEVER return 0; }""",
    "switch_of_128_bits": """int FUNCTION(int x) { __int128 wide = (__int128)x << 70; switch (wide >> 69) {
        case 2: return 1;
        case -4: return 2; default: break; } if (wide > ((__int128)1 << 100)) return 3; NEVER return 0; }""",
    "switch_of_bool": """#include <stdbool.h>
        int FUNCTION(int x) { bool b = x > 3; switch (b) { case true: return 1; } NEVER return 0; }""",
    "vectors": """typedef int four __attribute__((vector_size(16)));
        typedef float pair __attribute__((vector_size(8)));
        int FUNCTION(int x) { four a = {x, 1, 2, 3}, b = {3, 4, 5, 6}; four c = a * b + (four){1, 2, 3, 4};
        four less = a < b;
        pair f = {1.5f, 2.5f}; f = f * f - (pair){0.5f, 1.0f}; if (c[1] == 6) x++; if (less[2]) x--;
        if (f[0] > 1.0f) x += 2;
        c = __builtin_shufflevector(a, b, 0, 4, 1, 5); if (c[x & 3] > 2) x--; NEVER return x; }""",
    "bit_fields": """struct flags { unsigned a : 3; int b : 5; unsigned long c : 40; _Bool d : 1; };
        int FUNCTION(int x) { struct flags f = {1, -3, 77, 1}; f.a = x; f.b += x; if (f.a == 5) return 1;
        if (f.b > 11 && f.d) return 2; if (f.c * x > 9000) return 3; NEVER return 0; }""",
    "long_doubles": """#include <math.h>
        static const long double third = 1.0L / 3; static long double many[3] = {1.0L, 2.5L, 1e4000L};
        int FUNCTION(int x) { long double y = x * 1.5L + third; if (y > 10.25L) return 1;
        if (isnan(y) || y == many[2]) return 2;
        if (fabsl(y) < 0.1L) return 3; if ((int)y == 4) return 4; NEVER return 0; }""",
    "half_floats": """int FUNCTION(int x) { _Float16 h = (_Float16)x, limit = (_Float16)1.5;
        if (h * h > limit) return 1;
        if (h == (_Float16)0.25) return 2; NEVER return 0; }""",
    "quadruple": """int FUNCTION(int x) { __float128 q = x; if (q > 2.5Q) return 1; NEVER return 0; }""",
    "complex_numbers": """#include <complex.h>
        int FUNCTION(int x) { double complex z = x + 2.0 * I, w = z * z; float complex s = (float)x;
        if (creal(w) > 3.0) return 1;
        if (cimag(z) < 1.0) return 2; if (crealf(s * s) == 9.0f) return 3; if (z == w) return 4; NEVER return 0; }""",
    "assembly": """int FUNCTION(int x) { int y = x; __asm__("" : "+r"(y)); __asm__ volatile("" ::: "memory");
        if (y == 4) return 1; return 0; }""",
    "computed_goto": """int FUNCTION(int x) { static void *const ways[] = {&&one, &&two, &&end}; goto *ways[x & 1];
        one: x++; if (x > 100) goto end; goto *ways[2]; two: x--; end: NEVER return x; }""",
    "variable_length": """int FUNCTION(int x) { int n = (x & 7) + 1; int v[n], w[n][2]; v[0] = x; w[0][1] = 3;
        v[n - 1] += 2;
        if (v[0] == 5) return 1; if (sizeof v > 16) return 2; NEVER return w[0][1]; }""",
    "atomics": """#include <stdatomic.h>
        static _Atomic int counter1; static atomic_flag flag1 = ATOMIC_FLAG_INIT; static _Atomic double sum1;
        int FUNCTION(int x) { int seen = 3; atomic_fetch_add(&counter1, x); if (atomic_load(&counter1) > 4) return 1;
        if (atomic_compare_exchange_strong(&counter1, &seen, 9)) return 2;
        if (atomic_flag_test_and_set(&flag1)) return 3;
        __sync_synchronize(); sum1 = 2.0; if (sum1 > 1.0) x++; NEVER return x; }""",
    "pointers_to_functions": """static int twice1(int n) { return 2 * n; } static int less1(int n) { return n - 1; }
        static int (*const table2[2])(int) = {twice1, less1};
        int FUNCTION(int x) { int (*g)(int) = x > 2 ? twice1 : less1; if (g == twice1) x++;
        if (table2[x & 1](x) == 8) return 1;
        if (g(x) > 50) return 2; NEVER return 0; }""",
    "of_a_thread": """static _Thread_local int mine1 = 3; static __thread double yours1[2];
        int FUNCTION(int x) { mine1 += x; if (mine1 > 5) return 1; yours1[x & 1] = 2; if (yours1[1] > 1) return 2;
        NEVER return 0; }""",
    "packed_and_aligned": """struct __attribute__((packed)) tight { char c; double d; short s; int i[2]; };
        struct loose { char c; _Alignas(32) int x; char tail; }; static struct tight many1[3] = {{1, 2.5, 3, {4, 5}}};
        int FUNCTION(int x) { struct tight t = many1[x & 1]; struct loose l = {1, x, 2}; t.i[1] += x;
        if (t.d > 2.0) x++;
        if (t.i[1] == 9) return 1; if (l.x == 8 && l.tail == 2) return 2; NEVER return x; }""",
    "empty_structures": """struct nothing {}; struct holder { struct nothing n; int x; struct nothing m[3]; };
        int FUNCTION(int x) { struct nothing a, b = a; struct holder h = {b, x};
        if (sizeof a == 0 && h.x == 3) return 1; NEVER return 0; }""",
    "flexible_members": """#include <stdlib.h>
        struct line { int n; short at[]; }; static struct line fixed1 = {2, {5, 6}};
        int FUNCTION(int x) { struct line *l = malloc(sizeof *l + 4 * sizeof(short)); if (!l) return 9; l->n = 4;
        l->at[x & 3] = 7;
        int found = l->at[x & 3] == 7; free(l); if (found) x++; if (fixed1.at[1] == x) return 1; NEVER return 0; }""",
    "unions": """#include <stdint.h>
        union any { float f; uint32_t u; uint8_t b[4]; struct { uint16_t low, high; } w; };
        int FUNCTION(int x) { union any a = {.u = (uint32_t)x}; if (a.b[3] == 0x7f) return 1;
        if (a.f > 2.0f) return 2;
        a.w.high ^= 0x8000; if (a.f < -1.0f) return 3; NEVER return 0; }""",
    "odd_widths": """int FUNCTION(int x) { _BitInt(7) small = (_BitInt(7))x;
        unsigned _BitInt(100) wide = (unsigned _BitInt(100))x * 3;
        if (small == 5) return 1; if (wide > 1000) return 2; switch (small) { case 3: return 4; default: break; }
        NEVER return 0; }""",
    "truths_and_characters": """#include <stdbool.h>
        static bool set1[3] = {true, false, true};
        int FUNCTION(int x) { char c = (char)x; bool b = c; unsigned char u = c; signed char s = c; set1[x & 1] = b;
        if (c < 0) x++;
        if (b && u > 200) return 1; if (s == -1 || set1[2]) x--; if (!b ^ (x > 3)) return 2; NEVER return 0; }""",
    "statement_expressions": """int FUNCTION(int x) { int y = ({ int t = x; t > 3 ? t : -t; }); if (y ?: x) x++;
        if (__builtin_expect(y > 9, 0)) return 1; if (__builtin_constant_p(x)) return 2; NEVER return 0; }""",
    "overflow_builtins": """#include <stdint.h>
        int FUNCTION(int x) { int r; int64_t l; if (__builtin_add_overflow(x, 5, &r)) return 1;
        if (__builtin_mul_overflow((int64_t)x, 1L << 40, &l))
        return 2; if (__builtin_popcount((unsigned)x) == 9) return 3; if (__builtin_clz(x | 1) < 4) return 4;
        if (__builtin_bswap32((unsigned)x) == 1) return 5; NEVER return 0; }""",
    "variable_arguments": """#include <stdarg.h>
        static int total1(int n, ...) { va_list a; va_start(a, n); int s = 0; while (n-- > 0) s += va_arg(a, int);
        va_end(a); return s; }
        int FUNCTION(int x) { if (total1(3, x, 2, 3) == 9) return 1; NEVER return 0; }""",
    "jumps_far": """#include <setjmp.h>
        static jmp_buf back1; int FUNCTION(int x) { if (setjmp(back1)) return 1; if (x == 3) longjmp(back1, 1);
        return 0; }""",
    "large_by_value": """struct large { long a[9]; }; static struct large made1(int n) { struct large l = {{n}};
        l.a[8] = 3; return l; }
        static long used1(struct large l, int n) { l.a[0] += n; return l.a[0]; }
        int FUNCTION(int x) { struct large l = made1(x); if (used1(l, 2) == 9) return 1; if (l.a[8] == 3) x++;
        NEVER return x; }""",
    "volatile_and_extern": """extern int outside1; int outside1 = 4; static volatile int changing1;
        int FUNCTION(int x) { if (changing1 == 2) return 1; if (outside1 > x) return 2; NEVER return 0; }""",
    "selections": """int FUNCTION(int x) { double d = _Generic(x, int: 1.5, default: 2); const char *s = __func__;
        if (s[0] == 'q') return 1;
        if (d * x > 4.5) return 2; return x > 3 ? x < 3 ? 77 : 1 : 0; }""",
    "constants_of_several_parts": """typedef int two __attribute__((vector_size(8))); struct pair { int a, b; };
        static two sum1(two a) { return a + (two){7, 8}; } static struct pair give1(void) {
        return (struct pair){5, 6}; }
        int FUNCTION(int x) { two v = {1, 2}; two *p = &v; *p = (two){3, 4}; v = sum1(v); struct pair g = give1();
        if (v[0] + g.a == x) return 1;
        NEVER return 0; }""",
    "strings_of_odd_characters": r"""#include <wchar.h>
        static const char odd1[] = "a\"b\\, i32 7)\x01\xff{<"; static const wchar_t wide1[] = L"w,x";
        int FUNCTION(int x) { if (odd1[x & 7] == ',') return 1; if (wide1[x & 1] == L',') return 2; NEVER return 0;
        }""",
}  # fmt: skip

CXX = {
    "exceptions": """struct wrong { int n; }; static int risky(int n) { if (n > 8) throw wrong{n}; return n; }
        int FUNCTION(int x) { try { x = risky(x); } catch (const wrong &w) { if (w.n == 9) return 1; } catch (...) {
        return 2; } NEVER return 0; }""",
    "virtual_functions": """struct shape { virtual ~shape() {} virtual int area() const = 0; };
        struct square : shape { int s; explicit square(int n) : s(n) {} int area() const override { return s * s; } };
        int FUNCTION(int x) { square s(x); const shape &one = s; if (one.area() == 49) return 1; NEVER return 0; }""",
    "pointers_to_members": """struct point { int a, b; int sum() const { return a + b; } };
        int FUNCTION(int x) { int point::*which = x > 2 ? &point::a : &point::b;
        int (point::*call)() const = &point::sum;
        point p{x, 3}; if (p.*which == 3) x++; if ((p.*call)() == 12) return 1; if (call == nullptr) return 2;
        NEVER return x; }""",
    "lambdas": """int FUNCTION(int x) { int seen = 0; auto add = [&seen](int n) { if (n > 4) seen += n; return seen;
        }; add(x);
        if (add(7) == 20) return 1; NEVER return 0; }""",
    "static_of_a_function": """struct made { int n; made() : n(3) {} };
        int FUNCTION(int x) { static made once; once.n += x; if (once.n > 9) return 1; NEVER return 0; }""",
    "templates": """template <typename T, int N> struct few { T v[N]; T sum() const { T s{};
        for (auto e : v) s += e; return s; } };
        int FUNCTION(int x) { few<double, 3> d{{1.0, 2.0, static_cast<double>(x)}}; if (d.sum() > 8.5) return 1;
        few<unsigned char, 2> c{{200, static_cast<unsigned char>(x)}}; if (c.sum() == 5) return 2; NEVER return 0;
        }""",
    "enumerations": """enum class colour : unsigned char { red = 1, green = 200 };
        int FUNCTION(int x) { auto c = static_cast<colour>(x); switch (c) { case colour::red: return 1;
        case colour::green: return 2; } NEVER return 0; }""",
    "references": """static int first = 1, second = 2; static int &chosen(int n) { return n > 3 ? first : second; }
        int FUNCTION(int x) { int &r = chosen(x); r += x; if (&r == &first && r == 6) return 1; NEVER return 0; }""",
}  # fmt: skip


NOT_READ = {"assembly": "assembly may change how floats are rounded", "jumps_far": "_setjmp may be called"}
EVERYTHING = {"boundary": True,
              "find": ("overflow", "nan", "divzero", "cancel", "cast", "intoverflow", "bounds")}  # fmt: skip


def load(programs: Programs, text: str, suffix: str, **options: Any) -> LlvmSubject:
    return programs.load(text.replace("FUNCTION", "f").replace("NEVER", NEVER), "f", suffix, callees=True, **options)


def follow(subject: LlvmSubject) -> None:
    """Runs of code with probes do what it does without, and are followed as far as they can be read."""
    for number in (0, 1, 3, 9, 1000, -1):
        execution = subject.execute((number,))
        if execution.outcome is Termination.RETURNED:
            path = subject.along((number,), execution)
            assert path.holds(path.inputs), path.ended


def asked(subject: LlvmSubject) -> str:
    """Ask about each branch; why nothing is known."""
    for outcome in range(2 * len(subject.sites)):
        try:
            subject.reach(outcome)
        except Unreadable as error:
            return str(error)
    return ""


def is_proved(subject: LlvmSubject) -> bool:
    """Whether the last condition's branch is proved to be none."""
    last = max(site.number for site in subject.sites if site.condition == "x < 3")
    return holds_never(Bitwuzla(), subject.reach(2 * last).condition)


@pytest.mark.parametrize("name", C)
def test_whatever_c_has_is_instrumented_and_read(programs: Programs, name: str) -> None:
    subject = load(programs, C[name], ".c")
    follow(subject)
    why = asked(subject)
    assert why == NOT_READ.get(name, "")
    assert why or is_proved(subject)
    assert all(mutant.line for mutant in subject.mutation.mutants)
    assert asked(load(programs, C[name], ".c", **EVERYTHING)) == why


@pytest.mark.parametrize("name", CXX)
def test_whatever_cxx_has_is_instrumented_and_read(programs: Programs, name: str) -> None:
    subject = load(programs, CXX[name], ".cpp")
    follow(subject)
    assert asked(subject) == ""
    assert is_proved(subject)
    assert all(mutant.line for mutant in subject.mutation.mutants)
    assert asked(load(programs, CXX[name], ".cpp", **EVERYTHING)) == ""
