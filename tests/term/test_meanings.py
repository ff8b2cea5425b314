"""Native code and the reference in Python give a term the same value, and a distance of 0 exactly where it holds."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampling import examples
from term.strategies import (
    EXACT,
    OTHER,
    SORTS,
    VARIABLES,
    Signature,
    models,
    names_of,
    signatures,
    some_models,
    special,
    terms,
)
from zeroin.distance import DISTANCES, EQ, LE, LT
from zeroin.objective.condition import Condition
from zeroin.term.core.build import equal, if_else, negation
from zeroin.term.core.evaluate import MEANING, NoValue, evaluate, same
from zeroin.term.core.nodes import Op, Opaque, Rounding, Term, constant, make, variable
from zeroin.term.core.rounding import narrow
from zeroin.term.core.sorts import BOOL, FLOAT32, FLOAT64, INT, REAL, ROUNDING, bits
from zeroin.term.core.traversal import fold
from zeroin.term.llvm.compile import TABLES, Unlowerable

HUGE = 1.7976931348623157e308
_Objective = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)


def run(condition: Condition, addresses: Sequence[int], model: dict[str, Any]) -> list[float]:
    """What native functions of the words return for a model."""
    words = (ctypes.c_int64 * (len(condition.variables) or 1))(*condition.words(model))
    return [_Objective(address)(ctypes.addressof(words)) for address in addresses]


def expected(term: Term, model: dict[str, Any]) -> Any:
    """The value; None where native code can not have it: where an Int is too large, no double has the operand of a
    quotient, or a callable raises, unless the other case of an ``ite`` is taken."""

    def value(part: Term, args: list[Any]) -> Any:
        if part.op is Op.ITE and args[0] is not None:
            return args[1] if args[0] else args[2]
        if any(a is None for a in args):
            return None
        if part.op is Op.QUOTIENT and any(int(float(a)) != a for a in args):
            return None
        memo = dict(zip(part.args, args, strict=True))
        try:
            found = evaluate(part, model, memo)
        except NoValue:
            return None
        return None if part.sort == INT and not -(1 << 63) <= found < 1 << 63 else found

    return fold(term, value)


def pieces(term: Term) -> list[Term]:
    """Terms that doubles can hold and that make up the term's value."""
    if term.sort == INT:
        term = make(Op.INT_TO_BITS, term, data=bits(64))
    if term.sort.is_bits and term.sort.width > 53:
        return [make(Op.BV_EXTRACT, term, data=part) for part in ((term.sort.width - 1, 32), (31, 0))]
    return [term]


def check_values(roots: Sequence[Term], given_models: Sequence[dict[str, Any]]) -> None:
    parts = [piece for root in roots for piece in pieces(root)]
    condition = Condition([], values=parts, order=VARIABLES)
    for model in given_models:
        for part, found in zip(parts, run(condition, condition.value_addresses, model), strict=True):
            value = expected(part, model)
            right = HUGE if value is None else float(value)
            assert same(found, right), f"{part}: natively {found}, {right} is right; {model}"


def check_distances(roots: Sequence[Term], given_models: Sequence[dict[str, Any]], table: str) -> None:
    both = [*roots, *(make(Op.NOT, root) for root in roots)]
    condition = Condition(both, table, order=VARIABLES)
    for model in given_models:
        total = run(condition, [condition.address], model)[0]
        together = list(condition.distances)
        assert together == run(condition, condition.parts, model)
        assert 0 < total <= HUGE  # a term and its negation
        for part, distance in zip(both, together, strict=True):
            value = expected(part, model)
            assert 0 <= distance <= HUGE
            if value is None:
                assert distance == HUGE, f"{part} has no value; {model}"
            else:
                assert (distance == 0) == value, f"{part} is {value}, its distance {distance}; {model}"


def term_of(signature: Signature, mode: Rounding = Rounding.RNE) -> Term:
    """The operation on variables."""
    op, parameters, data = signature
    sorts = {s: iter(names_of(s)) for s in SORTS}
    args = [constant(ROUNDING, mode) if p == ROUNDING else next(sorts[p]) for p in parameters]
    return make(op, *args, data=data)


def rounds(signature: Signature) -> bool:
    return ROUNDING in signature[1]


# ---- each operation ----


def test_every_operation_occurs() -> None:
    assert {signature[0] for signature in signatures()} | OTHER == set(Op)
    assert set(MEANING) == set(Op) - {Op.VARIABLE, Op.CONSTANT}


