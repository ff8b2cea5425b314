"""What runs in the worker process: load the subject, search, choose and simplify the inputs, replay them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from .. import cache as files
from ..cache import is_cold, note_warm
from ..config import Options
from ..generate import hybrid
from ..generate.domain import domain_of, narrowed
from ..generate.search import Run, Runnable, Search
from ..limits import limit_memory
from ..minimize import warm_up, warm_up_combinations, warm_up_minimizer
from ..native.cells import ARITY, BEAT, WORDS, Phase
from ..native.kernel import load_numba
from ..objective.branch import BranchObjective
from ..objective.coverage import CoverageObjective
from ..subject.base import Outcome, Replay, Signature, Words, branches_of
from ..subject.fence import Fence
from ..subject.question import Tracer
from ..suite.simplify import simplify, simplify_one
from ..suite.suite import Resume, Target, minimise
from .sandbox import Link

if TYPE_CHECKING:
    from ..subject.llvm.engine import LlvmSubject
    from ..subject.python.engine import PythonSubject
    from ..subject.python.guard import PythonGuard

MOST_ABNORMAL = 20  # runs that crash or hang and are reported, for one target


class Subject(Runnable, Protocol):
    """What the work on a target needs of a subject, whatever its language."""

    language: str
    constants: list[tuple[str, int]]

    @property
    def signature(self) -> Signature: ...
    @property
    def stateful(self) -> bool: ...
    @property
    def engine(self) -> str: ...
    def guard(self) -> None: ...
    def covers_in_child(self, words: Words) -> frozenset[int]: ...
    def observe(self, words: Words) -> Replay: ...
    def replay(self, words: Words) -> Replay: ...
    def same(self, one: Any, other: Any) -> bool: ...
    def remarks(self) -> list[str]: ...


def prepare() -> None:
    """Load, or compile, the native code that every job needs; load what most need."""
    Tracer(0, 0)
    CoverageObjective(0)
    if not is_cold():
        BranchObjective(0)
        warm_up()


def prepare_for(*arguments: Any) -> None:
    """Import, or load, what a job with these arguments needs."""
    if arguments and isinstance(arguments[0], Target):
        if arguments[0].language == "python":
            import_module("zeroin.subject.python.engine")
        else:
            import_module("zeroin.subject.llvm.engine")
            import_module("zeroin.subject.llvm.runtime").preload(arguments[1].cc)


def prepare_more(*arguments: Any) -> None:
    """Import what few of such jobs need, while one of them runs: for the others that come."""
    if arguments and isinstance(arguments[0], Target) and arguments[0].language == "python":
        load_numba()


def compile_kernels(tell: Callable[[], None]) -> None:
    """Compile the minimizer, which takes longest, and call ``tell``; then what else most searches need, unless one has
    compiled it meanwhile; then what searches for strings need."""
    warm_up_combinations()
    warm_up_minimizer()
    tell()
    warm_up()
    BranchObjective(0)
    note_warm()
    warm_up(strings=True)


def load(target: Target, options: Options, scratch: Path) -> Subject:
    """Load and instrument the target's function in this process, which is fenced in before any of its code runs."""
    if target.language == "python":
        return load_python(target, options, guarded(scratch, options.allow))
    subject, fence = load_llvm(target, options), fence_of(scratch, options.allow)
    fence.close()  # not before: the compiler is another process, and writes
    subject.stay_within(fence)
    return subject


def fence_of(scratch: Path, allow: tuple[str, ...]) -> Fence:
    """A fence around the scratch folder; it leaves out the folders of compiled code."""
    caches = [files.kernels(), files.folder("code")]
    return Fence(scratch, frozenset(allow), tuple(folder.resolve() for folder in caches if folder is not None))


def guarded(scratch: Path, allow: tuple[str, ...]) -> PythonGuard:
    """Fence this process in and guard what Python code does in it."""
    from ..subject.python import engine  # noqa: F401  # as long as Python may still keep its bytecode
    from ..subject.python.guard import PythonGuard

    guard = PythonGuard(fence_of(scratch, allow))
    guard.fence.close()
    guard.install()
    return guard


def load_python(target: Target, options: Options, guard: PythonGuard) -> PythonSubject:
    from ..subject.python.engine import PythonSubject
    from ..subject.python.options import PythonOptions

    callees = options.callees or target.callees
    where = target.where or str(target.path)
    python = PythonOptions(options.types, options.include, callees, options.fuel)
    return PythonSubject(where, target.function, python, guard)


def load_llvm(target: Target, options: Options) -> LlvmSubject:
    from ..subject.llvm.engine import LlvmSubject
    from ..subject.llvm.options import LlvmOptions
    from ..subject.llvm.signature import ArraySpec

    arrays = tuple(ArraySpec.parse(text) for text in options.arrays)
    llvm = LlvmOptions(options.cc, options.others, options.callees, arrays, options.fuel, options.memory, options.allow)
    return LlvmSubject(target.path, target.function, llvm)


def describe(link: Link, target: Target, options: Options) -> None:
    """Job: say what would be tested."""
    link.phase(Phase.LOADING)
    subject = load(target, options, link.scratch)
    link.send("loaded", subject.signature, subject.sites, subject.language)


