"""Write the tests of one function for a pytest file.

Each input is a test. Tests that differ only in values become the rows of one parametrized test, called a table here.
Arguments and results are snapshots: Python values as data, which can be written as source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ....emit.name_parts import RESULT, NamedValue
from ....emit.test_names import CaseNames
from ....escaping import plain
from ....subject.base import Termination
from ....suite.suite import Input, Suite
from ..front.signature import SequenceSignature, SetterParameter
from ..replay import PythonReplay
from ..values.brackets import Brackets, Tree, prefixed
from ..values.object_uses import object_name, written
from ..values.snapshots import Snapshot, quoted
from .assertions import Assertion, Checker, kinds_of
from .line_breaks import broken, call, cut, fits
from .names import ImportedNames

Changed = tuple[str, Snapshot]  # a variable of the test, and the snapshot of its value after the call
_LONGEST_MESSAGE = 100  # characters
_MOST_BY_POSITION = 3  # arguments; of a call with more, all are passed by name
_ROOM = 56  # characters for the name of a row
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}")
_COUNTED = re.compile(r" \(\d+ sub-exceptions?\)$")
_SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")


@dataclass
class _Body:
    """The body of a test function.

    Attributes:
        lines: its statements.
        used: the names of its variables.
        slots: the values of a row in a table, by the parameters that represent them in the lines. None if the test is
            no row: then the values are in the lines.
    """

    lines: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    slots: dict[str, Tree] | None = None

    def bind(self, name: str, tree: Tree) -> None:
        """Add a statement that assigns an expression to a variable."""
        self.lines += broken(tree, 4, f"{name} = ")

    def comment(self, text: str) -> None:
        """Add a comment, cut to one line."""
        self.lines.append(f"    {cut(f'# {plain(text)}', 116)}")


@dataclass(frozen=True)
class _Test:
    """The test of one input, in two forms: as a function of its own, and as a row of a table.

    ``number`` is the index of the input in its suite.
    """

    number: int
    function: _Body
    row: _Body
    finding: bool


class Tests:
    """Writes the tests of one suite.

    Args:
        suite: the suite.
        names: the names in the file.
        checker: writes the assertions.
        movable: whether a row may contain objects of classes, which are then made before the test begins.
    """

    def __init__(self, suite: Suite, names: ImportedNames, checker: Checker, movable: bool) -> None:
        self._suite, self._names, self._checker, self._movable = suite, names, checker, movable
        self._telling = CaseNames(suite, self._shown)
        self._of_class = isinstance(suite.signature, SequenceSignature)
        self._results: dict[str, list[Snapshot]] = {"": []}  # for each use of an object, or for "", the function
        for replay in map(replay_of, suite.inputs):
            used = _used(replay) if self._of_class else [("", replay.value)] if replay.value is not None else []
            for use, value in used:
                self._results.setdefault(use, []).append(value)
        self._kinds = {use: kinds_of(values, suite.signature.result_type) for use, values in self._results.items()}

    def written(self, inputs: list[int], titles: set[str]) -> Iterator[tuple[str, dict[str, int]]]:
        """Yield the text of each test function, with the input of each of its tests, by the test's name.

        A row of a table has a name such as ``test_f[row]``. Inputs are given by their indices in the suite.

        Args:
            inputs: the inputs to test.
            titles: the names of functions that are taken. New names are added.
        """
        tables: dict[tuple[str, ...], list[_Test]] = {}
        for test in map(self._test, inputs):
            slots = test.row.slots if not test.finding else None
            key = (*slots, *test.row.lines) if slots else (str(test.number),)
            tables.setdefault(key, []).append(test)
        for tests in tables.values():
            yield self._alone(tests[0], titles) if len(tests) == 1 else self._table(tests, titles)

    # ---- functions ----

    def _alone(self, test: _Test, titles: set[str]) -> tuple[str, dict[str, int]]:
        """Return a test as a function of its own, and its input by its name."""
        replay = replay_of(self._suite.inputs[test.number])
        branch = self._telling.rarest(test.number)
        name = self._telling.title([test.number], self._ending(replay), branch, titles)
        about = self._telling.comment(test.number)
        others = sum(shown == test.number for shown in self._suite.repeats.values())
        more = f"{others} more input{'s end' if others > 1 else ' ends'} like this on the same line." if others else ""
        comment = [f"    {cut(f'# {text}', 116)}" for text in (about, more) if text]
        mark = [self._xfail(replay)] if test.finding else []
        return "\n".join([*mark, f"def {name}():", *comment, *test.function.lines]), {name: test.number}

    def _table(self, tests: list[_Test], titles: set[str]) -> tuple[str, dict[str, int]]:
        """Return tests as the rows of one function, and their inputs by the tests' names."""
        first = tests[0].row
        assert first.slots is not None
        ending = self._ending(replay_of(self._suite.inputs[tests[0].number]))
        name = self._telling.title([test.number for test in tests], ending, None, titles)
        rows_of = [test.row.slots or {} for test in tests]
        same = {column: str(first.slots[column]) for column in first.slots if column.startswith("message")
                and len({str(row[column]) for row in rows_of}) == 1}  # fmt: skip
        columns = [column for column in first.slots if column not in same]
        shown = quoted(columns[0]) if len(columns) == 1 else f"({', '.join(map(quoted, columns))})"
        lines = [f"@{self._names('pytest:mark')}.parametrize(", f"    {shown},", "    ["]
        numbers = dict[str, int]()
        for test, row in zip(tests, self._telling.rows([test.number for test in tests], _ROOM), strict=True):
            numbers[f"{name}[{row}]"] = test.number
            about = self._telling.comment(test.number)
            lines += [f"        {cut(f'# {about}', 112)}"] if about else []
            values = [*((test.row.slots or {})[column] for column in columns), f"id={quoted(row)}"]
            lines += broken(call(self._names("pytest:param"), values), 8, suffix=",")
        lines += ["    ],", ")", f"def {name}({', '.join(columns)}):"]
        body = "\n".join(first.lines)
        for column, value in same.items():
            body = body.replace(f"match={column})", f"match={value})")
        return "\n".join([*lines, body]), numbers

    def _shown(self, number: int) -> list[NamedValue]:
        """Return the arguments and the result of an input, for names of tests; without a result that varies."""
        replay = replay_of(self._suite.inputs[number])
        result = [NamedValue(RESULT, replay.value.text)] if replay.value is not None and replay.repeatable else []
        left_out = self._left_out(number, 0)
        given = zip(self._suite.signature.parameters, replay.arguments, strict=False)
        return [NamedValue(parameter.name, value.text, getattr(getattr(parameter, "shape", None), "names", ()))
                for at, (parameter, value) in enumerate(given)
                if at not in left_out and value.form not in ("missing", "shared")] + result  # fmt: skip

    def _ending(self, replay: PythonReplay) -> str:
        """Return how a run ends if it raises, for a test's name; otherwise empty."""
        return f"raises {_error_name(replay)}" if raised(replay) else ""

    def _xfail(self, replay: PythonReplay) -> str:
        """Return the decorator of a test that shows a finding, which is expected to fail."""
        error, _ = self._error(replay)
        message = f": {replay.message}" if replay.message else ""
        reason = quoted(cut(f"{_error_name(replay)}{message}", _LONGEST_MESSAGE))
        mark = call(f"@{self._names('pytest:mark')}.xfail", ["strict=True", f"raises={error}", f"reason={reason}"])
        return "\n".join(broken(mark, 0))

    # ---- one test ----

    def _test(self, number: int) -> _Test:
        """Return the test of an input, given by its index in the suite."""
        finding = self._suite.is_finding(number)
        function, row = _Body(), _Body(slots={})
        for body in (function, row):
            make = self._uses if self._of_class else self._one_call
            changed = make(body, number, finding)
            for variable, after in [] if finding else changed:
                for check in self._checker.checks(after, {}):
                    self._state(body, check, variable)
        return _Test(number, function, row, finding)

    def _one_call(self, body: _Body, number: int, finding: bool) -> list[Changed]:
        """Write the call of the function and the check of its result. Return the variables that it changes."""
        replay = replay_of(self._suite.inputs[number])
        changed, run = self._call(body, number)
        if finding:
            body.lines += broken(run, 4)
        elif raised(replay):
            self._expect_exception(body, replay, run)
        elif not replay.repeatable or replay.value is None:
            body.comment(_why_unpinned(replay, "The result"))
            self._expect_type(body, replay.value, run)
        elif changed and self._is_procedure(""):
            body.lines += broken(run, 4)
        else:
            self._expect_value(body, replay.value, run, "")
        return changed

    def _uses(self, body: _Body, number: int, finding: bool) -> list[Changed]:
        """Write a call sequence: make an object, use it step by step, and check each result."""
        replay = replay_of(self._suite.inputs[number])
        changed, arguments = self._arguments(body, number, 1)
        made = call(self._names(f"{self._names.module}:{self._suite.target.function}"), arguments)
        steps = iter(replay.arguments[0].items)
        if replay.results is None:
            self._expect_exception(body, replay, made, finding)
        elif not replay.arguments[0].items:
            body.lines += broken(made, 4)
        else:
            if not replay.repeatable:
                body.comment(_why_unpinned(replay, "A result"))
            subject = self._variable(body, object_name(self._suite.target.function), made)
            for result, step in zip(replay.results, steps, strict=False):
                run = self._use(step, subject)
                asserted = f"({run})" if step.data.endswith(".__contains__()") else run
                if self._is_procedure(step.data):
                    body.lines += broken(run, 4)
                elif not replay.repeatable:
                    self._expect_type(body, result, asserted)
                else:
                    self._expect_value(body, result, asserted, step.data)
            if raised(replay):
                self._expect_exception(body, replay, self._use(next(steps), subject), finding)
        return changed

    def _use(self, step: Snapshot, subject: str) -> Tree:
        """Return the source of one step of a call sequence. ``subject`` is the variable of the object."""
        return written(step.data, [item.tree(self._names) for item in step.items], step.names, subject)

    def _is_procedure(self, use: str) -> bool:
        """Whether a use of an object returns None in all replays of the suite; ``""`` stands for the function."""
        return all(value.form == "none" for value in self._results[use])

    def _call(self, body: _Body, number: int) -> tuple[list[Changed], Brackets]:
        """Write the statements before the call. Return the changed arguments' variables, and the call."""
        replay = replay_of(self._suite.inputs[number])
        target, parameters = self._suite.target, self._suite.signature.parameters
        owner, _, method = target.function.rpartition(".")
        on_object = bool(owner and parameters and parameters[0].name == "self")
        changed, arguments = self._arguments(body, number, 0, object_name(owner) if on_object else "")
        for setter, called in self._setters(replay):
            body.lines += broken(self._called_first(body, setter, called), 4)
        if not on_object:
            return changed, call(self._names(f"{self._names.module}:{target.function}"), arguments)
        subject, *arguments = arguments
        if not fits(f"    result = {call(f'{subject}.{method}', arguments)}"):
            subject = self._variable(body, object_name(owner), subject) if isinstance(subject, Brackets) else subject
        return changed, call(f"{subject}.{method}", arguments)

    def _arguments(self, body: _Body, number_of_input: int, first: int,
                   name_of_object: str = "") -> tuple[list[Changed], list[Tree]]:  # fmt: skip
        """Write variables for arguments that need one.

        Returns:
            The variables that the call changes, and the arguments from index ``first`` on.
        """
        replay = replay_of(self._suite.inputs[number_of_input])
        parameters = self._suite.signature.parameters
        arguments: list[Tree] = []
        changed: list[Changed] = []
        left_out, by_name = self._left_out(number_of_input, first), set[int]()
        given = [n for n, value in enumerate(replay.arguments) if n >= first and value.form != "missing"]
        here = [n for n in given if n not in left_out]
        if len(here) < len(given) or len(here) - bool(name_of_object) > _MOST_BY_POSITION:
            by_name = {n for n in given if getattr(parameters[n], "nameable", False)}
        shared = {value.data: "" for value in replay.arguments if value.form == "shared"}
        is_late = bool(self._setters(replay))  # objects must be made before a setter is called
        for number, value in list(enumerate(replay.arguments))[first:]:
            if value.form == "missing" or number in left_out or isinstance(parameters[number], SetterParameter):
                continue
            is_object = bool(name_of_object) and number == 0
            name = name_of_object if is_object else parameters[number].name
            argument, spread = value.tree(self._names), getattr(parameters[number], "spread", False)
            after = replay.after[number] if number < len(replay.after) and replay.repeatable else None
            if value.form == "shared":
                argument, after = shared[value.data], None
            elif parameters[number].name in shared:
                argument = shared[parameters[number].name] = self._variable(body, name, argument)
            if after is not None and (after.form != "opaque" or after.items):
                argument = argument if str(argument) in body.used else self._variable(body, name, argument)
                changed.append((str(argument), after))
            elif (
                value.form != "shared"
                and parameters[number].name not in shared
                and not (is_object or spread or (value.modules and not self._movable))
            ):
                argument = self._slot(body, name, argument)
            elif is_late and str(argument) not in body.used and any(part.form == "object" for part in value.walk()):
                argument = self._variable(body, name, argument)
            if spread:  # the parameter is ``*args``
                inline = argument.items if isinstance(argument, Brackets) else [f"*{argument}"]
                arguments += inline if value.items else []
                continue
            keyword = getattr(parameters[number], "keyword", False) or number in by_name
            arguments.append(prefixed(f"{parameters[number].name}=", argument) if keyword else argument)
        return changed, arguments

    def _left_out(self, number: int, first: int) -> set[int]:
        """Return the indices of parameters from ``first`` on that the call need not give, although others follow.

        They have their default, and each parameter that follows can be passed by name.
        """
        found, is_named = set[int](), True
        split = self._suite.signature.split(self._suite.inputs[number].words)
        for at, (parameter, mine) in reversed([*enumerate(split)]):
            nameable = getattr(parameter, "nameable", False)
            if at >= first and is_named and mine and parameter.default == mine and nameable:
                found.add(at)
            is_named = is_named and (nameable or getattr(parameter, "keyword", False))
        return found

    def _setters(self, replay: PythonReplay) -> list[tuple[SetterParameter, Snapshot]]:
        """Return the setters that are called before the function, each with its call."""
        given = zip(self._suite.signature.parameters, replay.arguments, strict=False)
        return [(one, value) for one, value in given if isinstance(one, SetterParameter) and value.form != "missing"]

    def _called_first(self, body: _Body, setter: SetterParameter, called: Snapshot) -> Brackets:
        """Return the call of a setter before the function is called."""
        given = [item.tree(self._names) for item in called.items]
        if setter.use.spread is None:
            given = [tree if item.modules else self._slot(body, name, tree)
                     for name, item, tree in zip(setter.use.names, called.items, given, strict=True)]  # fmt: skip
        first = len(given) - len(called.names)
        named = [prefixed(f"{name}=", tree) for name, tree in zip(called.names, given[first:], strict=True)]
        return call(self._names(f"{self._names.module}:{setter.called}"), [*given[:first], *named])

    def _slot(self, body: _Body, wanted: str, tree: Tree) -> Tree:
        """Return the expression for a value: a parameter's name if the test is a row, else the value itself.

        For a row, the value is added to ``slots`` under this name, which is ``wanted`` if that is free.
        """
        if body.slots is None:
            return tree
        name = self._names.local(wanted, body.used)
        body.slots[name] = tree
        return name

    def _variable(self, body: _Body, wanted: str, tree: Tree) -> str:
        """Write a statement that assigns an expression to a new variable, and return its name."""
        name = self._names.local(wanted, body.used)
        body.bind(name, tree)
        return name

    def _expect_value(self, body: _Body, value: Snapshot, run: Tree, use: str) -> None:
        """Write the call and the checks of its result."""
        checks = self._checker.checks(value, self._kinds[use])
        if body.slots is not None and not (value.modules and not self._movable):
            checks = [check.about(self._slot(body, "expected", check.expected)) if check.expected else check
                      for check in checks]  # fmt: skip
        if len(checks) == 1 and fits(checks[0].line(run)):
            body.lines.append(checks[0].line(run))
            return
        result = self._variable(body, "result", run)
        for check in checks:
            self._state(body, check, result)

    def _expect_type(self, body: _Body, value: Snapshot | None, run: Tree) -> None:
        """Write the call and, if there is one, a check of the result's type only."""
        check = self._checker.type_alone(value) if value is not None else None
        if check is None:
            body.lines += broken(run, 4)
        elif fits(check.line(run)):
            body.lines.append(check.line(run))
        else:
            body.lines.append(check.line(self._variable(body, "result", run)))

    def _state(self, body: _Body, check: Assertion, subject: str) -> None:
        """Write an assertion about a variable. If the line is too long, the expected value gets a variable."""
        expected = check.expected
        if expected and not fits(check.line(subject)):
            expected = self._variable(body, "expected", expected)
        body.lines.append(check.line(subject, expected))

    def _expect_exception(self, body: _Body, replay: PythonReplay, run: Tree, finding: bool = False) -> None:
        """Write the call, and the check that it raises what it raised; for a finding, only the call."""
        if finding:
            body.lines += broken(run, 4)
            return
        error, local = self._error(replay)
        pattern: Tree = _pattern(replay.message)
        end = f") as {(caught := self._names.local('caught', body.used))}:" if local else "):"
        head = f"    with {self._names('pytest:raises')}({error}"
        if pattern:
            pattern = self._slot(body, "message", pattern)
        if pattern and not fits(f"{head}, match={pattern}{end}"):
            pattern = self._variable(body, "message", pattern)
        body.lines += [f"{head}{f', match={pattern}' if pattern else ''}{end}", *broken(run, 8)]
        if local:
            body.lines.append(f"    assert type({caught}.value).__name__ == {quoted(_error_name(replay))}")

    def _error(self, replay: PythonReplay) -> tuple[str, bool]:
        """Return the class by which a test catches the exception, and whether it is only a base of its class."""
        path = raised(replay)
        local = bool(replay.caught_as) or "<locals>" in path
        return self._names((replay.caught_as or "builtins:Exception") if local else path), local


