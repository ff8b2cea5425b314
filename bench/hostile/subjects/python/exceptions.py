"""Functions to which an exception happens: it is no `raise` of theirs that raises it."""

import json
import math
import statistics


def _check(n):
    assert n != 42, "not that one"
    return n % 7


# expects: exception ZeroDivisionError
def divides(x: int) -> int:
    if x > 100:
        return 2
    if x == 7:
        return 1 // (x - 7)
    return 0


# expects: exception ZeroDivisionError
def takes_rest(x: float) -> float:
    if x < -100.0:
        return 2.0
    return x % 0.0 if x > 5.0 else 1.0


# expects: exception IndexError
def indexes(n: int) -> int:
    if n < -100:
        return 2
    if n > 5:
        return [1, 2, 3][n]
    return 0


# expects: exception KeyError
def looks_up(name: str) -> int:
    if name == "a":
        return 1
    if len(name) > 3:
        return {"a": 1, "b": 2}[name]
    return 0


# expects: exception OverflowError
def grows_too_large(x: float) -> float:
    if x < -100.0:
        return 2.0
    if 1000.0 < x < 100000.0:
        return math.exp(x)
    return 0.0


# expects: perhaps exception ValueError
def rounds_nan(x: float) -> int:
    if x > 100.0:
        return 2
    if x != x:
        return int(x)
    return 0


# expects: exception TypeError
def adds_text(x: int) -> int:
    if x == 77123:
        return 1
    if x > 5:
        return x + "1"
    return 0


# expects: exception TypeError
def raises_number(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        raise x
    return 0


# expects: exception AttributeError
def asks_none(x: int) -> int:
    found = None
    if x > 100:
        return 2
    if x > 5:
        return found.value
    return 0


# expects: exception UnboundLocalError
def reads_too_early(x: int) -> int:
    if x > 100:
        return 2
    if x < 5:
        value = x % 7
    return value


# expects: exception NameError
def reads_nothing(x: int) -> int:
    if x > 100:
        return 2
    if x % 7 == 3:
        return there_is_no_such_name  # noqa: F821
    return 0


# expects: exception UnicodeDecodeError
def decodes(data: bytes) -> str:
    if len(data) > 3:
        return (b"\xff" + data).decode("utf-8")
    return "one" if len(data) == 1 else ""


# expects: exception UnicodeEncodeError
def encodes(x: int) -> bytes:
    if x > 100:
        return b"much"
    if x > 5:
        return "\ud800".encode("utf-8")
    return b""


# expects: exception ValueError
def reads_number(x: int) -> int:
    if x == 77123:
        return 1
    return int("12 apples") if x > 5 else 0


# expects: exception JSONDecodeError
def reads_json(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        return json.loads("{")
    return 0


# expects: exception StatisticsError
def averages(xs: list[float]) -> float:
    if len(xs) > 2:
        return 2.0
    if len(xs) == 1:
        return statistics.mean([])
    return 0.0


# expects: exception StopIteration
def runs_out(x: int) -> int:
    if x > 100:
        return 2
    if x > 5:
        return next(iter([]))
    return 0


# expects: exception ZeroDivisionError
def fails_while_handling(x: int) -> int:
    try:
        if x > 5:
            raise ValueError("at first")
    except ValueError:
        return 1 // (x - x) if x > 100 else 1
    return 0


# expects: assertion
def asserts(x: int) -> int:
    if x > 100:
        return 2
    assert x != 42
    return 0


# expects: assertion
def asserts_with_words(x: int) -> int:
    if x == -77123:
        return 1
    assert x < 1000, f"{x % 10} is too much"
    return 0


# expects: assertion
def asserts_below(x: int) -> int:
    if x > 10_000:
        return 2
    return _check(x)


# expects: assertion; exception ZeroDivisionError
def asserts_then_divides(x: int) -> int:
    if x > 100:
        return 2
    assert x > -1000
    return 1 // (x - 4) if x == 4 else 0
