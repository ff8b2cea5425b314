"""Type hints, ``--types`` and default values as shapes."""

from __future__ import annotations

import abc
import collections
import dataclasses
import http.cookiejar
import importlib
import inspect
import io
import math
import numbers
import pathlib
import pickle
import random
import re
import sys
import types
import typing
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from enum import Enum, Flag, IntEnum
from fractions import Fraction
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    Literal,
    NamedTuple,
    NewType,
    NotRequired,
    TypedDict,
    TypeVar,
)

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from programs import named
from zeroin.errors import OptionError, UnsupportedParameter
from zeroin.languages.python.front.annotations import shape_of
from zeroin.languages.python.front.default_values import shape_of_default
from zeroin.languages.python.front.modules import resolve
from zeroin.languages.python.front.type_hints import evaluate, hints_of, parse_types
from zeroin.languages.python.values.arrays import Array1D, ArrayND
from zeroin.languages.python.values.callables import Functions, Returning, functions_of
from zeroin.languages.python.values.constrained import Checked, Multiple
from zeroin.languages.python.values.containers import (
    Bytes,
    Dict,
    List,
    MissingShape,
    Object,
    Record,
    Set,
    Str,
    Union,
    VarTuple,
    union_of,
)
from zeroin.languages.python.values.enumerations import Flags
from zeroin.languages.python.values.scalars import (
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
from zeroin.languages.python.values.shapes import Bool, Float, Int, Shape
from zeroin.languages.python.values.snapshots import Snapshot
from zeroin.languages.python.values.zones import Time, Zone
from zeroin.subject.bounds import Bounds

OPTIONAL_OF = vars(typing)["Optional"]  # its old spelling is part of what is tested
WHERE = "f: parameter 'x'"
HERE = __name__


def annotated(base: Any, **facts: Any) -> Any:
    """``Annotated`` with an object such as those of annotated-types."""
    return Annotated[base, SimpleNamespace(**facts)]


@dataclass
class Not:
    """As that of annotated-types."""

    func: Any

    def __call__(self, value: Any) -> bool:
        return not self.func(value)


@dataclass
class Predicate:
    """As that of annotated-types."""

    func: Any


class Color(Enum):
    RED = 1
    BLUE = 2
    CRIMSON = RED


class Level(IntEnum):
    LOW = 0


class Mode(Flag):
    READ = 1
    WRITE = 2
    BOTH = 3


class Nothing(Enum):
    pass


@dataclass
class Point:
    x: float
    n: int = 0
    tag: str = field(default="", kw_only=True)
    computed: float = field(init=False, default=0.0)


@dataclass(frozen=True)
class Frozen:
    x: float


@dataclass(frozen=True)
class FrozenList:
    xs: list[float]


@dataclass
class Seeded:
    seed: dataclasses.InitVar[int]


@dataclass
class Node:
    value: float
    next: Node | None = None


@dataclass
class Tree:
    children: list[Tree]
    named: dict[str, Tree]


@dataclass
class Endless:
    inner: Endless


@dataclass
class Two:
    inner: Point


@dataclass
class Three:
    inner: Two


@dataclass
class Four:
    inner: Three


class Pair(NamedTuple):
    first: int
    second: float = 0.0


class Movie(TypedDict):
    title: str
    year: NotRequired[int]


class Loose(Movie, total=False):
    rating: float


T = TypeVar("T")
Whole = TypeVar("Whole", bound=int)
Text = TypeVar("Text", str, bytes)
Broken = TypeVar("Broken", bound="Unknown")  # type: ignore[name-defined]  # noqa: F821
UserId = NewType("UserId", int)


@dataclass
class Box(Generic[T]):
    it: T


@dataclass
class BoxOfBoxes(Generic[T]):
    boxes: list[Box[T]]


class Plain:
    def __init__(  # type: ignore[no-untyped-def]
        self, a: float, stream: typing.TextIO = sys.stdout, b: int = 2, *rest: int, c: str, d=None
    ) -> None: ...


class WithNew:
    def __new__(cls, a: float) -> WithNew:
        return object.__new__(cls)


class Empty:
    pass


class Untyped:
    def __init__(self, a) -> None: ...  # type: ignore[no-untyped-def]


class Wants:
    def __init__(self, a: float, stream: typing.TextIO) -> None: ...


class Misspelt:
    def __init__(self, a: Flaot) -> None: ...  # type: ignore[name-defined]  # noqa: F821


class Abstract(abc.ABC):
    @abc.abstractmethod
    def go(self) -> None: ...


class Protocol(typing.Protocol):
    def go(self) -> None: ...


class Alias:
    def __init__(self, value: Any, parameters: tuple[Any, ...]) -> None:
        self.__value__, self.__type_params__ = value, parameters


def alias(value: Any = None, parameters: tuple[Any, ...] = ()) -> Any:
    """What a ``type X = value`` statement (Python 3.12) makes, as far as it is looked at."""
    return Alias(value, parameters)


JSON = alias()
JSON.__value__ = float | list[Annotated[float, 0]] | None
OPTIONAL = Union((Float(), NoneShape()))
POINT = Object(f"{HERE}:Point", ("x", "n", "tag"), (Float(), Int(), Str()), 1, hashable=False)


@pytest.mark.parametrize(
    ("hint", "shape"),
    [
        (float, Float()),
        (int, Int()),
        (bool, Bool()),
        (str, Str()),
        (bytes, Bytes()),
        (complex, Complex()),
        (None, NoneShape()),
        (type(None), NoneShape()),
        (Any, Float()),
        (object, Float()),
        (typing.LiteralString, Str()),
        (Fraction, FractionShape()),
        (Decimal, DecimalShape()),
        (date, Date()),
        (datetime, Datetime()),
        (timedelta, Timedelta()),
        (numbers.Real, Float()),
        (numbers.Number, Float()),
        (numbers.Integral, Int()),
        (typing.SupportsFloat, Float()),
        (typing.SupportsInt, Int()),
        (typing.SupportsIndex, Int()),
        (typing.SupportsAbs[float], Float()),
        (OPTIONAL_OF[float], OPTIONAL),
        (float | None, OPTIONAL),
        (None | float, OPTIONAL),
        (vars(typing)["Union"][int, None, str], Union((Int(), Str(), NoneShape()))),
        (float | Any, Float()),
        (float | typing.TextIO, Float()),
        (float | Callable[[], float], union_of((Float(), functions_of(0, Float())))),
        (
            Literal[1, True, "a", None],
            Choice((Snapshot("int", 1), Snapshot("bool", True), Snapshot("str", "a"), Snapshot("none"))),
        ),
        (Literal[Color.BLUE], Choice((Snapshot("enum", f"{HERE}:Color.BLUE"),))),
        (Color, Choice((Snapshot("enum", f"{HERE}:Color.RED"), Snapshot("enum", f"{HERE}:Color.BLUE")), "Color")),
        (Level, Choice((Snapshot("enum", f"{HERE}:Level.LOW"),), "Level")),
        (Mode, Flags(f"{HERE}:Mode", (1, 2), ((1, "READ"), (2, "WRITE"), (3, "BOTH")))),
        (list, List(Float())),
        (list[int], List(Int())),
        (vars(typing)["List"], List(Float())),
        (vars(typing)["List"][int], List(Int())),
        (Sequence[int], List(Int())),
        (MutableSequence[int], List(Int())),
        (Iterable[Point], List(POINT)),
        (vars(typing)["Collection"][int], List(Int())),
        (list[list[float]], List(List(Float()))),
        (dict, Dict(Str(), Float())),
        (dict[int, str], Dict(Int(), Str())),
        (Mapping[str, int], Dict(Str(), Int())),
        (set, Set(Float())),
        (set[int], Set(Int())),
        (frozenset[Frozen], Set(Object(f"{HERE}:Frozen", ("x",), (Float(),)), frozen=True)),
        (collections.abc.Set[int], Set(Int())),
        (tuple, VarTuple(Float())),
        (vars(typing)["Tuple"], VarTuple(Float())),
        (tuple[()], FixedTuple(())),
        (tuple[int, ...], VarTuple(Int())),
        (tuple[int, str], FixedTuple((Int(), Str()))),
        (tuple[int], FixedTuple((Int(),))),
        (Point, POINT),
        (Seeded, Object(f"{HERE}:Seeded", ("seed",), (Int(),), hashable=False)),
        (Pair, Object(f"{HERE}:Pair", ("first", "second"), (Int(), Float()))),
        (Movie, Record("Movie", ("title", "year"), (Str(), Union((Int(), MissingShape()))))),
        (Plain, Object(f"{HERE}:Plain", ("a", "b", "c"), (Float(), Int(), Str()), 2)),
        (WithNew, Object(f"{HERE}:WithNew", ("a",), (Float(),))),
        (Empty, Object(f"{HERE}:Empty", (), ())),
        (Box, Object(f"{HERE}:Box", ("it",), (Float(),), hashable=False)),
        (Box[int], Object(f"{HERE}:Box", ("it",), (Int(),), hashable=False)),
        (UserId, Int()),
        (T, Float()),
        (Whole, Int()),
        (Text, Str()),
        (Final[int], Int()),
        (typing.ClassVar[int], Int()),
        (Annotated[int, "metres"], Int()),
        (alias(list[int]), List(Int())),
        (JSON, Union((Float(), List(Float()), NoneShape()))),
        (np.float64, NumPyScalar("float64")),
        (np.float32, NumPyScalar("float32")),
        (np.int8, NumPyScalar("int8")),
        (np.bool_, NumPyScalar("bool")),
        (np.intp, NumPyScalar("int64")),
        (np.floating[Any], NumPyScalar("float64")),
        (np.integer, NumPyScalar("int64")),
        (np.ndarray, Array1D("float64")),
        (npt.NDArray[np.float32], Array1D("float32")),
        (npt.NDArray[Any], Array1D("float64")),
        (npt.NDArray[np.float32 | np.float64], Array1D("float32")),
        (np.ndarray[tuple[int], np.dtype[np.int16]], Array1D("int16")),
        (np.ndarray[tuple[int, int], np.dtype[np.int16]], ArrayND("int16", (3, 3))),
        (np.ndarray[tuple[int, int, int], np.dtype[np.float64]], ArrayND("float64", (2, 2, 2))),
        (np.ndarray[tuple[Literal[2]], np.dtype[np.float64]], ArrayND("float64", (2,), (2,), (2,))),
        (np.ndarray[tuple[Literal[2] | int], np.dtype[np.float64]], ArrayND("float64", (4,), (2,))),
        (np.ndarray[tuple[int, Literal[5]], np.dtype[np.float64]], ArrayND("float64", (3, 5), (None, 5), (0, 5))),
        (npt.ArrayLike, Array1D("float64")),
        (npt.ArrayLike | None, Union((Array1D("float64"), NoneShape()))),
        (Callable[[float], float], functions_of(1, Float())),
        (time, Time()),
        (tzinfo, Zone()),
        (timezone | str, Union((Zone(), Str()))),
        (Callable[[], int], functions_of(0, Int())),
        (Callable[[list[int]], list[int]], Union((Functions(("copy:copy",), "Callable"), Returning(List(Int()))))),
        (Callable[[int, int], list[int]], Returning(List(Int()))),
        (Callable[[float], None], functions_of(1)),
        (vars(typing)["Callable"], functions_of(None)),
        (types.FunctionType, functions_of(None)),
    ],
    ids=named,
)  # fmt: skip
def test_a_hint_has_its_shape(hint: Any, shape: Shape) -> None:
    assert shape_of(hint, WHERE) == shape
    assert pickle.loads(pickle.dumps(shape)) == shape


@pytest.mark.parametrize(
    ("hint", "why"),
    [
        (types.MethodType, "methods can not be generated"),
        (Iterator[int], "and iterators can not be generated"),
        (Generator[int, None, None], "and iterators can not be generated"),
        (ModuleType, "modules can not be generated"),
        (type, "classes can not be generated"),
        (type[int], "classes can not be generated"),
        (io.StringIO, "files can not be generated"),
        (typing.TextIO, "files can not be generated"),
        (np.ndarray[tuple[int, int, int, int], np.dtype[np.float64]], "arrays of 4 dimensions can not be generated"),
        (npt.NDArray[np.complex128], "NumPy's complex128 is not supported"),
        (np.complexfloating, "NumPy's complex128 is not supported"),
        (np.str_, "NumPy's str is not supported"),
        (Endless, "which contains itself"),
        (Four, "where objects are nested more than 3 deep"),
        (Wants, "(Wants.stream: TextIO), and files can not be generated"),
        (Untyped, "(Untyped.a: unknown), and zeroin does not guess one"),
        (Misspelt, "NameError: name 'Flaot' is not defined"),
        (OPTIONAL_OF[typing.TextIO], "files can not be generated"),
        (list[typing.TextIO], "(TextIO), and files can not be generated"),
        (set[list[int]], "(list[int]), which is not hashable"),
        (set[Point], "(Point), which is not hashable"),
        (set[FrozenList], "(FrozenList), which is not hashable"),
        (dict[tuple[list[int]], int], "which is not hashable"),
        (Abstract, "which is abstract"),
        (Protocol, "which is abstract"),
        (Nothing, "a choice of nothing"),
        ("Unknown", "which can not be evaluated"),
        (Broken, "which can not be evaluated"),
        (3, "zeroin does not know how to make one"),
        (re.Pattern, "zeroin does not know how to make one"),
        (collections.deque[int], "zeroin does not know how to make one"),
        (Exception, "zeroin does not know how to make one"),
        (typing.Self, "zeroin does not know how to make one"),
        (tuple[int, *tuple[int, ...]], "zeroin does not know how to make one"),
        (pathlib.Path, "no parameters that zeroin can vary"),
        (random.Random, "no parameters that zeroin can vary"),
        (inspect.Parameter.empty, "zeroin does not guess one"),
        (annotated(Color, ge=1), "where the bounds (>= 1) are not supported"),
        (annotated(str, multiple_of=1), "where the bounds (multiples of 1) are not supported"),
        (annotated(int, multiple_of=0), "but no multiples of 0 can be made"),
        (annotated(int, multiple_of=0.5), "but no multiples of 0.5 can be made"),
        (annotated(float, min_length=1), "where the bounds (1 to None) are not supported"),
        (annotated(float, ge=1, lt=1), "but no value is >= 1 and < 1"),
        (annotated(list[int], min_length=3, max_length=2), "but no length is from 3 to 2"),
        (annotated(set[bool], min_length=3), "but 3 different values of bool"),
        (annotated(list[list[list[list[float]]]], min_length=32), "which takes 2721 numbers to describe"),
    ],
    ids=named,
)
def test_what_can_not_be_made_says_so_in_one_line(hint: Any, why: str) -> None:
    with pytest.raises(UnsupportedParameter) as caught:
        shape_of(hint, WHERE)
    message = str(caught.value)
    assert message.startswith("f: parameter 'x' has type ")
    assert why in message
    assert message.endswith('; give its type with --types "x: ..."')
    assert "\n" not in message
    assert isinstance(pickle.loads(pickle.dumps(caught.value)), UnsupportedParameter)


def test_a_class_inside_a_function_can_not_be_named_by_a_test() -> None:
    @dataclass
    class Local:
        x: float

    LocalEnum = Enum("LocalEnum", "A", qualname="f.<locals>.LocalEnum")
    for hint in (Local, LocalEnum):
        with pytest.raises(UnsupportedParameter, match="defined inside a function"):
            shape_of(hint, WHERE)


# ---- bounds ----


@pytest.mark.parametrize(
    ("hint", "shape"),
    [
        (annotated(float, ge=0, lt=1), Float(bounds=Bounds(ge=0, lt=1))),
        (annotated(int, gt=0), Int(bounds=Bounds(gt=0))),
        (annotated(int, multiple_of=3), Multiple(3)),
        (annotated(int, multiple_of=3, ge=4), Multiple(3, bounds=Bounds(ge=4))),
        (annotated(float, multiple_of=0.5, lt=2), Multiple(0.5, bounds=Bounds(lt=2))),
        (annotated(OPTIONAL_OF[int], multiple_of=2), Union((Multiple(2), NoneShape()))),
        (Annotated[float, Predicate(math.isfinite)], Float(bounds=Bounds(gt=-math.inf, lt=math.inf))),
        (Annotated[float, Predicate(Not(math.isnan))], Float(bounds=Bounds(ge=-math.inf))),
        (Annotated[str, Predicate(str.islower)], Checked(Str(), None)),
        (annotated(annotated(float, ge=0), le=5, ge=-1), Float(bounds=Bounds(ge=0, le=5))),
        (annotated(float | None, ge=0), Union((Float(bounds=Bounds(ge=0)), NoneShape()))),
        (
            list[annotated(float, gt=0)],  # type: ignore[misc]
            List(Float(bounds=Bounds(gt=0))),
        ),
        (annotated(np.float32, gt=0), NumPyScalar("float32", bounds=Bounds(gt=0))),
        (annotated(date, ge=date(2020, 1, 1)), Date(bounds=Bounds(ge=date(2020, 1, 1)))),
        (annotated(list[float], min_length=1, max_length=3), List(Float(), low=1, high=3)),
        (annotated(list[float], min_length=2), List(Float(), low=2, high=6)),
        (annotated(list[float], max_length=1000), List(Float(), high=32)),
        (annotated(list[float], min_length=40, max_length=1000), List(Float(), low=40, high=40)),
        (annotated(list[float] | None, max_length=4), Union((List(Float(), high=4), NoneShape()))),
        (annotated(str, min_length=3, max_length=3), Str(low=3, high=3)),
        (annotated(str, max_length=20), Str(high=20)),
        (annotated(npt.NDArray[np.float64], min_length=1), Array1D("float64", low=1, high=5)),
        (annotated(dict[str, int], min_length=1), Dict(Str(), Int(), low=1, high=5)),
        (annotated(float, metadata=[SimpleNamespace(ge=1)]), Float(bounds=Bounds(ge=1))),
        (Annotated[float, SimpleNamespace, "text", 3], Float()),
    ],
    ids=named,
)
def test_annotated_bounds_are_kept(hint: Any, shape: Shape) -> None:
    assert shape_of(hint, WHERE) == shape


@given(st.floats(allow_nan=False), st.floats(allow_nan=False), st.data())
def test_values_lie_within_annotated_bounds(a: float, b: float, data: st.DataObject) -> None:
    low, high = sorted((a, b))
    shape = shape_of(list[annotated(float, ge=low, le=high)], WHERE)  # type: ignore[misc]
    words = data.draw(st.tuples(*(st.integers(*r) for r in shape.ranges())))
    assert all(low <= v <= high for v in shape.build(words, dict[str, Any]().__getitem__))


# ---- types that contain themselves ----


def test_recursion_through_optional_ends_at_depth_2() -> None:
    inner = Object(f"{HERE}:Node", ("value", "next"), (Float(), NoneShape()), hashable=False)
    expected = Object(f"{HERE}:Node", ("value", "next"), (Float(), Union((inner, NoneShape()))), hashable=False)
    assert shape_of(Node, WHERE) == expected


def test_recursion_through_containers_ends_with_empty_ones() -> None:
    shape = shape_of(Tree, WHERE)
    make = {f"{HERE}:Tree": Tree}.__getitem__
    words = tuple(high for _, high in shape.ranges())
    tree = shape.build(words, make)
    assert len(tree.children) == 4
    assert tree.children[0] == Tree([], {})


def test_a_type_alias_that_contains_itself() -> None:
    tree = alias()
    tree.__value__ = float | types.GenericAlias(list, (tree,))
    assert shape_of(tree, WHERE) == Union((Float(), List(Union((Float(), List(NoneShape(), high=0))))))


def test_a_type_variable_stands_for_what_is_given_at_each_level() -> None:
    box = Object(f"{HERE}:Box", ("it",), (List(Int()),), hashable=False)
    assert shape_of(BoxOfBoxes[list[int]], WHERE) == Object(
        f"{HERE}:BoxOfBoxes", ("boxes",), (List(box),), hashable=False
    )


# ---- objects that are really built ----


@pytest.mark.parametrize(
    "hint", [Point, Frozen, Seeded, Node, Three, Pair, Movie, Loose, Box[int], Plain, WithNew, Empty]
)
@given(data=st.data())
def test_classes_can_be_called_with_what_is_built(hint: Any, data: st.DataObject) -> None:
    shape = shape_of(hint, WHERE)
    words = data.draw(st.tuples(*(st.integers(*r) for r in shape.ranges())))
    value = shape.build(words, lambda path: globals()[path.partition(":")[2]])
    assert isinstance(value, dict if typing.is_typeddict(hint) else typing.get_origin(hint) or hint)


# ---- --types ----


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x: float", {"x": "float"}),
        ("x:float,n :int , xs: list[float]", {"x": "float", "n": "int", "xs": "list[float]"}),
        ("d: dict[str, tuple[int, int]], x: int", {"d": "dict[str, tuple[int, int]]", "x": "int"}),
        ("m: Literal['a, b', \"]\"], x: int", {"m": "Literal['a, b', \"]\"]", "x": "int"}),
        ("x: float,", {"x": "float"}),
    ],
)
def test_types_are_split_at_their_commas(text: str, expected: dict[str, str]) -> None:
    assert parse_types(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", "'x' has no type"),
        ("x:", "'x:' has no type"),
        ("", "'' has no type"),
        ("x: int,, y: int", "'' has no type"),
        ("2x: int", "'2x' is not the name of a parameter"),
        ("x: int, x: float", "'x' occurs twice"),
        ("x: list[int", "']' is missing in 'x: list[int'"),
        ("x: int]", "unmatched ']'"),
        ("x: list[(int]", "unmatched ']'"),
        ("x: Literal['a]", '"\'" is missing'),
    ],
)
def test_types_that_make_no_sense_are_refused(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)) as caught:
        parse_types(text)
    assert str(caught.value).startswith("--types: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("float", float),
        ("list[float] | None", list[float] | None),
        ("Optional[float]", OPTIONAL_OF[float]),
        ("Sequence[int]", vars(typing)["Sequence"][int]),
        ("Literal['a']", Literal["a"]),
        ("Annotated[int, 3]", Annotated[int, 3]),
        ("np.float32", np.float32),
        ("npt.NDArray[np.float32]", npt.NDArray[np.float32]),
        ("Fraction", Fraction),
        ("Decimal", Decimal),
        ("datetime", datetime),
        ("collections.abc.Sequence", Sequence),
        ("Mine", int),
        ("date", str),
        ("datetime.datetime", datetime),
        ("http.cookiejar.Cookie | None", http.cookiejar.Cookie | None),
    ],
)
def test_a_type_is_evaluated_among_the_modules_own_names(text: str, expected: Any) -> None:
    namespace = {"Mine": int, "date": str}
    assert evaluate(text, namespace) == expected
    assert namespace == {"Mine": int, "date": str}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("list[", "the type 'list[' is not a Python expression"),
        ("x = 1", "is not a Python expression"),
        ("flaot", "can not be evaluated: NameError: name 'flaot' is not defined"),
        ("list[1/0]", "can not be evaluated: ZeroDivisionError"),
        ("nowhere.Class", "can not be evaluated: NameError: name 'nowhere' is not defined"),
        ("np.nothing", "can not be evaluated: AttributeError"),
    ],
)
def test_a_type_that_can_not_be_evaluated_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)) as caught:
        evaluate(text, {})
    assert "\n" not in str(caught.value)


