"""``zeroin cover``: find inputs for every branch of the targets, report them, and write tests."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence

from ..config import Options
from ..emit.trial import end_prestarted
from ..languages.plugins import EMITTERS
from ..report.live import for_terminal
from ..report.summary import floored, percent_of
from ..sandbox.landlock import missing_protections
from ..subject.base import words_for
from ..subject.language import Skipped
from ..suite.suite import UNDECIDED, Suite
from ..worker.locations import parse_target
from ..worker.parent import cover_all
from ..worker.worker import Worker
from .configuration import CommandLine
from .delivery import Delivery
from .interrupt import Interrupt, handling_signals
from .main import DONE, FOUND, REFUSED, tell
from .output import Output
from .selection import Selection, TargetOptions, select_targets
from .target_patterns import out_of_date


def run(line: CommandLine, worker: Worker) -> int:
    """Cover all targets, print and write the results, and return the exit status.

    The status is 1 for findings or too few decided branches. It is 2 if a file can not be written, or if a target that
    was named by itself, or every target, is refused. After a signal, it is 128 and the signal's number.

    Raises:
        ZeroinError: an option is invalid, or a target is not found.
    """
    options, output, interrupt = TargetOptions(line, tell), Output.read(line), Interrupt()
    output.prepare_files()
    if output.verbose:
        logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    if missing := missing_protections():
        tell(f"note: {' and '.join(missing)}: the sandbox around code under test is incomplete")
    with end_prestarted():
        locations = [parse_target(text) for text in line.parsed.targets]
        if not locations[0].is_folder:
            _prestart_trials(locations[0].language.name, output)  # while the worker finds the targets
        selection = select_targets(options, locations, worker)
        output.check_use(selection.targets)
        with handling_signals(interrupt.take):
            delivery = _covered(selection, options.common, output, worker, interrupt)
    skipped = selection.skipped + delivery.skipped
    delivery.close(skipped)
    for pattern in out_of_date(delivery.suites, output.known):
        print(f'note: allow-findings: "{pattern.written}" matches no finding any more; take it out of the '
              "configuration", file=output.stream)  # fmt: skip
    delivery.write_reports(skipped)
    if interrupt.asked():
        return interrupt.status
    refused = delivery.refused
    if delivery.failed or selection.named & set(refused) or (refused and not delivery.suites):
        return REFUSED
    return _status(delivery.suites, skipped, output)


def _covered(selection: Selection, options: Options, output: Output, worker: Worker,
             interrupt: Interrupt) -> Delivery:  # fmt: skip
    """Cover the targets, and deliver each result in their order as soon as possible; return the finished delivery."""
    targets = selection.targets
    delivery = Delivery(output, targets, selection.named, interrupt)
    progress = for_terminal(output.quiet or output.verbose)
    results = cover_all(targets, options, progress, interrupt.asked, worker, selection.options)
    for done, result in enumerate(progress.hidden_during(results), 1):
        delivery.take(result)
        for following in targets[done : done + 1]:
            _prestart_trials(following.language, output)
    delivery.finish()
    return delivery


def _prestart_trials(language: str, output: Output) -> None:
    """Start the processes that try tests of this language, so that they are ready when the search ends."""
    for kind in output.tests(language):
        EMITTERS[kind]().prepare()


def _status(suites: Sequence[Suite], skipped: Sequence[Skipped], output: Output) -> int:
    """Return the exit status of a request that was carried out: 1 for findings or too few decided branches, else 0.

    Allowed findings do not count. With a baseline, new findings and lost branches count instead of findings; the
    comparison is printed.
    """
    worse = any(not finding.allowed for suite in suites for finding in suite.findings)
    if output.baseline is not None:
        comparison = output.baseline.compared(suites, skipped)
        print(comparison.text(output.quiet), file=output.stream)
        worse = comparison.is_worse
    return FOUND if _too_few(suites, output) or worse else DONE


def _too_few(suites: Sequence[Suite], output: Output) -> bool:
    """Return whether fewer branches are decided than ``--fail-under`` demands; print a line if so.

    Without ``--fail-under``, the result is False.
    """
    percent = percent_of(suites)
    if output.fail_under is None or percent >= output.fail_under:
        return False
    branches = [branch for suite in suites for branch in suite.branches]
    undecided = sum(suite.count(UNDECIDED) for suite in suites)
    print(f"Below --fail-under {output.fail_under:g}: {floored(percent)} % of {len(branches)} "
          f"{words_for(branches)[1]} are decided, {undecided} are not.", file=output.stream)  # fmt: skip
    return True
