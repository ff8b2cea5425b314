"""Scripts are read as they are meant, and what can not be read is named."""

from __future__ import annotations

from typing import Any

import pytest
import z3
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from sampling import examples
from term.terms import models, terms
from zeroin.term.core.build import conjunction, negation
from zeroin.term.core.evaluate import evaluate
from zeroin.term.core.nodes import Op, Term, constant, make, variable
from zeroin.term.core.open_values import resting_on
from zeroin.term.core.sorts import BOOL, FLOAT32, FLOAT64
from zeroin.term.core.traversal import size, variables
from zeroin.term.smt.commands import ScriptError, UnsupportedTheory
from zeroin.term.smt.reader import Script, read, read_all, term_of
from zeroin.term.smt.writer import translate

DECLARATIONS = """
(declare-const x Float32) (declare-const d Float64) (declare-const b (_ BitVec 8)) (declare-const r RoundingMode)
(declare-const i Int) (declare-const j Int) (declare-const q Real) (declare-const a (Array Int Real))
(declare-const s String) (declare-const p Bool)
"""
MODEL = {"x": 1.5, "d": -0.0, "b": 0xA5, "i": -7, "j": 3, "q": 2, "s": "ab", "p": True}
ONE = "((_ to_fp 8 24) RNE 1.0)"


def holds(assertion: str) -> Any:
    (constraint,) = read(f"{DECLARATIONS}(assert {assertion})").constraints
    return evaluate(constraint, MODEL)


