"""What random programs have that real code has: numbers, containers and texts. Each feature adds words to a builder."""

from __future__ import annotations

import itertools

from .build import Block, Builder, indent

_BIG = "2**53 + 1", "2**1024", "-2**1024"
FLOATS = ("0.0", "-0.0", "0.25", "0.5", "0.75", "1.0", "1.5", "2.0", "2.5", "3.0", "3.5", "7.0", "-0.5", "-1.0", "-1.5",
          "-3.0", "1e16", "1e300", "1.7e308", "-1e300", "5e-324", "math.inf", "-math.inf", "math.nan", "2.0**53",
          "0", "1", "2", "3", "4", "-1", "-2", "-3", "False", "True", "2**53", *_BIG)  # fmt: skip


def bool_as_int(b: Builder) -> None:
    """A ``bool`` is accepted where ``int`` is annotated."""
    b.integer("x")
    b.conditions += [lambda: b.pick("isinstance(x, bool)", "x is True", "x is False", "type(x) is int",
                                    "type(x) is not int", "type(x) is bool", "not isinstance(x, bool)",
                                    "isinstance(x, int)", "x == True", "x is not True", 'str(x) == "True"',
                                    "f'{x}' == '1'")]  # fmt: skip
    b.statements.append(lambda: ["if isinstance(x, bool) or not isinstance(x, int):",
                                 f"    {b.pick('raise TypeError(x)', 'return -1', 'return 0')}"])  # fmt: skip


def int_as_float(b: Builder) -> None:
    """An ``int`` is accepted where ``float`` is annotated, however large it is."""
    b.parameter("u", "float", *FLOATS)
    b.conditions += [
        lambda: b.pick("isinstance(u, int)", "isinstance(u, float)", "type(u) is float", "u != u", "u == 2**53 + 1",
                       "u + 1.0 == u", "math.copysign(1.0, u) < 0", "abs(u) < 1", "u in (1, 2)", "u * 4.0 > 1e308",
                       "u == u", "u - u == 0", "isinstance(u, bool)", "u is True", "math.isinf(u)", "-u < u", "not u"),
        lambda: b.pick("round(u) == 2", "u // 1 == 2.0", "u % 2 == 1", "max(u, 0.0) == u", "u * u < 0",
                       "math.floor(u) > u",
                       "0 < u < 1 and u * 3 > 3", "u + 0.1 - 0.1 == u", "int(u) == u", "float(u) == u", "u * 0 == 0",
                       "u / 2 * 2 == u", "abs(u) >= 0", "(u > 1) == True", "u < 3 < u", "math.sqrt(abs(u)) > 1e200",
                       "min(u, 1) > 1", "u != u or u <= u", "u * 2 == 2**54 + 2", "u - 1 == u + 1",
                       "not u < 2 and u < 2",
                       "round(u) != u and u > 2**53", "u ** 2 == 2.25", "divmod(u, 2)[0] > u"),
        lambda: f"u {b.comparing()} {b.pick('0.5', '1', '2.5', '-1.5', '3', '0.0', '1e300')}",
    ]  # fmt: skip
    b.smalls += [lambda: b.pick("(1 if u > 2 else 0)", "int(max(-9.0, min(u, 9.0)))", "(u > 0) + (u > 1)")]


def mixtures(b: Builder) -> None:
    """Numbers of several types in one expression."""
    b.integer("x")
    b.boolean("y")
    b.conditions += [
        lambda: f"(x & 7) / {b.pick('2', '4', '(1 + y)')} {b.comparing()} {b.pick('1.5', '2', '0.5', 'y')}",
        lambda: f"(x & 3) * {b.pick('0.5', '1.5', 'y', '-0.0')} {b.comparing()} {b.pick('0', '1', 'y', '-0.0')}",
        lambda: b.pick("y == 1.0", "y is True", "(x & 1) == y", "(x & 3) ** y > 1", "round((x & 7) / 2) == 2",
                       "isinstance((x & 3) * 0.5, int)", "isinstance((x & 3) + y, bool)", "isinstance(y & True, bool)"),
    ]  # fmt: skip
    b.smalls += [lambda: b.pick("int((x & 7) * 0.75)", "y + True", "int((x & 7) // 2.0)", "round((x & 7) * 0.5)",
                                    "divmod(x & 7, 3)[1]", "int(-(x & 3) / 2)", "-(x & 7) // 2",
                                    "-(x & 7) % 3")]  # fmt: skip


