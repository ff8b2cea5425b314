"""Snapshots: Python values as plain data, without the objects.

A snapshot can cross process borders, and turns into the source of an equal object.
"""

from __future__ import annotations

import builtins
import copy
import dataclasses
import datetime
import enum
import inspect
import math
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ....words import Kind, encode, readable
from .brackets import Brackets, Entry, Tree, prefixed
from .constant_functions import RAISING, is_returning, returning
from .library_objects import STANDARD, Parts, numpy_parts
from .missing import MISSING, SharedArgument
from .object_uses import Step, Steps, written

Namer = Callable[[str], str]  # "module:Qual.Name" -> the name in the source

_ATOMS = {bool: "bool", int: "int", float: "float", complex: "complex", str: "str", bytes: "bytes"}
_CONTAINERS = {list: "list", Steps: "list", tuple: "tuple", set: "set", frozenset: "frozenset"}
_SETS = ("set", "frozenset")
SEQUENCES = ("list", "tuple", "set", "frozenset", "array")
_BRACKETS = {"list": ("[", "]"), "tuple": ("(", ")"), "set": ("{", "}"), "dict": ("{", "}")}
# The dtype that np.array chooses for items of one form: these need no dtype in the source.
_DEFAULT_DTYPES = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}
_LARGEST = 14_000  # characters, or bits: Python refuses to write an integer of more than 4300 digits
_DEEPEST = 50
_MOST_ATTRIBUTES = 20


def dotted(path: str) -> str:
    """Return the name in source code of a path ``module:Qual.Name``.

    ``numpy:float32`` becomes ``np.float32``, ``builtins:Color.RED`` becomes ``Color.RED``, others ``module.Qual.Name``.
    """
    module, _, name = path.rpartition(":")
    return name if module == "builtins" else f"{'np' if module == 'numpy' else module}.{name}"


