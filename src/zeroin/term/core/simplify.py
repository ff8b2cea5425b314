"""Simplification of terms. It keeps the value for every input, and keeps open values open (:mod:`.open_values`)."""

from __future__ import annotations

from collections.abc import Iterable

from .build import FALSE, TRUE, conjuncts, negation
from .evaluate import MEANING, Map, NoValue, evaluate
from .exact_comparison import exactly
from .nodes import Op, Term, bits_of_float, constant, float_constant, make
from .open_values import why_open
from .sorts import BOOL, MACHINE_FLOATS
from .traversal import fold, rebuild, substitute, variables
from .typing_rules import EXACT, sort_of

_FROM_INTEGERS = (Op.SIGNED_TO_FP, Op.UNSIGNED_TO_FP, Op.INT_TO_FP)
_LARGE = 1 << 12  # bits: a longer integer is not folded, as the power that makes it is a smaller term
_FEW = 8


def simplify(term: Term, memo: dict[Term, Term] | None = None) -> Term:
    """Return the term with constants folded, known conditions decided, and double negations removed.

    Args:
        term: any term.
        memo: the simplified form of terms that are known already; the new ones are added.
    """
    return rebuild(term, simpler, memo)


def simplify_above(term: Term, *known: Term) -> Term:
    """Return the term simplified, given parts of it (``known``) that are already simplified."""
    return rebuild(term, simpler, dict(zip(known, known, strict=True)))


def simplify_all(constraints: Iterable[Term]) -> list[Term]:
    """Return a simplified conjunction as a list of its parts.

    Each part is simplified. If a part is an equation ``variable = constant``, the constant replaces the variable in all
    other parts; the equation stays.

    Returns:
        The parts, without repetitions; empty if the conjunction is always true. ``[FALSE]`` if a part is always false
        or two parts contradict each other.
    """
    return Conjunctions({}).simplified(constraints)


class Conjunctions:
    """:func:`simplify_all` for several conjunctions that share parts: each result is computed once.

    Args:
        memo: the simplified form of terms that are known already; the new ones are added.
    """

    def __init__(self, memo: dict[Term, Term]) -> None:
        self._memo = memo
        self._variables: dict[Term, list[Term]] = {}
        self._used: dict[Term, frozenset[Term]] = {}
        self._replaced: dict[tuple[Term, ...], dict[Term, Term]] = {}

    def variables(self, part: Term) -> list[Term]:
        """Return the variables of one part, in order of their first occurrence. The list is cached and shared."""
        if part not in self._variables:
            self._variables[part] = variables([part])
        return self._variables[part]

    def simplified(self, constraints: Iterable[Term]) -> list[Term]:
        """Return a simplified conjunction, as :func:`simplify_all` does."""
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
        """Return the part simplified with these values for its variables.

        The results for subterms are kept, since the parts of a path condition share many.
        """
        used = fold(part, _own_variables, self._used)
        own = {v: value for v, value in known.items() if v in used}
        memo = self._replaced.setdefault((*own, *own.values()), {})
        return simplify(substitute(part, own, memo), self._memo) if own else part


def _own_variables(term: Term, of_arguments: list[frozenset[Term]]) -> frozenset[Term]:
    """Return the variables of a term."""
    if term.op is Op.VARIABLE:
        return frozenset((term,))
    found = of_arguments[0] if of_arguments else frozenset()
    for other in of_arguments[1:]:
        found = found if other <= found else found | other
    return found


def _contradicts(parts: list[Term]) -> bool:
    """Return whether there are a part and its negation, or two different values for one variable."""
    every = set(parts)
    if any(part.op is Op.NOT and part.args[0] in every for part in parts):
        return True
    seen: dict[Term, Term] = {}
    for v, value in map(_fixed, parts):
        if v is not None and value is not None and seen.setdefault(v, value) is not value:
            return True
    return False