@pytest.mark.parametrize("assertion", [
    "(distinct i j 5)", "(=> p p (= x x))", "(xor p false false)", "(< i 0 j 5)", "(= (div i j) (- 3))",
    "(= (mod i j) 2)", "(= (- i) 7 (abs i))", "(= (- i j 1) (- 11))", "(= (/ q 4) 0.5)", "(= (to_real i) (- 7.0))",
    "(is_int q)", "(= (^ j 3) 27)", "(= (to_int (- 0.5)) (- 1))", "(> j i)", "(>= q q)",
    "(= x (fp #b0 #x7f #b10000000000000000000000))", "(= x ((_ to_fp 8 24) RNE 1.5))",
    "(= x ((_ to_fp 8 24) RNE (/ 3 2)))", "(= ((_ to_fp 11 53) RTP (- 0.1)) (fp.neg ((_ to_fp 11 53) RTN 0.1)))",
    "(= x ((_ to_fp 8 24) #x3fc00000))", "(= ((_ to_fp 8 24) RNE b) (fp.neg ((_ to_fp 8 24) RNE 91)))",
    "(fp.lt x ((_ to_fp_unsigned 8 24) RNE b))", "(fp.lt (_ -oo 8 24) x (_ +oo 8 24))",
    "(not (fp.eq (_ NaN 8 24) (_ NaN 8 24)))", "(fp.isNegative d)", "(= ((_ to_fp 8 24) RNE d) (_ -zero 8 24))",
    "(= (fp.to_real x) 1.5)", "(= ((_ fp.to_sbv 8) RNE x) #x02)", "(= ((_ fp.to_ubv 8) RTZ x) #x01)",
    "(= (bvadd b b b) #xef)", "(bvugt b #x7f)", "(bvslt b #x00)", "(= ((_ rotate_left 4) b) #x5a)",
    "(= ((_ rotate_right 1) b) #xd2)", "(= (concat b b) ((_ repeat 2) b))", "(= (bvcomp b b) #b1)",
    "(= (bvnand b b) (bvnot b) (bvnor b b))", "(= (bvxnor b b) #xff)", "(= ((_ extract 3 0) b) #x5)",
    "(= ((_ zero_extend 4) b) #x0a5)", "(= ((_ sign_extend 4) b) #xfa5)", "(= (bv2nat b) 165)",
    "(= ((_ int2bv 8) i) #xf9)", "(= (bvsdiv b #x02) #xd3)", '(= (str.++ s s) "abab")', "(= (str.len s) 2)",
    '(= (str.at s 1) "b")', '(str.prefixof "a" s)', '(str.contains s "b")', "(str.<= s s)", '(str.< s "b")',
    "(let ((k (bvmul b b))) (= k #x59))", "(ite p (= i (- 7)) false)",
    "(= (select ((as const (Array Int Real)) q) 5) 2.0)", "(= (fp.min x x) (fp.max x x))",
    "(= (fp.abs x) (fp.sqrt RNE (fp.mul RNE x x)))",
    "(= (rem i j) 2)", "(= (rem i (- j)) (- 2))", "(= (+ i j 1) (- 3))", "(= (* i j 2) (- 42))", "(<= i j j 5)",
    "(not (<= j i))", "(not (< j j))", "(not (> j j))", "(not (>= i j))", "(not (is_int (/ q 4)))", "(= (^ q 3) 8.0)",
    "(= (^ q 0) 1.0)", "(= (^ j 0) 1)", "(= (/ 1 3 2) (/ 1 6))", "(= (/ q 2 2) 0.5)", "(= (div j (- 2) 1) (- 1))",
    "(= (abs j) 3)", "(xor p p p)", "(not (xor p p))", "(not (=> p p false))", "(=> p false true)",
    "(not (distinct i j i))", "(and p (or false p) (not (and p false)))", f"(fp.leq {ONE} x x)",
    f"(not (fp.leq x {ONE}))", f"(fp.gt x {ONE})", "(not (fp.gt x x))", f"(fp.geq x x {ONE})",
    f"(not (fp.geq {ONE} x))", "(not (fp.lt x x))", "(fp.eq d ((_ to_fp 11 53) RNE 0.0))", "(fp.isNaN (_ NaN 8 24))",
    "(not (fp.isNaN x))", "(fp.isInfinite (_ -oo 8 24))", "(not (fp.isInfinite x))", "(fp.isZero d)",
    "(not (fp.isZero x))", "(fp.isNormal x)", "(not (fp.isNormal d))", "(fp.isSubnormal ((_ to_fp 8 24) #x00000001))",
    "(not (fp.isSubnormal x))", "(fp.isPositive x)", "(not (fp.isPositive d))", "(not (fp.isNegative x))",
    f"(= (fp.roundToIntegral RTZ x) {ONE})", "(= (fp.add RNE x x) ((_ to_fp 8 24) RNE 3.0))",
    f"(= (fp.sub RNE x {ONE}) ((_ to_fp 8 24) RNE 0.5))", f"(= (fp.div RNE x x) {ONE})",
    f"(= (fp.fma RNE x x {ONE}) ((_ to_fp 8 24) RNE 3.25))", f"(= (fp.rem x {ONE}) ((_ to_fp 8 24) RNE (- 0.5)))",
    "(= (fp.sqrt RNE ((_ to_fp 8 24) RNE 2.25)) x)", f"(= (fp.min {ONE} x) {ONE})", f"(= (fp.max {ONE} x) x)",
    "(= (fp.to_ieee_bv x) #x3fc00000)", "(= ((_ to_fp 8 24) RNE i) ((_ to_fp 8 24) RNE (- 7.0)))",
    "(= ((_ to_fp 8 24) RTZ q) ((_ to_fp 8 24) RNE 2.0))", "(= (sbv_to_int b) (- 91))", "(= (ubv_to_int b) 165)",
    "(= ((_ int_to_bv 8) j) #x03)", "(bvult #x01 b)", "(not (bvult b b))", "(bvule b b)", "(not (bvule b #x01))",
    "(not (bvugt b b))", "(bvuge b b)", "(not (bvuge #x01 b))", "(not (bvslt b b))", "(bvsle b b)",
    "(not (bvsle #x01 b))", "(bvsgt #x01 b)", "(not (bvsgt b b))", "(bvsge b b)", "(not (bvsge b #x01))",
    "(= (bvand b #x0f) #x05)", "(= (bvor b #x0f) #xaf)", "(= (bvxor b #xff) #x5a)", "(= (bvsub b #x06) #x9f)",
    "(= (bvmul b #x03) #xef)", "(= (bvudiv b #x02) #x52)", "(= (bvurem b #x10) #x05)", "(= (bvsrem b #x0a) #xff)",
    "(= (bvsmod b #x0a) #x09)", "(= (bvshl b #x01) #x4a)", "(= (bvlshr b #x04) #x0a)", "(= (bvashr b #x04) #xfa)",
    "(= (bvneg b) #x5b)", "(= (bvnot b) #x5a)", "(= (bvnand b #x0f) #xfa)", "(= (bvnor b #x0f) #x50)",
    "(= (bvxnor b #x0f) #x55)", "(= (bvcomp b #x00) #b0)", "(= ((_ rotate_left 8) b) b)",
    "(= ((_ rotate_left 9) b) #x4b)", "(= ((_ rotate_right 12) b) #x5a)", "(= ((_ extract 7 4) b) #xa)",
    "(= (concat #x1 b) #x1a5)", "(= ((_ repeat 3) b) (concat b b b))", '(str.suffixof "b" s)',
    '(not (str.suffixof "a" s))', '(not (str.prefixof "b" s))', '(not (str.contains s "c"))', '(str.<= s "b")',
    '(not (str.<= "b" s))', "(not (str.< s s))", '(= (str.++ s "c" s) "abcab")',
    '(= (str.len "\\u{1f600}\\u{e9}") 2)', '(distinct "\\u{e9}" "e9")',
])  # fmt: skip
def test_operations(assertion: str) -> None:
    assert holds(assertion) is True


