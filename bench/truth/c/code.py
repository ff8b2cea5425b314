"""The text of a C program: its conditions are marked, so that it can be printed plain or noting them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from ..verdicts import Branch

HOISTED = "¤"  # begins a declaration of a static variable, which the driver has to see: the twin has it at the top
_MARK = re.compile(r"«(\d+)\|(.*?)»")


@dataclass(frozen=True)
class Condition:
    """One condition, or the value of a ``switch``.

    Attributes:
        cases: of a ``switch``; empty for a condition.
    """

    cases: tuple[int, ...] = ()

    @property
    def labels(self) -> list[str]:
        """What its outcomes are called, as zeroin does."""
        return [*(f"case {case}" for case in self.cases), "default"] if self.cases else ["true", "false"]


@dataclass
class Text:
    """Lines of C, at most one condition in each."""

    lines: list[str] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)

    def condition(self, text: str, cases: Sequence[int] = ()) -> str:
        """The text as a condition, marked, for a line of its own."""
        self.conditions.append(Condition(tuple(cases)))
        return f"«{len(self.conditions) - 1}|{text}»"

    def add(self, *lines: str) -> None:
        for line in lines:
            self.lines += line.splitlines()


@dataclass(frozen=True)
class Driver:
    """How the inputs of a program are numbered.

    Attributes:
        calls: how many inputs there are.
        body: C that makes input ``i`` and calls the function.
        ahead: lines of C that it needs.
        others: how many ways there are to change the state by a call of something else: ``i`` from ``calls`` on.
        state: variables that calls change, of the file.
        paths: whether a run's decisions can be asked for: without a state, they depend on the input alone.
    """

    calls: int
    body: str
    ahead: tuple[str, ...] = ()
    others: int = 0
    state: tuple[str, ...] = ()

    @property
    def paths(self) -> bool:
        return not self.state


@dataclass(frozen=True)
class Written:
    """One program."""

    number: int
    feature: str
    function: str
    code: Text
    driver: Driver


@dataclass(frozen=True)
class File:
    """Several programs in one file.

    Attributes:
        plain: what zeroin reads.
        twin: the same lines, noting their conditions, with the drivers and a table of the programs.
        outcomes: how many there are; those of the condition ``k`` of a program begin at ``first[number][k]``.
        branches: of each outcome; the branches of each program follow each other.
        texts: the lines of each program, numbered, for a person.
    """

    programs: tuple[Written, ...]
    plain: str
    twin: str
    first: dict[int, list[int]]
    branches: list[Branch]
    texts: dict[int, list[str]]

    def own(self, program: Written) -> range:
        """The outcomes of a program."""
        first = self.first[program.number]
        return range(first[0], first[-1])


def put_together(programs: Sequence[Written]) -> File:
    """One file of the programs, and its twin."""
    plain, twin, hoisted, branches = list[str](), list[str](), list[str](), list[Branch]()
    firsts, texts = dict[int, list[int]](), dict[int, list[str]]()
    for program in programs:
        first = firsts[program.number] = [len(branches)]
        for condition in program.code.conditions:
            first.append(first[-1] + len(condition.labels))
        where, start = dict[int, int](), len(plain)
        for line in program.code.lines:
            marks = _MARK.findall(line)
            assert len(marks) < 2, f"two conditions in a line: {line}"
            plain.append(_MARK.sub(r"\2", line).replace(HOISTED, ""))
            twin.append("" if HOISTED in line else _MARK.sub(partial(_noting, program, first), line))
            hoisted += [line.strip().removeprefix(HOISTED)] * (HOISTED in line)
            where.update({int(mark[0]): len(plain) for mark in marks})
        for number, condition in enumerate(program.code.conditions):
            branches += [Branch(where[number], label) for label in condition.labels]
        texts[program.number] = [f"{n:4} {line}" for n, line in enumerate(plain[start:], start + 1)]
        plain.append("")
        twin.append("")
    twin += [line for program in programs for line in _driver(program)]
    twin += ["static const struct zt_program zt_programs[] = {", *map(_entry, programs), "    {0}", "};", ""]
    return File(tuple(programs), "\n".join(plain), "\n".join([*hoisted, *twin]), firsts, branches, texts)


def _noting(program: Written, first: Sequence[int], mark: re.Match[str]) -> str:
    number, text = int(mark[1]), mark[2]
    cases = program.code.conditions[number].cases
    if not cases:
        return f"zt_cond({first[number]}, ({text}) != 0)"
    values = ", ".join(map(str, cases))
    return f"zt_switch({first[number]}, {len(cases)}, (const long[]){{{values}}}, {text})"


def _driver(program: Written) -> list[str]:
    body = (f"    {line}" for line in program.driver.body.splitlines())
    return [*program.driver.ahead, f"static void zt_drive_{program.number}(unsigned long i)", "{", *body, "}", ""]


def _entry(program: Written) -> str:
    driver = program.driver
    state = "".join(f"{{&{name}, sizeof {name}}}, " for name in driver.state)
    return (f"    {{{program.number}, {int(driver.paths)}, {driver.calls}, {driver.calls + driver.others}, "
            f"zt_drive_{program.number}, {{{state}{{0}}}}}},")  # fmt: skip
