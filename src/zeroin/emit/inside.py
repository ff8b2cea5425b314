"""What runs an emitted test: a process of its own, where code under test can do no more harm than in a worker. It is
started by :func:`zeroin.emit.trial.run_inside`, and tells what comes of each test in lines of JSON."""

from __future__ import annotations

import builtins
import contextlib
import ctypes
import faulthandler
import functools
import importlib
import json
import os
import re
import resource
import runpy
import signal
import sys
import tempfile
import time
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from .. import forking
from ..subject.fence import Fence

ENTRY = "zeroin_start"  # what a C test is called through
UNLOADABLE = "unloadable"
# What a compiler may call without being asked to: division of 128 bits, exceptions.
_HELPFUL = ("libgcc_s.so.1", "libstdc++.so.6")
_TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)
_LEAST = 0.001  # seconds between looks at a process


def main() -> None:
    """Import the modules that are named, wait for the order, and carry it out."""
    forking.end_with_parent()
    for name in sys.argv[1:]:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    order = sys.stdin.buffer.read()
    if order:
        _carry_out(json.loads(order))


def _carry_out(order: dict[str, Any]) -> None:
    """Shut this process in and call what is to be called."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for descriptor in (nothing, *order["unused"]):
        os.close(descriptor)
    scratch = Path(order["scratch"])
    fence = Fence(scratch, frozenset(order["allow"]), tuple(map(Path, order["writable"])))
    module, _, name = order["call"].partition(":")
    fence.close(programs=True, tells=name == pytest_file.__name__)  # a program's handlers would be its own
    tempfile.tempdir = os.environ["TMPDIR"] = _made(scratch / "temporary")
    os.chdir(_made(scratch / "here"))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    getattr(importlib.import_module(module), name)(fence, *order["arguments"])


def _made(folder: Path) -> str:
    folder.mkdir()
    return str(folder)


def program(fence: Fence, path: str, *arguments: str) -> None:
    """Become a program."""
    os.execv(path, [path, *arguments])


class _Diary:
    """Tells what becomes of each test; one that has begun and not ended has ended the process."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def begins(self, name: str) -> None:
        self._write([name, None])

    def ends(self, name: str, why: str) -> None:
        """``why`` it does not pass; empty if it does."""
        self._write([name, why])

    def _write(self, entry: list[str | None]) -> None:
        os.write(self._descriptor, f"\n{json.dumps(entry)}\n".encode())


# ---- C ----


def library(fence: Fence, path: str, names: Sequence[str], diary: int, seconds: float, blames: bool) -> None:
    """Call a C test that was linked as a shared library, see :func:`_each`."""
    told = _Diary(diary)
    for helpful in _HELPFUL:
        with contextlib.suppress(OSError):
            ctypes.CDLL(helpful, mode=os.RTLD_GLOBAL)
    try:
        start = getattr(ctypes.CDLL(path), ENTRY)
    except OSError as error:
        told.ends(UNLOADABLE, str(error).removeprefix(f"{path}: "))
        return

    def called(words: Sequence[str]) -> None:
        given = (ctypes.c_char_p * (len(words) + 1))(*map(os.fsencode, words), None)
        ctypes.CDLL(None).exit(start(len(words), given))

    _each(fence, called, path, names, told, seconds, blames)


def executable(fence: Fence, path: str, names: Sequence[str], diary: int, seconds: float, blames: bool) -> None:
    """Run a C test that was linked as a program, see :func:`_each`."""

    def run(words: Sequence[str]) -> None:
        os.execv(path, [*words])

    _each(fence, run, path, names, _Diary(diary), seconds, blames)


def _each(fence: Fence, start: Callable[[Sequence[str]], None], path: str, names: Sequence[str], told: _Diary,
          seconds: float, blames: bool) -> None:  # fmt: skip
    """Start a C test once for each name, in a process of its own: a name is that of a case; an empty one stands for all
    cases, which are run if each has passed alone. If they do not pass then, and that is to be blamed on one of them, it
    is the first one that does not pass behind those before it."""
    cases = [name for name in names if name]
    for number, case in enumerate(cases):
        os.chdir(_made(fence.scratch / f"case{number}"))
        told.begins(case)
        told.ends(case, why := _called(start, [path, case], seconds))
        if why:
            blames = False
            names = cases
    if len(names) == len(cases):
        return
    os.chdir(_made(fence.scratch / "all"))
    told.begins("")
    told.ends("", why := _called(start, [path], seconds))
    if not why or not blames:
        return

    def fails(count: int) -> str:
        with tempfile.TemporaryDirectory(dir=fence.scratch) as folder:
            os.chdir(folder)
            why = _called(start, [path, *cases[:count]], seconds)
            os.chdir(fence.scratch)
        return why

    low, high = 1, len(cases)
    if high < 2 or not fails(high):
        return
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fails(middle) else (middle, high)
    told.ends(cases[high - 1], f"behind the cases before it, {fails(high)}")


