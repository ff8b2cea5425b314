"""Terms made smaller without changing their value for any input: what is open stays open (:mod:`.open_values`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .build import FALSE, TRUE, conjuncts, negation
from .evaluate import MEANING, Map, NoValue, evaluate
from .exact_comparison import exactly
from .nodes import Op, Term, bits_of_float, constant, float_constant, make
from .open_values import why_open
from .sorts import BOOL, FLOAT32, FLOAT64
from .traversal import rebuild, substitute, variables
from .typing_rules import EXACT, sort_of

_LARGE = 1 << 12  # bits of an integer constant: a power may be worth leaving alone
_FEW = 8


def simplify(term: Term, memo: dict[Term, Term] | None = None) -> Term:
    """Constants folded, conditions that are known decided, double negations gone."""
    return rebuild(term, simpler, memo)


def simplify_above(term: Term, *known: Term) -> Term:
    """The same, of a term that is made of terms which are simplified already."""
    return rebuild(term, simpler, dict(zip(known, known, strict=True)))


def simplify_all(constraints: Iterable[Term]) -> list[Term]:
    """A conjunction: each part simplified, and variables that an equation fixes replaced by their value in all others.

    Only ``variable = constant`` counts; the equation itself stays. ``[FALSE]`` if the parts contradict each other.
    """
    return Conjunctions({}).simplified(constraints)


class Conjunctions:
    """:func:`simplify_all` for conjunctions that have parts in common.

    Args:
        memo: of terms, what they are when simplified; more are added.
    """

    def __init__(self, memo: dict[Term, Term]) -> None:
        self._memo = memo
        self._variables: dict[Term, list[Term]] = {}
        self._replaced: dict[tuple[Term, tuple[Term, ...]], Term] = {}

    def variables(self, part: Term) -> list[Term]:
        """Of one part."""
        if part not in self._variables:
            self._variables[part] = variables([part])
        return self._variables[part]

    def simplified(self, constraints: Iterable[Term]) -> list[Term]:
        """See :func:`simplify_all`."""
        parts = conjuncts(simplify(c, self._memo) for c in constraints)
        while True:
            fixed = [_fixed(part) for part in parts]
            known = {v: value for v, value in fixed if v is not None and value is not None}
            after = conjuncts(
                part if v is not None else self._with(part, known) for part, (v, _) in zip(parts, fixed, strict=True)
            )
            if FALSE in after or _contradicts(after):
                return [FALSE]
            if after == parts:
                return parts
            parts = after

    def _with(self, part: Term, known: dict[Term, Term]) -> Term:
        """With values for its variables."""
        own = {v: known[v] for v in self.variables(part) if v in known}
        key = part, (*own, *own.values())
        if key not in self._replaced:
            self._replaced[key] = simplify(substitute(part, own))
        return self._replaced[key]


def _contradicts(parts: list[Term]) -> bool:
    """A part and its negation, or two different values for one variable."""
    every = set(parts)
    if any(part.op is Op.NOT and part.args[0] in every for part in parts):
        return True
    seen: dict[Term, Term] = {}
    for v, value in map(_fixed, parts):
        if v is not None and value is not None and seen.setdefault(v, value) is not value:
            return True
    return False


def _fixed(part: Term) -> tuple[Term | None, Term | None]:
    """The variable and the value that a part says it has; of floats only by identity, not by IEEE's ==."""
    if part.op is Op.VARIABLE and part.sort == BOOL:
        return part, TRUE
    if part.op is Op.NOT and part.args[0].op is Op.VARIABLE:
        return part.args[0], FALSE
    if part.op is Op.EQUAL:
        a, b = part.args
        if a.op is Op.VARIABLE and b.is_constant:
            return a, b
        if b.op is Op.VARIABLE and a.is_constant:
            return b, a
    return None, None


