"""Random small functions of structures, whose inputs can all be tried: all that they look at is a few bits."""

from __future__ import annotations

import random

TYPES = ["char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "_Bool", "float", "double"]


class Written:
    """One function ``f`` in C.

    Attributes:
        text: with the structures and functions that it uses.
    """

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._structures: dict[str, list[tuple[str, str]]] = {}  # paths to numbers, and their types
        self._definitions: list[str] = []
        for number in range(2):
            self._define(f"s{number}")
        self.text = "\n".join([*self._definitions, *self._helpers(), self._function()]) + "\n"

    def _define(self, name: str) -> None:
        fields, paths = [], list[tuple[str, str]]()
        for number in range(self._rng.randint(1, 3)):
            field, type_ = f"m{number}", self._rng.choice(TYPES)
            what = self._rng.choice(["number"] * 4 + ["array", "inner", "union"])
            if what == "array":
                fields.append(f"{type_} {field}[2];")
                paths += [(f"{field}[0]", type_), (f"{field}[1]", type_)]
            elif what == "union":
                fields.append(f"union {{ {type_} a; unsigned long b; }} {field};")
                paths.append((f"{field}.b", "unsigned long"))
            elif what == "inner" and self._structures:
                inner = self._rng.choice(sorted(self._structures))
                fields.append(f"struct {inner} {field};")
                paths += [(f"{field}.{path}", t) for path, t in self._structures[inner]]
            else:
                fields.append(f"{type_} {field};")
                paths.append((field, type_))
        packed = " __attribute__((packed))" if self._rng.random() < 0.1 else ""
        self._structures[name] = paths[:4]
        self._definitions.append(f"struct{packed} {name} {{ {' '.join(fields)} }};")

    def _number(self, where: str, structure: str) -> str:
        """An expression of a few values."""
        path, type_ = self._rng.choice(self._structures[structure])
        if type_ in ("float", "double"):
            return f"({where}{path} > {self._rng.choice(['0', '0.5', '-1e3', '1e30'])})"
        return f"(int)({where}{path} {self._rng.choice(['& 3', '& 1', '>> 1 & 3', '% 3'])})"

    def _helpers(self) -> list[str]:
        lines = []
        for name, paths in self._structures.items():
            path, type_ = self._rng.choice(paths)
            value = self._rng.choice(["1", "2", f"({type_})(s.{path} + 1)"])
            lines += [
                f"static struct {name} with_{name}(struct {name} s) {{ s.{path} = {value}; return s; }}",
                f"static void set_{name}(struct {name} *s) {{ s->{path} = {self._rng.randint(0, 3)}; }}",
                f"static int look_{name}(struct {name} s) {{ return {self._number('s.', name)}; }}",
            ]
        return lines

    def _function(self) -> str:
        names = [self._rng.choice(sorted(self._structures)) for _ in range(self._rng.randint(1, 2))]
        passed = [(f"a{n}", name, self._rng.random() < 0.6) for n, name in enumerate(names)]
        own = [(f"v{n}", name, True) for n, (_, name, _) in enumerate(passed)]
        parameters = ", ".join(f"struct {name} {'' if by_value else '*'}{a}" for a, name, by_value in passed)
        starts = [f"struct {v} = {'' if by_value else '*'}{a};" for (a, _, by_value), (v, _, _) in
                  zip(passed, [(f"{name} {v}", name, True) for v, name, _ in own], strict=True)]  # fmt: skip
        body = [*starts, *(self._statement([*passed, *own], n + 1) for n in range(self._rng.randint(3, 6)))]
        return f"int f({parameters}) {{\n    int k = 0;\n    " + "\n    ".join(body) + "\n    return k;\n}"

    def _statement(self, known: list[tuple[str, str, bool]], number: int) -> str:
        variable, name, by_value = self._rng.choice(known)
        where, itself = (f"{variable}.", variable) if by_value else (f"{variable}->", f"*{variable}")
        same = [f"{'' if value else '*'}{v}" for v, other, value in known if other == name]
        path, type_ = self._rng.choice(self._structures[name])
        condition = f"{self._number(where, name)} {self._rng.choice(['==', '<', '>', '!='])} {self._rng.randint(0, 3)}"
        act = self._rng.choice([
            f"{itself} = {self._rng.choice(same)};", f"{itself} = with_{name}({self._rng.choice(same)});",
            f"set_{name}(&{itself});", f"{where}{path} = ({type_}){self._rng.randint(0, 2)};",
            f"if (look_{name}({itself}) > 1) k += {number};", f"k += {number};",
        ])  # fmt: skip
        return f"if ({condition}) {{ {act} }}"
