"""The HTML report: its pages, their links and totals, and sources that are gone, changed or hostile."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from suites import MakeSuite
from zeroin.errors import OutputError
from zeroin.report.html import fragment, prepare_folder, write_pages
from zeroin.report.json import as_json
from zeroin.subject.base import Branch, Site
from zeroin.subject.language import Skipped
from zeroin.suite.suite import Finding, Suite

VOID = {"meta", "link", "br", "input", "img", "hr"}
HOSTILE = "<script>alert('\x1b[31m&amp;\u202e\ud800')</script>"


class Page(HTMLParser):
    """A parsed page. An element that is not closed fails the test.

    Attributes:
        ids: the values of all ``id`` attributes.
        links: the values of all ``href`` and ``src`` attributes.
        scripts: the texts of script elements.
        texts: all other texts.
        rows: for each table row, its attributes and the texts of its cells.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids, self.links, self.scripts, self.texts = list[str](), list[str](), list[str](), list[str]()
        self.rows = list[tuple[dict[str, str | None], list[str]]]()
        self.tags, self._open = list[str](), list[str]()
        self.feed(path.read_text())
        assert not self._open
        assert len(self.ids) == len(set(self.ids))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self.tags.append(tag)
        self.ids += [one for one in [known.get("id")] if one]
        self.links += [one for one in (known.get("href"), known.get("src")) if one]
        if tag not in VOID:
            self._open.append(tag)
        if tag == "tr":
            self.rows.append((known, []))
        if tag in ("td", "th"):
            self.rows[-1][1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        (self.scripts if self._open[-1:] == ["script"] else self.texts).append(data)
        if {"td", "th"} & {*self._open}:
            self.rows[-1][1][-1] += data

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())


def pages_of(folder: Path) -> dict[str, Page]:
    return {str(path.relative_to(folder)): Page(path) for path in sorted(folder.rglob("*.html"))}


@pytest.fixture
def suites(covered: dict[str, list[Suite]]) -> list[Suite]:
    """Of all languages, some of them without inputs."""
    every = [suite for of_one in covered.values() for suite in of_one]
    return [replace(suite, inputs=[], findings=[]) if n % 2 else suite for n, suite in enumerate(every)]


def made(folder: Path, suites: list[Suite], **more: Any) -> dict[str, Page]:
    index = write_pages(suites, more.pop("skipped", ()), folder, **more)
    assert index == folder / "index.html"
    return pages_of(folder)


def test_every_link_leads_to_a_page_and_a_place_in_it(tmp_path: Path, suites: list[Suite]) -> None:
    pages = made(tmp_path, suites)
    assert len(pages) > 2 * len(suites)
    for name, page in pages.items():
        for link in page.links:
            if link == "data:,":
                continue
            assert not re.match(r"[a-z]+:|/", link), "nothing from elsewhere"
            file, _, place = link.partition("#")
            there = os.path.normpath(os.path.join(os.path.dirname(name), file)) if file else name
            assert (tmp_path / there).is_file()
            assert not place or place in pages[there].ids


def test_totals_equal_the_json_report(tmp_path: Path, suites: list[Suite]) -> None:
    page = made(tmp_path, suites)["index.html"]
    targets = as_json(suites)["targets"]
    rows = [cells for attributes, cells in page.rows if "data-undecided" in attributes]
    for target, cells in zip(targets, rows, strict=True):
        verdicts = [branch["verdict"] for branch in target["branches"]]
        assert cells[2:7] == [str(number) for number in (
            len(verdicts), verdicts.count("covered"), verdicts.count("infeasible"), verdicts.count("undecided"),
            len(target["findings"]))]  # fmt: skip
    branches = [branch["verdict"] for target in targets for branch in target["branches"]]
    assert f"{len(branches)} branches: {branches.count('covered')} covered" in page.text
    assert f"{branches.count('undecided')} undecided" in page.text


def test_filters_select_by_the_numbers_of_the_rows(tmp_path: Path, suites: list[Suite]) -> None:
    page = made(tmp_path, suites)["index.html"]
    rows = [attributes for attributes, _ in page.rows if "data-undecided" in attributes]
    assert [(row["data-undecided"], row["data-findings"], row["data-infeasible"]) for row in rows] == [
        (str(suite.count("undecided")), str(len(suite.findings)), str(suite.count("infeasible"))) for suite in suites
    ]
    filters = set(re.findall(r'data-filter="(\w+)"', (tmp_path / "index.html").read_text()))
    assert {f"data-{name}" for name in filters} <= {*rows[0]}


