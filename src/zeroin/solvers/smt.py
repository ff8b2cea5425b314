"""SMT solvers: z3, Bitwuzla and cvc5, each run on the SMT-LIB script of :mod:`zeroin.term.smt.writer`.

Every model is checked by evaluation before it becomes an answer. "Unsat" is a proof about floats only if the script
has them as floats, and not as reals.
"""

from __future__ import annotations

import math
import time
from abc import abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from importlib import import_module
from typing import Any, ClassVar

from ..config import Budget
from ..errors import MissingDependency
from ..term.core.evaluate import Map, evaluate
from ..term.core.nodes import Op, Rounding, float_of_bits
from ..term.core.rounding import from_number
from ..term.core.sorts import FLOAT32, FLOAT64, MACHINE_FLOATS, REAL, Sort, float_sort
from ..term.smt.commands import ScriptError
from ..term.smt.reader import read, term_of
from ..term.smt.text import NotExpressible, quoted
from ..term.smt.writer import Translation, relaxed, translate
from .base import Answer, CompleteSolver, Model, Proof, Query, Sat, Unknown, Unsat
from .work_clock import CALL, CALL_CHARACTER, CHARACTER, RESOURCE_OF_CVC5, RESOURCE_OF_Z3, SCRIPT, worked


class SmtSolver(CompleteSolver):
    """The common part of the three SMT solvers.

    Args:
        reals: write floats as reals, and hard operations as uninterpreted functions. Then "unsat" is never a proof
            about floats.

    Raises:
        MissingDependency: the solver's package is not installed.
    """

    keeps_time = False
    misses = frozenset(("function",))
    package: ClassVar[str]
    without: ClassVar[frozenset[str]] = frozenset()  # sorts that the solver does not support
    floats: ClassVar[frozenset[Sort] | None] = None  # the float sorts that the solver supports; None: all

    def __init__(self, reals: bool = False) -> None:
        self.reals = reals
        if reals:
            self.proves, self.misses = False, frozenset(("nan",))
        self._module()

    def solve(self, query: Query, budget: Budget) -> Answer:
        """Run the SMT solver; see :class:`.base.Solver`.

        Returns:
            ``Unknown``, too, if SMT-LIB can not express the query, if the model does not satisfy it, or if the solver
            reports an error.
        """
        try:
            script = self._script(query, self.reals)
        except NotExpressible as error:
            return Unknown(f"{self.name}: {error}")
        started = time.monotonic()
        status, found = self._asked(script, budget)
        if status == "unsat":
            if script.relaxed:
                return Unknown(f"{self.name}: there is no solution over the reals; for floats that is no proof")
            functions = tuple(f"{name} is a function: equal numbers, equal values" for name in script.abstracted)
            return Unsat(Proof(self, f"SMT, {script.logic}", time.monotonic() - started, functions))
        if found is None:
            return Unknown(f"{self.name}: {status}")
        model = query.completed(found)
        if query.holds(model):
            return Sat(model, self.name)
        why = _mismatch(script)
        return Unknown(f"{self.name}: {why or 'its model does not hold exactly'}", claims_model=why is None,
                       coarse=why is not None and not script.relaxed)  # fmt: skip

    def relaxed(self, query: Query, budget: Budget) -> tuple[str, Model | None]:
        """Answer the query over the reals, with uninterpreted functions.

        Returns:
            "sat", "unsat" or "unknown", and the model; None unless the result is "sat". The model is rounded to floats
            and may not satisfy the query. Irrelevant variables may be missing. "unknown" also if SMT-LIB can not
            express the query.
        """
        try:
            script = self._script(query, True)
        except NotExpressible:
            return "unknown", None
        status, found = self._asked(script, budget)
        return (status if status in ("sat", "unsat") else "unknown"), found

    def _script(self, query: Query, reals: bool) -> Translation:
        return translate(query.constraints, reals=reals, abstract=True, without=self.without, floats=self.floats)

    def _asked(self, script: Translation, budget: Budget) -> tuple[str, Model | None]:
        """Return "sat", "unsat" or the reason for not knowing, and the model as values of zeroin's terms.

        The model is None unless the result is "sat". It may lack variables.
        """
        worked(SCRIPT + CHARACTER * len(script.body))
        status, values = self._ask(script, budget)
        if status != "sat":
            return status, None
        known = {v: _as(v.sort, values[s]) for s, v in script.symbols.items() if s in values}
        model = {v.data: value for v, value in known.items() if v.op is Op.VARIABLE}
        for bits, pattern in known.items():
            if bits.op is Op.FP_TO_BITS and math.isnan(model.get(bits.args[0].data, 0.0)):
                model[bits.args[0].data] = float_of_bits(bits.args[0].sort, pattern)
        return status, model

    @classmethod
    def _module(cls) -> Any:
        """Return the solver's Python package.

        Raises:
            MissingDependency: it is not installed.
        """
        try:
            return import_module(cls.package)
        except ImportError as error:
            extra = "zeroin" if cls.package == "z3" else "zeroin[smt]"
            raise MissingDependency(f"{cls.package} is not installed: pip install '{extra}'") from error

    @abstractmethod
    def _ask(self, script: Translation, budget: Budget) -> tuple[str, Mapping[str, object]]:
        """Run the solver and note its work (:mod:`.work_clock`).

        Returns:
            "sat", "unsat" or the reason for not knowing; and the values by symbol, without those that can not be
            parsed. There are no values unless the result is "sat".
        """


