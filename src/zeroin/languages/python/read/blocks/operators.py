"""What operators, comparisons and the functions that everybody knows do to values."""

from __future__ import annotations

import builtins
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, EnumType
from types import ModuleType
from typing import Any

from .....term.core.build import FALSE, RTZ, TRUE, conjunction, disjunction, equal, if_else, negation
from .....term.core.nodes import Op, Term, constant, make
from .....term.core.simplify import simplify
from .....term.core.sorts import FLOAT64, INT
from .....term.expression import arithmetic
from .....term.expression.cases import Raised
from .....term.expression.functions import FUNCTIONS, OF_MATH, integer_root
from .....term.expression.typed import DOUBLE, TRUTH, WHOLE, ExpressionError, Typed
from ..values.bitwise import SIGNS as OF_BITS
from ..values.numbers import numeric
from ..values.operations import comparison_of_terms, powers_apart
from .integer_bits import bits_of_integers
from .values import NONE, BlockValue, Items, Method, Range, Static, Unread, numbers, of_python, one_type, operands

_ZERO, _ONE = constant(INT, 0), constant(INT, 1)
_MOST_ITEMS = 64
Meaning = Callable[[Sequence[BlockValue], Raised], BlockValue]


def truth(term: Term) -> Typed:
    return Typed(term, TRUTH)


# ---- operators ----


def binary(sign: str, a: BlockValue, b: BlockValue, raised: Raised) -> BlockValue:
    """``a sign b``."""
    one, other = operands((a, b))
    if sign in OF_BITS:
        return _of_bits(sign, one, other)
    try:
        made = arithmetic.binary(sign, numeric(one), numeric(other), raised)
    except ExpressionError as error:
        raise Unread(str(error)) from None
    if sign == "**" and DOUBLE in (one.type, other.type) and not _is_real_power(numeric(one).term, numeric(other).term):
        raise Unread("a power that may be complex")
    if sign == "**":
        raised[:] = powers_apart(raised, numeric(one).term)
    return one_type(made)


def _is_real_power(base: Term, exponent: Term) -> bool:
    """Whether no negative number is raised to a fraction."""
    whole = exponent.is_constant and float(exponent.value).is_integer()
    return whole or exponent.sort == INT or (base.is_constant and base.value >= 0)


def _of_bits(sign: str, a: Typed, b: Typed) -> BlockValue:
    if a.type == b.type == TRUTH and sign in ("&", "|", "^"):
        same = equal(a.term, b.term)
        return truth({"&": conjunction([a.term, b.term]), "|": disjunction([a.term, b.term]),
                      "^": negation(same)}[sign])  # fmt: skip
    if DOUBLE in (a.type, b.type):
        raise Unread(f"{sign} of a float")
    found = bits_of_integers(sign, simplify(numeric(a).term), simplify(numeric(b).term))
    if found is None:
        raise Unread(f"{sign} of numbers with unknown bits")
    return Typed(found, WHOLE)


def unary(sign: str, value: BlockValue, raised: Raised) -> BlockValue:
    """``-value``, ``+value``, ``~value``."""
    (number,) = operands((value,))
    if sign == "+":
        return numeric(number)
    if sign == "-":
        return one_type(arithmetic.negative(numeric(number), raised))
    if number.type == DOUBLE:
        raise Unread("~ of a float")
    return Typed(make(Op.SUB, make(Op.NEG, numeric(number).term), _ONE), WHOLE)


def compare(sign: str, a: BlockValue, b: BlockValue) -> tuple[Term, Term, Term]:
    """``a sign b``: the condition, and the numbers that are compared, if they are."""
    if isinstance(a, Typed) and isinstance(b, Typed) and sign not in ("is", "is not", "in", "not in"):
        return comparison_of_terms(sign, a, b), numeric(a).term, numeric(b).term
    if sign in ("!=", "is not", "not in"):
        return negation(compare({"!=": "==", "is not": "is", "not in": "in"}[sign], a, b)[0]), TRUE, TRUE
    if sign == "in":
        return _contained(a, b), TRUE, TRUE
    if sign == "is" and isinstance(a, Typed) and isinstance(b, Typed):
        if a.type == b.type == TRUTH:
            return equal(a.term, b.term), TRUE, TRUE
        if a.type == b.type:
            raise Unread("numbers that are compared by identity")
        return FALSE, TRUE, TRUE
    if isinstance(a, Static) and isinstance(b, Static):
        if sign == "is" and isinstance(a.value, str | bytes) and a.value == b.value:
            raise Unread("strings that are compared by identity")
        if sign in ("is", "=="):
            return _known(a.value is b.value if sign == "is" else a.value == b.value), TRUE, TRUE
    if sign in ("<", "<=", ">", ">="):
        operands((a, b) if NONE in (a, b) else ())
    if isinstance(a, Items) and isinstance(b, Items) and sign not in ("is", "in"):
        return _in_order(sign, a, b), TRUE, TRUE
    if sign in ("is", "==") and {type(a), type(b)} == {Static, Typed}:
        return FALSE, TRUE, TRUE  # a number is neither None nor a text
    raise Unread(f"{sign} of a value that is not a number")


