"""What the head of a test says: how it was made, for a person; of what it is and how good, for the next request."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..config import FINITE, Options
from ..escaping import plain, shell_word
from ..subject.base import Target, words_for
from ..suite.suite import Suite

COMPANION = "Written by zeroin, beside the tests that include it."  # stands in files that are no tests
_MARK = re.compile(r"Covers (\d+) of \d+ \w+ with (\d+) inputs? \(target ([0-9a-f]{8})\)\.")
_HEAD = 1 << 16  # characters: the mark of a test is in these
_LONGEST_STEM = 150  # bytes
_INDENT = "    "


@dataclass(frozen=True, order=True)
class Mark:
    """What a test says of itself; the greater is the better one of two tests of one target.

    Attributes:
        covered: branches that its inputs take.
        inputs: how many are tested.
        target: see :func:`digest_of`.
    """

    covered: int
    inputs: int
    target: str


def short(stem: str) -> str:
    """A file's stem: this one, unless file systems would find it too long."""
    name = stem.encode()
    if len(name) <= _LONGEST_STEM:
        return stem
    return f"{name[: _LONGEST_STEM - 9].decode(errors='ignore')}_{hashlib.sha256(name).hexdigest()[:8]}"


@dataclass(frozen=True)
class Batch:
    """What one file of tests is of: suites of functions of one source.

    Attributes:
        suites: at least one.
        whole: whether the source was asked for as a whole, and not these functions by their names.
        name: of the file; empty while it is the usual one.
        compiler: of C and C++: the words that start it; none for the usual one.
        flags: of C and C++: further ones that it takes to compile and link the file.
    """

    suites: tuple[Suite, ...]
    whole: bool = False
    name: str = ""
    compiler: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def target(self) -> Target:
        """The first one."""
        return self.suites[0].target

    @property
    def options(self) -> Options:
        """What was asked for, the same for all."""
        return self.suites[0].options

    @property
    def stateful(self) -> bool:
        """Whether one of the functions remembers earlier calls."""
        return any(suite.stateful for suite in self.suites)

    def of(self, suites: Sequence[Suite]) -> Batch:
        """With other suites."""
        return replace(self, suites=tuple(suites))

    def file_stem(self, source: str, usual: str) -> str:
        """The name of the file without its ending, as asked for, or else the usual one of its kind: ``test_{}``."""
        return (self.options.test_name or usual).replace("{}", short(source))

    def stem(self, source: str) -> str:
        """Of the file's name: of the source alone, or with the functions that were asked for, and with the goal."""
        functions = [] if self.whole else [suite.target.function for suite in self.suites]
        return "_".join([source, *functions, self.options.goal])


def digest_of(target: Target, folder: Path, functions: str | None = None) -> str:
    """Eight characters that tell the target from all others whose tests may stand in a folder. They stay the same when
    sources and tests are moved together. ``functions`` stands for the target's own name, if it is of several."""
    where = target.installed_module or relative(target.path, folder)
    of = target.function if functions is None else functions
    return hashlib.sha256(f"{where}:{of}".encode(errors="surrogateescape")).hexdigest()[:8]


def digest_of_batch(batch: Batch, folder: Path) -> str:
    """The same of a file of tests."""
    functions = ",".join(suite.target.function for suite in batch.suites)
    return digest_of(batch.target, folder, "" if batch.whole else functions)


def mark(batch: Batch, folder: Path) -> str:
    """The sentence by which :func:`read_mark` knows a test that stands in the folder."""
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
    """The mark in a test's text; None if it has none, and is not ours."""
    found = _MARK.search(text, 0, _HEAD)
    return Mark(int(found[1]), int(found[2]), found[3]) if found else None


def relative(path: Path, folder: Path) -> str:
    """The path as seen from the folder; a link at its end stays one."""
    return Path(os.path.relpath(path.parent.resolve() / path.name, folder.resolve())).as_posix()


def assumed_in(batch: Batch) -> list[str]:
    """Lines that say what all inputs satisfy, where that is known."""
    of_each = {suite.target.function: ", ".join(suite.signature.assumed) for suite in batch.suites}
    if len({*of_each.values()}) == 1:
        return [plain(f"Assuming {text}.") for text in {*of_each.values()} if text]
    return [plain(f"Assuming {text} (of {function}).") for function, text in of_each.items() if text]


def in_docstring(text: str) -> str:
    """The text as a string of Python between three quotes has it."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def made_by(batch: Batch, kind: str, width: int) -> list[str]:
    """The command that makes the suites again, and their tests of this kind; in lines of at most so many columns where
    the words allow it."""
    command = ["zeroin", command_of(batch.options)]
    words = [*command, "--emit", kind, "--seed", str(batch.suites[0].seed), *options_in_words(_as_applied(batch))]
    lines = [_INDENT + words[0]]
    for word in map(shell_word, [*words[1:], *_targets(batch)]):
        if len(lines[-1]) + len(word) + 3 <= width:
            lines[-1] += f" {word}"
        else:
            lines[-1] += " \\"
            lines.append(2 * _INDENT + word)
    return lines


def _targets(batch: Batch) -> list[str]:
    """As the command line has them, without a path of this machine."""
    texts = [batch.target.where] if batch.whole else [suite.target.text for suite in batch.suites]
    return [os.path.relpath(text) if Path(text).is_absolute() else text for text in texts]


def _as_applied(batch: Batch) -> Options:
    """The options without what they say of other targets; what is assumed of some functions only is said so."""
    of_each = {suite.target.function: ", ".join(text for text in suite.signature.assumed if text != FINITE)
               for suite in batch.suites}  # fmt: skip
    alike = len({*of_each.values()}) == 1
    said = {*of_each.values()} if alike else [f"{name}: {text}" for name, text in of_each.items() if text]
    ignored = [{note.partition(" is ignored")[0] for note in suite.notes} for suite in batch.suites]
    expected = [name for name in batch.options.expect if not all(f"--expect {name}" in each for each in ignored)]
    return replace(batch.options, assume=tuple(filter(None, said)), expect=tuple(expected))


def command_of(options: Options) -> str:
    """Which command has such options."""
    return "boundary" if options.boundary else "reach" if options.goal else "cover"


def options_in_words(options: Options) -> list[str]:
    """The command line of the options that are not as they are by default, but for the seed, and for the number of
    jobs, which changes nothing."""
    plain, words = Options(), []
    budget = options.budget
    words += ["--budget", f"{budget.seconds!r}".removesuffix(".0")] * (budget.seconds != plain.budget.seconds)
    words += ["--evals", str(budget.evaluations)] * (budget.evaluations != plain.budget.evaluations)
    for name in ("engine", "minimizer", "distance", "fuel", "types", "suite"):
        value = getattr(options, name)
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
    words += [f"--cc={shlex.join(options.cc)}"] * bool(options.cc)  # it may begin with a minus
    for name, values in (("with", options.others), ("array", options.arrays), ("string", options.strings),
                         ("include", options.include), ("expect", options.expect),
                         ("allow", options.allow), ("prefer", options.prefer), ("defer", options.defer),
                         ("find", options.find)):  # fmt: skip
        words += [word for value in values for word in (f"--{name}", str(value))]
    return words
