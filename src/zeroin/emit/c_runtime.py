"""The helper functions of an emitted C or C++ test. A test carries those that it uses; in place of ``zeroin_`` their
names begin with something that no subject's do."""

from __future__ import annotations

import re


def _check(name: str, type_: str, size: int, form: str, shown: str) -> str:
    """Compares the ``size`` bytes that say which number it is; others may have any value."""
    return f"""\
static void zeroin_check_{name}(const char *call, const char *what, const {type_} *got, const {type_} *expected,
                              unsigned int count)
{{
    unsigned int i, k, same;
    for (i = 0; i < count; i++) {{
        for (same = 1, k = 0; k < {size}; k++)
            same &= ((const char *)(got + i))[k] == ((const char *)(expected + i))[k];
        if (same || (got[i] != got[i] && expected[i] != expected[i]))
            continue;
        zeroin_wrong++;
        printf("%s:case %d: %s %s", zeroin_file, zeroin_case, call, what);
        if (count > 1)
            printf("[%u]", i);
        printf(" = {form} expected {form}\\n", {shown});
    }}
}}
"""


# In an order in which each needs only those before it. No header is included: the subject may define any of their
# names (sin, remove, getline, ...), or bring its own idea of them (a C library's sources do).
_HELPERS = {
    "zeroin_copy": """\
static void zeroin_copy(void *to, const void *from, unsigned int size)
{
    while (size-- > 0)
        ((unsigned char *)to)[size] = ((const unsigned char *)from)[size];
}
""",
    "zeroin_double": """\
static double zeroin_double(unsigned long long bits)
{
    double value;
    zeroin_copy(&value, &bits, sizeof value);
    return value;
}
""",
    "zeroin_float": """\
static float zeroin_float(unsigned int bits)
{
    float value;
    zeroin_copy(&value, &bits, sizeof value);
    return value;
}
""",
    "zeroin_bits": """\
static unsigned long long zeroin_bits(const void *at, unsigned int size)
{
    unsigned short two;
    unsigned int four;
    unsigned long long eight;
    switch (size) {
    case 1: return *(const unsigned char *)at;
    case 2: zeroin_copy(&two, at, size); return two;
    case 4: zeroin_copy(&four, at, size); return four;
    default: zeroin_copy(&eight, at, size); return eight;
    }
}
""",
    "zeroin_is_nan": """\
static int zeroin_is_nan(char kind, unsigned long long bits)
{
    if (kind == 'd')
        return (bits & 0x7fffffffffffffffULL) > 0x7ff0000000000000ULL;
    return kind == 'f' && (bits & 0x7fffffffU) > 0x7f800000U;
}
""",
    "zeroin_same": """\
static int zeroin_same(char kind, const void *got, const void *expected, unsigned int size)
{
    unsigned long long a = zeroin_bits(got, size), b = zeroin_bits(expected, size);
    return a == b || (zeroin_is_nan(kind, a) && zeroin_is_nan(kind, b));
}
""",
    "zeroin_show": """\
static void zeroin_show(char kind, const void *at, unsigned int size)
{
    unsigned long long bits = zeroin_bits(at, size);
    double wide;
    float narrow;
    if (kind == 'd') {
        zeroin_copy(&wide, at, size);
        printf("%a", wide);
    } else if (kind == 'f') {
        zeroin_copy(&narrow, at, size);
        printf("%a", (double)narrow);
    } else if (kind == 'i' && bits >> (8 * size - 1)) {
        printf("-%llu", (size == 8 ? 0 : 1ULL << (8 * size)) - bits);
    } else {
        printf("%llu", bits);
    }
}
""",
    "zeroin_check_part": """\
static void zeroin_check_part(const char *call, const char *what, char kind, const void *got, const void *expected,
                              unsigned int size)
{
    if (zeroin_same(kind, got, expected, size))
        return;
    zeroin_wrong++;
    printf("%s:case %d: %s %s ", zeroin_file, zeroin_case, call, what);
    zeroin_show(kind, got, size);
    printf(" expected ");
    zeroin_show(kind, expected, size);
    printf("\\n");
}
""",
    "zeroin_check_array": """\
static void zeroin_check_array(const char *call, const char *what, char kind, const void *got, const void *expected,
                               unsigned int size, unsigned int count)
{
    unsigned int i;
    for (i = 0; i < count; i++) {
        const char *a = (const char *)got + i * size, *b = (const char *)expected + i * size;
        if (zeroin_same(kind, a, b, size))
            continue;
        zeroin_wrong++;
        printf("%s:case %d: %s %s[%u] = ", zeroin_file, zeroin_case, call, what, i);
        zeroin_show(kind, a, size);
        printf(" expected ");
        zeroin_show(kind, b, size);
        printf("\\n");
    }
}
""",
    "zeroin_check_each": """\
/* The same field of all structures of an array. */
static void zeroin_check_each(const char *call, const char *what, const char *field, char kind, const void *got,
                              const void *expected, unsigned int size, unsigned int count, unsigned int step)
{
    unsigned int i;
    for (i = 0; i < count; i++) {
        const char *a = (const char *)got + i * step, *b = (const char *)expected + i * step;
        if (zeroin_same(kind, a, b, size))
            continue;
        zeroin_wrong++;
        printf("%s:case %d: %s %s[%u]%s = ", zeroin_file, zeroin_case, call, what, i, field);
        zeroin_show(kind, a, size);
        printf(" expected ");
        zeroin_show(kind, b, size);
        printf("\\n");
    }
}
""",
    "zeroin_long_double": """\
static long double zeroin_long_double(unsigned long long high, unsigned short low)
{
    long double value = 0;
    zeroin_copy(&value, &low, 2);
    zeroin_copy((char *)&value + 2, &high, 8);
    return value;
}
""",
    "zeroin_check_long": _check("long", "long double", 10, "%La", "got[i], expected[i]"),
    "zeroin_half": """\
static _Float16 zeroin_half(unsigned short bits)
{
    _Float16 value;
    zeroin_copy(&value, &bits, 2);
    return value;
}
""",
    "zeroin_check_half": _check("half", "_Float16", 2, "%a", "(double)got[i], (double)expected[i]"),
    "zeroin_any": """\
/* Becomes whatever the parameter is: an enumeration, whatever its scope. */
struct zeroin_any {
    long long value;
    explicit zeroin_any(long long given) : value(given) {}
    template <class T> operator T() const { return (T)value; }
};
""",
    "zeroin_pointer": """\
struct zeroin_pointer {
    void *at;
    explicit zeroin_pointer(void *given) : at(given) {}
    template <class T> operator T *() const { return (T *)at; }
};
""",
    "zeroin_reference": """\
struct zeroin_reference {
    void *at;
    explicit zeroin_reference(void *given) : at(given) {}
    template <class T> operator T &() const { return *(T *)at; }
};
""",
    "zeroin_walled": """\
/* A copy that ends, or begins, at memory that can not be touched. The numbers are Linux's for PROT_NONE, PROT_READ |
 * PROT_WRITE and MAP_PRIVATE | MAP_ANONYMOUS. */
static void *zeroin_walled(const void *from, unsigned long size)
{
    unsigned long wall = 65536, room = (size + wall - 1) / wall * wall;
    char *at = (char *)zeroin_mmap((void *)0, room + 2 * wall, 0, 0x22, -1, 0) + wall;
    if (zeroin_mprotect(at, room, 3)) {
        printf("no memory\\n");
        return (void *)0;
    }
    at += zeroin_before ? 0 : room - size;
    zeroin_copy(at, from, (unsigned int)size);
    return at;
}
""",
    "zeroin_alone": """\
/* The function remembers earlier calls: every case runs in a process of its own. */
static int zeroin_alone(int number)
{
    char command[4096], *to = command;
    const char *from = zeroin_program;
    int divisor = 1;
    while (number / divisor > 9)
        divisor *= 10;
    *to++ = '"';
    while (*from && to < command + sizeof command - 64)
        *to++ = *from++;
    *to++ = '"';
    *to++ = ' ';
    for (; divisor > 0; divisor /= 10)
        *to++ = (char)('0' + number / divisor % 10);
    for (from = " -"; (*to = *from); to++)
        from++;
    return system(command);
}
""",
    "zeroin_run": """\
static void zeroin_run(int number, void (*body)(void))
{
    if (zeroin_only >= 0 && zeroin_only != number)
        return;
    zeroin_case = number;
    zeroin_wrong = 0;
    body();
    if (zeroin_wrong)
        zeroin_failed++;
    else
        zeroin_passed++;
}
""",
    "zeroin_run_asked": """\
static void zeroin_run_asked(int number, void (*body)(void))
{
    if (zeroin_only == number)
        zeroin_run(number, body);
}
""",
    "zeroin_run_alone": """\
static void zeroin_run_alone(int number, void (*body)(void))
{
    if (zeroin_only >= 0)
        zeroin_run(number, body);
    else if (zeroin_alone(number))
        zeroin_failed++;
    else
        zeroin_passed++;
}
""",
}

