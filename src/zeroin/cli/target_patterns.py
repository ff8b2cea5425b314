"""Patterns by which a configuration names targets and findings."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import OptionError

if TYPE_CHECKING:
    from ..subject.base import Target
    from ..suite.suite import Finding, Suite

_LAST_COLON = re.compile(r"(.*[^:]):([^:].*|[^:/]*::.*)")
KINDS = ("crash", "hang", "assertion", "exception", "forbidden", "undefined")


@dataclass(frozen=True)
class TargetPattern:
    """A pattern of targets: ``src/pid.c:step``, ``package.module:Class.method`` or ``src/*.c``.

    The wildcards are ``*``, ``?`` and ``[...]``. Files are relative to the folder of the configuration.

    Attributes:
        text: the pattern in the configuration.
        file: the pattern's first part as an absolute path.
        module: the pattern's first part as the name of a module.
        function: the pattern of functions; empty: all functions.
    """

    text: str
    file: str
    module: str
    function: str

    @classmethod
    def of(cls, text: str, folder: Path) -> TargetPattern:
        """Parse a pattern: a file or module, optionally with a colon and a function. Every text is valid.

        Args:
            text: the pattern.
            folder: the folder of the configuration.
        """
        split = _LAST_COLON.fullmatch(text)
        where, function = (split[1], split[2]) if split else (text, "")
        return cls(text, os.path.normpath(folder.absolute() / where), where, function)

    def is_of(self, target: Target) -> bool:
        """Return whether the pattern matches the target."""
        return self.is_in(target) and (not self.function or _fits(target.function, self.function))

    def is_in(self, target: Target) -> bool:
        """Return whether the pattern matches the target's file, as named or with links resolved, or its module.

        The function does not count.
        """
        path = os.path.normpath(target.path.absolute())
        return (
            _fits(path, self.file)
            or _fits(str(target.path.resolve()), self.file)
            or _fits(getattr(target, "module", "") or path, self.module)
        )


def _fits(name: str, pattern: str) -> bool:
    """Whether a name equals a pattern or matches its wildcards. Upper and lower case differ."""
    return name == pattern or fnmatchcase(name, pattern)


@dataclass(frozen=True)
class FindingPattern:
    """A pattern of known findings: ``TARGET: KIND``, ``TARGET: TEXT`` or ``TARGET: KIND: TEXT``.

    Attributes:
        written: the pattern in the configuration.
        meant: the pattern of targets.
        kind: the kind of finding; empty: any kind.
        text: a part of the finding's message; empty: any message.
    """

    written: str
    meant: TargetPattern
    kind: str
    text: str

    @classmethod
    def of(cls, written: str, folder: Path, where: str) -> FindingPattern:
        """Parse a pattern.

        Args:
            written: the pattern.
            folder: the folder of the configuration.
            where: the beginning of the error message.

        Raises:
            OptionError: the target, or the kind and the text, are missing.
        """
        from ..config import FAULTS

        target, colon, rest = written.partition(": ")
        kind, _, text = rest.partition(":")
        known = kind.strip() in (*KINDS, *FAULTS)
        if not colon or not target.strip() or not rest.strip():
            raise OptionError(f'{where}: {written!r} names no finding; write "TARGET: KIND" (src/pid.c:step: crash) '
                              'or "TARGET: TEXT" with a part of its message')  # fmt: skip
        return cls(written, TargetPattern.of(target.strip(), folder), kind.strip() if known else "",
                   (text if known else rest).strip())  # fmt: skip

    def allows(self, target: Target, finding: Finding) -> bool:
        """Return whether the pattern matches a finding of a target. Upper and lower case of its text differ."""
        return self.meant.is_of(target) and self.kind in ("", finding.kind) and self.text in finding.message


def with_allowed(suite: Suite, allowances: Sequence[FindingPattern]) -> Suite:
    """Return a copy of the suite with its known findings marked as allowed, and all others as not allowed."""
    findings = [replace(finding, allowed=any(one.allows(suite.target, finding) for one in allowances))
                for finding in suite.findings]  # fmt: skip
    return replace(suite, findings=findings)


def out_of_date(suites: Sequence[Suite], allowances: Sequence[FindingPattern]) -> Iterator[FindingPattern]:
    """Yield the patterns that match at least one of the targets, but no finding of any of them."""
    for allowance in allowances:
        its = [suite for suite in suites if allowance.meant.is_of(suite.target)]
        if its and not any(allowance.allows(suite.target, finding) for suite in its for finding in suite.findings):
            yield allowance
