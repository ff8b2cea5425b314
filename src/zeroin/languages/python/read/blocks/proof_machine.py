"""Makes the blocks of a function for proofs: what can not be read is unknown, and exceptions go to their handlers.

Code that can not be read may do anything: its value is unknown, so is all that it may have changed, and it may raise an
exception.
"""

from __future__ import annotations

import ast
import builtins
import math
import operator
from abc import ABCMeta
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from functools import partial
from types import BuiltinFunctionType, FunctionType, GeneratorType, ModuleType

from .....term.core.build import FALSE, TRUE, conjunction, disjunction, equal, if_else, negation
from .....term.core.nodes import Op, Term, constant, make, variable
from .....term.core.simplify import simplify
from .....term.core.sorts import BOOL, INT
from .....term.expression.typed import DOUBLE, TRUTH, WHOLE, Typed
from ..values.numbers import numeric
from . import known_exceptions, operators
from .code import LOOSE, Instruction
from .frame import Frame
from .generator_machine import GeneratorMachine
from .instances import makes_plainly
from .kinds import (
    IMMUTABLE,
    NEVER,
    OF_TYPED,
    SURE,
    are_classes,
    chosen_kind,
    common,
    common_kind,
    forgotten,
    has_view,
    is_calm,
    is_constant,
    is_hashable,
    is_plain,
    is_plain_kind,
    item_kind,
    joined,
    kind_of,
    of_arithmetic,
    row,
    row_or_kind,
    shown,
)
from .known_results import ADDED, CHANGING, COMPARING, FUNCTIONS, ITEM, PURE, REMOVING, SAME, VIEW
from .unknown_machine import TooManyBlocks as TooManyBlocks
from .values import (
    NONE,
    UNKNOWN,
    BlockValue,
    Caught,
    Closure,
    Data,
    Instance,
    Items,
    Listed,
    Mapped,
    Method,
    Range,
    Static,
    Suspended,
    Unread,
    numbers,
    of_python,
)

_ZERO = constant(INT, 0)
_MOST_KNOWN = 8  # items of a list that are all known
_LONGEST_TABLE = 64  # of a module's lists, dicts and sets whose items are known
_MOST_CHOSEN = 4  # items of a list that a comprehension chooses from
_EQUAL = {set, frozenset}, {int, bool, float}  # kinds whose values may equal each other
_EVALUATED = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.operator,
              ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context)  # fmt: skip
_CONSUMING = (sum, any, all, sorted, list, tuple, set, frozenset, min, max)  # that take all of a generator at once
_LOOKING = (list, tuple, len, any, all, enumerate, zip, reversed, iter, next)
_OF_TEXT = {str: (str,), bytes: (int,)}
_MADE = (ast.ListComp, list), (ast.SetComp, set), (ast.DictComp, dict), (ast.JoinedStr, str)


def _table(value: object) -> Listed | Mapped | None:
    """A list, dict or set of a module of plain items; None if it is too long, or has others."""
    if not isinstance(value, list | dict | set | frozenset) or len(value) > _LONGEST_TABLE:
        return None
    parts = [*value, *(value.values() if isinstance(value, dict) else ())]
    if not all(type(one) in (int, float, bool, str, bytes, type(None)) for one in parts):
        return None
    items = tuple(map(of_python, value))
    if isinstance(value, list):
        return Listed(items)
    if any(type(one) is float and one != one for one in value):
        return None
    return Mapped(type(value), items, tuple(map(of_python, value.values())) if isinstance(value, dict) else ())


def _shallow(value: BlockValue) -> BlockValue:
    """An item of a list whose items are known: a list in it has no such items in turn that have any."""
    if not isinstance(value, Items | Listed):
        return value
    return replace(value, items=tuple(map(forgotten, value.items)))


def _push(value: BlockValue, frame: Frame) -> None:
    frame.values.append(value)


def _constant(value: BlockValue) -> int:
    """An int that no input changes.

    Raises:
        Unread: it is none.
    """
    if not isinstance(value, Typed) or value.type == DOUBLE or not (term := simplify(value.term)).is_constant:
        raise Unread("a slice with bounds that are not known")
    return int(term.data)


def _lazily(function: object, arguments: Sequence[BlockValue]) -> Data | None:
    """The iterator that ``enumerate``, ``zip``, ``reversed`` or ``iter`` makes; None if code of the user may run."""
    containers = {one.kind for one in arguments if isinstance(one, Data) and one.kind in (list, dict, set)}
    texts = [isinstance(one, Static) and isinstance(one.value, str | bytes) for one in arguments]
    known = [isinstance(one, Data | Items | Range) for one in arguments]
    if not arguments or not all(map(operator.or_, known, texts)):
        return None
    if function is not zip and len(arguments) > 1:
        return None
    kinds = [*map(item_kind, arguments)]
    if len(containers) > 1:  # any of them may be changed before the items are made
        kinds = [None] * len(kinds)
    kind = row(*kinds) if function is zip else row(int, *kinds) if function is enumerate else kinds[0]
    return Data(next(iter(containers), list), (kind,), "", True)