# ---- the hints of functions ----


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Writes a module and imports it."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(source: str) -> ModuleType:
        name = f"written_{len(list(tmp_path.iterdir()))}_{tmp_path.name}"
        (tmp_path / f"{name}.py").write_text(source)
        return importlib.import_module(name)

    return write


LAZY = """
from __future__ import annotations
import typing
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import decimal as d
    from fractions import Fraction
    from no_such_module import Missing
    Vector = list[Fraction]
if typing.TYPE_CHECKING:
    from collections.abc import Sequence

def f(a: float, b: Fraction, c: Sequence[d.Decimal], v: Vector, m: Missing, n: 1 / 0, o, *rest: int) -> Missing: ...
"""


def test_hints_under_type_checking_are_found_and_others_reported(module: Callable[[str], ModuleType]) -> None:
    hints, failed = hints_of(module(LAZY).f, ["a", "b", "c", "v", "m", "n", "o", "rest"])
    assert hints == {
        "a": float, "b": Fraction, "c": Sequence[Decimal], "v": list[Fraction], "rest": int,
    }  # fmt: skip
    assert failed == {"m": "NameError: name 'Missing' is not defined", "n": "ZeroDivisionError: division by zero"}


def test_what_stands_under_type_checking_stays_out_of_the_module(module: Callable[[str], ModuleType]) -> None:
    loaded = module(LAZY)
    hints_of(loaded.f, ["b"])
    assert not hasattr(loaded, "Fraction")