def _in_order(sign: str, a: Items, b: Items) -> Term:
    """``a sign b`` of tuples of ints: what the first two decide that differ."""
    every = numbers((*a.items, *b.items))
    if any(one.type == DOUBLE for one in every) or a.passed >= 0 or b.passed >= 0:
        raise Unread("tuples that are compared")
    found = _known({"==": len(a.items) == len(b.items), "<": len(a.items) < len(b.items),
                    "<=": len(a.items) <= len(b.items), ">": len(a.items) > len(b.items),
                    ">=": len(a.items) >= len(b.items)}[sign])  # fmt: skip
    differs = FALSE if sign == "==" else None
    for one, other in reversed(list(zip(*map(numbers, (a.items, b.items)), strict=False))):
        same = comparison_of_terms("==", one, other)
        unlike = comparison_of_terms(sign[0], one, other) if differs is None else differs
        found = disjunction([conjunction([same, found]), conjunction([negation(same), unlike])])
    return found


def _contained(a: BlockValue, b: BlockValue) -> Term:
    if isinstance(b, Static) and type(b.value) is EnumType and isinstance(a, Static) and type(a.value) is b.value:
        return TRUE
    if not isinstance(b, Items) or b.passed >= 0:
        raise Unread("`in` with a value that is not a tuple")
    if any(isinstance(item, Typed) and item is a for item in b.items):
        return TRUE
    if any(isinstance(item, Typed) and item.type == DOUBLE and _may_be_nan(item.term) for item in b.items):
        raise Unread("`in` a tuple of floats, which may be the same NaN")
    return disjunction(compare("==", a, item)[0] for item in b.items)


def _may_be_nan(term: Term) -> bool:
    return not term.is_constant or math.isnan(term.value)


def holds(value: BlockValue) -> Term:
    """Whether a value is true."""
    match value:
        case Typed():
            return value.term if value.type == TRUTH else comparison_of_terms("!=", value, Typed(_ZERO, WHOLE))
        case Items():
            return _known(bool(value.items))
        case Static():
            return _known(bool(value.value))
        case Range():
            return make(Op.LT, value.start, value.stop) if not value.down else make(Op.LT, value.stop, value.start)
    raise Unread("the truth value of a method")


def _known(is_true: bool) -> Term:
    return TRUE if is_true else FALSE


def item(container: BlockValue, index: BlockValue, raised: Raised) -> BlockValue:
    """``container[index]``."""
    (number,) = numbers((index,))
    if not isinstance(container, Items) or number.type == DOUBLE:
        raise Unread("an item of a value that is not a tuple")
    at, count = simplify(numeric(number).term), len(container.items)
    if at.is_constant:
        if not -count <= at.data < count:
            raised.append(TRUE)
            return NONE
        return container.items[int(at.data)]
    items = numbers(container.items)
    if len({(one.type, one.rounded is None) for one in items}) != 1 or items[0].rounded or count > _MOST_ITEMS:
        raise Unread("an index of a tuple with items of several types")
    raised += [make(Op.LT, at, constant(INT, -count)), make(Op.LE, constant(INT, count), at)]
    found = items[0].term
    for n, one in enumerate(items[1:], 1):
        here = disjunction([equal(at, constant(INT, n)), equal(at, constant(INT, n - count))])
        found = if_else(here, one.term, found)
    return Typed(found, items[0].type)


def attribute(value: BlockValue, name: str) -> BlockValue:
    """``value.name``, of a module; a method of a float."""
    if isinstance(value, Typed) and value.type == DOUBLE and name in METHODS:
        return Method(name, value)
    of = value.value if isinstance(value, Static) else None
    if isinstance(of, EnumType) and name in of.__members__:
        return of_python(of[name])
    if (
        isinstance(of, Enum)
        and name in ("name", "value")
        and inspect.getattr_static(type(of), name) is _OF_MEMBERS[name]
    ):
        return of_python(getattr(of, name))
    if not isinstance(of, ModuleType) or not hasattr(of, name):
        raise Unread(f"the attribute {name}")
    return of_python(getattr(of, name))


