"""pytest files of suites of Python: one for each module, every behaviour exact."""

from __future__ import annotations

import ast
import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

from ..subject.base import Outcome
from ..subject.python.language import PythonTarget
from ..subject.python.load.signature import SequenceSignature
from ..subject.python.replay import PythonReplay
from ..suite.suite import Suite
from . import Emitter
from .header import Batch, assumed_in, in_docstring, made_by, mark, short
from .pytest_checks import Checker
from .pytest_layout import WIDTH, cut
from .pytest_names import Names
from .pytest_tests import Tests, is_finding, raised, replay_of
from .trial import SECONDS, START, Ended, Place, Trial, run_inside, start_ahead

_TESTED = (Outcome.RETURNED, Outcome.RAISED, Outcome.ASSERTED)
_FILES = {"glob", "os", "pathlib", "shutil", "sqlite3", "subprocess", "tempfile"}
_FORMATTING = 60.0  # seconds


class PytestFile(Emitter):
    """A pytest file; every input that returned or raised is a test.

    It compares exactly: NaN with NaN, 0.0 with -0.0 and types where they are in doubt. Findings are tests that are
    expected to fail. Inputs that did not end, or whose arguments can not be written, are listed at the end.
    """

    languages = ("python",)

    def file_name(self, batch: Batch) -> str:
        """``test_<module>.py`` or ``test_<module>_<function>.py``, ``Class.method`` as ``class_method``."""
        text = re.sub(r"[^A-Za-z0-9]+", "_", batch.stem(_module(batch)))
        return f"test_{short(text.strip('_').lower())}.py"

    def text(self, batch: Batch, folder: Path) -> str:
        return _written(batch, folder)[0]

    def formatted(self, text: str, path: Path) -> str:
        """As ruff formats it with the configuration for that place; unchanged where there is no ruff."""
        ruff = _ruff()
        if not ruff:
            return text
        with subprocess.Popen([*ruff, "format", "--stdin-filename", str(path), "-"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:  # fmt: skip
            try:
                done, _ = process.communicate(text.encode(errors="surrogateescape"), _FORMATTING)
            except subprocess.TimeoutExpired:
                process.kill()
                return text
        return text if process.returncode else done.decode(errors="surrogateescape")

    def prepare(self) -> None:
        start_ahead("zeroin.subject.python.guard", "pytest")

    def tried(self, test: Path, batch: Batch) -> Trial:
        numbers = _written(batch, test.parent)[1]
        if not numbers:
            return Trial()
        ended = _run(test, batch, list(numbers), all_of_them=True)
        if ended.status == 0 and list(ended.diary.values()) == [""] * len(numbers):
            return Trial()
        if "" in ended.diary:
            return Trial(whole=f"its test can not be imported: {ended.diary['']}")
        failed = {name: why for name, why in ended.diary.items() if why != ""}
        if not failed:
            alone = {name: _run(test, batch, [name]) for name in numbers}
            failed = {name: run.diary[name] for name, run in alone.items() if run.status != 0 and name in run.diary}
            return Trial({numbers[name]: why or alone[name].cause for name, why in failed.items()},
                         "" if failed else f"when pytest runs all its tests, {ended.cause}")  # fmt: skip
        return Trial({numbers[name]: why or ended.cause for name, why in failed.items()})


@cache
def _ruff() -> tuple[str, ...]:
    """Its command; empty where it is not installed."""
    if importlib.util.find_spec("ruff") is not None:
        return sys.executable, "-m", "ruff"
    found = shutil.which("ruff")
    return (found,) if found else ()


def _run(test: Path, batch: Batch, names: Sequence[str], all_of_them: bool = False) -> Ended:
    arguments = [str(test.absolute()), [] if all_of_them else names, ..., SECONDS]
    return run_inside("zeroin.emit.inside:pytest_file", arguments, allow=batch.options.allow,
                      seconds=START + SECONDS * len(names))  # fmt: skip


def _written(batch: Batch, folder: Path) -> tuple[str, dict[str, Place]]:
    """The text of the file, and for each of its tests, in their order, the input."""
    writer = _Writer(batch, direct=not batch.stateful)  # importlib.reload gives new values only to a module's names
    text = writer.text(folder)
    if writer.names.clashing:
        writer = _Writer(batch, direct=False)
        text = writer.text(folder)
    return text.encode(errors="backslashreplace").decode(), writer.numbers  # of file names that are no text


class _Writer:
    def __init__(self, batch: Batch, direct: bool) -> None:
        self._batch = batch
        replays = [replay_of(kept) for suite in batch.suites for kept in suite.inputs]
        self.names = Names(_module(batch), direct, _modules(replays))
        self._checker = Checker(self.names)
        self.numbers: dict[str, Place] = {}

    def text(self, folder: Path) -> str:
        """The whole file."""
        tests, left_out, titles = list[str](), list[str](), set[str]()
        for number, suite in enumerate(self._batch.suites):
            inputs = list[int]()
            for own, kept in enumerate(suite.inputs):
                if is_finding(suite, own) and suite.options.findings == "omit":
                    continue
                obstacle = kept.untested or _obstacle(replay_of(kept))
                inputs += [own] * (not obstacle)
                left_out += [_left_out(suite, own, obstacle)] * bool(obstacle)
            of_suite = Tests(suite, self.names, self._checker, movable=not self._batch.stateful)
            for text, numbers in of_suite.written(inputs, titles):
                tests.append(text)
                self.numbers.update({name: (number, own) for name, own in numbers.items()})
        fixture = "\n\n\n".join(self._fixtures()) if tests else ""
        helper = self._checker.helper()
        target = target_of(self._batch)
        installed = "site-packages" in target.path.parts
        imports = self.names.imports(_root(target), folder, installed) if tests else ""
        head = "\n\n".join(block for block in (self._header(folder), imports) if block)
        end = "\n".join(["# Inputs without a test:", *left_out]) if left_out else ""
        if not tests and not left_out:
            end = "# There is no input to test."
        return "\n\n\n".join(block for block in (head, fixture, helper, *tests, end) if block) + "\n"

    def _header(self, folder: Path) -> str:
        of = "" if self._batch.whole else f"{', '.join(s.target.function for s in self._batch.suites)} in "
        what = cut(f"Tests of {of}{_module(self._batch)}, generated by zeroin.", 110)
        command = in_docstring("\n".join(made_by(self._batch, "pytest", WIDTH - 1)))
        told = "".join(f"{in_docstring(cut(line, 110))}\n" for line in assumed_in(self._batch))
        return f'"""{what}\n\nMade by:\n\n{command}\n\n{told}{mark(self._batch, folder)}\n"""'

    def _fixtures(self) -> Iterator[str]:
        """What every test begins with, so that it does as it did when its input was found."""
        if self._batch.stateful:
            for suite in self._batch.suites:
                self.names(f"{self.names.module}:{suite.target.function}")
            yield self._fixture("first_values():", "finds the module's variables as they are after import.",
                                f"{self.names('importlib:reload')}({self.names.alias})")  # fmt: skip
        if _uses(self._batch.target.path, _opens_files):
            yield self._fixture("empty_folder(tmp_path, monkeypatch):", "starts in an empty folder.",
                                "monkeypatch.chdir(tmp_path)")  # fmt: skip
        if _uses(self._batch.target.path, _reads_stdin):  # pytest's own refuses to be read
            empty = f"{self.names('io:TextIOWrapper')}({self.names('io:BytesIO')}())"
            yield self._fixture("empty_stdin(monkeypatch):", "finds nothing to read on stdin.",
                                f'monkeypatch.setattr("sys.stdin", {empty})')  # fmt: skip

    def _fixture(self, head: str, what: str, statement: str) -> str:
        decorator = f"@{self.names('pytest:fixture')}(autouse=True)"
        return f'{decorator}\ndef {head}\n    """Every test {what}"""\n    {statement}'


def _left_out(suite: Suite, number: int, obstacle: str) -> str:
    kept = suite.inputs[number]
    if isinstance(suite.signature, SequenceSignature):
        return cut(f"# - {cut(suite.signature.show(kept.words), 80)}: {obstacle}")
    shown = f"{suite.target.function}({', '.join(value.text for value in replay_of(kept).arguments)})"
    return cut(f"# - {cut(shown, 80)}: {obstacle}")


def _uses(path: Path, what: Callable[[ast.AST], bool]) -> bool:
    """Whether something of that kind is in a module's source."""
    try:
        return any(map(what, ast.walk(ast.parse(path.read_bytes()))))
    except (OSError, SyntaxError):  # it has changed since it was imported
        return False


def _opens_files(node: ast.AST) -> bool:
    """Whether files may be read or written: what is for that is imported, or ``open`` is called."""
    if isinstance(node, ast.Import):
        return any(alias.name.partition(".")[0] in _FILES for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] in _FILES
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open"


def _reads_stdin(node: ast.AST) -> bool:
    return (isinstance(node, ast.Name) and node.id == "input") or (
        isinstance(node, ast.Attribute) and node.attr == "stdin"
    )


def _module(batch: Batch) -> str:
    return target_of(batch).module or batch.target.path.stem


def _root(target: PythonTarget) -> Path | None:
    return target.root if target.module else target.path.parent


def target_of(batch: Batch) -> PythonTarget:
    """The first target, which is one of Python."""
    assert isinstance(batch.target, PythonTarget)
    return batch.target


def _modules(replays: list[PythonReplay]) -> set[str]:
    """The modules that the values and exceptions come from."""
    values = [value for replay in replays for value in (*replay.arguments, *replay.after, replay.value) if value]
    errors = [path.rpartition(":")[0] for replay in replays for path in (replay.raised, replay.caught_as)]
    return {module for value in values for module in value.modules} | set(errors)


def _obstacle(replay: PythonReplay) -> str:
    """Why there can be no test; empty when there can."""
    if replay.outcome not in _TESTED:
        return replay.ending
    if replay.uncounted and replay.outcome is not Outcome.RETURNED:
        return replay.uncounted
    if not all(value.has_source for value in replay.arguments):
        return "an argument can not be written as source"
    return "does not do the same in every run" if raised(replay) and not replay.repeatable else ""
