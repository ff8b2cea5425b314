"""The inputs of a Python function as variables, one a word, and its arguments as values that carry them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .....subject.base import Words
from .....term.core.build import conjunction, negation
from .....term.core.nodes import Op, Term, constant, make, variable
from .....term.core.sorts import BOOL, FLOAT64, INT, Sort
from .....term.expression.typed import DOUBLE, TRUTH, WHOLE, Typed
from .....words import Kind, decode, encode
from ...values.call_sequences import ObjectUses, Use
from ...values.containers import Bytes, Dict, List, Object, Record, Repeated, Set, Str, Union, VarTuple
from ...values.object_uses import Steps
from ...values.scalars import Choice, Complex, FixedTuple, FractionShape, NoneShape, Product
from ...values.shapes import Bool, Float, Int, Make, PythonParameter, Shape
from .keyed import CarriedDict, CarriedSet
from .numbers import carry
from .raw_bytes import CarriedRaw
from .recording import Recording
from .sequences import CarriedList
from .texts import CarriedStr


@dataclass(frozen=True)
class Input:
    """The variable of a word.

    Attributes:
        name: of the variable.
        kind: F64, INT and BOOL: it is the float, int or bool of the word; else the word itself.
        low: the lowest value of the word,
        high: and the highest.
        is_bounded: whether these are narrower than the kind.
    """

    name: str
    kind: Kind | None
    low: int
    high: int
    is_bounded: bool

    @property
    def sort(self) -> Sort:
        return {Kind.F64: FLOAT64, Kind.BOOL: BOOL}.get(self.kind, INT) if self.kind is not None else INT

    @property
    def term(self) -> Term:
        return variable(self.name, self.sort)

    def value(self, word: int) -> float:
        """What the variable is for a word."""
        return word if self.kind is None else decode(self.kind, word)

    def word(self, value: Any) -> int:
        """The word of a value; where it has none, that of one nearby."""
        word = int(value) if self.kind is None else encode(self.kind, value)
        return min(max(word, self.low), self.high)

    @property
    def range(self) -> Term | None:
        """What holds of the variable whatever the input is."""
        if not self.is_bounded or ((self.low, self.high) == (0, 1) and self.sort == BOOL):
            return None
        if self.sort == BOOL:
            return self.term if self.low else negation(self.term)
        op = Op.FP_LE if self.sort == FLOAT64 else Op.LE
        ends = [constant(self.sort, self.value(word)) for word in (self.low, self.high)]
        return conjunction([make(op, ends[0], self.term), make(op, self.term, ends[1])])


class Inputs:
    """The variables of a function's words.

    Args:
        parameters: of the function.
    """

    def __init__(self, parameters: Sequence[PythonParameter]) -> None:
        self._parameters = parameters
        self._of = [list(_described(p.shape, p.name)) for p in parameters]
        self._all = [one for some in self._of for one in some]

    def values(self, words: Words) -> dict[str, float]:
        """What the variables are."""
        return {one.name: one.value(word) for one, word in zip(self._all, words, strict=True)}

    def plain(self) -> dict[str, float]:
        """Simple values of the variables."""
        return self.values(tuple(word for p in self._parameters for word in p.shape.plain()))

    def words(self, values: Mapping[str, object]) -> Words:
        """The words of values of the variables."""
        return tuple(one.word(values[one.name]) for one in self._all)

    def terms(self) -> Iterator[Term]:
        """The variables, one a word."""
        return (one.term for one in self._all)

    def terms_of(self, number: int) -> Iterator[Term]:
        """The variables of a parameter."""
        return (one.term for one in self._of[number])

    def ranges(self) -> dict[str, Term]:
        """What holds of variables whatever the input is."""
        return {one.name: found for one in self._all if (found := one.range) is not None}

    def arguments(self, recording: Recording, words: Words, make_class: Make) -> list[object]:
        """What the function is called with."""
        found, at = [], 0
        for parameter, mine in zip(self._parameters, self._of, strict=True):
            part = words[at : at + parameter.arity]
            at += parameter.arity
            found.append(_Builder(recording, make_class).build(parameter.shape, mine, part, parameter.name))
        return found


def length_of(parameter: PythonParameter) -> Input:
    """The variable of the length of a parameter, which is a sequence."""
    return next(_described(parameter.shape, parameter.name))


def _described(shape: Shape, name: str) -> Iterator[Input]:
    """The variables of the words of a shape."""
    own: tuple[tuple[Kind, type[Shape]], ...] = ((Kind.F64, Float), (Kind.INT, Int), (Kind.BOOL, Bool))
    for kind, known in own:
        if type(shape) is known:
            ((low, high),) = shape.ranges()
            yield Input(name, kind, low, high, bool(getattr(shape, "bounds", None)))
            return
    parts = list(_parts(shape, name))
    if parts:
        for part, called in parts:
            yield from _described(part, called) if isinstance(part, Shape) else [part]
        return
    for number, (low, high) in enumerate(shape.ranges()):
        yield Input(f"{name} word {number}", None, low, high, True)


def _parts(shape: Shape, name: str) -> Iterator[tuple[Shape | Input, str]]:
    """What a shape consists of, in the order of its words; nothing if its words are taken from the run."""
    ranges = shape.ranges()
    if isinstance(shape, Str):
        yield Input(f"len({name})", None, *ranges[0], True), ""
        for number, (low, high) in enumerate(ranges[1:]):
            yield Input(f"ord({name}[{number}])", None, low, high, True), ""
    elif isinstance(shape, Bytes):
        yield Input(f"len({name})", None, *ranges[0], True), ""
        for number, (low, high) in enumerate(ranges[1:]):
            yield Input(f"{name}[{number}]", None, low, high, True), ""
    elif isinstance(shape, List | VarTuple | Dict | Set | ObjectUses):
        yield Input(f"len({name})", None, *ranges[0], True), ""
        for number in range(shape.high):
            if isinstance(shape, Dict):
                yield shape.key, f"key {number} of {name}"
                yield shape.value, f"value {number} of {name}"
            elif isinstance(shape, Set):
                yield shape.unit, f"item {number} of {name}"
            else:
                yield shape.unit, f"{name}[{number}]"
    elif isinstance(shape, Union):
        yield Input(f"type of {name}", None, *ranges[0], True), ""
        for number, part in enumerate(shape.alternatives):
            yield part, f"{name} as {part.type}" if len({s.type for s in shape.alternatives}) == len(
                shape.alternatives) else f"{name} as {number}"  # fmt: skip
    elif isinstance(shape, Choice):
        yield Input(f"which {name}", None, *ranges[0], True), ""
    elif isinstance(shape, Product) and not isinstance(shape, Complex | FractionShape):
        names = getattr(shape, "names", None) or getattr(shape, "keys", None)
        for number, part in enumerate(shape.shapes):
            if isinstance(shape, Object) and names:
                yield part, f"{name}.{names[number]}"
            else:
                yield part, f"{name}[{names[number]!r}]" if names else f"{name}[{number}]"


class _Builder:
    """Makes arguments.

    Args:
        recording: of the run.
        make: see :meth:`Shape.build`.
    """

    def __init__(self, recording: Recording, make: Make) -> None:
        self._recording, self._make = recording, make

    def build(self, shape: Shape, inputs: Sequence[Input], words: Sequence[int], name: str) -> object:
        """The value of words."""
        recording = self._recording
        for known, type_ in ((Float, DOUBLE), (Int, WHOLE), (Bool, TRUTH)):
            if type(shape) is known:
                return carry(recording, shape.build(words, self._make), Typed(inputs[0].term, type_))
        builders: dict[type[Shape], Callable[..., object]] = {
            Str: self._text, Bytes: self._bytes, List: self._list, VarTuple: self._tuple, Dict: self._dict,
            Set: self._set,
            Union: self._union, Choice: self._choice, FixedTuple: self._product, Record: self._product,
            Object: self._product, ObjectUses: self._uses, Use: self._product,
        }  # fmt: skip
        build = builders.get(type(shape))
        if build is not None:
            return build(shape, inputs, words, name)
        if not isinstance(shape, NoneShape):
            for one in inputs:
                recording.pin(one.term, f"a {shape.type} is taken from the run")
        return shape.build(words, self._make)

    def _text(self, shape: Str, inputs: Sequence[Input], words: Sequence[int], name: str) -> object:
        chars = [one.term for one in inputs[1:]]
        return CarriedStr.of(self._recording, shape.build(words, self._make), chars, inputs[0].term)

    def _bytes(self, shape: Bytes, inputs: Sequence[Input], words: Sequence[int], name: str) -> bytes:
        text = shape.build(words, self._make).decode("latin-1")
        return CarriedRaw.of(CarriedStr.of(self._recording, text, [one.term for one in inputs[1:]], inputs[0].term))

    def _items(self, shape: Repeated, inputs: Sequence[Input], words: Sequence[int], name: str) -> list[Any]:
        size, found = shape.unit.arity, []
        for number in range(words[0]):
            at = slice(1 + number * size, 1 + (number + 1) * size)
            found.append(self.build(shape.unit, inputs[at], words[at], f"{name}[{number}]"))
        return found

    def _list(self, shape: List, inputs: Sequence[Input], words: Sequence[int], name: str) -> object:
        if any(isinstance(part, Union | VarTuple | Choice | Dict) for part in _inside(shape.element)):
            self._decide(inputs[0], f"the length of {name}")
        return CarriedList.of(self._recording, self._items(shape, inputs, words, name), inputs[0].term)

    def _tuple(self, shape: VarTuple, inputs: Sequence[Input], words: Sequence[int], name: str) -> tuple[object, ...]:
        self._decide(inputs[0], f"the length of {name}")
        return tuple(self._items(shape, inputs, words, name))

    def _uses(self, shape: ObjectUses, inputs: Sequence[Input], words: Sequence[int], name: str) -> Steps:
        self._decide(inputs[0], "the number of calls")
        return Steps(self._items(shape, inputs, words, name))

    def _dict(self, shape: Dict, inputs: Sequence[Input], words: Sequence[int], name: str) -> object:
        self._decide(inputs[0], f"the length of {name}")
        plain = shape.build(words, self._make)
        size, keys = shape.unit.arity, shape.key.arity
        if len(plain) > words[0] or not shape.key.hashable:  # some were added
            self._pin(inputs[1 : 1 + words[0] * size], f"a {shape.type} is taken from the run")
            return plain
        pairs = []
        for number in range(words[0]):
            start, stop = 1 + number * size, 1 + (number + 1) * size
            at, of_value = slice(start, start + keys), slice(start + keys, stop)
            key = self._key(shape.key, inputs[at], words[at], f"key {number} of {name}")
            pairs.append((key, self.build(shape.value, inputs[of_value], words[of_value], f"value {number} of {name}")))
        return CarriedDict.of(self._recording, pairs)

    def _set(self, shape: Set, inputs: Sequence[Input], words: Sequence[int], name: str) -> object:
        self._decide(inputs[0], f"the length of {name}")
        plain = shape.build(words, self._make)
        size = shape.unit.arity
        if len(plain) > words[0] or shape.frozen:
            self._pin(inputs[1 : 1 + words[0] * size], f"a {shape.type} is taken from the run")
            return plain
        items = []
        for number in range(words[0]):
            at = slice(1 + number * size, 1 + (number + 1) * size)
            items.append(self._key(shape.unit, inputs[at], words[at], f"item {number} of {name}"))
        return CarriedSet.of(self._recording, items)

    def _key(self, shape: Shape, inputs: Sequence[Input], words: Sequence[int], name: str) -> object:
        """A key; where it is no number or text, it is taken from the run."""
        if type(shape) in (Float, Int, Bool, Str):
            return self.build(shape, inputs, words, name)
        self._pin(inputs, f"a {name} is taken from the run")
        return shape.build(words, self._make)

    def _pin(self, inputs: Sequence[Input], why: str) -> None:
        for one in inputs:
            self._recording.pin(one.term, why)

    def _union(self, shape: Union, inputs: Sequence[Input], words: Sequence[int], name: str) -> object:
        self._decide(inputs[0], f"the type of {name}")
        at = 1 + sum(part.arity for part in shape.alternatives[: words[0]])
        chosen = shape.alternatives[words[0]]
        mine = slice(at, at + chosen.arity)
        return self.build(chosen, inputs[mine], words[mine], name)

    def _choice(self, shape: Choice, inputs: Sequence[Input], words: Sequence[int], name: str) -> object:
        self._decide(inputs[0], f"which value {name} is")
        return shape.build(words, self._make)

    def _product(self, shape: Product, inputs: Sequence[Input], words: Sequence[int], name: str) -> object:
        items, at = [], 0
        for part in shape.shapes:
            mine = slice(at, at + part.arity)
            at += part.arity
            items.append(self.build(part, inputs[mine], words[mine], name))
        return shape.of(items, self._make)

    def _decide(self, one: Input, why: str) -> None:
        """Which of several inputs of another form this is."""
        self._recording.counted(one.term, why, 0)


def _inside(shape: Shape) -> Iterator[Shape]:
    """A shape and those that its values consist of."""
    yield shape
    for part, _ in _parts(shape, ""):
        if isinstance(part, Shape):
            yield from _inside(part)
