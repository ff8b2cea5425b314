"""The names in an emitted pytest file: what it imports and how, its variables, its tests."""

from __future__ import annotations

import builtins
import keyword
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from ..values.brackets import Brackets
from ..values.pictures import quoted
from .line_breaks import broken, call, fits

_OF_PYTEST = ("test", "pytest_")  # how the names of what pytest looks for begin
_AVOIDED = {"l", "O", "I", "same", "math", "np", "numpy", "pytest", "sys", "Path", "importlib", "dataclasses"}


class ImportedNames:
    """How the test names things, and which imports that takes.

    Things of the module under test are imported by name; only where its own name can not stand in an import statement,
    through the module. Called with ``module:Qual.Name``, it answers with the name and remembers the import.
    """

    def __init__(self, module: str, modules: Iterable[str] = (), renamed: Iterable[str] = (),
                 root: Path | None = None) -> None:  # fmt: skip
        """``modules`` are further modules that may be imported, so that no variable hides one; things of the module
        under test that are ``renamed`` get a name that begins with the module's; ``root`` is the folder to add to the
        path, if any."""
        self.module = module
        # pytest has imported Python's own module of that name, so an import statement would find that one.
        self._is_hidden = root is not None and module in sys.stdlib_module_names
        self._root = root
        self.direct = _importable(module) and not self._is_hidden
        self.alias = _alias(module)
        others = {name.partition(".")[0] for name in modules if name != module}
        self._renamed = {name: f"{_alias(module.rpartition('.')[2])}_{name}" for name in renamed}
        self._taken = _AVOIDED | others | (set(self._renamed.values()) if self.direct else {self.alias})
        self._used: set[str] = set()  # modules
        self._members: set[str] = set()  # of the module under test
        self._locals: set[str] = set()

    def __call__(self, path: str) -> str:
        module, _, name = path.rpartition(":")
        if module == "builtins":
            return name
        if module == self.module:
            first, dot, rest = name.partition(".")
            self._members.add(first)
            return f"{self._renamed.get(first, first)}{dot}{rest}" if self.direct else f"{self.alias}.{name}"
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
    def clashing(self) -> set[str]:
        """Those imported names that hide something, or would be taken for a test or a hook of pytest's."""
        hidden = self._taken | self._locals | set(dir(builtins))
        return {name for name in self._members if self.direct and name not in self._renamed
                and (name in hidden or name.lower().startswith(_OF_PYTEST))}  # fmt: skip

    def anew(self) -> list[str]:
        """Statements of a function that imports the module under test once more, with new values of its variables."""
        if self._is_hidden:
            return [f"    {self.alias}_spec.loader.exec_module({self.alias})"]
        again = self("importlib:reload")
        if not self.direct:
            return [f"    {again}({self.alias})"]
        names = sorted((self._renamed.get(name, name) for name in self._members), key=_member_order)
        reloaded = f"    {again}({self('sys:modules')}[{quoted(self.module)}])"
        return [f"    global {', '.join(names)}", reloaded, *self._from_module(4)]

    def imports(self, folder: Path, installed: bool) -> str:
        """The import lines of a test in ``folder``, sorted."""
        root = self._root
        if root is not None:
            self("sys:path")
        if self._members and self._is_hidden:
            self("importlib.util:module_from_spec")
        elif self._members and not self.direct:
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
        if self._is_hidden:
            file = f'str(Path(sys.path[0]) / "{self.module}.py")'
            return [*others, f'{self.alias}_spec = importlib.util.spec_from_file_location("{self.module}", {file})',
                    f"{self.alias} = importlib.util.module_from_spec({self.alias}_spec)",
                    f"{self.alias}_spec.loader.exec_module({self.alias})"]  # fmt: skip
        if not self.direct:
            return [*others, f"{self.alias} = importlib.import_module({quoted(self.module)})"]
        return [*others, *self._from_module(0)]

    def _from_module(self, indent: int) -> list[str]:
        """The import of what is needed of the module under test."""
        names = sorted(self._members, key=_member_order)
        renamed = [f"{' ' * indent}from {self.module} import {name} as {self._renamed[name]}"
                   for name in names if name in self._renamed]  # fmt: skip
        plain = [name for name in names if name not in self._renamed]
        line = f"{' ' * indent}from {self.module} import {', '.join(plain)}"
        lines = [line] if fits(line) else broken(Brackets(f"from {self.module} import (", tuple(plain), ")"), indent)
        return [*lines * bool(plain), *renamed]


def _member_order(name: str) -> tuple[bool, bool, str]:
    """Constants, classes, the rest."""
    return not (len(name) > 1 and name.isupper()), not name[:1].isupper(), name.lower()


def _line_order(line: str) -> tuple[bool, str]:
    return line.startswith("from "), line.lower()


def _importable(module: str) -> bool:
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in module.split("."))


def _alias(module: str) -> str:
    """What a test calls the module."""
    name = re.sub(r"\W", "_", module)
    is_plain = name.isidentifier() and not keyword.iskeyword(name) and not name.lower().startswith(_OF_PYTEST)
    return name if is_plain else f"module_{name}"


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
