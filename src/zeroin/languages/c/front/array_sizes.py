"""How many elements each array of a function has, where neither its declaration nor the user says it: what the code
does with integers beside it, and names where the code leaves it open."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

from ....subject.base import Words
from ....words import encode
from .array_counts import ParameterUses, Sized, constants_of
from .layout import Extent, Structure, Text, as_array, cells, resized
from .parameters import CParameter, CSignature
from .string_parameters import Neighbour

MOST_ELEMENTS = 4096  # of an array
MOST_GUESSED = 512  # that an array of which nothing says how long it is grows to
_COUNTED, _COUNTED_IN_ROWS = 8, 4  # the most that integers say, one alone or several together
_DRIVEN, _NUMBERS = 64, 256  # elements of an array that searches choose, and numbers in these
_OBVIOUS = 64  # elements that constant indices and bounds begin with
_LAST = re.compile(r"deg|degree|order|last|hi|high|right|top|end|upper|max\w*|\w+_(?:last|end|max)", re.I)


def is_count(parameter: CParameter) -> bool:
    """Whether its name or type says that it is a number of elements."""
    return parameter.callback is None and Neighbour(parameter.name, parameter.type, parameter.layout).is_count


def with_sizes(parameters: Sequence[CParameter], told: set[str], positions: Mapping[str, int],
               uses: ParameterUses) -> list[CParameter]:  # fmt: skip
    """The parameters, arrays with the sizes that code and names say.

    Args:
        told: names of those whose size the user or their declaration says.
        positions: of the parameters in the IR function.
        uses: what that does with them.
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
    for parameter in parameters:
        if parameter.name in ties and not isinstance(parameter.layout, Text):
            counts, step, further = ties[parameter.name]
            most = step * prod(limits[name] for name in counts) + further
            found.append(with_extent(parameter, Extent(counts, most, step, further)))
        elif parameter in open_ones:
            number = positions[parameter.name]
            found.append(_guessed(parameter, uses.sized.get(number, []), number in uses.moved | uses.indexed))
        else:
            found.append(parameter)
    rooms = {p.name: p.layout.count for p in found if p.name in ties and isinstance(p.layout, Text)}
    for array, (counts, *_) in ties.items():
        for name in counts:
            limits[name] = min(limits[name], rooms.get(array, limits[name]))
    counted = {name: array for array, tie in reversed(ties.items()) for name in tie[0]}
    return [replace(p, count_of=counted[p.name], limit=limits[p.name], is_guess=True) if p.name in limits else p
            for p in found]  # fmt: skip


def _by_code(parameter: CParameter, sized: Sequence[Sized], names: Mapping[int, str],
             integers: Mapping[str, CParameter]) -> tuple[tuple[str, ...], int, int] | None:  # fmt: skip
    """The integers that say how long it is, the elements for each, and how many there are behind those."""
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
    """The integer that has to be a count of it, if its name does not say another one and code does not object."""
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
    """The most that each count may be: more than what it is compared with, if arrays may be so long."""
    limits = {name: _COUNTED_IN_ROWS for counts, *_ in ties.values() if len(counts) > 1 for name in counts}
    limits |= {name: _COUNTED for counts, *_ in ties.values() if len(counts) == 1 for name in counts
               if name not in limits}  # fmt: skip
    for name, least in list(limits.items()):
        wanted = max(least, constants_of(uses.compared, positions[name], MOST_ELEMENTS - 2) + 2)
        arrays = [tie for tie in ties.values() if name in tie[0]]
        longest = max(step * prod(wanted if one == name else limits[one] for one in counts) + further
                      for counts, step, further in arrays)  # fmt: skip
        if longest <= MOST_ELEMENTS:
            limits[name] = wanted
    return limits


def with_extent(parameter: CParameter, extent: Extent) -> CParameter:
    """With as many elements as the extent says; of the first of them searches choose the values."""
    element = as_array(parameter.layout).element
    driven = min(extent.most, _DRIVEN, max(1, _NUMBERS // len(cells(element))))
    return replace(parameter, layout=resized(parameter.layout, driven), extent=extent)


def _guessed(parameter: CParameter, sized: Sequence[Sized], is_array: bool) -> CParameter:
    """As long as constant indices and bounds say, to begin with; a structure that nothing counts on from is one."""
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
    """With as many elements as it has grown to."""
    if not parameter.is_guess or parameter.name not in rooms:
        return parameter
    count = rooms[parameter.name]
    if isinstance(parameter.layout, Text):
        return replace(parameter, layout=Text.of(count - 1))
    return replace(parameter, layout=resized(parameter.layout, count))


def grown(parameter: CParameter, used: int) -> int | None:
    """So many elements an array whose size is a guess gets, as a run used the one with this number; None if it can
    not grow so far. Small arrays double; one far behind the end was no array's, but some number's."""
    count = as_array(parameter.layout).count
    if used >= MOST_GUESSED or (used >= _OBVIOUS and used >= 2 * count):
        return None
    return int(min(MOST_GUESSED, 1 << used.bit_length()))


def other_lengths(signature: CSignature, words: Words) -> list[Words]:
    """A call with each length, in turn, that its arrays may have, but 0; with those that are short."""
    found, at = list[Words](), 0
    for parameter, mine in signature.whole(words):
        if parameter.is_length:
            lengths = (encode(parameter.kind, n) for n in range(1, min(parameter.limit or 0, _COUNTED) + 1))
            found += [(*words[:at], length, *words[at + 1 :]) for length in lengths if length != mine[0]]
        at += len(mine)
    return found
