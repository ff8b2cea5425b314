"""What random programs have that real code has: changes, calls and exceptions at places where few look for them."""

from __future__ import annotations

from .build import NUMBERS, Block, Builder, indent


def changed_containers(b: Builder) -> None:
    """Containers that are changed through other names, by C functions, with ``del``, and in their types."""
    b.parameter("xs", "list[int]", "[]", "[0]", "[1]", "[3]", "[0, 1]", "[1, 0]", "[2, 2, 2]", "[-1, 5, 3]")
    b.parameter("d", "dict[str, int]", "{}", '{"a": 1}', '{"b": 2}', '{"a": 0, "b": 3}', '{"c": -1}')
    b.head = ["ys, n, m = xs, len(xs), len(d)"]
    b.statements += [
        lambda: [
            b.pick(
                'ys.append("a")',
                "ys += [None]",
                f"ys.append({b.small(0)})",
                "heapq.heappush(xs, 2)",
                "bisect.insort(xs, 1)",
                "ys[:] = [1.5]",
                "xs = [*xs, 4]",
                "xs *= 2",
                "(lambda zs: zs.pop())(xs)",
                f"xs.insert(0, {b.small(0)})",
                "xs = list(ys)",
                "del xs[:1]",
                "ys.extend(d)",
                "ys.clear()",
            )
        ],
        lambda: [
            b.pick(
                'd["a"] = None',
                f'd["a"] = {b.small(0)}',
                'd.setdefault("b", 7)',
                "d.update(a=2)",
                "d |= {1: 4}",
                'd.pop("a", None)',
                'd["a"] = d.get("b")',
                "d = dict(d)",
                'd["x"] = len(d)',
                "d.clear()",
            )
        ],
        lambda: [
            "try:",
            *indent(
                [
                    b.pick(
                        f"del xs[{b.small()}]",
                        'del d["a"]',
                        "k, v = d.popitem()",
                        f"xs[{b.small()}] += 1",
                        "xs.remove(3)",
                        f'd["b"] -= {b.small(0)}',
                        "xs.sort()",
                        "xs[0], xs[1] = 1, 2",
                        "for k in d: d[k + k] = 1",
                        "m = sum(xs)",
                        "n = max(d.values())",
                    )
                ]
            ),
            f"except {b.pick('IndexError', 'KeyError', 'LookupError', '(ValueError, RuntimeError)', 'Exception')}:",
            f"    return {b.small()}",
        ],
        lambda: [
            f"for e in {b.pick('xs', 'ys', 'd', 'd.values()', '[*xs, 1]', 'sorted(d)')}:",
            *indent(
                [
                    f"if e {b.pick('==', '!=', 'is')} {b.pick('1', '2', 'None')}:"
                    if b.chance(0.5)
                    else f"if e == {b.pick('3', '0')}:",
                    f"    {b.pick('break', f'return {b.small()}')}",
                ]
            ),
        ],
    ]
    b.conditions += [
        lambda: f"len({b.pick('xs', 'ys')}) {b.pick('!=', '>', '<', '==')} n",
        lambda: f"len(d) {b.pick('!=', '>', '<')} m",
        lambda: b.pick(
            '"a" in ys',
            "None in ys",
            "xs is ys",
            "xs == ys",
            "xs and ys[-1] == 1",
            "xs and xs[0] is None",
            "xs and isinstance(xs[-1], str)",
            "any(e == 1.5 for e in ys)",
            "sorted(ys, key=str) == xs",
        ),
        lambda: b.pick(
            '"a" in d',
            'd.get("a") is None',
            'd.get("b", 0) > 2',
            "1 in d",
            'd == {"a": 1}',
            '"a" in d and d["a"] == 1',
            "max(d.values(), default=0) > 2",
            "None in d.values()",
        ),
    ]
    b.smalls += [lambda: b.pick("len(xs)", "len(ys)", "len(d)", "n", "xs.count(1)", 'd.get("b", 1)')]


