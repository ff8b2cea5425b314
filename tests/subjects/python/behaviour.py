# ruff: noqa: B012, C416, C417, F821, RUF012, SIM201, SIM212
"""Functions that must do the same with probes as without. Each takes any two values and ``log``, which writes down what
it is given and hands it on: the order of evaluation."""

import contextlib
import functools
import itertools
import math

LIMIT = 3
counter = 0


class Number:
    """Compares by its own methods, which have conditions themselves."""

    def __init__(self, value, log):
        self.value, self.log = value, log

    def __lt__(self, other):
        self.log("lt")
        if isinstance(other, Number):
            return self.value < other.value
        return NotImplemented

    def __eq__(self, other):
        self.log("eq")
        return isinstance(other, Number) and self.value == other.value

    def __hash__(self):
        return 1

    def __repr__(self):
        return f"Number({self.value!r})"


class Answer:
    """What a comparison returns that is no bool."""

    def __init__(self, name, truth):
        self.name, self.truth = name, truth

    def __bool__(self):
        if self.truth is None:
            raise ValueError(f"{self.name} is neither")
        return self.truth

    def __repr__(self):
        return f"Answer({self.name!r}, {self.truth})"


class Vague:
    def __init__(self, truth):
        self.truth = truth

    def __lt__(self, other):
        return Answer("lt", self.truth)

    def __eq__(self, other):
        return Answer("eq", self.truth)

    __hash__ = None

    def __contains__(self, value):
        if self.truth is None:
            raise KeyError(value)
        return self.truth

    def __len__(self):
        if self.truth is None:
            raise OverflowError("too long")
        return 3 if self.truth else 0

    def __iter__(self):
        yield from (1, 2)

    def __repr__(self):
        return f"Vague({self.truth})"


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __repr__(self):
        return f"Point({self.x!r}, {self.y!r})"

    @property
    def sign(self):
        return "positive" if self.x > 0 else "other"

    @property
    def least(self):
        return min(self.x, self.y)

    @least.setter
    def least(self, value):
        if value < self.x:
            self.x = value

    @classmethod
    def of(cls, x, y):
        return cls(x, y) if x != y else cls(x, x)

    @staticmethod
    def twice(x):
        return x * 2 if x else x

    def __above(self, other):
        return 0 < self.x < other

    def above(self, other):
        return self.__above(other)


def compare_value(x, y, log):
    return log(x) < log(y), log(x) <= log(y), log(x) == log(y), log(x) != log(y), log(x) > log(y), log(x) >= log(y)


def less(x, y, log):
    return log(x) < log(y)


def equal(x, y, log):
    return log(x) == log(y)


def branch(x, y, log):
    if log(x) < log(y):
        log("less")
    elif log(x) == log(y):
        log("same")
    else:
        log("more")
    return y if not x else x


def chain(x, y, log):
    return log(0) < log(x) <= log(y) < log(100)


def chain_branch(x, y, log):
    if log(x) < log(y) < log(x):
        return "odd"
    while not (log(x) == log(y) != log(3)):
        return "while"
    return "end"


def chain_kinds(x, y, log):
    return log(x) is log(y) is not log(None) in log([x, None]) not in log([[x]])


def chain_inside(x, y, log):
    return [log(a) for a in (1, 2, 5) if log(x) < log(a) < log(y)], list(
        map(lambda a: log(x) <= log(a) != log(y), (1, 2))
    )


def chain_in_class(x, y, log):
    class Local:
        low = log(x)
        inside = low < log(y) < log(10) < 11
        names = [name for name in (1, 2) if x < name < y]

    return Local.inside, Local.names, sorted(vars(Local))


def chain_walrus(x, y, log):
    if (low := log(x)) < (high := log(y)) < (top := log(9)):
        return low, high, top
    return low, high


def chain_over_lines(x, y, log):
    return log(x) < log(y) < (log(5))


def chain_recursive(x, y, log, depth=2):
    return all(log(0) <= a <= (a if not depth else chain_recursive(x, y, log, depth - 1)) for a in (x, y))


def and_value(x, y, log):
    return log(x) and log(y)


def or_value(x, y, log):
    return log(x) or log(y)


def mixed_value(x, y, log):
    return (
        (log(x) and log(y)) or (not log(y) and log(x)) or log(x) < log(y) or (log(y) if log(x) else None) or log("end")
    )


