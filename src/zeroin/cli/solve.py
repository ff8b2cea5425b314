"""``zeroin solve``: find values that satisfy the conditions of an SMT-LIB file or of expressions."""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TextIO

from .. import files
from ..config import Budget
from ..errors import OptionError, TargetError, ZeroinError
from ..named import name_and_parameters
from ..solvers import SOLVERS, solve
from ..solvers.base import Answer, Disagreement, Proof, Query, Sat, Unknown, Unsat
from ..term.core.evaluate import Map
from ..term.core.nodes import Rounding, Term, own_bits
from ..term.core.sorts import FLOAT32, MACHINE_FLOATS, Sort
from ..term.core.traversal import size
from ..term.expression.parser import parse
from ..term.expression.typed import DOUBLE, TYPES, ExpressionError, Type
from ..words import Kind, encode, exact, readable, word_from_bits
from .main import DONE, FOUND
from .options import check_place

SCHEMA = 1
_PLAIN_NAME = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/-][\w~!@$%^&*+=<>.?/-]*", re.ASCII)
_DIGITS = 1 << 13  # bits; larger integers are printed in hexadecimal, as Python limits decimal digits


@dataclass(frozen=True)
class SolveRequest:
    """The conditions to solve.

    Attributes:
        query: the conditions as terms.
        types: the types of the variables, by name; empty for a file.
        expected: the answer that the file declares (``:status``): ``sat``, ``unsat`` or ``unknown``; None without one.
        smt: whether names and values are printed in SMT-LIB's notation.
    """

    query: Query
    types: dict[str, Type]
    expected: str | None = None
    smt: bool = False


def run(parsed: argparse.Namespace) -> int:
    """Solve each problem, print the answers, and return the exit status: 1 if two provers disagree, else 0.

    Raises:
        ZeroinError: the file, an expression or an option is invalid.
    """
    budget = _budget(parsed)
    own, _ = name_and_parameters(parsed.solver)
    if own not in SOLVERS:
        raise OptionError(f"--solver {own}: no such solver; choose from {', '.join(SOLVERS)}")
    if parsed.json is not None and parsed.json != "-":
        check_place("--json", parsed.json)
    questions = _questions(parsed)
    stream = sys.stderr if parsed.json == "-" else sys.stdout
    left, disagree, results = budget.seconds, False, list[dict[str, object]]()
    for number, question in enumerate(questions):
        share = Budget(budget.evaluations, left / (len(questions) - number))
        start = time.monotonic()
        answer = solve(question.query, share, parsed.solver, parsed.seed, parsed.check_proofs)
        seconds = time.monotonic() - start
        left -= min(seconds, share.seconds)  # loading and compiling is not part of the budget
        _print(question, answer, stream)
        stream.flush()
        if parsed.stats:
            _print_stats(question.query, answer, seconds)
        results.append(_as_json(question, answer, seconds, parsed.seed))
        disagree = disagree or isinstance(answer, Disagreement)
    if parsed.json is not None:
        _write_json(results[0] if len(results) == 1 else {"schema": SCHEMA, "answers": results}, parsed.json)
    return FOUND if disagree else DONE


def _budget(parsed: argparse.Namespace) -> Budget:
    """Return the budget, and check the seed.

    Raises:
        OptionError: one of them is invalid.
    """
    if parsed.seed < 0:
        raise OptionError(f"--seed {parsed.seed}: give a number that is not negative")
    defaults = Budget()
    return Budget(
        defaults.evaluations if parsed.evals is None else parsed.evals,
        defaults.seconds if parsed.budget is None else parsed.budget,
    )


# ---- the problem ----


def _questions(parsed: argparse.Namespace) -> list[SolveRequest]:
    """Return the conditions of each query of the file, or those of the expressions.

    Raises:
        ZeroinError: there is neither or both, or it can not be read.
    """
    if (parsed.file is None) == (not parsed.expressions):
        both = "not both" if parsed.file else 'such as -e "x*x == 2"'
        raise OptionError(f"give a FILE.smt2 or -e EXPRESSION, {both}  (see zeroin solve --help)")
    if parsed.file is not None:
        if parsed.types:
            raise OptionError(f"--var {parsed.types[0]}: works with -e only; an SMT-LIB file declares its variables")
        return _from_file(Path(parsed.file))
    return [_from_expressions(parsed.expressions, parsed.types)]


