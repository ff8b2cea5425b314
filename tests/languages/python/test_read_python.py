"""Path conditions of Python functions."""

from __future__ import annotations

import gc
import pickle
import random
from pathlib import Path

import pytest

from languages.python.modules import Modules
from zeroin.errors import OptionError
from zeroin.generate.domain import domain_of
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.model.memory import Unreadable
from zeroin.model.path import PathCondition
from zeroin.subject.base import Termination

READABLE = Path(__file__).parents[2] / "subjects" / "python" / "readable.py"
FUNCTIONS = ["nested", "arithmetic", "raising", "powers", "loops", "calls", "values", "texts", "matched", "objects",
             "numbers", "generated", "tables", "raw", "keyed"]  # fmt: skip


def along(subject: PythonSubject, values: str) -> PathCondition:
    words = subject.words_of(values)
    return subject.along(words, subject.execute(words))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_path_condition_holds_for_its_own_input_and_for_those_that_take_the_path(function: str) -> None:
    subject, rng = PythonSubject(str(READABLE), function), random.Random(1)
    domain = domain_of(subject.signature, subject.constants)
    alike = 0
    for _ in range(60):
        words = subject.tidy(tuple(rng.choice([*pool, rng.randint(low, high)])
                                   for pool, (low, high) in zip(domain.pools, domain.ranges, strict=True)))  # fmt: skip
        execution = subject.execute(words)
        path, shown = subject.along(words, execution), subject.signature.show(words)
        assert not path.ended, shown
        assert path.holds(path.inputs), shown
        assert [(s.site, s.holds) for s in path.steps] == [(d.site, d.holds) for d in execution.decisions], shown
        assert subject.words_with(path.inputs) == words
        other = subject.tidy(tuple(
            rng.choice([word, word, min(max(word + rng.randint(-2, 2), low), high)])
            for word, (low, high) in zip(words, domain.ranges, strict=True)))  # fmt: skip
        again = subject.execute(other)
        same = [(d.site, d.holds) for d in again.decisions] == [(d.site, d.holds) for d in execution.decisions]
        holds, both = path.holds(subject.model.inputs(other)), f"{shown} and {subject.signature.show(other)}"
        assert same or not holds, both
        assert holds or not same or not path.is_exact or any(a.place >= 0 for a in path.asides), both
        alike += same
    assert alike


def test_a_path_reads_as_the_source_does() -> None:
    subject = PythonSubject(str(READABLE), "nested")
    path = along(subject, "2.5, 22, 'ab'")
    shown = [repr(term) for term in path.constraints()]
    assert shown == ["(not (fp.eq (fp.mul RNE x x) 2.25))", "(= (floor_div n 3) 7)",
                     "(and (<= 0 len(s)) (<= len(s) 8))", "(< 0 len(s))"]  # fmt: skip
    assert pickle.loads(pickle.dumps(path)).constraints() == path.constraints()


def test_what_raises_an_exception_is_a_choice(modules: Modules) -> None:
    subject = modules.load("def f(x: float, n: int) -> float:\n    return n / x if x < 1e9 else 0.0\n")
    path = along(subject, "0.0, 3")
    assert [repr(choice.constraint) for choice in path.choices if choice.site < 0][-1] == "(fp.is_zero x)"
    assert not path.holds({"x": 1.0, "n": 3})


def test_what_is_not_followed_is_told(modules: Modules) -> None:
    subject = modules.load("""
        import statistics
        def f(xs: list[float], n: int) -> int:
            message = f"{n} of {xs}"
            print(message)
            return 1 if statistics.mean([*xs, 1.0]) > 2.0 else 2
        """)
    path = along(subject, "[3.0], 7")
    pinned = [(aside.why, repr(aside.constraint)) for aside in path.asides if aside.pins]
    assert pinned == [("statistics.mean is given values that are taken from the run", "(= xs[0] 3.0)")]
    assert not path.is_exact


@pytest.mark.parametrize(("text", "values", "why"), [
    ("def f(x: float) -> float:\n    return x if x > 1e308 else f(x + 1.0)\n", "1.0", "calls are nested more than 300"),
    ("def f(n: int) -> int:\n    while n > 0:\n        n -= 1\n    return n\n", "9000", "only its first 4,096"),
    ("def f(x: float) -> int:\n    return 1 if eval('x > 3') else 2\n", "1.0", "it calls eval, which zeroin can not"),
])  # fmt: skip
def test_a_path_that_is_not_followed_to_its_end_says_why(modules: Modules, text: str, values: str, why: str) -> None:
    gc.collect()  # what other tests have left can not be finalised where the stack ends
    path = along(modules.load(text), values)
    assert why in path.ended
    assert path.holds(path.inputs)


def test_a_function_that_does_not_do_the_same_again_is_told(modules: Modules) -> None:
    subject = modules.load("""
        import itertools
        turns = itertools.count()
        def f(x: float) -> int:
            return 1 if next(turns) % 2 else 2 if x > 0 else 3
        """)
    with pytest.raises(Unreadable, match="the same input does not take the same path again: decision 0"):
        along(subject, "1.0")


def test_the_plain_function_is_what_runs_afterwards(modules: Modules) -> None:
    subject = modules.load("seen = []\ndef f(x: float) -> int:\n    seen.append(x)\n    return len(seen)\n")
    along(subject, "1.5")
    replay = subject.replay(subject.words_of("1.5"))
    assert replay.outcome is Termination.RETURNED
    assert replay.value is not None
    assert replay.value.text == "1"
    assert vars(subject.home.module)["seen"] in ([], [1.5])


@pytest.mark.parametrize(("values", "why"), [
    ("", "takes 1 arguments"), ("'a'", "is not a value"), ("os.system('ls')", "can not be read"), ("(", "not be read"),
])  # fmt: skip
def test_what_are_no_arguments(modules: Modules, values: str, why: str) -> None:
    subject = modules.load("def f(x: float) -> float:\n    return x\n")
    with pytest.raises(OptionError, match=why):
        subject.words_of(values)


CONSUMERS = ['"-".join({})', "list({})", "tuple({})", "sorted({})", "set({})", "frozenset({})", "max({}, default='')",
             "min({}, default='')", "dict(zip({}, [1, 2, 3]))", "dict(enumerate({}))", "[*reversed([*{}])]",
             "[*map(str, {})]", "[*filter(None, {})]", "[*zip({}, 'abc')]", "dict.fromkeys({})", "next({}, '')",
             "[*itertools.islice({}, 1)]", "collections.deque({})", "''.join(map(str, {}))", "str().join({})",
             "any(c for c in {})", "all(c for c in {})", "sum(len(c) for c in {})",
             "functools.reduce(str.__add__, {}, '')",
             "collections.Counter({})", "list(itertools.chain({}, 'x'))"]  # fmt: skip


@pytest.mark.parametrize("consumer", CONSUMERS)
def test_what_consumes_a_generator_consumes_it_once(modules: Modules, consumer: str) -> None:
    """The items do not depend on the input where the generator replaces a character."""
    made = consumer.format("(c if c == 'a' else '0' for c in text)")
    text = "import collections, functools, itertools\n\n\ndef f(text: str) -> int:\n"
    subject = modules.load(f"{text}    made = {made}\n    return 1 if made else 0\n")
    for value in ("", "b", "a", "ba", "abb"):
        words = subject.words_of(repr(value))
        execution = subject.execute(words)
        path = subject.along(words, execution)
        assert [(s.site, s.holds) for s in path.steps] == [(d.site, d.holds) for d in execution.decisions], value