def not_value(x, y, log):
    return not log(x), not (log(y) and log(x)), not log(x) == log(y)


def constants(x, y, log):
    if (1 and log(x)) or 0:
        return None or log(y)
    return True and log(x), False or log(y), "" or 0 or log(x)


def conditional(x, y, log):
    return log("yes") if log(x) else log("no") if log(y) > 1 else log("last")


def conditional_test(x, y, log):
    if log(x) if log(y) else log(y) == 0:
        return 1
    return 2


def membership(x, y, log):
    return log(x) in log([1, "a", y]), log(x) not in log((None, y)), log(x) in log({1: 2}), log(x) in log("abc")


def contains(x, y, log):
    if log(x) in log(y):
        return "in"
    return "not in"


def identity(x, y, log):
    return log(x) is log(y), log(x) is not log(None), x is True


def truth(x, y, log):
    if x:
        log("x")
    if not y:
        log("not y")
    while x and y:
        return 1
    return 0


def while_else(x, y, log):
    n = 0
    while n < x and n < 9:
        n += 1
        if n == y:
            break
        if n == 2:
            continue
        log(n)
    else:
        log("else")
    return n


def for_else(x, y, log):
    for n in range(x)[:20]:
        if n == y:
            log("break")
            break
        if n % 2:
            continue
        log(n)
    else:
        return "else"
    return "end"


def for_any(x, y, log):
    for log.last in x:
        if log.last == y:
            break
    else:
        log("else")
    for a, *b in [(1, 2, 3), (x, y)]:
        log(a), log(b)
    return log.last


def lazy(x, y, log):
    generated = (log(n) for n in itertools.islice(itertools.count(), 20) if n != x)
    first = next(generated, None)
    return first, any(log(n) > y for n in range(5)), [n for n in itertools.takewhile(lambda n: n < 3, generated)]


def generator(x, y, log):
    def numbers():
        sent = yield log("start")
        try:
            while sent != x:
                sent = yield log(sent)
        finally:
            log("closed")
        return "result"

    made = numbers()
    next(made)
    with contextlib.suppress(StopIteration):
        made.send(y)
        made.send(x)
    made.close()
    return [made.gi_frame, list(iter(lambda: log(1), 1))]


def try_return(x, y, log):
    try:
        return log(x / y)
    except ZeroDivisionError:
        return log("zero")
    except (TypeError, ValueError) as error:
        return str(error)
    else:
        return log("never")
    finally:
        log("finally")


def try_else(x, y, log):
    try:
        z = x + y
    except TypeError as error:
        log(type(error))
        raise KeyError("own") from error
    else:
        log(z)
    finally:
        log("finally")
    return z


def try_loop(x, y, log):
    for n in range(4):
        try:
            if n == x:
                break
            if n == y:
                continue
            try:
                log(1 / (n - 2))
            except ArithmeticError:
                log("inner")
                if y:
                    raise
        except ZeroDivisionError:
            log("outer")
            continue
        except TypeError:
            return "type"
        finally:
            log("last")
    else:
        log("else")
    return n


def try_swallow(x, y, log):
    try:
        return x < y
    finally:
        if x:
            return "swallowed"


def try_bare(x, y, log):
    try:
        [][x]
    except:
        log("bare")
        raise
    return 1


def try_star(x, y, log):
    try:
        raise ExceptionGroup("both", [ValueError(x), TypeError(y)] if x else [ValueError(1)])
    except* ValueError as group:
        log(len(group.exceptions))
    except* TypeError:
        log("type")
    return locals().keys() - {"log"}


def raises(x, y, log):
    if x == y:
        raise ValueError("same", x)
    assert x, f"x is {x!r}"
    assert not y
    assert log(x) or log(y), log("message")
    raise RuntimeError from None


def pattern(x, y, log):
    match log(x):
        case 0 | 1.5 | -3:
            return "number"
        case str() as text if log(len(text)) > 1:
            return text
        case "a" | "b":
            return "letter"
        case [] | [_]:
            return "short"
        case [first, *_, last] if first == last:
            return first
        case [1 | 2 as first, *rest]:
            return first, rest
        case {"x": value, **others}:
            return value, others
        case Point(0, y=b) | Point(b, 0):
            return b
        case Point(x=a, y=b) if log(a) < log(b):
            return a, b
        case None | True:
            return "single"
        case math.pi:
            return "pi"
        case int() | float() if y:
            return "y"
        case other if other == y:
            return "equal"
        case _:
            return "rest"


