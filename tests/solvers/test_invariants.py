"""What holds in loops: what needs it is refuted, what a run takes never is."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from programs import Programs
from proofs import holds_never, refuted
from zeroin.config import Budget
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.model.invariants import Loop, Way
from zeroin.model.reach import ReachCondition
from zeroin.solvers.base import Answer, Query, Solver, Unknown, Unsat
from zeroin.solvers.chain import checked
from zeroin.solvers.invariants import Facts, Invariants
from zeroin.solvers.smt import Z3, Bitwuzla
from zeroin.term.core.build import FALSE, TRUE, equal
from zeroin.term.core.evaluate import evaluate
from zeroin.term.core.nodes import Op, Term, constant, make, variable
from zeroin.term.core.sorts import INT, bits

SOLVER = checked(Bitwuzla())
BYTE = bits(8)
P, Q, ANY = variable("?1", BYTE), variable("?2", BYTE), variable("any", BYTE)


@pytest.mark.parametrize(
    ("body", "impossible"),
    [
        ("int i; for (i = 0; i < 200; i++) n += i; if (i > 200) return 1; return n;", {2}),
        # newlib's ilogb
        ("int ix; if (n <= 0 || n >= 0x00100000) return 0;"
         "for (ix = -1022, n <<= 11; n > 0; n <<= 1) { ix -= 1; if (n == 1) return 5; } if (n == 0) return 7;"
         "return ix;", {6, 8}),
        ("int i, j; for (i = 0; i < 40; i++) for (j = i; j < 50; j++) if (j < 0) return 1; return n;", {4}),
        ("int i, j; for (i = 0; i < n; i++) for (j = i; j < n; j++) if (j < 0) return 1; return n;", {4}),
        ("int i; for (i = 0; i < n; i++) if (i < 0) return 1; return 0;", {2}),
        ("int i; if (n > 100) n = 100; for (i = 0; i < n; i++) ; if (i > 100) return 1; return 0;", {4}),
        ("int i = 3; do { if (i == 2) return 1; i += 2; } while (i != n); return 0;", {0}),
        ("int i; for (i = 1 << 20; i; i >>= 1) { if (i == n) continue; if (i > 1 << 20) return 1; } return 0;", {4}),
        ("unsigned u; for (u = 7; u != n; u ^= 6) if (u == 2 && n == 9) return 1; return 0;", {2, 4, 5}),
        ("int i; for (i = 1; i < 500000000; i *= 3) if (i == 0) return 1; return n;", {2}),
    ],
)  # fmt: skip
def test_what_needs_invariants_is_refuted(programs: Programs, body: str, impossible: set[int]) -> None:
    subject = programs.load(f"int f(int n) {{ {body} }}")
    assert refuted(subject, SOLVER)[1] == impossible


@pytest.mark.parametrize(
    "body",
    [
        "signed char i; for (i = 1; i != n; i++) if (i < 0) return 1; return 0;",  # wraps around
        "unsigned char i; for (i = 1; i != n; i++) if (i == 0) return 1; return 0;",
        "unsigned char i; for (i = 1; i; i <<= 1) if (i == 128) n++; if (i == 0) return 1; return n;",
        "int i, j = 9; for (i = 0; i < 3; i++) { if (j == 0 && i) return 1; for (j = 3; j; j--) n++; } return n;",
        "int i, j = 0; for (i = 0; i < 3; i++) { if (j == 2) return 1; for (j = 0; j < i; j++) n++; } return n;",
        "int i, j; for (i = 0; i < 3; i++) for (j = i; j < 3; j++) if (i == 2 && j == 2) return 1; return n;",
        "int i = 0; while (i < 9) { if (n == 3) { i += 7; continue; } if (i == 2) return 1; i += 2; } return i == 14;",
        "int i = 0; do { i++; } while (i < n); if (i > 5) return 1; if (i == 1) return 2; return 0;",
        "int i = 0; do { if (i == 4) return 1; i = i == n ? 4 : i + 2; } while (i < 3); return 0;",
        "int i, k = 0; for (i = 0; i < 4; i++) { if (k == 3) return 1; k = i; } if (k == 3) return 2; return n;",
        "int i, a = 1, b = 2, t; for (i = 0; i < 3; i++) { if (a == 2) return 1; t = a; a = b; b = t; } return n;",
        "int i = 0, j = 1; while (n-- > 0) { if (i == 3) return 1; i = j; j = j + 1; } return 0;",
        "int i; goto in; for (; i < 3; i++) { if (i == n) return 1; in: if (n == 7) return 2; i = n & 1; } return i;",
        "int i; if (n == 3) { i = 5; goto top; } i = 0;"
        "top: if (i == 5) return 1; if (i == 4) return 2; i += 2; if (i < 9) goto top; return 0;",
        "unsigned i; for (i = 3; i < 9; i -= 1) if (i == 0) n++; if (i > 100) return 1; return n;",
        "int i; if (n > 8) for (i = 0; i > 5; i++) n++; if (n == 3) return 1; if (n == 12) return 2; return 0;",
    ],
)
def test_what_runs_take_is_not_refuted(programs: Programs, body: str) -> None:
    subject = programs.load(f"int f(signed char n) {{ {body} }}", fuel=10_000)
    assert not taken(subject) & refuted(subject, SOLVER)[0]


@pytest.mark.parametrize(
    "text",
    [
        "static void up(int *p) { *p += 2; }"
        "int f(signed char n) { int i; for (i = 0; i < 9; i++) { up(&i); if (i == 5) return 1; } return i == 12; }",
        "static int next(int i) { int k; for (k = 0; k < 3; k++) if (k == i) return k + 1; return i + 2; }"
        "int f(signed char n) { int i = n & 7; while (i < 9) i = next(i); if (i == 9) return 1; return i == 10; }",
        "static int down(int n) { int i; for (i = n; i < 3; i++) if (i == n && n == 1) return down(n + 1); return i; }"
        "int f(signed char n) { if (down(n & 3) == 3) return 1; return 0; }",
        "static int walk(int a) { int i; for (i = a; i < 4; i++) if (i == 3) return 1; return 0; }"
        "int f(signed char n) { if (n > 3) return walk(3) && walk(5); return walk(n & 3) + walk(4); }",
    ],
)
def test_what_callees_do_counts(programs: Programs, text: str) -> None:
    subject = programs.load(text, callees=True, fuel=10_000)
    assert not taken(subject) & refuted(subject, SOLVER)[0]


def taken(subject: LlvmSubject) -> set[int]:
    """What is taken for any input, of one byte."""
    return {outcome for word in range(-128, 128) for outcome in subject.run((word,)).covered}


# ---- at random ----


class Writer:
    """A function with loops that are different for each seed."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def text(self) -> str:
        kinds = [self.rng.choice(("signed char", "unsigned char", "short", "int", "unsigned")) for _ in "pqr"]
        made = "".join(f"{kind} {name} = {self.value()}; " for kind, name in zip(kinds, "pqr", strict=True))
        first = f"if ({self.test()}) return 1; " if self.rng.random() < 0.4 else ""
        return f"int f(signed char n) {{ {made}{first}{self.loop(0)} {self.check()} {self.check()} return 0; }}"

    def value(self) -> str:
        number = self.rng.choice((0, 1, 2, 3, 4, 7, 8, 16, 64, 100, 127, -1, -2, -8))
        return self.rng.choice((f"{number}", f"{number}", "n", f"(n & {number})", f"(n << {self.rng.randint(1, 3)})"))

    def test(self) -> str:
        return f"{self.rng.choice('pqrn')} {self.rng.choice(('<', '<=', '>', '>=', '==', '!='))} {self.value()}"

    def check(self) -> str:
        return f"if ({self.test()}) return {self.rng.randint(2, 9)};"

    def step(self) -> str:
        name, other = self.rng.choice("pqr"), self.rng.choice("pqr")
        one = self.rng.choice((1, 2, 3, 4, 8))
        return self.rng.choice((f"{name} += {one};", f"{name} += {one};", f"{name} -= {one};", f"{name} <<= 1;",
                                f"{name} >>= 1;", f"{name} ^= {one};", f"{name} = {other};", f"{name} *= 3;",
                                f"{name} = {other} + {one};", f"{name} = {self.value()};"))  # fmt: skip

    def loop(self, depth: int) -> str:
        start = self.step() if self.rng.random() < 0.7 else ""
        body = " ".join(self.statement(depth) for _ in range(self.rng.randint(1, 3)))
        kind, turn = self.rng.choice(("while", "do", "for")), self.step()
        if kind == "do":
            return f"{start} do {{ {body} {turn} }} while ({self.test()});"
        if kind == "for":
            return f"{start} for (; {self.test()}; {turn[:-1]}) {{ {body} }}"
        return f"{start} while ({self.test()}) {{ {body} {turn} }}"

    def statement(self, depth: int) -> str:
        if depth < 2 and self.rng.random() < 0.25:
            return self.loop(depth + 1)
        return self.rng.choice((self.check(), self.check(), self.step(), f"if ({self.test()}) {self.step()}",
                                f"if ({self.test()}) continue;", f"if ({self.test()}) break;"))  # fmt: skip


