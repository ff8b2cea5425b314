"""What each test of a suite is about: the branches that its input is for, and a name that tells the rarest of them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from ..subject.base import Branch
from ..suite.suite import Suite

_LONGEST = 60  # of a test's name


class Telling:
    """What distinguishes the inputs of a suite."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._takers = Counter(outcome for kept in suite.inputs for outcome in kept.covered)
        self._first = {verdict.branch.outcome: verdict.input for verdict in suite.verdicts}

    def comment(self, number: int) -> str:
        """The branches that only this input takes; if there is none, those that it is the first to take; or nothing."""
        taken = self._taken(number)
        alone = [branch for branch in taken if self._takers[branch.outcome] == 1]
        own = alone or [branch for branch in taken if self._first[branch.outcome] == number]
        return "; ".join(map(self._shown, own))

    def rarest(self, number: int) -> Branch | None:
        """The branch that the fewest inputs take, this one first; among equals the last."""
        taken = self._taken(number)
        rarity = {b.outcome: (self._takers[b.outcome], self._first[b.outcome] != number) for b in taken}
        return min(reversed(taken), key=lambda branch: rarity[branch.outcome], default=None)

    def _taken(self, number: int) -> list[Branch]:
        covered = self._suite.inputs[number].covered
        return [branch for branch in self._suite.branches if branch.outcome in covered]

    def _shown(self, branch: Branch) -> str:
        site = branch.site
        file = "" if Path(site.file).name in ("", self._suite.target.path.name) else f"{Path(site.file).name} "
        return f"{file}line {site.line}: {site.condition or 'branch ' + branch.id} -> {branch.label}"


_TOKEN = re.compile(
    r"0[xX][\da-fA-F.]+(?:[pP][+-]?\d+)?|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\w+|->|<=|>=|==|!=|\*\*|//|<<|>>|[-+*/%<>&|^~@]"
)
_WORDS = {
    "<=": "le", ">=": "ge", "==": "eq", "!=": "ne", "<": "lt", ">": "gt", "**": "pow", "//": "div", "/": "over",
    "<<": "shl", ">>": "shr", "-": "minus", "+": "plus", "*": "times", "%": "mod", "&": "and", "|": "or", "^": "xor",
    "~": "inv", "@": "matmul", "->": "",
}  # fmt: skip
_DANGLING = {*_WORDS.values(), "not", "is", "in"}


def title(function: str, ending: str, branch: Branch | None, used: set[str]) -> str:
    """A name of at most 60 characters that is not in ``used``, to which it is added.

    Args:
        function: qualified name of the function.
        ending: how the run ends (``raises ValueError``), if it does not return; empty for nothing.
        branch: what the name tells; None for nothing.
    """
    head = ["test", *_shorten(_words(function.replace(".", " ")), 20 if ending else 24)]
    if ending:
        first, _, rest = ending.partition(" ")
        head += [first, *_shorten(_words(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", rest)), 20)]
    head += ["when"] * bool(ending and branch)
    told = told_by(branch, _LONGEST - len("_".join(head)), bool(ending))
    return unique("_".join([*head, *[told] * bool(told)]), used)


def told_by(branch: Branch | None, room: int, ended: bool = False) -> str:
    """What a branch says of an input, as part of a name; that a condition holds goes without saying for a run that
    ended early."""
    if branch is None:
        return ""
    end = [] if ended and branch.label == "true" else _shorten(_words(branch.label), 12)
    condition = _words(branch.site.condition) or ["line", str(branch.site.line)]
    shown = _shorten(condition, room - 4 - len("_".join(["", *end])))  # three for what makes it unique
    while shown and len(shown) < len(condition) and shown[-1] in _DANGLING:
        shown.pop()
    return "_".join([*shown, *end])


def unique(plain: str, used: set[str]) -> str:
    """The name, or with a number behind it, so that it is not in ``used``, to which it is added."""
    name, number = plain, 1
    while name in used:
        number += 1
        name = f"{plain}_{number}"
    used.add(name)
    return name


def _words(text: str) -> list[str]:
    tokens = (_WORDS.get(token, re.sub(r"[^a-z0-9]+", "_", token.lower())) for token in _TOKEN.findall(text))
    return [word for token in tokens for word in token.split("_") if word]


def _shorten(words: list[str], room: int) -> list[str]:
    """As many of the words, joined by ``_``, as there is room for."""
    kept: list[str] = []
    for word in words:
        left = room - len("_".join([*kept, ""]))
        if len(word) > left:
            return kept or [word[:left]] if left > 0 else kept
        kept.append(word)
    return kept
