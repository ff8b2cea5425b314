"""Type hints of functions, types given as text, and types whose values zeroin can not make."""

from __future__ import annotations

import ast
import collections
import inspect
import io
import re
import sys
import types
import typing
from collections import abc
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

from ....errors import OptionError

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_ONCE = {abc.Iterator, abc.Generator, abc.AsyncIterator, abc.AsyncGenerator, abc.AsyncIterable, abc.Awaitable}
_EMPTY = inspect.Parameter.empty


def parse_types(text: str) -> dict[str, str]:
    """Parse the value of ``--types``, such as ``x: float, xs: list[float]``, into types as text, by name.

    Raises:
        OptionError: the text has another form, is empty, or gives a name twice.
    """
    result: dict[str, str] = {}
    for part in _split(text):
        name, colon, type_ = (piece.strip() for piece in part.partition(":"))
        if not colon or not type_:
            raise OptionError(f'--types: {part.strip()!r} has no type; write "x: float, n: int"')
        if not name.isidentifier():
            raise OptionError(f'--types: {name!r} is not the name of a parameter; write "x: float, n: int"')
        if name in result:
            raise OptionError(f"--types: {name!r} occurs twice")
        result[name] = type_
    return result


def _split(text: str) -> list[str]:
    """Split the text at commas outside of brackets and quotes; a comma at the end is allowed.

    Raises:
        OptionError: a bracket or quote has no partner.
    """
    parts, awaited, quote = [""], "", ""
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in _PAIRS:
            awaited += _PAIRS[char]
        elif char in ")]}":
            if not awaited.endswith(char):
                raise OptionError(f"--types: unmatched {char!r} in {text!r}")
            awaited = awaited[:-1]
        elif char == "," and not awaited:
            parts.append("")
            continue
        parts[-1] += char
    if quote or awaited:
        raise OptionError(f"--types: {(quote or awaited[-1])!r} is missing in {text!r}")
    return parts if parts[-1].strip() or len(parts) == 1 else parts[:-1]


def evaluate(text: str, namespace: dict[str, Any]) -> object:
    """Return the type that an expression stands for. It is run as code, and modules that it names are imported.

    Args:
        text: the expression, for example ``list[float]``.
        namespace: the variables of the function's module. They take precedence over the names of ``typing``, numbers
            and dates of the standard library, and ``np``. A class of another module is written
            ``package.module.Class``.

    Raises:
        OptionError: the text is no expression, or can not be evaluated; the message is one line.
    """
    try:
        return eval(text, {**_known_names(text), **_modules(text), **namespace})
    except SyntaxError as error:
        raise OptionError(f"the type {text!r} is not a Python expression: {error.msg}") from None
    except Exception as error:
        raise OptionError(f"the type {text!r} can not be evaluated: {_one_line(error)}") from None


def _modules(text: str) -> dict[str, Any]:
    """Import the modules in names such as ``package.module.Class``; return their top-level packages by name.

    Modules that can not be imported are left out.
    """
    found = {}
    for path in re.findall(r"(?<![\w.])([A-Za-z_][\w.]*)\.\w+", text):
        with suppress(ImportError):
            import_module(path)
            root = path.partition(".")[0]
            found[root] = sys.modules[root]
    return found


def _known_names(text: str) -> dict[str, Any]:
    """Return the names that types given as text may use without import. NumPy is imported if the text mentions it."""
    names = {name: getattr(typing, name) for name in typing.__all__}
    ours: list[Any] = [Fraction, Decimal, date, datetime, time, timedelta, timezone, tzinfo, types.SimpleNamespace]
    names |= {thing.__name__: thing for thing in ours} | {"typing": typing, "collections": collections}
    if re.search(r"\b(np|npt|numpy|NDArray)\b", text):  # importing NumPy takes a while
        import numpy
        import numpy.typing

        names |= {"np": numpy, "numpy": numpy, "npt": numpy.typing, "NDArray": numpy.typing.NDArray}
    return names


def hints_of(function: Callable[..., object], names: Iterable[str]) -> tuple[dict[str, object], dict[str, str]]:
    """Return the type hints of a function's parameters, or of a class's attributes.

    Hints that need names under ``if TYPE_CHECKING:`` are evaluated with these names.

    Args:
        function: any callable, or a class; decorators that set ``__wrapped__`` are unwrapped.
        names: the parameters; those without a hint are in neither result.

    Returns:
        The evaluated hints by name; and for hints that can not be evaluated, the reason by name, in one line.
    """
    wanted = list(names)
    try:
        found = typing.get_type_hints(function, include_extras=True)
        return {name: found[name] for name in wanted if name in found}, {}
    except Exception:  # evaluating annotations may raise anything
        return _one_by_one(inspect.unwrap(function), wanted)


