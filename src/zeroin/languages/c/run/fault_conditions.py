"""Write the conditions of faults in IR, each with a distance: how far the operands are from the fault.

A distance is in ULP for floats, and in steps of 1 for integers. Probes compare it with zero. Symbolic execution uses
only whether the condition holds, which is made of plain comparisons.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

INFINITY = "0x7FF0000000000000"
_MOST = (1 << 62) - 1  # the distance of operands of which no distance is known
_WIDTHS = {"double": 64, "float": 32}
_NAME = re.compile(r"%[-\w$.]+")
_DIGITS = {"double": "0x3CB0000000000000", "float": "0x3E80000000000000"}  # one ULP of 1.0: 2^-52, 2^-23


@dataclass(frozen=True)
class Condition:
    """A condition in IR.

    Attributes:
        holds: an i1, whether the condition holds.
        far: an unsigned i64, the distance; it is meaningful only if the condition does not hold.
        bits: how many bits the distance has at most.
    """

    holds: str
    far: str
    bits: int = 62


class Conditions:
    """Writes the IR of conditions to ``lines``. All names in it begin with ``name``.

    Operands are names of IR values or constants of IR. Floats are doubles, unless a type is given. A NaN fulfils only
    :meth:`is_nan`; from all other conditions on doubles it has the largest distance.
    """

    def __init__(self, name: str) -> None:
        self.lines: list[str] = []
        self._name = name

    def put(self, instruction: str) -> str:
        """Add an instruction, given without its result, and return the name of its value."""
        name = f"{self._name}.{len(self.lines)}"
        self.lines.append(f"  {name} = {instruction}")
        return name

    def needed(self, value: str) -> list[str]:
        """Return only those lines, in order, that compute a value."""
        wanted, found = {value}, list[str]()
        for line in reversed(self.lines):
            name, *used = _NAME.findall(line)
            if name in wanted:
                wanted.update(used)
                found.append(line)
        return found[::-1]

    # ---- combined ----

    def both(self, one: Condition, other: Condition) -> Condition:
        """Return the conjunction. Its distance is the sum of both distances; that of a condition that holds counts as
        0."""
        a, b = self.within(one, 61), self.within(other, 61)
        return Condition(self.put(f"and i1 {one.holds}, {other.holds}"), self.put(f"add i64 {a}, {b}"))

    def either(self, one: Condition, other: Condition) -> Condition:
        """Return the disjunction of two conditions; its distance is the smaller one."""
        a, b = self.within(one, 62), self.within(other, 62)
        nearer = self.put(f"icmp ult i64 {a}, {b}")
        far = self.put(f"select i1 {nearer}, i64 {a}, i64 {b}")
        return Condition(self.put(f"or i1 {one.holds}, {other.holds}"), far)

    def where(self, guard: str, one: Condition) -> Condition:
        """Return the conjunction of a condition and of ``guard``, an i1 without a distance.

        Where the guard does not hold, the distance is the largest one.
        """
        far = self.put(f"select i1 {guard}, i64 {self.within(one, 62)}, i64 {_MOST}")
        return Condition(self.put(f"and i1 {guard}, {one.holds}"), far)

    def distance(self, one: Condition) -> str:
        """Return an i64 that is 0 if the condition holds, and else its distance, at least 1."""
        some = self.put(f"or i64 {self.within(one, 62)}, 1")
        return self.put(f"select i1 {one.holds}, i64 0, i64 {some}")

    def within(self, condition: Condition, bits: int) -> str:
        """Return an i64: the distance in at most ``bits`` bits, or 0 if the condition holds.

        A distance that may have more bits is shifted to the right; its lowest bit is then set, so that it is not 0.
        """
        far = condition.far
        if condition.bits > bits:
            shifted = self.put(f"lshr i64 {far}, {condition.bits - bits}")
            far = self.put(f"or i64 {shifted}, 1")
        return self.put(f"select i1 {condition.holds}, i64 0, i64 {far}")

    # ---- of doubles ----

    def double(self, type_: str, value: str) -> str:
        """Return a float or a double as a double."""
        return value if type_ == "double" else self.put(f"fpext float {value} to double")

    def bits_of(self, value: str) -> str:
        """Return the bits of a double as an i64."""
        return self.put(f"bitcast double {value} to i64")

    def magnitude(self, value: str) -> str:
        """Return the bits of the absolute value: an integer that grows by 1 per ULP."""
        return self.put(f"and i64 {self.bits_of(value)}, {(1 << 63) - 1}")

    def place(self, value: str) -> str:
        """Return the position of a double in the order of all doubles, as an i64; both zeros are at 0."""
        bits = self.bits_of(value)
        sign = self.put(f"ashr i64 {bits}, 63")
        size = self.put(f"and i64 {bits}, {(1 << 63) - 1}")
        return self.put(f"sub i64 {self.put(f'xor i64 {size}, {sign}')}, {sign}")

    def is_number(self, value: str) -> str:
        """Return an i1: whether a double is not NaN."""
        return self.put(f"fcmp ord double {value}, {value}")

    def is_finite(self, value: str) -> str:
        """Return an i1: whether a double is finite."""
        below = self.put(f"fcmp olt double {value}, {INFINITY}")
        return self.put(f"and i1 {below}, {self.put(f'fcmp ogt double {value}, {_negative(INFINITY)}')}")

    def is_infinite(self, value: str) -> Condition:
        """Return the condition that a double is an infinity of either sign."""
        above = self.put(f"fcmp oeq double {value}, {INFINITY}")
        holds = self.put(f"or i1 {above}, {self.put(f'fcmp oeq double {value}, {_negative(INFINITY)}')}")
        far = self.put(f"sub i64 {int(INFINITY, 16)}, {self.magnitude(value)}")
        return self.where(self.is_number(value), Condition(holds, far, 63))

    def is_zero(self, value: str) -> Condition:
        """Return the condition that a double is 0 or -0."""
        far = Condition(self.put(f"fcmp oeq double {value}, 0.0"), self.magnitude(value), 63)
        return self.where(self.is_number(value), far)

    def is_value(self, value: str, wanted: str) -> Condition:
        """Return the condition that a double is the infinity ``wanted``."""
        to = self.place(wanted)
        at = self.place(value)
        far = self.put(f"sub i64 {at}, {to}" if wanted.startswith("0xF") else f"sub i64 {to}, {at}")
        return self.where(self.is_number(value), Condition(self.put(f"fcmp oeq double {value}, {wanted}"), far, 64))

    def below(self, value: str, limit: str, or_equal: bool = False) -> Condition:
        """Return the condition that a double is less than a limit or, with ``or_equal``, equal to it."""
        holds = self.put(f"fcmp {'ole' if or_equal else 'olt'} double {value}, {limit}")
        far = self.put(f"sub i64 {self.place(value)}, {self.place(limit)}")
        return self.where(self.is_number(value), Condition(holds, far, 64))

    def above(self, value: str, limit: str, or_equal: bool = False) -> Condition:
        """Return the condition that a double is greater than a limit or, with ``or_equal``, equal to it."""
        holds = self.put(f"fcmp {'oge' if or_equal else 'ogt'} double {value}, {limit}")
        far = self.put(f"sub i64 {self.place(limit)}, {self.place(value)}")
        return self.where(self.is_number(value), Condition(holds, far, 64))

    def is_nan(self, value: str) -> Condition:
        """Return the condition that a double is NaN; no distance is known."""
        return Condition(self.put(f"fcmp uno double {value}, {value}"), str(_MOST))

    def loses_all(self, type_: str, value: str, result: str) -> Condition:
        """Return the condition that a result is at most one ULP of an operand: all its digits are lost.

        Args:
            type_: the type in which the operation computes.
            value: the operand, as a double.
            result: the result, as a double.
        """
        negative = self.put(f"fcmp olt double {value}, 0.0")
        size = self.put(f"select i1 {negative}, double {self.put(f'fneg double {value}')}, double {value}")
        limit = self.put(f"fmul double {size}, {_DIGITS[type_]}")
        under = self.put(f"fcmp ole double {result}, {limit}")
        over = self.put(f"fcmp oge double {result}, {self.put(f'fneg double {limit}')}")
        far = self.put(f"sub i64 {self.magnitude(result)}, {self.magnitude(limit)}")
        return self.where(self.is_number(result), Condition(self.put(f"and i1 {under}, {over}"), far, 64))

    # ---- of integers ----

    def beyond(self, type_: str, value: str, low: int, high: int) -> Condition:
        """Return the condition that a signed integer is below ``low`` or above ``high``.

        The type is ``i64`` or ``i128``, and must also hold ``low - 1`` and ``high + 1``.
        """
        under = self.put(f"icmp slt {type_} {value}, {low}")
        holds = self.put(f"or i1 {under}, {self.put(f'icmp sgt {type_} {value}, {high}')}")
        down = self.put(f"sub {type_} {value}, {low - 1}")
        up = self.put(f"sub {type_} {high + 1}, {value}")
        nearer = self.put(f"icmp ult {type_} {down}, {up}")
        far = self.put(f"select i1 {nearer}, {type_} {down}, {type_} {up}")
        if type_ == "i128":
            return Condition(holds, self.put(f"trunc i128 {far} to i64"), 64)
        return Condition(holds, far, 63)

    def is_integer(self, type_: str, value: str, wanted: int) -> Condition:
        """Return the condition that a signed integer of at most 64 bits is equal to ``wanted``."""
        holds = self.put(f"icmp eq {type_} {value}, {wanted}")
        wide = self.widened(type_, value, "i64", signed=True)
        over = self.put(f"icmp slt i64 {wide}, {wanted}")
        one, other = self.put(f"sub i64 {wide}, {wanted}"), self.put(f"sub i64 {wanted}, {wide}")
        return Condition(holds, self.put(f"select i1 {over}, i64 {other}, i64 {one}"), 64)

    def widened(self, type_: str, value: str, to: str, signed: bool) -> str:
        """Return an integer, extended to a wider type."""
        return value if type_ == to else self.put(f"{'s' if signed else 'z'}ext {type_} {value} to {to}")

    # ---- recorded values ----

    def word(self, type_: str, value: str) -> str:
        """Return a value as an i64, to record it: the bits of a float, or an integer.

        Signed integers keep their sign; a ``u`` in front of the type marks an unsigned one.
        """
        if type_ in _WIDTHS:
            width = _WIDTHS[type_]
            bits = self.put(f"bitcast {type_} {value} to i{width}")
            return bits if width == 64 else self.put(f"zext i32 {bits} to i64")
        return self.widened(type_.lstrip("u"), value, "i64", signed=type_[0] != "u")


def _negative(number: str) -> str:
    """Return a double of IR, written in hexadecimal, with its sign bit set."""
    return f"0x{int(number, 16) | 1 << 63:016X}"


NEGATIVE_INFINITY = _negative(INFINITY)
