"""Numbers that are an int or a float depending on a condition, and conditions under which Python raises an exception.

Examples of such *mixed* numbers are ``n if b else x``, ``max(n, x)`` and ``2**n`` for an int n and a float x. An
operation on a mixed number is carried out for both cases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..core.build import FALSE, TRUE, conjunction, disjunction, if_else, negation
from ..core.evaluate import evaluate
from ..core.nodes import Op, Term, constant, make
from .typed import DOUBLE, WHOLE, Choice, Type, Typed, TypedValue, common, convert, is_loose, is_mixed, type_of

Raised = list[Term]  # conditions under which Python raises an exception instead of computing a value
Function = Callable[[Sequence[TypedValue], Raised], TypedValue]


def choose(condition: Term, then: TypedValue, other: TypedValue) -> TypedValue:
    """Return ``then if condition else other``.

    The result has no type if both values have none, and it is mixed if one value is an int and the other one a float.
    Otherwise both values are converted to their common type.

    Raises:
        ExpressionError: only one of the values is a bool.
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
    """Return the condition under which a value is an int, the int, and the float; None for one that does not exist."""
    if isinstance(value, Choice) and is_mixed(value):
        return value.condition, value.then, value.other
    return (TRUE, value, None) if type_of(value) == WHOLE else (FALSE, None, value)


def _either(condition: Term, then: TypedValue | None, other: TypedValue | None) -> TypedValue:
    """Return the value that is not None, or a choice of both."""
    if then is None or other is None:
        found = other if then is None else then
        assert found is not None
        return found
    return choose(condition, then, other)


def by_cases(function: Function, values: Sequence[TypedValue], raised: Raised) -> TypedValue:
    """Apply a function that takes no mixed numbers to values that may be mixed. The result may be mixed, too.

    Args:
        function: takes values and a list of conditions, as ``raised``.
        values: its arguments. Each mixed one is split into its int and its float.
        raised: a list to which the conditions are added under which Python raises an exception.
    """
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
    """Return the side of a value that chooses by this very condition, given whether it holds; other values
    unchanged."""
    if isinstance(value, Choice) and value.condition is condition:
        return value.then if holds else value.other
    return value


def to_float(value: TypedValue, t: Type, raised: Raised) -> Term:
    """Return the value as a float of type ``t``.

    An int that is too large raises an exception in Python: this condition is added to ``raised``.

    Raises:
        ExpressionError: a literal is too large.
    """
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
    """Return the condition that a number is 0: ``TRUE`` or ``FALSE`` if it is a constant."""
    if term.sort.is_float:
        return tested(Op.FP_IS_ZERO, term)
    found = make(Op.EQUAL, term, constant(term.sort, 0))
    return found if not term.is_constant else FALSE if term.data else TRUE


def no_result(result: Term, arguments: Sequence[Term], nan: bool = True, infinite: bool = True) -> Term:
    """Return the condition under which Python raises an exception because of a math function's result.

    Args:
        result: the result of C's function, a float.
        arguments: the arguments of the function.
        nan: whether a NaN counts, if no argument is NaN.
        infinite: whether an infinity counts, if no argument is infinite.
    """
    found = []
    for test in [Op.FP_IS_NAN] * nan + [Op.FP_IS_INF] * infinite:
        without = [negation(tested(test, a)) for a in arguments]
        found.append(conjunction([make(test, result), *without]))
    return disjunction(found)


def tested(test: Op, term: Term) -> Term:
    """Return the condition that a float passes a test, such as ``FP_IS_NAN``: ``TRUE`` or ``FALSE`` for a constant."""
    found = make(test, term)
    if not term.is_constant:
        return found
    return TRUE if evaluate(found, {}) else FALSE
