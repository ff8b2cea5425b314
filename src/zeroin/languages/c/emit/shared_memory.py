"""Write arguments of a C or C++ test that lead to the same memory: the test declares one variable for all of them."""

from __future__ import annotations

import re
from dataclasses import replace

from ....subject.base import Words
from ..front.alias_parameters import AliasSignature, Group
from ..front.layout import Array, Text, as_array, path_at, resized
from ..front.parameters import CParameter, CSignature
from .values import Writer


class SharedMemory:
    """The memory that several pointers of a call lead to.

    Args:
        signature: the function's signature.
        words: the input.

    Attributes:
        names: the names of the variables declared so far, by the parameter that points to the variable's beginning.
        outputs: for each parameter, the bits of the numbers behind it after the run; None for NULL.
    """

    def __init__(self, signature: CSignature, words: Words) -> None:
        self._signature = signature
        groups = signature.groups(words) if isinstance(signature, AliasSignature) else []
        self._groups = {name: group for group in groups for name in group.members}
        self.names = dict[str, str]()
        self.outputs = dict[str, tuple[int, ...] | None]()

    def of(self, parameter: CParameter) -> Group | None:
        """Return the memory that a parameter shares with others; None if it has memory of its own."""
        return self._groups.get(parameter.name)

    def argument(self, group: Group, parameter: CParameter, writer: Writer, suffix: str, lines: list[str],
                 taken: set[str]) -> tuple[str, bool]:  # fmt: skip
        """Return the argument for a parameter, and whether a variable was declared for it.

        The first call for a group declares the variable of all its parameters.

        Args:
            group: the memory that it shares with others.
            parameter: the parameter.
            writer: writes the argument.
            suffix: the end of the variable's name.
            lines: gets the declaration.
            taken: names that are taken; the variable's name is added.
        """
        is_new, whole = group.whole.name not in self.names, alone(group.whole)
        if is_new:
            self.names[group.whole.name] = local(group.whole.name + suffix, taken)
            lines.append(writer.variable(whole, self.names[group.whole.name], group.words))
        name, at = self.names[group.whole.name], group.others.get(parameter.name, 0)
        count = group.elements(parameter, at)
        if parameter.name == group.whole.name:
            return writer.pointer(whole, name), is_new
        if count is None:
            return _inside(group, parameter, writer, name, at), is_new
        if not isinstance(whole.layout, Array):
            return writer.pointer(replace(parameter, layout=whole.layout), name), is_new
        behind = f"({name} + {count})" if count else name
        text = writer.pointer(replace(parameter, layout=resized(as_array(parameter.layout), 1)), behind)
        return (text[1:-1] if text == behind and count else text), is_new

    def left(self, group: Group) -> tuple[int, ...]:
        """Return the numbers that a run left in the shared memory, as bits. ``outputs`` must be complete."""
        assert isinstance(self._signature, AliasSignature)
        return self._signature.left(group, self.outputs)


def _inside(group: Group, parameter: CParameter, writer: Writer, name: str, at: int) -> str:
    """Return the address of a part of a structure, or of characters in any memory."""
    whole, type_ = alone(group.whole), writer.element(parameter)
    path = path_at(whole.layout, at)
    first = name if isinstance(whole.layout, Array) else f"&{name}"
    address = f"({type_} *)&{name}{path}" if path else f"({type_} *)((char *){first} + {at})"
    return f"*{address}" if parameter.type.endswith("&") else address


def alone(parameter: CParameter) -> CParameter:
    """Return the parameter with a number as its layout, if the layout is an array of one number."""
    layout = parameter.layout
    if isinstance(layout, Array) and not isinstance(layout, Text) and layout.count == 1 and not parameter.container:
        return replace(parameter, layout=layout.element)
    return parameter


def local(wanted: str, taken: set[str]) -> str:
    """Return a name like the wanted one that is not taken, and add it to the taken names.

    It does not begin with ``zeroin_``.
    """
    name = re.sub(r"\W", "_", wanted)
    while name in taken or name.startswith("zeroin_"):
        name = f"{name}_" if name in taken else f"own_{name}"
    taken.add(name)
    return name
