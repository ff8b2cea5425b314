"""The checks for faults of operations, which the syntax tree carries as an attribute of the expression to check.

Most checks compare an operand with a limit before the operation: a divisor with 0, the argument of ``math.acos`` with
1. Others look at the operands and the result of an operation on floats, which never raises. Each check becomes a site,
whose true branch is the fault.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from dataclasses import dataclass

from .....distance import EQ, GE, GT, LE, LT, UNORDERED

CHECKS = "zeroin_checks"  # the attribute of an expression: its checks
NOT_BELOW = GE | UNORDERED  # also true for NaN

MOST_EXACT = 1 << 53  # up to this size, every integer is a float
EPSILON = 2.0**-52


@dataclass(frozen=True)
class Check:
    """A comparison of a number with a limit, which holds if an operation on the number fails.

    Attributes:
        kind: the kind of the fault, one of :data:`zeroin.config.FAULTS`.
        op: the comparison, as in :mod:`zeroin.distance`.
        limit: the right operand.
        size: whether the absolute value is compared instead of the number.
        around: the operation, whose source the report shows.
    """

    kind: str
    op: int
    limit: float
    size: bool
    around: ast.AST

    @property
    def detail(self) -> str:
        """The check as a text, for the placeholder of its probe."""
        return f"~{self.op} {int(self.size)} {self.limit.hex()}"


@dataclass(frozen=True)
class IndexCheck:
    """Whether an index is outside of a sequence, which is a variable.

    Attributes:
        sequence: the name of the variable.
        around: the operation, whose source the report shows.
    """

    sequence: str
    around: ast.AST
    kind = "bounds"


@dataclass(frozen=True)
class ResultCheck:
    """Whether the result of an operation on floats is wrong although its operands are not.

    Attributes:
        kind: a key of :data:`RESULTS`.
        around: the operation.
    """

    kind: str
    around: ast.AST


AnyCheck = Check | IndexCheck | ResultCheck
# The kinds of faults that results have, with the letter that stands for each in a placeholder.
RESULTS = {"overflow": "o", "nan": "n", "cancel": "c", "precision": "p"}
KINDS = {letter: kind for kind, letter in RESULTS.items()}


def checks_of(node: ast.AST) -> Sequence[AnyCheck]:
    """Return the checks of an expression, in order. Those of its result come last."""
    found: Sequence[AnyCheck] = getattr(node, CHECKS, ())
    return found


def add_check(node: ast.AST, check: AnyCheck) -> None:
    """Add a check to an expression."""
    several = [*checks_of(node), check]
    setattr(node, CHECKS, tuple(sorted(several, key=lambda one: isinstance(one, ResultCheck))))


def checks_before(node: ast.AST) -> Sequence[Check | IndexCheck]:
    """Return the checks of an expression's value, without those of the operation that makes it."""
    return [check for check in checks_of(node) if not isinstance(check, ResultCheck)]


def letters_of(node: ast.AST) -> str:
    """Return the kinds of a node's result checks, a letter each; empty if there are none."""
    return "".join(RESULTS[check.kind] for check in checks_of(node) if isinstance(check, ResultCheck))


def bits_of(letters: str) -> int:
    """Return the kinds of result checks as a bit set, in the order of :data:`RESULTS`."""
    return sum(1 << n for n, letter in enumerate(RESULTS.values()) if letter in letters)


def read_check(detail: str) -> tuple[int, bool, float]:
    """Return the comparison, whether the absolute value is compared, and the limit, of :attr:`Check.detail`."""
    op, size, limit = detail.removeprefix("~").split()
    return int(op), size == "1", float.fromhex(limit)


def holds_at(op: int, size: bool, limit: float, value: float) -> bool:
    """Return whether ``value op limit`` holds; if ``size``, of the absolute value."""
    left = abs(value) if size else value
    relation = UNORDERED if left != left else LT if left < limit else GT if left > limit else EQ
    return bool(op & relation)


def result_is_wrong(kind: str, sign: str, a: float, b: float, result: float) -> bool:
    """Return whether a float that an operation returns is wrong, though its operands are not.

    Args:
        kind: a key of :data:`RESULTS`.
        sign: the operator.
        a, b: the operands.
        result: the result.
    """
    floats = [x for x in (a, b) if isinstance(x, float)]
    if kind == "nan":
        return math.isnan(result) and not any(map(math.isnan, floats))
    finite = all(map(math.isfinite, floats))
    if kind == "overflow":
        return math.isinf(result) and finite
    if kind == "precision":
        whole = [x for x in (a, b) if not isinstance(x, float)]
        return (len(whole) == 1 or sign == "/") and any(abs(x) > MOST_EXACT for x in whole)
    lost = any(abs(result) <= abs(x) * EPSILON for x in floats)
    return len(floats) == 2 and finite and all(floats) and lost


def is_whole(limit: float) -> bool:
    """Whether a limit is an integer that a float represents exactly."""
    return math.isfinite(limit) and limit.is_integer() and abs(limit) < MOST_EXACT


_LARGEST_EXP, _LARGEST_SINH = 709.782712893384, 710.4758600739439  # above them, the result is too large
# For functions of ``math``: what is compared of the first argument. The comparison holds if the function raises.
DOMAINS: dict[str, tuple[str, int, float, bool]] = {
    **dict.fromkeys(("acos", "asin"), ("domain", GT, 1.0, True)),
    "atanh": ("domain", GE, 1.0, True),
    "acosh": ("domain", LT, 1.0, False),
    **dict.fromkeys(("sqrt", "isqrt", "factorial"), ("domain", LT, 0.0, False)),
    **dict.fromkeys(("log", "log2", "log10"), ("domain", LE, 0.0, False)),
    **dict.fromkeys(("gamma", "lgamma"), ("domain", EQ, 0.0, False)),  # and negative integers, which are not sought
    "log1p": ("domain", LE, -1.0, False),
    **dict.fromkeys(("sin", "cos", "tan"), ("domain", EQ, math.inf, True)),
    **dict.fromkeys(("exp", "expm1"), ("domain", GT, _LARGEST_EXP, False)),
    **dict.fromkeys(("sinh", "cosh"), ("domain", GT, _LARGEST_SINH, True)),
    **dict.fromkeys(("floor", "ceil", "trunc"), ("cast", NOT_BELOW, math.inf, True)),
}
