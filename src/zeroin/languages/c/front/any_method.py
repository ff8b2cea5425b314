"""One call of any public method of a class: its parameters are the method, and the arguments of all methods.

A run of a class makes several such calls on one object (:mod:`.call_sequence`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import Any

from ....errors import OptionError
from ....subject.base import Words
from ....words import Kind, encode
from ..replay import CReplay
from .alias_analysis import AliasPairs
from .layout import Field, Scalar, Structure, cells
from .parameters import CParameter, CSignature

_KIND = Kind.U8
_ALIGNMENT = 16


@dataclass(frozen=True)
class Method:
    """A method of a class.

    Attributes:
        name: its name in values that the user gives; with parameter types if it is overloaded.
        signature: the signature of a call.
        offset: for an inherited method, the offset of the base class in the object, in bytes.
    """

    name: str
    signature: CSignature
    offset: int = 0


@dataclass(frozen=True)
class AnyMethod(CSignature):
    """The signature of one call of any method.

    The first parameter is the number of the method. The result is a structure with the results of all methods; those
    of other methods than the called one are 0.

    Attributes:
        methods: the methods.
    """

    methods: tuple[Method, ...] = ()

    @property
    def prototype(self) -> str:
        return ", ".join(one.signature.prototype for one in self.methods)

    @property
    def _choice(self) -> str:
        """The name of the parameter that chooses the method, usually ``method``."""
        return self.parameters[0].name

    def _parts(self, several: Sequence[Any], sizes: Callable[[CSignature], int]) -> list[Sequence[Any]]:
        """Split values into those of each method; ``sizes`` gives the number of values of a method."""
        found, at = list[Sequence[Any]](), 0
        for one in self.methods:
            size = sizes(one.signature)
            found.append(several[at : at + size])
            at += size
        return found

    def chosen(self, words: Words) -> tuple[CSignature, Words]:
        return self.methods[words[0]].signature, tuple(self._parts(words[1:], lambda of: of.arity)[words[0]])

    def of_run(self, bits: Sequence[int], replay: CReplay) -> tuple[CSignature, CReplay]:
        number = bits[0]
        method, result = self.methods[number].signature, None
        own = self._parts(replay.outputs, lambda of: len(of.pointers))[number]
        if self.result is not None and isinstance(replay.result, tuple) and method.result is not None:
            numbers = self._parts(replay.result, lambda of: 0 if of.result is None else len(cells(of.result)))[number]
            result = numbers[0] if isinstance(method.result, Scalar) else tuple(numbers)
        return method, replace(replay, result=result, outputs=tuple(own))

    def result_place(self, number: int) -> int:
        """Return the offset of a method's result in the structure of all results, in bytes."""
        assert isinstance(self.result, Structure)
        return next(field.offset for field in self.result.fields if field.name == _result_name(number))

    def named(self, words: Words, one: Callable[[CParameter, Words], object]) -> dict[str, Any]:
        signature, mine = self.chosen(words)
        return {self._choice: self.methods[words[0]].name, **signature.named(mine, one)}

    def words_of_named(self, given: Mapping[str, object]) -> list[int] | None:
        number = next((n for n, one in enumerate(self.methods) if one.name == given.get(self._choice)), None)
        if number is None:
            return None
        own = self.methods[number].signature.words_of_named({k: v for k, v in given.items() if k != self._choice})
        if own is None:
            return None
        zeros = [[word for p in one.signature.parameters for word in p.zeros()] for one in self.methods]
        zeros[number] = own
        return [encode(_KIND, number), *(word for mine in zeros for word in mine)]

    def named_as(self, *more: str) -> str:
        several = ((one.name, one.signature.named_as(*more)) for one in self.methods)
        return " or ".join(f'{{"{self._choice}": "{name}", {own[1:]}' for name, own in several)

    def tidy(self, words: Words) -> Words:
        """Return canonical words for the same call: the arguments of other methods are 0."""
        signature, mine = self.chosen(words)
        before = 1 + sum(one.signature.arity for one in self.methods[: words[0]])
        zeros = tuple(word for p in self.parameters for word in p.zeros())
        return (words[0], *zeros[1:before], *signature.tidy(mine), *zeros[before + len(mine) :])

    def show_call(self, words: Words) -> str:
        signature, mine = self.chosen(words)
        return signature.show_call(mine)


def any_method(name: str, methods: Sequence[Method], notes: Sequence[str]) -> AnyMethod:
    """Return the signature of a call of any of these methods.

    Args:
        name: the name of the class.
        methods: at least one method, and at most 256. Each parameter has room in the structure for a call.
        notes: remarks for the report.

    Raises:
        OptionError: there are too many methods.
    """
    if not 0 < len(methods) <= 256:
        raise OptionError(f"{name}: has {len(methods)} methods that can be called, but at most 256 are supported")
    taken = [p.name for one in methods for p in one.signature.parameters]
    choice = CParameter("method" + "_" * ("method" in taken), "unsigned char", Scalar(_KIND),
                        narrowed=((encode(_KIND, 0), encode(_KIND, len(methods) - 1)),))  # fmt: skip
    own = [replace(p, name=f"{_plain(one.signature)}_{p.name}") for one in methods for p in one.signature.parameters]
    signatures = [one.signature for one in methods]
    return AnyMethod(
        name, (choice, *_unique(own)), "", (*notes, *(note for of in signatures for note in of.notes)),
        result=_results(signatures), call=name, symbol=signatures[0].symbol, beside_main=signatures[0].beside_main,
        sharing=_sharing(signatures), methods=tuple(methods),
    )  # fmt: skip


def _plain(signature: CSignature) -> str:
    """Return the name of a method without its class; an operator is called ``operator``."""
    name = signature.call.rpartition("::")[2]
    return name if name.isidentifier() else "operator"


def _unique(parameters: Sequence[CParameter]) -> Iterator[CParameter]:
    """Yield the parameters with different names: the second ``add_x`` becomes ``add_x_2``."""
    taken = set[str]()
    for parameter in parameters:
        further = (f"{parameter.name}_{number}" for number in count(2))
        name = next(name for name in chain([parameter.name], further) if name not in taken)
        taken.add(name)
        yield replace(parameter, name=name)


def _results(signatures: Sequence[CSignature]) -> Structure | None:
    """Return the structure with the results of all methods; None if none has a result that can be compared."""
    fields, size = list[Field](), 0
    for number, one in enumerate(signatures):
        if one.result is not None:
            fields.append(Field(_result_name(number), size, one.result))
            size += -(-one.result.size // _ALIGNMENT) * _ALIGNMENT
    return Structure("struct", size, tuple(fields)) if fields else None


def _result_name(number: int) -> str:
    return f"result_{number}"


def _sharing(signatures: Sequence[CSignature]) -> AliasPairs:
    """Return which pointers of all methods may share memory."""
    every = [one.sharing for one in signatures]
    return AliasPairs(
        tuple(pair for one in every for pair in one.pairs), tuple(name for one in every for name in one.written),
        any(one.compares_others for one in every), tuple(pair for one in every for pair in one.compared),
        tuple(pair for one in every for pair in one.related),
    )  # fmt: skip
