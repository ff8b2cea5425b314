"""Writes test files and reports.

It never overwrites a file of the user, never leaves a partly written file, and never replaces a test by a worse one.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from .. import files
from ..errors import OutputError, ZeroinError
from ..generate.stopped import Stopped
from ..subject.base import Target
from ..suite.suite import Input, Suite
from . import Emitter
from .test_header import COMPANION, Batch, digest_of, digest_of_batch, mark, read_mark
from .trial import Trial

_MOST_TRIALS = 8


@dataclass(frozen=True)
class WrittenTest:
    """The result of writing a test file.

    Attributes:
        path: the path of the file.
        is_new: False if an earlier test was kept, because it is better than that of an interrupted search.
        remarks: notes for the user, one line each.
        refused: suites that are not in the file, each with the reason.
    """

    path: Path
    is_new: bool
    remarks: tuple[str, ...]
    refused: tuple[tuple[Suite, str], ...] = ()


def deliver(emitter: Emitter, batch: Batch, folder: Path, tries: bool = True) -> WrittenTest:
    """Run the test of a batch, and write it with the inputs that pass. Notes of the suites name the other inputs.

    These notes are appended to ``notes`` of the given suites. If the file as a whole fails, each of several suites is
    tried alone, and the file gets those that pass. If the test can not be run for a reason outside of it, it is
    written.

    Args:
        emitter: writes and runs the test.
        batch: the suites of the test.
        folder: the folder of the test file.
        tries: whether to run the test first. After an interrupt, it is written without a trial.

    Raises:
        ZeroinError: the test can not be written or built, or fails as a whole. The message gives the reason.
    """
    path, remarks = _place(emitter, batch, folder)
    batch = replace(batch, name=path.name)
    there = read_mark(_head(path))
    ours = read_mark(mark(batch, folder))
    interrupted = any(suite.stopped is Stopped.INTERRUPTED for suite in batch.suites)
    if interrupted and there is not None and ours is not None and there > ours:
        why = f"it covers {there.covered} branches with {there.inputs} inputs, more than the interrupted search"
        return WrittenTest(path, False, (*remarks, f"{path} was kept: {why}"))
    _put_companions(emitter, folder)
    batch = batch.of([_of_input_alone(suite) for suite in batch.suites])
    with _temporary(path) as new:
        passing, trial = _passing(emitter, batch, new, folder, tries)
        refused: list[tuple[Suite, str]] = []
        if trial.whole and len(batch.suites) > 1:
            for suite in batch.suites:
                _, alone = _passing(emitter, batch.of([suite]), new, folder)
                refused += [(suite, alone.whole)] * bool(alone.whole)
            left = [suite for suite in batch.suites if all(suite is not one for one, _ in refused)]
            if left and refused:
                passing, trial = _passing(emitter, batch.of(left), new, folder)
        notes = list[str]()
        for suite in passing.suites:
            found = _left_out(suite)
            found += [f"{suite.signature.show(kept.words)} is not compared: its result depends on {kept.replay.varies}"
                      for kept in suite.inputs if kept.replay.varies and not kept.untested]  # fmt: skip
            found += [f"the test was not run: {trial.untried}"] * bool(trial.untried)
            suite.notes.extend(found)
            notes += [note for note in found if note not in notes]
        if trial.whole:
            what = batch.target.where if len(batch.suites) > 1 else batch.target.text
            raise ZeroinError(f"{what}: no test is written: {trial.whole}")
        _put(new, path)
    return WrittenTest(path, True, (*remarks, *notes), tuple(refused))


def _left_out(suite: Suite) -> list[str]:
    """Return a note for each reason why inputs have no test, with the first of the inputs."""
    several = dict[str, list[Input]]()
    for kept in suite.inputs:
        if kept.untested:
            several.setdefault(kept.untested, []).append(kept)
    notes = []
    for why, inputs in several.items():
        call, more = suite.signature.show(inputs[0].words), len(inputs) - 1
        who = f"{call} and {more} more input{'s' * (more > 1)} are" if more else f"{call} is"
        notes.append(f"{who} left out of the test: {why}")
    return notes


def write_test(emitter: Emitter, batch: Batch, folder: Path) -> Path:
    """Write the test of a batch without running it; return its path. An earlier test of the batch is overwritten.

    Raises:
        OutputError: the file can not be written.
        ZeroinError: other files have all of its possible names, or the name of a file that the test needs.
    """
    path, _ = _place(emitter, batch, folder)
    _put_companions(emitter, folder)
    files.write(path, emitter.formatted(emitter.text(batch, folder), path))
    return path


def write(emitter: Emitter, suite: Suite, folder: Path) -> Path:
    """Write the test of one suite without running it; return its path.

    A file that zeroin did not write is never overwritten; an earlier test of the suite is.

    Raises:
        OutputError: the file can not be written.
        ZeroinError: other files have all of its possible names, or the name of a file that the test needs.
    """
    return write_test(emitter, Batch((suite,)), folder)


def _put_companions(emitter: Emitter, folder: Path) -> None:
    """Write the files that tests of this kind need in their folder, unless they are there already.

    Other versions of them are replaced.

    Raises:
        OutputError: a file can not be written.
        ZeroinError: a file that zeroin did not write has the name.
    """
    for name, text in emitter.companions().items():
        there = _head(folder / name)
        if there and COMPANION not in there:
            raise ZeroinError(f"{folder / name}: was not written by zeroin and is not overwritten; move it, or choose "
                              "another --out")  # fmt: skip
        if there != text:
            files.write(folder / name, text)


def write_report(text: str, target: Target, path: Path) -> Path:
    """Write the report on one target; return its path. A file there that contains the target's name is overwritten.

    Args:
        text: the content, which contains the target's name.
        target: the target.
        path: the usual path. If another file has it, the name gets a digest of the target.

    Raises:
        OutputError: the file can not be written.
        ZeroinError: other files have both names.
    """
    place = free_place(path, digest_of(target, path.parent), lambda there: target.text in there)
    files.write(place, text)
    return place


def free_place(path: Path, digest: str, is_own: Callable[[str], bool]) -> Path:
    """Return the path where a file can be written without overwriting the user's files.

    That is the path of its earlier version, if there is one. Otherwise it is ``path``, or ``path`` with the digest in
    its name if another file has that name. Names that differ only in upper and lower case count as equal. The folder is
    created if it is missing; the file is not.

    Args:
        path: the usual path.
        digest: a few characters that distinguish the target from others.
        is_own: returns whether a text is the content of an earlier version of the file.

    Raises:
        OutputError: the folder can not be created or read.
        ZeroinError: other files have both names.
    """
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)  # it may have been removed during the search
        there = {other.name.casefold(): other for other in path.parent.iterdir()}
    second = path.with_stem(f"{path.stem}_{digest}")
    for name in (second, path):
        found = there.get(name.name.casefold())
        if found is not None and is_own(_head(found)):
            return found
    for name in (path, second):
        if name.name.casefold() not in there:
            return name
    raise ZeroinError(f"{second}: was not written by zeroin and is not overwritten; move it, or choose another --out")


def _place(emitter: Emitter, batch: Batch, folder: Path) -> tuple[Path, tuple[str, ...]]:
    """Return the path for a batch's test, and a remark if a new test gives way to a file of the user; usually ``()``.

    Raises:
        OutputError: the folder can not be created or read.
        ZeroinError: other files have all possible names.
    """
    digest, usual = digest_of_batch(batch, folder), folder / emitter.file_name(batch)

    def is_own(text: str) -> bool:
        found = read_mark(text)
        return found is not None and found.target == digest

    path = free_place(usual, digest, is_own)
    if path != usual and not path.exists() and usual.exists() and read_mark(_head(usual)) is None:
        return path, (f"{usual} was not written by zeroin and was kept",)
    return path, ()


def _passing(emitter: Emitter, batch: Batch, new: Path, folder: Path, tries: bool = True) -> tuple[Batch, Trial]:
    """Write the test to ``new`` and run it, and drop inputs that fail, until it passes; at most 8 times.

    If only the whole file fails, the suites are marked as stateful, and it is tried once more. With ``tries`` False,
    the test is written once and not run.

    Returns:
        The batch with the remaining inputs, and the last trial. Its ``whole`` says why if the test still fails.

    Raises:
        OutputError: the file can not be written.
    """
    trial = Trial()
    for _ in range(_MOST_TRIALS):
        with _told(folder / emitter.file_name(batch)):
            text = emitter.formatted(emitter.text(batch, folder), folder / emitter.file_name(batch))
            new.write_text(text, encoding="utf-8", errors="surrogateescape")
        if not tries:
            return batch, Trial(untried="zeroin was interrupted")
        trial = emitter.tried(new, batch)
        if trial.instead is not None:
            batch = trial.instead
        elif trial.failed or trial.unpinned:
            batch = batch.of([_without(suite, number, trial) for number, suite in enumerate(batch.suites)])
        elif trial.whole and not batch.stateful:  # each input passes alone, so they may share state
            batch = batch.of([replace(suite, stateful=True) for suite in batch.suites])
        else:
            return batch, trial
    return batch, replace(trial, whole="each trial fails with another input")


def _of_input_alone(suite: Suite) -> Suite:
    """Return the suite without tests of inputs for which replay showed that nothing depends on the input alone.

    These inputs stay in the suite; their ``untested`` gives the reason.
    """
    inputs = [replace(kept, untested=kept.untested or f"its result depends on {kept.replay.varies}")
              if kept.replay.varies and kept.replay.varying(kept.replay.varies) is None else kept
              for kept in suite.inputs]  # fmt: skip
    return replace(suite, inputs=inputs)


def _without(suite: Suite, number: int, trial: Trial) -> Suite:
    """Return the suite without tests of failed inputs, and without expected results that depend on more than the input.

    All inputs stay in the suite; ``untested`` of those without a test gives the reason.

    Args:
        suite: a suite of the batch.
        number: its index in the batch.
        trial: the trial of the batch.
    """
    inputs = []
    for own, kept in enumerate(suite.inputs):
        place = number, own
        if place in trial.unpinned:
            less = kept.replay.varying(trial.unpinned[place])
            what = f"its result depends on {trial.unpinned[place]}"
            kept = replace(kept, untested=what) if less is None else replace(kept, replay=less)
        inputs.append(replace(kept, untested=trial.failed.get(place, kept.untested)))
    return replace(suite, inputs=inputs)


def _head(path: Path) -> str:
    """Return the text of a file, with invalid UTF-8 replaced; empty if it can not be read or does not exist."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


@contextlib.contextmanager
def _temporary(path: Path) -> Iterator[Path]:
    """Provide a path in the same folder for the new version of a file, which is not created.

    Remove the file at the end if it still exists then.
    """
    new = path.with_name(f"zeroin-{os.urandom(6).hex()}{path.suffix}")
    try:
        yield new
    finally:
        new.unlink(missing_ok=True)


def _put(new: Path, path: Path) -> None:
    """Move the new version of a file to its path, in place of an earlier one.

    Raises:
        OutputError: this is not possible.
    """
    with _told(path):
        os.replace(new, path)


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn an OSError of the context into an OutputError which says that ``path`` can not be written to."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: can not be written to ({error.strerror}); name another place") from error
