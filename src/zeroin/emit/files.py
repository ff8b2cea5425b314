"""Where tests and reports are written: no file of the user's is touched, none is ever half there, and a worse test does
not take a better one's place."""

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
from ..suite.suite import Suite
from . import Emitter
from .test_header import COMPANION, Batch, digest_of, digest_of_batch, mark, read_mark
from .trial import Trial

_MOST_TRIALS = 8


@dataclass(frozen=True)
class WrittenTest:
    """Where a test is, whether it was written now, and what there is to say about it, a line each.

    Attributes:
        refused: suites of which nothing is in it, and why.
    """

    path: Path
    is_new: bool
    remarks: tuple[str, ...]
    refused: tuple[tuple[Suite, str], ...] = ()


def deliver(emitter: Emitter, batch: Batch, folder: Path, tries: bool = True) -> WrittenTest:
    """Write the test of a batch once it has passed; inputs that do not pass are left out, and noted in the suites.

    Args:
        tries: False: nobody waits for a trial; the test is written as it is.

    Raises:
        ZeroinError: it can not be written, built or run; the message says why.
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
            found = [f"{suite.signature.show(kept.words)} is left out of the test: {kept.untested}"
                     for kept in suite.inputs if kept.untested]  # fmt: skip
            found += [f"{suite.signature.show(kept.words)} is not pinned: its result depends on {kept.replay.varies}"
                      for kept in suite.inputs if kept.replay.varies and not kept.untested]  # fmt: skip
            found += [f"the test was not run: {trial.untried}"] * bool(trial.untried)
            suite.notes.extend(found)
            notes += [note for note in found if note not in notes]
        if trial.whole:
            what = batch.target.where if len(batch.suites) > 1 else batch.target.text
            raise ZeroinError(f"{what}: no test is written: {trial.whole}")
        _put(new, path)
    return WrittenTest(path, True, (*remarks, *notes), tuple(refused))


def write_test(emitter: Emitter, batch: Batch, folder: Path) -> Path:
    """Write the test without running it; its path.

    Raises:
        ZeroinError: there is no place for it.
    """
    path, _ = _place(emitter, batch, folder)
    _put_companions(emitter, folder)
    files.write(path, emitter.formatted(emitter.text(batch, folder), path))
    return path


def write(emitter: Emitter, suite: Suite, folder: Path) -> Path:
    """Write the test of one suite without running it; return its path.

    A file of this name that zeroin did not write is left alone.

    Raises:
        OutputError: the file can not be written.
        ZeroinError: there is no place for it.
    """
    return write_test(emitter, Batch((suite,)), folder)


def _put_companions(emitter: Emitter, folder: Path) -> None:
    """Write what tests of this kind need beside them, where it is not there.

    Raises:
        ZeroinError: another's file has the name.
    """
    for name, text in emitter.companions().items():
        there = _head(folder / name)
        if there and COMPANION not in there:
            raise ZeroinError(f"{folder / name}: is not of zeroin's making and is not overwritten; move it, or choose "
                              "another --out")  # fmt: skip
        if there != text:
            files.write(folder / name, text)


def write_report(text: str, target: Target, path: Path) -> Path:
    """Write the report on one target, which names it, to a file of this name, if no other has it; its path."""
    place = free_place(path, digest_of(target, path.parent), lambda there: target.text in there)
    files.write(place, text)
    return place


def free_place(path: Path, digest: str, is_own: Callable[[str], bool]) -> Path:
    """Where a file is to be written that would be called ``path``: there, unless another's file has that name, also if
    only the case of its letters differs; then with the digest in its name. A file of its own stays where it is.

    Raises:
        ZeroinError: others have both names.
    """
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)  # somebody may have removed it while we searched
        there = {other.name.casefold(): other for other in path.parent.iterdir()}
    second = path.with_stem(f"{path.stem}_{digest}")
    for name in (second, path):
        found = there.get(name.name.casefold())
        if found is not None and is_own(_head(found)):
            return found
    for name in (path, second):
        if name.name.casefold() not in there:
            return name
    raise ZeroinError(f"{second}: is not of zeroin's making and is not overwritten; move it, or choose another --out")


def _place(emitter: Emitter, batch: Batch, folder: Path) -> tuple[Path, tuple[str, ...]]:
    """Where the test is to be written, and a remark if that is not where one would look for it."""
    digest, usual = digest_of_batch(batch, folder), folder / emitter.file_name(batch)

    def is_own(text: str) -> bool:
        found = read_mark(text)
        return found is not None and found.target == digest

    path = free_place(usual, digest, is_own)
    if path != usual and not path.exists() and usual.exists() and read_mark(_head(usual)) is None:
        return path, (f"{usual} is not of zeroin's making and was kept",)
    return path, ()


def _passing(emitter: Emitter, batch: Batch, new: Path, folder: Path, tries: bool = True) -> tuple[Batch, Trial]:
    """Write the test and run it, until all that is in it passes: the batch of that, and the last trial."""
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
        elif trial.whole and not batch.stateful:  # each alone passes
            batch = batch.of([replace(suite, stateful=True) for suite in batch.suites])
        else:
            return batch, trial
    return batch, replace(trial, whole="one input or another of it fails each time that it is run")


def _of_input_alone(suite: Suite) -> Suite:
    """Without the inputs whose replay has shown that nothing of what they do depends on the input alone."""
    inputs = [replace(kept, untested=kept.untested or f"its result depends on {kept.replay.varies}")
              if kept.replay.varies and kept.replay.varying(kept.replay.varies) is None else kept
              for kept in suite.inputs]  # fmt: skip
    return replace(suite, inputs=inputs)


def _without(suite: Suite, number: int, trial: Trial) -> Suite:
    """With the inputs that failed left out, and without what depends on anything else than the input."""
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
    """The text of a file; empty when there is none that can be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


@contextlib.contextmanager
def _temporary(path: Path) -> Iterator[Path]:
    """A name beside the file for what will replace it; what is still there in the end is removed."""
    new = path.with_name(f"zeroin-{os.urandom(6).hex()}{path.suffix}")
    try:
        yield new
    finally:
        new.unlink(missing_ok=True)


def _put(new: Path, path: Path) -> None:
    with _told(path):
        os.replace(new, path)


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: can not be written to ({error.strerror}); name another place") from error
