"""Find the functions of a module, and exchange their code for code with probes and back.

Only the ``__code__`` of a function is exchanged. The function object stays the same, with its name, defaults, closure,
decorators and all references to it. So the plain code is available at any time, and both share the module's state.
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

from ....errors import TargetError
from ..run.probes.rewrite import read_placeholder
from ..run.probes.source import Function, FunctionNode, Source
from .fault_marks import mark_faults
from .line_marks import EVERY_COMPARISON, mark_boundaries, mark_line

CodeKey = tuple[str, int, int]  # (qualified name, first line, index among functions with the same name and line)


def functions_in(module: ModuleType, file: str) -> list[FunctionType]:
    """Return the functions and methods that a module's file defines, also under decorators.

    Each comes once, in the order of the module's variables. Of functions inside functions, only those under decorators
    are included. Functions that Numba has compiled are not.

    Args:
        module: the module.
        file: its source file, as code objects name it.
    """
    found: dict[int, FunctionType] = {}
    seen: set[int] = set()

    def visit(value: object) -> None:
        if id(value) in seen:
            return
        seen.add(id(value))
        if type(value).__module__.startswith("numba."):
            return  # compiled by Numba: an exchange of its code would have no effect
        if isinstance(value, type) and value.__module__ == module.__name__:
            for member in list(vars(value).values()):
                visit(member)
        for function in unwrapped(value):
            if function.__code__.co_filename == file:
                found.setdefault(id(function), function)

    for value in list(vars(module).values()):
        visit(value)
    return list(found.values())


def unwrapped(value: object) -> Iterator[FunctionType]:
    """Yield the Python functions inside a callable, property or decorated function, the innermost first.

    Functions in closures are included. Nothing is yielded for an object without Python functions.
    """
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
                except ValueError:  # the variable has no value yet
                    continue
                if isinstance(content, FunctionType):
                    todo.append(content)
        # getattr_static: a custom __getattr__ may import something, or fail.
        wrapped = ("__wrapped__", "pyfunc")
        inside: tuple[object, ...] = tuple(inspect.getattr_static(item, name, None) for name in wrapped)
        if isinstance(item, property):
            inside = (item.fget, item.fset, item.fdel)
        elif isinstance(item, classmethod | staticmethod | MethodType):
            inside = (item.__func__,)
        elif isinstance(item, functools.cached_property | functools.partial):
            inside = (item.func,)
        todo += [part for part in inside if part is not None]
    yield from reversed(order)


def why_no_function(function: FunctionType) -> str | None:
    """Return why a call of the function does not run it to its end (a coroutine or generator); None if it does."""
    if inspect.isasyncgenfunction(function):
        return "an asynchronous generator"
    if inspect.iscoroutinefunction(function):
        return "a coroutine"
    if inspect.isgeneratorfunction(function):
        return "a generator"
    return None


@dataclass(frozen=True)
class ModuleSource:
    """A module's text and syntax tree. The tree may be rewritten after it was read."""

    source: Source
    tree: ast.Module

    @classmethod
    def read(cls, file: str, mark: int = 0, faults: tuple[str, ...] = ()) -> ModuleSource:
        """Read and parse a file in the encoding that it declares.

        Args:
            file: the path.
            mark: a line, from 1, to mark as the goal of a search, or ``EVERY_COMPARISON`` to mark boundaries; 0: none.
            faults: the kinds of faults to mark, of :data:`zeroin.config.FAULTS`.

        Raises:
            TargetError: the file can not be read, or does not compile.
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
        if faults:
            mark_faults(tree, faults)
        return cls(Source(file, text, mark, faults), tree)

    @classmethod
    def again(cls, placed: Iterable[LocatedFunction]) -> dict[str, ModuleSource]:
        """Read the files of functions again, and return them by path, with the same marks and without probes.

        Raises:
            TargetError: a file can not be read.
        """
        marked = {(s.file, s.mark, s.faults) for s in (one.described.source for one in placed)}
        return {file: cls.read(file, mark, faults) for file, mark, faults in marked}

    def nodes(self) -> dict[CodeKey, FunctionNode]:
        """Return the functions of the tree, also those inside functions, by the key of their code."""
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
        """Compile the tree as it is now; return the code of all functions by key."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "'str' object is not callable": a placeholder
            module = compile(self.tree, self.source.file, "exec", dont_inherit=True)
        return code_of(module)