def test_hints_that_can_be_evaluated_are_those_that_were_asked_for() -> None:
    def f(x: float, y: Annotated[int, 3], z=1) -> None: ...  # type: ignore[no-untyped-def]

    assert hints_of(f, ["y", "z"]) == ({"y": Annotated[int, 3]}, {})


def test_a_string_inside_a_hint_is_evaluated(module: Callable[[str], ModuleType]) -> None:
    loaded = module("class A: ...\ndef f(x: list['A'], y: 'Nope'): ...\n")
    listed: Any = list
    assert hints_of(loaded.f, ["x", "y"]) == ({"x": listed[loaded.A]}, {"y": "NameError: name 'Nope' is not defined"})


def test_a_wrapped_function_has_its_own_hints(module: Callable[[str], ModuleType]) -> None:
    source = "import functools\ndef f(x: float, y: 'Nope'): ...\n@functools.wraps(f)\ndef g(*a: int): return f(*a)\n"
    loaded = module(source)
    assert hints_of(loaded.g, ["x", "y"]) == ({"x": float}, {"y": "NameError: name 'Nope' is not defined"})


def test_a_function_without_python_source_has_no_hints() -> None:
    assert hints_of(len, ["obj"]) == ({}, {})
    assert hints_of(int.__add__, ["value"]) == ({}, {})