@dataclass(frozen=True)
class Snapshot:
    """The snapshot of one object.

    Attributes:
        form: the kind of the object; it defines the meaning of ``data``, ``items`` and ``names``:
            ``none``, ``bool``, ``int``, ``float``, ``complex``, ``str``, ``bytes``: ``data`` is the object itself.
            ``list``, ``tuple``, ``set``, ``frozenset``: ``items`` are the items.
            ``dict``: ``items`` are keys and values, in turn.
            ``enum``: ``data`` is ``module:Class.MEMBER``, or the path of a function or class.
            ``object``: a call of the class ``data`` (``module:Class``) with ``items``; the last ``len(names)`` by name.
            ``scalar``: a NumPy scalar; ``data`` is the name of the dtype, the one item is the Python value.
            ``array``: a NumPy array; ``data`` is the name of the dtype, ``items`` are elements, or rows as lists.
            ``use``: one use of an object, with the fields of :class:`zeroin.languages.python.values.object_uses.Step`.
            ``lambda``: a function that always returns its one item.
            ``missing``: an argument or key that is left out.
            ``shared``: the same object as the argument with the name ``data``.
            ``opaque``: an object of ``data`` (``module:Class``) that source can not make; ``items`` are its public
            attributes, with ``names``, unless the class is from the standard library.
        data, items, names: see ``form``.
        identity: whether ``==`` of a dataclass compares by identity; :func:`snapshot` sets it. False for other forms.
    """

    form: str
    data: Any = None
    items: tuple[Snapshot, ...] = ()
    names: tuple[str, ...] = ()
    identity: bool = field(default=False, compare=False)

    @property
    def source(self) -> str:
        """A Python expression that makes an equal object, with full names: ``module.Class(1)``.

        With an opaque, missing or shared part inside, it can only be shown.
        """
        return str(self.tree(dotted))

    @property
    def modules(self) -> frozenset[str]:
        """The names of the modules that the source must import; ``numpy`` must be imported as ``np``."""
        used: set[str] = set()

        def note(path: str) -> str:
            used.add(path.rpartition(":")[0])
            return ""

        self.tree(note)
        return frozenset(used - {"builtins"})

    @property
    def text(self) -> str:
        """The source without module names, as text for the user."""
        return str(self.tree(lambda path: path.rpartition(":")[2]))

    def short(self, width: int) -> str:
        """Return the text, cut to ``width`` characters (at least 3) with ``...`` at the end."""
        return self.text if len(self.text) <= width else f"{self.text[: width - 3]}..."

    @property
    def has_source(self) -> bool:
        """Whether nothing inside is opaque."""
        return all(value.form != "opaque" for value in self.walk())

    @property
    def is_nan(self) -> bool:
        """Whether the object is NaN: a float, a Decimal, or a complex number with a NaN part."""
        if self.data == "decimal:Decimal":
            return "nan" in str(self.items[0].data).lower()
        return self.form in ("float", "complex") and self.data != self.data

    def walk(self) -> Iterator[Snapshot]:
        """Yield this snapshot and all snapshots inside, depth first."""
        yield self
        for item in self.items:
            yield from item.walk()

    def tree(self, name: Namer, dtype: str = "") -> Tree:
        """Return the source as a tree of brackets, so that it can be broken over lines.

        Args:
            name: turns a path ``module:Qual.Name`` into the name that the source uses.
            dtype: the dtype of the array or NumPy scalar around this snapshot; empty if there is none.
        """
        if self.form in _ATOMS.values():
            return _atom(self.data, name, dtype)
        if self.form == "missing":
            return "..."
        if self.form == "shared":
            return str(self.data)
        if self.form == "opaque":
            return f"<{self.data.partition(':')[2]} object>"
        if self.form == "enum":
            return name(self.data)
        if self.form == "scalar":
            return Brackets(f"{name(f'numpy:{self.data}')}(", (self.items[0].tree(name, self.data),), ")")
        if self.form == "array":
            return self._array(name)
        inside = [item.tree(name, dtype) for item in (self.items if self.form == "dict" else ordered(self))]
        if self.form == "use":
            return written(self.data, inside, self.names)
        if self.form == "lambda":
            return prefixed("lambda *_: ", inside[0])
        if self.form != "object":
            return _display(self.form, inside)
        first = len(inside) - len(self.names)
        named = (prefixed(f"{n}=", tree) for n, tree in zip(self.names, inside[first:], strict=True))
        return Brackets(f"{name(self.data)}(", (*inside[:first], *named), ")")

    def _array(self, name: Namer) -> Tree:
        """Return the source of an array, with its dtype where ``np.array`` would choose another one."""
        elements = _display("list", [item.tree(name, self.data) for item in self.items])
        forms = {value.form for value in self.walk()} - {"array", "list"}
        made = {_DEFAULT_DTYPES.get(form) for form in forms or {"float"}}
        given = () if made == {self.data} else (f"dtype={name(f'numpy:{self.data}')}",)
        return Brackets(f"{name('numpy:array')}(", (elements, *given), ")")

    def build(self, resolve: Callable[[str], Any]) -> Any:
        """Return a new object that equals the one in the snapshot.

        Args:
            resolve: returns the object that a path ``module:Qual.Name`` refers to; not called for builtin types.

        Raises:
            ValueError: a part of the snapshot is opaque.
            AttributeError: a part of the snapshot is ``shared``.
        """
        if self.form == "none" or self.form in _ATOMS.values():
            return self.data
        if self.form == "missing":
            return MISSING
        if self.form == "opaque":
            raise ValueError(f"{self.text} can not be built")
        if self.form == "enum":
            return resolve(self.data)
        if self.form == "lambda":
            return returning(partial(self.items[0].build, resolve))
        inside = [item.build(resolve) for item in self.items]
        if self.form == "dict":
            return dict(zip(inside[::2], inside[1::2], strict=True))
        if self.form == "use":
            return Step(self.data, tuple(inside), self.names)
        if self.form == "array":
            return resolve("numpy:array")(inside, dtype=self.data)
        if self.form in ("object", "scalar"):
            first = len(inside) - len(self.names)
            path = self.data if self.form == "object" else f"numpy:{self.data}"
            return resolve(path)(*inside[:first], **dict(zip(self.names, inside[first:], strict=True)))
        return getattr(builtins, self.form)(inside)


def same(a: Snapshot, b: Snapshot) -> bool:
    """Return whether two snapshots show equal objects, bit for bit: 0.0 differs from -0.0, and 1 from 1.0 and True.

    All NaNs are the same. The order in sets and dicts is ignored. Opaque objects are the same if they have the same
    class and the same public attributes, as far as their snapshots have them. :attr:`Snapshot.identity` is ignored.
    """
    if (a.form, a.names, len(a.items)) != (b.form, b.names, len(b.items)):
        return False
    if a.form in ("float", "complex"):
        return repr(a.data) == repr(b.data)
    return a.data == b.data and all(same(x, y) for x, y in zip(ordered(a), ordered(b), strict=True))


def snapshot(obj: object, limit: int = 1000) -> Snapshot:
    """Return the snapshot of an object. An object that its public parts can not rebuild becomes ``opaque``.

    If the object's own code raises an exception, the snapshot is opaque. For a dataclass, the class is called with
    copies of the fields, to compare the result. A :class:`Snapshot`, also inside the object, stays as it is.

    Args:
        obj: the object, which is not changed.
        limit: the largest number of objects inside. A structure with more objects, one that contains itself, or one
            that is nested more than 50 deep is opaque. So are texts of more than 14 000 characters, integers of more
            bits, and objects of classes that are defined inside a function.
    """
    return _Maker(limit).make(obj)


