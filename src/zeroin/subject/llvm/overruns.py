"""Where a run left an array: which one, which element, and whether the array was only too short by our guess."""

from __future__ import annotations

from dataclasses import dataclass

from ...words import decode
from ..base import Outgrown, Words
from .layout import Text, as_array, cells
from .parameters import CParameter, CSignature
from .signature import MOST_WORDS
from .sizes import grown


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

    @classmethod
    def at(cls, parameter: CParameter, offset: int, how: int) -> Overrun:
        """So many bytes behind the beginning; ``how`` is what ``zeroin_fault_how`` says."""
        size = as_array(parameter.layout).element.size
        return cls(parameter, offset // size, {0: "read", 1: "write"}.get(how, "use"))

    @property
    def text(self) -> str:
        """``read of y[1], one element past the buffer of 1``."""
        count = as_array(self.parameter.layout).count
        beside = self.index - count + 1 if self.index >= count else -self.index
        what = "one element" if beside == 1 else f"{beside} elements"
        past = f"{what} {'past' if self.index >= count else 'before'} the buffer of {count}"
        return f"{self.how} of {self.parameter.name}[{self.index}], {past}"


class Guesses:
    """What comes of arrays whose size is a guess: no fault there is the function's.

    Args:
        signature: of the function.
        rooms: elements of those that have grown already, by name.
    """

    def __init__(self, signature: CSignature, rooms: tuple[tuple[str, int], ...]) -> None:
        self._signature, self._rooms = signature, dict(rooms)
        self._beyond: dict[str, int] = {}

    def is_behind(self, overrun: Overrun, words: Words, grows: bool) -> bool:
        """Whether a fault stems from a guess, so that the call is no input.

        Raises:
            Outgrown: the array is to be longer, if it ``grows``.
        """
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
