"""The cases of a C or C++ test that are call sequences."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from ....emit.name_parts import RESULT, NamedValue
from ....subject.base import Words
from ....suite.suite import Input, Suite
from ..front.call_sequence import SequenceSignature
from ..front.parameters import CSignature
from ..replay import CReplay
from .cases import NOTHING_COMPARED, Case, Cases, Check, thrown
from .set_up import set_up
from .shared_memory import alone, local
from .values import Writer

_FEW = 3  # fewer equal calls than this are written one by one, without a loop


class SequenceCases(Cases):
    """Makes the cases of a suite whose inputs are call sequences.

    The result of every call is compared. If a call is made several times in a row, only the last result is compared.
    """

    def __init__(self, number: int, suite: Suite, call: str, writer: Writer, titles: set[str], alone: bool) -> None:
        super().__init__(number, suite, call, writer, titles, alone)
        assert isinstance(suite.signature, SequenceSignature)
        self._sequence = suite.signature
        if (maker := suite.signature.maker) is not None:
            self._object = local(maker.object, self._taken)
            self._call = f"{self._object}.{suite.signature.call.rpartition('::')[2]}"

    def _facts(self, number: int) -> list[NamedValue]:
        """Return the arguments and the result of the last call."""
        kept = self._suite.inputs[number]
        called, words = self._signature.chosen(self._sequence.calls(kept.words)[-1][0])
        shown = [NamedValue(p.name, p.show(mine)) for p, mine in called.split(words)]
        return [*shown, NamedValue(RESULT, self._sequence.show_result(kept.replay).removeprefix("= "))]

    def _returning(self, number: int) -> Case:
        """Return the case of an input whose calls return or throw. If one throws, only that is checked."""
        kept, case = self._suite.inputs[number], self._begun(number, "")
        assert isinstance(kept.replay, CReplay)
        locals_ = set(self._taken)
        if kept.replay.threw:
            self._throwing(case, kept, locals_)
            return case
        case.lines += self._object_of(case, kept, locals_)
        if not self._sequence.compares(kept.replay):
            case.about += "; " * bool(case.about) + NOTHING_COMPARED
        index = self._index(locals_)
        turn = local("turn", locals_)
        calls, several = self._sequence.calls(kept.words), self._sequence.replays(kept.replay)
        for at, ((all_words, times), (_, replay)) in enumerate(zip(calls, several, strict=True)):
            suffix = str(at + 1) * (len(calls) > 1)
            of, words = self._of(all_words)
            invocation, left = of._invocation(case, words, replay, index, locals_, suffix)
            before = set_up(of._signature, words, self._writer)
            done = Case("", "", case.input, [*self._again(before, invocation, times - 1, turn), *before])
            of._returned(done, invocation, replay, index, locals_, suffix)
            first, *others = [*done.checks, *left] or [Check(None, "", "")]
            case.checks += [replace(first, before=tuple(done.lines)), *others]
        counters = [index] * any(check.index for check in case.checks) + [turn] * any(n > _FEW for _, n in calls)
        if counters:
            case.lines.insert(0, f"unsigned int {', '.join(counters)};")
        return case

    def _of(self, words: Words) -> tuple[SequenceCases, Words]:
        """Return the maker of cases for the function that a call calls, and the words of its arguments.

        Only the call of any method of a class has several functions.
        """
        called, mine = self._signature.chosen(words)
        if called is self._signature:
            return self, words
        other = copy(self)
        other._signature, other._call = called, f"{self._object}.{called.call.rpartition('::')[2]}"
        return other, mine

    def _again(self, first: list[str], invocation: str, times: int, counter: str) -> list[str]:
        """Return the statements that make a call several times and ignore its result.

        Args:
            first: the statements that set up each call.
            invocation: the call as C writes it.
            times: how often it is made; a few calls are written one by one, more as a loop.
            counter: the name of the variable that counts the turns of the loop.
        """
        once = [*first, f"(void){invocation};"]
        if times < _FEW:
            return once * times
        head, several = f"for ({counter} = 0; {counter} < {times}; {counter}++)", len(once) > 1
        return [head + " {" * several, *(f"    {line}" for line in once), *["}"] * several]

    def _throwing(self, case: Case, kept: Input, locals_: set[str]) -> None:
        """Add a check that all calls, in one expression, throw an exception."""
        lines = [*self._object_of(case, kept, locals_), *self._all_calls(case, kept, locals_)]
        assert isinstance(kept.replay, CReplay)
        called = " ".join(line.strip() for line in lines)
        case.checks.append(Check(None, f"[&] {{ {called} }}()", thrown(case, kept.replay.threw), throws=True))

    def _crashing(self, number: int) -> Case:
        """Return the case of an input that crashes: it makes the calls. Arrays have no guard pages."""
        kept, case = self._suite.inputs[number], self._begun(number, "crashes")
        case.crash = f"{self._shown(kept.words)}: {kept.replay.ending}"
        locals_ = set(self._taken)
        lines = [*self._object_of(case, kept, locals_), *self._all_calls(case, kept, locals_)]
        case.lines += lines
        return case

    def _object_of(self, case: Case, kept: Input, locals_: set[str]) -> list[str]:
        """Return the declaration of the object that is called; empty if the calls have none.

        The case gets the variables that it needs.
        """
        maker = self._sequence.maker
        if maker is None:
            return []
        arguments = list[str]()
        for parameter, words in maker.signature.split(self._sequence.making(kept.words)):
            mine = parameter.own(parameter.tidy(words))
            arguments.append(self._argument(alone(parameter), mine, case.lines, locals_)[0])
        given = f"({', '.join(arguments)})" if arguments else "{}"
        return [f"{maker.type} {self._object}{given};"]

    def _all_calls(self, case: Case, kept: Input, locals_: set[str]) -> list[str]:
        """Return all calls, without comparisons; the case gets the variables that they need."""
        turn, calls = local("turn", locals_), self._sequence.calls(kept.words)
        lines = list[str]()
        for at, (all_words, times) in enumerate(calls):
            of, words = self._of(all_words)
            invocation, _ = of._invocation(case, words, CReplay(kept.outcome), "", locals_, str(at + 1))
            first = set_up(of._signature, words, self._writer)
            lines += [*self._again(first, invocation, times - 1, turn), *first, f"(void){invocation};"]
        if any(times > _FEW for _, times in calls):
            case.lines.insert(0, f"unsigned int {turn};")
        return lines


def cases_of(number: int, suite: Suite, call: str, writer: Writer, titles: set[str], alone: bool) -> Cases:
    """Return the maker of a suite's test cases, for a plain function or for call sequences.

    The arguments are those of :class:`Cases`; ``alone`` says whether each case runs in a process of its own.
    """
    assert isinstance(suite.signature, CSignature)
    kind = SequenceCases if isinstance(suite.signature, SequenceSignature) else Cases
    return kind(number, suite, call, writer, titles, alone)
