"""Flags of real Makefiles: each works, or one line says what to do."""

from __future__ import annotations

import platform
import shlex
from pathlib import Path

import pytest

from zeroin.cli.main import main
from zeroin.errors import MissingDependency, OptionError
from zeroin.languages.c.front.build_flags import check_compiler, used_flags
from zeroin.languages.c.front.compile import compile_all

SOURCE = """
#include "limit.h"
#ifndef NAME
#define NAME "a b"
#endif
int unused_parameter(int x) { return 0; }
int f(int x) { if (x > LIMIT + (int)sizeof NAME) return 1; return 0; }
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "include").mkdir()
    (folder / "include" / "limit.h").write_text("#define LIMIT 7\n")
    (folder / "flags.txt").write_text('-Iinclude -O3 "-DNAME=\\"c d\\""\n')
    for name in ("a.c", "a.cpp"):
        (folder / name).write_text(SOURCE)
    return folder


@pytest.mark.parametrize(
    "flags",
    [
        "-Wall -Wextra -Werror -Werror=unused-parameter -pedantic-errors -MMD -MP -MF a.d -MT a.o -MFa.d -c -o a.o",
        "-g3 -ggdb -O3 -Ofast -fprofile-arcs -ftest-coverage -fprofile-instr-generate --coverage -flto=thin -pipe",
        "-save-temps=obj -S -E -M -MM -fsyntax-only -fno-sanitize=all -fstack-protector-strong -lm -L. -Wl,-z,now",
        "-march=native -ffast-math -include stdint.h -DNAME='\"a b\"' @flags.txt",
        "-std=c89",
        "-std=gnu++17",
        f"-target {platform.machine()}-linux-musl",
        f"--target={platform.machine()}-linux-gnu",
    ],
)
def test_flags_of_makefiles(project: Path, monkeypatch: pytest.MonkeyPatch, flags: str) -> None:
    monkeypatch.chdir(project)
    before = sorted(project.rglob("*"))
    for text in compile_all([Path("a.c"), Path("a.cpp")], ("-Iinclude", *shlex.split(flags))):
        assert "br i1" in text  # as at -O0
        assert "!DILocalVariable" in text
    assert sorted(project.rglob("*")) == before


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (
            ["-fsanitize=address,undefined"],
            "--cc -fsanitize=address,undefined: sanitizers can not be used; leave it out",
        ),
        (["-m32"], "--cc -m32: code for another machine can not be run here; leave it out"),
        (["--target=arm64"], "--cc --target=arm64: code for another machine can not be run here; leave it out"),
        (["-DX", "b.c"], "--cc: 'b.c' is not a flag; name other source files with --with FILE"),
        (["@no.txt"], "--cc @no.txt: can not be read ([Errno 2] No such file or directory: 'no.txt')"),
    ],
)
def test_flags_that_can_not_be_honoured(flags: list[str], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        used_flags(flags, cxx=False)
    assert str(caught.value) == message


def test_a_standard_is_for_its_language() -> None:
    assert used_flags(["-std=c99", "-std=c++17"], cxx=True) == ["-std=c++17"]
    assert used_flags(["-std=c99", "-std=c++17"], cxx=False) == ["-std=c99"]
    assert used_flags(["-O2", "-Ofast", "-I", "-odd", "-D", "b.c"], cxx=False) == [
        "-ffast-math",
        "-I",
        "-odd",
        "-D",
        "b.c",
    ]


def test_a_compiler_that_is_not_clang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, says in (("gcc-99", "gcc (GCC) 99"), ("x86_64-linux-gnu-cc", "Ubuntu clang version 18")):
        (tmp_path / name).write_text(f"#!/bin/sh\necho '{says}'\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(
        MissingDependency, match=r"--cc gcc-99: is not Clang, and only Clang makes LLVM IR; leave the name"
    ):
        check_compiler("gcc-99")
    check_compiler("x86_64-linux-gnu-cc")


@pytest.mark.parametrize(
    "arguments", [["--cc", "-Iinclude"], ["--cc=-Iinclude"], ["--cc", "@flags.txt"], ["--cc", "-Iinclude -DX"]]
)
def test_flags_on_the_command_line(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    monkeypatch.chdir(project)
    assert main(["show", "a.c:f", *arguments]) == 0
    assert "x > LIMIT" in capsys.readouterr().out


def test_flags_that_are_refused_on_the_command_line(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    assert main(["cover", "a.c:f", "--cc", "-fsanitize=address"]) == 2
    assert capsys.readouterr().err == "zeroin: --cc -fsanitize=address: sanitizers can not be used; leave it out\n"
