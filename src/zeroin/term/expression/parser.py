"""The parser of conditions: it turns Python expressions over typed variables into terms.

A condition holds where Python evaluates it to True. Where Python raises an exception (``1 / x`` at 0, ``sqrt(-1)``),
neither the condition nor its negation holds. ``and`` and ``or`` stop early, so ``x == 0 or 1 / x > 2`` never divides
by 0. :mod:`.typed` defines the conversions between types, :mod:`.arithmetic` and :mod:`.comparison` the operators, and
:mod:`.truth` ``and``, ``or``, ``not`` and ``if``.
"""

from __future__ import annotations

import ast
import difflib
import math
import warnings
from collections.abc import Mapping

from ..core.build import FALSE, TRUE, conjunction, disjunction, negation
from ..core.nodes import Op, Term, make, variable
from ..core.sorts import Sort
from .arithmetic import binary, negative
from .cases import Raised
from .comparison import compare
from .functions import FUNCTIONS, OF_MATH, Function
from .truth import Read, all_of, any_of, opposite, picked
from .typed import TRUTH, ExpressionError, Literal, Type, Typed, TypedValue, convert, named, truth, type_of

_CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau, "inf": math.inf, "nan": math.nan}
_NAMES = _CONSTANTS | {"PI": math.pi, "E": math.e}
_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_REFUSED: dict[type[ast.AST], str] = {
    ast.Lambda: "lambda", ast.NamedExpr: ":=", ast.Subscript: "an index", ast.List: "a list", ast.Tuple: "a comma",
    ast.Set: "a set", ast.Dict: "a dict", ast.ListComp: "a comprehension", ast.SetComp: "a comprehension",
    ast.DictComp: "a comprehension", ast.GeneratorExp: "a comprehension", ast.JoinedStr: "a string",
    ast.Starred: "*", ast.MatMult: "@", ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
    ast.Await: "await", ast.Yield: "yield", ast.YieldFrom: "yield",
}  # fmt: skip


def parse(text: str, sorts: Mapping[str, Sort | Type], default: Sort | Type | None = None) -> Term:
    """Return the term of sort Bool for a condition.

    Args:
        text: a Python expression.
        sorts: the types of the variables by name. Names such as ``p.x``, ``xs[0]`` and ``len(xs)`` are possible, too.
            A bit vector given as a plain sort is signed. A variable hides a constant with its name.
        default: the type of all other variables; if None, other names are errors.

    Raises:
        ExpressionError: the text is no expression, has an unknown name, or its types do not fit. The message gives
            the column.
    """
    result = read(text, sorts, default)
    t = type_of(result.value)
    if t != TRUTH:
        raise ExpressionError(f"the expression is {named(t)}, not a condition: compare it with something")
    return result.yes


def read(text: str, sorts: Mapping[str, Sort | Type], default: Sort | Type | None = None) -> Read:
    """Return the value of an expression of any type, and the condition under which it raises an exception.

    The arguments and errors are those of :func:`parse`.
    """
    types = {name: _type(sort) for name, sort in sorts.items()}
    try:
        return _Reader(text, types, None if default is None else _type(default)).read()
    except RecursionError:
        raise ExpressionError("the expression is nested too deeply: split it at an and, or give -e twice") from None


def _type(sort: Sort | Type) -> Type:
    return sort if isinstance(sort, Type) else Type(sort)


