"""The translation of terms to SMT-LIB 2.6 text that z3, Bitwuzla and cvc5 accept.

There are two translations:

* *Bit-precise*: a float has SMT-LIB's sort FloatingPoint. The text has all the models of the terms.
* *Reals*: a float is a Real, and arithmetic is exact. An operation without such a meaning becomes an uninterpreted
  function. A model of this text is only a hint where to search.

An open value (a division by zero, a cast that does not fit; see :mod:`.open_values`) becomes an unrestricted constant,
one for each term. So "unsat" holds for every choice of open values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction

from ..core.nodes import Op, Term
from ..core.open_values import CAST
from ..core.sorts import INT, REAL, Sort, array
from ..core.text import name
from ..core.traversal import fold, variables
from . import exact as smt_exact
from .open_values import division, extreme, float_to_bits, float_to_integer, float_to_number
from .text import LOGICS, NotExpressible, absolute, integer, kinds, literal, quoted, rational, signed, unquotable

_INLINE = 160  # characters; a longer text gets a name, which bounds the nesting


@dataclass(frozen=True)
class Translation:
    """A conjunction as SMT-LIB text.

    Attributes:
        body: the script up to its assertions; the caller adds ``check-sat``.
        logic: the logic in ``set-logic``.
        symbols: the variables by their symbols in the text, without the bars of a quoted symbol; and the terms
            ``FP_TO_BITS`` of variables, whose bits matter if the value is NaN.
        abstracted: the names of operations that became uninterpreted functions.
        relaxed: whether floats are Reals. Then "unsat" proves nothing; otherwise it is a proof.
        opened: the reasons of open values in the text, such as "a division by zero".
    """

    body: str
    logic: str
    symbols: dict[str, Term]
    abstracted: tuple[str, ...]
    relaxed: bool
    opened: tuple[str, ...]


def translate(
    constraints: Iterable[Term],
    *,
    reals: bool = False,
    abstract: bool = False,
    without: Collection[str] = (),
    floats: Collection[Sort] | None = None,
) -> Translation:
    """Translate the conjunction of terms to a script.

    Args:
        constraints: terms of sort Bool.
        reals: whether floats are Reals; operations without a meaning there become uninterpreted functions.
        abstract: whether operations without a bit-precise meaning become uninterpreted functions. Then "unsat" is still
            a proof, but a model may be wrong. With ``reals``, they always do.
        without: the names of sorts (:attr:`.Sort.name`) that the solver does not support.
        floats: the float sorts that the solver supports; None: all of them.

    Raises:
        NotExpressible: an operation has no meaning in SMT-LIB and ``abstract`` is not set, or the solver does not
            support a sort.
    """
    wanted = tuple(constraints)
    writer = Writer(wanted, reals, abstract, frozenset(without), floats)
    memo: dict[Term, str] = {}
    for constraint in wanted:
        writer.lines.append(f"(assert {fold(constraint, writer.visit, memo)})")
    logic = LOGICS.get(frozenset(writer.kinds), "ALL")
    body = "\n".join([f"(set-logic {logic})", *writer.lines]) + "\n"
    abstracted, opened = tuple(writer.functions.values()), tuple(writer.opened)
    return Translation(body, logic, writer.symbols, abstracted, writer.relaxed, opened)


def relaxed(sort: Sort) -> Sort:
    """Return the sort with Real in place of float sorts."""
    if sort.is_array:
        return array(*map(relaxed, sort.parts))
    return REAL if sort.is_float else sort


class Writer:
    """Writes one translation.

    Attributes:
        reals: as in :func:`translate`.
        abstract: whether operations may become uninterpreted functions.
        without, floats: as in :func:`translate`.
        lines: the commands written so far.
        symbols: as in :class:`Translation`.
        opened: as in :class:`Translation`, as keys.
        functions: the names of the operations that became uninterpreted functions, by the functions' symbols.
        relaxed: whether any float was translated to a Real.
        kinds: the theories that the text uses, abbreviated as in :data:`.text.LOGICS`.
    """

    def __init__(self, constraints: tuple[Term, ...], reals: bool, abstract: bool, without: frozenset[str],
                 floats: Collection[Sort] | None = None) -> None:  # fmt: skip
        self.reals, self.abstract, self.without, self.floats = reals, abstract or reals, without, floats
        self.lines: list[str] = []
        self.symbols: dict[str, Term] = {}
        self.functions: dict[str, str] = {}
        self.opened: dict[str, None] = {}
        self.relaxed = False
        self.kinds: set[str] = set()
        self._function_names: dict[object, str] = {}
        self._count = 0
        for v in variables(constraints):
            symbol = self._unused("v") if unquotable(v.data) or v.data in self.symbols else v.data
            self.symbols[symbol] = v
            self.lines.append(f"(declare-const {quoted(symbol)} {self.sort(v.sort)})")
        self._names = {v: quoted(symbol) for symbol, v in self.symbols.items()}

    def visit(self, term: Term, args: list[str]) -> str:
        """Return the text of a term, given the texts of its arguments. A long text is replaced by a name for it.

        Raises:
            NotExpressible: see :func:`translate`.
        """
        self.kinds |= kinds(term, self.reals)
        sort = self.sort(term.sort)
        if term.op is Op.VARIABLE:
            return self._names[term]
        text = self._written(term, args)
        return text if len(text) < _INLINE else self.named(sort, text)

    def _written(self, term: Term, args: list[str]) -> str:
        """Return the text of an operation, given the texts of its arguments."""
        if self.reals and (special := _ON_REALS.get(term.op)) is not None:
            return special(self, term, *args)
        if (word := _WORDS.get(term.op)) is not None:
            return f"({word} {' '.join(args)})"
        if (special := _SPECIAL.get(term.op)) is not None:
            return special(self, term, *args)
        return self.uninterpreted(term, *args)

    def sort(self, sort: Sort) -> str:
        """Return the text of a sort.

        Raises:
            NotExpressible: the solver does not support the sort.
        """
        return str(self._known(sort))

    def _known(self, sort: Sort) -> Sort:
        """Return the sort as it is written.

        Raises:
            NotExpressible: the solver does not support it.
        """
        shown = relaxed(sort) if self.reals else sort
        self.relaxed |= shown != sort
        for part in (shown, *shown.parts):
            if part.name in self.without or (part.is_float and self.floats is not None and part not in self.floats):
                raise NotExpressible(f"this solver does not know the sort {part}; ask another one")
        return shown

    def named(self, sort: str, text: str) -> str:
        """Define a name for a text and return it. A text without parentheses is returned as it is."""
        if "(" not in text:
            return text
        symbol = self._unused("t")
        self.lines.append(f"(define-fun {symbol} () {sort} {text})")
        return symbol

    def fresh(self, sort: str) -> str:
        """Declare an unrestricted constant and return its symbol."""
        symbol = self._unused("c")
        self.lines.append(f"(declare-const {symbol} {sort})")
        return symbol

    def open(self, what: str, sort: str) -> str:
        """Declare a constant for an open value and return its symbol; the reason ``what`` is added to ``opened``."""
        self.opened[what] = None
        return self.fresh(sort)

    def uninterpreted(self, term: Term, *args: str) -> str:
        """Return the term as the call of an uninterpreted function.

        If an argument is NaN, the value is a fresh constant instead: SMT-LIB has one NaN, but a machine has many, and
        the function may distinguish them.

        Raises:
            NotExpressible: ``abstract`` is not set.
        """
        if not self.abstract:
            raise NotExpressible(f"{name(term)} has no meaning in SMT-LIB; ask for the abstract translation, or search")
        key = (term.op, term.data, tuple(a.sort for a in term.args), term.sort)
        if key not in self._function_names:
            symbol = self._function_names[key] = self._unused("f")
            sorts = " ".join(self.sort(a.sort) for a in term.args)
            self.lines.append(f"(declare-fun {symbol} ({sorts}) {self.sort(term.sort)})")
            self.functions[symbol] = name(term)
            self.kinds.add("UF")
        symbol = self._function_names[key]
        if not args:
            return symbol
        text, floats = f"({symbol} {' '.join(args)})", [a.sort.is_float and not self.reals for a in term.args]
        for a, is_float in zip(args, floats, strict=True):
            if is_float:
                text = f"(ite (fp.isNaN {a}) {self.fresh(self.sort(term.sort))} {text})"
        return text

    def _unused(self, prefix: str) -> str:
        """Return a symbol that is not used yet."""
        self._count += 1
        return f"{prefix}!{self._count}"


# ---- operations that SMT-LIB has, with the same arguments ----

_WORDS: dict[Op, str] = {
    Op.NOT: "not", Op.AND: "and", Op.OR: "or", Op.ITE: "ite", Op.EQUAL: "=", Op.FP_EQ: "fp.eq", Op.FP_LT: "fp.lt",
    Op.FP_LE: "fp.leq", Op.FP_IS_NAN: "fp.isNaN", Op.FP_IS_INF: "fp.isInfinite", Op.FP_IS_ZERO: "fp.isZero",
    Op.FP_IS_NORMAL: "fp.isNormal", Op.FP_IS_SUBNORMAL: "fp.isSubnormal", Op.FP_IS_NEGATIVE: "fp.isNegative",
    Op.FP_IS_POSITIVE: "fp.isPositive", Op.FP_ROUND: "fp.roundToIntegral", Op.ADD: "+", Op.SUB: "-", Op.MUL: "*",
    Op.NEG: "-", Op.LT: "<", Op.LE: "<=", Op.INT_TO_REAL: "to_real", Op.REAL_TO_INT: "to_int", Op.BITS_TO_INT: "bv2nat",
    Op.BV_CONCAT: "concat", Op.SELECT: "select", Op.STORE: "store", Op.STR_CONCAT: "str.++", Op.STR_LENGTH: "str.len",
    Op.STR_AT: "str.at", Op.STR_PREFIX: "str.prefixof", Op.STR_SUFFIX: "str.suffixof", Op.STR_CONTAINS: "str.contains",
    Op.STR_LT: "str.<",
}  # fmt: skip
_WORDS |= {
    op: "fp." + op.name[3:].lower()
    for op in (Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV, Op.FP_FMA, Op.FP_SQRT, Op.FP_REM, Op.FP_ABS, Op.FP_NEG)
}
_INDEXED = (Op.BV_EXTRACT, Op.BV_ZERO_EXTEND, Op.BV_SIGN_EXTEND)
_WORDS |= {
    op: op.name.lower().replace("_", "")
    for op in Op
    if op.name.startswith("BV_") and op not in _WORDS and op not in _INDEXED
}


# ---- operations that need more than a word ----

Special = Callable[..., str]  # takes the writer, the term and the texts of its arguments


def _to_float(word: str) -> Special:
    return lambda w, t, *args: f"((_ {word} {t.sort.sizes[0]} {t.sort.sizes[1]}) {' '.join(args)})"


def _extended(word: str) -> Special:
    return lambda w, t, a: f"((_ {word} {t.sort.width - t.args[0].sort.width}) {a})"


_ROUNDED = {"floor": "RTN", "ceil": "RTP", "trunc": "RTZ", "rint": "RNE", "round": "RNA"}  # rint: the default mode


def _math(w: Writer, t: Term, *args: str) -> str:
    """Write a function of C's math library. Only those that IEEE 754 fixes to the last bit have a meaning."""
    if t.data in _ROUNDED:
        return f"(fp.roundToIntegral {_ROUNDED[t.data]} {args[0]})"
    if (special := smt_exact.MATH.get(t.data)) is not None:
        return special(w, t, *args)
    words = {"sqrt": "fp.sqrt RNE", "fabs": "fp.abs", "remainder": "fp.rem"}
    return f"({words[t.data]} {' '.join(args)})" if t.data in words else w.uninterpreted(t, *args)


