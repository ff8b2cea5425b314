"""Branch distances of conditions in LLVM IR. Their values are the same as those of :mod:`zeroin.distance`."""

from __future__ import annotations

from collections.abc import Iterable

from ...native.words import INFINITY, IR, SINGLE_INFINITY
from ..core.nodes import Op, Term
from ..core.sorts import BOOL, FLOAT32, INT, REAL
from . import exact
from .values import Writer, as_bits, ir_type

HELPERS = f"""{IR}
define internal double @zeroin_steps(i64 %a, i64 %b) alwaysinline {{
  %less = icmp slt i64 %a, %b
  %low = select i1 %less, i64 %a, i64 %b
  %high = select i1 %less, i64 %b, i64 %a
  %apart = sub i64 %high, %low
  %d = uitofp i64 %apart to double
  ret double %d
}}
define internal double @zeroin_few_steps(i64 %a, i64 %b) alwaysinline {{
  %ahead = sub i64 %a, %b
  %behind = sub i64 %b, %a
  %less = icmp slt i64 %a, %b
  %apart = select i1 %less, i64 %behind, i64 %ahead
  %d = sitofp i64 %apart to double
  ret double %d
}}
define internal double @zeroin_from_nan(i1 %nan, i64 %word, i64 %infinity) alwaysinline {{
  %steps = call double @zeroin_steps(i64 %infinity, i64 %word)
  %cost = select i1 %nan, double %steps, double 0.0
  ret double %cost
}}
define internal double @zeroin_gap(double %a, double %b) alwaysinline {{
  %d = fsub double %a, %b
  %negative = fneg double %d
  %less = fcmp olt double %d, 0.0
  %size = select i1 %less, double %negative, double %d
  %fits = fcmp ole double %size, 0x7FEFFFFFFFFFFFFF
  %gap = select i1 %fits, double %size, double 0x7FEFFFFFFFFFFFFF
  ret double %gap
}}
define internal double @zeroin_square(double %gap) alwaysinline {{
  %s = fmul double %gap, %gap
  %fits = fcmp ole double %s, 0x7FEFFFFFFFFFFFFF
  %square = select i1 %fits, double %s, double 0x7FEFFFFFFFFFFFFF
  ret double %square
}}
define internal double @zeroin_capped(double %d) alwaysinline {{
  %fits = fcmp ole double %d, 0x7FEFFFFFFFFFFFFF
  %capped = select i1 %fits, double %d, double 0x7FEFFFFFFFFFFFFF
  ret double %capped
}}
"""


_FEW = 32  # the most comparisons whose distance functions are inlined


def inlining(terms: Iterable[Term]) -> str:
    """Return LLVM's attribute for the functions that compute distances: ``alwaysinline`` or ``noinline``.

    For a few comparisons, inlined code runs fastest. For many, its compilation would take seconds.
    """
    compared = sum(t.op in _COMPARISONS or t.op in exact.RELATIONS or t.op is Op.EQUAL for t in terms)
    return "alwaysinline" if compared <= _FEW else "noinline"