@pytest.mark.parametrize("seed", range(24))
def test_what_no_input_of_all_takes_alone_is_refuted(programs: Programs, seed: int) -> None:
    subject = programs.load(Writer(seed).text(), fuel=2_000)
    assert not taken(subject) & refuted(subject, SOLVER)[0]


def test_some_of_the_random_functions_need_invariants(programs: Programs) -> None:
    assert sum(len(refuted(programs.load(Writer(seed).text(), fuel=2_000), SOLVER)[1]) for seed in range(12)) > 3


# ---- loops alone ----


def known(*loops: Loop, seconds: float = 20.0, solver: Solver = SOLVER) -> Facts:
    """What holds of all that the loops change."""
    every = [equal(own, own) for loop in loops for own in loop.variables]
    return Invariants(solver).of(ReachCondition(make(Op.AND, TRUE, *every), {}, (), loops), Budget(seconds=seconds))


def byte(number: int) -> Term:
    return constant(BYTE, number)


def follows(facts: Facts, what: Term) -> bool:
    return holds_never(SOLVER, *facts.terms, make(Op.NOT, what))


def test_a_loop_that_nothing_enters_excludes_nothing() -> None:
    never = Loop((P,), (Way(FALSE, (byte(3),)),), (Way(TRUE, (P,)),))
    assert known(never) == Facts()


