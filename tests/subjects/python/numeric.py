"""Functions that Numba can compile, each with something that native code may get wrong."""

import functools
import math
import math as m
from math import floor, sin

import numpy as np

LIMIT = 3.5
COUNT = 7
TABLE = (1, 2, 3)


def half(x):
    return x / 2


def root(x):
    if x < 0:
        raise ValueError(f"negative: {x}")
    return math.sqrt(x)


def quadratic(x: float):
    if x * x - 5 * x + 6 == 0:
        return 1.0
    return x**2


def power_of_floats(x: float, y: float):
    return 1 if x**y > 3 else 0


def power_of_ints(a: int, b: int):
    if abs(b) > 64:
        return 0
    return 1 if a**b > 100 else 2


def floor_division(a: int, b: int):
    return 1 if a // b > a % b else 2


def float_division(a: float, b: float):
    if a // b > 3:
        return 1
    if a % b < 0:
        return 2
    return 3 if a / b == 3 else 4


def true_division(a: int, b: int):
    return 1 if a / b > 0.5 else 2


def shifts(a: int, n: int):
    if n > 100:
        return 0
    if a >> n == 3:
        return 1
    return 2 if a << n > 1000 else 3


def bits(b: bool, n: int):
    if ~b == -2 and ~n == 6:
        return 1
    if n & 1 and n | 2 and n ^ 3 != 0:
        return 2
    return 3 if -b < 0 else b**2 + b * 3


def mixed(a: int, x: float):
    if a > 1e17:
        return 1
    if a == x:
        return 2
    if x < a:
        return 3
    return 4 if a + x > 3 else 5


def sums(n: int):
    total = 0
    for i in range(n):
        total += i * i
        if total > 100:
            break
    else:
        return 5
    return total


def grows(x: float):
    n = 1
    while n < x:
        n *= 2
    return n


def elements(n: int):
    xs = [n, 2]
    xs[0] *= n
    return 1 if xs[0] > 10 else 2


def rounding(x: float):
    n = int(x)
    if n % 7 == 3:
        return 1
    if math.floor(x) > n:
        return 2
    if m.ceil(x) < 4 and floor(x) != round(x):
        return 3
    return 4 if math.trunc(x) == n else 5


def rounding_of_ints(n: int):
    return 1 if math.floor(n) == round(n) == int(n) == n else 2  # noqa: RUF057


def helpers(x: float, y: float):
    if root(x) + root(y) > LIMIT:
        return half(x)
    return COUNT


def chains(x: float, y: float):
    if 0 <= x - y < 1:
        return 1
    if 0 < math.floor(x) <= y * 2 < 5:
        return 2
    if 0 < half(x) < y:
        return 3
    return 4 if (z := x * 2) > 3 and z < y else 5


def transcendental(x: float):
    if math.exp(x) > 3:
        return 1
    if m.sin(x) > 0.5 or sin(x) < -0.5:
        return 2
    return 3 if math.log(x) < -4 else 4


def of_two(x: float, y: float):
    if math.hypot(x, y) > 3 and math.atan2(x, y) > 1:
        return 1
    if math.fmod(x, y) > 1:
        return 2
    return 3 if math.pow(x, y) > math.copysign(x, y) else 4


def scaled(x: float, n: int):
    return 1 if math.ldexp(x, n) > 1 else 2


def numpy_functions(x: float):
    if np.sin(x) > 0.5:
        return 1
    return 2 if np.sqrt(x) > 3 else 3


def extremes(a: float, b: float):
    if min(a, b) > 3:
        return 1
    if max(a, b) < -3:
        return 2
    return 3 if abs(a) < b else 4


def classified(x: float):
    if math.isnan(x):
        return 1
    if math.isinf(x):
        return 2
    return 3 if math.isfinite(x) and x > 3 else 4


def infinite(x: float):
    if x == float("inf"):
        return 1
    return 2 if x == float("-inf") else 3


def defaults(x: float, n: int = 3, *, k: float = 2.0):
    if x > n:
        return 1
    return 2 if k < n else 3


def asserts(x: float):
    assert x != 3, f"three: {x}"
    return 1


def indexes(n: int):
    return 1 if TABLE[n] > 2 else 2


def changes_type(n: int):
    r = 1
    if n > 3:
        r = 0.5
    return 2 if r < 1 else 3


def none_or_float(x: float):
    y = None
    if x > 3:
        y = x
    if y is None:
        return 1
    return 2 if y > 4 else 3


def or_and(x: float, y: float):
    z = x or y
    w = x and y
    return 1 if z > 3 and w < 2 else 2


def nested(x: float, y: float):
    return (1 if y > 2 else 3) if x > 1 else (4 if not y else 5)


def in_place(x: float):
    x += 1
    x -= 2
    x *= 3
    x /= 7
    x //= 2
    x %= 5
    x **= 2
    return 1 if x > 3 else 2


def greatest_common_divisor(a: int, b: int):
    while b:
        a, b = b, a % b
    return 1 if a == 1 else 0


def comprehension(n: int):
    if n > 50:
        return 0
    xs = [i * i for i in range(n) if i % 3 == 1]
    return 1 if len(xs) > 3 and sum(xs) > 100 else 2


def surely_assigned(x: float):
    for _ in range(5):
        step = x / 2
        x -= step
        if abs(step) < 1e-3:
            break
    if step > 1:
        return 1
    while True:
        third = x / 3
        x = third
        if abs(third) < 1 or third != third or abs(third) == math.inf:
            break
    return 1 if third > 0.5 else 2


def checks_types(b: bool, n: int, x: float):
    if not isinstance(b, int):
        return 1
    if isinstance(n, float) or not isinstance(x, (int, float)):
        return 2
    return 3 if x > n else 4


@functools.lru_cache
def remembered(x):
    return x + 1


def calls_remembered(x: float):
    return 1 if remembered(x) > 3 else 2


def shows(x: float):
    if x > 3:
        return f"more than {x}"
    return "less"


def of_list(xs: list[float], n: int):
    if not xs:
        return 0
    if xs[n % 7] > 3 and max(xs) > sum(xs):
        return 1
    xs.append(1.0)
    return 2 if len(xs) > 3 else 3


def any_and_all(xs: list[float], y: float):
    if any(x > 3 for x in xs):
        return 1
    if all(x > 1 / y for x in xs if x != 2):
        return 2
    return 3 if any(v > 2 for v in (y, 7.0, 2)) else 4


def eager_tuple(x: float, y: float):
    return 1 if any(v > 2 for v in (x, 1 / y)) else 2


def generators(xs: list[float], ns: list[int]):
    if sum(x / n for x, n in zip(xs, ns, strict=False)) > 3:
        return 1
    if all(a <= b <= 5 for a, b in zip(xs, reversed(xs), strict=False)):
        return 2
    return 3 if any(x < n for n in ns for x in xs) else 4


def integer_roots(n: int):
    root = math.isqrt(n)
    return 1 if root * root == n else 2
