"""Where a run left an array: which one, which element, and whether the array was only too short by our guess."""

from __future__ import annotations

from dataclasses import dataclass

from ...words import decode
from ..base import Words
from ..growth import Outgrown
from .arrays import Arrays
from .layout import Text, as_array, cells
from .parameters import CParameter, CSignature
from .signature import MOST_WORDS
from .sizes import grown


def arrays_of(signature: CSignature) -> Arrays:
    """The memory for what the pointers of a function point to, and for its result."""
    pointers = signature.pointers
    return Arrays([*(p.most_size for p in pointers), *signature.room], [p.extent is not None for p in pointers])


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

    def of(self, words: Words, table: int, address: int, how: int) -> Overrun | None:
        """What ended a run, if it was one.

        Args:
            words: of the run.
            table: where the arrays lay.
            address: that could not be used.
            how: 0 if it was read, 1 if it was written.
        """
        pointers = [p.within(mine) for p, mine in self._signature.split(words) if p.is_pointer]
        there = self._arrays.nearest(address, table, [p.layout.size for p in pointers]) if address else None
        if there is None:
            return None
        parameter, offset = pointers[there[0]], there[1]
        index = offset // as_array(parameter.layout).element.size
        return Overrun(parameter, index, {0: "read", 1: "write"}.get(how, "use"))

    def are_by_guess(self, overrun: Overrun | None, words: Words, grows: bool) -> bool:
        """Whether there was one, and it stems from a guess, so that the call is no input.

        Raises:
            Outgrown: the array is to be longer, if it ``grows``.
        """
        if overrun is None:
            return False
        whole = next(p for p in self._signature.pointers if p.name == overrun.parameter.name)
        if whole.extent is not None:
            numbers = {p.name: int(decode(p.kind, mine[0])) for p, mine in self._signature.whole(words) if p.is_integer}
            return any(numbers[name] < 0 for name in whole.extent.counts)
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
        found = []
        for parameter in self._signature.pointers:
            if parameter.name in self._beyond:
                option = "--string" if isinstance(parameter.layout, Text) else "--array"
                count = as_array(parameter.layout).count
                name, used = parameter.name, self._beyond[parameter.name]
                found.append(f"{name}[{used}] is used, and nothing says how many elements {name} has: calls that use "
                             f"more than {count} were left out ({option} {name}=LENGTH says it)")  # fmt: skip
        return found