def shifts(b: Builder) -> None:
    """Shifts, masks and complements of ints without a width."""
    b.integer("x")
    b.integer("z")
    b.smalls += [lambda: b.pick("1 << (x & 3)", "(x & 7) >> (z & 3)", "(x ^ z) & 7", "~x & 7", "(x | z) & 3", "-x & 7",
                                "(x << 2) & 31", "(x & 7) << (z & 7)", "(x >> 1) & 3", "(x & -x) & 7",
                                "((x & 3) << 2) | (z & 3)", "(1 << (z & 7)) - 1", "(x & 7).bit_length()")]  # fmt: skip
    b.conditions += [lambda: b.pick("(x & 7) << (z & 3) > 56", "(x & 3) >> 2", "x & 4 and x & 3 == 0", "x & z & 4 > 4",
                                    "(x ^ x) & 1", "(x & 6) | 1 == 2", "1 >> (x & 1) > (z & 1)", "(x & 3) << -1 > 2",
                                    "(x & 7) >> ((z & 3) - 1) > 3", "~x == -x - 1", "x & 7 == z & 7")]  # fmt: skip


def lists(b: Builder) -> None:
    """Lists of ints."""
    _list(b, "xs")
    if b.chance(0.4):
        _list(b, "ys")
        b.conditions.append(lambda: b.pick("xs is ys", "xs == ys", "len(ys) > len(xs)", "xs + ys == [1, 1]", "xs < ys"))
        b.statements.append(lambda: ["n = len(ys)", b.pick("xs.append(1)", "xs.extend([0])", "xs.clear()"),
                                     f"if len(ys) {b.pick('!=', '>', '<')} n:", f"    return {b.small()}"])  # fmt: skip


def _list(b: Builder, name: str) -> None:
    items = "0", "1", "3", "-2", "True", "6"
    pairs = [f"[{one}, {other}]" for one, other in itertools.product(items[:5], repeat=2)]
    values = ["[]", *(f"[{one}]" for one in (*items, "7", "4")), *pairs, "[0, 0, 0]", "[3, 1, 0]", "[0, 1, 3]",
              "[1, 1, 1, 1]", "[-2, 6, 1, 0, 3]"]  # fmt: skip
    b.parameter(name, "list[int]", *values, shared="list")
    b.conditions += [
        lambda: f"len({name}) {b.pick('>', '==', '<', '>=')} {b.rng.randint(0, 4)}",
        lambda: f"{name} {b.pick('and', 'and', 'or')} {name}[{b.pick('0', '-1')}] & 3 == {b.rng.randint(0, 4)}",
        lambda: b.pick(name, f"not {name}", f"3 in {name}", f"{name} == sorted({name})", f"{name}[:1] == [1]",
                       f"any(e & 1 for e in {name})", f"all(e < 4 for e in {name})", f"{name}[1] is True",
                       f"{name}[::-1] == {name}", f"len({name}) < 0", f"len(set({name})) < len({name})"),
    ]  # fmt: skip
    b.smalls += [lambda: b.pick(f"len({name})", f"sum({name}) & 7", f"{name}[0] & 3", f"{name}.count(1)",
                                f"(max({name}) if {name} else 0) & 7", f"len({name}[1:])", f"{name}[-1] & 1",
                                f"len([e for e in {name} if e > 0])", f"(({name} + [5])[0] & 7)")]  # fmt: skip

    def loops() -> Block:
        return [f"for e in {name}[:3]:", *indent([f"if e & 3 {b.pick('==', '>')} {b.rng.randint(0, 3)}:",
                                                  f"    {b.pick('break', 'return 5', 'continue')}",
                                                  f"if e == {b.rng.randint(-2, 4)}:",
                                                  f"    return {b.small()}"])]  # fmt: skip

    b.statements += [loops, lambda: [b.pick(f"{name}.append({b.small()})", f"{name}.sort()", f"{name} = {name}[:1]",
                                            f"{name}[0] = {b.small()}", f"{name}.reverse()", f"del {name}[:1]",
                                            f"{name} = {name} * 2", f"{name} = [e & 1 for e in {name}]")]]  # fmt: skip


