"""Shapes: every word vector builds, values come back as words, bounds are kept."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, Flag
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from programs import named
from sampling import examples
from zeroin.languages.python.values.arrays import Array1D, ArrayND
from zeroin.languages.python.values.call_sequences import Use, uses_of
from zeroin.languages.python.values.callables import functions_of
from zeroin.languages.python.values.containers import (
    Bytes,
    Dict,
    List,
    MissingShape,
    Object,
    Record,
    Repeated,
    Set,
    Str,
    Union,
    VarTuple,
)
from zeroin.languages.python.values.enumerations import enumeration
from zeroin.languages.python.values.missing import MISSING
from zeroin.languages.python.values.scalars import (
    DTYPES,
    Choice,
    Complex,
    Date,
    Datetime,
    DecimalShape,
    FixedTuple,
    FractionShape,
    NoneShape,
    NumPyScalar,
    Timedelta,
)
from zeroin.languages.python.values.shapes import (
    Bool,
    Float,
    Int,
    Ordered,
    PythonParameter,
    Shape,
    float_of_word,
    int_of_word,
    path_of,
    surrogate,
)
from zeroin.languages.python.values.snapshots import Snapshot, same, snapshot
from zeroin.languages.python.values.zones import AwareDatetime, Time, Zone
from zeroin.subject.bounds import Bounds
from zeroin.words import Kind, decode, encode, word_range


class Color(Enum):
    RED = 1
    GREEN = "g"


class Mode(Flag):
    READ = 1
    WRITE = 2
    BOTH = 3


@dataclass(frozen=True)
class Point:
    x: float
    y: int = 0
    name: str = field(default="", kw_only=True)


def make(path: str) -> Any:
    return {path_of(cls): cls for cls in (Color, Mode, Point)}[path]


def colors() -> Shape:
    return enumeration(Color)


POINT = Object(path_of(Point), ("x", "y", "name"), (Float(), Int(), Str(high=2)), 1)
LITERAL = Choice(
    (Snapshot("int", 1), Snapshot("bool", True), Snapshot("str", "a"), Snapshot("none"), Snapshot("bytes", b""))
)
ORDERED: list[Ordered] = [Float(), Int(), Bool(), DecimalShape(), Date(), Datetime(), Timedelta(), Time(),
                          Zone()]  # fmt: skip
ORDERED += [NumPyScalar(dtype) for dtype in DTYPES]
SHAPES: list[Shape] = [
    *ORDERED,
    AwareDatetime(),
    NoneShape(),
    Complex(),
    FractionShape(),
    LITERAL,
    colors(),
    enumeration(Mode),
    Choice(tuple(Snapshot("int", n) for n in range(300))),
    Float(bounds=Bounds(ge=0, lt=1)),
    Int(bounds=Bounds(gt=-3, le=10**40)),
    DecimalShape(bounds=Bounds(gt=Decimal("0.1"), lt=Decimal("0.3"))),
    NumPyScalar("uint8", bounds=Bounds(ge=10, le=12)),
    NumPyScalar("float32", bounds=Bounds(gt=0, lt=0.1)),
    Date(bounds=Bounds(ge=date(2020, 2, 28), lt=date(2020, 3, 2))),
    Str(),
    Str(low=3, high=3),
    Bytes(),
    List(Float()),
    List(Int(bounds=Bounds(ge=0)), low=1, high=2),
    List(List(Bool(), high=2), high=2),
    List(NoneShape(), high=3),
    List(NoneShape(), high=0),
    List(Float(), high=300),
    VarTuple(Complex()),
    FixedTuple(()),
    FixedTuple((Float(), Str(high=1), FixedTuple((Int(),)))),
    Set(Int()),
    Set(Float(), low=3),
    Set(colors(), frozen=True),
    Set(Bool(), frozen=True),
    Set(Int(bounds=Bounds(ge=0, le=4)), low=4),
    Dict(Str(high=2), Float()),
    Dict(Int(), List(Float(), high=2), low=3, high=5),
    Array1D("float64"),
    Array1D("float32", low=1, high=2),
    Array1D("uint64"),
    Array1D("bool"),
    functions_of(None),
    functions_of(0),
    functions_of(2),
    functions_of(5),
    ArrayND("float64", (3, 2)),
    ArrayND("uint8", (2, 2, 1)),
    ArrayND("float64", (3, 4), (None, 4)),
    ArrayND("float64", (3, 4), (None, 4), (0, 4)),
    Union((Float(), NoneShape())),
    Union((Float(), Int(), Bool(), Str(), List(Float()), LITERAL)),
    Record("Movie", ("title", "year"), (Str(), Union((Int(), MissingShape())))),
    POINT,
    List(Union((POINT, NoneShape()))),
    Use("thing.size"),
    Use("thing.move()", ("x", "rest", "fast"), (Float(), VarTuple(Int()), Bool()), keywords=1, spread=1),
    uses_of([Use("thing.move()", ("x", "to"), (Float(), POINT)), Use("thing.size"), Use("thing.__len__()")], 0),
    uses_of([], 0),
]


def name_of(shape: Shape) -> str:
    return f"{type(shape).__name__}-{shape.type}"[:60]


def any_words(shape: Shape) -> st.SearchStrategy[tuple[int, ...]]:
    """Words within the ranges, often at their ends and near 0."""

    def one(low: int, high: int) -> st.SearchStrategy[int]:
        special = [w for w in (low, low + 1, high - 1, high, -1, 0, 1) if low <= w <= high]
        return st.one_of(st.sampled_from(special), st.integers(low, high))

    if shape.arity > 200:
        return st.just(shape.plain()).map(lambda w: (shape.ranges()[0][1], *w[1:]))
    return st.tuples(*(one(low, high) for low, high in shape.ranges()))


@pytest.mark.parametrize("shape", SHAPES, ids=name_of)
class TestEveryShape:
    @examples(40)
    @given(data=st.data())
    def test_builds_from_every_word_vector_and_encodes_what_it_built(self, shape: Shape, data: st.DataObject) -> None:
        value = shape.build(data.draw(any_words(shape)), make)
        words = shape.encode(value)
        assert all(low <= w <= high for w, (low, high) in zip(words, shape.ranges(), strict=True))
        assert same(snapshot(shape.build(words, make)), snapshot(value))

    @examples(40)
    @given(data=st.data())
    def test_words_may_come_as_a_list_and_build_the_same_again(self, shape: Shape, data: st.DataObject) -> None:
        words = data.draw(any_words(shape))
        assert same(snapshot(shape.build(list(words), make)), snapshot(shape.build(words, make)))

    @examples(40)
    @given(data=st.data())
    def test_a_surrogate_gives_the_snapshot_of_the_value(self, shape: Shape, data: st.DataObject) -> None:
        words = data.draw(any_words(shape))
        assert same(snapshot(shape.build(words, surrogate)), snapshot(shape.build(words, make)))

    def test_its_columns_are_as_long_as_its_arity(self, shape: Shape) -> None:
        assert len(shape.kinds) == len(shape.ranges()) == len(shape.hints()) == len(shape.plain()) == shape.arity

    def test_its_ranges_hold_words_of_the_kinds_and_plain_ones(self, shape: Shape) -> None:
        for kind, (low, high), plain in zip(shape.kinds, shape.ranges(), shape.plain(), strict=True):
            assert word_range(kind)[0] <= low <= plain <= high <= word_range(kind)[1]

    def test_its_hints_are_in_range(self, shape: Shape) -> None:
        for hints, (low, high) in zip(shape.hints(), shape.ranges(), strict=True):
            assert all(low <= word <= high for word in hints)
            assert len(set(hints)) == len(hints)

    def test_it_is_hashable_and_can_be_pickled_after_use(self, shape: Shape) -> None:
        shape.build(shape.plain(), make)
        again = pickle.loads(pickle.dumps(shape))
        assert again == shape
        assert hash(again) == hash(shape)
        assert again.ranges() == shape.ranges()

    def test_its_values_are_of_the_class_it_names(self, shape: Shape) -> None:
        assert shape.builds is None or type(shape.build(shape.plain(), make)) is shape.builds

    def test_values_of_what_is_hashable_can_be_hashed(self, shape: Shape) -> None:
        value = shape.build(shape.plain(), make)
        if shape.hashable:
            hash(value)
        elif not isinstance(shape, Union):
            with pytest.raises(TypeError):
                hash(value)

    @pytest.mark.parametrize(
        "value", [object(), print, range(3), [object()], {"x": object()}], ids=lambda v: type(v).__name__
    )
    def test_a_strange_value_has_no_words(self, shape: Shape, value: Any) -> None:
        with pytest.raises(ValueError, match="is not a value of type"):
            shape.encode(value)

    def test_a_scalar_is_one_word_decoded(self, shape: Shape) -> None:
        if shape.scalar is not None:
            assert shape.kinds == (shape.scalar,)
            assert shape.scalar in (Kind.F64, Kind.INT, Kind.BOOL)
            word = shape.plain()[0]
            assert shape.build((word,), make) == decode(shape.scalar, word)


@given(st.integers(*word_range(Kind.F64)))
def test_the_fast_float_is_the_float(word: int) -> None:
    assert encode(Kind.F64, float_of_word(word)) == encode(Kind.F64, float(decode(Kind.F64, word)))
    assert repr(float_of_word(word)) == repr(decode(Kind.F64, word))


@given(st.integers(*word_range(Kind.INT)) | st.integers(-5, 5).map(lambda d: 2**62 + d))
def test_the_fast_int_is_the_int(word: int) -> None:
    assert int_of_word(word) == decode(Kind.INT, word)
    assert int_of_word(-word) == decode(Kind.INT, -word)


# ---- bounds ----

POINTS: dict[Callable[..., Ordered], st.SearchStrategy[Any]] = {
    Float: st.floats(allow_nan=False) | st.integers(-3, 3) | st.fractions(),
    Int: st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.fractions(),
    DecimalShape: st.decimals(allow_nan=False),
    Date: st.dates(),
    Datetime: st.datetimes(),
    Time: st.times(),
    Timedelta: st.timedeltas(),
}


@given(data=st.data(), ends=st.tuples(st.sampled_from(["ge", "gt"]), st.sampled_from(["le", "lt"])))
@pytest.mark.parametrize("kind", POINTS, ids=lambda kind: kind.__name__)
def test_bounds_take_exactly_the_values_that_keep_them(
    kind: Callable[..., Ordered], data: st.DataObject, ends: tuple[str, str]
) -> None:
    points = POINTS[kind]
    low, high = sorted((data.draw(points), data.draw(points)))
    bounds = Bounds(**{ends[0]: low, ends[1]: high})
    inside = {
        "ge": lambda v: v >= low, "gt": lambda v: v > low, "le": lambda v: v <= high, "lt": lambda v: v < high,
    }  # fmt: skip
    shape = None
    with suppress(ValueError):
        shape = kind(bounds=bounds)
    assume(shape is not None)
    assert shape is not None
    ((first, last),) = shape.ranges()
    word = data.draw(st.integers(first, last))
    for w in (first, word, last):
        value = shape.build((w,), make)
        assert inside[ends[0]](value)
        assert inside[ends[1]](value)
    lowest, highest = shape.line
    for w in (first - 1, last + 1):
        if lowest <= w <= highest:
            value = shape.value_at(w)
            assert not (inside[ends[0]](value) and inside[ends[1]](value))


@pytest.mark.parametrize(
    ("bounds", "first", "last"),
    [
        (Bounds(), None, None),
        (Bounds(ge=0), -0.0, math.inf),
        (Bounds(gt=0), 5e-324, math.inf),
        (Bounds(ge=1, le=2), 1.0, 2.0),
        (Bounds(lt=1), -math.inf, 1 - 2**-53),
        (Bounds(le=math.inf), -math.inf, math.inf),
        (Bounds(gt=-math.inf, lt=math.inf), -sys.float_info.max, sys.float_info.max),
    ],
)
def test_the_ends_of_a_bounded_float(bounds: Bounds, first: float | None, last: float | None) -> None:
    expected = word_range(Kind.F64) if first is None else (encode(Kind.F64, first), encode(Kind.F64, last or 0.0))
    assert Float(bounds=bounds).ranges() == [expected]


def test_a_bounded_float_tries_its_ends_first() -> None:
    low, high = encode(Kind.F64, 0.5), encode(Kind.F64, 2.0)
    assert Float(bounds=Bounds(ge=0.5, le=2)).hints() == [(low, high, low + 1, high - 1)]


@pytest.mark.parametrize(
    "bounds",
    [Bounds(ge=2, lt=2), Bounds(gt=1, le=0), Bounds(ge=math.nan), Bounds(ge="a"), Bounds(le=1j)],
    ids=named,
)
def test_bounds_that_nothing_keeps_are_refused(bounds: Bounds) -> None:
    with pytest.raises(ValueError, match=r"no value is|can not be compared"):
        Float(bounds=bounds)


@pytest.mark.parametrize("bounds", [Bounds(gt=0, lt=1), Bounds(ge=10**400)], ids=named)
def test_an_int_needs_an_integer_within_its_bounds(bounds: Bounds) -> None:
    with pytest.raises(ValueError, match="no value is"):
        Int(bounds=bounds)


def test_bounds_together_are_the_tighter_ones() -> None:
    assert Bounds(ge=0, lt=9).within(Bounds(ge=-1, lt=5, gt=2)) == Bounds(ge=0, gt=2, lt=5)


@given(data=st.data())
@pytest.mark.parametrize(
    "shape",
    [s for s in SHAPES if isinstance(s, Repeated)],
    ids=name_of,
)
def test_lengths_stay_within_bounds(shape: Repeated, data: st.DataObject) -> None:
    words = data.draw(any_words(shape))
    length = len(shape.build(words, make))
    assert shape.low <= length <= shape.high
    assert length == words[0] or isinstance(shape, Set | Dict)


@pytest.mark.parametrize(
    "impossible",
    [
        lambda: List(Float(), low=3, high=2),
        lambda: Str(low=-1),
        lambda: Set(Bool(), low=3),
        lambda: Set(Str(), low=2),
        lambda: Dict(NoneShape(), Float(), low=2),
        lambda: Choice(()),
        lambda: Choice((Snapshot("list"),)),
    ],
)
def test_impossible_shapes_are_refused(impossible: Callable[[], Shape]) -> None:
    with pytest.raises(ValueError, match=r"no length|different values|a choice of"):
        impossible()


# ---- encoding ----


@pytest.mark.parametrize(
    ("shape", "value", "expected"),
    [
        (Float(), 1, 1.0),
        (Float(), np.float32(0.5), 0.5),
        (Float(), Fraction(1, 4), 0.25),
        (Int(), 2.0, 2),
        (Bool(), 1, True),
        (Complex(), 2.5, 2.5 + 0j),
        (FractionShape(), 0.5, Fraction(1, 2)),
        (DecimalShape(), Decimal("1.10"), Decimal("1.1")),
        (Union((Float(), Int())), 3, 3),
        (Union((Int(), Float())), 3.0, 3.0),
        (Union((Float(), NoneShape())), None, None),
        (LITERAL, True, True),
        (LITERAL, 1, 1),
        (colors(), Color.GREEN, Color.GREEN),
        (POINT, Point(1.5, name="ab"), Point(1.5, 0, name="ab")),
        (Date(), date.max, date.max),
        (Datetime(), datetime.min, datetime.min),
        (List(Float()), [1, 2.5], [1.0, 2.5]),
        (Record("R", ("a",), (Union((Int(), MissingShape())),)), {}, {}),
    ],
)
def test_an_equal_value_is_found(shape: Shape, value: Any, expected: Any) -> None:
    built = shape.build(shape.encode(value), make)
    assert built == value
    assert same(snapshot(built), snapshot(expected))


@pytest.mark.parametrize(
    ("shape", "value"),
    [
        (Float(), 2**53 + 1),
        (Float(), 10**400),
        (Float(), "1"),
        (Float(), None),
        (Float(), Fraction(1, 3)),
        (Float(bounds=Bounds(ge=0)), -1.0),
        (Float(bounds=Bounds(ge=0)), math.nan),
        (Int(), 2**62 * 3 + 1),
        (Int(), 1.5),
        (Int(), math.nan),
        (Int(), math.inf),
        (Int(), "5"),
        (Bool(), 2),
        (Complex(), "1"),
        (FractionShape(), "1/2"),
        (FractionShape(), math.nan),
        (DecimalShape(), Decimal("0.12345678901234567890123")),
        (Str(), "123456789"),
        (Str(), b"a"),
        (Bytes(), "a"),
        (List(Float()), (1.0,)),
        (List(Float()), [1.0] * 5),
        (FixedTuple((Float(),)), (1.0, 2.0)),
        (LITERAL, 1.0),
        (LITERAL, 2),
        (colors(), Mode.READ),
        (colors(), 1),
        (Set(Int()), frozenset({1})),
        (Date(), datetime(2020, 1, 1)),
        (Datetime(), datetime(2020, 1, 1, tzinfo=UTC)),
        (AwareDatetime(), datetime(2020, 1, 1)),
        (Time(), time(1, tzinfo=UTC)),
        (Timedelta(), timedelta.max),
        (Record("R", ("a",), (Int(),)), {}),
        (Record("R", ("a",), (Int(),)), {"a": 1, "b": 2}),
        (Record("R", ("a",), (Int(),)), {"a": MISSING}),
        (Array1D("float32"), np.zeros(2)),
        (Array1D("float64"), np.zeros((2, 2))),
        (Array1D("float64"), [1.0]),
        (functions_of(1), np.sin),
        (functions_of(1), lambda x: x),
        (ArrayND("float64", (3, 3)), np.zeros(3)),
        (ArrayND("float64", (3, 3), (None, 3), (0, 3)), np.zeros((3, 2))),
        (ArrayND("float64", (3, 3)), np.zeros((2, 4))),
        (ArrayND("float64", (3, 3)), np.zeros((2, 2), dtype=np.float32)),
        (ArrayND("float64", (3, 3)), [[1.0]]),
        (NumPyScalar("float32"), 1.0),
        (NumPyScalar("float32"), np.float64(0.1)),
    ],
    ids=lambda part: type(part).__name__,
)
def test_a_value_without_words_is_refused(shape: Shape, value: Any) -> None:
    with pytest.raises(ValueError, match="is not a value of type"):
        shape.encode(value)


@given(st.floats())
def test_every_float_has_its_words(value: float) -> None:
    for shape in (Float(), Union((Int(), Float()))):
        assert repr(shape.build(shape.encode(value), make)) == repr(value)


@given(st.lists(st.text(max_size=8), max_size=4))
def test_every_short_list_of_texts_has_its_words(value: list[str]) -> None:
    shape = List(Str())
    assert shape.build(shape.encode(value), make) == value


@given(st.datetimes(), st.dates(), st.integers(-(2**63), 2**63 - 1))
def test_every_time_has_its_word(moment: datetime, day: date, micros: int) -> None:
    span = timedelta(microseconds=micros)
    for shape, value in ((Datetime(), moment), (Date(), day), (Timedelta(), span)):
        assert shape.build(shape.encode(value), make) == value


def test_the_words_of_a_set_do_not_depend_on_its_order() -> None:
    one, other = set(), set()  # 0 and 8 collide: the first that comes is the first in order
    one.update([0, 8])
    other.update([8, 0])
    assert list(one) != list(other)
    assert Set(Int()).encode(one) == Set(Int()).encode(other)


# ---- what it looks like ----


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        (Float(bounds=Bounds(ge=0)), "float"),
        (Union((Float(), NoneShape())), "float | None"),
        (Union((Float(), Float(bounds=Bounds(ge=0)))), "float"),
        (List(List(Int())), "list[list[int]]"),
        (FixedTuple((Float(), Str())), "tuple[float, str]"),
        (FixedTuple(()), "tuple[()]"),
        (VarTuple(Bool()), "tuple[bool, ...]"),
        (Dict(Str(), Bytes()), "dict[str, bytes]"),
        (Set(Int(), frozen=True), "frozenset[int]"),
        (Set(Int()), "set[int]"),
        (LITERAL, "Literal[1, True, 'a', None, b'']"),
        (Choice((Snapshot("enum", "m:Outer.Color.RED"),)), "Literal[Outer.Color.RED]"),
        (colors(), "Color"),
        (POINT, "Point"),
        (Record("Movie", (), ()), "Movie"),
        (NumPyScalar("float32"), "np.float32"),
        (NumPyScalar("bool"), "np.bool_"),
        (Array1D("int8"), "npt.NDArray[np.int8]"),
        (ArrayND("int8", (2, 4), (None, 4)), "np.ndarray[tuple[int, Literal[4] | int], np.dtype[np.int8]]"),
        (ArrayND("int8", (2, 4), (None, 4), (0, 4)), "np.ndarray[tuple[int, Literal[4]], np.dtype[np.int8]]"),
        (ArrayND("int8", (2, 2)), "np.ndarray[tuple[int, int], np.dtype[np.int8]]"),
        (FractionShape(), "Fraction"),
        (DecimalShape(), "Decimal"),
        (Datetime(), "datetime"),
    ],
)
def test_the_type_as_python_writes_it(shape: Shape, text: str) -> None:
    assert shape.type == text


def test_native_code_can_build_only_plain_numbers() -> None:
    scalars = {name_of(s): s.scalar for s in SHAPES if s.scalar is not None}
    assert {kind.name for kind in scalars.values()} == {"F64", "INT", "BOOL"}
    assert all(type(s) in (Float, Int, Bool) for s in SHAPES if s.scalar is not None)


def test_a_union_is_its_first_alternative_at_word_0_and_keeps_the_others_words_apart() -> None:
    shape = Union((Float(), List(Int(), high=1), NoneShape()))
    assert shape.kinds == (Kind.U8, Kind.F64, Kind.U8, Kind.INT)
    words = (encode(Kind.F64, 0.5), 1, 7)
    assert [shape.build((tag, *words), make) for tag in (0, 1, 2)] == [0.5, [7], None]


def test_an_object_passes_its_last_arguments_by_name() -> None:
    calls = []

    def record(*items: Any, **named: Any) -> None:
        calls.append((items, named))

    POINT.build(POINT.encode(Point(1.0, 2, name="n")), lambda path: record)
    assert calls == [((1.0, 2), {"name": "n"})]


def test_what_a_constructor_raises_passes_through() -> None:
    def refuse(*items: Any, **named: Any) -> None:
        raise KeyError(path_of(Point))

    with pytest.raises(KeyError):
        POINT.build(POINT.plain(), lambda path: refuse)


def test_a_set_with_too_few_different_items_is_filled_from_the_next_words() -> None:
    shape = Set(Int(bounds=Bounds(ge=0, le=5)), low=3)
    assert shape.build((3, 5, 5, 5, 0), make) == {5, 0, 1}
    zeros = (encode(Kind.F64, -0.0), encode(Kind.F64, 0.0))
    assert len(Set(Float(), low=2).build((2, *zeros, 0, 0), make)) == 2


def test_importing_shapes_does_not_load_numpy() -> None:
    modules = ", ".join(
        f"zeroin.languages.python.{name}"
        for name in ("values.shapes", "values.scalars", "values.containers", "front.annotations")
    )
    code = f"import sys, {modules}; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


# ---- parameters ----


def test_a_parameter_shows_its_value_without_the_users_code() -> None:
    path = "nowhere:Thing"
    shape = Object(path, ("x", "c"), (List(Float()), Choice((Snapshot("enum", "nowhere:Color.RED"),))), 1)
    parameter = PythonParameter("p", shape.type, shape)
    words = (2, *(encode(Kind.F64, v) for v in (0.5, -0.0, 1.0, 1.0)), 0)
    expected = Snapshot("object", path, (snapshot([0.5, -0.0]), Snapshot("enum", "nowhere:Color.RED")), ("c",))
    assert parameter.snapshot(words) == expected
    assert parameter.show(words) == "Thing([0.5, -0.0], c=Color.RED)"


def test_a_parameter_gives_its_value_for_reading_and_exactly() -> None:
    parameter = PythonParameter("xs", "list[float]", List(Float(), high=2), keyword=True, origin="default")
    words = parameter.shape.encode([0.5, -0.0])
    assert parameter.argument(words) == [0.5, 0.0]
    assert parameter.exact(words) == ["0x1p-1", "-0x0p+0"]
    assert parameter.show(words) == "[0.5, -0.0]"


def test_a_parameter_has_the_columns_of_its_shape() -> None:
    parameter = PythonParameter("x", "float | None", Union((Float(), NoneShape())))
    shape = parameter.shape
    assert (parameter.arity, parameter.kinds) == (2, shape.kinds)
    assert (parameter.ranges(), parameter.hints()) == (shape.ranges(), shape.hints())
    assert pickle.loads(pickle.dumps(parameter)) == parameter


@given(data=st.data())
def test_any_words_of_any_parameter_can_be_shown(data: st.DataObject) -> None:
    shape = data.draw(st.sampled_from(SHAPES))
    assume(shape.arity <= 200)
    parameter = PythonParameter("x", shape.type, shape)
    words = data.draw(any_words(shape))
    assert parameter.show(words)
    parameter.argument(words)
    parameter.exact(words)
