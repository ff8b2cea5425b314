"""The cases of a C or C++ test that make several calls in a row."""

from __future__ import annotations

from dataclasses import replace

from ..subject.llvm.parameters import CSignature
from ..subject.llvm.replay import CReplay
from ..subject.llvm.sequence import SequenceSignature
from ..suite.suite import Suite
from .c_cases import Case, Cases, Check, local
from .c_values import Writer
from .facts import RESULT, Shown

_FEW = 3  # calls that are written one by one


class SequenceCases(Cases):
    """Makes the cases of a suite whose inputs are calls in a row, each of which is compared, the last time that it is
    made."""

    def __init__(self, number: int, suite: Suite, call: str, writer: Writer, titles: set[str]) -> None:
        super().__init__(number, suite, call, writer, titles)
        assert isinstance(suite.signature, SequenceSignature)
        self._sequence = suite.signature

    def _facts(self, number: int) -> list[Shown]:
        """Of the last call."""
        kept = self._suite.inputs[number]
        words, _ = self._sequence.calls(kept.words)[-1]
        shown = [Shown(p.name, p.show(mine)) for p, mine in self._signature.split(words)]
        return [*shown, Shown(RESULT, self._sequence.show_result(kept.replay).removeprefix("= "))]

    def _returning(self, number: int) -> Case:
        kept, case = self._suite.inputs[number], self._begun(number, "")
        locals_ = set(self._taken)
        index = self._index(locals_)
        turn = local("turn", locals_)
        calls, several = self._sequence.calls(kept.words), self._sequence.replays(kept.replay)
        for at, ((words, times), replay) in enumerate(zip(calls, several, strict=True)):
            suffix = str(at + 1) * (len(calls) > 1)
            invocation, left = self._invocation(case, words, replay, index, locals_, suffix)
            done = Case("", "", case.input, self._again(invocation, times - 1, turn))
            self._returned(done, invocation, replay, index, locals_, suffix)
            first, *others = [*done.checks, *left] or [Check(None, "", "")]
            case.checks += [replace(first, before=tuple(done.lines)), *others]
        counters = [index] * any(check.index for check in case.checks) + [turn] * any(n > _FEW for _, n in calls)
        if counters:
            case.lines.insert(0, f"unsigned int {', '.join(counters)};")
        return case

    def _again(self, invocation: str, times: int, turn: str) -> list[str]:
        """The call so many times, of which nothing is compared."""
        if times < _FEW:
            return [f"(void){invocation};"] * times
        return [f"for ({turn} = 0; {turn} < {times}; {turn}++)", f"    (void){invocation};"]

    def _crashing(self, number: int) -> Case:
        kept, case = self._suite.inputs[number], self._begun(number, "crashes")
        case.crash, locals_ = f"{self._shown(kept.words)}: {kept.replay.ending}", set(self._taken)
        turn, calls = local("turn", locals_), self._sequence.calls(kept.words)
        lines = list[str]()
        for at, (words, times) in enumerate(calls):
            invocation, _ = self._invocation(case, words, CReplay(kept.outcome), "", locals_, str(at + 1))
            lines += [*self._again(invocation, times - 1, turn), f"(void){invocation};"]
        case.lines += lines
        if any(times > _FEW for _, times in calls):
            case.lines.insert(0, f"unsigned int {turn};")
        return case


def cases_of(number: int, suite: Suite, call: str, writer: Writer, titles: set[str]) -> Cases:
    """Those of a suite, see :class:`Cases`."""
    assert isinstance(suite.signature, CSignature)
    kind = SequenceCases if isinstance(suite.signature, SequenceSignature) else Cases
    return kind(number, suite, call, writer, titles)