def comprehensions(b: Builder) -> None:
    """Comprehensions, generators, and what takes them."""
    b.integer("x")
    b.smalls += [
        lambda: f"sum({b.pick('e', 'e * e', '1')} for e in range(x & 3) if e {b.comparing()} {b.rng.randint(0, 2)})",
        lambda: f"len([e for e in ({b.small(0)}, 1, 2) if e > {b.rng.randint(0, 3)}])",
        lambda: b.pick("len({e % 2 for e in range(x & 3)})", "max((e ^ 1 for e in range(x & 3)), default=0)",
                       "sorted(((x & 3), 2))[0]", "next((e for e in range(4) if e * 2 > x), 7)",
                       "sum(p * q for p, q in zip((1, 2), (x & 1, x & 2)))"),
    ]  # fmt: skip
    b.conditions += [lambda: b.pick("any(e == x for e in range(4))", "all(e < 2 for e in range(x & 3))",
                                    "x in [e * e for e in range(3)]", "x in {e: 1 for e in range(3)}",
                                    "[e for e in range(x & 3)] == [0, 2]", "(x & 3, 1) < (2, 0)")]  # fmt: skip


def strings(b: Builder) -> None:
    """Texts of a few letters; the program sees their beginnings and which of its own letters are in them."""
    letters = "a", "b", "1", "Z", " ", "\\u00e9", "\\u00b2", "\\u0663"
    twos = ["".join(pair) for pair in itertools.product(letters, repeat=2)]
    longer = "aab", "aba", "a b", "12", "-1", "abab", " a ", "aaaa", "1_0", "a,b", ",", "bbb", "baa"
    b.parameter("s", "str", *(f'"{text}"' for text in dict.fromkeys(("", *letters, *twos, *longer))))
    b.conditions += [
        lambda: " ".join(("s[:2]", b.pick("==", "!=", "<", ">="), b.pick('"ab"', '"a"', '"b"', '""', '"1"'))),
        lambda: f"len(s) {b.pick('>', '==', '<')} {b.rng.randint(0, 4)}",
        lambda: b.pick('s.startswith("a")', 's.endswith("b")', '"ab" in s', '"b" not in s', "s.isdigit()",
                       "s.isupper()",
                       "s", "not s", 's[0] == "a"', 's.strip() != s', 's in ("a", "ab", "b1")', 's.upper() == s',
                       's.lower() == "a"', 's == s[::-1]', 's.find("b") > 0', 's.startswith("ab") and s[0] == "b"',
                       's[:1].isdecimal() and not s[:1].isdigit()', 's.split(",") == [""]', 'len(s) < 0'),
    ]  # fmt: skip
    b.smalls += [lambda: b.pick("len(s)", 's.count("a")', 's.find("b")', 'len(s.split("a"))', "int(s[:1] == \"a\")",
                                "len(s.strip())", 'int("0" + s)', "len(s[1:])", "ord(s[0]) & 3", 'len(f"{s}-{len(s)}")',
                                'len(s.replace("a", ""))', "len(set(s))", "len(s + s)")]  # fmt: skip
    b.statements += [lambda: ["for c in s[:2]:", *indent([f"if c {b.pick('==', '!=', '<')} " + b.pick('"a":', '"b":',
            '"1":'),
                                                          f"    {b.pick('break', 'return 3', 'continue')}"])],
                     lambda: [b.pick("s = s[1:]", 's = s + "a"', 's = s.replace("b", "a")', "s = s.strip()",
                                     's = s[:1] * 2', "s = s.upper()")]]  # fmt: skip


