"""Kernels and callbacks: called by each other, by address and by Python; compiled when they are needed, and kept."""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
import sys
from collections import namedtuple
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import types

from zeroin import cache
from zeroin.native.kernel import CELLS, RARE, allocating, callback, form_of, inlined, kernel, loading_inside, rare
from zeroin.native.machine import optimise


@inlined
def _twice(x: Any) -> Any:
    return 2 * x


@kernel
def _half_of_twice(x: Any) -> Any:
    return _twice(x) / 2


@allocating
def _reversed(x: Any) -> Any:
    return x[::-1].copy()


@rare
def _noted(cells: Any) -> Any:
    cells[0] += 1


@kernel
def _count_odd(x: Any, cells: Any) -> Any:
    for i in range(len(x)):
        if x[i] % 2 == 1:
            _noted(cells)


def test_rare_kernels_stay_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    optimised: list[str] = []

    def watched(module: Any, level: int) -> None:
        optimise(module, level)
        optimised.append(str(module))

    monkeypatch.setattr("zeroin.native.kernel.optimise", watched)
    counted = np.zeros(1, dtype=np.int64)
    _count_odd(np.arange(7), counted)
    assert counted[0] == 3
    (text,) = optimised  # not compiled by Numba, which knows nothing of this
    (defined,) = [line for line in text.splitlines() if line.startswith("define") and RARE in line]
    group = defined.split("#")[1].split()[0]
    (attributes,) = [line for line in text.splitlines() if line.startswith(f"attributes #{group} ")]
    assert {"cold", "noinline"} <= set(attributes.split())


def test_kernels_are_called_by_kernels_and_by_python() -> None:
    assert _half_of_twice(21) == 21.0
    assert _twice(21) == 42
    assert _twice(0.75) == 1.5
    assert _twice.py_func(3) == 6  # type: ignore[attr-defined]
    assert _twice.__doc__ is None
    assert _twice.__name__ == "_twice"
    assert _reversed(np.array([1, 2, 3])).tolist() == [3, 2, 1]


def test_what_is_needed_for_the_first_time_is_loaded_inside_of_what_is_asked_for() -> None:
    @kernel
    def three(x: Any) -> Any:
        return 3 * x

    @allocating
    def threes(n: Any) -> Any:
        return np.full(n, 3)

    seen: list[Any] = []

    @contextmanager
    def noted() -> Iterator[None]:
        yield
        seen.append((len(three._entries), len(threes._whole.signatures)))  # type: ignore[attr-defined]

    with loading_inside(noted):
        assert three(1.0) == three(1.0) == 3.0
        assert seen == [(1, 0)]
        assert threes(2).tolist() == [3, 3]
        assert seen[-1] == (1, 1)
    before = len(seen)
    assert threes(4).tolist() == [3] * 4
    assert len(seen) == before


def test_what_divides_by_zero_is_infinite_as_in_c() -> None:
    @kernel
    def quotient(a: Any, b: Any) -> Any:
        return a / b

    assert quotient(1.0, 0.0) == np.inf


@callback(types.float64(CELLS))
def _first(words: Any) -> float:
    return float(words[0]) + 0.5


def test_callbacks_are_compiled_when_their_address_is_asked_for() -> None:
    assert "address" not in vars(_first)
    call = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(_first.address)
    assert call(ctypes.addressof(ctypes.c_int64(7))) == 7.5
    assert vars(_first)["address"] == _first.address


@callback(types.float64(CELLS))
def _rounded(words: Any) -> float:
    """Copies an array, for which it needs functions of Numba's own."""
    return float(np.round(np.array([float(words[0]) / 2]), 0)[0])


def test_callbacks_that_need_numba_are_run_by_numba() -> None:
    call = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(_rounded.address)
    assert call(ctypes.addressof(ctypes.c_int64(7))) == 4.0


@allocating
def _sorted_halves(x: Any) -> Any:
    return np.sort(np.array([_half_of_twice(v) for v in x]))


def test_parts_of_which_only_the_text_was_made_run_in_others() -> None:
    assert _half_of_twice(np.int64(5)) == 5.0
    assert _sorted_halves(np.array([5, 3])).tolist() == [3.0, 5.0]


class _Tables(namedtuple("_Tables", "a b")):
    only_indexed = True


def test_tables_are_passed_without_their_lengths() -> None:
    @kernel
    def both(tables: Any, i: Any) -> Any:
        return tables.a[i] + tables.b[i]

    values: list[Any] = []
    tables = _Tables(np.array([1, 2]), np.array([10.0, 20.0]))
    assert form_of(tables, values) == (_Tables, "cells", ("float64", 1))
    assert len(values) == 3
    assert both(tables, 1) == 22.0


