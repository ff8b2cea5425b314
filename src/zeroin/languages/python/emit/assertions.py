"""Choose the simplest assertions that check a result exactly.

Results are snapshots: Python values as data.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from ..values.brackets import Tree
from ..values.snapshots import Snapshot, quoted
from .names import ImportedNames

ResultPath = tuple[str, ...]  # a place in a result: indices of lists, keys of dicts, * in a set or array
Kinds = dict[ResultPath, set[str]]  # the types that results have at each place, and -0.0 if there is a negative zero

_NUMBERS = {"bool", "int", "float", "complex", "scalar", "fractions:Fraction", "decimal:Decimal"}
_NEGATIVE_ZERO = "-0.0"
_MOST_PARTS = 20  # items of a container that is checked item by item
_MOST_VALUES = 100  # values in an item of which more than the type is checked
# Classes whose objects differ exactly if their ``repr`` differs.
_REPR_TELLS = ("fractions:", "decimal:", "datetime:")


@dataclass(frozen=True)
class Assertion:
    """One assertion: the texts ``before``, the checked expression, ``after``, ``expected`` and ``close`` in a row."""

    before: str
    after: str
    expected: Tree = ""
    close: str = ""

    def about(self, expected: Tree) -> Assertion:
        """Return the same assertion with another expected value."""
        return replace(self, expected=expected)

    def line(self, subject: object, expected: Tree | None = None) -> str:
        """Return the line that checks the expression ``subject``. ``expected`` may be the name of a variable."""
        return f"    {self.before}{subject}{self.after}{self.expected if expected is None else expected}{self.close}"


def kinds_of(values: Iterable[Snapshot], annotation: str) -> Kinds:
    """Return the types that occur at each place of some results, and ``-0.0`` where a negative zero occurs.

    Args:
        values: snapshots of the results.
        annotation: the declared type of the result, which counts as a type at the outermost place.
    """
    kinds: Kinds = {(): {annotation}}
    for value in values:
        for place, part in _places(value, ()):
            found = kinds.setdefault(place, set())
            found.add(_kind(part))
            if _is_negative_zero(part):
                found.add(_NEGATIVE_ZERO)
    return kinds


class Checker:
    """Writes the assertions of a file, and the helper function ``same`` if one of them needs it."""

    def __init__(self, names: ImportedNames) -> None:
        self._names = names
        self._needs: set[str] = set()  # the forms of values that the helper must compare

    def checks(self, value: Snapshot, kinds: Kinds, place: ResultPath = (), at: str = "") -> list[Assertion]:
        """Return the assertions about a result or a part of it; at least one.

        What they need from the file is remembered: names to import, and the forms for :meth:`helper`.

        Args:
            value: the expected value.
            kinds: the types at each place of all results, as :func:`kinds_of` returns them.
            place: the place of the part in the result.
            at: the source that leads from the result to the part, such as ``[0]``.
        """
        if not value.has_source:
            return self._partial(value, kinds, place, at)
        tree = value.tree(self._names)
        if value.form in ("none", "bool", "enum"):
            return [Assertion("assert ", f"{at} is ", tree)]
        if value.form in ("int", "float"):
            return self._number(value, tree, kinds.get(place, set()), at)
        if value.form == "scalar" and value.items[0].form != "complex":
            item = value.items[0]
            type_ = self._type(f"numpy:{value.data}", at)
            return [type_, *self._number(item, tree, {item.form, *(kinds.get(place, set()) & {_NEGATIVE_ZERO})}, at)]
        if _is_array(value) and not any(_is_odd_zero(part) for part in value.walk()):
            compare = self._names("numpy:testing.assert_array_equal")
            return [Assertion(f"{compare}(", f"{at}, ", tree, ", strict=True)")]
        if _is_exact(value, kinds, place):
            return [Assertion("assert ", f"{at} == ", tree)]
        self._needs |= {_need(part) for part in value.walk()}
        return [Assertion("assert same(", f"{at}, ", tree, ")")]

    def _number(self, value: Snapshot, tree: Tree, kinds: set[str], at: str) -> list[Assertion]:
        """Return the assertions about a number.

        Args:
            value: the number, whose form is ``int`` or ``float``.
            tree: its source.
            kinds: the types that occur at its place, and ``-0.0`` if a negative zero does.
            at: the source that leads from the result to the number.
        """
        own = [self._type(f"builtins:{value.form}", at)] if _has_rival(value, kinds) else []
        if value.is_nan:
            return [*own, Assertion(f"assert {self._names('math:isnan')}(", f"{at})")]
        if value.form != "float" or value.data != 0 or _NEGATIVE_ZERO not in kinds | _signs(value):
            return [*own, Assertion("assert ", f"{at} == ", tree)]
        sign = Assertion(f"assert {self._names('math:copysign')}(1.0, ", f"{at}) == {math.copysign(1.0, value.data)}")
        return [*own, Assertion("assert ", f"{at} == ", "0.0"), sign]

    def _partial(self, value: Snapshot, kinds: Kinds, place: ResultPath, at: str) -> list[Assertion]:
        """Return the assertions about a value with an opaque part, of which only the class can be checked."""
        if value.form in ("list", "tuple") and len(value.items) <= _MOST_PARTS:
            parts = [self._part(item, kinds, (*place, step), f"{at}[{number}]")
                     for number, (step, item) in enumerate(_steps(value))]  # fmt: skip
            return [Assertion("assert len(", f"{at}) == {len(parts)}"), *(check for part in parts for check in part)]
        if value.form == "dict" and len(value.items) <= 2 * _MOST_PARTS and all(k.has_source for k in value.items[::2]):
            keys = [str(key.tree(self._names)) for key in value.items[::2]]
            parts = [self._part(item, kinds, (*place, str(key)), f"{at}[{key}]")
                     for key, item in zip(keys, value.items[1::2], strict=True)]  # fmt: skip
            return [Assertion("assert len(", f"{at}) == {len(keys)}"), *(check for part in parts for check in part)]
        found = [_named_type(value, at)]
        if value.form == "opaque":
            for attribute, (step, item) in zip(value.names, _steps(value), strict=False):
                found += self._part(item, kinds, (*place, step), f"{at}.{attribute}")
        return found

    def _part(self, item: Snapshot, kinds: Kinds, place: ResultPath, at: str) -> list[Assertion]:
        """Return the assertions about an item of a value; only its type if there would be too many."""
        if not item.has_source and next(islice(item.walk(), _MOST_VALUES, None), None) is not None:
            return [_named_type(item, at)]
        return self.checks(item, kinds, place, at)

    def type_alone(self, value: Snapshot) -> Assertion:
        """Return the assertion that a result has the type of ``value``; for None, that it is None.

        If the type has no name that a test can check, it is that the result is not None.
        """
        if value.form == "none":
            return Assertion("assert ", " is ", value.tree(self._names))
        if value.form in ("object", "opaque") or hasattr(builtins, value.form):
            return _named_type(value, "")
        return Assertion("assert ", " is not None")

    def _type(self, path: str, at: str) -> Assertion:
        """Return the assertion that the type is the class at an import path."""
        return Assertion("assert type(", f"{at}) is {self._names(path)}")

    def helper(self) -> str:
        """Return the source of the function ``same`` for the assertions made so far; empty if none calls it.

        It adds the names that the function needs to the imports.
        """
        if not self._needs:
            return ""
        sequences = self._needs & {"array", "list", "tuple", "object", "dict", "set"}
        parts = [
            ("array", f"isinstance(expected, {self._names('numpy:ndarray')})" if "array" in self._needs else "",
             "return same((actual.dtype.name, actual.shape), (expected.dtype.name, expected.shape)) and same(\n"
             "            actual.tolist(), expected.tolist()\n        )"),
            ("object", f"{self._names('dataclasses:is_dataclass')}(expected)" if "object" in self._needs else "",
             "names = [field.name for field in dataclasses.fields(expected) if field.compare]\n"
             "        return all(same(getattr(actual, name), getattr(expected, name)) for name in names)"),
            ("dict", "isinstance(expected, dict)",
             "return same(sorted(actual.items(), key=repr), sorted(expected.items(), key=repr))"),
            ("set", "isinstance(expected, (set, frozenset))",
             "return same(sorted(actual, key=repr), sorted(expected, key=repr))"),
        ]  # fmt: skip
        chosen = [(test, body) for form, test, body in parts if form in self._needs]
        if sequences:
            body = "return len(actual) == len(expected) and all(map(same, actual, expected))"
            chosen.append(("isinstance(expected, (list, tuple))", body))
        return "\n".join([
            "def same(actual, expected):",
            '    """Like ==, but NaN equals NaN, 0.0 is not -0.0, and types must agree."""',
            "    if type(actual) is not type(expected):",
            "        return False",
            *(f"    if {test}:\n        {body}" for test, body in chosen),
            "    return repr(actual) == repr(expected)",
        ])  # fmt: skip


def _named_type(value: Snapshot, at: str) -> Assertion:
    """Return the assertion that the type has the name of the value's class, wherever that is defined."""
    return Assertion("assert type(", f"{at}).__name__ == {quoted(_class_name(value))}")