@pytest.mark.parametrize("start", range(4))
def test_values_of_every_operation(start: int) -> None:
    check_values([term_of(s) for s in signatures()][start::4], some_models(60, start))


@pytest.mark.parametrize("mode", [m for m in Rounding if m is not Rounding.RNE], ids=lambda m: m.name)
def test_values_in_other_rounding_modes(mode: Rounding) -> None:
    check_values([term_of(s, mode) for s in signatures() if rounds(s)], some_models(40))


@pytest.mark.parametrize("table", TABLES)
def test_distances_of_every_operation(table: str) -> None:
    conditions = [t for t in map(term_of, signatures()) if t.sort == BOOL]
    check_distances(conditions, some_models(60), table)


@pytest.mark.parametrize("exponent", [-1, 0, 1, 2, 3, 5, 10, 62, 64, 65, 1000])
def test_powers_with_a_constant_exponent(exponent: int) -> None:
    a = names_of(INT)[0]
    term = make(Op.POWER, a, constant(INT, exponent))
    check_values([term], [{**some_models(1)[0], a.data: n} for n in (*special(INT), 1000, -3)])


def test_divisions_at_the_ends_of_the_range() -> None:
    a, b = names_of(INT)[:2]
    low = make(Op.MUL, a, constant(INT, 4))
    divisors = [b, low, make(Op.SUB, make(Op.NEG, low), constant(INT, 1))]
    divisions = [op for op in Op if op.name.endswith(("_DIV", "_MOD")) and op.name[:2] not in ("FP", "BV")]
    assert len(divisions) == 6
    roots = [make(op, x, y) for op in divisions for x in (low, b) for y in divisors] + [make(Op.ABS, low)]
    ends = [{a.data: n, b.data: m} for n in (-(1 << 61), 1 << 61, 5) for m in (-1, 0, 1, 7, -7)]
    check_values(roots, [{**some_models(1)[0], **model} for model in ends])


def test_a_truth_value_is_passed_as_c_does() -> None:
    v = names_of(bits(8))[0]
    lowest = equal(make(Op.BV_EXTRACT, v, data=(0, 0)), constant(bits(1), 1))
    flag = ctypes.CFUNCTYPE(ctypes.c_uint8, ctypes.c_bool)(lambda b: 7 if b else 9)
    for opaque in (Opaque("flag", (BOOL,), bits(8), address=ctypes.cast(flag, ctypes.c_void_p).value),
                   Opaque("flag", (BOOL,), bits(8), function=lambda b: 7 if b else 9)):  # fmt: skip
        call = make(Op.CALL, lowest, data=opaque)
        check_values([call], [{**some_models(1)[0], v.data: n} for n in (0, 1, 2, 3, 254, 255)])


# Functions that Python's math takes from the C library as they are.
MATH = """sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 cbrt erf erfc sqrt fabs floor ceil
trunc log log2 log10 log1p"""


@pytest.mark.parametrize("name", MATH.split())
def test_functions_of_the_c_library(name: str) -> None:
    a = names_of(FLOAT64)[0]
    term = make(Op.MATH, a, data=name)
    condition = Condition([], values=[term])
    domain = [-0.9, -0.1, -0.0, 0.0, 1e-300, 0.3, 0.7] if name.startswith(("a", "log1p")) else [-30.5, 0.25, 1.0, 3.7]
    for x in (1.25, 7.0, 1e5, 2.0**52) if name == "acosh" or (name.startswith("log") and name != "log1p") else domain:
        try:
            right = float(getattr(math, name)(x))
        except ValueError:
            right = math.nan
        assert same(evaluate(term, {a.data: x}), right)
        assert same(run(condition, condition.value_addresses, {a.data: x})[0], right)
    single = make(Op.MATH, names_of(FLOAT32)[0], data=name)
    found = evaluate(single, {single.args[0].data: 0.75})
    assert math.isnan(found) if name == "acosh" else math.isclose(found, getattr(math, name)(0.75), rel_tol=1e-6)


