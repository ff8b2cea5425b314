"""Conversion of parsed arguments to :class:`zeroin.config.Options`."""

from __future__ import annotations

import argparse
import errno
import os
import re
import shlex
from pathlib import Path

from ..config import FAULTS, Budget, Options
from ..errors import OptionError
from ..generate.schedule import schedule_named
from ..languages.c.front.build_flags import expanded
from ..sandbox.landlock import missing_protections
from ..user_objects import absolute

_TEST_NAME = re.compile(r"[\w-]*\{\}[\w-]*", re.ASCII)
_MOST_MEMORY = 1 << 30  # megabytes: a petabyte


def read_options(parsed: argparse.Namespace) -> Options:
    """Return the options of ``cover``, ``reach``, ``boundary`` or ``show``.

    For ``show``, only the options of the subject are read; the others keep their defaults.

    Raises:
        OptionError: a value is invalid, or ``--sandbox require`` is given and a part of the sandbox is missing; the
            message names the option.
    """
    if parsed.sandbox == "require" and (missing := missing_protections()):
        raise OptionError(f"--sandbox require: {' and '.join(missing)}; run zeroin doctor for details")
    try:
        cc = tuple(expanded(shlex.split(parsed.cc)))
    except ValueError as error:
        raise OptionError(f"--cc {parsed.cc!r}: {error}") from error
    subject = {
        "cc": cc,
        "others": tuple(Path(p) for p in parsed.others),
        "callees": parsed.callees,
        "arrays": tuple(parsed.arrays),
        "strings": tuple(parsed.strings),
        "types": parsed.types[-1] if parsed.types else "",
        "assume": tuple(parsed.assume),
        "finite": parsed.finite,
        "expect": tuple(name.strip() for text in parsed.expect for name in text.split(",")),
        "include": tuple(parsed.include),
        "exclude": tuple(parsed.exclude),
        "load_timeout": parsed.load_timeout,
        "allow": tuple(what.strip() for text in parsed.allow for what in text.split(",")),
    }
    if parsed.command == "show":
        return Options(**subject)
    defaults = Budget()
    budget = Budget(
        defaults.evaluations if parsed.evals is None else parsed.evals,
        defaults.seconds if parsed.budget is None else parsed.budget,
    )
    if not 1 <= parsed.memory <= _MOST_MEMORY:
        raise OptionError(f"--memory {parsed.memory}: give a number from 1 to {_MOST_MEMORY}")
    if parsed.test_name and not _TEST_NAME.fullmatch(parsed.test_name):
        raise OptionError(f"--test-name {parsed.test_name}: give a name of letters, digits, - and _, with one {{}}, "
                          "such as test_zeroin_{}")  # fmt: skip
    schedule_named(parsed.engine)  # an invalid engine is reported before any work is done
    writes = parsed.emit != ["none"]
    reaches = parsed.command == "reach"
    line, branches, path = 0, tuple[str, ...](), ""
    if reaches:
        if parsed.line is not None and parsed.line < 1:
            raise OptionError(f"--line {parsed.line}: give a line number, 1 or more")
        line, branches = parsed.line or 0, tuple(parsed.branches)
        path = "" if parsed.path is None else parsed.path or ","  # "," makes an empty path an error
    # Only cover writes the journal: the inputs of reach and boundary are not those of a search for all branches.
    keeps = parsed.command == "cover" and (writes or parsed.resume)
    asked, find = "smt2" in (*parsed.emit, *dict(parsed.reports)), _faults(parsed.find)
    return Options(
        found=Path(parsed.out) / ".found" if keeps else None, resume=parsed.resume, budget=budget,
        trace=None if parsed.trace is None else Path(parsed.trace).absolute(), verbose=parsed.verbose,
        engine=parsed.engine, minimizer=absolute(parsed.minimizer), distance=parsed.distance, seed=parsed.seed,
        jobs=parsed.jobs, fuel=parsed.fuel, native=parsed.native, memory=parsed.memory << 20,
        prefer=tuple(parsed.prefer), defer=tuple(parsed.defer), queries=asked,
        line=line, branches=branches, path=path, boundary=parsed.command == "boundary",
        objective=absolute(getattr(parsed, "objective", "")),
        find=find, faults=bool(find) or not parsed.find, findings=parsed.findings,
        suite=parsed.suite, test_name=parsed.test_name,
        mutants=parsed.measure == "mutants", samples=parsed.html is not None, **subject,
    )  # fmt: skip


def _faults(given: list[str]) -> tuple[str, ...]:
    """Split the values of ``--find`` at commas; ``all`` stands for all faults, ``none`` for none.

    Unknown names are kept.

    Raises:
        OptionError: ``none`` is given together with another name.
    """
    names = [name.strip() for text in given for name in text.split(",")]
    if "none" in names:
        if len({*names}) > 1:
            raise OptionError("--find none: give no other fault with it")
        return ()
    return FAULTS if "all" in names else tuple(dict.fromkeys(names))


def check_place(option: str, place: str) -> None:
    """Check early that a file can be written to; create an empty one if it is missing. Its folder has to exist.

    Args:
        option: the option that names the file, for the message.
        place: the path.

    Raises:
        OptionError: the file can not be written to.
    """
    path = Path(place)
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        path.touch()
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        why = error.strerror if isinstance(error, OSError) else error
        raise OptionError(f"{option} {place}: can not be written to ({why}); name another file") from error
