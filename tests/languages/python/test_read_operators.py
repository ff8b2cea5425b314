"""The terms of operators, functions and methods: what CPython computes, and where it raises, to the last bit."""

from __future__ import annotations

import ast
import functools
import math
import operator
import struct
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from zeroin.languages.python.front.code import ModuleSource, with_probes
from zeroin.languages.python.read.values.calls import Caller
from zeroin.languages.python.read.values.numbers import Carried, carry, typed_of
from zeroin.languages.python.read.values.probes import Probes
from zeroin.languages.python.read.values.recording import Recording, Stop
from zeroin.languages.python.read.values.rewrite import ReadingRewriter
from zeroin.languages.python.read.values.sequences import CarriedList
from zeroin.languages.python.read.values.texts import CarriedStr, DerivedStr, chars_of
from zeroin.languages.python.run.probes.source import Source
from zeroin.term.core.evaluate import evaluate, same
from zeroin.term.core.nodes import constant, variable
from zeroin.term.core.sorts import BOOL, FLOAT64, INT
from zeroin.term.expression.typed import DOUBLE, TRUTH, WHOLE, Typed

_KINDS: dict[type, Any] = {float: (FLOAT64, DOUBLE), int: (INT, WHOLE), bool: (BOOL, TRUTH)}
integers = st.one_of(st.integers(-20, 20), st.integers(-(2**70), 2**70), st.sampled_from([2**53, 2**53 + 1, 10**309]))
floats = st.one_of(st.floats(), st.integers(-8, 8).map(float), st.sampled_from([0.5, -0.0, 2.0**53, 1e308, 5e-324]))
numbers = st.one_of(integers, floats, st.booleans())


def outcome(call: Callable[[], Any]) -> Any:
    """What a call gives back, or the class of what it raises."""
    try:
        return call()
    except (ArithmeticError, ValueError, TypeError, IndexError, struct.error) as error:
        return type(error)


def is_same(a: Any, b: Any) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(is_same, a, b))
    return type(a) is type(b) and (same(a, b) if isinstance(a, float) else a == b)


def check(values: tuple[Any, ...], others: tuple[Any, ...], plain: Callable[..., Any],
          followed: Callable[..., Any]) -> None:  # fmt: skip
    """Whether a call of numbers gives the same with terms; and whether another input that satisfies the path condition
    has the result that the term has for it."""
    inputs = {f"v{n}": value for n, value in enumerate(values)}
    recording = Recording(inputs, {}, (), False)
    caller = Caller((), ())
    caller.recording = recording
    carried = [carry(recording, value, Typed(variable(f"v{n}", _KINDS[type(value)][0]), _KINDS[type(value)][1]))
               for n, value in enumerate(values)]  # fmt: skip
    found = outcome(lambda: followed(caller, *carried))
    recording.over()
    path, expected = recording.path(), outcome(lambda: plain(*values))
    if isinstance(expected, complex):
        return
    assert not path.ended
    assert path.holds(inputs)
    assert is_same(bare(found), expected)
    assert is_same(value_of(found, inputs), expected)
    again = {f"v{n}": value for n, value in enumerate(others)}
    if list(map(type, others)) == list(map(type, values)) and path.holds(again):
        assert is_same(value_of(found, again), outcome(lambda: plain(*others)))


def bare(found: Any) -> Any:
    """A value without its terms."""
    return tuple(map(bare, found)) if isinstance(found, tuple) else (
        found.unsettled() if isinstance(found, Carried) else found)  # fmt: skip


def value_of(found: Any, inputs: dict[str, Any]) -> Any:
    """What a value with terms is for inputs."""
    if isinstance(found, CarriedStr):
        size = evaluate(found.length, inputs)
        return "".join(chr(evaluate(char, inputs)) for char in found.chars[:size])
    if isinstance(found, list | tuple):
        return type(found)(value_of(item, inputs) for item in found)
    return evaluate(typed_of(found).term, inputs) if isinstance(found, bool | int | float) else found


BINARY = ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"]
_OPERATORS = dict(zip(BINARY, (operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv,
                               operator.mod, operator.pow, operator.and_, operator.or_, operator.xor,
                               operator.lshift, operator.rshift), strict=True))  # fmt: skip


