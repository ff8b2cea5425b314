"""Branch and prune over intervals of floats, integers and bit vectors: zeroin's own complete solver.

Each term of a query has an interval that contains its possible values. The constraints make the intervals smaller
(hull consistency; Benhamou et al., Revising hull and box consistency, ICLP 1999). If they no longer do so, the box of
inputs is split in two. If no box is left, the query has no model. An operation that is not implemented here may have
any value of its sort.

The query is written as a *tape*: an array with one row for each term, arguments first (:mod:`zeroin.native.intervals`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable

import numpy as np

from ..config import Budget
from ..native import intervals as tape
from ..native.intervals import Domains
from ..native.pruning import REFUTED, STUCK, Boxes, look
from ..term.core.evaluate import signed
from ..term.core.nodes import Op, Rounding, Term
from ..term.core.sorts import BOOL, FLOAT32, FLOAT64, INT, ROUNDING, Sort
from ..term.core.traversal import postorder
from ..term.core.typing_rules import EXACT
from ..term.expression.functions import OWN
from .base import Answer, CompleteSolver, Model, Proof, Query, Sat, Unknown, Unsat
from .work_clock import BOX, TAPE, Deadline, worked

_WIDEST = 1000  # the widest bit vector
_ROOM = 600  # the capacity of the stack of boxes
_AT_ONCE = 200  # boxes between two checks of the deadline
_MOST_CASES = 8  # the largest disjunction that is solved case by case
_MOST_CHOICES = 8  # the most conditions of if-then-else terms by which boxes are split
_MOST_LEFT = 100  # give up after this many boxes that can neither be refuted nor split
_KINDS = {BOOL: tape.BOOL, FLOAT64: tape.F64, FLOAT32: tape.F32, INT: tape.INT}


class Intervals(CompleteSolver):
    """Refute or solve a query by splitting its inputs into boxes. Each box counts as one evaluation.

    The budget is checked only between batches of up to ``_AT_ONCE`` boxes.
    """

    name = "intervals"
    misses = frozenset(("nan", "function", "real", "string"))

    def solve(self, query: Query, budget: Budget) -> Answer:
        """Answer the query; see :class:`.base.Solver`.

        A disjunction of conjunctions is solved case by case, because the interval hull of all cases is too coarse.

        Returns:
            ``Unsat`` if no box is left; ``Sat`` if a box that can not be split contains a model; else ``Unknown``.
        """
        started, deadline = time.monotonic(), Deadline(budget)
        unknown: Unknown | None = None
        boxes, assumptions = 0, dict[str, None]()
        for case in _cases(query):
            made = Tape(case)
            answer = self._one(case, made, budget.evaluations - boxes, deadline)
            boxes += int(made.boxes.count[1])
            if isinstance(answer, Sat):
                return Sat(query.completed(answer.model), self.name)
            if isinstance(answer, Unknown):
                unknown = unknown or answer
            assumptions |= dict.fromkeys(made.assumptions)
        if unknown is not None:
            return unknown
        how = f"interval constraint propagation over {boxes} box{'es' * (boxes > 1)}"
        return Unsat(Proof(self, how, time.monotonic() - started, tuple(assumptions)))

    def _one(self, query: Query, made: Tape, most: int, deadline: Deadline) -> Sat | Unknown | None:
        """Answer one case of a query; None if all its boxes are refuted.

        Args:
            query: the case.
            made: its tape, whose boxes are used up.
            most: the most boxes to process.
            deadline: the end of the budget of all cases.
        """
        left = before = 0
        worked(TAPE * made.size)
        while True:
            status = look(made.domains, made.boxes, _AT_ONCE)
            count = int(made.boxes.count[1])
            worked(BOX * made.size * (count - before))
            before = count
            if status == STUCK:
                model = query.completed(made.model())
                if query.holds(model):
                    return Sat(model, self.name)
                left += 1
            if (status == REFUTED and left) or left > _MOST_LEFT:
                return Unknown(f"intervals: of {count} boxes {left} can neither be refuted nor split")
            if status == REFUTED:
                return None
            if deadline.is_over or count >= most:
                return Unknown(f"intervals: the budget is used up after {count} boxes")

    def ready(self) -> None:
        """Compile the native code."""
        self.solve(Query(()), Budget(1, 1.0))


def _around(value: int) -> tuple[float, float]:
    """Return the closest doubles that are at most and at least an integer, or the doubles next to the closest one.

    Raises:
        OverflowError: the integer is beyond all doubles.
    """
    near = float(value)
    return (near, near) if int(near) == value else (math.nextafter(near, -math.inf), math.nextafter(near, math.inf))


def _cases(query: Query) -> list[Query]:
    """Split the query by its first disjunction of at most ``_MOST_CASES`` conjunctions; else return it alone."""
    parts = query.conjuncts
    for number, part in enumerate(parts):
        if part.op is Op.OR and len(part.args) <= _MOST_CASES and all(way.op is Op.AND for way in part.args):
            return [Query((*parts[:number], way, *parts[number + 1 :]), query.starts) for way in part.args]
    return [query]


class Tape:
    """A query as a tape: the rows compute its terms, and one box contains all inputs.

    Attributes:
        domains: the rows, and the intervals of the terms.
        boxes: the stack of boxes, which are intervals of the variables.
        assumptions: the assumptions about functions of the C library, for people; empty if there are none.
    """

    def __init__(self, query: Query) -> None:
        self._rows: list[list[int]] = []
        self._low, self._high, self._nan = list[float](), list[float](), list[int]()
        self._signed_low, self._signed_high = list[float](), list[float]()
        self._place: dict[Term, int] = {}
        self._arithmetic: dict[tuple[object, ...], int] = {}
        self._functions = dict[str, None]()
        for term in postorder(query.constraints):
            self._place[term] = self._add(term)
        for constraint in query.constraints:
            self._low[self._place[constraint]] = 1.0
        self._variables = [v for v in query.variables if self._place[v] >= 0]
        known = ", ".join(self._functions)
        self.assumptions = (f"{known} right to {tape.LOOSE} ULPs and within range",) if known else ()
        low = np.array([*self._low, *self._signed_low], dtype=np.float64)
        high = np.array([*self._high, *self._signed_high], dtype=np.float64)
        nan = np.array(self._nan, dtype=np.int64)
        code = np.array(self._rows, dtype=np.int64).reshape(-1, tape.COLUMNS)
        first = Domains(code, low, high, nan, np.zeros(2, dtype=np.int64))
        self.domains = Domains(code, *(some.copy() for some in first[1:]))
        inputs = np.array([*(self._place[v] for v in self._variables), *self._choices()], dtype=np.int64)
        room = (_ROOM, len(inputs))
        self.boxes = Boxes(inputs, np.zeros(room), np.zeros(room), np.zeros(room, dtype=np.int64),
                           np.array([1, 0], dtype=np.int64), first)  # fmt: skip
        for own, every in zip((self.boxes.low, self.boxes.high, self.boxes.nan), (low, high, nan), strict=True):
            own[0] = every[inputs]

    def _choices(self) -> list[int]:
        """Return the conditions of the last if-then-else rows: propagation can not tell which of two values they have.

        A box is also split by these conditions. There are few, as each may double the number of boxes.
        """
        found = [row[tape.A] for row in self._rows if row[tape.OP] == tape.ITE and row[tape.KIND] != tape.BOOL]
        return [at for at in dict.fromkeys(found[::-1]) if self._rows[at][tape.OP] != tape.LEAF][:_MOST_CHOICES]

    @property
    def size(self) -> int:
        """The number of rows. A term may have several, and it has none if its sort has no intervals."""
        return len(self._rows)

    def model(self) -> Model:
        """Return one input of the box that the domains currently hold. It need not satisfy the query.

        Variables of sorts without intervals are left out.
        """
        found: Model = {}
        for v in self._variables:
            at = self._place[v]
            low, high = float(self.domains.low[at]), float(self.domains.high[at])
            value = math.nan if low > high else low
            if not v.sort.is_float and math.isinf(low):
                value = 0.0 if math.isinf(high) else high
            found[v.data] = value if v.sort.is_float else bool(value) if v.sort == BOOL else int(value)
        return found

    # ---- rows ----

    def _row(self, op: int, sort: Sort | None, args: Iterable[int] = (), p: int = 0, q: int = 0) -> int:
        """Append a row whose value may be any of its sort, and return its index.

        Args:
            op: the operation, a constant of :mod:`zeroin.native.intervals`.
            sort: the sort of the value; None: an integer.
            args: the rows of the arguments, at most three.
            p: the first parameter of the operation.
            q: the second parameter of the operation.
        """
        a, b, c = (*args, 0, 0, 0)[:3]
        kind = _KINDS.get(sort, tape.BITS) if sort is not None else tape.INT
        width = sort.width if sort is not None and (sort.is_bits or sort.is_float) else 0
        low, high, nan = -math.inf, math.inf, int(kind in (tape.F64, tape.F32))
        signed_low, signed_high = low, high
        if kind == tape.BOOL:
            low, high = 0.0, 1.0
        elif kind == tape.BITS:
            low, high = 0.0, 2.0**width - (width <= 53)
            signed_low, signed_high = -(2.0 ** (width - 1)), 2.0 ** (width - 1) - (width <= 53)
        self._rows.append([op, a, b, c, kind, width, p, q])
        self._low.append(low)
        self._high.append(high)
        self._signed_low.append(signed_low)
        self._signed_high.append(signed_high)
        self._nan.append(nan)
        return len(self._rows) - 1

    def _add(self, term: Term) -> int:
        """Append the rows of a term, whose arguments have rows already; -1 for a sort without intervals."""
        sort = term.sort
        if not (sort in _KINDS or (sort.is_bits and sort.width <= _WIDEST)):
            return -1
        args = [self._place[a] for a in term.args if a.sort != ROUNDING]
        if term.is_constant:
            return self._constant(term)
        if term.op in (Op.AND, Op.OR):
            return self._several(tape.AND if term.op is Op.AND else tape.OR, args)
        if -1 in args:
            return self._row(tape.LEAF, sort)
        if term.op in _SHARED:
            return self._shared(term, args)
        if term.op in _PLAIN:
            return self._row(_PLAIN[term.op], sort, args)
        if term.op in _ROUNDED:
            mode = term.args[0]
            return self._row(_ROUNDED[term.op], sort, args, int(not (mode.is_constant and mode.data is Rounding.RNE)))
        return self._special(term, args)

    def _shared(self, term: Term, args: list[int]) -> int:
        """Return the row of float arithmetic: one row for all terms whose values differ at most in the sign of a zero.

        ``x + 0.0``, ``x * 1.0`` and ``-(-x)`` have the row of x, and ``x + (-y)`` has that of ``x - y``. Rows do not
        tell the zeros apart. An operation may be shared only if its value does not depend on a zero's sign, but for the
        sign of its own zero. A division and most functions depend on it.
        """
        op, (a, *others) = _SHARED[term.op], args
        b = others[0] if others else a
        inner, other_inner = self._rows[a][tape.A], self._rows[b][tape.A]
        negative, other_negative = (self._rows[n][tape.OP] == tape.NEG for n in (a, b))
        if op in (tape.ADD, tape.SUB):
            if self._is_point(b, 0.0):
                return a
            if op == tape.ADD and self._is_point(a, 0.0):
                return b
            if other_negative:
                op, b = tape.ADD + tape.SUB - op, other_inner
            elif op == tape.ADD and negative:
                op, a, b = tape.SUB, b, inner
        elif op == tape.MUL:
            if self._is_point(a, 1.0) or self._is_point(b, 1.0):
                return b if self._is_point(a, 1.0) else a
            if (negative and other_negative) or (a == b and self._rows[a][tape.OP] == tape.ABS):
                a, b = inner, other_inner
        elif op == tape.NEG and negative:
            return inner
        elif op == tape.ABS and self._rows[a][tape.OP] in (tape.NEG, tape.ABS):
            a = inner
        mode = term.args[0] if term.args[0].sort == ROUNDING else None
        operands = [a, b][: len(args)] if op == tape.SUB else sorted([a, b][: len(args)])
        key = (op, term.sort, mode, *operands)
        if key not in self._arithmetic:
            exact = mode is None or (mode.is_constant and mode.data is Rounding.RNE)
            self._arithmetic[key] = self._row(op, term.sort, operands, int(not exact))
        return self._arithmetic[key]

    def _is_point(self, at: int, value: float) -> bool:
        """Whether a row is a constant with this value; both zeros are the value 0.0."""
        return self._rows[at][tape.OP] == tape.LEAF and self._low[at] == value == self._high[at] and not self._nan[at]

    def _special(self, term: Term, args: list[int]) -> int:
        """Append the rows of an operation and return its index. An unknown operation may have any value."""
        sort, op = term.sort, term.op
        if op is Op.FP_IS_ZERO:
            zero = self._point(0.0, term.args[0].sort)
            return self._row(tape.EQ, sort, [args[0], zero])
        if op is Op.BV_EXTRACT:
            high, low = term.data
            return self._row(tape.EXTRACT, sort, args, high, low)
        if op is Op.BV_AND:
            if term.args[0].is_constant:
                args = args[::-1]
            mask = next((a.data + 1 for a in term.args if a.is_constant), 0)
            ones = mask.bit_length() - 1 if mask and not mask & (mask - 1) else 0
            return self._row(tape.B_AND, sort, args, ones if ones < 53 else 0)
        if op is Op.MATH:
            return self._math(str(term.data), sort, args)
        if op is Op.CALL and term.data is OWN["hypot"]:
            return self._math("hypot", sort, args)
        return self._row(tape.LEAF, sort)

    def _math(self, name: str, sort: Sort, args: list[int]) -> int:
        """Append the row of a function of the C library, and note the assumption about it; return its index."""
        op, which = _MATH.get(name, (tape.LEAF, 0))
        if op != tape.LEAF and name not in EXACT:
            self._functions[name] = None
        return self._row(op, sort, args, which)

    def _several(self, op: int, args: list[int]) -> int:
        """Append rows for a conjunction or disjunction of any number of arguments; return the index of the last."""
        found = args[0]
        for other in args[1:]:
            found = self._row(op, BOOL, [found, other])
        return found if len(args) > 1 else self._row(op, BOOL, [found, found])

    def _constant(self, term: Term) -> int:
        """Append the row of a constant and return its index. A number that is no double has bounds around it."""
        value = term.value
        if term.sort.is_float:
            return self._point(float(value), term.sort)
        try:
            bounds = _around(value)
        except OverflowError:
            return self._row(tape.LEAF, term.sort)
        at = self._row(tape.LEAF, term.sort)
        self._low[at], self._high[at] = bounds
        if term.sort.is_bits:
            self._signed_low[at], self._signed_high[at] = _around(signed(value, term.sort.width))
        return at

    def _point(self, value: float, sort: Sort) -> int:
        """Append a row for one float, which may be NaN, and return its index."""
        at = self._row(tape.LEAF, sort)
        is_nan = math.isnan(value)
        self._low[at], self._high[at] = (math.inf, -math.inf) if is_nan else (value, value)
        self._nan[at] = is_nan
        return at


_PLAIN = {
    Op.NOT: tape.NOT, Op.ITE: tape.ITE, Op.EQUAL: tape.EQUAL,
    Op.FP_EQ: tape.EQ, Op.FP_LT: tape.LT, Op.FP_LE: tape.LE, Op.LT: tape.LT, Op.LE: tape.LE,
    Op.EXACT_EQ: tape.EQ, Op.EXACT_LT: tape.LT, Op.EXACT_LE: tape.LE,
    Op.BV_ULT: tape.LT, Op.BV_ULE: tape.LE, Op.BV_SLT: tape.SLT, Op.BV_SLE: tape.SLE,
    Op.FP_IS_NAN: tape.IS_NAN, Op.FP_IS_INF: tape.IS_INF,
    Op.FP_MIN: tape.MIN, Op.FP_MAX: tape.MAX, Op.FP_TO_INT: tape.TO_INT, Op.FP_TO_BITS: tape.TO_BITS,
    Op.FP_FROM_BITS: tape.FROM_BITS, Op.ADD: tape.I_ADD, Op.SUB: tape.I_SUB, Op.MUL: tape.I_MUL, Op.NEG: tape.I_NEG,
    Op.ABS: tape.I_ABS, Op.FLOOR_DIV: tape.I_DIV, Op.FLOOR_MOD: tape.I_MOD, Op.QUOTIENT: tape.QUOTIENT,
    Op.BV_ADD: tape.B_ADD, Op.BV_SUB: tape.B_SUB, Op.BV_MUL: tape.B_MUL, Op.BV_SDIV: tape.S_DIV,
    Op.BV_SREM: tape.S_REM, Op.BV_SHL: tape.SHL, Op.BV_LSHR: tape.SHR, Op.BV_ASHR: tape.S_SHR, Op.BV_XOR: tape.B_XOR,
    Op.BV_OR: tape.B_OR, Op.BV_NOT: tape.B_NOT, Op.BV_NEG: tape.B_NEG, Op.BV_ZERO_EXTEND: tape.WIDEN,
    Op.BV_SIGN_EXTEND: tape.SIGN, Op.BV_CONCAT: tape.CONCAT, Op.BV_UDIV: tape.B_DIV, Op.BV_UREM: tape.B_MOD,
    Op.BITS_TO_INT: tape.WIDEN, Op.SIGNED_TO_INT: tape.SIGNED, Op.INT_TO_BITS: tape.MODULO,
}  # fmt: skip
_ROUNDED = {
    Op.FP_DIV: tape.DIV, Op.FP_ROUND: tape.ROUND, Op.INT_TO_FP: tape.CAST, Op.UNSIGNED_TO_FP: tape.CAST,
    Op.SIGNED_TO_FP: tape.FROM_SIGNED, Op.FP_TO_SIGNED: tape.TO_SIGNED, Op.FP_TO_UNSIGNED: tape.TO_UNSIGNED,
}  # fmt: skip
_SHARED = {
    Op.FP_ADD: tape.ADD, Op.FP_SUB: tape.SUB, Op.FP_MUL: tape.MUL, Op.FP_SQRT: tape.SQRT, Op.FP_TO_FP: tape.CAST,
    Op.FP_ABS: tape.ABS, Op.FP_NEG: tape.NEG,
}  # fmt: skip
_MATH = {
    **dict.fromkeys(("sin", "cos", "j0", "j1"), (tape.SINE, 0)), "atan2": (tape.WITHIN, 0), "hypot": (tape.HYPOT, 0),
    "fmod": (tape.FMOD, 0), "copysign": (tape.COPYSIGN, 0), "pow": (tape.POW, 0), "acos": (tape.FALLING, tape.ACOS),
    "sqrt": (tape.SQRT, 0), "fabs": (tape.ABS, 0),
    **dict.fromkeys(("floor", "ceil", "trunc", "round", "rint"), (tape.ROUND, 0)),
    **{name: (tape.RISING, getattr(tape, name.upper())) for name in
       ("exp", "expm1", "log", "log2", "log10", "log1p", "atan", "tanh", "sinh", "asinh", "erf", "asin")},
}  # fmt: skip
