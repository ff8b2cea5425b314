"""Imports point downwards only (docs/architecture.md)."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

import zeroin

PACKAGE = Path(zeroin.__file__).parent
# The rooms from the top of the house to the bottom; a room may import itself and those after it.
HOUSE = [
    "cli", "report", "worker", "languages", "measure", "emit", "suite", "generate", "explore", "solvers", "objective",
    "minimize", "subject", "process", "model", "term", "distance", "native", "sandbox",
]  # fmt: skip
BELOW_ALL = {"words", "extended", "cache", "limits", "files", "scratch", "config", "errors", "registry",
             "marks", "named", "escaping", "paths", "user_objects"}  # fmt: skip
_BY_STRING = re.compile(r"zeroin\.(\w+)[\w.]*(?::\w*)?")
MODULES = sorted(p for p in PACKAGE.rglob("*.py") if p.parent != PACKAGE)


def imported_rooms(path: Path) -> set[str]:
    """The top-level rooms of zeroin that a module imports, at any depth of its code."""
    inside = path.relative_to(PACKAGE).parts
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            base = list(inside[: len(inside) - node.level]) if node.level else []
            parts = base + (node.module or "").split(".") if node.module else base
            if not node.level:
                parts = parts[1:] if parts[:1] == ["zeroin"] else ["-"]
            rooms |= {parts[0]} if parts else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            rooms |= {a.name.split(".")[1] for a in node.names if a.name.startswith("zeroin.")}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            named = _BY_STRING.fullmatch(node.value)
            rooms |= {named[1]} if named else set()
    return rooms - {"-", "toml"}  # zeroin.toml is a file of the user's


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_downwards(path: Path) -> None:
    room = path.relative_to(PACKAGE).parts[0]
    allowed = set(HOUSE[HOUSE.index(room) :]) | BELOW_ALL | {"__version__"}
    assert imported_rooms(path) <= allowed


@pytest.mark.parametrize("name", sorted(BELOW_ALL))
def test_what_is_below_all_imports_no_room(name: str) -> None:
    assert imported_rooms(PACKAGE / f"{name}.py") <= BELOW_ALL


def _imported(path: Path) -> set[str]:
    """The modules of zeroin that a module imports when it is imported itself."""
    inside = ("zeroin", *path.relative_to(PACKAGE).with_suffix("").parts)
    package = inside[:-1]
    found = set()
    nodes: list[ast.AST] = [ast.parse(path.read_text())]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *(node.module or "").split("."))).strip(".")
            found |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            nodes += ast.iter_child_nodes(node)
    return found


def test_no_module_imports_itself_by_way_of_others() -> None:
    names = {}
    for path in PACKAGE.rglob("*.py"):
        parts = ("zeroin", *path.relative_to(PACKAGE).with_suffix("").parts)
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    imports = {name: {other for other in _imported(path) if other in names} - {name} for name, path in names.items()}
    assert {"zeroin.worker.worker", "zeroin.subject.base"} <= imports["zeroin.worker.parent"]
    left = dict(imports)
    while idle := [name for name, others in left.items() if not others & left.keys()]:
        for name in idle:
            del left[name]
    assert not left, "these import each other, or what does"


def test_only_emitters_and_judges_of_a_language_know_suites() -> None:
    """What finds, runs, reads and mutates targets knows nothing of what comes of a search. Readers may ask solvers."""
    above = set(HOUSE[: HOUSE.index("subject")]) - {"languages"}
    rooms = {p for p in MODULES if p.relative_to(PACKAGE).parts[0] == "languages"}
    own = {p for p in rooms if not {"emit", "measure"} & set(p.relative_to(PACKAGE).parts[2:3])} - {
        PACKAGE / "languages" / "plugins.py"}  # fmt: skip
    assert {p.parent.name for p in own} >= {"front", "run", "read", "mutate"}
    readers = {p for p in own if "read" in p.relative_to(PACKAGE).parts}
    found = {str(p): imported_rooms(p) & (above - {"solvers"} if p in readers else above) for p in own}
    assert {name: rooms for name, rooms in found.items() if rooms} == {}


def test_examples_need_only_what_is_public() -> None:
    root = PACKAGE.parents[1]
    page = (root / "docs" / "reference" / "python-api.md").read_text()
    (listed,) = re.findall(r"^Public are (.*?)\. All other", page, re.S | re.M)
    public = set(re.findall(r"`(zeroin[.\w]*)`", listed))
    assert "zeroin.minimize" in public
    examples = [path.read_text() for path in (root / "examples").glob("*.py")]
    imported = {name for text in examples for name in re.findall(r"^\s*(?:from|import) (zeroin[.\w]*)", text, re.M)}
    assert "zeroin" in imported
    assert imported <= public


@pytest.mark.parametrize("name", ["zeroin", "zeroin.term", "zeroin.solvers"])
def test_whatever_a_package_lists_is_there(name: str) -> None:
    package = importlib.import_module(name)
    assert [each for each in package.__all__ if getattr(package, each, None) is None] == []
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'nothing'"):
        package.nothing  # noqa: B018


def test_importing_zeroin_loads_no_compiler() -> None:
    import subprocess
    import sys

    code = "import sys, zeroin; print(*(m for m in ('numpy', 'numba', 'llvmlite', 'scipy') if m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == ""


def test_the_command_line_loads_no_member_of_a_registry() -> None:
    import subprocess
    import sys

    code = "import sys; from zeroin.cli.main import build_parser; build_parser().format_help(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    rooms = {"zeroin", "zeroin.cli", "zeroin.cli.interrupt", "zeroin.cli.main", "zeroin.cli.streams",
             "zeroin.languages", "zeroin.languages.plugins", "zeroin.report", "zeroin.generate",
             "zeroin.generate.strategies"}  # fmt: skip
    others = {"zeroin.errors", "zeroin.limits", "zeroin.named", "zeroin.registry"}
    assert {name for name in loaded if name.startswith("zeroin")} == rooms | others
