"""The part of the proof machine that reads objects: their attributes, methods and properties, and how they are made."""

from __future__ import annotations

import inspect
from abc import ABCMeta
from collections.abc import Mapping
from dataclasses import dataclass
from types import FunctionType, ModuleType

from .....term.core.build import if_else
from .....term.core.nodes import Term, variable
from .....term.core.sorts import BOOL, INT
from .....term.expression.typed import TRUTH, WHOLE, Choice, Typed
from .code import Code, Instruction
from .frame import OF_OBJECTS, Frame
from .instances import Field, Getter, generated_fields, has_own, is_assigned_plainly, is_simple, lookup, returns_values
from .kinds import is_plain, kind_of
from .premises import Premises
from .unknown_machine import OTHER, RAN, TooManyBlocks, UnknownMachine
from .values import NONE, UNKNOWN, BlockValue, Instance, Static, Unread

_CLASS = "class "  # names of classes in those of variables begin so
_SET = f"{OF_OBJECTS}set:"  # a hidden variable: an attribute was assigned to, the name follows


@dataclass(frozen=True)
class Attribute:
    """An attribute of a class, or of its objects, or a variable of a module.

    Attributes:
        cls: the class, or the module.
        name: of the attribute.
        of_object: whether it is one of an object.
    """

    cls: type | ModuleType
    name: str
    of_object: bool