_SPECIAL: dict[Op, Special] = {
    Op.CONSTANT: lambda w, t: literal(t),
    Op.OPEN: lambda w, t, a: w.open(t.data, w.sort(t.sort)), Op.FP_MIN: extreme("lt"), Op.FP_MAX: extreme("gt"),
    Op.FP_TO_FP: _to_float("to_fp"), Op.SIGNED_TO_FP: _to_float("to_fp"), Op.FP_FROM_BITS: _to_float("to_fp"),
    Op.UNSIGNED_TO_FP: _to_float("to_fp_unsigned"), Op.REAL_TO_FP: _to_float("to_fp"),
    Op.INT_TO_FP: lambda w, t, m, a: _to_float("to_fp")(w, t, m, f"(to_real {a})"),
    Op.FP_TO_SIGNED: float_to_integer, Op.FP_TO_UNSIGNED: float_to_integer, Op.FP_TO_BITS: float_to_bits,
    Op.FP_TO_REAL: float_to_number("(fp.to_real {})"),
    Op.FP_TO_INT: float_to_number("(to_int (fp.to_real (fp.roundToIntegral RTZ {})))"),
    Op.SIGNED_TO_INT: lambda w, t, a: signed(t.args[0], a),
    Op.INT_TO_BITS: lambda w, t, a: f"((_ int2bv {t.sort.width}) {a})",
    Op.BV_EXTRACT: lambda w, t, a: f"((_ extract {t.data[0]} {t.data[1]}) {a})",
    Op.BV_ZERO_EXTEND: _extended("zero_extend"), Op.BV_SIGN_EXTEND: _extended("sign_extend"),
    Op.ABS: lambda w, t, a: f"(abs {a})" if t.sort == INT else absolute(a, "0.0"),
    Op.DIVIDE: division(lambda a, b: f"(/ {a} {b})"),
    Op.FLOOR_DIV: division(lambda a, b: f"(ite (< 0 {b}) (div {a} {b}) (div (- {a}) (- {b})))"),
    Op.FLOOR_MOD: division(lambda a, b: f"(ite (< 0 {b}) (mod {a} {b}) (- (mod (- {a}) (- {b}))))"),
    Op.TRUNC_DIV: division(lambda a, b: f"(ite (<= 0 {a}) (div {a} {b}) (- (div (- {a}) {b})))"),
    Op.TRUNC_MOD: division(lambda a, b: f"(ite (<= 0 {a}) (mod {a} {b}) (- (mod (- {a}) {b})))"),
    Op.EUCLID_DIV: division(lambda a, b: f"(div {a} {b})"), Op.EUCLID_MOD: division(lambda a, b: f"(mod {a} {b})"),
    Op.MATH: _math,
    Op.FILLED: lambda w, t, a: f"((as const {w.sort(t.sort)}) {a})",
}  # fmt: skip
_SPECIAL |= smt_exact.SPECIAL


