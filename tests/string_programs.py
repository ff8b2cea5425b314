"""Random small functions of strings: they tell a few characters apart, so all inputs can be tried."""

from __future__ import annotations

import itertools
import random

ALPHABET = b"ab \xff"
LONGEST = 3


def strings() -> list[bytes]:
    """All strings of these characters."""
    lengths = range(LONGEST + 1)
    return [bytes(text) for length in lengths for text in itertools.product(ALPHABET, repeat=length)]


class Written:
    """One function ``f`` in C, of a string that it does not read beyond its 0.

    Attributes:
        text: of it.
    """

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        changes = self._rng.random() < 0.4
        parameter = "char *s" if changes else "const char *s"
        kinds = [self._test, self._loop, *[self._change] * changes]
        body = "\n    ".join(self._rng.choice(kinds)() for _ in range(self._rng.randint(3, 5)))
        head = "#include <string.h>\n#include <strings.h>\n"
        self.text = f"{head}int f({parameter})\n{{\n    int k = 0;\n    {body}\n    return k;\n}}\n"

    def _test(self) -> str:
        return f"if ({self._condition()}) k += {self._rng.randint(1, 3)};"

    def _condition(self) -> str:
        one, other = (self._rng.choice(["'a'", "'b'", "' '", "'\\xff'"]) for _ in range(2))
        words = [self._rng.choice(['"a"', '"ab"', '""', '" b"']) for _ in range(2)]
        return self._rng.choice([
            f"s[0] == {one} && s[1] == {other}", f"s[0] == {one} && s[0] == {other}", f"s[0] && s[1] < {one}",
            f"strcmp(s, {words[0]}) == 0", f"strlen(s) > {self._rng.randint(0, 4)}", "k > 2",
            f"strncmp(s, {words[0]}, 1) == 0 && strcmp(s, {words[1]}) > 0", "*s == 0", f"strcasecmp(s, {words[0]}) < 0",
        ])  # fmt: skip

    def _loop(self) -> str:
        one = self._rng.choice(["'a'", "'b'", "' '"])
        return self._rng.choice([
            f"for (int i = 0; s[i]; i++) if (s[i] == {one}) k++;",
            f"{{ const char *p = s; while (*p == {one}) p++; k += *p == 0; }}",
        ])  # fmt: skip

    def _change(self) -> str:
        one = self._rng.choice(["'a'", "0", "' '"])
        return self._rng.choice([f"s[0] = {one};", f"if (s[0]) s[1] = {one};", "memset(s, 0, 2);"])
