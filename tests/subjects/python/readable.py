"""Functions whose runs are read: each shape of control, and each kind of value, that a path condition is made of."""

import dataclasses
import math
import struct
from typing import Literal


def nested(x: float, n: int, s: str) -> int:
    if x * x == 2.25:
        return 1
    elif n // 3 == 7 and s:
        return 2
    return 0


def arithmetic(a: int, b: int, x: float) -> int:
    if b != 0 and a % b == 3 and a // b == -4:
        return 1
    if a / 3 == x or (-a > 2**53 and float(a) == x):
        return 2
    if a & 12 == 8 or a ^ b == 5 or ~a == b or a << 2 == 40 or a >> 1 == -3 or a | 1 == b:
        return 3
    return abs(a) - +b


def raising(x: float, n: int) -> float:
    try:
        y = 1.0 / x
        z = math.sqrt(y) + math.log(n) + math.exp(x)
        if z > 3.0:
            return z
    except ZeroDivisionError:
        return -1.0
    except (ValueError, OverflowError) as error:
        if "domain" in str(error):
            return -2.0
        return -3.0
    else:
        if n > 100:
            return y
    finally:
        n += 1
    return x % n if n > 7 else x // n


def powers(x: float, n: int, m: int) -> float:
    try:
        if x**2 > 100.0 or (abs(n) < 99 and 2**n == 1024) or n**3 == -27:
            return x**n
        if n**m > 5 if abs(m) < 9 and abs(n) < 100 else False:
            return x**0.5
    except (ZeroDivisionError, OverflowError):
        return math.inf
    return 0.0


def loops(n: int, x: float) -> int:
    count = 0
    for i in range(n % 7):
        if x > i:
            count += 1
    while count < 5:
        count += 2
        if count == n:
            break
    else:
        count *= 10
    for i in range(1, n % 11, 3):
        if i == n:
            continue
        count -= i
    return count


def inner(x: float, limit: float = 2.5, *rest: int, **named: float) -> bool:
    return x > limit or sum(rest) > 3 or named.get("more", 0.0) > x


def calls(x: float, n: int, flag: bool) -> int:
    def near(y: float) -> bool:
        return abs(y - x) < 0.5

    if inner(x) and inner(x, 3.0, n, 1) and not inner(x, more=2.0):
        return 1
    if near(n) or (lambda y: y > 100.0)(x):
        return 2
    if (flag is True and n in (3, 5, 8)) or (flag and not near(1.0)):
        return 3
    return fibonacci(n) if 0 <= n < 6 else -1


def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def values(xs: list[float], k: int) -> float:
    squares = [x * x for x in xs if x > 0.5]
    if len(squares) == 2 and squares[0] < squares[-1]:
        return 1.0
    if any(x < -100.0 for x in xs) or all(x == 7.0 for x in xs):
        return 2.0
    if xs and max(xs) - min(xs) > 10.0:
        return sorted(xs)[0]
    if 0 <= k < len(xs) and xs[k] == 3.0:
        return 4.0
    first, *others = [*xs, 0.0]
    return first + sum(others) + len(xs[1:])


def texts(s: str, t: str) -> int:
    if s == "key" or (s < "a" and len(s) > 2):
        return 1
    if s.startswith("ab") and s.endswith(t) and "x" in t:
        return 2
    if s.strip().isdigit() and int(s) > 40:
        return 3
    for c in t:
        if c in "+-" or c.lower() == "q":
            return 4
    parts = s.split(",")
    if len(parts) == 3 and parts[1] == "b":
        return 5
    return s.find(t) if t else ord(s[0]) if s else 7


def matched(n: int, s: str, p: tuple[int, float], flag: bool = False) -> int:
    match n, [flag]:
        case 2, [True]:
            return 8
    match n:
        case 3 | 5:
            return 1
        case k if k > 1000:
            return 2
    match s:
        case "go":
            return 3
        case "stop":
            return 4
    match p:
        case (0, y) if y > 1.0:
            return 5
        case (1, 2.5):
            return 6
        case (a, _):
            return 7 + (a > 3)
    return 0


@dataclasses.dataclass
class Point:
    x: float
    y: float
    label: str = ""

    def norm(self) -> float:
        return math.hypot(self.x, self.y)

    def __add__(self, other: "Point") -> "Point":
        return Point(self.x + other.x, self.y + other.y)

    def __bool__(self) -> bool:
        return self.x != 0.0


def objects(p: Point, q: Point, kind: Literal["sum", "norm"], n: int | float | None) -> int:
    if kind == "norm":
        return 1 if p.norm() > 5.0 else 2
    total = p + q
    if (p and total.x == 3.0) or p == q:
        return 3
    if n is None:
        return 4
    if isinstance(n, int):
        return 5 if n > 12 else 6
    return 7 if n > 12.5 and type(n) is float else 8


def numbers(x: float, n: int) -> int:
    if round(x) == 3 and math.floor(x) == 2:
        return 1
    if int(x) == n if math.isfinite(x) else math.isnan(x):
        return 2
    quotient, rest = divmod(n, 10)
    if (quotient == 4 and rest == 2) or pow(n, 2) == 81:
        return 3
    if min(x, 4.0) == 4.0 and max(n, 3) == 3 and x.is_integer():
        return 4
    return 5 if math.copysign(1.0, x) < 0 and n == x else 6


def generated(n: int) -> int:
    def upto(limit: int):
        k = 0
        while k < limit:
            yield k
            k += 1

    total = 0
    for k in upto(n % 6):
        total += k if k != 3 else 100
    return 1 if total > 100 else 0


def tables(n: int, s: str) -> int:
    table = {"a": 1, "b": 2, n: 3}
    if table.get(s, 0) == 2 or s in {"c", "d"}:
        return 1
    if [n, 2] == [4, 2] or (n, s) == (5, "e"):
        return 2
    row = [10, 20, 30]
    if 0 <= n < 3 and row[n] == 20:
        return 3
    row[n % 3] += 1
    return row[0] if f"{n}" == "17" else row[1]


def raw(b: bytes, n: int) -> int:
    if b[:2] == b"OK" and len(b) > 3 and b[2] == n:
        return 1
    if b.startswith((b"q", b"\x7fEL")) or b.endswith(b"::"):
        return 2
    if n in (65, 200) and n in b:
        return 3
    for number in b:
        if number == 77 and sum(b) > 300:
            return 4
    head, _, tail = b.partition(b",")
    if head + b"-" + tail in (b"a-b", b"zz-") or b.count(b"a") == 2:
        return 5
    if [*map(int, b.split(b";"))] == [7] if b[:1] == b"7" else b < b"\x01":
        return 6
    return 7 if max(b, default=0) > 250 and struct.unpack("<H", b[:2].ljust(2))[0] > 500 else 8


def keyed(d: dict[str, int], q: set[int], n: int) -> int:
    if "a" in d and d["a"] > n:
        return 1
    if d.get("xy", 3) < n or n in q:
        return 2
    for k, v in d.items():
        if k == "m" and v == 3:
            return 3
    if q == {1, 2} or (q <= {3, 4} and len(q) == 2):
        return 4
    if q and max(q) - min(q) == 30 and sorted(q)[1] > n:
        return 5
    d["new"] = n
    q.add(n)
    if len(d) == 3 and len(q) < 3:
        return 6
    return 7 if sum(d.values()) > 9 else 8
