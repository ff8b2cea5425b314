"""Pointers in structures: NULL, or an object of their own, in chains of up to three."""

from __future__ import annotations

import ctypes
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import c_tests
from programs import Programs, check_paths
from proofs import refuted
from zeroin import Budget, Options, cover
from zeroin.errors import OptionError, UnsupportedParameter
from zeroin.languages.c.front.layout import as_array
from zeroin.languages.c.front.pointees import PointeeSignature
from zeroin.languages.c.front.signature import ArraySpec
from zeroin.solvers.smt import Bitwuzla

LISTS = """
#include <stddef.h>
#include <string.h>
struct node { int value; struct node *next; };
struct named { double weight; const char *name; double *samples; unsigned flags : 3;
    struct { int n; struct node *head; } in; };
int sum(const struct node *p)
{
    unsigned s = 0, n = 0;
    for (; p != NULL; p = p->next) { s += p->value & 15; n++; }
    if (n == 3 && s == 42) return 1;
    if (n == 4) return 2;
    return 0;
}
int push(struct node *p)
{
    if (p->next == NULL) return -1;
    p->next->value = (int)((unsigned)p->next->value + (unsigned)p->value);
    if (p->next->value == 77777 && p->next->next) { p->next->next->value = 5; return 3; }
    return p->next->value > 0;
}
double weigh(struct named *x)
{
    if (x->name && !strcmp(x->name, "lead")) return 11.3;
    if (x->samples && x->samples[0] > 2.5 && x->samples[1] < -1) return x->samples[1];
    if (x->in.head && x->in.head->value == x->in.n && x->flags == 5) return x->weight;
    return 0;
}
"""
# How another compiler run is called: a chain of up to four nodes, given by an array.
CALL = """
int call(int *values, int count)
{
    struct node nodes[4];
    for (int i = 0; i < count; i++) nodes[i].value = values[i];
    for (int i = 0; i < count; i++) nodes[i].next = i + 1 < count ? nodes + i + 1 : NULL;
    int found = push(nodes);
    for (int i = 0; i < count; i++) values[i] = nodes[i].value;
    return 100 * found + sum(nodes);
}
"""


def chain(values: list[int]) -> dict[str, Any] | None:
    return {"value": values[0], "next": chain(values[1:])} if values else None


def test_runs_are_those_of_another_compiler(programs: Programs) -> None:
    library = ctypes.CDLL(str(programs.shared_library(LISTS + CALL)))
    push, total = (programs.load(LISTS, name) for name in ("push", "sum"))
    rng = random.Random(3)
    for _ in range(100):
        count = rng.randint(1, 4)
        values = [rng.choice((0, 15, 77777, 77776, 1, rng.randint(-(2**31), 2**31 - 1))) for _ in range(count)]
        memory = (ctypes.c_int * count)(*values)
        expected = library.call(memory, count)
        words = push.words_of(repr(chain(values)))
        replay = push.replay(words)
        assert push.same(replay, push.observe(words))
        assert push.signature.arguments(words) == [chain(values)]
        left = [push.signature.outputs(replay)[f"p{'->next' * n}"]["value"] for n in range(count)]
        assert [int(one) for one in left] == list(memory)
        after = total.replay(total.words_of(repr(chain(list(memory)))))
        assert 100 * int(push.signature.exact_result(replay)) + int(total.signature.exact_result(after)) == expected


def test_values_and_texts_have_objects_inside_of_each_other(programs: Programs) -> None:
    subject = programs.load(LISTS, "weigh")
    values: dict[str, Any] = {"weight": 2.5, "flags": 5, "name": "lead", "samples": [3.0],
                              "in": {"n": 7, "head": {"value": 7, "next": None}}}  # fmt: skip
    words = subject.words_of(repr(values))
    assert subject.signature.arguments(words) == [values]
    assert subject.signature.show(words) == (
        'weigh({.weight = 2.5, .name = "lead", .samples = {3.0}, .flags = 5, '
        ".in = {.n = 7, .head = {.value = 7, .next = NULL}}})"
    )
    shorter = {"weight": 2.5, "flags": 5, "in": {"n": 7}}  # what is not mentioned is NULL
    assert subject.signature.arguments(subject.words_of(repr(shorter))) == [
        shorter | {"name": None, "samples": None, "in": {"n": 7, "head": None}}
    ]