def replay_of(kept: Input) -> PythonReplay:
    """Return the replay of an input.

    Raises:
        TypeError: the replay is not of a Python function.
    """
    if not isinstance(kept.replay, PythonReplay):
        raise TypeError("a pytest file can only be written for a Python function")
    return kept.replay


def raised(replay: PythonReplay) -> str:
    """Return the class of the exception that ended a run, as ``module:Name``; empty if there was none."""
    return replay.raised or ("builtins:AssertionError" if replay.outcome is Termination.ASSERTED else "")


def _used(replay: PythonReplay) -> Iterator[tuple[str, Snapshot]]:
    """Yield each use of an object with a snapshot of its result. The last use is missing if it raised."""
    for step, result in zip(replay.arguments[0].items, replay.results or (), strict=False):
        yield step.data, result


def _why_unpinned(replay: PythonReplay, what: str) -> str:
    """Return the comment that says why a result is not compared; ``what`` is its subject."""
    return f"{what} depends on {replay.varies}." if replay.varies else f"{what} differs from run to run."


def _error_name(replay: PythonReplay) -> str:
    """Return the name of the exception's class without its module; empty if there was none."""
    return raised(replay).rpartition(":")[2].rpartition(".")[2]


def _pattern(message: str) -> str:
    """Return a literal for ``match=`` that matches the message from its beginning to its end; "" for no ``match=``.

    There is none if the message is empty, long, or contains an address. For an exception group, the size at the end is
    left out and may be anything, as not every version of pytest shows it.
    """
    if not message or len(message) >= _LONGEST_MESSAGE or _ADDRESS.search(message):
        return ""
    text = _COUNTED.sub("", message)
    regex = f"^{_SPECIAL.sub(lambda special: chr(92) + special[0], text)}{'$' if text == message else ''}"
    quote = "'" if '"' in regex else '"'
    return f"r{quote}{regex}{quote}" if regex.isprintable() and quote not in regex else quoted(regex)
