"""Which integers say how long arrays are, by code and by name; how arrays lie that have such a length."""

from __future__ import annotations

from pathlib import Path

import pytest

from c_tests import check
from programs import Programs, ended, words_of
from zeroin import Budget, Options, cover
from zeroin.errors import OptionError
from zeroin.languages.c.front.parameters import CParameter
from zeroin.words import Kind, decode, encode


def extents(programs: Programs, parameters: str, body: str, before: str = "") -> dict[str, str]:
    """What says how long each array is, of those of which something does."""
    text = f"#include <stddef.h>\n#include <stdio.h>\n#include <string.h>\n{before}\nint f({parameters}) {{ {body} }}"
    signature = programs.load(text).signature
    return {p.name: p.extent.text for p in signature.pointers if p.extent is not None}


SUM = "int s = 0; for (int i = 0; i < n; i++) s += xs[i]; return s;"


@pytest.mark.parametrize(
    ("parameters", "body", "found"),
    [
        ("int *xs, int n", SUM, {"xs": "n"}),
        ("int n, const int *xs", SUM, {"xs": "n"}),
        ("int *xs, int n", "int s = 0; for (int i = n - 1; i >= 0; i--) s += xs[i]; return s;", {"xs": "n"}),
        ("int *xs, int n", "int s = 0; for (int i = 0; i <= n - 1; i++) s += xs[i]; return s;", {"xs": "n"}),
        ("int *xs, int n", "int s = 0; for (int i = 0; i <= n; i++) s += xs[i]; return s;", {"xs": "n"}),
        ("int *c, int degree", "int s; for (int i = degree; i >= 0; i--) s += c[i]; return s;", {"c": "degree + 1"}),
        ("int *a, int *b, unsigned n", "int s = 0; while (n--) s += *a++ * *b++; return s;", {"a": "n", "b": "n"}),
        ("int *xs, int n", "int *e = xs + n, s = 0; for (int *p = xs; p != e; p++) s += *p; return s;", {"xs": "n"}),
        ("int *m, int r, int c", "int s = 0; for (int i = 0; i < r; i++) for (int j = 0; j < c; j++) "
         "s += m[i * c + j]; return s;", {"m": "c * r"}),
        ("char *px, int n", "int s = 0; for (int i = 0; i < n; i++) s += px[3 * i + 2]; return s;", {"px": "3 * n"}),
        ("double *to, const double *from, size_t n", "memcpy(to, from, n * sizeof *to); return 0;",
         {"to": "n", "from": "n"}),
        ("char *out, size_t room, int x", 'return snprintf(out, room, "%d", x);', {"out": "room"}),
        ("int *xs, int n, int i", "return i < 0 || i >= n ? -1 : xs[i];", {"xs": "n"}),
        ("unsigned char *data, size_t len", "return len < 3 ? 0 : data[0] + data[2];", {"data": "len"}),
        ("int (*m)[3], int n", "int s = 0; for (int i = 0; i < n; i++) s += m[i][1]; return s;", {"m": "3 * n"}),
        ("const void *data, size_t n", "const unsigned char *p = data; int s = 0; while (n--) s += *p++; return s;",
         {"data": "n"}),
        # none:
        ("int *xs, int i", "return xs[i];", {}),
        ("double *y, int n", "y[0] = n; y[1] = 2 * n; return 0;", {}),
        ("double *y, int count", "*y = count > 3; return 0;", {}),
        ("int xs[4], int n", SUM, {}),
        ("int *xs", "int s = 0; for (int i = 0; xs[i]; i++) s += xs[i]; return s;", {}),
        ("double *x, double n", "return x[0] > n;", {}),
    ],
)  # fmt: skip
def test_lengths(programs: Programs, parameters: str, body: str, found: dict[str, str]) -> None:
    assert extents(programs, parameters, body) == found


NODE = "struct node { int key; struct node *left, *next; };"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("while (t && t->key != k) t = k < t->key ? t->left : t->next; return t != NULL;", {}),
        ("while (t) { if (k < t->key) t = t->left; else t = t->next; } return 0;", {}),
        ("int s = 0; for (int i = 0; i < k; i++) { s += t->key; t = t->next; } return s;", {}),
        ("int s = 0; for (int i = 0; i < k; i++) { s += t->key; t++; } return s;", {"t": "k"}),
    ],
)
def test_a_pointer_that_goes_to_another_object_is_no_array(
    programs: Programs, body: str, found: dict[str, str]
) -> None:
    assert extents(programs, "struct node *t, int k", body, NODE) == found


