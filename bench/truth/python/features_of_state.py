"""What random programs have that real code has: state that outlives a call, and what looks like it and is none."""

from __future__ import annotations

from .build import Builder, indent


def mutable_default(b: Builder) -> None:
    """A list that is made once, when the function is defined."""
    b.stateful = True
    b.integer("x")
    b.parameter("seen", "list[int]", "", "[]", "[1]", "[2, 3]", "[0, 0, 0]", default="[]")
    b.head = ["seen.append(x & 3)"]
    b.conditions += [lambda: f"len(seen) {b.pick('>', '==', '>=')} {b.rng.randint(1, 4)}",
                     lambda: b.pick("3 in seen", "seen[0] == 2", "seen[0] == seen[-1]", "len(seen) < 1")]  # fmt: skip
    b.smalls += [lambda: b.pick("len(seen)", "seen[0] & 3", "seen.count(1)")]


def module_variables(b: Builder) -> None:
    """Variables of the module that other functions set."""
    name, other, setter = f"MODE{b.tag}", f"TABLE{b.tag}", f"set_mode{b.tag}"
    start = b.pick("False", "0", "2")
    how = b.pick("global", "globals()", "table")
    b.helpers.append([f"{name} = {start}", f"{other} = {{'limit': {b.rng.randint(1, 3)}}}"])
    if how == "globals()":
        body = [f"globals()['{name}'] = value"]
    else:
        body = [f"global {name}", f"{name} = value"] + [f"{other}['limit'] = value"] * (how == "table")
    b.helpers.append([f"def {setter}(value: int) -> None:", *indent(body)])
    b.before += [f"{setter}({value})" for value in ("False", "True", "0", "1", "2", "3", "5", "7", "-4")]
    b.stateful = True
    b.integer("x")
    b.conditions += [lambda: b.pick(name, f"{name} == {b.rng.randint(0, 3)}", f"{name} > {b.rng.randint(1, 5)}",
                                    f"not {name}",
                                    f"x & 3 > {name}", f"{name} is True"),
                     lambda: f"{other}['limit'] {b.pick('>', '==')} {b.rng.randint(1, 6)}"]  # fmt: skip
    if b.chance(0.4):
        b.head = [f"global {name}"]
        b.statements.append(lambda: [b.pick(f"{name} = x & 3", f"{name} = {name} + 1", f"{name} = 0")])


def module_constants(b: Builder) -> None:
    """Variables of the module that nothing sets."""
    name, table = f"LIMIT{b.tag}", f"PRIMES{b.tag}"
    b.helpers.append([f"{name} = {b.rng.randint(1, 6)}", f"{table} = (2, 3, 5, 7)"])
    b.integer("x")
    b.conditions += [lambda: f"x & 7 {b.pick('<', '>', '==')} {name}",
                     lambda: f"{name} {b.pick('>', '<')} {b.rng.randint(0, 7)}",
                     lambda: b.pick(f"x in {table}", f"x & 7 in {table}", f"{table}[x & 3] > 4",
                                    f"{table}[x & 3] == 4")]  # fmt: skip
    b.smalls += [lambda: b.pick(name, f"{table}[x & 3]", f"{name} + (x & 1)")]


def class_state(b: Builder) -> None:
    """An attribute of a class that methods change."""
    name = f"Counter{b.tag}"
    b.helpers.append([f"class {name}:", *indent(["total = 0", "", "@classmethod", "def add(cls, n: int) -> int:",
                                                 f"    if cls.total > {b.rng.randint(3, 6)}:", "        cls.total = 0",
                                                 "    cls.total += n & 3", "    return cls.total"])])  # fmt: skip
    b.stateful = True
    b.before += [f"{name}.add({n})" for n in range(4)]
    b.integer("x")
    b.conditions += [lambda: f"{name}.total {b.pick('>', '==', '<')} {b.rng.randint(0, 6)}",
                     lambda: f"{name}.add(x) {b.pick('>', '==')} {b.rng.randint(0, 5)}"]  # fmt: skip
    b.smalls += [lambda: b.pick(f"{name}.total", f"{name}.add(x)", f"{name}.add(1)")]


def replaced_functions(b: Builder) -> None:
    """A function of the module in whose place another function of the file can put one of its own."""
    helper, other, swap = f"scale{b.tag}", f"other_scale{b.tag}", f"swap{b.tag}"
    b.helpers += [[f"def {helper}(n: int) -> int:", f"    return {b.pick('n & 3', '(n & 1) + 1', '2')}"],
                  [f"def {other}(n: int) -> int:", f"    return {b.pick('9', '-n', 'n & 7')}"],
                  [f"def {swap}() -> None:", *indent([f"global {helper}", f"{helper} = {other}"])]]  # fmt: skip
    b.before += [f"{swap}()"]
    b.stateful = True
    b.integer("x")
    b.smalls += [lambda: f"{helper}({b.pick('x', 'x & 3', '1', 'x & 7')})"]
    b.conditions += [lambda: f"{helper}({b.pick('x', 'x & 3', '2')}) {b.comparing()} {b.rng.randint(-2, 6)}"]
