"""Functions whose results are functions, iterators, very large, or contain themselves."""

import math
import os
import sys
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from typing import Any


class _Fragile:
    def __del__(self):
        raise RuntimeError("never let me go")


# expects: nothing
def returns_lambda(x: int) -> Callable[[int], int]:
    if x > 5:
        return lambda y: x + y
    return abs if x < -100 else math.isqrt


# expects: nothing
def returns_inner(x: int) -> Callable[[], int]:
    def inner():
        return x % 10

    if x > 5:
        return inner
    return inner.__call__ if x < -100 else int


# expects: nothing
def returns_generator(x: int) -> Iterator[int]:
    if x > 5:
        return (n * x for n in range(3))
    return iter([1, 2]) if x < -100 else map(abs, [1, -2])


# expects: nothing
def returns_class(x: int) -> type:
    class Local:
        pass

    if x > 5:
        return Local
    return int if x < -100 else _Fragile


# expects: nothing
def returns_module(x: int) -> object:
    if x > 5:
        return math
    return sys.modules[__name__] if x < -100 else 0


# expects: nothing
def returns_exception(x: int) -> object:
    if x > 5:
        return ValueError("not raised")
    return NotImplemented if x < -100 else ...


# expects: nothing
def returns_view(x: int) -> Any:
    if x > 5:
        return {"a": 1}.items()
    return memoryview(b"abc") if x < -100 else range(3)


# expects: nothing
def returns_slice(x: int) -> slice:
    if x > 5:
        return slice(1, None, 2)
    return slice(x % 10) if x < -100 else slice(None)


# expects: nothing
def returns_long_text(x: int) -> str:
    if x > 5:
        return "long " * 200_000
    return "l" * 5000 if x < -100 else ""


# expects: nothing
def returns_strange_text(x: int) -> str:
    if x > 5:
        return "\ud800 \x00 \u2028 \U0001f600 \\ {x} %s"
    return """'"'" \r\n\t""" if x < -100 else ""


# expects: nothing
def returns_all_bytes(x: int) -> bytes | bytearray:
    if x > 5:
        return bytes(range(256))
    return bytearray(b"\x00'") if x < -100 else b""


# expects: nothing
def returns_many(x: int) -> list[int]:
    if x > 5:
        return list(range(10_000))
    return list(range(900)) if x < -100 else []


# expects: nothing
def returns_circle(x: int) -> list[Any]:
    circle: list[Any] = [1, 2]
    if x > 5:
        circle.append(circle)
    return circle if x > -100 else [circle, circle]


# expects: nothing
def returns_deep_list(x: int) -> list[Any]:
    deep: list[Any] = []
    for _ in range(5000 if x > 5 else 3):
        deep = [deep]
    return deep if x > -100 else []


# expects: nothing
def returns_wide_tree(x: int) -> list[Any]:
    tree: list[Any] = [0]
    if x > 5:
        for _ in range(60):
            tree = [tree, tree]
    return tree if x > -100 else []


# expects: nothing
def returns_other_containers(x: int) -> Any:
    if x > 5:
        return deque([1, 2], maxlen=5)
    return OrderedDict(a=1) if x < -100 else defaultdict(list)


# expects: nothing
def returns_mixed(x: int) -> tuple[Any, ...]:
    if x > 5:
        return (None, True, 1, 1.0, "1", b"1", frozenset({1, "1"}), [(), {}, set()])
    return (x % 10,) if x < -100 else ()


# expects: nothing
def returns_argument(xs: list[float], x: int) -> list[float]:
    if x > 5:
        xs.sort()
        xs.append(x % 10)
    return xs if len(xs) > 1 else [*xs, math.nan]


# expects: nothing
def puts_argument_into_itself(xs: list[Any]) -> int:
    if len(xs) > 1:
        xs.append(xs)
    return len(xs)


# expects: nothing
def empties_arguments(table: dict[str, int], xs: set[int]) -> int:
    if len(table) > 1:
        table.clear()
    while xs:
        xs.pop()
    return len(table)


# expects: nothing
def returns_file(x: int) -> object:
    if x > 5:
        return open(os.devnull)
    return sys.stdin if x < -100 else 0


# expects: nothing
def returns_fragile(x: int) -> object:
    if x > 5:
        return _Fragile()
    return [_Fragile()] if x < -100 else 0
