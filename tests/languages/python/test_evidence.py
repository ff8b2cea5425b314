"""Types of parameters without annotations: what documentation says, what code says, and who wins."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from languages.python.modules import Modules
from zeroin import COVERED, Budget, Options, cover
from zeroin.emit.files import write
from zeroin.languages.plugins import EMITTERS
from zeroin.languages.python.front.inference.docstrings import NOTHING, documented, shapes_said, type_said
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.languages.python.values.callables import Returning
from zeroin.languages.python.values.constant_functions import RAISING, returning
from zeroin.languages.python.values.containers import List, Object
from zeroin.languages.python.values.shapes import Float, Int
from zeroin.languages.python.values.snapshots import snapshot
from zeroin.subject.base import Termination


class Angle:
    """For documentation to name."""


NAMESPACE = {"Angle": Angle}


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("float", float), ("positive int, optional", int), ("float or None", float | None), ("str | int", str | int),
        ("array_like of shape (n,)", list[float]), ("list of str", list[str]), ("List[int]", list[int]),
        ("Optional[float]", float | None), ("float, [m/s]", float), ("float [m]", float), ("tuple", tuple[float, ...]),
        (":py:class:`Angle`", Angle), ("int, float, :class:`~pkg.Angle`", int | float | Angle), ("bool (on)", bool),
        ("C{degrees}", float), ("Unknown", NOTHING), ("", NOTHING), ("{}", NOTHING),
    ],
)  # fmt: skip
def test_types_as_they_are_said(text: str, type_: Any) -> None:
    assert type_said(text, NAMESPACE) == type_


def test_choices_are_tried_and_others_too() -> None:
    assert str(type_said("{'a', 'b'}, default 'a'", {})) == "typing.Union[typing.Literal['a', 'b'], str]"


def numpy(a, b, c, d): ...  # type: ignore[no-untyped-def]
def google(a, b, c, d): ...  # type: ignore[no-untyped-def]
def sphinx(a, b, c, d): ...  # type: ignore[no-untyped-def]
def epydoc(a, b, c, d): ...  # type: ignore[no-untyped-def]


numpy.__doc__ = """It.

    Parameters
    ----------
    a, b : float
        A length: of more than 2
    c : int, optional

    Returns
    -------
    d : str
    """
google.__doc__ = """It.

    Args:
        a (float): A length.
          More (int): of it.
        b (float, optional): As much.
        c (int): N.

    Returns:
        d (str): It.
    """
sphinx.__doc__ = """It.

    :param float a: a length
    :param b: another
    :type b: float
    :type c: int
    :rtype: str
    """
epydoc.__doc__ = """It.

    @arg a: A length (C{meter}).
    @kwarg b: Another, of which
              there is more (C{scalar}, conventionally).
    @type c: C{int}
    @return: It, and more (C{str}).
    """


@pytest.mark.parametrize("function", [numpy, google, sphinx, epydoc])
def test_styles_of_documentation(function: Any) -> None:
    assert documented(function, {}) == {"a": float, "b": float, "c": int}


def sized(*sizes: int | None, others: str = " | int") -> str:
    """The type of arrays of that shape, and of others."""
    said = ", ".join("int" if size is None else f"Literal[{size}]{others}" for size in sizes)
    return f"np.ndarray[tuple[{said}], np.dtype[np.float64]]"


GRID = "np.ndarray[tuple[int, int], np.dtype[np.float64]]"


def ran(test: Path) -> str:
    """What pytest says of a test."""
    command = [sys.executable, "-m", "pytest", "-q", str(test)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def types_of(modules: Modules, text: str, name: str = "f") -> list[str]:
    subject: PythonSubject = modules.load(text, name, native=False)
    return [parameter.type for parameter in subject.signature.parameters]


@pytest.mark.parametrize(
    ("body", "type_"),
    [
        ("return x & 3", "int"), ("return [0] * x", "int"), ("return list(range(x))", "int"),
        ("return x.bit_length()", "int"), ("return [1, 2, 3][x]", "int"), ("return x / 2", "float"),
        ("return x == 'abc'", "str"), ("return x.upper()", "str"), ("return x in ('a', 'b')", "str"),
        ("return TABLE[x]", "str"), ("return NUMBERS.get(x)", "float"), ("return re.match('a', x)", "str"),
        ("return PATTERN.search(x)", "str"), ("return ord(x)", "str"), ("return sum(x)", "list[float]"),
        ("return [y + 1.0 for y in x]", "list[float]"), ("return [y >> 1 for y in x]", "list[int]"),
        ("return ','.join(x)", "list[str]"), ("return x[0][1] * 2.0", "list[list[float]]"),
        ("a, b, c = x\nreturn a + b * c", "tuple[float, float, float]"), ("return x['key']", "dict[str, float]"),
        ("return [k for k, v in x.items()]", "dict[str, float]"),
        ("return [k >> 1 for k, v in x.items() if v.upper()]", "dict[int, str]"),
        ("return [k for k in x if x[k] & 1]", "dict[str, int]"),
        ("return x['a'] if 'a' in x else 2", "dict[str, float]"),
        ("key = str(1)\nreturn x[key] & 3 if key in x else 2", "dict[str, int]"),
        ("return x[0] if 3.0 in x else 2", "list[float]"),
        ("return sum(sum(x[k].values()) for k in x)", "dict[str, dict[str, float]]"),
        ("from math import sin\nreturn sin(x)", "float"),
        ("return x.real + x.imag", "complex"), ("return x.is_integer() or x.real > 2", "float"),
        ("return x.decode()", "bytes"), ("return x.issubset({1.0})", "set[float]"),
        ("rows = [row.copy() for row in x]\nrows[0][0] = 1.0\nreturn rows", "list[list[float]]"),
        ("return np.asarray(x).mean()", "ndarray"),
        ("return x(1.0) + x(2.0)", "Callable"), ("return x[:, 0].sum()", GRID),
        ("rows, columns = x.shape\nreturn rows", GRID),
        ("y = np.array(x)\nreturn y[0, 1]", GRID),
        ("x = np.asarray(x)\nreturn 1 if x.ndim == 2 else 0", f"ndarray | {GRID}"),
        ("return 1 if x.ndim != 1 else 0", f"ndarray | {GRID}"),
        ("return np.eye(2) @ x if x.ndim else 0", f"ndarray | {GRID}"),
        ("return 1 if x.shape != (2,) else 0", sized(2)), ("return 1 if (2, 3) == x.shape else 0", sized(2, 3)),
        ("return 1 if x.shape[1] == 3 else 0", sized(None, 3)),
        ("return 1 if x.shape[-1] == 3 else 0", f"{sized(3)} | {sized(None, 3)}"),
        ("return 1 if x.shape in ((2,), (3,)) else 0", "ndarray"),
        ("return 1 if np.isscalar(x) else 0", "float | ndarray"),
        ("return 1 if np.ndim(x) else x * 2", "float | ndarray"),
        ("return x.sum() if hasattr(x, 'shape') else x", "float | ndarray"),
        ("return 1 if getattr(x, 'shape', None) else x", "float | ndarray"),
        ("return x.getattr('shape') or x.hasattr(1)", "SimpleNamespace"), ("return getattr(*x)", "float"),
        ("return decorated(x)", "str"), ("return isscalar(x)", "int | str | float"),
        ("return x.tzinfo is None", "datetime"),
        ("return x.year * 12 + x.month", "date"), ("return x.year + x.hour", "datetime"),
        ("return x is None or x & 1", "int | None"), ("return 1 if x else 2", "bool"),
        ("if not isinstance(x, (int, str)): raise TypeError\nreturn x", "int | str | float"),
        ("return x.radius * 2", "Circle"), ("return helper(x)", "str"), ("x = TABLE\nreturn x['water']", "float"),
        ("for i, y in enumerate(x):\n    if y.strip(): return i", "list[str]"),
        ("y = x or 'abc'\nreturn 1 if y in (4, 'abc') else 2", "str | float"),
        ("if isinstance(x, list): return x[0] == 'a'\nreturn 1", "list[str] | float"),
        ("if isinstance(x, int | float): return 1\nreturn 2", "int | float | str"),
        ("if x is None: return 0\nreturn isinstance(x, dt.date)", "date | None"),
        ("first, second = x\nreturn first.upper() + str(second / 2)", "tuple[str, float]"),
        ("def inner(x): return x.upper()\nreturn inner('a') if x > 1.0 else 0", "float"),
    ],
)  # fmt: skip
def test_what_code_says(modules: Modules, body: str, type_: str) -> None:
    indented = "\n".join(f"    {line}" for line in body.splitlines())
    text = f"""import datetime as dt
