"""The native probes: what they record and return, that they leak and swallow nothing, and that nothing breaks them."""

from __future__ import annotations

import contextlib
import gc
import itertools
import math
import operator
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from languages.python.instrumented import Instrumented, import_file
from languages.python.modules import Modules
from programs import run_alone
from zeroin.distance import EQ, GE, GT, LE, LT, NE, UNORDERED, holds
from zeroin.languages.python.run.probes import operands
from zeroin.languages.python.run.probes.shared_state import Hung, Probes
from zeroin.minimize import Door
from zeroin.subject.base import Run, Termination
from zeroin.subject.search_problem import Tracer
from zeroin.words import Kind, decode, encode

OPERATORS = {EQ: operator.eq, NE: operator.ne, LT: operator.lt, LE: operator.le, GT: operator.gt, GE: operator.ge}


class Bench:
    """Probes outside of any code."""

    def __init__(self) -> None:
        self.probing = Probes()
        self.tracer = Tracer(2, 100)
        self.probing.ask(self.tracer.question, 1 << 40)

    def call(self, kind: str, detail: object, *arguments: Any) -> Any:
        self.tracer.clear()
        return self.probing.probe(kind, 0, str(detail))(*arguments)

    def recorded(self) -> list[tuple[int, Any, Any]]:
        """Relation and operands of what was recorded."""
        rows = self.tracer.records()[0].tolist()
        bits = [(op, *((float(np.int64(v).view(np.float64)) if op & 16 else v) for v in pair)) for _, op, *pair in rows]
        return [(op & 15, a, b) for op, a, b in bits]


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench()


def same(one: Any, other: Any) -> bool:
    """Equal, and both int or both float; the same NaN."""
    return type(one) is type(other) and (one == other or (one != one and other != other))


BIG = 1 << 53
VALUES: list[Any] = [
    True, False, 0, 1, -7, BIG, BIG + 1, -BIG, -BIG - 1, (1 << 62) + 1, (1 << 63) - 1, -(1 << 63), 1 << 63, 1 << 70,
    -(1 << 200), 10**400, 0.0, -0.0, 1.5, float(BIG), float(BIG) + 2, -7.0, math.inf, -math.inf, math.nan, 2.0**63,
    1e300,    np.float64(1.5), np.float64("nan"), np.int64(1), "", "a", "ab", None, (1, 2), Fraction(3, 2),
]  # fmt: skip


@pytest.mark.parametrize("op", OPERATORS)
def test_what_is_recorded_of_a_comparison_is_what_the_operands_say(bench: Bench, op: int) -> None:
    for a, b in itertools.product(VALUES, VALUES):
        try:
            wanted = OPERATORS[op](a, b)
        except (TypeError, OverflowError) as error:
            wanted = error
        if isinstance(wanted, Exception):
            for kind in ("compare", "result"):
                with pytest.raises(type(wanted), match=re.escape(str(wanted))):
                    bench.call(kind, op, a, b)
                assert bench.recorded() == []
            continue
        result = bench.call("result", op, a, b)
        if isinstance(wanted, np.ndarray):  # what it counts as is not known, and nobody asks
            assert result.tolist() == wanted.tolist()
            assert bench.recorded() == []
            with pytest.raises(ValueError, match="ambiguous"):
                bench.call("compare", op, a, b)
            continue
        assert (result, type(result)) == (wanted, type(wanted))
        assert bench.call("compare", op, a, b) is bool(wanted)
        ((found, x, y),) = bench.recorded()
        assert found == op
        assert bool(holds(op, x, y)) is bool(wanted)
        slow = operands.compared(op, a, b, bool(wanted))
        if isinstance(a, int) and isinstance(b, int) and (x, y) != slow:
            for word, value in ((x, a), (y, b)):  # rounded where the detour cuts off; and no double is so large
                assert abs(value) >= 1 << 1024 or abs(word - encode(Kind.INT, value)) <= 1
            continue
        assert same(x, slow[0]), (a, b)
        assert same(y, slow[1]), (a, b)


def test_truth(bench: Bench) -> None:
    for value in [*VALUES, [], [1, 2], {}, object()]:
        assert bench.call("value", "", value) is value
        before = bench.recorded()
        assert bench.call("truth", "", value) is bool(value)
        ((op, x, y),) = bench.recorded()
        assert op == NE
        assert bool(holds(NE, x, y)) is bool(value)
        assert str(before) == str([(op, x, y)])


