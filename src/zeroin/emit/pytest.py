"""A pytest file from the suite of a Python function: one test a behaviour, exact, and formatted as ruff formats."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..subject.base import Branch, Outcome
from ..subject.python.language import PythonTarget
from ..subject.python.load.signature import SequenceSignature
from ..subject.python.replay import PythonReplay
from ..subject.python.values.brackets import Brackets, Tree, prefixed
from ..subject.python.values.pictures import Value, quoted
from ..subject.python.values.steps import object_name, written
from ..suite.suite import Input, Suite
from . import Emitter
from .header import made_by, mark, short
from .pytest_checks import Check, Checker, kinds_of
from .pytest_layout import WIDTH, assignment, broken, call, cut, fits
from .pytest_names import Names, title
from .trial import SECONDS, START, Ended, Trial, run_inside, start_ahead

_TESTED = (Outcome.RETURNED, Outcome.RAISED, Outcome.ASSERTED)
Changed = tuple[str, Value]  # a variable, and what it is after the call
_FILES = {"glob", "os", "pathlib", "shutil", "sqlite3", "subprocess", "tempfile"}
_LONGEST_MESSAGE = 100
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}")
_COUNTED = re.compile(r" \(\d+ sub-exceptions?\)$")
_SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")


class PytestFile(Emitter):
    """A pytest file; every input that returned or raised is a test.

    It compares exactly: NaN with NaN, 0.0 with -0.0 and types where they are in doubt. Inputs that did not end, or
    whose arguments can not be written, are listed at the end.
    """

    languages = ("python",)

    def file_name(self, suite: Suite) -> str:
        """``test_<module>_<function>.py``, ``Class.method`` as ``class_method``."""
        text = re.sub(r"[^A-Za-z0-9]+", "_", f"{_module(suite)}_{suite.target.function}_{suite.options.goal}")
        return f"test_{short(text.strip('_').lower())}.py"

    def text(self, suite: Suite, folder: Path) -> str:
        return _written(suite, folder)[0]

    def prepare(self) -> None:
        start_ahead("zeroin.subject.python.guard", "pytest")

    def tried(self, test: Path, suite: Suite) -> Trial:
        numbers = _written(suite, test.parent)[1]
        if not numbers:
            return Trial()
        ended = _run(test, suite, list(numbers), all_of_them=True)
        if ended.status == 0 and list(ended.diary.values()) == [""] * len(numbers):
            return Trial()
        if "" in ended.diary:
            return Trial(whole=f"its test can not be imported: {ended.diary['']}")
        failed = {name: why for name, why in ended.diary.items() if why != ""}
        if not failed:
            alone = {name: _run(test, suite, [name]) for name in numbers}
            failed = {name: run.diary[name] for name, run in alone.items() if run.status != 0 and name in run.diary}
            return Trial({numbers[name]: why or alone[name].cause for name, why in failed.items()},
                         "" if failed else f"when pytest runs all its tests, {ended.cause}")  # fmt: skip
        return Trial({numbers[name]: why or ended.cause for name, why in failed.items()})


def _run(test: Path, suite: Suite, names: Sequence[str], all_of_them: bool = False) -> Ended:
    arguments = [str(test.absolute()), [] if all_of_them else names, ..., SECONDS]
    return run_inside("zeroin.emit.inside:pytest_file", arguments, allow=suite.options.allow,
                      seconds=START + SECONDS * len(names))  # fmt: skip


def _written(suite: Suite, folder: Path) -> tuple[str, dict[str, int]]:
    """The text of the file, and for each of its tests, in their order, the number of the input."""
    writer = _Writer(suite, direct=not suite.stateful)  # importlib.reload gives new values only to a module's names
    text = writer.text(folder)
    if writer.names.clashing:
        writer = _Writer(suite, direct=False)
        text = writer.text(folder)
    return text.encode(errors="backslashreplace").decode(), writer.numbers  # of file names that are no text


@dataclass
class _Test:
    """One test being written."""

    lines: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)  # its variables

    def bind(self, name: str, tree: Tree) -> None:
        self.lines += assignment(name, tree)

    def comment(self, text: str) -> None:
        self.lines.append(f"    {cut(f'# {text}', 116)}")


class _Writer:
    def __init__(self, suite: Suite, direct: bool) -> None:
        self._suite = suite
        self._runs = [(kept, _replay(kept)) for kept in suite.inputs]
        self._takers = Counter(outcome for kept in suite.inputs for outcome in kept.covered)
        self._first = {verdict.branch.outcome: verdict.input for verdict in suite.verdicts}
        self.names = Names(_module(suite), direct, _modules([replay for _, replay in self._runs]))
        self._checker = Checker(self.names)
        self._of_class = isinstance(suite.signature, SequenceSignature)
        self._results: dict[str, list[Value]] = {"": []}  # of each use of an object; or of the function
        for _, replay in self._runs:
            used = _used(replay) if self._of_class else [("", replay.value)] if replay.value is not None else []
            for use, value in used:
                self._results.setdefault(use, []).append(value)
        self._kinds = {use: kinds_of(values, suite.signature.result_type) for use, values in self._results.items()}
        self._titles: set[str] = set()
        self.numbers: dict[str, int] = {}

    def text(self, folder: Path) -> str:
        """The whole file."""
        runs = [(number, kept, replay, kept.untested or _obstacle(replay))
                for number, (kept, replay) in enumerate(self._runs)]  # fmt: skip
        tests = [self._test(number, kept, replay) for number, kept, replay, obstacle in runs if not obstacle]
        left_out = [self._left_out(kept, replay, obstacle) for _, kept, replay, obstacle in runs if obstacle]
        fixture = "\n\n\n".join(self._fixtures()) if tests else ""
        helper = self._checker.helper()
        installed = "site-packages" in self._suite.target.path.parts
        imports = self.names.imports(_root(self._suite), folder, installed) if tests else ""
        head = "\n\n".join(block for block in (self._header(folder), imports) if block)
        end = "\n".join(["# Inputs without a test:", *left_out]) if left_out else ""
        if not runs:
            end = "# There is no input to test."
        return "\n\n\n".join(block for block in (head, fixture, helper, *tests, end) if block) + "\n"

    # ---- around the tests ----

    def _header(self, folder: Path) -> str:
        what = cut(f"Tests of {self._suite.target.function} in {_module(self._suite)}, generated by zeroin.", 110)
        command = "\n".join(made_by(self._suite, "pytest", WIDTH - 1)).replace("\\", "\\\\").replace('"', '\\"')
        return f'"""{what}\n\nMade by:\n\n{command}\n\n{mark(self._suite, folder)}\n"""'

    def _fixtures(self) -> Iterator[str]:
        """What every test begins with, so that it does as it did when its input was found."""
        if self._suite.stateful:
            self.names(f"{self.names.module}:{self._suite.target.function}")
            yield self._fixture("first_values():", "finds the module's variables as they are after import.",
                                f"{self.names('importlib:reload')}({self.names.alias})")  # fmt: skip
        if _uses(self._suite.target.path, _opens_files):
            yield self._fixture("empty_folder(tmp_path, monkeypatch):", "starts in an empty folder.",
                                "monkeypatch.chdir(tmp_path)")  # fmt: skip
        if _uses(self._suite.target.path, _reads_stdin):  # pytest's own refuses to be read
            empty = f"{self.names('io:TextIOWrapper')}({self.names('io:BytesIO')}())"
            yield self._fixture("empty_stdin(monkeypatch):", "finds nothing to read on stdin.",
                                f'monkeypatch.setattr("sys.stdin", {empty})')  # fmt: skip

    def _fixture(self, head: str, what: str, statement: str) -> str:
        decorator = f"@{self.names('pytest:fixture')}(autouse=True)"
        return f'{decorator}\ndef {head}\n    """Every test {what}"""\n    {statement}'

    def _left_out(self, kept: Input, replay: PythonReplay, obstacle: str) -> str:
        if self._of_class:
            return cut(f"# - {cut(self._suite.signature.show(kept.words), 80)}: {obstacle}")
        shown = f"{self._suite.target.function}({', '.join(value.text for value in replay.arguments)})"
        return cut(f"# - {cut(shown, 80)}: {obstacle}")

    # ---- one test ----

    def _test(self, number: int, kept: Input, replay: PythonReplay) -> str:
        test = _Test()
        branches = self._own_branches(number, kept)
        if branches:
            test.comment("; ".join(self._shown(branch) for branch in branches))
        if replay.outcome is not Outcome.RETURNED:
            test.comment(f"finding: {_error_name(replay)}" + (f": {replay.message}" if replay.message else ""))
        changed = self._uses(test, replay) if self._of_class else self._one_call(test, replay)
        for variable, after in changed:
            for check in self._checker.checks(after, {}):
                self._state(test, check, variable)
        raised = _error_name(replay) if _raised(replay) else ""
        name = title(self._suite.target.function, raised, self._rarest(number, kept), self._titles)
        self.numbers[name] = number
        return "\n".join([f"def {name}():", *test.lines])

    def _one_call(self, test: _Test, replay: PythonReplay) -> list[Changed]:
        """Calls the function, and says what came of it."""
        changed, run = self._call(test, replay)
        if _raised(replay):
            self._expect_exception(test, replay, run)
        elif not replay.repeatable or replay.value is None:
            test.comment("The result differs from run to run.")
            test.lines += broken(run, 4)
        elif changed and self._is_procedure(""):
            test.lines += broken(run, 4)
        else:
            self._expect_value(test, replay.value, run, "")
        return changed

    def _uses(self, test: _Test, replay: PythonReplay) -> list[Changed]:
        """Makes an object, uses it step by step, and says what came of each."""
        changed, arguments = self._arguments(test, replay, 1)
        made = call(self.names(f"{self.names.module}:{self._suite.target.function}"), arguments)
        steps = iter(replay.arguments[0].items)
        if replay.results is None:
            self._expect_exception(test, replay, made)
        elif not replay.arguments[0].items:
            test.lines += broken(made, 4)
        else:
            if not replay.repeatable:
                test.comment("The results differ from run to run.")
            subject = self._variable(test, object_name(self._suite.target.function), made)
            for result, step in zip(replay.results, steps, strict=False):
                run = self._use(step, subject)
                asserted = f"({run})" if step.data.endswith(".__contains__()") else run
                if not replay.repeatable or self._is_procedure(step.data):
                    test.lines += broken(run, 4)
                else:
                    self._expect_value(test, result, asserted, step.data)
            if _raised(replay):
                self._expect_exception(test, replay, self._use(next(steps), subject))
        return changed

    def _use(self, step: Value, subject: str) -> Tree:
        return written(step.data, [item.tree(self.names) for item in step.items], step.names, subject)

    def _is_procedure(self, use: str) -> bool:
        return all(value.form == "none" for value in self._results[use])

    def _own_branches(self, number: int, kept: Input) -> list[Branch]:
        """The branches that only this input takes; if there is none, those that it is the first to take."""
        taken = [branch for branch in self._suite.branches if branch.outcome in kept.covered]
        alone = [branch for branch in taken if self._takers[branch.outcome] == 1]
        return alone or [branch for branch in taken if self._first[branch.outcome] == number]

    def _rarest(self, number: int, kept: Input) -> Branch | None:
        """The branch that the fewest inputs take, this one first; among equals the last."""
        taken = [branch for branch in self._suite.branches if branch.outcome in kept.covered]
        rarity = {b.outcome: (self._takers[b.outcome], self._first[b.outcome] != number) for b in taken}
        return min(reversed(taken), key=lambda branch: rarity[branch.outcome], default=None)

    def _shown(self, branch: Branch) -> str:
        site = branch.site
        file = "" if Path(site.file).name in ("", self._suite.target.path.name) else f"{Path(site.file).name} "
        return f"{file}line {site.line}: {site.condition or 'branch ' + branch.id} -> {branch.label}"

    def _call(self, test: _Test, replay: PythonReplay) -> tuple[list[Changed], Brackets]:
        """The call, and the variables that hold arguments which it changes, with what they are afterwards."""
        target, parameters = self._suite.target, self._suite.signature.parameters
        owner, _, method = target.function.rpartition(".")
        on_object = bool(owner and parameters and parameters[0].name == "self")
        changed, arguments = self._arguments(test, replay, 0, object_name(owner) if on_object else "")
        if not on_object:
            return changed, call(self.names(f"{self.names.module}:{target.function}"), arguments)
        subject, *arguments = arguments
        if not fits(f"    result = {call(f'{subject}.{method}', arguments)}"):
            subject = self._variable(test, object_name(owner), subject) if isinstance(subject, Brackets) else subject
        return changed, call(f"{subject}.{method}", arguments)

    def _arguments(self, test: _Test, replay: PythonReplay, first: int,
                   name_of_object: str = "") -> tuple[list[Changed], list[Tree]]:  # fmt: skip
        """The arguments from the ``first`` on, and the variables that hold those that are changed."""
        parameters = self._suite.signature.parameters
        arguments: list[Tree] = []
        changed: list[Changed] = []
        for number, value in list(enumerate(replay.arguments))[first:]:
            if value.form == "missing":
                continue
            name = name_of_object if name_of_object and number == 0 else parameters[number].name
            argument = value.tree(self.names)
            after = replay.after[number] if number < len(replay.after) and replay.repeatable else None
            if after is not None and after.form != "opaque":
                argument = self._variable(test, name, argument)
                changed.append((str(argument), after))
            if getattr(parameters[number], "spread", False):  # it is *args
                inline = argument.items if isinstance(argument, Brackets) else [f"*{argument}"]
                arguments += inline if value.items else []
                continue
            keyword = getattr(parameters[number], "keyword", False)
            arguments.append(prefixed(f"{name}=", argument) if keyword else argument)
        return changed, arguments

    def _variable(self, test: _Test, wanted: str, tree: Tree) -> str:
        name = self.names.local(wanted, test.used)
        test.bind(name, tree)
        return name

    def _expect_value(self, test: _Test, value: Value, run: Tree, use: str) -> None:
        checks = self._checker.checks(value, self._kinds[use])
        if len(checks) == 1 and fits(checks[0].line(run)):
            test.lines.append(checks[0].line(run))
            return
        result = self._variable(test, "result", run)
        for check in checks:
            self._state(test, check, result)

    def _state(self, test: _Test, check: Check, subject: str) -> None:
        expected = check.expected
        if expected and not fits(check.line(subject)):
            expected = self._variable(test, "expected", expected)
        test.lines.append(check.line(subject, expected))

    def _expect_exception(self, test: _Test, replay: PythonReplay, run: Tree) -> None:
        path = _raised(replay)
        local = bool(replay.caught_as) or "<locals>" in path
        error = self.names((replay.caught_as or "builtins:Exception") if local else path)
        pattern = _pattern(replay.message)
        end = f") as {(caught := self.names.local('caught', test.used))}:" if local else "):"
        head = f"    with {self.names('pytest:raises')}({error}"
        if pattern and not fits(f"{head}, match={pattern}{end}"):
            pattern = self._variable(test, "message", pattern)
        test.lines += [f"{head}{f', match={pattern}' if pattern else ''}{end}", *broken(run, 8)]
        if local:
            test.lines.append(f"    assert type({caught}.value).__name__ == {quoted(_error_name(replay))}")


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


def _module(suite: Suite) -> str:
    return target_of(suite).module or suite.target.path.stem


def _root(suite: Suite) -> Path | None:
    return target_of(suite).root if target_of(suite).module else suite.target.path.parent


def target_of(suite: Suite) -> PythonTarget:
    """The suite's target, which is one of Python."""
    assert isinstance(suite.target, PythonTarget)
    return suite.target


