"""Parts of SMT-LIB text: symbols, constants, and the logic of a script."""

from __future__ import annotations

import re
from fractions import Fraction

from ...errors import ZeroinError
from ..core.nodes import Op, Rounding, Term
from ..core.sorts import INT, Sort


class NotExpressible(ZeroinError):
    """A term has an operation, a sort or a constant that the text can not express."""


# ---- names ----

_fit = re.compile(r"[ -\[\]-{}~]+")  # a symbol that bars can quote
_plain = re.compile(r"[A-Za-z_][A-Za-z0-9_!$]*")
_taken = re.compile(
    r"[a-z]![0-9]+|[.@].*|(bv|fp|str|re|seq|int|set|bag|rel|sbv|ubv|ff|real|tuple|array|arith)[._a-z].*|bvredor|"
    r"not|and|or|xor|ite|let|forall|exists|lambda|match|par|distinct|implies|iff|if|true|false|as|abs|div|mod|rem|exp|"
    r"sin|cos|tan|csc|sec|cot|arc.*|a?(sin|cos|tan)h?|sqrt|pi|euler|select|store|map|const|default|union|concat|extract|"
    r"repeat|(zero|sign)_extend|rotate_.*|(ext_)?rotate.*|is_int|to_.*|divisible|iand|pow.*|e|RN[EA]|RT[PNZ]|round.*|"
    r"NaN|Float.*|FloatingPoint|RoundingMode|Bool|Int|Real|String|RegLan|RegEx|Array|BitVec|Seq|Set|Bag|Tuple|Table|"
    r"Relation|Unicode|Char|char.*|nil|insert|cons|head|tail|is|update|apply|sep|pto|wand|emp|witness|cardinality|bit.*|"
    r"BINARY|DECIMAL|HEXADECIMAL|NUMERAL|STRING|_|assert|check-.*|declare-.*|define-.*|get-.*|set-.*|push|pop|exit|echo|"
    r"reset.*|special.*|partial.*|tree.*|piecewise.*|linear.*|transitive.*|subset|setminus|intersection|complement|card"
)


def unquotable(symbol: str) -> bool:
    """Return whether a symbol can not name a variable, because bars can not quote it or a solver gives it a meaning."""
    return not _fit.fullmatch(symbol) or _taken.fullmatch(symbol) is not None


def quoted(symbol: str) -> str:
    """Return the symbol as it is written in a text: in bars if it needs them."""
    return symbol if _plain.fullmatch(symbol) else f"|{symbol}|"


# ---- which logic ----

LOGICS = {
    frozenset(parts): logic
    for logic, parts in {
        "QF_UF": (), "QF_FP": ("FP",), "QF_BV": ("BV",), "QF_BVFP": ("BV", "FP"), "QF_ABV": ("A", "BV"),
        "QF_ABVFP": ("A", "BV", "FP"), "QF_UFBV": ("UF", "BV"), "QF_UFFP": ("UF", "FP"), "QF_LIA": ("I",),
        "QF_NIA": ("I", "N"), "QF_LRA": ("R",), "QF_NRA": ("R", "N"), "QF_S": ("S",), "QF_SLIA": ("S", "I"),
    }.items()
}  # fmt: skip
_NONLINEAR = {Op.FLOOR_DIV, Op.FLOOR_MOD, Op.TRUNC_DIV, Op.TRUNC_MOD, Op.EUCLID_DIV, Op.EUCLID_MOD, Op.POWER,
              Op.QUOTIENT, Op.FP_FLOOR_DIV, Op.FP_SQRT, Op.FP_FMA}  # fmt: skip
_PRODUCTS = {Op.MUL: 0, Op.DIVIDE: 0, Op.FP_MUL: 1, Op.FP_DIV: 1}  # the index of the first factor in the arguments
_EXACT = {Op.EXACT_EQ, Op.EXACT_LT, Op.EXACT_LE, Op.QUOTIENT}
_TO_INT = {Op.FP_TO_INT, Op.FP_ROUND, Op.FP_FLOOR_DIV}
_BITS_ALSO = {Op.FP_TO_SIGNED, Op.FP_TO_UNSIGNED, Op.SIGNED_TO_FP, Op.UNSIGNED_TO_FP}