class Z3(SmtSolver):
    """The z3 theorem prover, which supports every sort."""

    name = "z3"
    package = "z3"

    def _ask(self, script: Translation, budget: Budget) -> tuple[str, Mapping[str, object]]:
        z3 = self._module()
        context = z3.Context()
        solver = z3.Solver(ctx=context) if script.logic == "ALL" else z3.SolverFor(script.logic, ctx=context)
        solver.set("timeout", _milliseconds(budget))
        if math.isfinite(budget.work):
            solver.set("rlimit", _steps(budget, RESOURCE_OF_Z3))
        try:
            solver.add(z3.parse_smt2_string(script.body, ctx=context))
            answer = solver.check()
            worked(RESOURCE_OF_Z3 * solver.statistics().get_key_value("rlimit count"))
        except z3.Z3Exception as error:
            return _line(error), {}
        if answer != z3.sat:
            return ("unsat" if answer == z3.unsat else f"it gave up: {solver.reason_unknown()}"), {}
        model = solver.model()
        values = {}
        for declared in model.decls():
            if declared.name() in script.symbols and declared.arity() == 0:
                node = model[declared]
                if z3.is_algebraic_value(node):
                    node = node.approx(40)
                try:
                    values[declared.name()] = evaluate(term_of(node), {})
                except ScriptError:  # an array that is given as a function
                    continue
        return "sat", values


class Bitwuzla(SmtSolver):
    """Bitwuzla, which supports bit vectors, the floats of IEEE 754, and arrays of these."""

    name = "bitwuzla"
    package = "bitwuzla"
    misses = frozenset(("function", "int", "real", "string"))
    without = frozenset(("Int", "Real", "String"))
    floats = frozenset((float_sort(5, 11), FLOAT32, FLOAT64))

    def _ask(self, script: Translation, budget: Budget) -> tuple[str, Mapping[str, object]]:
        wheel = self._module()
        options = wheel.Options()
        options.set(wheel.Option.PRODUCE_MODELS, True)
        options.set(wheel.Option.TIME_LIMIT_PER, _milliseconds(budget))
        parser = wheel.Parser(wheel.TermManager(), options)
        try:
            parser.parse(script.body, True, False)
            solver = parser.bitwuzla()
            call = CALL + CALL_CHARACTER * len(script.body)
            calls = _Calls(_steps(budget, call))
            if math.isfinite(budget.work):
                solver.configure_terminator(calls)
            answer = solver.check_sat()
            worked(call * calls.made)
        except wheel.BitwuzlaException as error:
            return _line(error), {}
        if answer != wheel.Result.SAT:
            return ("unsat" if answer == wheel.Result.UNSAT else _TIME), {}
        return "sat", _read(script, {s: str(solver.get_value(parser.parse_term(quoted(s)))) for s in script.symbols})


class Cvc5(SmtSolver):
    """cvc5, which supports every sort, but no floats other than the machine's."""

    name = "cvc5"
    package = "cvc5"
    floats = frozenset(MACHINE_FLOATS)

    def _ask(self, script: Translation, budget: Budget) -> tuple[str, Mapping[str, object]]:
        wheel = self._module()
        solver = wheel.Solver(wheel.TermManager())
        solver.setOption("produce-models", "true")
        solver.setOption("tlimit-per", str(_milliseconds(budget)))
        if math.isfinite(budget.work):
            solver.setOption("rlimit-per", str(_steps(budget, RESOURCE_OF_CVC5)))
        parser = wheel.InputParser(solver)
        parser.setStringInput(wheel.InputLanguage.SMT_LIB_2_6, script.body, "query")
        known = parser.getSymbolManager()
        try:
            while not (command := parser.nextCommand()).isNull():
                command.invoke(solver, known)
            answer = solver.checkSat()
            worked(RESOURCE_OF_CVC5 * solver.getStatistics()["resource::resourceUnitsUsed"]["value"])
            if not answer.isSat():
                return ("unsat" if answer.isUnsat() else f"it gave up: {answer.getUnknownExplanation().name}"), {}
            terms = [term for term in known.getDeclaredTerms() if term.getSymbol() in script.symbols]
            return "sat", _read(script, {term.getSymbol(): str(solver.getValue(term)) for term in terms})
        except RuntimeError as error:
            return _line(error), {}


