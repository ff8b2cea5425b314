"""Snapshots of Python objects: they rebuild what they show, bit for bit, and say honestly when they can not."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
import math
import operator
import pickle
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from zeroin.languages.python.values.json import exact, plain
from zeroin.languages.python.values.snapshots import Snapshot, quoted, same, snapshot


class Color(enum.Enum):
    RED = 1
    GREEN = "g"


class Level(enum.IntEnum):
    LOW = 0
    HIGH = 1


class Mode(enum.Flag):
    READ = 1
    WRITE = 2


class Point(NamedTuple):
    x: float
    y: float = 0.0


Pair = namedtuple("Pair", "left right")


@dataclasses.dataclass(frozen=True)
class Orbit:
    axis: float
    eccentricity: float = 0.0
    color: Color = dataclasses.field(default=Color.RED, kw_only=True)


@dataclasses.dataclass
class Computed:
    radius: float
    area: float = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        self.area = math.pi * self.radius * self.radius


@dataclasses.dataclass
class Counter:
    start: int
    count: int = dataclasses.field(init=False, default=0)


@dataclasses.dataclass(eq=False)
class Node:
    value: float
    next: Node | None = None


@dataclasses.dataclass
class Doubling:
    value: float

    def __post_init__(self) -> None:
        self.value *= 2


@dataclasses.dataclass
class Own:
    value: float

    def __init__(self, number: float) -> None:
        self.value = number


class Plain:
    pass


HERE = __name__


def resolve(path: str) -> Any:
    """What ``module:Qual.Name`` names."""
    module, _, name = path.partition(":")
    found: Any = sys.modules[module]
    for part in name.split("."):
        found = getattr(found, part)
    return found


def evaluate(value: Snapshot) -> Any:
    """What the source makes, with no more imported than it asks for."""
    names: dict[str, Any] = {}
    for module in value.modules:
        top = module.partition(".")[0]
        names["np" if module == "numpy" else top] = __import__(module)
    return eval(value.source, names)


NUMBERS = st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers()
STRINGS = st.text(max_size=8) | st.text("'\"\\\n", max_size=8) | st.binary(max_size=8)
STANDARD = (
    st.fractions()
    | st.decimals().filter(lambda x: not x.is_snan())
    | st.dates()
    | st.datetimes().map(lambda x: x.replace(fold=0))
    | st.timedeltas()
)
NUMPY = st.sampled_from(["float64", "float32", "float16", "int8", "uint64", "int64", "bool", "complex64", "complex128"])
SCALARS = NUMPY.flatmap(lambda dtype: arrays(dtype, 1)).map(lambda array: array[0])
ARRAYS = NUMPY.flatmap(lambda dtype: arrays(dtype, st.just(()) | array_shapes(min_side=0, max_dims=3, max_side=3)))
ENUMS = st.sampled_from([*Color, *Level, *Mode, Mode.READ | Mode.WRITE])
HASHABLE = NUMBERS | STRINGS | STANDARD | ENUMS
ANYTHING = st.recursive(
    HASHABLE | SCALARS | ARRAYS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.sets(HASHABLE, max_size=4)
        | st.frozensets(HASHABLE, max_size=4)
        | st.dictionaries(HASHABLE, inner, max_size=4)
        | st.builds(Point, inner, inner)
        | st.builds(Pair, inner, inner)
        | st.builds(Orbit, inner, inner, color=inner)
        | st.builds(Computed, st.floats())
        | st.builds(Node, st.floats(), st.none() | st.builds(Node, inner))
    ),
    max_leaves=12,
)


@given(ANYTHING)
def test_source_and_snapshot_rebuild_the_object(obj: Any) -> None:
    shown = snapshot(obj)
    assert shown.has_source
    assert same(snapshot(evaluate(shown)), shown)
    assert same(snapshot(shown.build(resolve)), shown)
    assert same(pickle.loads(pickle.dumps(shown)), shown)
    assert snapshot(shown) is shown
    json.dumps([exact(shown), plain(shown)])


is_nan = attrgetter("is_nan")


@given(ANYTHING, ANYTHING)
def test_same_is_symmetric_and_stricter_than_equality(one: Any, other: Any) -> None:
    a, b = snapshot(one), snapshot(other)
    assert same(a, a)
    assert same(a, b) == same(b, a)
    if (
        same(a, b)
        and not any(map(is_nan, a.walk()))
        and a.form in ("bool", "int", "float", "str", "bytes", "set", "enum")
    ):
        assert one == other


@given(st.text() | st.text("'\"\\a") | st.binary())
def test_quoted_reads_back(text: str | bytes) -> None:
    assert eval(quoted(text)) == text


@pytest.mark.parametrize(
    ("obj", "source"),
    [
        (0.1, "0.1"),
        (-0.0, "-0.0"),
        (math.nan, "math.nan"),
        (-math.inf, "-math.inf"),
        (complex(-0.0, math.inf), "complex(-0.0, math.inf)"),
        (np.float32(0.1), "np.float32(0.1)"),
        (np.float64(1.5), "np.float64(1.5)"),
        (np.array([1.0, math.nan], dtype=np.float32), "np.array([1.0, math.nan], dtype=np.float32)"),
        (np.array([[1.0, 2.0]]), "np.array([[1.0, 2.0]])"),
        (np.array([1, 2]), "np.array([1, 2])"),
        (np.array([1, 2], dtype=np.uint8), "np.array([1, 2], dtype=np.uint8)"),
        (np.array([]), "np.array([])"),
        (np.array([], dtype=int), "np.array([], dtype=np.int64)"),
        (np.array(1.5), 'np.array(1.5, dtype="float64")'),
        (np.zeros((0, 3)), 'np.empty((0, 3), dtype="float64")'),
        (set(), "set()"),
        (frozenset(), "frozenset()"),
        ({3, 1.5, 10}, "{1.5, 3, 10}"),
        (frozenset({"b", "a"}), 'frozenset({"a", "b"})'),
        ({}, "{}"),
        ({"a": [1, (2,)], 2: ()}, '{"a": [1, (2,)], 2: ()}'),
        ("it's", '"it\'s"'),
        ('say "x"', "'say \"x\"'"),
        (b"\x00'", 'b"\\x00\'"'),
        (Color.RED, f"{HERE}.Color.RED"),
        (Mode.READ | Mode.WRITE, f"{HERE}.Mode(3)"),
        (Point(1.0, math.nan), f"{HERE}.Point(1.0, math.nan)"),
        (Orbit(1.0, color=Color.GREEN), f"{HERE}.Orbit(1.0, 0.0, color={HERE}.Color.GREEN)"),
        (Computed(1.0), f"{HERE}.Computed(1.0)"),
        (Fraction(1, 3), "fractions.Fraction(1, 3)"),
        (Decimal("1.50"), 'decimal.Decimal("1.50")'),
        (datetime.date(2024, 2, 29), "datetime.date(2024, 2, 29)"),
        (datetime.timedelta(days=1), "datetime.timedelta(days=1, seconds=0, microseconds=0)"),
    ],
)
def test_source(obj: Any, source: str) -> None:
    assert snapshot(obj).source == source


def test_modules() -> None:
    shown = snapshot([math.nan, np.float32(1), Fraction(1), Color.RED, 1, "math"])
    assert shown.modules == {"math", "numpy", "fractions", HERE}
    assert snapshot(ValueError).modules == frozenset()


def test_text() -> None:
    assert (
        snapshot([math.nan, -math.inf, Color.RED, Orbit(1.0)]).text
        == "[nan, -inf, Color.RED, Orbit(1.0, 0.0, color=Color.RED)]"
    )
    assert snapshot({"a": Plain()}).text == '{"a": <Plain object>}'
    assert snapshot(np.array([math.nan], dtype=np.float32)).text == "array([nan], dtype=float32)"
    assert snapshot([1, 2, 3]).short(8) == "[1, 2..."
    assert snapshot([1, 2, 3]).short(9) == "[1, 2, 3]"


class Text(str):
    pass


class Listed(list[int]):
    pass


class Number(float):
    pass


class Elsewhere(datetime.tzinfo):
    def utcoffset(self, dt: datetime.datetime | None) -> None: ...

    dst = tzname = utcoffset


def test_times_and_zones() -> None:
    zone = datetime.timezone(datetime.timedelta(hours=-5, minutes=30))
    named = datetime.timezone(datetime.timedelta(seconds=1), "odd")
    for obj, source in (
        (datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC), "datetime.datetime(2024, 1, 1, 0, 0, 0, 0, tzinfo=UTC)"),
        (zone, "datetime.timezone(datetime.timedelta(minutes=-270))"),
        (named, 'datetime.timezone(datetime.timedelta(days=0, seconds=1, microseconds=0), "odd")'),
        (datetime.time(1, 2, tzinfo=datetime.UTC), "datetime.time(1, 2, 0, 0, tzinfo=UTC)"),
    ):
        shown = snapshot(obj)
        assert shown.source == source.replace("=UTC", "=datetime.timezone.utc")
        again = shown.build(resolve)
        assert again == obj
        assert repr(again) == repr(obj)


def test_what_has_no_source() -> None:
    @dataclasses.dataclass
    class Local:
        x: int

    counted = Counter(1)
    counted.count = 5
    opaque = [Text("a"), Listed(), Number(1.0), Plain(), lambda: 1, Local, Local(1), counted, Doubling(1.0), Own(1.0),
              datetime.datetime(2024, 1, 1, tzinfo=Elsewhere()),
              datetime.datetime(2024, 1, 1, fold=1), np.array(["a"]), np.longdouble(1), np.dtype("f8"),
              np.zeros(2, dtype=">f8"), np.ma.array([1.0]), np.datetime64("2024-01-01"), iter([]), "x" * 20_000,
              10**5000, list(range(2000)), np.zeros(2000)]  # fmt: skip
    for obj in opaque:
        shown = snapshot(obj)
        assert (shown.form, shown.has_source) == ("opaque", False), obj
        assert shown.data == f"{type(obj).__module__}:{type(obj).__qualname__}"
        with pytest.raises(ValueError, match="can not be built"):
            shown.build(resolve)
    assert snapshot(Counter(1)).source == f"{HERE}.Counter(1)"
    assert not snapshot([1, Plain()]).has_source


class Attributes:
    def __init__(self, **held: Any) -> None:
        vars(self).update(held)


def test_public_attributes_of_what_has_no_source() -> None:
    shown = snapshot(Attributes(x=1, _own=2, inner=Attributes(y=0.0)))
    assert (shown.form, shown.names) == ("opaque", ("x", "inner"))
    assert shown.items == (
        Snapshot("int", 1),
        Snapshot("opaque", f"{HERE}:Attributes", (Snapshot("float", 0.0),), ("y",)),
    )
    assert not same(snapshot(Attributes(x=0.0)), snapshot(Attributes(x=-0.0)))
    assert not same(snapshot(Attributes(x=1)), snapshot(Attributes(y=1)))
    many = Attributes(**{f"x{n}": n for n in range(21)})
    assert snapshot(many) == Snapshot("opaque", f"{HERE}:Attributes")
    ring = Attributes()
    ring.__dict__["ring"] = ring
    assert snapshot(ring).items == (Snapshot("opaque", f"{HERE}:Attributes"),)


def test_structures_without_end() -> None:
    ring: list[Any] = [1]
    ring.append(ring)
    assert snapshot(ring) == Snapshot("list", None, (Snapshot("int", 1), Snapshot("opaque", "builtins:list")))
    node = Node(1.0)
    node.next = node
    assert not snapshot(node).has_source
    deep: Any = 0
    for _ in range(100):
        deep = [deep]
    assert not snapshot(deep).has_source
    assert snapshot((1, list(range(30))), limit=20).text == "(1, <list object>)"
    assert snapshot([[1]] * 3).has_source  # the same list thrice is no cycle


def test_code_of_the_object_that_fails() -> None:
    broken = Orbit.__new__(Orbit)  # no field is set
    assert snapshot(broken) == Snapshot("opaque", f"{HERE}:Orbit")
    assert snapshot([broken, 1]).items[1] == Snapshot("int", 1)


def test_identity() -> None:
    assert snapshot(Node(1.0)).identity
    assert not snapshot(Orbit(1.0)).identity


def test_constructors_change_nothing() -> None:
    listed = Sorting([3, 1])
    listed.values.append(0)
    assert snapshot(listed).form == "opaque"  # made again, it would be sorted
    assert listed.values == [1, 3, 0]


@dataclasses.dataclass
class Sorting:
    values: list[int]

    def __post_init__(self) -> None:
        self.values.sort()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (0.0, -0.0),
        (1, 1.0),
        (1, True),
        (1.0, np.float64(1.0)),
        (np.float32(1.0), np.float64(1.0)),
        ((1,), [1]),
        ((1.0, 0.0), Point(1.0)),
        ([0.0], [-0.0]),
        ({1}, frozenset({1})),
        ({1: 2}, {1: 2.0}),
        (np.array([1.0]), np.array([1.0], dtype=np.float32)),
        (np.array([[1.0]]), np.array([1.0])),
        (np.zeros((0, 2)), np.zeros((0, 3))),
        (Color.RED, Color.GREEN),
        (Level.HIGH, 1),
        (Decimal("1.0"), Decimal("1.00")),
        ("a", b"a"),
        (Plain(), Point(1.0)),
    ],
)
def test_not_the_same(one: Any, other: Any) -> None:
    assert not same(snapshot(one), snapshot(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (math.nan, -math.nan),
        ([math.nan], [float("nan")]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({math.nan, 1, "a"}, {"a", 1, float("nan")}),
        (Plain(), Plain()),
    ],
)
def test_the_same(one: Any, other: Any) -> None:
    assert same(snapshot(one), snapshot(other))


def test_sets_made_elsewhere_need_no_order() -> None:
    one, two = Snapshot("int", 1), Snapshot("int", 2)
    assert same(Snapshot("set", None, (two, one)), snapshot({1, 2}))
    assert Snapshot("set", None, (two, one)).source == "{1, 2}"


def test_what_is_nan() -> None:
    having = (math.nan, [1, (math.nan,)], complex(0, math.nan), Decimal("sNaN"), np.float32("nan"), Point(math.nan))
    assert all(any(map(is_nan, snapshot(obj).walk())) for obj in having)
    assert not any(any(map(is_nan, snapshot(obj).walk())) for obj in (1.0, "nan", [math.inf], Decimal(1), None))


def test_exact() -> None:
    assert exact(snapshot(0.5)) == "0x1p-1"
    assert exact(snapshot([10**30, -0.0, math.nan, True, None])) == [str(10**30), "-0x0p+0", "nan", "True", "None"]
    assert exact(snapshot((np.float32(0.1), "a"))) == ["0x1.99999ap-4", '"a"']
    assert exact(snapshot({2, 1})) == ["1", "2"]
    assert exact(snapshot(np.array([[0.5]]))) == [["0x1p-1"]]
    assert exact(snapshot(Color.RED)) == f"{HERE}.Color.RED"
    assert exact(snapshot({"a": 0.5})) == '{"a": 0.5}'


def test_plain() -> None:
    assert plain(snapshot([1, 0.5, True, None, "a", (1,), np.int8(3)])) == [1, 0.5, True, None, "a", [1], 3]
    assert plain(snapshot({"a": {2}, 1: b"x"})) == {"a": [2], "1": 'b"x"'}
    assert plain(snapshot(math.inf)) == math.inf
    assert plain(snapshot(np.array([0.5]))) == [0.5]
    assert plain(snapshot(Color.RED)) == "Color.RED"
    assert plain(snapshot(1 + 2j)) == "complex(1.0, 2.0)"


def test_values_inside_stand_for_themselves() -> None:
    inner = Snapshot("object", "m:C", (Snapshot("int", 1), Snapshot("float", 2.0)), ("b",))
    assert snapshot([inner]).source == "[m.C(1, b=2.0)]"
    assert snapshot([inner]).modules == {"m"}
    assert snapshot(Snapshot("enum", "a.b:C.RED")).text == "C.RED"


def test_numpy_is_not_imported(tmp_path: Path) -> None:
    code = """
import sys
from zeroin.languages.python.values.snapshots import snapshot
print(snapshot([1.5, {'a'}]).source)
print('numpy' in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines() == ['[1.5, {"a"}]', "False"], done.stderr


def test_functions_and_classes_are_named() -> None:
    assert snapshot(len).source == "len"
    assert snapshot(operator.neg).source == "operator.neg"
    assert snapshot(Plain).source.endswith("test_values.Plain")
    assert snapshot(operator.neg).modules == {"operator"}


def test_callables_are_data() -> None:
    call: Callable[[], int] = int
    assert snapshot(call).data == "builtins:int"
