"""Where a run left an array: which one, which element, and whether the array was only too short by our guess."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ....subject.base import Termination, Words
from ....subject.growth import Outgrown
from ....words import decode
from ..front.alias_parameters import AliasSignature, rooms
from ..front.array_sizes import grown
from ..front.layout import Text, as_array, cells
from ..front.parameters import CParameter, CSignature
from ..front.signature import MOST_WORDS
from .arrays import Arrays, Held


def arrays_of(signature: CSignature) -> Arrays:
    """The memory for what the pointers of a function point to, and for its result."""
    vary = [p.extent is not None or isinstance(signature, AliasSignature) for p in signature.pointers]
    return Arrays([*rooms(signature), *signature.room], vary)


def held(signature: CSignature, words: Words, all_of_it: bool = True) -> list[Held]:
    """Where in its arrays lies what each pointer leads to, and the result; without the latter, and of strings that are
    not changed the characters alone, unless ``all_of_it`` is asked for."""
    spans = signature.spans(words) if isinstance(signature, AliasSignature) else {}
    pointers = [(p if all_of_it else p.within(mine)) for p, mine in signature.split(words) if p.is_pointer]
    numbers, found = {p.name: number for number, p in enumerate(pointers)}, list[Held]()
    for number, parameter in enumerate(pointers):
        span, size = spans.get(parameter.name), parameter.layout.size
        shares = span is not None and (span.whole > span.size or span.root != parameter.name)
        found.append(Held(numbers[span.root], span.at, span.size, span.whole) if span is not None and shares else
                     Held(number, 0, size, size))  # fmt: skip
    room = [Held(len(found), 0, size, size) for size in signature.room * all_of_it]
    return [*found, *room]


@dataclass(frozen=True)
class Overrun:
    """A use of memory beside an array.

    Attributes:
        parameter: that points to the array, with as many elements as it has in this call.
        index: of the element that was used.
        how: ``read``, ``write`` or ``use``.
    """

    parameter: CParameter
    index: int
    how: str

    @property
    def text(self) -> str:
        """``read of y[1], one element past the buffer of 1``."""
        count = as_array(self.parameter.layout).count
        beside = self.index - count + 1 if self.index >= count else -self.index
        what = "one element" if beside == 1 else f"{beside} elements"
        past = f"{what} {'past' if self.index >= count else 'before'} the buffer of {count}"
        return f"{self.how} of {self.parameter.name}[{self.index}], {past}"


class Overruns:
    """Those of one function. Where the size of an array is a guess, none is the function's mistake.

    Args:
        signature: of the function.
        arrays: what its pointers point to.
        rooms: elements of those that have grown already, by name.
    """

    def __init__(self, signature: CSignature, arrays: Arrays, rooms: tuple[tuple[str, int], ...]) -> None:
        self._signature, self._arrays, self._rooms = signature, arrays, dict(rooms)
        self._beyond: dict[str, int] = {}
        self._shared: list[tuple[str, str]] = []

    def of(self, words: Words, table: int, address: int, how: int) -> Overrun | None:
        """What ended a run, if it was one.

        Args:
            words: of the run.
            table: where the arrays lay.
            address: that could not be used.
            how: 0 if it was read, 1 if it was written.
        """
        pointers = [p.within(mine) for p, mine in self._signature.split(words) if p.is_pointer]
        there = self._arrays.nearest(address, table, held(self._signature, words, False)) if address else None
        if there is None:
            return None
        parameter, offset = pointers[there[0]], there[1]
        index = offset // as_array(parameter.layout).element.size
        return Overrun(parameter, index, {0: "read", 1: "write"}.get(how, "use"))

    def ended(self, outcome: Termination, overrun: Overrun | None, words: Words, grows: bool) -> Termination:
        """How a run ended: beyond its arrays, so that the call is no input, where to blame is a guess about a length, a
        length below 0, or that two pointers lead to the same memory and the code then does what is undefined.

        Raises:
            Outgrown: the array is to be longer, if it ``grows``.
        """
        counts = [name for p in self._signature.pointers if p.extent is not None for name in p.extent.counts]
        if outcome is Termination.UNDEFINED:
            shared = self._shared_in(words)
            self._shared += [pair for pair in shared if pair not in self._shared]
            return (
                Termination.BEYOND if shared or self._is_below_zero(words, counts) else outcome
            )  # of ``count - 1``, say
        return Termination.BEYOND if self._are_by_guess(overrun, words, grows) else outcome

    def _shared_in(self, words: Words) -> list[tuple[str, str]]:
        """Pointers that lead to the same memory in this run: each of them, and the one whose memory it is."""
        spans = self._signature.spans(words) if isinstance(self._signature, AliasSignature) else {}
        return [(name, span.root) for name, span in spans.items() if span.root != name]

    def _is_below_zero(self, words: Words, counts: Iterable[str]) -> bool:
        """Whether one of these lengths is, in this run."""
        numbers = {p.name: int(decode(p.kind, mine[0])) for p, mine in self._signature.whole(words) if p.is_integer}
        return any(numbers[name] < 0 for name in counts)

    def _are_by_guess(self, overrun: Overrun | None, words: Words, grows: bool) -> bool:
        """Whether there was one, and it stems from a guess, so that the call is no input.

        Raises:
            Outgrown: the array is to be longer, if it ``grows``.
        """
        if overrun is None:
            return False
        whole = next(p for p in self._signature.pointers if p.name == overrun.parameter.name)
        if whole.extent is not None:
            return self._is_below_zero(words, whole.extent.counts)
        if not whole.is_guess or overrun.index < as_array(whole.layout).count:
            return False
        longer = grown(whole, overrun.index)
        if longer is None or self._signature.arity + longer * len(cells(as_array(whole.layout).element)) > MOST_WORDS:
            self._beyond.setdefault(whole.name, overrun.index)
        elif grows:
            raise Outgrown(words, tuple((self._rooms | {whole.name: longer}).items()))
        return True

    def remarks(self) -> list[str]:
        """What a reader should know: where calls were given up."""
        found = [f"calls in which {name} leads to the memory of {root}, and which are undefined then, were left out"
                 for name, root in self._shared]  # fmt: skip
        for parameter in self._signature.pointers:
            if parameter.name in self._beyond:
                option = "--string" if isinstance(parameter.layout, Text) else "--array"
                count = as_array(parameter.layout).count
                name, used = parameter.name, self._beyond[parameter.name]
                found.append(f"{name}[{used}] is used, and nothing says how many elements {name} has: calls that use "
                             f"more than {count} were left out ({option} {name}=LENGTH says it)")  # fmt: skip
        return found
