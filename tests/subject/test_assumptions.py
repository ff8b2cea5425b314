"""What is assumed of inputs: how it is read, which inputs satisfy it, and what native code says of them."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from languages.python.modules import Modules
from programs import Programs
from sampling import examples
from zeroin.config import Options
from zeroin.errors import OptionError
from zeroin.extended import fraction
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.objective.guard import Guard
from zeroin.subject.preconditions import Preconditions, parsed
from zeroin.subject.subject import Subject
from zeroin.words import Kind, bits_from_word, decode
from zeroin.worker.precondition_check import set_preconditions

PYTHON = """
    from dataclasses import dataclass
    from typing import NamedTuple

    @dataclass
    class P:
        x: float
        n: int

    def f(x: float, n: int, b: bool, o: float | None, u: int | float, xs: list[float], ns: tuple[int, ...], p: P,
          ps: list[P], t: tuple[int, float], s: str, z: complex) -> int:
        return 1 if x > 0 else 2
    """
C = """
    struct p { double x; float w; int v[2]; unsigned long long u; };
    struct e { long double d; };
    int f(double x, float w, int n, unsigned char c, unsigned long long u, _Bool b, const struct p *p, struct p q,
          const double xs[4], const char *s, struct e e) {
        if (p == 0) return 0;
        return x > 0 ? 1 : s[0] ? (int)e.d : q.v[1];
    }
    """


@pytest.fixture
def python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PythonSubject:
    monkeypatch.syspath_prepend(str(tmp_path))
    return Modules(tmp_path).load(PYTHON)


@pytest.fixture
def c(programs: Programs) -> LlvmSubject:
    return LlvmSubject(programs.write(C), "f")


def assumed(subject: Subject, *texts: str, **options: Any) -> Preconditions:
    set_preconditions(subject, Options(assume=texts, **options), "f")
    assert subject.assumed is not None
    return subject.assumed


# ---- texts ----


def test_conditions_are_split_at_commas_outside_of_calls() -> None:
    assert parsed(["0 < x, max(x, y) < 3,y == y", " p->x > 0, n"]) == [
        "0 < x", "max(x, y) < 3", "y == y", "p.x > 0", "n",
    ]  # fmt: skip


REFUSED = [
    ("y > 0", "f has no number called y (it has: "),
    ("s > 0", "f has no number called s (it has: "),
    ("x > 5, x < 3", 'assume "x < 3": no value of x is > 5 and < 3'),
    ("n == 0.5", "no value of n is >= 0.5 and <= 0.5"),
    ("x <", "invalid syntax"),
    ("", "write a condition"),
    ("x", "not a condition"),
    ("x + n", "not a condition"),
    ("len(s) > 3, len(s) < 2", "no value of len(s) is > 3 and < 2"),
    ("x < w, w < x", "no input satisfies that (proved by"),
    ("x == w, x > 1, w < 1", "no input satisfies that within the assumed ranges (proved by"),
    ("x * x < -1", "no input satisfies that (proved by"),
    ("x < nan", "no value of x is < nan"),
]


@pytest.mark.parametrize(("text", "why"), [one for one in REFUSED if "w" not in one[0]])
def test_bad_python_conditions_are_refused_in_one_line(python: PythonSubject, text: str, why: str) -> None:
    with pytest.raises(OptionError) as error:
        assumed(python, text)
    assert why in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_bad_conditions_on_c_are_refused_in_one_line(c: LlvmSubject, text: str, why: str) -> None:
    with pytest.raises(OptionError) as error:
        assumed(c, text)
    assert why in str(error.value)
    assert "\n" not in str(error.value)


def test_what_is_said_of_several_targets_is_ignored_where_one_has_no_such_number(python: PythonSubject) -> None:
    found = assumed(python, "y > 0, 0 < x < y", "x < 1", shared=("y > 0, 0 < x < y", "x < 1"))
    assert found.signature.assumed == ("x < 1",)
    assert found.ignored == tuple(
        f'--assume "{text}" is ignored: f has no number called y' for text in ("y > 0", "0 < x < y")
    )


def test_what_is_said_of_one_function_is_not_ignored(python: PythonSubject) -> None:
    with pytest.raises(OptionError, match="no number called y"):
        assumed(python, "y > 0", "x < 1", shared=("x < 1",))


# ---- ranges ----

RANGED = ["0 < x <= 1e3", "x == x", "x == 2", "n < 5 and -3 <= n", "2 * 3 > n", "b == True", "x > -pi", "x >= -inf"]


@pytest.mark.parametrize("text", RANGED)
def test_comparisons_with_constants_become_ranges(python: PythonSubject, c: LlvmSubject, text: str) -> None:
    for subject in (python, c):
        before = subject.signature.ranges()
        found = assumed(subject, text)
        assert not found.conditions
        assert found.signature.ranges() != before


@pytest.mark.parametrize("text", RANGED)
def test_the_ends_of_a_range_satisfy_it_and_what_is_beyond_does_not(python: PythonSubject, c: LlvmSubject,
                                                                    text: str) -> None:  # fmt: skip
    for subject in (python, c):
        kinds, before = subject.signature.kinds, subject.signature.ranges()
        after = assumed(subject, text).signature.ranges()
        (at,) = [n for n, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
        value_of = _value_of(kinds[at])
        name = next(one for one in ("x", "n", "b") if one in text.replace("inf", "").replace("and", ""))

        def holds(word: int, value_of: Callable[[int], Any] = value_of, name: str = name) -> bool:
            return bool(eval(text, {name: value_of(word), "pi": math.pi, "inf": math.inf}))

        (low, high), (first, last) = after[at], before[at]
        assert holds(low)
        assert holds(high)
        assert low == first or not holds(low - 1)
        assert high == last or not holds(high + 1)


def _value_of(kind: Kind) -> Callable[[int], Any]:
    return lambda word: decode(kind, word)


def test_alternatives_without_a_value_are_left_out(python: PythonSubject) -> None:
    assumed(python, "0 < u < 1")
    parameter = python.signature.parameters[4]
    assert parameter.shape.type == "float"
    assert 0 < parameter.argument(tuple(low for low, _ in parameter.ranges())) < 1


def test_lengths_make_room(python: PythonSubject) -> None:
    found = assumed(python, "6 <= len(xs) < 9, len(s) <= 3, len(ns) >= 40")
    lengths: dict[str, Any] = {
        name: python.signature.parameters[n].shape for n, name in ((5, "xs"), (10, "s"), (6, "ns"))
    }
    assert {name: (one.low, one.high) for name, one in lengths.items()} == {"xs": (6, 8), "s": (0, 3), "ns": (40, 40)}
    assert not found.conditions


def test_strings_of_c_have_lengths(c: LlvmSubject) -> None:
    found = assumed(c, "2 <= len(s) < 5")
    string = c.signature.parameters[9]
    assert string.ranges()[:2] == [(1, 255)] * 2
    assert string.ranges()[4:] == [(0, 0)] * (string.arity - 4)
    assert found.holds(tuple(low for low, _ in c.signature.ranges()))


def floats_of(kinds: tuple[Kind, ...]) -> list[int]:
    return [n for n, kind in enumerate(kinds) if kind.is_float]


def test_finite_floats_are_finite_wherever_they_are(python: PythonSubject, c: LlvmSubject) -> None:
    for subject in (python, c):
        found = assumed(subject, finite=True)
        ranges, kinds = found.signature.ranges(), found.signature.kinds
        assert len(floats_of(kinds)) > 8
        for at in floats_of(kinds):
            assert all(math.isfinite(float(decode(kinds[at], word))) for word in ranges[at])
            assert not any(
                math.isfinite(float(decode(kinds[at], ranges[at][n] + step))) for n, step in ((0, -1), (1, 1))
            )
    wide = c.signature.kinds.index(Kind.F80)
    for word, beyond in zip(c.signature.ranges()[wide], (-1, 1), strict=True):
        assert fraction(bits_from_word(Kind.F80, word) << 16) is not None
        assert fraction(bits_from_word(Kind.F80, word + beyond) << 16) is None


# ---- which inputs satisfy a condition: judged by Python ----

NUMBERS = st.one_of(st.integers(-3, 3).map(float), st.sampled_from([math.nan, math.inf, -math.inf, 0.5, -0.0]))
CONDITIONS = {
    "x < n": lambda i: i["x"] < i["n"],
    "x * x + n <= 4": lambda i: i["x"] * i["x"] + i["n"] <= 4,
    "not x == 0": lambda i: i["x"] != 0,
    "b or x > 0": lambda i: i["b"] or i["x"] > 0,
    "xs[0] < xs[1]": lambda i: len(i["xs"]) < 2 or i["xs"][0] < i["xs"][1],
    "xs != x": lambda i: all(one != i["x"] for one in i["xs"]),
    "len(xs) != n": lambda i: len(i["xs"]) != i["n"],
    "0 < p.x < p.n": lambda i: 0 < i["p"].x < i["p"].n,
    "ps.x <= ps.n": lambda i: all(one.x <= one.n for one in i["ps"]),
    "o != x": lambda i: i["o"] is None or i["o"] != i["x"],
    "u != n": lambda i: i["u"] != i["n"],
    "t[0] + t[1] > -2 if b else x > 0": lambda i: i["t"][0] + i["t"][1] > -2 if i["b"] else i["x"] > 0,
    "len(ns) > len(s)": lambda i: len(i["ns"]) > len(i["s"]),
    "xs < ns": lambda i: all(a < b for a, b in zip(i["xs"], i["ns"], strict=False)),
}  # fmt: skip


def native(found: Preconditions, words: tuple[int, ...]) -> bool:
    """Whether the guard lets words pass."""
    outcome = ctypes.c_int64(0)
    objective = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)
    calls = list[int]()

    def run(address: int) -> float:
        calls.append(address)
        return 7.0

    inner = objective(run)
    guard = Guard([one.term for one in found.conditions], found.leaves, len(words), ctypes.addressof(outcome))
    address = guard.before(ctypes.cast(inner, ctypes.c_void_p).value or 0)
    memory = (ctypes.c_int64 * len(words))(*words)
    value = objective(address)(ctypes.addressof(memory))
    assert bool(calls) == (value == 7.0) == (outcome.value == 0)
    assert calls or 1e290 < value < math.inf
    return bool(calls)


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> dict[str, PythonSubject]:
    folder = tmp_path_factory.mktemp("judged")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        subjects = {text: Modules(folder).load(PYTHON) for text in CONDITIONS}
    for text, subject in subjects.items():
        assumed(subject, text)
    return subjects


@examples(100)
@given(text=st.sampled_from(sorted(CONDITIONS)), data=st.data())
def test_a_condition_holds_where_python_says_so(
    judged: dict[str, PythonSubject], text: str, data: st.DataObject
) -> None:
    subject = judged[text]
    found = subject.assumed
    assert found is not None
    values = {
        "x": NUMBERS, "n": st.integers(-2, 2), "b": st.booleans(), "o": st.none() | NUMBERS,
        "u": st.integers(-2, 2) | NUMBERS, "xs": st.lists(NUMBERS, max_size=3),
        "ns": st.lists(st.integers(-2, 2), max_size=3).map(tuple), "t": st.tuples(st.integers(-2, 2), NUMBERS),
        "s": st.text("ab", max_size=3), "z": st.just(0j),
        "p": st.builds(subject.home.module.P, NUMBERS, st.integers(-2, 2)),
        "ps": st.lists(st.builds(subject.home.module.P, NUMBERS, st.integers(-2, 2)), max_size=2),
    }  # fmt: skip
    inputs = {name: data.draw(strategy, name) for name, strategy in values.items()}
    expected = bool(CONDITIONS[text](inputs))  # type: ignore[no-untyped-call]
    try:
        words = tuple(word for p in subject.signature.parameters for word in p.shape.encode(inputs[p.name]))
    except ValueError:  # out of a range
        assert not expected
        return
    assert found.holds(words) == native(found, words) == expected


C_CONDITIONS = {
    "u > n": lambda a: a["u"] > a["n"] if a["n"] >= 0 else None,  # as C compares
    "u >= 9223372036854775808": lambda a: a["u"] >= 1 << 63,
    "u != 18446744073709551615": lambda a: a["u"] != (1 << 64) - 1,
    "n + n > 2147483648": lambda a: 2 * a["n"] > 1 << 31,  # in 64 bits
    "c * c > 1000": lambda a: a["c"] ** 2 > 1000,
    "w < x": lambda a: a["w"] < a["x"],
    "p->x < q.x": lambda a: a["p"] is None or a["p"]["x"] < a["q"]["x"],
    "q.v[0] < q.v[1]": lambda a: a["q"]["v"][0] < a["q"]["v"][1],
    "xs[0] <= xs[1] <= xs[3]": lambda a: a["xs"][0] <= a["xs"][1] <= a["xs"][3],
    "xs != x": lambda a: all(one != a["x"] for one in a["xs"]),
    "b == (n > 0)": lambda a: bool(a["b"]) == (a["n"] > 0),
}  # fmt: skip


@pytest.fixture(scope="module")
def judged_c(programs: Programs) -> dict[str, LlvmSubject]:
    subjects = {text: LlvmSubject(programs.write(C), "f") for text in C_CONDITIONS}
    for text, subject in subjects.items():
        assumed(subject, text)
    return subjects


@examples(100)
@given(text=st.sampled_from(sorted(C_CONDITIONS)), data=st.data())
def test_a_condition_on_c_holds_where_it_should(
    judged_c: dict[str, LlvmSubject], text: str, data: st.DataObject
) -> None:
    subject = judged_c[text]
    found = subject.assumed
    assert found is not None
    structure = st.fixed_dictionaries({"x": NUMBERS, "w": NUMBERS, "u": st.integers(0, (1 << 64) - 1),
                                       "v": st.lists(st.integers(-2, 2), min_size=2, max_size=2)})  # fmt: skip
    whole = st.integers(-(1 << 31), (1 << 31) - 1)
    values = {
        "x": NUMBERS, "w": NUMBERS, "n": whole, "c": st.integers(0, 255), "b": st.booleans(), "q": structure,
        "u": st.integers(0, (1 << 64) - 1) | st.sampled_from([0, 1 << 63, (1 << 63) - 1, (1 << 64) - 1]),
        "p": st.none() | structure, "xs": st.lists(NUMBERS, min_size=4, max_size=4), "s": st.just("ab"),
        "e": st.just({"d": 1.0}),
    }  # fmt: skip
    given = {name: data.draw(strategy, name) for name, strategy in values.items()}
    words = tuple(word for p in subject.signature.parameters for word in p.words_of(given[p.name]))
    expected = C_CONDITIONS[text](given)  # type: ignore[no-untyped-call]
    if expected is None:
        return
    assert found.holds(words) == expected
    if found.conditions:
        assert native(found, words) == expected


# ---- arrays of C that have as many elements as an integer says ----

COUNTED = """
    int f(const int *xs, const int *ys, const int *rows, int n, int k) {
        int c = 0;
        for (int i = 0; i < n; i++) if (xs[i] > ys[i]) c++;
        for (int i = 0; i < n * k; i++) c += rows[i];
        return c;
    }
    """
COUNTED_CONDITIONS = {
    "xs > 0": lambda a: all(x > 0 for x in a["xs"]),
    "xs < ys": lambda a: all(x < y for x, y in zip(a["xs"], a["ys"], strict=True)),
    "xs[1] == k": lambda a: len(a["xs"]) < 2 or a["xs"][1] == a["k"],
    "ys[2] + n != 5": lambda a: len(a["ys"]) < 3 or a["ys"][2] + a["n"] != 5,
    "rows <= 2": lambda a: all(row <= 2 for row in a["rows"]),
}


@pytest.fixture(scope="module")
def counted(programs: Programs) -> dict[str, LlvmSubject]:
    subjects = {text: LlvmSubject(programs.write(COUNTED), "f") for text in COUNTED_CONDITIONS}
    for text, subject in subjects.items():
        assert [p.extent.text for p in subject.signature.pointers if p.extent] == ["n", "n", "k * n"]
        assumed(subject, text)
    return subjects


@examples(100)
@given(text=st.sampled_from(sorted(COUNTED_CONDITIONS)), n=st.integers(-1, 4), k=st.integers(0, 3), data=st.data())
def test_elements_that_an_array_does_not_have_violate_nothing(
    counted: dict[str, LlvmSubject], text: str, n: int, k: int, data: st.DataObject
) -> None:
    subject = counted[text]
    found, small = subject.assumed, st.integers(-1, 4)
    assert found is not None
    counts = {"xs": max(n, 0), "ys": max(n, 0), "rows": max(n, 0) * k}
    values: dict[str, Any] = {"n": n, "k": k}
    values |= {name: data.draw(st.lists(small, min_size=m, max_size=m), name) for name, m in counts.items()}
    given = ", ".join(str(values[parameter.name]) for parameter in subject.signature.given)
    words = subject.words_of(given)
    expected = COUNTED_CONDITIONS[text](values)  # type: ignore[no-untyped-call]
    assert found.holds(words) == expected
    if found.conditions:
        assert native(found, words) == expected


def test_numbers_of_which_a_product_counts_can_only_be_compared_with_constants(programs: Programs) -> None:
    with pytest.raises(OptionError, match=r"rows can only be compared with numbers"):
        assumed(LlvmSubject(programs.write(COUNTED), "f"), "rows < n")
