"""Writes the pages: collects what the templates show, and fills them in."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files as resources
from itertools import count, groupby
from pathlib import Path, PurePath

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ... import __version__, files
from ...errors import OutputError
from ...escaping import plain
from ...subject.base import Site, Termination
from ...subject.language import Skipped
from ...suite.suite import COVERED, INFEASIBLE, UNDECIDED, Finding, Input, Suite, Verdict
from ..found import because, groups_of, help_for
from ..summary import floored, percent_of, state_of, totals
from ..text import in_source_order, untested
from .plots import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, plots_of
from .sources import Source, highlighted, highlighting, sources_of, where

MARK = "<!-- written by zeroin -->"  # in the first lines of each page
_FOLDERS = ("functions", "sources")
_LONGEST_NAME = 60  # characters of a page's name
_LONGEST_VALUE = 400  # characters of a value or result


@dataclass
class Page:
    """The page of a function.

    Attributes:
        suite: the result that it shows.
        file: its path below the report's folder.
        test: the file with its tests; None without one.
        sources: for each source file, what is known of it, and the path of its page.
    """

    suite: Suite
    file: str
    test: Path | None = None
    sources: Mapping[Path, tuple[Source, str]] = field(default_factory=dict)


def write_pages(suites: Sequence[Suite], skipped: Sequence[Skipped], folder: Path,
                tests: Mapping[str, Path] | None = None, since: float = float("inf")) -> Path:  # fmt: skip
    """Write the report; return the path of its first page. Pages of an earlier report are removed.

    Args:
        suites: the results of all targets.
        skipped: functions, files and modules that are no targets, with reasons.
        folder: the folder of the report. It is created.
        tests: the file with the tests of each target, by the target's text.
        since: when the code was loaded, in seconds since the epoch: sources that changed later get a note.

    Raises:
        OutputError: a page can not be written, or the folder's index is no page of zeroin.
    """
    prepare_folder(folder)
    book = _book(suites, tests or {}, since)
    taken = [
        (page.file, _filled("function.html", page=page, root="../", prefix="input-", **_of_function(page)))
        for page in book.pages
    ]
    taken += [(name, _filled("source.html", source=source, root="../", pages=book.by_suite))
              for source, name in book.sources.values()]  # fmt: skip
    taken.append(("index.html", _filled("index.html", root="", book=book, skipped=skipped, **_of_all(book, skipped))))
    for old in _old_pages(folder):
        old.unlink(missing_ok=True)
    for name, text in taken:
        files.write(folder / name, text)
    files.write(folder / "style.css", _static("parts.css") + _static("pages.css") + highlighting())
    files.write(folder / "script.js", _static("script.js"))
    return folder / "index.html"


def prepare_folder(folder: Path) -> None:
    """Create the folder of a report, if it is missing.

    Raises:
        OutputError: that is not possible, it can not be written to, or it has an index that zeroin did not write.
    """
    index = folder / "index.html"
    try:
        for one in (folder, *(folder / name for name in _FOLDERS)):
            one.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(13, os.strerror(13))
        there = index.read_text("utf-8", errors="replace")[:400] if index.exists() else MARK
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        why = error.strerror if isinstance(error, OSError) else error
        raise OutputError(f"--html {folder}: can not be written to ({why}); name another folder") from error
    if MARK not in there:
        raise OutputError(f"--html {folder}: {index} was not written by zeroin and is not overwritten; name another "
                          "folder")  # fmt: skip


def _old_pages(folder: Path) -> list[Path]:
    """Return the pages of functions and sources that an earlier report left."""
    found = [path for name in _FOLDERS for path in (folder / name).glob("*.html")]
    return [path for path in found if MARK in path.read_text("utf-8", errors="replace")[:400]]


# ---- what the pages show ----


@dataclass
class Book:
    """All pages.

    Attributes:
        pages: the pages of functions, in the order of the suites.
        sources: for each source file, what is known of it, and the path of its page.
    """

    pages: list[Page]
    sources: dict[Path, tuple[Source, str]]

    @cached_property
    def by_suite(self) -> dict[int, Page]:
        """The page of each suite, by the suite's identity."""
        return {id(page.suite): page for page in self.pages}


def _book(suites: Sequence[Suite], tests: Mapping[str, Path], since: float) -> Book:
    used = set[str]()
    pages = [Page(suite, f"functions/{_file_name(suite.target.function, used)}.html", tests.get(suite.target.text))
             for suite in suites]  # fmt: skip
    sources = {path: (source, f"sources/{_file_name(path.name, used)}.html")
               for path, source in sources_of(suites, since).items()}  # fmt: skip
    for page in pages:
        page.sources = sources
    return Book(pages, sources)


def _file_name(name: str, used: set[str]) -> str:
    """Return a name that every file system takes, and that differs from those used so far also in lower case."""
    short = re.sub(r"[^A-Za-z0-9_.-]+", "_", name).strip("._")[:_LONGEST_NAME] or "page"
    unique, number = short, 2
    while unique.casefold() in used:
        unique, number = f"{short}-{number}", number + 1
    used.add(unique.casefold())
    return unique


def _of_all(book: Book, skipped: Sequence[Skipped]) -> dict[str, object]:
    """Return what only the index shows."""
    suites = [page.suite for page in book.pages]
    return {"totals": totals(suites, skipped), "groups": groups_of(suites), "help": help_for(suites),
            "percent": floored(percent_of(suites))}  # fmt: skip