@pytest.mark.parametrize("enabled", [True, False])
def test_compiling_leaves_the_garbage_collector_as_it_was(enabled: bool) -> None:
    @kernel
    def plus_one(x: Any) -> Any:
        return x + 1

    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        assert plus_one(1) == 2
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_an_empty_cache_is_filled_by_one_run_however_short(tmp_path: Path) -> None:
    subject = tmp_path / "roots.py"
    subject.write_text("def f(x: float) -> int:\n    return 1 if x * x == 2.25 and x < 0 else 0\n")
    command = [sys.executable, "-m", "zeroin", "cover", f"{subject}:f", "--emit", "none", "--fail-under", "100"]
    command += ["--find", "none"]  # to look for faults takes long enough for the rest of the kernels
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (kept,) = (tmp_path / "cache" / "zeroin" / "kernels").iterdir()
    assert len(list(kept.glob("zeroin_*"))) > 10
    assert cache.read(kept / cache.FOR_SEARCHES) is not None
    # What few searches need takes twice as long as all the rest, and nobody has waited for it.
    assert cache.read(kept / cache.FOR_ALL) is None


_CALLS_AT_EVERY_SIZE = """
import llvmlite.binding as llvm
from zeroin.native import machine
machine.load_libraries()
names = ["sin", "cos", "tan", "exp", "log", "asin", "acos", "atan", "sinh", "cosh", "tanh", "cbrt", "erf", "rint",
         "ceil", "floor", "trunc", "round", "fabs", "sqrt", "exp2", "log2", "log10", "log1p", "expm1",
         "asinh", "acosh", "atanh"]
calls = "".join(f"%r{n} = call double @{name}(double %x)" + chr(10) for n, name in enumerate(names))
declared = "".join(f"declare double @{name}(double)" + chr(10) for name in names)
for size in range(4096 - 8 * len(names) - 64, 4096 + 64, 8):
    text = f"@cells = global [{size} x i8] zeroinitializer" + chr(10) + declared
    for n in range(2):  # into what is there already, too
        function = f"define double @f{n}(double %x) {{" + calls + "ret double %r0 }"
        if n == 0:
            code = machine.MachineCode(llvm.parse_assembly(text + function))
        else:
            code.add(llvm.parse_assembly(text.replace("cells", "others") + function))
print("done")
"""


def test_there_is_room_for_calls_of_libraries_whatever_else_there_is() -> None:
    """LLVM ends the process where there is none."""
    done = subprocess.run([sys.executable, "-c", _CALLS_AT_EVERY_SIZE], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("done\n", 0), done.stderr[-300:]


_WITH_SCATTERED_ROOM = """
import ctypes
from zeroin import cache
from zeroin.native import kernel
from zeroin.worker.job import compile_kernels, prepare
prepare()
compile_kernels(lambda: None, lambda: None)
libc, page = ctypes.CDLL(None), 4096
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
take = lambda size: libc.mmap(None, size, 0, 0x4022, -1, 0)  # private, anonymous, without reserve
size = (3 << 30) + 64 * page
region = take(size)
while take(page) > region:
    pass  # until there is no room above
for n in range(1, 64, 2):
    libc.munmap(region + size - n * page, page)
files = [file for file in cache.kernels().glob("zeroin_*") if not file.suffix]
for file in files:
    kernel._load(file.name, cache.read(file).partition(b"\\n")[2])
print(len(files) > 10)
"""


def test_kernels_are_loaded_where_free_memory_is_in_pieces_far_apart() -> None:
    """LLVM ends the process if parts of an object file are more than 2 GB apart."""
    done = subprocess.run([sys.executable, "-c", _WITH_SCATTERED_ROOM], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("True\n", 0), done.stderr[-300:]


def test_all_sources_of_kernels_count_for_what_is_kept() -> None:
    """Else machine code of a former version would be used."""
    sources = {path: path.read_bytes() for path in Path(cache.__file__).parent.rglob("*.py")}
    decorators = [b"\n@" + name for name in (b"kernel", b"inlined", b"allocating", b"callback", b"overloaded")]
    made = [path for path, content in sources.items() if any(one in content for one in decorators)]
    assert {"forwards.py", "tabu.py", "words.py"} <= {path.name for path in made}
    assert [path for path in made if not cache.has_kernels(path, sources[path])] == []