_VARIABLES = {
    "zeroin_program": "static const char *zeroin_program;",
    "zeroin_file": 'static const char zeroin_file[] = "{file}";',
    "zeroin_case": "static int zeroin_case;",
    "zeroin_wrong": "static int zeroin_wrong;",
    "zeroin_before": "static int zeroin_before;",
    "zeroin_only": "static int zeroin_only = -1;",
    "zeroin_passed": "static int zeroin_passed;",
    "zeroin_failed": "static int zeroin_failed;",
}

CXX_LINKAGE = '"C" '

MAIN = """\
int main(int zeroin_count, char **zeroin_words)
{{
    if (zeroin_count > 1) {{
        const char *zeroin_digit = zeroin_words[1];
        for (zeroin_only = 0; *zeroin_digit >= '0' && *zeroin_digit <= '9'; zeroin_digit++)
            zeroin_only = 10 * zeroin_only + (*zeroin_digit - '0');
    }}
{runs}    if (zeroin_count < 3)
        printf("%d passed, %d failed\\n", zeroin_passed, zeroin_failed);
    return zeroin_failed != 0;
}}
"""


def main_of(runs: str, own: str) -> str:
    """``main``, with the lines that run the cases."""
    return MAIN.replace("zeroin_", own).format(runs=runs)


