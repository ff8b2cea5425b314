"""Names and comments of tests: the branches that an input covers, and a name after the rarest of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import Protocol

from ..escaping import plain
from ..subject.base import Branch
from ..suite.plausible import extremes
from ..suite.suite import Suite
from .name_parts import RESULT, Fact, NamedValue, facts_of

_LONGEST = 60  # the most characters of a test's name
_MOST_EXTREMES = 2  # parameters with extreme values in a name


class _Naming(Protocol):
    """Makes a name from a branch and further words."""

    def __call__(self, branch: Branch | None, more: str = "", /) -> str: ...


class CaseNames:
    """Chooses names and comments that distinguish the tests of a suite. An input is given by its index in the suite."""

    def __init__(self, suite: Suite, shown: Callable[[int], Sequence[NamedValue]]) -> None:
        """Prepare for a suite; ``shown`` returns the arguments and the result of an input."""
        self._suite, self._shown_of = suite, shown
        self._takers = Counter(outcome for kept in suite.inputs for outcome in kept.covered)
        self._first = {verdict.branch.outcome: verdict.input for verdict in suite.verdicts}
        self._titled: dict[str, list[int]] = {}
        self._known: dict[int, list[Fact]] = {}

    def comment(self, number: int) -> str:
        """Return a comment with the branches that only this input covers.

        If there are none, it names the branches that this input is the first to cover. It can be empty.
        """
        taken = self._taken(number)
        alone = [branch for branch in taken if self._takers[branch.outcome] == 1]
        own = alone or [branch for branch in taken if self._first[branch.outcome] == number]
        return plain("; ".join(map(self._shown, own)))

    def rarest(self, number: int) -> Branch | None:
        """Return the branch of this input that the fewest inputs cover; None if it covers no branch.

        Among equals, a branch that this input is the first to cover comes first, and then the last one.
        """
        return next(iter(self._by_rarity(number)), None)

    def title(self, numbers: Sequence[int], ending: str, branch: Branch | None, used: set[str]) -> str:
        """Return a name for the test of some inputs, as :func:`title` does, and add it to ``used``.

        It says which parameters of a single input are extreme. If an earlier test of this suite has the same name,
        words are added that distinguish these inputs, or else a number. Call it once for each test, in their order,
        since it remembers the inputs.
        """
        name = partial(composed, self._suite.target.function, ending)
        return self._named(name, numbers, branch, used, self._titled)

    def rows(self, numbers: Sequence[int], room: int) -> list[str]:
        """Return distinct names of at most ``room`` characters for inputs that are the rows of a table."""

        def row(branch: Branch | None, more: str = "") -> str:
            end = "_".join(_shorten(_words(more), room // 2))
            return "_".join(part for part in (told_by(branch, room - len(end)), end) if part) or "input"

        used, same = set[str](), dict[str, list[int]]()
        return [self._named(row, [number], self.rarest(number), used, same) for number in numbers]

    def _named(self, name: _Naming, numbers: Sequence[int], branch: Branch | None, used: set[str],
               same: dict[str, list[int]]) -> str:  # fmt: skip
        """Return a name that is not in ``used``, and add it there.

        ``same`` has the inputs so far by the name that they have without further words. These inputs are added to it.
        """
        extreme = self._extreme(numbers[0]) if len(numbers) == 1 else ""
        plain = name(branch, extreme)
        others = same.setdefault(plain, [])
        names = [plain]
        if plain in used:
            names += [name(one, extreme) if isinstance(one, Branch) else name(branch, f"{extreme} {one}")
                      for one in self._apart(numbers, others)]  # fmt: skip
        others += numbers
        return unique(names, used)

    def _extreme(self, number: int) -> str:
        """Return the parameters of an input that have extreme values, such as ``x huge``; empty if there are none."""
        found = extremes(self._suite.signature, self._suite.inputs[number].words)
        return " ".join(f"{name} {word}" for name, word in found[:_MOST_EXTREMES])

    def _apart(self, numbers: Sequence[int], others: Sequence[int]) -> Iterator[Branch | str]:
        """Yield what distinguishes some inputs from the others: branches, and phrases about arguments and results.

        Nothing is yielded if there are no others. The first ones make the better names.
        """
        arguments, theirs = ([[one.name for one in self._shown_of(n) if one.name != RESULT] for n in some]
                             for some in (numbers, others))  # fmt: skip
        for word, mine, without in (("with", arguments, theirs), ("without", theirs, arguments)) if others else ():
            missing = set[str]().union(*without)
            several = [name for name in mine[0] if name not in missing and all(name in one for one in mine)]
            if several:
                yield " ".join([word, *several])
        taken = [set[int]().union(*(self._suite.inputs[n].covered for n in others)),
                 *(self._suite.inputs[n].covered for n in numbers)]  # fmt: skip
        for branch in self._by_rarity(numbers[0]) if others else ():
            if [branch.outcome in some for some in taken] == [False, *[True] * len(numbers)]:
                yield branch
        known = {(fact.what, fact.value) for other in others for fact in self._facts(other)}
        shared = [{(fact.what, fact.value) for fact in self._facts(number)} for number in numbers]
        apart = [fact for fact in self._facts(numbers[0]) if (fact.what, fact.value) not in known
                 and all((fact.what, fact.value) in one for one in shared)]  # fmt: skip
        yield from (fact.phrase for fact in apart)
        yield from (fact.reworded for fact in apart if fact.reworded)

    def _facts(self, number: int) -> list[Fact]:
        """Return the facts about an input, which are found once."""
        if number not in self._known:
            self._known[number] = facts_of(self._shown_of(number))
        return self._known[number]

    def _by_rarity(self, number: int) -> list[Branch]:
        """Return the branches that an input covers, in the order that :meth:`rarest` describes."""
        taken = self._taken(number)[::-1]
        rarity = {b.outcome: (self._takers[b.outcome], self._first[b.outcome] != number) for b in taken}
        return sorted(taken, key=lambda branch: rarity[branch.outcome])

    def _taken(self, number: int) -> list[Branch]:
        """Return the branches that an input covers, in the order of the suite's branches."""
        covered = self._suite.inputs[number].covered
        return [branch for branch in self._suite.branches if branch.outcome in covered]

    def _shown(self, branch: Branch) -> str:
        """Return a branch as text for a comment, such as ``line 3: x > 0 -> true``."""
        site = branch.site
        file = "" if Path(site.file).name in ("", self._suite.target.path.name) else f"{Path(site.file).name} "
        return f"{file}line {site.line}: {site.condition or 'branch ' + branch.id} -> {branch.shown}"


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
    """Return a name of at most 60 characters for a test, and add it to ``used``.

    Args:
        function: the qualified name of the function under test.
        ending: how the run ends if it does not return, such as ``raises ValueError``; otherwise empty.
        branch: the branch in the name; None for none.
        used: names that are taken.
    """
    return unique([composed(function, ending, branch)], used)