def test_what_holds_on_one_way_in_alone_is_no_fact() -> None:
    ways = Way(TRUE, (byte(4),)), Way(TRUE, (byte(6),)), Way(make(Op.BV_ULT, ANY, byte(2)), (ANY,))
    facts = known(Loop((P,), ways, (Way(TRUE, (P,)),)))
    assert follows(facts, make(Op.BV_ULE, P, byte(6)))
    assert not follows(facts, make(Op.BV_ULE, P, byte(5)))
    assert not follows(facts, make(Op.NOT, equal(P, byte(1))))


def test_what_holds_on_one_way_back_alone_is_no_fact() -> None:
    twice = make(Op.BV_SHL, P, byte(1))
    facts = known(Loop((P,), (Way(TRUE, (byte(4),)),), (Way(TRUE, (twice,)), Way(equal(ANY, P), (byte(2),)))))
    assert follows(facts, equal(make(Op.BV_AND, P, byte(1)), byte(0)))
    assert not follows(facts, equal(make(Op.BV_AND, P, byte(3)), byte(0)))


def test_numbers_that_grow_without_end_take_no_time() -> None:
    """A model is run on, in Python's ints: squared fifty times, two has more bits than any machine."""
    own, most = variable("?1", INT), variable("n", INT)
    squared = make(Op.ADD, make(Op.MUL, own, own), own)
    seven = equal(make(Op.FLOOR_MOD, own, constant(INT, 7)), most)
    loop = Loop((own,), (Way(TRUE, (constant(INT, 2),)),), (Way(make(Op.NOT, seven), (squared,)),))
    facts = known(loop, solver=checked(Z3()), seconds=3.0)
    assert all(evaluate(fact, {"?1": value}) for fact in facts.terms for value in (2, 6, 42, 1806))


