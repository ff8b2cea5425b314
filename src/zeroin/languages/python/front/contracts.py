"""What code and documentation say about how functions may end.

These are preconditions (assertions at the top of a function) and exceptions that documentation names.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import sys
import sysconfig
from collections.abc import Collection, Iterator
from functools import cached_property
from types import CodeType

from ..run.probes.source import FunctionNode, Source
from .code import CodeKey, ModuleSource

_MAKING = ("__new__", "__init__", "__post_init__")  # documented perhaps in the docstring of the class
_OF_TESTS = "test_"  # assertions of a test function are no preconditions
_LONGEST = 80  # characters of an assertion in a message


class Contracts:
    """The preconditions and docstrings of the functions of one file, which is parsed at the first use.

    Args:
        source: the file's text.
    """

    def __init__(self, source: Source) -> None:
        self._source = source

    @cached_property
    def assert_lines(self) -> frozenset[int]:
        """The numbers, from 1, of the lines of all assertions in the file."""
        asserts = (node for node in ast.walk(self._module.tree) if isinstance(node, ast.Assert))
        return frozenset(line for node in asserts for line in _lines(node))

    def precondition(self, code: CodeType, line: int) -> str:
        """Return the assertion on this line if it is a precondition of the function; else an empty text.

        A text of more than 80 characters is cut off.

        Args:
            code: the code of the function.
            line: the line of the file, from 1.
        """
        node = self._node(code)
        own = leading(node, self._module.tree) if isinstance(node, ast.FunctionDef) else ()
        test = next((one.test for one in own if line in _lines(one)), None)
        shown = f"assert {self._source.segment(test)}" if test is not None else ""
        return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 3]}..."

    @cached_property
    def _module(self) -> ModuleSource:
        return ModuleSource(self._source, ast.parse(self._source.text))

    @cached_property
    def _nodes(self) -> dict[CodeKey, FunctionNode]:
        return self._module.nodes()

    def _node(self, code: CodeType) -> FunctionNode | None:
        """Return the node of the function with this code; None if the file has none with its name and line."""
        return self._nodes.get((code.co_qualname, code.co_firstlineno, 0))

    def documentation(self, code: CodeType) -> str:
        """Return the docstring of a function; for a constructor, also that of its class.

        Empty if there is none, and for lambdas and coroutines.
        """
        node = self._node(code)
        if not isinstance(node, ast.FunctionDef):
            return ""
        said = [ast.get_docstring(node)]
        if node.name in _MAKING:
            classes = (one for one in ast.walk(self._module.tree) if isinstance(one, ast.ClassDef) and node in one.body)
            said += map(ast.get_docstring, classes)
        return "\n\n".join(filter(None, said))


def _lines(node: ast.Assert) -> range:
    """Return the numbers, from 1, of the lines of an assertion."""
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


# ---- assertions at the top ----

# Functions without side effects: builtins, functions of modules, methods of texts, numbers and arrays.
_BUILTINS = (
    "abs all any bool bytes complex dict divmod enumerate float frozenset getattr hasattr int isinstance issubclass "
    "len list max min pow range reversed round set slice sorted str sum tuple type zip"
)
_MODULES = ("math", "cmath", "statistics")
_NAMES = {"decimal": "Decimal", "fractions": "Fraction", "numpy": (
    "abs all any array asanyarray asarray atleast_1d atleast_2d cross diff dot isfinite isinf isnan max mean min ndim "
    "ravel shape size sqrt squeeze sum"
)}  # fmt: skip
_METHODS = (
    "all any as_integer_ratio astype bit_length casefold copy count endswith index is_integer isdigit items keys "
    "lower lstrip max mean min partition ravel replace rpartition rstrip split splitlines startswith strip sum tolist "
    "total_seconds upper values"
)


def leading(function: ast.FunctionDef, module: ast.Module) -> list[ast.Assert]:
    """Return the preconditions of a function: assertions about its arguments, before any statement with a side effect.

    Only documentation, declarations, and local variables computed without side effects may come before them. An
    assertion that calls code under test is no precondition: it states a property of that code. So does every assertion
    of a test, a function whose name begins with ``test_``.

    Args:
        function: the function.
        module: the tree of its module, for imports and definitions.

    Returns:
        The assertions in source order; empty if there are none.
    """
    found, pure = list[ast.Assert](), _Pure(module, function)
    for statement in () if function.name.startswith(_OF_TESTS) else function.body:
        if isinstance(statement, ast.Assert):
            if not pure.only_asks(statement.test):
                break
            found += [statement] * pure.is_about_arguments(statement.test)
        elif not pure.is_local(statement):
            break
        elif isinstance(statement, ast.Global | ast.Nonlocal):
            pure.shared.update(statement.names)
    return found


class _Pure:
    """Recognises statements whose only effect is to assign local variables. The statements are given in source order.

    Args:
        module: the tree of the function's module.
        function: the function whose statements are judged.

    Attributes:
        shared: the names of variables that are not local.
    """

    def __init__(self, module: ast.Module, function: ast.FunctionDef) -> None:
        self.shared = set[str]()
        given = function.args
        named = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
        self._parameters = {one.arg for one in named if one is not None}
        self._given = set(self._parameters)  # local variables that depend on the arguments
        self._modules, self._functions = dict[str, str](), dict[str, tuple[str, str]]()
        defined = set[str]()
        for statement in module.body:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                self._note(statement)
            elif isinstance(statement, ast.FunctionDef | ast.ClassDef):
                defined.add(statement.name)
            elif isinstance(statement, ast.Assign):
                defined |= {target.id for target in statement.targets if isinstance(target, ast.Name)}
        self._builtins = set(_BUILTINS.split()) - defined - self._parameters
        inside = [one for one in ast.walk(module) if isinstance(one, ast.ClassDef) for one in one.body]
        members = {one.name: one for one in inside if isinstance(one, ast.FunctionDef)}
        self._methods = set(_METHODS.split()) - members.keys()
        self._properties = {name for name, one in members.items() if any(map(_makes_property, one.decorator_list))}

    def only_asks(self, test: ast.expr) -> bool:
        """Whether a condition has no side effect and calls no code under test; it may call arguments."""
        reads = {node.attr for node in ast.walk(test) if isinstance(node, ast.Attribute)}
        return self._computes(test, self._parameters) and reads.isdisjoint(self._properties)

    def is_about_arguments(self, test: ast.expr) -> bool:
        """Whether the condition depends on an argument."""
        return any(isinstance(node, ast.Name) and node.id in self._given for node in ast.walk(test))

    def _note(self, statement: ast.Import | ast.ImportFrom) -> None:
        """Note the names that an import binds."""
        for one in statement.names:
            if isinstance(statement, ast.Import):
                self._modules[one.asname or one.name] = one.name
            else:
                self._functions[one.asname or one.name] = statement.module or "", one.name

    def is_local(self, statement: ast.stmt) -> bool:
        """Whether a statement only assigns local variables, imports, declares, or does nothing.

        The names that it binds are noted for later statements.
        """
        if isinstance(statement, ast.Import | ast.ImportFrom):
            self._note(statement)
        if isinstance(statement, ast.FunctionDef):
            self._builtins.discard(statement.name)
            return not statement.decorator_list
        if isinstance(statement, ast.Pass | ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal):
            return True
        if isinstance(statement, ast.Expr):
            return isinstance(statement.value, ast.Constant)
        if isinstance(statement, ast.AnnAssign):
            return statement.value is None or self._gives([statement.target], statement.value)
        return isinstance(statement, ast.Assign) and self._gives(statement.targets, statement.value)

    def _gives(self, targets: list[ast.expr], value: ast.expr) -> bool:
        """Whether an assignment only sets local variables, without side effects.

        If so, it is noted which of them depend on arguments.
        """
        if not (self._computes(value) and all(map(self._stores, targets))):
            return False
        names = {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
        self._given = self._given | names if self.is_about_arguments(value) else self._given - names
        self._parameters -= names
        self._builtins -= names
        return True

    def _stores(self, target: ast.expr) -> bool:
        """Whether an assignment to the target only sets local variables."""
        if isinstance(target, ast.Tuple | ast.List):
            return all(map(self._stores, target.elts))
        if isinstance(target, ast.Starred):
            return self._stores(target.value)
        return isinstance(target, ast.Name) and target.id not in self.shared

    def _computes(self, value: ast.expr, callable_: Collection[str] = ()) -> bool:
        """Whether an expression has no side effects; it may call the variables in ``callable_``."""
        return not any(
            isinstance(node, ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr)
            or (isinstance(node, ast.Call) and not self._may_call(node, callable_))
            for node in ast.walk(value)
        )

    def _may_call(self, call: ast.Call, callable_: Collection[str]) -> bool:
        """Whether a call has no side effects, if calls of the variables in ``callable_`` have none."""
        keys = [one.value for one in call.keywords if one.arg == "key"]  # max(xs, key=f) calls f
        called = [call.func, *(key for key in keys if not isinstance(key, ast.Lambda))]
        return all(self._has_no_effect(one) or (isinstance(one, ast.Name) and one.id in callable_) for one in called)

    def _has_no_effect(self, function: ast.expr) -> bool:
        """Whether a function is known to have no side effects."""
        if isinstance(function, ast.Name):
            if function.id in self._functions:
                return self._is_of(*self._functions[function.id])
            return function.id in self._builtins
        if not isinstance(function, ast.Attribute):
            return False
        module = self._modules.get(function.value.id) if isinstance(function.value, ast.Name) else None
        return self._is_of(module, function.attr) if module else function.attr in self._methods

    def _is_of(self, module: str, name: str) -> bool:
        """Whether a library function is known to have no side effects."""
        return module in _MODULES or name in _NAMES.get(module, "").split()


def _makes_property(decorator: ast.expr) -> bool:
    """Whether a decorator makes a property."""
    name = decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")
    return name in ("property", "cached_property")


# ---- exceptions in documentation ----

_LIBRARIES = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")})
_HAS_DOCSTRING = 0x4000000 if sys.version_info >= (3, 13) else inspect.CO_OPTIMIZED


def documentation_in(code: CodeType) -> str:
    """Return the docstring in a function's code; empty without one, for lambdas, and for functions of libraries."""
    said = code.co_consts[0] if code.co_consts and code.co_flags & _HAS_DOCSTRING else None
    is_own = not code.co_filename.startswith((*_LIBRARIES, "<")) and not code.co_name.startswith("<")
    return said if isinstance(said, str) and is_own else ""


