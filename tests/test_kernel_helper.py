"""What a process that runs code under test may have compiled: kernels of ours, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from zeroin.distance import UNMET
from zeroin.native import kernel_helper
from zeroin.native.kernel import Callback, Kernel
from zeroin.subject import search_problem

_FORMS: Any = ["int64", ["int64", 1]]


def test_a_kernel_and_a_callback_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[Any]()
    monkeypatch.setattr(Kernel, "_entry", lambda self, forms: asked.append((self, forms)))
    kernel_helper._serve(json.dumps(["zeroin.subject.search_problem:_record", _FORMS]).encode())
    assert asked == [(search_problem._record, ("int64", ("int64", 1)))]
    monkeypatch.setattr(Callback, "address", property(lambda self: asked.append(self._signature)))
    kernel_helper._serve(json.dumps(["zeroin.subject.search_problem:_trace_int", search_problem.INT_PEN]).encode())
    assert asked[1:] == [search_problem.INT_PEN]


@pytest.mark.parametrize("distance", UNMET)
def test_callbacks_of_distances_are_compiled(distance: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Callback, "address", property(lambda self: self._function))
    asked = json.dumps([f"zeroin.distance:unmet_{distance}", "float64(int64, float64, float64)"])
    assert kernel_helper._serve(asked.encode()) is UNMET[distance].py_func


_CALLED, _KERNEL = "zeroin.subject.search_problem:_trace_int", "zeroin.subject.search_problem:_record"


@pytest.mark.parametrize("request_", [
    ["os:system", "int64(int64)"], ["zeroin.__main__:main", _FORMS], ["subprocess:run", _FORMS],
    [_CALLED, "__import__('os').system('touch evaluated')"], [_CALLED, "int64(int64)\n"], [_CALLED, "int64(a.b)"],
    ["zeroin.subject.search_problem:_nothing", _FORMS], [_KERNEL, [["os:system", "int64"]]], [_KERNEL, ["x"]],
    [_KERNEL, [["zeroin.sandbox.forking:end", "int64"]]], [_KERNEL, [["int64", "1"]]], [_KERNEL, [["int64", -1]]],
    [_KERNEL], 1, "x",
])  # fmt: skip
def test_nothing_else_is(request_: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Kernel, "_entry", lambda self, forms: pytest.fail("it is compiled"))
    with pytest.raises((ValueError, KeyError, TypeError, AttributeError, ModuleNotFoundError)):
        kernel_helper._serve(json.dumps(request_).encode())
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_kernel_is_not_called(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel_helper._serve(json.dumps(["zeroin.sandbox.forking:end", []]).encode())


def test_what_it_compiles_is_kept(tmp_path: Path) -> None:
    """A kernel that is first needed where nothing can be written is there for the next process."""
    script = """
        import numpy as np
        from zeroin import cache
        from zeroin.native import kernel_helper
        kernel_helper.start()
        cache.read_only()
        from zeroin.minimize import _one
        from zeroin.minimize.base import sample
        from zeroin.minimize import _trial
        door, domain, x, rng = _trial()
        sample(domain.native, x, rng)
        print(_one.address > 0, len([*cache.kernels().iterdir()]) > 0)
    """
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], env=environment, capture_output=True,
                          text=True, check=False, timeout=200)  # fmt: skip
    assert done.stdout == "True True\n", done.stderr
    assert [one for one in (tmp_path / "zeroin" / "kernels").rglob("zeroin_*") if not one.name.endswith(".lock")]