def test_lengths_are_found_in_what_is_called(programs: Programs) -> None:
    helper = "static int sum(const int *v, int m) { int s = 0; for (int i = 0; i < m; i++) s += v[i]; return s; }"
    assert extents(programs, "int *xs, int n", "return sum(xs, n) / 2;", helper) == {"xs": "n"}


def test_what_the_user_says_stands(programs: Programs) -> None:
    from zeroin.languages.c.front.signature import ArraySpec

    told = programs.load(f"int f(int *xs, int n) {{ {SUM} }}", arrays=(ArraySpec("xs", 5, "n"),)).signature
    xs, n = told.parameters
    assert (xs.extent, xs.length, n.ranges()) == (None, 5, [(0, 5)])


@pytest.mark.parametrize(("type_", "condition", "limit"), [
    ("int", "n > 0", 8), ("int", "n > 20", 22), ("unsigned short", "n > 1024", 1026), ("size_t", "n > 100000", 8),
])  # fmt: skip
def test_a_length_may_be_more_than_what_it_is_compared_with(
    programs: Programs, type_: str, condition: str, limit: int
) -> None:
    text = f"#include <stddef.h>\nint f(char *xs, {type_} n) {{ if ({condition}) return -1; {SUM} }}"
    xs, n, spare = programs.load(text).signature.parameters
    assert xs.extent is not None
    assert xs.extent.spare == spare.name
    assert n.limit == xs.extent.most - spare.ranges()[0][1] == limit
    assert len(xs.cells) == min(64, limit)
    assert decode(n.kind, n.ranges()[0][0]) == (-(2**31) if type_ == "int" else 0)


SUMS = """
double f(const double *xs, int n) { double s = 0.0; for (int i = 0; i < n; i++) s += xs[i]; return s; }
double g(const double *xs, int n) { double s = 0.0; for (int i = 0; i <= n; i++) s += xs[i]; return s; }
double h(const double *xs, int n) { double s = 0.0; for (int i = n; i-- >= 0; ) s += xs[i]; return s; }
double k(const double *xs, int n) { if (n > 100) return xs[n - 1]; return n > 0 ? xs[n - 1] : -1.0; }
double m(const double *xs, unsigned rows, unsigned n)
{
    double s = 0.0;
    for (unsigned i = 0; i < rows; i++) for (unsigned j = 0; j < n; j++) s += xs[i * n + j];
    return s;
}
"""


def words(*given: float) -> tuple[int, ...]:
    *numbers, n = given
    return (*(encode(Kind.F64, number) for number in numbers), encode(Kind.I32, n))


EIGHT = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]


def test_arrays_end_where_their_length_says(programs: Programs) -> None:
    every = [words(*EIGHT, n) for n in (0, 1, 5, 8, -3)]
    assert ended(programs, SUMS, "f", *every) == [
        f"RETURNED {encode_bits(x)}" for x in (0.0, 1.0, 15.0, 36.0, 0.0)]  # fmt: skip
    assert ended(programs, SUMS, "g", *every[:4]) == [
        f"SEGV read of xs[{n}], one element past the buffer of {n}" for n in (0, 1, 5, 8)]  # fmt: skip
    assert ended(programs, SUMS, "h", *every[:2]) == [
        f"SEGV read of xs[-1], one element before the buffer of {n}" for n in (0, 1)]  # fmt: skip


def encode_bits(x: float) -> int:
    import struct

    return int(struct.unpack("<Q", struct.pack("<d", x))[0])


def test_what_no_word_says_is_zero(programs: Programs) -> None:
    subject = programs.load(SUMS, "k")
    xs, n, _ = subject.signature.parameters
    assert (len(xs.cells), n.limit) == (64, 102)
    given = [1.5] * 64
    assert subject.signature.exact_result(subject.replay((*words(*given, 64), 0))) == "0x1.8p+0"
    assert subject.signature.exact_result(subject.replay((*words(*given, 101), 0))) == "0x0p+0"
    assert len(subject.signature.arguments((*words(*given, 101), 0))[0]) == 101


def test_a_call_has_the_elements_that_it_uses(programs: Programs) -> None:
    signature = programs.load(SUMS, "f").signature
    full = (*words(*EIGHT, 3), 0)
    assert signature.show(full) == "f({1.0, 2.0, 3.0}, 3)"
    assert signature.show((*words(*EIGHT, -3), 0)) == "f({}, -3)"
    assert signature.tidy(full) == (*words(1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3), 0)
    assert signature.words_of("[1.0, 2.0, 3.0], 3") == signature.tidy(full)


