"""The header of a test file: the command that makes it, for people, and its target and coverage, for the next run."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..config import FINITE, GoalOptions, Options
from ..escaping import plain, shell_word
from ..subject.base import Target, words_for
from ..suite.suite import Suite
from ..user_objects import from_here

COMPANION = "Written by zeroin, beside the tests that include it."  # in files that tests need in their folder
_MARK = re.compile(r"Covers (\d+) of \d+ \w+ with (\d+) inputs? \(target ([0-9a-f]{8})\)\.")
_HEAD = 1 << 16  # the characters at the start of a test that are searched for its mark
_LONGEST_STEM = 150  # bytes
_INDENT = "    "


@dataclass(frozen=True, order=True)
class Mark:
    """The target and coverage in a test's header. Of two tests of one target, the greater mark is the better one.

    Attributes:
        covered: the number of branches that the tested inputs cover.
        inputs: the number of tested inputs.
        target: the digest of the target, see :func:`digest_of`.
    """

    covered: int
    inputs: int
    target: str


def short(stem: str) -> str:
    """Return the stem of a file name. One of more than 150 bytes is cut and ends with a digest."""
    name = stem.encode()
    if len(name) <= _LONGEST_STEM:
        return stem
    return f"{name[: _LONGEST_STEM - 9].decode(errors='ignore')}_{hashlib.sha256(name).hexdigest()[:8]}"


@dataclass(frozen=True)
class Batch:
    """The suites of one test file. Their functions are of the same source.

    Attributes:
        suites: the suites, at least one.
        whole: whether the user named the source, and not these functions.
        name: the name of the test file; empty for the usual one.
        compiler: for C and C++, the compiler's command as words; empty for the default compiler.
        flags: for C and C++, further flags to compile and link the test file.
    """

    suites: tuple[Suite, ...]
    whole: bool = False
    name: str = ""
    compiler: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def target(self) -> Target:
        """The target of the first suite."""
        return self.suites[0].target

    @property
    def options(self) -> Options:
        """The options, which are the same for all suites."""
        return self.suites[0].options

    @property
    def stateful(self) -> bool:
        """Whether one of the functions changes variables that outlive a call."""
        return any(suite.stateful for suite in self.suites)

    def of(self, suites: Sequence[Suite]) -> Batch:
        """Return a copy with other suites."""
        return replace(self, suites=tuple(suites))

    def file_stem(self, source: str, usual: str) -> str:
        """Return the test file's name without its suffix.

        Args:
            source: the text for ``{}`` in the name.
            usual: the name of this kind of test, such as ``test_{}``, if no option gives another one.
        """
        return (self.options.test_name or usual).replace("{}", short(source))

    def stem(self, source: str) -> str:
        """Return the text for ``{}`` in file names: the source, the functions if the user named them, and the goal.

        ``_`` joins them. Without a goal, ``_`` is also the last character, which the emitters remove.
        """
        functions = [] if self.whole else [suite.target.function for suite in self.suites]
        return "_".join([source, *functions, self.options.goal])


def digest_of(target: Target, folder: Path, functions: str | None = None) -> str:
    """Return eight characters that distinguish a target from others with tests in the same folder.

    They stay the same if sources and tests are moved together.

    Args:
        target: the target.
        folder: the folder of the test.
        functions: the names of several functions, separated by commas, or empty for the whole source; None for the
            target's own function.
    """
    where = target.installed_module or relative(target.path, folder)
    of = target.function if functions is None else functions
    return hashlib.sha256(f"{where}:{of}".encode(errors="surrogateescape")).hexdigest()[:8]


def digest_of_batch(batch: Batch, folder: Path) -> str:
    """Return the digest of a batch, which :func:`digest_of` describes."""
    functions = ",".join(suite.target.function for suite in batch.suites)
    return digest_of(batch.target, folder, "" if batch.whole else functions)


def mark(batch: Batch, folder: Path) -> str:
    """Return the sentence for a test's header from which :func:`read_mark` reads target and coverage.

    Inputs that are not tested, or that repeat another input's finding, do not count.
    """
    covered = total = inputs = 0
    for suite in batch.suites:
        tested = [kept for number, kept in enumerate(suite.inputs) if not kept.untested and number not in suite.repeats]
        taken = frozenset[int]().union(*(kept.covered for kept in tested))
        covered += sum(b.outcome in taken for b in suite.branches)
        total, inputs = total + len(suite.branches), inputs + len(tested)
    what = words_for(batch.suites[0].branches)[total != 1]
    return (f"Covers {covered} of {total} {what} with {inputs} input{'s' * (inputs != 1)} "
            f"(target {digest_of_batch(batch, folder)}).")  # fmt: skip


def read_mark(text: str) -> Mark | None:
    """Return the mark in a test's text; None if there is none: then zeroin did not write the file.

    Only the first 65,536 characters are searched.
    """
    found = _MARK.search(text, 0, _HEAD)
    return Mark(int(found[1]), int(found[2]), found[3]) if found else None


def relative(path: Path, folder: Path) -> str:
    """Return the path relative to the folder, with ``/`` between its parts.

    Links in the path are resolved, but not the last part of it.
    """
    return Path(os.path.relpath(path.parent.resolve() / path.name, folder.resolve())).as_posix()


def assumed_in(batch: Batch) -> list[str]:
    """Return lines with the preconditions that all inputs satisfy; empty if there are none."""
    of_each = {suite.target.function: ", ".join(suite.signature.assumed) for suite in batch.suites}
    if len({*of_each.values()}) == 1:
        return [plain(f"Assuming {text}.") for text in {*of_each.values()} if text]
    return [plain(f"Assuming {text} (of {function}).") for function, text in of_each.items() if text]


def in_docstring(text: str) -> str:
    """Return the text with escapes for a Python docstring in double quotes."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def made_by(batch: Batch, kind: str, width: int) -> list[str]:
    """Return the command that makes the suites and this test again, as indented lines of a shell.

    Args:
        batch: the suites of the test.
        kind: the emitter's name.
        width: the most columns of a line. A longer word has a line of its own.
    """
    command = ["zeroin", command_of(batch.options)]
    words = [*command, "--emit", kind, "--seed", str(batch.suites[0].seed), *options_in_words(_as_applied(batch))]
    lines = [_INDENT + words[0]]
    for word in map(shell_word, [*words[1:], *_target_words(batch)]):
        if len(lines[-1]) + len(word) + 3 <= width:
            lines[-1] += f" {word}"
        else:
            lines[-1] += " \\"
            lines.append(2 * _INDENT + word)
    return lines


