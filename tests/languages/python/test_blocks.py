"""Functions of the numeric subset, read from their syntax trees."""

from __future__ import annotations

import random
import re
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, reject

from languages.python.modules import Modules
from languages.python.programs_of_numbers import programs
from sampling import examples
from term.python_expressions import models
from zeroin.generate.domain import domain_of
from zeroin.languages.python.options import PythonOptions
from zeroin.languages.python.read.blocks.model import BlockModel
from zeroin.languages.python.read.values.model import PythonModel
from zeroin.languages.python.read.values.recording import Left
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.model.blocks import Block
from zeroin.model.path import PathCondition
from zeroin.subject.base import Words
from zeroin.term.core.evaluate import evaluate, same

NUMBER = count()


def of_values(subject: PythonSubject) -> PythonModel:
    """The other reader, which follows values through a run."""
    return PythonModel(subject._chosen, subject._others, subject._modules, subject.sites, subject.signature,
                       subject.call)  # fmt: skip


def blocks_of(subject: PythonSubject) -> BlockModel:
    assert isinstance(subject.model, BlockModel), subject.model.not_in_blocks
    return subject.model


def along(subject: PythonSubject, values: str) -> PathCondition:
    words = subject.words_of(values)
    return blocks_of(subject).along(words, subject.execute(words))


def drawn(subject: PythonSubject, rng: random.Random) -> Words:
    domain = domain_of(subject.signature, subject.constants)
    return subject.tidy(tuple(rng.choice([*pool, rng.randint(low, high)])
                              for pool, (low, high) in zip(domain.pools, domain.ranges, strict=True)))  # fmt: skip


# ---- what is read ----


def test_blocks_say_what_the_source_does(modules: Modules) -> None:
    subject = modules.load("""
        def f(x: float, n: int) -> int:
            y = x * 2
            if y > n:
                return 1
            return 0
        """)
    model = blocks_of(subject)
    entry = model.entry
    assert [repr(v) for v in entry.variables] == ["n", "x"]
    assert entry.decision is not None
    assert entry.decision.site == 0
    assert repr(entry.decision.condition) == "(exact_lt n (fp.mul RNE x 2.0))"
    assert [edge.to.edges for edge in entry.edges if edge] == [(), ()]
    assert len(model.blocks) == 3


def test_a_variable_that_is_an_int_or_a_float_has_a_block_for_each(modules: Modules) -> None:
    subject = modules.load("""
        def f(x: float, n: int) -> bool:
            r = n
            if x > 1.0:
                r = x
            return r == 7
        """)
    shown = {repr(block.decision.condition) for block in blocks_of(subject).blocks if block.decision}
    assert shown == {"(fp.lt 1.0 x)", "(fp.eq r 7.0)", "(= r 7)"}


def test_a_loop_is_a_circle_of_blocks(modules: Modules) -> None:
    subject = modules.load("""
        def f(n: int) -> int:
            total = 0
            for i in range(n):
                total += i
            return 1 if total == 45 else 0
        """)
    model = blocks_of(subject)
    assert len(model.blocks) <= 6
    path = along(subject, "3")
    assert [(s.site, s.holds) for s in path.steps] == [(0, True)] * 3 + [(0, False), (1, False)]
    assert repr(path.steps[3].condition) == "(< (+ 0 (* 3 1)) n)" or repr(path.steps[3].condition) == "(< 3 n)"
    assert path.holds({"n": 3})
    assert not path.holds({"n": 4})


def test_a_call_is_composed_in_place(modules: Modules) -> None:
    subject = modules.load("""
        def inner(a, b=2.0, *, c):
            if a > b:
                return c
            return -c
        def f(x: float) -> int:
            if inner(x + 1.0, c=x) == 5.0:
                return 1
            return 0
        """)
    path = along(subject, "4.0")
    shown = {(repr(step.condition), len(step.stack)) for step in path.steps}
    assert shown == {("(fp.lt 2.0 (fp.add RNE x 1.0))", 1), ("(fp.eq x 5.0)", 0)}


def test_arguments_that_are_not_given(modules: Modules) -> None:
    subject = modules.load("""
        def inner(a, b=2.0, c=3.0, *, d=4.0):
            return a < b and c < d
        def f(x: float) -> bool:
            return inner(x) and inner(x, d=x, c=1.0)
        """)
    path = along(subject, "1.5")
    assert [repr(step.condition) for step in path.steps if not step.condition.is_constant] == [
        "(fp.lt x 2.0)", "(fp.lt x 2.0)", "(fp.lt 1.0 x)"]  # fmt: skip


