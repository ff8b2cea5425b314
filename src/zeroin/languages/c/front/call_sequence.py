"""Call sequences: several calls of a stateful function as one input.

A generated IR function makes the calls. Its parameters are the number of calls and an array of structures, one for each
call (``docs/decisions/0015-calls-in-a-row-are-a-function-of-ir.md``). Words are 64-bit integers in the order of the
values that they encode (``words.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from ....errors import OptionError, UnsupportedParameter
from ....subject.base import Replay, Termination, Words
from ....subject.constant import Constant
from ....words import Kind, decode, encode
from ..replay import CReplay
from .any_method import AnyMethod
from .argument_syntax import literals
from .layout import Array, Callback, Extent, Field, Layout, Scalar, Structure, Text, cells, told
from .object_maker import Constructor
from .parameters import CParameter, CSignature
from .printed_types import RETURNED

ENTRY = "calls.in.a.row"  # the IR function that makes the calls
_NUMBERS = 256  # limit of the numbers in all calls together
_MOST_TIMES, _TIMES = 10_000, 32  # repetitions of a call: larger constants in the code are ignored; the default limit
_TIMES_KIND, _COUNT_KIND = Kind.U16, Kind.U8
_ALIGNMENT = 16


@dataclass(frozen=True)
class Steps(CParameter):
    """The parameter with the arguments of all calls: an array of structures.

    Each structure has a field for each argument of a call, and the number of times that the call is made.

    Attributes:
        taken: names of other parameters, which its words must not have.
    """

    taken: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its words: ``x[2]`` for the argument ``x`` of the third call."""
        found = list[str]()
        for cell in self.cells:
            index, _, path = cell.path.partition(".")
            end = next((at for at, character in enumerate(path) if character in ".["), len(path))
            name = path[:end] + "_" * (path[:end] in self.taken)
            found.append(f"{name}{index}{path[end:]}")
        return tuple(found)

    @property
    def driven(self) -> str:
        layout = self.element
        times = self.ranges()[len(cells(layout)) - 1][1]
        given = ", ".join(f"{field.name}: {told(field.layout)}" for field in layout.fields[:-1])
        often = f"up to {self.length} calls, each made up to {decode(_TIMES_KIND, times)} times"
        return f"{often}, with {given}" if given else often

    @property
    def element(self) -> Structure:
        """The structure with the arguments of one call."""
        assert isinstance(self.layout, Array)
        assert isinstance(self.layout.element, Structure)
        return self.layout.element


