"""The hostile subjects: functions of ours, each with what zeroin has to find in it in the line above."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("subjects")
KINDS = ("crash", "hang", "assertion", "exception", "forbidden", "undefined")
_EXPECTS = re.compile(r"\s*(?://|#) expects: (.*)")
# A definition in C: what stands before the first parenthesis that is no attribute's.
_ATTRIBUTE = re.compile(r"__attribute__\s*\(\(.*?\)\)|\[\[.*?\]\]|alignas\(.*?\)|_Alignas\(.*?\)")


@dataclass(frozen=True)
class Expected:
    """A finding: its kind, ``abnormal`` for any but ``exception``, and a part of what its message says; and whether it
    has to be found, as it has not when every branch is covered without it."""

    kind: str
    text: str
    needed: bool = True

    def fits(self, kind: str, message: str) -> bool:
        return self.text in message and (kind == self.kind or self.kind == "abnormal")


@dataclass(frozen=True)
class Hostile:
    """A function, and what is expected of a search in it.

    Attributes:
        path: its file.
        function: its name in there.
        findings: all that there are; none but these.
        refused: it can not be tested, and that is to be said.
        undecided: so many branches may be left.
        options: for the command line.
    """

    path: Path
    function: str
    findings: tuple[Expected, ...]
    refused: bool
    undecided: int
    options: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.path.name}:{self.function}"


def subjects() -> Iterator[Hostile]:
    """All of them, by file and line."""
    for path in sorted(FOLDER.rglob("*.*")):
        if path.suffix in (".c", ".cpp", ".py"):
            yield from _in_file(path)


def _in_file(path: Path) -> Iterator[Hostile]:
    text = path.read_bytes().decode("latin-1" if path.stem == "latin_1" else "utf-8-sig").replace("\r\n", "\n")
    lines = text.split("\n")
    names = _python_names(text) if path.suffix == ".py" else {}
    for number, line in enumerate(lines):
        found = _EXPECTS.match(line)
        if found:
            function = names.get(number + 2, "f") if path.suffix == ".py" else _c_name(lines[number + 1 :])
            yield _described(path, function, found[1])


def _described(path: Path, function: str, text: str) -> Hostile:
    what, *more = (part.strip() for part in text.split("|"))
    extra = dict([*part.split(maxsplit=1), ""][:2] for part in more)
    findings = []
    for one in what.split(";"):
        needed = not one.strip().startswith("perhaps ")
        kind, _, message = one.strip().removeprefix("perhaps ").partition(" ")
        if kind not in (*KINDS, "abnormal", "nothing", "refused"):
            raise ValueError(f"{path}: {function}: {kind}?")
        if kind not in ("nothing", "refused"):
            findings.append(Expected(kind, message.strip().strip('"'), needed))
    options = re.findall(r'"[^"]*"|\S+', extra.get("options", ""))
    return Hostile(path, function, tuple(findings), what == "refused", int(extra.get("undecided", 0)),
                   tuple(option.strip('"') for option in options))  # fmt: skip


def _python_names(text: str) -> dict[int, str]:
    """The functions and methods by the line where they, or their decorators, begin."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return {}
    found: dict[int, str] = {}

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                found[min([child.lineno, *(d.lineno for d in child.decorator_list)])] = prefix + child.name
            elif isinstance(child, ast.Assign) and isinstance(child.targets[0], ast.Name):
                found[child.lineno] = prefix + child.targets[0].id
            elif isinstance(child, ast.ClassDef):
                visit(child, f"{prefix}{child.name}.")
            elif isinstance(child, ast.If | ast.Try | ast.With):
                visit(child, prefix)

    visit(tree, "")
    return found


def _c_name(lines: list[str]) -> str:
    head = _ATTRIBUTE.sub("", " ".join(lines[:6]))
    found = re.match(r"[^(]*?([\w$~:]+)\s*\(", head)
    if found is None:
        raise ValueError(f"no function in {head!r}")
    return found[1]
