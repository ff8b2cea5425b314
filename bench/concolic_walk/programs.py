"""The programs of the Concolic Walk paper's Table 1, as C functions, and which of their branches count."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from zeroin import LlvmSubject
from zeroin.languages.c.options import LlvmOptions
from zeroin.subject.base import branches_of

_FOLDER = Path(__file__).with_name("programs")
_FUNCTION = re.compile(r"^(?:int|float|double) (\w+)\([^)]*\) \{$", re.MULTILINE)
_TARGET, _NEVER = "/* target */", re.compile(r"/\* never (\w+)")


class Place(NamedTuple):
    """A branch, whichever function was loaded."""

    line: int
    column: int
    label: str


@dataclass(frozen=True)
class Program:
    """One line of the table.

    Attributes:
        name: the paper's.
        lines: of code, the paper's: what the program weighs.
        pex: coverage by Pex, in percent, measured from the inputs that the authors publish: medians of seven runs.
        source: C; functions that are not static are called, with inputs for all their parameters.
        others: what of it is a library's, whose branches do not count.
    """

    name: str
    lines: int
    pex: float
    source: Path
    others: tuple[Path, ...] = ()

    @cached_property
    def text(self) -> list[str]:
        """Its lines."""
        return self.source.read_text().splitlines()

    @property
    def code(self) -> int:
        """How many of its lines are neither blank nor only a comment."""
        bare = re.sub(r"/\*.*?\*/", "", self.source.read_text(), flags=re.DOTALL)
        return sum(bool(line.strip()) for line in bare.splitlines())

    @property
    def functions(self) -> list[str]:
        """That are called."""
        return _FUNCTION.findall(self.source.read_text())

    @cached_property
    def is_benchmark(self) -> bool:
        """Whether each function has a statement that is to be reached, and branches do not count."""
        return any(_TARGET in line for line in self.text)

    def load(self, function: str) -> LlvmSubject:
        """A function. Integers wrap around, as Java's do."""
        return LlvmSubject(self.source, function, LlvmOptions(cc=("-fwrapv",), others=self.others, callees=True))

    def goals(self, subject: LlvmSubject) -> dict[int, Place]:
        """What counts, by outcome: a benchmark's target, else all branches."""
        branches = branches_of(subject.sites)
        if self.is_benchmark:
            target = max(b.outcome for b in branches if _TARGET in self.text[b.site.line - 1] and b.label == "true")
            branches = [b for b in branches if b.outcome == target]
        return {b.outcome: Place(b.site.line, b.site.column, b.label) for b in branches}

    def is_feasible(self, place: Place) -> bool:
        """Whether the source does not say that no input takes a branch."""
        never = _NEVER.search(self.text[place.line - 1])
        return never is None or never[1] != place.label


def programs(conditions: Path | None, folder: Path) -> Iterator[Program]:
    """All of them.

    Args:
        conditions: CORAL's, see :mod:`.run`; without, that program is left out.
        folder: for its C.
    """
    if conditions is not None:
        coral = folder / "coral.c"
        coral.write_text(coral_source(conditions))
        yield Program("coral", 335, 65, coral)
    for name, lines, pex in (("blind", 17, 100), ("hash", 54, 100), ("opti", 48, 50), ("dart", 18, 86),
                             ("power", 31, 100), ("ray", 304, 98), ("sine", 289, 8), ("stat", 113, 75),
                             ("tcas", 157, 91), ("tsafe", 88, 88)):  # fmt: skip
        others = (_FOLDER / "sorted.c",) if name == "stat" else ()
        yield Program(name, lines, pex, _FOLDER / f"{name}.c", others)


def coral_source(conditions: Path) -> str:
    """C of the conditions that the paper has, a function each; Python's numbers and calls are C's, too."""
    functions = ["#include <math.h>", "static const double E = 2.718281828459045;"]
    for entry in json.loads(conditions.read_text())["conditions"]:
        if entry["in_concolic_walk_corpus"]:
            parameters = ", ".join(f"{v['type']} {v['name']}" for v in entry["variables"])
            condition = entry["condition"].replace(" and ", " && ")
            marks = _TARGET + " /* never true: proved */" * (entry["known_status"] == "unsat")
            head = f"int {entry['id']}({parameters}) {{"
            functions.append(f"{head}\n  if ({condition}) return 1; {marks}\n  return 0;\n}}")
    return "\n\n".join(functions) + "\n"
