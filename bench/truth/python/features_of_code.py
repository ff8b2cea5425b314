"""What random programs have that real code has: classes, exceptions and functions."""

from __future__ import annotations

import itertools

from .build import BOOLS, NUMBERS, Block, Builder, indent

_LEVELS = "0", "1", "2", "3", "True", "-5", "9"


def _classes(b: Builder) -> tuple[str, str, str]:
    """A class, a subclass that overrides a method, and one of that; their names."""
    base, sub, deeper = f"P{b.tag}", f"Q{b.tag}", f"R{b.tag}"
    kept = b.pick("level", "level & 3", "level")
    b.helpers += [
        [f"class {base}:", *indent(["def __init__(self, level: int) -> None:", f"    self.level = {kept}", "",
                                    "def kind(self) -> int:", f"    return {b.pick('1', 'self.level & 1', '2')}"])],
        [f"class {sub}({base}):", *indent(["def kind(self) -> int:",
                                           f"    return {b.pick('4', '5 + (self.level & 1)', '0')}"])],
        [f"class {deeper}({sub}):", *indent(["def __len__(self) -> int:", "    return self.level & 3"])],
    ]  # fmt: skip
    return base, sub, deeper


def _instance(b: Builder, name: str, classes: tuple[str, str, str]) -> None:
    values = [f"{cls}({level})" for cls, level in itertools.product(classes, _LEVELS)]
    b.parameter(name, classes[0], *values, shared="instance")
    base, sub, deeper = classes
    b.conditions += [
        lambda: f"{name}.level {b.pick('<', '>', '==', '>=')} {b.rng.randint(-3, 6)}",
        lambda: f"{name}.kind() {b.pick('==', '>', '<')} {b.rng.randint(0, 5)}",
        lambda: b.pick(f"type({name}) is {base}", f"isinstance({name}, {sub})", f"type({name}) is {sub}",
                       f"isinstance({name}, {base})", name, f"not {name}", f"isinstance({name}, ({deeper}, int))",
                       f"type({name}) is not {base}", f"hasattr({name}, 'kind')", f"{name} is None",
                       f"type({name}).__name__ == '{deeper}'", f"{name}.level is True"),
    ]  # fmt: skip
    b.smalls += [lambda: b.pick(f"{name}.kind()", f"{name}.level & 3", f"isinstance({name}, {sub}) + 1")]
    b.statements += [lambda: [b.pick(f"{name}.level = {b.small(0)}", f"{name}.level += 1", f"{name} = {sub}(1)")],
                     lambda: [f"if type({name}) is not {base}:", f"    return {b.small()}"]]  # fmt: skip


def subclasses(b: Builder) -> None:
    """Instances of subclasses are accepted."""
    _instance(b, "p", _classes(b))


def same_object(b: Builder) -> None:
    """One object may be handed over for two parameters."""
    classes = _classes(b)
    _instance(b, "p", classes)
    _instance(b, "q", classes)
    b.conditions += [lambda: b.pick("p is q", "p == q", "p is not q", "p.level > q.level")]
    b.statements += [lambda: [f"p.level = {b.rng.randint(0, 3)}", f"q.level = {b.rng.randint(4, 7)}",
                              f"if p.level {b.pick('==', '>')} {b.rng.randint(3, 5)}:",
                              f"    return {b.small()}"]]  # fmt: skip


def dataclasses(b: Builder) -> None:
    """A dataclass, with values of its own for what is left out."""
    name = f"D{b.tag}"
    b.helpers.append([f"@dataclass({b.pick('frozen=True', 'order=True', '')})", f"class {name}:",
                      *indent(["n: int", "on: bool = False", "", "@property", "def twice(self) -> int:",
                               "    return (self.n & 3) * 2"])])  # fmt: skip
    values = [f"{name}({n}, {on})" for n, on in itertools.product(_LEVELS, BOOLS)]
    b.parameter("c", name, *values, shared="dataclass")
    b.conditions += [lambda: f"c.twice {b.pick('==', '>', '<')} {b.rng.randint(0, 7)}",
                     lambda: b.pick("c.on", f"c == {name}(1)", "not c.on", "c.n is True", "c.n & 3 == 2",
                                    "c.on and c.n < 0",
                                    f"c != {name}(c.n, c.on)", "isinstance(c.n, bool)", "c.on == c.n")]  # fmt: skip
    b.smalls += [lambda: b.pick("c.twice", "c.n & 3", "c.on + 1")]