def _fixed(part: Term) -> tuple[Term | None, Term | None]:
    """Return the variable that a part fixes, and its value; None for both if there is none.

    An IEEE ``==`` fixes no variable if the constant is zero, as 0.0 and -0.0 are equal.
    """
    if part.op is Op.VARIABLE and part.sort == BOOL:
        return part, TRUE
    if part.op is Op.NOT and part.args[0].op is Op.VARIABLE:
        return part.args[0], FALSE
    if part.op in (Op.EQUAL, Op.FP_EQ):
        a, b = part.args if part.args[1].is_constant else part.args[::-1]
        if a.op is Op.VARIABLE and b.is_constant and (part.op is Op.EQUAL or abs(b.value) > 0):
            return a, b
    return None, None


def folded(op: Op, *args: Term, data: object = None) -> Term:
    """Return the term ``op(*args)``. If all arguments are constants, fold it to a constant where that is possible.

    For common operations on bit vectors, this is faster than to build the term and fold it.

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


_WITH_ZERO = frozenset((Op.BV_ADD, Op.BV_SUB, Op.BV_OR, Op.BV_XOR))  # a zero as argument does not change the other one
# Operations on bit vectors whose value is never open.
_OF_BITS = frozenset((
    Op.BV_ADD, Op.BV_SUB, Op.BV_MUL, Op.BV_AND, Op.BV_OR, Op.BV_XOR, Op.BV_SHL, Op.BV_LSHR, Op.BV_ASHR, Op.BV_EXTRACT,
    Op.BV_ZERO_EXTEND, Op.BV_SIGN_EXTEND, Op.BV_ULT, Op.BV_ULE, Op.BV_SLT, Op.BV_SLE))  # fmt: skip


def simpler(term: Term) -> Term:
    """Return the term simplified at its root only. The arguments must be simplified; :func:`simplify` does both."""
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
        inexact = term.op is Op.MATH and term.data not in EXACT  # another math library may compute another value
        return term if inexact or why_open(term, [a.value for a in term.args]) else _folded(term)
    if term.op in (Op.EXACT_EQ, Op.EXACT_LT, Op.EXACT_LE):
        return exactly(term.op, *term.args)
    if term.op is Op.FP_ROUND and _is_whole(term.args[1]):
        return term.args[1]
    if term.op is Op.FP_ABS and term.args[0].op in (Op.FP_ABS, Op.FP_NEG):
        return simpler(make(Op.FP_ABS, *term.args[0].args))
    if term.op in _WITH_ZERO:
        first, second = term.args
        if second.is_constant and second.data == 0:
            return first
        return second if first.is_constant and first.data == 0 and term.op is not Op.BV_SUB else term
    return term


def _is_whole(term: Term) -> bool:
    """Whether a float is whole, or no number, as its operation is.

    An integer may be rounded to the greatest float of a sort. That is whole in the sorts of machines, but not in all.
    """
    return term.op is Op.FP_ROUND or (term.op in _FROM_INTEGERS and term.sort in MACHINE_FLOATS)


def _joined(op: Op, terms: Iterable[Term]) -> Term:
    """Return a conjunction or disjunction without repeated and neutral parts.

    A nested one is merged only if it has few parts: otherwise, building a long chain would copy it at each step.
    """
    decides, nothing = (FALSE, TRUE) if op is Op.AND else (TRUE, FALSE)
    parts: dict[Term, None] = {}
    for arg in terms:
        parts.update(dict.fromkeys(arg.args if arg.op is op and len(arg.args) <= _FEW else (arg,)))
    parts.pop(nothing, None)
    if decides in parts or any(part.op is Op.NOT and part.args[0] in parts for part in parts):
        return decides
    return make(op, *parts) if len(parts) > 1 else next(iter(parts), nothing)


def _decided(term: Term) -> Term:
    """Return an if-then-else term simplified."""
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
    """Return a term with constant arguments as a constant; the term itself if it has no value, or a large one."""
    try:
        value = evaluate(term, {})
    except NoValue:
        return term
    if isinstance(value, Map) or (isinstance(value, int) and value.bit_length() > _LARGE):
        return term
    if term.sort.is_float:
        return float_constant(term.sort, bits_of_float(term.sort, value))
    return constant(term.sort, value)
