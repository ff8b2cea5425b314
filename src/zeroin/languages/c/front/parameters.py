"""Parameters and signatures of C functions: how the words of an input become arguments, and results become text.

Words are 64-bit integers in the order of the values that they encode (``words.py``). A parameter has one word for each
number that it is made of. The cases of a pointer parameter are in :class:`CParameter`.
"""

from __future__ import annotations  # noqa: I001

from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ....errors import OptionError
from ....words import Kind, decode, encode, exact, readable, value_range, word_from_bits, word_range
from ....subject.base import Termination, Parameter, Replay, Signature, Words
from ....subject.values import Role, Value, number
from .alias_analysis import APART, NOTHING, PointeeTypes, AliasPairs
from .argument_syntax import declared, literals, words_within
from .result_bits import of_bits, one_nans
from .containers import Container
from .layout import (Array, Callback, Cell, Extent, Layout, Scalar, Structure, Text, as_array, cells, resized, told,
                     value_of, words_of, written)  # fmt: skip
from ..replay import CReplay
from .printed_types import RETURNED, PrintedValues

# The most characters of a string that `shorter` tries to remove, one at a time; the longest value in a message.
_MOST_REMOVED, _LONGEST = 64, 200


@dataclass(frozen=True)
class CParameter(Parameter):
    """One parameter of a C function.

    Attributes:
        name: name in the source, or ``arg1`` if it has none.
        type: the type as the source writes it (``double``, ``const int *``).
        layout: layout of the value; for a pointer, layout of the memory that it points to.
        is_pointer: whether it is a pointer or reference to an array or a structure.
        nullable: whether NULL is tried as well, because the subject compares this pointer with NULL.
        is_output: whether the subject may change the memory that it points to.
        is_guess: for an array, whether its number of elements is a guess, which grows when a run uses more elements.
            For the length of an array, whether its limit is a guess; such a length may be negative.
        is_walked: whether the code moves the pointer, or uses elements whose index varies.
        extent: how integer parameters give the array's number of elements in a call; None if they do not.
        count_of: name of the array parameter whose length this integer gives; None if it is no length.
        limit: the highest value of such a length; None if it is no length.
        narrowed: the lowest and highest value of each of its words, if these are narrower than the type; else empty.
        texts: for a string, values worth trying.
        pieces: for a structure that is passed in registers, the IR type and the byte offset of each register. Empty if
            the parameter is one argument of the IR function, also for a structure that is passed by address.
        container: the C++ library type that an adapter makes from the memory; None for an ordinary parameter.
        is_shown: whether the source has this parameter; False for the length of a container, which an adapter adds.
        behind: for a pointer, which types of values may lie in the memory that it points to.
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
    behind: PointeeTypes = NOTHING
    is_passed: ClassVar[bool] = True  # whether the IR function has this parameter
    is_argument: ClassVar[bool] = True  # whether a test passes it to the function
    is_late: ClassVar[bool] = False  # whether words other than 0 are only tried after others were tried in vain
    is_choice: ClassVar[bool] = False  # whether its first word chooses something beside the arguments, 0 for nothing

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The numbers that the parameter is made of; each has a word."""
        return cells(self.layout)

    @property
    def kind(self) -> Kind:
        """The kind of the number, or of the numbers in an array; not defined for a structure."""
        assert not isinstance(self.layout, Structure)
        return self.cells[0].kind

    @property
    def length(self) -> int | None:
        """The number of elements in the array that it points to; None if it points to no array."""
        return self.layout.count if self.is_pointer and isinstance(self.layout, Array) else None

    @property
    def is_length(self) -> bool:
        """Whether the code or its name suggests that it is the length of an array; the user did not say so."""
        return self.limit is not None and self.is_guess

    @property
    def most_size(self) -> int:
        """The maximal size in bytes of the memory that it points to."""
        return self.layout.size if self.extent is None else self.extent.most * as_array(self.layout).element.size

    @property
    def is_integer(self) -> bool:
        """Whether the parameter itself is an integer; ``bool`` and enumerations count."""
        return isinstance(self.layout, Scalar) and not (self.layout.kind.is_float or self.callback)

    @property
    def callback(self) -> Callback | None:
        """The layout with the functions to choose from; None if this is no function pointer."""
        return self.layout if isinstance(self.layout, Callback) else None

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of its words: first a flag for NULL if it is nullable, then one word for each number.

        A function pointer has one word: the index of the function.
        """
        return ((Kind.BOOL,) if self.has_null_word else ()) + tuple(cell.kind for cell in self.cells)

    @property
    def has_null_word(self) -> bool:
        """Whether its first word is a flag that makes the pointer NULL."""
        return self.nullable and not self.callback

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the words: ``x``; of an array ``xs[0]``, ``xs[1]``; of a structure ``p->x``.

        If NULL is tried as well, ``p == NULL`` comes first.
        """
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
        ranges = [word_range(Kind.BOOL)] * self.has_null_word + [cell.number.range for cell in self.cells]
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
        """Return the words of the strings worth trying; empty for other parameters."""
        if not isinstance(self.layout, Text):
            return []
        return [(0,) * self.nullable + tuple(found) for text in self.texts if (found := words_of(self.layout, text))]

    def tidy(self, words: Words) -> Words:
        """Return canonical words for the same value: in a string, all bytes after the first 0 become 0."""
        if not isinstance(self.layout, Text):
            return words
        first = int(self.nullable)
        end = words.index(0, first)
        return words[:end] + (0,) * (len(words) - end)

    def sized(self, words: Words, count: int) -> tuple[CParameter, Words]:
        """Return the parameter with ``count`` elements, and its words for these elements."""
        layout = resized(self.layout, count)
        kept = words[: len(cells(layout)) + self.has_null_word]
        rest = cells(layout)[len(kept) - self.has_null_word :]
        return replace(self, layout=layout, extent=None, narrowed=()), kept + tuple(
            encode(cell.kind, 0) for cell in rest
        )

    def within(self, words: Words) -> CParameter:
        """Return the parameter with usable elements only: an unchanged string ends at its terminator."""
        if not isinstance(self.layout, Text) or self.is_output:
            return self
        return replace(self, layout=Text.of(words[self.nullable :].index(0)))

    def layout_of(self, numbers: int) -> Layout:
        """Return the layout of the memory that it points to, when that holds so many numbers."""
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

    def values_in(self, words: Words, at: int = 0) -> Iterator[Value]:
        first = int(self.has_null_word)
        if self.callback or self.is_choice:
            yield Value(Role.CHOICE, self.kinds[0], at, at + 1)
            return
        if self.has_null_word:
            yield Value(Role.CHOICE, Kind.BOOL, at, at + 1)
        if self.own(words) is None:
            return
        if isinstance(self.layout, Text):
            end = words.index(0, first)
            yield Value(Role.TEXT, Kind.BYTE, at + first, at + end, 0, self.layout.count - 1)
            return
        for n, cell in enumerate(self.cells[: len(words) - first], at + first):
            names = cell.number.values if cell.number.enumeration else ()
            if names:
                members = tuple(word_from_bits(cell.kind, v & ((1 << cell.kind.bits) - 1)) for v in names)
                yield Value(Role.MEMBER, cell.kind, n, n + 1, members=members)
            elif cell.path.endswith(".low") and n and self.cells[n - at - first - 1].kind is Kind.F80:
                yield Value(Role.SIZE, cell.kind, n, n + 1)
            else:
                yield number(cell.kind, n)

    def done_first(self, words: Words, others: Mapping[str, Words]) -> str:
        """Return what a test does for this parameter before the call, as text for people; empty for an argument.

        Args:
            words: its words.
            others: the words of all parameters, by name.
        """
        return ""

    def led_to(self, words: Words) -> tuple[str, str] | None:
        """Return a pointer parameter that these words lead to a global variable, and that variable; None if none."""
        return None

    def zeros(self) -> Words:
        """Return its words for a value of zeros."""
        return tuple(encode(kind, 0) for kind in self.kinds)

    def own(self, words: Words) -> Words | None:
        """Return its words without the NULL flag; None for a NULL pointer."""
        if self.callback:
            return words if words[0] < len(self.callback.callees) else None
        if not self.nullable:
            return words
        return None if words[0] else words[1:]

    def words_of(self, value: object) -> list[int]:
        """Return the words of a Python value.

        Args:
            value: a list for an array, a dict for a structure, the name of a function, or None for NULL. A string is
                bytes, or a str with one character per byte.

        Raises:
            OptionError: the value does not fit the parameter.
        """
        if value is None and self.nullable and self.callback:
            return [len(self.callback.callees)]
        if value is None and self.nullable:
            return [1, *(encode(cell.kind, 0) for cell in self.cells)]
        found = words_of(self.layout, value)
        if found is None:
            given, verb = repr(value), "is " * (not self.is_pointer or self.container is not None)
            shown = given if len(given) <= _LONGEST else given[:_LONGEST] + " ..."
            raise OptionError(f"{self.name}: {shown} does not fit; it {verb}{self.driven}")
        return [0, *found] if self.has_null_word else found

    def argument(self, words: Words) -> Any:
        """Return the Python value of its words, the inverse of :meth:`words_of`; a string becomes a str."""
        return self._render(words, decode, string=lambda content: content.decode("latin-1"))

    def exact(self, words: Words) -> Any:
        return self._render(words, exact)

    def show(self, words: Words) -> str:
        return written(self.rendered(words))

    def rendered(self, words: Words, pointers: bool = True) -> Any:
        """Return the value with texts for its numbers, for :func:`.layout.written`; see :func:`.layout.value_of`."""
        return self._render(words, readable, pointers=pointers)

    def _render(self, words: Words, one: Any, **how: Any) -> Any:
        """Return the value of its words, None for NULL; the other arguments are those of :func:`.layout.value_of`."""
        mine = self.own(self.tidy(words))
        return None if mine is None else value_of(self.layout, mine, one, **how)