def subclass_of_int(b: Builder) -> None:
    """A class of the file that is an int, and accepted where one is annotated."""
    name, level = f"E{b.tag}", f"N{b.tag}"
    b.helpers += [[f"class {name}(enum.IntEnum):", "    LOW = 1", "    HIGH = 6"],
                  [f"class {level}(int):",
                   *indent([f"def {b.pick('__gt__', '__mod__', '__and__', '__eq__')}(self, other: object) -> int:",
                            f"    return {b.pick('77', 'True', 'False', '-1')}", "",
                            "__hash__ = int.__hash__"])]]  # fmt: skip
    b.parameter("x", "int", *NUMBERS, f"{name}.LOW", f"{name}.HIGH", f"{level}(2)", f"{level}(-9)")
    b.conditions += [lambda: f"x {b.pick('<', '>', '==', '>=')} {b.rng.randint(-5, 7)}",
                     lambda: b.pick(f"isinstance(x, {name})", f"x is {name}.HIGH", "type(x) is int",
                                    f"isinstance(x, {level})",
                                    "isinstance(x, bool)", f"x in ({name}.LOW, 3)",
                                    "type(x) in (int, bool)")]  # fmt: skip
    b.smalls += [lambda: b.pick("x & 3", "x & 7", "(x > 2) + 1")]


def enums(b: Builder) -> None:
    """An enumeration."""
    name = f"C{b.tag}"
    b.helpers.append([f"class {name}(enum.Enum):", "    RED = 1", "    GREEN = 2", "    BLUE = 'b'"])
    b.parameter("m", name, f"{name}.RED", f"{name}.GREEN", f"{name}.BLUE")
    b.conditions += [lambda: b.pick(f"m is {name}.RED", f"m == {name}.BLUE", "m.value == 2", "m == 1", f"m in {name}",
                                    f"m in ({name}.RED, {name}.GREEN)", "m.name > 'BLUE'", "isinstance(m.value, int)",
                                    f"m is not {name}.GREEN", "m", "not m", f"len({name}) == 4",
                                    "m is None")]  # fmt: skip
    b.smalls += [lambda: b.pick("len(m.name)", f"list({name}).index(m)")]


def optional(b: Builder) -> None:
    """None, a number or a text."""
    b.parameter("o", b.pick("Optional[int]", "int | None"), "None", *NUMBERS)
    b.parameter("w", "Union[str, bool]", '""', '"a"', '"b"', '"ab"', *BOOLS)
    b.conditions += [lambda: b.pick("o is None", "o is not None and o > 3", "not o", "o == 0", "isinstance(o, int)",
                                    "o is None or o < -3", "isinstance(o, bool)", "o is not None and o is None"),
                     lambda: b.pick("isinstance(w, str)", "w is True", 'w == "a"', "w", "not w", "type(w) is bool",
                                    'isinstance(w, bool) and w == 1', 'w in ("a", "ab")', "w == 1")]  # fmt: skip
    b.smalls += [lambda: b.pick("(o or 3) & 3", "(0 if o is None else 2)", "len(str(w))", "(o & 1)", "len(w)")]


