"""Whether integer values are signed.

IR types do not say this. The answer comes from the operations that make a value and from the debug info of the
variables that it is read from.
"""

from __future__ import annotations

from collections.abc import Callable

from .debug_info import DebugInfo
from .instructions import instruction

RightOf = Callable[[str], str]
_DEEPEST = 24  # length of the longest chain of operations to follow

_SIGNED, _UNSIGNED = ("sdiv", "srem", "ashr"), ("udiv", "urem", "lshr")
_OF_BOTH = ("add", "sub", "mul", "and", "or", "xor")
_PLAIN = ("DW_ATE_signed", "DW_ATE_signed_char")


class Signs:
    """The signedness of a function's integer values.

    Args:
        debug: debug info of the module.
        subprogram: ref of the function's debug info node; None if it has none.
        right_of: returns the right-hand side of a value's definition; the value itself if it has no definition.
    """

    def __init__(self, debug: DebugInfo, subprogram: str | None, right_of: RightOf) -> None:
        self._debug, self._function, self._right_of = debug, subprogram or "", right_of

    def of_both(self, left: str, right: str) -> bool | None:
        """Whether C compares two integers as signed, after its usual conversions; None if neither sign is known.

        Args:
            left, right: the operands, as IR values (``%3``, ``5``). The sign of a constant is unknown.
        """
        return self._meet(left, right, 0)

    def _meet(self, left: str, right: str, depth: int) -> bool | None:
        """Return False if one of the values is unsigned, else True if one is signed; None if neither sign is known."""
        one, other = self._sign(left, depth), self._sign(right, depth)
        return False if False in (one, other) else True if True in (one, other) else None

    def _sign(self, value: str, depth: int = 0) -> bool | None:
        """Return whether a value is signed; None if its definition does not say, and for constants and parameters.

        Divisions, remainders, right shifts and conversions from floats have a sign. A loaded value has that of its type
        in the debug info. Other arithmetic, ``select`` and phi are unsigned if one operand is, else signed if one is;
        ``shl`` has the sign of its first operand. Casts between integers and calls say nothing.

        Args:
            value: the IR value.
            depth: the number of operations followed so far; above ``_DEEPEST``, the result is None.
        """
        text = self._right_of(value)
        if depth > _DEEPEST or text == value or (made := instruction(text)) is None:  # a constant, or a parameter
            return None
        opcode, values = made.opcode, made.values
        if opcode == "load":
            return self._is_signed(self._behind(values[0], depth))
        if opcode == "select":
            return self._meet(values[1], values[2], depth + 1)
        if opcode == "phi":
            first, *others = values
            return self._meet(first, (others or [first])[0], depth + 1)
        if opcode in _OF_BOTH:
            return self._meet(values[0], values[1], depth + 1)
        if opcode == "shl":
            return self._sign(values[0], depth + 1)
        return True if opcode in (*_SIGNED, "fptosi") else False if opcode in (*_UNSIGNED, "fptoui") else None

    def _is_signed(self, type_: str | None) -> bool | None:
        """Whether a described type is signed; None if it is no integer type."""
        ref, _ = self._debug.resolve(type_)
        fields = self._debug.fields(ref)
        if fields.get("tag") == "DW_TAG_enumeration_type":
            return self._is_signed(fields.get("baseType"))
        encoding = fields.get("encoding", "")
        return encoding in _PLAIN if encoding else None

    def _behind(self, pointer: str, depth: int) -> str | None:
        """Return the ref of the type that a pointer points to; None if unknown."""
        known = self._debug.variable(self._function, pointer)
        text = self._right_of(pointer)
        if known is not None or depth > _DEEPEST:
            return known
        made = instruction(text)  # a value without a definition may be a constant expression
        if made is not None and made.opcode == "load":
            return self._inside(self._behind(made.values[0], depth + 1), "DW_TAG_pointer_type", "DW_TAG_reference_type")
        if made is None or made.opcode != "getelementptr" or len(made.operands) < 2:
            return None
        base, *indices = made.values
        outer = self._behind(base, depth + 1)
        if len(indices) == 1:
            return outer
        if made.type.startswith("["):
            return self._inside(outer, "DW_TAG_array_type")
        return self._member(outer, indices[1])

    def _inside(self, type_: str | None, *tags: str) -> str | None:
        """Return the ref of the type that a pointer points to or an array consists of; None for other tags."""
        ref, _ = self._debug.resolve(type_)
        fields = self._debug.fields(ref)
        return fields.get("baseType") if fields.get("tag") in tags else None

    def _member(self, type_: str | None, index: str) -> str | None:
        """Return the ref of the type of a structure's member, by its IR index; None if the indices may differ.

        They are the same only in structures without bit-fields, bases and access specifiers.
        """
        ref, _ = self._debug.resolve(type_)
        members = [self._debug.fields(one) for one in self._debug.items(self._debug.fields(ref).get("elements"))]
        plain = all(one.get("tag") == "DW_TAG_member" and "flags" not in one for one in members)
        if not plain or not index.isdigit() or int(index) >= len(members):
            return None
        return members[int(index)].get("baseType")