@pytest.mark.parametrize("next_", [{"value": 1.5}, 3, [1], {"value": 1, "more": 2}, {"next": None}])
def test_objects_that_do_not_fit(next_: object, programs: Programs) -> None:
    with pytest.raises(OptionError, match="does not fit"):
        programs.load(LISTS, "push").words_of(repr({"value": 1, "next": next_}))


def test_paths_are_those_of_the_runs(programs: Programs) -> None:
    subject = programs.load(LISTS, "push")
    several = [subject.words_of(repr(chain(values))) for values in (
        [1], [1, 2], [77777, 0], [77777, 0, 1], [77776, 1, 1, 1], [-5, 3], [-5, 3, 2])]  # fmt: skip
    assert check_paths(subject, several) >= 4


# In calls by other code, each condition can be true, although no run of zeroin makes it so.
ELSEWHERE = [
    "p->next == p", "p->next && p->next->next == p->next", "p->next && p->next->next == p",
    "p->next && p->next->next && p->next->next->next && p->next->next->next->next && p->next->next->next->next->next",
    "p->next && (p->value = 3, p->next->value = 4, p->value == 4)", "p->next && &p->next->value == &shared",
]  # fmt: skip


@pytest.mark.parametrize("condition", ELSEWHERE)
def test_proofs_say_nothing_about_where_pointers_lead(condition: str, programs: Programs) -> None:
    text = f"""#include <stddef.h>
    struct node {{ int value; struct node *next; }}; int shared;
    int f(struct node *p) {{ if ({condition}) return 9; if ((p->value & 15) > 15) return 8; return 0; }}"""
    subject = programs.load(text)
    (never,) = {site.number for site in subject.sites if site.condition == "(p->value & 15) > 15"}
    last = max(site.number for site in subject.sites if site.number != never)
    proved = refuted(subject, Bitwuzla())[0]
    assert 2 * never in proved
    assert 2 * last not in proved
    assert "shared" in condition or "pointers in p may lead to other memory" in subject.doubts()


@pytest.mark.parametrize(("function", "suffix"), [
    ("sum", ".c"), ("push", ".c"), ("weigh", ".c"), ("push", ".cpp"), ("weigh", ".cpp"),
])  # fmt: skip
@pytest.mark.parametrize("engine", ["hybrid", "explore"])
def test_all_branches_are_covered_and_tested(function: str, suffix: str, engine: str, tmp_path: Path) -> None:
    path = tmp_path / f"lists{suffix}"
    path.write_text(LISTS)
    suite = cover(f"{path}:{function}", Options(budget=Budget(500_000, 60.0), engine=engine))
    assert suite.percent == 100.0
    assert any(note.endswith("is always NULL: a chain has at most three objects") for note in suite.notes)
    program = c_tests.build(suite, tmp_path / "tests")
    status, said = c_tests.run(program)
    assert status == 0, said
    assert ".next = &" in program.with_suffix(suffix).read_text() or function == "weigh"


def test_fields_that_lead_to_nothing_known_are_null(programs: Programs) -> None:
    text = """struct gap; struct wild { int n; void *what; struct gap *gap; int **deep; };
    int f(struct wild *p) { if (p->n == 3) return 1; return p->what || p->gap || p->deep; }"""
    subject = programs.load(text)
    assert subject.signature.notes == (
        "p->what is always NULL: what it points to has no type",
        "p->gap is always NULL: it points to 'struct gap', which the file does not define; include its definition, "
        "or write a wrapper",
        "p->deep is always NULL: it points to 'int *', a pointer to a pointer, which is not supported",
    )
    assert subject.signature.arguments(subject.words_of("{'n': 3}")) == [
        {"n": 3, "what": None, "gap": None, "deep": None}
    ]


def test_elements_of_arrays_have_null_pointers(programs: Programs) -> None:
    text = """struct node { int value; struct node *next; };
    int f(struct node *p, int n) { for (int i = 0; i < n; i++) if (p[i].next || p[i].value == 9) return 1;
    return 0; }"""
    subject = programs.load(text)
    assert subject.signature.pointers[0].extent is not None
    assert subject.signature.notes[-1] == "p->next is always NULL: it is in an array"
    assert subject.replay(subject.words_of("[{'value': 1}, {'value': 8}], 2")).result == 0