def literals(b: Builder) -> None:
    """Parameters that are one of a few values."""
    b.parameter("k", 'Literal["r", "w", "rw"]', '"r"', '"w"', '"rw"')
    b.parameter("l", "Literal[1, 2, 4, 8]", "1", "2", "4", "8")
    b.conditions += [lambda: b.pick('k == "r"', '"w" in k', 'k == "x"', "len(k) > 1", 'k.startswith("r")', 'k < "rw"',
                                    'k in ("r", "w")', "k is None", 'k + k == "rr"'),
                     lambda: b.pick("l > 4", "l == 3", "l & 3", "l in (1, 2)", "l * l == 16", "l % 3 == 0", "l > 8",
                                    "l & (l - 1)", "l + len(k) == 6")]  # fmt: skip
    b.smalls += [lambda: b.pick("len(k)", "l", "l >> 1", "l - 1")]


def exceptions(b: Builder) -> None:
    """Exceptions that are raised, caught, and on their way seen by ``finally``."""
    base, sub, helper = f"Odd{b.tag}", f"VeryOdd{b.tag}", f"check{b.tag}"
    b.helpers += [[f"class {base}(Exception):", "    pass"], [f"class {sub}({base}):", "    pass"],
                  [f"def {helper}(n: int) -> int:",
                   *indent([f"if n & 3 == {b.rng.randint(0, 3)}:", f"    raise {b.pick(base, sub, 'ValueError')}(n)",
                            f"if n > {b.rng.randint(2, 9)}:", f"    raise {b.pick(sub, 'KeyError', 'TypeError')}(n)",
                            f"return n {b.pick('+', '-')} 1"])]]  # fmt: skip
    b.integer("x")

    def tried() -> Block:
        name = b.local()
        risky = b.pick(f"{helper}({b.small()})", f"10 // {b.inner()}", f"(1, 2, 3)[{b.small()}]",
                       f"int('{b.pick('7', 'x')}')",
                       f'{{1: 2, 3: 4}}[{b.small()}]', f"{helper}({helper}({b.small()}))")  # fmt: skip
        lines = ["try:", f"    {name} = {risky}"]
        if b.chance(0.3):
            lines += indent([f"if {b.condition()}:", f"    {b.pick('return 4', f'raise {base}(1)', f'raise {sub}')}"])
        kinds = b.rng.sample([base, sub, "ValueError", "(KeyError, IndexError)", "ZeroDivisionError", "LookupError",
                              "Exception", f"({sub}, TypeError)"], b.rng.randint(1, 2))  # fmt: skip
        for kind in kinds:
            lines += [f"except {kind}:", f"    {b.pick(f'{name} = -1', 'return 7', f'{name} = 2', 'raise')}"]
        if b.chance(0.3):
            lines += ["else:", f"    {name} = {name} + {b.small()}"]
        if b.chance(0.3):
            lines += ["finally:", f"    {b.pick('pass', 'x = 0', f'{name} = 5')}"]
        return [f"{name} = 0", *lines, f"if {name} {b.pick('==', '>', '<')} {b.rng.randint(-1, 5)}:",
                f"    return {b.small()}"]  # fmt: skip

    b.statements.append(tried)


def closures(b: Builder) -> None:
    """Functions inside of the function, with ``nonlocal`` and default values that are taken when they are made."""
    b.integer("x")
    step = b.rng.randint(1, 3)
    b.head = ["count = 0", "", "def bump(by=1):", "    nonlocal count",
              f"    if count > {b.rng.randint(2, 5)}:", "        return count", f"    count += by * {step}",
              "    return count",
              "", f"late = [lambda: i for i in range({b.rng.randint(2, 3)})]",
              f"early = [lambda i=i: i for i in range({b.rng.randint(2, 3)})]"]  # fmt: skip
    b.conditions += [lambda: f"count {b.pick('>', '==', '<')} {b.rng.randint(0, 6)}",
                     lambda: f"bump({b.pick('', '2', 'x & 3', '0')}) {b.pick('>', '==')} {b.rng.randint(0, 7)}",
                     lambda: b.pick("late[0]() == 0", "early[1]() == 1", "late[0]() == late[1]()",
                                    "early[0]() > x & 1")]  # fmt: skip
    b.smalls += [lambda: b.pick("bump()", "count", "late[0]()", "early[1]()", "bump(x & 1)")]
    b.statements.append(lambda: [b.pick("bump()", "bump(2)", "count = 0", "count -= 1")])


