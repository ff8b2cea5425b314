"""Terms as text for people, in SMT-LIB's notation. Shared parts are written out, up to a limit."""

from __future__ import annotations

from fractions import Fraction

from .nodes import Op, Rounding, Term
from .sorts import REAL
from .traversal import fold, postorder

_MOST = 400  # the most parts of a term that is written out
_NAMES = {Op.EQUAL: "=", Op.ADD: "+", Op.SUB: "-", Op.MUL: "*", Op.NEG: "-", Op.DIVIDE: "/", Op.LT: "<", Op.LE: "<=",
          Op.FP_LE: "fp.leq"}  # fmt: skip


def show(term: Term) -> str:
    """Return the term in one line. If its text has more than 400 parts, only its operation is shown."""
    parts = len(postorder([term]))
    if parts > _MOST or _written_out(term) > _MOST:
        return f"({name(term)} ... {parts} parts)"
    return fold(term, _written)


def _written_out(term: Term) -> int:
    """Return the number of parts in the full text, which repeats shared parts."""

    def count(_: Term, args: list[int]) -> int:
        return 1 + sum(args)

    return fold(term, count)


def name(term: Term) -> str:
    """Return the name of a term's operation, with its data."""
    data = term.data.name if term.op is Op.CALL else term.data
    if term.op in (Op.MATH, Op.CALL):
        return str(data)
    plain = _NAMES.get(term.op) or term.op.name.lower().replace("fp_", "fp.").replace("bv_", "bv")
    if isinstance(data, tuple):
        data = " ".join(map(str, data))
    return plain if data is None else f"(_ {plain} {data})"


def _written(term: Term, args: list[str]) -> str:
    if term.op is Op.VARIABLE:
        return str(term.data)
    if term.op is Op.CONSTANT:
        return value_text(term)
    return f"({' '.join([name(term), *args])})"


def value_text(term: Term) -> str:
    """Return the text of a constant's value."""
    value = term.value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Rounding):
        return value.name
    if isinstance(value, Fraction):
        return str(value)
    if term.sort.is_bits:
        return f"#x{value:0{term.sort.width // 4}x}" if term.sort.width % 4 == 0 else f"#b{value:0{term.sort.width}b}"
    return repr(value) if term.sort != REAL else str(value)