def _from_file(path: Path) -> list[SolveRequest]:
    from ..term.smt.reader import read_all

    if path.is_dir():
        raise TargetError(f"{path}: is a folder: name a file")
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise TargetError(f"{path}: no such file") from None
    except UnicodeDecodeError:
        raise TargetError(f"{path}: is not a text file; give an SMT-LIB file") from None
    except OSError as error:
        raise TargetError(f"{path}: can not be read ({error.strerror})") from error
    if not text.strip():
        raise TargetError(f"{path}: the file is empty")
    try:
        return [SolveRequest(Query(script.constraints), {}, script.expected, smt=True) for script in read_all(text)]
    except ZeroinError as error:
        raise TargetError(f"{path}: {error}") from error


def _from_expressions(expressions: Sequence[str], declared: Sequence[str]) -> SolveRequest:
    types = _types(declared)
    query = Query(tuple(_parsed(text, types) for text in expressions))
    names = {v.data for v in query.variables}
    for name in types:
        if name not in names:
            print(f"zeroin: --var {name}:{types[name]}: no expression has a variable {name}", file=sys.stderr)
    return SolveRequest(query, {name: types.get(name, DOUBLE) for name in names})


def _parsed(text: str, types: dict[str, Type]) -> Term:
    try:
        return parse(text, types, default=DOUBLE)
    except ExpressionError as error:
        shown = text if len(text) <= 60 else f"{text[:57]}..."
        raise OptionError(f"-e {shown!r}: {error}") from None


def _types(declared: Sequence[str]) -> dict[str, Type]:
    """Parse the values of ``--var``, such as ``x:float``; return the types by name.

    Raises:
        OptionError: a value is malformed, or contradicts another one.
    """
    types: dict[str, Type] = {}
    for text in declared:
        name, colon, kind = (part.strip() for part in text.partition(":"))
        if not colon or not name.isidentifier():
            raise OptionError(f"--var {text}: write NAME:TYPE, such as --var x:float")
        if kind not in TYPES:
            raise OptionError(f"--var {text}: no such type; choose from {', '.join(TYPES)}")
        if types.setdefault(name, TYPES[kind]) != TYPES[kind]:
            raise OptionError(f"--var {text}: {name} already has the type {types[name]}")
    return types


# ---- the answer ----


def _print(question: SolveRequest, answer: Answer, stream: TextIO) -> None:
    """Print the answer and the values on the stream, and remarks on standard error."""
    print(_word(answer), file=stream)
    if isinstance(answer, Unknown):
        shout = "THE PROVERS DISAGREE: " if isinstance(answer, Disagreement) else ""
        print(f"unknown: {shout}{' '.join(answer.reason.split())}", file=sys.stderr)
    if isinstance(answer, Unsat) and answer.proof.confirmed_by:
        others = ", ".join(other.solver for other in answer.proof.confirmed_by)
        print(f"zeroin: proved by {answer.by}, confirmed by {others}", file=sys.stderr)
    if isinstance(answer, Unsat) and answer.proof.unconfirmed:
        why = " ".join(answer.proof.unconfirmed.split())
        print(f"zeroin: proved by {answer.by}, not confirmed by a second prover: {why}", file=sys.stderr)
    if isinstance(answer, Sat):
        for v in question.query.variables:
            name = v.data if not question.smt or _PLAIN_NAME.fullmatch(v.data) else f"|{v.data}|"
            print(f"{name} = {_text(question, v, answer.model[v.data])}", file=stream)
        for what in answer.open:
            print(f"zeroin: the model depends on zeroin's value for {what}, which is unspecified", file=sys.stderr)
    if question.expected in ("sat", "unsat") and not isinstance(answer, Unknown) and _word(answer) != question.expected:
        print(f"zeroin: the :status of the file is {question.expected}", file=sys.stderr)


def _word(answer: Answer) -> str:
    """Return the answer as ``sat``, ``unsat`` or ``unknown``."""
    return "sat" if isinstance(answer, Sat) else "unsat" if isinstance(answer, Unsat) else "unknown"


def _text(question: SolveRequest, v: Term, value: Any) -> str:
    """Return a value as text for the user; a float has its hexadecimal form, too, if the decimal form is not exact."""
    if v.sort.is_float and not math.isnan(value):
        decimal = _decimal(v.sort, value)
        inexact = math.isfinite(value) and Fraction(decimal) != Fraction(value)
        return f"{decimal}  ({_exact(question, v, value)})" if inexact else decimal
    return _exact(question, v, value)


def _decimal(sort: Sort, value: float) -> str:
    """Return the shortest decimal that parses to the same float, or to the same double for other floats."""
    if sort not in MACHINE_FLOATS:
        return repr(value)
    kind = Kind.F32 if sort == FLOAT32 else Kind.F64
    return readable(kind, encode(kind, value))


def _exact(question: SolveRequest, v: Term, value: object) -> str:
    """Return the value of a variable as text without loss of precision, see :func:`_written`."""
    return _written(v.sort, value, question.types.get(v.data), question.smt)