def _class_name(value: Snapshot) -> str:
    """Return the name of a value's class, without its module."""
    is_class = value.form in ("opaque", "object")
    return str(value.data).rpartition(":")[2].rpartition(".")[2] if is_class else value.form


def _is_exact(value: Snapshot, kinds: Kinds, place: ResultPath) -> bool:
    """Whether ``==`` compares the value exactly, also its type and the sign of zero."""
    own = not (
        value.is_nan
        or value.identity
        or value.form == "scalar"
        or _is_array(value)
        or _is_odd_zero(value)
        or _has_rival(value, kinds.get(place, set()))
    )
    return own and all(_is_exact(item, kinds, (*place, step)) for step, item in _steps(value))


def _has_rival(value: Snapshot, kinds: set[str]) -> bool:
    """Whether another type of number occurs at the same place, so that ``==`` could accept a value of that type."""
    if _kind(value) not in _NUMBERS:
        return False
    rivals = (kinds & _NUMBERS) - {_kind(value)}
    if value.form == "float" and not value.data.is_integer():
        rivals -= {"bool", "int"}
    return bool(rivals)


def _places(value: Snapshot, place: ResultPath) -> Iterator[tuple[ResultPath, Snapshot]]:
    """Yield a value and all values in it, each with its place."""
    yield place, value
    for step, item in _steps(value):
        yield from _places(item, (*place, step))


