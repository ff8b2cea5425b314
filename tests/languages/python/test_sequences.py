"""Classes as targets: what is used of them, sequences of uses as words, their runs, and what a replay tells."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from languages.python.modules import Modules
from sampling import examples
from zeroin.errors import OptionError, TargetError, UnsupportedParameter
from zeroin.languages.python.front.signature import SequenceSignature
from zeroin.languages.python.replay import PythonReplay
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.languages.python.run.native.check import NotNative
from zeroin.languages.python.values.call_sequences import ObjectUses, Use, uses_of
from zeroin.languages.python.values.containers import List, VarTuple
from zeroin.languages.python.values.lengths import tidy
from zeroin.languages.python.values.object_uses import Step, Steps, written
from zeroin.languages.python.values.shapes import Bool, Float, Int
from zeroin.languages.python.values.snapshots import same, snapshot
from zeroin.subject.base import Termination
from zeroin.suite.simplify import Limited, simplify

STACK = """
    class Full(Exception):
        pass

    class Stack:
        def __init__(self, capacity: int) -> None:
            if capacity < 1:
                raise ValueError("no room")
            self.items, self.capacity = [], capacity

        def push(self, x: int) -> None:
            if len(self.items) == self.capacity:
                raise Full(f"only {self.capacity}")
            self.items.append(x)

        def pop(self) -> int:
            return self.items.pop()

        def seen(self) -> list[int]:
            return self.items

        @property
        def size(self) -> int:
            return len(self.items)

        def __len__(self) -> int:
            return len(self.items)

        def __contains__(self, x: int) -> bool:
            return x in self.items
