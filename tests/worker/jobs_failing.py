"""The job on a target, with a mistake of ours in the task, or before the task, that its function is named after; or
with a task that does not end, although it gives signs of life."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from typing import Any

from zeroin.config import Options
from zeroin.native.cells import MUTANT, Phase
from zeroin.subject.base import Target
from zeroin.worker import job
from zeroin.worker.base_process import Link


def cover(link: Link, target: Target, options: Options) -> None:
    what, _, task = target.function.partition("_")
    tasks = job.Tasks(job._load(link, target, options), options, target)
    works = tasks.works()

    def failing(link: Link, *arguments: Any) -> None:
        while what == "endless":
            link.phase(Phase.FINISHING)
            link.memory[MUTANT] = link.memory[MUTANT] % 1000 + 1
            time.sleep(0.01)
        if task == "search":  # not before it has found something
            works[task].run(link, *arguments)
        raise RuntimeError("a mistake of ours")

    def before(name: str) -> None:
        tasks.prepare(name)
        if name == task and what == "prepare":
            raise RuntimeError("a mistake of ours")
        if name == task and what == "kill":
            os.kill(os.getppid(), signal.SIGKILL)

    link.serve({**works, task: replace(works[task], run=failing)} if what in ("fail", "endless") else works, before)