def test_relations(bench: Bench) -> None:
    for a, b in itertools.product(VALUES, VALUES):
        assert bench.call("relates", "is", a, b) is (a is b)
        assert bench.recorded() == [(EQ, int(a is not b), 0)]
        assert bench.call("relates", "is not", a, b) is (a is not b)
        assert bench.recorded() == [(NE, int(a is not b), 0)]
    containers = [(1, 2), [], {"a": 1}, "abc", {1.5, 2}, range(-9, 3), dict.fromkeys("ab").keys()]
    for a, b in itertools.product(VALUES, containers):
        try:
            wanted = a in b
        except TypeError:
            with pytest.raises(TypeError):
                bench.call("relates", "in", a, b)
            continue
        for word, op in (("in", EQ), ("not in", NE)):
            assert bench.call("relates", word, a, b) is (wanted == (op == EQ))
            assert bench.recorded()[0][0] == op
            assert bool(holds(*bench.recorded()[0])) is (wanted == (op == EQ))


def test_a_held_operand_is_fetched_once(bench: Bench) -> None:
    thing = object()
    before = sys.getrefcount(thing)
    for kind, detail in (("compare+", EQ), ("result+", EQ), ("relates+", "is")):
        assert bench.call(kind, detail, thing, thing) is True
        assert sys.getrefcount(thing) == before + 1
        assert bench.call("held", "") is thing
        assert sys.getrefcount(thing) == before
    other = object()
    bench.call("compare+", EQ, thing, other)  # false: what is on the right is not wanted
    bench.call("compare+", EQ, thing, thing)
    bench.call("compare+", EQ, other, other)
    assert sys.getrefcount(thing) == before
    assert bench.call("held", "") is other


def test_an_answer(bench: Bench) -> None:
    assert bench.call("asks", "isnan", False, math, 1.5) is False
    assert bench.recorded() == [(UNORDERED, 1.5, 1.5)]
    assert bench.call("asks", "startswith", True, "abc", "ab") is True
    assert bench.recorded() == [(EQ, 0.0, 0.0)]
    assert bench.call("asks", "startswith", [], "abc", "ax") is False
    assert bench.recorded() == [(EQ, 22.0, 0.0)]


def test_an_empty_range_and_the_end_of_its_loop(bench: Bench) -> None:
    wanted: tuple[tuple[Any, tuple[int, int, int]], ...]
    wanted = (range(2, -3), (GT, -3, 2)), (range(3), (GT, 0, 0)), (range(10**30), (GT, 0, 0)), ([], (GT, 0, 0))
    for iterable, decision in wanted:
        assert bench.call("iterates", "", iterable) is iterable
        assert bench.recorded() == []
        bench.call("leaves", "")
        assert bench.recorded() == [decision]
    assert next(bench.call("iterates", "", iter([1, 2]))) == 1


def test_patterns(bench: Bench) -> None:
    assert bench.call("matches", "") is True
    assert bench.recorded() == [(EQ, 0, 0)]
    assert bench.call("fails", "", False, 5, 1, 7) is False
    assert bench.recorded() == [(EQ, 5, 7)]
    assert bench.call("fails", "", True, 5, 1, 7) is False  # it was the guard that failed
    assert bench.recorded() == []
    assert bench.call("fails", "", False, "x") is False
    assert bench.recorded() == [(EQ, 1, 0)]


def test_fuel(bench: Bench) -> None:
    bench.probing.ask(bench.tracer.question, 2)
    assert bench.call("fuel", "") is None
    assert bench.call("enters", "") is None
    for kind in ("enters", "fuel"):
        with pytest.raises(Hung):
            bench.call(kind, "")
        assert bench.recorded() == []
    bench.probing.ask(bench.tracer.question, 1 << 40)


# ---- references ----

