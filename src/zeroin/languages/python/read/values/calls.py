"""How functions are called while a run is followed: those that are known, those that are followed, and all others."""

from __future__ import annotations

import functools
import itertools
import numbers
import operator
import struct
from collections import deque
from collections.abc import Callable, Collection, Mapping
from types import BuiltinFunctionType, BuiltinMethodType, FunctionType, MethodType, MethodWrapperType
from typing import Any

from . import iterables, keyed, known_functions, raw_bytes, struct_bytes, texts
from .c_code import accumulated, bound, is_lazy, is_searched, may_escape, recorded, searched, takes_functions
from .numbers import Carried, CarriedBool, CarriedInt, is_carried, is_number, number_of, parts_of, plain
from .operations import OPERATORS, arithmetic_of
from .recording import Recording
from .sequences import CarriedList, CarriedRange, items_of
from .text_methods import METHODS
from .texts import CarriedStr, DerivedStr, origin_of, plain_text

Operation = Callable[[object, object], object]  # an operator of the code under test
_INPLACE: dict[str, Operation] = {
    "+": operator.iadd, "-": operator.isub, "*": operator.imul, "/": operator.itruediv, "//": operator.ifloordiv,
    "%": operator.imod, "**": operator.ipow, "&": operator.iand, "|": operator.ior, "^": operator.ixor,
    "<<": operator.ilshift, ">>": operator.irshift, "@": operator.imatmul,
}  # fmt: skip
_KNOWN = known_functions.KNOWN | iterables.KNOWN | {itertools.accumulate: accumulated}
_MOST_NARROWED = 1 << 12  # an index that is found by choices
# What these do to values they do with the values' own methods.
_GENERIC_MODULES = ("itertools", "_functools", "functools", "copy", "_operator", "collections", "_collections",
                    "dataclasses", "contextlib")  # fmt: skip
_GENERIC_TYPES = (list, tuple, dict, set, frozenset)
_GENERIC: tuple[object, ...] = (zip, enumerate, map, filter, reversed, list, tuple, dict, set, frozenset, iter, next,
                             object, getattr, setattr, hasattr, delattr, callable, id, property, staticmethod,
                             classmethod, super)  # fmt: skip


