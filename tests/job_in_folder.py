"""What a shared worker runs: it imports nothing that jobs have not imported already, so it costs no time."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zeroin.worker.base_process import Link


def in_folder(link: Link, *arguments: Any) -> None:
    """Job: another job, in a folder. The last two arguments are the job and the folder."""
    *others, job, folder = arguments
    tests = str(Path(__file__).parent)
    sys.path[:] = [folder, *(one for one in sys.path[1:] if one != tests)]  # as a new worker has it
    os.environ.pop("PYTHONPATH")
    if before := os.environ.pop("ZEROIN_TESTS_PYTHONPATH"):
        os.environ["PYTHONPATH"] = before
    os.chdir(folder)
    name, _, function = job.partition(":")
    getattr(importlib.import_module(name), function)(link, *others)