ARGUMENTS: list[tuple[str, object, tuple[Any, ...]]] = [
    ("compare", LT, (1.25, 3.5)),
    ("compare", EQ, (10**20, 10**20 + 1)),
    ("result", LT, ("ab1", "b11")),
    ("compare", EQ, ([1], [2])),
    ("result", EQ, (Fraction(1, 3), 2222)),
    ("compare", LT, ("a11", 1111)),
    ("relates", "in", (5555, [1, 2])),
    ("relates", "is", ([], [])),
    ("relates", "in", (1111, 2222)),
    ("relates", "not in", ("a11", "abc")),
    ("truth", "", ([1],)),
    ("value", "", ({},)),
    ("truth", "", (10**20,)),
    ("iterates", "", (range(5, 2),)),
    ("iterates", "", ([1],)),
    ("asks", "startswith", ([1], "abc", "b11")),
    ("fails", "", (False, "a11", "b11", 1111)),
    ("fails", "", (True, [], [])),
    ("compare+", LT, (1.25, 3.5)),
    ("result+", EQ, ([1], [1])),
    ("relates+", "in", (5555, [5555])),
]


@pytest.mark.parametrize(("kind", "detail", "arguments"), ARGUMENTS)
def test_operands_keep_their_reference_counts(bench: Bench, kind: str, detail: object, arguments: Any) -> None:
    probe = bench.probing.probe(kind, 0, str(detail))

    def call() -> None:
        with contextlib.suppress(TypeError):
            probe(*arguments)
        if kind.endswith("+"):
            bench.probing.probe("held", -1, "")()

    for _ in range(3):
        call()
    before = [sys.getrefcount(argument) for argument in arguments], sys.getrefcount(None)
    for _ in range(200):
        call()
    after = [sys.getrefcount(argument) for argument in arguments], sys.getrefcount(None)
    assert after[0] == before[0]
    assert abs(after[1] - before[1]) < 50


def test_many_runs_leave_nothing_behind(modules: Modules) -> None:
    run_alone(
        """
        import ctypes, gc, resource, sys
        from zeroin.languages.python.run.engine import PythonSubject
        subject = PythonSubject(sys.argv[1], "f")
        subject.run((1, 1))
        run = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(subject._probing.address)
        words = [(ctypes.c_int64 * 2)(n % 7 - 3, n % 11) for n in range(77)]
        def runs(count):
            for n in range(count):
                run(ctypes.addressof(words[n % 77]))
            gc.collect()
            return len(gc.get_objects()), sys.getrefcount(None), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        runs(5_000)
        before, after = runs(5_000), runs(60_000)
        assert abs(after[0] - before[0]) < 100, (before, after)
        assert abs(after[1] - before[1]) < 100, (before, after)
        assert after[2] - before[2] < 3000, (before, after)
        """,
        str(
            modules.write(
                """
                def f(x: int, y: int):
                    text, values = str(x), [x, y, x + 10**20]
                    try:
                        if [a for a in values if 0 < a < 10**19] or text < "1" <= "2" or text.startswith("-"):
                            assert x != y
                        for i in range(x, y):
                            if i in values and i / x > 10**25 or not values:
                                raise ValueError
                        if x is y or values == [1.5, text] or f(x, text):
                            return 1
                    except ZeroDivisionError:
                        pass
                    match values:
                        case [0 | 1 as z, *_] if z < y: return z
                        case [_, 3, _]: return 3
                """
            )
        ),
    )


# ---- exceptions and other ends ----


@pytest.fixture
def no_collection() -> Iterator[None]:
    """Where the stack ends, finalizers of objects of other tests would fail."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


FAILING = """
    class A:
        def __init__(self, what): self.what = what
        def fail(self, *_):
            raise {error}("by " + self.what)
        {method} = fail
        {more}

    def f(x: int):
        a = A("itself")
        try:
            {statement}
        except {error} as error:
            trace, lines = error.__traceback__, []
            while trace:
                lines.append((trace.tb_frame.f_code.co_name, trace.tb_lineno))
                trace = trace.tb_next
            return str(error), lines