class Caller:
    """Calls, and the other operations that are helped with.

    Args:
        files: whose functions are followed.
        modules: whose classes are followed.

    Attributes:
        recording: of the run that is followed now.
    """

    recording: Recording

    def __init__(self, files: Collection[str], modules: Collection[str]) -> None:
        self._files, self._modules = set(files), set(modules)

    def probe(self, kind: str, place: int, detail: str) -> Callable[..., object]:
        """The function that stands in the code for an operation."""
        made: Callable[..., object] = functools.partial(getattr(self, kind), place)
        return functools.partial(made, detail) if detail else made

    # ---- calls ----

    def call(self, place: int, function: Any, /, *arguments: object, **named: object) -> object:
        """``function(*arguments, **named)``."""
        recording = self.recording
        if not recording.live:
            return function(*arguments, **named)
        recording.place = place
        if self.is_followed(function):
            recording.burn()
            return recording.inside(place, function, arguments, named)
        found = self._known(place, function, arguments, named)
        if found is not known_functions.UNKNOWN:
            return found
        if _is_generic(function):
            if takes_functions(function):
                arguments = tuple(recorded(self, place, argument) for argument in arguments)
            return function(*arguments, **named)
        own = bound(function, arguments)
        if own is not None:
            return self.call(place, own, *arguments[1:], **named)
        return self._opaque(function, arguments, named)

    def is_followed(self, function: object) -> bool:
        """Whether what a callable does is followed."""
        if isinstance(function, FunctionType):
            return function.__code__.co_filename in self._files
        if isinstance(function, MethodType):
            return self.is_followed(function.__func__)
        if isinstance(function, functools.partial):
            return self.is_followed(function.func)
        kind = function if isinstance(function, type) else type(function)
        return kind.__module__ in self._modules

    def is_own(self, value: object) -> bool:
        """Whether a value is of a class whose methods are followed."""
        return type(value).__module__ in self._modules

    def _known(self, place: int, function: Any, arguments: tuple[Any, ...], named: Mapping[str, object]) -> Any:
        """What a function gives back whose meaning is known."""
        own = getattr(function, "__self__", None)
        if isinstance(own, str) and isinstance(function, BuiltinMethodType | MethodWrapperType):
            return self._text_method(place, own, function, arguments, named)
        if isinstance(own, list) and function.__name__ == "sort" and not arguments:
            return iterables.sort_items(self, place, own, named)
        if isinstance(own, list | deque) and arguments and function.__name__ in ("pop", "insert", "rotate"):
            return function(self.key(place, arguments[0]), *arguments[1:])
        if is_searched(own, getattr(function, "__name__", ""), arguments, named):
            return searched(self, place, own, function.__name__, arguments)
        if isinstance(own, keyed.CarriedDict) and function.__name__ == "get" and arguments and own.keys_ and \
                keyed.is_key(arguments[0]) and not named:  # fmt: skip
            return keyed.looked_up(place, own, arguments[0], (*arguments[1:], None))
        if isinstance(own, dict) and function.__name__ == "get" and arguments and is_carried(arguments[0]):
            return iterables.looked_up(place, own, *(*arguments, None)[:2])
        if isinstance(own, bytes) and raw_bytes.are_followed(own, *arguments[:1]):
            found = raw_bytes.method(place, own, function.__name__, arguments) if not named else NotImplemented
            if found is not NotImplemented:
                return found
        if isinstance(own, struct_bytes.CarriedBytes | raw_bytes.CarriedRaw):
            own.settled(f"bytes.{function.__name__} is given values that are taken from the run")
            return known_functions.UNKNOWN
        if function in struct_bytes.KNOWN or isinstance(own, struct.Struct):
            arguments = tuple(one.with_bits() if isinstance(one, raw_bytes.CarriedRaw) else one for one in arguments)
            found = struct_bytes.call(self, place, own, function.__name__, arguments, named)
            return known_functions.UNKNOWN if found is None else found
        if isinstance(own, int | float) and is_carried(own) and not isinstance(function, MethodType):
            return known_functions.method_of_number(place, own, function.__name__, arguments)
        if isinstance(function, BuiltinFunctionType | type):
            handler = _KNOWN.get(function)
            if handler is not None:
                return handler(self, place, arguments, named)
        return known_functions.UNKNOWN

    def _text_method(self, place: int, text: str, function: Any, arguments: tuple[Any, ...],
                     named: Mapping[str, object]) -> object:  # fmt: skip
        name = function.__name__
        is_drained = name == "join" and len(arguments) == 1 and is_lazy(arguments[0])
        if is_drained:
            arguments = ([*arguments[0]],)
        parts = [*parts_of([text, arguments, named])]
        if not parts:
            return text.join(*arguments) if is_drained else known_functions.UNKNOWN
        if name == "join" and len(arguments) == 1:
            items = [*arguments[0]]
            pairs = [part for item in items for part in (text, item)][1:]
            if all(isinstance(item, str) for item in items):
                return texts.joined(self.recording, pairs)
        kinds = (str, tuple, type(None))
        method = METHODS.get(name)
        if method is not None and not named and all(isinstance(a, kinds) for a in arguments) and len(arguments) < 3:
            needs = 2 if name == "replace" else 0
            if len(arguments) >= needs and not isinstance(text, DerivedStr):
                return method(text, place, *arguments)
        result = getattr(plain_text(text), name)(*map(self._unsettled, arguments),
                                                 **{n: self._unsettled(v) for n, v in named.items()})  # fmt: skip
        if type(result) is str:
            return DerivedStr.of(self.recording, result, parts)
        for part in parts:
            part.settled(f"str.{name} is given values that are taken from the run")
        return result

    def _opaque(
        self, function: Callable[..., object], arguments: tuple[object, ...], named: Mapping[str, object]
    ) -> object:
        """A call that is not followed: what it is given is taken from the run."""
        name = getattr(function, "__qualname__", type(function).__name__)
        module = getattr(function, "__module__", "")
        name = f"{module}.{name}" if module and module != "builtins" else name
        why = f"{name} is given values that are taken from the run"
        return function(*(self.settled(a, why) for a in arguments),
                        **{n: self.settled(a, why) for n, a in named.items()})  # fmt: skip

    def settled(self, value: object, why: str, depth: int = 4) -> Any:
        """A value in which nothing carries terms; what can be changed is changed in place."""
        if isinstance(value, CarriedRange):
            return value.pinned()
        if isinstance(value, Carried):
            plain_value = value.settled(why)
            holds_items = isinstance(value, CarriedList | keyed.CarriedDict)
            return self._settled_items(plain_value, why, depth) if holds_items else plain_value
        if not depth:
            return value
        if is_lazy(value):
            return (self.settled(item, why, depth - 1) for item in value)
        if isinstance(value, _GENERIC_TYPES):
            return self._settled_items(value, why, depth)
        if isinstance(value, FunctionType | MethodType) and self.is_followed(value):
            return self._settling(value, why)
        if hasattr(value, "__dict__") and not isinstance(value, type) and not callable(value) and self.is_own(value):
            for name, part in list(vars(value).items()):
                if is_carried(part) or isinstance(part, _GENERIC_TYPES):
                    object.__setattr__(value, name, self.settled(part, why, depth - 1))
        return value

    def _settled_items(self, value: object, why: str, depth: int) -> Any:
        if isinstance(value, list):
            for number, item in enumerate(list.__iter__(value)):
                list.__setitem__(value, number, self.settled(item, why, depth - 1))
        elif isinstance(value, dict):
            for key in list(value):
                value[key] = self.settled(value[key], why, depth - 1)
        elif isinstance(value, tuple) and any(True for _ in parts_of(value, depth)):
            items = [self.settled(item, why, depth - 1) for item in value]
            return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
        return value

    def _settling(self, function: Callable[..., object], why: str) -> Callable[..., object]:
        """A function that is called from where nothing is followed: what it gives back is taken from the run."""

        @functools.wraps(function)
        def called(*arguments: object, **named: object) -> object:
            return self.settled(function(*arguments, **named), why)

        return called

    def _unsettled(self, value: object) -> object:
        """A value for a text that is made of it."""
        if isinstance(value, tuple):
            return tuple(map(self._unsettled, value))
        return value.unsettled() if isinstance(value, Carried) else value

    # ---- operators ----

    def meeting(self, a: object, b: object) -> tuple[Any, ...]:
        """The operands of an operator that at least one of them does not share with terms."""
        why = "a number is combined with a value that zeroin can not follow"
        if may_escape(a, b):
            return self.settled(a, why), self.settled(b, why)
        if self.is_own(a) or self.is_own(b):
            return a, b
        foreign = [x for x in (a, b) if not isinstance(x, Carried | list | tuple | dict | set | str | type(None))]
        if any(isinstance(x, numbers.Number) or type(x).__module__ != "builtins" for x in foreign):
            return tuple(x.settled(why) if isinstance(x, Carried) and not isinstance(x, CarriedList) else x
                         for x in (a, b))  # fmt: skip
        return a, b

    def binary(self, place: int, sign: str, a: object, b: object) -> object:
        """``a sign b``."""
        return self._operated(place, sign, a, b, OPERATORS[sign])

    def inplace(self, place: int, sign: str, a: object, b: object) -> object:
        """What ``a sign= b`` gives to a."""
        return self._operated(place, sign, a, b, _INPLACE[sign])

    def _operated(self, place: int, sign: str, a: object, b: object, operation: Operation) -> object:
        self.recording.place = place
        if not is_carried(a) and not is_carried(b):
            if sign == "%" and isinstance(a, str):
                return self._formatted(a, b)
            return operation(a, b)
        if is_number(a) and is_number(b):
            return arithmetic_of(self.recording, place, sign, a, b)
        if isinstance(a, str) and isinstance(b, str) and sign == "+":
            return texts.joined(self.recording, [a, b])
        if sign == "+" and raw_bytes.are_followed(a, b):
            return raw_bytes.joined(self.recording, a, b)
        if isinstance(a, str) and sign == "%":
            return self._formatted(a, b)
        if sign == "*":
            return self._repeated(place, a, b, operation)
        return operation(*self.meeting(a, b))

    def _repeated(self, place: int, a: object, b: object, operation: Operation) -> object:
        """``[x] * n``"""
        if isinstance(a, CarriedInt | CarriedBool) and isinstance(b, str | bytes | list | tuple):
            a, b, operation = b, a, OPERATORS["*"]
        if isinstance(b, CarriedInt | CarriedBool) and isinstance(a, str | bytes | list | tuple):
            b = self.key(place, b)
        if isinstance(a, CarriedStr) and type(b) is int:
            return texts.repeated(a, b)
        return operation(*self.meeting(a, b))

    def _formatted(self, text: str, values: object) -> str:
        parts = [*origin_of(text), *parts_of(values)]
        if not parts:
            return text % values
        for part in parts if isinstance(values, dict) else ():
            part.settled("a string that is made from a dict")
        made = plain_text(text) % self._unsettled(values)
        return DerivedStr.of(self.recording, made, parts)

    # ---- indices ----

    def key(self, place: int, index: object) -> Any:
        """An index that has to be known: what it is in this run is found by choices."""
        if isinstance(index, CarriedInt | CarriedBool):
            term, value = number_of(index).term, plain(index)
            if abs(value) > _MOST_NARROWED:
                return index.settled("an index is taken from the run")
            self.recording.narrowed(term, "an index", place)
            return value
        if isinstance(index, slice):
            return slice(*(self.key(place, part) for part in (index.start, index.stop, index.step)))
        return tuple(self.key(place, part) for part in index) if isinstance(index, tuple) else index

    def item(self, place: int, container: Any, index: Any) -> object:
        """``container[index]``."""
        self.recording.place = place
        if not self.recording.live:
            return container[index]
        if isinstance(container, CarriedList | CarriedStr | list | tuple | str | range | CarriedRange):
            index = self.key(place, index)
            if isinstance(index, int) and index >= 0 and isinstance(container, CarriedList):
                return container.item(index)
            if isinstance(container, CarriedStr):
                return texts.item(container, index, place)
            return container[index]
        if isinstance(container, raw_bytes.CarriedRaw):
            return raw_bytes.item(container, self.key(place, index), place)
        if isinstance(container, keyed.CarriedDict) and container.keys_ and keyed.is_key(index):
            return keyed.looked_up(place, container, index, ())
        if isinstance(container, dict) and is_carried(index):
            return iterables.looked_up(place, container, index)
        if self.is_own(container):
            return container[index]
        return container[self.key(place, index)]

    def slice(self, place: int, *parts: object) -> slice:
        """``[start:stop:step]``."""
        return slice(*(self.key(place, part) for part in parts))

    def items(self, place: int, iterable: object) -> Any:
        """What a comprehension iterates over."""
        if self.recording.live and isinstance(iterable, CarriedList | CarriedRange | CarriedStr | raw_bytes.CarriedRaw):
            return items_of(iterable, self.recording, place)
        return iterable

    def length(self, value: object) -> float:
        """``len(value)``."""
        return known_functions.length(self, value)

    # ---- texts ----

    def format(self, place: int, value: object, conversion: int, spec: str) -> str:
        """``{value!r:spec}`` of a formatted text."""
        parts = [*parts_of(value), *origin_of(spec)]
        bare = self._unsettled(value) if is_carried(value) else value
        if conversion == -1 and isinstance(value, CarriedStr) and not spec:
            return value
        return DerivedStr.of(self.recording, self._shown(bare, conversion, plain_text(spec)), parts)

    def _shown(self, value: object, conversion: int, spec: str) -> str:
        conversions: dict[int, Callable[[object], str]] = {ord("r"): repr, ord("s"): str, ord("a"): ascii}
        return format(conversions[conversion](value) if conversion >= 0 else value, spec)

    def joined(self, place: int, *parts: str) -> str:
        """A formatted text, of its parts."""
        return texts.joined(self.recording, parts)

    def unread(self, place: int, name: str) -> tuple[()]:
        """A function is about to be called that takes code as text."""
        if self.recording.live:
            raise self.recording.stop(f"it calls {name}, which zeroin can not read")
        return ()


def _is_generic(function: object) -> bool:
    """Whether a function does nothing to values but what their own methods do."""
    own = getattr(function, "__self__", None)
    if isinstance(own, _GENERIC_TYPES):
        return True
    if any(function is known for known in _GENERIC):
        return True
    if isinstance(function, type) and issubclass(function, BaseException):
        return True
    module = getattr(function, "__module__", None)
    return module in _GENERIC_MODULES or type(own).__module__ in _GENERIC_MODULES
