"""Functions of every kind of parameter that Python's own types make."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal


# expects: nothing
def takes_int(n: int) -> int:
    if n == 77123:
        return 1
    if n > 10**30:
        return 3
    return 2 if n % 7 == 3 else 0


# expects: nothing
def takes_float(x: float) -> int:
    if math.isnan(x):
        return 3
    if x == 0.375:
        return 1
    return 2 if x > 1e300 else 0


# expects: nothing
def takes_bools(flag: bool, other: bool) -> int:
    if flag and not other:
        return 1
    return 2 if flag is other else 0


# expects: nothing
def takes_text(word: str) -> int:
    if word == "stop":
        return 1
    if word.startswith("ab"):
        return 2
    return 3 if len(word) > 5 else 0


# expects: nothing
def takes_bytes(data: bytes) -> int:
    if len(data) > 3:
        return 1
    return 2 if data and data[0] > 200 else 0


# expects: nothing
def takes_floats(xs: list[float]) -> float:
    if len(xs) > 2:
        return 1.0
    return 2.0 if sum(xs) > 100.0 else 0.0


# expects: nothing
def takes_table(rows: list[list[int]]) -> int:
    if len(rows) > 1 and len(rows[0]) > 2:
        return 1
    return 2 if any(sum(row) > 100 for row in rows) else 0


# expects: nothing
def takes_counts(counts: dict[str, int]) -> int:
    for count in counts.values():
        if count > 100:
            return 1
    return 2 if len(counts) > 2 else 0


# expects: nothing
def takes_any_number_of_ints(xs: tuple[int, ...]) -> int:
    if len(xs) > 2:
        return 1
    return 2 if xs and xs[0] == 77123 else 0


# expects: nothing
def takes_pair(pair: tuple[int, str]) -> int:
    number, word = pair
    if number > 100:
        return 1
    return 2 if len(word) > 3 else 0


# expects: nothing
def takes_set(xs: set[int]) -> int:
    if 7 in xs:
        return 1
    return 2 if len(xs) > 2 else 0


# expects: nothing
def takes_frozen(xs: frozenset[int]) -> int:
    if len(xs) > 2:
        return 1
    return 2 if max(xs, default=0) > 100 else 0


# expects: nothing
def takes_optional(x: int | None) -> int:
    if x is None:
        return 1
    return 2 if x > 100 else 0


# expects: nothing
def takes_list_of_optional(xs: list[float | None]) -> int:
    if len(xs) > 1 and xs[0] is None:
        return 1
    return sum(x is None for x in xs)


# expects: nothing
def takes_one_of_two(x: int | str) -> int:
    if isinstance(x, str):
        return 1 if len(x) > 3 else 3
    return 2 if x > 100 else 0


# expects: nothing
def takes_literal(mode: Literal["fast", "slow", 3, None], x: int) -> int:
    if mode == "slow":
        return 1
    if mode == 3 and x > 100:
        return 2
    return 3 if mode is None else 0


# expects: nothing
def takes_complex(z: complex) -> int:
    if z.real > 100.0:
        return 1
    return 2 if z.imag == 7.0 else 0


# expects: nothing
def takes_sequence(xs: Sequence[int]) -> int:
    if len(xs) > 1 and xs[0] > xs[1]:
        return 1
    return 2 if len(xs) == 1 else 0


# expects: nothing
def takes_mapping(table: Mapping[int, bool]) -> int:
    if table.get(7, False):
        return 1
    return 2 if len(table) > 2 else 0


# expects: nothing
def takes_iterable(xs: Iterable[int]) -> int:
    total = 0
    for x in xs:
        total += x
    return 2 if total > 100 else 0


# expects: nothing
def takes_collection(xs: Collection[str]) -> int:
    if "a" in xs:
        return 1
    return 2 if len(xs) > 2 else 0


# expects: nothing
def takes_whatever(x: Any, y: object) -> int:
    if x > 100:
        return 1
    return 2 if y == 7 else 0


# expects: nothing
def takes_nothing() -> int:
    total = 0
    for i in range(5):
        if i % 2 == 1:
            total += i
    return total