def test_an_access_behind_an_object_is_named(programs: Programs, tmp_path: Path) -> None:
    path = tmp_path / "behind.c"
    path.write_text("""struct two { int n; int (*at)[2]; };
    int f(struct two *p) { if (p->at && p->n == 5) return (*p->at)[400]; return 0; }""")
    suite = cover(f"{path}:f", Options(budget=Budget(200_000, 30.0)))
    assert any(finding.kind in ("crash", "undefined") for finding in suite.findings)


SHARED = """
#include <stddef.h>
struct node { int value; struct node *next; };
struct pair { struct node *a, *b; int n; };
int cycle(struct node *p)
{
    if (p->next == p) return 1;
    if (p->next && p->next->next == p) return 2;
    if (p->next && p->next->next && p->next->next == p->next) return 3;
    return 0;
}
int same(struct pair *x)
{
    if (x->a && x->a == x->b) { x->a->value = 3; return x->b->value; }
    if (x->a && x->b && x->a->next == x->b && x->n == 7) return 9;
    return 0;
}
int count(const struct node *p)
{
    int n = 0;
    while (p && n < 100) { p = p->next; n++; }
    if (n == 100) return -1;
    return n;
}
"""


@pytest.mark.parametrize(("function", "values", "result"), [
    ("cycle", {"value": 1, "next": "p"}, 1), ("cycle", {"value": 1, "next": {"value": 2, "next": "p"}}, 2),
    ("cycle", {"value": 1, "next": {"value": 2, "next": "p->next"}}, 3),
    ("count", {"value": 1, "next": {"value": 2, "next": "p"}}, -1),
    ("count", {"value": 1, "next": {"value": 2, "next": {"value": 2, "next": "p->next"}}}, -1),
    ("same", {"a": {"value": 1, "next": None}, "b": "x->a", "n": 0}, 3),
    ("same", {"a": {"value": 1, "next": "x->b"}, "b": {"value": 1, "next": None}, "n": 7}, 9),
    ("same", {"a": None, "b": "x->a", "n": 7}, 0),
])  # fmt: skip
def test_pointers_may_lead_to_one_object(function: str, values: Any, result: int, programs: Programs) -> None:
    subject = programs.load(SHARED, function)
    words = subject.words_of(repr(values))
    replay = subject.replay(words)
    assert subject.same(replay, subject.observe(words))
    assert int(subject.signature.exact_result(replay)) == result
    (shown,) = subject.signature.arguments(words)
    assert shown == (values if values.get("a", 1) else {"a": None, "b": None, "n": 7})
    path = subject.along(words, subject.execute(words))
    assert path.ended == ""
    assert path.holds(subject.model.inputs(words))
    assert subject.tidy(words) == words


@pytest.mark.parametrize("engine", ["hybrid", "explore"])
@pytest.mark.parametrize("function", ["cycle", "same", "count"])
def test_branches_on_shared_objects_are_covered_and_tested(function: str, engine: str, tmp_path: Path) -> None:
    path = tmp_path / "shared.c"
    path.write_text(SHARED)
    suite = cover(f"{path}:{function}", Options(budget=Budget(500_000, 60.0), engine=engine))
    assert suite.percent == 100.0
    status, said = c_tests.run(c_tests.build(suite, tmp_path / "tests"))
    assert status == 0, said


def test_what_nothing_leads_to_is_no_part_of_an_input(programs: Programs) -> None:
    subject = programs.load(SHARED, "same")
    words = list(subject.words_of("{'a': None, 'b': None, 'n': 1}"))
    names = [name for parameter in subject.signature.parameters for name in parameter.names]
    words[names.index("x->a->next->value")] = 5
    words[names.index("x->a->next == NULL")] = 0
    assert subject.tidy(tuple(words)) == subject.words_of("{'n': 1}")


CALLBACKS = """
struct op { int kind; int (*apply)(int, int); void (*done)(void); struct op *inner; };
int add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
int mul(int a, int b) { return (int)((unsigned)a * (unsigned)b); }
int run(struct op *o, int x)
{
    if (!o->apply) return -1;
    int r = o->apply(x, 3);
    if (o->apply == add && r == 777) return 1;
    if (o->apply == mul && r == 999) return 2;
    if (o->inner && o->inner->apply && o->inner->apply(r, 2) == 12345) return 3;
    if (o->done) o->done();
    return 0;
}
"""