def _are_large(sign: str, pair: tuple[Any, Any]) -> bool:
    """Whether the result would fill the memory."""
    a, b = pair
    return sign in ("**", "<<") and isinstance(a, int) and isinstance(b, int) and abs(b) > 200


@pytest.mark.parametrize("sign", BINARY)
@given(a=numbers, b=numbers, c=numbers, d=numbers)
@settings(max_examples=60, deadline=None)
def test_binary_operators(sign: str, a: Any, b: Any, c: Any, d: Any) -> None:
    assume(not _are_large(sign, (a, b)) and not _are_large(sign, (c, d)))
    assume(sign not in ("&", "|", "^", "<<", ">>") or (isinstance(a, int) and isinstance(b, int)))
    check((a, b), (c, d), _OPERATORS[sign], lambda caller, x, y: caller.binary(1, sign, x, y))


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "//", "%"])
@given(a=numbers, b=numbers)
@settings(max_examples=60, deadline=None)
def test_operators_of_the_values_themselves(sign: str, a: Any, b: Any) -> None:
    """As code that is not rewritten has them."""
    check((a, b), (b, a), _OPERATORS[sign], lambda caller, x, y: _OPERATORS[sign](x, y))


@pytest.mark.parametrize("function", [
    abs, bool, float, int, round, math.floor, math.ceil, math.trunc, math.sqrt, math.fabs, math.isnan, math.isinf,
    math.isfinite, math.sin, math.cos, math.tan, math.asin, math.acos, math.atan, math.sinh, math.cosh, math.tanh,
    math.exp, math.expm1, math.log, math.log2, math.log10, math.log1p, math.gamma, math.lgamma, math.erf, math.degrees,
    math.radians, math.frexp, math.modf, math.ulp, operator.neg, operator.pos,
], ids=lambda f: f.__name__)  # fmt: skip
@given(a=numbers, b=numbers)
@settings(max_examples=60, deadline=None)
def test_functions_of_a_number(function: Callable[..., Any], a: Any, b: Any) -> None:
    check((a,), (b,), function, lambda caller, x: caller.call(1, function, x))


@pytest.mark.parametrize("function", [
    min, max, divmod, pow, round, math.pow, math.fmod, math.copysign, math.atan2, math.hypot, math.remainder, math.gcd,
    math.ldexp, math.isclose, math.log, math.nextafter,
], ids=lambda f: f.__name__)  # fmt: skip
@given(a=numbers, b=numbers, c=numbers, d=numbers)
@settings(max_examples=60, deadline=None)
def test_functions_of_two_numbers(function: Callable[..., Any], a: Any, b: Any, c: Any, d: Any) -> None:
    assume(function is not pow or not (_are_large("**", (a, b)) or _are_large("**", (c, d))))
    if function is round:
        b, d = (int(n) % 40 - 20 if isinstance(n, int) or math.isfinite(n) else 0 for n in (b, d))
    check((a, b), (c, d), function, lambda caller, x, y: caller.call(1, function, x, y))


@given(a=st.one_of(integers), b=integers)
@settings(max_examples=60, deadline=None)
def test_inverting_an_int(a: int, b: int) -> None:
    check((a,), (b,), operator.invert, lambda caller, x: ~x)


@given(a=floats, b=floats)
@settings(max_examples=60, deadline=None)
def test_methods_of_floats(a: float, b: float) -> None:
    for name in ("is_integer", "conjugate", "hex", "as_integer_ratio"):
        check((a,), (b,), getattr(float, name), lambda caller, x, name=name: caller.call(1, getattr(x, name)))


# ---- texts ----

