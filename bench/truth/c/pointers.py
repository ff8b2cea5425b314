"""Features of programs with pointers: which may be equal, overlap, or point to something else than they seem to."""

from __future__ import annotations

from .making import SIGNED_OR_NOT, Making, masked


def aliasing(m: Making) -> None:
    """Two pointers of one type, which may be equal or overlap."""
    type_ = m.rng.choice((*SIGNED_OR_NOT, "short", "int", "unsigned"))
    elements = m.rng.choice((1, 1, 2))
    bits = 7 if elements == 1 else 3
    m.values("A", type_, elements + (elements > 1), bits)
    m.values("B", type_, elements, bits)
    shape = m.shapes(2 if elements == 1 else 4)
    m.pointer(f"{type_} *p", "A" if elements == 1 else f"A + ({shape} == 3)")
    m.pointer(f"{type_} *q", f"{shape} == 0 ? B : A + ({shape} == 2)")
    for place in ("*p", "*q") if elements == 1 else ("p[0]", "p[1]", "q[0]", "q[1]"):
        m.body.operands.append(masked(place, bits))
        m.body.targets.append((place, "{}"))
    m.body.leaves += ["p == q", "p != q", *["&p[1] == q"] * (elements > 1)]
    m.body.extra.append(lambda: ["*p = 5;", "*q = 7;", f"if ({m.code.condition('*p == 7')})", "    r += 100;"])


def structures_by_pointer(m: Making) -> None:
    """Pointers to structures that may be the same one, or a pointer to a field."""
    name, type_ = m.name("S"), m.rng.choice(SIGNED_OR_NOT)
    m.before += [f"struct {name} {{ {type_} x; int y; }};", ""]
    m.making.append(f"struct {name} A = {{({type_}){m.take(4)}, (int){m.take(4)}}};")
    m.pointer(f"struct {name} *s", "&A")
    if m.rng.random() < 0.7:
        m.making.append(f"struct {name} B = {{({type_}){m.take(3)}, (int){m.take(3)}}};")
        m.pointer(f"struct {name} *t", f"{m.shapes(2)} ? &A : &B")
        places, own = ["s->x", "s->y", "t->x", "t->y"], "B.x"
        m.body.leaves += ["s == t", "t != s"]
    else:
        m.making.append(f"{type_} B = ({type_}){m.take(4)};")
        m.pointer(f"{type_} *t", f"{m.shapes(2)} ? &A.x : &B")
        places, own = ["s->x", "s->y", "*t"], "B"
    m.results += ["A.x", "A.y", own]
    for place in places:
        m.body.operands.append(masked(place, 4))
        m.body.targets.append((place, "{}"))


def linked(m: Making) -> None:
    """A structure that leads to another one, to itself or to nothing."""
    name = m.name("N")
    m.before += [f"struct {name} {{ signed char x; struct {name} *next; }};", ""]
    first, second, shape = m.take(5), m.take(5), m.shapes(3)
    m.making.append(f"struct {name} B = {{(signed char){second}, 0}}, A = {{(signed char){first}, 0}};")
    m.making.append(f"A.next = {shape} == 0 ? 0 : {shape} == 1 ? &A : &B;")
    m.pointer(f"struct {name} *p", "&A")
    m.results += ["A.x", "B.x"]
    m.opening += ["int w = 40;", f"if ({m.code.condition('p->next')})", f"    w = {masked('p->next->x', 5)};"]
    m.body.operands += [masked("p->x", 5), "w"]
    m.body.targets.append(("p->x", "(signed char)({})"))
    m.body.leaves += ["p->next == p", "p->next != p", "p->next"]

    def write_both() -> list[str]:
        leads, condition = m.code.condition("p->next"), m.code.condition(m.rng.choice(("p->x == 9", "p->next == p")))
        return [f"if ({leads})", "    p->next->x = 9;", f"if ({condition})", "    r += 70;"]

    m.body.extra.append(write_both)


