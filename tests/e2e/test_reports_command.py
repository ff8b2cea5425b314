"""Reports for servers and editors, and the comparison with an earlier one, from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as XML

import commands

SOURCE = "def f(x: float):\n    if x > 3:\n        return 1\n    return {}\n"


def zeroin(folder: Path, *arguments: str) -> commands.Done:
    return commands.zeroin("cover", *arguments, "--evals", "2000", "--emit", "none", cwd=folder)


def test_a_baseline_fails_for_what_is_worse_alone(tmp_path: Path) -> None:
    source = tmp_path / "m.py"
    source.write_text(SOURCE.format("1 // int(x)"))
    assert zeroin(tmp_path, "m.py:f", "--json", "old.json").returncode == 1
    same = zeroin(tmp_path, "m.py:f", "--baseline", "old.json", "--json", "old.json")  # and writes the next one
    assert same.returncode == 0, same.stdout
    assert "0 branches newly covered, 0 lost; 0 findings new, 0 gone." in same.stdout
    source.write_text("\n\n" + SOURCE.format("1 if x < 3 and x > 4 else {}[x]"))
    worse = zeroin(tmp_path, "m.py:f", "--baseline", "old.json", "--json", "-")
    assert worse.returncode == 1
    told = worse.stderr.splitlines()
    assert "Compared with old.json: 0 branches newly covered, 0 lost; 1 finding new, 1 gone." in told
    assert any(line.startswith("  new      m.py:f  exception: raised: KeyError") for line in told)
    assert json.loads(worse.stdout)["targets"][0]["findings"]
    source.write_text("def f(x: float):\n")
    lost = zeroin(tmp_path, ".", "--baseline", "old.json")
    assert lost.returncode == 2  # there is nothing else below the folder


def test_a_file_that_does_not_compile_any_more_is_lost(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(SOURCE.format("2"))
    (tmp_path / "n.py").write_text(SOURCE.format("3"))
    assert zeroin(tmp_path, ".", "--json", "old.json").returncode == 0
    (tmp_path / "n.py").write_text("def f(x: float):\n")
    done = zeroin(tmp_path, ".", "--baseline", "old.json", "-q")
    assert done.returncode == 1
    assert "  lost     n.py:f  its 2 decided branches: does not compile" in done.stdout


def test_a_baseline_that_is_none_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(SOURCE.format("2"))
    done = zeroin(tmp_path, "m.py:f", "--baseline", "old.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "zeroin: --baseline old.json: can not be read (No such file or directory)\n"


def test_junit_and_sarif_are_written(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(SOURCE.format("1 // int(x)") + "async def g(): pass\n")
    done = zeroin(tmp_path, "m.py", "--junit", "r.xml", "--sarif", "r.sarif")
    assert done.returncode == 1
    root = XML.parse(tmp_path / "r.xml").getroot()
    assert (root.attrib["failures"], root.attrib["skipped"]) == ("1", "1")
    (run,) = json.loads((tmp_path / "r.sarif").read_text())["runs"]
    (result,) = run["results"]
    assert result["ruleId"] == "exception"
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "m.py"}, "region": {"startLine": 4}
    }  # fmt: skip


def test_html_pages_are_written_with_plots_and_tests(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(SOURCE.format("1 // int(x)"))
    done = commands.zeroin("cover", "m.py", "--evals", "2000", "--html", "report", cwd=tmp_path)
    assert done.returncode == 1
    assert "Report written to report/index.html" in done.stdout.splitlines()
    page = (tmp_path / "report" / "functions" / "f.html").read_text()
    assert "<svg" in page
    assert "test_zeroin_m.py" in page
    assert (tmp_path / "report" / "sources" / "m.py.html").is_file()
    again = zeroin(tmp_path, "m.py", "--html", "report", "-q")
    assert "index.html" not in again.stdout


def test_a_folder_for_pages_is_checked_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(SOURCE.format("2"))
    (tmp_path / "index.html").write_text("mine")
    done = zeroin(tmp_path, "m.py:f", "--html", ".")
    assert (done.returncode, done.stdout) == (2, "")
    told = "index.html was not written by zeroin and is not overwritten; name another folder"
    assert done.stderr == f"zeroin: --html .: {told}\n"
    done = zeroin(tmp_path, "m.py:f", "--html", "m.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "zeroin: --html m.py: can not be written to (File exists); name another folder\n"