"""


@pytest.mark.parametrize("error", ["KeyError", "KeyboardInterrupt", "RecursionError", "MemoryError", "SystemExit"])
@pytest.mark.parametrize(
    ("method", "statement"),
    [
        ("__lt__", "return a < 1"),
        ("__lt__", "if 1 > a: pass"),
        ("__eq__", "return 0 < 1 == a != 1"),
        ("__eq__", "return a in [1]"),
        ("__eq__", "if [a] == [1]: pass"),
        ("__bool__", "if a: pass"),
        ("__bool__", "return a and 1"),
        ("__len__", "while not a: pass"),
        ("__contains__", "return 1 not in a"),
        ("__contains__", "return [1 for i in (1,) if 0 < i in a]"),
        ("__iter__", "for i in a: pass"),
        ("isnan", "if a.isnan(): pass"),
        ("__eq__", "match a:\n                case 5: pass"),
    ],
)
def test_exceptions_of_the_users_methods_pass(modules: Modules, method: str, statement: str, error: str) -> None:
    subject = modules.load(FAILING.format(method=method, statement=statement, error=error, more=""))
    probed = subject.observe((1,))
    plain = subject.replay((1,))
    assert plain.repeatable
    assert probed.value == plain.value
    assert plain.value is not None
    assert "by itself" in plain.value.text
    assert "fail" in plain.value.text


def test_an_answer_that_can_not_be_told(modules: Modules) -> None:
    """What a comparison returns may fail in turn, once and not before it is asked."""
    text = """
        class No:
            asked = 0
            def __bool__(self):
                No.asked += 1
                raise ValueError(f"no {No.asked}")
        class A:
            def __lt__(self, other): return No()
        def f(x: int):
            No.asked = 0
            kept = [A() < 1]
            if A() < 1:
                return 1
    """
    subject = modules.load(text)
    assert subject.observe((1,)).message == subject.replay((1,)).message == "no 1"
    assert subject.run((1,)) == Run((1,), Termination.RETURNED, frozenset())


def test_methods_with_conditions_are_run_once(modules: Modules) -> None:
    """A probe calls no method again: what that does would count as done by the run."""
    path = modules.write(
        """
        class A:
            def __init__(self, x): self.x = x
            def __lt__(self, other): return self.x < 1
            def __gt__(self, other): return self.x > 2
            def __eq__(self, other): return self.x == 3
            def __float__(self): return float(self.x or 4)
            def __len__(self): return 5 if self.x else 6
            def __bool__(self): return self.x > 7
            def __hash__(self): return 1
            def __iter__(self): yield 1 if self.x else 2
        def f(x):
            if A(x) < A(1): return 1
            if A(x): return 2
            for i in A(x): return A(x) in (1, A(2))
        """
    )
    module = import_file(path, path.stem)
    made = Instrumented(module)
    assert module.f(5) is False
    names = [site.function for site in made.sites]
    sites = [(names[row[0]], bool(holds(*row[1:]))) for row in made.tracer.records()[0].tolist()]
    assert sites == [
        ("A.__lt__", False), ("f", False), ("A.__bool__", False), ("f", False), ("A.__iter__", True), ("f", True),
        ("A.__eq__", False), ("A.__eq__", False), ("f", False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ("while x: pass", Termination.HUNG),
        ("for i in iter(int, 1): pass", Termination.HUNG),
        ("return [i for i in iter(int, 1)]", Termination.HUNG),
        ("return sum(i for i in iter(int, 1))", Termination.HUNG),
        ("while x:\n        try: x += 1\n        except: pass", Termination.HUNG),
        ("try:\n        while x: pass\n    except: return 1", Termination.HUNG),
        ("try:\n        while x: pass\n    except BaseException: return 1", Termination.HUNG),
        ("try:\n        while x: pass\n    finally: return 1", Termination.HUNG),
        ("try:\n        while x: pass\n    finally: raise ValueError", Termination.HUNG),
        ("while x:\n        try:\n            while x: pass\n        finally: continue", Termination.HUNG),
        ("import contextlib\n    with contextlib.suppress(BaseException):\n        while x: pass", Termination.HUNG),
        ("def g():\n        return g() if x > 1 else g()\n    return g()", Termination.RAISED),
        ("return f(x) and f(x)", Termination.RAISED),
        ("return max(map(f, [x])) in [[]]", Termination.RAISED),
        ("class A:\n        def __lt__(self, other): return self < [other]\n    return A() < 1", Termination.RAISED),
        ("class A:\n        def __bool__(self): return not self\n    return A() or 1", Termination.RAISED),
        (
            "match x:\n        case 2: pass\n        case 'a' | 'b' if x: pass\n    return [f(x)] < ['a', x]",
            Termination.RAISED,
        ),
    ],
)
def test_runs_without_end(modules: Modules, no_collection: None, body: str, outcome: Termination) -> None:
    subject = modules.load(f"def f(x: int):\n    {body}\n", fuel=100_000)
    assert subject.run((1,)).outcome is outcome
    assert subject.run((1,)).outcome is outcome
    if outcome is Termination.RAISED:
        assert subject.replay((1,)).raised == "builtins:RecursionError"


@pytest.mark.parametrize(
    ("kind", "detail", "arguments", "plain"),
    [
        ("compare", LT, ([1], [2]), (operator.lt, [1], [2])),
        ("result", LT, ("a", "b"), (operator.lt, "a", "b")),
        ("truth", "", ([1],), (operator.truth, [1])),
        ("relates", "in", ([1], [[1]]), (operator.contains, [[1]], [1])),
        ("fails", "", (False, 5, "a"), (operator.truth, [])),
        ("asks", "startswith", (True, "abc", "a"), (operator.truth, [1])),
        ("iterates", "", (range(5, 2),), (operator.pos, 1)),
    ],
)
def test_a_detour_that_lacks_stack_is_given_up(
    bench: Bench, no_collection: None, kind: str, detail: object, arguments: Any, plain: Any
) -> None:
    """A probe gets as deep as the condition by itself; the condition is recorded by its truth if there is no room."""
    probe = bench.probing.probe(kind, 0, str(detail))

    def dive(depth: int, function: Any, *values: Any) -> Any:
        return dive(depth - 1, function, *values) if depth else function(*values)

    def deepest(*call: Any) -> int:
        for depth in range(2000):
            bench.tracer.clear()
            try:
                answer = dive(depth, *call)
            except RecursionError:
                return depth
            assert call[0] is not probe or answer is arguments[0] or answer is plain[0](*plain[1:])
            assert call[0] is not probe or len(bench.tracer.records()[0]) == (kind != "iterates")
        raise AssertionError("there is no end")

    assert 100 < deepest(probe, *arguments) == deepest(*plain)


@pytest.mark.parametrize("condition", ["values < [1, 2]", "values", "'a' in values", "values is None or 1.5 == ''"])
def test_the_stack_may_end_anywhere(modules: Modules, no_collection: None, condition: str) -> None:
    """Whether the stack ends in the function or in what a probe does: the error is the plain function's."""
    text = f"""
        def g(n, values):
            if {condition} or n > 0:
                return g(n - 1, values) if n else 0
            return n

        def f(n: int):
            import sys
            depth, limit = sys._getframe(), 60
            while depth:
                depth, limit = depth.f_back, limit + 1
            before = sys.getrecursionlimit()
            sys.setrecursionlimit(limit)
            try:
                g(n, [1])
            except RecursionError:
                return "deep"
            finally:
                sys.setrecursionlimit(before)
            return "flat"
    """
    subject = modules.load(text)
    results = [subject.observe((n,)).value for n in range(30, 75)]
    assert {value.text for value in results if value} == {'"deep"', '"flat"'}