def code_of(module: CodeType) -> dict[CodeKey, CodeType]:
    """Return the code of all functions, classes and comprehensions inside a module's code, by key."""
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
class LocatedFunction:
    """A function of a module, with the key of its code and its syntax node. It is compared by identity.

    Attributes:
        function: the function.
        key: the key of its code.
        described: its node and source.
    """

    function: FunctionType
    key: CodeKey
    described: Function


def placed_in(sources: Mapping[str, ModuleSource], known: Iterable[tuple[str, FunctionType]]) -> list[LocatedFunction]:
    """Return the functions whose code is in the sources, in the order of ``known``; others are left out.

    Args:
        sources: the sources by file.
        known: the functions, each with its file, which must be in ``sources``.
    """
    codes = {file: source.compile() for file, source in sources.items()}
    nodes = {file: source.nodes() for file, source in sources.items()}
    return [
        LocatedFunction(function, key, Function(key[0], nodes[file][key], sources[file].source))
        for file, function in known
        if (key := key_of(function, codes[file])) is not None and key in nodes[file]
    ]


def read_again(
    placed: Iterable[LocatedFunction], nodes: Mapping[str, Mapping[CodeKey, FunctionNode]]
) -> list[Function]:
    """Return the functions with nodes from their files read anew, which no rewriting has changed.

    Args:
        placed: the functions.
        nodes: the nodes of their files, read anew.

    Raises:
        KeyError: a file has changed.
    """
    return [Function(p.described.name, nodes[p.described.source.file][p.key], p.described.source) for p in placed]


def key_of(function: FunctionType, codes: dict[CodeKey, CodeType]) -> CodeKey | None:
    """Return the key of the code that a function runs; None if it is not among the codes.

    The key is found by name and line; if several share these, by the instructions.
    """
    code = function.__code__
    same = [key for key in codes if key[:2] == (code.co_qualname, code.co_firstlineno)]
    return next((key for key in same if codes[key].co_code == code.co_code), same[0] if same else None)


def globals_in(code: CodeType, *operations: str) -> Iterator[str]:
    """Yield the global variables that given instructions access, such as ``LOAD_GLOBAL``, also in nested code.

    A name comes once for each instruction.
    """
    if any(dis.opmap[operation] in code.co_code[::2] for operation in operations):  # as get_instructions is slow
        yield from (one.argval for one in dis.get_instructions(code) if one.opname in operations)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from globals_in(constant, *operations)


def with_probes(code: CodeType, probe: Callable[[str, int, str], object]) -> CodeType:
    """Return a copy of the code with placeholders, also in inner functions, replaced by probes.

    Args:
        code: the code.
        probe: makes a probe from the kind, site and detail of a placeholder.
    """
    constants = []
    for constant in code.co_consts:
        wanted = read_placeholder(constant)
        if wanted is not None:
            constants.append(probe(*wanted))
        else:
            constants.append(with_probes(constant, probe) if isinstance(constant, CodeType) else constant)
    return code.replace(co_consts=tuple(constants))


class CodeSwap:
    """The plain code and the code with probes of some functions, one of which is in use; at first the plain code.

    Args:
        pairs: the functions, each with its code with probes. The code that they have now is the plain code.
    """

    def __init__(self, pairs: Iterable[tuple[FunctionType, CodeType]]) -> None:
        self._functions = [(function, function.__code__, probed) for function, probed in pairs]
        self._probed = False

    def use(self, probed: bool) -> None:
        """Switch the functions to the code with probes, or to the plain code.

        If the last call asked for the same, nothing is changed, even if something else has set the functions' code
        since.
        """
        if probed != self._probed:
            self._probed = probed
            for function, plain, instrumented in self._functions:
                function.__code__ = instrumented if probed else plain


def written(function: FunctionType) -> FunctionNode | None:
    """Return the syntax node of a function of any module; None if it has no source, or is no plain ``def``."""
    with suppress(OSError, SyntaxError, TypeError, ValueError):
        for node in ast.parse(textwrap.dedent(inspect.getsource(function))).body:
            return node if isinstance(node, ast.FunctionDef) else None
    return None