def test_functions_of_two_arguments() -> None:
    a, b = names_of(FLOAT64)[:2]
    for name, x, y in (("pow", 1.1, 2.3), ("atan2", -0.0, -1.0), ("fmod", -7.5, 2.0), ("remainder", 7.5, 2.0),
                       ("copysign", 3.0, -0.0), ("nextafter", 1.0, 0.0)):  # fmt: skip
        term = make(Op.MATH, a, b, data=name)
        right = float(getattr(math, name)(x, y))
        assert same(evaluate(term, {a.data: x, b.data: y}), right)
        condition = Condition([], values=[term], order=[a, b])
        assert same(run(condition, condition.value_addresses, {a.data: x, b.data: y})[0], right)


# ---- random terms ----


@examples(50)
@given(roots=st.tuples(*(terms(s) for s in SORTS)), model=st.lists(models(), min_size=3, max_size=3))
def test_values_of_random_terms(roots: tuple[Term, ...], model: list[dict[str, Any]]) -> None:
    check_values(roots, [*model, *some_models(5)])


@pytest.mark.parametrize("table", TABLES)
@examples(25)
@given(roots=st.lists(terms(BOOL, 4), min_size=5, max_size=10), model=models())
def test_distances_of_random_conditions(table: str, roots: list[Term], model: dict[str, Any]) -> None:
    check_distances(roots, [model, *some_models(8)], table)


# ---- distances ----

FLOAT_TESTS = [(Op.FP_EQ, EQ), (Op.FP_LT, LT), (Op.FP_LE, LE)]


@pytest.mark.parametrize("table", TABLES)
def test_float_distances_are_the_branch_distances(table: str) -> None:
    a, b = names_of(FLOAT64)[:2]
    plain = [make(op, a, b) for op, _ in FLOAT_TESTS]
    condition = Condition([*plain, *map(negation, plain)], table)
    kinds = [kind for _, kind in FLOAT_TESTS]
    values = [*(x for x in special(FLOAT64) if x == x), math.nan]
    for x in values:
        for y in values:
            run(condition, [condition.address], {a.data: x, b.data: y})
            wanted = [DISTANCES[table](kind, x, y) for kind in (*kinds, *(kind ^ 15 for kind in kinds))]
            assert list(condition.distances) == wanted, (x, y)


@pytest.mark.parametrize("table", TABLES)
def test_integer_distances_are_the_branch_distances(table: str) -> None:
    (a, b), (u, v) = names_of(INT)[:2], names_of(bits(64))[:2]
    plain = [make(op, x, y) for x, y, ops in ((a, b, (Op.EQUAL, Op.LT, Op.LE)), (u, v, (Op.BV_SLT, Op.BV_SLE)))
             for op in ops]  # fmt: skip
    condition = Condition([*plain, *map(negation, plain)], table, order=[a, b, u, v])
    kinds = [EQ, LT, LE, LT, LE]
    for x in special(INT):
        for y in special(INT):
            model = {a.data: x, b.data: y, u.data: x & (1 << 64) - 1, v.data: y & (1 << 64) - 1}
            run(condition, [condition.address], model)
            wanted = [DISTANCES[table](kind, x, y) for kind in (*kinds, *(kind ^ 7 for kind in kinds))]
            assert list(condition.distances) == wanted, (x, y)


def test_steps_of_singles() -> None:
    a, b = names_of(FLOAT32)[:2]
    condition = Condition([make(Op.FP_EQ, a, b)])
    assert run(condition, [condition.address], {a.data: 1.0, b.data: 1.0 + 2.0**-20}) == [8.0]
    assert run(condition, [condition.address], {a.data: -(2.0**-149), b.data: 2.0**-149}) == [3.0]


def test_distances_to_classes_of_floats() -> None:
    a = names_of(FLOAT64)[0]

    def distance(op: Op, x: float) -> float:
        condition = Condition([make(op, a)])
        return run(condition, [condition.address], {a.data: x})[0]

    assert distance(Op.FP_IS_ZERO, 1e-323) == distance(Op.FP_IS_ZERO, -1e-323) == 3
    assert distance(Op.FP_IS_INF, -HUGE) == 2
    assert distance(Op.FP_IS_SUBNORMAL, 2.0**-1022) == distance(Op.FP_IS_SUBNORMAL, 0.0) == 2
    assert distance(Op.FP_IS_NORMAL, math.inf) == 2
    assert distance(Op.FP_IS_NEGATIVE, 0.0) == 2
    assert distance(Op.FP_IS_POSITIVE, -0.0) == 2
    assert distance(Op.FP_IS_POSITIVE, math.nan) == distance(Op.FP_IS_INF, math.nan) < 2.0**52


