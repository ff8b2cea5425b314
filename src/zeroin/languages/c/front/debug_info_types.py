"""Convert types from debug info to memory layouts; for unsupported types, explain why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import prod

from ....errors import ZeroinError
from ....words import Kind
from ..llvm_ir.debug_info import DebugInfo
from .layout import (
    Array,
    BitField,
    Field,
    Half,
    Layout,
    LongDouble,
    PointerField,
    Scalar,
    Structure,
    has_more,
    says_all_of,
)

_SIGNED = {8: Kind.I8, 16: Kind.I16, 32: Kind.I32, 64: Kind.I64}
_UNSIGNED = {8: Kind.U8, 16: Kind.U16, 32: Kind.U32, 64: Kind.U64}
_POINTERS = ("DW_TAG_pointer_type", "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type",
             "DW_TAG_ptr_to_member_type")  # fmt: skip
RECORDS = ("DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type")
# Structures whose pointers have to fit together.
_MADE_BY_THE_LIBRARY = ("_IO_FILE", "__va_list_tag", "__jmp_buf_tag", "std::__va_list", "__va_list")


class NoLayout(ZeroinError):
    """A type that is not supported as input. The message completes "parameter has type T, ..."."""


def is_pointer(debug: DebugInfo, ref: str | None) -> bool:
    """Whether a type is a pointer or a reference; typedefs and qualifiers must be stripped."""
    return debug.fields(ref).get("tag") in _POINTERS


def layout_of(debug: DebugInfo, ref: str | None, pointers: bool = False) -> Layout:
    """Return the layout of a type, with or without typedefs and qualifiers; a structure's typedef gives its name.

    Args:
        debug: debug info of the module.
        ref: the type.
        pointers: whether a structure may have pointers.

    Raises:
        NoLayout: the type is not supported as input. A pointer is not.
    """
    base, _ = debug.resolve(ref)
    fields = debug.fields(base)
    if fields.get("tag") in RECORDS:
        return _record(debug, base, debug.spelled(ref), pointers and fields.get("tag") != "DW_TAG_union_type")
    if fields.get("tag") == "DW_TAG_array_type":
        return _array(debug, fields)
    if fields.get("encoding") == "DW_ATE_float" and fields.get("name") == "long double" and fields.get("size") == "128":
        return LongDouble()
    if fields.get("encoding") == "DW_ATE_float" and fields.get("name") == "_Float16":
        return Half()
    number = scalar_of(debug, base)
    if number is None:
        raise NoLayout(_why(debug, base))
    return number


def scalar_of(debug: DebugInfo, ref: str | None) -> Scalar | None:
    """Return the layout of a number's type, whose typedefs and qualifiers must be stripped.

    Returns:
        The layout; None if the type is no number, or an unsupported one. The layouts of ``long double`` and
        ``_Float16`` are structures, so the result is None for them, too.
    """
    fields = debug.fields(ref)
    size = int(fields.get("size", "0") or 0)
    if fields.get("tag") == "DW_TAG_enumeration_type":
        base = scalar_of(debug, debug.resolve(fields.get("baseType"))[0])
        members = [debug.fields(e) for e in debug.items(fields.get("elements"))]
        members = [member for member in members if re.fullmatch(r"-?\d+", member.get("value", ""))]
        kind = base.kind if base is not None else _UNSIGNED.get(size)
        names = _enumerators(debug, fields, [member.get("name", "") for member in members])
        return None if kind is None else Scalar(kind, tuple(int(m["value"]) for m in members), True, names)
    kinds = {
        "DW_ATE_float": {64: Kind.F64, 32: Kind.F32}, "DW_ATE_boolean": {size: Kind.BOOL},
        **dict.fromkeys(("DW_ATE_signed", "DW_ATE_signed_char"), _SIGNED),
        **dict.fromkeys(("DW_ATE_unsigned", "DW_ATE_unsigned_char", "DW_ATE_UTF"), _UNSIGNED),
    }.get(fields.get("encoding", ""), {})  # fmt: skip
    kind = kinds.get(size)
    return None if kind is None else Scalar(kind)


def _enumerators(debug: DebugInfo, fields: dict[str, str], names: list[str]) -> tuple[str, ...]:
    """Return an enumeration's member names as code at file scope writes them; empty for one in a function or class."""
    scopes, scope = list[str](), fields.get("scope")
    while debug.fields(scope):
        if debug.kind(scope) not in ("DIFile", "DICompileUnit", "DINamespace"):
            return ()
        if debug.kind(scope) == "DINamespace":
            scopes.insert(0, debug.fields(scope).get("name", ""))
        scope = debug.fields(scope).get("scope")
    if "DIFlagEnumClass" in fields.get("flags", ""):
        scopes.append(fields.get("name", ""))
    return tuple("::".join(filter(None, [*scopes, name])) for name in names)