class ObjectMachine(UnknownMachine):
    """Makes blocks with objects of the user's classes, for :class:`.proof_machine.ProofMachine`.

    Attributes:
        state: variables for ints in attributes of classes and of parameters, and in variables of modules that may
            change, as they are at the beginning.
        assigns_others: the names of attributes and variables that get values other than ints, or unknown values.
    """

    def __init__(self, codes: Mapping[FunctionType, Code], premises: Premises, deepest: int, lists: bool) -> None:
        super().__init__(codes, premises, deepest, lists)
        self.state: dict[Term, Attribute] = {}
        self.assigns_others = set[str]()

    def share_names(self, other: ObjectMachine) -> None:
        """Give attributes of classes the names that they have in another machine."""
        self._classes = other._classes

    def anything(self, kind: type, name: str) -> BlockValue:
        """Return any value of a type, with a name of its own."""
        return self._number_of(kind, name)

    def _global(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        module = self._premises.changing(frame.globals, step.argument)
        if module is None:
            return super()._global(frame, step, raised)
        frame.values.append(self._held_by(Static(module), step.argument))
        return False

    def _store_global(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        value, module = frame.values.pop(), self._premises.changing(frame.globals, step.argument)
        if module is not None:
            self._set_field(Static(module), step.argument, value)
        return False

    def _held_by(self, of: Instance | Static, name: str) -> BlockValue:
        """What an attribute of an object, a class or a module holds.

        Raises:
            Unread: nobody knows; reading it may run code.
        """
        cls, called = of.cls if isinstance(of, Instance) else of.value, self._name_of(of)
        kind = self._premises.attribute_type(cls, name, RAN in self._frames[0].variables)
        found = self._field(called, name, kind)
        as_begun = [variable(f"?{called}.{name}{end}", INT) for end in ("", " as int")]
        number = found.then if isinstance(found, Choice) else found
        if isinstance(number, Typed) and number.term in as_begun:
            self.state[number.term] = Attribute(cls, name, isinstance(of, Instance))
        return found

    def _field(self, name: str, attribute: str, kind: type | None) -> BlockValue:
        """What an attribute of an object holds.

        Raises:
            Unread: nobody knows; reading it may run code.
        """
        known, key = self._frames[0].variables, f"{OF_OBJECTS}{name}.{attribute}"
        if name and key in known:
            return known[key]
        if f"{OTHER} {attribute}" in known:
            raise Unread(f"the attribute {attribute}, which was deleted, or is of several types")
        if kind is None:
            return UNKNOWN
        of = name.removeprefix(_CLASS).partition(":")[0] or "each new object"
        kinds = " or ".join(one.__name__ for one in self._accepted(kind))
        self._premises.said[f"type({of}.{attribute}) is {kinds}"] = None
        if not name:
            return self._number_of(kind)
        changed_ = RAN in known or f"{_SET} {attribute}" in known
        known[key] = self._number_of(kind, "" if changed_ else f"{name}.{attribute}")
        return known[key]

    def _set_field(self, of: Instance | Static, attribute: str, value: BlockValue) -> None:
        """An attribute is assigned to; another parameter may be the same object, unless it is a new one."""
        known, name = self._frames[0].variables, self._name_of(of)
        cls = of.cls if isinstance(of, Instance) else of.value
        if kind_of(value) is not self._premises.attribute_type(cls, attribute, False):
            known[f"{OTHER} {attribute}"] = NONE
        parts = [value.then, value.other] if isinstance(value, Choice) else [value]
        whole = [one.term for one in parts if isinstance(one, Typed) and one.type == WHOLE]
        self._block.stores += [(Attribute(cls, attribute, isinstance(of, Instance)), one) for one in whole]
        bools = [one for one in parts if isinstance(one, Typed) and one.type == TRUTH and self._asks]
        if len(whole) + len(bools) < len(parts):  # bools beside ints have variables of their own
            self.assigns_others.add(attribute)
        if not name:
            return
        own = f"{OF_OBJECTS}{name}.{attribute}"
        for key, before in list(known.items()):
            if key.startswith(OF_OBJECTS) and key.endswith(f".{attribute}") and key != own:
                known[key] = self._maybe_same(key, own, before, value)
        known[own] = value
        known[f"{_SET} {attribute}"] = NONE

    def _name_of(self, value: Instance | Static) -> str:
        """What stands for an object in the names of variables, with its class; empty for a new object."""
        cls = value.cls if isinstance(value, Instance) else value.value
        number = self._classes.setdefault(cls, len(self._classes))
        if isinstance(value, Static):
            return f"{_CLASS}{cls.__name__}:{number}"
        return f"{value.name}:{number}" if value.name else ""

    def _has(self, cls: type, *names: str) -> bool:
        """Whether a class has one of these methods itself, or may get it from the user's code."""
        return has_own(cls, *names) or any(map(self._premises.may_change(cls), names))

    def _maybe_same(self, key: str, own: str, before: BlockValue, value: BlockValue) -> BlockValue:
        """What an attribute of another parameter is after an assignment."""
        named = (each[1:].rpartition(".")[0].rpartition(":") for each in (key, own))
        (one, _, cls), (other, _, another) = named
        is_class, of_class = one.startswith(_CLASS), other.startswith(_CLASS)
        if not is_class and not of_class and cls != another:
            return before
        if (
            isinstance(before, Typed)
            and isinstance(value, Typed)
            and before.type == value.type
            and not is_class
            and not of_class
        ):
            return Typed(if_else(self._same(one, other), value.term, before.term), value.type)
        return self._any(kind_of(before)) if kind_of(before) is kind_of(value) else UNKNOWN

    def _same(self, one: str, other: str) -> Term:
        """Whether two parameters are one object."""
        return variable(f"?{' is '.join(sorted((one, other)))}", BOOL)

    def _blind_assign(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        value, of = operands
        name, _ = step.argument
        cls = of.cls if isinstance(of, Instance) else of.value if isinstance(of, Static) else None
        is_known = isinstance(cls, type) and type(cls) in (type, ABCMeta) and self._is_simple(cls)
        if (
            is_known
            and isinstance(of, Instance)
            and is_assigned_plainly(of.cls, name)
            and (not self._has(of.cls, "__setattr__"))
        ) or (is_known and isinstance(of, Static) and is_plain(value)):
            self._set_field(of, name, value)
        else:
            self.assigns_others.add(name)
            self._frames[0].variables[f"{OTHER} {name}"] = NONE
            self._changes()
            self._of_objects(frame, step, [UNKNOWN], why)
        return False

    def _is_simple(self, cls: type) -> bool:
        return is_simple(cls) and not any(map(self._premises.may_change(cls), ("__getattribute__", "__getattr__")))

    def _blind_drop(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        (of,), (name, _) = operands, step.argument
        known = self._frames[0].variables
        self.assigns_others |= set() if isinstance(of, Instance) else {name}
        for key in [key for key in known if key.startswith(OF_OBJECTS) and key.endswith(f".{name}")]:
            del known[key]
        known[f"{OTHER} {name}"] = NONE
        if (
            isinstance(of, Instance)
            and self._is_simple(of.cls)
            and is_assigned_plainly(of.cls, name)
            and (not self._has(of.cls, "__delattr__"))
        ):
            self._may_raise(step, (AttributeError,))
        else:
            self._changes()
            self._of_objects(frame, step, [UNKNOWN], why)
        return False

    def _attribute_of(self, frame: Frame, step: Instruction, of: Instance | Static) -> bool:
        """Read an attribute of an object or a class; whether the block ends."""
        found = lookup(of, step.argument)
        cls = of.cls if isinstance(of, Instance) else of.value
        if not self._is_simple(cls) or self._premises.changes_class(cls):
            raise Unread(f"the attribute {step.argument}")
        if not isinstance(found, Field):
            self._premises.attribute(cls, step.argument)
        if isinstance(found, Getter):
            if found.function not in self._codes:
                raise Unread(f"the property {step.argument}")
            return self._entered(found.function, [of], {}, frame, step)
        if isinstance(found, Field):
            found = self._held_by(of, step.argument)
            self._may_raise(step, (AttributeError,))
        frame.values.append(found)
        return False

    def _constructed(self, frame: Frame, step: Instruction, cls: type, arguments: list[BlockValue]) -> bool:
        """Make an object of a class of the user."""
        count_, names = step.argument
        frame.values.append(Instance(cls, ""))
        made = inspect.getattr_static(cls, "__init__")
        is_read = isinstance(made, FunctionType) and made in self._codes and not returns_values(self._codes[made].node)
        named = dict(zip(names, arguments[count_:], strict=True))
        if any(map(self._premises.may_change(cls), ("__init__", "__new__"))):
            self._runs(f"line {step.line}: a call of {cls.__name__}", frame)
        elif isinstance(made, FunctionType) and is_read:
            before = len(self._frames)
            try:
                given = [Instance(cls, ""), *arguments[:count_]]
                return self._entered(made, given, named, frame, step, discards=True)
            except TooManyBlocks:
                raise
            except Unread as error:
                del self._frames[before:]
                self._runs(str(error), frame)
        elif isinstance(made, FunctionType) and (fields := generated_fields(cls, made)) is not None:
            for name, value in (*zip(fields, arguments[:count_], strict=False), *named.items()):
                self._set_field(Instance(cls, ""), name, value)
        elif isinstance(made, FunctionType):
            self._runs(f"line {step.line}: a call of {cls.__name__}", frame)
            for name in vars(cls).get("__dataclass_fields__", ()):  # some are made by functions
                self._frames[0].variables[f"{OTHER} {name}"] = NONE
        self._may_raise(step)
        return False