def _one_by_one(function: object, names: list[str]) -> tuple[dict[str, object], dict[str, str]]:
    """As :func:`hints_of`, for a function some of whose hints can not be evaluated."""
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    plain: dict[str, object] = getattr(function, "__globals__", None) or vars(module or typing)
    namespace = {**_type_checking_names(plain), **plain}
    written = _annotations(function)
    hints: dict[str, Any] = {}
    failed: dict[str, str] = {}
    for name in names:
        if name in written:
            try:
                hints[name] = _evaluated(written[name], namespace)
            except Exception as error:
                failed[name] = _one_line(error)
    return hints, failed


def _evaluated(annotation: object, namespace: dict[str, object]) -> object:
    """Return an annotation with all strings inside evaluated. Whatever that raises passes through."""

    def holder() -> None: ...

    holder.__annotations__ = {"it": annotation}
    return typing.get_type_hints(holder, namespace, namespace, include_extras=True)["it"]


def _annotations(function: object) -> dict[str, object]:
    """Return the annotations of a function as they are, or as text if Python evaluates them lazily."""
    if sys.version_info >= (3, 14):  # annotations are evaluated lazily
        import annotationlib

        return annotationlib.get_annotations(function, format=annotationlib.Format.STRING)
    return dict(getattr(function, "__annotations__", {}))


def _type_checking_names(namespace: dict[str, object]) -> dict[str, object]:
    """Return a copy of a module's namespace after running the statements under ``if TYPE_CHECKING:`` that can run."""
    result = dict(namespace)
    with suppress(OSError, SyntaxError, ValueError):
        tree = ast.parse(Path(str(namespace.get("__file__"))).read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and ast.unparse(node.test).split(".")[-1] == "TYPE_CHECKING":
                for statement in node.body:
                    with suppress(Exception):
                        exec(compile(ast.Module([statement], []), "<TYPE_CHECKING>", "exec"), result)
    return result


def _one_line(error: Exception) -> str:
    """Return the class and the first line of an exception's text."""
    return f"{type(error).__name__}: {error}".splitlines()[0].strip().removesuffix(":")


def constructor(cls: Any) -> Any:
    """Return the function that has the constructor's parameters: ``__init__``, or else ``__new__``.

    It is a Python function if the class or a base defines one of them in Python, else a builtin method.
    """
    return cls.__init__ if inspect.isfunction(cls.__init__) else cls.__new__


def why_not(origin: object) -> str:
    """Return why values of a type can not be made, as the end of a sentence; empty if no reason is known."""
    if isinstance(origin, (str, typing.ForwardRef)):
        return "which can not be evaluated"
    if origin is _EMPTY:
        return "and zeroin does not guess one"
    if origin in (types.BuiltinFunctionType, types.MethodType):
        return "and methods can not be generated"
    if origin in _ONCE:
        return "and iterators can not be generated"
    if not isinstance(origin, type):
        return ""
    kinds = {type: "classes", types.ModuleType: "modules", io.IOBase: "files", typing.IO: "files"}
    for kind, name in kinds.items():
        if issubclass(origin, kind):
            return f"and {name} can not be generated"
    if issubclass(origin, Enum) or typing.is_typeddict(origin):
        pass
    elif inspect.isabstract(origin) or getattr(origin, "_is_protocol", False):
        return "which is abstract"
    elif not inspect.isfunction(constructor(origin)) and not _is_empty(origin):
        return "and zeroin does not know how to make one"
    return "which is defined inside a function, so tests can not import it" if "<locals>" in origin.__qualname__ else ""


def _is_empty(cls: Any) -> bool:
    """Whether a class is written in Python and its constructor takes no arguments."""
    written = any("__dict__" in vars(base) or "__slots__" in vars(base) for base in cls.__mro__[:-1])
    return written and cls.__init__ is object.__init__ and cls.__new__ is object.__new__


def text_of(hint: object) -> str:
    """Return the type as it is written in source, on one line; ``unknown`` if a parameter has none."""
    if hint is _EMPTY:
        return "unknown"
    if isinstance(hint, type) and not typing.get_args(hint):
        return hint.__qualname__
    return " ".join(inspect.formatannotation(hint).split())
