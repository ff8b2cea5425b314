"""Names, values and messages of the code under test are shown as text: no terminal obeys them, no line is forged."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin.escaping import plain, shell_word
from zeroin.report.style import Style

FORGED = "12 branches: 12 covered by 3 inputs, 0 undecided."
COLOURS = re.compile("\x1b\\[(?:[012]|31|33)m")

PYTHON = f"""\
def f(x: int) -> int:
    if x > 3:
        raise Exception("a\\n\\n{FORGED}\\n\\x1b[8m")
    return [][x] if x == 1 else 0


def g(text: str) -> int:
    if text == "\x1b]0;owned\x07 \u202e{FORGED}":
        return 1
    return {{}}["\\x1b]0;owned\\x07\\n{FORGED}\\r"]


class K(Exception):
    def __str__(self) -> str:
        return "\\x9b8m\\r{FORGED}"


def h(x: int) -> int:
    if x == 7:
        raise K
    return x
"""
CXX = f"""\
#include <stdexcept>
int f(int x) {{
    if (x == '\x1b')
        throw std::runtime_error("\\r\\n{FORGED}\\n\\033[8m");
    return x;
}}
"""
WRONG = f"""int f(int x) {{ return x + \x1b[8m; }}  // \x1b[8m \r{FORGED}
"""


def zeroin(folder: Path, *arguments: str) -> str:
    """All that the command says, on a terminal with colours."""
    environment = {**os.environ, "FORCE_COLOR": "1"}
    done = subprocess.run([sys.executable, "-m", "zeroin", *arguments], cwd=folder, env=environment, timeout=200,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)  # fmt: skip
    return done.stdout.decode()


def is_honest(said: str) -> bool:
    """Whether nothing in it is obeyed, and no line begins as the summary of a search does that was not made."""
    own = COLOURS.sub("", said)
    return all(one.isprintable() for one in own.split("\n")) and not any(
        line.startswith(FORGED) for line in own.split("\n")
    )


@pytest.mark.parametrize("name", ["f.py", "f.cpp"])
def test_what_a_run_says_is_shown_as_text(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(PYTHON if name == "f.py" else CXX)
    reports = [f"--{kind}={kind}" for kind in ("json", "junit", "sarif", "smt2")]
    said = zeroin(tmp_path, "cover", name, "--budget", "2", "-v", *reports)
    assert "\\x1b[8m" in said
    assert is_honest(said), said
    for mode in ((), ("-q",)):
        said = zeroin(tmp_path, "cover", name, "--budget", "2", "--emit", "none", *mode)
        assert name in said
        assert is_honest(said), said
    assert is_honest(zeroin(tmp_path, "show", f"{name}:{'g' if name == 'f.py' else 'f'}"))
    written = [path for path in tmp_path.rglob("*") if path.is_file() and path.name != name and path.suffix != ".pyc"]
    assert len(written) >= 5
    for path in written:
        assert is_honest(path.read_bytes().decode()), path


def test_what_a_compiler_says_of_it_is_shown_as_text(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(WRONG)
    said = zeroin(tmp_path, "cover", "f.c:f", "--budget", "1")
    assert "error: " in said
    assert "\x1b[8m" not in said
    assert "\r" not in said


@pytest.mark.parametrize("name", [f"a\n{FORGED}\n\x1b[8m.py", f"\x1b]0;owned\x07\r{FORGED}.py"])
def test_a_file_may_be_called_anything(name: str, tmp_path: Path) -> None:
    assert is_honest(zeroin(tmp_path, "cover", f"{name}:f"))
    (tmp_path / name).write_text("def f(x: int) -> int:\n    return 1 if x == 3 else 0\n")
    said = zeroin(tmp_path, "cover", f"{name}:f", "--budget", "1")
    assert is_honest(said), said
    written = [path for path in (tmp_path / "zeroin-out").iterdir() if path.is_file()]
    assert all(is_honest(path.read_text()) for path in written)


@given(st.text(st.characters()))
def test_plain_text_is_one_line_and_says_all(text: str) -> None:
    shown = plain(text)
    assert shown.isprintable()
    if "\\" not in text:
        assert shown.encode("latin-1", "backslashreplace").decode("unicode_escape") == text
    assert plain(shown) == shown
    assert COLOURS.sub("", Style(True).bad(text)) == (shown if text else "")


@given(st.text(st.characters(exclude_characters="\0"), min_size=1))
def test_a_shell_takes_a_word_for_what_it_was(text: str) -> None:
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    try:
        wanted, word = os.fsencode(text), shell_word(text)
    except UnicodeEncodeError:  # half of a character is in no name of a file
        return
    assert word.isprintable()
    assert (
        subprocess.run(["bash", "-c", f"printf %s {word}"], env=environment, capture_output=True, check=True).stdout
        == wanted
    )