def folded(op: Op, *args: Term, data: Any = None) -> Term:
    """The term ``op(*args)``; of constants, a constant, without making the term first.

    Raises:
        SortError: the operation does not take these arguments.
    """
    for a in args:
        if a.op is not Op.CONSTANT:
            return make(op, *args, data=data)
    if op not in _OF_BITS:
        return simpler(make(op, *args, data=data))
    loose = Term()
    loose.op, loose.args, loose.data, loose.sort = op, args, data, sort_of(op, args, data)
    return constant(loose.sort, MEANING[op](loose, *[a.data for a in args]))


_WITH_ZERO = frozenset((Op.BV_ADD, Op.BV_SUB, Op.BV_OR, Op.BV_XOR))  # of which one argument says nothing if it is 0
# Of bit vectors, and open nowhere.
_OF_BITS = frozenset((
    Op.BV_ADD, Op.BV_SUB, Op.BV_MUL, Op.BV_AND, Op.BV_OR, Op.BV_XOR, Op.BV_SHL, Op.BV_LSHR, Op.BV_ASHR, Op.BV_EXTRACT,
    Op.BV_ZERO_EXTEND, Op.BV_SIGN_EXTEND, Op.BV_ULT, Op.BV_ULE, Op.BV_SLT, Op.BV_SLE))  # fmt: skip


def simpler(term: Term) -> Term:
    """The term made smaller at its root only: of arguments that are as small as they get, :func:`simplify`."""
    if term.op in (Op.VARIABLE, Op.CONSTANT):
        return term
    if term.op in (Op.AND, Op.OR):
        return _joined(term.op, term.args)
    if term.op is Op.NOT:
        return negation(term.args[0])
    if term.op is Op.ITE:
        return _decided(term)
    if term.op is Op.EQUAL and term.args[0] is term.args[1]:
        return TRUE
    if term.op not in (Op.CALL, Op.FILLED, Op.STORE) and all(a.is_constant for a in term.args):
        inexact = term.op is Op.MATH and term.data not in EXACT  # another library may have another value
        return term if inexact or why_open(term, [a.value for a in term.args]) else _folded(term)
    if term.op in (Op.EXACT_EQ, Op.EXACT_LT, Op.EXACT_LE):
        return exactly(term.op, *term.args)
    if term.op in _WITH_ZERO:
        first, second = term.args
        if second.is_constant and second.data == 0:
            return first
        return second if first.is_constant and first.data == 0 and term.op is not Op.BV_SUB else term
    return term


def _joined(op: Op, terms: Iterable[Term]) -> Term:
    """A conjunction or disjunction without what does not count. A part that is such a one itself is taken apart only
    if it is small: a long chain of them would be copied once for each link."""
    decides, nothing = (FALSE, TRUE) if op is Op.AND else (TRUE, FALSE)
    parts: dict[Term, None] = {}
    for arg in terms:
        parts.update(dict.fromkeys(arg.args if arg.op is op and len(arg.args) <= _FEW else (arg,)))
    parts.pop(nothing, None)
    if decides in parts or any(part.op is Op.NOT and part.args[0] in parts for part in parts):
        return decides
    return make(op, *parts) if len(parts) > 1 else next(iter(parts), nothing)


def _decided(term: Term) -> Term:
    condition, then, other = term.args
    if condition.is_constant:
        return then if condition.data else other
    if then is other:
        return then
    if term.sort == BOOL and then is TRUE:
        return _joined(Op.OR, [condition, other])
    if term.sort == BOOL and then is FALSE:
        return _joined(Op.AND, [negation(condition), other])
    if term.sort == BOOL and other is FALSE:
        return _joined(Op.AND, [condition, then])
    if term.sort == BOOL and other is TRUE:
        return _joined(Op.OR, [negation(condition), then])
    return term


def _folded(term: Term) -> Term:
    try:
        value = evaluate(term, {})
    except NoValue:
        return term
    if isinstance(value, Map) or (isinstance(value, int) and value.bit_length() > _LARGE):
        return term
    if term.sort in (FLOAT32, FLOAT64):
        return float_constant(term.sort, bits_of_float(term.sort, value))
    return constant(term.sort, value)
