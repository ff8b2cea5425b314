"""What real code has: each function here gives a program one such feature."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from .code import Written
from .making import SIGNED_OR_NOT, Making, masked
from .pointers import (
    aliasing,
    bit_fields,
    bytes_of_anything,
    linked,
    null,
    one_array,
    structures_by_pointer,
    to_a_global,
)

# ---- arrays ----


def arrays(m: Making) -> None:
    """An array, and how many of its elements count."""
    type_ = m.rng.choice((*SIGNED_OR_NOT, "short", "int"))
    m.values("A", type_, 3, 4)
    m.pointer(f"{m.rng.choice(('', 'const '))}{type_} *xs", "A")
    count = m.scalar(m.rng.choice(("int", "unsigned char")), 3)
    m.opening += ["int s = 0;"]
    m.opening += ["for (int j = 0;", f"     ({m.code.condition(f'j < {count}')}) &&",
                  f"     ({m.code.condition('j < 3')});", "     j++)", f"    s += {masked('xs[j]', 4)};"]  # fmt: skip
    m.body.operands += ["s", masked("xs[0]", 4), masked(f"xs[{count} & 1]", 4)]


def slices(m: Making) -> None:
    """Parts of an array of the function, given to another one."""
    head, above = m.name("part"), f"xs[j] {m.rng.choice('<>')} {m.rng.randint(-5, 100)}"
    m.before += [f"static int {head}(const signed char *xs, int n)", "{", "    int r = 0;",
                 "    for (int j = 0;", f"         {m.code.condition('j < n')};", "         j++)",
                 f"        if ({m.code.condition(above)})",
                 "            r += xs[j];", "    return r;", "}", ""]  # fmt: skip
    m.scalars()
    a, b = m.rng.choice(m.body.operands), m.rng.choice(m.body.operands)
    m.opening += [f"signed char t[4] = {{(signed char){a}, (signed char)({b} + 1), 3, (signed char)({a} ^ {b})}};"]
    m.closing += [f"r ^= {head}(t, 3);"]
    parts = [f"{head}(t + 1, 2)", f"{head}(&t[{b} & 1], 3)", f"{head}(t, {a} & 3)"]
    m.opening.append(f"int w = {m.rng.choice(parts)};")
    m.body.operands += [f"t[{a} & 3]", "w"]
    m.body.extra.append(lambda: [f"w = {m.rng.choice(parts)};"])
    m.body.targets += [(f"t[{b} & 3]", "(signed char)({})"), ("t[1]", "(signed char)({})")]


# ---- what values are made of ----


def unions(m: Making) -> None:
    """The same bytes seen in several ways."""
    if m.rng.random() < 0.5:
        name = m.name("U")
        first = m.rng.choice(("unsigned short s", "_Bool f", "short s"))
        m.before += [f"union {name} {{ {first}; unsigned char b[2]; signed char c; }};", ""]
        m.making.append(f"union {name} A; A.b[0] = {m.take(8)}; A.b[1] = {m.take(4)};")
        m.pointer(f"union {name} *u", "&A")
        m.results += ["A.b[0]", "A.b[1]"]
        m.body.operands += ["u->b[0]", masked("u->b[1]", 4), "u->c"]
        m.body.targets += [("u->b[0]", "(unsigned char)({})"), ("u->c", "(signed char)({})")]
        if first.startswith("_Bool"):
            m.body.targets.append(("u->f", "{}"))
        m.body.leaves += ["u->c == {k}", "u->b[0] == 7"]
        return
    m.scalars()
    a, b = m.rng.choice(m.body.operands), m.rng.choice(m.body.operands)
    if m.rng.random() < 0.5:
        m.opening.append(
            f"union {{ unsigned short s; unsigned char b[2]; }} u; u.s = (unsigned short)({a} * 257 + {b});"
        )
        m.body.operands += ["u.s", "u.b[0]", "u.b[1]"]
        m.body.targets += [("u.b[1]", "(unsigned char)({})"), ("u.s", "(unsigned short)({})")]
    else:
        m.opening.append(f"union {{ float f; unsigned w; }} u; u.f = (float){a};")
        m.body.operands += ["(int)(u.w >> 23 & 255)", "(int)(u.w >> 31)", "(int)(u.w & 0xff)"]
        m.body.leaves += ["u.f < {k}", "u.w == 0x80000000u", "u.f == 0.0f"]
        m.body.extra.append(lambda: [f"u.f {m.rng.choice('+-*')}= (float){b};"])


def structures(m: Making) -> None:
    """Structures by value, copied and returned; fields of few bits."""
    name, make = m.name("S"), m.name("with")
    m.before += [f"struct {name} {{ signed char x; unsigned char y; short z[2]; }};",
                 f"static struct {name} {make}(struct {name} s, int v)", "{",
                 f"    if ({m.code.condition(f'v > {m.rng.randint(0, 90)}')})", "        s.z[0] = (short)v;",
                 "    s.y++;", "    return s;", "}", ""]  # fmt: skip
    m.making.append(f"struct {name} A = {{(signed char){m.take(8)}, (unsigned char){m.take(3)}, {{1, 2}}}};")
    m.pointer(f"struct {name} s", "A")
    m.opening += [f"struct {name} t = {{s.x, (unsigned char)(s.y & 7), {{0, 1}}}};"]
    m.body.operands += ["s.x", "(s.y & 7)", "t.x", "t.y", "t.z[0]", "t.z[t.y & 1]"]
    m.body.targets += [("t.x", "(signed char)({})"), ("t.z[1]", "(short)({})")]
    m.body.extra.append(lambda: [f"t = {make}(t, {m.body.expression(1)});"])
    m.closing += [f"r += {make}(t, s.x).z[0];"]
    m.scalar("int", 4)
    if m.rng.random() < 0.5:
        a = m.rng.choice(m.body.operands)
        m.opening.append(f"struct {{ unsigned lo : 3; signed hi : 4; }} f; f.lo = {a}; f.hi = {a} + 3;")
        m.body.operands += ["(int)f.lo", "f.hi"]
        m.body.targets += [("f.lo", "{}"), ("f.hi", "{}")]


# ---- state ----


def callees(m: Making) -> None:
    """A variable of the file that a callee writes."""
    name, setter = m.name("g"), m.name("note")
    above = f"v {m.rng.choice('<>')} {m.rng.randint(-3, 60)}"
    m.before += [f"static int {name};", f"static void {setter}(int v)", "{", f"    if ({m.code.condition(above)})",
                 f"        {name} = v & 7;", "    else",
                 f"        {name} = {m.rng.randint(0, 7)};", "}", ""]  # fmt: skip
    m.state.append(name)
    m.scalars()
    m.body.operands.append(name)
    m.body.extra.append(lambda: [f"{setter}({m.body.expression(1)});"])
    if m.rng.random() < 0.5:
        m.opening.append(f"{name} = 0;")
    m.closing += [f"{setter}({m.body.operands[0]});", f"if ({m.code.condition(f'{name} > 2')})", "    r += 20;"]


def static_state(m: Making) -> None:
    """A variable that remembers earlier calls."""
    name = m.name("seen")
    m.scalar(m.rng.choice((*SIGNED_OR_NOT, "_Bool", "int")), 5)
    m.static(f"signed char {name}", name)
    a = m.body.operands[0]
    m.body.operands.append(name)
    if m.rng.random() < 0.5:
        m.opening += [f"if ({m.code.condition(f'{a} > {m.rng.randint(0, 20)}')}) {{",
                      f"    if ({m.code.condition(f'{name} < {m.rng.randint(3, 12)}')})",
                      f"        {name}++;", "}"]  # fmt: skip
    else:
        m.opening.append(f"{name} = (signed char)(({name} + {a}) & 7);")
    m.body.targets.append((name, "(signed char)(({}) & 3)"))


def setter(m: Making) -> None:
    """A variable that another function of the file sets."""
    name = m.name("mode")
    m.before += [f"static unsigned char {name}{m.rng.choice(('', ' = 2'))};",
                 f"void {m.name('set_mode')}(unsigned char v)",
                 "{", f"    {name} = v & 3;", "}", ""]  # fmt: skip
    m.state.append(name)
    m.others, m.other = 4, f"{m.name('set_mode')}((unsigned char)v);"
    m.body.operands.append(name)
    m.body.leaves += [f"{name} == {value}" for value in range(4)]
    m.scalars()


# ---- control ----


def switches(m: Making) -> None:
    """Cases that fall through."""
    m.scalars()
    m.body.compound += [m.body.switched] * 4


def invariants(m: Making) -> None:
    """Loops whose variables keep something: parity, bounds, a relation."""
    m.scalars()

    def loop(depth: int) -> list[str]:
        a, step, bound = m.rng.choice(m.body.operands), m.rng.randint(2, 4), m.rng.choice((7, 15))
        tests = [f"s % {step} == {m.rng.randrange(step)}", f"s > {step} * i",
                 f"s == {step} * i + {m.rng.randint(0, 1)}", "s < 0",
                 f"s > {m.rng.randint(5, 40)}", f"i > {bound}"]  # fmt: skip
        one, two = m.rng.sample(tests, 2)
        return ["{", f"    int s = {m.rng.choice((0, 0, 1))}, i;", "    for (i = 0;",
                f"         {m.code.condition(f'i < ({a} & {bound})')};", "         i++) {",
                f"        if ({m.code.condition(one)})", f"            r += {m.rng.randint(1, 9)};",
                f"        s += {step};", "    }", f"    if ({m.code.condition(two)})", "        r ^= 64;",
                "}"]  # fmt: skip

    m.body.compound += [loop] * 5


def wrapping(m: Making) -> None:
    """Numbers that wrap around, and signed ones that must not."""
    m.scalars()
    m.body.operators += ["(unsigned char)({a} + {b})", "(unsigned short)({a} * 257 - {b})", "(signed char)({a} * {b})",
                         "({a} * 16777216 + {b})", "(int)((unsigned){a} * 2654435769u >> 24)"]  # fmt: skip
    m.body.leaves += ["(unsigned){a} > 4294967290u", "(unsigned){a} - 1 < 5",
                      "(unsigned char)({a} + 200) < {a}", "{a} + 1 < {a}", "(short)({a} * 300) == {k}"]  # fmt: skip


def shifts(m: Making) -> None:
    """Shifts, some of them by too much."""
    m.scalars()
    m.body.operators += ["({a} << ({b} & 7))", "({a} >> ({b} & 7))", "({a} >> ({b} & 31))", "({a} << {b})",
                         "(int)((unsigned){a} >> 28)", "(int)((unsigned){a} << ({b} & 31) >> 24)"]  # fmt: skip


def casts(m: Making) -> None:
    """Floats that become integers, some of them out of range."""
    m.scalars()
    a, b = m.rng.choice(m.body.operands), m.rng.choice(m.body.operands)
    m.opening += [f"double x = {a} * {m.rng.choice(('0.5', '0.1', '1e7', '3.75'))};", f"float y = (float){b} / 3.0f;"]
    m.body.operands += ["(int)x", "(int)y", "(signed char)y", "(int)(y + 0.5f)"]
    m.body.leaves += ["x < {k}", "(int)x == {k}", "y == {k}", "(unsigned char)x == {k}", "x == (int)x"]
    m.body.extra.append(lambda: [f"x {m.rng.choice('+-*')}= {m.rng.choice(('y', '0.5', '1000.0'))};"])


def floats(m: Making) -> None:
    """Numbers of type float; some of them all that 16 bits can make."""
    if m.rng.random() < 0.4:
        m.before += ["#include <string.h>", ""]
        m.scalar("unsigned short")
        m.opening += ["unsigned w = (unsigned)a << 16;", "float x;", "memcpy(&x, &w, sizeof x);"]
        m.body.leaves += ["x != x", "x == x", "x * x < 0.0f", "x + 1.0f == x", "x > 3e38f"]
    else:
        m.scalars()
        a, b = m.rng.choice(m.body.operands), m.rng.choice(m.body.operands)
        m.opening += [f"float x = (float){a} * {m.rng.choice(('0.1f', '0.25f', '1e18f'))};", f"x += (float){b};"]
    m.opening += ["float y = 1.0f;"]
    m.body.leaves += ["x < 2.5f", "x * x == {k}", "y > x", "x - y == {k}", "y * 0.1f == (double)y * 0.1", "y / x > {k}",
                      "x * 1e20f > 3e38f"]  # fmt: skip
    m.body.extra.append(lambda: [f"y {m.rng.choice('+-*')}= {m.rng.choice(('x', '0.1f', '3.0f'))};"])
    m.body.extra.append(lambda: [f"x = {m.rng.choice(('-x', 'x * 0.5f', 'x - y', 'x * y'))};"])


def callbacks(m: Making) -> None:
    """Functions that are called by their addresses."""
    m.scalar(m.rng.choice(SIGNED_OR_NOT))
    if m.rng.random() < 0.5:
        names = [m.name(f"op_{k}") for k in "xyz"]
        for name in names:
            m.before += [f"static int {name}(int v) {{ return v {m.rng.choice('+-*^')} {m.rng.randint(1, 9)}; }}"]
        table = m.name("table")
        m.before += [f"static int (*const {table}[])(int) = {{{', '.join(names)}}};", ""]
        m.body.operands += [f"{table}[(unsigned)a % 3](a)", f"{table}[1](a)"]
        return
    g, stub = m.name("level"), m.name("zt_stub")
    m.before += [f"int {g} = 1;", f"int {m.name('given')}(int v) {{ return v ^ 1; }}", ""]
    m.making += [f"{stub}_at = 0; {stub}_returns[0] = (int){m.take(3)}; {stub}_returns[1] = (int){m.take(3)};",
                 f"{stub}_sets = (int){m.take(1)}; {g} = 1;"]  # fmt: skip
    m.pointer("int (*cb)(int)", stub)
    m.ahead += [f"static int {stub}_at, {stub}_returns[2], {stub}_sets;", f"static int {stub}(int v)", "{",
                f"    if ({stub}_sets) {g} = 5;",
                f"    return (void)v, {stub}_returns[{stub}_at++ & 1];", "}"]  # fmt: skip
    m.opening += ["int c = cb(1) & 7, d = cb(2) & 7;"]
    m.body.operands += ["c", "d"]
    m.body.leaves += ["c == d", "c > d", f"{g} == 1", f"{g} == 5"]


def gotos(m: Making) -> None:
    """Jumps, forwards and backwards."""
    m.scalars()
    m.opening += ["int turns = 0;"]
    m.body.operands.append("turns")
    m.body.jumps += ["out", "again", "out"]
    m.opening += ["again:", f"if ({m.code.condition(f'turns++ > {m.rng.randint(1, 4)}')})", "    goto out;"]
    m.closing += ["out:", f"if ({m.code.condition('turns == 2')})", "    r ^= 32;"]


def recursion(m: Making) -> None:
    """A function that calls itself."""
    m.scalars()
    a, b = m.rng.choice(m.body.operands), m.rng.choice(m.body.operands)
    name = m.name("deeper")
    m.before += [f"static int {name}(int n, int v)", "{", f"    if ({m.code.condition('n <= 0')})",
                 "        return v;", f"    if ({m.code.condition(f'v > {m.rng.randint(5, 200)}')})",
                 f"        return {name}(n - 2, v {m.rng.choice('-^')} {m.rng.randint(1, 40)});",
                 f"    return {name}(n - 1, v + {m.rng.randint(1, 30)});", "}", ""]  # fmt: skip
    calls = [f"{name}({a} & 7, {b})", f"{name}(3, {a})"]
    m.opening.append(f"int w = {m.rng.choice(calls)};")
    m.body.operands.append("w")
    m.body.extra.append(lambda: [f"w = {m.rng.choice(calls)};"])
    m.closing += [f"r ^= {name}({b} & 3, {a});"]


FEATURES: Mapping[str, Callable[[Making], None]] = {
    "pointers of one type": aliasing,
    "pointers to structures": structures_by_pointer,
    "pointers in structures": linked,
    "bit-fields": bit_fields,
    "pointers into one array": one_array,
    "pointer to characters": bytes_of_anything,
    "pointer to a global": to_a_global,
    "pointers that may be NULL": null,
    "arrays": arrays,
    "slices": slices,
    "unions": unions,
    "structures": structures,
    "globals written by callees": callees,
    "static state": static_state,
    "variables with a setter": setter,
    "switch with fall-through": switches,
    "loops with invariants": invariants,
    "wrap-around": wrapping,
    "shifts": shifts,
    "casts of floats to integers": casts,
    "float32": floats,
    "callbacks": callbacks,
    "goto": gotos,
    "recursion": recursion,
}


EXCLUDED: Mapping[str, str] = {}  # features that are not checked yet, and why
INCLUDED = tuple(feature for feature in FEATURES if feature not in EXCLUDED)


def program(seed: int, number: int, feature: str = "") -> Written:
    """The program of this number, always the same; features come in turn, if none is named."""
    feature = feature or INCLUDED[number % len(INCLUDED)]
    making = Making(random.Random(f"{seed}:{number}:{feature}"), number)
    FEATURES[feature](making)
    return making.written(feature)