_OF_MEMBERS = {name: inspect.getattr_static(Enum, name) for name in ("name", "value")}


def turn(over: BlockValue) -> tuple[Term, BlockValue | None, BlockValue]:
    """The next turn of a loop: whether there is one, its item, and what is left to be looped over."""
    if isinstance(over, Items):
        is_left = over.passed < len(over.items)
        return _known(is_left), over.items[over.passed] if is_left else None, Items(over.items, over.passed + 1)
    assert isinstance(over, Range)
    number = simplify(make(Op.ADD, over.turn, _ONE))
    at = simplify(make(Op.ADD, over.start, make(Op.MUL, number, over.step)))
    condition = make(Op.LT, *((over.stop, at) if over.down else (at, over.stop)))
    return condition, Typed(at, WHOLE), Range(over.start, over.stop, over.step, number, over.down)


# ---- functions ----


def _of_numbers(make_value: Callable[[list[Any], Raised], object]) -> Meaning:
    """A function that the language of conditions has, too."""

    def meaning(arguments: Sequence[BlockValue], raised: Raised) -> BlockValue:
        values = [numeric(number) for number in operands(arguments)]
        try:
            return one_type(make_value([*values], raised))
        except ExpressionError as error:
            raise Unread(str(error)) from None

    return meaning


def _limited(meaning: Meaning, least: int, most: int) -> Meaning:
    def limited(arguments: Sequence[BlockValue], raised: Raised) -> BlockValue:
        if not least <= len(arguments) <= most:
            raise Unread("a call with another number of arguments")
        return meaning(arguments, raised)

    return limited


def _absolute(arguments: Sequence[BlockValue], raised: Raised) -> BlockValue:
    number = numeric(operands(arguments)[0])
    return Typed(make(Op.FP_ABS if number.type == DOUBLE else Op.ABS, number.term), number.type)


def _float(arguments: Sequence[BlockValue], raised: Raised) -> BlockValue:
    (value,) = arguments
    if isinstance(value, Static) and isinstance(value.value, str):
        try:
            return of_python(float(value.value))
        except ValueError:
            raised.append(TRUE)
            return NONE
    return value if isinstance(value, Typed) and value.type == DOUBLE else _FLOAT((value,), raised)


_FLOAT, _INT = (_of_numbers(FUNCTIONS[name].make) for name in ("float", "int"))


def _bool(arguments: Sequence[BlockValue], raised: Raised) -> BlockValue:
    return truth(holds(arguments[0]))


def _divmod(arguments: Sequence[BlockValue], raised: Raised) -> BlockValue:
    a, b = arguments
    return Items(tuple(binary(sign, a, b, raised) for sign in ("//", "%")))


def _len(arguments: Sequence[BlockValue], raised: Raised) -> BlockValue:
    (value,) = arguments
    if isinstance(value, Items) and value.passed < 0:
        return of_python(len(value.items))
    if isinstance(value, Static) and type(value.value) in (str, bytes, EnumType):
        return of_python(len(value.value))
    raise Unread("the length of a value that is not a tuple")


def _extreme(name: str) -> Meaning:
    of_several = _of_numbers(FUNCTIONS[name].make)

    def extreme(arguments: Sequence[BlockValue], raised: Raised) -> BlockValue:
        if len(arguments) == 1 and isinstance(arguments[0], Items) and arguments[0].items:
            arguments = arguments[0].items
        kinds = {number.type for number in (operands if len(arguments) > 1 else numbers)(arguments)}
        if len(arguments) < 2 or (TRUTH in kinds and len(kinds) > 1) or kinds == {TRUTH}:
            raise Unread(f"{name} of values that are not numbers")
        return of_several(arguments, raised)

    return extreme


def _range(arguments: Sequence[BlockValue], raised: Raised) -> BlockValue:
    terms = []
    for number in operands(arguments):
        if number.type == DOUBLE:
            raise Unread("a range of floats")
        terms.append(simplify(numeric(number).term))
    start, stop, step = [_ZERO, *terms, _ONE] if len(terms) == 1 else [*terms, _ONE][:3]
    if not step.is_constant:
        raise Unread("a range with an unknown step")
    if not step.data:
        raised.append(TRUE)
    return Range(start, stop, step, constant(INT, -1), step.data < 0)


