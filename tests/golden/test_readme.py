"""What the README and the pages below docs/ show is what the command prints."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from zeroin.cli.main import build_parser

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), ROOT / "CONTRIBUTING.md"]
TEXT = "\n".join(page.read_text() for page in PAGES)


def block(name: str) -> str:
    """The fenced block behind a ``<!-- golden: name -->`` comment."""
    (found,) = re.findall(rf"<!-- golden: {re.escape(name)} -->\n```\w*\n(.*?)```", TEXT, re.S)
    return str(found).strip()


def without_times(text: str) -> str:
    text = re.sub(r"[\d.]+ s of search", "N s of search", text)
    text = re.sub(r"\([\d.]+ M/s\)", "(N M/s)", text)
    text = re.sub(r"(proved by \w+) in [\d.]+ s", r"\1 in N s", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 120


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_links_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_make_target_named_is_one() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    named = {a or b for a, b in re.findall(r"^ {4}make ([a-z-]+)|`make ([a-z-]+)", TEXT, re.M)}
    assert "demo" in named
    assert named <= targets


def test_workflows_shown_use_options_that_there_are() -> None:
    workflows = "".join(re.findall(r"^```yaml\n(.*?)^```", TEXT, re.M | re.S))
    plain = re.sub(r"\n +(?=--|\$)", " ", re.sub(r"\$\{\{.*'(--.*)' \}\}", r"\1", workflows))
    commands = re.findall(r"zeroin (cover .*?)(?= \|\||\n)", plain)
    parsed = [build_parser().parse_args(shlex.split(command)) for command in commands]
    assert [one.baseline for one in parsed] == ["before.json", None]


def test_the_source_shown_is_the_example() -> None:
    assert block("orbit.py") in (ROOT / "examples" / "orbit.py").read_text()


@pytest.mark.parametrize(("name", "status"), [("python", 1), ("cover", 0), ("path", 0), ("path of python", 0)])
def test_the_output_shown_is_the_output(name: str, status: int) -> None:
    command, _, shown = block(name).partition("\n")
    arguments = shlex.split(command.removeprefix("$ zeroin "))
    result = subprocess.run([sys.executable, "-m", "zeroin", *arguments], cwd=ROOT, capture_output=True, text=True)
    assert without_times(result.stdout) == without_times(shown)
    assert result.returncode == status


def test_the_test_shown_is_written(tmp_path: Path) -> None:
    command = block("python").splitlines()[0].removeprefix("$ zeroin ").split()[:2]
    (tmp_path / "ruff.toml").write_text("line-length = 120\n")  # as it is where users follow README
    subprocess.run([sys.executable, "-m", "zeroin", *command, "--quiet", "--out", str(tmp_path)], cwd=ROOT,
                   capture_output=True)  # fmt: skip
    assert block("test") in (tmp_path / "test_zeroin_orbit_solve_kepler.py").read_text()


def test_the_python_shown_runs() -> None:
    result = subprocess.run([sys.executable, "-c", block("api")], cwd=ROOT, capture_output=True, text=True, check=True)
    *_, inputs, site, model, integers = result.stdout.splitlines()
    assert re.fullmatch(r"\[.*\] returned", inputs)
    assert site == "e < 0.0"
    assert re.fullmatch(r"\{'x': 2\.\d+\}", model)
    assert integers == "{'n': -7}"


def test_the_objective_shown_is_the_example(tmp_path: Path) -> None:
    example = (ROOT / "examples" / "boundary.py").read_text()
    shown = re.search(r"```python\n(class Boundary.*?)```", TEXT, re.S)
    assert shown
    assert shown[1].strip() in example
    command = [sys.executable, "examples/boundary.py", "examples/kepler.c", "solve"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "r = 0 after" in result.stdout
    assert " against " in result.stdout
