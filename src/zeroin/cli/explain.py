"""``zeroin explain``: where the time of a search went, and why a branch is undecided, from the file of ``--trace``."""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import OptionError
from ..escaping import plain
from .main import DONE

Event = Mapping[str, Any]


@dataclass
class Story:
    """The events of one target in a trace.

    Attributes:
        target: its name.
        branches: for each branch, by its id (``7F``): line, condition, side, number of the site. Empty if the trace has
            no ``begin`` event.
        verdicts: for each branch, by its id: verdict, why, by, input. Empty if the command was killed.
        events: all events but ``begin`` and ``end``, in their order.
        begin: the ``begin`` event, with the limits of the search; empty if the trace does not have it.
        end: the ``end`` event, with the reason why the search stopped; empty if the command was killed.
    """

    target: str
    branches: dict[str, Event] = field(default_factory=dict)
    verdicts: dict[str, Event] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    begin: Event = field(default_factory=dict)
    end: Event = field(default_factory=dict)

    def of(self, kind: str) -> Iterator[Event]:
        """Return an iterator over the events of one kind, in their order."""
        return (event for event in self.events if event["event"] == kind)

    def verdict(self, branch: str) -> str:
        """Return the verdict on a branch, given by its id; ``undecided`` if the command was killed before."""
        return str(self.verdicts.get(branch, {}).get("verdict", "undecided"))


def run(parsed: argparse.Namespace) -> int:
    """Print a summary of each search in a trace, or of one branch; return the exit status, which is always 0.

    Raises:
        OptionError: the file can not be read as a trace, or has no such target or branch.
    """
    try:
        return _explained(parsed)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise OptionError(
            f"{parsed.file}: this version of zeroin can not read an event of the trace ({error!r})"
        ) from error


def _explained(parsed: argparse.Namespace) -> int:
    stories = read(Path(parsed.file))
    if parsed.target is not None:
        stories = [story for story in stories if parsed.target in (story.target, story.target.rpartition(":")[2])]
        if not stories:
            raise OptionError(f"--target {parsed.target}: {parsed.file} has no such target")
    if parsed.branch is None:
        texts = [about_search(story) for story in stories]
    else:
        stories = [story for story in stories if parsed.branch in story.branches]
        if not stories:
            raise OptionError(f"{parsed.branch}: {parsed.file} has no such branch; zeroin show names them")
        texts = [about_branch(story, parsed.branch) for story in stories]
    print("\n\n".join("\n".join(map(plain, lines)) for lines in texts))
    return DONE


def read(path: Path) -> list[Story]:
    """Read a trace; return one story for each target, in the order of their first events.

    A last line that is cut off is ignored, unless it is the only one: the command may have been killed while it wrote.

    Raises:
        OptionError: there is no such file, or it is empty or not a trace.
    """
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not a text file"
        raise OptionError(f"{path}: can not be read ({why})") from error
    stories: dict[str, Story] = {}
    for number, line in enumerate(lines, 1):
        try:
            event = json.loads(line)
            story = stories.setdefault(event["target"], Story(event["target"]))
            match event["event"]:
                case "begin":
                    story.begin, story.branches = event, {one["id"]: one for one in event["branches"]}
                case "end":
                    story.end, story.verdicts = event, {one["id"]: one for one in event["verdicts"]}
                case str():
                    story.events.append(event)
        except (ValueError, KeyError, TypeError) as error:
            if number == len(lines) > 1:  # the command was killed while it wrote this
                continue
            raise OptionError(f"{path}:{number}: is not an event of a trace; make one with cover --trace") from error
    if not stories:
        raise OptionError(f"{path}: the file is empty; make a trace with cover --trace")
    return list(stories.values())


# ---- the whole search ----