def test_what_is_open_may_be_anything() -> None:
    opened = make(Op.OPEN, byte(4), data="a shift by the width or more")
    assert not follows(known(Loop((P,), (Way(TRUE, (byte(4),)),), (Way(TRUE, (opened,)),))), equal(P, byte(4)))


def test_loops_that_depend_on_each_other_are_looked_at_together() -> None:
    outer = Loop((P,), (Way(TRUE, (byte(4),)),), (Way(TRUE, (Q,)),))
    inner = Loop((Q,), (Way(TRUE, (P,)),), (Way(TRUE, (make(Op.BV_ADD, Q, byte(4)),)),))
    even = [equal(make(Op.BV_AND, one, byte(3)), byte(0)) for one in (P, Q)]
    assert all(follows(known(outer, inner), fact) for fact in even)
    odd = Loop((Q,), (Way(TRUE, (P,)),), (Way(TRUE, (make(Op.BV_ADD, Q, byte(1)),)),))
    assert not any(follows(known(outer, odd), fact) for fact in even)


def test_facts_rest_on_what_another_prover_refutes_too() -> None:
    loop = Loop((P,), (Way(TRUE, (byte(4),)),), (Way(make(Op.BV_ULT, P, ANY), (make(Op.BV_ADD, P, byte(1)),)),))
    facts = known(loop)
    assert facts.because
    assert all(isinstance(Z3().solve(Query(why), Budget(10_000, 20.0)), Unsat) for why in facts.because)


class Late(Solver):
    """Answers so many questions; then no more, or it is late."""

    def __init__(self, many: int, is_slow: bool) -> None:
        self.left, self.is_slow = many, is_slow

    def solve(self, query: Query, budget: Budget) -> Answer:
        self.left -= 1
        return SOLVER.solve(query, budget) if self.left >= 0 or self.is_slow else Unknown("no more")

    def monotonic(self) -> float:
        return 1e9 if self.left <= 0 and self.is_slow else 0.0


def counting(monkeypatch: pytest.MonkeyPatch, is_slow: bool) -> Iterator[Facts]:
    inner = Loop((Q,), (Way(TRUE, (P,)),), (Way(make(Op.BV_ULT, Q, byte(9)), (make(Op.BV_ADD, Q, byte(3)),)),))
    outer = Loop((P,), (Way(TRUE, (byte(3),)),), (Way(make(Op.BV_ULT, P, byte(9)), (Q,)),))
    for many in range(40):
        late = Late(many, is_slow)
        monkeypatch.setattr("zeroin.solvers.work_clock.time", late)
        yield known(outer, inner, solver=late)


@pytest.mark.parametrize("is_slow", [False, True])
def test_what_is_not_confirmed_is_not_known(monkeypatch: pytest.MonkeyPatch, is_slow: bool) -> None:
    *some, last = counting(monkeypatch, is_slow)
    assert last.terms
    for facts in some:
        assert all(isinstance(SOLVER.solve(Query(why), Budget(10_000, 20.0)), Unsat) for why in facts.because)
        assert all(follows(last, fact) for fact in facts.terms)
    monkeypatch.undo()  # the clock
    assert known(Loop((P,), (Way(TRUE, (byte(4),)),), (Way(TRUE, (P,)),)), seconds=1e-9) == Facts()