def raised(b: Builder) -> None:
    """Exceptions that are made with arguments, of other exceptions, in handlers, and by what is deleted."""
    wrong = f"Wrong{b.tag}"
    b.helpers.append([f"class {wrong}(ValueError):", "    pass"])
    b.integer("x")
    kinds = ("KeyError", wrong, "OSError", "IndexError", "ArithmeticError")

    def tried() -> Block:
        name, kind = b.local(), b.pick(*kinds)
        risky = b.pick(
            f"raise {kind}(10 // {b.inner()})",
            f"raise {kind}((1, 2)[{b.small()}])",
            f"raise {kind}",
            f"raise {kind}(int('{b.pick('7', 'x')}'))",
            f"raise {kind} from {b.pick('x', 'None', 'KeyError()')}",
            f"assert {b.comparison()}, 1 // {b.inner()}",
            f"assert {b.comparison()}",
            "raise OSError(2, 'gone')",
            f"del {name}",
            f"raise {kind}({name} := x & 3)",
            f"raise {kind}([e for e in range(3)])",
            "raise x",
            f"{name} = [3, 1][{b.small()}] // {b.inner()}",
            "raise unknown",
            f"raise {kind}(x, y=1)",
        )
        lines = ["try:", *indent([risky])]
        for caught in b.rng.sample(
            [
                "ZeroDivisionError",
                "LookupError",
                "(ValueError, TypeError)",
                "FileNotFoundError",
                "OSError",
                "AssertionError",
                "NameError",
                "ArithmeticError",
                wrong,
                "Exception",
            ],
            b.rng.randint(1, 3),
        ):
            lines += [
                f"except {caught}:",
                f"    {b.pick(f'{name} = 3', f'return {b.small()}', f'{name} = -1', 'raise')}",
            ]
        if b.chance(0.3):
            lines += ["finally:", f"    {b.pick('x = 1', 'x += 1', f'{name} = 5', f'{name} = x & 3')}"]
        return [
            f"{name} = 1",
            *lines,
            f"if {name} {b.pick('==', '>', '<')} {b.rng.randint(-1, 5)}:",
            f"    return {b.small()}",
        ]

    b.statements.append(tried)


def effects(b: Builder) -> None:
    """Calls that change a variable of the function around, wherever an expression may stand."""
    b.integer("x")
    put, gate = f"put{b.tag}", f"Gate{b.tag}"
    b.helpers.append(
        [
            f"class {gate}:",
            *indent(
                [
                    "entered = 0",
                    "def __enter__(self):",
                    f"    {gate}.entered += 1",
                    "    return self",
                    "def __exit__(self, *how):",
                    f"    return {b.pick('None', 'True', 'how[0] is KeyError')}",
                    "def __bool__(self):",
                    f"    {gate}.entered += 2",
                    f"    return {b.pick('True', 'False')}",
                ]
            ),
        ]
    )
    b.head = [
        "c = 0",
        f"def {put}(n, *, by=1):",
        "    nonlocal c",
        "    c += by",
        "    return n",
        f"{gate}.entered = 0",
    ]
    b.statements += [
        lambda: [
            b.pick(
                f"zs = [{put}(e) for e in range(x & 3)]",
                f"zs = [0, 0]; zs[{put}(1)] = c",
                f"zs = [0, 3]; zs[{put}(0)] += {put}(2)",
                f"zs = ({put}(1), c, {put}(2))",
                f'zs = f"{{{put}(x)}}{{c}}"',
                f"zs = ({put}(e) for e in range(2)); c += sum(zs)",
                f"zs = {put}(1, by={put}(2))",
                f"zs = {put}(3) if {put}(x) else {put}(0)",
                f"zs = 1 < {put}(x & 3) < {put}(2)",
                f"zs = {{{put}(1): c}}",
                f"zs = sorted([3, 1], key={put})",
                f"zs = [*map({put}, range(x & 1))]",
                f"zs, c = c, {put}(2)",
                f"zs = {put}(0) or {put}(1) or {put}(2)",
                f"zs = (lambda z={put}(1): z + c)()",
                f"zs = [1, 2]; del zs[{put}(1):]",
                f"zs = [c, {put}(1), c][{put}(2)]",
                f"c = {put}(x & 3) + c",
                f"zs = min((c for _ in range(2)), key={put})",
            )
        ],
        lambda: [
            f"for e in ({put}(e) for e in range(3)):",
            f"    if c {b.pick('>', '==')} {b.rng.randint(0, 5)}:",
            f"        {b.pick('break', f'return {b.small()}', 'continue')}",
        ],
        lambda: [
            f"with {gate}() as g:",
            *indent(
                [f"c += {b.rng.randint(0, 2)}", b.pick(f"c = 10 // {b.inner()}", f"{{1: 2}}[{b.small()}]", "c += 1")]
            ),
        ],
    ]
    b.conditions += [
        lambda: f"c {b.pick('==', '>', '<', '!=')} {b.rng.randint(0, 6)}",
        lambda: f"{put}({b.pick('x', '1', 'c')}) {b.pick('>', '==')} {b.rng.randint(0, 3)}",
        lambda: f"{gate}.entered {b.pick('==', '>')} {b.rng.randint(0, 3)}",
        lambda: b.pick(
            f"{gate}()",
            f"not {gate}()",
            f"0 < {put}(c) < {put}(3)",
            f"any({put}(e) for e in range(2))",
            f"c == {put}(c) == c",
        ),
    ]
    b.smalls += [lambda: b.pick("c", f"{put}(x & 1)", f"{put}(c, by=2)", f"{gate}.entered")]