def _called(start: Callable[[Sequence[str]], None], words: Sequence[str], seconds: float) -> str:
    """Start it in a process of its own, which ``start`` ends; why it does not pass."""
    process = forking.fork()
    if not process:
        os.setpgid(0, 0)
        forking.end_with_parent()
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        try:
            start(words)
        finally:
            os._exit(127)
    end, pause = time.monotonic() + seconds, _LEAST
    try:
        while time.monotonic() < end:
            found, status = os.waitpid(process, os.WNOHANG)
            if found:
                return _why(os.waitstatus_to_exitcode(status))
            time.sleep(pause)
            pause = min(2 * pause, 0.05)
        forking.end(process)
        os.waitpid(process, 0)
        return f"it does not end within {seconds:g} seconds"
    finally:
        forking.end_group(process)


def _why(status: int) -> str:
    if status < 0:
        return f"the test ends with {signal.Signals(-status).name}"
    return "" if status == 0 else "it does something else" if status == 1 else f"the test ends with status {status}"


# ---- Python ----


def pytest_file(fence: Fence, path: str, names: Sequence[str], diary: int, seconds: float,
                changes: Sequence[str] = (), own: Sequence[str] = ()) -> None:  # fmt: skip
    """Run the tests of those names, or all if there are none, by pytest; without pytest, as it would. The surroundings
    are changed as :func:`zeroin.emit.surroundings.change` says."""
    from ..subject.python.guard import PythonGuard
    from .surroundings import change

    change(changes, own)
    watch = _Watch(_Diary(diary), seconds)
    PythonGuard(fence).install()
    try:
        import pytest
    except ImportError:
        sys.exit(_by_hand(Path(path), names, watch))
    chosen = [f"{path}::{name}" for name in names] or [path]
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-o", "addopts=", "--noconftest", "-c", os.devnull,
                          f"--rootdir={Path(path).parent}", f"--basetemp={fence.scratch}/tests", *chosen],
                         plugins=[watch]))  # fmt: skip


class _Watch:
    """A plugin of pytest's that keeps a diary, and ends the process when a test takes too long."""

    def __init__(self, diary: _Diary, seconds: float) -> None:
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
            self._why = f"the tests after it, and pytest, find another {left}"
        self._diary.ends(nodeid.rpartition("::")[2], (self._why.strip().splitlines() or [""])[0])

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            lines = [line for line in str(report.longrepr).splitlines() if line.startswith("E ")]
            self._diary.ends("", lines[-1].removeprefix("E ").strip() if lines else "it can not be imported")


class _Surroundings:
    """What a test may leave changed that is not its own: the functions of Python's modules, too, but for a module that
    it has imported anew."""

    def __init__(self) -> None:
        self._limit, self._timers, self._own = self._state()
        self._modules = [(name, module, [item for item in vars(module).items()
                                         if callable(item[1]) and item[0] != "last_type"])  # pytest's own, in sys
                         for name, module in list(sys.modules.items()) if name in sys.stdlib_module_names]  # fmt: skip

    def _state(self) -> tuple[int, list[bool], dict[str, int]]:
        timers = [signal.getitimer(timer)[0] > 0 for timer in _TIMERS]
        own = {name: id(value) for name, value in vars(builtins).items() if name != "_"}
        return sys.getrecursionlimit(), timers, own

    def changed(self) -> str:
        """The first thing that is another one now; empty if there is none."""
        limit, timers, own = self._state()
        if limit != self._limit:
            return "recursion limit"
        if timers != self._timers:
            return "timer"
        if own != self._own:
            return "builtins module"
        for name, module, functions in self._modules:
            if sys.modules.get(name) is module:
                now = vars(module)
                for key, function in functions:
                    if now.get(key, function) is not function:
                        return f"{name}.{key}"
        return ""


def _by_hand(path: Path, names: Sequence[str], watch: _Watch) -> int:
    """As much of pytest as an emitted file makes use of."""
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


def _with_rows(names: object, rows: list[tuple[str, tuple[Any, ...]]]) -> Callable[..., Any]:
    def marked(test: Any) -> Any:
        test.rows = rows
        return test

    return marked


def _xfail(strict: bool, raises: type[BaseException], reason: str) -> Callable[..., Any]:
    def marked(test: Callable[[], None]) -> Callable[[], None]:
        def expected() -> None:
            with _raises(raises):
                test()

        return expected

    return marked


class _Patches:
    """What an emitted file asks of pytest's ``monkeypatch``; nothing has to be put back."""

    chdir = staticmethod(os.chdir)

    def setattr(self, path: str, value: object) -> None:
        module, _, name = path.rpartition(".")
        setattr(importlib.import_module(module), name, value)


@contextlib.contextmanager
def _raises(kind: type[BaseException], match: str = "") -> Iterator[Any]:
    caught = types.SimpleNamespace(value=None)
    try:
        yield caught
    except kind as error:
        caught.value = error
        if not re.search(match, str(error)):
            raise AssertionError(f"the message is {error}") from error
    else:
        raise AssertionError(f"DID NOT RAISE {kind}")


if __name__ == "__main__":
    main()
