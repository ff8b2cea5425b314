"""The installed command on Python functions, as a user runs it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import zeroin as zeroin

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "tests" / "subjects" / "python"
TARGETS, HOSTILE = SAMPLES / "targets.py", SAMPLES / "hostile.py"

Report = dict[str, Any]


def pytest_run(folder: Path) -> str:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120).stdout


def by_function(stdout: str) -> dict[str, Report]:
    return {target["target"].rpartition(":")[2]: target for target in json.loads(stdout)["targets"]}


def verdicts(target: Report) -> list[str]:
    return [branch["verdict"] for branch in target["branches"]]


# ---- hostile functions: one run for all of them ----

FINDINGS = [
    ("loops", "hang", "did not return"),
    ("never_equal", "hang", "did not return"),
    ("swallows", "hang", "did not return"),
    ("sleeps", "hang", "had to be killed"),
    ("limit", "hang", "did not return"),
    ("exits", "crash", "SystemExit: 3"),
    ("leaves", "crash", "exit status 3"),
    ("kills", "crash", "SIGKILL"),
    ("closes_everything", "crash", "the process that ran it ended"),
    ("hoards", "crash", "MemoryError"),
    ("grows", "crash", "MemoryError"),
]
QUIET = ["threads", "counts", "caches", "rolls", "mutates", "prints", "closes_stdout", "alarm"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.fixture(scope="module")
def hostile(folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "hostile.py").write_text(HOSTILE.read_text())
    names = [*(name for name, _, _ in FINDINGS), *QUIET]
    return zeroin("cover", *(f"hostile.py:{name}" for name in names), "--budget", 0.5, "--evals", 1000, "--memory", 64,
                  "--jobs", 2, "--json", "-", "--emit", "none", cwd=folder)  # fmt: skip


@pytest.fixture(scope="module")
def targets(hostile: subprocess.CompletedProcess[str]) -> dict[str, Report]:
    return by_function(hostile.stdout)


@pytest.mark.parametrize(("name", "kind", "message"), FINDINGS)
def test_hostile_functions_become_findings(name: str, kind: str, message: str, targets: dict[str, Report]) -> None:
    target = targets[name]
    assert any(f["kind"] == kind and message in f["message"] for f in target["findings"]), target["findings"]
    ours = [b["verdict"] for b in target["branches"] if "except" not in b["condition"]]
    assert set(ours) == {"covered"}


@pytest.mark.parametrize("name", QUIET)
def test_other_hostile_functions_are_covered(name: str, targets: dict[str, Report]) -> None:
    assert targets[name]["findings"] == []
    assert set(verdicts(targets[name])) == {"covered"}


def test_what_functions_print_is_not_shown(hostile: subprocess.CompletedProcess[str]) -> None:
    assert "noise" not in hostile.stderr
    assert "noise" not in hostile.stdout
    assert hostile.returncode == 1


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("counts", "calls change variables that outlive the call (hostile.calls): results may depend on earlier calls"),
        ("caches", "calls change variables that outlive the call (hostile.cache)"),
        ("threads", "threads running"),
    ],
)
def test_what_outlives_a_call_is_noted(name: str, note: str, targets: dict[str, Report]) -> None:
    assert any(note in text for text in targets[name]["notes"]), targets[name]["notes"]


def test_no_test_claims_what_is_not_sure(tmp_path: Path) -> None:
    (tmp_path / "hostile.py").write_text(HOSTILE.read_text())
    names = ("rolls", "counts", "mutates")
    zeroin("cover", *(f"hostile.py:{name}" for name in names), "--evals", 2000, "--out", "out", cwd=tmp_path)
    assert re.search(r"^\d+ passed", pytest_run(tmp_path / "out"), re.M)
    text = (tmp_path / "out" / "test_zeroin_hostile_rolls_counts_mutates.py").read_text()
    assert "# The result differs from run to run." in text
    assert "importlib.reload" in text  # every test starts anew
    assert "assert xs == []" in text


def test_inputs_that_end_the_process_are_named_in_the_test_file(tmp_path: Path) -> None:
    (tmp_path / "hostile.py").write_text(HOSTILE.read_text())
    result = zeroin("cover", "hostile.py:kills", "--evals", 2000, "--out", ".", cwd=tmp_path)
    assert result.returncode == 1, result.stderr
    text = (tmp_path / "test_zeroin_hostile_kills.py").read_text()
    assert "assert kills(0) == 0" in text
    assert "# Inputs without a test:\n# - kills(" in text


# ---- whatever a target may be: one run for a whole file ----


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    return zeroin("cover", TARGETS, "--evals", 2000, "--emit", "none", "--json", "-", "--jobs", 2,
                  "--suite", "small", cwd=tmp_path_factory.mktemp("whole"))  # fmt: skip


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    names = ["partial", "Scale.Inner.method", "scale.method"]
    return zeroin("cover", *(f"{TARGETS}:{name}" for name in names), "--evals", 2000, "--emit", "none", "--json", "-",
                  cwd=tmp_path_factory.mktemp("named"))  # fmt: skip


def test_a_whole_file_is_all_its_functions(whole: subprocess.CompletedProcess[str]) -> None:
    found = by_function(whole.stdout)
    assert whole.returncode == 0
    assert list(found) == [
        "smaller", "plain", "without_parameters", "rest", "typed_rest", "named", "callback",
        "unknown_type_with_default", "unannotated", "doubling", "decorated", "remembered", "two", "Scale.method",
        "Scale.static", "Scale.of_class", "Point.method",
    ]  # fmt: skip
    partly = ("rest", "named")
    assert all(set(verdicts(t)) <= {"covered"} for name, t in found.items() if name not in partly)
    assert all(len(t["inputs"]) == 2 for t in found.values() if len(t["branches"]) == 2 and t["target"][-4:] != "rest")
    refused = [line for line in whole.stderr.splitlines() if line.startswith("zeroin: ")]
    assert [line.split()[1] for line in refused] == ["unknown_type:"]
    skipped = json.loads(whole.stdout)["skipped"]
    assert {"target": f"{TARGETS}:Scale.large", "why": "a property"} in skipped
    states = ("complete ", "incomplete ", "skipped ")
    table = [line.split() for line in whole.stderr.splitlines() if line.startswith(states)]
    assert len(table) == len(found) + len(skipped)
    undecided = {t["target"] for t in found.values() if "undecided" in verdicts(t)}
    assert {words[-1] for words in table if words[0] == "incomplete"} == undecided


@pytest.mark.parametrize(
    ("name", "note"),
    [
        (
            "rest",
            'guessed, as there is no annotation: xs: tuple[float, ...] (to state it: --types "xs: tuple[float, ...]")',
        ),
        ("named", "**options stays empty"),
        (
            "unannotated",
            'guessed, as there is no annotation: x: float, n: int (to state it: --types "x: float, n: int")',
        ),
    ],
)
def test_how_parameters_are_given_is_noted(name: str, note: str, whole: subprocess.CompletedProcess[str]) -> None:
    assert note in by_function(whole.stdout)[name]["notes"]


def test_a_function_without_parameters_has_one_input(whole: subprocess.CompletedProcess[str]) -> None:
    target = by_function(whole.stdout)["without_parameters"]
    assert [(i["args"], i["outcome"], i["result"]) for i in target["inputs"]] == [([], "returned", "1")]


def test_partials_inner_classes_and_objects(named: subprocess.CompletedProcess[str]) -> None:
    found = by_function(named.stdout)
    assert list(found) == ["partial", "Scale.Inner.method", "scale.method"]
    assert all(set(verdicts(target)) == {"covered"} for target in found.values())
    assert [p["name"] for p in found["partial"]["signature"]] == ["b"]
    assert [p["type"] for p in found["Scale.Inner.method"]["signature"]] == ["Inner", "float"]
    assert [p["name"] for p in found["scale.method"]["signature"]] == ["x"]


# ---- where targets are ----


def test_packages_modules_and_the_standard_library() -> None:
    names = ["bundle/uses.py:above", "bundle.uses:above", "colorsys:rgb_to_hls"]
    result = zeroin("show", *names, cwd=SAMPLES)
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("doubled(x) > LIMIT") == 2
    assert "bundle/uses.py\n" in result.stdout
    assert "bundle.uses\n" in result.stdout
    assert "rgb_to_hls(r: float, g: float, b: float)" in result.stdout


def test_a_file_with_the_name_of_a_standard_module(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    for name in ("random", "colorsys"):
        (tmp_path / "code" / f"{name}.py").write_text("def f(x: float):\n    return 1 if x > 3 else 0\n")
    result = zeroin("cover", "code/random.py:f", "code/colorsys.py:f", cwd=tmp_path)
    assert result.stdout.count("2 branches: 2 covered") == 2, result.stderr
    assert (tmp_path / "zeroin-out" / "test_zeroin_random_f.py").exists()
    ran = subprocess.run([sys.executable, "-m", "pytest", "-q", "zeroin-out"], cwd=tmp_path, capture_output=True,
                         text=True)  # fmt: skip
    assert ran.returncode == 0, ran.stdout  # pytest has imported Python's own ``random``


def test_included_modules_are_covered_too(tmp_path: Path) -> None:
    plain = zeroin("show", "bundle.uses:above", cwd=SAMPLES)
    assert "1 sites, 2 branches" in plain.stdout
    more = zeroin("cover", "bundle.uses:above", "--include", "bundle.limits", "--out", tmp_path, cwd=SAMPLES)
    assert "in doubled" in more.stdout
    assert "4 branches: 4 covered" in more.stdout


def test_types_are_taken_from_the_command_line() -> None:
    result = zeroin("show", f"{TARGETS}:unannotated", "--types", "x: list[int], n: bool", cwd=SAMPLES)
    assert "unannotated(x: list[int], n: bool)" in result.stdout
    assert "by --types" in result.stdout


def test_the_engine_and_its_reason_are_shown(tmp_path: Path) -> None:
    text = "def {}(x: float):\n    if x > 3 and x < 2:\n        return {}\n    return 0\n"
    path = tmp_path / "sample.py"
    path.write_text(text.format("native", 1) + text.format("interpreted", "str(x)"))
    result = zeroin("cover", "sample.py:native", "sample.py:interpreted", "--evals", 150_000, "--emit", "none",
                    "--engine", "targets", "-v", cwd=tmp_path)  # fmt: skip
    assert "Engine: native." in result.stdout
    assert "Engine: interpreted, because Numba can not compile it (line 7: str is called)." in result.stdout


# ---- bad requests ----

ONE_LINE = [
    (["show", "missing.py:f"], "missing.py: no such file"),
    (["cover", "folder"], "folder: has no C, C++, LLVM IR or Python files"),
    (["cover", "empty.py"], "empty.py: the file is empty"),
    (["cover", "constant.py"], "constant.py: defines no function that can be tested"),
    (["show", "raises.py:f"], "raises.py: importing it raises RuntimeError: first second (line 2 of"),
    (["show", "leaves.py"], "leaves.py: the worker process died while loading it (exit status 4)"),
    (["show", f"{TARGETS}:unknown_type"], "its annotation can not be evaluated (NameError: name 'Missing'"),
    (["show", f"{TARGETS}:two", "--types", "c: int"], "--types: two has no parameter 'c' (it has: a, b)"),
    (["show", f"{TARGETS}:two", "--include", "nosuch"], "no module 'nosuch'"),
]


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bad")
    (folder / "folder").mkdir()
    files = {
        "empty": "", "constant": "X = 1\n",
        "raises": "x = 1\nraise RuntimeError('first\\nsecond')\n", "leaves": "import os\nos._exit(4)\n",
    }  # fmt: skip
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder


@pytest.mark.parametrize(("arguments", "message"), ONE_LINE, ids=lambda value: Path(str(value)).name[:50])
def test_bad_requests_get_one_line(arguments: list[str], message: str, bad: Path) -> None:
    result = zeroin(*arguments, cwd=bad)
    assert result.returncode == 2
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert result.stdout == ""


def test_modules_that_print_at_import_do_not_disturb(tmp_path: Path) -> None:
    (tmp_path / "sample.py").write_text(
        "import sys\nprint('noise')\nprint('noise', file=sys.stderr)\ndef f(x: float):\n    return 1 if x > 3 else 0\n"
    )
    result = zeroin("cover", "sample.py:f", "--json", "-", "--emit", "none", cwd=tmp_path)
    assert verdicts(by_function(result.stdout)["f"]) == ["covered", "covered"]
    assert "noise" not in result.stderr


# ---- a variable of the module that another function sets ----


def test_a_function_that_sets_a_variable_is_called_first(tmp_path: Path) -> None:
    (tmp_path / "module_variable.py").write_text(
        "DEBUG = False\n\n\ndef set_debug(on: bool) -> None:\n    global DEBUG\n    DEBUG = on\n\n\n"
        "def f(x: int) -> int:\n    if DEBUG:\n        return x + 1\n    return x\n"
    )
    measured = ("--measure", "mutants", "--measure", "coverage")
    ended = zeroin("cover", "module_variable.py:f", "--json", "out.json", *measured, cwd=tmp_path)
    assert "f(x: int) -> int, also after set_debug(on: bool)" in ended.stdout
    assert "   10 | DEBUG | T #1   F #0\n" in ended.stdout
    assert "  #0 f(2) = 2\n  #1 set_debug(True); f(2) = 3\n" in ended.stdout
    assert "coverage.py: statements 3 of 3, branches 2 of 2; zeroin: 2 of 2" in ended.stdout
    assert "note:" not in ended.stdout
    (target,) = json.loads((tmp_path / "out.json").read_text())["targets"]
    assert [(kept["args"], kept.get("called_first")) for kept in target["inputs"]] == [
        ([2], None), ([2], ["set_debug(True)"])]  # fmt: skip
    assert target["signature"] == [{"name": "x", "type": "int"}]
    assert verdicts(target) == ["covered", "covered"]
    assert pytest_run(tmp_path / "zeroin-out").strip().startswith("..")
