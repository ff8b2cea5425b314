"""The second meaning of a term: native code for its value, and for how far a condition is from holding.

Conditions become a sum, over their conjuncts, of branch distances (:mod:`zeroin.distance`): ``and`` adds, ``or`` takes
the least, a comparison costs the steps on the ULP line, or ``|a - b|`` (``korel``), or its square. The sum is 0 exactly
when all of them hold (Fu & Su 2016, section 4.4.3; Fu & Su, XSat, 2016).

:func:`lower` writes ``double zeroin_condition(const int64_t *words)``, which leaves each conjunct's distance in
``zeroin_distances``; :func:`lower_parts` writes ``zeroin_distance_N``, conjunct N alone; :func:`lower_values` writes
the values of terms, ``zeroin_value_N`` one by one or ``zeroin_values`` all at once into ``zeroin_numbers``. Where a
part went out of the range of native integers or a Python function failed, a distance is the largest double. A word is a
variable's ordered word (see :mod:`zeroin.words`), or where it is said to be *bare*, a float as it is in memory; a bit
vector's is its signed number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..core.nodes import Op, Term
from ..core.sorts import BOOL, INT, REAL, ROUNDING
from ..core.traversal import postorder
from . import bits as ir_bits
from . import exact, numbers
from .distances import HELPERS, Distances, inlining
from .values import WRITERS, Unlowerable, Writer, ir_type, write_value

__all__ = ["TABLES", "Module", "Unlowerable", "lower", "lower_parts", "lower_values"]

TABLES = ("ulp", "korel", "squared")
WRITERS |= ir_bits.WRITERS | numbers.NUMBERS | exact.EXACT
_HUGE = "0x7FEFFFFFFFFFFFFF"


class Module:
    """What :func:`lower` made.

    Attributes:
        text: LLVM IR.
        approximate: a zero may be none, because Real was computed in doubles.
        kept: must live as long as the code.
    """

    def __init__(self, variables: Sequence[Term], *declared: str, bare: bool = False) -> None:
        self.approximate = False
        self.kept: list[Any] = []
        self._place, self._bare = {v: n for n, v in enumerate(variables)}, bare
        self._declared = dict.fromkeys([HELPERS, *declared])
        self._functions: list[str] = []

    @property
    def text(self) -> str:
        return "\n".join([*self._declared, *self._functions])

    def define(self, name: str, roots: Sequence[Term], body: Callable[[_Values], str]) -> None:
        """Add ``double name(const int64_t *words)``, whose result the body writes from the values of the roots."""
        values = _Values(roots, self._place, self._bare)
        result, writer = body(values), values.writer
        lines = "\n".join(writer.lines)
        self._functions.append(f"define double @{name}(ptr %words) {{\n{lines}\n  ret double {result}\n}}")
        self._declared.update(writer.declared)
        self.kept += [*writer.kept, writer.failed]
        self.approximate |= writer.approximate


def lower(conjuncts: Sequence[Term], variables: Sequence[Term], table: str = "ulp") -> Module:
    """Write the objective of a conjunction.

    Args:
        conjuncts: terms of sort Bool.
        variables: in the order of their words.
        table: ``ulp``, ``korel`` or ``squared``.

    Raises:
        Unlowerable: a part has no native meaning; says which.
    """
    module = Module(variables, f"@zeroin_distances = global [{max(1, len(conjuncts))} x double] zeroinitializer")

    def condition(known: _Values) -> str:
        total, writer = "0.0", known.writer
        distances = Distances(writer, known.names, table, inlining(known.names))
        for n, part in enumerate(conjuncts):
            distance = known.trusted(part, _capped(writer, distances.of(part, True)))
            writer.lines.append(
                f"  store double {distance}, ptr getelementptr (double, ptr @zeroin_distances, i64 {n})"
            )
            total = distance if n == 0 else writer.put(f"fadd double {total}, {distance}")
        return _capped(writer, total)

    module.define("zeroin_condition", conjuncts, condition)
    return module


def lower_values(terms: Sequence[Term], variables: Sequence[Term], together: bool) -> Module:
    """Write the values of numeric terms as doubles: in one function that shares what they have in common, or in one
    function for each; other arguments and errors as of :func:`lower`."""
    module = Module(variables, f"@zeroin_numbers = global [{max(1, len(terms))} x double] zeroinitializer")

    def store(known: _Values) -> str:
        for n, part in enumerate(terms):
            place = f"ptr getelementptr (double, ptr @zeroin_numbers, i64 {n})"
            known.writer.lines.append(f"  store double {_number(part, known)}, {place}")
        return "0.0"

    if together:
        module.define("zeroin_values", terms, store)
    for n, part in enumerate(() if together else terms):
        module.define(f"zeroin_value_{n}", [part], partial(_number, part))
    return module


def _number(part: Term, known: _Values) -> str:
    return known.trusted(part, _as_double(known.writer, part, known.names[part]))


def lower_parts(conjuncts: Sequence[Term], variables: Sequence[Term], table: str = "ulp",
                bare: bool = False) -> Module:  # fmt: skip
    """Write one objective for each conjunct, over words that may be bare; other arguments as of :func:`lower`."""
    module = Module(variables, bare=bare)

    inline = inlining(postorder(conjuncts))

    def distance(part: Term, known: _Values) -> str:
        distances = Distances(known.writer, known.names, table, inline)
        found = distances.of(part, True)
        return known.trusted(part, found if distances.is_finite else _capped(known.writer, found))

    for n, part in enumerate(conjuncts):
        module.define(f"zeroin_distance_{n}", [part], partial(distance, part))
    return module


def _capped(w: Writer, distance: str) -> str:
    """A sum of distances, finite."""
    return w.put(f"call double @zeroin_capped(double {distance})") if distance.startswith("%") else distance


class _Values:
    """Writes the value of every part of some terms.

    Attributes:
        writer: has the lines.
        names: of the values.
    """

    def __init__(self, roots: Sequence[Term], place: dict[Term, int], bare: bool) -> None:
        self.writer = w = Writer()
        self.names: dict[Term, str] = {}
        self._wrong: dict[Term, str] = {}  # i1 values: whether the value is not the term's
        for term in postorder(roots):
            if term.sort == ROUNDING:
                self.names[term] = ""
            elif term.op is Op.VARIABLE:
                self.names[term] = _read(w, term, place[term], bare)
            else:
                before = len(w.overflows)
                self.names[term] = write_value(w, term, [self.names[a] for a in term.args])
                self._note(term, w.overflows[before:])

    def _note(self, term: Term, wrong: list[str]) -> None:
        """Keep whether the term's value, or one that it was computed from, is wrong."""
        wrong += [self._wrong[a] for a in term.args if a in self._wrong]
        if term.op is Op.ITE:
            condition, *cases = term.args
            wrong = [self._wrong[condition]] if condition in self._wrong else []
            then, other = (self._wrong.get(a, "false") for a in cases)
            if then != other:
                wrong.append(self.writer.put(f"select i1 {self.names[condition]}, i1 {then}, i1 {other}"))
            elif then != "false":
                wrong.append(then)
        if wrong:
            first, *others = dict.fromkeys(wrong)
            for flag in others:
                first = self.writer.put(f"or i1 {first}, {flag}")
            self._wrong[term] = first

    def trusted(self, term: Term, result: str) -> str:
        """A result that was computed from a term's value; the largest double where that is wrong."""
        wrong = self._wrong.get(term)
        return result if wrong is None else self.writer.put(f"select i1 {wrong}, double {_HUGE}, double {result}")


def _read(w: Writer, variable: Term, at: int, bare: bool) -> str:
    """The value of a variable's word."""
    kind = ir_type(variable.sort)
    there = w.put(f"getelementptr i64, ptr %words, i64 {at}")
    if bare and variable.sort.is_float:
        return w.put(f"load {kind}, ptr {there}")
    word = w.put(f"load i64, ptr {there}")
    if variable.sort.is_float or variable.sort == REAL:
        bits, name = ("i32", "zeroin_float") if kind == "float" else ("i64", "zeroin_double")
        return w.put(f"call {kind} @{name}({bits} {word if bits == 'i64' else w.put(f'trunc i64 {word} to i32')})")
    return word if kind == "i64" else w.put(f"trunc i64 {word} to {kind}")


def _as_double(w: Writer, term: Term, value: str) -> str:
    if term.sort.is_float or term.sort == REAL:
        return value if ir_type(term.sort) == "double" else w.put(f"fpext float {value} to double")
    if term.sort == BOOL:
        return w.put(f"uitofp i1 {value} to double")
    return w.put(f"{'sitofp' if term.sort == INT else 'uitofp'} {ir_type(term.sort)} {value} to double")
