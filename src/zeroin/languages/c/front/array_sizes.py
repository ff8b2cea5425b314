"""Choose the number of elements of each array parameter whose length neither its declaration nor the user gives.

The code decides if it ties the array to integer parameters. Otherwise the names of the parameters do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

from ....subject.base import Words
from ....words import encode, value_range
from .array_counts import ArrayUse, ParameterUses, constants_of
from .layout import Extent, Structure, Text, as_array, cells, resized
from .parameters import CParameter, CSignature
from .string_parameters import Neighbour

MOST_ELEMENTS = 4096  # the longest array
MOST_GUESSED = 512  # the most elements that an array of unknown length grows to
_COUNTED, _COUNTED_IN_ROWS = 8, 4  # default limits of an integer that is a length alone, or a factor of one
_SMALL = 8  # bits of an integer of which all values are tried as a length
_DRIVEN, _NUMBERS = 64, 256  # the most elements, and numbers in them, whose values searches choose
_OBVIOUS = 64  # the most elements that an array gets because of constant indices and bounds
_LAST = re.compile(r"deg|degree|order|last|hi|high|right|top|end|upper|max\w*|\w+_(?:last|end|max)", re.I)


def is_count(parameter: CParameter) -> bool:
    """Whether a parameter's name or type suggests that it is a number of elements."""
    return parameter.callback is None and Neighbour(parameter.name, parameter.type, parameter.layout).is_count


def with_sizes(parameters: Sequence[CParameter], told: set[str], positions: Mapping[str, int],
               uses: ParameterUses) -> list[CParameter]:  # fmt: skip
    """Return the parameters with sizes for the arrays, and with marks on the integers that are their lengths.

    Args:
        parameters: all parameters of the function.
        told: names of the arrays whose size the user or their declaration gives.
        positions: position of each parameter in the IR function.
        uses: how the code uses the parameters.
    """
    names = {number: name for name, number in positions.items()}
    integers = {p.name: p for p in parameters if p.is_integer and p.kind.bits > 1}
    ties, found = dict[str, tuple[tuple[str, ...], int, int]](), list[CParameter]()
    open_ones = [p for p in parameters if p.is_pointer and p.name not in told and not p.type.endswith("&")]
    for parameter in open_ones:
        tie = _by_code(parameter, uses.sized.get(positions[parameter.name], []), names, integers)
        if tie is not None:
            ties[parameter.name] = tie
    tied = {name for counts, *_ in ties.values() for name in counts}
    for parameter in open_ones:
        count = _by_name(parameter, parameters, positions, uses) if parameter.name not in ties else None
        if count is not None and count not in tied:
            ties[parameter.name] = (count,), 1, 0
    limits = _limits(ties, positions, uses)
    highest = {name: _all_values(integers[name], limit, ties) for name, limit in limits.items()}
    for parameter in parameters:
        if parameter.name in ties and not isinstance(parameter.layout, Text):
            counts, step, further = ties[parameter.name]
            usual, most = (step * prod(of[name] for name in counts) + further for of in (limits, highest))
            found.append(with_extent(parameter, Extent(counts, most, step, further), usual))
        elif parameter in open_ones:
            number = positions[parameter.name]
            found.append(_guessed(parameter, uses.sized.get(number, []), number in uses.moved | uses.indexed))
        else:
            found.append(parameter)
    limits = highest
    rooms = {p.name: p.layout.count for p in found if p.name in ties and isinstance(p.layout, Text)}
    for array, (counts, *_) in ties.items():
        for name in counts:
            limits[name] = min(limits[name], rooms.get(array, limits[name]))
    counted = {name: array for array, tie in reversed(ties.items()) for name in tie[0]}
    return [replace(p, count_of=counted[p.name], limit=limits[p.name], is_guess=True) if p.name in limits else p
            for p in found]  # fmt: skip


def _by_code(parameter: CParameter, sized: Sequence[ArrayUse], names: Mapping[int, str],
             integers: Mapping[str, CParameter]) -> tuple[tuple[str, ...], int, int] | None:  # fmt: skip
    """Derive the length of an array from the code.

    Returns:
        Names of the integers whose product is counted, elements per counted item, and additional elements at the end;
        None if the code does not tie the array to integers.
    """
    size = as_array(parameter.layout).element.size
    found = dict[tuple[str, ...], tuple[int, int]]()
    for one in sized:
        counts = tuple(sorted(names.get(number, "") for number in one.counts))
        step, rest = divmod(one.step * one.size, size) if one.size else (one.step, 0)
        if not counts or not set(counts) <= integers.keys() or rest or not 0 < step <= _DRIVEN:
            continue
        further = int(one.is_last and len(counts) == 1 and _LAST.fullmatch(counts[0]) is not None)
        known = found.get(counts, (0, 0))
        found[counts] = max(known[0], step), max(known[1], further)
    if not found:
        return None
    best = max(found, key=lambda counts: (len(counts), any(is_count(integers[name]) for name in counts)))
    return best, *found[best]


def _by_name(parameter: CParameter, parameters: Sequence[CParameter], positions: Mapping[str, int],
             uses: ParameterUses) -> str | None:  # fmt: skip
    """Return the name of the integer that gives an array's length by its name or position.

    Returns:
        The name; None if there is no such integer, or if the code contradicts it.
    """
    own, pointer = re.escape(parameter.name), positions[parameter.name]
    mine = re.compile(rf"{own}_?(?:n|num|len|length|size|count)|(?:n|num|len|size|count)_?(?:of_)?{own}s?", re.I)
    at = list(parameters).index(parameter)
    related = [p for p in parameters if p.is_integer and mine.fullmatch(p.name)]
    behind = [p for p in parameters[at + 1 : at + 2] if is_count(p)]
    for count in (*related, *behind):
        number = positions[count.name]
        if number in uses.indices or isinstance(as_array(parameter.layout).element, Structure):
            continue
        sized = uses.sized.get(pointer, [])
        several = pointer in uses.moved or any(one.step > 1 for one in sized)
        if (several and number in uses.compared) or not (sized or pointer in uses.moved):
            return count.name
    return None


