"""From the text of a target to the function, or to one line that says why not."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

from languages.python.modules import Modules
from zeroin.errors import TargetError
from zeroin.languages.python.front.modules import Module, find, functions_of, import_module, public_functions
from zeroin.languages.python.front.skipped_functions import skipped_in
from zeroin.languages.python.run.kept_state import StateMonitor

SAMPLES = Path(__file__).parents[2] / "subjects" / "python"
TARGETS = SAMPLES / "targets.py"


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Modules are imported from a folder of their own, and are gone afterwards."""
    before = dict(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    yield
    for name in [name for name, module in sys.modules.items() if before.get(name) is not module]:
        if name in before:
            sys.modules[name] = before[name]
        elif name in ("targets", "bundle", "sample", "colorsys") or name.startswith(("bundle.", "sample")):
            del sys.modules[name]


def refusal(where: str, name: str = "") -> str:
    with pytest.raises(TargetError) as caught:
        find(import_module(where), name)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# ---- modules ----


def test_a_file_is_found_wherever_it_is(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    path = tmp_path / "deep" / "sample.py"
    path.write_text("def f(x: float): return x\n")
    home = import_module("deep/sample.py")
    assert (home.name, home.file, home.root) == ("sample", str(path), tmp_path / "deep")
    assert find(home, "f").function(3) == 3


def test_a_file_of_a_package_is_imported_as_its_part() -> None:
    home = import_module(str(SAMPLES / "bundle" / "uses.py"))
    assert (home.name, home.root) == ("bundle.uses", SAMPLES)
    assert find(home, "above").function(3.0) is True
    inside = import_module(str(SAMPLES / "bundle" / "__init__.py"))
    assert inside.name == "bundle"


def test_a_module_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SAMPLES)
    monkeypatch.syspath_prepend(str(SAMPLES))
    home = import_module("bundle.uses")
    assert (home.name, home.file, home.root) == ("bundle.uses", str(SAMPLES / "bundle" / "uses.py"), SAMPLES)


def test_a_module_of_the_standard_library() -> None:
    home = import_module("colorsys")
    assert home.root is None
    assert find(home, "rgb_to_hls").function(0, 0, 0) == (0, 0, 0)


def test_a_file_goes_before_a_module_of_its_name(tmp_path: Path) -> None:
    importlib.import_module("colorsys")
    (tmp_path / "colorsys.py").write_text("def f(x: float): return x\n")
    home = import_module("colorsys.py")
    assert home.file == str(tmp_path / "colorsys.py")
    assert find(home, "f").function(3) == 3


def test_a_file_whose_name_is_no_name(tmp_path: Path) -> None:
    (tmp_path / "sample-1.py").write_text("def f(x: float): return x\n")
    home = import_module("sample-1.py")
    assert find(home, "f").function(3) == 3
    assert sys.modules[home.name] is home.module


def test_what_a_module_prints_is_its_own_affair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sample.py").write_text("print('hello')\ndef f(x: float): return x\n")
    assert find(import_module("sample.py"), "f").name == "f"
    assert capsys.readouterr().out == "hello\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(x):\n    return (x\n", "does not compile: '(' was never closed (line 2 of"),
        ("import no_such_module\n", "raises ModuleNotFoundError: No module named 'no_such_module' (line 1 of"),
        ("from os import no_such_name\n", "run zeroin in the environment and the folder that the module needs"),
        ("from . import other\n", "raises ImportError: attempted relative import with no known parent package"),
        ("x = 1\nraise RuntimeError('first\\nsecond')\n", "raises RuntimeError: first second (line 2 of"),
        ("import sys\nsys.exit(4)\n", "raises SystemExit: 4 (line 2 of"),
        ("raise SystemExit\n", "put the code that runs the program under if __name__ == '__main__':"),
        ("raise KeyboardInterrupt\n", "raises KeyboardInterrupt"),
        ("1 / 0\n", "raises ZeroDivisionError: division by zero (line 1 of"),
        ("x = '\x00'\n", "null bytes"),
    ],
    ids=lambda text: text[:25],
)
def test_modules_that_can_not_be_imported(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "sample.py"
    path.write_text(text)
    found = refusal("sample.py", "f")
    assert message in found
    assert str(path) in found


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("no_such_module", "no module 'no_such_module'; a target is FILE.py:FUNCTION or"),
        ("no_such.module", "no module 'no_such'; a target is FILE.py:FUNCTION or"),
        ("json.no_such", "no module 'json.no_such'"),
        ("sys", "has no Python source (it is built into Python), so zeroin can not see its conditions; test"),
        ("_decimal", "has no Python source (it is "),
    ],
)
def test_names_that_are_no_module_with_source(where: str, message: str) -> None:
    assert message in refusal(where)


