"""How a run ended: raised on purpose, failed, or worse."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import pytest

from languages.python.modules import Modules
from zeroin.languages.python.replay import run_once
from zeroin.languages.python.run.probes.shared_state import Hung
from zeroin.languages.python.values.snapshots import snapshot
from zeroin.subject.base import Termination

HELP = """
import contextlib
import functools
import json
import math
import sys

class Own(Exception): pass

class Fails:
    @property
    def value(self): raise AttributeError("no value")
    @property
    def broken(self): return 1 / 0

def helper(x):
    raise KeyError(x)

def checked(x):
    assert x > 5

@contextlib.contextmanager
def manager(x):
    try: yield x
    finally: math.sqrt(4)

def f(x: int):
    {body}
"""

RETURNED, RAISED, ASSERTED = Termination.RETURNED, Termination.RAISED, Termination.ASSERTED
CASES = [
    # as it should
    ("return x", RETURNED, ""),
    ("raise ValueError", RETURNED, "ValueError"),
    ("raise ValueError('a', x)", RETURNED, "ValueError"),
    ("raise Own from None", RETURNED, "Own"),
    ("raise AssertionError", RETURNED, "AssertionError"),
    ("raise AssertionError('x') from ValueError()", RETURNED, "AssertionError"),
    ("helper(x)", RETURNED, "KeyError"),
    ("Fails().value", RETURNED, "AttributeError"),
    ("list(map(helper, [x]))", RETURNED, "KeyError"),
    ("sorted([x, 2], key=helper)", RETURNED, "KeyError"),
    ("try: 1 / 0\n    except ZeroDivisionError as error: raise ValueError from error", RETURNED, "ValueError"),
    ("try: 1 / 0\n    except ZeroDivisionError: raise Own('x')", RETURNED, "Own"),
    ("try: helper(x)\n    except KeyError: raise", RETURNED, "KeyError"),
    ("try: helper(x)\n    finally: x += 1", RETURNED, "KeyError"),
    ("with manager(x): raise Own", RETURNED, "Own"),
    ("raise (ValueError if x else TypeError)(x)", RETURNED, "ValueError"),
    ("raise ExceptionGroup('g', [ValueError(1)])", RETURNED, "ExceptionGroup"),
    ("if x > 0: raise NotImplementedError", RETURNED, "NotImplementedError"),
    # by accident
    ("1 / 0", RAISED, "ZeroDivisionError"),
    ("[][x]", RAISED, "IndexError"),
    ("{}[x]", RAISED, "KeyError"),
    ("x.nothing", RAISED, "AttributeError"),
    ("nothing", RAISED, "NameError"),
    ("if x < 'a': pass", RAISED, "TypeError"),
    ("return [y for y in (1, 'a') if 0 < y < 5]", RAISED, "TypeError"),
    ("math.sqrt(-1)", RAISED, "ValueError"),
    ("math.exp(1e9)", RAISED, "OverflowError"),
    ("int('a')", RAISED, "ValueError"),
    ("json.loads('{')", RAISED, "JSONDecodeError"),  # raised on purpose, but by somebody else
    ("Fails().broken", RAISED, "ZeroDivisionError"),
    ("raise 5", RAISED, "TypeError"),
    ("raise nothing", RAISED, "NameError"),
    ("raise", RAISED, "RuntimeError"),
    ("raise Own from 5", RAISED, "TypeError"),
    ("next(iter([]))", RAISED, "StopIteration"),
    ("a, b = [x]", RAISED, "ValueError"),
    ("f(x)", RAISED, "RecursionError"),
    ("try: 1 / 0\n    except ZeroDivisionError: raise", RAISED, "ZeroDivisionError"),
    ("try: 1 / 0\n    except ZeroDivisionError as error: raise error", RAISED, "ZeroDivisionError"),
    ("try: raise Own\n    except Own: 1 / 0", RAISED, "ZeroDivisionError"),
    ("try: raise Own\n    finally: 1 / 0", RAISED, "ZeroDivisionError"),
    ("with manager(x): 1 / 0", RAISED, "ZeroDivisionError"),
    ("list(y / 0 for y in [x])", RAISED, "ZeroDivisionError"),
    # assertions, those at the top in test_contracts.py
    ("x += 0; assert x > 5", ASSERTED, "AssertionError"),
    ("x += 0; assert not x, 'message'", ASSERTED, "AssertionError"),
    ("x += 0; assert (\n        x\n        > 5\n    ), (\n        'message'\n    )", ASSERTED, "AssertionError"),
    ("checked(x)", ASSERTED, "AssertionError"),
    ("list(map(checked, [x]))", ASSERTED, "AssertionError"),
    ("try: checked(x)\n    except AssertionError: raise", ASSERTED, "AssertionError"),
    ("assert 1 / 0", RAISED, "ZeroDivisionError"),
    ("assert False, 1 / 0", RAISED, "ZeroDivisionError"),
    ("try: checked(x)\n    except AssertionError as error: raise ValueError from error", RETURNED, "ValueError"),
    # the rest
    ("raise SystemExit(3)", Termination.EXITED, "SystemExit"),
    ("sys.exit('bye')", Termination.EXITED, "SystemExit"),
    ("exit(0)", Termination.EXITED, "SystemExit"),
    ("raise MemoryError", Termination.MEMORY, "MemoryError"),
    ("return [0] * (1 << 60)", Termination.MEMORY, "MemoryError"),
    ("raise KeyboardInterrupt", RETURNED, "KeyboardInterrupt"),
    ("while True: pass", Termination.HUNG, ""),
]


@pytest.mark.parametrize(("body", "outcome", "raised"), CASES)
def test_how_a_run_ends(modules: Modules, body: str, outcome: Termination, raised: str) -> None:
    subject = modules.load(HELP.format(body=body), fuel=20_000)
    assert subject.run((1,)).outcome is outcome
    assert subject.execute((1,)).outcome is outcome
    for replay in (subject.observe((1,)), subject.replay((1,))):
        assert replay.outcome is outcome
        assert replay.raised.rpartition(":")[2] == raised


def test_ends_are_told_apart_by_kind_and_line(modules: Modules) -> None:
    subject = modules.load(
        """
        def f(x: int):
            if x == 1:
                return 1 // 0
            if x == 2:
                return [][x]
            if x == 3:
                return 1 // 0
            assert x != 4; assert x != 5
            return [1 // 0, [][x]][x]
        """
    )
    ends = []
    for x in (1, 2, 3, 4, 5, 6, 3, 2, 1):
        ends.append(subject.run((x,)).end)
    assert ends == [0, 1, 2, 3, 3, 4, 2, 1, 0]


def test_a_new_end_is_news_once(modules: Modules) -> None:
    subject = modules.load(
        "def f(x: int):\n    if x > 3: return 1 // 0\n    assert x\n    if x < 0: raise ValueError\n"
    )
    data = subject._marks.question.data
    news = []
    for x in (5, 6, 0, 0, -1, 1):
        data[:2] = 0
        subject.run((x,))
        news.append(data[:2].tolist())
    assert news == [[1, 1], [0, 0], [1, 1], [0, 0], [0, 0], [0, 0]]


def test_memory_errors_and_exits_of_called_libraries(modules: Modules) -> None:
    subject = modules.load("import argparse\ndef f(x: int):\n    argparse.ArgumentParser(prog='p').exit(x)\n")
    assert subject.run((2,)).outcome is Termination.EXITED
    assert subject.replay((2,)).message == "2"


def test_what_a_run_without_fuel_leaves_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """The snapshot of an argument may run probed code, as that of a Fraction does, which has no fuel then."""
    number = Fraction(1, 3)
    out_of_fuel = False

    def numerator(self: Fraction) -> int:
        if out_of_fuel:
            raise Hung
        return 1

    def call(returns: bool, values: Sequence[object]) -> object:
        nonlocal out_of_fuel
        out_of_fuel = True
        return 1 if returns else numerator(number)

    def judge(error: BaseException) -> tuple[Termination, str, str]:
        return (Termination.HUNG if isinstance(error, Hung) else Termination.RAISED), "", ""

    monkeypatch.setattr(Fraction, "numerator", property(numerator))
    for returns in (False, True):
        out_of_fuel = False
        replay = run_once(partial(call, returns), [number], (snapshot(number),), judge)
        assert (replay.outcome, replay.value, replay.after) == (Termination.HUNG, None, (None,))