def test_functions_in_structures_are_those_of_the_file(programs: Programs) -> None:
    subject = programs.load(CALLBACKS, "run")
    inner = {"kind": 2, "apply": "mul", "done": None, "inner": None}
    for apply, x, result in [("add", 774, 1), ("mul", 333, 2), (None, 3, -1), ("add", 5, 0)]:
        values = {"kind": 1, "apply": apply, "done": None, "inner": inner}
        words = subject.words_of(f"{values}, {x}")
        assert int(subject.signature.exact_result(subject.replay(words))) == result
        assert subject.signature.arguments(words) == [values, x]
        assert subject.along(words, subject.execute(words)).ended == ""


@pytest.mark.parametrize("engine", ["hybrid", "explore"])
def test_branches_on_functions_in_structures(engine: str, tmp_path: Path) -> None:
    path = tmp_path / "callbacks.c"
    path.write_text(CALLBACKS)
    suite = cover(f"{path}:run", Options(budget=Budget(500_000, 60.0), engine=engine))
    assert suite.percent == 100.0
    program = c_tests.build(suite, tmp_path / "tests")
    status, said = c_tests.run(program)
    assert status == 0, said
    assert "o.apply = add;" in program.with_suffix(".c").read_text()


@pytest.mark.parametrize("engine", ["hybrid", "explore", "enumerate"])
@pytest.mark.parametrize("field", ["void *other", "struct small *other", "signed char *other"])
def test_all_inputs_are_not_all_calls(engine: str, field: str, tmp_path: Path) -> None:
    """The inputs are few, but other code may pass what none of them has."""
    path = tmp_path / "small.c"
    path.write_text(f"""struct small {{ signed char n; {field}; }};
    int f(struct small *p) {{ if (p->other == (void *)&p->n) return 9; return p->n == 3; }}""")
    suite = cover(f"{path}:f", Options(budget=Budget(200_000, 5.0), engine=engine))
    verdicts = {f"{v.branch.site.condition} {v.branch.label}": v.verdict for v in suite.verdicts}
    assert verdicts["p->other == (void *)&p->n true"] != "infeasible"


@pytest.mark.parametrize("text", ["#include <stdio.h>\nint f(FILE *p) { return fgetc(p) == 3; }",
                                  "#include <stdarg.h>\nint f(va_list p) { return va_arg(p, int) == 3; }"])  # fmt: skip
def test_what_only_the_library_makes_is_refused(text: str, programs: Programs) -> None:
    with pytest.raises(UnsupportedParameter, match="which only the C library can make; write a wrapper"):
        programs.load(text)


TREE = """
struct tree { int key; struct tree *l, *r, *up; };
int f(struct tree *t)
{
    if (t->l && t->l->up == t) return 1;
    if (t->l == t->r && t->l) return 2;
    if (t->up && t->up->l == t) return 3;
    return 0;
}
"""


