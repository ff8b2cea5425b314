"""The compiler of terms: it writes LLVM IR for the values of terms and for the branch distances of conditions.

The objective of a conjunction is the sum of its conjuncts' branch distances (:mod:`zeroin.distance`). ``and`` adds
distances, and ``or`` takes the least one. The distance of a comparison is the number of steps on the ULP line, or
``|a - b|`` (``korel``), or its square. The sum is 0 exactly when all conjuncts hold (Fu & Su 2016, section 4.4.3; Fu &
Su, XSat, 2016).

The input of the compiled functions is an array with one word for each variable. A word is the variable's ordered word,
a 64-bit integer in the order of the values (:mod:`zeroin.words`). The word of a bit vector is its signed value. A
*bare* word of a float holds the float as it is in memory.

These functions write the code:

* :func:`lower`: ``double zeroin_condition(const int64_t *words)``, the objective. It also stores each conjunct's
  distance in ``zeroin_distances``.
* :func:`lower_parts`: ``zeroin_distance_N``, the distance of conjunct N alone.
* :func:`lower_values`: ``zeroin_value_N``, the value of term N, or ``zeroin_values``, which stores all values in
  ``zeroin_numbers``.

If an integer overflows 64 bits or a Python function fails, the result is the largest double.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

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
    """An LLVM module with compiled terms.

    Args:
        variables: the variables, in the order of their words.
        declared: IR of global declarations.
        bare: whether the words of floats are bare.

    Attributes:
        text: the LLVM IR.
        approximate: whether Reals are computed in doubles. Then a zero must be checked.
        kept: Python objects that must live as long as the code.
    """

    def __init__(self, variables: Sequence[Term], *declared: str, bare: bool = False) -> None:
        self.approximate = False
        self.kept: list[object] = []
        self._place, self._bare = {v: n for n, v in enumerate(variables)}, bare
        self._declared = dict.fromkeys([HELPERS, *declared])
        self._functions: list[str] = []

    @property
    def text(self) -> str:
        """The LLVM IR."""
        return "\n".join([*self._declared, *self._functions])

    def define(self, name: str, roots: Sequence[Term], body: Callable[[_Values], str]) -> None:
        """Add the function ``double name(const int64_t *words)``.

        Args:
            name: the name of the function.
            roots: the terms whose values the function computes. All their variables must be among the module's.
            body: writes the rest of the function and returns the name of its result.

        Raises:
            Unlowerable: native code can not compute a part of the terms.
        """
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
        variables: the variables, in the order of their words.
        table: the branch distance: ``ulp``, ``korel`` or ``squared``.

    Raises:
        Unlowerable: native code can not compute a part. The message names it.
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
    """Write code for the values of numeric terms as doubles.

    Args:
        terms: the terms.
        variables: as in :func:`lower`.
        together: whether to write one function for all, in which common parts are computed once.

    Raises:
        Unlowerable: as in :func:`lower`.
    """
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
    """Write the value of a term as a double; the largest double if the value is wrong."""
    return known.trusted(part, _as_double(known.writer, part, known.names[part]))


def lower_parts(conjuncts: Sequence[Term], variables: Sequence[Term], table: str = "ulp",
                bare: bool = False) -> Module:  # fmt: skip
    """Write one objective for each conjunct. ``bare`` says whether the words of floats are bare.

    The other arguments and errors are those of :func:`lower`.
    """
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
    """Cap a sum of distances at the largest double."""
    return w.put(f"call double @zeroin_capped(double {distance})") if distance.startswith("%") else distance


class _Values:
    """Writes code for the value of every part of some terms.

    Attributes:
        writer: has the lines of the function.
        names: for each part, the name of its value in the IR; empty for a rounding mode.
    """

    def __init__(self, roots: Sequence[Term], place: dict[Term, int], bare: bool) -> None:
        self.writer = w = Writer()
        self.names: dict[Term, str] = {}
        self._wrong: dict[Term, str] = {}  # for terms whose value can be wrong, the i1 value that says whether it is
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
        """Write whether the term's value is wrong: its own flags, and those of the arguments that it depends on."""
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
        """Return a result that was computed from a term's value, replaced by the largest double if that is wrong."""
        wrong = self._wrong.get(term)
        return result if wrong is None else self.writer.put(f"select i1 {wrong}, double {_HUGE}, double {result}")


def _read(w: Writer, variable: Term, at: int, bare: bool) -> str:
    """Read the value of a variable from its word."""
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
    """Convert a value to a double. Bit vectors are unsigned."""
    if term.sort.is_float or term.sort == REAL:
        return value if ir_type(term.sort) == "double" else w.put(f"fpext float {value} to double")
    if term.sort == BOOL:
        return w.put(f"uitofp i1 {value} to double")
    return w.put(f"{'sitofp' if term.sort == INT else 'uitofp'} {ir_type(term.sort)} {value} to double")
