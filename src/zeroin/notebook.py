"""Functions of the running program as targets, and results that a notebook displays.

A function that a notebook or an interactive session defines has no file. Its source is written to one, together with
what it needs: the functions and classes of the session that it uses, imports, and constants.
"""

from __future__ import annotations

import ast
import atexit
import builtins
import dis
import inspect
import linecache
import os
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from . import scratch
from .config import Options
from .errors import TargetError
from .suite.suite import Suite
from .worker import parent

if TYPE_CHECKING:
    from .subject.base import Target
    from .worker.progress import Watcher
    from .worker.worker import Worker

Live = Callable[..., Any]


@dataclass(frozen=True, kw_only=True)
class ShownSuite(Suite):
    """A suite that a notebook displays as tables of branches, inputs and findings, with a plot."""

    def _repr_html_(self) -> str:
        """Return the suite as HTML, as IPython asks for it."""
        from .report.html import fragment

        return fragment(self)


def cover(target: Target | str | Live, options: Options | None = None, worker: Worker | None = None,
          watch: Watcher | None = None, stop: Callable[[], bool] = lambda: False) -> ShownSuite:  # fmt: skip
    """Find inputs for the branches of one target.

    After Ctrl-C, or once ``stop`` returns True, the suite has the results so far. A notebook displays the suite as
    tables, with a plot for one or two numeric inputs.

    Args:
        target: the target; its text on the command line (``orbit.py:solve_kepler``); or a Python function or class,
            also one that a notebook defines. Functions and classes may not use local variables of another function.
        options: see :class:`zeroin.config.Options`; None: the defaults. For a function or class as such, also samples
            for the plot are made.
        worker: the worker to use; if None, a worker is started, and ended at the end.
        watch: called with the live state and the event: ``loaded``, ``found`` or ``tick``; None if nobody watches.
        stop: polled regularly; True ends the search early.

    Raises:
        ZeroinError: the target can not be tested, or ``stop`` returned True before the search began; the message says
            why.
        KeyboardInterrupt: Ctrl-C was pressed before the search began.
    """
    if not isinstance(target, str) and callable(target):
        target, options = place_of(target), replace(options or Options(), samples=True)
    suite = parent.cover(target, options, worker, watch, stop)
    return ShownSuite(**{one.name: getattr(suite, one.name) for one in fields(suite)})


def place_of(live: Live) -> str:
    """Return a Python function or class as the text of a target.

    Raises:
        TargetError: it is neither, it is local to a function, or its source is not known.
    """
    if not isinstance(live, FunctionType | type):
        what = "a bound method" if inspect.ismethod(live) else f"a {type(live).__name__}"
        raise TargetError(f"{live!r}: is {what}; give a function or class that is written in Python, or the text "
                          "MODULE:CLASS.METHOD")  # fmt: skip
    live = inspect.unwrap(live) if isinstance(live, FunctionType) else live
    name = live.__qualname__
    if "<" in name:
        what = "a lambda" if name.endswith("<lambda>") else f"defined inside of {name.partition('.<')[0]}"
        raise TargetError(f"{name}: is {what}; define it with def at the top level")
    module = sys.modules.get(live.__module__)
    file = getattr(module, "__file__", None)
    if live.__module__ == "__main__" or module is None or file is None:
        own = _file_of(live)
        return f"{own}:{name}" if own is not None else f"{_written(live, name)}:{name}"
    return f"{live.__module__}:{name}" if _can_be_imported(live.__module__, file) else f"{file}:{name}"


def _can_be_imported(module: str, file: str) -> bool:
    """Return whether another process finds this file under the module's name."""
    from importlib.util import find_spec

    found = find_spec(module)
    return found is not None and found.origin == file and "." in module


def _file_of(live: Live) -> str | None:
    """Return the file that defines a function or class of the main program; None if there is none."""
    try:
        file = inspect.getsourcefile(live)
    except (OSError, TypeError):
        return None
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    return file if file is not None and main is not None and os.path.isfile(file) and file.endswith(".py") else None


# ---- functions of a session, which have no file ----