def about_search(story: Story) -> list[str]:
    """Return the lines about a whole search: verdicts, strategies, solvers, tasks, and what is undecided."""
    counts = Counter(map(story.verdict, story.branches))
    stopped = story.end.get("stopped") or "the command ended before the search did"
    lines = [f"{story.target}: {', '.join(f'{count} {verdict}' for verdict, count in sorted(counts.items()))}.  "
             f"Stopped because {stopped}."]  # fmt: skip
    lines += _table(["strategy", "slices", "evaluations", "seconds", "found"], _by_strategy(story))
    lines += _table(["solver or prover", "queries", "seconds", "answers"], _by_solver(story))
    lines += _table(["task", "times", "seconds", "ended early"], _by_task(story))
    undecided = [branch for branch in story.branches if story.verdict(branch) == "undecided"]
    if undecided:
        lines += ["", "Undecided:"]
        for branch in undecided:
            lines += [f"  {branch:5} {_place(story, branch)}", *(f"        {line}" for line in _why(story, branch)[:2])]
        lines += ["", f"Run zeroin explain FILE {undecided[0]} for more about one branch."]
    return lines


def _by_strategy(story: Story) -> list[list[str]]:
    """Return a row for each strategy: name, slices, evaluations, seconds and the branches that it found."""
    rows = defaultdict[str, list[Any]](lambda: [0, 0, 0.0, list[str]()])
    for event in story.of("slice"):
        row = rows[event.get("strategy", "") + (f" (for {event['aim']})" if "aim" in event else "")]
        row[0], row[1], row[2] = row[0] + 1, row[1] + event["evaluations"], row[2] + event["took"]
        row[3] += event.get("news", "").split()
    return [[name, f"{slices:,}", f"{evaluations:,}", f"{seconds:.2f}", _few(news)]
            for name, (slices, evaluations, seconds, news) in rows.items()]  # fmt: skip


def _by_solver(story: Story) -> list[list[str]]:
    """Return a row for each solver or prover: name, queries, seconds and its most frequent answers."""
    rows = defaultdict[str, list[Any]](lambda: [0, 0.0, Counter[str]()])
    for event in (*story.of("query"), *story.of("proof")):
        name = event.get("by") or f"{event.get('strategy', '')}, without an answer"
        row = rows[name]
        row[0], row[1] = row[0] + 1, row[1] + event["took"]
        row[2][event["answer"].partition(":")[0]] += 1
    rows_of = ((name, queries, seconds, answers.most_common(3)) for name, (queries, seconds, answers) in rows.items())
    return [[name, str(queries), f"{seconds:.2f}", ", ".join(f"{count} {what}" for what, count in answers)]
            for name, queries, seconds, answers in rows_of]  # fmt: skip


def _by_task(story: Story) -> list[list[str]]:
    """Return a row for each kind of task: name, how often it ran, seconds and the reasons why it ended early."""
    rows = defaultdict[str, list[Any]](lambda: [0, 0.0, list[str]()])
    for event in story.of("task"):
        row = rows[event["task"]]
        row[0], row[1] = row[0] + 1, row[1] + event["took"]
        row[2] += [event["died"]] if "died" in event else []
    return [[name, str(times), f"{seconds:.2f}", "; ".join(dict.fromkeys(deaths))[:80]]
            for name, (times, seconds, deaths) in rows.items()]  # fmt: skip


# ---- one branch ----


def about_branch(story: Story, branch: str) -> list[str]:
    """Return the lines about one branch: its verdict, what was tried, and what may help.

    Raises:
        KeyError: the story has no branch with this id.
    """
    verdict = story.verdicts.get(branch, {})
    lines = [f"{story.target}  {branch}: {_place(story, branch)}"]
    match story.verdict(branch):
        case "covered":
            return [*lines, f"covered by {verdict['input']}", *_found(story, branch)]
        case "infeasible":
            return [*lines, f"infeasible: proved by {verdict['by']}", *_queries(story, branch)]
    return [*lines, f"undecided: {verdict.get('why') or 'the command ended before the search did'}",
            *_aimed(story, branch), *_queries(story, branch), "", "What may help:",
            *(f"  {line}" for line in _why(story, branch))]  # fmt: skip


def _found(story: Story, branch: str) -> list[str]:
    """Return a line that says when a covered branch was found, and by which strategy."""
    for event in story.of("slice"):
        if branch in event.get("news", "").split():
            return [f"found at {event['seconds']:.3f} s by {event.get('strategy', '')}, in a slice of "
                    f"{event['evaluations']:,} evaluations"]  # fmt: skip
    return ["found outside of a slice: by a known value, a solver's model, or an earlier search"]