def _limits(ties: Mapping[str, tuple[tuple[str, ...], int, int]], positions: Mapping[str, int],
            uses: ParameterUses) -> dict[str, int]:  # fmt: skip
    """Return the highest value of each length: above the constants it is compared with, if arrays may be so long.

    Loops over arrays may also have to count from one constant to another.

    Args:
        ties: what :func:`_by_code` or :func:`_by_name` found, by the name of the array.
        positions: position of each parameter in the IR function.
        uses: how the code uses the parameters.
    """
    limits = {name: _COUNTED_IN_ROWS for counts, *_ in ties.values() if len(counts) > 1 for name in counts}
    counted = max(_COUNTED, uses.apart + 2)
    limits |= {name: counted for counts, *_ in ties.values() if len(counts) == 1 for name in counts
               if name not in limits}  # fmt: skip
    for name, least in list(limits.items()):
        wanted = max(least, constants_of(uses.compared, positions[name], MOST_ELEMENTS - 2) + 2)
        arrays = [tie for tie in ties.values() if name in tie[0]]
        longest = max(step * prod(wanted if one == name else limits[one] for one in counts) + further
                      for counts, step, further in arrays)  # fmt: skip
        if longest <= MOST_ELEMENTS:
            limits[name] = wanted
    return limits


def _all_values(count: CParameter, limit: int, ties: Mapping[str, tuple[tuple[str, ...], int, int]]) -> int:
    """Return the highest value of a length: all that a small type has, if it counts the items of arrays alone.

    Args:
        count: the integer.
        limit: its highest value otherwise.
        ties: see :func:`_limits`.
    """
    alone = all(counts == (count.name,) for counts, *_ in ties.values() if count.name in counts)
    return max(limit, value_range(count.kind)[1]) if alone and count.kind.bits == _SMALL else limit


def with_extent(parameter: CParameter, extent: Extent, usual: int = MOST_ELEMENTS) -> CParameter:
    """Give a parameter an extent; its layout has the elements whose values searches choose, and the rest are 0.

    Args:
        parameter: the parameter.
        extent: the extent.
        usual: the most elements whose values searches choose.
    """
    element = as_array(parameter.layout).element
    driven = min(extent.most, usual, _DRIVEN, max(1, _NUMBERS // len(cells(element))))
    return replace(parameter, layout=resized(parameter.layout, driven), extent=extent)


def _guessed(parameter: CParameter, sized: Sequence[ArrayUse], is_array: bool) -> CParameter:
    """Give an array of unknown length its first size, from constant indices and bounds in the code.

    A pointer to a structure that the code does not use as an array points to a single one.
    """
    layout = parameter.layout
    if isinstance(layout, Text):
        return replace(parameter, is_guess=parameter.is_output, is_walked=True)
    if isinstance(layout, Structure) and not is_array:
        return parameter
    size = as_array(layout).element.size
    obvious = [-(-one.step * one.size // size) if one.size else one.step for one in sized if not one.counts]
    wanted = max((count for count in obvious if count <= _OBVIOUS), default=1)
    longer = resized(layout, wanted) if wanted > as_array(layout).count else layout
    return replace(parameter, layout=longer, is_guess=True, is_walked=is_array or any(one.counts for one in sized))


def with_room(parameter: CParameter, rooms: Mapping[str, int]) -> CParameter:
    """Give an array of unknown length the number of elements that it has grown to.

    Args:
        parameter: the parameter; any other one is returned unchanged.
        rooms: numbers of elements by parameter name; for a string, with the terminator.
    """
    is_guess = parameter.is_guess or (isinstance(parameter.layout, Text) and parameter.layout.is_guess)
    if not is_guess or parameter.name not in rooms:
        return parameter
    count = rooms[parameter.name]
    if isinstance(parameter.layout, Text):
        return replace(parameter, layout=Text.of(count - 1, parameter.layout.is_guess))
    return replace(parameter, layout=resized(parameter.layout, count))


def grown(parameter: CParameter, used: int) -> int | None:
    """Return the new number of elements of an array of unknown length, after a run used an index beyond its end.

    The new number is a power of two. An index far beyond the end is taken for a wrong index, not for a longer array.

    Args:
        parameter: the array.
        used: the index; not negative.

    Returns:
        The number of elements; None if the array can not or should not grow.
    """
    count = as_array(parameter.layout).count
    if used >= MOST_GUESSED or (used >= _OBVIOUS and used >= 2 * count):
        return None
    return int(min(MOST_GUESSED, 1 << used.bit_length()))


def other_lengths(signature: CSignature, words: Words) -> list[Words]:
    """Return variants of an input in which one guessed length has another value, from 1 to at most 8.

    The list is empty if no length is guessed.
    """
    found, at = list[Words](), 0
    for parameter, mine in signature.whole(words):
        if parameter.is_length:
            lengths = (encode(parameter.kind, n) for n in range(1, min(parameter.limit or 0, _COUNTED) + 1))
            found += [(*words[:at], length, *words[at + 1 :]) for length in lengths if length != mine[0]]
        at += len(mine)
    return found
