"""Functions that stay in the interpreter. The comment says why."""

import math
import random
import time
from math import cbrt

NUMBERS = [1, 2, 3]
TABLE = {1: 2}
count = 0


def tries(x: float):  # a try statement
    try:
        return 1 if 1 / x > 3 else 2
    except ZeroDivisionError:
        return 0


def matches(n: int):  # a match statement
    match n:
        case 1:
            return 2
        case _:
            return 3


def text(x: float):  # it compares str with str
    s = "a"
    if x > 3:
        s = "b"
    return 1 if s == "b" else 2


def shows(x: float):  # str is called
    return 1 if len(str(x)) > 5 else 2


def changes_global(x: float):  # a global variable that changes
    global count
    count += 1
    return 1 if x > 3 else count


def reads_list(n: int):  # NUMBERS is used, a list
    return 1 if NUMBERS[n] > 2 else 2


def reads_dict(n: int):  # TABLE is used, dict
    return 1 if TABLE[n] > 2 else 2


def recursive(n: int):  # recursive calls itself
    return 1 if n <= 1 else n * recursive(n - 1)


def even(n: int):  # even calls itself
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def logarithm(x: float):  # math.log is called, but not with 1 argument
    return 1 if math.log(x, 2) > 3 else 2


def cube_root(x: float):  # cbrt is called
    return 1 if cbrt(x) > 3 else 2


def rolls(x: float):  # random.random is called
    return 1 if random.random() > x else 2


def clock(x: float):  # time.time is called
    return 1 if time.time() > x else 2


def rounds(x: float):  # round is called, but not with 1 argument
    return 1 if round(x, 2) > 3 else 2


def opens(x: float):  # a with statement
    with open("/dev/null"):
        return 1 if x > 3 else 2


def unbound(x: float):  # y may have no value yet
    if x > 3:
        y = 1
    return y


def unbound_after_loop(n: int):  # y may have no value yet
    for i in range(n):
        y = i
    return 1 if y > 3 else 2


def doubling(function):
    return lambda x: function(2 * x)


@doubling
def decorated(x: float):  # decorated is decorated
    return 1 if x > 3 else 2


alias = cube_root


def calls_alias(x: float):  # alias is not a function that this file defines under that name
    return 1 if alias(x) > 3 else 2


class Scale:
    def __init__(self, k: float) -> None:
        self.k = k

    def method(self, x: float):  # a parameter is Scale
        return 1 if x > self.k else 2

    @staticmethod
    def static(x: float):  # Scale.static is a method or an inner function
        return 1 if x > 3 else 2


def takes_text(s: str):  # a parameter is str
    return 1 if s == "x" else 2


def takes_many(*xs: float):  # it takes *args
    return 1 if len(xs) > 2 else 2