# ---- default values ----


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        (None, None),
        (1.0, Float()),
        (1, Int()),
        (True, Bool()),
        (1j, Complex()),
        ("a", Str()),
        ("a longer text", Str(high=13)),
        (b"", Bytes()),
        ([], List(Float())),
        ([1, 2.5], List(Float())),
        ([1] * 6, List(Int(), high=6)),
        ([[1.0]], List(List(Float()))),
        ([1, "a"], None),
        ([None], None),
        ((), FixedTuple(())),
        ((1, 2.5), FixedTuple((Int(), Float()))),
        ((1, None), None),
        ({}, Dict(Str(), Float())),
        ({"a": 1}, Dict(Str(), Int())),
        ({"a": None}, None),
        (set(), Set(Float())),
        (Color.RED, Choice((Snapshot("enum", f"{HERE}:Color.RED"), Snapshot("enum", f"{HERE}:Color.BLUE")), "Color")),
        (Fraction(1, 2), FractionShape()),
        (date(2020, 1, 1), Date()),
        (Point(1.0), POINT),
        (np.float32(1), NumPyScalar("float32")),
        (np.zeros(5), Array1D("float64", high=5)),
        (np.zeros((2, 5)), ArrayND("float64", (3, 5))),
        (np.zeros((2, 2, 1)), ArrayND("float64", (2, 2, 2))),
        (np.zeros((2, 1, 1, 1)), None),
        (np.zeros(2, dtype=complex), None),
        (print, None),
        (object(), None),
        (float, None),
        (sys, None),
        (Empty(), None),
        ((Empty(),), None),
        (type("Name", (str,), {})("ab"), Str()),
        (type("Metres", (float,), {})(2.5), Float()),
    ],
    ids=named,
)
def test_a_default_value_suggests_a_shape_that_has_it(value: Any, shape: Shape | None) -> None:
    assert shape_of_default(value) == shape
    if shape is not None:
        shape.encode(value)