def test_a_function_page_tells_branches_inputs_and_findings(tmp_path: Path, covered: dict[str, list[Suite]]) -> None:
    (suite,) = covered["python"]
    page = made(tmp_path, [suite])["functions/sign.html"]
    assert "sign(x: float, n: int) -> int" in page.text
    assert "x > 2.5" in page.text
    assert all(finding.kind in page.text for finding in suite.findings)
    assert "ZeroDivisionError" in page.text
    rows = [cells for attributes, cells in page.rows if (attributes.get("id") or "").startswith("input-")]
    assert [cells[1:-1] for cells in rows] == [
        [parameter.show(words) for parameter, words in suite.signature.split(kept.words)] for kept in suite.inputs
    ]
    assert rows[0][-1].startswith(suite.signature.show_result(suite.inputs[0].replay).strip())


def test_a_source_has_its_verdicts_beside_its_lines(tmp_path: Path, covered: dict[str, list[Suite]]) -> None:
    (suite,) = covered["python"]
    page = made(tmp_path, [suite])["sources/sign.py.html"]
    rows = {attributes["id"]: (attributes, cells) for attributes, cells in page.rows if "id" in attributes}
    text = suite.target.path.read_text().splitlines()
    assert [cells[1] for _, cells in rows.values()] == text
    attributes, cells = rows["L2"]
    assert attributes["class"] == "covered"
    assert "true" in cells[2]
    assert suite.signature.show(suite.inputs[suite.verdicts[0].input or 0].words) in cells[2]
    assert "finding" in (rows["L4"][0]["class"] or "")
    assert "class" not in rows["L1"][0]


def test_undecided_conditions_are_marked(tmp_path: Path, covered: dict[str, list[Suite]]) -> None:
    (suite,) = covered["python"]
    page = made(tmp_path, [replace(suite, inputs=[])])["sources/sign.py.html"]
    (row,) = [cells for attributes, cells in page.rows if "undecided" in (attributes.get("class") or "")]
    assert "undecided" in row[2]


def test_the_tests_of_a_function_are_on_its_page(tmp_path: Path, covered: dict[str, list[Suite]]) -> None:
    (suite,) = covered["python"]
    test = tmp_path / "test_it.py"
    test.write_text('"""Head."""\n\nimport pytest\n\n\ndef test_sign():\n    assert sign(2.5, 1) == 10\n\n\n'
                    "def test_other():\n    assert design(3) == signed(4)\n")  # fmt: skip
    page = made(tmp_path / "out", [suite], tests={suite.target.text: test})["functions/sign.html"]
    assert "assert sign(2.5, 1) == 10" in page.text
    assert "design" not in page.text


def test_hostile_texts_are_only_text(tmp_path: Path, make_suite: MakeSuite) -> None:
    suite = make_suite("f.c", "int f(int n)\n{\n    if (n > 3)\n        return 1;\n    return 0;\n}\n", "f", [(1,)])
    site = replace(suite.sites[0], condition=HOSTILE, source_name=HOSTILE)
    finding = Finding("crash", suite.inputs[0].words, HOSTILE, file=HOSTILE, line=3)
    target = replace(suite.target, function=HOSTILE, text=HOSTILE)
    signature = replace(suite.signature, name=HOSTILE, assumed=(HOSTILE,))
    hostile = replace(suite, target=target, signature=signature, sites=[site], notes=[HOSTILE], findings=[finding],
                      branches=[Branch("0T", site, 0, HOSTILE), Branch("0F", site, 1, "false")])  # fmt: skip
    pages = made(tmp_path, [hostile], skipped=[Skipped(HOSTILE, HOSTILE)])
    for page in pages.values():
        assert not any(page.scripts)
        assert page.tags.count("script") == 1
        assert not {"\x1b", "\u202e", "\ud800"} & {*page.text}
    assert "<script>alert(" in pages["index.html"].text


def test_a_source_that_is_gone_is_named(tmp_path: Path, covered: dict[str, list[Suite]]) -> None:
    (suite,) = covered["python"]
    gone = replace(suite, target=replace(suite.target, path=tmp_path / "sign.py"))
    page = made(tmp_path / "out", [gone])["sources/sign.py.html"]
    assert "can not be read (No such file or directory)" in page.text


def test_a_source_that_changed_is_told(tmp_path: Path, covered: dict[str, list[Suite]]) -> None:
    (suite,) = covered["python"]
    changed = suite.target.path.stat().st_mtime
    assert "has changed" in made(tmp_path / "1", [suite], since=changed - 1)["sources/sign.py.html"].text
    assert "has changed" not in made(tmp_path / "2", [suite], since=changed + 1)["sources/sign.py.html"].text


