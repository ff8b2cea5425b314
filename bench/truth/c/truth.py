"""Run all inputs of the programs of a file, compiled by Clang and by gcc at -O0: what they do in truth."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ..verdicts import Branch, Truth
from .code import File, Written

DECISIONS = 6  # of a run that are kept as its path
CLANG = (sys.executable, "-m", "ziglang", "cc")
# A run with undefined behaviour traps. Negative numbers may be shifted to the left: gcc and Clang define that. What the
# flags of zeroin's tests define (-fwrapv, for one), a program should not depend on.
TRAPPING = ("-fsanitize=undefined,float-cast-overflow", "-fno-sanitize=shift-base", "-fsanitize-trap=all")
_PLAIN = ("-O0", "-w", "-fno-strict-aliasing", "-ffp-contract=off")
_HERE = Path(__file__).parent


class Disagreement(Exception):
    """Two compilers make different programs of one text although no run has undefined behaviour: a program of the
    benchmark depends on what C leaves open."""


def gcc() -> tuple[str, ...] | None:
    """The command, if it is there."""
    found = shutil.which("gcc")
    return (found,) if found else None


def truths(file: File, folder: Path) -> dict[int, Truth]:
    """The truth of each program, by its number.

    Raises:
        Disagreement: the compilers do not agree.
    """
    outcomes = max(1, len(file.branches))
    head = f"enum {{ ZT_DECISIONS = {DECISIONS}, ZT_OUTCOMES = {outcomes} }};\n"
    parts = (head, (_HERE / "twin.h").read_text(), file.twin, (_HERE / "twin.c").read_text())
    source = folder / "twin.c"
    source.write_text("\n".join(parts))
    traps = str(folder / "traps")
    said = _run(source, [*CLANG, *_PLAIN, *TRAPPING], "write", traps)
    other = gcc()
    if other and (again := _run(source, [*other, *_PLAIN], "read", traps)) != said:
        different = [f"{one} | {two}" for one, two in zip(said, again, strict=False) if one != two]
        raise Disagreement("; ".join(different[:3]))
    return _read(file, said)


def _run(source: Path, compiler: Sequence[str], *arguments: str) -> list[str]:
    program = source.with_suffix(f".{arguments[0]}")
    command = [*compiler, "-o", str(program), str(source), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
    done = subprocess.run([str(program), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{source}: {done.returncode} {done.stderr}")
    return done.stdout.splitlines()


def _read(file: File, lines: Sequence[str]) -> dict[int, Truth]:
    examples, paths = dict[int, int](), dict[int, dict[tuple[int, ...], int]]()
    number = -1
    for kind, *rest in (line.split() for line in lines):
        first, *others = map(int, rest)
        if kind == "program":
            number = first
            paths[number] = {}
        elif kind == "path":
            paths[number][tuple(others)] = first
        else:
            examples[first] = others[0]
    return {program.number: _truth(file, program, examples, paths[program.number]) for program in file.programs}


def _truth(file: File, program: Written, examples: dict[int, int], paths: dict[tuple[int, ...], int]) -> Truth:
    """What is known of one program."""
    told = {o: f"input {examples[o]}" if o in examples else None for o in file.own(program)}
    branches = {file.branches[o]: example for o, example in told.items()}
    prefixes = dict[tuple[Branch, ...], str | None]()
    for path, example in paths.items():
        for length in range(1, len(path) + 1):
            prefixes.setdefault(tuple(file.branches[o] for o in path[:length]), f"input {example}")
    return Truth(branches, {**_astray(file, prefixes), **prefixes})


def _astray(file: File, prefixes: dict[tuple[Branch, ...], str | None]) -> dict[tuple[Branch, ...], None]:
    """Paths whose last decision alone no run takes after the others."""
    beside = dict[int, list[Branch]]()
    for branch in file.branches:
        beside.setdefault(branch.line, []).append(branch)
    others = {(*path[:-1], branch) for path in prefixes for branch in beside[path[-1].line]}
    return dict.fromkeys(sorted(others - prefixes.keys()))
