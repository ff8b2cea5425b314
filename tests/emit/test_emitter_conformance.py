"""What every emitter has to keep to, and a dummy that is one more file and one more line."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import clang
from suites import changed
from zeroin import Suite
from zeroin.cli.main import build_parser, main
from zeroin.emit import Emitter
from zeroin.emit.files import write
from zeroin.emit.test_header import Batch
from zeroin.languages.c.emit.trial import SEMANTICS
from zeroin.languages.plugins import EMITTERS
from zeroin.languages.python.language import PythonTarget

Suites = dict[str, list[Suite]]
Plug = Callable[[dict[str, Any], str, str], None]

FRAMEWORKS = Path(__file__).parents[1] / "frameworks"  # stand-ins
KINDS = "c, pytest, googletest, unity, cmocka"

DUMMY = """
from zeroin.emit import Emitter
from zeroin.emit.test_header import mark
from zeroin.subject.base import Termination

class Plain(Emitter):
    languages = ("python",)

    def file_name(self, batch):
        return f"test_plainly_{batch.stem(batch.target.path.stem)}".rstrip("_") + ".py"

    def text(self, batch, folder):
        (suite,) = batch.suites
        name, signature = suite.target.function, suite.signature
        lines = ["# " + mark(batch, folder), "import runpy", "from math import inf, nan", "",
                 f"{name} = runpy.run_path({str(suite.target.path)!r})[{name!r}]"]
        for number, kept in enumerate(suite.inputs):
            if kept.outcome is Termination.RETURNED:
                values = ", ".join(map(repr, signature.arguments(kept.words)))
                expected = signature.show_result(kept.replay).removeprefix("= ")
                lines += ["", f"def test_{number}():", f"    assert repr({name}({values})) == {expected!r}"]
        return "\\n".join(lines) + "\\n"
"""


@pytest.fixture(params=[*EMITTERS, "dummy"])
def emitter(request: pytest.FixtureRequest, plug: Plug) -> Emitter:
    plug(EMITTERS, "dummy_emitter:Plain", DUMMY)
    return EMITTERS[request.param]()


def of(emitter: Emitter, covered: Suites) -> list[Suite]:
    """The samples that it is for."""
    return [suite for language in emitter.languages for suite in covered[language]]


def passes(test: Path, suite: Suite) -> bool:
    """Run a test, by what its name ends with."""
    return {".py": by_pytest, ".c": compiled, ".cpp": compiled}[test.suffix](test, suite)


def by_pytest(test: Path, suite: Suite) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    done = subprocess.run(command, cwd=test.parent, capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1, 5), done.stdout  # passed, failed, no tests
    return done.returncode != 1


def compiled(test: Path, suite: Suite) -> bool:
    sources = [test, *([suite.target.path] if suite.target.language == "llvm" else [])]
    command = ["c++" if test.suffix == ".cpp" else "cc", "-w", *SEMANTICS, f"-I{FRAMEWORKS}"]
    clang.build([*command, *map(str, sources), "-o", str(test.with_suffix("")), "-lm"], test.parent)
    return subprocess.run([str(test.with_suffix(""))], capture_output=True, timeout=60).returncode == 0


def test_passes_until_the_function_returns_something_else(emitter: Emitter, covered: Suites, tmp_path: Path) -> None:
    for suite in of(emitter, covered):
        test = write(emitter, suite, tmp_path)
        assert passes(test, suite)
        with changed(suite):
            assert not passes(test, suite)


def test_a_suite_without_inputs_fails_nothing(emitter: Emitter, covered: Suites, tmp_path: Path) -> None:
    for suite in of(emitter, covered):
        empty = dataclasses.replace(suite, inputs=[])
        assert passes(write(emitter, empty, tmp_path), suite)


def test_same_suite_same_text(emitter: Emitter, covered: Suites, tmp_path: Path) -> None:
    for suite in of(emitter, covered):
        assert emitter.text(Batch((suite,)), tmp_path) == emitter.text(Batch((suite,)), tmp_path)


def test_every_function_has_a_file_of_its_own(emitter: Emitter, covered: Suites, tmp_path: Path) -> None:
    for suite in of(emitter, covered):
        target = suite.target
        module: dict[str, Any] = {"module": "other"} if isinstance(target, PythonTarget) else {}
        others = [
            dataclasses.replace(target, function="other"),
            dataclasses.replace(target, path=target.path.with_stem("other"), **module),
        ]
        names = [emitter.file_name(Batch((dataclasses.replace(suite, target=one),))) for one in (target, *others)]
        assert len(set(names)) == 3
        assert all(Path(name).name == name for name in names)


def test_nothing_is_compiled_again(
    emitter: Emitter, covered: Suites, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it needs has come along from the worker; it needs no other process, and no source that is as it was."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a process is started")

    expected = [emitter.text(Batch((suite,)), tmp_path) for suite in of(emitter, covered)]
    monkeypatch.setattr(subprocess.Popen, "__init__", refuse)
    for suite, text in zip(of(emitter, covered), expected, strict=True):
        source = suite.target.path.read_text()
        try:
            suite.target.path.write_text("what does not compile (")
            assert emitter.text(Batch((suite,)), tmp_path) == text
        finally:
            suite.target.path.write_text(source)


def test_the_first_for_a_language_is_written_unless_another_is_named(
    covered: Suites, plug: Plug, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A new file and a line more are enough for the command line."""
    plug(EMITTERS, "dummy_emitter:Plain", DUMMY)
    (python,), c = covered["python"], covered["c"][0]

    def run(suite: Suite, *options: str) -> tuple[int, list[str], str]:
        common = ["cover", suite.target.text, "--evals", "2000", "--out", str(tmp_path / "out")]
        status = main([*common, *options])
        out, err = capsys.readouterr()
        return status, [line for line in out.splitlines() if "written" in line], err

    test, report = (f"{kind} written to {tmp_path}/out/test_" for kind in ("Test", "Report"))
    assert run(python)[:2] == (1, [f"{test}zeroin_sign_sign.py"])
    both = [f"{test}plainly_sign_sign.py", f"{report}sign_sign.json"]
    assert run(python, "--emit", "dummy", "--emit", "json")[:2] == (1, both)
    assert passes(tmp_path / "out" / "test_plainly_sign_sign.py", python)
    assert run(c, "--emit", "dummy") == (2, [], f"zeroin: --emit dummy: {c.target.text} needs --emit c\n")
    assert (
        run(c, "--emit", "ada")[2]
        == f"zeroin: --emit ada: no such kind; choose from {KINDS}, dummy, json, junit, sarif, smt2, none\n"
    )
    with pytest.raises(SystemExit):
        build_parser().parse_args(["cover", "--help"])
    assert f"{KINDS}, dummy, json, junit, sarif, smt2 or none" in " ".join(capsys.readouterr().out.split())
