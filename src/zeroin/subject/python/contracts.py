"""What the functions of a file say of how they may end: assertions at their top, which callers have to satisfy, and
exceptions that their documentation names."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import sys
import sysconfig
from collections.abc import Iterator
from functools import cached_property
from types import CodeType

from .load.code import CodeKey, ModuleSource
from .probes.source import FunctionNode, Source

_MAKING = ("__new__", "__init__", "__post_init__")  # what is said of these may stand in the class's documentation
_LONGEST = 80  # characters of an assertion that are shown


class Contracts:
    """Of one file, which is read when the first question is asked.

    Args:
        source: the file's text.
    """

    def __init__(self, source: Source) -> None:
        self._source = source

    @cached_property
    def assert_lines(self) -> frozenset[int]:
        """The lines of all assertions."""
        asserts = (node for node in ast.walk(self._module.tree) if isinstance(node, ast.Assert))
        return frozenset(line for node in asserts for line in _lines(node))

    def precondition(self, code: CodeType, line: int) -> str:
        """The assertion of this function on this line, if it stands at its top; empty if it does not."""
        node = self._node(code)
        own = leading(node.body, self._module.tree) if isinstance(node, ast.FunctionDef) else ()
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
        return self._nodes.get((code.co_qualname, code.co_firstlineno, 0))

    def documentation(self, code: CodeType) -> str:
        """What is said of this function; of one that makes an object, what is said of the class, too."""
        node = self._node(code)
        if not isinstance(node, ast.FunctionDef):
            return ""
        said = [ast.get_docstring(node)]
        if node.name in _MAKING:
            classes = (one for one in ast.walk(self._module.tree) if isinstance(one, ast.ClassDef) and node in one.body)
            said += map(ast.get_docstring, classes)
        return "\n\n".join(filter(None, said))


def _lines(node: ast.Assert) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


# ---- assertions at the top ----

# What is computed without an effect: builtins, functions of modules, methods of texts, numbers and arrays.
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


def leading(body: list[ast.stmt], module: ast.Module) -> list[ast.Assert]:
    """The assertions of a function that stand before every other statement with an effect: before them stand at most
    documentation, declarations, and local variables that are computed without one."""
    found, pure = list[ast.Assert](), _Pure(module)
    for statement in body:
        if isinstance(statement, ast.Assert):
            found.append(statement)
        elif not pure.is_local(statement):
            break
        elif isinstance(statement, ast.Global | ast.Nonlocal):
            pure.shared.update(statement.names)
    return found


class _Pure:
    """Tells statements that do no more than give values to local variables.

    Attributes:
        shared: names of variables that are not local.
    """

    def __init__(self, module: ast.Module) -> None:
        self.shared = set[str]()
        self._modules, self._functions = dict[str, str](), dict[str, tuple[str, str]]()
        defined = set[str]()
        for statement in module.body:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                self._note(statement)
            elif isinstance(statement, ast.FunctionDef | ast.ClassDef):
                defined.add(statement.name)
            elif isinstance(statement, ast.Assign):
                defined |= {target.id for target in statement.targets if isinstance(target, ast.Name)}
        self._builtins = set(_BUILTINS.split()) - defined

    def _note(self, statement: ast.Import | ast.ImportFrom) -> None:
        for one in statement.names:
            if isinstance(statement, ast.Import):
                self._modules[one.asname or one.name] = one.name
            else:
                self._functions[one.asname or one.name] = statement.module or "", one.name

    def is_local(self, statement: ast.stmt) -> bool:
        """Whether that is all the statement does."""
        if isinstance(statement, ast.Import | ast.ImportFrom):
            self._note(statement)
        if isinstance(statement, ast.Pass | ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal | ast.FunctionDef):
            return not getattr(statement, "decorator_list", ())
        if isinstance(statement, ast.Expr):
            return isinstance(statement.value, ast.Constant)
        if isinstance(statement, ast.AnnAssign):
            return self._stores(statement.target) and (statement.value is None or self._computes(statement.value))
        return (isinstance(statement, ast.Assign) and all(map(self._stores, statement.targets))
                and self._computes(statement.value))  # fmt: skip

    def _stores(self, target: ast.expr) -> bool:
        if isinstance(target, ast.Tuple | ast.List):
            return all(map(self._stores, target.elts))
        if isinstance(target, ast.Starred):
            return self._stores(target.value)
        return isinstance(target, ast.Name) and target.id not in self.shared

    def _computes(self, value: ast.expr) -> bool:
        return not any(
            isinstance(node, ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr)
            or (isinstance(node, ast.Call) and not self._has_no_effect(node.func))
            for node in ast.walk(value)
        )

    def _has_no_effect(self, function: ast.expr) -> bool:
        if isinstance(function, ast.Name):
            if function.id in self._functions:
                return self._is_of(*self._functions[function.id])
            return function.id in self._builtins
        if not isinstance(function, ast.Attribute):
            return False
        module = self._modules.get(function.value.id) if isinstance(function.value, ast.Name) else None
        return self._is_of(module, function.attr) if module else function.attr in _METHODS.split()

    def _is_of(self, module: str, name: str) -> bool:
        return module in _MODULES or name in _NAMES.get(module, "").split()


# ---- exceptions in documentation ----

_LIBRARIES = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")})
_HAS_DOCSTRING = 0x4000000 if sys.version_info >= (3, 13) else inspect.CO_OPTIMIZED


def documentation_in(code: CodeType) -> str:
    """What the code of a function of some other file has of its documentation; empty if it is a library's."""
    said = code.co_consts[0] if code.co_consts and code.co_flags & _HAS_DOCSTRING else None
    is_own = not code.co_filename.startswith((*_LIBRARIES, "<")) and not code.co_name.startswith("<")
    return said if isinstance(said, str) and is_own else ""