import functools
import re
import numpy as np
TABLE = {{"water": 1.0}}
NUMBERS = {{1: "a", 2: "b"}}
PATTERN = re.compile("ab")
class Circle:
    def __init__(self, radius: float) -> None:
        self.radius = radius
def helper(y):
    return y.lower()
@functools.lru_cache
def decorated(y):
    return y.lower()
def isscalar(y):
    return isinstance(y, (int, str))
def f(x):
{indented}
"""
    (found,) = types_of(modules, text)
    assert found.replace("npt.NDArray[np.float64]", "ndarray") in (type_, " | ".join(reversed(type_.split(" | "))))


@pytest.mark.parametrize(
    ("said", "shape"),
    [
        ("Parameters\n----------\nx : ndarray, shape (2, 2)", (2, 2)),
        ("Parameters\n----------\nx : ndarray of shape (n, 3)\n    Points.\ny : float", (None, 3)),
        ("Parameters\n----------\nx : ndarray\n    Points, of shape (n, 3).\ny : float", (None, 3)),
        ("Parameters\n----------\nw, x : (N, 3) array_like\n    Points.", (None, 3)),
        ("Args:\n    x: position and speed, shape (2,).\n    y: shape (3,).", (2,)),
        ("Args:\n    x (np.ndarray): a covariance\n        of shape (2, 2).\n    y: shape (3,).", (2, 2)),
        (":param x: an array, shape=(2 * n, 4)\n:type x: numpy.ndarray", (None, 4)),
        ("Turns x, an array of shape (3, 3).", (3, 3)),
        ("Args:\n    x: some.\n    y: an array of shape (3,).", None),
        ("Args:\n    x: an array of shape (..., 3).", None),
        ("Args:\n    x: an array of shape (2, 2, 2, 2).", None),
        ("Args:\n    x: an array of shape (1920, 1080).", None),
        ("Args:\n    x: an array of shape (0, 2).", None),
        ("Args:\n    x: the shape (of a hull), an array.", (None,)),
    ],
)
def test_documentation_says_the_shapes_of_arrays(said: str, shape: tuple[int | None, ...] | None) -> None:
    def function(x: object) -> None: ...

    function.__doc__ = f"It.\n\n{said}\n"
    assert shapes_said(function, ["x"]).get("x") == shape


def test_arrays_have_the_shapes_that_are_documented(modules: Modules) -> None:
    text = '''
        import numpy as np
        def f(x: np.ndarray, p: np.ndarray) -> float:
            """One step.

            Args:
                x: a state, shape (2,).
                p: its covariance, shape (2, 2).
            """
            return float(x[0] + p[0, 0])
    '''
    subject: PythonSubject = modules.load(text, "f", native=False)
    x, p = subject.signature.parameters
    assert x.type == sized(2, others="")
    assert p.type == sized(2, 2, others="")
    assert [words for _, words in x.runs()] == [((2,),)]
    assert [words for _, words in p.runs()] == [((2, 2),)]
    assert p.shape.ranges()[:2] == [(2, 2), (2, 2)]


def test_where_code_asks_for_a_shape_there_are_others(modules: Modules) -> None:
    text = '''
        import numpy as np
        def f(x: np.ndarray) -> float:
            """One step of x, an array of shape (2,)."""
            return np.eye(2) @ x if x.size == 2 else 0
    '''
    subject: PythonSubject = modules.load(text, "f", native=False)
    (x,) = subject.signature.parameters
    assert x.type == f"{sized(2)} | {GRID}"
    assert [words for _, words in x.runs()] == [((0, 2),)], "with the word that says which"
    assert x.shape.ranges()[1] == (0, 4)


def test_code_wins_over_documentation_where_it_says_much(modules: Modules) -> None:
    text = '''
        def f(n, x, name):
            """It.

            Parameters
            ----------
            n : float
            x : int
            name : float
            """
            if name.startswith("a"):
                return n >> 1
            return x * 2.0
    '''
    assert types_of(modules, text) == ["int", "int", "str"]


def test_a_default_of_zero_may_stand_for_a_float(modules: Modules) -> None:
    text = '''
        def f(x=0, n=0, s="abc", y=None):
            """It.

            :type x: float
            :type n: int
            :type y: str
            """
            return x / 2 > n
    '''
    assert types_of(modules, text) == ["float", "int", "str", "None | str"]


def test_objects_are_made_by_constructors_that_say_nothing(modules: Modules) -> None:
    text = """
        class Angle:
            def __init__(self, *args, degrees=True):
                self.value = args[0] if degrees else args[0] * 57.3
            def plus(self, other):
                if not isinstance(other, (float, Angle)):
                    raise TypeError
                return self.value + (other.value if isinstance(other, Angle) else other)
        def f(a):
            if isinstance(a, Angle):
                return 1 if a.value > 90.0 else 2
            raise TypeError
    """
    subject = modules.load(text, "f", native=False)
    assert subject.signature.prototype == "f(a: Angle | float)"
    words = subject.signature.parameters[0].shape.plain()
    assert subject.signature.show(words).startswith("f(Angle(")
    assert types_of(modules, text, "Angle.plus") == ["Angle", "float | Angle | str"]


def test_a_constructor_s_parameters_are_not_those_of_the_function(modules: Modules) -> None:
    text = """
        class Name:
            def __init__(self, x, *more):
                self.text = x.upper()
        def f(x, name, more=0):
            if isinstance(name, Name) and name.text == "A":
                return x & 1
            return more
    """
    assert types_of(modules, text) == ["int", "Name | float", "int"]


def test_what_is_passed_to_itself(modules: Modules) -> None:
    """An item of it is what it is itself: lists in lists without end."""
    text = "def f(x):\n    for y in x:\n        if len(y) > 1: f(y)\n    return len(x)\n"
    subject = modules.load(text, native=False)
    assert subject._reading.of(subject.found.inner[0])["x"].hint({}) == list[list[list[float]]]
    text = "def f(x, n):\n    return g(n, x)\ndef g(n, x):\n    return f(x, n) if n & 1 else x.upper()\n"
    assert types_of(modules, text) == ["str", "int"]


def test_rest_of_the_arguments(modules: Modules) -> None:
    text = """
        def f(*values):
            return 1 if len(values) == 3 and values[0] > 1.5 else 0
        def g(*words):
            return [word.upper() for word in words]
    """
    assert types_of(modules, text) == ["tuple[float, ...]"]
    assert types_of(modules, text, "g") == ["tuple[str, ...]"]


def test_objects_of_unknown_classes_have_the_attributes_that_code_asks_for(modules: Modules, tmp_path: Path) -> None:
    text = """
        def f(point, scale):
            point.seen = True
            if point.x * point.x == 2025.0 and point.label == "here":
                return 1
            if point.inner.count2 & 3 == 2 and scale > 1:
                return 2
            if getattr(point, "mode", "") == "deep":
                return 3
            return 4 if point.measure(scale) == 12.5 else 5
    """
    subject: PythonSubject = modules.load(text, native=False)
    (point, scale) = (parameter.shape for parameter in subject.signature.parameters)
    assert isinstance(point, Object)
    assert (point.type, point.names) == (
        "SimpleNamespace",
        ("inner", "label", "measure", "mode", "x"),
    )  # seen is only set
    assert point.keywords == 5
    assert isinstance(point.arguments[0], Object)
    assert point.arguments[0].arguments == (Int(),)
    assert (point.arguments[1].type, point.arguments[3].type, scale.type) == ("str", "str", "float")
    path = modules.write(text)
    suite = cover(f"{path}:f", Options(budget=Budget(evaluations=300_000)))
    assert suite.count(COVERED) == len(suite.branches)
    assert f"{len(suite.inputs)} passed" in ran(write(EMITTERS["pytest"](), suite, tmp_path))
    (note,) = [note for note in suite.notes if "guessed" in note]
    again: PythonSubject = modules.load(text, types=note.partition('--types "')[2].partition('"')[0], native=False)
    assert again.signature.parameters[0].shape == point


def test_objects_inside_of_lists_inside_of_objects(modules: Modules) -> None:
    text = """
        def report(order, rates):
            total = 0
            for item in order.positions:
                if item.price > 100 and item.kind in rates:
                    total += item.price * rates[item.kind]
            return "vip" if order.customer.vip and total == 1234.5 else "none"
    """
    path = modules.write(text)
    suite = cover(f"{path}:report", Options(budget=Budget(evaluations=300_000)))
    assert suite.count(COVERED) == len(suite.branches)
    assert suite.findings == []


def test_keys_are_of_the_type_that_code_has_for_them(modules: Modules) -> None:
    text = "def f(table, x, other, y):\n    return table[x] & 1 if x in table and x >> 1 else y in other and other[y]\n"
    assert types_of(modules, text) == ["dict[int, int]", "int", "dict[str, float]", "str"]


def test_documentation_goes_before_a_class_that_is_made_up(modules: Modules) -> None:
    text = '''
        class Place:
            def __init__(self, lat):
                self.lat = lat
            def __getattr__(self, name):
                return 1.0
        def f(place):
            """:type place: Place"""
            return place.lat > place.other
    '''
    assert types_of(modules, text) == ["Place"]


def test_a_class_with_a_method_of_that_name_is_not_meant_where_code_has_a_value(modules: Modules) -> None:
    text = """
        class First:
            def __init__(self, x: float):
                self.x = x
            def tan(self):
                return self.x
        class Second:
            def __init__(self, x: float):
                self.x = x
                self.tan = x * 2
        def f(x, y):
            tx, ty = x.tan, y.tan
            return tx * ty > 1 and ty / 2 > 1
        def g(x):
            return x.tan() > 1
    """
    assert types_of(modules, text) == ["Second", "Second"]
    assert types_of(modules, text, "g") == ["First"]


def test_a_constructor_s_parameters_are_what_methods_do_with_the_attributes(modules: Modules) -> None:
    text = """
        import functools
        class Series:
            units = {"m": 1}
            @functools.cached_property
            def other(self):
                return self.kept >> 1
            def __init__(self, kept, values, name, unit=None):
                self.values_, self.name = values, name
                self.label, self.kept = name, kept
                self.unit = unit
            @property
            def title(self):
                return self.label.upper()
            def total(self, start):
                return sum(self.values_) + start if self.unit == "m" else 0
    """
    subject: PythonSubject = modules.load(text, "Series.total", native=False)
    own = subject.signature.parameters[0].shape
    assert isinstance(own, Object)
    assert [one.type for one in own.arguments] == ["int", "list[float]", "str", "None | str"]


def test_defaults_of_a_constructor_that_was_guessed_may_stay(modules: Modules, tmp_path: Path) -> None:
    text = """
        class Color:
            def __init__(self, red, observer="o2", *, light="d50"):
                if observer not in {"o2", "o10"} or light != "d" + str(50):
                    raise ValueError("unknown")
                self.red, self.observer = red, observer
        def f(color, scale):
            if color.red * 2 == 2048.5:
                return 1
            return 2 if color.observer == "o10" and scale > 2 else 3
    """
    suite = cover(f"{modules.write(text)}:f", Options(budget=Budget(evaluations=200_000)))
    assert suite.count(COVERED) == len(suite.branches)
    shown = [suite.signature.show(kept.words) for kept in suite.inputs]
    assert any("Color(1024.25)" in one for one in shown)
    assert any('observer="o10"' in one for one in shown)
    assert f"{len(suite.inputs)} passed" in ran(write(EMITTERS["pytest"](), suite, tmp_path))


def test_what_is_split_into_parts_of_two_is_two_pairs(modules: Modules) -> None:
    text = "def f(x, y):\n    a, b, c, d = x + y\n    return a.upper() if b > 2.0 else c.lower() * (d >> 1)\n"
    assert types_of(modules, text) == ["tuple[str, float]", "tuple[str, int]"]


def test_code_that_takes_a_fraction_wins_over_documentation(modules: Modules) -> None:
    text = '''
        def f(day, year):
            """:type day: int
            :type year: int
            """
            from math import modf
            part, whole = modf(day)
            return part > 0.5 or year * 2.0 > 4
    '''
    assert types_of(modules, text) == ["float", "int"]


def test_where_no_guess_fits_that_is_said_and_is_no_finding(modules: Modules) -> None:
    path = modules.write("def f(x):\n    return 1 if x @ x else 0\n")
    suite = cover(f"{path}:f", Options(budget=Budget(2_000, 20.0)))
    assert suite.findings == []
    (note,) = [note for note in suite.notes if "every run ends" in note]
    assert "unsupported operand type(s) for @: 'float' and 'float'" in note
    assert note.endswith('give the types with --types "x: float"')
    path = modules.write("def f(x: float):\n    return 1 if x.p.q > 2 else 0\n")
    assert [finding.kind for finding in cover(f"{path}:f", Options(budget=Budget(2_000, 20.0))).findings] == [
        "exception"
    ]


def test_a_proof_refutes_the_types_that_were_guessed(modules: Modules) -> None:
    """And then others are tried, until none is left."""
    path = modules.write("def f(x):\n    if x > 3.0 and x < 2.0: return 1\n    return 2\n")
    suite = cover(f"{path}:f", Options(budget=Budget(150_000, 60.0)))
    assert not suite.proofs
    (left,) = [verdict for verdict in suite.verdicts if verdict.verdict == "undecided"]
    assert left.why == "no value of the guessed types comes here; give other types with --types"
    assert suite.signature.guessed.startswith("x: float | int | bool | list[float] | list[int] | str")
    assert not suite.findings


def test_another_guess_takes_the_branch_that_the_first_did_not(modules: Modules) -> None:
    path = modules.write("def f(x, y):\n    z = 'ab'\n    if y == z: return 1\n    return 2 if x > 3 else 3\n")
    suite = cover(f"{path}:f", Options(budget=Budget(300_000, 60.0), types="x: float"))
    assert not suite.proofs
    taken = [verdict for verdict in suite.verdicts if verdict.branch.id == "0T"]
    assert [verdict.verdict for verdict in taken] == ["covered"]


def test_functions_are_arguments_and_stand_in_tests(modules: Modules, tmp_path: Path) -> None:
    path = modules.write("""
        def f(g, x):
            y = g(x)
            if y < 0.0 < x:
                return 1
            return 2 if x > 2.0 and y < 1.5 else 3
    """)
    suite = cover(f"{path}:f", Options(budget=Budget(50_000, 30.0)))
    assert all(verdict.verdict == "covered" for verdict in suite.verdicts)
    assert suite.findings == []
    test = write(EMITTERS["pytest"](), suite, tmp_path)
    assert "operator.neg" in test.read_text()
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", str(test)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_what_is_passed_on_to_methods_constructors_and_as_many(modules: Modules) -> None:
    text = """
        class Angle:
            def __init__(self, *args):
                self.set(*args)
            def set(self, *args):
                if isinstance(args[0], (int, list)):
                    self.degrees = args[0]
                    return
                self.degrees = 0
            def scaled(self, by):
                return self._times(by)
            def _times(self, name):
                return name.upper()
        def f(x):
            return Angle(x)
    """
    subject = modules.load(text, "Angle.set", native=False)
    assert [p.type for p in subject.signature.parameters][1] == "tuple[int | list[float] | float, ...]"
    assert types_of(modules, text, "Angle.scaled")[1] == "str"
    assert types_of(modules, text) == ["int | list[float] | float"]


def test_a_default_of_zero_is_a_float_where_code_calculates_with_it(modules: Modules) -> None:
    text = "import math\ndef f(a=0, b=0, c=0, d=1):\n    return math.sin(a) + b / 2 + list(range(c))[0] + (d > 3)\n"
    assert types_of(modules, text) == ["float", "float", "int", "int"]


def test_functions_return_what_code_does_with_their_results(modules: Modules, tmp_path: Path) -> None:
    text = """
        def f(function, start):
            found = function(start)
            if len(found) != len(start):
                return -1
            total = sum(abs(y) for y in found)
            if total == 7.5:
                return 1
            found.append(start[0] / 2)
            return len(function(start))
    """
    path = modules.write(text)
    suite = cover(f"{path}:f", Options(budget=Budget(evaluations=200_000), native=False))
    assert suite.count(COVERED) == len(suite.branches)
    assert "lambda *_: [" in "".join(suite.signature.show(kept.words) for kept in suite.inputs)
    test = write(EMITTERS["pytest"](), suite, tmp_path)
    assert f"{len(suite.inputs) - 1} passed, 1 xfailed" in ran(test)


def test_what_a_function_that_was_given_raises_is_no_finding(modules: Modules, tmp_path: Path) -> None:
    text = """
        def f(function, x):
            try:
                y = function(x)
            except ValueError:
                return -1.0
            return 2.0 if y == 7.5 else y

        def g(function, x):
            y = function(x)
            return 2.0 if y == 7.5 else y
    """
    path = modules.write(text)
    for name in "fg":
        suite = cover(f"{path}:{name}", Options(budget=Budget(evaluations=200_000), native=False))
        assert suite.count(COVERED) == len(suite.branches)
        assert not suite.findings
        shown = "".join(suite.signature.show(kept.words) for kept in suite.inputs)
        assert ('lambda *_: int("")' in shown) == (name == "f"), "it takes no branch that others do not"
        test = write(EMITTERS["pytest"](), suite, tmp_path / name)
        assert f"{len(suite.inputs)} passed" in ran(test)


def test_only_what_the_given_function_itself_raises_is_taken_for_its_own(modules: Modules) -> None:
    text = """
        from collections.abc import Callable

        def f(function: Callable[[float], float], x: float):
            return function(x) if x > 2.5 else int("")
    """
    subject = modules.load(text)
    shape = subject.signature.parameters[0].shape
    raising, x = shape.encode(RAISING), Float().encode(3.0)
    assert subject.replay((*raising, *x)).outcome is Termination.RETURNED
    assert subject.replay((*raising, *x)).raised == "builtins:ValueError"
    assert subject.replay((*raising, *Float().encode(2.0))).outcome is Termination.RAISED


def test_a_function_that_returns_makes_it_anew(modules: Modules) -> None:
    made = returning(lambda: [1])
    made(2, 3).append(4)
    assert made() == [1]
    shown = snapshot(made)
    assert (shown.text, shown.form) == ("lambda *_: [1]", "lambda")
    assert shown.build(lambda path: None)(5) == [1]
    shape = Returning(List(Int()))
    words = shape.encode(made)
    assert shape.encode(shape.build(words, lambda path: None)) == words
    with pytest.raises(ValueError, match="Callable"):
        shape.encode(len)


def test_what_code_takes_out_of_keywords(modules: Modules, tmp_path: Path) -> None:
    text = """
        def inner(**more):
            return more["name"].upper() if "name" in more else ""
        def f(x: float, **options):
            'It. :type scale: float'
            if "scale" in options:
                x *= options["scale"]
                if x == 12.5:
                    return 1
            if options.get("deep"):
                return 2
            if options.pop("count", 0) & 4:
                return 3
            return 4 if inner(**options) == "AB" else 5
    """
    path = modules.write(text)
    suite = cover(f"{path}:f", Options(budget=Budget(evaluations=200_000), suite="small"))
    assert suite.signature.prototype == "f(x: float, scale: float, deep: bool, count: int, name: str)"
    assert suite.count(COVERED) == len(suite.branches)
    shown = [suite.signature.show(kept.words) for kept in suite.inputs]
    assert any('name="' in one for one in shown)
    assert any("=" not in one for one in shown)
    test = write(EMITTERS["pytest"](), suite, tmp_path)
    assert f"{len(suite.inputs)} passed" in ran(test)


def test_code_of_other_modules_is_read(modules: Modules) -> None:
    text = "import calendar\ndef f(year, month):\n    return calendar.monthrange(year, month)[1] > 30\n"
    assert types_of(modules, text) == ["int", "int"]


def test_datetimes_have_a_zone_where_code_asks_for_it(modules: Modules, tmp_path: Path) -> None:
    text = """
        import datetime
        def f(x: datetime.datetime, zone: datetime.tzinfo, at: datetime.time) -> int:
            if x.tzinfo is None:
                return 0
            offset = x.utcoffset()
            if offset == datetime.timedelta(minutes=210):
                return 1
            if x.astimezone(zone).hour == at.hour:
                return 2
            return 3
    """
    path = modules.write(text)
    suite = cover(f"{path}:f", Options(budget=Budget(evaluations=200_000)))
    assert suite.count(COVERED) == len(suite.branches)
    test = write(EMITTERS["pytest"](), suite, tmp_path)
    assert "timezone(datetime.timedelta(minutes=210))" in test.read_text()
    assert f"{len(suite.inputs)} passed" in ran(test)


def test_integers_stand_for_floats_where_code_asks_for_them(modules: Modules) -> None:
    text = """