class Distances:
    """Writes the branch distances of conditions. The code for each condition and its negation is written once.

    Args:
        writer: collects the instructions.
        names: for each part, the name of its value in the IR.
        table: the branch distance: ``ulp``, ``korel`` or ``squared``.
        inline: the attribute of the distance functions, see :func:`inlining`.

    Attributes:
        is_finite: whether all distances written so far are finite. A sum of several can be infinite.
    """

    def __init__(self, writer: Writer, names: dict[Term, str], table: str, inline: str) -> None:
        self.writer, self.names, self.table, self.inline = writer, names, table, inline
        self._known: dict[tuple[Term, bool], str] = {}
        self.is_finite = True

    def of(self, condition: Term, wanted: bool) -> str:
        """Write how far a condition is from having a wanted truth value; return the name of that distance."""
        # No recursion, as conditions can be deeply nested.
        waiting = [(condition, wanted)]
        while waiting:
            key = waiting[-1]
            if key in self._known:
                waiting.pop()
                continue
            needs = [need for need in _needs(*key) if need not in self._known]
            if needs:
                waiting += needs
            else:
                self._known[key] = self._write(*waiting.pop())
        return self._known[condition, wanted]

    def _write(self, term: Term, wanted: bool) -> str:
        """Write the distance of one condition, given those that it needs; return its name."""
        parts = [self._known[need] for need in _needs(term, wanted)]
        put = self.writer.put
        if term.op is Op.CONSTANT:
            return "0.0" if term.data == wanted else "1.0"
        if term.op is Op.NOT:
            return parts[0]
        if term.op in (Op.AND, Op.OR):
            return self._sum(parts) if (term.op is Op.AND) == wanted else self._least(parts)
        if parts:  # ITE, and EQUAL of conditions: one pair or the other
            return self._least([self._sum(parts[:2]), self._sum(parts[2:])])
        if term.op in _COMPARISONS or term.op is Op.EQUAL or term.op in exact.RELATIONS:
            return self._comparison(term, wanted)
        if term.op in _CLASSES:
            return self._class(term, wanted)
        truth = self.names[term]
        return put(f"select i1 {truth}, double {'0.0' if wanted else '1.0'}, double {'1.0' if wanted else '0.0'}")

    def _sum(self, parts: list[str]) -> str:
        """Write the sum of several distances."""
        total = parts[0]
        self.is_finite &= len(parts) == 1
        for part in parts[1:]:
            total = self.writer.put(f"fadd double {total}, {part}")
        return total

    def _least(self, parts: list[str]) -> str:
        """Write the least of several distances."""
        least = parts[0]
        for part in parts[1:]:
            less = self.writer.put(f"fcmp olt double {part}, {least}")
            least = self.writer.put(f"select i1 {less}, double {part}, double {least}")
        return least

    # ---- comparisons ----

    def _comparison(self, term: Term, wanted: bool) -> str:
        """Write the distance of a comparison; return its name."""
        a, b = (self.names[x] for x in term.args)
        sort = term.args[0].sort
        if sort.is_float and term.op is Op.EQUAL:
            return self._identity(term, wanted)
        relation = _COMPARISONS.get(term.op) or exact.RELATIONS.get(term.op, "eq")
        holds = self.names[term]
        if term.op in exact.RELATIONS:
            cost = self._exact_cost(term, relation, wanted, a, b)
        elif sort.is_float or sort == REAL:
            kind = ir_type(sort)
            function = self._cost_function(relation, wanted, kind)
            cost = self.writer.put(f"call double @{function}({kind} {a}, {kind} {b})")
        else:
            cost = self._integer_cost(term, relation, wanted, a, b)
            if relation == "eq" and wanted and self.table != "squared" and cost != "1.0":
                return cost  # the cost is the gap, which is 0 exactly when the operands are equal
        good, bad = ("0.0", cost) if wanted else (cost, "0.0")
        return self.writer.put(f"select i1 {holds}, double {good}, double {bad}")

    def _cost_function(self, relation: str, wanted: bool, kind: str) -> str:
        """Return the name of a function for the distance of a comparison that does not have the wanted truth value."""
        name = f"zeroin_{'' if wanted else 'not_'}{relation}_{kind}"
        outer, self.writer = self.writer, Writer()
        cost = self._float_cost(relation, wanted, kind, "%a", "%b")
        body = "\n".join(self.writer.lines)
        self.writer = outer
        head = f"define internal double @{name}({kind} %a, {kind} %b) {self.inline}"
        outer.declared[f"{head} {{\n{body}\n  ret double {cost}\n}}"] = None
        return name

    def _float_cost(self, relation: str, wanted: bool, kind: str, a: str, b: str) -> str:
        """Write the distance of a comparison of floats that does not have the wanted truth value."""
        strict = (relation == "lt") == wanted  # equal operands do not give the wanted truth value
        if self.table != "ulp":
            return self._gap_cost(kind, a, b, strict)
        put = self.writer.put
        wa, wb = self._word(kind, a), self._word(kind, b)
        apart = put(f"call double @zeroin_steps(i64 {wa}, i64 {wb})")
        cost = apart if not strict else put(f"fadd double {apart}, 1.0")
        if not wanted:  # a comparison with NaN is false, as wanted: NaN needs no case of its own
            return cost
        infinity = SINGLE_INFINITY if kind == "float" else INFINITY
        nan_a, nan_b = put(f"fcmp uno {kind} {a}, {a}"), put(f"fcmp uno {kind} {b}, {b}")
        from_a = put(f"call double @zeroin_from_nan(i1 {nan_a}, i64 {wa}, i64 {infinity})")
        from_b = put(f"call double @zeroin_from_nan(i1 {nan_b}, i64 {wb}, i64 {infinity})")
        away = put(f"fadd double 1.0, {put(f'fadd double {from_a}, {from_b}')}")
        return put(f"select i1 {put(f'or i1 {nan_a}, {nan_b}')}, double {away}, double {cost}")

    def _gap_cost(self, kind: str, a: str, b: str, strict: bool) -> str:
        """Write the ``korel`` or ``squared`` distance of two floats."""
        put = self.writer.put
        if kind == "float":
            a, b = put(f"fpext float {a} to double"), put(f"fpext float {b} to double")
        gap = put(f"call double @zeroin_gap(double {a}, double {b})")
        return exact.of_gap(self.writer, gap, self.table, strict)

    def _exact_cost(self, term: Term, relation: str, wanted: bool, a: str, b: str) -> str:
        """Write the distance of an exact comparison that does not have the wanted truth value."""
        if REAL not in (term.args[0].sort, term.args[1].sort):
            return exact.cost(self.writer, term, [a, b], self.table, wanted)
        a, b = (exact.wide(self.writer, part, name) for part, name in zip(term.args, (a, b), strict=True))
        return self.writer.put(
            f"call double @{self._cost_function(relation, wanted, 'double')}(double {a}, double {b})"
        )

    def _word(self, kind: str, value: str) -> str:
        """Write the ordered word of a float."""
        if kind == "double":
            return self.writer.put(f"call i64 @zeroin_word_of_double(double {value})")
        word = self.writer.put(f"call i32 @zeroin_word_of_float(float {value})")
        return self.writer.put(f"sext i32 {word} to i64")

    def _integer_cost(self, term: Term, relation: str, wanted: bool, a: str, b: str) -> str:
        """Write the distance of a comparison of integers that does not have the wanted truth value."""
        put, kind = self.writer.put, ir_type(term.args[0].sort)
        if kind == "i1" or (relation == "eq" and not wanted):
            return "1.0"
        signed = term.args[0].sort == INT or term.op in (Op.BV_SLT, Op.BV_SLE)
        if relation == "eq" and term.args[0].sort != INT:  # the distance modulo 2**width
            a, b, signed = put(f"sub {kind} {a}, {b}"), "0", True
        if kind != "i64":
            extension = "sext" if signed else "zext"
            a, b = put(f"{extension} {kind} {a} to i64"), put(f"{extension} {kind} {b} to i64")
        elif not signed:
            a, b = put(f"xor i64 {a}, -9223372036854775808"), put(f"xor i64 {b}, -9223372036854775808")
        steps = "steps" if kind == "i64" else "few_steps"  # below 2**63, a signed conversion is enough: x86 has one
        gap = put(f"call double @zeroin_{steps}(i64 {a}, i64 {b})")
        strict = (relation == "lt") == wanted
        if self.table != "squared":  # the gap of different integers is at least 1
            return put(f"fadd double {gap}, 1.0") if strict else gap
        return exact.of_gap(self.writer, gap, self.table, strict)

    def _identity(self, term: Term, wanted: bool) -> str:
        """Write the distance of two floats from being identical: steps on the ULP line, with one point for all NaNs.

        -0.0 and 0.0 are neighbours on the line.
        """
        if not wanted:
            return self.writer.put(f"select i1 {self.names[term]}, double 1.0, double 0.0")
        put, kind = self.writer.put, ir_type(term.args[0].sort)
        words = []
        for part in term.args:
            bits, pattern = as_bits(self.writer, kind, self.names[part])
            words.append(self._word(kind, put(f"bitcast {bits} {pattern} to {kind}")))
        return put(f"call double @zeroin_steps(i64 {words[0]}, i64 {words[1]})")

    # ---- classes of floats ----

    def _class(self, term: Term, wanted: bool) -> str:
        """Write the distance from a class of floats, such as NaN: steps to its nearest float; 1 to leave the class."""
        put, sort = self.writer.put, term.args[0].sort
        holds, kind = self.names[term], ir_type(sort)
        if not wanted:
            return put(f"select i1 {holds}, double 1.0, double 0.0")
        a = self.names[term.args[0]]
        size = self.writer.call(kind, f"llvm.fabs.{'f32' if kind == 'float' else 'f64'}", (kind, a))
        word = self._word(kind, a if term.op in (Op.FP_IS_NEGATIVE, Op.FP_IS_POSITIVE) else size)
        nearest = self._nearest(term.op, sort == FLOAT32, word)
        cost = put(f"fadd double {put(f'call double @zeroin_steps(i64 {word}, i64 {nearest})')}, 1.0")
        return put(f"select i1 {holds}, double 0.0, double {cost}")

    def _nearest(self, test: Op, single: bool, word: str) -> str:
        """Return the word of the float in a class that is nearest to a float outside of it.

        Args:
            test: the operation that tests for the class, such as ``Op.FP_IS_NORMAL``.
            single: whether the floats have 32 bits.
            word: the word of the float outside. For classes that do not depend on the sign, that of its absolute value.

        Returns:
            The name of an IR value, or a constant.
        """
        fraction = 23 if single else 52
        rotation = (1 << fraction) - 1
        infinity = ((0xFF if single else 0x7FF) << fraction) - rotation
        zero, smallest_normal = -rotation, (1 << fraction) - rotation
        if test is Op.FP_IS_POSITIVE:
            nan = self.writer.put(f"icmp sgt i64 {word}, {infinity}")
            return self.writer.put(f"select i1 {nan}, i64 {infinity}, i64 {zero}")
        fixed = {Op.FP_IS_NAN: infinity + (1 << (fraction - 1)), Op.FP_IS_INF: infinity, Op.FP_IS_ZERO: zero,
                 Op.FP_IS_NEGATIVE: zero - 1}  # fmt: skip
        if test in fixed:
            return str(fixed[test])
        low, high = (smallest_normal, infinity - 1) if test is Op.FP_IS_NORMAL else (zero + 1, smallest_normal - 1)
        below = self.writer.put(f"icmp slt i64 {word}, {low}")
        return self.writer.put(f"select i1 {below}, i64 {low}, i64 {high}")


_COMPARISONS = {Op.FP_EQ: "eq", Op.FP_LT: "lt", Op.FP_LE: "le", Op.LT: "lt", Op.LE: "le", Op.BV_ULT: "lt",
                Op.BV_ULE: "le", Op.BV_SLT: "lt", Op.BV_SLE: "le"}  # fmt: skip
_CLASSES = {op for op in Op if op.name.startswith("FP_IS_")}


def _needs(term: Term, wanted: bool) -> list[tuple[Term, bool]]:
    """Return the conditions, with their wanted truth values, whose distances make up the distance of this one."""
    if term.op is Op.NOT:
        return [(term.args[0], not wanted)]
    if term.op in (Op.AND, Op.OR):
        return [(a, wanted) for a in term.args]
    if term.op is Op.ITE:
        condition, then, other = term.args
        return [(condition, True), (then, wanted), (condition, False), (other, wanted)]
    if term.op is Op.EQUAL and term.args[0].sort == BOOL:
        a, b = term.args
        return [(a, True), (b, wanted), (a, False), (b, not wanted)]
    return []
