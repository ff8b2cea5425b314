"""The types of parameters from docstrings in the styles of NumPy, Google, Sphinx and Epydoc.

By hand on purpose: docstring_parser finds no types in descriptions, where Epydoc's users write them, and ignores
Sphinx's ``:type x:`` without ``:param x:``. It finds none of the 2,798 types that pygeodesy documents.
"""

from __future__ import annotations

import ast
import inspect
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from operator import or_
from typing import Any, Literal

_PLAIN: dict[str, object] = {
    **dict.fromkeys(("float", "double", "real", "number", "numeric", "scalar", "numpy.float64", "degrees", "radians",
                     "meter", "meters", "angle"), float),
    **dict.fromkeys(("int", "integer", "long"), int), **dict.fromkeys(("bool", "boolean"), bool),
    **dict.fromkeys(("str", "string", "text", "char", "basestring"), str), "bytes": bytes, "complex": complex,
    "none": None, "dict": dict, "mapping": dict, "set": set, "any": float,
}  # fmt: skip
_MANY = r"(?:list|sequence|iterable|iterator|array|array[-_ ]like|vector|collection)"
_ARRAYS = ("array", "array_like", "array-like", "array like", "ndarray", "numpy.ndarray", "np.ndarray", "numpy.array",
           "vector", "list", "sequence", "iterable", "lst")  # fmt: skip


def documented(function: object, namespace: Mapping[str, object]) -> dict[str, object]:
    """Return the documented types of a function's parameters, by name.

    Names of other things may be among them. Where a docstring gives several types, the first counts. A type of None
    means that only None is documented.

    Args:
        function: the function.
        namespace: the variables of its module, for the classes among them.
    """
    text = inspect.getdoc(function) or ""
    found: dict[str, Any] = {}
    for names, said in [*_numpy(text), *_others(text)]:
        hint = type_said(said, namespace)
        for name in re.findall(r"\w+", names) if hint is not NOTHING else ():
            found.setdefault(name, hint)
    return found


_SHAPE = re.compile(r"\bshape(?:\s+is|\s+of|\s*[:=])?\s*\(([^()]+)\)|\(([^()]*,[^()]*)\)\s+(?:nd)?array", re.I)
_MOST_DIMENSIONS, _MOST_ELEMENTS = 3, 1000


def shapes_said(function: object, names: Iterable[str]) -> dict[str, tuple[int | None, ...]]:
    """Return the documented shapes of parameters that are arrays; None stands for any length.

    Parameters without a documented shape are left out.
    """
    text = inspect.getdoc(function) or ""
    found = {}
    for name in names if "array" in text or "shape" in text else ():
        for said in _said_of(name, text):
            shape = next((shape for match in _SHAPE.finditer(said) if (shape := _shape(match[1] or match[2]))), None)
            if shape is not None:
                found[name] = shape
                break
    return found


def _said_of(name: str, text: str) -> Iterator[str]:
    """Yield the texts about a parameter: its entry in a list, with indented lines, then mentions of its shape."""
    kind = r"(?:[ ]*\([^()]*(?:\([^()]*\)[^()]*)*\))?"  # the type in Google style
    entry = rf"^([ ]*)(?:[:@](?:param|arg|type)[ ]+)?(?:\*?\w+[ ]*,[ ]*)*{name}(?:[ ]*,[ ]*\w+)*{kind}[ ]*:"
    for match in re.finditer(rf"{entry}.*(?:\n(?:\1[ ]+\S.*|[ ]*(?=\n)))*", text, re.M):
        yield match[0]
    for match in re.finditer(rf"\b{name}\b[`*]*,?[^.,;()\n]{{0,40}}\bshape\b[^.;()\n]{{0,9}}\([^()]+\)", text):
        yield match[0]


def _shape(text: str) -> tuple[int | None, ...] | None:
    """Parse a shape such as ``2, 2``, ``n, 3`` or ``N+1,``; None if it is no shape of supported size."""
    parts = [part.strip() for part in text.strip().removesuffix(",").split(",")]
    if not 1 <= len(parts) <= _MOST_DIMENSIONS or not all(re.fullmatch(r"[\w+*/ -]+|\.\.\.", part) for part in parts):
        return None
    sizes = tuple(int(part) if part.isdecimal() else None for part in parts)
    known = [size for size in sizes if size is not None]
    return sizes if "..." not in parts and 0 not in known and math.prod(known) <= _MOST_ELEMENTS else None


_GENERIC: dict[str, Callable[[Any], object]] = {
    "optional": lambda item: item | None, "tuple": lambda item: tuple.__class_getitem__((item, ...)),
    **dict.fromkeys(("list", "sequence", "iterable", "collection"), list.__class_getitem__),
}  # fmt: skip
NOTHING = object()  # the result for a text without a type