def _isinstance(arguments: Sequence[BlockValue], raised: Raised) -> BlockValue:
    value, kinds = arguments
    known = kinds.items if isinstance(kinds, Items) else (kinds,)
    classes = tuple(one.value for one in known if isinstance(one, Static) and isinstance(one.value, type))
    if len(classes) < len(known) or any(type(one).__instancecheck__ is not type.__instancecheck__ for one in classes):
        raise Unread("isinstance with a value that is not a class")
    if isinstance(value, Typed):
        own: type = {DOUBLE: float, WHOLE: int, TRUTH: bool}[value.type]
    else:
        if not isinstance(value, Static | Items | Range):
            raise Unread("isinstance of a method")
        own = type(value.value) if isinstance(value, Static) else tuple if isinstance(value, Items) else range
    return truth(_known(issubclass(own, classes)))


def shown(value: BlockValue) -> None:
    """A value is made a text.

    Raises:
        Unread: its class may say how.
    """
    if isinstance(value, Items):
        for one in value.items:
            shown(one)
    elif isinstance(value, Method) or (isinstance(value, Static) and type(value.value) not in _TEXT):
        raise Unread("str() or format() of an object")


_TEXT = {str, bytes, type(None)}


def _print(arguments: Sequence[BlockValue], raised: Raised) -> BlockValue:
    """Nothing that is decided depends on what is printed; an int that is too long to be shown is."""
    if any(isinstance(value, Typed) and value.type == WHOLE for value in arguments):
        raise Unread("str() or format() of an int")
    for value in arguments:
        shown(value)
    return NONE


def _is_integer(arguments: Sequence[BlockValue], raised: Raised) -> BlockValue:
    (number,) = numbers(arguments)
    whole = make(Op.FP_EQ, number.term, make(Op.FP_ROUND, RTZ, number.term))
    finite = make(Op.FP_LT, make(Op.FP_ABS, number.term), constant(FLOAT64, math.inf))
    return truth(conjunction([whole, finite]))


def _sum(arguments: Sequence[BlockValue], raised: Raised) -> BlockValue:
    items = numbers(_items(arguments[0]))
    if any(one.type == DOUBLE for one in items):
        raise Unread("a sum of floats")  # which is not rounded at each step since Python 3.12
    found: BlockValue = Typed(_ZERO, WHOLE)
    for one in items:
        found = binary("+", found, one, raised)
    return found


def _any(arguments: Sequence[BlockValue], raised: Raised) -> BlockValue:
    return truth(disjunction(map(holds, _items(arguments[0]))))


def _all(arguments: Sequence[BlockValue], raised: Raised) -> BlockValue:
    return truth(conjunction(map(holds, _items(arguments[0]))))


def _items(value: BlockValue) -> tuple[BlockValue, ...]:
    if not isinstance(value, Items) or value.passed >= 0:
        raise Unread("the items of a value that is not a tuple")
    return value.items


def _isqrt(arguments: Sequence[BlockValue], raised: Raised) -> BlockValue:
    (number,) = numbers(arguments)
    if number.type == DOUBLE:
        raise Unread("the integer root of a float")
    return Typed(integer_root(numeric(number).term, raised), WHOLE)


KNOWN: Mapping[object, Meaning] = {
    **{
        function: _limited(_of_numbers(known.make), known.least, known.most)
        for name, known in OF_MATH.items()
        if (function := getattr(math, name, None)) is not None and name != "lgamma"
    },
    builtins.abs: _limited(_absolute, 1, 1), builtins.float: _limited(_float, 1, 1),
    builtins.int: _limited(_INT, 1, 1), builtins.bool: _limited(_bool, 1, 1),
    builtins.round: _limited(_of_numbers(FUNCTIONS["round"].make), 1, 1),
    builtins.min: _extreme("min"), builtins.max: _extreme("max"),
    builtins.pow: _limited(lambda arguments, raised: binary("**", arguments[0], arguments[1], raised), 2, 2),
    builtins.divmod: _limited(_divmod, 2, 2), builtins.len: _limited(_len, 1, 1),
    builtins.range: _limited(_range, 1, 3), builtins.isinstance: _limited(_isinstance, 2, 2),
    builtins.sum: _limited(_sum, 1, 1), builtins.any: _limited(_any, 1, 1), builtins.all: _limited(_all, 1, 1),
    builtins.print: _print, math.isqrt: _limited(_isqrt, 1, 1),
}  # fmt: skip


METHODS: Mapping[str, Meaning] = {"is_integer": _limited(_is_integer, 1, 1)}


def smaller(raised: Raised) -> list[Term]:
    """The conditions that may hold, made smaller."""
    return [term for term in map(simplify, raised) if term is not FALSE]