def _array(debug: DebugInfo, fields: dict[str, str]) -> Array:
    """Return the layout of an array type, given by the fields of its node; several dimensions become one.

    Raises:
        NoLayout: its elements are not supported, its size is unknown or 0, or it is a vector.
    """
    if "DIFlagVector" in fields.get("flags", ""):
        raise NoLayout("a vector, which is not supported")
    element = layout_of(debug, fields.get("baseType"))
    sizes = list[int]()
    for dimension in debug.items(fields.get("elements")):
        size = debug.fields(dimension).get("count", "")
        if not size.isdigit():
            raise NoLayout("an array of unknown size")
        sizes.append(int(size))
    if isinstance(element, Array):
        sizes += element.sizes or (element.count,)
        element = element.element
    if prod(sizes) == 0:
        raise NoLayout("an array of unknown size")
    return Array(element, prod(sizes), sizes=tuple(sizes) if len(sizes) > 1 else ())


def _record(debug: DebugInfo, ref: str | None, spelled: str, pointers: bool) -> Structure:
    """Return the layout of a structure or union. ``pointers`` says whether it may have pointers.

    A union is represented by a member that can express all others; if there is none, by the largest member.

    Raises:
        NoLayout: the source does not define it, one of its members is not supported, or it has no field to set.
    """
    described = debug.fields(ref)
    if "DIFlagFwdDecl" in described.get("flags", ""):
        raise NoLayout("which the file does not define; include its definition, or write a wrapper")
    if pointers and described.get("name") in _MADE_BY_THE_LIBRARY:
        raise NoLayout("which only the C library can make; write a wrapper")
    leading = list[PointerField]()
    try:
        found = list(_members(debug, ref, leading if pointers else None))
    except NoLayout as error:
        if _is_of_library(debug, described):
            raise NoLayout("a type of the C++ library; write a small function that makes it") from error
        raise
    more = any(has_more(field.layout) for field in found)
    if described.get("tag") == "DW_TAG_union_type" and found:
        largest = sorted(found, key=lambda field: -field.layout.size)
        whole = [one for one in largest if all(says_all_of(one.layout, field.layout) for field in found)]
        more, found = more or not whole, [(whole or largest)[0]]
    inner = list(_flat(found))
    if not inner and not leading:
        raise NoLayout("which has no field that zeroin can set")
    size = int(described.get("size", "0")) // 8
    is_plain = described.get("tag") != "DW_TAG_union_type" and all(field.name for field in found) and not leading
    return Structure(spelled, size, tuple(inner), is_plain, more, tuple(leading))


def _is_of_library(debug: DebugInfo, fields: dict[str, str]) -> bool:
    """Return whether a type, given by the fields of its node, lies in the namespace ``std``."""
    scope = fields.get("scope")
    while debug.fields(scope):
        if debug.kind(scope) == "DINamespace" and debug.fields(scope).get("name") == "std":
            return True
        scope = debug.fields(scope).get("scope")
    return False


def _flat(fields: list[Field]) -> Iterator[Field]:
    """Replace unnamed inner structures by their members."""
    for field in fields:
        if field.name or not isinstance(field.layout, Structure):
            yield field
        else:
            yield from (Field(f.name, field.offset + f.offset, f.layout) for f in field.layout.fields)


