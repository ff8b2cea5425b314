"""Where starting points come from: values worth trying, drawn from the subject's own constants."""

from __future__ import annotations

import math

import pytest

from programs import Programs
from zeroin.generate.domain import domain_of, hurried, narrowed
from zeroin.languages.c.front.layout import Scalar
from zeroin.languages.c.front.parameters import CParameter, CSignature
from zeroin.languages.c.front.signature import ArraySpec
from zeroin.minimize.dictionary import derived, special
from zeroin.subject.constant import Constant
from zeroin.words import (
    OWN_WORDS,
    Kind,
    Number,
    decode,
    encode,
    nearest,
    value_range,
    word_from_bits,
    word_near,
    word_range,
)


def pool(
    kind: Kind, constants: list[Constant] | None = None, values: tuple[int, ...] = (), **fields: object
) -> list[Number]:
    """The values of the pool of one parameter."""
    parameter = CParameter("x", "", Scalar(kind, values), **fields)  # type: ignore[arg-type]
    domain = domain_of(CSignature("f", (parameter,)), constants or [])
    assert domain.kinds == (kind,) * len(domain.pools)
    return [decode(kind, word) for word in domain.pools[-1]]


@pytest.mark.parametrize("kind", list(Kind))
def test_pools_are_in_range_and_without_repetition(kind: Kind) -> None:
    constants = [
        Constant(Kind.I32, 7),
        Constant(Kind.I64, (1 << 64) - 1),
        Constant(Kind.F64, 0x3FF8000000000000),
        Constant(Kind.I8, 200),
        Constant(Kind.BOOL, 1),
    ]
    domain = domain_of(CSignature("f", (CParameter("x", "", Scalar(kind)),)), constants)
    ((low, high),) = domain.ranges
    assert (low, high) == word_range(kind)
    assert all(low <= word <= high for word in domain.pools[0])
    assert len(set(domain.pools[0])) == len(domain.pools[0])


def test_special_floats() -> None:
    for kind, largest in ((Kind.F64, 1.7976931348623157e308), (Kind.F32, 3.4028234663852886e38)):
        values = pool(kind)
        for value in (0.0, 1.0, -1.0, 0.5, math.inf, -math.inf, largest, -largest):
            assert value in values
        assert any(v == 0 and math.copysign(1, v) < 0 for v in values)
        assert any(v != v for v in values)


@pytest.mark.parametrize("kind", [k for k in Kind if not k.is_float and k not in (*OWN_WORDS, Kind.INT, Kind.CHAR)])
def test_special_integers(kind: Kind) -> None:
    low, high = value_range(kind)
    assert {low, 0, 1, high} <= set(pool(kind))


@pytest.mark.parametrize("kind", OWN_WORDS)
def test_special_values_of_floats_of_other_widths(kind: Kind) -> None:
    values = [nearest(kind, word) for word in special(kind)]
    assert {0.0, 1.0, -1.0, 0.5, math.inf, -math.inf} <= set(values)
    assert any(v != v for v in values)
    assert {nearest(kind, word) for word in derived(kind, Constant.of_float(2.75))} > {2.75, -2.75}
    assert word_near(kind, 2.0) in derived(kind, Constant.of_integer(2))


def test_special_values_of_python() -> None:
    assert {0, 1, -1, -(1 << 63), 1 << 64} <= set(pool(Kind.INT))
    assert {ord("a"), ord("0"), ord(" ")} <= set(pool(Kind.CHAR))
    constants = [Constant(Kind.CHAR, ord("q")), Constant(Kind.I64, 300), Constant(Kind.F64, 0x401C000000000000)]
    assert set(pool(Kind.CHAR, constants)) - set(pool(Kind.CHAR)) == {ord("q")}
    assert {299, 300, 301, 7} <= set(pool(Kind.INT, constants))


def test_constants_and_their_neighbours() -> None:
    assert {99, 100, 101} <= set(pool(Kind.I32, [Constant(Kind.I32, 100)]))
    assert {-101, -100, -99} <= set(pool(Kind.I32, [Constant(Kind.I32, (1 << 32) - 100)]))
    assert {6, 7, 8} <= set(pool(Kind.I32, [Constant(Kind.F64, 0x401C000000000000)]))
    floats = pool(Kind.F64, [Constant(Kind.F64, 0x401C000000000000)])
    assert {7.0, -7.0, math.nextafter(7.0, 8.0), math.nextafter(7.0, 6.0)} <= set(floats)
    assert 7.0 in pool(Kind.F64, [Constant(Kind.I32, 7)])