def _atom(data: object, name: Namer, dtype: str) -> str:
    """Return the source of a bool, number, text or bytes; the shortest decimal for an element of a float32 array."""
    if isinstance(data, float) and math.isfinite(data):
        shown = readable(Kind.F32, encode(Kind.F32, data)) if dtype == "float32" else repr(data)
        return shown.replace("e+", "e")
    if isinstance(data, float):
        return name("math:nan") if math.isnan(data) else ("-" if data < 0 else "") + name("math:inf")
    if isinstance(data, complex):
        return f"complex({_atom(data.real, name, dtype)}, {_atom(data.imag, name, dtype)})"
    if isinstance(data, int) and data.bit_length() > 64:
        zeros = (data & -data).bit_length() - 1
        return min(repr(data), f"{data >> zeros} * 2**{zeros}", key=len)
    return quoted(data) if isinstance(data, (str, bytes)) else repr(data)


def quoted(text: str | bytes) -> str:
    """Return the literal in double quotes, or in single quotes if that needs fewer escapes."""
    shown = repr(text)
    start = shown.index(shown[-1])
    if shown[-1] == '"' or shown.count('"') > shown.count("\\'"):
        return shown
    inner = shown[start + 1 : -1].replace("\\'", "'").replace('"', '\\"')
    return f'{shown[:start]}"{inner}"'


def _display(form: str, inside: list[Tree]) -> Tree:
    """Return the source of None or of a list, tuple, set, frozenset or dict, from the source of its items."""
    if form == "none":
        return "None"
    if form == "frozenset":
        return Brackets("frozenset(", (_display("set", inside),) if inside else (), ")")
    if form == "dict":
        inside = [_entry(key, value) for key, value in zip(inside[::2], inside[1::2], strict=True)]
    if not inside:
        return f"{form}()" if form == "set" else "".join(_BRACKETS[form])
    opening, closing = _BRACKETS[form]
    return Brackets(opening, tuple(inside), closing, comma=form == "tuple" and len(inside) == 1)


def _entry(key: Tree, value: Tree) -> Tree:
    """Return the source of one entry of a dict."""
    return Entry(key, value) if isinstance(key, Brackets) else prefixed(f"{key}: ", value)


def _order(value: Snapshot) -> tuple[int, float, str]:
    """Return a sort key: numbers come first, by value, then all others by their source."""
    if value.form in ("bool", "int", "float") and not value.is_nan:
        return 0, value.data, value.source
    return 1, 0, value.form + value.source


def ordered(value: Snapshot) -> tuple[Snapshot, ...]:
    """Return the items, those of sets and dicts sorted: so the result does not depend on their internal order."""
    if value.form == "dict":
        pairs = sorted(zip(value.items[::2], value.items[1::2], strict=True), key=lambda pair: _order(pair[0]))
        return tuple(item for pair in pairs for item in pair)
    return tuple(sorted(value.items, key=_order)) if value.form in _SETS else value.items


