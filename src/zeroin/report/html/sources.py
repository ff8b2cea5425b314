"""Sources of the code under test, line by line, with what is known of the conditions of each line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name

from ...files import name_of
from ...subject.base import Site
from ...suite.suite import INFEASIBLE, UNDECIDED, Finding, Suite, Verdict

_LEXERS = {".py": "python", ".pyi": "python", ".c": "c", ".h": "c", ".ll": "llvm"}  # all others: C++
_LARGEST = 2_000_000  # characters that are highlighted


def highlighting() -> str:
    """Return the style sheet of highlighted code, for light and dark pages. Backgrounds are those of the page."""
    styles = "xcode", "zenburn"  # their contrast is at least 4.5
    light, dark = ("".join(f"{line}\n" for line in _rules(name) if "background" not in line) for name in styles)
    return f"{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n"


def _rules(style: str) -> list[str]:
    return str(HtmlFormatter(style=style).get_style_defs("pre")).splitlines()


@dataclass
class Line:
    """A line of a source.

    Attributes:
        number: the number, from 1.
        code: the text, highlighted.
        verdicts: the branches of its conditions, each with the suite that has the verdict.
        findings: what goes wrong there, each with its suite.
    """

    number: int
    code: Markup
    verdicts: list[tuple[Suite, Verdict]] = field(default_factory=list)
    findings: list[tuple[Suite, Finding]] = field(default_factory=list)

    @property
    def state(self) -> str:
        """``undecided``, ``proved`` or ``covered``: the weakest verdict of its branches; empty without branches."""
        verdicts = {verdict.verdict for _, verdict in self.verdicts}
        return next((state for state in (UNDECIDED, INFEASIBLE) if state in verdicts), "covered" if verdicts else "")

    @property
    def sites(self) -> list[tuple[Suite, Site, list[Verdict]]]:
        """Its conditions, each with the suite and the verdicts on its branches."""
        found = dict[tuple[int, object], tuple[Suite, Site, list[Verdict]]]()
        for suite, verdict in self.verdicts:
            site = verdict.branch.site
            key = id(suite), site.group if site.form == "switch" else -1 - site.number
            found.setdefault(key, (suite, site, []))[2].append(verdict)
        return list(found.values())

    @property
    def suites(self) -> int:
        """The number of suites that have branches on it."""
        return len({id(suite) for suite, _ in self.verdicts})


@dataclass
class Source:
    """A source file with what is known of its lines.

    Attributes:
        path: the file.
        name: its path as the reports show it.
        lines: its lines; empty if it can not be read.
        note: what a reader has to know, such as that the file is gone; empty if there is nothing.
        suites: the suites with branches or findings in it.
    """

    path: Path
    name: str
    lines: list[Line] = field(default_factory=list)
    note: str = ""
    suites: list[Suite] = field(default_factory=list)


def sources_of(suites: Sequence[Suite], since: float) -> dict[Path, Source]:
    """Return the sources of suites by their paths, in the order in which the suites name them.

    Args:
        suites: the suites.
        since: when the code was loaded, in seconds since the epoch: a file that changed later gets a note.
    """
    found = dict[Path, Source]()
    for suite in suites:
        files = [suite.target.path, *(where(suite, branch.site.file) for branch in suite.branches)]
        files += [where(suite, finding.file) for finding in suite.findings if finding.line]
        for path in dict.fromkeys(files):
            source = found.get(path) or found.setdefault(path, _read(path, since))
            source.suites.append(suite)
    for suite in suites:
        for verdict in suite.verdicts:
            site = verdict.branch.site
            for line in _at(found, where(suite, site.file), site.line):
                line.verdicts.append((suite, verdict))
        for finding in suite.findings:
            for line in _at(found, where(suite, finding.file), finding.line):
                line.findings.append((suite, finding))
    return found


def where(suite: Suite, file: str) -> Path:
    """Return the path of a file that a site or finding names: with its folder, or with its name alone."""
    own, named = suite.target.path, Path(file)
    if not file or file == own.name:
        return own
    if not named.exists():
        return named if named.is_absolute() else own.parent / named
    return own if own.exists() and named.samefile(own) else named


def highlighted(text: str, path: Path) -> Markup:
    """Return a text as HTML, with the colours of the language that the path's suffix tells."""
    return Markup(highlight(text, _lexer(path, text), HtmlFormatter(nowrap=True)))


def _at(sources: dict[Path, Source], path: Path, number: int) -> list[Line]:
    """Return the line of this number as a list; an empty one if it is not known."""
    source = sources.get(path)
    return source.lines[number - 1 : number] if source is not None and number > 0 else []


def _read(path: Path, since: float) -> Source:
    source = Source(path, name_of(path))
    try:
        content, changed = path.read_bytes(), path.stat().st_mtime > since
    except (OSError, ValueError) as error:  # ValueError: a name that no file has
        why = error.strerror if isinstance(error, OSError) else "no file has such a name"
        source.note = f"The source can not be read ({why}), so its lines are not shown."
        return source
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
        source.note = "The source is not UTF-8. It is shown as Latin-1."
    if changed:
        source.note = " ".join(["The source has changed since zeroin read it, so marks may stand at wrong lines.",
                                source.note]).strip()  # fmt: skip
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", " ")
    lines = highlighted(text, path).split("\n")
    lines = lines[: text.count("\n") + (not text.endswith("\n") and text != "")]
    source.lines = [Line(number, Markup(line)) for number, line in enumerate(lines, 1)]
    return source


def _lexer(path: Path, text: str) -> Lexer:
    """Return a lexer that keeps all lines. A very long text is not coloured."""
    name = _LEXERS.get(path.suffix.lower(), "cpp") if len(text) <= _LARGEST else "text"
    return get_lexer_by_name(name, stripnl=False, ensurenl=False)