@dataclass(frozen=True)
class SequenceSignature(CSignature):
    """The signature of a call sequence.

    Its parameters are, in this order: the constructor's, for a member function; the number of calls; the calls'
    arguments (:class:`Steps`); an array for the results, if these can be compared.

    Attributes:
        each: signature of one call.
        maker: the constructor that makes the object; None for a plain function.
    """

    each: CSignature = field(default_factory=lambda: CSignature("", ()))
    maker: Constructor | None = None

    @property
    def entry(self) -> str:
        return ENTRY

    @property
    def of_call(self) -> CSignature:
        return self.each

    @property
    def made_with(self) -> int:
        """The number of constructor parameters, which come before the number of calls; 0 for a plain function."""
        return len(self.maker.signature.parameters) if self.maker is not None else 0

    @property
    def steps(self) -> Steps:
        """The parameter with the arguments of the calls."""
        found = self.parameters[self.made_with + 1]
        assert isinstance(found, Steps)
        return found

    @property
    def prototype(self) -> str:
        if self.maker is None:
            return f"{self.each.prototype}, several calls in a row"
        made = self.maker.signature.prototype.removeprefix("void ").removesuffix("(void)")
        return f"{made}, then several calls of {self.each.prototype}"

    @property
    def _width(self) -> int:
        """The number of words of one call, including its number of repetitions."""
        return len(cells(self.steps.element))

    def calls(self, words: Words) -> list[tuple[Words, int]]:
        """Return the words of each call's arguments, and the number of times that the call is made, in order."""
        mine, width = self.split(words)[self.made_with + 1][1], self._width
        several = [mine[at : at + width] for at in range(0, len(mine), width)]
        return [(one[:-1], int(decode(_TIMES_KIND, one[-1]))) for one in several]

    def making(self, words: Words) -> Words:
        """Return the words of the constructor's arguments; empty for a plain function."""
        return words[: sum(p.arity for p in self.parameters[: self.made_with])]

    def arguments(self, words: Words) -> list[Any]:
        """Return the constructor's arguments, then a list of calls: dicts of the arguments and of ``times``."""
        return self._valued(words, lambda parameter, mine: parameter.argument(mine))

    def exact(self, words: Words) -> list[Any]:
        return self._valued(words, lambda parameter, mine: parameter.exact(mine))

    def _valued(self, words: Words, one: Callable[[CParameter, Words], object]) -> list[Any]:
        """Return the values of :meth:`arguments`, with each argument converted by ``one``."""
        parts = self.split(words)[: self.made_with]
        calls = [{**self.each.named(mine, one), self._often: times} for mine, times in self.calls(words)]
        return [*(one(p, mine) for p, mine in parts), calls]

    @property
    def _often(self) -> str:
        """The name of the field with the number of times that a call is made, usually ``times``."""
        return self.steps.element.fields[-1].name

    def show(self, words: Words) -> str:
        """Return the calls for a person: ``f(1) 5 times; f(0)``."""
        made = [] if self.maker is None else [self.maker.signature.show(self.making(words)).removesuffix("()")]
        return "; ".join([*made, *(self.each.show(mine) + f" {times} times" * (times > 1)
                                   for mine, times in self.calls(words))])  # fmt: skip

    def tidy(self, words: Words) -> Words:
        """Return canonical words for the same calls. Words that no call uses are 0, or as near to 0 as allowed."""
        words = super().tidy(words)
        if not isinstance(self.each, AnyMethod):
            return words
        mine = [word for one, times in self.calls(words) for word in (*self.each.tidy(one), encode(_TIMES_KIND, times))]
        limits = zip(mine, self.steps.ranges(), strict=False)
        return self.words_for(self.making(words), [min(max(word, low), high) for word, (low, high) in limits])

    def words_of(self, values: str) -> Words:
        """Return the words of calls in Python notation: ``[{"raw": True, "times": 5}, {"raw": False}]``.

        For a member function, the constructor's arguments come first. A call without ``times`` is made once.

        Raises:
            OptionError: the values do not fit the parameters.
        """
        *made, steps = literals(values) or [None]
        often, most, most_times = self._often, self.steps.length or 1, self._most_times
        is_fit = isinstance(steps, list) and all(isinstance(one, dict) for one in steps)
        calls = [
            self.each.words_of_named({k: v for k, v in one.items() if k != often}) for one in (steps if is_fit else ())
        ]
        if not is_fit or None in calls or len(made) != self.made_with:
            first = "".join(f"{p.name}, " for p in self.parameters[: self.made_with])
            shown = f"{first}[{self.each.named_as(often)}, ...]"
            raise OptionError(f"{values!r}: {self.name} is called several times in a row: {shown}")
        if not 1 <= len(steps) <= most:
            raise OptionError(f"{values!r}: {self.name} is called 1 to {most} times in a row, not {len(steps)}")
        mine = list[int]()
        for one, call in zip(steps, calls, strict=True):
            times = one.get(often, 1)
            if not isinstance(times, int) or not 1 <= times <= most_times:
                raise OptionError(f"{values!r}: {often} must be from 1 to {most_times}")
            mine += [*(call or ()), encode(_TIMES_KIND, times)]
        before = [word for p, value in zip(self.parameters, made, strict=False) for word in p.words_of(value)]
        return self.words_for(before, mine)

    def limits(self) -> Iterator[tuple[str, Kind, tuple[int, int]]]:
        """Yield name, kind and word range (inclusive) of each count: of calls, then of repetitions of each call."""
        yield self.count.name, self.count.kind, self.count.ranges()[0]
        every = list(zip(self.steps.names, self.steps.kinds, self.steps.ranges(), strict=True))
        yield from every[self._width - 1 :: self._width]

    def limits_of_each(self) -> Iterator[tuple[str, Kind, int, int]]:
        """Yield the arguments of a call whose range is restricted: name, kind, lowest and highest word in any call."""
        every, width = self.steps.ranges(), self._width
        plain = [range_ for p in self.each.parameters for range_ in p.ranges()]
        names = [(name, kind) for p in self.each.parameters for name, kind in zip(p.names, p.kinds, strict=True)]
        for at, ((name, kind), whole) in enumerate(zip(names, plain, strict=True)):
            mine = every[at::width]
            low, high = min(least for least, _ in mine), max(most for _, most in mine)
            if (low, high) != whole:
                yield name, kind, low, high

    def of_one(self, words: Sequence[int]) -> Words:
        """Return the words of a sequence that is a single call with these words as arguments.

        A word outside its range becomes the nearest one inside. The constructor's arguments are 0, or as near to 0 as
        their ranges allow.
        """
        made = [min(max(encode(kind, 0), low), high) for p in self.parameters[: self.made_with]
                for kind, (low, high) in zip(p.kinds, p.ranges(), strict=True)]  # fmt: skip
        limits = self.steps.ranges()
        mine = [min(max(word, low), high) for word, (low, high) in zip(words, limits, strict=False)]
        return self.words_for(made, [*mine, encode(_TIMES_KIND, 1)])

    @property
    def count(self) -> CParameter:
        """The parameter with the number of calls."""
        return self.parameters[self.made_with]

    @property
    def _most_times(self) -> int:
        """The maximal number of repetitions of a call."""
        return int(decode(_TIMES_KIND, self.steps.ranges()[self._width - 1][1]))

    def words_for(self, made: Iterable[int], mine: Sequence[int]) -> Words:
        """Return the words of a sequence; the words of unused calls are 0, or as near to 0 as their ranges allow.

        Args:
            made: words of the constructor's arguments.
            mine: words of the calls, with their numbers of repetitions.
        """
        found = [*made, encode(_COUNT_KIND, len(mine) // self._width), *mine]
        rest = list(zip(self.kinds, self.ranges(), strict=True))[len(found) :]
        return (*found, *(min(max(encode(kind, 0), low), high) for kind, (low, high) in rest))

    def shorter(self, words: Words) -> Iterator[Words]:
        """Yield simpler sequences: without one call, with fewer repetitions, or with two equal neighbours merged."""
        made, calls = self.making(words), self.calls(words)

        def with_calls(first: int, behind: int, *others: tuple[Words, int]) -> Words:
            """Return the words with other calls in place of those from ``first`` up to, but without, ``behind``."""
            several = [*calls[:first], *others, *calls[behind:]]
            return self.words_for(made, [word for mine, n in several for word in (*mine, encode(_TIMES_KIND, n))])

        for at in range(len(calls) * (len(calls) > 1)):
            yield with_calls(at, at + 1)
        for at, (mine, times) in enumerate(calls):
            for fewer in dict.fromkeys((1, times // 2, times - 1)):
                if 1 <= fewer < times:
                    yield with_calls(at, at + 1, (mine, fewer))
        for at, ((mine, times), (other, more)) in enumerate(pairwise(calls)):
            if mine == other and times + more <= self._most_times:
                yield with_calls(at, at + 2, (mine, times + more))

    def usual(self, words: Words) -> set[int]:
        """Return the positions of the words that count calls and repetitions, those of unused calls included."""
        first = len(self.making(words))
        times = range(first + self._width, first + 1 + self.steps.arity, self._width)
        return {first, *times}

    def _returned(self, replay: Replay) -> list[tuple[int, ...]]:
        """Return the bits of each call's result, at its last repetition; empty if results can not be compared."""
        if self.each.result is None or not isinstance(replay, CReplay) or not replay.outputs:
            return []
        bits, width = replay.outputs[-1] or (), len(cells(self.each.result))
        return [bits[at : at + width] for at in range(0, len(bits), width)]

    def replays(self, replay: Replay) -> list[tuple[CSignature, CReplay]]:
        """Split a run into its calls: return what is called, and its effect at the last repetition as a replay.

        The list is empty if the run left no outputs: it did not return, or it threw an exception.
        """
        return [self.each.of_run(bits, one) for bits, one in self._calls_of(replay)]

    def _calls_of(self, replay: Replay) -> Iterator[tuple[tuple[int, ...], CReplay]]:
        """Yield the bits of all parameters, and the effect, of each call in a run, at its last repetition."""
        assert isinstance(replay, CReplay)
        returned, pointers = self._returned(replay), self.each.pointers
        steps = replay.outputs[sum(p.is_pointer for p in self.parameters[: self.made_with])] if replay.outputs else None
        width, each = self._width, len(self.shows)
        for number in range(len(steps or ()) // width):
            mine, at, outputs = (steps or ())[number * width :], 0, list[tuple[int, ...] | None]()
            for parameter in self.each.parameters:
                if parameter.is_pointer:
                    outputs.append(tuple(mine[at : at + parameter.arity]))
                at += parameter.arity
            bits = returned[number] if returned else None
            result = bits[0] if bits is not None and isinstance(self.each.result, Scalar) else bits
            shown = replay.shown[number * each : (number + 1) * each]
            yield mine, CReplay(replay.outcome, result, tuple(outputs) if pointers else (), shown=shown)

    def compares(self, replay: Replay) -> bool:
        ended = not isinstance(replay, CReplay) or replay.outcome is not Termination.RETURNED or replay.threw
        return bool(ended) or any(of.compares(one) for of, one in self.replays(replay))

    def results(self, replay: Replay) -> list[Any] | None:
        if (self.each.result is None and RETURNED not in self.shows) or replay.outcome is not Termination.RETURNED:
            return None
        return [of.exact_result(one) for of, one in self.replays(replay)]

    def exact_result(self, replay: Replay) -> Any:
        """Return the result of the last call in exact notation; None if it can not be compared."""
        return (self.results(replay) or [None])[-1]

    def show_result(self, replay: Replay) -> str:
        if replay.outcome is not Termination.RETURNED or (isinstance(replay, CReplay) and replay.threw):
            return super().show_result(replay)
        done = self.replays(replay)
        if not done:
            return ""
        of, last = done[-1]
        return of.show_result(last)

    def show_left(self, words: Words, replay: Replay) -> dict[str, str]:
        """Return what the last call left in its arguments, at its last repetition; empty if the run did not return."""
        done = self.replays(replay) if replay.outcome is Termination.RETURNED else []
        if not done:
            return {}
        of, last = done[-1]
        return of.show_left(self.each.chosen(self.calls(words)[-1][0])[1], last)

    def outputs(self, replay: Replay) -> dict[str, Any]:
        """Return what each call left in its arguments, at its last repetition, by the name of the argument.

        Each value is a list with one item for each call; it is empty if the run did not return.
        """
        has_returned = replay.outcome is Termination.RETURNED
        done = [self.each.outputs(one) for _, one in self._calls_of(replay)] if has_returned else []
        names = [p.name for p in self.each.pointers if p.is_output]
        return {name: [one[name] for one in done] for name in names}


def in_a_row(each: CSignature, constants: Iterable[Constant], most: int,
             maker: Constructor | None = None) -> CSignature:  # fmt: skip
    """Build the signature of a call sequence.

    If a parameter is not supported in sequences, a plain function keeps its signature of one call, with a note.

    Args:
        each: signature of one call.
        constants: the numbers that the code compares with. It may count calls up to one of them, so these numbers of
            repetitions are worth trying.
        most: maximal number of calls, without repetitions. It is lower for calls with many numbers, so that all calls
            together have at most 256, but never below 1.
        maker: the constructor of the object; None for a plain function.

    Raises:
        UnsupportedParameter: a parameter of a member function is not supported.
    """
    if (strange := next((p for p in each.parameters if not fits(p)), None)) is not None:
        if maker is not None:
            raise UnsupportedParameter(f"{each.name}: parameter {strange.name!r} has type {strange.type!r}, which is "
                                       "not supported in member functions; write a function that calls it")  # fmt: skip
        note = f"it keeps state, but is called only once: {strange.name} ({strange.type}) can not be passed repeatedly"
        return replace(each, notes=(*each.notes, note))
    counted = sorted({value + more for value in map(_number, constants) if 1 < value <= _MOST_TIMES for more in (0, 1)})
    before = maker.signature.parameters if maker is not None else ()
    taken = tuple(p.name for p in before)
    element = _element(each, (1, *counted))
    most = max(1, min(most, _NUMBERS // len(cells(element))))
    count_name = _free("calls", (*taken, *(p.name for p in each.parameters)))
    count = CParameter(count_name, "unsigned char", Scalar(_COUNT_KIND), is_shown=False,
                       narrowed=((encode(_COUNT_KIND, 1), encode(_COUNT_KIND, most)),))  # fmt: skip
    extent = Extent((count_name,), most)
    is_output = any(p.is_output for p in each.pointers)
    fields = "".join(f"{p.type} {p.name}; " for p in each.parameters if p.is_argument)
    type_ = f"struct {{ {fields}unsigned short {element.fields[-1].name}; }} *"
    steps = Steps(_free("steps", taken), type_, Array(element, most), is_pointer=True, is_output=is_output,
                  extent=extent, taken=(*taken, count_name))  # fmt: skip
    highest = encode(_TIMES_KIND, max([_TIMES, *counted]))
    one = [r for p in each.parameters for r in p.ranges()] + [(encode(_TIMES_KIND, 1), highest)]
    steps = replace(steps, narrowed=tuple(one * most))
    parameters = [*before, count, steps]
    if each.result is not None:
        layout = Array(_kept(each.result), most)
        zeros = tuple((encode(cell.kind, 0),) * 2 for cell in cells(layout))
        parameters.append(CParameter(_free("returned", taken), f"{each.result_type} *", layout, is_pointer=True,
                                     is_output=True, extent=extent, narrowed=zeros, is_shown=False))  # fmt: skip
    return SequenceSignature(
        each.name, tuple(parameters), each.result_type, each.notes, call=each.call, symbol=each.symbol,
        beside_main=each.beside_main, each=each if maker is None or isinstance(each, AnyMethod) else maker.named(each),
        maker=maker,
        shows=each.shows, members=each.members,
    )  # fmt: skip


def fits(parameter: CParameter) -> bool:
    """Whether a parameter can be a field of the structure for a call.

    Strings, function pointers, pointers that may be NULL, and arrays of variable length can not.
    """
    if isinstance(parameter.layout, Callback | Text) or parameter.nullable or parameter.extent is not None:
        return False
    return not (parameter.is_walked and parameter.is_guess) and parameter.limit is None


def _element(each: CSignature, times: tuple[int, ...]) -> Structure:
    """Return the structure for one call; ``times`` are numbers of repetitions worth trying."""
    fields, size = list[Field](), 0
    for parameter in each.parameters:
        step = parameter.layout.size if isinstance(parameter.layout, Scalar) else _ALIGNMENT
        size = -(-size // step) * step
        fields.append(Field(parameter.name, size, parameter.layout))
        size += parameter.layout.size
    often = Scalar(_TIMES_KIND, times)
    size = -(-size // often.size) * often.size
    fields.append(Field(_free("times", [p.name for p in each.parameters]), size, often))
    return Structure("struct", -(-(size + often.size) // _ALIGNMENT) * _ALIGNMENT, tuple(fields))


def _kept(result: Layout) -> Scalar | Structure:
    """Return the result's layout, padded to the size of the registers that it is returned in."""
    assert not isinstance(result, Array)
    if isinstance(result, Scalar):
        return result
    return replace(result, size=-(-result.size // _ALIGNMENT) * _ALIGNMENT)


def _free(wanted: str, taken: Iterable[str]) -> str:
    """Return the wanted name, with an underscore at the end if it is taken."""
    return wanted + "_" * (wanted in taken)


def _number(constant: Constant) -> int:
    """Return the value of an integer constant; 0 for a float."""
    return 0 if constant.kind.is_float else constant.bits