def helpers_for(text: str, file: str, cxx: bool, own: str) -> str:
    """Declarations of all helpers that ``text`` uses, directly or not; failures begin with the name ``file``."""
    helpers, variables = (
        {name.replace("zeroin_", own): body.replace("zeroin_", own) for name, body in those.items()}
        for those in (_HELPERS, _VARIABLES)
    )
    ours = re.compile(rf"\b{own}\w+")
    mentioned, needed = set(ours.findall(text)), list[str]()
    for name, body in reversed(helpers.items()):
        if name in mentioned:
            needed.insert(0, body)
            mentioned.update(ours.findall(body))
    used = [line.replace("{file}", file) for name, line in variables.items() if name in mentioned]
    linkage = CXX_LINKAGE if cxx else ""
    declared = [f"extern {linkage}int printf(const char *, ...);"]
    if f"{own}alone" in mentioned:
        declared.append(f"extern {linkage}int system(const char *);")
    if f"{own}mmap" in mentioned:  # by another name, as the subject may define its own or see the header's
        parameters = "void *, unsigned long, int, int, int, long"
        declared.append(f'extern {linkage}void *{own}mmap({parameters}) __asm__("mmap");')
        declared.append(f'extern {linkage}int {own}mprotect(void *, unsigned long, int) __asm__("mprotect");')
    return "\n".join([*declared, *used]) + "\n\n" + "\n".join(needed)