def _are_apart(kind: type | None, other: type | None) -> bool:
    """Whether no value of a class equals one of the other; both are plain."""
    if kind is None or other is None or not (is_plain_kind(kind) and is_plain_kind(other)):
        return False
    return other is NEVER or (kind is not other and not {kind, other} <= _EQUAL[1] and tuple not in (kind, other))


class ProofMachine(GeneratorMachine):
    """Makes the blocks of a function for proofs; arguments as of :class:`.unknown_machine.UnknownMachine`."""

    def _gather(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        said, node, name, items = step.argument
        frame.variables.pop(items, None)  # of an evaluation before that an exception ended
        called = frame.values[-1] if isinstance(node, ast.GeneratorExp) else None
        wanted = (vars(builtins)[name],) if name else _CONSUMING
        if called is None or (isinstance(called, Static) and any(called.value is one for one in wanted)):
            return False
        (end,) = step.labels  # nobody knows when its parts are evaluated
        self.passed_over.update(one.site for one in frame.code.body[frame.at : end.at])
        self._runs(said, frame)
        self._may_raise(step)
        frame.values.append(UNKNOWN)
        frame.at = end.at
        return False

    def _leave(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        """Whether a function leaves the generator that it is given: it raises an exception then."""
        called, items = frame.values[-1], frame.variables.get(step.argument)
        kinds = {item_kind(items)} if items is not None else {NEVER}
        takes_all = isinstance(called, Static) and (
            called.value in (list, tuple) or (called.value in (sum, min, max) and kinds <= {int, bool, float, NEVER})
        )
        leaves = FALSE if takes_all else self._free(BOOL)
        return self._decide(step, (negation(leaves), TRUE, TRUE), (None, None))

    def _collect(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        kind, name, iterators, has_conditions = step.argument
        number = 2 if kind is dict else 1
        items = frame.values[-number:]
        del frame.values[-number:]
        if kind is not list:  # it is hashed, or looked at before the next one is made
            self._of_objects(frame, step, items)
        before = frame.variables.get(name, Items(()))
        if kind in (list, None) and isinstance(before, Items) and self._lists:
            over = [frame.variables[one] for one in iterators]
            most = _MOST_CHOSEN if has_conditions else _MOST_KNOWN
            few = (isinstance(one, Suspended) or (isinstance(one, Items | Listed) and len(one.items) <= most)
                   for one in over)  # fmt: skip
            if all(few) and len(before.items) < _MOST_KNOWN:
                frame.variables[name] = Items((*before.items, *items))
                return False
            before = Data(tuple, (common_kind(before.items),))
        of = before.of if isinstance(before, Data) else (NEVER,) * number
        frame.variables[name] = Data(tuple, tuple(map(joined, of, map(row_or_kind, items))))
        return False

    def _gathered(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        kind, name = step.argument
        found = frame.variables.pop(name, None)
        if found is None and kind in (list, None) and self._lists:  # there was no turn
            found = Items(())
        if isinstance(found, Items):
            frame.values.append(found if kind is None else Listed(found.items))
            return False
        of = found.of if isinstance(found, Data) else (NEVER,) * (1 + (kind is dict))
        frame.values.append(Data(list, of, "", True) if kind is None else self._any(kind, of=of))
        return False

    def _data(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        kind, number, said = step.argument
        if kind is not list or not self._lists or number > _MOST_KNOWN:
            raise Unread(said)
        items = frame.values[len(frame.values) - number :]
        frame.values[len(frame.values) - number :] = [Listed(tuple(map(_shallow, items)))]
        return False

    def _hashed(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        value = frame.values[-1]
        if not is_calm(value):
            self._of_objects(frame, step, [value])
        elif has_view(value):  # of keys and items, which have no hash, or of values
            self._may_raise(step, (TypeError,))
        elif kind_of(value) is not set and not is_hashable(value):  # a set is looked for as a frozenset
            self._kinds = (TypeError,)
            raised.append(TRUE)
            return True
        return False

    def _held(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        frame.values.append(of_python(step.argument))
        if frame.variables.pop(LOOSE, None) is not None:
            frame.values[-1] = UNKNOWN
        return False

    def _binary(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        self._kinds = of_arithmetic(step.argument, frame.values[-2:])
        if step.argument in ("**", "<<"):
            self._may_raise(step)  # a number may need more memory than there is
        return super()._binary(frame, step, raised)

    _augmented = _binary

    def _global(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        value = frame.globals.get(step.argument)
        if type(value) in (list, dict, set, frozenset) and self._lists:
            made = _table(value)
            if made is not None and self._premises.table(frame.globals, step.argument, value):
                frame.values.append(made)
                return False
        return super()._global(frame, step, raised)

    def _compare(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        b, a = frame.values[-1], frame.values[-2]
        if not isinstance(b, Mapped):
            return super()._compare(frame, step, raised)
        if kind_of(a) not in (int, bool, float, str, bytes, type(None)):
            raise Unread("an object that is looked for")
        del frame.values[-2:]
        found = disjunction(self._are_equal(a, key) for key in b.keys)
        return self._decide(step, (found if step.argument == "in" else negation(found), TRUE, TRUE), (None, None))

    def _item(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        if isinstance(whole := frame.values[-2], Mapped) and whole.kind is dict:
            index = frame.values.pop()
            frame.values.pop()
            return self._choose_from(frame, index, whole.keys, whole.values, raised, "an item of a dict")
        self._kinds = (IndexError,)
        return super()._item(frame, step, raised)

    def _choose(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        """An item of a dict whose keys are written down."""
        said, keys = step.argument
        index, values = frame.values.pop(), frame.values.pop()
        assert isinstance(values, Items)
        chosen = dict(zip(keys, values.items, strict=True))
        return self._choose_from(frame, index, [*map(of_python, chosen)], [*chosen.values()], raised, said)

    def _choose_from(self, frame: Frame, index: BlockValue, keys: Sequence[BlockValue], values: Sequence[BlockValue],
                     raised: list[Term], said: str) -> bool:  # fmt: skip
        """Push the value of a key; the keys are constants, and all different."""
        if kind_of(index) not in (int, bool, float, str, bytes):
            raise Unread(said)
        fits = [simplify(self._are_equal(index, key)) for key in keys]
        self._kinds = (KeyError,)
        raised.append(negation(disjunction(fits)))
        possible = [one for one, fit in zip(values, fits, strict=True) if fit is not FALSE] or [NONE]
        if len(possible) == 1:
            frame.values.append(possible[0])
            return False
        items = numbers(possible)
        if len({(one.type, one.rounded is None) for one in items}) != 1 or items[0].rounded:
            raise Unread(said)
        found = items[0].term
        for fit, one in zip([fit for fit in fits if fit is not FALSE], items, strict=True):
            found = if_else(fit, one.term, found)
        frame.values.append(Typed(found, items[0].type))
        return False

    def _slice(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        whole, *bounds = frame.values[-3:]
        known = [None if one == NONE else _constant(one) for one in bounds]
        if not isinstance(whole, Items) or whole.passed >= 0:
            raise Unread(step.argument)
        items = whole.items[slice(*known)]
        is_list = isinstance(self._before[-1].values[-3], Listed)
        frame.values[-3:] = [Listed(items) if is_list else Items(items)]
        return False

    def _unpack(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        self._kinds = (ValueError,)
        return super()._unpack(frame, step, raised)

    def _spread(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        before, after = step.argument
        value = frame.values.pop()
        if not isinstance(value, Items) or value.passed >= 0:
            raise Unread("an assignment with *")
        if len(value.items) < before + after:
            self._kinds = (ValueError,)
            raised.append(TRUE)
            return True
        end = len(value.items) - after
        frame.values += reversed([*value.items[:before], Listed(value.items[before:end]), *value.items[end:]])
        return False

    def _iterate(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        value = frame.values[-1]
        given = self._before[-1].values[-1]
        if isinstance(given, Listed) and isinstance(value, Items) and len(given.items) <= _MOST_KNOWN:
            frame.values[-1] = Listed(given.items, 0)
            return False
        if isinstance(given, Listed | Mapped) and isinstance(value, Items) and len(value.items) > _MOST_KNOWN:
            raise Unread("a loop over a long list")
        if step.argument and self._lists and isinstance(value, Range):  # in a comprehension
            bounds = [simplify(one) for one in (value.start, value.stop, value.step)]
            turns = range(*(int(one.data) for one in bounds)) if all(one.is_constant for one in bounds) else ()
            if 0 < len(turns) <= _MOST_KNOWN:
                frame.values[-1] = Items(tuple(map(of_python, turns)), 0)
                return False
        return super()._iterate(frame, step, raised)

    def _next(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        over = frame.variables[step.argument]
        if isinstance(over, Items | Range | Suspended):
            return super()._next(frame, step, raised)
        if isinstance(over, Listed):
            condition, found, _ = operators.turn(Items(over.items, over.passed))
            following = replace(over, passed=over.passed + 1)

            def turns_(f: Frame) -> None:
                assert found is not None
                f.values.append(found)
                f.variables[step.argument] = following

            return self._decide(step, (condition, TRUE, TRUE), (turns_, None))
        item: BlockValue = UNKNOWN
        if isinstance(over, Data):
            item = self._item_of(over, "", 0)
            if over.kind in (dict, set):
                self._may_raise(step, (RuntimeError,))  # it was changed
            elif over.kind is GeneratorType:
                self._may_raise(step)
        else:
            self._runs("a loop over an object", frame)
            self._may_raise(step)
        return self._decide(step, (self._free(BOOL), TRUE, TRUE), (lambda f: f.values.append(item), None))

    # ---- blindly ----

    def _blind_global(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        possible = self._premises.functions(frame.globals, step.argument)
        if len(possible) == 2:
            pushes = [partial(_push, Static(one)) for one in possible]
            return self._decide(step, (self._free(BOOL), TRUE, TRUE), pushes)
        self._may_raise(step, (NameError,))
        frame.values.append(UNKNOWN)
        return False

    def _attribute(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        of = frame.values[-1]
        member = of.value if isinstance(of, Static) and isinstance(of.value, Enum) else None
        if member is not None and self._premises.changes_members(type(member)):
            raise Unread(f"the {step.argument} of an enumeration, which may be changed")
        return super()._attribute(frame, step, raised)

    def _blind_attribute(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        (value,) = operands
        if isinstance(value, Data | Typed) and not (isinstance(value, Data) and value.turns):
            frame.values.append(Method(step.argument, value))
            kind = value.kind if isinstance(value, Data) else OF_TYPED[value.type]
            if not hasattr(kind, step.argument):
                self._may_raise(step, (AttributeError,), TRUE)
                return True
            return False
        if isinstance(value, Instance) or (isinstance(value, Static) and type(value.value) in (type, ABCMeta)):
            try:
                return self._attribute_of(frame, step, value)
            except TooManyBlocks:
                raise
            except Unread as error:
                why = str(error)
        if isinstance(value, Static) and isinstance(value.value, str | bytes):
            if not hasattr(value.value, step.argument):
                self._may_raise(step, (AttributeError,), TRUE)
                return True
            frame.values.append(
                Method(step.argument, Data(type(value.value), _OF_TEXT[type(value.value)], repr(value.value)))
            )
            return False
        if value == NONE and not hasattr(None, step.argument):
            self._may_raise(step, (AttributeError,), TRUE)
            return True
        module = value.value if isinstance(value, Static) and type(value.value) is ModuleType else None
        if module is None or "__getattr__" in vars(module):
            self._of_objects(frame, step, [UNKNOWN], why)
        else:
            self._may_raise(step, (AttributeError,))
        frame.values.append(UNKNOWN)
        return False

    def _blind_unary(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        self._of_objects(frame, step, operands, why)
        frame.values.append(UNKNOWN)
        return False

    def _blind_binary(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        a, b = operands
        sign, kinds = step.argument, [kind_of(one) for one in operands]
        self._of_objects(frame, step, operands, why, known_exceptions.of_binary(sign, kinds))
        made: BlockValue = UNKNOWN
        if sign in ("&", "|", "^", "<<", ">>") and set(kinds) <= {int, bool}:
            made = self._any(None if set(kinds) == {bool} else int)
        elif kinds[0] in (str, bytes) and sign == "%" and is_plain(b):
            made = self._any(kinds[0])
        elif kinds[0] == kinds[1] and sign == "+" and kinds[0] in (str, bytes, list, tuple):
            made = self._any(kinds[0], of=(common(map(item_kind, operands)),))
        elif kinds[0] is kinds[1] is set and sign in ("&", "|", "^", "-"):
            made = self._any(set, of=(common(map(item_kind, operands[:1] if sign == "-" else operands)),))
        elif sign == "*" and {int, bool} & {*kinds} and {str, bytes, list, tuple} & {*kinds}:
            whole = a if kinds[1] in (int, bool) else b
            made = self._any(kind_of(whole), of=(item_kind(whole),))
        frame.values.append(made)
        return False

    def _blind_augmented(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        a, b = operands
        is_list = kind_of(a) is list and step.argument == "+" and isinstance(b, Data | Items | Range)
        if not isinstance(a, Typed) and kind_of(a) not in IMMUTABLE:
            self._changes(*((list, (item_kind(b),)) if is_list else ()))
        ended = self._blind_binary(frame, step, operands, why)
        if is_list:  # whatever is iterated over
            frame.values[-1] = self._any(list, of=(common(map(item_kind, operands)),))
        return ended

    def _blind_data(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        kind, _, _ = step.argument
        if kind is not list:  # items are hashed, or made a text
            hashed = operands[:: 2 if kind is dict else 1]
            is_fit = kind in (set, dict) and known_exceptions.have_hashes([*map(kind_of, hashed)])
            self._of_objects(frame, step, operands, why, () if is_fit else None)
        of = (common_kind(operands),) if kind is not dict else (common_kind(operands[::2]), common_kind(operands[1::2]))
        is_exact = kind is not str or all(map(is_plain, operands))
        frame.values.append(self._any(kind, of=of) if is_exact else UNKNOWN)
        return False

    def _blind_slice(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        whole, low, high = operands
        kind = kind_of(whole)
        is_fit = kind in (str, bytes, list, tuple) and {kind_of(low), kind_of(high)} <= {int, bool, type(None)}
        self._of_objects(frame, step, operands, why, () if is_fit else None)
        named = isinstance(whole, Data) and whole.origin and all(is_constant(one) for one in (low, high))
        name = f"{shown(whole)}[{shown(low)}:{shown(high)}]" if named and kind in IMMUTABLE else ""
        frame.values.append(self._any(kind if kind in (str, bytes, list, tuple) else None, name, (item_kind(whole),)))
        return False

    def _blind_item(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        container, index = operands
        if isinstance(container, Items) and container.passed < 0 and kind_of(index) in (int, bool):
            self._may_raise(step, (IndexError,))
            frame.values.append(self._any(common_kind(container.items)))
            return False
        if not isinstance(container, Data) or container.turns or not is_plain(index):
            self._of_objects(frame, step, operands, why)
            frame.values.append(UNKNOWN)
            return False
        name = ""
        if container.kind in (str, bytes, list, tuple) and isinstance(index, Typed) and index.type != DOUBLE:
            at, length = numeric(index).term, self._length(container)
            outside = disjunction([make(Op.LE, length, at), make(Op.LT, at, make(Op.NEG, length))])
            if container.origin:
                self._may_raise(step, (IndexError,), outside)
                at = simplify(at)
                name = f"{container.origin}[{at.data}]" if at.is_constant else ""
            else:
                self._may_raise(step, (IndexError,))
        elif container.kind is dict and not is_plain_kind(container.of[0]):
            self._of_objects(frame, step, [UNKNOWN])
        elif container.kind is dict:
            self._may_raise(step, (KeyError,) if kind_of(index) in (str, bytes, int, float, bool) else None)
        else:
            self._may_raise(step)
        frame.values.append(self._item_of(container, name))
        return False

    def _blind_choose(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        values, index = operands
        assert isinstance(values, Items)
        if kind_of(index) in (int, bool, float, str, bytes):
            self._may_raise(step, (KeyError,))
        else:
            self._of_objects(frame, step, [index], why)
        frame.values.append(self._any(common_kind(values.items)))
        return False

    def _call(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        called, argument = frame.values[-2:] if step.argument == (1, ()) else (None, None)
        if called in (Static(list), Static(tuple)) and isinstance(argument, Items) and argument.passed < 0:
            is_list = called == Static(list) and self._lists
            if is_list or called == Static(tuple):
                frame.values[-2:] = [Listed(argument.items) if is_list else argument]
                return False
        return super()._call(frame, step, raised)

    def _item_of(self, container: Data, name: str, of: int = -1) -> BlockValue:
        """An item, or, of a dict, a value or (``of`` is 0) a key."""
        kind = container.of[of] if container.of else None
        if container.kind is bytes:
            number = self._any(int, name)
            assert isinstance(number, Typed)
            return Typed(make(Op.FLOOR_MOD, number.term, constant(INT, 256)), WHOLE)
        return self._any(str, name) if container.kind is str else self._element(kind, name)

    def _length(self, value: Data) -> Term:
        return make(Op.ABS, variable(f"?len({value.origin})", INT) if value.origin else self._free(INT))

    def _blind_unknown(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        said, node = step.argument
        made: BlockValue = UNKNOWN
        if not isinstance(node, ast.Lambda):
            if not self._is_harmless(frame, node):
                self._runs(said, frame)
            self._may_raise(step)
        if isinstance(node, ast.expr):
            made = next((self._any(kind) for made_by, kind in _MADE if isinstance(node, made_by)), UNKNOWN)
        frame = self._frames[-1]
        frame.values.append(made)
        return False

    def _is_harmless(self, frame: Frame, node: ast.AST | None) -> bool:
        """Whether what is not read runs no code of the user, and changes nothing: it has plain values and operators."""
        return node is not None and all(
            isinstance(part, _EVALUATED)
            and (not isinstance(part, ast.Name) or is_plain(frame.variables.get(part.id, UNKNOWN)))
            for part in ast.walk(node)
        )

    def _blind_altered(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        _, _, is_first, is_slice = step.argument
        value, container, index = (
            (operands[0], operands[1], operands[2:]) if is_first else (operands[-1], operands[0], operands[1:-1])
        )
        asked = [*index] if kind_of(container) is list else [container, *index]
        if kind_of(container) is list and not is_slice and kind_of(index[0]) in (int, bool):
            self._changes(list, (row_or_kind(value),))
        elif kind_of(container) is dict and not is_slice:
            self._changes(dict, (row_or_kind(index[0]), row_or_kind(value)))
        else:
            self._changes()
            asked.append(value)
        is_plainly = not is_slice and len(index) == 1
        raised = known_exceptions.of_change(kind_of(container), kind_of(index[0]), False) if is_plainly else None
        self._of_objects(frame, step, asked, why, raised)
        return False

    def _blind_delete(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        self._changes(kind_of(operands[0]) if isinstance(operands[0], Data) else None)
        kinds = [*map(kind_of, operands)]
        raised = known_exceptions.of_change(kinds[0], kinds[1], True) if len(kinds) == 2 else None
        self._of_objects(frame, step, operands, why, raised)
        return False

    def _blind_shown(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        self._of_objects(frame, step, operands, why)
        return False

    def _blind_raise(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        self._runs(why, frame)
        self._may_raise(step, None, TRUE)
        return True

    def _blind_manager(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        self._runs(f"line {step.line}: a context manager", frame)
        self._may_raise(step)
        return False

    def _manager(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        raise Unread("a context manager")

    def _blind_iterate(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        (value,) = operands
        if isinstance(value, Data):
            of = (str,) if value.kind is str else (int,) if value.kind is bytes else value.of[:1]
            frame.values.append(Data(value.kind, of, "", True))
            return False
        self._of_objects(frame, step, operands, why)
        frame.values.append(UNKNOWN)
        return False

    def _blind_unpack(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        (value,) = operands
        self._of_objects(frame, step, operands, why)
        known = value if isinstance(value, Data) and value.of else None
        frame.values += [UNKNOWN if known is None else self._item_of(known, "", 0) for _ in range(step.argument)]
        return False

    def _blind_spread(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        before, after = step.argument
        (value,) = operands
        known = value if isinstance(value, Data) and value.of else None
        self._blind_unpack(frame, replace(step, argument=before + after), operands, why)
        rest = self._any(list, of=(item_kind(value),)) if known is not None else Data(list, (None,))
        frame.values.insert(len(frame.values) - before, rest)
        return False

    # ---- conditions ----

    def _blind_truth(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        return self._decide(step, (self._holds(frame, step, operands[0]), TRUE, TRUE), (None, None))

    def _blind_known(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        value = self._before[-1].values[-1]
        pushes = [lambda f: f.values.append(value)] * 2
        return self._decide(step, (self._holds(frame, step, value), TRUE, TRUE), pushes)

    def _holds(self, frame: Frame, step: Instruction, value: BlockValue) -> Term:
        """Whether a value is true."""
        if isinstance(value, Data) and not value.turns:
            return negation(equal(self._length(value), _ZERO))
        if isinstance(value, Items | Listed):
            return TRUE if value.items or value.passed >= 0 else FALSE
        is_object = isinstance(value, Instance) and not self._has(value.cls, "__bool__", "__len__")
        if is_object or isinstance(value, Closure):
            return TRUE
        self._of_objects(frame, step, [value])
        return self._free(BOOL)

    def _blind_equal(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        a, b = operands
        is_class = step.argument == "isinstance"
        found = self._is_instance(frame, step, a, b) if is_class else self._compared(frame, step, step.argument, a, b)
        frame.values.append(Typed(found, TRUTH))
        return False

    def _is_instance(self, frame: Frame, step: Instruction, value: BlockValue, classes: BlockValue) -> Term:
        parts = classes.items if isinstance(classes, Items) else (classes,)
        kind, known = kind_of(value), [one.value for one in parts if isinstance(one, Static)]
        if not are_classes(classes):
            self._of_objects(frame, step, [UNKNOWN])
        elif kind is not None:
            return TRUE if issubclass(kind, tuple(known)) else FALSE
        return self._free(BOOL)

    def _blind_compare(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        return self._decide(step, (self._compared(frame, step, step.argument, *operands), TRUE, TRUE), (None, None))

    def _compared(self, frame: Frame, step: Instruction, sign: str, a: BlockValue, b: BlockValue) -> Term:
        """``a sign b``."""
        if sign in ("!=", "is not", "not in"):
            positive = {"!=": "==", "is not": "is", "not in": "in"}[sign]
            return negation(self._compared(frame, step, positive, a, b))
        kinds = kind_of(a), kind_of(b)
        objects = [value for value in (a, b) if isinstance(value, Instance)]
        if sign == "is" or (sign == "==" and objects and all(map(self._is_compared_by_identity, (a, b)))):
            if None not in kinds and kinds[0] is not kinds[1]:
                return FALSE
            if len(objects) == 2 and all(one.name for one in objects):
                return TRUE if a == b else self._same(objects[0].name, objects[1].name)
            if len(objects) == 2 and any(one.name for one in objects):
                return FALSE
            return self._free(BOOL)
        if sign == "==" and is_calm(a) and is_calm(b):
            return self._are_equal(a, b)
        if sign == "in" and isinstance(b, Data) and b.kind not in (str, bytes) and _are_apart(kinds[0], b.of[0]):
            if b.turns:
                self._may_raise(step)
            return FALSE
        if sign == "in" and isinstance(b, Items) and b.passed < 0 and is_calm(a) and is_calm(b):
            return disjunction(self._are_equal(a, item) for item in b.items)
        ordered = kinds[0] is kinds[1] and kinds[0] in (str, bytes, set, frozenset)
        if sign in ("<", "<=", ">", ">=") and ordered and is_plain(a) and is_plain(b):
            return self._free(BOOL)
        self._of_objects(frame, step, (a, b))
        if not (is_plain(a) and is_plain(b)):
            frame.variables[LOOSE] = UNKNOWN
        return self._free(BOOL)

    def _is_compared_by_identity(self, value: BlockValue) -> bool:
        return value == NONE or (isinstance(value, Instance) and not self._has(value.cls, "__eq__", "__ne__"))

    def _are_equal(self, a: BlockValue, b: BlockValue) -> Term:
        """Whether two plain values are equal."""
        kinds = kind_of(a), kind_of(b)
        if isinstance(a, Typed) and isinstance(b, Typed):
            return self._free(BOOL) if a.type == b.type == DOUBLE else operators.compare("==", a, b)[0]
        if isinstance(a, Static) and isinstance(b, Static):
            return TRUE if a.value == b.value else FALSE
        if None not in kinds and kinds[0] is not kinds[1] and not any({*kinds} <= one for one in _EQUAL):
            return FALSE
        number, another = self._number(a), self._number(b)
        if kinds[0] in (str, bytes) and number is not None and another is not None:
            found = [equal(number, another)]
            for one, other in ((a, b), (b, a)):
                if isinstance(one, Data) and isinstance(other, Data):
                    found.append(equal(self._length(one), self._length(other)))
                if isinstance(one, Data) and isinstance(other, Static):
                    found.append(equal(self._length(one), constant(INT, len(other.value))))
                    if not other.value:
                        return found[-1]
            return conjunction(found)
        return self._free(BOOL)

    def _number(self, value: BlockValue) -> Term | None:
        """A number that stands for a text: equal ones have the same, and others do not."""
        if isinstance(value, Static) and isinstance(value.value, str | bytes):
            return constant(INT, self._texts.setdefault((type(value.value), value.value), len(self._texts)))
        if isinstance(value, Data) and value.origin and value.kind in (str, bytes):
            return variable(f"?text {value.origin}", INT)
        return None

    def _matches(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        kinds, caught = frame.values.pop(), frame.values.pop()
        classes = [one.value for one in kinds.items if isinstance(one, Static)] if isinstance(kinds, Items) else (
            [kinds.value] if isinstance(kinds, Static) else [])  # fmt: skip
        found: Term = self._free(BOOL)
        whole = len(classes) == (len(kinds.items) if isinstance(kinds, Items) else 1)
        are_known = all(isinstance(one, type) and issubclass(one, BaseException) for one in classes)
        if not whole or not are_known or any(map(self._premises.changes_class, classes)):
            self._may_raise(step, (TypeError,))
        elif isinstance(caught, Caught):
            if BaseException in classes:
                found = TRUE
            elif caught.kinds is not None:
                are = {any(one in kind.__mro__ for one in classes) for kind in caught.kinds}
                found = TRUE if are == {True} else FALSE if are == {False} else found
        return self._decide(step, (found, TRUE, TRUE), (None, None))

    # ---- calls ----

    def _blind_call(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        called, *arguments = operands
        names = step.argument[1]
        function = called.value if isinstance(called, Static) else None
        self._doing = getattr(function, "__name__", "a call")
        if isinstance(function, type) and makes_plainly(function) and not self._premises.changes_class(function):
            return self._constructed(frame, step, function, arguments)
        if isinstance(function, FunctionType) and function in self._codes:
            ended = self._summarised(frame, step, function, arguments)
            if ended is not None:
                return ended
        if isinstance(called, Method):
            frame.values.append(self._method(frame, step, called, arguments, bool(names)))
            return False
        if (
            function is builtins.len
            and len(arguments) == 1
            and isinstance(arguments[0], Data)
            and not arguments[0].turns
        ):
            frame.values.append(Typed(self._length(arguments[0]), WHOLE))
            return False
        if function is builtins.isinstance and len(arguments) == 2 and not names:
            frame.values.append(Typed(self._is_instance(frame, step, *arguments), TRUTH))
            return False
        if function is builtins.type and len(arguments) == 1 and kind_of(arguments[0]) is not None:
            kind = kind_of(arguments[0])
            frame.values.append(of_python(kind))
            return False
        if function in (enumerate, zip, reversed, iter) and not names and (lazy := _lazily(function, arguments)):
            self._may_raise(step)
            frame.values.append(lazy)
            return False
        is_math = isinstance(function, BuiltinFunctionType) and vars(math).get(function.__name__) is function
        is_read = is_math or (isinstance(function, BuiltinFunctionType | type) and function in FUNCTIONS)
        calm = is_calm if function in _LOOKING else is_plain
        is_read &= function is not builtins.print or not self._premises.is_redirected
        kinds, items = [*map(kind_of, arguments)], item_kind(arguments[0]) if arguments else None
        raised = None if names or function is None else known_exceptions.of_function(function, kinds, items)
        if not is_read or not all(map(calm, arguments)):
            self._runs(why or f"line {step.line}: a call of {self._doing}", frame)
            self._may_raise(step)
            frame.values.append(self._any(function if function in SURE else None))
            return False
        parses = function in (builtins.int, builtins.float) and len(arguments) == 1 and not names
        self._may_raise(step, (ValueError,) if parses and kind_of(arguments[0]) in (str, bytes) else raised)
        result = FUNCTIONS.get(function) if isinstance(function, BuiltinFunctionType | type) else None
        chosen = None if names else chosen_kind(arguments)
        has_default = function is next if not names else function in (min, max) and names == ("default",)
        if has_default and len(arguments) == 2:
            chosen = joined(item_kind(arguments[0]), row_or_kind(arguments[1]))
        if result == ITEM:
            result = chosen
        if function is builtins.sum and len(arguments) == 1:
            result = int if chosen in (int, bool, NEVER) else None
        if function in (builtins.sorted, builtins.list, builtins.tuple, builtins.set, builtins.frozenset):
            item = item_kind(arguments[0]) if arguments else NEVER
            frame.values.append(self._any(result, of=(item,)))
        elif function in (builtins.min, builtins.max, builtins.next):
            frame.values.append(self._element(result))
        else:
            frame.values.append(self._any(result))
        return False

    def _method(self, frame: Frame, step: Instruction, called: Method, arguments: list[BlockValue],
                named: bool) -> BlockValue:  # fmt: skip
        """The result of a method of a number, text or container."""
        of, name = called.of, called.name
        kind = of.kind if isinstance(of, Data) else OF_TYPED[of.type]
        pure = PURE.get(kind, {})
        if name not in pure and isinstance(of, Data) and kind not in IMMUTABLE:
            places = None if named else ADDED.get(name, () if name in REMOVING else None)
            if places is None or any(place >= len(arguments) for place in places):
                self._changes()
            else:
                self._changes(kind, [row_or_kind(arguments[place]) for place in places])
        compares = isinstance(of, Data) and not is_plain(of) and name in COMPARING
        is_known = name in pure or name in CHANGING.get(kind, {})
        calm = is_plain if name in ("join", "format") else is_calm
        if compares or not is_known or not all(map(calm, arguments)):
            self._of_objects(frame, step, [UNKNOWN], f"line {step.line}: a call of {name}")
        else:
            given = [*map(kind_of, arguments)]
            self._may_raise(step, None if named else known_exceptions.of_method(kind, name, given, item_kind(of)))
        result = pure[name] if name in pure else CHANGING.get(kind, {}).get(name)
        if not isinstance(of, Data):
            return self._any(result)
        if result == ITEM:
            return self._item_of(of, "")
        if result == VIEW:
            kinds = {"keys": of.of[0], "values": of.of[1], "items": row(*of.of)}
            return Data(dict, (kinds[name],), "", True) if not arguments else UNKNOWN
        if kind is dict and name in ("get", "pop", "setdefault") and not named and 0 < len(arguments) < 3:
            others = [kind_of(arguments[1])] if len(arguments) == 2 else [] if name == "pop" else [None]
            return self._element(common([of.of[1], *others]))
        named_alike = of.origin and is_plain(of) and not named and name in pure and all(map(is_constant, arguments))
        origin = f"{of.origin}.{name}({', '.join(map(shown, arguments))})" if named_alike else ""
        items: tuple[type | None, ...] = ()
        if name == "copy" or (result is set and name == "difference"):
            items = of.of
        elif result is set:
            items = (common([*of.of, *map(item_kind, arguments)]),)
        elif kind in (str, bytes) and result in (list, tuple):
            items = (kind,)
        return self._any(kind if result == SAME else result, origin if result is not None else "", items)
