"""A file's module is imported as the project imports it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from zeroin.languages.python.front.import_roots import import_roots_of
from zeroin.languages.python.front.modules import import_module

FILES = ["src/pricing/money.py", "src/pricing/deep/tax.py", "lib/tools/wrench.py", "alone.py", "odd-name/inner.py",
         "package/__init__.py", "package/part.py"]  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "project"
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    return folder


def first(project: Path, file: str) -> tuple[str, str]:
    """The folder, from the project's, and the module."""
    folder, name = import_roots_of(project / file)[0]
    return folder.relative_to(project).as_posix(), name


def test_without_a_project_a_file_is_a_module_of_its_folder(project: Path) -> None:
    assert first(project, "src/pricing/money.py") == ("src/pricing", "money")
    assert first(project, "package/part.py") == (".", "package.part")
    assert first(project, "package/__init__.py") == (".", "package")


def test_a_folder_src_is_where_imports_begin(project: Path) -> None:
    (project / "setup.py").write_text("")
    assert first(project, "src/pricing/money.py") == ("src", "pricing.money")
    assert first(project, "src/pricing/deep/tax.py") == ("src", "pricing.deep.tax")
    assert first(project, "lib/tools/wrench.py") == ("lib/tools", "wrench")
    assert first(project, "alone.py") == (".", "alone")


@pytest.mark.parametrize(("file", "text"), [
    ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = ["lib", "."]\n'),
    ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = "lib ."\n'),
    ("pytest.ini", "[pytest]\npythonpath = lib .\naddopts = %(x)s\n"),
    ("setup.cfg", "[tool:pytest]\npythonpath =\n    lib\n    .\n"),
])  # fmt: skip
def test_what_pytest_s_pythonpath_says(project: Path, file: str, text: str) -> None:
    (project / file).write_text(text)
    assert first(project, "lib/tools/wrench.py") == ("lib", "tools.wrench")
    assert first(project, "odd-name/inner.py") == ("odd-name", "inner")  # no name of a package
    assert first(project, "package/part.py") == (".", "package.part")
    assert import_roots_of(project / "lib/tools/wrench.py")[1:] == [(project, "lib.tools.wrench"),
                                                              (project / "lib/tools", "wrench")]  # fmt: skip


def test_a_configuration_that_can_not_be_read_says_nothing(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool\n")
    (project / "pytest.ini").write_bytes(b"\xff[")
    assert first(project, "lib/tools/wrench.py") == ("lib/tools", "wrench")


def test_a_file_that_needs_what_lies_beside_it_is_imported_from_there(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    (project / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    (project / "lib/tools/wrench.py").write_text("import zeroin_beside_it\n")
    (project / "lib/tools/zeroin_beside_it.py").write_text("")
    (project / "lib/tools/zeroin_alone.py").write_text("")
    assert import_module(str(project / "lib/tools/wrench.py")).name == "wrench"
    assert str(project) not in sys.path
    assert import_module(str(project / "lib/tools/zeroin_alone.py")).name == "lib.tools.zeroin_alone"
    for name in ("wrench", "zeroin_beside_it", "lib", "lib.tools", "lib.tools.zeroin_alone"):
        sys.modules.pop(name, None)