def type_said(text: str, namespace: Mapping[str, object]) -> object:
    """Return the type in a text such as ``float or None, optional``; NOTHING if it contains none.

    None is the result for a text that only says None.
    """
    text = re.sub(r"[CILU]\{([^{}]*)\}", r"\1", text.strip().rstrip("."))
    text = re.sub(r":[\w:]+:`~?([^`]*)`", r"\1", text)
    choices = re.match(r"\{([^{}]*)\}", text)
    if choices:
        found = [_literal(part.strip()) for part in choices.group(1).split(",")]
        if not found or NOTHING in found:
            return NOTHING
        return reduce(or_, dict.fromkeys(map(type, found)), Literal[tuple(found)])  # other values are tried, too
    bracketed = re.match(r"(?:typing\.)?(\w+)\[([\w, .]*)\]", text)
    if bracketed and bracketed.group(1).lower() in _GENERIC:
        first = _one(bracketed.group(2).split(",")[0], namespace)
        return NOTHING if first in (NOTHING, None) else _GENERIC[bracketed.group(1).lower()](first)
    text = re.split(r"[,;]\s*(?:optional|default|units?\b|shape|in\b)|\s+\(|\s*\[", text, maxsplit=1)[0].strip()
    parts = [_one(part, namespace) for part in re.split(r"\s+or\s+|\s*[|,/]\s*", text) if part.strip()]
    known = [part for part in parts if part is not NOTHING]
    if not known:
        return NOTHING
    return reduce(or_, (type(None) if part is None else part for part in known)) if len(known) > 1 else known[0]


def _one(text: str, namespace: Mapping[str, object]) -> object:
    """Return the type that one name or phrase without ``or`` stands for; NOTHING if it is unknown."""
    named = namespace.get(text.strip().strip("`'\"").rpartition(".")[2])
    if isinstance(named, type):
        return named
    lowered = re.sub(r"^(degrees|radians)\d+$", r"\1", text.strip().strip("`'\"").lower())
    if lowered in _PLAIN:
        return _PLAIN[lowered]
    if lowered.partition(" of shape")[0] in _ARRAYS:
        return list[float]
    if lowered.startswith("tuple"):
        return tuple[float, ...]
    items = re.fullmatch(rf"{_MANY}s?\s+of\s+(\S+?)s?", lowered)
    if items:
        item = _PLAIN.get(items.group(1), NOTHING)
        return NOTHING if item in (NOTHING, None) else list.__class_getitem__(item)
    last = lowered.rpartition(" ")[2]  # "positive float"
    return _PLAIN.get(last, NOTHING) if last != lowered and last not in ("none", "any") else NOTHING


def _literal(text: str) -> object:
    """Return the None, text, int or bool that a literal stands for; NOTHING for other texts."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return NOTHING
    return value if value is None or isinstance(value, str | int) else NOTHING


def _numpy(text: str) -> list[tuple[str, str]]:
    """Return the (names, type) of entries ``x, y : float`` in sections of parameters."""
    sections = re.split(r"^(\w[\w ]*)\n[-=]{3,}[ ]*$", text, flags=re.M)
    found = []
    for title, body in zip(sections[1::2], sections[2::2], strict=True):
        if "Parameter" in title:
            found += re.findall(r"^(\*{0,2}\w+(?:[ ]*,[ ]*\*{0,2}\w+)*)[ ]*:[ ]*(\S.*)$", body, re.M)
    return found


def _others(text: str) -> list[tuple[str, str]]:
    """Return the (name, type) of entries in the other styles."""
    found = [(name, said) for name, said in re.findall(r"^[ ]*[:@]type[ ]+(\w+):[ ]*(\S.*)$", text, re.M)]
    found += [(name, said) for said, name in re.findall(r"^[ ]*[:@]param[ ]+(\S+)[ ]+(\w+):", text, re.M)]
    epydoc = r"^[ ]*@(?:k?w?arg|param)[ ]+(\w+):[^@]*?\(((?:[^()@]|\([^()]*\))*?C\{[^()@]*)\)"
    found += re.findall(epydoc, text, re.M)
    sections = re.split(r"^(Args|Arguments|Parameters|Keyword Args|Other Parameters):[ ]*$", text, flags=re.M)
    for body in sections[2::2]:
        inside = re.split(r"^\S", body, maxsplit=1, flags=re.M)[0]
        entries = re.findall(r"^([ ]+)\*{0,2}(\w+)[ ]*\(([^()]*(?:\([^()]*\))?[^()]*)\):", inside, re.M)
        found += [(name, said) for indent, name, said in entries if indent == entries[0][0]]
    return found