def test_a_disjunction_costs_its_cheapest_part_and_a_conjunction_the_sum() -> None:
    a, b = names_of(INT)[:2]
    near, far = make(Op.LE, a, constant(INT, 3)), make(Op.LE, b, constant(INT, 10))
    condition = Condition([make(Op.AND, near, far), make(Op.OR, near, far), make(Op.NOT, make(Op.OR, near, far)),
                           if_else(near, far, near), equal(near, far)])  # fmt: skip
    run(condition, [condition.address], {a.data: 5, b.data: 20})
    assert list(condition.distances) == [12, 2, 0, 2, 0]
    run(condition, [condition.address], {a.data: 5, b.data: 8})
    assert list(condition.distances) == [2, 0, 3, 2, 2]


NEAR = [n + d for n in (0, 3, 1 << 53, 1 << 54, 1 << 61, -(1 << 53), -(1 << 60)) for d in (-1025, -2, -1, 0, 1, 3)]
BESIDE = [*special(FLOAT64), 2.5, -2.5, 2.0**53, 2.0**54, 2.0**61, -(2.0**53), 2.0**62 - 512, 2.0**60 + 256, 1e300]


def beside(sort: Any) -> tuple[Term, Term, list[Term], list[dict[str, Any]]]:
    """An integer and a float, their comparisons, and models."""
    n, x = names_of(INT)[0], names_of(sort)[0]
    plain = [make(op, *pair) for op in EXACT for pair in ((n, x), (x, n))]
    return n, x, plain, [{**some_models(1)[0], n.data: m, x.data: narrow(sort, f)} for m in NEAR for f in BESIDE]


@pytest.mark.parametrize("sort", [FLOAT32, FLOAT64], ids=str)
def test_integers_beside_floats_are_compared_exactly(sort: Any) -> None:
    n, x, plain, numbers = beside(sort)
    check_values(plain, numbers)
    for model in numbers[::7]:
        a, b = model[n.data], model[x.data]
        wanted = [a == b, b == a, a < b, b < a, a <= b, b <= a]
        assert [evaluate(term, model) for term in plain] == wanted


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("sort", [FLOAT32, FLOAT64], ids=str)
def test_distances_of_integers_from_floats(sort: Any, table: str) -> None:
    _, _, plain, numbers = beside(sort)
    check_distances(plain, numbers, table)


def test_an_integer_comes_closer_to_a_float_with_every_step() -> None:
    """Also between two doubles, where it is rounded to the same one."""
    n, x = names_of(INT)[0], names_of(FLOAT64)[0]
    condition = Condition([make(Op.EXACT_EQ, n, x)])
    for target in (2.0**54, 2.0**60, -(2.0**57)):
        costs = [run(condition, [condition.address], {n.data: int(target) + k, x.data: target})[0]
                 for k in range(1500)]  # fmt: skip
        assert costs[0] == 0
        assert costs == sorted(costs)
        assert len(set(costs)) == len(costs)


def test_a_real_beside_a_float_is_searched_as_a_double() -> None:
    r, x = variable("r", REAL), names_of(FLOAT32)[0]
    condition = Condition([make(Op.EXACT_EQ, r, x), make(Op.EXACT_LT, x, r)])
    assert condition.approximate
    for above, equals, less in ((0, True, False), (1, False, True), (-1, False, False)):
        run(condition, [condition.address], {"r": 1 + above * Fraction(2) ** -20, x.data: 1.0})
        assert [distance == 0 for distance in condition.distances] == [equals, less]


# ---- what has no value natively ----


@pytest.mark.parametrize(
    ("op", "x", "y"),
    [
        (Op.ADD, 1 << 61, 1 << 61),
        (Op.MUL, 1 << 40, 1 << 40),
        (Op.SUB, -(1 << 61), (1 << 61) + 1),
        (Op.MUL, 1 << 32, -(1 << 32)),
    ],
)
def test_an_overflow_is_never_a_zero(op: Op, x: int, y: int) -> None:
    a, b = names_of(INT)[:2]
    result = make(op, make(Op.MUL, make(op, a, b), constant(INT, 4)), constant(INT, 0))
    zero = make(Op.EQUAL, result, constant(INT, 0))
    condition = Condition([zero, negation(zero), make(Op.LE, a, a)])
    assert run(condition, [condition.address, *condition.parts], {a.data: x, b.data: y}) == [HUGE, HUGE, HUGE, 0]
    assert list(condition.distances) == [HUGE, HUGE, 0]


