"""Numbers of which a condition says whether they are an int or a float, and where Python raises an exception.

``n if b else x`` is such a number, and so are ``max(n, x)`` and ``2**n``. What is done with it is done in both cases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..core.build import FALSE, TRUE, conjunction, disjunction, if_else, negation
from ..core.evaluate import evaluate
from ..core.nodes import Op, Term, constant, make
from .typed import DOUBLE, WHOLE, Choice, Type, Typed, TypedValue, common, convert, is_loose, is_mixed, type_of

Raised = list[Term]  # conditions under which there is an exception instead of a value
Function = Callable[[Sequence[TypedValue], Raised], TypedValue]


def choose(condition: Term, then: TypedValue, other: TypedValue) -> TypedValue:
    """``then if condition else other``; without a type if both have none, and both an int and a float if they are.

    Raises:
        ExpressionError: only one of them is a bool.
    """
    if {type_of(then), type_of(other)} == {WHOLE, DOUBLE} or is_mixed(then) or is_mixed(other):
        (first, *ours), (second, *theirs) = _parts(then), _parts(other)
        whole = disjunction([conjunction([condition, first]), conjunction([negation(condition), second])])
        return Choice(whole, *(_either(condition, *pair) for pair in zip(ours, theirs, strict=True)))
    if is_loose(then) and is_loose(other):
        return Choice(condition, then, other)
    t = common(then, other)
    return Typed(if_else(condition, convert(then, t), convert(other, t)), t)


def _parts(value: TypedValue) -> tuple[Term, TypedValue | None, TypedValue | None]:
    """Whether it is an int, the int, and the float."""
    if isinstance(value, Choice) and is_mixed(value):
        return value.condition, value.then, value.other
    return (TRUE, value, None) if type_of(value) == WHOLE else (FALSE, None, value)


def _either(condition: Term, then: TypedValue | None, other: TypedValue | None) -> TypedValue:
    """The one that is there, or one of both, which have a type in common."""
    if then is None or other is None:
        found = other if then is None else then
        assert found is not None
        return found
    return choose(condition, then, other)


def by_cases(function: Function, values: Sequence[TypedValue], raised: Raised) -> TypedValue:
    """The function's value where each argument is an int, or a float, for sure."""
    for n, value in enumerate(values):
        if isinstance(value, Choice) and is_mixed(value):
            results = []
            for first, condition in ((True, value.condition), (False, negation(value.condition))):
                inside: Raised = []
                cases = [*values[:n], *(_case(each, value.condition, first) for each in values[n:])]
                results.append(by_cases(function, cases, inside))
                raised += [conjunction([condition, each]) for each in inside]
            return choose(value.condition, *results)
    return function(values, raised)


def _case(value: TypedValue, condition: Term, holds: bool) -> TypedValue:
    """The value where it is known whether a condition holds."""
    if isinstance(value, Choice) and value.condition is condition:
        return value.then if holds else value.other
    return value


def to_float(value: TypedValue, t: Type, raised: Raised) -> Term:
    """The value as a float; an int that is too large has none."""
    if isinstance(value, Choice) and not is_loose(value):
        found = []
        for condition, case in ((value.condition, value.then), (negation(value.condition), value.other)):
            inside: Raised = []
            found.append(to_float(case, t, inside))
            raised += [conjunction([condition, each]) for each in inside]
        return if_else(value.condition, *found)
    term = convert(value, t)
    if isinstance(value, Typed) and value.type == WHOLE and value.rounded is None:
        raised.append(make(Op.FP_IS_INF, term))
    return term


def is_zero(term: Term) -> Term:
    """Whether a number is 0; decided where it is a constant."""
    if term.sort.is_float:
        return tested(Op.FP_IS_ZERO, term)
    found = make(Op.EQUAL, term, constant(term.sort, 0))
    return found if not term.is_constant else FALSE if term.data else TRUE


def no_result(result: Term, arguments: Sequence[Term], nan: bool = True, infinite: bool = True) -> Term:
    """Where a function of the C library has left the floats: NaN, though no argument is, or infinite, though all are
    finite. Python raises an exception there."""
    found = []
    for test in [Op.FP_IS_NAN] * nan + [Op.FP_IS_INF] * infinite:
        without = [negation(tested(test, a)) for a in arguments]
        found.append(conjunction([make(test, result), *without]))
    return disjunction(found)


def tested(test: Op, term: Term) -> Term:
    """The test of a float; decided where it is a constant."""
    found = make(test, term)
    if not term.is_constant:
        return found
    return TRUE if evaluate(found, {}) else FALSE
