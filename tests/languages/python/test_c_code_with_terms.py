"""What C code does with numbers that carry terms: it is followed, or told, and never passed over."""

from __future__ import annotations

import itertools

import pytest

from languages.python.modules import Modules
from zeroin.languages.python.read.values.model import PythonModel

BODIES = """
list(itertools.accumulate([0.5, n]))[-1] > 7.25
[*itertools.accumulate([1, n, k], operator.mul, initial=2)][-1] > 20
[*itertools.accumulate(iterable=[1, n])][-1] > 8
[*itertools.accumulate([1, n], func=operator.mul)][-1] > 7
(n > 6).real + (n > 6).imag == 1
(n > 6).conjugate() + 1 == 2
operator.lt(1.5, n)
operator.eq((7.0, 1), (n, 1))
all(map(operator.lt, [1.5], [n]))
any(itertools.takewhile(functools.partial(operator.lt, 1.5), [n]))
list(filter((7.0).__eq__, [n]))
[7.0, 1.5].count(n)
[7.0, 7, n].index(n, 1) == 1
collections.deque([7.0]).count(n)
[7.0, 3.5].remove(n) is None
(lambda xs: xs.remove(n) or xs)([3.0, 7.0]) == [3.0]
[(7.0, 1)].index((n, 1)) == 0
(n, 1) in [(7.0, 1)]
(7.5,) < (n,)
(0.5, n) < (0.5, 7)
{'a': 7.0} == {'a': n}
Pair(7.0, 1) == Pair(n, 1)
[[7.0]] == [[n]]
sorted([(n, 2), (7.5, 1)])[0][1] == 1
sorted([(7.5, 1), (n, 2)], reverse=b)[0][1] == 1
min((7.5,), (n,)) == (7.5,)
max([(0.5, 7.0), (0.5, n)]) == (0.5, 7.0)
[True].count(n)
[0.0].count(b)
list(map(int, [x]))[0] == 7
list(map(float, [n]))[0] == 7
list(map(math.floor, [x]))[0] == 7
list(itertools.starmap(pow, [(x, 2)]))[0] > 7
[*map(bool, [n])][0]
list(map(len, [s]))[0] == 2
list(map(str.strip, [s]))[0] == "ab"
str.strip(s) == "ab"
sorted([s, "ab"], key=str.lower)[0] == "ab"
"".join(map(str, [n, k])) == "70"
math.fsum(v * v for v in [x, n]) > 30
statistics.mean(map(float, [x, n])) > 3
bisect.bisect([0.5, 6.5, 77.5], n) == 2
heapq.nsmallest(1, [7.5, n])[0] == 7.5
list(itertools.repeat(1, k)) == [1, 1]
list(itertools.islice(itertools.count(n), 2))[1] == 8
list(itertools.islice([1, 2, 3], k)) == [1, 2]
len([*itertools.combinations("abc", k)]) == 3
list(enumerate("ab", n))[1][0] == 8
list(enumerate("ab", start=n))[1][0] == 8
[1, 2, 3].pop(k) == 2
[1, 2].insert(k, 7) is None and k == 1
len(collections.deque([1, 2, 3], maxlen=k)) == 2
next(v for v in itertools.count(n, 2) if v > 8) == 9
functools.reduce(operator.add, [0.5, n]) > 7.25
collections.Counter([n, 3, 3])[3] == 3
""".strip().split("\n")
HEAD = """
import bisect, collections, dataclasses, functools, heapq, itertools, math, operator, statistics
@dataclasses.dataclass
class Pair:
    one: float
    two: int
"""
INPUTS = [f"{n}, {x}, {b}, {s!r}, {k}" for (n, x, k), b, s in zip(
    [(7, 7.5, 0), (9, 7.5, 1), (7, 2.5, 2), (3, -7.0, 1), (1, 7.0, 2), (0, 0.0, 0), (8, 9.0, 1)],
    itertools.cycle([True, False]), itertools.cycle(["ab", " ab", "", "abc", "B"]), strict=False)]  # fmt: skip


@pytest.mark.parametrize("body", BODIES)
def test_what_satisfies_a_path_condition_takes_the_path(body: str, modules: Modules) -> None:
    head = "def f(n: int, x: float, b: bool, s: str, k: int) -> int:"
    subject = modules.load(f"{HEAD}\n{head}\n    if {body}:\n        return 1\n    return 0\n")
    assert isinstance(subject.model, PythonModel)
    given = [subject.words_of(values) for values in INPUTS]
    runs = [subject.execute(words) for words in given]
    taken = [[(decision.site, decision.holds) for decision in run.decisions] for run in runs]
    assert len({str(path) for path in taken}) > 1, "it depends on nothing"
    for words, run, path in zip(given, runs, taken, strict=True):
        condition = subject.along(words, run)
        assert not condition.ended
        assert condition.holds(condition.inputs)
        for other, theirs in zip(given, taken, strict=True):
            assert theirs == path or not condition.holds(subject.model.inputs(other)), (words, other)
