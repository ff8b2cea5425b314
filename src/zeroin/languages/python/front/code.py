"""Find a module's functions, and exchange their code for code with probes and back.

A function object stays what it is: its name, defaults, closure, decorators and everybody who refers to it. Only its
``__code__`` is exchanged, so the plain function is at hand at any time and both share the module's state.
"""

from __future__ import annotations

import ast
import dis
import functools
import inspect
import textwrap
import tokenize
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from ....errors import TargetError
from ..run.probes.rewrite import read_placeholder
from ..run.probes.source import Function, FunctionNode, Source
from .line_marks import EVERY_COMPARISON, mark_boundaries, mark_line

CodeKey = tuple[str, int, int]  # qualified name, first line, number among those of the same name and line


def functions_in(module: ModuleType, file: str) -> list[FunctionType]:
    """The functions and methods that are defined in a module's file, under decorators too."""
    found: dict[int, FunctionType] = {}
    seen: set[int] = set()

    def visit(value: Any) -> None:
        if id(value) in seen:
            return
        seen.add(id(value))
        if type(value).__module__.startswith("numba."):
            return  # compiled: other code would not make it run
        if isinstance(value, type) and value.__module__ == module.__name__:
            for member in list(vars(value).values()):
                visit(member)
        for function in unwrapped(value):
            if function.__code__.co_filename == file:
                found.setdefault(id(function), function)

    for value in list(vars(module).values()):
        visit(value)
    return list(found.values())


def unwrapped(value: Any) -> Iterator[FunctionType]:
    """The functions that a callable, a property or a decorated function is made of, the innermost first."""
    todo, seen = [value], set()
    order: list[FunctionType] = []
    while todo:
        item = todo.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, FunctionType):
            order.append(item)
            for cell in item.__closure__ or ():
                try:
                    content = cell.cell_contents
                except ValueError:  # not filled yet
                    continue
                if isinstance(content, FunctionType):
                    todo.append(content)
        # Objects may import, or fail, when they are asked for what they have not.
        inside: tuple[Any, ...] = tuple(inspect.getattr_static(item, name, None) for name in ("__wrapped__", "pyfunc"))
        if isinstance(item, property):
            inside = (item.fget, item.fset, item.fdel)
        elif isinstance(item, classmethod | staticmethod | MethodType):
            inside = (item.__func__,)
        elif isinstance(item, functools.cached_property | functools.partial):
            inside = (item.func,)
        todo += [part for part in inside if part is not None]
    yield from reversed(order)


def why_no_function(function: FunctionType) -> str | None:
    """Why a function can not be called and be done."""
    if inspect.isasyncgenfunction(function):
        return "an asynchronous generator"
    if inspect.iscoroutinefunction(function):
        return "a coroutine"
    if inspect.isgeneratorfunction(function):
        return "a generator"
    return None


