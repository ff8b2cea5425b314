"""A configuration starts compilers found on PATH, and nothing else before its user trusts it."""

from __future__ import annotations

from pathlib import Path

import pytest

from zeroin.cli.main import main
from zeroin.cli.trusted import program_in

TOOL = """\
#!/bin/sh
touch {decoy}
exec clang "$@"
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "f.c").write_text("int f(int x) { return x > 3; }\n")
    (folder / "tool.sh").write_text(TOOL.format(decoy=tmp_path / "decoy"))
    (folder / "tool.sh").chmod(0o755)
    (folder / "more.flags").write_text("-fplugin=./evil.so\n")
    return folder


@pytest.mark.parametrize(("words", "program"), [
    ("-O2 -DX=1 -I include", ""), ("clang -O2", ""), ("clang++-18", ""), ("x86_64-linux-gnu-gcc-12 -lm", ""),
    ("cc", ""),
    ("./tool.sh", "./tool.sh"), ("tools/clang", "tools/clang"), ("/usr/bin/clang", "/usr/bin/clang"), ("make", "make"),
    ("clang -fplugin=./evil.so", "-fplugin=./evil.so"), ("-Xclang -load -Xclang ./evil.so", "-load"),
    ("-fpass-plugin=./evil.so", "-fpass-plugin=./evil.so"), ("-B./tools", "-B./tools"),
    ("-mllvm -load=./e.so", "-load=./e.so"),
    ("--config=./x.cfg", "--config=./x.cfg"), ("@more.flags", "-fplugin=./evil.so"), ("-wrapper ./t", "-wrapper"),
    ("", ""),
])  # fmt: skip
def test_what_is_more_than_a_compiler(words: str, program: str, project: Path) -> None:
    assert program_in(words.split()) == program


@pytest.mark.parametrize("text", [
    'cc = "./tool.sh"', 'cc = ["./tool.sh", "-O2"]', '[target."f.c"]\ncc = "./tool.sh"', 'cc = "-fplugin=./tool.sh"',
])  # fmt: skip
@pytest.mark.parametrize("command", ["show", "cover"])
def test_it_is_refused(command: str, text: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "zeroin.toml").write_text(text)
    assert main([command, "f.c:f"]) == 2
    said = capsys.readouterr().err
    assert "tool.sh runs something other than a compiler on PATH" in said
    assert "zeroin trust zeroin.toml" in said
    assert not (project.parent / "decoy").exists()


def test_who_trusts_it_has_it_started_until_it_changes(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configuration = project / "zeroin.toml"
    configuration.write_text('cc = "./tool.sh"\n')
    assert main(["trust"]) == 0
    assert capsys.readouterr().out == "zeroin.toml is trusted until it is changed: it starts, or loads, ./tool.sh.\n"
    main(["show", "f.c:f"])  # whether that is a compiler is another question
    assert "zeroin trust" not in capsys.readouterr().err
    configuration.write_text('cc = "./tool.sh -O2"\n')
    assert main(["show", "f.c:f"]) == 2
    assert "zeroin trust" in capsys.readouterr().err


def test_another_file_of_the_same_text_is_not_trusted(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("zeroin.toml", "other.toml"):
        (project / name).write_text('cc = "./tool.sh"\n')
    assert main(["trust", "other.toml"]) == 0
    capsys.readouterr()
    assert main(["show", "f.c:f"]) == 2
    assert "zeroin trust" in capsys.readouterr().err


def test_the_command_line_says_what_it_likes(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "zeroin.toml").write_text('cc = "./tool.sh"\n')
    assert main(["show", "f.c:f", "--cc=-O1"]) == 0
    assert main(["show", "f.c:f", "--no-config"]) == 0


def test_nothing_to_trust(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trust"]) == 2
    assert "name one" in capsys.readouterr().err
    (project / "zeroin.toml").write_text("budget = 2.0\n")
    assert main(["trust"]) == 0
    assert "it starts no program of its own" in capsys.readouterr().out


def test_an_invalid_configuration_is_not_trusted(project: Path) -> None:
    (project / "zeroin.toml").write_text("budget = 2.0\ncc = 7\n")
    assert main(["trust"]) == 2
    assert not (project.parent / "state" / "zeroin" / "trusted").exists()
