"""The names in an emitted pytest file: what it imports and how, its variables, its tests."""

from __future__ import annotations

import builtins
import keyword
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from ..subject.python.values.brackets import Brackets
from ..subject.python.values.pictures import quoted
from .pytest_layout import broken, call, fits

_AVOIDED = {"l", "O", "I", "same", "math", "np", "numpy", "pytest", "sys", "Path", "importlib", "dataclasses"}


class Names:
    """How the test names things, and which imports that takes.

    In the ``direct`` way things of the module under test are imported by name, otherwise through the module.
    Called with ``module:Qual.Name``, it answers with the name and remembers the import.
    """

    def __init__(self, module: str, direct: bool, modules: Iterable[str] = ()) -> None:
        """``modules`` are further modules that may be imported, so that no variable hides one."""
        self.module = module
        self.direct = direct and _importable(module)
        self.alias = _alias(module)
        others = {name.partition(".")[0] for name in modules if name != module}
        self._taken = _AVOIDED | others | (set() if self.direct else {self.alias})
        self._used: set[str] = set()  # modules
        self._members: set[str] = set()  # of the module under test
        self._locals: set[str] = set()

    def __call__(self, path: str) -> str:
        module, _, name = path.rpartition(":")
        if module == "builtins":
            return name
        if module == self.module:
            self._members.add(name.partition(".")[0])
            return name if self.direct else f"{self.alias}.{name}"
        self._used.add(module)
        return f"np.{name}" if module == "numpy" else f"{module}.{name}"

    def local(self, wanted: str, used: set[str]) -> str:
        """A name for a variable like ``wanted`` that hides nothing and is not in ``used``, to which it is added."""
        name = re.sub(r"\W", "_", wanted)
        while name in self._taken or name in used or keyword.iskeyword(name) or hasattr(builtins, name):
            name += "_"
        used.add(name)
        self._locals.add(name)
        return name

    @property
    def clashing(self) -> bool:
        """Whether a directly imported name hides something, or would be taken for a test."""
        hidden = self._taken | self._locals | set(dir(builtins))
        return self.direct and any(name in hidden or name.lower().startswith("test") for name in self._members)

    def imports(self, root: Path | None, folder: Path, installed: bool) -> str:
        """The import lines, sorted; ``root`` is the folder to add to the path of a test in ``folder``."""
        if root is not None:
            self("sys:path")
        if self._members and not self.direct and self.alias != self.module:
            self("importlib:import_module")
        own = {name for name in self._used if _top(name) == _top(self.module) or _lies_in(root, name)}
        standard = {name for name in self._used - own if _top(name) in sys.stdlib_module_names}
        others = self._used - own - standard
        lines = [sorted(map(_import, modules), key=_line_order) for modules in (standard, others)]
        if root is not None:
            lines[0].append("from pathlib import Path")
            lines.append(broken(_path(root, folder), 0))
        if self._members:
            mine = self._module_lines(own)
            inner = root is None and (installed or _top(self.module) in sys.stdlib_module_names)
            place = 0 if _top(self.module) in sys.stdlib_module_names else 1
            if inner:
                lines[place] = sorted([*lines[place], *mine], key=_line_order)
            else:
                lines.append(mine)
        return "\n\n".join("\n".join(section) for section in lines if section)

    def _module_lines(self, own: set[str]) -> list[str]:
        others = sorted(map(_import, own), key=_line_order)
        if not self.direct and self.alias != self.module:
            return [*others, f"{self.alias} = importlib.import_module({quoted(self.module)})"]
        if not self.direct:
            return sorted([*others, _import(self.module)], key=_line_order)
        members = sorted(self._members, key=_member_order)
        line = f"from {self.module} import {', '.join(members)}"
        if fits(line):
            return [*others, line]
        return [*others, *broken(Brackets(f"from {self.module} import (", tuple(members), ")"), 0)]


def _member_order(name: str) -> tuple[bool, bool, str]:
    """Constants, classes, the rest."""
    return not (len(name) > 1 and name.isupper()), not name[:1].isupper(), name.lower()


def _line_order(line: str) -> tuple[bool, str]:
    return line.startswith("from "), line.lower()


def _importable(module: str) -> bool:
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in module.split("."))


def _alias(module: str) -> str:
    """What a test calls the module. One in a package gets a name of its own: ``package.module`` may be a function that
    the package imports from there."""
    name = re.sub(r"\W", "_", module)
    return name if name.isidentifier() and not keyword.iskeyword(name) else f"module_{name}"


def _top(module: str) -> str:
    return module.partition(".")[0]


def _lies_in(root: Path | None, module: str) -> bool:
    return root is not None and any((root / f"{_top(module)}{suffix}").exists() for suffix in ("", ".py"))


def _import(module: str) -> str:
    return "import numpy as np" if module == "numpy" else f"import {module}"


def _path(root: Path, folder: Path) -> Brackets:
    """The call that puts the folder on the path, relative to the test's file."""
    steps = Path(os.path.relpath(root.resolve(), folder.resolve())).parts
    up = steps.count("..")
    start = f"Path(__file__).resolve().{f'parents[{up}]' if up else 'parent'}"
    below = "/".join(steps[up:])
    return call("sys.path.insert", ["0", call("str", [f"{start} / {quoted(below)}" if below else start])])