texts = st.text(st.sampled_from("ab,0 7-Aß\n+"), max_size=6)
_EXPRESSIONS = (
    "s == t", "s != t", "s < t", "s <= t", "s > t", "s >= t", "t in s", "s + t", "s.startswith(t)", "s.endswith(t)",
    "s.strip()", "s.strip(t)", "s.lstrip()", "s.rstrip('0')", "s.find(t)", "s.index(t)", "s.count(t)", "s.split(t)",
    "s.split()", "s.replace(t, 'xy')", "s.upper()", "s.lower()", "s.isdigit()", "s.isalpha()", "s.isspace()",
    "s.isupper()", "int(s)", "float(s)", "s[len(t)]", "s[1 : len(t)]", "s[-1]", "ord(s[0])", "s.join([t, 'a', s])",
    "list(s)", "s.title() == t", "s.partition('a')[0]", "s * 2 == t * 4", "[c for c in s]", "len(s) - len(t)",
    "bool(s)", "s in (t, 'a')", "chr(ord(s[0]) + 1)", "f'{s}{t}' == '07'", "{'a': 1, 'b': 2}.get(s, 3)",
    "s.partition(t)", "s.rpartition(t)", "s.rfind(t)", "s.rindex(t)", "s.removeprefix(t)", "s.removesuffix(t)",
    "list(reversed(s))", "'a0b-a'.rpartition(s)", "'ab0'.removesuffix(t)",
)  # fmt: skip