_TOKEN = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*(?:['’]t\b)?|[.;!?]")
# Before a name that has its own line, or a colon behind it.
_ENTRY = re.compile(r"\n(?=[ \t]*\w[\w.]*\w[ \t]*(?::|\n|$))")
_ENDS = (".", ";", "!", "?")
_NO = re.compile(
    r"(?:never|not|no|nor|neither|without|instead|rather|unlike|cannot|\w+n['’]t"
    r"|caught|(?:avoid|catch|swallow|suppress|ignor|handl|prevent|convert|turn|translat)(?:e|s|es|ed|ing)?)$", re.I,
)  # fmt: skip
_RAISE = re.compile(r"(?:rais|throw)(?:e|s|es|ed|n|ing)?$", re.I)
_BETWEEN = "a an any the of by with be being ever longer than and or nor all"
_AND = frozenset(("and", "or", "nor"))
_ARE = "is are was can could may must shall should will would do does be"
_PLAIN = re.compile(r"[A-Z]?[a-z]+$")  # an ordinary word, such as Error


def named_in(documentation: str) -> frozenset[str]:
    """Return the names in documentation that may be exceptions which the function raises.

    Of a dotted name, it is the last part; ``IOError`` becomes ``OSError``. The result may contain names of other
    things. Denied exceptions are not included, as in "never raises KeyError" and "ValueError is not raised".
    """
    return frozenset(_named(_TOKEN.findall(_ENTRY.sub(".\n", documentation))))


def _named(tokens: list[str]) -> Iterator[str]:
    """Yield the names in documentation, given as words and signs, see :func:`named_in`; some may come several times."""
    denied, raising, listed = False, False, False  # listed: inside a list of names
    for at, token in enumerate(tokens):
        if token in _ENDS:
            denied = raising = listed = False
        elif _RAISE.match(token):
            denied, raising, listed = denied and not listed, True, False
        elif _NO.match(token):
            denied, raising, listed = True, False, False
        elif token.lower() in _BETWEEN.split():
            denied = denied and (not listed or token.lower() in _AND)
        elif _PLAIN.match(token) and not raising:
            denied = listed = False
        else:
            if not denied and not _denied_later(tokens[at + 1 :]):
                yield _name(token)
            raising, listed = False, True


def _denied_later(following: list[str]) -> bool:
    """Whether the words behind a name say that it is not raised."""
    words = iter(following)
    word = next(words, "")
    while word.lower() in _AND or not (_PLAIN.match(word) or word in _ENDS or not word):
        word = next(words, "")  # skip the other names of a list
    if word.lower() in ("cannot", "can't", "won't", "isn't", "mustn't"):
        return True
    are = False
    while word.lower() in _ARE.split():
        are, word = True, next(words, "")
    return are and word.lower() in ("not", "never")


def _name(token: str) -> str:
    """Return the last part of a dotted name.

    For aliases of builtins, it is the class's own name (``IOError``: ``OSError``).
    """
    name = token.rpartition(".")[2]
    return getattr(getattr(builtins, name, None), "__name__", name)