def test_a_source_that_is_not_utf8_is_shown(tmp_path: Path, covered: dict[str, list[Suite]]) -> None:
    (suite,) = covered["python"]
    path = tmp_path / "sign.py"
    path.write_bytes(b"# caf\xe9\r\n" + suite.target.path.read_bytes())
    page = made(tmp_path / "out", [replace(suite, target=replace(suite.target, path=path))])["sources/sign.py.html"]
    assert "not UTF-8" in page.text
    assert "caf\xe9" in page.text


@pytest.mark.parametrize("text", ["", "\n", "\n\n\n", "x = 1", "a\fb\n", "'''\n\n<b>\n'''\n"], ids=repr)
def test_no_line_of_a_source_is_lost(tmp_path: Path, covered: dict[str, list[Suite]], text: str) -> None:
    (suite,) = covered["python"]
    path = tmp_path / "sign.py"
    path.write_text(text)
    bare = replace(suite, target=replace(suite.target, path=path), branches=[], findings=[])
    page = made(tmp_path / "out", [bare])["sources/sign.py.html"]
    rows = [cells[1] for attributes, cells in page.rows if "id" in attributes]
    assert rows == text.replace("\f", " ").splitlines()


def test_pages_of_an_earlier_report_are_removed_and_nothing_else(
    tmp_path: Path, covered: dict[str, list[Suite]]
) -> None:
    (suite,) = covered["python"]
    other = replace(suite, target=replace(suite.target, function="other"))
    made(tmp_path, [suite, other])
    (tmp_path / "functions" / "mine.html").write_text("my own")
    (tmp_path / "readme.txt").write_text("my own")
    write_pages([suite], (), tmp_path)
    assert not (tmp_path / "functions" / "other.html").exists()
    assert (tmp_path / "functions" / "mine.html").read_text() == (tmp_path / "readme.txt").read_text() == "my own"


def test_an_index_of_the_user_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<h1>mine</h1>")
    with pytest.raises(OutputError, match=r"index.html was not written by zeroin"):
        prepare_folder(tmp_path)
    assert (tmp_path / "index.html").read_text() == "<h1>mine</h1>"


@pytest.mark.parametrize("name", ["file/report", "zero\0byte"])
def test_a_folder_that_can_not_be_made_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match=r"--html .*: can not be written to"):
        prepare_folder(tmp_path / name)


def test_functions_of_the_same_name_have_pages_of_their_own(tmp_path: Path, covered: dict[str, list[Suite]]) -> None:
    (suite,) = covered["python"]
    names = ["f", "F", "operator<", "operator>", "../../f", "x" * 300, "f-2", "..."]
    several = [replace(suite, target=replace(suite.target, function=name)) for name in names]
    pages = made(tmp_path, several)
    assert len({name.casefold() for name in pages if name.startswith("functions/")}) == len(names)
    assert {path.parent for path in tmp_path.rglob("*.html")} == {
        tmp_path, tmp_path / "functions", tmp_path / "sources"}  # fmt: skip


def test_ten_thousand_branches_are_all_shown(tmp_path: Path, covered: dict[str, list[Suite]]) -> None:
    (suite,) = covered["python"]
    sites = [Site(n, "sign", suite.sites[0].file, 2, n, f"x > {n}") for n in range(5000)]
    branches = [Branch(f"{n // 2}{'TF'[n % 2]}", sites[n // 2], n, ("true", "false")[n % 2]) for n in range(10_000)]
    pages = made(tmp_path, [replace(suite, sites=sites, branches=branches)])
    text = pages["functions/sign.html"].text
    assert all(f"x > {n}" in text for n in (0, 1234, 4999))
    assert (tmp_path / "functions" / "sign.html").stat().st_size < 5_000_000


def test_a_notebook_shows_the_same_without_a_page(covered: dict[str, list[Suite]]) -> None:
    (suite,) = covered["python"]
    shown, again = fragment(suite), fragment(suite)
    assert "x &gt; 2.5" in shown
    assert "ZeroDivisionError" in shown
    assert "<html" not in shown
    assert not re.search(r'(src|href)="(?!#)', shown)
    ids = re.findall(r"\bid=\"([^\"]+)\"", shown + again)
    assert ids
    assert len(ids) == len(set(ids))


def test_files_of_one_name_in_two_folders_are_two_sources(tmp_path: Path, covered: dict[str, list[Suite]]) -> None:
    (suite,) = covered["python"]
    other = tmp_path / "sign.py"
    other.write_text("x = 1\n")
    finding = replace(suite.findings[0], file=str(other), line=1)
    pages = made(tmp_path / "out", [replace(suite, findings=[finding])])
    texts = [page.text for name, page in pages.items() if name.startswith("sources/")]
    assert len(texts) == 2
    assert sum("x = 1" in text for text in texts) == 1