def test_a_condition_inside_of_a_condition(modules: Modules) -> None:
    """The chain of the inner call comes between the comparisons of the outer one."""
    text = """
        class A:
            def __init__(self, depth): self.depth = depth
            def __lt__(self, other):
                return all(-1 < A(d) < B() for d in range(self.depth)) if self.depth else [0 < 1 < 2 for _ in "a"][0]
            def __gt__(self, other): return True
        class B: pass
        def f(x: int):
            return [a < b < 5 for a, b in [(A(3), 1), (A(2), 7)]]
    """
    subject = modules.load(text)
    assert subject.observe((1,)).value == subject.replay((1,)).value
    value = subject.observe((1,)).value
    assert value is not None
    assert value.text == "[True, False]"


def test_integers_of_any_size_reach_the_function() -> None:
    """As :func:`zeroin.words.decode` makes them of their words; the largest ones are beyond the doubles."""
    probing, seen = Probes(), list[Any]()
    probing.ask(Tracer(1, 1).question, 1000)
    probing.drive(seen.append, (Kind.INT,))
    door = Door(probing.address, 1)
    powers = [1 << n for n in range(63)] + [(1 << 63) - 1, ((1 << 62) | (1022 - 61) << 52) - 1, (1 << 62) + (961 << 52)]
    words = [s * (p + d) for p in powers for d in (-1, 0, 1) for s in (1, -1) if abs(p + d) < 1 << 63]
    for word in words:
        door.open(1)
        door.evaluate((word,))
    assert seen == [decode(Kind.INT, word) for word in words]
    assert max(seen) > 1 << 1084