def _written(sort: Sort, value: Any, declared: Type | None, smt: bool) -> str:
    """Return a value of a model as text without loss of precision.

    A float is written in C99 hexadecimal, also for SMT-LIB, which has no such notation.

    Args:
        sort: the sort of the value.
        value: the value; for bit vectors, an unsigned int.
        declared: the variable's type in an expression, which says whether a bit vector is signed; None: unsigned.
        smt: whether bit vectors, truth values, strings and NaN are written as in SMT-LIB.
    """
    if sort.is_float:
        kind = Kind.F32 if sort == FLOAT32 else Kind.F64
        if smt and math.isnan(value):  # SMT-LIB has a single NaN
            return "nan"
        if sort not in MACHINE_FLOATS:
            return float(value).hex()
        return exact(kind, word_from_bits(kind, own_bits(sort, value)))
    if sort.is_bits:
        if smt:
            return f"#x{value:0{sort.width // 4}x}" if sort.width % 4 == 0 else f"#b{value:0{sort.width}b}"
        return str(_signed(sort, value, declared))
    if isinstance(value, bool):
        return str(value).lower() if smt else str(value)
    if isinstance(value, int):
        return str(value) if value.bit_length() <= _DIGITS else hex(value)
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"' if smt else repr(value)
    if isinstance(value, Rounding):
        return value.name
    if isinstance(value, Map):
        index, element = sort.parts
        items = [
            f"{_written(index, key, None, smt)}: {_written(element, item, None, smt)}" for key, item in value.items
        ]
        return f"{{{', '.join([*items, f'else: {_written(element, value.default, None, smt)}'])}}}"
    return str(value)


def _signed(sort: Sort, value: int, t: Type | None) -> int:
    """Return the value of a bit vector from an unsigned int; negative if its type is signed and its top bit set."""
    return value - (1 << sort.width) if t is not None and t.signed and value >> (sort.width - 1) else value


def _print_stats(query: Query, answer: Answer, seconds: float) -> None:
    by = "nobody" if isinstance(answer, Unknown) else answer.by
    counts = {"variable": len(query.variables), "condition": len(query.conjuncts), "part": size(query.constraints)}
    sizes = ", ".join(f"{count} {what}{'' if count == 1 else 's'}" for what, count in counts.items())
    print(f"answered by {by}, {seconds:.3f} s, {sizes}", file=sys.stderr)


def _proof_as_json(proof: Proof) -> dict[str, object]:
    """Return a proof as plain data, without its query."""
    plain = {name: value for name, value in asdict(proof).items() if name != "query"}
    return {**plain, "confirmed_by": [_proof_as_json(other) for other in proof.confirmed_by]}


def _as_json(question: SolveRequest, answer: Answer, seconds: float, seed: int) -> dict[str, object]:
    """Return the answer as strict JSON: ``model`` for convenience, ``exact`` without loss of precision."""
    model = answer.model if isinstance(answer, Sat) else {}
    proof = answer.proof if isinstance(answer, Unsat) else None
    asked = [v for v in question.query.variables if v.data in model]
    return {
        "schema": SCHEMA,
        "answer": _word(answer),
        "model": {v.data: _json_value(question, v, model[v.data]) for v in asked},
        "exact": {v.data: _exact(question, v, model[v.data]) for v in asked},
        "types": {v.data: str(question.types.get(v.data, v.sort)) for v in asked},
        "by": None if isinstance(answer, Unknown) else answer.by,
        "open": list(answer.open) if isinstance(answer, Sat) else [],
        "proof": _proof_as_json(proof) if proof else None,
        "confirmed_by": [other.solver for other in proof.confirmed_by] if proof else [],
        "unconfirmed": proof.unconfirmed if proof else None,
        "why": answer.reason if isinstance(answer, Unknown) else None,
        "seconds": seconds,
        "seed": seed,
        "conditions": len(question.query.conjuncts),
        "size": size(question.query.constraints),
    }


def _json_value(question: SolveRequest, v: Term, value: Any) -> object:
    """Return a value as JSON's number, truth value or string; as exact text if JSON can not express it."""
    if isinstance(value, float) and math.isfinite(value):
        return float(_decimal(v.sort, value))
    if v.sort.is_bits:
        return _signed(v.sort, value, question.types.get(v.data))
    if isinstance(value, bool | str) or (isinstance(value, int) and value.bit_length() <= _DIGITS):
        return value
    return _exact(question, v, value)


def _write_json(report: dict[str, object], place: str) -> None:
    text = json.dumps(report, indent=1) + "\n"
    if place == "-":
        sys.stdout.write(text)
    else:
        files.write(Path(place), text)