# ---- functions ----


@pytest.mark.parametrize(
    ("name", "inner", "owner"),
    [
        ("plain", "plain", None),
        ("without_parameters", "without_parameters", None),
        ("rest", "rest", None),
        ("smaller", "<lambda>", None),
        ("decorated", "decorated", None),
        ("remembered", "remembered", None),
        ("partial", "two", None),
        ("Scale.method", "Scale.method", "Scale"),
        ("Scale.__call__", "Scale.__call__", "Scale"),
        ("Scale.static", "Scale.static", None),
        ("Scale.of_class", "Scale.of_class", None),
        ("Scale.Inner.method", "Scale.Inner.method", "Inner"),
        ("Point.method", "Point.method", "Point"),
        ("scale.method", "Scale.method", None),
    ],
)
def test_functions(name: str, inner: str, owner: str | None) -> None:
    found = find(import_module(str(TARGETS)), name)
    assert found.name == name
    assert found.inner[0].__qualname__ == inner
    assert (found.owner.__name__ if found.owner else None) == owner
    assert callable(found.function)


def test_what_a_cache_remembers_is_not_what_is_tested() -> None:
    found = find(import_module(str(TARGETS)), "remembered")
    assert isinstance(found.function, FunctionType)


def test_a_function_that_numba_compiles_is_tested_as_it_is_written(modules: Modules) -> None:
    path = modules.write("import numba\n\n@numba.njit\ndef f(x):\n    return 1 if x > 3 else 2\n")
    assert isinstance(find(import_module(str(path)), "f").function, FunctionType)


VECTORIZED = """
    import numba
    import numpy as np

    @numba.vectorize
    def area(r):
        return -1.0 if r < 0 else r * r

    @numba.vectorize(["float64(float64, float64)"])
    def product(a, b):
        return a * b

    @np.vectorize
    def level(a):
        return 1 if a > 77.5 else 0

    @numba.guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
    def total(a, out):
        out[0] = a.sum()
"""


def test_of_what_is_vectorized_the_function_of_one_item_is_tested(modules: Modules) -> None:
    home = import_module(str(modules.write(VECTORIZED)))
    assert public_functions(home) == ["area", "product", "level", "total"]
    for name, value in (("area", -1.0), ("level", 0)):
        found = find(home, name)
        assert isinstance(found.function, FunctionType)
        assert found.function(-2.0) == value
    with pytest.raises(TargetError, match=r"total: is compiled by numba\.guvectorize, which is not supported"):
        find(home, "total")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("plein", "targets.py: has no function 'plein'; there is plain"),
        ("nothing_like_it", "has no function 'nothing_like_it'; there are smaller, plain, without_parameters"),
        ("Scale.methd", "Scale: has no function 'methd'; there is method"),
        ("Scal", "targets.py: has no function 'Scal'; there are Scale, callback"),
        ("Scale.xyz", "Scale: has no function 'xyz'; there are method, static, of_class"),
        ("Scale.large", "targets:Scale.large: is a property; name a function or method"),
        ("scale", "targets:scale: is an object; name a method of its class, such as targets:Scale.__call__"),
        ("CONSTANT", "targets:CONSTANT: is an int, not a function"),
        (
            "built_in",
            "is not written in Python (a builtin_function_or_method), so zeroin can not see its conditions; test",
        ),
        ("generator", "is a generator, which is not supported; write a function that runs it"),
        ("coroutine", "is a coroutine, which is not supported; write a function that runs it"),
        ("asynchronous_generator", "is an asynchronous generator, which is not supported"),
    ],
)
def test_what_can_not_be_tested(name: str, message: str) -> None:
    assert message in refusal(str(TARGETS), name)


