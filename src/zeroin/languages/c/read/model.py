"""Symbolic execution of a compiled function: path conditions of runs, and reach conditions of branches."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from ....model.memory import ADDRESS, NULL, Function, MemoryValue, Object, Pointer, Unreadable
from ....model.path import PathCondition, SideConstraint
from ....model.reach import ReachCondition, taken
from ....subject.base import Execution, Words
from ....term.core.build import TRUE, conjunction, disjunction, equal, negation
from ....term.core.nodes import Op, Term, constant, make, variable
from ....term.core.simplify import simpler
from ....term.core.sorts import bits
from ....term.core.traversal import variables
from ....words import Kind, value_range
from ..front.alias_parameters import AliasParameter, untried
from ..front.call_sequence import SequenceSignature
from ..front.input_names import between
from ..front.layout import (
    BitField,
    Callback,
    OddFloat,
    PointerField,
    Scalar,
    Structure,
    Text,
    as_array,
    cells,
    has_more,
    has_padding,
    pointer_bytes,
)
from ..front.parameters import CParameter, CSignature
from ..front.pointees import Pointee, PointeePlace, PointeeSignature
from ..front.set_up import GlobalPlace, setters_in
from ..front.symbols import declare_ours, parse
from ..llvm_ir import ir
from ..llvm_ir.constrained_float import plain
from ..llvm_ir.debug_info import DebugInfo
from ..options import LlvmOptions
from ..run.instrument import instrument
from ..run.linking import link_in
from ..run.undefined_behaviour import add_checks
from .access import Access
from .c_library import LOCAL, link_library
from .call_state import is_of_user, reached
from .code import Program
from .inputs import contents, input_value, sort_of, word_of_input
from .purity import disturbed
from .reach import Reach
from .run_record import Record
from .shared_pointers import shared, taken_from_run
from .uninitialised import opened
from .walk import Walk

_RANGE = re.compile(r" inrange\(-?\d+, -?\d+\)")  # of the table of a class, that its virtual functions are in
_DENORMAL = re.compile(r'"denormal-fp-math(?:-f32)?"="(?!ieee,ieee")|\bdenormal_fpenv\((?!ieee\))')
_ODD = re.compile(r"may_alias|\bpacked\b|pragma pack|_Pragma")  # objects of other types, or not aligned
_DYNAMIC = re.compile(r'metadata !"round\.dynamic"|@fegetround\(|@llvm\.get\.rounding\(')
_GROWTH, _LONGEST = 4, 256  # the factor by which a string is made longer; the most bytes that it gets then
_NUL, _ENDLESS = constant(bits(8), 0), 1 << 62  # of strings: what ends one; bytes of one that may be of any length


class LlvmModel:
    """A C, C++ or LLVM IR function in terms.

    Args:
        path: the file of the function, for messages.
        chosen: the IR names of the functions that have sites, in the order of their sites.
        texts: the IR of that file, then the IR of the files that are linked with it.
        signature: the parameters of the function.
        options: which parts of the file have sites, and the build flags.
        library: the IR of functions of the C library, from :func:`.c_library.library_for`.
    """

    def __init__(self, path: Path, chosen: Sequence[str], texts: Sequence[str], signature: CSignature,
                 options: LlvmOptions, library: str = "") -> None:  # fmt: skip
        self._denormal = any(map(_DENORMAL.search, texts)) or "-mdaz-ftz" in options.cc
        self._is_to_nearest = any(map(_DYNAMIC.search, texts))
        self.signature, self._entry, self._rooms_so_far = signature, signature.entry, dict(options.rooms)
        self._is_odd = path.exists() and _ODD.search(path.read_text(errors="replace")) is not None
        self._load = partial(_program, path, chosen, texts, options, library)
        self._program = self._load()

    @cached_property
    def _checked(self) -> Program:
        """The code with checks for undefined behaviour."""
        return self._load(checked=True)

    def inputs(self, words: Words) -> dict[str, Any]:
        """Return the values of the input variables for these words."""
        return self._called_with(words)[0]

    def words(self, inputs: Mapping[str, object]) -> Words:
        """Return the words for values of all input variables.

        A value outside of its range becomes the nearer end of the range. For a call sequence, the values of a single
        call's variables suffice. The sequence then consists of this call. A set-up may be left out.
        """
        signature = self.signature
        if isinstance(signature, SequenceSignature) and signature.count.name not in inputs:
            return signature.of_one(_words(signature.each.parameters, inputs))
        found = _words(signature.parameters, inputs)
        low = zip(found, self.signature.ranges(), strict=True)  # a solver may set a string's last byte: nobody reads it
        return tuple(min(max(word, least), most) for word, (least, most) in low)

    def along(self, words: Words, execution: Execution, checked: bool = False) -> PathCondition:
        """Return the path condition of a run.

        If an input has a ``long double`` or a half-precision float, the path condition ends at the beginning.

        Args:
            words: the input of the run.
            execution: the run.
            checked: whether to add that no operation on the path is undefined. The run itself may violate that.

        Raises:
            Diverged: symbolic execution does not take the path of the run.
        """
        inputs, arguments = self._called_with(words)
        walk = Walk(self._checked if checked else self._program, inputs, execution.decisions, execution.truncated)
        self._choose(walk.record)
        for fixed in taken_from_run(self.signature, words):
            walk.record.note(fixed, "how pointers overlap is taken from the run", pins=True)
        for within, why in self._lengths():
            walk.record.note(within, why)
        for kind, name in ((Kind.F80, "long doubles"), (Kind.F16, "half-precision floats")):
            if any(cell.kind is kind for layout in self.signature.layouts for cell in cells(layout)):
                return walk.record.path(f"zeroin can not read {name}")
        path = walk.path(self._entry, arguments)
        used = {str(one.data) for one in variables(path.constraints())}
        ends = [SideConstraint(simpler(within), 0, why) for within, why in self._ends(used=used)]
        ends += [SideConstraint(at_end, 0, why, pins=is_guess) for at_end, why, is_guess in self._rooms(used)]
        return replace(path, asides=(*(one for one in ends if one.constraint is not TRUE), *path.asides))

    def reach(self, outcome: int) -> ReachCondition:
        """Return a condition that every input satisfies that takes a branch.

        Raises:
            Unreadable: too little is known about the function.
        """
        plain = self._called_with((0,) * self._proved.arity, signature=self._proved)[0]
        takes, loops = taken(self._reached.hits, outcome), tuple(self._reached.loops)
        if any(one.data.startswith("&") for one in variables([takes])):  # how addresses lie decides
            takes = conjunction([takes, self._reached.beginning()])
        unset = self._reached.unset
        given = (*self._assumptions(bounded=False), *_as_defined(unset))
        return ReachCondition(takes, plain, given, loops)

    @cached_property
    def doubts(self) -> str:
        """The reason why what holds for the runs need not hold for all calls; empty if it does."""
        why, unset, _ = self._disturbed
        why = why or self._limited or self._shared
        return why or (f"it uses the variable {min(unset)}, which other code may set" if unset else "")

    @property
    def _limited(self) -> str:
        """The reason why a limit of zeroin may hide a part of the behaviour from runs; empty if there is none."""
        if isinstance(self.signature, SequenceSignature):
            return "it keeps state, and longer call sequences may do more than the runs"
        names = [parameter.name for parameter in self.signature.parameters if parameter.is_length]
        leading = [p.name for p in self.signature.pointers if pointer_bytes(p.layout)]
        if leading:
            return f"pointers in {leading[0]} may lead to other memory than in the runs"
        if self._denormal:
            return "the compiler's flags let subnormal numbers be 0"
        return self._unsaid or (f"{names[0]}, the length of an array, may be larger than in the runs" if names else "")

    @property
    def _unsaid(self) -> str:
        """The statement that a union may hold a value that no input expresses; empty if none may."""
        names = [parameter.name for parameter in self.signature.parameters if has_more(parameter.layout)]
        return f"no member of a union in {names[0]} has all values of the others" if names else ""

    @property
    def _shared(self) -> str:
        """The statement that pointers may alias in a way that no run tries, or addresses are compared; else empty."""
        pair = untried(self.signature.of_call)
        others = "it compares addresses of objects" * self.signature.of_call.sharing.compares_others
        return _same(pair) if pair is not None else others

    @cached_property
    def _disturbed(self) -> tuple[str, set[str], set[str]]:
        """The result of :func:`.purity.disturbed`, and the sets of variables and library functions that it filled."""
        unset, library = set[str](), set[str]()
        return disturbed(self._program, self._entry, unset, library), unset, library

    def repeats(self) -> tuple[str, ...]:
        """Return the assumptions of :meth:`zeroin.subject.subject.Subject.repeats`.

        Raises:
            Unreadable: equal inputs may give different runs, or runs do not show all behaviour.
        """
        why, unset, library = self._disturbed
        computed = [f"{', '.join(sorted(library))} as this machine computes {'it' if len(library) == 1 else 'them'}"]
        written = self.signature.of_call.sharing.written
        if not why and unset and written:
            why = f"{written[0]} may point to the variable {min(unset)}"
        texts = [p.name for p in self.signature.parameters if isinstance(p.layout, Text) and p.layout.is_guess]
        why = why or self._limited or self._shared or (f"{texts[0]}, a string, may be longer" if texts else "")
        if why:
            raise Unreadable(why)
        return (*self._assumptions(), *self._padding(self.signature.parameters), *_as_defined(unset),
                *computed * bool(library), "what C leaves open as in these runs")  # fmt: skip

    def _assumptions(self, bounded: bool = True) -> list[str]:
        """Return what is assumed of the inputs in addition to their types, for people.

        Args:
            bounded: whether this includes limits of zeroin, such as the room for a string.
        """
        of = self.signature
        made = of.maker.signature.pointers if isinstance(of, SequenceSignature) and of.maker is not None else ()
        shared = {name for pair in of.of_call.sharing.pairs for name in pair}
        shared |= {p.of for p in of.of_call.parameters if isinstance(p, GlobalPlace)}
        points = [f"{p.name} points to {_room(p, bounded)}{' of its own' * (p.name not in shared)}"
                  f"{' or is NULL' * p.nullable}" for p in (*made, *of.of_call.pointers)
                  if bounded or not isinstance(p, Pointee)]  # fmt: skip
        points += [_functions(p) for p in self.signature.parameters if p.callback and bounded]
        points += [
            p.assumption for p in self.signature.parameters if isinstance(p, AliasParameter | PointeePlace) and bounded
        ]
        rounding = ["floats are rounded to nearest"] * self._is_to_nearest
        locale = ["the locale is that of C"] * self._is_local
        return [*points, *(why for _, why in self._lengths(bounded)), *rounding, *locale]

    @cached_property
    def _is_local(self) -> bool:
        """Whether the function, or one that may be called meanwhile, calls a function that depends on the locale."""
        callees = {callee.symbol for p in self.signature.parameters if p.callback for callee in p.callback.callees}
        called = {self._entry, *callees, *self._program.addressed}
        return any(not reached(self._program, name, {}).isdisjoint(LOCAL) for name in called)

    def _padding(self, parameters: Iterable[CParameter]) -> list[str]:
        """Return the assumptions that the padding of structures is 0."""
        return [f"the padding of {p.name} is 0" for p in parameters if has_padding(p.layout)]

    @cached_property
    def _reached(self) -> Reach:
        """The evaluations of all sites for any input, with strings of any length.

        Raises:
            Unreadable: too little is known about the function.
        """
        keeps, typed = True, not self._is_odd
        while True:
            found = self._read(keeps, typed)
            is_set = bool(found.unset) and (found.is_wild or any(map(is_of_user, found.unread)))
            is_punned = typed and found.is_punned
            if not is_set and not is_punned:
                return found
            keeps, typed = keeps and not is_set, typed and not is_punned

    def _read(self, keeps: bool, typed: bool) -> Reach:
        """Return the evaluations of all sites for any input.

        Args:
            keeps: whether variables that only other code may set are assumed to keep their initial value.
            typed: whether only objects of the pointers' types lie behind parameters.

        Raises:
            Unreadable: too little is known about the function.
        """
        of = self._proved
        if self._unsaid or self._denormal:
            raise Unreadable(self._unsaid or "the compiler's flags let subnormal numbers be 0")
        if isinstance(of, SequenceSignature) and of.each.sharing.pairs:
            raise Unreadable(_same(of.each.sharing.pairs[0]))
        _, arguments = self._called_with((0,) * of.arity, bounded=False, signature=of)
        callees = {callee.symbol for p in self.signature.parameters if p.callback for callee in p.callback.callees}
        objects = [one.to for one in arguments if isinstance(one, Pointer) and one.to is not None]
        behind = {p.name: p.behind if typed else replace(p.behind, is_any=True) for p in of.pointers}
        pointed = {one: behind[one.name] for one in objects if one.name in behind}
        is_one = not isinstance(of, SequenceSignature)
        reach = Reach(self._program, callees, pointed, not is_one or bool(of.sharing.written), keeps)
        given = [within for within, _ in (*self._lengths(bounded=False), *self._ends(bounded=False))]
        if isinstance(self.signature, SequenceSignature) and of is not self.signature:
            given = [between(*limits) for limits in self.signature.limits_of_each()]
        reach.read(of.entry, arguments, conjunction(given), objects, setters_in(self.signature.of_call))
        return reach

    def _choose(self, record: Record) -> None:
        """Record as choices which pointers alias and which functions pointers point to, so that they can be flipped."""
        for at, parameter in enumerate(self.signature.parameters):
            is_choice = parameter.callback or (parameter.is_choice and not parameter.is_passed)
            for number in range(parameter.ranges()[0][1] if is_choice else 0):
                is_it = equal(variable(parameter.name, bits(8)), constant(bits(8), number))
                place = self._program.place(self._entry, -1, at, number)
                what = f"which function {parameter.name} points to" if parameter.callback else f"the {parameter.name}"
                if record.choose(is_it, place, (), what):
                    break

    def _lengths(self, bounded: bool = True) -> Iterator[tuple[Term, str]]:
        """Yield constraints on the lengths of arrays and on the number of calls, each with a description.

        Args:
            bounded: whether to include constraints that are only limits of zeroin.
        """
        for parameter in self.signature.parameters:
            if parameter.limit is not None and (bounded or not parameter.is_guess):
                sort = sort_of(parameter.kind)
                at_most = constant(sort, min(parameter.limit, value_range(parameter.kind)[1]))
                how = Op.BV_SLE if parameter.kind.signed and parameter.is_guess else Op.BV_ULE
                within = make(how, variable(parameter.name, sort), at_most)
                most = f" of at most {parameter.limit} elements" * parameter.is_guess
                yield within, f"{parameter.name} is the length of an array{most}"
        if isinstance(self.signature, SequenceSignature) and bounded:
            limits = (between(name, kind, *limits) for name, kind, limits in self.signature.limits())
            yield conjunction(limits), "there are no more calls"

    def _ends(self, bounded: bool = True, used: Container[str] | None = None) -> Iterator[tuple[Term, str]]:
        """Yield constraints on strings, pointers to functions and aliases, each with a description.

        After the first 0 of a string, all its other words are 0: this is so in runs only.

        Args:
            bounded: whether they concern runs; False: all calls.
            used: the names of the variables that matter; None: all. Nothing is said of the words of a string behind the
                last of these.
        """
        for parameter in self.signature.parameters:
            if parameter.callback and bounded:
                most = constant(bits(8), parameter.ranges()[0][1])
                yield make(Op.BV_ULE, variable(parameter.name, bits(8)), most), _functions(parameter)
            if isinstance(parameter, AliasParameter | PointeePlace) and bounded:
                most = constant(bits(8), parameter.ranges()[0][1])
                yield make(Op.BV_ULE, variable(parameter.name, bits(8)), most), parameter.assumption
            if isinstance(parameter.layout, Text) and bounded:
                names = parameter.names[parameter.nullable :]
                last = max((n for n, name in enumerate(names) if used is None or name in used), default=-1)
                if last < 0:
                    continue
                ends = [equal(variable(name, bits(8)), _NUL) for name in names[: last + 1]]
                within = [disjunction([negation(end), after]) for end, after in pairwise(ends)]
                yield conjunction(within), f"{parameter.name} points to a string of its own"

    def _rooms(self, used: Container[str]) -> Iterator[tuple[Term, str, bool]]:
        """Yield the constraints that strings end within their words, where a path depends on the last word.

        Each comes with a description, and with whether the number of words is a guess: then a longer string may take
        another path.

        Args:
            used: the names of the variables that matter.
        """
        for parameter in self.signature.parameters:
            if isinstance(parameter.layout, Text) and parameter.names[-1] in used:
                at_end = equal(variable(parameter.names[-1], bits(8)), _NUL)
                yield at_end, f"{parameter.name} points to {_room(parameter)} of its own", parameter.layout.is_guess

    def with_more_room(self, constraints: Sequence[Term]) -> tuple[Sequence[Term], tuple[tuple[str, int], ...]]:
        """Return constraints for longer strings than zeroin has chosen, and rooms for these.

        A term of a string has only bytes that there are. So nothing can be said of conditions with the last one.
        See :meth:`zeroin.subject.subject.Subject.with_more_room`.
        """
        decided = {str(one.data) for one in variables(constraints[-1:])}
        texts = [(p.name, p.names[-1], p.layout.count) for p in self.signature.parameters
                 if isinstance(p.layout, Text) and p.layout.is_guess and p.layout.count < _LONGEST]  # fmt: skip
        short = {last: (name, min(_GROWTH * count, _LONGEST)) for name, last, count in texts if last in decided}
        left = [one for one in constraints if short.keys().isdisjoint(str(own.data) for own in variables([one]))]
        return left, tuple({**self._rooms_so_far, **dict(short.values())}.items()) if short else ()

    @property
    def _proved(self) -> CSignature:
        """The signature for proofs.

        If the calls of a sequence share nothing but global variables, it is that of a single call. Nothing is assumed
        of global variables, so any call of a sequence is like this one, and so is a call behind a set-up.
        """
        of = self.signature
        return (of.each if isinstance(of, SequenceSignature) and of.maker is None else of).without_set_up

    def _called_with(
        self, words: Words, bounded: bool = True, signature: CSignature | None = None
    ) -> tuple[dict[str, Any], list[MemoryValue | None]]:
        """Return the values of the input variables, and the arguments of the IR function in terms of these variables.

        Args:
            words: the input.
            bounded: whether strings end within their words, and pointers to functions point to known ones. If not,
                strings may have any length, and functions are unknown.
            signature: the signature; None: that of the model.
        """
        inputs: dict[str, Any] = {}
        signature = signature or self.signature
        made = {p.name: self._arguments(p, mine, inputs, bounded) for p, mine in signature.whole(words)}
        _lead(signature, made, words if bounded else None)
        arguments = [value for values in shared(signature, words, made).values() for value in values]
        size = signature.result_size
        return inputs, [Pointer(Object("the result", size), NULL.offset), *arguments] if size else arguments

    def _arguments(self, parameter: CParameter, words: Words, inputs: dict[str, Any],
                   bounded: bool) -> list[MemoryValue | None]:  # fmt: skip
        """Return the arguments of the IR function for one parameter; add its input variables to ``inputs``."""
        words = parameter.tidy(words)
        made = [_input(*given, inputs) for given in zip(parameter.names, parameter.kinds, words, strict=True)]
        if isinstance(parameter.layout, OddFloat) and not parameter.is_pointer:
            return [None]
        if parameter.callback:
            return [_function(parameter.callback, words[0]) if bounded else None]
        if isinstance(parameter.layout, Scalar):
            return [made[0]] * parameter.is_passed
        there = Object(parameter.name, parameter.most_size, zeroed=True)
        if parameter.nullable:
            there.null, there.is_live = made.pop(0), not words[0]
        if isinstance(parameter.layout, Text):
            if not bounded:
                there.size, there.zeroed = _ENDLESS, False
        elif parameter.extent is not None and not bounded:
            there.size, there.zeroed = _ENDLESS, False
        for offset, content, size in contents(parameter, made):
            there.cells[offset] = (content, size)
        _leave_open(there, parameter)
        if not parameter.pieces:
            return [Pointer(there, NULL.offset)]
        return [Access(Record({})).load(Pointer(there, constant(ADDRESS, at)), self._program.type(type_))
                for type_, at in parameter.pieces]  # fmt: skip


def _program(path: Path, chosen: Sequence[str], texts: Sequence[str], options: LlvmOptions, library: str,
             checked: bool = False) -> Program:  # fmt: skip
    """Read the code of a function and of the functions that it calls. For arguments, see :class:`LlvmModel`.

    Args:
        checked: whether to add checks for undefined behaviour.
    """
    texts = [opened(_RANGE.sub("", plain(text))) for text in texts]
    debug, module = DebugInfo(texts[0]), ir.read(texts[0])
    found = instrument([module.functions[name] for name in chosen], debug, set(), module.defined(),
                       (str(path), options.line), options.boundary, options.find, measured=False)  # fmt: skip
    if checked:
        add_checks(module, debug)
    ir.wrap(module)
    module.parts.extend(found.tables)
    ir.strip_debug(module)
    whole = parse(declare_ours(module.text()), path)
    for text in texts[1:]:
        other = ir.read(text)
        ir.strip_debug(other)
        link_in(whole, parse(declare_ours(other.text()), path), "", path)
    return Program(whole, link_library(whole, library) if library else ())


def _words(parameters: Iterable[CParameter], inputs: Mapping[str, object]) -> list[int]:
    """Return the words for values of input variables; a set-up without values is left out."""
    found = list[int]()
    for parameter in parameters:
        numbers = [*[None] * parameter.has_null_word, *(cell.number for cell in parameter.cells)]
        for name, kind, number in zip(parameter.names, parameter.kinds, numbers, strict=True):
            value = inputs[name] if name in inputs or parameter.is_argument else 0
            if isinstance(number, BitField) and isinstance(value, int):
                value = number.taken(number.placed(value))  # a solver may set bits that nobody reads
            found.append(word_of_input(kind, value))
    return found


def _lead(signature: CSignature, made: dict[str, list[MemoryValue | None]], words: Words | None) -> None:
    """Store the addresses of objects in the pointer fields that lead to them, and take them out of the arguments.

    Args:
        signature: the signature.
        made: the arguments for each parameter, by its name; for a pointer, the address of its object.
        words: the input, which says where each pointer leads; None: pointers lead anywhere.
    """
    elsewhere = signature.led_elsewhere(words) if words is not None and isinstance(signature, PointeeSignature) else {}
    objects = {name: one[0].to for name, one in made.items() if one and isinstance(one[0], Pointer)}
    led, behind = dict(objects), dict[tuple[str, PointerField], MemoryValue]()
    for one in signature.parameters:
        if isinstance(one, Pointee):
            (made_of,) = made.pop(one.name)
            if one.callback:
                behind[one.of, one.field] = made_of or NULL
                continue
            led[one.name] = led[elsewhere.get(one.name, one.name)]
            behind[one.of, one.field] = Pointer(led[one.name], NULL.offset)
    for parameter in signature.parameters:
        there, element = objects.get(parameter.name), as_array(parameter.layout).element
        if there is None or not parameter.is_pointer or not isinstance(element, Structure):
            continue
        for number in range(as_array(parameter.layout).count):
            for field in element.pointers:
                to: MemoryValue = NULL if number else behind.get((parameter.name, field), NULL)
                anywhere = Pointer(None, variable(f"{parameter.name}[{number}].{field.path}", ADDRESS))
                there.cells[number * element.size + field.offset] = (anywhere if words is None else to, 8)


def _leave_open(there: Object, parameter: CParameter) -> None:
    """Make the padding of structures in an object open values."""
    if has_padding(parameter.layout):
        used = {cell.offset + n for cell in parameter.cells for n in range(cell.number.size)} | pointer_bytes(
            parameter.layout
        )
        for at in set(range(parameter.layout.size)) - used:
            padding = f"byte {at} of {parameter.name}, which is padding"
            there.cells[at] = (make(Op.OPEN, _NUL, data=padding), 1)


def _function(callback: Callback, number: int) -> MemoryValue:
    """Return the pointer for the number of a callback's function. The number after the last function is NULL."""
    return Function(callback.callees[number].symbol) if number < len(callback.callees) else NULL


