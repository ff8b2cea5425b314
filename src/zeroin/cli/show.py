"""``zeroin show``: print signature, sites and branches of the targets, or the path condition of one run."""

from __future__ import annotations

import sys

from ..errors import ZeroinError
from ..report.style import Style
from ..report.text import render_path, render_signature
from ..subject.language import Skipped
from ..worker.locations import parse_target
from ..worker.messages import Followed
from ..worker.parent import follow, show, targets_of
from ..worker.worker import Worker
from .configuration import CommandLine
from .main import DONE, REFUSED, tell
from .selection import TargetOptions


def run(line: CommandLine, worker: Worker) -> int:
    """Print each target and return the exit status: 0, or 2 if none could be shown. Targets run only with ``--path``.

    Raises:
        ZeroinError: a target that was named can not be tested. For functions of a whole file, the error is printed
            instead.
    """
    particular, path, shown = TargetOptions(line, tell), line.parsed.path, False
    for text in line.parsed.targets:
        location = parse_target(text)
        found = targets_of(location, particular.common, worker, particular.of_file)
        if found.skipped:
            tell(f"{text}: skipped: {', '.join(_named(one, text) for one in found.skipped)}")
        for target in found.targets:
            options = particular.of(target, len(found.targets) > 1)
            try:
                loaded = (show(target, options, worker) if path is None else
                          follow(target, path, options, worker))  # fmt: skip
            except ZeroinError as error:
                if location.function is not None:
                    raise
                print(f"zeroin: {error}", file=sys.stderr)
                continue
            shown_now = render_signature(loaded.signature, loaded.sites, target.where, Style.of(sys.stdout))
            if isinstance(loaded, Followed):
                shown_now += f"\n\n{render_path(loaded, path)}"
            print(("\n\n" if shown else "") + shown_now)
            shown = True
    particular.databases.tell()
    return DONE if shown else REFUSED


def _named(skipped: Skipped, where: str) -> str:
    return f"{skipped.text.removeprefix(f'{where}:')} ({skipped.why})"
