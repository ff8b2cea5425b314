"""Conditions on the numbers of a function's inputs, as people write them: the bounds in them, and all else as terms."""

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
from ..term.expression.typed import WHOLE, ExpressionError, Number, Typed
from ..words import Kind
from .bounds import Bounds
from .input_names import Leaf, Presence, word_variable

_INFINITY = float("inf")
_MOST = 500  # inputs that a condition is about at a time: items of lists, and alternatives of types


@dataclass(frozen=True)
class Condition:
    """A condition that ranges can not say.

    Attributes:
        text: as it was written.
        term: it over the variables of :attr:`Leaf.variable`.
        model: and over those of path conditions; None if these know too little.
    """

    text: str
    term: Term
    model: Term | None


def tree_of(source: str) -> ast.expr:
    """An expression of Python.

    Raises:
        ExpressionError: it is none.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise ExpressionError(str(error.msg if isinstance(error, SyntaxError) else error)) from None


def names_in(tree: ast.expr, known: Collection[str]) -> list[str]:
    """What stands in it for numbers: what is known by that name, and all that is no constant."""
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
    """What has to hold, each by itself: the operands of ``and``, the links of a chain."""
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
    """The name in a comparison with a constant, and the bounds of what it stands for; None if it is something else."""
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
    """The value of an expression without names."""
    try:
        value = read_expression(ast.unparse(node), {}).value
    except ExpressionError:
        return None
    if isinstance(value, Typed) and value.term.is_constant:
        found = value.term.value
        return found if isinstance(found, bool | int | float) else None
    return value.value if isinstance(value, Number) else None


def condition_of(text: str, part: ast.expr, leaves: Sequence[Leaf]) -> Condition:
    """A condition as terms: it holds for all numbers that its names stand for, if they are there.

    Args:
        text: that it is a part of.
        part: an expression.
        leaves: the numbers that there are.

    Raises:
        ExpressionError: it is none, or it is about too many numbers.
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
            raise ExpressionError(re.sub(r"^column \d+: ", "", str(error))) from None  # the text is not as it was given
        made, model = _of_words(term, each)
        terms.append(made)
        models.append(model)
    told = [model for model in models if model is not None]
    return Condition(text, conjunction(terms), conjunction(told) if len(told) == len(models) else None)


def _chosen(wanted: Sequence[str], leaves: Sequence[Leaf]) -> Iterator[dict[str, Leaf]]:
    """All ways in which names stand for numbers; lists are gone through together, item by item."""
    ways: list[tuple[dict[str, Leaf], tuple[int, ...]]] = [({}, ())]
    for name in wanted:
        further = []
        for way, index in ways:
            for leaf in leaves:
                own = leaf.index if leaf.name != name else ()
                if name in (leaf.name, leaf.group) and all(a == b for a, b in zip(index, own, strict=False)):
                    further.append(({**way, name: leaf}, max(index, own, key=len)))
            if len(further) > _MOST:
                raise ExpressionError(f"it is about more than {_MOST} numbers at a time")
        ways = further
    for way, _ in ways:
        yield way


def _of_words(term: Term, chosen: Mapping[str, Leaf]) -> tuple[Term, Term | None]:
    """A condition over the words of numbers, and over the variables of path conditions; it holds, too, where they are
    not there."""
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
    """A number is there if both hold."""
    type_ = one.type or WHOLE
    before = Op.LE if type_.sort == INT else Op.BV_SLE if type_.signed else Op.BV_ULE
    word = word_variable(one.word, type_)
    return (make(before, constant(type_.sort, one.low), word), make(before, word, constant(type_.sort, one.high)))


def words_within(leaves: Mapping[int, Leaf], ranges: Sequence[tuple[int, int]]) -> list[Term]:
    """What the ranges of their words say of numbers, over the variables of these."""
    found = []
    for at, leaf in leaves.items():
        one, (low, high) = leaf.variable, ranges[at]
        if leaf.kind.is_float:
            if leaf.number(high) == leaf.number(high):  # else NaN may be, and so may all that is not
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
    """The numbers that conditions are about, and the words that tell which of these are there, by their words."""
    met = set(variables(condition.term for condition in conditions))
    found = {leaf.word: leaf for leaf in leaves if leaf.variable in met}
    for leaf in leaves:
        for one in leaf.there:
            if word_variable(one.word, WHOLE) in met:
                found.setdefault(one.word, Leaf("", "", (), one.word, Kind.U32, WHOLE))
    return found
