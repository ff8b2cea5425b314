"""Random Python expressions of what ``zeroin solve -e`` takes, and Python's own opinion of them."""

from __future__ import annotations

import ast
import builtins
import math
from typing import Any

from hypothesis import strategies as st

from zeroin.term.core.evaluate import evaluate
from zeroin.term.core.sorts import BOOL, FLOAT64, INT
from zeroin.term.expression.typed import Choice, Literal, TypedValue

SORTS = {"x": FLOAT64, "y": FLOAT64, "n": INT, "m": INT, "k": INT, "b": BOOL}
ONE = """sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 cbrt erf erfc sqrt fabs log log2
log10 log1p lgamma radians degrees float math.sqrt"""
TWO = ("atan2", "fmod", "remainder", "math.pow", "nextafter", "hypot", "log")
WHOLE = ("floor", "ceil", "trunc", "round", "int", "math.floor")
NAMES = {name: getattr(math, name) for name in dir(math) if not name.startswith("_")} | {"math": math, "pow": pow}
RAISED = object()

_TEST = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
_INTS = st.sampled_from(["n", "m", "0", "1", "2", "7", "-3", "1000", "2**53", "(2**53 + 1)", "10**25", "n", "m"])
_FLOATS = st.sampled_from(["x", "y", "0.5", "-0.0", "1e308", "3.0", "pi", "inf", "nan", "5e-324", "2.0**53", "1e17"])
_EXPONENTS = st.sampled_from(["k", "0", "1", "2", "3", "-1", "-2"])
_POWERS = st.builds(  # not of powers, which can be too long for Python
    str.format, st.sampled_from(["({} ** {})", "pow({}, {})"]), st.one_of(_INTS, _FLOATS), _EXPONENTS
)


def _both(inner: st.SearchStrategy[str], conditions: st.SearchStrategy[str], plain: bool) -> st.SearchStrategy[str]:
    """Numbers made of numbers; plain ones need no function of the C library, and no power."""
    binary = st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "/", "//", "%"]), inner)
    rounded = st.builds("{}({})".format, st.sampled_from(WHOLE), inner)
    signed = st.builds("{}({})".format, st.sampled_from(["abs", "-", "+", "float"]), inner)
    extremes = st.builds("{}({}, {})".format, st.sampled_from(["min", "max"]), inner, inner)
    either = st.builds("({} if {} else {})".format, inner, conditions, inner)
    common = [binary, binary, binary, rounded, signed, extremes, either]
    if plain:
        return st.one_of(common)
    functions = [
        st.builds("{}({})".format, st.sampled_from(ONE.split()), inner),
        st.builds("{}({}, {})".format, st.sampled_from(TWO), inner, inner),
        _POWERS,
        st.builds("(x ** {})".format, inner),
    ]
    return st.one_of(common + functions)


def numbers(plain: bool = False, leaves: int = 5) -> st.SearchStrategy[str]:
    """Expressions that are an int, a float, or either."""
    simple = st.builds("{} {} {}".format, st.one_of(_INTS, _FLOATS), _TEST, st.one_of(_INTS, _FLOATS)) | st.just("b")
    return st.recursive(st.one_of(_INTS, _FLOATS), lambda inner: _both(inner, simple, plain), max_leaves=leaves)


def conditions(plain: bool = False, leaves: int = 4) -> st.SearchStrategy[str]:
    """Expressions that are true or false."""
    number = numbers(plain, leaves)
    leaf = st.one_of(
        st.builds("{} {} {}".format, number, _TEST, number),
        st.builds("{} {} {} {} {}".format, number, _TEST, number, _TEST, number),
        st.builds("{}({})".format, st.sampled_from(["isnan", "isinf", "isfinite", "bool"]), number),
        st.just("b"),
    )
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.builds("({} {} {})".format, inner, st.sampled_from(["and", "or"]), inner),
            st.builds("(not {})".format, inner),
            st.builds("({} if {} else {})".format, inner, inner, inner),
        ),
        max_leaves=4,
    )


_SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, 3.0, 5e-324, -5e-324, 1e-310, 2.0**53, 2.0**53 + 2, -(2.0**63), 1e17, 1e300,
            1.7976931348623157e308, math.inf, -math.inf, math.nan]  # fmt: skip
_LARGE = [0, 1, -1, 2, 3, 7, 2**53, 2**53 + 1, -(2**53) - 1, 2**60 + 3, 2**62 - 1, 2**63, 10**17 + 1]
SMALL = st.integers(-9, 9) | st.sampled_from([40, 70, 1100, -1100])
FLOATS = st.sampled_from(_SPECIAL) | st.floats() | st.floats(-10, 10)


def models(huge: bool = True) -> st.SearchStrategy[dict[str, Any]]:
    """Values of the variables; huge ones are too large for a float."""
    ints = st.sampled_from(_LARGE) | st.integers(-(2**70), 2**70) | st.integers(-9, 9)
    ints = ints | st.sampled_from([10**400, -(10**309)]) if huge else ints
    return st.fixed_dictionaries({"x": FLOATS, "y": FLOATS, "n": ints, "m": ints, "k": SMALL, "b": st.booleans()})


def in_python(text: str, model: dict[str, Any]) -> Any:
    """The value, or :data:`RAISED`; a power that is a complex number, which is none of ours, counts as that at once."""
    tree = _Powers().visit(ast.parse(text, mode="eval"))
    names = {"__builtins__": builtins.__dict__ | NAMES | {"_power": _power}}
    try:
        return eval(compile(ast.fix_missing_locations(tree), text, "eval"), names, model)
    except (ArithmeticError, ValueError):
        return RAISED


class _Powers(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow):
            return node
        return ast.Call(ast.Name("_power", ast.Load()), [node.left, node.right], [])


def _power(base: Any, exponent: Any) -> Any:
    found = base**exponent
    if isinstance(found, complex):
        raise ValueError("complex")
    return found


def value_of(value: TypedValue, model: dict[str, Any]) -> Any:
    """What a part of an expression is for a model, if it raises no exception."""
    if isinstance(value, Literal):
        return value.value
    if isinstance(value, Choice):
        return value_of(value.then if evaluate(value.condition, model) else value.other, model)
    return evaluate(value.term, model)
