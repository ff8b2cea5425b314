"""The syntax of preconditions: parse a condition into bounds of single numbers, and into terms for the rest."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..term.core.build import conjunction, disjunction, negation
from ..term.core.nodes import Op, Term, constant, make, variable
from ..term.core.sorts import INT
from ..term.core.traversal import substitute, variables
from ..term.expression.parser import is_constant, parse
from ..term.expression.parser import read as read_expression
from ..term.expression.typed import WHOLE, ExpressionError, Literal, Typed
from ..words import Kind
from .bounds import Bounds
from .input_names import Leaf, Presence, word_variable

_INFINITY = float("inf")
_MOST = 500  # the most combinations of numbers that one condition may apply to


@dataclass(frozen=True)
class Condition:
    """A precondition that ranges of words can not express.

    Attributes:
        text: the condition as the user wrote it.
        term: the condition over the variables :attr:`Leaf.variable`.
        model: the condition over the variables of path conditions. None if these do not contain all its numbers.
    """

    text: str
    term: Term
    model: Term | None


def tree_of(source: str) -> ast.expr:
    """Parse a Python expression.

    Raises:
        ExpressionError: the text is not a Python expression.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise ExpressionError(str(error.msg if isinstance(error, SyntaxError) else error)) from None


def names_in(tree: ast.expr, known: Collection[str]) -> list[str]:
    """Return the names in an expression, as source text, each once and in the order of the source.

    These are the known names, and all other names, attributes, indices and ``len(...)`` that are no constants.
    """
    found, waiting = list[str](), [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript) or _is_length(node):
            name = ast.unparse(node)
            found += [name] if name in known or not is_constant(node) else []
        elif isinstance(node, ast.Call):
            waiting += reversed(node.args)
        else:
            waiting += reversed([child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)])
    return list(dict.fromkeys(found))


def _is_length(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"


def conjuncts(tree: ast.expr) -> Iterator[ast.expr]:
    """Yield the parts that all have to hold: the operands of ``and``, and the links of a comparison chain.

    Each comparison that is yielded has one operator. An expression without such parts is yielded itself.
    """
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
        for value in tree.values:
            yield from conjuncts(value)
    elif isinstance(tree, ast.Compare):
        for sign, (left, right) in zip(tree.ops, pairwise([tree.left, *tree.comparators]), strict=True):
            yield ast.Compare(left, [sign], [right])
    else:
        yield tree


_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.Eq,
}  # fmt: skip


def bounds_of(part: ast.expr, known: Collection[str]) -> tuple[str, Bounds] | None:
    """Return the name and the bounds in a comparison with a constant, by ``<``, ``<=``, ``==``, ``>=`` or ``>``.

    None for any other expression. The comparison ``x == x`` has bounds that exclude only NaN.

    Args:
        part: an expression, as :func:`conjuncts` yields it.
        known: the names of numbers.
    """
    if not isinstance(part, ast.Compare):
        return None
    left, sign, right = part.left, type(part.ops[0]), part.comparators[0]
    if ast.unparse(left) not in known:
        left, sign, right = right, _MIRRORED.get(sign, ast.NotEq), left
    name = ast.unparse(left)
    if name not in known:
        return None
    if ast.unparse(right) == name and sign is ast.Eq:
        return name, Bounds(ge=-_INFINITY)  # no NaN
    value = None if names_in(right, known) else _constant(right)
    if value is None:
        return None
    signs = {ast.Lt: Bounds(lt=value), ast.LtE: Bounds(le=value), ast.Gt: Bounds(gt=value), ast.GtE: Bounds(ge=value),
             ast.Eq: Bounds(ge=value, le=value)}  # fmt: skip
    return (name, signs[sign]) if sign in signs else None


def _constant(node: ast.expr) -> int | float | bool | None:
    """Return the value of an expression without names. None if it has none."""
    try:
        value = read_expression(ast.unparse(node), {}).value
    except ExpressionError:
        return None
    if isinstance(value, Typed) and value.term.is_constant:
        found = value.term.value
        return found if isinstance(found, bool | int | float) else None
    return value.value if isinstance(value, Literal) else None


