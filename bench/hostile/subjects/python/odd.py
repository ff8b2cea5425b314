"""Functions that use the less common parts of the language."""

import contextlib


# expects: nothing
def uses_walrus(x: int) -> int:
    if (half := x // 2) > 50:
        return half % 7
    return 2 if [y for n in range(3) if (y := n * x) > 10] else 0


# expects: nothing
def matches(x: int) -> str:
    match x:
        case 0 | 1:
            return "few"
        case 77123:
            return "exactly"
        case n if n > 100:
            return "many"
        case _:
            return "some"


# expects: nothing | undecided 1
def matches_sequence(xs: list[int]) -> int:
    match xs:
        case []:
            return 0
        case [x]:
            return 1 if x > 100 else 2
        case [first, *_, last] if first == last:
            return 3
    return 4


# expects: nothing
def chains_comparisons(x: int, y: int) -> int:
    if 0 < x < y <= 100:
        return 1
    return 2 if x == y != 7 else 0


# expects: nothing
def chooses(x: int, y: int) -> int:
    best = x if x > y else y
    return best % 7 if best > 100 else (1 if not best else 0)


# expects: nothing
def seeks_divisor(x: int) -> int:
    for divisor in (2, 3, 5, 7):
        if x % divisor == 0:
            break
    else:
        return 2 if x > 100 else 1
    return divisor


# expects: nothing
def halves(x: int) -> int:
    n = abs(x) % 1000
    while n > 10:
        if n == 77:
            break
        n //= 2
    else:
        return n
    return -1


# expects: nothing
def leaves_two_loops(x: int, y: int) -> int:
    for i in range(5):
        for j in range(5):
            if i * 10 + j == x:
                return 1
            if j == y:
                break
    return 2 if x > 100 else 0


# expects: nothing
def cleans_up(x: int) -> int:
    steps = []
    try:
        if x > 100:
            raise ValueError("too much")
        steps.append(1)
    except ValueError:
        return -1
    else:
        steps.append(2)
    finally:
        steps.append(3)
    return sum(steps)


# What `finally` returns is what counts, and no exception comes out of it.
# expects: nothing
def returns_at_last(x: int) -> int:
    try:
        return 100 // (x - 7)
    finally:
        if x > 100 or x == 7:
            return 5


# expects: nothing
def suppresses(x: int) -> int:
    with contextlib.suppress(ZeroDivisionError):
        return 100 // (x - 7 if x < 100 else 1)
    return -1


# expects: nothing
def counts_inside(x: int) -> int:
    count = 0

    def step(by: int) -> None:
        nonlocal count
        if by > 100:
            count += 10
        count += 1

    step(x)
    step(0)
    return count


# expects: nothing
def remembers_late(x: int) -> list[int]:
    steps = [lambda: n for n in range(3)]
    return [step() + x % 7 for step in steps] if x > 100 else []


# expects: nothing
def calls_itself(n: int) -> int:
    if n % 20 == 0:
        return 0
    return 1 + calls_itself(n - 1) if n > 0 else -1


def _is_even(n):
    return True if n == 0 else _is_odd(n - 1)


def _is_odd(n):
    return False if n == 0 else _is_even(n - 1)


# expects: nothing
def calls_two(x: int) -> int:
    if x > 100:
        return 2
    return 1 if _is_even(x % 10) else 0


# expects: nothing
def evaluates(x: int) -> int:
    twice = eval("x * 2 + 1")
    if twice == 77123:
        return 1
    return 2 if x > 100 else 0


# expects: nothing
def executes(x: int) -> int:
    scope = {"x": x}
    exec("y = x % 10 if x > 0 else -1", scope)
    if scope["y"] == 7:
        return 1
    return 2 if x > 100 else 0


# expects: nothing
def looks_at_locals(x: int) -> int:
    if x > 5:
        another = x % 7
        return len(locals()) + another
    return len(vars()) if x < -100 else len(dir())


# expects: nothing
def imports_late(x: int) -> int:
    if x > 5:
        from fractions import Fraction

        return Fraction(x % 10, 3).numerator
    return 2 if x < -100 else 0


# expects: nothing
def sorts(xs: list[int]) -> list[int]:
    ordered = sorted(xs, key=lambda x: -x if x > 100 else x)
    return ordered if len(xs) > 2 else []


# expects: nothing
def collects(x: int) -> int:
    table = {n: {m for m in range(n) if m != x} for n in range(6) if n > 2}
    return sum(1 for inner in table.values() for m in inner if m % 2 == 0 and m < x)


# expects: nothing
def größe(höhe: int, ñandú: float) -> str:
    """Names need not be ASCII."""
    if höhe > 100:
        return "groß"
    return "мало" if ñandú < -100.0 else ""
