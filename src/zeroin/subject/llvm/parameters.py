"""Parameters, signatures and replays of C functions."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from ...errors import OptionError
from ...words import Kind, decode, encode, exact, readable, value_range, word_from_bits, word_range
from ..base import Outcome, Parameter, Replay, Signature, Words


@dataclass(frozen=True)
class CParameter(Parameter):
    """One parameter of a C function.

    Attributes:
        name: as in the source, or ``arg1`` when the source gives none.
        type: the type as the source's language writes it (``double``, ``const int *``).
        kind: the primitive kind of the value, or of what the pointer points to.
        length: None for a plain value; for a pointer or array, how many elements it points to.
        nullable: the subject compares this pointer with NULL, so NULL is tried as well.
        count_of: name of the array parameter whose used length this integer gives (``--array xs=8,n``).
        values: constants worth trying (an enumeration's members).
    """

    name: str
    type: str
    kind: Kind
    length: int | None = None
    nullable: bool = False
    is_output: bool = False
    count_of: str | None = None
    limit: int | None = None
    values: tuple[int, ...] = ()

    @property
    def arity(self) -> int:
        """How many words it takes: one an element, and one that says NULL."""
        return (1 if self.length is None else self.length) + int(self.nullable)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        head = (Kind.BOOL,) if self.nullable else ()
        return head + (self.kind,) * (1 if self.length is None else self.length)

    def ranges(self) -> list[tuple[int, int]]:
        if self.limit is not None:
            return [(encode(self.kind, 0), encode(self.kind, min(self.limit, value_range(self.kind)[1])))]
        return [word_range(kind) for kind in self.kinds]

    def hints(self) -> list[tuple[int, ...]]:
        return [tuple(word_from_bits(kind, v & ((1 << kind.bits) - 1)) for v in self.values) for kind in self.kinds]

    @property
    def driven(self) -> str:
        what = {Kind.F64: "any double", Kind.F32: "any float", Kind.BOOL: "0 or 1"}.get(
            self.kind, f"any {'signed' if self.kind.signed else 'unsigned'} {self.kind.bits}-bit integer"
        )
        if self.length is None:
            return what
        return f"points to {self.length} of: {what}" + ("; or NULL" if self.nullable else "")

    def own(self, words: Words) -> Words | None:
        """Its words without the one that says NULL; None for a NULL pointer."""
        if not self.nullable:
            return words
        return None if words[0] else words[1:]

    def words_of(self, value: Any) -> list[int]:
        """The words of a Python value.

        Raises:
            OptionError: it is none of the parameter.
        """
        elements = [value] if self.length is None else [0] * self.length if value is None else value
        absent = [int(value is None)] if self.nullable else []
        fits = isinstance(elements, list) and len(elements) == (self.length or 1) and all(map(self._takes, elements))
        if not fits or (value is None and not self.nullable):
            raise OptionError(f"{self.name}: {value!r} is no value of it; it {self._wants}")
        return [*absent, *(encode(self.kind, element) for element in elements)]

    @property
    def _wants(self) -> str:
        return self.driven if self.length is not None else f"is {self.driven}"

    def _takes(self, value: Any) -> bool:
        if self.kind in (Kind.F64, Kind.F32):
            return isinstance(value, float) or (isinstance(value, int) and abs(value) < _TOO_LARGE)
        low, high = value_range(self.kind)
        return isinstance(value, int) and low <= value <= high

    def argument(self, words: Words) -> Any:
        """The value of its words: a list for an array, None for NULL."""
        return self._render(words, decode)

    def exact(self, words: Words) -> Any:
        return self._render(words, exact)

    def show(self, words: Words) -> str:
        shown = self._render(words, readable)
        if shown is None:
            return "NULL"
        return "{" + ", ".join(shown) + "}" if isinstance(shown, list) else str(shown)

    def _render(self, words: Words, one: Any) -> Any:
        mine = self.own(words)
        if mine is None:
            return None
        return one(self.kind, mine[0]) if self.length is None else [one(self.kind, word) for word in mine]


@dataclass(frozen=True)
class CReplay(Replay):
    """What one run of the plain function did: the result's bits, and the bits of what every pointer parameter points to
    afterwards (None for NULL)."""

    result: int | None = None
    outputs: tuple[tuple[int, ...] | None, ...] = ()


@dataclass(frozen=True)
class CSignature(Signature):
    """The signature of a compiled function.

    Attributes:
        result: None when nothing comparable is returned.
        call: its qualified name in the source (``ns::f``).
        symbol: its name for the linker (``_ZN2ns1fEd``).
    """

    parameters: tuple[CParameter, ...]
    result_type: str = "void"
    result: Kind | None = None
    call: str = ""
    symbol: str = ""

    @property
    def prototype(self) -> str:
        """``double f(double x, int *out)``."""
        parameters = ", ".join(_declare(p.type, p.name) for p in self.parameters) or "void"
        return f"{_declare(self.result_type, self.name)}({parameters})"

    def words_of(self, values: str) -> Words:
        """The words of arguments as Python writes them: a list for a pointer, ``None`` for NULL; ``nan`` and ``inf``.

        Raises:
            OptionError: they do not fit the parameters.
        """
        try:
            tree = ast.parse(f"[{values}]", mode="eval")
            given = ast.literal_eval(_Numbers().visit(tree))
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
            raise OptionError(f"{values!r}: write the arguments as in Python: 1.5, [1, 2], None") from error
        if len(given) != len(self.parameters):
            raise OptionError(f"{values!r}: {self.name} takes {len(self.parameters)} arguments, not {len(given)}")
        return tuple(word for parameter, value in zip(self.parameters, given, strict=True)
                     for word in parameter.words_of(value))  # fmt: skip

    def unconfirmed(self, words: Words, outcome: Outcome) -> CReplay:
        return CReplay(outcome)

    def exact_result(self, replay: Replay) -> Any:
        if not isinstance(replay, CReplay) or self.result is None or replay.result is None:
            return None
        return exact(self.result, word_from_bits(self.result, replay.result))

    def show_result(self, replay: Replay) -> str:
        if replay.outcome is not Outcome.RETURNED:
            return f"  {replay.outcome.word}"
        if not isinstance(replay, CReplay) or self.result is None or replay.result is None:
            return ""
        return f"= {readable(self.result, word_from_bits(self.result, replay.result))}"

    def outputs(self, replay: Replay) -> dict[str, Any]:
        pointers = [parameter for parameter in self.parameters if parameter.length is not None]
        return {
            p.name: None if after is None else [exact(p.kind, word_from_bits(p.kind, bits)) for bits in after]
            for p, after in zip(pointers, replay.outputs if isinstance(replay, CReplay) else (), strict=False)
            if p.is_output
        }


_TOO_LARGE = 1 << 1023  # an int for a double


class _Numbers(ast.NodeTransformer):
    """Has the names that floats go by stand for them."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(float(node.id)) if node.id in ("nan", "inf") else node


def _declare(type_: str, name: str) -> str:
    return type_ + name if type_.endswith(("*", "&")) else f"{type_} {name}"