_TOKEN = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*(?:['’]t\b)?|[.;!?]")
_ENTRY = re.compile(
    r"\n(?=[ \t]*\w[\w.]*\w[ \t]*(?::|\n|$))"
)  # in front of a name that has a line, or text, of its own
_ENDS = (".", ";", "!", "?")
_NO = re.compile(
    r"(?:never|not|no|nor|neither|without|instead|rather|unlike|cannot|\w+n['’]t"
    r"|caught|(?:avoid|catch|swallow|suppress|ignor|handl|prevent|convert|turn|translat)(?:e|s|es|ed|ing)?)$", re.I,
)  # fmt: skip
_RAISE = re.compile(r"(?:rais|throw)(?:e|s|es|ed|n|ing)?$", re.I)
_BETWEEN = "a an any the of by with be being ever longer than and or nor all"
_AND = frozenset(("and", "or", "nor"))
_ARE = "is are was can could may must shall should will would do does be"
_PLAIN = re.compile(r"[A-Z]?[a-z]+$")  # a word like any other, such as Error


def named_in(documentation: str) -> frozenset[str]:
    """The names of classes of exceptions that a function may raise, as far as its documentation tells; it may name
    others, too, of what are no exceptions. Not those of which it says that they do not come: ``never raises KeyError``,
    ``ValueError is not raised``."""
    return frozenset(_named(_TOKEN.findall(_ENTRY.sub(".\n", documentation))))


def _named(tokens: list[str]) -> Iterator[str]:
    denied, raising, listed = False, False, False  # listed: the last word was a name, or stands between names
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
    """Whether what follows a name says that it does not come."""
    words = iter(following)
    word = next(words, "")
    while word.lower() in _AND or not (_PLAIN.match(word) or word in _ENDS or not word):
        word = next(words, "")  # another one of a list
    if word.lower() in ("cannot", "can't", "won't", "isn't", "mustn't"):
        return True
    are = False
    while word.lower() in _ARE.split():
        are, word = True, next(words, "")
    return are and word.lower() in ("not", "never")


def _name(token: str) -> str:
    """Its last part, and of what has several names the one that the class has: IOError is OSError."""
    name = token.rpartition(".")[2]
    return getattr(getattr(builtins, name, None), "__name__", name)
