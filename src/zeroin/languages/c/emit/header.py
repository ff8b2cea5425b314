"""``zeroin_test.h``: the comparisons of emitted C and C++ tests. The file is written beside the tests that include it.

It includes no other header, since the subject may define any of their names (sin, remove, getline, ...), or bring
headers of its own (the sources of a C library do). It declares functions of the C library under other names, with their
linker names.
"""

from __future__ import annotations

from ....emit.test_header import COMPANION
from ..front.printed_types import HEADER

HEADER_NAME = "zeroin_test.h"


def _same_float(name: str, type_: str, size: int) -> str:
    """Return a C function that compares the ``size`` bytes of a float that make up its value; padding is ignored."""
    return f"""\
ZEROIN_UNUSED static int zeroin_same_{name}({type_} got, {type_} expected)
{{
    unsigned int k, same = 1;
    for (k = 0; k < {size}; k++)
        same &= ((const char *)&got)[k] == ((const char *)&expected)[k];
    return same || (got != got && expected != expected);
}}
"""


def _check(name: str, type_: str, test: str, form: str, cast: str = "") -> str:
    """Return a C function that compares two numbers, and prints and counts a failure.

    Args:
        name: the end of the function's name.
        type_: the type of the numbers.
        test: the C condition under which they are equal.
        form: the format by which ``printf`` shows one.
        cast: a cast that ``printf`` needs; empty for none.
    """
    return f"""\
ZEROIN_UNUSED static void zeroin_eq_{name}(const char *file, int line, const char *what, {type_} got, {type_} expected)
{{
    if ({test})
        return;
    zeroin_fails(file, line, what);
    printf("= {form}, expected {form}\\n", {cast}got, {cast}expected);
}}
"""


_FLOATS = [
    ("double", "double", 8, "%.17g", ""),
    ("float", "float", 4, "%.9g", "(double)"),
]