class _Reader:
    """Reads one expression bottom-up, without recursion, as expressions can be deeply nested."""

    def __init__(self, text: str, types: Mapping[str, Type], default: Type | None) -> None:
        self.lines, self.types, self.default = text.lstrip().split("\n"), types, default
        self.indent = len(text) - len(text.lstrip())
        self.functions: dict[ast.AST, Function] = {}

    def read(self) -> Read:
        """Return the result for the whole text.

        Raises:
            ExpressionError: see :func:`parse`.
        """
        root = _tree("\n".join(self.lines), self.indent)
        results: list[Read] = []
        stack: list[tuple[ast.expr, bool]] = [(root, False)]
        while stack:
            node, ready = stack.pop()
            try:
                operands = self._operands(node)
                if ready or not operands:
                    start = len(results) - len(operands)
                    results[start:] = [self._read(node, results[start:])]
                else:
                    stack += [(node, True), *((operand, False) for operand in reversed(operands))]
            except ExpressionError as error:
                raise ExpressionError(f"{self._place(node)}: {error}") from None
        (result,) = results
        return result

    def _place(self, node: ast.expr) -> str:
        """Return the place of a node for messages."""
        before = self.lines[node.lineno - 1].encode()[: node.col_offset].decode()
        return _place(node.lineno, len(before) + 1, self.indent, len(self.lines))

    def _named(self, node: ast.expr) -> str | None:
        """Return the variable whose name is an expression, such as ``p.x`` or ``len(xs)``; None for other nodes."""
        is_other = isinstance(node, ast.Attribute | ast.Subscript | ast.Call)
        return name if is_other and (name := ast.unparse(node)) in self.types else None

    def _operands(self, node: ast.expr) -> list[ast.expr]:
        """Return the operands of a node, in order; empty for a variable or a constant.

        Raises:
            ExpressionError: such a node is not possible.
        """
        match node:
            case _ if self._named(node):
                return []
            case ast.BoolOp():
                return node.values
            case ast.BinOp() if type(node.op) in _SIGNS:
                return [node.left, node.right]
            case ast.UnaryOp():
                return [node.operand]
            case ast.Compare():
                return [node.left, *node.comparators]
            case ast.IfExp():
                return [node.test, node.body, node.orelse]
            case ast.Call():
                self.functions[node] = self._function(node)
                return node.args
            case ast.Name() | ast.Constant() | ast.Attribute():
                return []
        what = _REFUSED.get(type(node.op if isinstance(node, ast.BinOp) else node), type(node).__name__)
        raise ExpressionError(f"{what} is not possible here: use numbers, operators and functions of math")

    def _function(self, node: ast.Call) -> Function:
        """Return the called function.

        Raises:
            ExpressionError: there is no such function, or the number of arguments does not fit.
        """
        function, functions = node.func, FUNCTIONS
        if isinstance(function, ast.Attribute) and _is_math(function):
            name, functions = function.attr, OF_MATH
        elif isinstance(function, ast.Name):
            name = function.id
        else:
            raise ExpressionError("only functions by name can be called, such as sqrt(x) or math.sqrt(x)")
        if name not in FUNCTIONS:
            raise ExpressionError(f"there is no function {name}: {_like(name)}")
        if node.keywords:
            raise ExpressionError(f"{name} takes no keyword arguments")
        known = functions[name]
        if not known.least <= len(node.args) <= known.most:
            count = f"{known.least}" if known.least == known.most else f"at least {known.least}"
            raise ExpressionError(f"{name} takes {count} argument{'' if count == '1' else 's'}, not {len(node.args)}")
        return known

    def _read(self, node: ast.expr, operands: list[Read]) -> Read:
        """Return the result for a node, given those of its operands."""
        match node:
            case ast.BoolOp():
                word = "and" if isinstance(node.op, ast.And) else "or"
                parts = [_condition(word, operand) for operand in operands]
                return all_of(parts) if word == "and" else any_of(parts)
            case ast.UnaryOp() if isinstance(node.op, ast.Not):
                return opposite(_condition("not", operands[0]))
            case ast.Compare():
                return _chain(node.ops, operands)
            case ast.IfExp():
                return picked(_condition("if", operands[0]), *operands[1:])
        raised: Raised = [operand.fails for operand in operands]
        value = self._value(node, [operand.value for operand in operands], raised)
        return Read(value, disjunction(raised))

    def _value(self, node: ast.expr, operands: list[TypedValue], raised: Raised) -> TypedValue:
        """Return the value of a literal, name, call or operator, given those of its operands; add to ``raised``."""
        if (name := self._named(node)) is not None:
            return self._variable(name)
        match node:
            case ast.Constant():
                return _literal(node.value)
            case ast.Name():
                return self._variable(node.id)
            case ast.Call():
                return self.functions[node].make(operands, raised)
            case ast.BinOp():
                return _operator(_SIGNS[type(node.op)], operands[0], operands[1], raised)
            case ast.UnaryOp():
                return _unary(node.op, operands[0], raised)
        assert isinstance(node, ast.Attribute)
        if not _is_math(node) or node.attr not in _CONSTANTS:
            raise ExpressionError(f"{ast.unparse(node)} is unknown: there are math.{', math.'.join(_CONSTANTS)}")
        return Literal.of(_CONSTANTS[node.attr])

    def _variable(self, name: str) -> TypedValue:
        """Return a variable, or the constant of this name.

        Raises:
            ExpressionError: there is none, and no default type.
        """
        if name in self.types:
            return Typed(variable(name, self.types[name].sort), self.types[name])
        if name in _NAMES:
            return Literal.of(_NAMES[name])
        if name in FUNCTIONS:
            raise ExpressionError(f"{name} is a function: write {name}(...)")
        if self.default is None:
            raise ExpressionError(f"the variable {name} has no type: give it one, such as --var {name}:float")
        return Typed(variable(name, self.default.sort), self.default)


