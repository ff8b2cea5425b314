"""What the probes of a function do while it is read: they are called as those of a search are, and write down terms."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from types import FunctionType
from typing import Any

from .....distance import EQ, GE, GT, LE, LT, NE
from .....subject.base import Site
from .....term.core.build import FALSE, TRUE, conjunction, disjunction, equal, negation
from .....term.core.nodes import Op, Term, make
from ...run.probes.fault_checks import KINDS, holds_at, read_check, result_is_wrong
from ...run.probes.operands import beside, is_native
from ...run.probes.rewrite import hide, read_operation
from ...run.probes.sites import read_comparison
from . import keyed, raw_bytes, texts
from .boundaries import boundaries_of
from .c_code import is_searched, searched
from .calls import Caller
from .fault_conditions import fails_at, is_wrong
from .numbers import CarriedBool, CarriedInt, is_carried, is_number, number_of, parts_of, plain, typed_of
from .operations import COMPARISONS, comparison_of, truth_of
from .recording import Recording
from .sequences import CarriedList, CarriedRange, Loop, length_of, settled_length

_SIGNS = {EQ: "==", NE: "!=", LT: "<", LE: "<=", GT: ">", GE: ">="}
_MOST_MEMBERS = 256  # of a container that is compared with a value
_SEQUENCES = (list, tuple, CarriedList)  # exactly these: a subclass may find items in another way
_SMALL = range(-5, 257)  # CPython has one object for each of these


class Probes:
    """Makes the probes.

    Args:
        sites: of the subject.
        caller: how functions are called.

    Attributes:
        literal: the sites of patterns that only compare with one constant.
        recording: of the run that is followed now.
    """

    literal: Collection[int] = ()

    def __init__(self, sites: Sequence[Site], caller: Caller) -> None:
        self._sites, self._caller = sites, caller
        self._held: list[object] = []
        self._made: dict[tuple[str, int, str], Callable[..., object]] = {}

    @property
    def recording(self) -> Recording:
        return self._caller.recording

    def probe(self, kind: str, site: int, detail: str) -> Callable[..., object]:
        """The function that stands in the code for a placeholder (see :func:`..probes.rewrite.placeholder`)."""
        if kind == "hides":
            return hide
        key = (kind, site, detail)
        if key not in self._made:
            make = getattr(self, f"_make_{kind.rstrip('+')}", None)
            made = make(site, detail) if make else self._caller.probe(kind, site, detail)
            self._made[key] = self._holding(made) if kind.endswith("+") else made
        return self._made[key]

    def _holding(self, probe: Callable[..., object]) -> Callable[..., object]:
        def compared(a: object, b: object) -> object:
            answer = probe(a, b)
            self._held[:] = [b]
            return answer

        return compared

    def _make_held(self, site: int, detail: str) -> Callable[..., object]:
        return lambda: self._held.pop()

    # ---- checks for faults ----

    def _make_check(self, site: int, detail: str) -> Callable[..., object]:
        op, size, limit = read_check(detail)

        def check(x: Any) -> object:
            if self.recording.live and type(plain(x)) in (float, int, bool):
                self.decide(site, fails_at(op, size, limit, number_of(x)), holds_at(op, size, limit, plain(x)))
            return x

        return check

    def _make_index(self, site: int, detail: str) -> Callable[..., object]:
        def check(index: Any, sequence: Any) -> object:
            if self.recording.live and type(plain(index)) in (int, bool) and type(sequence) in _SEQUENCES:
                count, number = length_of(sequence), number_of(index)
                condition = disjunction([make(Op.LT, number.term, make(Op.NEG, count)),
                                         make(Op.LE, count, number.term)])  # fmt: skip
                self.decide(site, condition, not -len(sequence) <= plain(index) < len(sequence))
            return index

        return check

    def _make_operate(self, place: int, detail: str) -> Callable[..., object]:
        sign, is_inplace, letters = read_operation(detail)
        first = int(detail.split()[-1])
        operate: Callable[[Any, Any], Any] = self._caller.probe("inplace" if is_inplace else "binary", place, sign)

        def run(a: Any, b: Any) -> object:
            result = operate(a, b)
            values = [plain(one) for one in (a, b, result)]
            if self.recording.live and type(values[2]) is float and {*map(type, values)} <= {float, int, bool}:
                typed = typed_of(a), typed_of(b), typed_of(result)
                for site, letter in enumerate(letters, first):
                    condition = is_wrong(KINDS[letter], sign, *typed)
                    self.decide(site, condition, result_is_wrong(KINDS[letter], sign, *values))
            return result

        return run

    # ---- comparisons ----

    def decide(self, site: int, condition: Term, holds: bool, *sides: Term) -> None:
        """A decision, at a site or without one."""
        if site >= 0:
            self.recording.decide(site, condition, holds, *sides)
        else:
            self.recording.choose(condition, holds, "a condition without a probe", self.recording.place)

    def _make_compare(self, site: int, detail: str) -> Callable[..., object]:
        return self._comparing(site, detail, False)

    def _make_result(self, site: int, detail: str) -> Callable[..., object]:
        return self._comparing(site, detail, True)

    def _comparing(self, site: int, detail: str, wants_value: bool) -> Callable[..., object]:
        op, first, whole = read_comparison(detail)
        sign = _SIGNS[op]
        operation = COMPARISONS[sign]

        def compare(a: object, b: object) -> object:
            if not self.recording.live:
                return operation(plain(a), plain(b))
            if first >= 0:
                self._look_beside(first, a, b, whole)
            if is_number(a) and is_number(b):
                holds = operation(plain(a), plain(b))
                condition = comparison_of(sign, a, b) if is_carried(a) or is_carried(b) else _constant(holds)
                self.decide(site, condition, holds, number_of(a).term, number_of(b).term)
                return holds
            value, known = self.related(sign, a, b)
            if known is not None:
                self.decide(site, known, value)
                return value
            return self._valued(site, value, wants_value)

        return compare

    def _look_beside(self, first: int, a: object, b: object, whole: bool) -> None:
        """Whether two values, if they are numbers, are at each boundary of their comparison."""
        distances = beside(plain(a), plain(b), whole)
        if not (is_number(a) and is_number(b)):
            for number, far in enumerate(distances):
                self.decide(first + number, _constant(far == 0), far == 0)
            return
        floats = [side for side in map(plain, (a, b)) if isinstance(side, float)]
        conditions = boundaries_of(typed_of(a), typed_of(b), floats[0] if whole and floats else None)
        for number, (condition, far) in enumerate(zip(conditions, distances, strict=True)):
            self.decide(first + number, condition, far == 0)

    def _valued(self, site: int, value: object, wants_value: bool) -> object:
        """What an object's own method said of a comparison."""
        if isinstance(value, bool | CarriedBool) or not wants_value:
            holds, condition = self.truth(value)
            self.decide(site, condition, holds)
            return holds
        if is_native(type(value)):
            try:
                holds = bool(value)
            except Exception:  # an array does not say
                return value
            self.decide(site, _constant(holds), holds)
        return value

    def related(self, sign: str, a: object, b: object) -> tuple[Any, Term | None]:
        """``a sign b``: its value, and the condition if it is known."""
        if is_number(a) and is_number(b):
            return COMPARISONS[sign](plain(a), plain(b)), comparison_of(sign, a, b)
        if isinstance(a, str) and isinstance(b, str):
            return COMPARISONS[sign](texts.plain_text(a), texts.plain_text(b)), texts.comparison_of(sign, a, b)
        found = keyed.compared(sign, a, b)
        if found is not None:
            return found
        if raw_bytes.are_followed(a, b):
            x, y = map(raw_bytes.as_text, (a, b))
            return COMPARISONS[sign](texts.plain_text(x), texts.plain_text(y)), texts.comparison_of(sign, x, y)
        if sign in ("==", "!=") and _alike(a, b) and any(True for _ in parts_of([a, b])):
            same = self._same_items(a, b)
            if same is not None:
                holds, condition = same
                return (holds, condition) if sign == "==" else (not holds, negation(condition))
        x, y = self._caller.meeting(a, b)
        return COMPARISONS[sign](x, y), None

    def _same_items(self, a: Any, b: Any) -> tuple[bool, Term] | None:
        """Whether two lists or tuples are equal."""
        conditions = [equal(length_of(a), length_of(b))]
        holds = len(a) == len(b)
        for x, y in zip(a, b, strict=False) if holds else ():
            if x is y:  # as Python has it, NaN included
                continue
            value, condition = self.related("==", x, y)
            if condition is None:
                if is_carried(value) or any(True for _ in parts_of([x, y])):
                    return None
                condition = _constant(bool(value))
            holds = holds and value
            conditions.append(condition)
        if not isinstance(a, CarriedList) and not isinstance(b, CarriedList):
            return holds, conjunction(conditions[1:]) if len(a) == len(b) else FALSE
        self.recording.holds(conditions[0], "the length of a list", self.recording.place)
        return holds, conjunction(conditions[1:]) if len(a) == len(b) else FALSE

    def _make_relates(self, site: int, detail: str) -> Callable[..., object]:
        wanted = detail in ("is", "in")
        relation = self._identical if detail in ("is", "is not") else self._contained

        def relates(a: object, b: object) -> bool:
            if not self.recording.live:
                holds = relation(plain(a), plain(b))[0]
                return holds is wanted
            holds, condition = relation(a, b)
            self.decide(site, condition if wanted else negation(condition), holds is wanted)
            return holds is wanted

        return relates

    def _identical(self, a: object, b: object) -> tuple[bool, Term]:
        if a is b:
            return True, TRUE
        for one, other in ((a, b), (b, a)):
            if isinstance(one, CarriedBool) and isinstance(other, bool | CarriedBool):
                return plain(one) is plain(other), equal(truth_of(one), truth_of(other))
            if isinstance(one, CarriedInt) and isinstance(other, bool | CarriedBool):
                return False, FALSE
            if isinstance(one, CarriedInt) and isinstance(other, int) and plain(one) in _SMALL:
                return plain(one) is plain(other), comparison_of("==", one, other)
            if isinstance(one, texts.CarriedStr) and isinstance(other, str) and len(one) < 2:
                holds = texts.plain_text(one) == texts.plain_text(other)
                return holds, texts.comparison_of("==", one, other)
        return False, FALSE

    def _contained(self, a: object, b: Any) -> tuple[bool, Term]:
        """Whether b contains a."""
        if isinstance(b, CarriedRange):
            return b.contains(a)
        if isinstance(b, str) and isinstance(a, str):
            return texts.plain_text(a) in texts.plain_text(b), texts.containment_of(a, b)
        if isinstance(b, keyed.Keyed):
            found = keyed.contained(a, b)
        else:
            found = raw_bytes.contained(a, b) if isinstance(b, raw_bytes.CarriedRaw) else self._member(a, b)
        if found is not None:
            return found
        own = getattr(type(b), "__contains__", None)
        if isinstance(own, FunctionType):
            return self.truth(own(b, a))
        if is_searched(b, "__contains__", (a,), {}):
            holds = searched(self._caller, self.recording.place, b, "__contains__", (a,))
            return holds, _constant(holds)
        holds = a in b
        return holds, _constant(holds)

    def _member(self, a: object, b: object) -> tuple[bool, Term] | None:
        """Whether it is one of the items; None where that is not a comparison with each of them."""
        is_scalar = is_number(a) or isinstance(a, str | bytes)
        if not isinstance(b, list | tuple | set | frozenset | dict) or not is_scalar:
            return None
        if not is_carried(a) and not any(True for _ in parts_of(b, 1)):
            return None
        items = settled_length(self.recording, b) if isinstance(b, CarriedList) else list(b)
        if len(items) > _MOST_MEMBERS:
            return None
        holds = False
        conditions: list[Term] = []
        for item in items:
            if item is a:
                return True, disjunction([*conditions, TRUE])
            if is_number(item) or isinstance(item, str) or raw_bytes.are_followed(a, item):
                value, condition = self.related("==", a, item)
                if condition is None:
                    return None
                holds = holds or value
                conditions.append(condition)
            elif is_carried(a) and not is_native(type(item)):
                return None
        return holds, disjunction(conditions)

    # ---- truth ----

    def truth(self, value: object) -> tuple[bool, Term]:
        """Whether a value is true, and the condition for that."""
        if is_number(value):
            return bool(plain(value)), truth_of(value) if is_carried(value) else _constant(bool(value))
        if isinstance(value, CarriedList | texts.CarriedStr | CarriedRange | raw_bytes.CarriedRaw):
            holds = bool(plain(self._caller.length(value)))
            return holds, comparison_of(">", self._caller.length(value), 0)
        if isinstance(value, keyed.CarriedDict | keyed.CarriedSet):  # how many there are was decided
            return len(value) > 0, _constant(len(value) > 0)
        if is_carried(value):
            value = value.settled("the truth value of a string")
        for name in ("__bool__", "__len__"):
            method = getattr(type(value), name, None)
            if isinstance(method, FunctionType):
                answer = method(value)
                return self.truth(answer) if is_number(answer) else (bool(answer), _constant(bool(answer)))
        return bool(value), _constant(bool(value))

    def _make_truth(self, site: int, detail: str) -> Callable[..., object]:
        def truth(value: object) -> bool:
            if not self.recording.live:
                return bool(plain(value))
            holds, condition = self.truth(value)
            self.decide(site, condition, holds)
            return holds

        return truth

    def _make_value(self, site: int, detail: str) -> Callable[..., object]:
        truth = self._make_truth(site, detail)

        def value_of(value: object) -> object:
            """The value; of a truth value what has just been decided."""
            holds = truth(value)
            return holds if isinstance(value, CarriedBool) else value

        return value_of

    # ---- loops, exceptions, patterns ----

    def _make_fuel(self, site: int, detail: str) -> Callable[..., object]:
        return lambda: self.recording.burn()

    def _make_iterates(self, site: int, detail: str) -> Callable[..., object]:
        def iterates(iterable: Iterable[object]) -> object:
            return Loop(self, site, iterable) if self.recording.live else iterable

        return iterates

    def _make_enters(self, site: int, detail: str) -> Callable[..., object]:
        if site < 0 or self._sites[site].form == "for":
            return lambda: None  # the loop has said so
        return lambda: self.decide(site, TRUE, True)

    def _make_leaves(self, site: int, detail: str) -> Callable[..., object]:
        if site < 0 or self._sites[site].form == "for":
            return lambda: None
        return lambda: self.decide(site, FALSE, False)

    def _make_begins(self, site: int, detail: str) -> Callable[..., object]:
        def begins(subject: object) -> object:
            subject = self._known_to_patterns(subject)
            self.recording.begin_pattern()
            return subject

        return begins

    def _known_to_patterns(self, value: object, depth: int = 3) -> object:
        """A value whose truth values and lengths are decided: patterns look at them as they are."""
        recording = self.recording
        if isinstance(value, CarriedBool):
            return (
                recording.holds(truth_of(value), "matched string", recording.place) if recording.live else bool(value)
            )
        if isinstance(value, CarriedList):
            value.settle()
        if not depth:
            return value
        if type(value) is tuple:
            return tuple(self._known_to_patterns(item, depth - 1) for item in value)
        if isinstance(value, list):
            for number, item in enumerate(list(value)):
                if isinstance(item, CarriedBool | CarriedList | tuple | list):
                    value[number] = self._known_to_patterns(item, depth - 1)
        elif isinstance(value, dict):
            for key, item in list(value.items()):
                value[key] = self._known_to_patterns(item, depth - 1)
        elif self._caller.is_own(value) and hasattr(value, "__dict__"):
            for name, item in list(vars(value).items()):
                if isinstance(item, CarriedBool | CarriedList):
                    object.__setattr__(value, name, self._known_to_patterns(item, depth - 1))
        return value

    def _make_matches(self, site: int, detail: str) -> Callable[..., object]:
        def matches() -> bool:
            self.decide(site, conjunction(self._compared(site)), True)
            return True

        return matches

    def _make_fails(self, site: int, detail: str) -> Callable[..., object]:
        def fails(is_matched: bool, subject: object, *literals: object) -> bool:
            if not is_matched:
                self.decide(site, disjunction(self._compared(site)), False)
            self.recording.begin_pattern()
            return False

        return fails

    def _compared(self, site: int) -> list[Term]:
        """The comparison that decides a pattern; those of a pattern that has parts are choices of their own."""
        if site in self.literal:
            return [condition for condition, _ in self.recording.end_pattern()]
        self.recording.settle_patterns()
        return []


def _constant(holds: bool) -> Term:
    return TRUE if holds else FALSE


def _alike(a: object, b: object) -> bool:
    return (isinstance(a, list) and isinstance(b, list)) or (isinstance(a, tuple) and isinstance(b, tuple))