@pytest.mark.parametrize(
    ("kind", "of", "value"),
    [
        (Kind.U32, Kind.I32, 4_000_000_000),
        (Kind.U64, Kind.I64, (1 << 64) - 2),
        (Kind.U16, Kind.I16, 50_000),
        (Kind.U8, Kind.I8, 200),
    ],
)
def test_large_constants_of_unsigned_parameters(kind: Kind, of: Kind, value: int) -> None:
    assert {value - 1, value, value + 1} <= set(pool(kind, [Constant(of, value)]))


def test_constants_that_are_bits_of_a_double() -> None:
    """ix < 0x3e400000, where ix is the high half of a double."""
    words = [encode(Kind.F64, v) for v in pool(Kind.F64, [Constant(Kind.I32, 0x3E400000)])]
    for bits in (0x3E400000_00000000, 0x3E3FFFFF_FFFFFFFF, 0x3E400000_FFFFFFFF, 0xBE400000_00000000):
        assert word_from_bits(Kind.F64, bits) in words
    assert word_from_bits(Kind.F64, 0x123456789) in [
        encode(Kind.F64, v) for v in pool(Kind.F64, [Constant(Kind.I64, 0x123456789)])
    ]


def test_members_of_an_enumeration() -> None:
    assert {-3, 7, 100} <= set(pool(Kind.I32, values=(-3, 7, 100)))


@pytest.mark.parametrize("kind", [Kind.I8, Kind.U16, Kind.I32, Kind.U32, Kind.I64, Kind.U64])
def test_the_used_length_of_an_array(kind: Kind) -> None:
    values = pool(kind, [Constant(Kind.I8, 5)], count_of="xs", limit=8)
    assert {0, 1, 5} <= set(values)
    assert all(0 <= v <= 8 for v in values)


def test_a_domain_of_a_program(programs: Programs) -> None:
    subject = programs.load(
        "int f(const double *xs, int n, char c) { if (!xs || c == 'q') return 1; return n > 2 && xs[1] < 0.125; }",
        arrays=(ArraySpec("xs", 3, "n"),),
    )
    domain = domain_of(subject.signature, subject.constants)
    assert domain.kinds == (Kind.BOOL, Kind.F64, Kind.F64, Kind.F64, Kind.I32, Kind.I8)
    assert domain.ranges[0] == (0, 1)
    assert domain.ranges[4] == (0, 3)
    assert domain.pools[1] == domain.pools[2] == domain.pools[3]
    assert encode(Kind.F64, 0.125) in domain.pools[1]
    assert ord("q") in domain.pools[5]
    assert set(domain.pools[0]) == {0, 1}


def test_a_narrow_domain_has_what_the_function_compares_with_unless_that_is_huge() -> None:
    constants = [Constant.of_integer(-77123), Constant.of_integer(10**12)]
    domain = domain_of(
        CSignature("f", (CParameter("n", "", Scalar(Kind.INT)), CParameter("x", "", Scalar(Kind.F64)))), constants
    )
    narrow = narrowed(domain, constants)
    low, high = narrow.ranges[0]
    assert -(1 << 18) < low < -77123 < 77123 < high < 1 << 18
    assert -77123 in narrow.pools[0]
    assert 10**12 in domain.pools[0]
    assert all(low <= word <= high for word in narrow.pools[0])
    assert (narrow.ranges[1], narrow.pools[1]) == (domain.ranges[1], domain.pools[1])
    assert narrowed(domain, []).ranges[0] == (-(1 << 14), 1 << 14)


@pytest.mark.parametrize("kind", [Kind.I32, Kind.F64, Kind.INT])
def test_who_is_in_a_hurry_tries_what_is_compared_with_first(kind: Kind) -> None:
    constants = [Constant.of_integer(value) for value in (3, 77123, 1000)]
    domain = domain_of(CSignature("f", (CParameter("x", "", Scalar(kind)),)), constants)
    other = hurried(domain, constants)
    assert [decode(kind, word) for word in other.pools[0][:3]] == [77123, 1000, 3]
    assert sorted(other.pools[0]) == sorted(domain.pools[0])
    assert (other.kinds, other.ranges, other.runs) == (domain.kinds, domain.ranges, domain.runs)
    assert hurried(domain, []).pools == domain.pools