@pytest.mark.parametrize("seed", range(3))
def test_objects_that_nothing_leads_to_are_not_in_the_test(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "tree.c"
    path.write_text(TREE)
    suite = cover(f"{path}:f", Options(budget=Budget(500_000, 30.0), seed=seed))
    assert suite.percent == 100.0
    assert not [note for note in suite.notes if "left out" in note]
    program = c_tests.build(suite, tmp_path / "tests")
    status, said = c_tests.run(program)
    assert status == 0, said
    for case in program.with_suffix(".c").read_text().split("static void"):
        fields = [line.split(" = ")[0] for line in case.splitlines() if " = &" in line]
        assert len(fields) == len(set(fields)), case


def test_an_array_behind_a_field_grows_as_far_as_others_do(tmp_path: Path) -> None:
    path = tmp_path / "grows.c"
    path.write_text("""struct g { unsigned char n; unsigned char *data; };
    int f(struct g *g) { int s = 0; if (!g->data) return -1; for (int i = 0; i < g->n; i++) s += g->data[i] & 3;
    if (s == 600) return 1; return 0; }""")
    suite = cover(f"{path}:f", Options(budget=Budget(500_000, 30.0)))
    assert sum(verdict.verdict == "covered" for verdict in suite.verdicts) >= 5


def test_const_pointers_are_null_and_left_pointers_are_not_shown(programs: Programs) -> None:
    text = "struct s { int k; int *const q; int *to; };\nint f(struct s *s) { if (s->q) return 1; s->k = 1; return 0; }"
    subject = programs.load(text)
    assert subject.signature.notes == ("s->q is always NULL: it is const, so a test can not set it",)
    words = subject.words_of("{'k': 2, 'to': [3]}")
    assert subject.signature.show(words) == "f({.k = 2, .q = NULL, .to = {3}})"
    assert subject.signature.show_left(words, subject.replay(words)) == {"s": "{.k = 1}"}


def test_parameters_that_are_not_tried_together_are_named(programs: Programs) -> None:
    text = "struct s { int k; struct s *to; };\nint f(struct s *a, struct s *b) { a->k = 1; return b->k; }"
    assert "parameters never lead to the same memory here" in programs.load(text).signature.notes[-1]


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
def test_a_structure_may_have_pointers_only(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"list{suffix}"
    path.write_text("""#include <stddef.h>
    struct node { int v; struct node *next; }; struct list { struct node *head, *tail; };
    int f(struct list *l)
    {
        if (!l->head) return 0;
        if (l->head == l->tail) return 1;
        if (l->head->v == 77 && l->tail) return l->tail->v;
        return 2;
    }""")
    suite = cover(f"{path}:f", Options(budget=Budget(500_000, 30.0)))
    assert suite.percent == 100.0
    status, said = c_tests.run(c_tests.build(suite, tmp_path / "tests"))
    assert status == 0, said


def test_an_array_of_structures_behind_a_field_grows(tmp_path: Path) -> None:
    path = tmp_path / "rows.c"
    path.write_text("""struct cell { int v; signed char w; }; struct row { unsigned char n; struct cell *cells; };
    int f(struct row *r)
    {
        int s = 0;
        if (!r->cells || r->n > 5) return -1;
        for (int i = 0; i < r->n; i++) s += r->cells[i].w;
        if (r->n == 5 && r->cells[4].v == 1234) return 2;
        return s == 300;
    }""")
    suite = cover(f"{path}:f", Options(budget=Budget(1_000_000, 60.0)))
    assert suite.percent == 100.0
    assert suite.findings == []
    status, said = c_tests.run(c_tests.build(suite, tmp_path / "tests"))
    assert status == 0, said


SAMPLES = """
struct samples { int n; double *data; char *name; struct samples *next; };
int f(struct samples *p)
{
    if (p->n < 4 || !p->data) return -1;
    if (p->data[3] + p->data[1] == 17.5) return 1;
    if (p->name && p->name[0] == 'q' && p->name[1] == 0) return 2;
    return p->next && p->next->data ? p->next->data[1] > p->data[0] : 0;
}
"""


def test_lengths_behind_fields_are_given(programs: Programs) -> None:
    arrays = tuple(map(ArraySpec.parse, ("p->data=4", "p->next->data=2")))
    signature = programs.load(SAMPLES, arrays=arrays).signature
    assert isinstance(signature, PointeeSignature)
    given = {p.name: (as_array(p.layout).count, p.is_guess) for p in signature.pointees}
    assert given["p->data"] == (4, False)
    assert given["p->next->data"] == (2, False)
    assert given["p->name"][1]
    for text, why in (("p->n=3", "no pointer field"), ("p->data=3,n", "leave out ',n'")):
        with pytest.raises(OptionError, match=why):
            programs.load(SAMPLES, arrays=(ArraySpec.parse(text),))


def test_preconditions_name_what_is_behind_fields(tmp_path: Path) -> None:
    path = tmp_path / "samples.c"
    path.write_text(SAMPLES)
    assumed = ("p->data >= 2, p->data[3] <= 6", "2 <= len(p->name) < 4", "p->n >= 4")
    options = Options(budget=Budget(200_000, 60.0), arrays=("p->data=4",), assume=assumed, faults=False)
    suite = cover(f"{path}:f", options)
    for kept in suite.inputs:
        (value,) = suite.signature.arguments(kept.words)
        assert value["n"] >= 4
        assert value["data"] is None or (min(value["data"]) >= 2 and value["data"][3] <= 6)
        assert value["name"] is None or len(value["name"]) in (2, 3)
    taken = {v.branch.id: v.verdict for v in suite.verdicts}
    assert taken["0T"] != "covered", "p->n < 4"
    assert {verdict for branch, verdict in taken.items() if branch in ("2T", "2F")} == {"covered"}
    status, lines = c_tests.run(c_tests.build(suite, tmp_path / "tests"))
    assert status == 0, lines
    with pytest.raises(OptionError, match="can only be compared with numbers"):
        cover(f"{path}:f", replace(options, assume=("p->data[0] < p->n",)))