def list_functions(link: Link, path: Path, options: Options) -> None:
    """Job: the functions that a file defines."""
    from ..subject.llvm.compile import compile_all
    from ..subject.llvm.engine import functions_of

    link.phase(Phase.LOADING)
    link.send("functions", functions_of(path, compile_all([path], options.cc)))


def find_python(link: Link, where: str, function: str | None, allow: tuple[str, ...]) -> None:
    """Job: the file of a Python module, what to import, the folder that has to be on the path for that, and the
    functions: the one that was named, or all that the module defines."""
    from ..subject.python.load.modules import find, import_module, public_functions

    link.phase(Phase.LOADING)
    guarded(link.scratch, allow)
    home = import_module(where)
    names = [find(home, function).name] if function else public_functions(home)
    link.send("found", Path(home.file), home.name, home.root, names)


def cover(link: Link, target: Target, options: Options, resume: Resume) -> None:
    """Job: the whole work on one target. Sends ``loaded``, ``found`` as it goes, ``searched``, and ``suite``."""
    link.phase(Phase.LOADING)
    subject = load(target, options, link.scratch)
    branches = branches_of(subject.sites)
    link.send("loaded", subject.signature, subject.sites, subject.language)
    limit_memory(2 * options.memory + (1 << 30))  # well above what the subject may allocate by itself
    link.memory[ARITY] = subject.signature.arity
    subject.guard()
    domain = domain_of(subject.signature, subject.constants)
    search = Search(
        subject, branches, narrowed(domain) if resume.lethal else domain, options.budget,
        options.seed + 1_000_003 * resume.lives, options.minimizer, options.distance,
        lambda run: link.send("found", run, search.evaluations, search.seconds),
        link.memory, list(resume.runs), (resume.evaluations, resume.seconds),
    )  # fmt: skip
    for words in resume.lethal:
        search.offer_lethal((words, Outcome.KILLED, subject.covers_in_child(words)))
    if not branches:
        _show_one(search)
    link.phase(Phase.SEARCHING)
    if resume.final:
        reason = "the worker process kept dying"
    else:
        reason = hybrid.generate(search, options.engine, link.wait_for_kernels)
    link.send("searched", reason, search.evaluations, search.seconds, search.reached)
    link.phase(Phase.FINISHING)
    wanted = frozenset(b.outcome for b in branches)
    kept, disagreements = _finish(link, subject, search.runs, wanted, bool(branches))
    link.send("suite", kept, disagreements, subject.stateful, subject.remarks(), subject.engine)


def _show_one(search: Search) -> None:
    """Without a branch to look for, any input will do: the first values worth trying that make one."""
    longest = max((len(pool) for pool in search.domain.pools), default=1)
    for turn in range(longest):
        if search.offer(tuple(pool[turn % len(pool)] for pool in search.domain.pools)):
            return


def _finish(
    link: Link, subject: Subject, runs: list[Run], wanted: frozenset[int], has_branches: bool
) -> tuple[list[tuple[Run, Replay]], list[Words]]:
    """Choose, simplify, and replay: inputs with their replays, and words with which plain and instrumented function
    differ."""

    def show(words: Words) -> None:
        link.memory[WORDS : WORDS + len(words)] = words
        link.memory[BEAT] += 1

    def covers(words: Words) -> tuple[Outcome, frozenset[int]]:
        show(words)
        return subject.covers(words)

    chosen = [runs[n] for n in minimise(runs, wanted)] if has_branches else runs[:1]
    simple = simplify(subject.signature, chosen, wanted, covers)
    simple = [simple[n] for n in minimise(simple, wanted)] if has_branches else simple
    abnormal = _abnormal(subject, runs, covers)
    # Of what only such runs take nothing must be lost.
    needed = [run for run in simple if run[1] is not Outcome.RETURNED and not any(run[2] <= a[2] for a in abnormal)]
    simple = [run for run in simple if run[1] is Outcome.RETURNED]
    disagreements: list[Words] = []
    kept: list[tuple[Run, Replay]] = []
    for run in [*simple, *needed, *(r for r in abnormal if r not in needed)]:
        show(run[0])
        if run[1] is Outcome.KILLED:
            kept.append((run, subject.signature.unconfirmed(run[0], Outcome.KILLED)))
            continue
        observed, replay = subject.observe(run[0]), subject.replay(run[0])
        if subject.same(observed, replay):
            kept.append((run, replay))
        else:
            disagreements.append(run[0])
    return kept, disagreements


def _abnormal(
    subject: Subject, runs: list[Run], covers: Callable[[Words], tuple[Outcome, frozenset[int]]]
) -> list[Run]:
    """The runs that did not return, one for each way and place of ending, as simple as that allows."""
    found: dict[tuple[Outcome, object], Run] = {}
    for run in runs:
        words, outcome, covered = run
        if outcome is Outcome.RETURNED:
            continue
        if outcome in (Outcome.KILLED, Outcome.HUNG):  # not again
            found.setdefault((outcome, covered), run)
            continue
        again = covers(words)[0], subject.last_end
        if again not in found and again[0] is outcome:

            def accept(trial: Words, again: tuple[Outcome, int] = again, least: frozenset[int] = covered) -> Any:
                ended, taken = covers(trial)
                return taken if (ended, subject.last_end) == again and least <= taken else None

            found[again] = simplify_one(subject.signature, run, accept)
    return list(found.values())[:MOST_ABNORMAL]