def _target_words(batch: Batch) -> list[str]:
    """Return the words that name the targets on the command line; they are not quoted yet.

    If the user named the source as a whole, it is the only word. Otherwise each function has a word. Absolute paths
    become relative to the current folder.
    """
    texts = [batch.target.where] if batch.whole else [suite.target.text for suite in batch.suites]
    return [os.path.relpath(text) if Path(text).is_absolute() else text for text in texts]


def _as_applied(batch: Batch) -> Options:
    """Return the options as they apply to the batch.

    Options for other targets are left out. A precondition of some functions only gets the name of its function.
    """
    of_each = {suite.target.function: ", ".join(text for text in suite.signature.assumed if text != FINITE)
               for suite in batch.suites}  # fmt: skip
    alike = len({*of_each.values()}) == 1
    said = {*of_each.values()} if alike else [f"{name}: {text}" for name, text in of_each.items() if text]
    ignored = [{note.partition(" is ignored")[0] for note in suite.notes} for suite in batch.suites]
    expected = [name for name in batch.options.expect if not all(f"--expect {name}" in each for each in ignored)]
    return replace(batch.options, assume=tuple(filter(None, said)), expect=tuple(expected))


def command_of(options: GoalOptions) -> str:
    """Return the name of the zeroin command to which the options belong."""
    if options.boundary:
        return "boundary"
    return "reach" if options.goal and not options.objective else "cover"


def options_in_words(options: Options) -> list[str]:
    """Return the words of the command line for all options that differ from their defaults.

    The words are not quoted for a shell. The seed is left out, and the number of jobs, which does not change the
    result.
    """
    plain, words = Options(), []
    budget = options.budget
    words += ["--budget", f"{budget.seconds!r}".removesuffix(".0")] * (budget.seconds != plain.budget.seconds)
    words += ["--evals", str(budget.evaluations)] * (budget.evaluations != plain.budget.evaluations)
    for name in ("engine", "minimizer", "objective", "distance", "fuel", "types", "suite"):
        value = getattr(options, name)
        value = from_here(value) if name in ("minimizer", "objective") else value
        words += [f"--{name}", str(value)] * (value != getattr(plain, name))
    words += [word for text in options.assume for word in ("--assume", text)] + ["--finite"] * options.finite
    words += ["--line", str(options.line)] * bool(options.line)
    words += ["--path", options.path] * bool(options.path)
    words += [word for name in options.branches for word in ("--branch", name)]
    words += ["--memory", str(options.memory >> 20)] * (options.memory != plain.memory)
    words += ["--load-timeout", f"{options.load_timeout:g}"] * (options.load_timeout != plain.load_timeout)
    words += ["--test-name", options.test_name] * bool(options.test_name)
    words += ["--findings", options.findings] * (options.findings != plain.findings)
    words += ["--no-native"] * (not options.native) + ["--callees"] * options.callees
    none = ("none",) * (not options.faults and command_of(options) == "cover")
    words += [f"--cc={shlex.join(options.cc)}"] * bool(options.cc)  # in one word, as the value may begin with a minus
    for name, values in (("with", options.others), ("array", options.arrays), ("string", options.strings),
                         ("include", options.include), ("expect", options.expect),
                         ("allow", options.allow), ("prefer", options.prefer), ("defer", options.defer),
                         ("find", options.find or none)):  # fmt: skip
        words += [word for value in values for word in (f"--{name}", str(value))]
    return words