def _steps(value: Snapshot) -> list[tuple[str, Snapshot]]:
    """Return the items of a value, each with the last step of its place."""
    if value.form == "dict":
        keys = [("keys", key) for key in value.items[::2]]
        return keys + [(key.text, item) for key, item in zip(value.items[::2], value.items[1::2], strict=True)]
    numbered = value.form in ("list", "tuple", "object", "opaque")
    return [(str(number) if numbered else "*", item) for number, item in enumerate(value.items)]


def _kind(value: Snapshot) -> str:
    """Return the type of a value as :func:`kinds_of` names it."""
    return str(value.data) if value.form == "object" else value.form


def _is_array(value: Snapshot) -> bool:
    """Whether a value is an array, or another object of NumPy."""
    return value.form == "array" or (value.form == "object" and value.data.startswith("numpy:"))


def _need(value: Snapshot) -> str:
    """Return the form for which the helper needs code to compare this value."""
    if _is_array(value):
        return "array"
    if value.form == "object" and value.data.startswith(_REPR_TELLS):
        return "leaf"
    return "set" if value.form == "frozenset" else value.form


def _is_negative_zero(value: Snapshot) -> bool:
    return value.form == "float" and value.data == 0 and math.copysign(1.0, value.data) < 0


def _is_odd_zero(value: Snapshot) -> bool:
    """Whether a number contains a negative zero, which ``==`` does not distinguish from 0.0."""
    if value.form == "complex":
        parts = (value.data.real, value.data.imag)
        return any(part == 0 and math.copysign(1.0, part) < 0 for part in parts)
    return _is_negative_zero(value)


def _signs(value: Snapshot) -> set[str]:
    """Return ``-0.0`` in a set if a number is negative zero, else an empty set."""
    return {_NEGATIVE_ZERO} if _is_negative_zero(value) else set()
