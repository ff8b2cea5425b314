"""Workers that tests of one pytest process share: to start one costs more than most tests do in it.

Code that starts a worker for itself (``cover`` and ``show`` without one, a command) gets a shared one instead. It
carries out each job in the current folder of the caller, as a new one would. Where anything else that a new worker
inherits has changed since the shared one was started, the code gets a new one after all; so it does in a test that uses
the fixture ``own_worker``.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from zeroin import scratch
from zeroin.worker import parent
from zeroin.worker import worker as module
from zeroin.worker.worker import Worker

_ENVIRONMENT = threading.Lock()  # for changes of this process's environment: jobs may start in several threads
_TESTS = str(Path(__file__).parent)
_SET_BY_USERS = ("patience", "longest_load", "longest_thought", "most_waited")
_OF_PYTEST = ("PYTEST_CURRENT_TEST", "COLUMNS", "LINES")


def _inherited() -> tuple[Any, ...]:
    """What a new worker inherits from this process, apart from its current folder."""
    with _ENVIRONMENT:
        variables = dict(os.environ)
    variables = {name: value for name, value in variables.items() if name not in _OF_PYTEST}
    return variables, scratch.home(), sys.executable


class _Shared(Worker):
    """A worker that is not ended by those who use it."""

    def __init__(self) -> None:
        super().__init__()
        self._fresh = {name: getattr(self, name) for name in _SET_BY_USERS}
        self.inherited = _inherited()
        self.used = False

    def lend(self) -> _Shared:
        """For its next user, as good as new."""
        vars(self).update(self._fresh)
        self.used = True
        return self

    def __exit__(self, *error: object) -> None:
        if error and error[0] is not None:
            self.close()
        else:
            self.dismiss()
        self.used = False

    def end(self) -> None:
        """End it for good."""
        super().__exit__()

    def start(self) -> None:
        with _ENVIRONMENT:
            self._start()

    def _start(self) -> None:
        before = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (_TESTS, before)))
        os.environ["ZEROIN_TESTS_PYTHONPATH"] = before or ""
        try:
            super().start()
        finally:
            del os.environ["PYTHONPATH"], os.environ["ZEROIN_TESTS_PYTHONPATH"]
            if before is not None:
                os.environ["PYTHONPATH"] = before

    def run(self, job: str, *arguments: Any, tick: float = 0.1) -> Generator[Any, None, None]:
        return super().run("job_in_folder:in_folder", *arguments, job, os.getcwd(), tick=tick)


class SharedWorkers:
    """The shared workers of a pytest process: as many as were ever used at the same time.

    Attributes:
        on: whether code gets them.
    """

    def __init__(self) -> None:
        self.on = True
        self._workers: list[_Shared] = []

    def worker(self, *arguments: Any, **options: Any) -> Worker:
        """In place of the class :class:`Worker`: a shared one, or a new one where that would not be the same."""
        inherited = _inherited()
        if arguments or options or not self.on or (self._workers and self._workers[0].inherited != inherited):
            return Worker(*arguments, **options)
        for one in self._workers:
            if not one.used:
                return one.lend()
        self._workers.append(_Shared())
        return self._workers[-1].lend()

    @contextmanager
    def installed(self) -> Iterator[None]:
        """For a while, they are what code of zeroin starts for itself; at the end they are ended."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(parent, "Worker", self.worker)
            patch.setattr(module, "Worker", self.worker)
            yield
        for one in self._workers:
            one.end()


SHARED = SharedWorkers()
