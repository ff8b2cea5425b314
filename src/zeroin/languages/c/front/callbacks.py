"""Function pointers as parameters: which functions of the file match the pointer's type."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....errors import UnsupportedParameter
from ....words import Kind
from ..llvm_ir.debug_info import DebugInfo
from ..llvm_ir.ir import Function
from .debug_info_types import is_pointer, scalar_of
from .layout import Callback, Callee, FunctionType
from .parameters import CSignature

_MOST = 200  # functions to choose from
_DEEPEST = 8  # nesting of types
_NAME = re.compile(r"(?!main$)[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*")


def is_function(debug: DebugInfo, ref: str | None) -> bool:
    """Whether a type is a pointer to a function."""
    base, _ = debug.resolve(ref)
    pointed, _ = debug.resolve(debug.fields(base).get("baseType"))
    return debug.kind(pointed) == "DISubroutineType"


def callback_of(debug: DebugInfo, ref: str | None, functions: Sequence[Function]) -> Callback:
    """Return the layout of a function pointer: the functions among these that its type allows, in their order.

    At most 200 are chosen, and none if no type fits. ``main``, operators, templates, functions with ``...`` and
    functions without debug info are left out.

    Args:
        debug: debug info of the module.
        ref: ref of the pointer's type.
        functions: the functions to choose from.
    """
    base, _ = debug.resolve(ref)
    pointed = debug.fields(base).get("baseType")
    wanted = _text(debug, pointed)
    found = []
    for function in functions:
        described = debug.fields(function.subprogram)
        name = debug.qualified_name(function.subprogram)
        is_plain = function.subprogram is not None and _NAME.fullmatch(name) and ", ..." not in function.header
        if is_plain and _text(debug, described.get("type")) == wanted:
            found.append(Callee(name, function.name))
    return Callback(callees=tuple(found[:_MOST]), type=_type(debug, debug.resolve(pointed)[0]))


def _type(debug: DebugInfo, ref: str | None) -> FunctionType | None:
    """Return the type of a function; None if a test can not define a stub of it.

    Its parameters must be numbers and pointers, its result a number or nothing.
    """
    result, *given = debug.items(debug.fields(ref).get("types")) or ["null"]
    spelled = debug.in_cxx if debug.is_cxx else debug.type_name
    types = tuple(map(spelled, given))
    if any(re.search(r"[(\[]|function", text) for text in (spelled(result), *types)):
        return None  # a type without a name, or a function of functions
    ir_types = tuple(_ir_type(debug, one) for one in given)
    returned = None if result == "null" else scalar_of(debug, debug.resolve(result)[0])
    if "" in ir_types or (returned is None and result != "null"):
        return None
    return FunctionType(returned, spelled(debug.unqualified(result)), types, ir_types)


def _ir_type(debug: DebugInfo, ref: str) -> str:
    """Return the IR type of a parameter; empty if it is not supported in stubs."""
    base, _ = debug.resolve(ref)
    if is_pointer(debug, base):
        return "ptr"
    number = scalar_of(debug, base)
    return "" if number is None else ir_type(number.kind)


def ir_type(kind: Kind) -> str:
    """Return the IR type of a number as an argument or a result."""
    return {Kind.F64: "double", Kind.F32: "float", Kind.BOOL: "i1"}.get(kind, f"i{kind.bits}")


def check(signature: CSignature) -> None:
    """Check that each function pointer has a function to point to, or may be NULL.

    Raises:
        UnsupportedParameter: a parameter has none.
    """
    for p in signature.parameters:
        if isinstance(p.layout, Callback) and not p.layout.callees and not p.nullable:
            raise UnsupportedParameter(
                f"{signature.name}: parameter {p.name!r} has type {p.type!r}, a pointer to a function, but the file "
                "defines and uses no function of this type; add one that is not static"
            )


def _text(debug: DebugInfo, ref: str | None, depth: int = 0) -> str:
    """Return a text for the comparison of types: it is equal for equal types. Typedefs do not matter.

    ``const`` matters behind a pointer, but not on a parameter or result itself. Structs and other named types count by
    their name alone. What is nested more than 8 deep does not count.
    """
    if ref is None or ref == "null":
        return "void"
    if depth > _DEEPEST:
        return "..."
    kind, fields = debug.kind(ref), debug.fields(ref)
    tag = fields.get("tag", "")
    if tag == "DW_TAG_typedef":
        return _text(debug, fields.get("baseType"), depth)
    if kind == "DISubroutineType":
        base = [debug.unqualified(one) for one in debug.items(fields.get("types"))]
        return f"({', '.join(_text(debug, one, depth + 1) for one in base)})"
    if kind == "DIDerivedType":
        return f"{tag} {_text(debug, fields.get('baseType'), depth + 1)}"
    return fields.get("name") or str(ref)