HEADER_TEXT = "\n".join([
    f"""\
/* Helpers for tests that zeroin has generated. They compare numbers bit by bit; any NaN equals any NaN.
 * {COMPANION} */
#ifndef ZEROIN_TEST_H
#define ZEROIN_TEST_H

#define ZEROIN_UNUSED __attribute__((unused))
#define ZEROIN_INFINITY __builtin_inf()
#define ZEROIN_NAN __builtin_nan("")

#define ZEROIN_EQ_INT(got, expected) \\
    zeroin_eq_int(__FILE__, __LINE__, #got, (long long)(got), (long long)(expected))
#define ZEROIN_EQ_UINT(got, expected) \\
    zeroin_eq_uint(__FILE__, __LINE__, #got, (unsigned long long)(got), (unsigned long long)(expected))
#define ZEROIN_EQ_DOUBLE(got, expected) zeroin_eq_double(__FILE__, __LINE__, #got, got, expected)
#define ZEROIN_EQ_FLOAT(got, expected) zeroin_eq_float(__FILE__, __LINE__, #got, got, expected)
#define ZEROIN_EQ_LONG_DOUBLE(got, expected) zeroin_eq_long_double(__FILE__, __LINE__, #got, got, expected)
#define ZEROIN_EQ_HALF(got, expected) zeroin_eq_half(__FILE__, __LINE__, #got, got, expected)
#define ZEROIN_EQ_TEXT(got, expected, size) zeroin_eq_text(__FILE__, __LINE__, #got, got, expected, size)
/* Repeats what follows for each i below count; a failure prints i. */
#define ZEROIN_EACH(i, count) for (i = 0; zeroin_counts(i, count); i++)

/* Entries of the table of cases: run the case; run it in a process of its own, because the function remembers earlier
 * calls; run it only when its name is given to the program. */
#define ZEROIN_CASE(name) {{#name, name, 'r'}}
#define ZEROIN_ALONE(name) {{#name, name, 'a'}}
#define ZEROIN_DISABLED(name) {{#name, name, 'd'}}

#ifdef __cplusplus
#define ZEROIN_C extern "C"
#else
#define ZEROIN_C extern
#endif
ZEROIN_C int printf(const char *, ...);
ZEROIN_C void *zeroin_mmap(void *, unsigned long, int, int, int, long) __asm__("mmap");
ZEROIN_C int zeroin_mprotect(void *, unsigned long, int) __asm__("mprotect");
ZEROIN_C int zeroin_fork(void) __asm__("fork");
ZEROIN_C int zeroin_waitpid(int, int *, int) __asm__("waitpid");
ZEROIN_C int zeroin_fflush(void *) __asm__("fflush");
ZEROIN_C void zeroin_exit(int) __asm__("_exit");

struct zeroin_case {{
    const char *name;
    void (*run)(void);
    char mode;
}};

ZEROIN_UNUSED static const char *zeroin_name = "";
ZEROIN_UNUSED static int zeroin_wrong;
ZEROIN_UNUSED static int zeroin_index = -1;

ZEROIN_UNUSED static void zeroin_copy(void *to, const void *from, unsigned long size)
{{
    while (size-- > 0)
        ((unsigned char *)to)[size] = ((const unsigned char *)from)[size];
}}

ZEROIN_UNUSED static void zeroin_fails(const char *file, int line, const char *what)
{{
    zeroin_wrong++;
    printf("%s:%d: %s: %s ", file, line, zeroin_name, what);
    if (zeroin_index >= 0)
        printf("(%d) ", zeroin_index);
}}

ZEROIN_UNUSED static int zeroin_counts(unsigned int i, unsigned int count)
{{
    zeroin_index = i < count ? (int)i : -1;
    return i < count;
}}
""",
    _check("int", "long long", "got == expected", "%lld"),
    _check("uint", "unsigned long long", "got == expected", "%llu"),
    *(_same_float(name, type_, size) + "\n" + _check(name, type_, f"zeroin_same_{name}(got, expected)", form, cast)
      for name, type_, size, form, cast in _FLOATS),
    "#if defined __x86_64__ || defined __i386__",
    _same_float("long_double", "long double", 10),
    _check("long_double", "long double", "zeroin_same_long_double(got, expected)", "%La"),
    """\
ZEROIN_UNUSED static long double zeroin_long_double(unsigned long long high, unsigned short low)
{
    long double value = 0;
    zeroin_copy(&value, &low, 2);
    zeroin_copy((char *)&value + 2, &high, 8);
    return value;
}
#endif

#ifdef __FLT16_MANT_DIG__""",
    _same_float("half", "_Float16", 2),
    _check("half", "_Float16", "zeroin_same_half(got, expected)", "%.5g", "(double)"),
    """\
ZEROIN_UNUSED static _Float16 zeroin_half(unsigned short bits)
{
    _Float16 value;
    zeroin_copy(&value, &bits, 2);
    return value;
}
#endif

ZEROIN_UNUSED static double zeroin_double(unsigned long long bits)
{
    double value;
    zeroin_copy(&value, &bits, sizeof value);
    return value;
}

ZEROIN_UNUSED static float zeroin_float(unsigned int bits)
{
    float value;
    zeroin_copy(&value, &bits, sizeof value);
    return value;
}

ZEROIN_UNUSED static int zeroin_same_text(const void *got, const void *expected, unsigned int size)
{
    unsigned int k, same = 1;
    for (k = 0; k < size; k++)
        same &= ((const char *)got)[k] == ((const char *)expected)[k];
    return (int)same;
}

/* Prints a buffer as a string, without the zeros at its end. */
ZEROIN_UNUSED static void zeroin_show_text(const void *at, unsigned int size)
{
    const unsigned char *s = (const unsigned char *)at;
    while (size > 0 && s[size - 1] == 0)
        size--;
    printf("\\"");
    for (; size > 0; s++, size--)
        if (*s >= 32 && *s < 127 && *s != '"' && *s != '\\\\')
            printf("%c", *s);
        else
            printf("\\\\%03o", *s);
    printf("\\"");
}

ZEROIN_UNUSED static void zeroin_eq_text(const char *file, int line, const char *what, const void *got,
                                         const void *expected, unsigned int size)
{
    if (zeroin_same_text(got, expected, size))
        return;
    zeroin_fails(file, line, what);
    printf("= ");
    zeroin_show_text(got, size);
    printf(", expected ");
    zeroin_show_text(expected, size);
    printf("\\n");
}

/* Makes a copy that ends, or begins, at memory without access. The numbers are those of Linux for PROT_NONE,
 * PROT_READ | PROT_WRITE and MAP_PRIVATE | MAP_ANONYMOUS. */
ZEROIN_UNUSED static void *zeroin_walled(const void *from, unsigned long size, int before)
{
    unsigned long wall = 65536, room = (size + wall - 1) / wall * wall;
    char *at = (char *)zeroin_mmap((void *)0, room + 2 * wall, 0, 0x22, -1, 0) + wall;
    if (zeroin_mprotect(at, room, 3)) {
        printf("no memory\\n");
        return (void *)0;
    }
    at += before ? 0 : room - size;
    zeroin_copy(at, from, size);
    return at;
}

/* Runs a case in a process of its own; returns whether it passed. */
ZEROIN_UNUSED static int zeroin_alone(void (*run)(void))
{
    int status = 0, child;
    zeroin_fflush((void *)0);
    child = zeroin_fork();
    if (child == 0) {
        run();
        zeroin_fflush((void *)0);
        zeroin_exit(zeroin_wrong != 0);
    }
    return child > 0 && zeroin_waitpid(child, &status, 0) == child && status == 0;
}

ZEROIN_UNUSED static int zeroin_is(const char *name, const char *other)
{
    while (*name && *name == *other)
        name++, other++;
    return *name == *other;
}

/* Runs all cases, or those that are named. Returns the status for main: 1 if one fails, 2 if there is no such case. */
ZEROIN_UNUSED static int zeroin_main(int given, char **names, const struct zeroin_case *cases, unsigned int count)
{
    int passed = 0, failed = 0, disabled = 0, k;
    unsigned int n;
    for (k = 1; k < given; k++) {
        for (n = 0; n < count && !zeroin_is(names[k], cases[n].name); n++)
            continue;
        if (n == count) {
            printf("there is no case %s\\n", names[k]);
            return 2;
        }
    }
    for (n = 0; n < count; n++) {
        const struct zeroin_case *one = &cases[n];
        for (k = 1; k < given && !zeroin_is(names[k], one->name); k++)
            continue;
        if (given > 1 && k == given)
            continue;
        if (given <= 1 && one->mode == 'd') {
            disabled++;
            continue;
        }
        zeroin_name = one->name;
        zeroin_wrong = 0;
        if (one->mode == 'a' && given != 2)
            zeroin_wrong = !zeroin_alone(one->run);
        else
            one->run();
        if (zeroin_wrong)
            failed++;
        else
            passed++;
    }
    printf("%d passed, %d failed", passed, failed);
    if (disabled)
        printf(", %d disabled", disabled);
    printf("\\n");
    return failed != 0;
}

#ifdef __cplusplus
/* Converts to the type of the parameter, such as an enumeration. */
struct zeroin_any {
    long long value;
    explicit zeroin_any(long long given) : value(given) {}
    template <class T> operator T() const { return (T)value; }
};

struct zeroin_pointer {
    void *at;
    explicit zeroin_pointer(void *given) : at(given) {}
    template <class T> operator T *() const { return (T *)at; }
};

struct zeroin_reference {
    void *at;
    explicit zeroin_reference(void *given) : at(given) {}
    template <class T> operator T &() const { return *(T *)at; }
};

/* Whether a call throws something that this handler catches. */
#define ZEROIN_CAUGHT(call, as) \\
    [&] { try { try { (void)call; } catch (as) { return true; } } catch (...) {} return false; }()
#define ZEROIN_THROWS(call, type) \\
    zeroin_throws(__FILE__, __LINE__, #call, ZEROIN_CAUGHT(call, type const &), #type)
#define ZEROIN_THROWS_ANY(call) zeroin_throws(__FILE__, __LINE__, #call, ZEROIN_CAUGHT(call, ...), "anything")

ZEROIN_UNUSED static void zeroin_throws(const char *file, int line, const char *what, bool thrown, const char *type)
{
    if (thrown)
        return;
    zeroin_fails(file, line, what);
    printf("does not throw %s\\n", type);
}

#if __cplusplus >= 201103L
""",
    HEADER.read_text(),
    """\
#define ZEROIN_EQ_SHOWN(got, expected) zeroin_eq_shown(__FILE__, __LINE__, #got, zeroin_shown(got), expected)

ZEROIN_UNUSED static void zeroin_eq_shown(const char *file, int line, const char *what, const char *got,
                                          const char *expected)
{
    if (zeroin_is(got, expected))
        return;
    zeroin_fails(file, line, what);
    printf("= %s, expected %s\\n", got, expected);
}
#endif
#endif

#endif
""",
])  # fmt: skip