def _written(live: Live, name: str) -> Path:
    """Write the source of a function or class of a session, with what it uses, to a file of its own; return its path.

    Raises:
        TargetError: a source is not known, or something it uses can not be written down.
    """
    parts = dict[str, str]()
    _collect(live, parts, [name])
    folder = scratch.new()
    scratch.make(folder)
    atexit.register(scratch.remove, folder)
    path = folder / f"{name.partition('.')[0]}.py"
    head = f"from __future__ import annotations\n\nimport sys\n\nsys.path.append({os.getcwd()!r})\n\n"
    path.write_text(head + "\n\n".join(parts.values()) + "\n", "utf-8")
    return path


def _collect(live: Live, parts: dict[str, str], users: list[str]) -> None:
    """Add the source of a function or class after that of all that it uses.

    Args:
        live: the function or class.
        parts: the sources so far, by name. An empty one stands for a source that is being added.
        users: who uses it, for messages; the last one is itself.
    """
    outer = live.__qualname__.partition(".")[0]
    scope = vars(sys.modules[live.__module__]) if live.__module__ in sys.modules else {}
    live = scope.get(outer, live) if "." in live.__qualname__ else live
    text = _source_of(live)
    parts[outer] = ""
    for used in _globals_of(text):
        if used in scope and used not in parts and used != outer:
            _add(used, scope[used], parts, users)
    parts[outer] = parts.pop(outer) or text


def _add(name: str, value: object, parts: dict[str, str], users: list[str]) -> None:
    """Add the definition of a global variable.

    Raises:
        TargetError: it can not be written down.
    """
    if isinstance(value, ModuleType):
        parts[name] = f"import {value.__name__} as {name}"
        return
    home, own = getattr(value, "__module__", None), getattr(value, "__qualname__", getattr(value, "__name__", ""))
    if isinstance(value, FunctionType | type) and home == "__main__":
        _collect(value, parts, [*users, name])
        return
    if isinstance(value, FunctionType | type | BuiltinFunctionType) and home and own and "<" not in own:
        first, _, rest = own.partition(".")
        parts[name] = f"from {home} import {first} as {name}" if not rest else (
            f"from {home} import {first} as _{name}\n{name} = _{name}.{rest}")  # fmt: skip
        return
    try:
        same = ast.literal_eval(repr(value)) == value
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        same = isinstance(value, float)
    if not same:
        what = f"the global variable {name}, a {type(value).__name__}"
        raise TargetError(f"{' -> '.join(users)}: uses {what}, whose value can not be written down; put the function "
                          "and the variable into a module")  # fmt: skip
    parts[name] = f"{name} = float({str(value)!r})" if isinstance(value, float) else f"{name} = {value!r}"


def _source_of(live: Live) -> str:
    """Return the source of a function or class.

    Raises:
        TargetError: it is not known.
    """
    try:
        text = _of_class(live) if isinstance(live, type) else inspect.getsource(live)
    except (OSError, TypeError, SyntaxError) as error:
        raise TargetError(f"{live.__qualname__}: its source is not known; put it into a file") from error
    return textwrap.dedent(text)


def _of_class(live: type) -> str:
    """Return the source of a class from the cell that defines its first method: the class itself tells no cell.

    Raises:
        OSError: it is not known.
        SyntaxError: the cell is no longer what was executed.
    """
    for member in vars(live).values():
        function = inspect.unwrap(getattr(member, "__func__", getattr(member, "fget", None) or member))
        if isinstance(function, FunctionType) and function.__module__ == live.__module__:
            text = "".join(linecache.getlines(function.__code__.co_filename))
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.ClassDef) and node.name == live.__name__:
                    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                    return "\n".join(text.splitlines()[first - 1 : node.end_lineno]) + "\n"
    return inspect.getsource(live)


def _globals_of(text: str) -> list[str]:
    """Return the names of global variables that a source reads, also in decorators and annotations."""
    found = dict[str, None]()
    for code in _codes(compile(text, "<source>", "exec")):
        for step in dis.get_instructions(code):
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") and not hasattr(builtins, str(step.argval)):
                found[str(step.argval)] = None
    return list(found)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