def _inputs(**given: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, text in given.items():
        found[f"len({name})"] = len(text)
        found |= {f"{name}[{n}]": ord(text[n]) if n < len(text) else 0 for n in range(6)}
    return found


_CALLER = Caller((), ())


@cache
def _rewritten(expression: str) -> Callable[..., Any]:
    """A function of two texts with its operations rewritten as those of a function that is read."""
    tree = ast.parse(f"def f(s, t):\n    return {expression}\n")
    assert isinstance(tree.body[0], ast.FunctionDef)
    ReadingRewriter({}).function(tree.body[0])
    codes = ModuleSource(Source(__file__, ""), tree).compile()
    return FunctionType(with_probes(codes["f", 1, 0], Probes((), _CALLER).probe), {})


@pytest.mark.parametrize("expression", _EXPRESSIONS)
@given(s=texts, t=texts, u=texts, v=texts)
@settings(max_examples=40, deadline=None)
def test_texts(expression: str, s: str, t: str, u: str, v: str) -> None:
    inputs, others = _inputs(s=s, t=t), _inputs(s=u, t=v)
    plain = eval(f"lambda s, t: {expression}")
    recording, run = Recording(inputs, {}, (), False), _rewritten(expression)
    _CALLER.recording = recording
    carried = [CarriedStr.of(recording, text, [variable(f"{name}[{n}]", INT) for n in range(6)],
                             variable(f"len({name})", INT)) for name, text in (("s", s), ("t", t))]  # fmt: skip
    found, expected = outcome(lambda: run(*carried)), outcome(lambda: plain(s, t))
    recording.over()
    path = recording.path()
    assert path.holds(inputs)
    assert value_of(found, inputs) == expected
    if path.holds(others) and not isinstance(found, DerivedStr):
        assert value_of(found, others) == outcome(lambda: plain(u, v))


def test_a_text_keeps_what_it_was_made_of() -> None:
    recording = Recording({"n": 3}, {}, (), False)
    caller = Caller((), ())
    caller.recording = recording
    number = carry(recording, 3, Typed(variable("n", INT), WHOLE))
    made = caller.joined(1, "n=", caller.format(1, number, -1, ""), "!")
    assert isinstance(made, str)
    assert not recording.path().asides
    assert chars_of(made) == tuple(constant(INT, ord(c)) for c in "n=3!")
    (aside,) = recording.path().asides
    assert aside.pins
    assert repr(aside.constraint) == "(= n 3)"


def test_a_list_tells_its_length_only_when_asked() -> None:
    recording = Recording({"len(xs)": 2, "xs[0]": 1.0}, {}, (), False)
    items = CarriedList.of(recording, [1.0, 2.0], variable("len(xs)", INT))
    assert items.item(0) == 1.0
    assert [repr(a.constraint) for a in recording.path().asides] == ["(< 0 len(xs))"]
    items.append(3.0)
    assert items == [1.0, 2.0, 3.0]
    shown = [repr(a.constraint) for a in recording.path().asides]
    assert shown[1:] == ["(< 0 len(xs))", "(< 1 len(xs))", "(not (< 2 len(xs)))"]


def test_nothing_is_written_down_after_the_end() -> None:
    recording = Recording({"x": 1.0}, {}, (), False)
    x = carry(recording, 1.0, Typed(variable("x", FLOAT64), DOUBLE))
    recording.over()
    assert type(x + 1.0) is float
    assert x < 3.0
    assert not recording.path().asides
    assert isinstance(recording.stop("too late"), Stop)


# ---- bits ----

_AGAIN = {1: "<B", 2: ">h", 4: "<f", 8: ">2I"}


@pytest.mark.parametrize("form", ["<d", ">d", "@d", "<f", "!f", "<q", ">Q", "i", "<H", "b", ">hBb", "@bi"])
@given(a=numbers, b=numbers)
@settings(max_examples=60, deadline=None)
def test_bytes_of_numbers(form: str, a: Any, b: Any) -> None:
    """Packed, and read as other numbers; ``@bi`` has a gap."""
    again, count = _AGAIN[struct.calcsize(form)], sum(map(str.isalpha, form))

    def through(call: Callable[..., Any], *values: Any) -> Any:
        return call(struct.unpack, again, call(struct.pack, form, *values))

    values, others = (a, 3, -1)[:count], (b, 3, -1)[:count]
    check(values, others, lambda *numbers: through(lambda function, *given: function(*given), *numbers),
          lambda caller, *numbers: through(functools.partial(caller.call, 1), *numbers))  # fmt: skip


def _mixed(call: Callable[..., Any], apply: Callable[..., Any], x: float, n: int) -> Any:
    """Bits of bits: ints that are made of a bit vector, beside ones that are not."""
    packed = call(struct.pack, "<dq", x, n)
    (low, high), whole = call(struct.unpack, "<2I", packed[:8]), call(int.from_bytes, packed[8:], "little", signed=True)
    exponent = apply("&", apply(">>", high, 20), 0x7FF)
    joined = apply("|", apply("<<", high, 32), low)
    of_parts = (
        call(int.from_bytes, b"\1" + packed[3:6] + b"\2", "big"),
        [*packed][9],
        packed == bytes(packed),
        len(packed),
    )
    of_low = (apply("^", whole, low), apply("<<", apply("&", low, 0), 3), packed[3])
    of_whole = (apply("&", whole, -256), apply(">>", whole, 70), apply("&", whole, n))
    signs = (apply("^", joined, -5), apply("^", apply(">>", whole, 40), whole))
    return (
        exponent,
        joined,
        of_parts,
        signs,
        apply(">>", high, 40),
        *of_low,
        *of_whole,
        apply("|", apply(">>", whole, 3), -5),
    )


@given(x=floats, n=st.integers(-(2**63), 2**63 - 1), y=floats, m=st.integers(-(2**63), 2**63 - 1))
@settings(max_examples=100, deadline=None)
def test_bits_of_bits(x: float, n: int, y: float, m: int) -> None:
    def plain(*given: Any) -> Any:
        return _mixed(lambda function, *a, **named: function(*a, **named), lambda s, a, b: _OPERATORS[s](a, b), *given)

    def followed(caller: Caller, *given: Any) -> Any:
        return _mixed(functools.partial(caller.call, 1), functools.partial(caller.binary, 1), *given)

    check((x, n), (y, m), plain, followed)


@given(x=floats, y=floats)
@settings(max_examples=100, deadline=None)
def test_bytes_that_are_compared_are_taken_from_the_run(x: float, y: float) -> None:
    def plain(number: float) -> bytes:
        return struct.pack("<d", number)

    def carried(caller: Caller, number: float) -> Any:
        return caller.call(1, struct.pack, "<d", number)

    half = plain(0.5)
    check((x,), (y,), lambda number: plain(number) == half, lambda caller, number: carried(caller, number) == half)
    check((x,), (y,), lambda number: {plain(number): 1}.get(half, 0),
          lambda caller, number: {carried(caller, number): 1}.get(half, 0))  # fmt: skip
    check((x,), (y,), lambda number: plain(number).hex(),
          lambda caller, number: caller.call(1, carried(caller, number).hex))  # fmt: skip
