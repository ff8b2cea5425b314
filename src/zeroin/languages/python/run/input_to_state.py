"""Input-to-state for Python (Aschermann et al. 2019, REDQUEEN): copy the texts that runs compare with into inputs."""

from __future__ import annotations

from collections.abc import Iterator

from ....subject.base import Execution, Words
from ....subject.input_to_state import Compared
from ....subject.subject import Subject
from ....words import Kind
from ..front.signature import PythonSignature
from ..values.lengths import Lengths
from ..values.text_replacement import TextPosition, inserted, replaced, texts_in
from .probes.shared_state import Probes

_MOST = 64  # texts of the dictionary that are inserted into inputs


class InputToStateSubject(Subject):
    """The part of a Python subject that records comparisons of texts and changes the texts of inputs."""

    signature: PythonSignature
    _probing: Probes
    _room: Lengths

    def compare(self, words: Words, fuel: int | None = None) -> tuple[Execution, list[Compared]]:
        self._probing.watched = watched = list[Compared]()
        try:
            return self.execute(words, fuel), watched
        finally:
            self._probing.watched = None

    @property
    def takes_texts(self) -> bool:
        return any(Kind.CHAR in parameter.kinds for parameter in self.signature.parameters)

    def _places(self, words: Words) -> Iterator[TextPosition]:
        """Yield the texts of an input with their positions."""
        at = 0
        for parameter in self.signature.parameters:
            yield from texts_in(parameter.shape, words, at)
            at += parameter.arity

    def exchanged(self, words: Words, old: str, new: str) -> Iterator[Words]:
        for place in self._places(words):
            for text in replaced(place.text, old, new, [one for one in self._room.texts if _is_separator(one)]):
                if (made := place.with_text(words, text)) is not None:
                    yield made

    def extended(self, words: Words) -> Iterator[Words]:
        for place in self._places(words):
            for part in self._room.texts[:_MOST]:
                for text in inserted(place.text, part):
                    if (made := place.with_text(words, text)) is not None:
                        yield made


def _is_separator(text: str) -> bool:
    """Whether a text is one character, neither a letter nor a digit."""
    return len(text) == 1 and not text.isalnum()