def _replay(kept: Input) -> PythonReplay:
    if not isinstance(kept.replay, PythonReplay):
        raise TypeError("a pytest file can only be written for a Python function")
    return kept.replay


def _modules(replays: list[PythonReplay]) -> set[str]:
    """The modules that the values and exceptions come from."""
    values = [value for replay in replays for value in (*replay.arguments, *replay.after, replay.value) if value]
    errors = [path.rpartition(":")[0] for replay in replays for path in (replay.raised, replay.caught_as)]
    return {module for value in values for module in value.modules} | set(errors)


def _obstacle(replay: PythonReplay) -> str:
    """Why there can be no test; empty when there can."""
    if replay.outcome not in _TESTED:
        return replay.ending
    if not all(value.has_source for value in replay.arguments):
        return "an argument can not be written as source"
    return "does not do the same in every run" if _raised(replay) and not replay.repeatable else ""


def _used(replay: PythonReplay) -> Iterator[tuple[str, Value]]:
    """What came of each use of an object."""
    for step, result in zip(replay.arguments[0].items, replay.results or (), strict=False):
        yield step.data, result


def _raised(replay: PythonReplay) -> str:
    return replay.raised or ("builtins:AssertionError" if replay.outcome is Outcome.ASSERTED else "")


def _error_name(replay: PythonReplay) -> str:
    return _raised(replay).rpartition(":")[2].rpartition(".")[2]


def _pattern(message: str) -> str:
    """A literal for ``match=`` that fits the whole message, but for the size of a group, which not every pytest shows;
    empty when the message is no part of the behaviour."""
    if not message or len(message) >= _LONGEST_MESSAGE or _ADDRESS.search(message):
        return ""
    text = _COUNTED.sub("", message)
    regex = f"^{_SPECIAL.sub(lambda special: chr(92) + special[0], text)}{'$' if text == message else ''}"
    quote = "'" if '"' in regex else '"'
    return f"r{quote}{regex}{quote}" if regex.isprintable() and quote not in regex else quoted(regex)
