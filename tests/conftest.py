"""What all tests share."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from programs import Programs
from shared_worker import SHARED
from suites import SAMPLES, MakeSuite, suite_maker
from zeroin import Budget, Options, Suite, cover
from zeroin.cache import FOR_ALL, lacks_kernels
from zeroin.registry import lazy_factory

SLOW = Path(__file__).with_name("slow.txt")  # written by tools/slow_tests.py

# Native code is compiled or loaded in the first example, so no deadline; the same examples in every run.
settings.register_profile("ci", deadline=None, derandomize=True, database=None, max_examples=30)
settings.register_profile("long", settings.get_profile("ci"), max_examples=200)
settings.load_profile("ci")


_COMPILE = """
from zeroin.minimize import MINIMIZERS, warm_up_named
from zeroin.worker.job import compile_kernels
for name in MINIMIZERS:
    warm_up_named(name)
compile_kernels(lambda: None, lambda: None)
"""


def pytest_configure(config: pytest.Config) -> None:
    """Compile the kernels once, before xdist starts processes that would each do so, and keep the memory for that."""
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput") and lacks_kernels(FOR_ALL):
        subprocess.run([sys.executable, "-c", _COMPILE], check=True)


@pytest.fixture(scope="session", autouse=True)
def no_plugins() -> None:
    """For pytest in processes that tests start: to import ours takes longer than what it runs there."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"


@pytest.fixture(scope="session", autouse=True)
def signals_are_heard() -> None:
    """A shell that starts the tests in the background has them, and what they start, ignore Ctrl-C."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


@pytest.fixture(scope="session", autouse=True)
def shared_workers(no_plugins: None) -> Iterator[None]:
    """Tests that need no worker of their own share one: see :mod:`shared_worker`."""
    with SHARED.installed():
        yield


@pytest.fixture
def own_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this test starts a worker for gets one of its own."""
    monkeypatch.setattr(SHARED, "on", False)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """Loads functions from C text, each once a module: loaded code takes a megabyte each."""
    return Programs(tmp_path_factory.mktemp("programs"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that ``slow.txt`` lists, so that ``-m "not slow"`` leaves them out."""
    slow = set(SLOW.read_text().splitlines())
    for item in items:
        if item.nodeid in slow:
            item.add_marker("slow")


def pytest_collection_finish() -> None:
    """Half a million objects of modules and tests stay to the end: do not look through them again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def make_suite(tmp_path: Path) -> MakeSuite:
    """Makes suites of C text by hand."""
    return suite_maker(tmp_path)


@pytest.fixture(scope="session")
def covered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Suite]]:
    """What the workers send for the samples of each language."""
    found: dict[str, list[Suite]] = {}
    for language, file, text in SAMPLES:
        path = tmp_path_factory.mktemp("sample") / file
        path.write_text(text)
        suite = cover(f"{path}:sign", Options(budget=Budget(2000)))
        assert suite.target.language == language
        assert suite.percent == 100.0
        assert len(suite.findings) == 1
        found.setdefault(language, []).append(suite)
    return found


@pytest.fixture
def plug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, Any], str, str], None]:
    """``plug(registry, "module:Class", text)``: a new file and a line more in a registry, for one test."""

    def plugged(registry: dict[str, Any], path: str, text: str) -> None:
        (tmp_path / f"{path.partition(':')[0]}.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setitem(registry, "dummy", lazy_factory(path))

    return plugged