def f(x: float | None, y: float, z: str, u: float):
    return isinstance(x, int) or y > 1 or isinstance(z, int) or isinstance(u, (int, float))
"""
    assert types_of(modules, text) == ["float | None | int", "float", "str", "float"]


def test_an_array_stands_beside_a_number_where_code_asks_for_it(modules: Modules, tmp_path: Path) -> None:
    text = """
        import numpy as np
        def f(x: float, count: int, scale: float):
            if isinstance(x, np.ndarray):
                return 1 if x.size == 2 and x[1] * 2 == 12.5 else 2
            if np.ndim(count) == 1:
                return 3 if count.sum() == 77 else 4
            return 5 if scale > 1 else 6
        def single(x: float, xs: list[float]):
            return np.isscalar(xs) and x > 2
    """
    found = [one.replace("npt.NDArray", "array") for one in types_of(modules, text)]
    assert found == ["float | array[np.float64]", "int | array[np.int64]", "float"]
    assert types_of(modules, text, "single") == ["float", "list[float]"]
    suite = cover(f"{modules.write(text)}:f", Options(budget=Budget(evaluations=200_000)))
    assert suite.count(COVERED) == len(suite.branches)
    assert f"{len(suite.inputs)} passed" in ran(write(EMITTERS["pytest"](), suite, tmp_path))


def test_none_is_tried_where_code_asks_for_it_whatever_the_annotation_says(modules: Modules, tmp_path: Path) -> None:
    text = """
        def f(x: float, xs: list[float], scale=2.5):
            if x is None:
                return 0
            if xs is not None and xs and xs[0] * x == 12.5:
                return 1
            if scale == None:
                return 2
            return 3
        def rest(x: float, *xs: float):
            return xs is None
        def used(x: float, y: float):
            return x + y
    """
    found = ["None | float", "None | list[float]", "None | float"]
    assert types_of(modules, text) == found
    assert types_of(modules, text, "rest") == ["float", "tuple[float, ...]"]
    assert types_of(modules, text, "used") == ["float", "float"]
    suite = cover(f"{modules.write(text)}:f", Options(budget=Budget(evaluations=200_000)))
    assert suite.count(COVERED) == len(suite.branches)
    assert f"{len(suite.inputs)} passed" in ran(write(EMITTERS["pytest"](), suite, tmp_path))


def test_flags_are_joined_in_tests_too(modules: Modules, tmp_path: Path) -> None:
    text = """
        import enum
        class Mode(enum.IntFlag):
            READ = 1
            WRITE = 2
            EXEC = 8
            BOTH = 3
        class Some(enum.Flag):
            A = 1
            B = 4
        def f(m: Mode, s: Some) -> int:
            if m == Mode.READ | Mode.EXEC:
                return 1
            if m == Mode.BOTH:
                return 2
            if not m and s is Some.A | Some.B:
                return 3
            return 4 if s else 0
    """
    suite = cover(f"{modules.write(text)}:f", Options(budget=Budget(evaluations=200_000)))
    assert suite.count(COVERED) == len(suite.branches)
    assert not suite.notes, "what an enumeration remembers of flags that were joined is nothing that a call changes"
    assert f"{len(suite.inputs)} passed" in ran(write(EMITTERS["pytest"](), suite, tmp_path))
