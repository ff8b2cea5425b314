"""Integers of any size."""

import math


def gcd_steps(a: int, b: int) -> int:
    """Steps of Euclid's algorithm; -1 when there are many.

    Raises:
        ValueError: there are more than 80.
    """
    a, b = abs(a), abs(b)
    steps = 0
    while b:
        a, b = b, a % b
        steps += 1
        if steps > 80:
            raise ValueError("too large")
    if a == 0:
        return 0
    if a == 997 and steps > 3:
        return 997
    if steps > 20:
        return -1
    return steps


def integer_root(n: int) -> str:
    """Squares and their neighbours.

    Raises:
        ValueError: n is negative.
    """
    if n < 0:
        raise ValueError("negative")
    root = math.isqrt(n)
    if root * root == n:
        if n > 10**9 and n % 1000 == 444:
            return "square that ends in 444"
        return "square"
    if root * root + root == n:
        return "product of neighbours"
    if (root + 1) * (root + 1) <= n:
        return "the root was too small"
    if root % 1000 == 999 and n == root * root + 1:
        return "just above"
    return "other"


def collatz(n: int) -> str:
    """How the sequence from n goes, for n up to a million."""
    if not 1 <= n <= 1_000_000:
        return "out of range"
    steps, top = 0, n
    while n != 1 and steps < 400:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
        if n > top:
            top = n
    if n != 1:
        return "long"
    if steps == 100:
        if top == 9232:
            return "a hundred steps, over 9232"
        return "a hundred steps"
    if top > 10_000_000_000:
        return "high"
    return "usual"


def digit_sums(n: int) -> str:
    """Of the decimal digits of n, up to 18 of them."""
    if not 0 < n < 10**18:
        return "out of range"
    total, cubes, rest = 0, 0, n
    while rest:
        rest, digit = divmod(rest, 10)
        total += digit
        cubes += digit**3
    if n % 9 == 0 and total % 9 != 0:
        return "broken arithmetic"
    if cubes == n and n > 1:
        if n % 2:
            return "odd Armstrong number"
        return "even Armstrong number"
    if total == 150:
        return "many nines"
    if total == 1:
        return "power of ten"
    return "other"