def kinds(term: Term, reals: bool) -> set[str]:
    """Return the theories that the operation at a term's root needs, abbreviated as in :data:`LOGICS`.

    Args:
        term: any term.
        reals: whether floats are Reals.
    """
    letters = {"Int": "I", "Real": "R", "String": "S", "BitVec": "BV", "Array": "A", "RoundingMode": "FP",
               "FloatingPoint": "R" if reals else "FP"}  # fmt: skip
    found = {letters[s.name] for s in (term.sort, *term.sort.parts) if s.name in letters}
    if term.op is Op.MATH and reals:
        found |= {"I", "R", "N"}
    if reals and term.sort.name == "RoundingMode" and term.is_constant:
        found = set()
    factors = term.args[_PRODUCTS.get(term.op, 0) :]
    if term.op in _PRODUCTS and (reals or not term.sort.is_float) and sum(not a.is_constant for a in factors) > 1:
        found.add("N")
    if term.op in _NONLINEAR and (reals or not term.sort.is_float):
        found.add("N")
    if term.op in _EXACT:
        found |= {"I", "R"}
    if (term.op in _TO_INT and reals) or term.op is Op.FP_TO_INT:
        found |= {"I", "R"}
    if term.op in _BITS_ALSO and reals:
        found |= {"I", "R", "BV"}
    return found


# ---- constants ----

_LONGEST = 14_000  # bits


def literal(term: Term) -> str:
    """Return the text of a constant.

    Raises:
        NotExpressible: an Int is too long, or a string has a character beyond U+2FFFF.
    """
    if term.sort.is_float:
        return _float_literal(term.sort, term.data)
    if term.sort.is_bits:
        return f"#b{term.data:0{term.sort.width}b}"
    value = term.data
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Rounding):
        return value.name
    if isinstance(value, str):
        return _string_literal(value)
    return integer(value) if term.sort == INT else rational(Fraction(value))


def integer(value: int) -> str:
    """Return the text of an Int constant.

    Raises:
        NotExpressible: it has more digits than Python converts to text.
    """
    if value.bit_length() > _LONGEST:
        raise NotExpressible(f"a constant of {value.bit_length()} bits is too long for a text")
    return str(value) if value >= 0 else f"(- {-value})"


def rational(value: Fraction) -> str:
    """Return the text of a Real constant."""
    size = abs(value)
    text = f"{size.numerator}.0" if size.denominator == 1 else f"(/ {size.numerator}.0 {size.denominator}.0)"
    return text if value >= 0 else f"(- {text})"


def _float_literal(sort: Sort, pattern: int) -> str:
    """Return the text of a float constant with these bits."""
    exponent = sort.sizes[0]
    text = f"{pattern:0{sort.width}b}"
    sign, power, digits = text[0], text[1 : 1 + exponent], text[1 + exponent :]
    if "0" not in power and "1" in digits:
        return f"(_ NaN {exponent} {sort.sizes[1]})"
    return f"(fp #b{sign} #b{power} #b{digits})"


def _string_literal(value: str) -> str:
    """Return the text of a string constant.

    Raises:
        NotExpressible: it has a character beyond U+2FFFF.
    """
    if any(ord(c) > 0x2FFFF for c in value):
        raise NotExpressible("SMT-LIB's strings end at U+2FFFF; this constant has a character beyond")
    plain = (c if " " <= c <= "~" and c not in '\\"' else '""' if c == '"' else f"\\u{{{ord(c):x}}}" for c in value)
    return f'"{"".join(plain)}"'


# ---- small texts ----


def power_of_two(sort: Sort, exponent: int, sign: int = 0) -> str | None:
    """Return a power of two as a float constant; None if it is too large.

    Args:
        sort: the float sort.
        exponent: the exponent of the power, not that of a subnormal float.
        sign: 1 for a negative float.
    """
    bias = (1 << (sort.sizes[0] - 1)) - 1
    digits = sort.sizes[1] - 1
    return None if exponent > bias else f"(fp #b{sign} #b{exponent + bias:0{sort.sizes[0]}b} #b{'0' * digits})"


def absolute(a: str, zero: str) -> str:
    """Return the text of a number's absolute value, given the zero of its sort."""
    return f"(ite (<= {zero} {a}) {a} (- {a}))"


def signed(term: Term, text: str) -> str:
    """Return the text of the Int that a bit vector is when it is read as signed."""
    width = term.sort.width
    return f"(ite (bvslt {text} #b{'0' * width}) (- (bv2nat {text}) {1 << width}) (bv2nat {text}))"
