"""The names in an emitted pytest file: what it imports and how, its variables, its tests."""

from __future__ import annotations

import builtins
import keyword
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from ..subject.base import Branch
from ..subject.python.values.brackets import Brackets
from ..subject.python.values.pictures import quoted
from .pytest_layout import broken, call, fits

_LONGEST = 60  # of a test's name
_AVOIDED = {"l", "O", "I", "same", "math", "np", "numpy", "pytest", "sys", "Path", "importlib", "dataclasses"}
_STEPS_UP = 4  # the farthest that a path relative to the test may go up


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
    """The call that puts the folder on the path: relative to the test's file when they are near each other."""
    steps = Path(os.path.relpath(root.resolve(), folder.resolve())).parts
    up = steps.count("..")
    if up > _STEPS_UP or Path(os.path.commonpath([root.resolve(), folder.resolve()])).parent == Path("/"):
        return call("sys.path.insert", ["0", quoted(str(root.resolve()))])
    start = f"Path(__file__).resolve().{f'parents[{up}]' if up else 'parent'}"
    below = "/".join(steps[up:])
    return call("sys.path.insert", ["0", call("str", [f"{start} / {quoted(below)}" if below else start])])


# ---- tests ----

_TOKEN = re.compile(r"\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\w+|<=|>=|==|!=|\*\*|//|<<|>>|[-+*/%<>&|^~@]")
_WORDS = {
    "<=": "le", ">=": "ge", "==": "eq", "!=": "ne", "<": "lt", ">": "gt", "**": "pow", "//": "div", "/": "over",
    "<<": "shl", ">>": "shr", "-": "minus", "+": "plus", "*": "times", "%": "mod", "&": "and", "|": "or", "^": "xor",
    "~": "inv", "@": "matmul",
}  # fmt: skip
_DANGLING = {*_WORDS.values(), "not", "is", "in"}


def title(function: str, raised: str, branch: Branch | None, used: set[str]) -> str:
    """A name of at most 60 characters that is not in ``used``, to which it is added.

    Args:
        function: qualified name of the function.
        raised: name of the exception that the test expects; empty for none.
        branch: what the name tells; None for nothing.
    """
    head = ["test", *_shorten(_words(function.replace(".", " ")), 20 if raised else 24)]
    if raised:
        head += ["raises", *_shorten(_words(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", raised)), 20)]
    link = ["when"] if raised else []
    end: list[str] = []
    if branch is not None and not (raised and branch.label == "true"):
        end = _shorten(_words(branch.label), 12)
    condition = [] if branch is None else _words(branch.site.condition) or ["line", str(branch.site.line)]
    room = _LONGEST - 4 - len("_".join([*head, *link, *end]))  # of these, three for what makes it unique
    shown = _shorten(condition, room)
    while shown and len(shown) < len(condition) and shown[-1] in _DANGLING:
        shown.pop()
    plain = "_".join([*head, *link, *shown, *end] if shown else head)
    name, number = plain, 1
    while name in used:
        number += 1
        name = f"{plain}_{number}"
    used.add(name)
    return name


def _words(text: str) -> list[str]:
    tokens = (_WORDS.get(token, re.sub(r"[^a-z0-9]+", "_", token.lower())) for token in _TOKEN.findall(text))
    return [word for token in tokens for word in token.split("_") if word]


def _shorten(words: list[str], room: int) -> list[str]:
    """As many of the words, joined by ``_``, as there is room for."""
    kept: list[str] = []
    for word in words:
        left = room - len("_".join([*kept, ""]))
        if len(word) > left:
            return kept or [word[:left]] if left > 0 else kept
        kept.append(word)
    return kept
