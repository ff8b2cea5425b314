"""The messages between this process and the process of a trial."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Order:
    """What the process of a trial has to do.

    Attributes:
        call: a function, as ``module:name``. Its first argument is the process's sandbox.
        arguments: its further arguments; ``...`` stands for the diary.
        scratch: the folder that the process may write to.
        allow: as in :class:`zeroin.config.Options`.
        writable: further folders that it may write to.
        tells: whether a system call that the sandbox refuses is recorded and fails; otherwise it ends the process.
    """

    call: str
    arguments: tuple[object, ...]
    scratch: Path
    allow: frozenset[str]
    writable: tuple[Path, ...]
    tells: bool


@dataclass(frozen=True)
class Entry:
    """The beginning or the result of one test.

    Attributes:
        test: the test's name.
        why: the reason why it fails; empty if it passes; None when it begins.
    """

    test: str
    why: str | None
