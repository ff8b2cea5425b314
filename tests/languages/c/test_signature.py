"""What is fed to a compiled function: parameter kinds, arrays, NULL; and what is refused, with a reason."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from programs import Programs, words_of
from zeroin.errors import OptionError, TargetError, UnsupportedParameter
from zeroin.generate.domain import domain_of
from zeroin.languages.c.front.layout import Array, Scalar
from zeroin.languages.c.front.parameters import CParameter, CSignature
from zeroin.languages.c.front.signature import ArraySpec, ir_parameters
from zeroin.languages.c.llvm_ir.debug_info import DebugInfo
from zeroin.minimize.base import random_state, sample
from zeroin.subject.constant import Constant
from zeroin.words import Kind, bits_from_word, decode, encode, value_range


def only(signature: CSignature) -> CParameter:
    (parameter,) = signature.parameters
    return parameter


# ---- values ----


@pytest.mark.parametrize(
    ("type_", "kind", "shown"),
    [
        ("double", Kind.F64, "double"),
        ("float", Kind.F32, "float"),
        ("_Bool", Kind.BOOL, "_Bool"),
        ("char", Kind.I8, "char"),
        ("signed char", Kind.I8, "signed char"),
        ("unsigned char", Kind.U8, "unsigned char"),
        ("short", Kind.I16, "short"),
        ("unsigned short", Kind.U16, "unsigned short"),
        ("int", Kind.I32, "int"),
        ("unsigned", Kind.U32, "unsigned int"),
        ("long", Kind.I64, "long"),
        ("unsigned long", Kind.U64, "unsigned long"),
        ("long long", Kind.I64, "long long"),
        ("unsigned long long", Kind.U64, "unsigned long long"),
        ("const volatile int", Kind.I32, "const volatile int"),
    ],
)
def test_plain_parameters(programs: Programs, type_: str, kind: Kind, shown: str) -> None:
    subject = programs.load(f"{type_} f({type_} x) {{ return x; }}")
    assert only(subject.signature) == CParameter("x", shown, Scalar(kind))
    assert subject.signature.result == Scalar(kind)
    assert (subject.signature.arity, subject.signature.kinds) == (1, (kind,))


def test_several_parameters_keep_their_order(programs: Programs) -> None:
    subject = programs.load(
        "double f(signed char a, float b, _Bool c, unsigned short d, double e) { return a*1e6+b*1e4+c*1e2+d+e; }"
    )
    assert [p.name for p in subject.signature.parameters] == list("abcde")
    words = words_of(subject.signature, -3, 2.5, True, 65535, 0.25)
    assert subject.signature.arguments(words) == [-3, 2.5, True, 65535, 0.25]
    expected = -3 * 1e6 + 2.5 * 1e4 + 1e2 + 65535 + 0.25
    assert subject.replay(words).result == subject.observe(words).result
    assert subject.replay(words).result == bits_from_word(Kind.F64, encode(Kind.F64, expected))


def test_typedefs_keep_the_users_name(programs: Programs) -> None:
    subject = programs.load(
        "#include <stdint.h>\ntypedef double real; typedef const real fixed;\n"
        "real f(fixed x, uint8_t n, const real *p) { return x + n + *p; }"
    )
    assert [(p.type, p.kind, p.length) for p in subject.signature.parameters] == [
        ("fixed", Kind.F64, None), ("uint8_t", Kind.U8, None), ("const real *", Kind.F64, 1),
    ]  # fmt: skip
    assert (subject.signature.result_type, subject.signature.result) == ("real", Scalar(Kind.F64))


def test_old_style_definition(programs: Programs) -> None:
    subject = programs.load("float f(x, n, c) float x; int n; char c; { return x + n + c; }")
    assert [(p.name, p.kind) for p in subject.signature.parameters] == [
        ("x", Kind.F32), ("n", Kind.I32), ("c", Kind.I8),
    ]  # fmt: skip
    replay = subject.replay(words_of(subject.signature, 0.5, 1000, -100))
    assert replay.result == bits_from_word(Kind.F32, encode(Kind.F32, 900.5))


def test_static_function_that_nothing_calls(programs: Programs) -> None:
    subject = programs.load("static int f(int n) { return n > 2 ? n : 0; }\n")
    assert [subject.replay((n,)).result for n in (2, 3)] == [0, 3]


def test_no_parameters_and_no_result(programs: Programs) -> None:
    subject = programs.load("static int calls; void f(void) { if (calls == 0) calls = 1; }")
    assert (subject.signature.parameters, subject.signature.result) == ((), None)
    assert subject.replay(()).result is None


def test_parameter_without_a_name(programs: Programs) -> None:
    subject = programs.load("int f(int, double y) { return y > 1; }", name=".cpp")
    assert [p.name for p in subject.signature.parameters] == ["arg1", "y"]


def test_members_of_an_enumeration_are_worth_trying(programs: Programs) -> None:
    text = "enum color { RED = -3, GREEN = 7, BLUE = 100 };\nint f(enum color c, enum color *p) { return c == *p; }"
    members = Scalar(Kind.I32, (-3, 7, 100), True, ("RED", "GREEN", "BLUE"))
    first, second = programs.load(text).signature.parameters
    assert (first.type, first.layout) == ("enum color", members)
    assert (second.type, second.layout) == ("enum color *", Array(members, 1))
    assert second.hints() == [first.hints()[0]] == [(-3, 7, 100)]


def test_unsigned_and_small_enumerations(programs: Programs) -> None:
    assert only(programs.load("enum e { A, B }; int f(enum e x) { return x; }").signature).kind is Kind.U32
    text = "enum class e : unsigned char { A = 1, B = 255 };\nint f(e x) { return x == e::B; }"
    parameter = only(programs.load(text, name=".cpp").signature)
    assert parameter.layout == Scalar(Kind.U8, (1, 255), True, ("e::A", "e::B"))


@pytest.mark.parametrize(("text", "names"), [
    ("namespace n { enum e { A, B }; }\nint f(n::e x) { return x; }", ("n::A", "n::B")),
    ("namespace { enum class e { A }; }\nint f(e x) { return (int)x; }\nint g() { return f(e::A); }", ("e::A",)),
    ("struct s { enum e { A }; };\nint f(s::e x) { return x; }", ()),  # it may be private
])  # fmt: skip
def test_enumerators_are_called_as_at_the_end_of_the_file(
    programs: Programs, text: str, names: tuple[str, ...]
) -> None:
    layout = only(programs.load(text, name=".cpp").signature).layout
    assert isinstance(layout, Scalar)
    assert (layout.enumeration, layout.names) == (True, names)


def test_references(programs: Programs) -> None:
    subject = programs.load("bool f(int &x, const double &y) { x += 1; return x > y; }", name=".cpp")
    first, second = subject.signature.parameters
    assert (first.type, first.length, first.is_output) == ("int &", 1, True)
    assert (second.type, second.length, second.is_output) == ("const double &", 1, False)
    replay = subject.replay(words_of(subject.signature, [3], [3.5]))
    assert (replay.result, replay.outputs[0]) == (1, (4,))


# ---- pointers ----


@pytest.mark.parametrize(
    ("declaration", "kind", "length"),
    [
        ("double *a", Kind.F64, 1),
        ("double a[4]", Kind.F64, 4),
        ("int a[static 3]", Kind.I32, 3),
        ("const unsigned char a[ 64 ]", Kind.U8, 64),
        ("float a[SIZE]", Kind.F32, 6),
        ("float a[WIDE]", Kind.F32, 12),
        ("double a[2][3]", Kind.F64, 6),
        ("double (*a)[3]", Kind.F64, 3),
        ("short a[]", Kind.I16, 1),
        ("int a[4096]", Kind.I32, 4096),
        ("int a[4097]", Kind.I32, 1),  # more than is worth searching
    ],
)
def test_lengths_of_arrays(programs: Programs, declaration: str, kind: Kind, length: int) -> None:
    subject = programs.load(f"#define SIZE 6\n  # define WIDE (12)\nint f({declaration}) {{ return 1; }}")
    parameter = only(subject.signature)
    assert (parameter.kind, parameter.length, parameter.arity) == (kind, length, length)
    assert parameter.is_output == ("const" not in declaration)


def test_length_on_a_line_of_its_own(programs: Programs) -> None:
    subject = programs.load("int f(int n,\n      double\n      b[5],\n      double c[2])\n{ return n; }")
    assert [p.length for p in subject.signature.parameters] == [None, 5, 2]


@pytest.mark.parametrize("text", ["int f(int *p) { return p[3] > 1; }", "int f(int *p)\n{ return p[3] > 1; }"])
def test_an_index_in_the_body_is_no_declaration(programs: Programs, text: str) -> None:
    assert only(programs.load(text).signature).length == 4


def test_elements_arrive_and_come_back(programs: Programs) -> None:
    subject = programs.load("int f(short a[3]) { a[0] = a[1] + a[2]; return a[2]; }")
    words = words_of(subject.signature, [1, 20, -300])
    replay = subject.replay(words)
    assert replay.outputs == ((0x10000 - 280, 20, 0x10000 - 300),)
    assert replay.result == 0x100000000 - 300
    assert subject.signature.show(words) == "f({1, 20, -300})"


def test_given_lengths_and_counts(programs: Programs) -> None:
    specs = (ArraySpec("xs", 8, "n"), ArraySpec("ys", 2))
    subject = programs.load("int f(const double *xs, int n, float *ys, int k) { return n + k; }", arrays=specs)
    xs, n, ys, k = subject.signature.parameters
    assert (xs.length, ys.length, n.count_of, n.limit, k.count_of) == (8, 2, "xs", 8, None)
    assert n.ranges() == [(0, 8)]
    assert k.ranges() == [(-(1 << 31), (1 << 31) - 1)]
    assert subject.signature.arity == 8 + 1 + 2 + 1


@pytest.mark.parametrize("count", ["signed char", "unsigned", "long", "unsigned long", "_Bool"])
def test_a_count_of_any_type_stays_within_the_array(programs: Programs, count: str) -> None:
    text = f"long f(const long xs[4], {count} n) {{ return n; }}"
    subject = programs.load(text, arrays=(ArraySpec("xs", 4, "n"),))
    least, most = subject.signature.parameters[1].ranges()[0]
    results = [subject.replay((0, 0, 0, 0, word)).result for word in (least, most)]
    assert results == [0, 1 if count == "_Bool" else 4]


_INTEGERS = sorted({Kind.BOOL, *(kind for kind in Kind if kind.name[0] in "IU" and kind is not Kind.INT)})


@given(st.sampled_from(_INTEGERS), st.integers(1, 64), st.integers(0, 2**64 - 1))
def test_no_search_leaves_the_range_of_a_count(kind: Kind, length: int, seed: int) -> None:
    count = CParameter("n", "", Scalar(kind), count_of="xs", limit=length)
    domain = domain_of(
        CSignature("f", (count, CParameter("xs", "", Array(Scalar(kind), length), is_pointer=True))),
        [Constant.of_integer(seed)],
    )
    x, rng = np.zeros(1 + length, dtype=np.int64), random_state([seed])
    drawn = set(domain.pools[0])
    for _ in range(100):
        sample(domain.native, x, rng)
        drawn.add(int(x[0]))
    assert len(drawn) > 1
    assert {decode(kind, word) for word in drawn} <= {*range(min(length, value_range(kind)[1]) + 1)}


def test_a_count_of_two_arrays_is_that_of_the_shorter_one(programs: Programs) -> None:
    for lengths in ((4, 2), (2, 4)):
        specs = tuple(ArraySpec(name, length, "n") for name, length in zip(("xs", "ys"), lengths, strict=True))
        text = "int f(const int *xs, const int *ys, unsigned long n) { return n ? xs[n - 1] + ys[n - 1] : 0; }"
        count = programs.load(text, arrays=specs).signature.parameters[2]
        assert [decode(count.kind, word) for word in count.ranges()[0]] == [0, 2]


@pytest.mark.parametrize(
    "text", ["xs", "xs=", "xs=0", "xs=4097", "=3", "xs=3,", "xs=-1", "xs=3,n,m", "xs=a", "xs=" + 5000 * "7"]
)
def test_array_options_that_make_no_sense(text: str) -> None:
    with pytest.raises(OptionError, match=r"write NAME=LENGTH or NAME=LENGTH,COUNT with a length from 1 to 4096"):
        ArraySpec.parse(text)


def test_array_options() -> None:
    assert ArraySpec.parse("xs=64") == ArraySpec("xs", 64)
    assert ArraySpec.parse("xs=1,n") == ArraySpec("xs", 1, "n")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (ArraySpec("zs", 3), r"--array zs: f has no pointer parameter of that name \(it has: xs\)"),
        (ArraySpec("n", 3), r"--array n: f has no pointer parameter of that name"),
        (ArraySpec("xs", 3, "m"), r"--array xs: f has no integer parameter 'm' to hold the length"),
        (ArraySpec("xs", 3, "d"), r"--array xs: f has no integer parameter 'd'"),
        (ArraySpec("xs", 3, "xs"), r"--array xs: f has no integer parameter 'xs'"),
    ],
)
def test_array_options_that_do_not_fit(programs: Programs, spec: ArraySpec, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        programs.load("int f(const int *xs, int n, double d) { return n; }", arrays=(spec,))


@pytest.mark.parametrize(
    ("body", "nullable"),
    [
        ("if (p == 0) return 1;", True),
        ("if (p != NULL && *p > 1) return 1;", True),
        ("if (!p) return 1;", True),
        ("if (p) return 1;", True),
        ("return NULL == p ? 1 : 0;", True),
        ("while (p) return 1;", True),
        ("if (*p == 0) return 1;", False),
        ("if (q == 0) return 1;", False),
        ("return 2;", False),
    ],
)
def test_null_is_tried_where_the_subject_expects_it(programs: Programs, body: str, nullable: bool) -> None:
    subject = programs.load(f"#include <stddef.h>\nint f(int n, const int *p, const int *q) {{ {body} return n; }}")
    _, p, q = subject.signature.parameters
    assert p.nullable is nullable
    assert q.nullable is body.startswith("if (q")


def test_null_is_passed(programs: Programs) -> None:
    subject = programs.load("int f(const int *p, int n) { if (!p) return -1; return *p + n; }")
    assert subject.signature.kinds == (Kind.BOOL, Kind.I32, Kind.I32)
    null, some = words_of(subject.signature, None, 5), words_of(subject.signature, [7], 5)
    assert subject.signature.arguments(null) == [None, 5]
    assert subject.signature.show(null) == "f(NULL, 5)"
    assert subject.replay(null).result == (1 << 32) - 1
    assert subject.replay(null).outputs == (None,)
    assert subject.replay(some).result == 12


# ---- lengths that the code tells ----


@pytest.mark.parametrize(
    ("parameter", "body", "length"),
    [
        ("double *a", "a[0] = 1; a[2] = 3;", 3),
        ("double *a", "*(a + 1) = n;", 2),
        ("const float *a", "return a[5] > a[2];", 6),
        ("double a[2]", "if (n) a[1] = a[3];", 2),  # as declared
        ("int *a", "a++; a[2] = n;", 1),  # it does not begin there any more
        ("int *a", "a[n] = a[-1];", 1),
        ("int *a", "((char *)a)[9] = 1;", 3),
        ("long *a", "((double (*)[3])a)[1][0] = 1;", 6),
        ("double (*a)[3]", "a[1][2] = 1;", 6),
        ("int *a", "a[5000] = n;", 1),  # more than is searched
        ("struct pair { int x, y; } *a", "a[1].x = a->y;", 2),
        ("struct pair { int x, y; } *a", "a->y = n;", None),
    ],
)
def test_the_code_tells_how_many_elements_there_are(
    programs: Programs, parameter: str, body: str, length: int | None
) -> None:
    subject = programs.load(f"int f({parameter}, int n) {{ {body} return n; }}")
    assert subject.signature.parameters[0].length == length


def test_what_the_code_tells_is_counted_by_position(programs: Programs) -> None:
    text = """struct s { double a, b; }; struct big { double v[4]; };
    struct big f(struct s s, int *p, struct big big, float *q, int *r) {
        p[1] = q[2] > r[3]; big.v[0] = s.a; return big;
    }"""
    assert [p.length for p in programs.load(text).signature.pointers] == [2, 3, 4]
    subject = programs.load(text)
    zero = {"v": [0.0] * 4}
    words = words_of(subject.signature, {"a": 2.5, "b": 0.0}, [1, 1], zero, [1.0, 1.0, 1.0], [0] * 4)
    assert subject.replay(words).outputs[0] == (1, 1)
    assert subject.signature.show_result(subject.replay(words)) == "= {.v = {2.5, 0.0, 0.0, 0.0}}"


def test_a_given_length_comes_before_what_the_code_tells(programs: Programs) -> None:
    text = "void f(int *a) { a[7] = 1; }"
    assert only(programs.load(text, arrays=(ArraySpec("a", 9),)).signature).length == 9


# ---- refused ----

STRUCT = (
    "struct gap; struct deep { int a; struct { int *b; } in; }; struct node { int a; struct node *next; };\n"
    "struct wide { double a; __float128 b; }; struct tail { int n; double rest[]; }; struct none { };\n"
    "union u { int a; char *text; };\n"
    "typedef float four __attribute__((vector_size(16))); struct v { int n; four f; };\n"
)


@pytest.mark.parametrize(
    ("parameter", "type_", "reason"),
    [
        ("struct gap *bad", "struct gap *", "which the file does not define"),
        ("struct deep bad", "struct deep", "whose field 'in.b' is a pointer"),
        ("struct node bad", "struct node", "whose field 'next' is a pointer"),
        ("struct wide *bad", "struct wide *", "whose field 'b' has type '__float128', a float of a width other than"),
        ("struct tail *bad", "struct tail *", "whose field 'rest' has type 'double[]', an array of unknown size"),
        ("struct none *bad", "struct none *", "which has no field that zeroin can set"),
        ("union u bad", "union u", "whose field 'text' is a pointer"),
        ("__float128 bad", "__float128", "a float of a width other than 32 and 64 bits"),
        ("__float128 *bad", "__float128 *", "a float of a width other than 32 and 64 bits"),
        ("__int128 bad", "__int128", "which is not supported"),
        ("_Complex double bad", "complex", "a complex number"),
        ("four bad", "four", "a vector, which is not supported"),
        ("four *bad", "four *", "a vector"),
        ("struct v bad", "struct v", "whose field 'f' has type 'four', a vector"),
        ("double **bad", "double **", "a pointer to a pointer"),
        ("char *bad[3]", "char **", "a pointer to a pointer"),
    ],
)
def test_refused_parameters_are_named(programs: Programs, parameter: str, type_: str, reason: str) -> None:
    with pytest.raises(UnsupportedParameter) as caught:
        programs.load(STRUCT + f"int f(int fine, {parameter}, double *also_fine) {{ return fine; }}")
    message = str(caught.value)
    assert message.startswith(f"f: parameter 'bad' has type {type_!r}, {reason}")
    assert "\n" not in message


def test_other_refusals(programs: Programs) -> None:
    with pytest.raises(UnsupportedParameter, match=r"^f: takes a variable number of arguments"):
        programs.load("int f(int n, ...) { return n; }")
    with pytest.raises(UnsupportedParameter, match=r"^f: no constructor of S can be called$"):
        programs.load("struct S { S() = delete; int f(int x); }; int S::f(int x) { return x > 1; }", name=".cpp")
    with pytest.raises(UnsupportedParameter, match=r"^f: parameter 'arg1' has IR type 'ptr', compile with -g"):
        programs.load("define i32 @f(ptr %x) {\n  ret i32 0\n}\n", name=".ll")
    with pytest.raises(UnsupportedParameter, match=r"^f: parameter 'arg1' has IR type 'i17', which is not supported"):
        programs.load("define i32 @f(i17 %x) {\n  ret i32 0\n}\n", name=".ll")


@pytest.mark.parametrize("more", ["", "char *texts[9];"])
def test_a_struct_of_which_not_all_is_understood_may_be_returned(programs: Programs, more: str) -> None:
    text = f"struct s {{ int a; char *p; {more} }}; struct s f(int n) {{ struct s x; x.a = n; return x; }}"
    subject = programs.load(text)
    assert (subject.signature.result, subject.signature.result_type) == (None, "struct s")
    assert subject.replay((3,)).result is None


def test_a_vector_may_be_returned_too(programs: Programs) -> None:
    subject = programs.load("typedef int four __attribute__((vector_size(16)));\n"
                            "four f(int n) { return n > 3 ? (four){1, 2, 3, 4} : (four){n}; }")  # fmt: skip
    assert (subject.signature.result, subject.signature.result_type) == (None, "four")
    assert subject.replay((5,)).result is None


# ---- no such function ----


@pytest.mark.parametrize(
    ("text", "name", "wanted", "message"),
    [
        ("int foo(int x) { return x; }\nint bar(int x) { return x; }", ".c", "fooo",
         "no function 'fooo'; it defines foo, bar"),
        ("int x;\n", ".c", "f", "no function 'f'; it defines no function"),
        ("int f(int x) { return x; }\nint f(double x) { return 1; }", ".cpp", "f",
         "f is overloaded; name one of 'f(int)', 'f(double)'"),
    ],
)  # fmt: skip
def test_functions_that_are_not_there(programs: Programs, text: str, name: str, wanted: str, message: str) -> None:
    with pytest.raises(TargetError) as caught:
        programs.load(text, wanted, name)
    assert str(caught.value).endswith(message)


def test_an_overload_by_its_symbol(programs: Programs) -> None:
    subject = programs.load("int f(int x) { return x; }\nint f(double x) { return 1; }", "_Z1fd", ".cpp")
    assert subject.signature.kinds == (Kind.F64,)


# ---- reading the IR ----


@pytest.mark.parametrize(
    ("header", "returned", "types"),
    [
        ("define dso_local i32 @f(i32 noundef %0, ptr noundef %1) #0 !dbg !8 {", "i32", ["i32", "ptr"]),
        ("define void @f() {", "void", []),
        ("define { double, i32 } @f(<2 x float> %0, [2 x i64] %1) {", "{ double, i32 }", ["<2 x float>", "[2 x i64]"]),
        ("define zeroext i1 @f(i8 noundef signext %0) {", "i1", ["i8"]),
        ("define void @f(ptr noalias writable sret(%struct.s) align 4 %0, i32 %1) {", "void", ["ptr", "i32"]),
    ],
)  # fmt: skip
def test_headers(header: str, returned: str, types: list[str]) -> None:
    found, parameters = ir_parameters(header)
    assert (found, [p.type for p in parameters]) == (returned, types)


def test_attributes_that_a_call_must_repeat() -> None:
    _, (parameter, _) = ir_parameters("define void @f(i8 noundef signext %0, ptr byval(%struct.s) align 8 %1) {")
    assert parameter.attributes == "signext"


def test_type_names_of_debug_info() -> None:
    debug = DebugInfo(
        '!1 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)\n'
        "!2 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !1, size: 64)\n"
        "!3 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !2)\n"
        "!4 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)\n"
        "!5 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !2, size: 64)\n"
    )
    assert [debug.type_name(f"!{n}") for n in range(1, 6)] == ["int", "int *", "const int *", "void *", "int **"]


# ---- arguments that a user writes ----

WRITTEN = "int f(double x, unsigned char n, const int *p, const float a[2]) { return p == 0 ? n : x > a[0] + a[1]; }"


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("1.5, 6, None, [1, 2.5]", (1.5, 6, None, [1.0, 2.5])),
        ("-inf, 255, [-3], [0, 0]", (-np.inf, 255, [-3], [0.0, 0.0])),
    ],
)
def test_arguments_are_read_as_python_writes_them(programs: Programs, written: str, values: tuple[object, ...]) -> None:
    signature = programs.load(WRITTEN, arrays=(ArraySpec("a", 2),)).signature
    assert signature.words_of(written) == words_of(signature, *values)


@pytest.mark.parametrize(
    ("written", "why"),
    [("1.5", "f takes 4 arguments, not 1"), ("1, 256, None, [1, 2]", "n: 256 does not fit; it is any unsigned 8"),
     ("x, 1, None, [1, 2]", "write the arguments as in Python"), ("(", "write the arguments as in Python"),
     ("[1.0], 2, None, [1, 2]", "x: [1.0] does not fit; it is any double"),
     ("1, 2.5, None, [1, 2]", "n: 2.5 does not fit"),
     ("1, 2, [1, 2], [1, 2]", "p: [1, 2] does not fit; it points to 1 of"),
     ("1, 2, None, None", "a: None does not fit"),
     ("__import__('os'), 1, None, [1, 2]", "write the arguments as in Python")],
)  # fmt: skip
def test_arguments_that_are_none_are_refused(programs: Programs, written: str, why: str) -> None:
    signature = programs.load(WRITTEN, arrays=(ArraySpec("a", 2),)).signature
    with pytest.raises(OptionError, match=re.escape(why)):
        signature.words_of(written)


NOT_ACCEPTED = {
    "a number for a container": ("#include <vector>\nint f(std::vector<int> v) { return v.size() > 3; }", "5"),
    "None for a container": ("#include <vector>\nint f(std::vector<int> v) { return v.size() > 3; }", "None"),
    "a name and one too many": ("int f(int *a, int *b) { return *a > *b; }", "[5], a, 7"),
}


@pytest.mark.parametrize("name", NOT_ACCEPTED)
def test_arguments_that_do_not_fit_are_told(name: str, programs: Programs) -> None:
    text, arguments = NOT_ACCEPTED[name]
    subject = programs.load(text if "vector" not in text else text.replace("int f", 'extern "C" int f'), "f",
                            ".cpp" if "vector" in text else ".c")  # fmt: skip
    with pytest.raises(OptionError):
        subject.signature.words_of(arguments)


def test_a_pointer_to_long_double_may_lead_to_another(programs: Programs) -> None:
    text = "int f(long double *a, long double *b) { if (a == b) return 1; return *a > *b; }"
    subject = programs.load(text)
    assert subject.observe(subject.signature.words_of("[1.5], a")).result == 1