@dataclass(frozen=True)
class ModuleSource:
    """A module's text and tree, and where its functions stand in it."""

    source: Source
    tree: ast.Module

    @classmethod
    def read(cls, file: str, mark: int = 0) -> ModuleSource:
        """Read and parse a file in the encoding that it declares; a line of it may be marked, or every comparison.

        Raises:
            TargetError: it is gone, or does not compile any more.
        """
        try:
            with tokenize.open(file) as stream, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                text = stream.read()
                tree = ast.parse(text, file)
        except (OSError, SyntaxError, UnicodeDecodeError) as error:
            raise TargetError(f"{file}: its source can not be read ({error})") from error
        if mark == EVERY_COMPARISON:
            mark_boundaries(tree)
        elif mark:
            mark_line(tree, mark, "".join(text.split("\n")[mark - 1 : mark]))
        return cls(Source(file, text, mark), tree)

    @classmethod
    def again(cls, placed: Iterable[Placed]) -> dict[str, ModuleSource]:
        """The files of functions, newly read."""
        return {file: cls.read(file, mark) for file, mark in {(s.file, s.mark) for s in
                (one.described.source for one in placed)}}  # fmt: skip

    def nodes(self) -> dict[CodeKey, FunctionNode]:
        """The functions of the tree by the key of their code."""
        found: dict[CodeKey, FunctionNode] = {}

        def visit(node: ast.AST, path: str) -> None:
            inner = path
            if isinstance(node, ast.ClassDef):
                inner = f"{path}{node.name}."
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
                line = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
                number = sum(key[:2] == (path + name, line) for key in found)
                found[path + name, line, number] = node
                inner = f"{path}{name}.<locals>."
            for child in ast.iter_child_nodes(node):
                visit(child, inner)

        visit(self.tree, "")
        return found

    def compile(self) -> dict[CodeKey, CodeType]:
        """The code of all functions of the tree as it is now."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "'str' object is not callable": a placeholder
            module = compile(self.tree, self.source.file, "exec", dont_inherit=True)
        return code_of(module)


def code_of(module: CodeType) -> dict[CodeKey, CodeType]:
    """All functions' code inside a module's code."""
    found: dict[CodeKey, CodeType] = {}

    def visit(code: CodeType) -> None:
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                key = (constant.co_qualname, constant.co_firstlineno)
                found[(*key, sum(other[:2] == key for other in found))] = constant
                visit(constant)

    visit(module)
    return found


@dataclass(frozen=True, eq=False)
class Placed:
    """A function of a module, and where its code is.

    Attributes:
        function: the function.
        key: of its code.
        described: its node and source.
    """

    function: FunctionType
    key: CodeKey
    described: Function


def placed_in(sources: Mapping[str, ModuleSource], known: Iterable[tuple[str, FunctionType]]) -> list[Placed]:
    """Those of the functions, each given with its file, whose code is in the sources, given by file."""
    codes = {file: source.compile() for file, source in sources.items()}
    nodes = {file: source.nodes() for file, source in sources.items()}
    return [
        Placed(function, key, Function(key[0], nodes[file][key], sources[file].source))
        for file, function in known
        if (key := key_of(function, codes[file])) is not None and key in nodes[file]
    ]


def read_again(placed: Iterable[Placed], nodes: Mapping[str, Mapping[CodeKey, FunctionNode]]) -> list[Function]:
    """The same functions with nodes that nobody has changed.

    Args:
        placed: the functions.
        nodes: of their files, newly read.

    Raises:
        KeyError: a file has changed.
    """
    return [Function(p.described.name, nodes[p.described.source.file][p.key], p.described.source) for p in placed]


def key_of(function: FunctionType, codes: dict[CodeKey, CodeType]) -> CodeKey | None:
    """Which of the codes a function runs: by name and line, and, where several share these, by its instructions."""
    code = function.__code__
    same = [key for key in codes if key[:2] == (code.co_qualname, code.co_firstlineno)]
    return next((key for key in same if codes[key].co_code == code.co_code), same[0] if same else None)


def globals_in(code: CodeType, *operations: str) -> Iterator[str]:
    """The module's variables that such instructions of code are about, of code inside of it, too: ``LOAD_GLOBAL``."""
    if any(dis.opmap[operation] in code.co_code[::2] for operation in operations):  # to look at instructions takes long
        yield from (one.argval for one in dis.get_instructions(code) if one.opname in operations)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from globals_in(constant, *operations)


def with_probes(code: CodeType, probe: Callable[[str, int, str], Any]) -> CodeType:
    """The code with its placeholders, those of inner functions too, replaced by what ``probe`` makes."""
    constants = []
    for constant in code.co_consts:
        wanted = read_placeholder(constant)
        if wanted is not None:
            constants.append(probe(*wanted))
        else:
            constants.append(with_probes(constant, probe) if isinstance(constant, CodeType) else constant)
    return code.replace(co_consts=tuple(constants))


class CodeSwap:
    """Plain code and code with probes of some functions, one of which is in use."""

    def __init__(self, pairs: Iterable[tuple[FunctionType, CodeType]]) -> None:
        self._functions = [(function, function.__code__, probed) for function, probed in pairs]
        self._probed = False

    def use(self, probed: bool) -> None:
        """Let the functions run with probes, or without."""
        if probed != self._probed:
            self._probed = probed
            for function, plain, instrumented in self._functions:
                function.__code__ = instrumented if probed else plain


def written(function: FunctionType) -> FunctionNode | None:
    """The source of a function of another module."""
    with suppress(OSError, SyntaxError, TypeError, ValueError):
        for node in ast.parse(textwrap.dedent(inspect.getsource(function))).body:
            return node if isinstance(node, ast.FunctionDef) else None
    return None