# ---- floats as Reals ----


def _float_as_real(w: Writer, t: Term) -> str:
    """Write a constant. A float is a Real, an infinity the first power of two beyond all floats, a NaN unrestricted."""
    if not t.sort.is_float:
        return literal(t)
    beyond = Fraction(2) ** (1 << (t.sort.sizes[0] - 1))
    if t.value != t.value:
        return w.fresh("Real")
    return rational(Fraction(t.value) if math.isfinite(t.value) else beyond if t.value > 0 else -beyond)


def _normal(t: Term, a: str) -> str:
    """Return the condition that the absolute value of a Real is at least the least normal float."""
    least = Fraction(1, 1 << ((1 << (t.args[0].sort.sizes[0] - 1)) - 2))
    return f"(<= {rational(least)} {absolute(a, '0.0')})"


def _root(w: Writer, t: Term, *args: str) -> str:
    """Write a square root as a constant whose square is the argument."""
    a, root = args[-1], w.fresh("Real")
    w.lines.append(f"(assert (=> (<= 0.0 {a}) (and (<= 0.0 {root}) (= (* {root} {root}) {a}))))")
    return root


def _integral(w: Writer, mode: str, a: str) -> str:
    """Write a Real rounded to an integer, as an Int.

    Args:
        w: the writer, which may define a name for the Real.
        mode: ``RTN``, ``RTP`` or ``RTZ``. Any other rounds to nearest, with ties rounded up, which may be wrong.
        a: the Real, as text.
    """
    a = w.named("Real", a)
    up = f"(- (to_int (- {a})))"
    exact = {"RTN": f"(to_int {a})", "RTP": up, "RTZ": f"(ite (<= 0.0 {a}) (to_int {a}) {up})"}
    return exact.get(mode, f"(to_int (+ {a} (/ 1.0 2.0)))")


