"""The reader of SMT-LIB scripts: z3 parses the text of each query, and its assertions become terms.

Where SMT-LIB does not define a value (a division by zero, a cast that does not fit), the term's value is open, too.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise

import z3

from ..core.build import FALSE, TRUE, conjunction, disjunction, equal, if_else, negation
from ..core.evaluate import evaluate
from ..core.nodes import Op, Rounding, SortError, Term, bits_of_float, constant, float_constant, make, variable
from ..core.open_values import NAN_BITS
from ..core.sorts import BOOL, INT, REAL, ROUNDING, STRING, Sort, array, bits, float_sort, has_values
from .commands import Check, ScriptError, UnsupportedTheory, checks, complaint


@dataclass(frozen=True)
class Script:
    """One query of a script.

    Attributes:
        constraints: the assertions that hold at the query, in order.
        expected: the answer in the script's ``:status``: "sat", "unsat" or "unknown"; None if there is none.
        logic: the logic in ``set-logic``; None if there is none.
    """

    constraints: tuple[Term, ...]
    expected: str | None = None
    logic: str | None = None


def read_all(text: str) -> list[Script]:
    """Read all queries of a script: one for each (check-sat), with the assertions that hold there.

    Args:
        text: the text of the script.

    Raises:
        ScriptError: it does not parse, is empty, or asserts nothing.
        UnsupportedTheory: it uses a feature that terms do not have, such as quantifiers or uninterpreted functions.
    """
    return [_script(check) for check in checks(text)]


def read(text: str) -> Script:
    """Read a script with one query; see :func:`read_all` for the argument.

    Raises:
        ScriptError: also if it has several queries.
        UnsupportedTheory: see :func:`read_all`.
    """
    found = checks(text)
    if len(found) > 1:
        raise ScriptError(f"the script has {len(found)} queries; give one with a single (check-sat)")
    return _script(found[0])


def _script(check: Check) -> Script:
    """Return one query as terms.

    Raises:
        ScriptError: it does not parse.
        UnsupportedTheory: see :func:`read_all`.
    """
    try:
        asserted = z3.parse_smt2_string(check.text, ctx=z3.Context())
    except z3.Z3Exception as error:
        raise ScriptError(complaint(str(error))) from error
    reader = _Reader()
    return Script(tuple(map(reader.term, asserted)), check.status, check.logic)


def term_of(expression: z3.ExprRef) -> Term:
    """Return a z3 expression as a term.

    Raises:
        UnsupportedTheory: it uses a feature that terms do not have.
    """
    return _Reader().term(expression)


# ---- sorts ----

_SORTS = {z3.Z3_BOOL_SORT: BOOL, z3.Z3_INT_SORT: INT, z3.Z3_REAL_SORT: REAL, z3.Z3_ROUNDING_MODE_SORT: ROUNDING}
_THEORIES = {z3.Z3_DATATYPE_SORT: "datatypes", z3.Z3_UNINTERPRETED_SORT: "uninterpreted sorts",
             z3.Z3_SEQ_SORT: "sequences", z3.Z3_RE_SORT: "regular expressions"}  # fmt: skip


def _sort(sort: z3.SortRef) -> Sort:
    """Return a sort of z3.

    Raises:
        UnsupportedTheory: terms have no such sort.
    """
    kind = sort.kind()
    if kind in _SORTS:
        return _SORTS[kind]
    if kind == z3.Z3_BV_SORT:
        return bits(sort.size())
    if kind == z3.Z3_FLOATING_POINT_SORT:
        return _float_sort(sort.ebits(), sort.sbits())
    if kind == z3.Z3_SEQ_SORT and sort.is_string():
        return STRING
    if kind == z3.Z3_ARRAY_SORT:
        try:
            sort.domain_n(1)
        except z3.Z3Exception:  # there is only one index
            return array(_sort(sort.domain()), _sort(sort.range()))
        raise UnsupportedTheory("arrays with several indices are not supported; nest arrays with one index")
    raise UnsupportedTheory(f"{_THEORIES.get(kind, 'the theory')} of the sort {sort} are not supported")


def _float_sort(exponent: int, digits: int) -> Sort:
    """Return the float sort with these numbers of bits.

    Raises:
        UnsupportedTheory: it has values that double does not have.
    """
    found = float_sort(exponent, digits)
    if not has_values(found):
        raise UnsupportedTheory(f"the sort {found} is not supported: floats have at most 11 bits of exponent and 53 of "
                                "significand, as Float64")  # fmt: skip
    return found


# ---- terms ----


class _Reader:
    """Builds the terms of one script."""

    def __init__(self) -> None:
        self._known: dict[int, Term] = {}  # by z3's ids of expressions

    def term(self, root: z3.ExprRef) -> Term:
        """Return the term of a z3 expression.

        Raises:
            UnsupportedTheory: the expression has a quantifier, or a sort or function that zeroin does not know.
        """
        stack: list[tuple[z3.ExprRef, int, list[int] | None]] = [(root, root.get_id(), None)]
        while stack:
            node, key, children = stack.pop()
            if key in self._known:
                continue
            if children is None:
                if not z3.is_app(node):
                    raise UnsupportedTheory("quantifiers are not supported; give a formula without them")
                below = [(child, child.get_id()) for child in node.children()]
                stack.append((node, key, [k for _, k in below]))
                stack.extend((child, k, None) for child, k in reversed(below) if k not in self._known)
                continue
            self._known[key] = self._made(node, [self._known[k] for k in children])
        return self._known[root.get_id()]

    def _made(self, node: z3.ExprRef, args: list[Term]) -> Term:
        """Return the term for one z3 expression, given those of its arguments.

        Raises:
            UnsupportedTheory: terms have no such function or sort.
        """
        declared = node.decl()
        name, kind = declared.name(), declared.kind()
        if kind == z3.Z3_OP_UNINTERPRETED:
            if args:
                raise UnsupportedTheory(f"uninterpreted functions are not supported: {name}")
            return variable(name, _sort(node.sort()))
        if not args:
            return _literal(node, name)
        if name == "const":
            return make(Op.FILLED, *args, data=_sort(node.sort()))
        make_it = _OPERATIONS.get(name)
        try:
            if make_it is not None:
                return make_it(self, args, declared.params())
        except SortError as error:
            raise UnsupportedTheory(f"{name} is not supported for these sorts: {error}") from error
        raise UnsupportedTheory(f"{name} is not supported")


_NAMED = {"true": TRUE, "false": FALSE} | {mode.value: constant(ROUNDING, mode) for mode in Rounding}
_SPECIAL_FLOATS = {"+oo": float("inf"), "-oo": float("-inf"), "NaN": float("nan"), "+zero": 0.0, "-zero": -0.0}


def _literal(node: z3.ExprRef, name: str) -> Term:
    """Return a constant.

    Raises:
        UnsupportedTheory: its sort is not supported.
    """
    if name in _NAMED:
        return _NAMED[name]
    if name in _SPECIAL_FLOATS:
        return constant(_sort(node.sort()), _SPECIAL_FLOATS[name])
    if z3.is_fp_value(node):  # models have numerals
        return _numeral(node)
    if z3.is_string_value(node):
        return constant(STRING, _string(node))
    sort = _sort(node.sort())
    if sort == REAL:
        return constant(REAL, Fraction(node.as_fraction()))
    if sort == INT or sort.is_bits:
        return constant(sort, node.as_long())
    raise UnsupportedTheory(f"{name} is not supported")


def _numeral(node: z3.ExprRef) -> Term:
    """Return the float constant of a numeral, from its text: ``(fp #b0 #b101 #x2)`` or ``(_ NaN 3 5)``."""
    sort, parts = _sort(node.sort()), node.sexpr().strip("()").split()
    if parts[0] == "_":
        return constant(sort, _SPECIAL_FLOATS[parts[1]])
    sign, exponent, digits = (int(part[2:], 2 if part[1] == "b" else 16) for part in parts[1:])
    return float_constant(sort, ((sign << sort.sizes[0]) + exponent << sort.sizes[1] - 1) + digits)


def _string(node: z3.ExprRef) -> str:
    """Return the characters of a string. z3's printed form is no substitute, as it is not always escaped."""
    length = z3.Z3_get_string_length(node.ctx_ref(), node.as_ast())
    codes = (ctypes.c_uint * length)()
    z3.Z3_get_string_contents(node.ctx_ref(), node.as_ast(), length, codes)
    return "".join(map(chr, codes))


Operation = Callable[[_Reader, list[Term], list[int]], Term]  # takes the arguments and the indices


def _folded(term: Term) -> Term:
    """Return the value as a constant if all arguments are constants; otherwise the term."""
    if not all(a.is_constant for a in term.args):
        return term
    return constant(term.sort, evaluate(term, {}))


def _plain(op: Op) -> Operation:
    return lambda r, args, _: make(op, *args)


def _left(op: Op) -> Operation:
    """Return a left-associative operation: ``((a op b) op c) ...``"""

    def operation(r: _Reader, args: list[Term], _: list[int]) -> Term:
        result = args[0]
        for arg in args[1:]:
            result = make(op, result, arg)
        return result

    return operation


def _chain(relation: Callable[[Term, Term], Term]) -> Operation:
    """Return a chained relation: ``a < b`` and ``b < c`` and ..."""
    return lambda r, args, _: conjunction(relation(a, b) for a, b in pairwise(args))


def _less(op: Op) -> Operation:
    return _chain(lambda a, b: make(op, a, b))


def _greater(op: Op) -> Operation:
    return _chain(lambda a, b: make(op, b, a))


def _not(operation: Operation, op: Op) -> Operation:
    return lambda r, args, params: make(op, operation(r, args, params))


def _xor(r: _Reader, args: list[Term], _: list[int]) -> Term:
    result = args[0]
    for arg in args[1:]:
        result = negation(equal(result, arg))
    return result


def _minus(r: _Reader, args: list[Term], params: list[int]) -> Term:
    return _folded(make(Op.NEG, *args)) if len(args) == 1 else _left(Op.SUB)(r, args, params)


def _division(op: Op) -> Operation:
    def operation(r: _Reader, args: list[Term], _: list[int]) -> Term:
        result = args[0]
        for divisor in args[1:]:
            result = make(op, result, divisor)
            result = _folded(result) if op is Op.DIVIDE and divisor.is_constant and divisor.data else result
        return result

    return operation


def _rem(r: _Reader, args: list[Term], params: list[int]) -> Term:
    """Read z3's ``rem``: the modulus, negated if the divisor is negative."""
    rest = _division(Op.EUCLID_MOD)(r, args, params)
    return if_else(make(Op.LT, args[1], constant(INT, 0)), make(Op.NEG, rest), rest)


_MOST = 1024  # the largest exponent of a power


def _power(r: _Reader, args: list[Term], _: list[int]) -> Term:
    base, exponent = args
    if not exponent.is_constant or not 0 <= exponent.data <= _MOST or exponent.data != int(exponent.data):
        raise UnsupportedTheory("^ is only supported with a constant exponent that is a natural number")
    if base.sort == INT:
        return make(Op.POWER, base, constant(INT, int(exponent.data)))
    result = constant(REAL, 1)
    for _digit in range(int(exponent.data)):
        result = make(Op.MUL, result, base) if result.op is not Op.CONSTANT else base
    return result


def _number(op: Op) -> Operation:
    return lambda r, args, _: _folded(make(op, *args))


# ---- floats ----


def _float(r: _Reader, args: list[Term], _: list[int]) -> Term:
    """Read ``fp``: a float from its sign, exponent and digits."""
    sign, exponent, digits = args
    sort = _float_sort(exponent.sort.width, digits.sort.width + 1)
    pattern = make(Op.BV_CONCAT, make(Op.BV_CONCAT, sign, exponent), digits)
    if all(a.is_constant for a in args):
        return float_constant(sort, evaluate(pattern, {}))
    return make(Op.FP_FROM_BITS, pattern, data=sort)


def _to_float(r: _Reader, args: list[Term], params: list[int]) -> Term:
    sort = _float_sort(*params)
    if len(args) == 1:
        return _folded(make(Op.FP_FROM_BITS, *args, data=sort))
    if len(args) != 2:
        raise UnsupportedTheory("to_fp of a number and an exponent is not supported; give the number itself")
    source = args[1].sort
    op = Op.FP_TO_FP if source.is_float else Op.INT_TO_FP if source == INT else Op.REAL_TO_FP
    return _folded(make(Op.SIGNED_TO_FP if source.is_bits else op, *args, data=sort))


def _to_bits(op: Op) -> Operation:
    return lambda r, args, params: make(op, *args, data=bits(params[0]))


def _ieee_bits(r: _Reader, args: list[Term], _: list[int]) -> Term:
    """Read ``fp.to_ieee_bv``. SMT-LIB has only one NaN, so all NaNs of a script have the same bits, which are open."""
    (a,) = args
    nan = constant(bits(a.sort.width), bits_of_float(a.sort, float("nan")))
    return if_else(make(Op.FP_IS_NAN, a), make(Op.OPEN, nan, data=NAN_BITS), make(Op.FP_TO_BITS, a))


# ---- bit vectors ----


def _target(op: Op) -> Operation:
    """Return an extension by a number of bits, which is the parameter of SMT-LIB's operation."""
    return lambda r, args, params: make(op, *args, data=bits(args[0].sort.width + params[0]))


def _rotated(to_left: bool) -> Operation:
    """Return a rotation, which is made of two extractions."""

    def operation(r: _Reader, args: list[Term], params: list[int]) -> Term:
        (a,), width = args, args[0].sort.width
        low = (width - params[0] if to_left else params[0]) % width  # the bit that becomes the lowest
        if low == 0:
            return a
        high = make(Op.BV_EXTRACT, a, data=(width - 1, low))
        return make(Op.BV_CONCAT, make(Op.BV_EXTRACT, a, data=(low - 1, 0)), high)

    return operation


def _compared(r: _Reader, args: list[Term], _: list[int]) -> Term:
    """Read ``bvcomp``, whose result is one bit."""
    return if_else(equal(*args), constant(bits(1), 1), constant(bits(1), 0))


_OPERATIONS: dict[str, Operation] = {
    "not": lambda r, args, _: negation(args[0]), "and": lambda r, args, _: conjunction(args),
    "or": lambda r, args, _: disjunction(args), "xor": _xor, "if": _plain(Op.ITE), "=": _chain(equal),
    "=>": lambda r, args, _: disjunction([*map(negation, args[:-1]), args[-1]]),
    "distinct": lambda r, args, _: conjunction(negation(equal(*pair)) for pair in combinations(args, 2)),
    "+": _left(Op.ADD), "-": _minus, "*": _left(Op.MUL), "/": _division(Op.DIVIDE), "div": _division(Op.EUCLID_DIV),
    "mod": _division(Op.EUCLID_MOD), "rem": _rem, "abs": _plain(Op.ABS), "**": _power, "^": _power,
    "to_real": _number(Op.INT_TO_REAL), "to_int": _plain(Op.REAL_TO_INT),
    "is_int": lambda r, args, _: equal(make(Op.INT_TO_REAL, make(Op.REAL_TO_INT, *args)), *args),
    "<": _less(Op.LT), "<=": _less(Op.LE), ">": _greater(Op.LT), ">=": _greater(Op.LE),
    "fp": _float, "to_fp": _to_float, "fp.eq": _less(Op.FP_EQ),
    "to_fp_unsigned": lambda r, args, p: make(Op.UNSIGNED_TO_FP, *args, data=_float_sort(*p)),
    "fp.lt": _less(Op.FP_LT), "fp.leq": _less(Op.FP_LE), "fp.gt": _greater(Op.FP_LT), "fp.geq": _greater(Op.FP_LE),
    "fp.isNaN": _plain(Op.FP_IS_NAN), "fp.isInfinite": _plain(Op.FP_IS_INF), "fp.isZero": _plain(Op.FP_IS_ZERO),
    "fp.isNormal": _plain(Op.FP_IS_NORMAL), "fp.isSubnormal": _plain(Op.FP_IS_SUBNORMAL),
    "fp.isNegative": _plain(Op.FP_IS_NEGATIVE), "fp.isPositive": _plain(Op.FP_IS_POSITIVE),
    "fp.roundToIntegral": _plain(Op.FP_ROUND), "fp.to_ubv": _to_bits(Op.FP_TO_UNSIGNED),
    "fp.to_sbv": _to_bits(Op.FP_TO_SIGNED), "fp.min": _plain(Op.FP_MIN), "fp.max": _plain(Op.FP_MAX),
    "fp.to_real": _plain(Op.FP_TO_REAL), "fp.to_ieee_bv": _ieee_bits,
    "bvnand": _not(_left(Op.BV_AND), Op.BV_NOT), "bvnor": _not(_left(Op.BV_OR), Op.BV_NOT),
    "bvxnor": _not(_left(Op.BV_XOR), Op.BV_NOT), "bvcomp": _compared, "sbv_to_int": _plain(Op.SIGNED_TO_INT),
    "extract": lambda r, args, p: make(Op.BV_EXTRACT, *args, data=tuple(p)), "concat": _left(Op.BV_CONCAT),
    "zero_extend": _target(Op.BV_ZERO_EXTEND), "sign_extend": _target(Op.BV_SIGN_EXTEND),
    "repeat": lambda r, args, p: _left(Op.BV_CONCAT)(r, args * p[0], p),
    "rotate_left": _rotated(True), "rotate_right": _rotated(False),
    "bvult": _less(Op.BV_ULT), "bvule": _less(Op.BV_ULE), "bvugt": _greater(Op.BV_ULT), "bvuge": _greater(Op.BV_ULE),
    "bvslt": _less(Op.BV_SLT), "bvsle": _less(Op.BV_SLE), "bvsgt": _greater(Op.BV_SLT), "bvsge": _greater(Op.BV_SLE),
    "select": _plain(Op.SELECT), "store": _plain(Op.STORE),
    "str.++": _left(Op.STR_CONCAT), "str.len": _plain(Op.STR_LENGTH), "str.at": _plain(Op.STR_AT),
    "str.prefixof": _plain(Op.STR_PREFIX), "str.suffixof": _plain(Op.STR_SUFFIX),
    "str.contains": _plain(Op.STR_CONTAINS), "str.<": _less(Op.STR_LT),
    "str.<=": _chain(lambda a, b: disjunction([make(Op.STR_LT, a, b), equal(a, b)])),
}  # fmt: skip
_OPERATIONS |= dict.fromkeys(("ubv_to_int", "bv2nat", "bv2int"), _plain(Op.BITS_TO_INT))
_OPERATIONS |= dict.fromkeys(("int_to_bv", "int2bv"), lambda r, args, p: make(Op.INT_TO_BITS, *args, data=bits(p[0])))
_OPERATIONS |= {f"fp.{op.name[3:].lower()}": _plain(op) for op in (
    Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV, Op.FP_FMA, Op.FP_SQRT, Op.FP_REM, Op.FP_ABS, Op.FP_NEG)}  # fmt: skip
_OPERATIONS |= {f"bv{op.name[3:].lower()}": _left(op) for op in (
    Op.BV_AND, Op.BV_OR, Op.BV_XOR, Op.BV_ADD, Op.BV_SUB, Op.BV_MUL, Op.BV_UDIV, Op.BV_UREM, Op.BV_SDIV, Op.BV_SREM,
    Op.BV_SMOD, Op.BV_SHL, Op.BV_LSHR, Op.BV_ASHR)}  # fmt: skip
_OPERATIONS |= {f"bv{op.name[3:].lower()}": _plain(op) for op in (Op.BV_NOT, Op.BV_NEG)}