def pattern_pair(x, y, log):
    match x, y:
        case (a, b) if log(a) == log(b):
            return "same"
        case (0, _) | (_, 0):
            return "zero"
        case (str(), *rest):
            return rest
    return "none"


def pattern_recursive(x, y, log):
    match x:
        case [head, *rest] if pattern_recursive(rest, y, log):
            log(head)
            return True
        case [_, *_]:
            log("tail")
            return False
        case [] | 0:
            return y == 1
    return y


def variables(x, y, log):
    if 0 < 1 < 2 and math.isnan(0.5) is False:
        z = x
    match 5:
        case 4:
            pass
        case int() if z is None:
            pass
    try:
        return list(locals()), list(vars()), dir()
    except KeyError:
        return None


def format_strings(x, y, log):
    return f"{'yes' if log(x) else 'no'} {x == y!r:>6} {log(x) and log(y)!r} {[n for n in (1, 2) if n != x]}"


def star(x, y, log):
    def inner(*arguments, default=y or "none", **named):
        return arguments if default is None else (default, named)

    first, *rest = [x, *([y] if x != y else ()), 1]
    return inner(*rest, first, **({"a": 1} if x else {})), inner(default=x and y), {"k": x or y}


def lambdas(x, y, log):
    key = lambda a, b=(y or 1), *, c=x == y: (a if a else b, c)  # noqa: E731
    return key(x), key(0, c=1), sorted([3, 1, 2], key=lambda n: n if n != 1 else 9)


def decorated(function):
    @functools.wraps(function)
    def wrapper(x, y, log):
        if log("wrapper") and x == y:
            return "short"
        return function(x, y, log)

    return wrapper


@decorated
@decorated
def twice_decorated(x, y, log):
    return "x" if x else log("inner")


@functools.lru_cache
def cached(n):
    return 1 if n < 2 else cached(n - 1) + cached(n - 2)


def uses_cache(x, y, log):
    return cached(8) if x else cached(12)


def closure(x, y, log):
    total = 0

    def add(n):
        nonlocal total
        total = total + n if n > 0 else total
        return total

    return add(1), add(-1), add(LIMIT if x else 0), total


def global_state(x, y, log):
    global counter
    counter = counter + 1 if x else 0
    return counter > 3


def recursion(x, y, log, depth=3):
    """With a docstring."""
    return 0 if not depth or x == y else 1 + recursion(x, y, log, depth=depth - 1)


def methods(x, y, log):
    point = Point.of(x, y)
    point.least = y
    return point, point.sign, Point.twice(x), point.above(y), point.least


def local_class(x, y, log):
    class Local(Point):
        flag: bool = bool(x) and True

        def above(self, other):
            return super().above(other) or "not above"

    hint: x < y = 3
    return Local(x, y).above(5), Local.flag, hint


def annotated(x, y, log):
    def inner(a: "int if x else str", b: 1 < 2 = 3) -> "a or b":
        return a if b == 3 else None

    return inner(x)


def questions(x, y, log):
    return (
        1 if math.isnan(log(x)) else 2,
        3 if math.isclose(log(x), log(y)) else 4,
        5 if not math.isinf(x) and math.isfinite(y) else 6,
    )


def text_questions(x, y, log):
    if log(x).startswith(log(y)):
        return "starts"
    if x.isdigit() or x.endswith((y, "z")):
        return "digit"
    return [c for c in x if c.isupper()]


def numbers(x, y, log):
    return Number(x, log) < Number(y, log), Number(x, log) == Number(y, log), Number(x, log) in [Number(y, log)]


def numbers_branch(x, y, log):
    if Number(x, log) < Number(y, log) < Number(7, log):
        return "less"
    return Number(x, log) < y


def deletes(x, y, log):
    z = [1, 2, 3]
    del z[0 if x else 1]
    z[log(0) if y else log(1)] += 5 if x == y else 6
    with contextlib.nullcontext(x or y) as value:
        return z, value


def suppressed(x, y, log):
    with contextlib.suppress(TypeError, AssertionError):
        assert x < y
        return "less"
    return "not"


FUNCTIONS = [
    name
    for name, value in list(globals().items())
    if getattr(value, "__code__", None) and name != "decorated" and "log" in value.__code__.co_varnames
]
