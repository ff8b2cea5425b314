"""Functions that change what outlives a call inside of Python's own variables, or whose results differ from run to run.
Every run starts as the first one does, so that what only a changed state could take is undecided."""

import contextvars
import decimal
import functools
import itertools
import random
import time

_calls = 0
_doomed = 1
_cache = {}
_log = []
_tickets = itertools.count(1)
_variable = contextvars.ContextVar("_variable", default=0)


class _Counter:
    made = 0
    names = []


def _counted():
    count = 0

    def step():
        nonlocal count
        count += 1
        return count

    return step


_next_number = _counted()


# expects: nothing | undecided 1
def counts_calls(x: int) -> int:
    global _calls
    _calls += 1
    if _calls > 3:
        return 1
    return 2 if x > 100 else 0


# expects: nothing
def returns_count(x: int) -> int:
    global _calls
    _calls += 1
    return _calls if x > 100 else 0


# expects: perhaps exception | undecided 1
def remembers(x: int) -> int:
    if x in _cache:
        return _cache[x]
    _cache[x] = 1 if x > 100 else 0
    return _cache[x]


# expects: perhaps exception | undecided 1
def writes_log(x: int) -> int:
    _log.append(x % 10)
    if len(_log) > 5:
        return 3
    return 2 if x > 100 else 0


# expects: nothing
def deletes_variable(x: int) -> int:
    global _doomed
    if x > 5:
        del _doomed
    return 2 if x > 100 else 0


# expects: nothing
def rebinds_everything(x: int) -> int:
    global _log, _cache
    if x > 5:
        _log, _cache = {}, []
    return 2 if x > 100 else 0


# expects: nothing | undecided 1
@functools.cache
def is_cached(x: int) -> int:
    if x > 100:
        return 2
    return 1 if x == 77123 else 0


# expects: nothing
def changes_class(x: int) -> int:
    _Counter.made += 1
    _Counter.names.append("one")
    if x > 100:
        return _Counter.made
    return 1 if x == 77 else 0


# expects: nothing
def changes_closure(x: int) -> int:
    number = _next_number()
    if x > 100:
        return number
    return 1 if x == 77 else 0


# expects: nothing
def draws_ticket(x: int) -> int:
    number = next(_tickets)
    if x % 7 == 3:
        return number
    return 2 if x > 100 else 0


# expects: nothing
def counts_on_itself(x: int) -> int:
    counts_on_itself.calls = getattr(counts_on_itself, "calls", 0) + 1
    if x > 100:
        return counts_on_itself.calls
    return 0


# expects: nothing
def fills_default(x: int, seen: list[int] = []) -> int:  # noqa: B006
    seen.append(x)
    if len(seen) > 3:
        return 1
    return 2 if x > 100 else 0


# expects: nothing
def draws_number(x: float) -> float:
    if x > 100.0:
        return random.random()
    return 1.0 if x < -100.0 else 0.0


# expects: nothing
def draws_from_seed(x: int) -> int:
    random.seed(x % 100)
    if random.random() > 0.8:
        return 1
    return 2 if x > 100 else 0


# expects: nothing
def shuffles(x: int) -> list[int]:
    numbers = list(range(20))
    if x > 5:
        random.shuffle(numbers)
    return numbers if x % 2 == 1 else sorted(numbers)


# expects: nothing
def tells_time(x: int) -> float:
    if x > 100:
        return time.time()
    return 1.0 if x == 77 else 0.0


# expects: nothing
def measures_time(x: int) -> int:
    start = time.perf_counter_ns()
    if x > 100:
        return time.perf_counter_ns() - start
    return 0


# expects: nothing
def sets_precision(x: int) -> decimal.Decimal:
    decimal.getcontext().prec = 5 if x > 5 else 28
    if x > 100:
        return decimal.Decimal(2)
    return decimal.Decimal(1) / decimal.Decimal(7)


# expects: nothing
def divides_as_told(x: int) -> decimal.Decimal:
    with decimal.localcontext() as context:
        context.prec = 3 if x > 5 else 10
        if x > 100:
            context.rounding = decimal.ROUND_UP
        return decimal.Decimal(2) / decimal.Decimal(3)


# expects: nothing
def sets_context_variable(x: int) -> int:
    _variable.set(x)
    if _variable.get() > 100:
        return 2
    return 1 if x == 77 else 0