@dataclass(frozen=True)
class CSignature(PrintedValues, Signature):
    """The signature of a compiled function.

    Attributes:
        parameters: the parameters.
        result_type: the result's type as the source writes it.
        result: layout of the result; None for ``void``, and if the result can not be compared bit by bit.
        result_size: size in bytes of a structure that is returned through memory of the caller; 0 for a result in
            registers.
        call: qualified name in the source (``ns::f``).
        symbol: name for the linker (``_ZN2ns1fEd``).
        called: linker name of the adapter that is called instead; empty if there is none. The parameters are then the
            adapter's.
        beside_main: whether the function's file also defines ``main``.
        sharing: which pointers may lead to the same memory.
        set_up: IR name of the generated function that sets up a run and then calls the function; empty if there is
            none. Its parameters are those of the function, then those of the set-up (:mod:`.set_up`).
    """

    parameters: tuple[CParameter, ...]
    result_type: str = "void"
    result: Layout | None = None
    result_size: int = 0
    call: str = ""
    symbol: str = ""
    beside_main: bool = False
    called: str = ""
    sharing: AliasPairs = APART
    set_up: str = ""

    @property
    def entry(self) -> str:
        """The IR name of the function that takes the parameters: the set-up or the adapter if there is one."""
        return self.set_up or self.called or self.symbol

    @property
    def without_set_up(self) -> CSignature:
        """The signature of a call without a set-up."""
        own = tuple(p for p in self.parameters if p.is_argument or not p.is_passed)
        return replace(self, parameters=own, set_up="") if self.set_up else self

    @property
    def of_call(self) -> CSignature:
        """The signature of a single call; differs only for call sequences."""
        return self

    def chosen(self, words: Words) -> tuple[CSignature, Words]:
        """Return the signature of the function that a call with these words calls, and the words of its arguments.

        Only the call of any method of a class has several functions.
        """
        return self, words

    def of_run(self, bits: Sequence[int], replay: CReplay) -> tuple[CSignature, CReplay]:
        """Return the signature of the function that a call called, and what is known of the call.

        Args:
            bits: the bits of the numbers in all parameters, after the call.
            replay: the result of the call.
        """
        return self, replay

    def named(self, words: Words, one: Callable[[CParameter, Words], object]) -> dict[str, Any]:
        """Return the arguments by name, each converted by ``one``."""
        return {p.name: one(p, own) for p, own in self.split(words) if p.is_argument}

    def words_of_named(self, given: Mapping[str, object]) -> list[int] | None:
        """Return the words of a call with these arguments; None if other ones are needed.

        Raises:
            OptionError: an argument does not fit its parameter.
        """
        if given.keys() != {p.name for p in self.parameters if p.is_argument}:
            return None
        return [word for p in self.parameters for word in (p.words_of(given[p.name]) if p.is_argument else p.zeros())]

    def named_as(self, *more: str) -> str:
        """Return a pattern for people of a dictionary with the arguments, and with further names."""
        names = [*(p.name for p in self.parameters if p.is_argument), *more]
        return "{" + ", ".join(f'"{name}": ...' for name in names) + "}"

    @property
    def prototype(self) -> str:
        """The function's declaration: ``double f(double x, int *out)``."""
        parameters = ", ".join(declared(p.type, p.name) for p in self.parameters if p.is_shown) or "void"
        setters = ", ".join(p.type for p in self.parameters if p.default is not None)
        return f"{declared(self.result_type, self.name)}({parameters}){', also after ' * bool(setters)}{setters}"

    @property
    def pointers(self) -> tuple[CParameter, ...]:
        """The pointer and reference parameters in order; function pointers do not count."""
        return tuple(parameter for parameter in self.parameters if parameter.is_pointer)

    @property
    def layouts(self) -> tuple[Layout, ...]:
        """The layouts of the parameters, and of the result if it has one."""
        return (*(p.layout for p in self.parameters), *([] if self.result is None else [self.result]))

    @property
    def room(self) -> list[int]:
        """The bytes of memory that a structure as result needs, as a list of one item; empty for other results.

        The size of a result that can be compared is rounded up, since whole registers are stored.
        """
        if self.result is None or isinstance(self.result, Scalar):
            return [self.result_size] if self.result_size else []
        return [-(-self.result.size // 16) * 16]

    def words_of(self, values: str) -> Words:
        """Return the words of arguments in Python notation, such as ``1.5, [1, 2], {'x': nan}, None``.

        Raises:
            OptionError: the arguments do not fit the parameters.
        """
        given = literals(values)
        shown = [p.name for p in self.parameters if p.is_shown]
        if len(given) != len(shown):
            raise OptionError(f"{values!r}: {self.name} takes {len(shown)} arguments, not {len(given)}")
        known = dict(zip(shown, given, strict=True))
        sized = {p.name: known[p.count_of or ""] for p in self.parameters if not p.is_shown and p.is_argument}
        lengths = {name: len(value) if isinstance(value, Sized) else 0 for name, value in sized.items()}
        known |= {**lengths, **self._spares(known)}
        self._take_apart(known)
        return tuple(word for p in self.parameters for word in
                     (words_within(p, known) if p.is_argument else p.words_of(known[p.name]) if p.name in known
                      else p.zeros()))  # fmt: skip

    def _take_apart(self, known: dict[str, Any]) -> None:
        """Add the values of parameters that are parts of the arguments to these, by name, and take them out of those.

        Only a signature with pointers in structures has such parameters.
        """

    def _spares(self, known: Mapping[str, Any]) -> dict[str, int]:
        """Return how many elements arrays have that nothing counts, by the names of the parameters for that.

        Args:
            known: the arguments, by name.
        """
        found = dict[str, int]()
        for parameter in self.parameters:
            extent, value = parameter.extent, known.get(parameter.name)
            if extent is not None and extent.spare:
                counts = {name: known[name] for name in extent.counts}
                is_known = isinstance(value, list) and all(isinstance(number, int) for number in counts.values())
                more = len(value) - extent.elements(counts) if is_known and value is not None else 0
                most = next(p for p in self.parameters if p.name == extent.spare).ranges()[0][1]
                found[extent.spare] = min(max(more, 0), most)
        return found

    def whole(self, words: Words) -> list[tuple[CParameter, Words]]:
        """Return the words of each parameter, including those of array elements that this call does not use."""
        return super().split(words)

    def split(self, words: Words) -> list[tuple[CParameter, Words]]:
        """Return each parameter with the number of elements that it has in this call, and the words of these."""
        parts = self.whole(words)
        if all(parameter.extent is None for parameter, _ in parts):
            return parts
        numbers = {p.name: int(decode(p.kind, mine[0])) for p, mine in parts if p.is_integer}
        return [(p, mine) if p.extent is None else p.sized(mine, p.extent.elements(numbers)) for p, mine in parts]

    def values_in(self, words: Words) -> list[Value]:
        found, at = list[Value](), 0
        for (_, whole), (parameter, mine) in zip(self.whole(words), self.split(words), strict=True):
            found += parameter.values_in(mine[: len(whole)], at)
            at += len(whole)
        return found

    @property
    def tags(self) -> tuple[int, ...]:
        found, at = list[int](), 0
        for parameter in self.parameters:
            found += [at] * (parameter.default is not None)
            at += parameter.arity
        return tuple(found)

    def called_first(self, words: Words) -> list[str]:
        parts = self.split(words)
        others = {parameter.name: mine for parameter, mine in parts}
        return [text for parameter, mine in parts if (text := parameter.done_first(mine, others))]

    def show(self, words: Words) -> str:
        """Return the call as text for people, behind what a test does first: ``set_mode(2); f(0.5, {1, 2}, NULL)``."""
        return "; ".join([*self.called_first(words), self.show_call(words)])

    def show_call(self, words: Words) -> str:
        """Return the call as text for people."""
        said = self.aliases(words)
        shown = (said.get(p.name) or p.show(mine) for p, mine in self.split(words) if p.is_shown)
        return f"{self.name}({', '.join(shown)})"

    def aliases(self, words: Words) -> dict[str, str]:
        places = (p.led_to(mine) for p, mine in self.split(words))
        return {name: f"&{variable}" for name, variable in filter(None, places)}

    def tidy(self, words: Words) -> Words:
        """Return canonical words for the same arguments.

        Elements that the call does not use, and bytes behind the end of a string, get fixed values. The words of
        the content behind a NULL pointer stay as they are.
        """
        found = list[int]()
        for (whole, all_of_it), (parameter, mine) in zip(self.whole(words), self.split(words), strict=True):
            kept = parameter.tidy(mine)[: len(all_of_it)]
            rest = [*zip(whole.kinds, whole.ranges(), strict=True)][len(kept) :] if kept != all_of_it else []
            found += [*kept, *(min(max(encode(kind, 0), low), high) for kind, (low, high) in rest)]
        return tuple(found)

    def shorter(self, words: Words) -> Iterator[Words]:
        """Yield simpler inputs: with canonical words, without one of the choices, without one character of a string."""
        plain = self.tidy(words)
        if plain != words:
            yield plain
        at = 0
        for parameter, mine in self.whole(plain):
            if parameter.is_choice and mine[0]:
                yield (*plain[:at], 0, *plain[at + 1 :])
            at += len(mine)
        at = 0
        for parameter, mine in self.whole(plain):
            if isinstance(parameter.layout, Text):
                first = at + parameter.nullable
                end = plain.index(0, first)
                for n in range(first, min(end, first + _MOST_REMOVED)):
                    yield (*plain[:n], *plain[n + 1 : end], 0, *plain[end:])
            at += len(mine)

    @property
    def late(self) -> tuple[int, ...]:
        found, at = list[int](), 0
        for parameter in self.parameters:
            found += [at] * parameter.is_late
            at += parameter.arity
        return tuple(found)

    def unconfirmed(self, words: Words, outcome: Termination) -> CReplay:
        return CReplay(outcome)

    def canonical(self, replay: CReplay) -> CReplay:
        """Return a new replay in a form for comparison: all NaNs are equal, and exceptions have only their type.

        Remarks such as ``uncounted`` and ``varies`` are dropped.
        """
        result = replay.result
        if result is not None and self.result is not None:
            found = one_nans(self.result, result if isinstance(result, tuple) else (result,))
            result = found if isinstance(result, tuple) else found[0]
        outputs = tuple(o if o is None else one_nans(p.layout_of(len(o)), o)
                        for p, o in zip(self.pointers, replay.outputs, strict=False))  # fmt: skip
        return CReplay(replay.outcome, result, outputs, replay.threw, shown=replay.shown, detail=replay.detail)

    def result_bits(self, replay: Replay) -> tuple[int, ...] | None:
        """Return the bits of each number in the result; None if there is no comparable result."""
        if not isinstance(replay, CReplay) or self.result is None or replay.result is None:
            return None
        return replay.result if isinstance(replay.result, tuple) else (replay.result,)

    def _result(self, replay: Replay, one: object) -> Any:
        """Return the result as printed text, or with each number converted by ``one``; None if it is not comparable."""
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
        values = {p.name: (p.rendered(mine, False), of_bits(p.layout_of(len(after)), after, readable))
                  for (p, mine), after in left if p.is_output and after is not None}  # fmt: skip
        shown = {name: (written(before), written(after)) for name, (before, after) in values.items()}
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
