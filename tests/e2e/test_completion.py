"""What a shell completes, asked of the shell itself."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from zeroin.cli.completion import SHELLS, script
from zeroin.cli.main import build_parser, main

_ASK = r"""
source {script}
COMP_LINE={line}
COMP_POINT=${{#COMP_LINE}}
COMP_WORDS=($COMP_LINE)
[[ $COMP_LINE == *' ' ]] && COMP_WORDS+=("")
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
COMP_WORDBREAKS={breaks}
_shtab_zeroin
printf '%s\n' "${{COMPREPLY[@]}}"
"""


LAB = """
import os

def fit(x):
    def inner(): pass

async def get(): pass

class Rig:
    def move(self): pass
"""
PID = """
#define F(x) x
int later(int x);
static double clip(double x)
{
  if (x > 1) return next(x);
}
struct a *step(struct a *p, int n) { return p; }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "complete.bash").write_text(script("bash"))
    (tmp_path / "lab.py").write_text(LAB)
    (tmp_path / "pid.c").write_text(PID)
    (tmp_path / "my files").mkdir()
    return tmp_path


def completed(folder: Path, line: str, breaks: str = "$' \\t\\n\"\\'><=;|&(:'") -> list[str]:
    text = _ASK.format(script=folder / "complete.bash", line=shlex.quote(line), breaks=breaks)
    done = subprocess.run(["bash", "--norc", "-c", text], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return sorted(filter(None, done.stdout.split("\n")))


def test_commands(folder: Path) -> None:
    assert completed(folder, "zeroin ") == sorted(build_parser().commands)
    assert completed(folder, "zeroin -") == ["--help", "--version", "-h"]
    assert completed(folder, "/usr/bin/zeroin co") == ["completion", "cover"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("zeroin cover --fai", ["--fail-under"]),
        ("zeroin cover a.c --bu", ["--budget"]),
        ("zeroin reach a.c:f --li", ["--line"]),
        ("zeroin show a.c --li", []),
        ("zeroin cover --emit p", ["pytest"]),
        ("zeroin cover --measure ", ["coverage", "gcov", "mutants"]),
        ("zeroin cover -q --engine hy", ["hybrid"]),
        ("zeroin completion ", ["bash", "fish", "zsh"]),
        ("zeroin cover --budget ", []),
        ("zeroin cover a.c --budget 2 --emit p", ["pytest"]),
        ("zeroin explain a.jsonl l", []),
    ],
)
def test_options_and_their_values(line: str, words: list[str], folder: Path) -> None:
    assert completed(folder, line) == words


def test_files_and_folders(folder: Path) -> None:
    assert completed(folder, "zeroin cover ") == ["complete.bash", "lab.py", "my files", "pid.c"]
    assert completed(folder, "zeroin cover lab.py p") == ["pid.c"]
    assert completed(folder, "zeroin cover --json p") == ["pid.c"]
    assert completed(folder, "zeroin explain p") == ["pid.c"]


def test_functions_of_a_file(folder: Path) -> None:
    assert completed(folder, "zeroin cover lab.py:") == ["Rig", "fit", "get"]
    assert completed(folder, "zeroin cover -q lab.py:f") == ["fit"]
    assert completed(folder, "zeroin show pid.c:") == ["clip", "step"]
    assert completed(folder, "zeroin cover lab.py:fit pid.c:c") == ["clip"]
    assert completed(folder, "zeroin cover none.c:") == []
    assert completed(folder, "zeroin cover lab.py:f", breaks="' '") == ["lab.py:fit"]  # as zsh has it


def test_each_shell_knows_every_command_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    commands = build_parser().commands
    options = {one for command in commands.values() for action in command._actions for one in action.option_strings}
    for shell in SHELLS:
        assert main(["completion", shell]) == 0
        text = capsys.readouterr().out
        assert text == script(shell)
        assert all(name in text for name in commands)
        long = [one for one in options if one.startswith("--")]
        assert all((f"-l {one[2:]} " if shell == "fish" else one) in text for one in long)


def test_zsh_completes_every_target() -> None:
    targets = [line for line in script("zsh").splitlines() if '_zeroin_files_and_functions"' in line]
    assert len(targets) == len([one for one in build_parser().commands.values() if "TARGET" in one.format_usage()])
    assert all(line.strip().startswith(('"*:', '"--target')) for line in targets)


def test_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    assert "invalid choice: 'tcsh'" in capsys.readouterr().err