def defaults(b: Builder) -> None:
    """Arguments that may be left out, or be anything else than the default."""
    b.parameter("k", "int", "", *NUMBERS, default=str(b.rng.randint(-2, 5)))
    b.bases += ["k & 3", "k & 7"]
    b.parameter("flag", "bool", "", *BOOLS, default=b.pick(*BOOLS))
    b.conditions += [lambda: f"k {b.pick('==', '>', '<', '!=')} {b.rng.randint(-4, 6)}",
                     lambda: b.pick("flag", "not flag", "flag and k > 2", "k is True", "flag is None")]  # fmt: skip


def unannotated(b: Builder) -> None:
    """A parameter of which nobody says what it is."""
    values = ("None", '""', '"a"', '"b"', '"nearest"', "[]", "[1]", "(1, 2)", "{}", '{"a": 1}', "0.5", "2.5",
              "math.nan",
              "-0.0", "b'a'", "1j", "object()", "len", "int", *NUMBERS[::3], "3", "False", "True",
              *(f"Anything({seed})" for seed in range(24)))  # fmt: skip
    b.parameter("u", "", *values)
    some = [
        lambda: f"u {b.pick('<', '>', '==', '!=')} {b.pick('3', '0', '1.5', '-2')}",
        lambda: b.pick("u & 3 == 1", "u % 4 > 1", "u & 3 > 3", "u * u < 0", "u < 3 and u > 5", "u == 2 and u == 3"),
        lambda: b.pick('u == "a"', 'u in ("a", "b")', 'u != "nearest"', 'u == "a" and u > 1'),
        lambda: b.pick("isinstance(u, str)", "isinstance(u, (int, float))", "isinstance(u, bool)", "callable(u)"),
        lambda: b.pick("u is None", "u is not None", "not u", "u", "u is True", "u == u", "u != u"),
        lambda: b.pick("len(u) > 1", "len(u) == 0", "u[0] == 1", "len(u) < 0"),
        lambda: b.pick("type(u) is int", "hasattr(u, 'real')", "type(u) is float and u > 1"),
    ]  # fmt: skip
    b.conditions += b.rng.sample(some, b.rng.randint(1, 3))
    b.conditions += [lambda: "u is None"] * b.chance(0.3)


def recursion(b: Builder) -> None:
    """A function that calls itself."""
    helper = f"walk{b.tag}"
    b.helpers.append([f"def {helper}(n: int, depth: int = 0) -> int:",
                      *indent([f"if depth > {b.rng.randint(3, 6)}:", f"    return {b.pick('-1', 'n & 1')}",
                               f"if n <= {b.rng.randint(0, 2)}:", f"    return {b.pick('0', 'depth', '1')}",
                               f"if n & 1 {b.pick('and depth > 2', 'or depth == 1', 'and n > 4')}:",
                               f"    return {helper}(n - 1, depth + 1) + 1",
                               f"return {helper}({b.pick('n // 2', 'n - 2', 'n - 1')}, depth + 1)"])])  # fmt: skip
    b.integer("x")
    b.smalls += [lambda: f"{helper}({b.pick('x & 7', 'x & 3', 'x', '5')})"]
    b.conditions += [lambda: f"{helper}(x & 7) {b.pick('==', '>', '<')} {b.rng.randint(-1, 5)}"]