class _Maker:
    """Makes the snapshot of one object.

    Args:
        limit: see :func:`snapshot`.
        trusting: whether dataclasses are taken to be rebuilt by their constructor, without a check.
    """

    def __init__(self, limit: int, trusting: bool = False) -> None:
        self._limit = self._left = limit
        self._trusting = trusting
        self._open: set[int] = set()  # the objects that contain the current one

    def make(self, obj: Any) -> Snapshot:
        """Return the snapshot of an object, or of an object inside the one whose snapshot is made."""
        if isinstance(obj, Snapshot):
            return obj
        kind = type(obj)
        if kind in _ATOMS:
            size = obj.bit_length() if isinstance(obj, int) else len(obj) if isinstance(obj, (str, bytes)) else 0
            return Snapshot(_ATOMS[kind], obj) if size <= _LARGEST else _opaque(kind)
        try:
            if kind is SharedArgument:
                return Snapshot("shared", obj.name)
            if obj is None or obj is MISSING:
                return Snapshot("none" if obj is None else "missing")
            return self._structure(obj, kind)
        except Exception:  # the object's own code may raise anything
            return _opaque(kind)

    def _structure(self, obj: object, kind: type) -> Snapshot:
        """Return the snapshot of an object with its parts; opaque if it is too large, too deep, or inside itself."""
        if len(self._open) >= _DEEPEST or id(obj) in self._open or "<locals>" in kind.__qualname__:
            return _opaque(kind)
        parts = obj if isinstance(obj, Parts) else self._parts(obj, kind)
        if parts is None:
            parts = _attributes(obj, kind)
        if parts is None or len(parts.items) > self._left:
            return _opaque(kind)
        self._left -= len(parts.items)
        self._open.add(id(obj))
        items = tuple(self.make(item) for item in parts.items)
        self._open.remove(id(obj))
        return Snapshot(parts.form, parts.data, items, parts.names, parts.identity)

    def _parts(self, obj: Any, kind: type) -> Parts | None:
        """Return the parts of the object; None if they would not rebuild an equal object."""
        if kind in _CONTAINERS:
            return Parts(_CONTAINERS[kind], items=list(obj))
        if kind is dict:
            return Parts("dict", items=[item for pair in obj.items() for item in pair])
        if kind in STANDARD:
            known = type(getattr(obj, "tzinfo", None)) in (type(None), datetime.timezone)
            return STANDARD[kind](obj) if known and not getattr(obj, "fold", 0) else None
        path = f"{kind.__module__}:{kind.__qualname__}"
        if isinstance(obj, enum.Enum):
            if type(obj).__members__.get(obj.name) is obj:
                return Parts("enum", f"{path}.{obj.name}")
            return Parts("object", path, [obj.value])  # a combination of flags has no name
        if "numpy" in sys.modules and kind.__module__ == "numpy":
            return numpy_parts(obj, self._left)
        if obj is RAISING:
            return Parts("lambda", items=[Snapshot("object", "builtins:int", (Snapshot("str", ""),))])
        if is_returning(obj):
            return Parts("lambda", items=[obj()])
        if kind in (types.FunctionType, types.BuiltinFunctionType, type):
            names = (obj.__module__.lstrip("_"), obj.__module__)  # operator, not _operator
            paths = (f"{module}:{obj.__qualname__}" for module in names)
            return next((Parts("enum", path) for path in paths if named(path) is obj), None)
        if issubclass(kind, tuple) and _is_named_tuple(kind):
            return Parts("object", path, list(obj))
        if dataclasses.is_dataclass(kind) and not issubclass(kind, (*_ATOMS, *_CONTAINERS, dict)):
            return self._dataclass_parts(obj, kind, path)
        return None

    def _dataclass_parts(self, obj: object, kind: type[Any], path: str) -> Parts | None:
        """Return the parts of a dataclass object; None if its constructor would not rebuild an equal object."""
        fields = sorted((f for f in dataclasses.fields(kind) if f.init), key=lambda f: bool(f.kw_only))
        if [f.name for f in fields] != list(inspect.signature(kind).parameters):
            return None
        items = [getattr(obj, f.name) for f in fields]
        names = tuple(f.name for f in fields if f.kw_only)
        if not self._trusting and not self._makes_equal(obj, kind, items, names):
            return None
        return Parts("object", path, items, names, getattr(kind, "__eq__", None) is object.__eq__)

    def _makes_equal(self, obj: object, kind: type[Any], items: list[object], names: tuple[str, ...]) -> bool:
        """Whether the class, called with copies of ``items``, rebuilds an equal object.

        Dataclasses may compute or change fields. Exceptions of the class's code pass through.
        """
        first = len(items) - len(names)
        copies = copy.deepcopy(items)
        again = kind(*copies[:first], **dict(zip(names, copies[first:], strict=True)))
        compared = [f.name for f in dataclasses.fields(kind) if f.compare]
        states = ([getattr(one, name) for name in compared] for one in (obj, again))
        return same(*(_Maker(self._limit, trusting=True).make(state) for state in states))


def named(path: str) -> object:
    """Return the object that ``module:Qual.Name`` refers to; None if the module is not loaded or has no such name."""
    module, _, name = path.partition(":")
    found: object = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def _attributes(obj: object, kind: type) -> Parts | None:
    """Return the public attributes of an object that can not be rebuilt, as parts of an opaque snapshot.

    None for classes of the standard library, and for more than 20 attributes.

    Raises:
        AttributeError: the object has no ``__dict__``.
    """
    if kind.__module__.partition(".")[0] in sys.stdlib_module_names:
        return None
    found = object.__getattribute__(obj, "__dict__")
    public = {name: value for name, value in found.items() if name.isidentifier() and not name.startswith("_")}
    if len(public) > _MOST_ATTRIBUTES:
        return None
    return Parts("opaque", f"{kind.__module__}:{kind.__qualname__}", list(public.values()), tuple(public))


def _opaque(kind: type) -> Snapshot:
    """Return the snapshot of an opaque object without attributes."""
    return Snapshot("opaque", f"{kind.__module__}:{kind.__qualname__}")


def _is_named_tuple(kind: type) -> bool:
    """Whether NamedTuple or namedtuple made the constructor of the class."""
    maker = next(base for base in kind.__mro__ if "__new__" in vars(base))
    return tuple in maker.__bases__ and hasattr(kind, "_fields") and "__init__" not in vars(kind)