def changed_attributes(b: Builder) -> None:
    """Attributes that get values of other types, are deleted, or are shared with the class."""
    name = f"P{b.tag}"
    b.helpers.append(
        [
            f"class {name}:",
            *indent(
                [
                    f"total: int = {b.rng.randint(0, 2)}",
                    "",
                    "def __init__(self, level: int) -> None:",
                    "    self.level = level",
                    "    self.__low = level & 3",
                    "",
                    "def low(self) -> int:",
                    "    return self.__low",
                    "",
                    "def drop(self) -> None:",
                    "    del self.level",
                    "",
                    "def same(self):",
                    "    self.total += 1",
                    "    return self",
                ]
            ),
        ]
    )
    values = [f"{name}({level})" for level in ("0", "1", "2", "3", "-5")]
    b.parameter("p", name, *values, shared="changed")
    b.parameter("q", name, *values[1:4], shared="changed")
    b.parameter("x", "int", *NUMBERS[:-2:4])
    b.bases += ["x & 3"]
    b.statements += [
        lambda: [
            b.pick(
                "q.level = None",
                f"p.level = {b.small(0)}",
                "p.level = 0.5",
                f"{name}.total = {b.small(0)}",
                "p.total = 3",
                f"q._{name}__low = 7",
                "p.same().level += 2",
                "q = p",
                "p.level = q.level",
                "setattr(q, 'level', 6)",
                f"p = {name}(x & 3)",
                f"p = {name}('a')",
                "vars(p).update(level=5)",
                "p.low = lambda: 9",
                "q.same()",
                "[p, q][x & 1].level = 4",
                f"{name}.total += 1",
            )
        ],
        lambda: [
            "try:",
            *indent(
                [
                    b.pick(
                        "del p.level",
                        "q.drop()",
                        "p.level += 1",
                        "del p.total",
                        "p.drop()",
                        "x = q.level + 1",
                        "x = p.missing",
                        f"del {name}.total",
                    )
                ]
            ),
            f"except {b.pick('AttributeError', 'TypeError', 'Exception', '(AttributeError, TypeError)')}:",
            f"    {b.pick('x = 5', f'return {b.small(0)}', 'p.level = 1')}",
        ],
    ]
    b.conditions += [
        lambda: f"{b.pick('p', 'q')}.level {b.pick('==', '!=')} {b.rng.randint(0, 6)}",
        lambda: b.pick(
            "p is q",
            "p.level is None",
            "q.level is None",
            "isinstance(p.level, int)",
            "p.level == q.level",
            "hasattr(p, 'level')",
            "p.level == 0.5",
            "p.level == 'a'",
        ),
        lambda: f"{b.pick('p', 'q', name)}.total {b.pick('==', '>')} {b.rng.randint(0, 4)}",
        lambda: f"{b.pick('p', 'q')}.low() {b.pick('==', '>')} {b.rng.randint(0, 4)}",
    ]
    b.smalls += [lambda: b.pick("p.total", "q.low()", f"{name}.total", "p.low()")]