def _members(debug: DebugInfo, ref: str | None, pointers: list[PointerField] | None) -> Iterator[Field]:
    """Yield the fields of a structure, class or union; static members are left out.

    Args:
        debug: debug info of the module.
        ref: the type.
        pointers: gets the pointers in it, also those in inner structures; None: there must be none.

    Raises:
        NoLayout: a member is not supported: a private or pointer field, a base class, a constructor.
    """
    described = debug.fields(ref)
    own = described.get("name", "").partition("<")[0]
    hidden = described.get("tag") == "DW_TAG_class_type"
    for element in debug.items(described.get("elements")):
        member = debug.fields(element)
        flags, name = member.get("flags", ""), member.get("name", "")
        if name.startswith("_vptr$"):
            raise NoLayout("which has virtual functions; write a small function that takes its fields")
        if debug.kind(element) == "DISubprogram":
            if name == own:
                raise NoLayout("which has a constructor of its own; write a small function that takes its fields")
            continue
        if member.get("tag") == "DW_TAG_inheritance":
            raise NoLayout("which inherits from another one; write a small function that takes its fields")
        if member.get("tag") != "DW_TAG_member" or "DIFlagStaticMember" in flags:
            continue
        if "DIFlagPrivate" in flags or "DIFlagProtected" in flags or (hidden and "DIFlagPublic" not in flags):
            raise NoLayout(f"whose field {name!r} is private; write a small function that makes one")
        at = int(member.get("offset", "0"))
        base, _ = debug.resolve(member.get("baseType"))
        if pointers is not None and debug.fields(base).get("tag") == "DW_TAG_pointer_type":
            target = member.get("baseType")
            pointers.append(PointerField(name, at // 8, target, debug.type_name(target)))
            continue
        if is_pointer(debug, base):
            raise NoLayout(f"whose field {name!r} is a pointer, which is not supported in a structure; write a small "
                          "wrapper that takes what it points to")  # fmt: skip
        try:
            layout = layout_of(debug, member.get("baseType"), pointers is not None)
        except NoLayout as error:
            if str(error).startswith("whose field"):
                inner = re.sub(r"^whose field '", f"whose field '{name}." if name else "whose field '", str(error))
                raise NoLayout(inner) from error
            type_ = debug.type_name(member.get("baseType"))
            raise NoLayout(f"whose field {name!r} has type {type_!r}, {error}") from error
        if pointers is not None and isinstance(layout, Structure):
            pointers += [_moved(one, name, at // 8) for one in layout.pointers]
        if "DIFlagBitField" in flags:
            assert isinstance(layout, Scalar)
            layout = BitField(layout.kind, layout.values, layout.enumeration, layout.names, at % 8, int(member["size"]))
        yield Field(name, at // 8, layout)


def _moved(pointer: PointerField, name: str, at: int) -> PointerField:
    """Return a pointer field of an inner structure as one of the outer structure, in which the inner one has a name."""
    path = f"{name}.{pointer.path}" if name else pointer.path
    return pointer._replace(path=path, offset=at + pointer.offset)


def _why(debug: DebugInfo, ref: str | None) -> str:
    """Return why a type is not supported, as the message of :class:`NoLayout`."""
    fields = debug.fields(ref)
    encoding = fields.get("encoding", "")
    if is_pointer(debug, ref):
        return "a pointer to a pointer, which is not supported"
    if debug.kind(ref) == "DISubroutineType":
        return "a pointer to a function, which is not supported"
    if ref is None or ref == "null":
        return "a void pointer, which is not supported; write a small wrapper with a typed pointer"
    if encoding == "DW_ATE_float":
        return "a float of a width other than 32 and 64 bits, which is not supported"
    if encoding == "DW_ATE_complex_float":
        return "a complex number, which is not supported"
    return ("which is not supported (only float, double, integers up to 64 bits, bool, enum, structures of these, "
            "and pointers to them)")  # fmt: skip