def bit_fields(m: Making) -> None:
    """A structure of bit-fields, which share bytes."""
    name = m.name("F")
    m.before += [f"struct {name} {{ unsigned a : 3; signed b : 4; unsigned short c : 5; _Bool d : 1;",
                 "    unsigned : 0; signed char e : 6; };", ""]  # fmt: skip
    m.making.append(f"struct {name} A = {{{m.take(3)}, 0, {m.take(5)}, {m.take(1)}, 0}};")
    m.making.append(f"A.b = (int){m.take(4)}; A.e = (signed char){m.take(3)};")
    by_value = m.rng.random() < 0.3
    m.pointer(f"struct {name} {'' if by_value else '*'}p", "A" if by_value else "&A")
    m.results += [f"A.{field}" for field in "abcde"]
    of = "p." if by_value else "p->"
    m.body.operands += [f"{of}{field}" for field in "abcd"] + [masked(f"{of}e", 3)]
    m.body.targets += [(f"{of}{field}", "{}") for field in "abcde"]
    m.body.leaves += [f"{of}b < 0", f"{of}d", f"{of}a > 7"]


def one_array(m: Making) -> None:
    """Two pointers into one array: its first element, and the one after the last; three elements count."""
    type_ = m.rng.choice(SIGNED_OR_NOT)
    m.values("A", type_, 3, 3)
    m.making += [f"unsigned long from = {m.take(2)}, to = {m.take(2)};", "if (from > to) return;"]
    m.pointer(f"const {type_} *first", "A + from")
    m.pointer(f"const {type_} *last", "A + to")
    m.opening += ["int n = 0, s = 0;"]
    ends = m.code.condition(m.rng.choice(("first != last", "first < last")))
    m.opening += [f"while ({m.code.condition('n < 3')} &&", f"       {ends}) {{",
                  f"    s += {masked('*first', 3)};", "    n++;", "    first++;", "}"]  # fmt: skip
    m.body.operands += ["n", "s"]
    m.scalars()


def bytes_of_anything(m: Making) -> None:
    """A pointer to characters, which may point into what another one points to."""
    type_ = m.rng.choice(("short", "int", "unsigned short"))
    m.making += [f"{type_} A = ({type_})({m.take(5)} | {m.take(5)} << 8);", f"unsigned char B = {m.take(3)};"]
    shape = m.shapes(3)
    m.pointer("unsigned char *c", f"{shape} == 0 ? &B : (unsigned char *)&A + ({shape} - 1)")
    m.pointer(f"{type_} *s", "&A")
    m.results += ["A", "B"]
    m.body.operands += [masked("*c", 3), "(*s & 0x1f1f)", "(*s >> 8 & 31)"]
    m.body.targets += [("*c", "(unsigned char)({})"), ("*s", f"({type_})({{}})")]

    def write_both() -> list[str]:
        condition = m.code.condition(m.rng.choice(("*s", "*s == 3", "*s == 768")))
        return ["*s = 0;", "*c = 3;", f"if ({condition})", "    r += 50;"]

    m.body.extra.append(write_both)


def to_a_global(m: Making) -> None:
    """A pointer that may point to a variable of the program."""
    name = m.name("g")
    m.before += [f"int {name} = {m.rng.randint(0, 7)};", ""]
    m.making.append(f"int A = (int){m.take(3)};")
    m.pointer("int *p", f"{m.shapes(2)} ? &{name} : &A")
    m.state.append(name)
    m.results += ["A", name]
    m.body.operands += [masked("*p", 3), name]
    m.body.targets += [("*p", "({}) & 7"), (name, "({}) & 7")]
    m.body.extra.append(lambda: ["*p = 5;", f"{name} = 6;", f"if ({m.code.condition('*p == 6')})", "    r += 100;"])
    m.scalars()


def null(m: Making) -> None:
    """Pointers that may be NULL."""
    type_ = m.rng.choice((*SIGNED_OR_NOT, "int"))
    m.values("A", type_, 1, 5)
    m.pointer(f"{type_} *p", f"{m.shapes(2)} ? A : 0")
    m.opening += [
        "int v = 0;",
        f"if ({m.code.condition(m.rng.choice(('p', 'p != 0')))})",
        f"    v = {masked('*p', 5)};",
    ]
    m.body.operands.append("v")
    m.body.leaves += ["p", "p == 0", "p != 0"]
    m.scalars()
