"""Accesses out of bounds: which array, which element, and whether the array was too short only because of a guess."""

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
    """Allocate the memory behind a function's pointers, and the memory for a result that is returned in memory."""
    vary = [p.extent is not None or isinstance(signature, AliasSignature) for p in signature.pointers]
    return Arrays([*rooms(signature), *signature.room], vary)


def held(signature: CSignature, words: Words, all_of_it: bool = True) -> list[Held]:
    """Return the span of array memory behind each pointer of a call, also of NULL pointers, in the parameters' order.

    Args:
        signature: the signature of the function.
        words: the input.
        all_of_it: whether to add the span of the result, at the end. If false, the spans of strings that the function
            does not change end with the string, not with its buffer.
    """
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
    """An access out of an array's bounds.

    Attributes:
        parameter: the pointer to the array; its layout has as many elements as the array has in this call.
        index: the index of the accessed element.
        how: ``read``, ``write``, or ``use`` if it is not known which.
    """

    parameter: CParameter
    index: int
    how: str

    @property
    def text(self) -> str:
        """A description for people, such as ``read of y[1], one element past the buffer of 1``."""
        count = as_array(self.parameter.layout).count
        beside = self.index - count + 1 if self.index >= count else -self.index
        what = "one element" if beside == 1 else f"{beside} elements"
        past = f"{what} {'past' if self.index >= count else 'before'} the buffer of {count}"
        return f"{self.how} of {self.parameter.name}[{self.index}], {past}"


class Overruns:
    """Judges the accesses out of bounds of one function.

    An access beyond an array whose size is a guess is not the function's mistake: the call is not a valid input.

    Args:
        signature: the function's signature.
        arrays: the memory behind its pointers.
        rooms: pairs of a parameter's name and its elements, for the arrays that were made longer already.
    """

    def __init__(self, signature: CSignature, arrays: Arrays, rooms: tuple[tuple[str, int], ...]) -> None:
        self._signature, self._arrays, self._rooms = signature, arrays, dict(rooms)
        self._beyond: dict[str, int] = {}
        self._shared: list[tuple[str, str]] = []

    def of(self, words: Words, table: int, address: int, how: int) -> Overrun | None:
        """Return the access out of bounds that ended a run with an invalid address; None if the cause was another one.

        Args:
            words: the input of the run.
            table: the address of the table of arrays that the run used, one of :attr:`.arrays.Arrays.tables`.
            address: the invalid address; 0 if it is not known.
            how: 0 if it was read, 1 if it was written; anything else: not known.
        """
        pointers = [p.within(mine) for p, mine in self._signature.split(words) if p.is_pointer]
        there = self._arrays.nearest(address, table, held(self._signature, words, False)) if address else None
        if there is None:
            return None
        parameter, offset = pointers[there[0]], there[1]
        index = offset // as_array(parameter.layout).element.size
        return Overrun(parameter, index, {0: "read", 1: "write"}.get(how, "use"))

    def ended(self, outcome: Termination, overrun: Overrun | None, words: Words, grows: bool) -> Termination:
        """Return the termination of a run, corrected to ``BEYOND`` if the call is not a valid input.

        The call is not valid if the cause of the failure is the guessed length of an array, a negative length, or
        undefined behaviour while two pointers lead to the same memory. For :meth:`remarks`, it records such pointers,
        and arrays that can not be made longer.

        Args:
            outcome: the termination that the runtime reported.
            overrun: the access out of bounds that ended the run; None if there was none.
            words: the input of the run.
            grows: whether an array that is too short may be made longer.

        Raises:
            Outgrown: the subject must be loaded again with a longer array; only if ``grows``.
        """
        counts = [name for p in self._signature.pointers if p.extent is not None for name in p.extent.counts]
        if outcome is Termination.UNDEFINED:
            shared = self._shared_in(words)
            self._shared += [pair for pair in shared if pair not in self._shared]
            return (
                Termination.BEYOND if shared or self._is_below_zero(words, counts) else outcome
            )  # with a negative count, ``count - 1`` may overflow
        return Termination.BEYOND if self._are_by_guess(overrun, words, grows) else outcome

    def _shared_in(self, words: Words) -> list[tuple[str, str]]:
        """Return the pointers that lead to another pointer's memory in this run, each with that other pointer."""
        spans = self._signature.spans(words) if isinstance(self._signature, AliasSignature) else {}
        return [(name, span.root) for name, span in spans.items() if span.root != name]

    def _is_below_zero(self, words: Words, counts: Iterable[str]) -> bool:
        """Whether one of the parameters with these names is negative in this run."""
        numbers = {p.name: int(decode(p.kind, mine[0])) for p, mine in self._signature.whole(words) if p.is_integer}
        return any(numbers[name] < 0 for name in counts)

    def _are_by_guess(self, overrun: Overrun | None, words: Words, grows: bool) -> bool:
        """Whether there was an access out of bounds, and only because the array's length is a guess.

        Raises:
            Outgrown: the subject must be loaded again with a longer array; only if ``grows``.
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
        """Return remarks for the report about calls that :meth:`ended` found to be no valid inputs."""
        found = [f"calls in which {name} points to the memory of {root} were left out where that is undefined behaviour"
                 for name, root in self._shared]  # fmt: skip
        for parameter in self._signature.pointers:
            if parameter.name in self._beyond:
                option = "--string" if isinstance(parameter.layout, Text) else "--array"
                count = as_array(parameter.layout).count
                name, used = parameter.name, self._beyond[parameter.name]
                found.append(f"{name}[{used}] is used, but the length of {name} is unknown: calls that use more than "
                             f"{count} elements were left out (give it with {option} {name}=LENGTH)")  # fmt: skip
        return found