def installed() -> list[SmtSolver]:
    """Return new objects for the SMT solvers that are installed, the fastest on floats first; empty if none is."""
    found: list[SmtSolver] = []
    for make in (Bitwuzla, Cvc5, Z3):
        try:
            found.append(make())
        except MissingDependency:
            continue
    return found


_TIME = "the time budget is used up"
_LONGEST = 1000.0  # seconds of work: cvc5 and z3 have 32-bit counters


class _Calls:
    """A callback by which Bitwuzla asks whether to stop. It counts its calls, as a measure of Bitwuzla's work.

    Args:
        most: the number of calls after which it tells Bitwuzla to stop.
    """

    def __init__(self, most: float) -> None:
        self.made, self.most = 0, most

    def __call__(self) -> bool:
        self.made += 1
        return self.made > self.most


def _milliseconds(budget: Budget) -> int:
    """Return the time of a budget in milliseconds, at least 1."""
    return max(1, int(budget.seconds * 1000))


def _steps(budget: Budget, step: float) -> int:
    """Return the number of steps that the work of a budget allows, at ``step`` seconds of work each; at least 1.

    It is limited to ``_LONGEST`` seconds of work.
    """
    return max(1, int(min(budget.work, _LONGEST) / step))


def _mismatch(script: Translation) -> str | None:
    """Return why a model of the script may not satisfy the terms; None if it has to satisfy them."""
    if script.relaxed:
        return "its model of the reals does not hold in floats"
    if script.opened:
        return f"its model has another value for {' and '.join(script.opened)} than zeroin uses; both are allowed"
    if script.abstracted:
        return f"its model treats {', '.join(script.abstracted)} as arbitrary functions"
    return None


def _line(error: Exception) -> str:
    """Return an error's message in one line, cut after 200 characters."""
    return " ".join(str(error).split())[:200]


def _read(script: Translation, texts: Mapping[str, str]) -> dict[str, object]:
    """Parse the solver's values by symbol. Values that zeroin has no term for are left out."""
    try:
        return _values(script, texts)
    except ScriptError:  # leave out only the values at fault
        found: dict[str, object] = {}
        for symbol, text in texts.items():
            try:
                found |= _values(script, {symbol: text})
            except ScriptError:
                continue
        return found


def _values(script: Translation, texts: Mapping[str, str]) -> dict[str, Any]:
    """Parse the values, as the right sides of equations in an SMT-LIB script.

    Raises:
        ScriptError: a value can not be parsed.
    """
    found = {symbol: value for symbol, text in texts.items() if (value := _plain(text)) is not None}
    texts = {symbol: text for symbol, text in texts.items() if symbol not in found}
    if not texts:
        return found
    lines = []
    for symbol, text in texts.items():
        sort = script.symbols[symbol].sort
        lines.append(f"(declare-const {quoted(symbol)} {relaxed(sort) if script.relaxed else sort})")
        lines.append(f"(assert (= {quoted(symbol)} {text}))")
    equations = read("\n".join(lines)).constraints
    return found | {symbol: evaluate(equation.args[1], {}) for symbol, equation in zip(texts, equations, strict=True)}


def _plain(text: str) -> int | bool | None:
    """Parse a binary bit vector or a truth value without the (slow) SMT-LIB parser; None for any other text."""
    if text.startswith("#b"):
        return int(text[2:], 2)
    return {"true": True, "false": False}.get(text)


def _as(sort: Sort, value: Any) -> Any:
    """Convert a value of the relaxed sort to the sort itself; a real becomes the nearest finite float."""
    if isinstance(value, Map):
        index, element = sort.parts
        return Map(_as(element, value.default), tuple((_as(index, k), _as(element, v)) for k, v in value.items))
    if isinstance(value, Fraction) and sort.is_float:
        rounded = from_number(sort, Rounding.RNE, value)
        return rounded if abs(rounded) < float("inf") else from_number(sort, Rounding.RTZ, value)
    return Fraction(value) if sort == REAL else value
