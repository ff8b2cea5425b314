"""Which files below a folder are meant by it, and what is said of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from zeroin.subject.source_folder import own_files, sources_of

SUFFIXES = frozenset({".c", ".py", ".ll"})


def make(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x = 1\n")


def meant(folder: Path, *excluded: str, out: Path | None = None) -> tuple[list[str], dict[str, str]]:
    found, skipped = sources_of(folder, SUFFIXES, excluded, out)
    here = f"{folder}/"
    return [str(path).removeprefix(here) for path in found], {one.text.removeprefix(here): one.why for one in skipped}


def test_all_sources_are_found_in_the_order_of_their_names(tmp_path: Path) -> None:
    make(tmp_path, "b.c", "a.py", "z/deep/er/c.c", "c/d.py", "notes.txt", "Makefile")
    (tmp_path / "empty.py").touch()
    assert meant(tmp_path) == (["a.py", "b.c", "c/d.py", "z/deep/er/c.c"], {})


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("tests/a.c", "tests; covered if they are named"),
        ("src/test/a.c", "tests; covered if they are named"),
        (".tox/a.py", "a hidden folder"),
        ("node_modules/deep/a.c", "third-party packages"),
        ("build/a.c", "a build folder"),
        ("cmake-build-debug/a.c", "a build folder"),
    ],
)
def test_folders_that_are_not_meant_are_named_once(name: str, why: str, tmp_path: Path) -> None:
    make(tmp_path, "own.c", name, str(Path(name).with_name("b.c")))
    folder = next(str(p) for p in reversed(Path(name).parents) if p.name not in ("", "src"))
    assert meant(tmp_path) == (["own.c"], {folder: why})


def test_what_a_folder_holds_tells_what_it_is(tmp_path: Path) -> None:
    make(
        tmp_path, "env/pyvenv.cfg", "env/lib/a.py", "made/CMakeCache.txt", "made/a.c", "build/__init__.py", "build/a.py"
    )
    assert meant(tmp_path) == (
        ["build/__init__.py", "build/a.py"], {"env": "a virtual environment", "made": "a build folder"}
    )  # fmt: skip


@pytest.mark.parametrize("name", ["__pycache__/a.py", ".git/a.c", ".idea/workspace.xml", "zeroin-out/test_a.c"])
def test_what_is_of_no_interest_is_not_named(name: str, tmp_path: Path) -> None:
    make(tmp_path, "own.c", name)
    assert meant(tmp_path, out=tmp_path / "zeroin-out") == (["own.c"], {})


def test_where_tests_were_written_before_is_of_no_interest(tmp_path: Path) -> None:
    make(tmp_path, "own.c", "made/test_a.c", "made/.found/0.jsonl")
    assert meant(tmp_path) == (["own.c"], {})


def test_tests_programs_and_what_is_made_of_other_files(tmp_path: Path) -> None:
    make(tmp_path, "a.c", "a.ll", "b.ll", "test_a.c", "a_test.c", "conftest.py", "setup.py", "__main__.py", "contest.c")
    found, skipped = meant(tmp_path)
    assert found == ["a.c", "b.ll", "contest.c"]
    assert skipped == {
        "a.ll": "compiled from a.c",
        **dict.fromkeys(["test_a.c", "a_test.c", "conftest.py"], "tests; covered if they are named"),
        **dict.fromkeys(["setup.py", "__main__.py"], "a program: importing it would run it"),
    }


@pytest.mark.parametrize(
    ("pattern", "left", "named"),
    [
        ("old", ["gen_x.c", "src/gen_y.c", "src/new.c"], ["src/old"]),
        ("src/old/", ["gen_x.c", "src/gen_y.c", "src/new.c"], ["src/old"]),
        ("gen_*", ["src/new.c", "src/old/a.c"], ["gen_x.c", "src/gen_y.c"]),
        ("src/*.c", ["gen_x.c", "src/old/a.c"], ["src/gen_y.c", "src/new.c"]),
    ],
)
def test_patterns_exclude_names_and_paths(pattern: str, left: list[str], named: list[str], tmp_path: Path) -> None:
    make(tmp_path, "gen_x.c", "src/gen_y.c", "src/new.c", "src/old/a.c")
    found, skipped = meant(tmp_path, pattern)
    assert sorted(found) == left
    assert skipped == dict.fromkeys(named, f"--exclude {pattern}")


def test_links_lead_round_in_no_circle(tmp_path: Path) -> None:
    make(tmp_path, "src/a.c")
    (tmp_path / "src" / "again").symlink_to(tmp_path)
    assert meant(tmp_path) == (["src/a.c"], {"src/again": "a link to a folder"})


def test_own_files_are_those_without_tests_and_the_code_of_others(tmp_path: Path) -> None:
    own = ["a.py", "a/__main__.py", "z.py", "z/y.py"]
    others = ["tests/helper.py", "test_z.py", "work/env/pyvenv.cfg", "work/env/lib/b.py", "site-packages/c.py", "x.c"]
    make(tmp_path, *own, *others)
    assert [str(path.relative_to(tmp_path)) for path in own_files(tmp_path, ".py")] == [
        "a.py", "z.py", "a/__main__.py", "z/y.py"
    ]  # fmt: skip