def test_an_overflow_in_the_other_case_does_not_matter() -> None:
    a = names_of(INT)[0]
    square = make(Op.MUL, a, a)
    capped = if_else(make(Op.LE, a, constant(INT, 1000)), square, constant(INT, -1))
    condition = Condition([make(Op.EQUAL, capped, constant(INT, -1))])
    assert run(condition, [condition.address], {a.data: 1 << 40}) == [0]
    assert run(condition, [condition.address], {a.data: -(1 << 40)}) == [HUGE]


def boom(*_: object) -> Any:
    raise ValueError("boom")


@pytest.mark.parametrize("result", [*SORTS], ids=str)
@pytest.mark.parametrize("function", [boom, lambda a: None, lambda a: "text"], ids=["raises", "None", "text"])
def test_a_callable_that_fails_costs_most(function: Any, result: Any) -> None:
    a = names_of(INT)[0]
    call = make(Op.CALL, a, data=Opaque("bad", (INT,), result, function=function))
    if result == BOOL and function is not boom:
        call = make(Op.CALL, a, data=Opaque("bad", (INT,), bits(8), function=function))
    condition = Condition([equal(call, call), make(Op.LE, a, a)])
    assert run(condition, [condition.address], {a.data: 1}) == [HUGE]
    assert list(condition.distances) == [HUGE, 0]
    with pytest.raises(NoValue, match="bad raised"):
        evaluate(call, {a.data: 1})


def test_a_failed_call_is_forgotten() -> None:
    a = names_of(FLOAT64)[0]
    call = make(Op.CALL, a, data=Opaque("log", (FLOAT64,), FLOAT64, function=math.log))
    condition = Condition([make(Op.FP_LE, call, constant(FLOAT64, 0.0))])
    assert [run(condition, [condition.address], {a.data: x})[0] for x in (-1.0, 0.5, -1.0, 1.0)] == [HUGE, 0, HUGE, 0]


def test_a_callable_takes_python_values() -> None:
    seen: list[Any] = []

    def see(*args: Any) -> bool:
        seen.append(args)
        return True

    sorts = (BOOL, bits(7), bits(64), INT, FLOAT32, FLOAT64)
    opaque = Opaque("see", sorts, BOOL, function=see)
    given_names = [names_of(s)[0] for s in sorts]
    model = dict(zip((v.data for v in given_names), (True, 127, (1 << 64) - 1, -5, 0.5, 0.1), strict=True))
    condition = Condition([make(Op.CALL, *given_names, data=opaque)])
    assert run(condition, [condition.address], model) == [0]
    assert evaluate(condition.conjuncts[0], model) is True
    assert [list(map(type, args)) for args in seen] == [[bool, int, int, int, float, float]] * 2
    assert seen[0] == seen[1] == tuple(model.values())


def test_what_native_code_does_not_compute_is_refused() -> None:
    wide = variable("w", bits(65))
    mode = variable("m", ROUNDING)
    a, n = names_of(FLOAT64)[0], names_of(INT)[0]
    real = Opaque("f", (REAL,), BOOL, function=bool)
    refused = [
        equal(wide, wide),
        make(Op.FP_EQ, a, make(Op.FP_ADD, mode, a, a)),
        make(Op.FP_EQ, a, make(Op.FP_TO_FP, mode, names_of(FLOAT32)[0], data=FLOAT64)),
        equal(mode, mode),
        equal(n, constant(INT, 1 << 63)),
        make(Op.LT, constant(REAL, 10**400), variable("r", REAL)),
        make(Op.CALL, variable("r", REAL), data=real),
    ]
    for term in refused:
        with pytest.raises(Unlowerable, match=r"not searched|more than 64 bits"):
            Condition([term])


def test_real_conditions_are_approximate_and_others_are_not() -> None:
    r = variable("r", REAL)
    tenth = make(Op.DIVIDE, constant(REAL, 1), constant(REAL, 10))
    condition = Condition(
        [make(Op.EQUAL, make(Op.MUL, r, r), tenth), make(Op.LE, r, make(Op.INT_TO_REAL, names_of(INT)[0]))]
    )
    assert condition.approximate
    assert run(condition, [condition.address], {"r": 0.1**0.5, names_of(INT)[0].data: 1})[0] < 10
    assert not Condition([make(Op.LE, names_of(INT)[0], names_of(INT)[1])]).approximate
