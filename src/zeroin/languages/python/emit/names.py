"""Choose the names in an emitted pytest file: its imports and its variables."""

from __future__ import annotations

import builtins
import keyword
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from ..values.brackets import Brackets
from ..values.snapshots import quoted
from .line_breaks import broken, call, fits

_OF_PYTEST = ("test", "pytest_")  # the prefixes of names that pytest collects
_AVOIDED = {"l", "O", "I", "same", "math", "np", "numpy", "pytest", "sys", "Path", "importlib", "dataclasses"}


class ImportedNames:
    """The names that a test file uses, and the imports that they need.

    Call it with a path ``module:Qual.Name``: it returns the name to write and remembers the import. Members of the
    module under test are imported by name. If the module's name can not be in an import statement, the file imports the
    module itself under an alias.

    Args:
        module: the name of the module under test.
        modules: further modules that the file may import; variables do not get their names.
        renamed: members of the module under test that are imported under another name, with the module's as prefix.
        root: the folder that the file adds to ``sys.path``; None for none.
    """

    def __init__(self, module: str, modules: Iterable[str] = (), renamed: Iterable[str] = (),
                 root: Path | None = None) -> None:  # fmt: skip
        self.module = module
        # An import statement would find the standard module of this name, which pytest has imported already.
        self._is_hidden = root is not None and module in sys.stdlib_module_names
        self._root = root
        self.direct = _importable(module) and not self._is_hidden
        self.alias = _alias(module)
        others = {name.partition(".")[0] for name in modules if name != module}
        self._renamed = {name: f"{_alias(module.rpartition('.')[2])}_{name}" for name in renamed}
        self._taken = _AVOIDED | others | (set(self._renamed.values()) if self.direct else {self.alias})
        self._used: set[str] = set()  # modules
        self._members: set[str] = set()  # names of the module under test
        self._locals: set[str] = set()

    def __call__(self, path: str) -> str:
        """Return the name to write for the object at a path, and remember the import that it needs."""
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
        """Return a name for a variable, similar to ``wanted``, that hides no other name. Add it to ``used``.

        ``used`` has the names in the same function; other functions may have variables of the same name.
        """
        name = re.sub(r"\W", "_", wanted)
        while name in self._taken or name in used or keyword.iskeyword(name) or hasattr(builtins, name):
            name += "_"
        used.add(name)
        self._locals.add(name)
        return name

    @property
    def clashing(self) -> set[str]:
        """The imported names that hide another name, or that pytest would collect as a test or hook.

        They are known when the whole file is written. It must be written again with these as ``renamed``.
        """
        hidden = self._taken | self._locals | set(dir(builtins))
        return {name for name in self._members if self.direct and name not in self._renamed
                and (name in hidden or name.lower().startswith(_OF_PYTEST))}  # fmt: skip

    def anew(self) -> list[str]:
        """Return the statements of a function that imports the module under test anew, to reset its variables.

        Call it when all names of the module are known, and before :meth:`imports`. The lines are indented by 4.
        """
        if self._is_hidden:
            return [f"    {self.alias}_spec.loader.exec_module({self.alias})"]
        again = self("importlib:reload")
        if not self.direct:
            return [f"    {again}({self.alias})"]
        names = sorted((self._renamed.get(name, name) for name in self._members), key=_member_order)
        reloaded = f"    {again}({self('sys:modules')}[{quoted(self.module)}])"
        return [f"    global {', '.join(names)}", reloaded, *self._from_module(4)]

    def imports(self, folder: Path, installed: bool) -> str:
        """Return the sorted import lines of a test file. Call it last: later names would have no import.

        Args:
            folder: the folder of the test file.
            installed: whether the module under test is an installed package.
        """
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
        """Return the lines that import the module under test, and other modules of its package."""
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
        """Return the import of the names that the file needs from the module under test."""
        names = sorted(self._members, key=_member_order)
        renamed = [f"{' ' * indent}from {self.module} import {name} as {self._renamed[name]}"
                   for name in names if name in self._renamed]  # fmt: skip
        plain = [name for name in names if name not in self._renamed]
        line = f"{' ' * indent}from {self.module} import {', '.join(plain)}"
        lines = [line] if fits(line) else broken(Brackets(f"from {self.module} import (", tuple(plain), ")"), indent)
        return [*lines * bool(plain), *renamed]


def _member_order(name: str) -> tuple[bool, bool, str]:
    """Return a key that sorts constants first, then classes, then other names."""
    return not (len(name) > 1 and name.isupper()), not name[:1].isupper(), name.lower()


def _line_order(line: str) -> tuple[bool, str]:
    """Return a key that sorts ``import`` before ``from`` lines, and then by the alphabet."""
    return line.startswith("from "), line.lower()


def _importable(module: str) -> bool:
    """Whether an import statement can contain the name of a module."""
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in module.split("."))


def _alias(module: str) -> str:
    """Return the name that a test file gives the module."""
    name = re.sub(r"\W", "_", module)
    is_plain = name.isidentifier() and not keyword.iskeyword(name) and not name.lower().startswith(_OF_PYTEST)
    return name if is_plain else f"module_{name}"


def _top(module: str) -> str:
    """Return the name of the outermost package of a module."""
    return module.partition(".")[0]


def _lies_in(root: Path | None, module: str) -> bool:
    """Whether a folder has the module's file, or that of its package. False without a folder."""
    return root is not None and any((root / f"{_top(module)}{suffix}").exists() for suffix in ("", ".py"))


def _import(module: str) -> str:
    return "import numpy as np" if module == "numpy" else f"import {module}"


def _path(root: Path, folder: Path) -> Brackets:
    """Return the call that adds a folder to ``sys.path``, relative to the test file."""
    steps = Path(os.path.relpath(root.resolve(), folder.resolve())).parts
    up = steps.count("..")
    start = f"Path(__file__).resolve().{f'parents[{up}]' if up else 'parent'}"
    below = "/".join(steps[up:])
    return call("sys.path.insert", ["0", call("str", [f"{start} / {quoted(below)}" if below else start])])
