"""The signature of a class as a target: the arguments of its constructor, and a sequence of uses of the object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from ....errors import OptionError, UnsupportedParameter
from ..values.call_sequences import Use, uses_of
from ..values.dictionary import dictionary_of
from ..values.lengths import Lengths
from ..values.object_uses import Step, is_special, object_name, special_arguments
from ..values.shapes import PythonParameter
from .class_members import Member
from .inference.inference import Inference
from .modules import FoundCallable
from .parameters import Attempt, SignatureReader, read_signature
from .signature import Call, PythonSignature, SequenceSignature
from .type_hints import constructor


def read_class(found: FoundCallable, types: str, attempt: Attempt, room: Lengths,
               reading: Inference) -> tuple[SequenceSignature, Call]:  # fmt: skip
    """Return the signature of a class and the way to use it; the arguments are those of ``read_signature``.

    A method with a parameter that zeroin can not make is left out, with a note. To guess types, ``attempt``
    calls methods on new objects.

    Raises:
        UnsupportedParameter: zeroin can not make a parameter of the constructor.
        OptionError: ``types`` names an unknown parameter or type.
    """
    return _ClassReader(found, types, attempt, room, reading).read()


def signature_of(found: FoundCallable, types: str, attempt: Attempt, room: Lengths, reading: Inference,
                 guess: int = 0) -> tuple[PythonSignature, Call]:  # fmt: skip
    """Return the signature of a function or class, see :func:`read_signature` and :func:`read_class`.

    For a class, ``guess`` has no effect.
    """
    if found.members is not None:
        return read_class(found, types, attempt, room, reading)
    return read_signature(found, types, attempt, room, reading, guess)


class _ClassReader(SignatureReader):
    """Reads the signature of a class, see :func:`read_class`."""

    def read(self) -> tuple[SequenceSignature, Call]:
        assert self.found.members is not None
        members, name = self.found.members, self.found.name
        self.making, own = self._making(members.cls)
        uses = [use for member in members.used for use in self._uses(member, own)]
        unknown = set(self.types) - self.used
        if unknown:
            raise OptionError(f"--types: {name} has no constructor and no method with a parameter {min(unknown)!r}")
        if members.passed_over:
            self.notes.append(f"not called: {', '.join(members.passed_over)}")
        shape = uses_of(uses, self.room.items)
        first = PythonParameter("calls_" if any(p.name == "calls" for p in own) else "calls", shape.type, shape,
                                tries=dictionary_of(shape, self.room.texts))  # fmt: skip
        signature = SequenceSignature(name, (first, *own), "", tuple(dict.fromkeys(self.notes)))
        spread = None if self.making.spread is None else self.making.spread + 1
        return signature, Call(self.found.function, self.making.names, spread)

    def _making(self, cls: type) -> tuple[Call, list[PythonParameter]]:
        """Return the call that makes an object, and its parameters.

        Raises:
            UnsupportedParameter: zeroin can not make a parameter.
        """
        inner = cls if hasattr(cls, "_field_defaults") else constructor(cls)
        described = self._describe(cls, constructor(cls)).parameters.values()
        with self._noting(self.found.name):
            own, spread = self._parameters(list(described), inner, self.found.name, 0)
            making = Call(cls, tuple(p.name for p in own if p.keyword), spread)
            return making, self._with_room(self._guessed_again(self._guessed(own, making)))

    def _uses(self, member: Member, made_with: list[PythonParameter]) -> Iterator[Use]:
        """Yield the shape of a use; nothing, but a note is added, if zeroin can not make its arguments.

        Args:
            member: the method or property.
            made_with: the parameters of the constructor.
        """
        use = f"{object_name(self.found.name)}.{member.name}"
        if member.function is None:
            yield Use(use)
            return
        described = list(self._describe(member.function, member.inner).parameters.values())[member.bound :]
        if is_special(member.name):
            described = described[: special_arguments(member.name)]
        with self._noting(member.name):
            try:
                own, spread = self._parameters(described, member.inner, member.name, 0)
            except UnsupportedParameter as error:
                self.notes.append(f"not called: its {str(error).partition(': ')[2]}")
                return
            names, given = tuple(p.name for p in own if p.keyword), len(made_with)

            def on_new_object(values: Sequence[object]) -> object:
                made = self.making(values[:given])

                def using(*items: object, **named: object) -> object:
                    return Step(f"{use}()", (*items, *named.values()), tuple(named)).on(made)

                return Call(using, names, spread)(values[given:])

            known = [replace(p, origin="") for p in made_with]
            own = self._with_room(self._guessed_again(self._guessed([*known, *own], on_new_object)[given:]))
        yield Use(f"{use}()", tuple(p.name for p in own), tuple(p.shape for p in own), len(names), spread)

    @contextmanager
    def _noting(self, where: str) -> Iterator[None]:
        """Prefix the notes that are made inside with ``where``."""
        known, self.notes = self.notes, []
        try:
            yield
        finally:
            self.notes = [*known, *(f"{where}: {note}" for note in self.notes)]