@pytest.mark.parametrize("value", [1.5, -0.1, 1e-45, 5e-324, -0.0, 0.0, float("inf"), float("-inf"), float("nan")])
def test_numerals_of_models(value: float) -> None:
    for theirs, ours in ((z3.Float32(), FLOAT32), (z3.Float64(), FLOAT64)):
        assert term_of(z3.FPVal(value, theirs)) is constant(ours, value)


def test_arrays() -> None:
    (constraint,) = read(f"{DECLARATIONS}(assert (= (select (store a i 1.0) j) q))").constraints
    assert str(constraint) == "(= (select (store a i 1) j) q)"


@examples(100, suppress_health_check=list(HealthCheck))
@given(terms(BOOL), models())
def test_there_and_back(term: Term, model: dict[str, Any]) -> None:
    again = read(translate([term]).body).constraints
    if all(v.data in model for v in variables(again)):  # else the bits of a float are a constant that the text adds
        assert all(evaluate(c, model) for c in again) == evaluate(term, model)


def test_what_a_script_says_of_itself() -> None:
    script = read(
        "(set-logic QF_FP)(set-info :status unsat)(declare-const x Float32)(assert (fp.lt x x))(check-sat)(exit)"
    )
    x = variable("x", FLOAT32)
    assert script.constraints == (make(Op.FP_LT, x, x),)
    assert (script.expected, script.logic) == ("unsat", "QF_FP")
    assert read("(declare-const p Bool)(assert p)").expected is None


def test_comments_and_quotes_are_not_commands() -> None:
    text = '; (push 1)\n(set-info :source |a (check-sat) ; (pop)|)(echo "(push")'
    text += "(declare-const |a(b| Bool)(assert |a(b|)(check-sat)"
    assert read(text).constraints == (variable("a(b", BOOL),)


