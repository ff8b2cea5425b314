"""Emitted C tests: built as their headers say, and run."""

from __future__ import annotations

import dataclasses
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import clang
from zeroin.emit.files import write
from zeroin.emit.test_header import Batch
from zeroin.languages.c.emit.cases import Case
from zeroin.languages.c.emit.frameworks import CMocka, GoogleTest, Unity
from zeroin.languages.c.emit.header import HEADER_NAME
from zeroin.languages.c.emit.test_file import CTest, compile_command, target_of, user_flags
from zeroin.languages.c.replay import CReplay
from zeroin.languages.plugins import EMITTERS
from zeroin.subject.base import Replay
from zeroin.suite.suite import Input, Suite

STAND_INS = Path(__file__).with_name("frameworks")
FRAMEWORKS = {"googletest": GoogleTest(), "unity": Unity(), "cmocka": CMocka()}
COMPILERS = {"cc": "cc", "clang": "cc", "c++": "c++", "python3 -m ziglang cc": "cc", "python3 -m ziglang c++": "c++"}


def build(suite: Suite, folder: Path) -> Path:
    """Write the test and run the compile command that its header gives, with the bundled Clang; the program."""
    folder.mkdir(parents=True, exist_ok=True)
    test = write(CTest(), suite, folder)
    match = re.search(r"^ \*     (\S.*?) (-fno-builtin .*)$", test.read_text(), re.M)
    assert match is not None
    clang.build([COMPILERS[match[1]], *shlex.split(match[2])], folder)
    return test.with_suffix("")


def run(program: Path, *arguments: str) -> tuple[int, list[str]]:
    """Status and lines of the test program."""
    done = subprocess.run([str(program), *arguments], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout.splitlines()


def run_in(suite: Suite, name: str, folder: Path) -> tuple[int, str]:
    """Compile the test in a framework as its header says, but for the libraries, without a warning; its status and
    output."""
    folder.mkdir(exist_ok=True)
    test, framework = write(EMITTERS[name](), suite, folder), FRAMEWORKS[name]
    command = compile_command(target_of(suite), folder, test.name, framework)
    assert " ".join(command) in test.read_text().replace("\n", "")
    kept = [word for word in command if word not in framework.libraries]
    clang.build([*kept[:1], "-Wall", "-Wextra", "-Werror", f"-I{STAND_INS}", *kept[1:]], folder)
    done = subprocess.run([str(test.with_suffix(""))], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout


def check(suite: Suite, folder: Path) -> str:
    """All cases pass, and no compiler warns of what is ours; the text of the test."""
    status, lines = run(build(suite, folder))
    count = sum(kept.outcome.word == "returned" for kept in suite.inputs)
    disabled = len(suite.inputs) - count
    assert (status, lines) == (0, [f"{count} passed, 0 failed" + f", {disabled} disabled" * bool(disabled)])
    test = folder / CTest().file_name(Batch((suite,)))
    assert warnings_in(test, user_flags(target_of(suite).cc)) == []
    return test.read_text()


def names_in(suite: Suite) -> list[str]:
    """The names of all cases."""
    return [case.name for case in CTest()._cases(Batch((suite,))) if isinstance(case, Case)]


def warnings_in(test: Path, flags: Sequence[str] = ()) -> list[str]:
    """What compilers warn of in a test and in its header, with all warnings; not in the subject."""
    compiler = "c++" if test.suffix == ".cpp" else "cc"
    options = ["-Wall", "-Wextra", *[flag for flag in flags if flag.startswith("-std")], "-c", test.name, "-o",
               "warned.o"]  # fmt: skip
    commands = [[sys.executable, "-m", "ziglang", compiler, *options]]
    if shutil.which({"cc": "gcc", "c++": "g++"}[compiler]):
        commands.append([{"cc": "gcc", "c++": "g++"}[compiler], *options])
    said = [subprocess.run(command, cwd=test.parent, capture_output=True, text=True).stderr for command in commands]
    ours = re.compile(rf"^(\S*/)?({re.escape(test.name)}|{HEADER_NAME}):\d+:\d+: (warning|error)")
    return [line for text in said for line in text.splitlines() if ours.match(line)]


def replay_of(kept: Input) -> CReplay:
    assert isinstance(kept.replay, CReplay)
    return kept.replay


def with_replay(suite: Suite, number: int, replay: Replay) -> Suite:
    """The same suite, with another expectation of one input."""
    inputs = list(suite.inputs)
    inputs[number] = dataclasses.replace(inputs[number], replay=replay)
    return dataclasses.replace(suite, inputs=inputs)