def _of_function(page: Page) -> dict[str, object]:
    """Return what only the page of a function shows."""
    suite = page.suite
    return {
        "sites": _sites(suite),
        "groups": groups_of([suite]),
        "plots": plots_of(suite),
        "unplotted": _why_unplotted(suite),
        "test": _test(page),
        "help": [*untested(suite), *help_for([suite])],
    }


def _why_unplotted(suite: Suite) -> str:
    samples = suite.samples
    return samples.why if samples is not None else "it was not sampled"


def _sites(suite: Suite) -> list[tuple[Site, list[Verdict]]]:
    """Return the conditions in the order of the source, each with its verdicts."""
    key = in_source_order([branch.site for branch in suite.branches])
    verdicts = sorted(suite.verdicts, key=lambda one: (*key(one.branch.site), one.branch.outcome))
    rows = groupby(verdicts, lambda one: one.branch.site.group if one.branch.site.form == "switch" else one.branch.site)
    return [(several[0].branch.site, several) for several in (list(row) for _, row in rows)]


def _test(page: Page) -> Markup | None:
    """Return the tests of a function, highlighted: the parts of the test file that call it. None without any."""
    if page.test is None:
        return None
    try:
        text = page.test.read_text("utf-8", errors="replace")
    except OSError:
        return None
    name = re.split(r"[.:]", page.suite.target.function)[-1]
    parts = re.split(r"\n\n+(?=\S)", text.strip())
    parts = [part for part in parts if not all(line.startswith("#") for line in part.splitlines())]
    own = [part for part in parts[1:] if re.search(rf"(?<![\w.]){re.escape(name)}\(", part)
           or re.search(rf"\.{re.escape(name)}\(", part)]  # fmt: skip
    return highlighted("\n\n".join(own or parts) + "\n", page.test)


# ---- templates ----


def fragment(suite: Suite) -> str:
    """Return the most important parts of a function's page as HTML that stands alone: for a notebook."""
    style = Markup(".zeroin {\n" + _static("parts.css").replace(":root", "&") + "}\n")
    page, number = Page(suite, ""), next(_fragments)
    return _filled("fragment.html", page=page, style=style, number=number, prefix=f"zeroin-{number}-input-",
                   **_of_function(page))  # fmt: skip


_fragments = count()


def _static(name: str) -> str:
    """Return the content of a file that all reports share."""
    return (resources("zeroin.report.html") / "static" / name).read_text("utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(loader=PackageLoader("zeroin.report.html"), autoescape=True, trim_blocks=True,
                              lstrip_blocks=True, undefined=StrictUndefined)  # fmt: skip
    environment.filters |= {"plain": _shown, "call": _call, "identity": id, "file_name": _base_name}
    environment.globals |= {
        "MARK": Markup(MARK), "version": __version__, "WIDTH": WIDTH, "HEIGHT": HEIGHT,
        "LEFT": LEFT, "RIGHT": RIGHT, "TOP": TOP, "BOTTOM": BOTTOM, "COVERED": COVERED,
        "INFEASIBLE": INFEASIBLE, "UNDECIDED": UNDECIDED, "state_of": state_of, "line_id": _line_id,
        "source_link": _source_link, "left_by": _left_by, "ends": _ends, "because": because,
        "finding_call": _finding_call, "arguments_of": _arguments_of,
    }  # fmt: skip
    return environment


def _filled(template: str, **values: object) -> str:
    return _environment().get_template(template).render(**values)


def _shown(value: object) -> str:
    """Return a value as text in one line, without control characters, cut to what a reader takes in."""
    text = plain(str(value))
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 3]}..."


def _call(kept: Input, suite: Suite) -> str:
    return _shown(suite.signature.show(kept.words))


def _finding_call(suite: Suite, finding: Finding) -> str:
    return _shown(suite.signature.show(finding.words))


def _left_by(suite: Suite, kept: Input) -> dict[str, str]:
    return {name: _shown(value) for name, value in suite.signature.show_left(kept.words, kept.replay).items()}


def _ends(kept: Input) -> bool:
    """Return whether an input's run ends abnormally."""
    return kept.outcome is not Termination.RETURNED


def _line_id(number: int) -> str:
    return f"L{number}"


def _source_link(page: Page, root: str, file: str, line: int) -> str:
    """Return the link to a line of a source's page; empty if the source has no page."""
    found = page.sources.get(where(page.suite, file))
    return f"{root}{found[1]}#{_line_id(line)}" if found and line else ""


def _base_name(file: str) -> str:
    return PurePath(file).name


def _arguments_of(suite: Suite) -> tuple[list[str], list[list[str]]]:
    """Return the headings of the table of inputs, and the texts of each input.

    There is a column for each parameter, if these tell the call; else one for the whole call.
    """
    signature = suite.signature
    names = [parameter.name for parameter in signature.given]
    rows = [[parameter.show(words) for parameter, words in signature.split(kept.words) if parameter.is_shown]
            for kept in suite.inputs]  # fmt: skip
    told = all(signature.show(kept.words) == f"{signature.name}({', '.join(row)})"
               for kept, row in zip(suite.inputs, rows, strict=True))  # fmt: skip
    if not told or len(names) != max(map(len, rows), default=len(names)):
        names, rows = ["Call"], [[signature.show(kept.words)] for kept in suite.inputs]
    return list(map(_shown, names)), [list(map(_shown, row)) for row in rows]