def test_queries_of_a_script_hold_where_they_stand() -> None:
    p, q, r = (variable(name, BOOL) for name in "pqr")
    found = read_all("""
        (set-logic QF_UF)(declare-const p Bool)(assert p)(set-info :status sat)(check-sat)
        (push 1)(declare-const q Bool)(assert q)(push)(assert (not p))(check-sat)
        (pop 2)(check-sat-assuming ((not p)
          p))(check-sat-assuming ())
        (set-option :global-declarations true)(push 1)(declare-const r Bool)(assert r)
        (set-info :status unsat)(check-sat)
        (pop 1)(reset-assertions)(push 0)(assert r)(check-sat)(reset)(declare-const q Bool)(assert q)(check-sat)(exit)
        (assert p)(check-sat)
    """)
    assert [script.constraints for script in found] == [
        (p,), (p, q, negation(p)), (p, conjunction([negation(p), p])), (p,), (p, r), (r,), (q,)
    ]  # fmt: skip
    assert [script.expected for script in found] == ["sat", None, None, None, "unsat", None, None]
    assert [script.logic for script in found] == ["QF_UF"] * 6 + [None]


@examples(100)
@given(st.lists(st.sampled_from(["(push 1)", "(pop 1)", "(push 2)", "(check-sat)", *(
    f"(assert {part})" for part in ("p", "q", "(not p)", "(or p q)", "(= p q)"))]), max_size=12))  # fmt: skip
def test_scripts_have_the_answers_of_z3(commands: list[str]) -> None:
    script = "(declare-const p Bool)(declare-const q Bool)" + "".join(commands)
    script += "(assert (or p q))(check-sat)"
    context = z3.Context()
    try:
        said = z3.Z3_eval_smtlib2_string(context.ref(), script)
    except z3.Z3Exception:
        with pytest.raises(ScriptError, match="pop"):
            read_all(script)
        return
    found = read_all(script)
    answers = ["unsat" if has_no_model(one) else "sat" for one in found]
    assert answers == said.split()


def has_no_model(script: Script) -> bool:
    return not any(
        all(evaluate(one, {"p": a, "q": b}) for one in script.constraints) for a in (False, True) for b in (False, True)
    )


OPEN = {
    "(= q (/ q 0.0))": "a division by zero", "(= q (/ 1.0 0.0))": "a division by zero",
    "(= i (div i (- j 3)))": "a division by zero",
    "(= i (mod i 0))": "a division by zero", "(= b ((_ fp.to_sbv 8) RTZ x))": "a cast that does not fit",
    "(= d (fp.min (fp.neg d) d))": "the least or greatest of -0.0 and 0.0",
    "(= q (fp.to_real (fp.div RNE d d)))": "the number of NaN or an infinity",
    "(= (fp.to_ieee_bv (fp.div RNE d d)) #x7ff8000000000000)": "the bits of NaN",
}  # fmt: skip
DECIDED = [
    "(= i (div i 2))", "(= x (fp.min x ((_ to_fp 8 24) RNE 1.0)))", "(= q (fp.to_real x))", "(= b (bvudiv b #x00))",
    "(= b (bvurem b #x00))", "(= b (bvsdiv b #x00) (bvsrem b #x00) (bvsmod b #x00))", "(= b (bvshl b #x09))",
    "(= #x0000000000000000 (fp.to_ieee_bv d))", "(or p (= q (/ q 0.0)))", "(ite p p (= q (/ q 0.0)))",
]  # fmt: skip


@pytest.mark.parametrize("assertion", [*OPEN, *DECIDED])
def test_what_is_left_open(assertion: str) -> None:
    constraints = read(f"{DECLARATIONS}(assert {assertion})").constraints
    model = MODEL | ({"x": 300.0} if "to_sbv" in assertion else {})
    assert resting_on(constraints, model) == ((OPEN[assertion],) if assertion in OPEN else ())


@pytest.mark.parametrize("after", [
    "(check-sat)(assert false)", "(check-sat)(assert (foo p))", "(exit)(assert false)(check-sat)", "(check-sat)(exit)",
    "(check-sat)(get-model)(exit)(push 1)(assert false)(check-sat)", "(exit)(assert (and p", "",
    "(check-sat)(set-info :status unsat)", "(exit)(reset)(check-sat)(check-sat)(set-info :status unsat)",
])  # fmt: skip
def test_only_what_stands_before_the_check_counts(after: str) -> None:
    script = read(f"(set-info :status sat)(declare-const p Bool)(assert p){after}")
    assert script.constraints == (variable("p", BOOL),)
    assert script.expected == "sat"