@pytest.mark.parametrize(("hint", "holds"), [
    (annotated(int, multiple_of=3, ge=4, le=13), lambda n: n % 3 == 0 and 4 <= n <= 13),
    (annotated(float, multiple_of=0.25, gt=-1), lambda x: x % 0.25 == 0 and x > -1),
    (annotated(int, multiple_of=7), lambda n: n % 7 == 0),
])  # fmt: skip
def test_multiples_are_made_and_nothing_else(hint: Any, holds: Callable[[Any], bool]) -> None:
    shape = shape_of(hint, WHERE)
    ((low, high),) = shape.ranges()
    made = [shape.build((word,), resolve) for word in {low, high, *range(max(low, -5), min(high, 5) + 1)}]
    assert all(map(holds, made))
    assert [shape.build(shape.encode(value), resolve) for value in made] == made
    for value in (1.1, 0.1):
        with pytest.raises(ValueError, match="not a value"):
            shape.encode(value)


def test_words_that_a_predicate_says_no_to_build_nothing() -> None:
    shape = shape_of(Annotated[str, Predicate(str.islower)], WHERE)
    assert shape.build(shape.encode("abc"), resolve) == "abc"
    with pytest.raises(ValueError, match="not a value"):
        shape.build(shape.encode("aBc"), resolve)
    again = pickle.loads(pickle.dumps(shape_of(Annotated[float, Predicate(lambda x: x > 1)], WHERE)))
    assert again.build((0,), resolve) < 1  # who only shows inputs does not ask
