"""Functions whose results are hard to write down, to compare, or to get twice."""

import datetime
import math
import threading
from decimal import Decimal


class _Plain:
    pass


class _Touchy:
    __hash__ = None

    def __eq__(self, other):
        raise RuntimeError("do not compare me")


class _Mute:
    def __repr__(self):
        raise RuntimeError("do not show me")


class _Liar:
    @property
    def __class__(self):
        raise RuntimeError("do not ask what I am")


class _Greedy:
    def __getattr__(self, name):
        return _Greedy()

    def __eq__(self, other):
        return True


class _Agreeable(str):
    __hash__ = str.__hash__

    def __eq__(self, other):
        return True


class _Seven(int):
    def __repr__(self):
        return "8"


# expects: nothing
def returns_nan(x: float) -> float:
    if x > 100.0:
        return math.nan
    return x


# expects: nothing
def returns_nans_inside(x: int) -> dict[str, list[float]]:
    if x > 100:
        return {"a": [math.nan, -math.nan], "b": [math.inf]}
    return {}


# expects: nothing
def returns_nan_as_key(x: int) -> dict[float, int]:
    if x > 5:
        return {math.nan: 1, float("nan"): 2}
    return {0.0: 1} if x < -100 else {-0.0: 1}


# expects: nothing
def returns_zeros(x: int) -> float:
    if x > 100:
        return -0.0
    return 0.0


# expects: nothing
def returns_minus_zero_inside(x: int) -> complex:
    if x > 100:
        return complex(-0.0, math.nan)
    return complex(0.0, -0.0)


# expects: nothing
def returns_infinity(x: float) -> float:
    if x > 100.0:
        return x * math.inf
    return -math.inf if x < -100.0 else 0.0


# expects: nothing
def returns_huge_int(x: int) -> int:
    if x > 5:
        return 10**5000 + x % 10
    return 1 if x < -100 else 0


# expects: nothing
def returns_large_int(x: int) -> int:
    if x > 5:
        return -(2**200) - x % 10
    return 1 if x < -100 else 0


# expects: nothing
def returns_true_or_one(x: int) -> int | bool | float:
    if x > 100:
        return True
    return 1.0 if x < -100 else 1


# expects: nothing
def returns_set(x: int) -> set[str]:
    if x > 5:
        return {"one", "two", "three", "four", "five"}
    return set() if x < -100 else {str(x % 10)}


# Sets of texts have another order in every process.
# expects: nothing
def returns_order(x: int) -> list[str]:
    if x > 5:
        return list({"one", "two", "three", "four", "five"})
    return [] if x < -100 else ["one"]


# expects: nothing
def returns_hash(x: int) -> int:
    if x > 5:
        return hash("zeroin") % 1000
    return 1 if x < -100 else 0


# expects: nothing
def returns_address(x: int) -> int:
    if x > 5:
        return id(_Plain()) % 1009
    return 1 if x < -100 else 0


# expects: nothing
def returns_address_as_text(x: int) -> str:
    if x > 5:
        return f"at {_Plain()!r}"
    return "low" if x < -100 else ""


# expects: nothing
def returns_object(x: int) -> object:
    if x > 5:
        return _Plain()
    return None if x < -100 else object()


# expects: nothing
def returns_touchy(x: int) -> object:
    if x > 5:
        return _Touchy()
    return [_Touchy()] if x < -100 else 0


# expects: nothing
def returns_mute(x: int) -> object:
    if x > 5:
        return _Mute()
    return {1: _Mute()} if x < -100 else 0


# expects: nothing
def returns_liar(x: int) -> object:
    if x > 5:
        return _Liar()
    return (_Liar(),) if x < -100 else 0


# expects: nothing
def returns_greedy(x: int) -> object:
    if x > 5:
        return _Greedy()
    return [_Greedy()] if x < -100 else 0


# expects: nothing
def returns_own_kinds(x: int) -> str | int:
    if x > 5:
        return _Agreeable("yes")
    return _Seven(7) if x < -100 else 0


# expects: nothing
def returns_signalling_nan(x: int) -> Decimal:
    if x > 5:
        return Decimal("sNaN")
    return Decimal("-0.00") if x < -100 else Decimal("0")


# expects: nothing
def returns_now(x: int) -> datetime.datetime:
    if x > 5:
        return datetime.datetime.now()
    return datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC) if x < -100 else datetime.datetime(2000, 1, 1)


# expects: nothing
def returns_lock(x: int) -> object:
    if x > 5:
        return threading.Lock()
    return threading.current_thread() if x < -100 else 0