@pytest.mark.parametrize(("text", "message"), [
    ("", "empty"), ("; nothing", "empty"), ("(check-sat)", "asserts nothing"),
    ("(declare-const p Bool)(check-sat)(assert p)", "asserts nothing before its"),
    ("(declare-const p Bool)(assert p)(check-sat)\n(pop 1)", r"line 2: \(pop 1\) without as many \(push\)"),
    ("(assert true))", "line 1"), ("(exit)(assert true)", "asserts nothing"),
    ("(declare-const p Bool)(push 2)(assert p)(pop 3)(check-sat)", r"line 1: \(pop 3\)"),
    ("(declare-const p Bool)(assert p)(check-sat)(assert (not p))(check-sat)", "2 queries"),
    ("(declare-const p Bool)(push 1)(declare-const q Bool)(pop 1)\n(assert (or p q))(check-sat)", "line 2: .*q"),
    ("(declare-const p Bool)(assert p)\n(assert-soft p :weight 2)(check-sat)", "line 2: assert-soft is not supported"),
    ("(declare-const p Bool)\n\n(assert (foo p))", "line 3: unknown constant foo"),
    ("(declare-const p Bool)(set-info :source |a\n\nb|)(assert (foo p))", "line 3: unknown constant foo"),
    ("(declare-const p Bool)(assert (and p", "line 1"),
])  # fmt: skip
def test_scripts_that_can_not_be_read(text: str, message: str) -> None:
    with pytest.raises(ScriptError, match=message) as raised:
        read(text)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(("text", "message"), [
    ("(assert (forall ((k Int)) (= k i)))", "quantifiers"),
    ("(declare-fun f (Int) Int)(assert (= i (f i)))", "functions"),
    ("(declare-const h Float128)(assert (fp.isNaN h))", "_ FloatingPoint 15 113"),
    ("(declare-sort U 0)(declare-const u U)(assert (= u u))", "uninterpreted sorts"),
    ("(declare-datatypes ((P 0)) (((mk (f Int)))))(declare-const u P)(assert (= u u))", "datatypes"),
    ("(declare-const m (Array Int Int Int))(assert (= m m))", "several indices"),
    ("(assert (= i (^ i j)))", "exponent"), ("(assert (= q (^ q 1025)))", "exponent"),
    ("(assert (= q (^ q 0.5)))", "exponent"), ("(assert (= q (^ q (- 1.0))))", "exponent"),
    ('(assert (str.in_re s (re.* (str.to_re "a"))))', "str.to_re|regular"), ("(assert (bvuaddo b b))", "bvuaddo"),
])  # fmt: skip
def test_theories_that_terms_do_not_have(text: str, message: str) -> None:
    with pytest.raises(UnsupportedTheory, match=message):
        read(DECLARATIONS + text)


def test_a_script_as_model_checkers_write_them() -> None:
    name, sort = "|c::main::1::x!0@1#1|", "(_ FloatingPoint 8 24)"
    lines = ["(set-logic QF_FP)", "(set-info :status unknown)", f"(declare-fun {name} () {sort})"]
    lines += ["(define-fun _r () RoundingMode RNE)", f"(define-fun _t_0 () {sort} {name})"]
    lines += [
        f"(define-fun _t_{i} () {sort} (fp.add _r _t_{i - 1} (fp.mul _r _t_{i - 1} _t_0)))" for i in range(1, 400)
    ]
    script = read("\n".join([*lines, "(assert (fp.lt _t_399 _t_0))", "(check-sat)"]))
    assert size(script.constraints) == 2 + 2 * 399 + 1
    assert script.constraints == read(translate(script.constraints).body).constraints