def test_all_functions_of_a_module() -> None:
    names = public_functions(import_module(str(TARGETS)))
    assert names == [
        "smaller", "plain", "without_parameters", "rest", "typed_rest", "named", "callback", "unknown_type",
        "unknown_type_with_default", "unannotated", "doubling", "decorated", "remembered", "two", "Scale.method",
        "Scale.static", "Scale.of_class", "Point.method",
    ]  # fmt: skip


def test_what_is_passed_over_is_named_with_the_reason(modules: Modules) -> None:
    path = modules.write("""
        import typing, functools
        async def fetch(): pass
        async def events(): yield 1
        def rows(): yield 1
        def plain(): return lambda: (yield)
        @typing.overload
        def twice(x: int) -> int: ...
        @typing.overload
        def twice(x: str) -> str: ...
        def twice(x): return x
        class P:
            def __add__(self, other): return 1
            @property
            def size(self): return 2
            @functools.cached_property
            def large(self): return 2
            def method(self): return 3
        try: none
        except NameError:
            def made(): return 3
        else:
            def missing(): pass
    """)
    names = public_functions(import_module(str(path)))
    assert names == ["plain", "twice", "P.method", "made"]
    assert skipped_in("m", str(path), names) == [
        ("m:fetch", "a coroutine"), ("m:events", "an asynchronous generator"), ("m:rows", "a generator"),
        ("m:P.__add__", "a special method: covered if it is named"), ("m:P.size", "a property"),
        ("m:P.large", "a property"), ("m:missing", "replaced or removed during the import"),
    ]  # fmt: skip


def test_a_module_without_functions(modules: Modules) -> None:
    assert (
        public_functions(import_module(str(modules.write("from math import sin\nfrom shutil import copy\nX = 1\n"))))
        == []
    )


def test_the_functions_of_further_modules() -> None:
    home = import_module(str(SAMPLES / "bundle" / "uses.py"))
    both = functions_of(home, ("bundle.limits",))
    assert [(module.name, function.__name__) for module, function in both] == [
        ("bundle.uses", "above"), ("bundle.limits", "doubled")]  # fmt: skip


# ---- state ----


def state(text: str) -> tuple[StateMonitor, Any]:
    module = ModuleType("sample")
    sys.modules["sample"] = module
    exec(text, vars(module))
    functions = [value for value in vars(module).values() if isinstance(value, FunctionType)]
    return StateMonitor([Module(module, "sample", "sample.py", None)], functions), module


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("x = 1\ndef f():\n    global x\n    x = 2\n", ["sample.x"]),
        ("def f():\n    global new\n    new = 2\n", ["sample.new"]),
        ("x = 1\ndef f():\n    global x\n    del x\n", ["sample.x"]),
        ("xs = []\ndef f():\n    xs.append([])\n", ["sample.xs"]),
        ("x = float('nan')\ndef f(): pass\n", []),
        ("class C:\n    count = 0\ndef f():\n    C.count += 1\n", ["sample.C.count"]),
        ("class C:\n    def __init__(self): self.n = 0\nc = C()\ndef f():\n    c.n += 1\n", ["sample.c.n"]),
        ("def f(xs=[]):\n    xs.append(1)\n", ["f.default 0"]),
        ("def f(*, xs=[]):\n    xs.append(1)\n", ["f.default of xs"]),
        ("def f():\n    f.count = 1\n", ["f.count"]),
        ("def g():\n    n = 0\n    def h():\n        nonlocal n\n        n += 1\n    return h\nf = g()\n",
         ["g.<locals>.h.n"]),
        ("import math\nx = object()\ndef f(): return math.sin(3)\n", []),
    ],
)  # fmt: skip
def test_changed_variables_are_noticed(text: str, changed: list[str]) -> None:
    remembered, module = state(text)
    assert remembered.changed() == []
    module.f()
    assert remembered.changed() == changed


def test_threads_that_are_left_are_counted() -> None:
    remembered, _ = state("")
    assert remembered.threads() == 0
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    assert remembered.threads() == 1
    end.set()
    thread.join()
    assert remembered.threads() == 0
