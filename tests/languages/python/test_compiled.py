"""The native engine does what CPython does, gives up, or says why it can not be."""

from __future__ import annotations

import ast
import random
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from languages.python.modules import Modules
from zeroin.languages.python.options import PythonOptions
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.languages.python.run.engine_choice import Engine, EngineChoice
from zeroin.languages.python.run.native.check import NotNative
from zeroin.languages.python.run.native.compiled import _reason
from zeroin.languages.python.run.probes import cells as probes
from zeroin.subject.base import Signature, Termination, WordArray, Words
from zeroin.words import Kind, encode

SAMPLES = Path(__file__).parents[2] / "subjects" / "python"
RUNS = 100_000  # after so many the native engine is compiled

SPECIAL: dict[Kind, list[float]] = {
    Kind.F64: [0.0, -0.0, 1.0, -1.0, 2.0, 3.0, -3.0, 0.5, 1 / 3, 2.5, 7.0, 1e300, -1e300, 5e-324, float("inf"),
               float("-inf"), float("nan"), 2.0**53, 2.0**62, 2.0**63, 1e16, 709.9, 710.0, -745.2, 1e-9, -8.0],
    Kind.INT: [0, 1, -1, 2, 3, -2, 5, 7, 10, 62, 63, 64, 2**31, 2**53, 2**53 + 1, 2**61, 2**62 - 1, 1 - 2**62, 2**62,
               2**70, -(2**70), 2**1000],
    Kind.BOOL: [0, 1],
}  # fmt: skip


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """What importing adds to the path is taken away again, and the modules are new."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("numeric", "interpreted"):  # another test's subject may have left its probes in it
        monkeypatch.delitem(sys.modules, name, raising=False)


def names_of(file: str) -> list[str]:
    return [n.name for n in ast.parse((SAMPLES / file).read_text()).body if isinstance(n, ast.FunctionDef)]


def random_words(signature: Signature, rng: random.Random) -> Words:
    words: list[int] = []
    ranges = [own for parameter in signature.parameters for own in parameter.ranges()]
    for kind, limits in zip(signature.kinds, ranges, strict=True):
        choice = rng.random()
        if kind not in SPECIAL:
            words.append(rng.randint(*limits))
        elif kind is Kind.BOOL or choice < 0.45:
            words.append(encode(kind, rng.choice(SPECIAL[kind])))
        elif choice < 0.75:
            words.append(encode(kind, rng.randint(-20, 20)))
        elif choice < 0.9:
            words.append(encode(kind, rng.uniform(-50, 50) if kind is Kind.F64 else rng.randint(-(10**6), 10**6)))
        else:
            words.append(rng.randint(*limits))
    return tuple(words)


def compiled(subject: PythonSubject) -> PythonSubject:
    subject._probing.state[probes.RUNS] = RUNS
    subject._engines.next()
    return subject


def native_address(subject: PythonSubject) -> int:
    assert subject._engines.native is not None
    return subject._engines.native.address


def run(subject: PythonSubject, address: int, words: Words) -> tuple[Termination, frozenset[int]]:
    subject._marks.clear()
    outcome = subject._run_at(address, subject._marks.question, words)
    return outcome, subject._marks.covered()


def compare(subject: PythonSubject, count: int = 1500) -> tuple[int, set[int]]:
    """Run both engines on many words: how many runs native code gave up, and what it covered; they never differ."""
    assert subject.engine == "native"
    rng = random.Random(1)
    unknown, seen = 0, set[int]()
    native, interpreted = native_address(subject), subject._probing.address
    for _ in range(count):
        words = random_words(subject.signature, rng)
        with np.errstate(all="ignore"):
            expected, found = run(subject, interpreted, words), run(subject, native, words)
        if found[0] is Termination.KILLED:
            unknown += 1
            continue
        assert found == expected, subject.signature.show(words)
        seen |= found[1]
    return unknown, seen


NOT_COMPILED = ("half", "root", "remembered", "checks_types")


@pytest.mark.parametrize("name", [n for n in names_of("numeric.py") if n not in NOT_COMPILED])
def test_native_runs_are_those_of_cpython(name: str) -> None:
    options = PythonOptions(fuel=2000)
    subject = compiled(PythonSubject(str(SAMPLES / "numeric.py"), name, options))
    if name == "calls_remembered":  # what is remembered takes no branches in CPython
        assert subject.engine == "native"
        return
    unknown, seen = compare(subject)
    assert unknown < 1100
    assert len(seen) > 1


@pytest.mark.parametrize("name", ["helpers", "chains", "asserts"])
def test_functions_without_probes_do_the_same(name: str) -> None:
    options = PythonOptions(fuel=2000, callees=False)
    subject = compiled(PythonSubject(str(SAMPLES / "numeric.py"), name, options))
    assert {site.function for site in subject.sites} == {name}
    compare(subject)


def test_helpers_without_probes_raise_and_loop_as_they_should(modules: Modules) -> None:
    subject = compiled(modules.load(
        """
        import math

        def helper(x, n):
            if 0 < x < 1:
                raise ValueError
            assert x != 7
            total = 1
            for i in range(n):
                total = total * 3 if i % 2 and not x > 1e9 else total + 1
            while total > 10**6:
                total //= 2
            return total / math.sqrt(x)

        def f(x: float, n: int):
            if n > 200:
                return 0
            return 1 if helper(x, n) > 3 else 2
        """, callees=False))  # fmt: skip
    unknown, _ = compare(subject)
    assert unknown < 900


def reasons() -> dict[str, tuple[str, range]]:
    """Of each function in interpreted.py what the comment says, and its lines."""
    text = (SAMPLES / "interpreted.py").read_text()
    found = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            _, sign, reason = text.splitlines()[node.lineno - 1].partition("  # ")
            if sign:
                inside = text.splitlines()[: node.lineno - 1]
                owner = "Scale." if text.splitlines()[node.lineno - 1].startswith("    ") else ""
                found[owner + node.name] = (reason, range(node.lineno - len(inside[-1:]), (node.end_lineno or 0) + 1))
    return found


@pytest.mark.parametrize("name", list(reasons()))
def test_why_a_function_is_interpreted(name: str) -> None:
    reason, lines = reasons()[name]
    subject = compiled(PythonSubject(str(SAMPLES / "interpreted.py"), name))
    match = re.fullmatch(r"interpreted, because Numba can not compile it \((?:line (\d+): )?(.*)\)", subject.engine)
    assert match, subject.engine
    assert match[2] == reason
    assert match[1] is None or int(match[1]) in lines


def test_colours_in_a_message_of_numba_do_not_count() -> None:
    """Numba colours its messages if colorama is installed."""
    message = "\x1b[1mUntyped global name 'TABLE':\x1b[0m \x1b[1mCannot determine Numba type of <class 'dict'>\x1b[0m"
    assert _reason(ValueError(message)) == "TABLE is used, dict"
    assert _reason(ValueError("\x1b[31msomething\x1b[0m else")) == "something else"


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("[y for y in range(3) if 0 < y + 1 < 2]", "a chain of comparisons in a comprehension or lambda"),
        ("math.comb(int(x), 2)", "math.comb is called"),
        ("math.hypot(x, 1, 2)", "math.hypot is called, but not with 2 arguments"),
        ("Point(x)", "Point is used"),
        ("x.hex()", "the attribute hex is used"),
        ("float('none')", "float() of a value that is not a number"),
        ("textwrap.dedent", "textwrap.dedent is used"),
        ("1j ** x", "** of complex128, float"),
        ("x @ 2", ""),
    ],
)
def test_reasons_are_one_line(expression: str, reason: str, modules: Modules) -> None:
    subject = compiled(modules.load(
        f"""
        import math, textwrap
        class Point:
            def __init__(self, x): ...
        def f(x: float):
            y = {expression}
            return 1 if x > 3 else 2
        """))  # fmt: skip
    assert subject.engine.startswith("interpreted, because Numba can not compile it (line 6: ")
    assert reason in subject.engine
    assert "\n" not in subject.engine
    assert "0x" not in subject.engine
    assert len(subject.engine) < 200


def test_a_function_of_another_file_is_not_compiled(modules: Modules) -> None:
    helper = modules.write("def helper(x):\n    return 1 if x > 3 else 2\n")
    text = f"from {helper.stem} import helper\n\ndef f(x: float):\n    return 1 if helper(x) > 1 else 2\n"
    plain = compiled(modules.load(text))
    assert "helper is not a function that this file defines under that name" in plain.engine
    included = compiled(modules.load(text, include=(helper.stem,)))
    assert "helper is in another file" in included.engine


def test_every_end_of_a_run_has_its_outcome(modules: Modules) -> None:
    subject = compiled(modules.load(
        """
        import math

        def f(x: float, n: int):
            if x == 1:
                raise KeyError(x)
            if x == 2:
                assert n == 0, "message"
            if x == 3:
                return math.sqrt(-x)
            if x == 4:
                return 1 / (x - 4)
            while x == 5:
                n ^= 1
            if x == 6:
                return n * n
            return 0
        """))  # fmt: skip
    ends = [
        Termination.RETURNED,
        Termination.RETURNED,
        Termination.ASSERTED,
        Termination.RAISED,
        Termination.RAISED,
        Termination.HUNG,
    ]
    for x, outcome in enumerate(ends):
        words = (encode(Kind.F64, x), 1)
        assert run(subject, native_address(subject), words)[0] is outcome
        assert run(subject, subject._probing.address, words)[0] is outcome
    for n, outcome in ((3, Termination.RETURNED), (1 << 40, Termination.KILLED), (1 << 62, Termination.KILLED)):
        assert run(subject, native_address(subject), (encode(Kind.F64, 6), n))[0] is outcome


def test_giving_up_does_not_last(modules: Modules) -> None:
    subject = compiled(modules.load("def f(n: int):\n    if n * n > 100:\n        return 1 // (n - n)\n    return 0\n"))
    address = native_address(subject)
    assert run(subject, address, (1 << 40,))[0] is Termination.KILLED
    assert run(subject, address, (20,))[0] is Termination.RAISED
    assert run(subject, address, (2,))[0] is Termination.RETURNED


def test_parameters_are_given_by_position_and_name(modules: Modules) -> None:
    subject = compiled(modules.load(
        """
        def f(a: float, b: int = 4, /, c: bool = False, *, d: float = 1.5, e: int):
            if a > 3 and b > 5 and c and d > 7 and e > 9:
                return 1
            return 2
        """))  # fmt: skip
    values = {"a": 4.0, "b": 6, "c": True, "d": 8.0, "e": 10}
    words = tuple(encode(p.kinds[0], values[p.name]) for p in subject.signature.parameters)
    outcome, covered = run(subject, native_address(subject), words)
    assert (outcome, covered) == (Termination.RETURNED, frozenset({0, 2, 4, 6, 8}))
    compare(subject)


# ---- the choice ----


INTERPRETED, NATIVE = Engine("interpreted", 1, True, None), Engine("native", 2, False, None)


def choice(made: list[object], why_not: str = "") -> tuple[EngineChoice, WordArray]:
    """Compiling takes the next of these: an engine, or why not."""
    cells = np.zeros(probes.STATE_CELLS, dtype=np.int64)

    def compile_() -> Engine:
        result = made.pop(0)
        if isinstance(result, str):
            raise NotNative(result)
        assert isinstance(result, Engine)
        return result

    return EngineChoice(INTERPRETED, cells, compile_, why_not), cells


def test_short_searches_stay_in_the_interpreter() -> None:
    chosen, cells = choice([NATIVE])
    cells[probes.RUNS] = RUNS - 1
    assert chosen.next() is INTERPRETED
    assert chosen.current is INTERPRETED
    assert str(chosen) == "interpreted, because fewer than 100,000 runs were needed"
    cells[probes.RUNS] = RUNS
    assert chosen.next() is NATIVE
    assert chosen.current is NATIVE
    assert str(chosen) == "native"


def test_native_code_that_is_not_wanted_is_not_made() -> None:
    chosen, cells = choice([], "of --no-native")
    cells[probes.RUNS] = RUNS
    assert chosen.next() is INTERPRETED
    assert str(chosen) == "interpreted, because of --no-native"


def test_compiling_is_tried_once() -> None:
    chosen, cells = choice(["line 3: a try statement", NATIVE])
    cells[probes.RUNS] = RUNS
    assert chosen.next() is chosen.next() is INTERPRETED
    assert str(chosen) == "interpreted, because Numba can not compile it (line 3: a try statement)"


def test_native_code_that_is_wrong_too_often_is_left() -> None:
    chosen, cells = choice([NATIVE])
    cells[probes.RUNS] = RUNS
    chosen.next()
    for _ in range(30):
        chosen.agree(True)
    for _ in range(10):
        chosen.agree(False)
    assert chosen.next() is NATIVE
    assert str(chosen) == "native, 10 of 40 inputs checked differ"
    chosen.agree(False)
    assert chosen.next() is INTERPRETED
    assert chosen.current is INTERPRETED
    assert str(chosen) == "interpreted, because native runs differed from CPython's for 11 of 41 inputs checked"


def test_native_code_that_raises_too_often_is_left() -> None:
    chosen, cells = choice([NATIVE])
    cells[probes.RUNS] = RUNS
    assert chosen.next() is NATIVE
    cells[probes.LEAKS] = 10**8
    assert chosen.next() is INTERPRETED
    assert str(chosen) == "interpreted, because it raises so often that native code would run out of memory"


def test_a_subject_leaves_native_code_that_is_wrong(modules: Modules) -> None:
    subject = compiled(modules.load(
        """
        import numpy as np

        def f(x: float, y: float):
            return 1 if np.sqrt(x) / y > 3 else 2
        """))  # fmt: skip
    zero, one = encode(Kind.F64, 0.0), encode(Kind.F64, 1.0)
    with np.errstate(all="ignore"):
        for _ in range(11):
            subject.run((one, one))
            subject.run((one, zero))  # NumPy's scalars divide by zero
    assert subject.engine == "interpreted, because native runs differed from CPython's for 11 of 22 inputs checked"
    assert subject.install(subject._marks.question) == subject._probing.address
