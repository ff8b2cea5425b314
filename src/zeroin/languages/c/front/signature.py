"""Read the signature of a compiled function from its debug info and its IR declaration."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

from ....errors import OptionError, UnsupportedParameter
from ....native.cells import SHARED_CELLS, WORDS
from ....words import Kind
from ..llvm_ir.debug_info import DebugInfo
from ..llvm_ir.ir import Function, Module
from .alias_analysis import PointeeTypes, behind, sharing, used
from .array_counts import ParameterUses, uses
from .array_lengths import bytes_used
from .array_sizes import MOST_ELEMENTS, with_room, with_sizes
from .callbacks import callback_of, is_function
from .debug_info_types import RECORDS, NoLayout, is_pointer, layout_of, scalar_of
from .layout import Array, Layout, OddFloat, Scalar, Structure, cells
from .parameters import CParameter, CSignature
from .pointees import Pointee, with_pointees
from .string_parameters import Neighbour, Strings, StringSpec, check_specs, is_char

MOST_WORDS = SHARED_CELLS - WORDS

_IR_KINDS = {"double": Kind.F64, "float": Kind.F32, "i1": Kind.BOOL,
             "i8": Kind.I8, "i16": Kind.I16, "i32": Kind.I32, "i64": Kind.I64}  # fmt: skip


@dataclass(frozen=True)
class IrParameter:
    """A parameter as the IR declares it.

    Attributes:
        type: the IR type.
        attributes: the attributes that a call must repeat, as IR writes them.
    """

    type: str
    attributes: str

    @property
    def is_result(self) -> bool:
        """Whether it is the address for a structure that the function returns (``sret``)."""
        return "sret" in self.attributes

    @property
    def is_by_value(self) -> bool:
        """Whether it is the address of a structure that is passed by value (``byval``)."""
        return "byval" in self.attributes

    @property
    def alignment(self) -> str:
        """The alignment of the memory that it points to, ``align 8``; empty if it is not given."""
        found = re.search(r"align \d+", self.attributes)
        return found[0] if found else ""

    @property
    def extension(self) -> str:
        """How an integer is extended to a register: ``zeroext``, ``signext``, or empty."""
        found = re.search(r"zeroext|signext", self.attributes)
        return found[0] if found else ""


@dataclass(frozen=True)
class ArraySpec:
    """The user's option ``--array NAME=LENGTH[,COUNT]``.

    Attributes:
        name: the pointer parameter, or the pointer field of a structure behind one, such as ``p->data``.
        length: number of elements that it points to.
        count: the integer parameter that holds the length; None if there is none.
    """

    name: str
    length: int
    count: str | None = None

    @classmethod
    def parse(cls, text: str) -> ArraySpec:
        """Parse the option's value.

        Raises:
            OptionError: the text has another form, or the length is out of range.
        """
        match = re.fullmatch(r"(\w+(?:(?:->|\.)\w+)*)=0*(\d{1,4})(?:,(\w+))?", text)
        if not match or not 1 <= int(match[2]) <= MOST_ELEMENTS:
            raise OptionError(
                f"--array {text!r}: write NAME=LENGTH or NAME=LENGTH,COUNT with a length from 1 to {MOST_ELEMENTS}"
            )
        return cls(match[1], int(match[2]), match[3])

    @property
    def is_of_field(self) -> bool:
        """Whether it is about a field, and not about a parameter."""
        return not self.name.isidentifier()


def ir_parameters(header: str) -> tuple[str, list[IrParameter]]:
    """Return the result type and the parameters of a ``define`` line, without ``...``."""
    start = header.index("(", header.index("@"))
    depth, end = 0, start
    for end in range(start, len(header)):
        depth += {"(": 1, ")": -1}.get(header[end], 0)
        if depth == 0:
            break
    words = header[: header.index("@")].split()
    returned = header[: header.index("@")].rstrip()
    match = re.search(r"(\{.*\}|<.*>|\[.*\]|%\S+|\S+)$", returned)
    parts = [p for p in _split(header[start + 1 : end]) if p and p != "..."]
    parameters = []
    for part in parts:
        type_ = re.match(r"(\{.*\}|<[^>]*>|\[[^\]]*\]|%\S+|\S+)", part)
        assert type_ is not None
        attributes = " ".join(re.findall(r"\b(?:zeroext|signext|sret\([^)]*\)|byval\([^)]*\)|align \d+)", part))
        parameters.append(IrParameter(type_[1], attributes))
    return (match[1] if match else words[-1]), parameters


def _split(text: str) -> list[str]:
    """Split a text at the commas outside all brackets."""
    parts, depth, current = [], 0, ""
    for character in text:
        depth += {"(": 1, ")": -1, "{": 1, "}": -1, "<": 1, ">": -1, "[": 1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += character
    return [*parts, current.strip()] if current.strip() else parts


def read_signature(function: Function, debug: DebugInfo, name: str, arrays: Sequence[ArraySpec],
                   strings: Sequence[StringSpec] = (), module: Module | None = None,
                   own: Sequence[Function] = (), rooms: Sequence[tuple[str, int]] = ()) -> CSignature:  # fmt: skip
    """Build the signature of a function.

    Without debug info, the parameters are ``arg1``, ``arg2``, ... with the types of the IR. No pointer is nullable yet.

    Args:
        function: the IR function.
        debug: debug info of its module.
        name: name of the function, for messages.
        arrays: the user's ``--array`` options.
        strings: the user's ``--string`` options.
        module: the function's module, with the functions that it calls; None: only the function itself is known.
        own: functions that function pointers may be set to, except the function itself.
        rooms: number of elements for arrays of unknown length, by parameter name.

    Raises:
        UnsupportedParameter: a parameter's type is not supported (the message names the first one and says why), the
            function is a private or protected member, or it takes a variable number of arguments or too many numbers.
        OptionError: ``--array`` or ``--string`` names no parameter, or one that is no such pointer.
    """
    returned, declared = ir_parameters(function.header)
    subprogram = function.subprogram
    types = debug.items(debug.fields(debug.fields(subprogram).get("type")).get("types")) if subprogram else []
    if "(...)" in function.header or ", ..." in function.header:
        raise UnsupportedParameter(f"{name}: takes a variable number of arguments, which is not supported")
    if debug.is_hidden(subprogram):
        raise UnsupportedParameter(f"{name}: is a private or protected member, which a test can not call; test what "
                                   "calls it")  # fmt: skip
    given = [one for one in declared if not one.is_result]
    if types:
        which = Strings(function, module or Module([function]), strings)
        found = uses(function, module or Module([function]))
        parameters = _described(function, debug, name, types[1:], given, {a.name: a for a in arrays}, which,
                                [one for one in own if one.name != function.name], found, dict(rooms))  # fmt: skip
    else:
        parameters = [_undescribed(one, f"arg{n + 1}", name) for n, one in enumerate(given)]
    check_specs(strings, [spec.name for spec in arrays], parameters, name)
    signature = CSignature(
        name,
        _tie_counts(parameters, arrays, name),
        debug.type_name(types[0]) if types else returned,
        result=_result(debug, types[0] if types else None, returned),
        result_size=_result_size(debug, types[0] if types else None, name) if len(given) < len(declared) else 0,
        call=debug.qualified_name(subprogram) or function.name,
        symbol=function.name,
        beside_main=module is not None and "main" in module.functions,
    )
    pointers = _pointers(signature, len(declared) - len(given), debug, subprogram)
    if pointers:
        signature = replace(signature, sharing=sharing(pointers, used(function, module or Module([function]))))
    lengths = {spec.name: spec.length for spec in arrays if spec.is_of_field}
    signature = with_pointees(signature, debug, dict(rooms), [one for one in own if one.name != function.name], lengths)
    _check_fields([spec for spec in arrays if spec.is_of_field], signature)
    if signature.arity > MOST_WORDS:
        raise UnsupportedParameter(f"{name}: takes {signature.arity:,} numbers, but at most {MOST_WORDS:,} are "
                                   "supported; make an array shorter with --array NAME=LENGTH")  # fmt: skip
    return signature


def _pointers(signature: CSignature, at: int, debug: DebugInfo,
              subprogram: str | None) -> dict[int, tuple[str, PointeeTypes]]:  # fmt: skip
    """Return the pointer parameters by their position in the IR function: name, and types of the memory behind it.

    Args:
        signature: the function's signature.
        at: position of the first source parameter in the IR function.
        debug: debug info of the module.
        subprogram: ref of the function's debug info node.
    """
    found = dict[int, tuple[str, PointeeTypes]]()
    if debug.is_member(subprogram):
        found[at] = "this", behind(debug, debug.arguments(subprogram or "")[1].get("type"))
        at += 1
    for parameter in signature.parameters:
        if parameter.is_pointer:
            found[at] = parameter.name, parameter.behind
        at += max(1, len(parameter.pieces))
    return found


def _described(
    function: Function,
    debug: DebugInfo,
    name: str,
    types: list[str],
    declared: list[IrParameter],
    specs: Mapping[str, ArraySpec],
    strings: Strings,
    own_functions: Sequence[Function],
    found: ParameterUses,
    rooms: Mapping[str, int],
) -> list[CParameter]:
    """Build the source's parameters, without ``this``. Each is one or more parameters of the IR function.

    Raises:
        UnsupportedParameter: a type or the calling convention is not supported.
        OptionError: ``--string`` names a pointer to something else than 8-bit numbers.
    """
    names = debug.arguments(function.subprogram or "")
    left, parameters, used = list(declared), list[CParameter](), bytes_used(function)
    told, positions = set(specs), dict[str, int]()
    for position, described in enumerate(types):
        fields = names.get(position + 1, {})
        own = fields.get("name") or f"arg{position + 1}"
        ref = fields.get("type") or described
        length = specs[own].length if own in specs else None
        if length is None and "name" in fields:
            length = _declared_length(debug, fields, function)
            told |= {own} if length is not None or strings.given(own) else set()
        try:
            if "DIFlagArtificial" in fields.get("flags", "") and own == "this":
                del left[:1]
                continue
            argument = positions[own] = len(function.parameters) - len(left)
            if is_function(debug, ref):
                parameters.append(CParameter(own, debug.type_name(ref), callback_of(debug, ref, own_functions)))
                del left[:1]
                continue
            parameter = _parameter(debug, ref, own, length, found.types.get(argument, set()))
            if length is None:
                parameter = _as_used(parameter, *used.get(argument, (0, 0)))
            if parameter.is_pointer and own not in specs:
                behind = _neighbour(debug, types[position + 1 :], names.get(position + 2, {}))
                counted = any(one.counts for one in found.sized.get(argument, ()))
                parameter = strings.made(parameter, argument, is_char(debug, ref), length, behind, counted)
            if isinstance(parameter.layout, Structure) and not parameter.is_pointer:
                parameter = replace(parameter, pieces=_pieces(parameter.layout, left))
        except NoLayout as error:
            raise UnsupportedParameter(
                f"{name}: parameter {own!r} has type {debug.type_name(ref)!r}, {error}"
            ) from error
        del left[: max(1, len(parameter.pieces))]
        parameters.append(parameter)
    this = debug.is_member(function.subprogram)  # also a possible parameter name in C
    if left or sum(max(1, len(p.pieces)) for p in parameters) + this != len(declared):
        raise UnsupportedParameter(f"{name}: the calling convention of a parameter is not supported; write a wrapper")
    return [with_room(parameter, rooms) for parameter in with_sizes(parameters, told, positions, found)]


def _parameter(debug: DebugInfo, ref: str, own: str, length: int | None, types: Set[str]) -> CParameter:
    """Build a parameter from its type.

    Args:
        debug: debug info of the module.
        ref: ref of the type.
        own: name of the parameter.
        length: number of elements that the declaration or the user gives; None if there is none.
        types: the IR types that the code accesses through the pointer.

    Raises:
        NoLayout: the type is not supported.
    """
    written = debug.type_name(ref)
    base, _ = debug.resolve(ref)
    if not is_pointer(debug, base):
        return CParameter(own, written, layout_of(debug, base if debug.fields(base).get("tag") not in RECORDS else ref))
    target = debug.fields(base).get("baseType")
    layout = _untyped(types) if debug.resolve(target)[0] in (None, "null") else layout_of(debug, target, pointers=True)
    if length is not None or isinstance(layout, Scalar | OddFloat):
        inner = layout if isinstance(layout, Array) else Array(layout, 1)
        layout = replace(inner, count=inner.count * (length or 1))
    constant = written.split("*")[0].find("const") >= 0 or debug.is_constant(debug.fields(base).get("baseType"))
    return CParameter(own, written, layout, is_pointer=True, is_output=not constant, behind=behind(debug, ref))


def _untyped(types: Set[str]) -> Scalar:
    """Return the layout behind a ``void *``: the type that the code accesses there if there is only one, else bytes."""
    kind = _IR_KINDS.get(next(iter(types)), Kind.U8) if len(types) == 1 else Kind.U8
    return Scalar(kind if kind not in (Kind.I8, Kind.BOOL) else Kind.U8)


def _neighbour(debug: DebugInfo, types: Sequence[str], fields: Mapping[str, str]) -> Neighbour | None:
    """Return the parameter after a pointer; None if there is none.

    Args:
        debug: debug info of the module.
        types: refs of the types of all parameters after the pointer.
        fields: debug info of the next parameter, which may be empty.
    """
    if not types:
        return None
    ref = fields.get("type") or types[0]
    base, _ = debug.resolve(ref)
    return Neighbour(fields.get("name", ""), debug.type_name(ref), scalar_of(debug, base))


def _as_used(parameter: CParameter, size: int, count: int) -> CParameter:
    """Give a pointer as many elements as the code's constant indices need; if these are too many, leave it unchanged.

    Args:
        parameter: the parameter.
        size: bytes used by constant indices.
        count: number of structures used by constant indices.
    """
    layout = parameter.layout
    if not parameter.is_pointer or isinstance(layout, Scalar):
        return parameter
    length = max(-(-size // layout.size), count * isinstance(layout, Structure))
    if not 1 < length <= MOST_ELEMENTS:
        return parameter
    longer = Array(layout, length) if isinstance(layout, Structure) else Array(layout.element, layout.count * length)
    return replace(parameter, layout=longer)


def _pieces(layout: Structure, declared: list[IrParameter]) -> tuple[tuple[str, int], ...]:
    """Return how x86-64 passes a structure: IR type and byte offset of each 8-byte register; empty if by address.

    Args:
        layout: layout of the structure.
        declared: the IR parameters, from the structure's first one to the last of all.

    Raises:
        NoLayout: the calling convention is not supported.
    """
    words = sorted({cell.offset // 8 for cell in cells(layout)})
    if not declared or declared[0].is_by_value or declared[0].type == "ptr":
        return ()
    if layout.size > 16 or len(declared) < len(words):
        raise NoLayout("whose calling convention is not supported; write a wrapper")
    return tuple((one.type, 8 * word) for one, word in zip(declared, words, strict=False))


def _undescribed(ir_type: IrParameter, own: str, function: str) -> CParameter:
    """Build a parameter without debug info from its IR type alone; integers are assumed to be signed.

    Raises:
        UnsupportedParameter: it is a pointer, or its type is not supported.
    """
    if ir_type.type in _IR_KINDS:
        return CParameter(own, ir_type.type, Scalar(_IR_KINDS[ir_type.type]))
    why = "compile with -g so that its target is known" if ir_type.type == "ptr" else "which is not supported"
    raise UnsupportedParameter(f"{function}: parameter {own!r} has IR type {ir_type.type!r}, {why}")


def _declared_length(debug: DebugInfo, fields: dict[str, str], function: Function) -> int | None:
    """Return the length of a parameter declared as an array, such as ``double x[4]``; None if it has none.

    The compiler turns the parameter into a pointer, so only the source text has the length.
    """
    position = debug.fields(fields.get("file"))
    path = Path(position.get("directory", "")) / position.get("filename", "")
    try:
        text = path.read_text(errors="replace")
    except OSError:  # no source file, for instance with IR from another machine: treat it as a plain pointer
        return None
    line = int(fields.get("line", "0"))
    here = "\n".join(text.split("\n")[line - 1 : line + 1]).partition("{")[0]  # x[4] in the body is no declaration
    match = re.search(rf"\b{re.escape(fields['name'])}\s*\[\s*(?:static\s+|const\s+)*(\w+)\s*\]", here)
    if not match:
        return None
    size = match[1]
    if not size.isdigit():
        macro = re.search(rf"^[ \t]*#[ \t]*define[ \t]+{re.escape(size)}[ \t]+\(?(\d+)\)?", text, re.M)
        size = macro[1] if macro else ""
    return int(size) if size.isdigit() and 1 <= int(size) <= MOST_ELEMENTS else None


def _result(debug: DebugInfo, ref: str | None, returned: str) -> Layout | None:
    """Return the layout of the result; None if it can not be compared."""
    if ref is None:
        return Scalar(_IR_KINDS[returned]) if returned in _IR_KINDS else None
    try:
        return None if ref == "null" or is_pointer(debug, debug.resolve(ref)[0]) else layout_of(debug, ref)
    except NoLayout:
        return None


def _result_size(debug: DebugInfo, ref: str | None, function: str) -> int:
    """Return the size in bytes of a structure that is returned through memory of the caller.

    Raises:
        UnsupportedParameter: the size is unknown.
    """
    size = debug.fields(debug.resolve(ref)[0]).get("size", "")
    if not size:
        raise UnsupportedParameter(f"{function}: returns a struct of unknown size; compile with -g, or write a wrapper")
    return int(size) // 8


def _tie_counts(parameters: list[CParameter], arrays: Sequence[ArraySpec], function: str) -> tuple[CParameter, ...]:
    """Mark the integer parameters that hold array lengths by the user's ``--array`` options.

    The list ``parameters`` is changed; the result has the same items.

    Raises:
        OptionError: the option names no pointer, or no integer, of the function.
    """
    by_name = {p.name: n for n, p in enumerate(parameters)}
    for spec in arrays:
        if spec.is_of_field:
            continue
        if spec.name not in by_name or not parameters[by_name[spec.name]].is_pointer:
            pointers = ", ".join(p.name for p in parameters if p.is_pointer) or "none"
            raise OptionError(
                f"--array {spec.name}: {function} has no pointer parameter of that name (it has: {pointers})"
            )
        if spec.count is None:
            continue
        at = by_name.get(spec.count)
        if at is None or not parameters[at].is_integer:
            raise OptionError(
                f"--array {spec.name}: {function} has no integer parameter {spec.count!r} to hold the length"
            )
        count = parameters[at]
        if count.limit is None or spec.length < count.limit:  # one integer may be the length of several arrays
            parameters[at] = replace(count, count_of=spec.name, limit=spec.length, is_guess=False)
    return tuple(parameters)


def _check_fields(arrays: Sequence[ArraySpec], signature: CSignature) -> None:
    """Check the ``--array`` options that are about fields.

    Raises:
        OptionError: one names no pointer field that leads to memory, or gives a parameter for the length.
    """
    known = [p.name for p in signature.parameters if isinstance(p, Pointee) and p.is_pointer]
    for spec in arrays:
        if spec.name not in known:
            raise OptionError(f"--array {spec.name}: {signature.name} has no pointer field of that name (it has: "
                              f"{', '.join(known) or 'none'})")  # fmt: skip
        if spec.count is not None:
            raise OptionError(f"--array {spec.name}: the length of what a field points to is fixed; leave out "
                              f"',{spec.count}'")  # fmt: skip


def with_null(signature: CSignature, compared: Collection[int], before: int = 0) -> CSignature:
    """Mark the pointers that the subject compares with NULL as nullable.

    Args:
        signature: the function's signature.
        compared: their positions among the IR function's parameters; the address of a returned structure counts.
        before: number of IR parameters before those of the signature, such as ``this``.
    """
    at, parameters = int(signature.result_size > 0) + before, list[CParameter]()
    for parameter in signature.parameters:
        is_pointer = parameter.is_pointer or parameter.callback is not None
        nullable = at in compared and is_pointer and not parameter.type.endswith("&")
        parameters.append(replace(parameter, nullable=True) if nullable else parameter)
        at += max(1, len(parameter.pieces))
    return replace(signature, parameters=tuple(parameters))