def _functions(parameter: CParameter) -> str:
    """Return a description of the functions that a parameter may point to."""
    callees = parameter.callback.callees if parameter.callback else ()
    names = [*(callee.name for callee in callees), *["NULL"] * parameter.nullable]
    return f"{parameter.name} is {' or '.join(names)}"


def _room(parameter: CParameter, bounded: bool = True) -> str:
    """Return a description of the object behind a pointer."""
    layout = parameter.layout
    assert not isinstance(layout, Scalar)
    if isinstance(layout, Text):
        length = f" of at most {layout.count - 1} characters" * bounded
        return f"a string{length}{', followed by zeros,' * (parameter.is_output and bounded)}"
    if parameter.extent is not None:
        return f"{parameter.extent.text} elements"
    return f"a {layout.type}" if isinstance(layout, Structure) else f"{layout.count} elements"


def _same(pair: tuple[str, str]) -> str:
    """Return the statement that two pointers may alias."""
    return f"{' and '.join(pair)} may point to the same memory"


def _as_defined(unset: Iterable[str]) -> list[str]:
    """Return the assumptions that no other code sets these variables."""
    return [f"no other code sets {name}" for name in sorted(unset)]


def _input(name: str, kind: Kind, word: int, inputs: dict[str, Any]) -> Term:
    """Return the variable for an input; add its value to ``inputs``."""
    inputs[name] = input_value(kind, word)
    return variable(name, sort_of(kind))
