"""How a configuration names targets and findings."""

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
class Meant:
    """Targets: ``src/pid.c:step``, ``package.module:Class.method``, ``src/*.c``; with ``*``, ``?`` and ``[...]`` for
    what may differ. A file is looked for from the folder of the configuration.

    Attributes:
        text: as it was written.
        file: if a file is named, its path.
        module: if a module is, its name.
        function: empty if all of them are meant.
    """

    text: str
    file: str
    module: str
    function: str

    @classmethod
    def of(cls, text: str, folder: Path) -> Meant:
        split = _LAST_COLON.fullmatch(text)
        where, function = (split[1], split[2]) if split else (text, "")
        return cls(text, os.path.normpath(folder.absolute() / where), where, function)

    def is_of(self, target: Target) -> bool:
        """Whether the target is one of these."""
        return self.is_in(target) and (not self.function or _fits(target.function, self.function))

    def is_in(self, target: Target) -> bool:
        """Whether the target's file, or module, is the one that is named."""
        path = os.path.normpath(target.path.absolute())
        return (
            _fits(path, self.file)
            or _fits(str(target.path.resolve()), self.file)
            or _fits(getattr(target, "module", "") or path, self.module)
        )


def _fits(name: str, pattern: str) -> bool:
    return name == pattern or fnmatchcase(name, pattern)


@dataclass(frozen=True)
class Allowance:
    """Findings that are known: ``TARGET: KIND``, ``TARGET: TEXT`` or ``TARGET: KIND: TEXT``, where the text is a part
    of what the report says of the finding.

    Attributes:
        written: as it was written.
        kind: empty if any will do.
    """

    written: str
    meant: Meant
    kind: str
    text: str

    @classmethod
    def of(cls, written: str, folder: Path, where: str) -> Allowance:
        """Read one.

        Raises:
            OptionError: it does not say which findings are meant.
        """
        from ..config import FAULTS

        target, colon, rest = written.partition(": ")
        kind, _, text = rest.partition(":")
        known = kind.strip() in (*KINDS, *FAULTS)
        if not colon or not target.strip() or not rest.strip():
            raise OptionError(f'{where}: {written!r} names no finding; write "TARGET: KIND" (src/pid.c:step: crash) '
                              'or "TARGET: TEXT" with a part of its message')  # fmt: skip
        return cls(written, Meant.of(target.strip(), folder), kind.strip() if known else "",
                   (text if known else rest).strip())  # fmt: skip

    def allows(self, target: Target, finding: Finding) -> bool:
        return self.meant.is_of(target) and self.kind in ("", finding.kind) and self.text in finding.message


def with_allowed(suite: Suite, allowances: Sequence[Allowance]) -> Suite:
    """The suite, in which it is noted which findings are allowed."""
    findings = [replace(finding, allowed=any(one.allows(suite.target, finding) for one in allowances))
                for finding in suite.findings]  # fmt: skip
    return replace(suite, findings=findings)


def out_of_date(suites: Sequence[Suite], allowances: Sequence[Allowance]) -> Iterator[Allowance]:
    """What is allowed of these targets and not found any more."""
    for allowance in allowances:
        its = [suite for suite in suites if allowance.meant.is_of(suite.target)]
        if its and not any(allowance.allows(suite.target, finding) for suite in its for finding in suite.findings):
            yield allowance