def test_an_int_that_is_a_rounded_float_is_another_int(modules: Modules) -> None:
    subject = modules.load("""
        import math
        def f(x: float, n: int) -> bool:
            if x > 0.5:
                n = math.floor(x)
            return n * 0.5 == 3.5
        """)
    for values, other in (("7.25, 3", {"x": 7.5, "n": 9}), ("0.25, 7", {"x": 0.0, "n": 7})):
        assert along(subject, values).holds(other)
    shown = {repr(block.decision.left) for block in blocks_of(subject).blocks if block.decision}
    assert "(fp.mul RNE (fp.add RNE n.1 0.0) 0.5)" in shown  # the float itself; the int would be a problem for solvers


def test_what_raises_an_exception_ends_the_run(modules: Modules) -> None:
    subject = modules.load("def f(x: float, n: int) -> bool:\n    return n / x > 2.0\n")
    path = along(subject, "0.0, 3")
    assert path.steps == ()
    assert [repr(choice.constraint) for choice in path.choices][-1] == "(fp.is_zero x)"
    assert not path.holds({"x": 1.0, "n": 3})
    assert along(subject, "1.0, 3").holds({"x": 1.0, "n": 4})


def test_an_index_of_a_table(modules: Modules) -> None:
    subject = modules.load("""
        TABLE = (0.5, 1.5, 2.5)
        def f(k: int, x: float) -> bool:
            return x > TABLE[k]
        """)
    for values, others in (("1, 2.0", {"k": -2, "x": 2.0}), ("3, 2.0", {"k": 5, "x": 0.0})):
        path = along(subject, values)
        assert not path.ended
        assert path.holds(path.inputs)
        assert path.holds(others)
    path = along(subject, "1, 2.0")
    assert not path.holds({"k": 2, "x": 2.0})
    assert not path.holds({"k": -2, "x": 1.0})
    assert not path.holds({"k": 5, "x": 9.0})


def test_paths_that_begin_alike_share_what_they_come_to(modules: Modules) -> None:
    subject = modules.load("""
        def f(x: float, y: float) -> int:
            z = x * y + 1.0
            if z > 3.0:
                return 1 if z * z < y else 2
            return 0
        """)
    first, second = along(subject, "2.0, 3.0"), along(subject, "1.5, 900.0")
    assert [step.condition for step in first.steps] == [step.condition for step in second.steps]
    assert all(a.condition is b.condition for a, b in zip(first.steps, second.steps, strict=True))


def test_a_name_that_stands_for_something_else_now(modules: Modules) -> None:
    subject = modules.load("LIMIT = 3\ndef f(n: int) -> bool:\n    return n > LIMIT\n")
    assert repr(along(subject, "7").steps[0].condition) == "(< 3 n)"
    words = subject.words_of("7")
    execution = subject.execute(words)
    vars(subject.home.module)["LIMIT"] = 5
    with pytest.raises(Left, match="stands for something else"):
        blocks_of(subject).along(words, execution)


# ---- what is not ----


@pytest.mark.parametrize(("body", "why"), [
    ("return [n]", "line 2: List"),
    ("return helper(n)", "calls itself"),
    ("try: return 1 / n\n    except ZeroDivisionError: return 0", "line 2: Try"),
    ("global LIMIT; LIMIT = n", "line 3: Global"),
    ("return n & (n + 1)", "unknown bits"),
    ("return len(TEXTS)", "TEXTS, a list"),
    ("return sum(i for i in range(n))", "line 2: GeneratorExp"),
    ("return math.comb(n, 2)", "a call of comb"),
    ("return f'{n}'", "line 2: JoinedStr"),
    ("return range(0, 9, n)", "unknown step"),
    ("if n > 3: raise ValueError('a' if n > 5 else 'b')", "in the arguments of an exception"),
    ("m = n + 1\n    return n is m", "a parameter of type int | bool"),
    ("if n > 3: raise OwnError(n)", "OwnError is made by a function"),
])  # fmt: skip
def test_what_blocks_can_not_say_is_followed_through_the_run(body: str, why: str, modules: Modules) -> None:
    subject = modules.load(
        "import math\nLIMIT = 1\nTEXTS = ['a']\n"
        "class OwnError(Exception):\n    def __init__(self, n): self.large = n > 9\n"
        f"def f(n: int):\n    {body}\n"
        "def helper(n):\n    return 1 if n < 2 else helper(n - 1)\n"
    )
    assert isinstance(subject.model, PythonModel)
    assert re.search(re.sub(r"line \d+", r"line \\d+", re.escape(why).replace(r"\ ", " ")), subject.model.not_in_blocks)


def test_what_an_exception_tells_is_not_read(modules: Modules) -> None:
    subject = modules.load("""
        class Refused(ValueError):
            pass
        def f(n: int) -> int:
            if n > 3:
                raise Refused(f"{n} is {'%d' % n}") from None
            assert n != 2, "{}".format(n)
            return n
        """)
    assert [step.holds for step in along(subject, "7").steps] == [True]
    assert [step.holds for step in along(subject, "2").steps] == [False, False]


