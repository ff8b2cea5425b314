"""Pointers that lead to the same memory in a run: one object for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....model.memory import ADDRESS, MemoryValue, Object, Pointer, store
from ....subject.base import Words
from ....term.core.build import equal
from ....term.core.nodes import Term, constant, variable
from ....term.core.sorts import BOOL, bits
from ....words import bits_from_word
from ..front.alias_parameters import AliasSignature
from ..front.parameters import CSignature

Arguments = Mapping[str, "list[MemoryValue | None]"]  # by the names of parameters


def shared(signature: CSignature, words: Words, arguments: Arguments) -> Arguments:
    """Return the arguments of a call, with one object for all pointers that alias.

    Args:
        signature: the signature.
        words: the input, which determines the aliases.
        arguments: the arguments as they are without aliases: each pointer has an object of its own.

    Returns:
        A new mapping; ``arguments`` itself if there are no aliases.
    """
    if not isinstance(signature, AliasSignature) or not signature.in_effect(words):
        return arguments
    spans, found, objects = signature.spans(words), dict(arguments), dict[str, Object]()
    for name in reversed([p.name for p in signature.pointers if p.name in spans]):  # what stands first wins
        span, (mine,) = spans[name], arguments[name]
        assert isinstance(mine, Pointer)
        assert mine.to is not None
        whole = objects.setdefault(span.root, Object(span.root, span.whole, zeroed=True))
        for at, (value, size) in mine.to.cells.items():
            if at + size <= span.size:
                store(whole, span.at + at, size, value)
        if name == span.root:
            whole.null = mine.to.null
        found[name] = [Pointer(whole, constant(ADDRESS, span.at))]
    return found


def taken_from_run(signature: CSignature, words: Words) -> Iterator[Term]:
    """Yield constraints that fix which pointers are NULL and how long arrays are, where aliases depend on it.

    Nothing is yielded for a signature without aliases.
    """
    if not isinstance(signature, AliasSignature):
        return
    parts = {p.name: (p, mine) for p, mine in signature.whole(words)}
    placed = {name for place in signature.places.values() if parts[place.name][1][0] > 0
              for name in (place.of, *(way.other for way in place.ways))}  # fmt: skip
    counts = dict[str, None]()
    for name in sorted(placed):
        parameter, mine = parts[name]
        if parameter.has_null_word:
            null = variable(parameter.names[0], BOOL)
            yield equal(null, constant(BOOL, bool(mine[0])))
        counts |= dict.fromkeys(parameter.extent.counts if parameter.extent is not None else ())
    for name in counts:
        parameter, mine = parts[name]
        sort = bits(parameter.kind.bits)
        yield equal(variable(name, sort), constant(sort, bits_from_word(parameter.kind, mine[0])))
