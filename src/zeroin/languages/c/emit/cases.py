"""The cases of a C or C++ test: what each declares, calls and compares, independently of the framework."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from .... import extended
from ....emit.name_parts import RESULT, NamedValue
from ....emit.test_names import CaseNames
from ....subject.base import Termination, Words
from ....suite.suite import Input, Suite
from ....words import Kind, word_from_bits
from ..front.alias_parameters import Group
from ..front.containers import Container
from ..front.layout import Array, Layout, OddFloat, Scalar, Structure, Text, as_array, cells, flat, runs, subscripts
from ..front.parameters import CParameter, CSignature
from ..front.pointees import Pointee, PointeeSignature
from ..front.printed_types import RETURNED
from ..replay import CReplay
from .set_up import names_in, places_of, set_up
from .shared_memory import SharedMemory, alone, local
from .values import Writer, text_literal

NOTHING_COMPARED = "nothing is compared: the call only has to return"
_FEW = 8  # variables of up to so many numbers are compared number by number
_LONGEST_MADE = 60  # characters of a container that is written as an argument
_LONGEST = 200  # characters of a call in a comment

# Terminations that are harmless when a user runs the case.
_SHOWN = (
    Termination.SEGV,
    Termination.FPE,
    Termination.ILL,
    Termination.ABORT,
    Termination.ASSERTED,
    Termination.STACK,
    Termination.EXITED,
)
_NAMES = {Kind.F64: "double", Kind.F32: "float", Kind.F80: "long_double", Kind.F16: "half"}
_QUIET = {Kind.F64: 0x7FF8 << 48, Kind.F32: 0x7FC0 << 16, Kind.F16: 0x7E00}
_QUIET_80 = 0x7FFF_C000 << 32, 0  # the upper 64 bits and the lower 16 of the compilers' NaN
_RESERVED = """
NULL asm auto bool break case catch char class const continue default delete do double else enum explicit export extern
false float for friend goto if inline int long main mutable namespace new operator printf private protected public
register restrict return short signed sizeof static struct switch template this throw true try typedef typename union
unsigned using virtual void volatile while
"""  # names in C and C++


@dataclass(frozen=True)
class Check:
    """A comparison of a test: a value is the one that was recorded.

    Attributes:
        number: the layout of the compared numbers; None for strings, for exceptions and for values compared as text.
        got: the C expression to compare; it contains ``index`` if a loop compares elements.
        expected: the C expression of the recorded value. For an exception, its type; empty if it can not be named.
        count: the number of compared elements, or of compared bytes of a string; 0 for a single number.
        index: the variable that counts the elements; empty without a loop.
        before: statements in front of the comparison; if ``got`` is empty, there are only these.
        throws: whether the expression must throw an exception.
        shown: whether the value is compared as text (``runtime/shown.h``).
    """

    number: Scalar | OddFloat | None
    got: str
    expected: str
    count: int = 0
    index: str = ""
    before: tuple[str, ...] = ()
    throws: bool = False
    shown: bool = False

    @property
    def kind(self) -> str:
        """``int``, ``uint``, ``double``, ``float``, ``long_double``, ``half``, ``text``, ``shown`` or ``throws``."""
        if self.throws:
            return "throws"
        if self.shown:
            return "shown"
        if self.number is None:
            return "text"
        kind = cells(self.number)[0].kind
        return _NAMES.get(kind) or ("int" if kind.signed else "uint")


@dataclass
class Case:
    """The test case of one input.

    Attributes:
        name: the name of the case's function.
        about: what the input is for, for a comment.
        input: the number of the input's suite, and the number of the input in it.
        lines: the declarations, and the call unless the checks contain it.
        checks: the comparisons.
        crash: the call, and how it crashes; such a case runs only if the user names it. Empty if the call returns.
        alone: whether the case needs a process of its own.
    """

    name: str
    about: str
    input: tuple[int, int]
    lines: list[str] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    crash: str = ""
    alone: bool = False


@dataclass(frozen=True)
class Untested:
    """An input without a test case.

    Attributes:
        text: the call, and why it has no case, for people.
    """

    text: str


class Cases:
    """Makes the test cases of one suite."""

    def __init__(self, number: int, suite: Suite, call: str, writer: Writer, titles: set[str], alone: bool) -> None:
        """Prepare the cases of a suite.

        Args:
            number: the number of the suite in its batch.
            suite: the suite.
            call: the name by which the test calls the function.
            writer: writes values in the language of the test.
            titles: the names that other cases have already. New names are added.
            alone: whether each case runs in a process of its own, since the function keeps a state.
        """
        assert isinstance(suite.signature, CSignature)
        self._alone = alone
        self._number, self._suite, self._call, self._writer, self._titles = number, suite, call, writer, titles
        self._signature = suite.signature.of_call
        self._telling = CaseNames(suite, self._facts)
        spelled = " ".join([call, self._signature.result_type, *(p.type for p in self._signature.parameters)])
        inside = (one.type for layout in self._signature.layouts for one in _structures(layout))
        untagged = re.sub(r"\b(struct|union|enum|class) [\w:]+", "", " ".join([spelled, *inside]))
        self._taken = {*_RESERVED.split(), *re.findall(r"\w+", untagged)}
        self._taken |= {c.name for p in self._signature.parameters if p.callback for c in p.callback.callees}
        self._taken |= names_in(self._signature)

    def all(self) -> Iterator[Case | Untested]:
        """Yield the cases, in the order of the inputs. Inputs that repeat another input's finding are left out.

        An input that returned is :class:`Untested` if its ``untested`` has a reason, or if it throws and the test is in
        C. An input that did not return is left out if the user omits findings. Else a crash that is a finding and
        harmless to repeat gets a case that runs only if it is named; any other such input is :class:`Untested`.
        """
        for number, kept in enumerate(self._suite.inputs):
            if number in self._suite.repeats:
                continue
            if kept.outcome is Termination.RETURNED and not kept.untested and (self._writer.cxx or not _threw(kept)):
                yield self._returning(number)
            elif kept.outcome is Termination.RETURNED or self._suite.options.findings != "omit":
                shown = kept.outcome in _SHOWN and not kept.replay.uncounted
                yield self._crashing(number) if shown else self._untested(number)

    def _untested(self, number: int) -> Untested:
        """Return the entry of an input without a case: the call and the reason."""
        kept = self._suite.inputs[number]
        kept_why = kept.untested or kept.replay.uncounted
        why = f"throws {threw}, which C can not catch" if (threw := _threw(kept)) else kept.replay.ending
        return Untested(f"{self._shown(kept.words)}: {kept_why or why}")

    def _given(self, words: Words) -> list[tuple[CParameter, Words]]:
        """Return the parameters of a call that people see, each with its words."""
        return [(parameter, mine) for parameter, mine in self._signature.split(words) if parameter.is_shown]

    def _shown(self, words: Words) -> str:
        """Return a call as text for a comment. A long one is cut."""
        shown = self._suite.signature.show(words)
        return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]} ..."

    def _facts(self, number: int) -> list[NamedValue]:
        """Return the arguments and the result of an input, for names of cases."""
        kept = self._suite.inputs[number]
        shown = [NamedValue(p.name, p.show(words)) for p, words in self._given(kept.words)]
        return [*shown, NamedValue(RESULT, self._suite.signature.show_result(kept.replay).removeprefix("= "))]

    def _begun(self, number: int, ending: str) -> Case:
        """Return a case without statements, with its name and comment; its name is taken from now on."""
        name = self._telling.title([number], ending, self._telling.rarest(number), self._titles)
        return Case(name, self._telling.comment(number), (self._number, number), alone=self._alone)

    def _returning(self, number: int) -> Case:
        """Return the case of an input whose call returns or throws."""
        kept, case = self._suite.inputs[number], self._begun(number, "")
        replay = kept.replay if isinstance(kept.replay, CReplay) else CReplay(kept.outcome)
        locals_ = set(self._taken)
        index = self._index(locals_)
        invocation, checks = self._invocation(case, kept.words, replay, index, locals_)
        case.lines += set_up(self._signature, kept.words, self._writer)
        self._returned(case, invocation, replay, index, locals_)
        case.checks += checks
        if not self._signature.compares(replay):
            case.about += "; " * bool(case.about) + NOTHING_COMPARED
        if any(check.index for check in case.checks):
            case.lines.insert(0, f"unsigned int {index};")
        return case

    def _index(self, locals_: set[str]) -> str:
        """Return a name for the variable of loops, which is not added to the taken names."""
        return local("i", locals_ | {p.name for p in self._signature.parameters})

    def _invocation(self, case: Case, all_words: Words, replay: CReplay, index: str, locals_: set[str],
                    suffix: str = "") -> tuple[str, list[Check]]:  # fmt: skip
        """Return a call, and the comparisons of what it leaves in variables.

        Args:
            case: gets the declarations of the variables.
            all_words: the input.
            replay: the recorded result.
            index: the variable that counts elements in loops.
            locals_: names that are taken; new ones are added.
            suffix: the end of the variables' names.
        """
        arguments, checks, outputs, texts = [], [], iter(replay.outputs), self._signature.left_texts(replay)
        whole, variables = list[Group](), dict[str, str]()
        shared, places = SharedMemory(self._signature, all_words), places_of(self._signature, all_words)
        for parameter, words in self._given(all_words):
            if parameter.name in places:
                arguments.append(places[parameter.name])
                next(outputs, None)
                continue
            if (group := shared.of(parameter)) is not None:
                argument, is_first = shared.argument(group, parameter, self._writer, suffix, case.lines, locals_)
                arguments.append(argument)
                shared.outputs[parameter.name] = next(outputs, None)
                if is_first:
                    whole.append(group)
                continue
            given, mine, parameter = parameter.name, parameter.own(parameter.tidy(words)), alone(parameter)
            parameter = replace(parameter, name=parameter.name + suffix)
            argument, name = self._argument(parameter, mine, case.lines, locals_)
            variables[given] = f"{name}[0]" if isinstance(parameter.layout, Array) else name
            arguments.append(argument)
            if (shown := texts.get(given)) is not None:
                checks.append(Check(None, name, text_literal(shown), shown=True))
            after = next(outputs, None) if parameter.is_pointer else None
            if parameter.is_output and mine is not None and after:
                expected = _words(parameter.layout, after)
                checks += self._checks(case, parameter.layout, self._writer.element(parameter), name, expected, index,
                                       locals_)  # fmt: skip
        checks += self._led_to(case, all_words, outputs, index, variables, locals_, suffix)
        for group in whole if replay.outputs else ():
            layout, expected = alone(group.whole).layout, shared.left(group)
            if group.whole.is_output:
                checks += self._checks(case, layout, self._writer.element(group.whole), shared.names[group.whole.name],
                                       _words(layout, expected), index, locals_)  # fmt: skip
        call = f"{self._call}({', '.join(arguments)})"
        return f"({call})" if "," in self._call and "<" not in self._call else call, checks  # as a macro's argument

    def _led_to(self, case: Case, all_words: Words, outputs: Iterator[tuple[int, ...] | None], index: str,
                variables: dict[str, str], locals_: set[str], suffix: str) -> list[Check]:  # fmt: skip
        """Return the comparisons of the objects behind pointer fields. The case gets their variables, and the pointers.

        Args:
            case: the case.
            all_words: the input.
            outputs: what the run left behind the pointers, from the first of these objects on.
            index: the variable that counts elements in loops.
            variables: for each parameter that points to a structure, by its name, the C expression for the structure.
                Those of the objects are added.
            locals_: names that are taken; new ones are added.
            suffix: the end of the variables' names.
        """
        checks = list[Check]()
        of = self._signature
        elsewhere = of.led_elsewhere(all_words) if isinstance(of, PointeeSignature) else {}
        for parameter, words in of.split(all_words):
            if not isinstance(parameter, Pointee):
                continue
            if parameter.callback:
                holder = "" if parameter.of in elsewhere else variables.get(parameter.of, "")
                if holder and parameter.own(words) is not None:
                    case.lines.append(f"{holder}.{parameter.field.path} = {self._writer.value(parameter, words[0])};")
                continue
            after, mine = next(outputs, None), parameter.own(parameter.tidy(words))
            holder = "" if parameter.of in elsewhere else variables.get(parameter.of, "")
            other = variables.get(elsewhere.get(parameter.name, ""), "")
            if holder and other:
                variables[parameter.name] = other
                case.lines.append(f"{holder}.{parameter.field.path} = &{other};")
            if mine is None or not holder or parameter.name in elsewhere:
                continue
            one = replace(alone(parameter), name=parameter.name + suffix)
            name = variables[parameter.name] = local(one.name.replace("->", "_"), locals_)
            case.lines.append(self._writer.variable(one, name, mine))
            case.lines.append(f"{holder}.{parameter.field.path} = {self._writer.pointer(one, name)};")
            if parameter.is_output and after:
                expected = _words(one.layout, after)
                checks += self._checks(case, one.layout, self._writer.element(one), name, expected, index, locals_)
        return checks

    def _returned(self, case: Case, invocation: str, replay: CReplay, index: str, locals_: set[str],
                  suffix: str = "") -> None:  # fmt: skip
        """Add the call to the case, or the comparison that contains the call."""
        bits, result = self._signature.result_bits(replay), self._signature.result
        if replay.threw:
            case.checks.append(Check(None, invocation, thrown(case, replay.threw), throws=True))
        elif (shown := self._signature.texts(replay).get(RETURNED)) is not None:
            if "<" in self._call:  # a macro would split its argument at a template's commas
                name = local(f"returned{suffix}", locals_)
                case.lines.append(f"auto &&{name} = {invocation};")
                invocation = name
            case.checks.append(Check(None, invocation, text_literal(shown), shown=True))
        elif result is None or bits is None:
            case.lines.append(f"{invocation};")
        else:
            case.checks += self._result(case, result, _words(result, bits), invocation, index, locals_, suffix)

    def _result(self, case: Case, layout: Layout, words: Words, invocation: str, index: str,
                locals_: set[str], suffix: str) -> list[Check]:  # fmt: skip
        """Return the comparisons of a result. Unless they contain the call, the case gets a variable for the result."""
        if isinstance(layout, Scalar | OddFloat) and "<" not in self._call:  # a macro splits at commas
            return [Check(layout, invocation, self._value(layout, words))]
        assert isinstance(layout, Scalar | Structure)
        type_ = self._writer.type(layout.kind) if isinstance(layout, Scalar) else self._writer.structure(layout)
        name = local(f"returned{suffix}", locals_)
        cast = f"({type_})" if isinstance(layout, Scalar) else ""
        checks = self._checks(case, layout, type_, name, words, index, locals_)
        case.lines.append(f"{type_} {name} = {cast}{invocation};")
        return checks

    def _checks(self, case: Case, layout: Layout, type_: str, name: str, words: Words, index: str,
                locals_: set[str]) -> list[Check]:  # fmt: skip
        """Return the comparisons of a variable: with values if it has few numbers, else with another variable.

        The case gets the declaration of that other variable. The variable is an array of one dimension, or none.
        """
        layout = flat(layout)
        parts = list(runs(layout))
        if not isinstance(layout, Text) and sum(_size(part) for _, part in parts) <= _FEW:
            return list(self._one_by_one(layout, name, words))
        expected = local(f"expected_{name}", locals_)
        case.lines.append(f"const {self._writer.declared(layout, type_, expected, words)}")
        if isinstance(layout, Text):
            return [Check(None, name, expected, layout.count)]
        if isinstance(layout, Array) and isinstance(layout.element, Structure) and layout.count > _FEW:
            each, after = f"{name}[{index}]", f"{expected}[{index}]"
            return [check for path, part in runs(layout.element)
                    for check in _of_run(part, each + path, after + path, "", layout.count, index)]  # fmt: skip
        return [check for path, part in parts for check in _of_run(part, name + path, expected + path, index)]

    def _one_by_one(self, layout: Layout, name: str, words: Words) -> Iterator[Check]:
        """Yield a comparison for each number of a variable."""
        left = list(words)
        for path, part in runs(layout):
            count, one = (part.count, part.element) if isinstance(part, Array) else (1, part)
            for number in range(count):
                mine, left = left[: len(cells(one))], left[len(cells(one)) :]
                place = f"{name}{path}" + (subscripts(part, str(number)) if isinstance(part, Array) else "")
                assert isinstance(one, Scalar | OddFloat)
                yield Check(one, place, self._value(one, mine))

    def _value(self, layout: Scalar | OddFloat, words: Sequence[int]) -> str:
        """Return an expression with the value of a number."""
        return self._writer.number(layout, words[0]) if isinstance(layout, Scalar) else self._writer.odd_float(words)

    def _crashing(self, number: int) -> Case:
        """Return the case of an input that crashes: it calls the function with guard pages around its arrays.

        The first call has guard pages behind each array, the second one before each array. So an access out of bounds
        crashes, as it did in the search. Memory that several pointers share has no guard pages. If both calls are
        equal, there is one.
        """
        kept, case = self._suite.inputs[number], self._begun(number, "crashes")
        case.crash, locals_ = f"{self._shown(kept.words)}: {kept.replay.ending}", set(self._taken)
        ways: list[list[str]] = [[], []]
        variables = dict[str, str]()
        shared, places = SharedMemory(self._signature, kept.words), places_of(self._signature, kept.words)
        for parameter, words in self._given(kept.words):
            if parameter.name in places:
                for arguments in ways:
                    arguments.append(places[parameter.name])
                continue
            if (group := shared.of(parameter)) is not None:
                argument, _ = shared.argument(group, parameter, self._writer, "", case.lines, locals_)
                for arguments in ways:
                    arguments.append(argument)
                continue
            mine = parameter.own(parameter.tidy(words))
            if isinstance(parameter.layout, Text) and not (parameter.is_output or parameter.container or mine is None):
                mine = mine[: mine.index(0) + 1]  # the guard pages begin where the string ends
                parameter = replace(parameter, layout=Text.of(len(mine) - 1), is_output=True)
            argument, name = self._argument(parameter, mine, case.lines, locals_)
            variables[parameter.name] = f"{name}[0]" if isinstance(parameter.layout, Array) else name
            walled = parameter.is_pointer and name and not parameter.container
            for before, arguments in enumerate(ways):
                arguments.append(self._walled(parameter, name, before) if walled else argument)
        self._led_to(case, kept.words, iter(()), "", variables, locals_, "")
        calls = [f"{self._call}({', '.join(arguments)});" for arguments in ways]
        for call in dict.fromkeys(calls):
            case.lines += [*set_up(self._signature, kept.words, self._writer), call]
        return case

    def _walled(self, parameter: CParameter, name: str, before: int) -> str:
        """Return the argument for a copy of a variable with a guard page behind it; before it, if ``before`` is 1."""
        place = name if isinstance(parameter.layout, Array) else f"&{name}"
        copy = f"({self._writer.element(parameter)} *)zeroin_walled({place}, sizeof {name}, {before})"
        of_array = replace(parameter, layout=as_array(parameter.layout))
        return self._writer.pointer(of_array, f"({copy})" if parameter.type.endswith("&") else copy)

    def _argument(self, parameter: CParameter, mine: Words | None, lines: list[str],
                  locals_: set[str]) -> tuple[str, str]:  # fmt: skip
        """Return the argument for a parameter, and the name of the variable declared for it; empty if it needs none.

        Args:
            parameter: the parameter.
            mine: its words; None for NULL.
            lines: gets the declaration.
            locals_: names that are taken; the variable's name is added.
        """
        writer = self._writer
        if parameter.callback:
            return writer.value(parameter, len(parameter.callback.callees) if mine is None else mine[0]), ""
        if mine is None:
            return writer.pointer(parameter, None), ""
        if not parameter.is_pointer and isinstance(parameter.layout, Scalar):
            return writer.value(parameter, mine[0]), ""
        if isinstance(parameter.layout, OddFloat) and not parameter.is_pointer:
            return writer.odd_float(mine), ""
        if parameter.container and not parameter.container.is_view:
            return self._made(parameter, parameter.container, mine, lines, locals_)
        text = writer.text(parameter, mine)
        compared = {name for pair in self._signature.sharing.compared for name in pair}
        if text is not None and parameter.name not in compared:  # equal literals may have the same address
            return text, ""
        name = local(parameter.name, locals_)
        lines.append(writer.variable(parameter, name, mine))
        if parameter.container:
            return f"{parameter.container.type}({name}, {as_array(parameter.layout).count})", name
        return (writer.pointer(parameter, name) if parameter.is_pointer else name), name

    def _made(self, parameter: CParameter, container: Container, mine: Words, lines: list[str],
              locals_: set[str]) -> tuple[str, str]:  # fmt: skip
        """Return the argument for a container, and the variable declared for it if it is long or an output."""
        made = self._writer.made(parameter, container, mine)
        if len(made) <= _LONGEST_MADE and not container.is_output:
            return made, ""
        name = local(parameter.name, locals_)
        constant = "" if container.is_output else "const "
        lines.append(f"{constant}{container.type} {name}{made.removeprefix(container.type)};")
        return name, name


def _threw(kept: Input) -> str:
    """Return the type of the exception that a C++ function threw; empty if none."""
    return kept.replay.threw if isinstance(kept.replay, CReplay) else ""


def thrown(case: Case, type_: str) -> str:
    """Return the name by which a test can refer to the type of an exception; empty if there is none.

    A type that is local to a function has none. A type with a comma gets the alias ``thrown``, because a macro would
    split its argument at the comma.

    Args:
        case: gets the declaration of the alias.
        type_: the type as C++ writes it.
    """
    if re.search(r"[({]|'lambda", type_):
        return ""  # a type that is local to a function
    if "," not in type_:
        return type_
    case.lines.append(f"using thrown = {type_};")  # a macro would split at the commas
    return "thrown"


def _words(layout: Layout, bits: Sequence[int]) -> Words:
    """Convert recorded bits to words. Every NaN becomes the compilers' NaN: tests do not compare payloads."""
    found = list[int]()
    for cell, one in zip(cells(layout), bits, strict=True):
        if cell.kind in _QUIET and one & (1 << cell.kind.bits - 1) - 1 > _INFINITE[cell.kind]:
            one = _QUIET[cell.kind]
        found.append(word_from_bits(cell.kind, one))
        behind = cells(layout)[len(found) - 2].kind if len(found) > 1 else cell.kind
        if behind is Kind.F80 and extended.is_nan(bits[len(found) - 2] << 16 | one):
            found[-2:] = [word_from_bits(Kind.F80, _QUIET_80[0]), _QUIET_80[1]]
    return tuple(found)


_INFINITE = {Kind.F64: 0x7FF << 52, Kind.F32: 0xFF << 23, Kind.F16: 0x1F << 10}


def _of_run(part: Layout, got: str, expected: str, index: str, count: int = 0, outer: str = "") -> Iterator[Check]:
    """Yield the comparisons of a number or of an array of numbers."""
    one = part.element if isinstance(part, Array) else part
    assert isinstance(one, Scalar | OddFloat)
    if not isinstance(part, Array):
        yield Check(one, got, expected, count, outer)
    elif outer:
        for number in range(part.count):
            at = subscripts(part, str(number))
            yield Check(one, got + at, expected + at, count, outer)
    else:
        at = subscripts(part, index)
        yield Check(one, got + at, expected + at, part.count, index)


def _size(part: Layout) -> int:
    """Return the count of numbers in an array of numbers; 1 for a single number."""
    return part.count if isinstance(part, Array) else 1


def _structures(layout: Layout) -> Iterator[Structure]:
    """Yield the structures in a layout, outer ones first."""
    inner = layout.element if isinstance(layout, Array) else layout
    if isinstance(inner, Structure):
        yield inner
        for one in inner.fields:
            yield from _structures(one.layout)
