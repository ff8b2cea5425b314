"""The text of a term means what :func:`zeroin.term.core.evaluate.evaluate` computes."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest
import z3
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from sampling import examples
from term.terms import VARIABLES, literal, models, terms, values
from zeroin.config import Budget
from zeroin.solvers.base import Query, Sat, Unknown, Unsat
from zeroin.solvers.smt import Z3, Bitwuzla, Cvc5, SmtSolver
from zeroin.term.core.build import RNE, conjunction, equal, negation
from zeroin.term.core.evaluate import evaluate
from zeroin.term.core.nodes import Op, Opaque, Rounding, Term, bits_of_float, constant, make, own_bits, variable
from zeroin.term.core.open_values import resting_on, why_open
from zeroin.term.core.simplify import simplify
from zeroin.term.core.sorts import BOOL, FLOAT32, FLOAT64, INT, REAL, ROUNDING, STRING, array, bits
from zeroin.term.core.traversal import fold, substitute, variables
from zeroin.term.smt.reader import read
from zeroin.term.smt.text import NotExpressible
from zeroin.term.smt.writer import Translation, translate

X, Y = variable("x", FLOAT64), variable("y", FLOAT64)
BUDGET, PATIENT = Budget(seconds=2.0), Budget(seconds=20.0)


def answer(script: Translation) -> str:
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.set("timeout", 20_000)
    solver.add(z3.parse_smt2_string(script.body, ctx=context))
    return str(solver.check())


def pinned(roots: list[Term], model: dict[str, Any]) -> list[Term]:
    """That the variables have their values, NaN with its bits."""
    return [
        equal(make(Op.FP_TO_BITS, v), constant(bits(v.sort.width), own_bits(v.sort, model[v.data])))
        if v.sort.is_float
        else equal(v, literal(v.sort, model[v.data]))
        for v in variables(roots)
    ]


def provers(constraints: list[Term]) -> list[SmtSolver]:
    """Those that know the sorts."""
    found: list[SmtSolver] = []
    for wheel in (Z3(), Bitwuzla(), Cvc5()):
        try:
            translate(constraints, without=wheel.without)
        except NotExpressible:
            continue
        found.append(wheel)
    return found


def known_by_bounds(roots: list[Term], model: dict[str, Any]) -> bool:
    """Whether a value rests on the remainder or the floor of a quotient so large that the text only bounds it."""
    found = []

    def visit(part: Term, args: list[Any]) -> Any:
        if part.op is Op.FP_FLOOR_DIV or (part.op is Op.MATH and part.data == "fmod"):
            a, b = args
            if math.isfinite(a) and math.isfinite(b) and b != 0:
                found.append(abs(Fraction(a)) >= 2 ** (part.sort.sizes[1] - 3) * abs(Fraction(b)))
        return evaluate(part, model, dict(zip(part.args, args, strict=True)))

    for root in roots:
        fold(root, visit)
    return any(found)


def check(roots: list[Term], model: dict[str, Any]) -> list[bool]:
    """No prover says no to our values, nor yes to others unless they are open. Which were decided: by Z3 all, except
    for what its text says no more of than bounds."""
    known = pinned(roots, model)
    ours = conjunction(equal(root, literal(root.sort, evaluate(root, model))) for root in roots)
    asked: list[tuple[Term, type]] = [(ours, Sat)]
    if not resting_on(roots, model):
        asked.append((negation(ours), Unsat))
    decided, rough = [], known_by_bounds(roots, model)
    for prover in provers([ours]):
        sure = isinstance(prover, Z3) and not rough
        for question, wanted in asked:
            found = prover.solve(Query((*known, question)), PATIENT if sure else BUDGET)
            decided.append(isinstance(found, wanted))
            gave_up = isinstance(found, Unknown) and (rough or not (found.claims_model or sure))
            assert decided[-1] or gave_up, (prover.name, found)
    return decided


@pytest.mark.parametrize("numbers", [True, False])  # without numbers, for all three provers
def test_the_text_has_our_value(numbers: bool) -> None:
    decided: list[bool] = []

    @examples(80, suppress_health_check=list(HealthCheck))
    @given(terms(numbers=numbers), models())
    def holds(term: Term, model: dict[str, Any]) -> None:
        decided.extend(check([term], model))

    holds()
    assert decided.count(True) > 0.9 * len(decided) > 50


@pytest.mark.parametrize(("x", "rough"), [(2.0**59 + 2.0**7, True), (2.0**49 - 1, False)])
def test_a_remainder_that_is_known_by_bounds_is_not_decided_wrongly(x: float, rough: bool) -> None:
    rest = make(Op.FP_ADD, RNE, make(Op.MATH, X, constant(FLOAT64, 3.0), data="fmod"), Y)
    assert known_by_bounds([rest], {"x": x, "y": 0.5}) == rough
    assert all(check([rest], {"x": x, "y": 0.5})) != rough


def chosen(draw: Any, part: Term, args: list[Any], model: dict[str, Any]) -> Any:
    """The value of a term for arguments; where it is open, any that it may have."""
    ours = evaluate(part, model, dict(zip(part.args, args, strict=True)))
    if part.op in (Op.VARIABLE, Op.CONSTANT) or why_open(part, args) is None:
        return ours
    if part.op in (Op.FP_MIN, Op.FP_MAX):
        return draw(st.sampled_from(args))
    if part.op is Op.FP_TO_BITS:
        infinity, sign = bits_of_float(part.args[0].sort, float("inf")), 1 << (part.sort.width - 1)
        return infinity + draw(st.integers(1, sign - infinity - 1)) + draw(st.sampled_from([0, sign]))
    return draw(values(part.sort))


@examples(80, suppress_health_check=list(HealthCheck))
@given(st.data(), st.booleans().flatmap(lambda numbers: terms(numbers=numbers)), models())
def test_every_choice_is_possible(data: st.DataObject, term: Term, model: dict[str, Any]) -> None:
    def visit(part: Term, args: list[Any]) -> Any:
        return chosen(data.draw, part, args, model)

    theirs = equal(term, literal(term.sort, fold(term, visit)))
    for prover in provers([theirs]):
        assert not isinstance(prover.solve(Query((*pinned([term], model), theirs)), BUDGET), Unsat), prover.name


@examples(60, suppress_health_check=list(HealthCheck))
@given(terms(), models())
def test_what_is_simplified_to_a_constant_is_one_for_every_choice(term: Term, model: dict[str, Any]) -> None:
    fixed = substitute(term, {v: literal(v.sort, model[v.data]) for v in variables([term])})
    simpler = simplify(fixed)
    if simpler.is_constant:
        assert answer(translate([negation(equal(fixed, simpler))])) == "unsat"


OPERATIONS = [Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV, Op.FP_FMA, Op.FP_SQRT, Op.FP_ROUND]


@pytest.mark.parametrize("mode", Rounding)
@pytest.mark.parametrize("sort", [FLOAT32, FLOAT64])
def test_every_rounding_mode(mode: Rounding, sort: Any) -> None:
    a, b = VARIABLES[sort]
    r = constant(ROUNDING, mode)
    casts = [make(op, r, a, data=bits(8)) for op in (Op.FP_TO_SIGNED, Op.FP_TO_UNSIGNED)]
    count = {Op.FP_FMA: 3, Op.FP_SQRT: 1, Op.FP_ROUND: 1}
    results = [make(op, r, *[a, b, a][: count.get(op, 2)]) for op in OPERATIONS]
    for x, y in ((2.5, -0.1), (-0.3, 3.0), (255.7, 7.0), (-128.5, 0.3), (float("nan"), 1.0), (1e-40, 0.7), (-0.0, 0.0)):
        model = {a.data: constant(sort, x).value, b.data: constant(sort, y).value}
        assert all(check(results, model))
        for cast in casts:
            assert all(check([cast], model))


def test_the_remainder_is_that_of_ieee() -> None:
    term = make(Op.FP_REM, X, Y)
    for x, y in ((5.0, 3.0), (-5.0, 3.0), (1.0, 2.0), (7.5, 0.3), (-6.0, 3.0)):
        assert all(check([term], {"x": x, "y": y}))


DIVIDED = [0.0, -0.0, 1.0, -3.0, 0.1, -7.5, 1e15, -1e300, 5e-324, 2.0**53, -(2.0**51) * 3 - 3, math.inf, math.nan]


@pytest.mark.parametrize("abstract", [False, True])
def test_floor_division_and_the_remainder_of_floats(abstract: bool) -> None:
    """What an abstract text knows of large quotients is true, and of small ones it knows all."""
    terms = [make(Op.FP_FLOOR_DIV, X, Y), make(Op.MATH, X, Y, data="fmod")]
    for x, y in itertools.product(DIVIDED, (3.0, -0.1, 0.0, -math.inf, 2.0**50, -5e-324, math.nan)):
        values = {"x": x, "y": y}
        known = [equal(v, constant(FLOAT64, values[v.data])) for v in (X, Y)]
        right = [equal(t, constant(FLOAT64, evaluate(t, values))) for t in terms]
        far = (
            math.isfinite(x) and y != 0 and abs(Fraction(x)) >= 2**50 * abs(Fraction(y)) if math.isfinite(y) else False
        )
        if far and not abstract and abs(x) > 2.0**90 * abs(y):  # takes z3's fp.rem too long
            continue
        assert answer(translate([*known, *right], abstract=abstract)) == "sat", values
        if not (far and abstract):
            wrong = negation(conjunction(right))
            assert answer(translate([*known, wrong], abstract=abstract)) == "unsat", values


def test_what_has_no_text_is_named() -> None:
    condition = make(Op.FP_LT, make(Op.MATH, X, data="sin"), Y)
    with pytest.raises(NotExpressible, match="sin"):
        translate([condition])
    script = translate([condition, negation(condition)], abstract=True)
    assert (script.abstracted, script.relaxed) == (("sin",), False)
    assert answer(script) == "unsat"


def test_two_functions_of_one_name_are_two() -> None:
    functions = [Opaque("f", (FLOAT64,), FLOAT64) for _ in range(2)]
    differ = negation(equal(*(make(Op.CALL, X, data=f) for f in functions)))
    assert answer(translate([differ], abstract=True)) == "sat"
    same = negation(equal(*(make(Op.CALL, X, data=functions[0]) for _ in range(2))))
    assert answer(translate([same, equal(X, Y)], abstract=True)) == "unsat"


def test_reals_do_not_round() -> None:
    one = constant(FLOAT64, 1.0)
    absorbed = make(Op.FP_EQ, make(Op.FP_ADD, RNE, X, one), X)
    script = translate([absorbed], reals=True)
    assert answer(script) == "unsat"
    assert script.relaxed
    number = variable("q", REAL)
    assert not translate([equal(number, number)], reals=True).relaxed


@examples(60, suppress_health_check=list(HealthCheck))
@given(terms(BOOL))
def test_every_term_has_a_text_over_the_reals(term: Term) -> None:
    script = translate([term], reals=True)
    z3.parse_smt2_string(script.body, ctx=z3.Context())
    assert "FloatingPoint" not in script.body


def test_an_unknown_sort_is_named() -> None:
    number = variable("i", INT)
    with pytest.raises(NotExpressible, match="Int"):
        translate([make(Op.LT, number, number)], without={"Int"})
    table = variable("t", array(bits(8), REAL))
    with pytest.raises(NotExpressible, match="Real"):
        translate([equal(table, table)], without={"Real"})


@pytest.mark.parametrize(
    "name", ["a b", "and", "x|y", "", "t!1", "fp.add", "c::main::1::IN!0@1#0", "größe", "bv8", "e"]
)
def test_any_name_will_do(name: str) -> None:
    v = variable(name, FLOAT32)
    script = translate([make(Op.FP_LT, v, constant(FLOAT32, 1.0))])
    assert list(script.symbols.values()) == [v]
    assert answer(script) == "sat"


def test_deep_terms_have_a_text() -> None:
    term = X
    for _ in range(10_000):
        term = make(Op.FP_ADD, RNE, term, Y)
    text = translate([make(Op.FP_LT, term, Y)]).body
    assert max(map(len, text.splitlines())) < 1000
    assert read(text).constraints == (make(Op.FP_LT, term, Y),)


@pytest.mark.parametrize("value", ["", 'a"b', "\\u{41}", "é\n", "\u2028"])
def test_strings_are_escaped(value: str) -> None:
    s = variable("s", STRING)
    assert read(translate([equal(s, constant(STRING, value))]).body).constraints == (equal(s, constant(STRING, value)),)
    with pytest.raises(NotExpressible, match="2FFFF"):
        translate([equal(s, constant(STRING, "\U0010ffff"))])