def _tree(text: str, indent: int) -> ast.expr:
    """Return the syntax tree of an expression.

    Raises:
        ExpressionError: the text is empty, too deeply nested, or no expression.
    """
    if not text.strip():
        raise ExpressionError("the expression is empty: write a condition, such as x*x == 2")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Parentheses allow an expression of several lines.
            return ast.parse(f"{text}\n" if "\n" not in text else f"({text}\n)", mode="eval").body
    except SyntaxError as error:
        lines = text.count("\n") + 1
        line = min(error.lineno or 1, lines)
        column = (error.offset or 1) - (lines > 1 and line == 1)
        place = _place(line, max(column, 1), indent, lines)
        raise ExpressionError(f"{place}: {error.msg}: write a Python expression, with == for equality") from None
    except (ValueError, MemoryError) as error:  # a NUL character; nested too deeply for CPython
        reason = "it is nested too deeply" if isinstance(error, MemoryError) else str(error)
        raise ExpressionError(f"the expression can not be read: {reason}") from None


def _place(line: int, column: int, indent: int, lines: int) -> str:
    """Return a place for messages. Lines and columns count from 1."""
    column += indent if line == 1 else 0
    return f"column {column}" if lines == 1 else f"line {line}, column {column}"


def is_constant(node: ast.expr) -> bool:
    """Return whether a node is the name of a constant, such as ``pi`` or ``math.inf``. A variable may hide the name."""
    if isinstance(node, ast.Attribute):
        return _is_math(node) and node.attr in _CONSTANTS
    return isinstance(node, ast.Name) and node.id in _NAMES


def _is_math(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "math"


def _like(name: str) -> str:
    """Return advice about a function that does not exist: the most similar name, or all names."""
    close = difflib.get_close_matches(name, FUNCTIONS, 1)
    return f"write {close[0]}(...)" if close else f"there are {', '.join(sorted(FUNCTIONS))}"


def _literal(value: object) -> TypedValue:
    """Return the value of a literal.

    Raises:
        ExpressionError: it is no number and no bool.
    """
    if isinstance(value, bool):
        return truth(TRUE if value else FALSE)
    if isinstance(value, int | float):
        return Literal.of(value)
    what = "a string" if isinstance(value, str | bytes) else repr(value)
    raise ExpressionError(f"{what} is not a number: write 1, 0x1f, 0.5, 1e-3, inf, nan, pi, True or False")


def _condition(word: str, operand: Read) -> Read:
    """Return an operand that has to be a condition.

    Raises:
        ExpressionError: it is none.
    """
    t = type_of(operand.value)
    if t != TRUTH:
        raise ExpressionError(f"{word} takes conditions, not {named(t)}: write ... != 0")
    return operand


def _operator(sign: str, a: TypedValue, b: TypedValue, raised: Raised) -> TypedValue:
    """Return ``a sign b``. For two bools, ``&``, ``|`` and ``^`` are logical.

    Raises:
        ExpressionError: the operator does not take these types.
    """
    if sign in ("&", "|", "^") and type_of(a) == type_of(b) == TRUTH:
        x, y = convert(a, TRUTH), convert(b, TRUTH)
        if sign == "^":
            return truth(negation(make(Op.EQUAL, x, y)))
        return truth(conjunction([x, y]) if sign == "&" else disjunction([x, y]))
    return binary(sign, a, b, raised)


def _unary(op: ast.unaryop, value: TypedValue, raised: Raised) -> TypedValue:
    """Return the value after ``-``, ``~`` or ``+``.

    Raises:
        ExpressionError: the operator does not take this type.
    """
    if isinstance(op, ast.USub):
        return negative(value, raised)
    t = type_of(value)
    if isinstance(op, ast.Invert):
        if t.sort.is_bits:
            return Typed(make(Op.BV_NOT, convert(value, t)), t)
        if isinstance(value, Literal) and isinstance(value.value, int):
            return Literal.of(~value.value)
        raise ExpressionError(f"~ takes bit vectors, not {named(t)}" + (": write not" if t == TRUTH else ""))
    if t == TRUTH:
        raise ExpressionError("+ does not take a bool")
    return value


def _chain(signs: list[ast.cmpop], operands: list[Read]) -> Read:
    """Return a chained comparison, such as ``a < b < c``. As in Python, it stops at the first part that is false.

    Raises:
        ExpressionError: an operator is not possible, or does not take these types.
    """
    parts = []
    for n, (sign, a, b) in enumerate(zip(signs, operands, operands[1:], strict=False)):
        if type(sign) not in _SIGNS:
            raise ExpressionError(f"{_REFUSED[type(sign)]} is not possible here: use ==, !=, <, <=, > and >=")
        fails = disjunction([a.fails, b.fails]) if n == 0 else b.fails
        parts.append(Read(truth(compare(_SIGNS[type(sign)], a.value, b.value)), fails))
    return all_of(parts) if len(parts) > 1 else parts[0]
