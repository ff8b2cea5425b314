"""Run a pytest file in the process of a trial (:mod:`zeroin.emit.trial_process`), with or without pytest."""

from __future__ import annotations

import builtins
import contextlib
import faulthandler
import functools
import importlib
import os
import re
import runpy
import signal
import sys
import tempfile
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ....emit.trial_process import Diary
from ....sandbox.landlock import Sandbox
from ..run.audit_hook import PythonGuard
from .trial_surroundings import change

_TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)


def pytest_file(sandbox: Sandbox, path: str, names: Sequence[str], diary: Diary, seconds: float,
                changes: Sequence[str] = (), own: Sequence[str] = ()) -> None:  # fmt: skip
    """Run tests of a file with pytest, and end the process with pytest's status.

    If pytest is not installed, a small replacement runs the tests. Then the status is 1 if a test fails, else 0. A test
    that takes too long ends the process with status 1.

    Args:
        sandbox: the sandbox of this process.
        path: the test file.
        names: the names of the tests to run; empty for all.
        diary: gets the results of the tests.
        seconds: the time limit of one test.
        changes: the surroundings to change, see :func:`.trial_surroundings.change`.
        own: files and folders of the code under test.
    """
    change(changes, own)
    watch = _Watch(diary, seconds)
    PythonGuard(sandbox).install()
    try:
        import pytest
    except ImportError:
        sys.exit(_by_hand(Path(path), names, watch))
    chosen = [f"{path}::{name}" for name in names] or [path]
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-o", "addopts=", "--noconftest", "-c", os.devnull,
                          f"--rootdir={Path(path).parent}", f"--basetemp={sandbox.scratch}/tests", *chosen],
                         plugins=[watch]))  # fmt: skip


class _Watch:
    """A pytest plugin that writes the results of tests into a diary, and ends the process if a test is too slow.

    A test also fails if it leaves global state of the interpreter changed. A file that can not be imported has an
    entry with an empty name.
    """

    def __init__(self, diary: Diary, seconds: float) -> None:
        self._diary, self._seconds = diary, seconds
        self._why, self._before = "", _Surroundings()
        self._nowhere = open(os.devnull, "w")  # noqa: SIM115

    def pytest_runtest_logstart(self, nodeid: str, location: object) -> None:
        self._why, self._before = "", _Surroundings()
        faulthandler.dump_traceback_later(self._seconds, exit=True, file=self._nowhere)
        self._diary.begins(nodeid.rpartition("::")[2])

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self._why:
            crash = getattr(report.longrepr, "reprcrash", None)
            self._why = str(crash.message if crash else report.longrepr)

    def pytest_runtest_logfinish(self, nodeid: str, location: object) -> None:
        if not self._why and (left := self._before.changed()):
            self._why = f"it changes {left} for the tests after it"
        self._diary.ends(nodeid.rpartition("::")[2], (self._why.strip().splitlines() or [""])[0])

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            lines = [line for line in str(report.longrepr).splitlines() if line.startswith("E ")]
            self._diary.ends("", lines[-1].removeprefix("E ").strip() if lines else "it can not be imported")


class _Surroundings:
    """Remembers global state of the interpreter, to find changes that a test leaves behind.

    It consists of the recursion limit, timers, builtins, and functions of standard modules. A module that the test
    imported anew does not count.
    """

    def __init__(self) -> None:
        self._limit, self._timers, self._own = self._state()
        self._modules = [(name, module, [item for item in vars(module).items()
                                         if callable(item[1]) and item[0] != "last_type"])  # pytest's own, in sys
                         for name, module in list(sys.modules.items()) if name in sys.stdlib_module_names]  # fmt: skip

    def _state(self) -> tuple[int, list[bool], dict[str, int]]:
        """Return the recursion limit, which timers run, and the identities of builtins by name."""
        timers = [signal.getitimer(timer)[0] > 0 for timer in _TIMERS]
        own = {name: id(value) for name, value in vars(builtins).items() if name != "_"}
        return sys.getrecursionlimit(), timers, own

    def changed(self) -> str:
        """Return the name of the first change; empty if there is none."""
        limit, timers, own = self._state()
        if limit != self._limit:
            return "the recursion limit"
        if timers != self._timers:
            return "a timer"
        if own != self._own:
            return "the builtins module"
        for name, module, functions in self._modules:
            if sys.modules.get(name) is module:
                now = vars(module)
                for key, function in functions:
                    if now.get(key, function) is not function:
                        return f"{name}.{key}"
        return ""


def _by_hand(path: Path, names: Sequence[str], watch: _Watch) -> int:
    """Run tests with a replacement for the parts of pytest that emitted files use. Return 1 if a test fails, else 0.

    The replacement stays in ``sys.modules``. Without names, all tests of the file run.
    """
    fixtures: list[Callable[..., Any]] = []
    stand_in: Any = types.ModuleType("pytest")
    stand_in.raises = _raises
    stand_in.fixture = lambda autouse: fixtures.append
    stand_in.mark = types.SimpleNamespace(parametrize=_with_rows, xfail=_xfail)
    stand_in.param = lambda *values, id: (id, values)
    sys.modules["pytest"] = stand_in
    found = {f"{name}[{row}]" if row else name: functools.partial(test, *values)
             for name, test in runpy.run_path(str(path)).items() if name.startswith("test_")
             for row, values in getattr(test, "rows", [("", ())])}  # fmt: skip
    failed = False
    for name in names or found:
        watch.pytest_runtest_logstart(name, None)
        report = types.SimpleNamespace(failed=False, longrepr="")
        try:
            for fixture in fixtures:
                given = {"tmp_path": Path(tempfile.mkdtemp()), "monkeypatch": _Patches()}
                code = fixture.__code__
                fixture(*(given[parameter] for parameter in code.co_varnames[: code.co_argcount]))
            found[name]()
        except BaseException as error:
            report.failed, report.longrepr = True, f"{type(error).__name__}: {error}".strip(": ")
        failed = failed or report.failed
        watch.pytest_runtest_logreport(report)
        watch.pytest_runtest_logfinish(name, None)
    return int(failed)


def _with_rows(names: object, rows: list[tuple[str, tuple[object, ...]]]) -> Callable[..., object]:
    """Replace ``pytest.mark.parametrize``: the test gets the rows, each with its name, as an attribute."""

    def marked(test: Any) -> object:
        test.rows = rows
        return test

    return marked


def _xfail(strict: bool, raises: type[BaseException], reason: str) -> Callable[..., object]:
    """Replace ``pytest.mark.xfail``: the test passes exactly if it raises this exception."""

    def marked(test: Callable[[], None]) -> Callable[[], None]:
        def expected() -> None:
            with _raises(raises):
                test()

        return expected

    return marked


class _Patches:
    """A replacement for pytest's ``monkeypatch``. It does not undo its changes, as no other test needs that."""

    chdir = staticmethod(os.chdir)

    def setattr(self, path: str, value: object) -> None:
        module, _, name = path.rpartition(".")
        setattr(importlib.import_module(module), name, value)


@contextlib.contextmanager
def _raises(kind: type[BaseException], match: str = "") -> Iterator[object]:
    """Replace ``pytest.raises``. ``value`` of the object that it provides is the exception after the context.

    Raises:
        AssertionError: there was no exception, or its message does not match.
    """
    caught = types.SimpleNamespace(value=None)
    try:
        yield caught
    except kind as error:
        caught.value = error
        if not re.search(match, str(error)):
            raise AssertionError(f"the message is {error}") from error
    else:
        raise AssertionError(f"DID NOT RAISE {kind}")
