"""Parameters, signatures and replays of C functions."""

from __future__ import annotations  # noqa: I001

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ....errors import OptionError
from ....words import Kind, decode, encode, exact, readable, value_range, word_from_bits, word_range
from ....subject.base import Termination, Parameter, Replay, Signature, Words
from .alias_analysis import APART, NOTHING, Behind, Sharing
from .argument_syntax import declared, literals, words_within
from .result_bits import of_bits, one_nans
from .containers import Container
from .layout import (Array, Callback, Cell, Extent, Layout, Scalar, Structure, Text, as_array, cells, resized, told,
                     value_of, words_of, written)  # fmt: skip
from ..replay import CReplay
from .printed_types import RETURNED, PrintedValue

_MOST_REMOVED, _LONGEST = 64, 200  # characters of a string, each for itself; and of a value in a message


@dataclass(frozen=True)
class CParameter(Parameter):
    """One parameter of a C function.

    Attributes:
        name: as in the source, or ``arg1`` when the source gives none.
        type: the type as the source's language writes it (``double``, ``const int *``).
        layout: of the value, or of what the pointer points to.
        is_pointer: whether it is a pointer (or reference), to an array or to a structure.
        nullable: the subject compares this pointer with NULL, so NULL is tried as well.
        is_output: the subject may change what it points to.
        is_guess: nobody says how many elements it points to: they are as many as runs have been found to use; of a
            length that the limit is ours. Such a length may be below 0.
        is_walked: the code counts on from where it points to.
        extent: what says how many elements there are in a call, if the code does.
        count_of: name of the array parameter whose used length this integer gives.
        limit: the most that such an integer may be.
        narrowed: the ranges of its words, where these are narrower than its type says.
        texts: of a string, some that are worth trying.
        pieces: of a structure that is passed in registers, the IR types that it is passed as, and which of its bytes
            each begins at; empty for what is one argument of the IR function (of a structure that is its address).
        container: of C++'s library, that is made of what it points to.
        is_shown: whether the source has it; else it is the length of a container.
        behind: of a pointer, what may lie there.
    """

    name: str
    type: str
    layout: Layout
    is_pointer: bool = False
    nullable: bool = False
    is_output: bool = False
    is_guess: bool = False
    is_walked: bool = False
    extent: Extent | None = None
    count_of: str | None = None
    limit: int | None = None
    narrowed: tuple[tuple[int, int], ...] = ()
    texts: tuple[bytes, ...] = ()
    pieces: tuple[tuple[str, int], ...] = ()
    container: Container | None = None
    is_shown: bool = True
    behind: Behind = NOTHING
    is_passed: ClassVar[bool] = True  # whether the IR function has it as a parameter

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The numbers that it is made of; each has a word."""
        return cells(self.layout)

    @property
    def kind(self) -> Kind:
        """Of a number, or of each number of an array."""
        assert not isinstance(self.layout, Structure)
        return self.cells[0].kind

    @property
    def length(self) -> int | None:
        """How many elements the array has that it points to; None if it points to none."""
        return self.layout.count if self.is_pointer and isinstance(self.layout, Array) else None

    @property
    def is_length(self) -> bool:
        """Whether code or its name says that it is the length of an array."""
        return self.limit is not None and self.is_guess

    @property
    def most_size(self) -> int:
        """The most bytes that it points to."""
        return self.layout.size if self.extent is None else self.extent.most * as_array(self.layout).element.size

    @property
    def is_integer(self) -> bool:
        """Whether it is an integer itself."""
        return isinstance(self.layout, Scalar) and not (self.layout.kind.is_float or self.callback)

    @property
    def callback(self) -> Callback | None:
        """The functions to choose from, if it is a pointer to one."""
        return self.layout if isinstance(self.layout, Callback) else None

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Of its words: one that says NULL, and one a number; of a pointer to a function, the number of this."""
        return ((Kind.BOOL,) if self.has_null_word else ()) + tuple(cell.kind for cell in self.cells)

    @property
    def has_null_word(self) -> bool:
        """Whether its first word says that it is NULL."""
        return self.nullable and not self.callback

    @property
    def names(self) -> tuple[str, ...]:
        """What its words are called: ``x``, ``p == NULL``, ``p->x``, ``xs[0]``."""
        arrow = self.is_pointer and isinstance(self.layout, Structure)
        parts = (f"->{cell.path[1:]}" if arrow else cell.path for cell in self.cells)
        return ((f"{self.name} == NULL",) if self.has_null_word else ()) + tuple(self.name + part for part in parts)

    def ranges(self) -> list[tuple[int, int]]:
        if self.narrowed:
            return list(self.narrowed)
        if self.callback:
            return [(0, len(self.callback.callees) - (not self.nullable))]
        if self.limit is not None:
            kind, (low, high) = self.kind, value_range(self.kind)
            return [(encode(kind, low if self.is_guess else 0), encode(kind, min(self.limit, high)))]
        ranges = [word_range(kind) for kind in self.kinds]
        return [*ranges[:-1], (0, 0)] if isinstance(self.layout, Text) else ranges

    def hints(self) -> list[tuple[int, ...]]:
        if self.callback:
            return [tuple(range(len(self.callback.callees) + 1))]
        if isinstance(self.layout, Text):
            columns = zip(*self._examples(), strict=True)
            return [tuple(dict.fromkeys(column)) for column in columns] or [()] * self.arity
        own = [tuple(word_from_bits(cell.kind, v & ((1 << cell.kind.bits) - 1)) for v in cell.number.values)
               for cell in self.cells]  # fmt: skip
        return [(), *own] if self.has_null_word else own

    def runs(self) -> list[tuple[int, list[Words]]]:
        found = self._examples()
        return [(0, found)] if found else []

    def _examples(self) -> list[Words]:
        """The words of strings that are worth trying."""
        if not isinstance(self.layout, Text):
            return []
        return [(0,) * self.nullable + tuple(found) for text in self.texts if (found := words_of(self.layout, text))]

    def tidy(self, words: Words) -> Words:
        """The same value in words that are the same for all who have it: of a string, no byte behind the first 0."""
        if not isinstance(self.layout, Text):
            return words
        first = int(self.nullable)
        end = words.index(0, first)
        return words[:end] + (0,) * (len(words) - end)

    def sized(self, words: Words, count: int) -> tuple[CParameter, Words]:
        """The parameter with so many elements, and the words of these."""
        layout = resized(self.layout, count)
        kept = words[: len(cells(layout)) + self.has_null_word]
        rest = cells(layout)[len(kept) - self.has_null_word :]
        return replace(self, layout=layout, extent=None, narrowed=()), kept + tuple(
            encode(cell.kind, 0) for cell in rest
        )

    def within(self, words: Words) -> CParameter:
        """The parameter with as many elements as can be used: a string that is not changed has none behind its end."""
        if not isinstance(self.layout, Text) or self.is_output:
            return self
        return replace(self, layout=Text.of(words[self.nullable :].index(0)))

    def layout_of(self, numbers: int) -> Layout:
        """Of what it points to, where that is made of so many."""
        if self.extent is None:
            return self.layout
        return resized(self.layout, numbers // len(cells(as_array(self.layout).element)))

    @property
    def driven(self) -> str:
        what = told(self.layout) + f", at most {self.limit}: the length of {self.count_of}" * self.is_length
        if self.extent is not None:
            what = f"{self.extent.text} (at most {self.extent.most}) of: {told(as_array(self.layout).element)}"
            what = what.replace(f"len({self.name})", "any number", 1)
        return f"{'points to ' * (self.is_pointer and not self.container)}{what}{'; or NULL' * self.nullable}"

    def own(self, words: Words) -> Words | None:
        """Its words without the one that says NULL; None for a NULL pointer."""
        if self.callback:
            return words if words[0] < len(self.callback.callees) else None
        if not self.nullable:
            return words
        return None if words[0] else words[1:]

    def words_of(self, value: Any) -> list[int]:
        """The words of a Python value: a list for an array, a dict for a structure, a str (a character for each byte)
        or bytes for a string, the name of a function, None for NULL.

        Raises:
            OptionError: it is none of the parameter.
        """
        if value is None and self.nullable and self.callback:
            return [len(self.callback.callees)]
        if value is None and self.nullable:
            return [1, *(encode(cell.kind, 0) for cell in self.cells)]
        found = words_of(self.layout, value)
        if found is None:
            given, verb = repr(value), "is " * (not self.is_pointer or self.container is not None)
            shown = given if len(given) <= _LONGEST else given[:_LONGEST] + " ..."
            raise OptionError(f"{self.name}: {shown} is no value of it; it {verb}{self.driven}")
        return [0, *found] if self.has_null_word else found

    def argument(self, words: Words) -> Any:
        """The value of its words: a list for an array, a dict for a structure, a str with a character for each byte of
        a string, the name of a function, None for NULL."""
        return self._render(words, decode, string=lambda content: content.decode("latin-1"))

    def exact(self, words: Words) -> Any:
        return self._render(words, exact)

    def show(self, words: Words) -> str:
        return written(self._render(words, readable))

    def _render(self, words: Words, one: Any, **how: Any) -> Any:
        mine = self.own(self.tidy(words))
        return None if mine is None else value_of(self.layout, mine, one, **how)


@dataclass(frozen=True)
class CSignature(PrintedValue, Signature):
    """The signature of a compiled function.

    Attributes:
        result: None when nothing comparable is returned.
        result_size: of a structure that the caller has to make room for, in bytes; 0 for what is returned in registers.
        call: its qualified name in the source (``ns::f``).
        symbol: its name for the linker (``_ZN2ns1fEd``).
        called: the same of an adapter, where the parameters are that one's.
        beside_main: whether its file has a ``main``.
        sharing: what its pointers may have in common.
    """

    parameters: tuple[CParameter, ...]
    result_type: str = "void"
    result: Layout | None = None
    result_size: int = 0
    call: str = ""
    symbol: str = ""
    beside_main: bool = False
    called: str = ""
    sharing: Sharing = APART

    @property
    def entry(self) -> str:
        """The name in IR of what is called with the parameters."""
        return self.called or self.symbol

    @property
    def of_call(self) -> CSignature:
        """That of a single call."""
        return self

    @property
    def prototype(self) -> str:
        """``double f(double x, int *out)``."""
        parameters = ", ".join(declared(p.type, p.name) for p in self.parameters if p.is_shown) or "void"
        return f"{declared(self.result_type, self.name)}({parameters})"

    @property
    def pointers(self) -> tuple[CParameter, ...]:
        """The parameters that point to something."""
        return tuple(parameter for parameter in self.parameters if parameter.is_pointer)

    @property
    def layouts(self) -> tuple[Layout, ...]:
        """Of the parameters, and of the result if it has one."""
        return (*(p.layout for p in self.parameters), *([] if self.result is None else [self.result]))

    @property
    def room(self) -> list[int]:
        """How many bytes of memory a result that is no number needs, if it is none; registers are stored as a whole."""
        if self.result is None or isinstance(self.result, Scalar):
            return [self.result_size] if self.result_size else []
        return [-(-self.result.size // 16) * 16]

    def words_of(self, values: str) -> Words:
        """The words of arguments as Python writes them: a list for an array, a dict for a structure, ``None`` for
        NULL; ``nan`` and ``inf``.

        Raises:
            OptionError: they do not fit the parameters.
        """
        given = literals(values)
        shown = [p.name for p in self.parameters if p.is_shown]
        if len(given) != len(shown):
            raise OptionError(f"{values!r}: {self.name} takes {len(shown)} arguments, not {len(given)}")
        known = dict(zip(shown, given, strict=True))
        lengths = {p.name: len(known[p.count_of or ""]) for p in self.parameters if not p.is_shown}
        return tuple(word for p in self.parameters for word in words_within(p, {**known, **lengths}))

    def whole(self, words: Words) -> list[tuple[CParameter, Words]]:
        """The words of each parameter, with those of elements that an array does not have in this call."""
        return super().split(words)

    def split(self, words: Words) -> list[tuple[CParameter, Words]]:
        """Each parameter with as many elements as it has in this call, and the words of these."""
        parts = self.whole(words)
        if all(parameter.extent is None for parameter, _ in parts):
            return parts
        numbers = {p.name: int(decode(p.kind, mine[0])) for p, mine in parts if p.is_integer}
        return [(p, mine) if p.extent is None else p.sized(mine, p.extent.elements(numbers)) for p, mine in parts]

    def tidy(self, words: Words) -> Words:
        """Words of the same values, the same for all that have these."""
        found = list[int]()
        for (whole, all_of_it), (parameter, mine) in zip(self.whole(words), self.split(words), strict=True):
            kept = parameter.tidy(mine)[: len(all_of_it)]
            rest = [*zip(whole.kinds, whole.ranges(), strict=True)][len(kept) :] if kept != all_of_it else []
            found += [*kept, *(min(max(encode(kind, 0), low), high) for kind, (low, high) in rest)]
        return tuple(found)

    def shorter(self, words: Words) -> Iterator[Words]:
        """With strings that have nothing behind their ends, and then with a character less."""
        plain = self.tidy(words)
        if plain != words:
            yield plain
        at = 0
        for parameter, mine in self.whole(plain):
            if isinstance(parameter.layout, Text):
                first = at + parameter.nullable
                end = plain.index(0, first)
                for n in range(first, min(end, first + _MOST_REMOVED)):
                    yield (*plain[:n], *plain[n + 1 : end], 0, *plain[end:])
            at += len(mine)

    def unconfirmed(self, words: Words, outcome: Termination) -> CReplay:
        return CReplay(outcome)

    def canonical(self, replay: CReplay) -> CReplay:
        """The same with every NaN made the same NaN, so that bits can be compared; of an exception the type counts."""
        result = replay.result
        if result is not None and self.result is not None:
            found = one_nans(self.result, result if isinstance(result, tuple) else (result,))
            result = found if isinstance(result, tuple) else found[0]
        outputs = tuple(o if o is None else one_nans(p.layout_of(len(o)), o)
                        for p, o in zip(self.pointers, replay.outputs, strict=False))  # fmt: skip
        return CReplay(replay.outcome, result, outputs, replay.threw, shown=replay.shown, detail=replay.detail)

    def result_bits(self, replay: Replay) -> tuple[int, ...] | None:
        """Of each number of the result; None if there is none that could be compared."""
        if not isinstance(replay, CReplay) or self.result is None or replay.result is None:
            return None
        return replay.result if isinstance(replay.result, tuple) else (replay.result,)

    def _result(self, replay: Replay, one: Any) -> Any:
        if RETURNED in self.shows:
            return self.texts(replay).get(RETURNED)
        bits = self.result_bits(replay)
        return None if bits is None or self.result is None else of_bits(self.result, bits, one)

    def exact_result(self, replay: Replay) -> Any:
        return self._result(replay, exact)

    def show_result(self, replay: Replay) -> str:
        if replay.outcome is not Termination.RETURNED:
            return f"  {'assertion failed' if replay.outcome is Termination.ASSERTED else replay.outcome.word}"
        if isinstance(replay, CReplay) and replay.threw:
            return f"throws {replay.thrown}"
        shown = self._result(replay, readable)
        varies = f"  (depends on {replay.varies})" if replay.varies else ""
        return varies if shown is None else f"= {written(shown)}{varies}"

    def show_left(self, words: Words, replay: Replay) -> dict[str, str]:
        pointers = [(p, mine) for p, mine in self.split(words) if p.is_pointer]
        left = zip(pointers, replay.outputs if isinstance(replay, CReplay) else (), strict=False)
        shown = {p.name: (p.show(mine), written(of_bits(p.layout_of(len(after)), after, readable)))
                 for (p, mine), after in left if p.is_output and after is not None}  # fmt: skip
        return {
            **{name: after for name, (before, after) in shown.items() if after != before},
            **self.left_texts(replay),
        }

    def outputs(self, replay: Replay) -> dict[str, Any]:
        return self.left_texts(replay) | {
            p.name: None if after is None else of_bits(p.layout_of(len(after)), after, exact)
            for p, after in zip(self.pointers, replay.outputs if isinstance(replay, CReplay) else (), strict=False)
            if p.is_output
        }