def test_an_array_may_have_more_elements_than_its_length_counts(tmp_path: Path, programs: Programs) -> None:
    text = "int f(const int *xs, int n) { int s = 0; for (int i = 0; i < n; i++) s += xs[i]; if (xs[0] == 7 && n == 0)"
    text += " return 1; return s; }"
    signature = programs.load(text).signature
    longer = signature.words_of("[7, 8], 0")
    assert longer[-1] == 2
    assert signature.show(longer) == "f({7, 8}, 0)"
    assert signature.arguments(longer) == [[7, 8], 0]
    with pytest.raises(OptionError, match=r"xs: it has 6 elements, but n = 2 means 5"):
        signature.words_of("[1, 2, 3, 4, 5, 6], 2")
    (tmp_path / "a.c").write_text(text)
    suite = cover(f"{tmp_path}/a.c:f", Options(budget=Budget(200_000, 20.0)))
    assert {verdict.verdict for verdict in suite.verdicts} == {"covered"}
    check(suite, tmp_path / "tests")


@pytest.mark.parametrize(("low", "high", "limit"), [(90, 110, 22), (90, 93, 8), (10, 30, 8), (90, 190, 8)])
@pytest.mark.parametrize("is_called", [False, True])
def test_a_loop_may_count_from_one_constant_to_another(
    programs: Programs, low: int, high: int, limit: int, is_called: bool
) -> None:
    loop = (
        f"if (x == {low}) {{ for (int i = 0; i < n; i++) if (xs[i] == 15) x++; if (x == {high}) return 1; }} return 0;"
    )
    text = f"int f(int x, const int *xs, int n) {{ {loop} }}"
    if is_called:
        inner = text.replace("int f", "static int inner")
        text = f"{inner}\nint f(int x, const int *xs, int n) {{ return inner(x, xs, n); }}"
    assert programs.load(text).signature.parameters[2].limit == limit


@pytest.mark.parametrize(
    ("body", "limit"),
    [
        ("int c = 0; for (int i = 0; i < n; i++) if (xs[i] > 0) c++; return c == 18;", 20),
        ("int c = 0; for (int i = 0; i < n; i++) { if (xs[i] > 0) c++; else c = 0; if (c > 11) break; } return 0;", 13),
        ("int left = 20; while (n-- > 0) if (*xs++ > 3) left--; return left == 0;", 22),
        ("int c = 0; for (int i = 0; i < n; i++) if (xs[i] % 3 == 0) c += 3; return c > 50;", 18),
        ("int a = 0, b = 0; for (int i = 0; i < n; i++) xs[i] > 0 ? a++ : b++; return a == 11 && b == 12;", 25),
        ("int a = 0, b = 0; for (int i = 0; i < n; i++) xs[i] > 0 ? a++ : b++; return a == 30 && b == 12;", 32),
        ("int c = 0; for (int i = 0; i < n; i++) if (xs[i] > 0) c++; return c == 1800;", 8),
        ("int t[20], s = 0; for (int i = 0; i < 20; i++) t[i] = n; for (int i = 0; i < n; i++) s += xs[i]; "
         "return s + t[9];", 8),
    ],
)  # fmt: skip
def test_an_array_is_as_long_as_its_counters_need(programs: Programs, body: str, limit: int) -> None:
    signature = programs.load(f"int f(const int *xs, int n) {{ {body} }}").signature
    assert signature.parameters[1].limit == limit


def test_a_small_length_has_all_its_values(programs: Programs) -> None:
    xs, n, _ = programs.load(f"int f(char *xs, unsigned char n) {{ {SUM} }}").signature.parameters
    assert (n.limit, xs.length) == (255, 8)


def test_a_length_that_does_not_fit_is_refused(programs: Programs) -> None:
    signature = programs.load(SUMS, "f").signature
    with pytest.raises(OptionError, match=r"xs: it has 2 elements, but n = 3 means 3"):
        signature.words_of("[1.0, 2.0], 3")


def test_rows_and_columns(programs: Programs) -> None:
    signature = programs.load(SUMS, "m").signature
    xs = signature.parameters[0]
    assert isinstance(xs, CParameter)
    assert xs.extent is not None
    assert xs.extent.elements({"rows": 2, "n": 3}) == 6
    assert xs.extent.elements({"rows": -2, "n": -3}) == 0
    assert signature.words_of("[1, 2, 3, 4, 5, 6], 2, 3")[6] == encode(xs.kind, 0.0)


def test_outputs_have_as_many_elements(programs: Programs) -> None:
    subject = programs.load("int f(int *to, int n) { for (int i = 0; i < n; i++) to[i] = i + 1; return n; }")
    given = words_of(subject.signature, [9] * 8, 3)
    for replay in (subject.replay(given), subject.observe(given)):
        assert subject.signature.outputs(replay) == {"to": ["1", "2", "3"]}
    assert subject.signature.outputs(subject.replay(words_of(subject.signature, [9] * 8, 0))) == {"to": []}