def matching(b: Builder) -> None:
    """``match``."""
    b.integer("x")
    cls = f"P{b.tag}"
    b.helpers.append(["@dataclass", f"class {cls}:", "    n: int"])
    b.parameter("g", f"Union[{cls}, str, None]", f"{cls}(1)", f"{cls}(5)", f"{cls}(True)", '"a"', '"b"', '""', "None")
    cases = ['case "a":', "case None:", f"case {cls}(n=1):", f"case {cls}(n=w) if w > 2:", "case str():",
             'case "a" | "b":',
             f"case {cls}():", "case int():", "case True:", "case str(w) if len(w) > 1:"]  # fmt: skip
    numbers = ["case 0:", "case 1 | 2:", "case 3 if x > 4:", "case 4:", "case w if w > 2:", "case int():", "case True:"]

    def match() -> Block:
        subject, some = (b.pick("x & 3", "x", "x & 7"), numbers) if b.chance(0.5) else ("g", cases)
        lines = [f"match {subject}:"]
        for case in b.rng.sample(some, b.rng.randint(2, 4)):
            lines += indent([case, f"    {b.pick('return 1', 'pass', f'return {b.small()}')}"])
        return lines + indent(["case _:", f"    return {b.small()}"]) * b.chance(0.4)

    b.statements += [match]
    b.conditions += [lambda: b.pick("g is None", f"isinstance(g, {cls})", "not g")]


def callbacks(b: Builder) -> None:
    """A function as an argument, which may return something else every time."""
    fixed = [f"(lambda *_: {n})" for n in ("0", "1", "2", "5", "-3", "True")]
    b.parameter(
        "cb",
        "Callable[[int], int]",
        *fixed,
        "abs",
        "(lambda n: n & 3)",
        "(lambda n: -n)",
        "(lambda n, it=iter((1, 0, 2, 3, 1, 4) * 9): next(it))",
    )
    b.integer("x")
    b.conditions += [lambda: f"cb({b.pick('1', 'x & 3', '0')}) {b.pick('>', '==', '<')} {b.rng.randint(-1, 4)}",
                     lambda: b.pick("cb(1) != cb(1)", "cb(1) < cb(2)", "cb(0) is True", "callable(cb)",
                                    "cb(x) == cb(x)")]  # fmt: skip
    b.smalls += [lambda: b.pick("cb(1) & 3", "cb(x & 1) & 7")]


def sets(b: Builder) -> None:
    """Sets, whose order nobody knows."""
    b.parameter("q", "set[str]", "set()", '{"a"}', '{"b"}', '{"a", "b"}', '{"a", "b", "c"}', '{"z"}',
                '{"b", "z", "y", "x"}',
                shared="set")  # fmt: skip
    b.conditions += [lambda: f"len(q) {b.pick('>', '==')} {b.rng.randint(0, 3)}",
                     lambda: b.pick('"a" in q', "q", "not q", 'q == {"a"}', 'q <= {"a", "b"}', 'q - {"b"}',
                                    'q & {"a", "z"}',
                                    'sorted(q)[0] == "b"', 'min(q) > "a"', "len(q) > len(list(q))")]  # fmt: skip
    b.smalls += [lambda: b.pick("len(q)", 'len(q | {"c"})', 'len(q & {"a"})', "len(sorted(q)[0])")]
    b.statements += [lambda: [b.pick('q.add("a")', 'q.discard("b")', 'q = q | {"y"}', "q.clear()")],
                     lambda: ["for e in sorted(q):", f"    if e == '{b.pick('a', 'b', 'z')}':",
                              f"        {b.pick('break', 'return 1')}"]]  # fmt: skip


def generators(b: Builder) -> None:
    """A generator, which is run as far as somebody asks for more."""
    name = f"count{b.tag}"
    b.helpers.append([f"def {name}(n: int):", *indent(["i = 0", "while i < n:", f"    if i == {b.rng.randint(1, 3)}:",
                                                       f"        {b.pick('return', 'yield 9', 'i += 1')}",
                                                       "    yield i",
                                                       "    i += 1"])])  # fmt: skip
    b.integer("x")
    b.smalls += [lambda: f"sum({name}(x & {b.pick('3', '7')}))", lambda: f"len(list({name}(x & 3)))",
                 lambda: f"next({name}(x & 3), 5)"]  # fmt: skip
    b.conditions += [
        lambda: f"{b.rng.randint(0, 9)} in {name}(x & 7)",
        lambda: f"max({name}(x & 7), default=-1) > {b.rng.randint(0, 5)}",
    ]