def composed(function: str, ending: str, branch: Branch | None, more: str = "") -> str:
    """Return a name as :func:`title` does, which may be taken already; ``more`` has words for its end."""
    head = ["test", *_shorten(_words(function.replace(".", " ")), 20 if ending else 24)]
    if ending:
        first, _, rest = ending.partition(" ")
        head += [first, *_shorten(_words(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", rest)), 20)]
    end = _shorten(_words(more), _LONGEST - len("_".join(head)) - 4)
    when = ["when"] * bool(ending and branch)
    told = told_by(branch, _LONGEST - len("_".join([*head, *when, *end])), bool(ending))
    return "_".join([*head, *when * bool(told), *[told] * bool(told), *end])


def told_by(branch: Branch | None, room: int, ended: bool = False) -> str:
    """Return the part of a name that describes a branch: the words of its condition and its label.

    Args:
        branch: the branch; None gives an empty text.
        room: the most characters. The condition's last words are dropped, in the end all; the label is kept.
        ended: whether the run did not return. Then the label is dropped if it is ``true``.
    """
    if branch is None:
        return ""
    end = [] if ended and branch.label == "true" else _shorten(_words(branch.shown), 12)
    condition = _words(branch.site.condition) or ["line", str(branch.site.line)]
    shown = _shorten(condition, room - 4 - len("_".join(["", *end])))  # 3 characters are for a number at the end
    while shown and len(shown) < len(condition) and shown[-1] in _DANGLING:
        shown.pop()
    return "_".join([*shown, *end])


def unique(names: Sequence[str], used: set[str]) -> str:
    """Return a name that is not in ``used``, and add it there.

    The first name is preferred, then the others in order. Of these, a name that differs from all used names in more
    than a number at its end comes first. If all are used, the first name gets a number.
    """
    plain, *others = names
    alike = {re.sub(r"(_\d+)+$", "", name) for name in used}
    free = [name for name in others if name not in used]
    unlike = [name for name in free if re.sub(r"(_\d+)+$", "", name) not in alike]
    numbered = (f"{plain}_{number}" for number in count(2))
    name = next(name for name in chain([plain], unlike, free, numbered) if name not in used)
    used.add(name)
    return name


def _words(text: str) -> list[str]:
    """Return the words of a source text in lower case. Operators become words, such as ``le`` for ``<=``."""
    tokens = (_WORDS.get(token, re.sub(r"[^a-z0-9]+", "_", token.lower())) for token in _TOKEN.findall(text))
    return [word for token in tokens for word in token.split("_") if word]


def _shorten(words: list[str], room: int) -> list[str]:
    """Return the first words that fit into ``room`` characters when ``_`` joins them; the first word may be cut."""
    kept: list[str] = []
    for word in words:
        left = room - len("_".join([*kept, ""]))
        if len(word) > left:
            return kept or [word[:left]] if left > 0 else kept
        kept.append(word)
    return kept