def dicts(b: Builder) -> None:
    """Dictionaries with texts as keys."""
    values = "0", "1", "3", "True"
    one = [f"{{'{key}': {value}}}" for key in ("a", "b", "c") for value in values]
    two = [f"{{'{key}': {v}, 'b': {w}}}" for key in ("a", "c") for v, w in itertools.product(values, repeat=2)]
    three = '{"b": 1, "a": 0}', '{"a": 1, "b": 1, "c": 2}', '{"": 1}', '{"a": 6, "x": 0, "y": 1, "z": 2}'
    b.parameter("d", "dict[str, int]", "{}", *one, *two, *three, shared="dict")
    b.conditions += [
        lambda: f"len(d) {b.pick('>', '==', '<')} {b.rng.randint(0, 3)}",
        lambda: f"d.get('a', {b.pick('0', '-1', '5')}) & 7 {b.pick('==', '>', '<')} {b.rng.randint(0, 4)}",
        lambda: b.pick('"a" in d', '"b" not in d', "d", "not d", 'd["a"] == 1', 'd == {"a": 1}', 'd.get("b") is None',
                       '"a" in d and "a" not in d', "1 in d.values()", "list(d) == sorted(d)", 'd.get("a") is True',
                       'list(d)[0] == "b"', "len(d) < len(set(d.values()))", '"a" in d and len(d) == 0'),
    ]  # fmt: skip
    b.smalls += [lambda: b.pick("len(d)", 'd.get("a", 0) & 3', 'd["b"] & 3', "sum(d.values()) & 7",
                                "len(set(d.values()))",
                                'd.setdefault("c", 2) & 3', 'd.pop("a", 3) & 3')]  # fmt: skip
    b.statements += [lambda: [b.pick('d["a"] = 1', f'd["c"] = {b.small(0)}', 'd.pop("b", None)', "d.clear()",
                                     "d = dict(d, a=2)", 'd.update(b=0)')],
                     lambda: ["for key, value in sorted(d.items()):",
                              *indent([f"if key == 'a' {b.pick('and', 'or')} value & 1:",
                                       f"    {b.pick('break', 'return 2', 'continue')}"])]]  # fmt: skip


def tuples(b: Builder) -> None:
    """Tuples, as wholes and taken apart."""
    items = "0", "1", "3", "True", "-2"
    pairs = [f"({one}, {other})" for one, other in itertools.product(items, BOOLEAN)]
    b.parameter("t", "tuple[int, bool]", *pairs)
    b.conditions += [lambda: b.pick("t[1]", "t == (1, True)", "t < (1, False)", "t[0] is True", "len(t) == 2",
                                    "len(t) > 2",
                                    "t[0] & 3 == 3", "t in ((0, True), (3, False))", "t[0] == t[1]", "t[::-1] == t",
                                    "isinstance(t[0], bool)", "not t", "t[-1] is t[1]",
                                    "(t[0] & 1, 2) > (1, 1)")]  # fmt: skip
    b.smalls += [
        lambda: b.pick("t[0] & 3", "t[1] + 0", "sum(t) & 7", "len(t)", "max(t) & 3", "t.index(t[1])", "len(t + t)")
    ]
    b.statements.append(lambda: ["h, *rest = t", f"if {b.pick('rest == [True]', 'h & 1', 'not rest', 'h in rest')}:",
                                 f"    return {b.small()}"])  # fmt: skip


BOOLEAN = "False", "True"


def raw_bytes(b: Builder) -> None:
    """Bytes."""
    some = "00", "41", "61", "ff", "30"
    values = [f'b"{"".join(chr(92) + "x" + one for one in row)}"' for size in range(3)
              for row in itertools.product(some, repeat=size)]  # fmt: skip
    b.parameter("r", "bytes", *values, 'b"abc"', 'b"AAAA"', 'b"a\\x00b"')
    b.conditions += [lambda: b.pick('r[:1] == b"a"', 'r.startswith(b"A")', "r[0] > 96", "r[0] & 15 == 1", 'b"a" in r',
                                    "len(r) > 1", "r", "0 in r", "r == bytes(len(r))", 'r < b"a"', "r[0] > 255",
                                    "r[-1] == 255", "len(r) < 0", "r[0] < 0", 'r.isdigit()',
                                    "97 in r[1:2]")]  # fmt: skip
    b.smalls += [lambda: b.pick("len(r)", "r[0] & 3", "sum(r) & 7", "int.from_bytes(r[:1], 'big') >> 5",
                                "r.count(b'A')",
                                "(r[0] ^ r[-1]) & 1")]  # fmt: skip


def assumed(b: Builder) -> None:
    """What the user says of the inputs."""
    low, high = b.rng.randint(-3, 1), b.rng.randint(2, 9)
    numbers = [str(number) for number in range(low, high + 1)]
    flags = [flag for flag, value in (("False", 0), ("True", 1)) if low <= value <= high]
    b.parameter("a", "int", *numbers, *flags)
    b.assume = f"{low} <= a <= {high}"
    b.smalls += [lambda: b.pick("a", "a * a", "-a", "a + 1", "abs(a)", "a % 4", "a // 2", "a ^ 1")]
    b.conditions += [
        lambda: f"a {b.comparing()} {b.rng.randint(low - 2, high + 2)}",
        lambda: f"a * {b.rng.randint(2, 5)} {b.comparing()} {b.rng.randint(low * 5, high * 5)}",
    ]
