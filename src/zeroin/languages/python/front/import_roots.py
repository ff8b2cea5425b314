"""The folder from which a file is imported: the one around its package, or one that the project configures."""

from __future__ import annotations

import configparser
import shlex
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_PROJECT = ("pyproject.toml", "pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", "setup.py")
_SECTIONS = ("pytest", "tool:pytest")  # of INI files


def import_roots_of(path: Path) -> list[tuple[Path, str]]:
    """Return the possible import roots of a file, each with the module's name from there; the project's own come first.

    An import root is a folder that must be on ``sys.path``. A folder without ``__init__.py`` counts as a package if
    pytest's ``pythonpath`` or a ``src`` layout sets an import root above it. The last entry is always the folder around
    the file's outermost package. From there, the file's name may be no valid module name.
    """
    root, parts = path.parent, [] if path.stem == "__init__" else [path.stem]
    while (root / "__init__.py").exists():
        parts.insert(0, root.name)
        root = root.parent
    above = ((folder, root.relative_to(folder).parts) for folder in _roots_above(root))
    named = [(folder, [*inner, *parts]) for folder, inner in above if inner and all(map(str.isidentifier, inner))]
    return [(folder, ".".join(names)) for folder, names in [*named, (root, parts)]]


def _roots_above(folder: Path) -> list[Path]:
    """Return the project's import roots above a folder, or that folder itself, the nearest first.

    Empty if no folder above has a project file such as ``pyproject.toml``.
    """
    project = next((one for one in (folder, *folder.parents) if any((one / name).is_file() for name in _PROJECT)), None)
    if project is None:
        return []
    roots = {(project / name).resolve() for name in [*_pythonpath(project), "src"]}
    return sorted((root for root in roots if folder.is_relative_to(root)), key=lambda root: -len(root.parts))


def _pythonpath(project: Path) -> Iterator[str]:
    """Yield the entries of ``pythonpath`` in pytest's configuration; files that can not be read are ignored."""
    for name in _PROJECT[:-1]:
        with suppress(OSError, ValueError, configparser.Error):  # pytest itself reports a broken configuration
            text = (project / name).read_text(encoding="utf-8")
            if name.endswith(".toml"):
                found = tomllib.loads(text).get("tool", {}).get("pytest", {}).get("ini_options", {}).get("pythonpath")
                yield from shlex.split(found) if isinstance(found, str) else map(str, found or ())
            else:
                parser = configparser.ConfigParser(interpolation=None)
                parser.read_string(text)
                for section in _SECTIONS:
                    yield from shlex.split(parser.get(section, "pythonpath", fallback=""))