def _aimed(story: Story, branch: str) -> list[str]:
    """Return the effort of the searches for this branch, and the smallest distance R that they came to."""
    mine = [event for event in story.of("slice") if event.get("branch") == branch]
    if not mine:
        return ["no strategy searched for this branch alone"]
    best = min(mine, key=lambda event: float(event["best"]))
    total = sum(event["evaluations"] for event in mine)
    every = sum(event["evaluations"] for event in story.of("slice"))
    share = f", {100 * total / every:.0f} % of all" if every else ""
    nearest = f"nearest: R = {float(best['best']):.6g} at {best['seconds']:.3f} s, by {best.get('strategy', '')}"
    return [f"{len(mine)} slices searched for it, {total:,} evaluations{share}", nearest]


def _queries(story: Story, branch: str) -> list[str]:
    """Return the answers of provers and solvers about the branch, one line each; at most 12, and how many more."""
    lines = []
    for event in (*story.of("proof"), *story.of("query")):
        if event.get("branch") == branch:
            by = f" by {event['by']}" if "by" in event else ""
            what = f"{event['effort']}, " if "effort" in event else ""
            lines.append(
                f"{event['event']} at {event['seconds']:.3f} s ({what}{event['took']:.3f} s){by}: {event['answer']}"
            )
    return lines if len(lines) <= _MOST else [*lines[:_MOST], f"and {len(lines) - _MOST} more"]


_MOST = 12  # lines about queries


def _why(story: Story, branch: str) -> list[str]:
    """Return what stands in the way, and what may help, the most likely first. There is at least one line."""
    about, reached = story.branches[branch], story.end.get("reached")
    found = list[str]()
    if reached is not None and about["site"] not in reached:
        found.append("no run reached its condition: see the branches before it")
    answers = [event["answer"] for event in (*story.of("proof"), *story.of("query")) if event.get("branch") == branch]
    notes = [note for note in story.end.get("notes", []) if note.startswith(("no proofs", "explored", "neither"))]
    unread = next((a for a in answers if a not in ("infeasible", "possible", "unknown", "model", "no model")), "")
    if unread and not unread.startswith("unknown"):
        found.append(f"nothing can be proved: {unread}")
    if "possible" in answers:
        found.append("a solver found values that should take it, but no run with them does: zeroin's model of the code "
                     "is not exact")  # fmt: skip
    if any(answer.startswith("unknown") for answer in answers):
        found.append("the solvers ran out of time: a longer --budget gives them more")
    if not answers and not any(story.of("proof")):
        found.append("no proof was tried: the search ended before it got stuck")
    if "time" in str(story.end.get("stopped", "")) or "evaluations" in str(story.end.get("stopped", "")):
        found.append(f"the budget is used up ({story.begin.get('budget', 0):g} s): a longer --budget may decide it")
    found += [f"note: {note}" for note in notes]
    found.append("state what the code does not: a type (--types), a length (--array, --string), a precondition "
                 "(--assume), or another source file (--with)")  # fmt: skip
    return found


# ---- text ----


def _place(story: Story, branch: str) -> str:
    """Return the line, condition and side of a branch as text."""
    about = story.branches[branch]
    return f"line {about['line']}: {about['condition']} {about['side']}"


def _few(names: Sequence[str]) -> str:
    """Return the first eight names, and how many more there are."""
    return " ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _table(head: list[str], rows: Iterable[list[str]]) -> list[str]:
    """Return the lines of a table with aligned columns, after an empty line; an empty list without rows."""
    every = [head, *rows]
    if len(every) == 1:
        return []
    widths = [max(len(row[n]) for row in every) for n in range(len(head))]
    last = len(head) - 1
    return ["", *("  ".join(cell.ljust(width) if n in (0, last) else cell.rjust(width)
                            for n, (cell, width) in enumerate(zip(row, widths, strict=True))).rstrip()
                  for row in every)]  # fmt: skip