def condition_of(text: str, part: ast.expr, leaves: Sequence[Leaf]) -> Condition:
    """Return a condition as terms.

    A condition on a list is one on each of its items. It also holds for inputs without the numbers that it names.

    Args:
        text: the condition as the user wrote it, of which ``part`` is a part.
        part: the expression.
        leaves: all numbers in the inputs.

    Raises:
        ExpressionError: the expression is not a condition on numbers, or it applies to too many numbers.
    """
    known = {name for leaf in leaves for name in (leaf.name, leaf.group)}
    wanted = names_in(part, known)
    strange = [name for name in wanted if name not in known]
    if strange:
        raise ExpressionError(f"{strange[0]} can only be compared with numbers, by <, <=, ==, >= and >")
    terms, models = list[Term](), list[Term | None]()
    for each in _chosen(wanted, leaves):
        try:
            term = parse(ast.unparse(part), {name: leaf.type for name, leaf in each.items()})
        except ExpressionError as error:
            raise ExpressionError(re.sub(r"^column \d+: ", "", str(error))) from None  # not the text that was given
        made, model = _of_words(term, each)
        terms.append(made)
        models.append(model)
    told = [model for model in models if model is not None]
    return Condition(text, conjunction(terms), conjunction(told) if len(told) == len(models) else None)


def _chosen(wanted: Sequence[str], leaves: Sequence[Leaf]) -> Iterator[dict[str, Leaf]]:
    """Yield each assignment of numbers to names. The names of several lists stand for items with the same indices.

    Raises:
        ExpressionError: there are too many combinations.
    """
    ways: list[tuple[dict[str, Leaf], tuple[int, ...]]] = [({}, ())]
    for name in wanted:
        further = []
        for way, index in ways:
            for leaf in leaves:
                own = leaf.index if leaf.name != name else ()
                if name in (leaf.name, leaf.group) and all(a == b for a, b in zip(index, own, strict=False)):
                    further.append(({**way, name: leaf}, max(index, own, key=len)))
            if len(further) > _MOST:
                raise ExpressionError(f"it combines more than {_MOST} numbers at a time")
        ways = further
    for way, _ in ways:
        yield way


def _of_words(term: Term, chosen: Mapping[str, Leaf]) -> tuple[Term, Term | None]:
    """Return a condition over words, and over the variables of path conditions. It holds if a number is not there.

    The second is None if path conditions lack one of its numbers.
    """
    there = dict.fromkeys(one for leaf in chosen.values() for one in leaf.there)
    present = [end for one in there for end in _ends(one)]
    named = {variable(name, leaf.type.sort): leaf for name, leaf in chosen.items()}
    own = substitute(term, {one: leaf.variable for one, leaf in named.items()})
    made = disjunction([negation(conjunction(present)), own])
    models = {one: leaf.model for one, leaf in named.items() if leaf.model is not None}
    known = [one.model for one in there if one.model is not None]
    if len(models) < len(named) or len(known) < len(there):
        return made, None
    return made, disjunction([negation(conjunction(known)), substitute(term, models)])


def _ends(one: Presence) -> tuple[Term, Term]:
    """Return the two inequalities that hold if a number is part of the input."""
    type_ = one.type or WHOLE
    before = Op.LE if type_.sort == INT else Op.BV_SLE if type_.signed else Op.BV_ULE
    word = word_variable(one.word, type_)
    return (make(before, constant(type_.sort, one.low), word), make(before, word, constant(type_.sort, one.high)))


def words_within(leaves: Mapping[int, Leaf], ranges: Sequence[tuple[int, int]]) -> list[Term]:
    """Return the ranges of words as terms over the variables :attr:`Leaf.variable`.

    A range that contains NaN gives no term, because every value is possible.

    Args:
        leaves: numbers, by the index of their word.
        ranges: the lowest and the highest value of each word of an input, both inclusive.
    """
    found = []
    for at, leaf in leaves.items():
        one, (low, high) = leaf.variable, ranges[at]
        if leaf.kind.is_float:
            if leaf.number(high) == leaf.number(high):  # else NaN is possible, and so is every value
                found += [make(Op.FP_LE, constant(one.sort, leaf.number(low)), one),
                          make(Op.FP_LE, one, constant(one.sort, leaf.number(high)))]  # fmt: skip
        elif leaf.kind is Kind.BOOL:
            found += [one] if low else [negation(one)] if not high else []
        else:
            before = Op.LE if one.sort == INT else Op.BV_SLE if leaf.type.signed else Op.BV_ULE
            found += [make(before, constant(one.sort, leaf.number(low)), one),
                      make(before, one, constant(one.sort, leaf.number(high)))]  # fmt: skip
    return found


def used(conditions: Iterable[Condition], leaves: Sequence[Leaf]) -> dict[int, Leaf]:
    """Return the numbers in conditions, and those that decide whether these are part of the input.

    They are listed by the index of their word. A length that has no leaf of its own gets one without a name.
    """
    met = set(variables(condition.term for condition in conditions))
    found = {leaf.word: leaf for leaf in leaves if leaf.variable in met}
    for leaf in leaves:
        for one in leaf.there:
            if word_variable(one.word, WHOLE) in met:
                found.setdefault(one.word, Leaf("", "", (), one.word, Kind.U32, WHOLE))
    return found
