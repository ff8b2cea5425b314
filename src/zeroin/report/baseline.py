"""Comparison with an earlier JSON report (``--baseline``)."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import OptionError
from ..subject.language import Skipped
from ..suite.suite import COVERED, UNDECIDED, Suite
from .json import SCHEMA, as_json

# Parts of a message that depend on the input: numbers and quoted text.
_OF_THE_INPUT = re.compile(r"'[^']*'|\"[^\"]*\"|(?<![A-Za-z_])-?\d[\w.+-]*|\b(?:nan|inf)\b")
_MOST_NAMED = 20  # improvements listed

BranchKey = tuple[object, ...]


@dataclass(frozen=True)
class BaselineComparison:
    """The differences from an earlier report, one line of text for each.

    Attributes:
        name: the path of the earlier report.
        lost: branches that were decided and are undecided now; one line for a target that is skipped now.
        new: findings that the earlier report lacks, without allowed ones.
        covered: branches that the earlier report has as undecided or infeasible, and that are covered now.
        gone: findings that only the earlier report has.
        remarks: notes about parts that were not compared.
    """

    name: str
    lost: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    covered: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def is_worse(self) -> bool:
        """Whether branches were lost or findings are new."""
        return bool(self.lost or self.new)

    def text(self, brief: bool = False) -> str:
        """Return a line with the numbers, one line for each difference, and the remarks. The last line has no line end.

        Of each kind of improvement, at most 20 are listed.

        Args:
            brief: leave out improvements.
        """
        branches, findings = _count(self.covered, "branch", "branches"), _count(self.new, "finding", "findings")
        lines = [f"Compared with {self.name}: {branches} newly covered, {len(self.lost)} lost; "
                 f"{findings} new, {len(self.gone)} gone."]  # fmt: skip
        named = [("lost", self.lost, len(self.lost)), ("new", self.new, len(self.new)),
                 ("gone", self.gone, _MOST_NAMED), ("covered", self.covered, _MOST_NAMED)]  # fmt: skip
        for what, several, most in named[:2] if brief else named:
            lines += [f"  {what:<8} {one}" for one in several[:most]]
            lines += [f"  {what:<8} and {len(several) - most} more"] * (len(several) > most)
        return "\n".join([*lines, *(f"note: {remark}" for remark in self.remarks)])


def _count(several: Sequence[str], one: str, more: str) -> str:
    return f"{len(several)} {one if len(several) == 1 else more}"


@dataclass(frozen=True)
class Baseline:
    """An earlier report.

    Attributes:
        name: its path.
        targets: the targets of the JSON report, as parsed, by name without redundant parts of the path.
    """

    name: str
    targets: dict[str, dict[str, Any]]

    @classmethod
    def read(cls, path: Path) -> Baseline:
        """Read an earlier JSON report.

        Raises:
            OptionError: the file can not be read, or is no report of this schema.
        """
        try:
            report = json.loads(path.read_bytes())
            if report["schema"] != SCHEMA:
                raise ValueError(f"its schema is {report['schema']}, not {SCHEMA}")
            targets = {_name(one["target"]): one for one in report["targets"]}
            for one in targets.values():
                _branches(one)
                _findings(one)
        except OSError as error:
            raise OptionError(f"--baseline {path}: can not be read ({error.strerror})") from error
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            what = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            raise OptionError(f"--baseline {path}: is not a report of zeroin ({what}); make one with --json") from error
        return cls(str(path), targets)

    def compared(self, suites: Sequence[Suite], skipped: Sequence[Skipped]) -> BaselineComparison:
        """Return the differences between the earlier report and these results.

        All findings of a target that the earlier report lacks are new; its branches do not count. A target that these
        results lack only makes a remark, unless it was skipped.

        Args:
            suites: the results.
            skipped: functions, files and modules that are no targets, with reasons.
        """
        found, told = BaselineComparison(self.name), as_json(suites)["targets"]
        for now in told:
            before = self.targets.get(_name(now["target"]))
            self._compare(before or {"target": now["target"], "branches": [], "findings": []}, now, found)
        known = {_name(now["target"]) for now in told}
        left = [one for name, one in self.targets.items() if name not in known]
        for one in left:
            why = next((why for text, why in skipped if _is_of(one["target"], text)), None)
            if why is not None:
                decided = sum(verdict["verdict"] != UNDECIDED for verdict in one["branches"])
                found.lost.extend([f"{one['target']}  its {decided} decided branches: {why}"] * (decided > 0))
        asked = [one["target"] for one in left if not any(_is_of(one["target"], text) for text, _ in skipped)]
        if asked:
            more = f" and {len(asked) - 3} more" if len(asked) > 3 else ""
            found.remarks.append(f"{self.name} has targets that this run does not: {', '.join(asked[:3])}{more}")
        return found

    def _compare(self, before: dict[str, object], now: dict[str, object], found: BaselineComparison) -> None:
        earlier, name = _branches(before), now["target"]
        for key, branch in _branches(now).items():
            old = earlier.get(key, {}).get("verdict")
            text = f"{name}  line {branch['line']}: {branch['condition']} {branch['outcome']}"
            if branch["verdict"] == COVERED and old not in (None, COVERED):
                found.covered.append(text)
            if branch["verdict"] == UNDECIDED and old not in (None, UNDECIDED):
                found.lost.append(text)
        old_findings, findings = _findings(before), _findings(now)
        found.new.extend(f"{name}  {one['kind']}: {one['message']}" for key, one in findings.items()
                         if key not in old_findings and not one.get("allowed"))  # fmt: skip
        found.gone.extend(f"{name}  {one['kind']}: {one['message']}" for key, one in old_findings.items()
                          if key not in findings)  # fmt: skip


def _name(target: str) -> str:
    return os.path.normpath(target)


def _is_of(target: str, skipped: str) -> bool:
    """Whether a target is what was skipped, or belongs to the file, folder, module or class that was skipped."""
    return target == skipped or target.startswith((f"{skipped}:", f"{skipped}/", f"{skipped}."))


def _branches(target: dict[str, Any]) -> dict[BranchKey, dict[str, Any]]:
    """Return the branches by a key that does not change when lines move. Equal keys are numbered in order.

    Raises:
        KeyError: a branch lacks a field.
    """
    found: dict[BranchKey, dict[str, Any]] = {}
    alike = Counter[BranchKey]()
    for one in target["branches"]:
        key = (os.path.basename(one["file"]), one["function"], one["condition"], one["outcome"])
        alike[key] += 1
        found[*key, alike[key]] = one
    return found


def _findings(target: dict[str, Any]) -> dict[BranchKey, dict[str, object]]:
    """Return the findings by a key that does not depend on the input that shows them.

    Findings with equal keys count as one, the last.
    """
    operations = {one["id"]: (one["function"], one["operation"]) for one in target.get("faults", ())}
    return {
        (one["kind"], operations.get(one.get("fault")) or _OF_THE_INPUT.sub("#", one["message"])): one
        for one in target["findings"]
    }