def _real_to_bits(w: Writer, t: Term, mode: str, a: str) -> str:
    """Write a Real cast to a bit vector. The value is open where it does not fit."""
    width, is_signed = t.sort.width, t.op is Op.FP_TO_SIGNED
    value = w.named("Int", _integral(w, mode, a))
    low, high = (-(1 << (width - 1)), 1 << (width - 1)) if is_signed else (0, 1 << width)
    cast, other = f"((_ int2bv {width}) {value})", w.open(CAST, w.sort(t.sort))
    return f"(ite (and (<= {integer(low)} {value}) (< {value} {high})) {cast} {other})"


def _math_on_reals(w: Writer, t: Term, *args: str) -> str:
    if t.data in _ROUNDED:
        return f"(to_real {_integral(w, _ROUNDED[t.data], args[0])})"
    if t.data == "fabs":
        return absolute(args[0], "0.0")
    if (special := smt_exact.MATH_ON_REALS.get(t.data)) is not None:
        return special(w, t, *args)
    return _root(w, t, args[0]) if t.data == "sqrt" else w.uninterpreted(t, *args)


def _rounded(word: str) -> Special:
    return lambda w, t, mode, *args: f"({word} {' '.join(args)})"


_ON_REALS: dict[Op, Special] = {
    Op.CONSTANT: _float_as_real, Op.FP_EQ: lambda w, t, a, b: f"(= {a} {b})",
    Op.FP_LT: lambda w, t, a, b: f"(< {a} {b})", Op.FP_LE: lambda w, t, a, b: f"(<= {a} {b})",
    Op.FP_IS_NAN: lambda *_: "false", Op.FP_IS_INF: lambda *_: "false", Op.FP_IS_ZERO: lambda w, t, a: f"(= {a} 0.0)",
    Op.FP_IS_NORMAL: lambda w, t, a: _normal(t, a),
    Op.FP_IS_SUBNORMAL: lambda w, t, a: f"(not (or (= {a} 0.0) {_normal(t, a)}))",
    Op.FP_IS_NEGATIVE: lambda w, t, a: f"(< {a} 0.0)", Op.FP_IS_POSITIVE: lambda w, t, a: f"(<= 0.0 {a})",
    Op.FP_ADD: _rounded("+"), Op.FP_SUB: _rounded("-"), Op.FP_MUL: _rounded("*"), Op.FP_DIV: _rounded("/"),
    Op.FP_FMA: lambda w, t, m, a, b, c: f"(+ (* {a} {b}) {c})", Op.FP_SQRT: _root,
    Op.FP_ROUND: lambda w, t, m, a: f"(to_real {_integral(w, m, a)})", Op.FP_REM: Writer.uninterpreted,
    Op.FP_MIN: lambda w, t, a, b: f"(ite (< {b} {a}) {b} {a})",
    Op.FP_MAX: lambda w, t, a, b: f"(ite (< {a} {b}) {b} {a})",
    Op.FP_ABS: lambda w, t, a: absolute(a, "0.0"), Op.FP_NEG: lambda w, t, a: f"(- {a})",
    Op.FP_TO_FP: lambda w, t, m, a: a, Op.REAL_TO_FP: lambda w, t, m, a: a,
    Op.FP_TO_REAL: lambda w, t, a: a, Op.INT_TO_FP: _rounded("to_real"),
    Op.SIGNED_TO_FP: lambda w, t, m, a: f"(to_real {signed(t.args[1], a)})",
    Op.UNSIGNED_TO_FP: lambda w, t, m, a: f"(to_real (bv2nat {a}))", Op.FP_TO_SIGNED: _real_to_bits,
    Op.FP_TO_UNSIGNED: _real_to_bits, Op.FP_FROM_BITS: Writer.uninterpreted, Op.FP_TO_BITS: Writer.uninterpreted,
    Op.FP_TO_INT: lambda w, t, a: _integral(w, "RTZ", a), Op.MATH: _math_on_reals,
}  # fmt: skip
_ON_REALS |= smt_exact.ON_REALS