"""

USES = uses_of(
    [
        Use("it.move()", ("x", "rest", "fast"), (Float(), VarTuple(Int()), Bool()), keywords=1, spread=1),
        Use("it.put()", ("xs",), (List(Int()),)),
        Use("it.size"),
        Use("it.__len__()"),
    ],
    0,
)


def words_of(subject: PythonSubject, *steps: Step, arguments: tuple[Any, ...] = ()) -> tuple[int, ...]:
    uses, *others = subject.signature.parameters
    parts = [uses.shape.encode(Steps(steps)), *(p.shape.encode(v) for p, v in zip(others, arguments, strict=True))]
    return tuple(word for part in parts for word in part)


def replayed(subject: PythonSubject, *steps: Step, arguments: tuple[Any, ...] = ()) -> PythonReplay:
    return subject.replay(words_of(subject, *steps, arguments=arguments))


def signature_of(subject: PythonSubject) -> SequenceSignature:
    assert isinstance(subject.signature, SequenceSignature)
    return subject.signature


def texts(replay: PythonReplay) -> list[str] | None:
    return None if replay.results is None else [value.text for value in replay.results]


# ---- words and sequences ----


def any_words(shape: ObjectUses) -> st.SearchStrategy[tuple[int, ...]]:
    return st.tuples(*(st.integers(low, high) for low, high in shape.ranges()))


@examples(100)
@given(data=st.data())
def test_words_that_matter_and_sequences_are_one_to_one(data: st.DataObject) -> None:
    words = data.draw(any_words(USES))
    steps = USES.build(words, str)
    assert isinstance(steps, Steps)
    assert len(steps) == words[0]
    assert USES.encode(steps) == tidy(USES, words)
    assert same(snapshot(USES.build(tidy(USES, words), str)), snapshot(steps))


@examples(40)
@given(data=st.data())
def test_a_shorter_sequence_is_without_one_use(data: st.DataObject) -> None:
    words = tidy(USES, data.draw(any_words(USES)))
    steps = USES.build(words, str)
    fewer = [snapshot(USES.build(short, str)) for short in USES.shorter(words)]
    expected = [snapshot(Steps(steps[:n] + steps[n + 1 :])) for n in reversed(range(len(steps)))]
    assert len(fewer) == len(expected)
    assert all(map(same, fewer, expected))


def test_the_simplest_uses_come_first_and_there_are_more_where_that_matters() -> None:
    assert USES.types == [
        "size",
        "__len__()",
        "put(xs: list[int])",
        "move(x: float, rest: tuple[int, ...], fast: bool)",
    ]
    assert (USES.high, uses_of([Use("it.size")], 12).high, uses_of([Use("it.size")], 33).high) == (8, 12, 16)
    large = uses_of([Use("it.f()", ("x",), (List(Int(), high=600),))], 0)
    assert large.high == 1


class Sample:
    """Does everything that a use can be."""

    size = 3

    def __init__(self) -> None:
        self.held: dict[Any, Any] = {1: 2, 3: 4}

    def move(self, x: int, *rest: int, fast: bool = False) -> tuple[Any, ...]:
        return x, rest, fast

    def __call__(self, x: int, by: int = 0) -> int:
        return x - by

    def __len__(self) -> int:
        return len(self.held)

    def __iter__(self) -> Any:
        return iter(self.held)

    def __contains__(self, key: int) -> bool:
        return key in self.held

    def __getitem__(self, key: int) -> Any:
        return self.held[key]

    def __setitem__(self, key: int, value: Any) -> None:
        self.held[key] = value

    def __delitem__(self, key: int) -> None:
        del self.held[key]


@pytest.mark.parametrize(
    ("step", "source"),
    [
        (Step("it.size"), "it.size"),
        (Step("it.move()", (1,)), "it.move(1)"),
        (Step("it.move()", (1, 2, 3, True), ("fast",)), "it.move(1, 2, 3, fast=True)"),
        (Step("it.__call__()", (5, 2), ("by",)), "it(5, by=2)"),
        (Step("it.__len__()"), "len(it)"),
        (Step("it.__bool__()"), "bool(it)"),
        (Step("it.__iter__()"), "list(it)"),
        (Step("it.__contains__()", (3,)), "3 in it"),
        (Step("it.__getitem__()", (3,)), "it[3]"),
        (Step("it.__setitem__()", (3, [5])), "it[3] = [5]"),
        (Step("it.__delitem__()", (1,)), "del it[1]"),
    ],
)
def test_a_use_does_what_its_source_says(step: Step, source: str) -> None:
    assert snapshot(step).text == source
    named, driven, scope = Sample(), Sample(), dict[str, Any]()
    result = step.on(driven)
    exec(source if "= [" in source or source.startswith("del") else f"result = {source}", {"it": named}, scope)
    assert result == scope.get("result")
    assert named.held == driven.held


def test_a_use_of_an_object_that_has_another_name() -> None:
    assert str(written("it.put()", ["1"], (), "box")) == "box.put(1)"
    assert str(written("it.__len__()", [], (), "box")) == "len(box)"


# ---- what is used of a class ----


def test_a_class_is_its_constructor_and_its_public_methods(modules: Modules) -> None:
    loaded = modules.load(STACK, "Stack")
    assert signature_of(loaded).prototype == (
        "Stack(capacity: int), then up to 8 of pop(), seen(), size, __len__(), push(x: int), __contains__(x: int)"
    )
    assert {site.function for site in loaded.sites} == {"Stack.__init__", "Stack.push", "Stack.__contains__"}
    assert [p.name for p in loaded.signature.parameters] == ["calls", "capacity"]


def test_what_is_passed_over_is_said(modules: Modules) -> None:
    base = modules.write("class Base:\n    def far(self, x: int):\n        return x > 7\n")
    text = f"""
        import dataclasses
        from typing import IO
        from {base.stem} import Base

        @dataclasses.dataclass
        class Sample(Base):
            n: int
            def __add__(self, other): return 1
            def load(self, file: IO[str]): return 1
            def keeps(self, x: int, file: IO[str] = None): return 1
            def rows(self): yield 1
            async def fetch(self): pass
            def _private(self): return 1
            @staticmethod
            def static(x: int): return 1
            @classmethod
            def of(cls, calls: int): return 1
            class Inner: pass
    """
    loaded = modules.load(text, "Sample")
    assert signature_of(loaded).uses.types == ["keeps(x: int)", "static(x: int)", "of(calls: int)"]
    assert loaded.signature.notes == (
        "load: not called: its parameter 'file' has type IO[str], and files can not be generated; give its type with "
        '--types "file: ..."',
        "keeps: file keeps its default: parameter 'file' has type IO[str], and files can not be generated; give its "
        'type with --types "file: ..."',
        "not called: __add__ (a special method), rows (a generator), fetch (a coroutine), far (inherited from "
        f"{base.stem}: --include {base.stem} covers that)",
    )
    again = modules.load(text, "Sample", include=(base.stem,))
    assert "far(x: int)" in signature_of(again).uses.types
    assert [site.condition for site in again.sites] == ["x > 7"]


def test_types_that_are_given_or_guessed(modules: Modules) -> None:
    text = """
        class Sample:
            def __init__(self, calls): self.n = calls.upper()
            def f(self, x): return x.upper() == "A"
            def g(self, *xs): return len(xs)
    """
    loaded = modules.load(text, "Sample")
    assert signature_of(loaded).uses.types == ["f(x: str)", "g(xs: tuple[float, ...])"]
    assert [(p.name, p.type) for p in loaded.signature.parameters[1:]] == [("calls", "str")]
    assert loaded.signature.parameters[0].name == "calls_"
    assert any(note.startswith("f: guessed") for note in loaded.signature.notes)
    given = modules.load(text, "Sample", types="x: bytes, xs: int")
    assert signature_of(given).uses.types == ["f(x: bytes)", "g(xs: tuple[int, ...])"]
    with pytest.raises(OptionError, match="Sample has no constructor and no method with a parameter 'y'"):
        modules.load(text, "Sample", types="y: int")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "import abc\nclass A(abc.ABC):\n    @abc.abstractmethod\n    def area(self): ...\n",
            r"abstract class \(area\)",
        ),
        ("import typing\nclass A(typing.Protocol):\n    def area(self): ...\n", r"abstract class \(a protocol\)"),
        ("import enum\nclass A(enum.Enum):\n    RED = 1\n", "is an enumeration"),
        ("class A(Exception):\n    pass\n", "without a constructor and public methods of its own"),
        ("class A:\n    def rows(self): yield 1\n", r"there is rows \(a generator\)"),
        ("from array import array as A\n", "is a class that is not written in Python"),
    ],
)
def test_classes_that_can_not_be_driven(modules: Modules, text: str, message: str) -> None:
    with pytest.raises(TargetError, match=message):
        modules.load(text, "A")


def test_a_constructor_that_can_not_be_called(modules: Modules) -> None:
    text = "from typing import IO\nclass A:\n    def __init__(self, file: IO[str]): pass\n    def f(self): return 1\n"
    with pytest.raises(UnsupportedParameter, match="A: parameter 'file' has type"):
        modules.load(text, "A")


def test_a_constructor_that_always_raises_is_told(modules: Modules) -> None:
    text = "class A:\n    def __init__(self): raise OSError('no')\n    def f(self, x: int): return x > 1\n"
    loaded = modules.load(text, "A")
    for _ in range(200):
        loaded.run(words_of(loaded))
    assert "no object of A could be made: its constructor raised OSError every time" in loaded.remarks()


# ---- runs ----


def test_a_replay_tells_what_came_of_each_use(modules: Modules) -> None:
    loaded = modules.load(STACK, "Stack")
    push, pop, seen = Step("stack.push()", (3,)), Step("stack.pop()"), Step("stack.seen()")
    replay = replayed(loaded, push, seen, pop, Step("stack.size"), Step("stack.__len__()"), arguments=(2,))
    assert texts(replay) == ["None", "[3]", "3", "0", "0"]  # as it was then, though the list has changed
    assert replay.repeatable
    words = words_of(loaded, push, Step("stack.__contains__()", (3,)), arguments=(2,))
    shown = f"{loaded.signature.show(words)} {loaded.signature.show_result(loaded.replay(words))}"
    assert shown == "stack = Stack(2); stack.push(3); 3 in stack = True"
    assert loaded.signature.results(loaded.replay(words)) == ["None", "True"]
    assert loaded.signature.exact(words) == [["stack.push(3)", "3 in stack"], "2"]


def test_an_exception_ends_a_sequence(modules: Modules) -> None:
    loaded = modules.load(STACK, "Stack")
    push, pop = Step("stack.push()", (3,)), Step("stack.pop()")
    full = replayed(loaded, push, push, pop, arguments=(1,))
    assert (full.outcome, texts(full), full.message) == (Termination.RETURNED, ["None"], "only 1")
    empty = replayed(loaded, pop, push, arguments=(1,))
    assert (empty.outcome, texts(empty), empty.raised) == (Termination.RAISED, [], "builtins:IndexError")
    unmade = replayed(loaded, pop, arguments=(0,))
    assert (unmade.outcome, unmade.results, unmade.message) == (Termination.RETURNED, None, "no room")
    assert loaded.signature.show_result(unmade) == "raises ValueError: no room"


def test_an_instrumented_run_does_the_same(modules: Modules) -> None:
    loaded = modules.load(STACK, "Stack")
    words = words_of(loaded, Step("stack.push()", (3,)), Step("stack.push()", (4,)), arguments=(1,))
    labels = {(loaded.sites[o // 2].condition, o % 2 == 0) for o in loaded.run(words).covered}
    assert labels == {("capacity < 1", False), ("len(self.items) == self.capacity", False),
                      ("len(self.items) == self.capacity", True)}  # fmt: skip
    assert loaded.same(loaded.observe(words), loaded.replay(words))


def test_sequences_that_differ_in_one_result_are_not_alike(modules: Modules) -> None:
    text = """
        import random
        class Dice:
            def roll(self): return random.random()
            def stop(self): return 1
    """
    loaded = modules.load(text, "Dice")
    assert not replayed(loaded, Step("dice.roll()"), Step("dice.stop()")).repeatable
    assert replayed(loaded, Step("dice.stop()")).repeatable


def test_every_run_finds_the_class_as_it_was_imported(modules: Modules) -> None:
    text = """
        import functools
        class Counter:
            count, seen = 0, []
            def bump(self) -> int:
                Counter.count += 1
                self.seen.append(1)
                return Counter.count + len(self.seen) + self.half(len(self.seen))
            @functools.lru_cache
            def half(self, x: int) -> int:
                Counter.count += 10
                return 0
            def __hash__(self): return 1
            def __eq__(self, other): return True
    """
    loaded = modules.load(text, "Counter")
    bump = Step("counter.bump()")
    for _ in range(3):
        assert texts(replayed(loaded, bump, bump)) == ["2", "14"]
    assert loaded.stateful


def test_runs_of_one_search_do_too(modules: Modules) -> None:
    """Without a new slice between them."""
    text = "class C:\n    n = 0\n    def f(self):\n        C.n += 1\n        if C.n > 1: return 2\n"
    loaded = modules.load(text, "C")
    words = words_of(loaded, Step("c.f()"))
    objective = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(loaded.install(loaded._marks.question))
    memory = (ctypes.c_int64 * len(words))(*words)
    loaded._marks.clear()
    for _ in range(3):
        objective(ctypes.addressof(memory))
    assert {loaded.sites[o // 2].condition: o % 2 for o in loaded._marks.covered()} == {"C.n > 1": 1}


def test_a_class_never_becomes_machine_code(modules: Modules) -> None:
    with pytest.raises(NotNative, match="a class"):
        modules.load(STACK, "Stack")._compile()


# ---- fewer and simpler calls ----


def test_sequences_become_short_and_simple(modules: Modules) -> None:
    loaded = modules.load(STACK, "Stack")
    push = Step("stack.push()", (77,))
    words = words_of(loaded, Step("stack.__len__()"), push, Step("stack.size"), push, push, arguments=(1,))
    run = loaded.run(words)
    full = next(site.number for site in loaded.sites if "capacity" in site.condition and "len" in site.condition)
    (simple,) = simplify(loaded.signature, [run], frozenset([2 * full]), Limited(loaded.run, 10_000, 60.0))
    assert loaded.signature.show(simple.words) == "stack = Stack(1); stack.push(0); stack.push(0)"


def test_uses_that_no_input_makes(modules: Modules) -> None:
    loaded = modules.load(STACK, "Stack")
    kept = [words_of(loaded, Step("stack.push()", (1,)), Step("stack.pop()"), arguments=(n,)) for n in (4, 5)]
    shown = [[loaded.signature.show(words) for words in several] for several in loaded.signature.unused(kept)]
    assert shown[:2] == [["stack = Stack(4); stack.seen()", "stack = Stack(5); stack.seen()"],
                         ["stack = Stack(4); stack.size", "stack = Stack(5); stack.size"]]  # fmt: skip
    assert len(shown) == 4


@pytest.mark.parametrize("value", [math.nan, -0.0])
def test_results_are_compared_bit_for_bit(modules: Modules, value: float) -> None:
    sign: Callable[[float], float] = lambda x: math.copysign(1.0, x)  # noqa: E731
    loaded = modules.load("class C:\n    def f(self, x: float): return x\n", "C")
    results = replayed(loaded, Step("c.f()", (value,))).results
    assert results is not None
    assert repr(results[0].data) == repr(value) or sign(results[0].data) == sign(value)