def test_what_is_never_reached_may_be_anything(modules: Modules) -> None:
    subject = modules.load("""
        def f(n: int, x: float) -> int:
            if isinstance(n, str):
                return [n][0]
            return n if n > 4 else 0
        """)
    assert len(blocks_of(subject).blocks) <= 4


# ---- against runs ----


def checked(subject: PythonSubject, words: Words, other: PythonModel | None) -> PathCondition:
    """A path condition that says of the run what it did, and, where it is exact, what the other reader says."""
    execution = subject.execute(words)
    path, shown = blocks_of(subject).along(words, execution), subject.signature.show(words)
    assert not path.ended, (shown, path.ended)
    assert path.holds(path.inputs), shown
    assert [(s.site, s.holds) for s in path.steps] == [(d.site, d.holds) for d in execution.decisions], shown
    assert path.is_exact
    if other is not None:
        theirs = other.along(words, execution)
        assert not theirs.ended, (shown, theirs.ended)
        assert [(s.site, s.holds) for s in theirs.steps] == [(s.site, s.holds) for s in path.steps]
    return path


@examples(200, suppress_health_check=list(HealthCheck))
@given(programs(), models(huge=False), models(huge=False))
def test_random_functions(tmp_path_factory: pytest.TempPathFactory, text: str, one: dict[str, Any],
                          two: dict[str, Any]) -> None:  # fmt: skip
    """Their path conditions hold for the runs that they are of, and for another run exactly if it takes the path."""
    path = Path(tmp_path_factory.getbasetemp()) / f"numbers_{next(NUMBER)}.py"
    path.write_text(text)
    subject = PythonSubject(str(path), "f", PythonOptions(native=False))
    if not isinstance(subject.model, BlockModel):
        event(re.sub(r"line \d+", "line", subject.model.not_in_blocks))
        reject()
    inputs = [subject.model.words({**given, "n": max(-(2**60), min(given["n"], 2**60)),
                                   "m": max(-(2**60), min(given["m"], 2**60))}) for given in (one, two)]  # fmt: skip
    first, second = (checked(subject, words, None) for words in inputs)
    alike = [(s.site, s.holds) for s in first.steps] == [(s.site, s.holds) for s in second.steps]
    same = alike and [(c.site, c.holds) for c in first.choices] == [(c.site, c.holds) for c in second.choices]
    holds = first.holds(second.inputs)
    assert holds or not same
    assert alike or not holds
    event("alike" if holds else "not alike")


READERS = [
    "integer_root",
    "day_of_year",
    "triangle",
    "rate_limit",
    "utm_zone",
    "gcd_steps",
    "digit_sums",
    "mixed_needle",
    "kepler",
]


@pytest.mark.parametrize("name", READERS)
def test_both_readers_say_the_same(name: str) -> None:
    from bench.python.subjects import ENTRIES

    entry = next(entry for entry in ENTRIES if entry.function == name)
    subject = PythonSubject(str(entry.source), entry.function, PythonOptions(native=False))
    blocks, values, rng = blocks_of(subject), of_values(subject), random.Random(3)
    agreed = 0
    for _ in range(25):
        words = drawn(subject, rng)
        execution = subject.execute(words)
        subject._code.use(False)
        path, other = blocks.along(words, execution), values.along(words, execution)
        for step, theirs in zip(path.steps, other.steps, strict=True):
            assert (step.site, step.holds) == (theirs.site, theirs.holds)
            for side, their_side in ((step.left, theirs.left), (step.right, theirs.right)):
                assert same(evaluate(side, path.inputs), evaluate(their_side, path.inputs))
        for _ in range(8):
            inputs = blocks.inputs(drawn(subject, rng))
            narrowed = any(aside.why == "an index" for aside in other.asides)  # which item, that is: a finer path
            assert path.holds(inputs) >= other.holds(inputs)
            assert narrowed or path.holds(inputs) == other.holds(inputs)
            agreed += other.holds(inputs)
    assert agreed


def test_every_block_is_reached_from_the_entry() -> None:
    from bench.python.subjects import ENTRIES

    entry = next(entry for entry in ENTRIES if entry.function == "day_of_year")
    model = blocks_of(PythonSubject(str(entry.source), entry.function))
    seen: list[Block] = [model.entry]
    for block in seen:
        for edge in block.edges:
            if edge is not None:
                assert [v.sort for v in edge.to.variables] == [value.sort for value in edge.values]
                if edge.to not in seen:
                    seen.append(edge.to)
    assert set(seen) == set(model.blocks)
