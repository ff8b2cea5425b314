"""What runs in the worker process: load the subject, search, choose and simplify the inputs, replay them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from ..cache import is_cold, note_warm
from ..config import Options
from ..generate.domain import domain_of, narrowed
from ..generate.schedule import generate, schedule_named
from ..generate.search import Search
from ..generate.stopped import Stopped
from ..limits import limit_memory
from ..minimize import warm_up, warm_up_combinations, warm_up_minimizer
from ..native.cells import ARITY, BEAT, WORDS, Phase
from ..objective.branch import BranchObjective
from ..objective.coverage import CoverageObjective
from ..subject.base import Outcome, Replay, Run, Signature, Target, Words, branches_of
from ..subject.languages import LANGUAGES, language_of
from ..subject.question import Tracer
from ..subject.subject import Subject
from ..suite.reduce import reduce
from ..suite.simplify import simplify, simplify_one
from ..suite.suite import Resume
from .messages import Finished, Found, Loaded, Searched, Targets

if TYPE_CHECKING:
    from .base import Link

MOST_ABNORMAL = 20  # runs that crash or hang and are reported, for one target


def prepare() -> None:
    """Load, or compile, the native code that every job needs; load what most need."""
    Tracer(0, 0)
    CoverageObjective(0)
    if not is_cold():
        BranchObjective(0)
        warm_up()


def prepare_for(*arguments: Any) -> None:
    """Load what a job with these arguments needs."""
    if arguments and isinstance(arguments[0], Target):
        LANGUAGES[arguments[0].language].prepare(arguments[1])


def prepare_more(*arguments: Any) -> None:
    """Load what few of such jobs need, while one of them runs."""
    if arguments and isinstance(arguments[0], Target):
        LANGUAGES[arguments[0].language].prepare_more()


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


def find(link: Link, where: str, function: str | None, options: Options) -> None:
    """Job: the targets that a file or module, or one function of it, stands for."""
    link.phase(Phase.LOADING)
    link.send(Targets(language_of(where).find(where, function, options, link.scratch)))


def describe(link: Link, target: Target, options: Options) -> None:
    """Job: say what would be tested."""
    _load(link, target, options)


def _load(link: Link, target: Target, options: Options) -> Subject:
    link.phase(Phase.LOADING)
    subject = LANGUAGES[target.language].load(target, options, link.scratch)
    link.send(Loaded(subject.signature, subject.sites))
    return subject


def cover(link: Link, target: Target, options: Options, resume: Resume) -> None:
    """Job: the whole work on one target, told as it goes."""
    subject = _load(link, target, options)
    branches = branches_of(subject.sites)
    limit_memory(2 * options.memory + (1 << 30))  # well above what the subject may allocate by itself
    link.memory[ARITY] = subject.signature.arity
    subject.guard()
    domain = domain_of(subject.signature, subject.constants)
    search = Search(
        subject, branches, narrowed(domain) if resume.lethal else domain, options.budget,
        options.seed + 1_000_003 * resume.lives, options.minimizer, options.distance,
        lambda run: link.send(Found(run, search.evaluations, search.seconds)),
        link.memory, list(resume.runs), (resume.evaluations, resume.seconds), link.wait_for_kernels,
    )  # fmt: skip
    for words in resume.lethal:
        search.offer_lethal(Run(words, Outcome.KILLED, subject.covers_in_child(words)))
    if not branches:
        _show_one(search)
    link.phase(Phase.SEARCHING)
    if resume.final:
        reason = Stopped.DYING
    else:
        reason = generate(search, schedule_named(options.engine))
    link.send(Searched(reason, search.evaluations, search.seconds, search.reached))
    link.phase(Phase.FINISHING)
    wanted = frozenset(b.outcome for b in branches)
    chosen = [search.runs[n] for n in reduce(search.runs, wanted)] if branches else search.runs[:1]
    if options.simplify:
        chosen = _simplified(link, subject, chosen, wanted)
    kept, disagreements = _replayed(link, subject, chosen, search.runs)
    link.send(Finished(kept, disagreements, subject.stateful, subject.remarks(), subject.engine))


def _show_one(search: Search) -> None:
    """Without a branch to look for, any input will do: the first values worth trying that make one."""
    longest = max((len(pool) for pool in search.domain.pools), default=1)
    for turn in range(longest):
        if search.offer(tuple(pool[turn % len(pool)] for pool in search.domain.pools)):
            return


def _simplified(link: Link, subject: Subject, chosen: list[Run], wanted: frozenset[int]) -> list[Run]:
    simple = simplify(subject.signature, chosen, wanted, partial(_again, link, subject))
    return [simple[n] for n in reduce(simple, wanted)] if wanted else simple


def _show(link: Link, words: Words) -> None:
    link.memory[WORDS : WORDS + len(words)] = words
    link.memory[BEAT] += 1


def _again(link: Link, subject: Subject, words: Words) -> Run:
    _show(link, words)
    return subject.run(words)


def _replayed(link: Link, subject: Subject, chosen: list[Run],
              runs: list[Run]) -> tuple[list[tuple[Run, Replay]], list[Words]]:  # fmt: skip
    """The chosen runs, and of all that did not return one of each kind, with their replays; and words with which plain
    and instrumented function differ."""
    abnormal = _abnormal(subject.signature, runs, partial(_again, link, subject))
    # Of what only such runs take nothing must be lost.
    needed = [run for run in chosen if not run.returned and not any(run.covered <= a.covered for a in abnormal)]
    chosen = [run for run in chosen if run.returned]
    disagreements: list[Words] = []
    kept: list[tuple[Run, Replay]] = []
    for run in [*chosen, *needed, *(r for r in abnormal if r not in needed)]:
        _show(link, run.words)
        if run.outcome is Outcome.KILLED:
            kept.append((run, subject.signature.unconfirmed(run.words, Outcome.KILLED)))
            continue
        observed, replay = subject.observe(run.words), subject.replay(run.words)
        if subject.same(observed, replay):
            kept.append((run, replay))
        else:
            disagreements.append(run.words)
    return kept, disagreements


def _abnormal(signature: Signature, runs: list[Run], again: Callable[[Words], Run]) -> list[Run]:
    """The runs that did not return, one for each way and place of ending, as simple as that allows."""
    found: dict[tuple[Outcome, object], Run] = {}
    for run in runs:
        if run.returned:
            continue
        if run.outcome in (Outcome.KILLED, Outcome.HUNG):  # not again
            found.setdefault((run.outcome, run.covered), run)
            continue
        here = again(run.words)  # an end's number may be another one in this process
        way = here.outcome, here.end
        if here.outcome is run.outcome and way not in found:
            found[way] = simplify_one(signature, run, again, partial(_ends_alike, here))
    return list(found.values())[:MOST_ABNORMAL]


def _ends_alike(one: Run, other: Run) -> bool:
    return (one.outcome, one.end) == (other.outcome, other.end) and one.covered <= other.covered
