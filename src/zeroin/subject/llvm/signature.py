"""The signature of a compiled function: what to feed it, read from its debug info and its IR type."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...errors import OptionError, UnsupportedParameter
from ...native.words import IR
from ...words import Kind
from .debuginfo import DebugInfo
from .ir import Function
from .parameters import CParameter, CSignature

_SIGNED = {8: Kind.I8, 16: Kind.I16, 32: Kind.I32, 64: Kind.I64}
_UNSIGNED = {8: Kind.U8, 16: Kind.U16, 32: Kind.U32, 64: Kind.U64}
_IR_KINDS = {"double": Kind.F64, "float": Kind.F32, "i1": Kind.BOOL,
             "i8": Kind.I8, "i16": Kind.I16, "i32": Kind.I32, "i64": Kind.I64}  # fmt: skip


@dataclass(frozen=True)
class IrParameter:
    """One parameter as the IR declares it: its type and the attributes that a call must repeat."""

    type: str
    attributes: str


@dataclass(frozen=True)
class ArraySpec:
    """The user's ``--array NAME=LENGTH[,COUNT]``."""

    name: str
    length: int
    count: str | None = None

    @classmethod
    def parse(cls, text: str) -> ArraySpec:
        match = re.fullmatch(r"(\w+)=0*(\d{1,2})(?:,(\w+))?", text)
        if not match or not 1 <= int(match[2]) <= 64:
            raise OptionError(f"--array {text!r}: write NAME=LENGTH or NAME=LENGTH,COUNT with a length from 1 to 64")
        return cls(match[1], int(match[2]), match[3])


def ir_parameters(header: str) -> tuple[str, list[IrParameter]]:
    """The return type and the parameters of a ``define`` line."""
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
    parts, depth, current = [], 0, ""
    for character in text:
        depth += {"(": 1, ")": -1, "{": 1, "}": -1, "<": 1, ">": -1, "[": 1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += character
    return [*parts, current.strip()] if current.strip() else parts


def read_signature(function: Function, debug: DebugInfo, name: str, arrays: Sequence[ArraySpec]) -> CSignature:
    """Build the signature.

    Raises:
        UnsupportedParameter: names the first parameter that can not be driven and says why.
        OptionError: ``--array`` names a parameter that is not a pointer, or none at all.
    """
    returned, declared = ir_parameters(function.header)
    subprogram = function.subprogram
    types = debug.items(debug.fields(debug.fields(subprogram).get("type")).get("types")) if subprogram else []
    described = types[1:] if types else []
    if "(...)" in function.header or ", ..." in function.header:
        raise UnsupportedParameter(f"{name}: takes a variable number of arguments, which can not be driven")
    if any("sret" in p.attributes for p in declared):
        raise UnsupportedParameter(f"{name}: returns a struct through memory, which is not supported; wrap it")
    names = debug.arguments(subprogram) if subprogram else {}
    if described and len(described) != len(declared):
        _refuse_split(debug, described, names, name)
    specs = {a.name: a for a in arrays}
    parameters = []
    for position, ir_type in enumerate(declared):
        fields = names.get(position + 1, {})
        own = fields.get("name") or f"arg{position + 1}"
        ref = fields.get("type") or (described[position] if described else None)
        length = _declared_length(debug, fields, function) if "name" in fields else None
        parameters.append(_parameter(debug, ref, ir_type, own, specs.get(own), name, length))
    result = _result_kind(debug, types[0] if types else None, returned)
    return CSignature(
        name,
        _tie_counts(parameters, arrays, name),
        debug.type_name(types[0]) if types else returned,
        result=result,
        call=debug.qualified_name(subprogram) or function.name,
        symbol=function.name,
    )


def _refuse_split(debug: DebugInfo, described: list[str], names: Mapping[int, dict[str, str]], function: str) -> None:
    """The IR has more or fewer parameters than the source: one is passed in pieces. Name it."""
    for position, ref in enumerate(described):
        base, _ = debug.resolve(ref)
        pointer = debug.fields(base).get("tag") in ("DW_TAG_pointer_type", "DW_TAG_reference_type")
        if not pointer and _primitive(debug, base)[0] is None:
            own = names.get(position + 1, {}).get("name") or f"arg{position + 1}"
            raise UnsupportedParameter(
                f"{function}: parameter {own!r} has type {debug.type_name(ref)!r}, {_why(debug, base)}"
            )
    raise UnsupportedParameter(f"{function}: a parameter is passed in pieces, which is not supported; wrap it")


def _parameter(debug: DebugInfo, ref: str | None, ir_type: IrParameter, own: str, spec: ArraySpec | None,
               function: str, declared: int | None) -> CParameter:  # fmt: skip
    if ref is None:
        return _undescribed(ir_type, own, spec, function)
    written = debug.type_name(ref)
    base, _ = debug.resolve(ref)
    fields = debug.fields(base)
    if fields.get("tag") not in ("DW_TAG_pointer_type", "DW_TAG_reference_type"):
        kind, values = _primitive(debug, base)
        if kind is None:
            raise UnsupportedParameter(f"{function}: parameter {own!r} has type {written!r}, {_why(debug, base)}")
        return CParameter(own, written, kind, values=values)
    target, _ = debug.resolve(fields.get("baseType"))
    inner = debug.fields(target)
    length = spec.length if spec else declared or 1
    if inner.get("tag") == "DW_TAG_array_type":
        target, _ = debug.resolve(inner.get("baseType"))
        counts = [debug.fields(e).get("count", "") for e in debug.items(inner.get("elements"))]
        if not all(c.isdigit() for c in counts):
            raise UnsupportedParameter(f"{function}: parameter {own!r} has type {written!r}, an array of unknown size")
        for count in counts:
            length *= int(count)
    kind, values = _primitive(debug, target)
    if kind is None:
        raise UnsupportedParameter(f"{function}: parameter {own!r} has type {written!r}, {_why(debug, target)}")
    constant = written.split("*")[0].find("const") >= 0
    return CParameter(own, written, kind, length=length, is_output=not constant, values=values)


def _undescribed(ir_type: IrParameter, own: str, spec: ArraySpec | None, function: str) -> CParameter:
    """A parameter of IR that carries no debug info: LLVM's own type has to do; integers are taken as signed."""
    if ir_type.type in _IR_KINDS:
        return CParameter(own, ir_type.type, _IR_KINDS[ir_type.type])
    why = "compile with -g so that its target is known" if ir_type.type == "ptr" else "which can not be driven"
    raise UnsupportedParameter(f"{function}: parameter {own!r} has IR type {ir_type.type!r}, {why}")


def _primitive(debug: DebugInfo, ref: str | None) -> tuple[Kind | None, tuple[int, ...]]:
    fields = debug.fields(ref)
    size = int(fields.get("size", "0") or 0)
    if fields.get("tag") == "DW_TAG_enumeration_type":
        kind, _ = _primitive(debug, debug.resolve(fields.get("baseType"))[0])
        members = [debug.fields(e).get("value", "") for e in debug.items(fields.get("elements"))]
        return kind or _UNSIGNED.get(size), tuple(int(m) for m in members if re.fullmatch(r"-?\d+", m))
    encoding = fields.get("encoding", "")
    if encoding == "DW_ATE_float":
        return {64: Kind.F64, 32: Kind.F32}.get(size), ()
    if encoding == "DW_ATE_boolean":
        return Kind.BOOL, ()
    if encoding in ("DW_ATE_signed", "DW_ATE_signed_char"):
        return _SIGNED.get(size), ()
    if encoding in ("DW_ATE_unsigned", "DW_ATE_unsigned_char", "DW_ATE_UTF"):
        return _UNSIGNED.get(size), ()
    return None, ()


def _why(debug: DebugInfo, ref: str | None) -> str:
    fields = debug.fields(ref)
    tag, encoding = fields.get("tag", ""), fields.get("encoding", "")
    if tag in ("DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type"):
        return "a struct or union, which is not supported; write a small wrapper that takes its fields"
    if tag in ("DW_TAG_pointer_type", "DW_TAG_reference_type"):
        return "a pointer to a pointer, which is not supported"
    if debug.kind(ref) == "DISubroutineType":
        return "a pointer to a function, which is not supported"
    if ref is None or ref == "null":
        return "a pointer to nothing that has a type; write a small wrapper with a typed pointer"
    if encoding == "DW_ATE_float":
        return "a float of a width other than 32 and 64 bits, which is not supported"
    if encoding == "DW_ATE_complex_float":
        return "a complex number, which is not supported"
    return "which is not supported (only float, double, integers up to 64 bits, bool, enum and pointers to them)"


def _declared_length(debug: DebugInfo, fields: dict[str, str], function: Function) -> int | None:
    """``double x[4]`` is a pointer to every compiler; only the source still knows the 4."""
    position = debug.fields(fields.get("file"))
    path = Path(position.get("directory", "")) / position.get("filename", "")
    try:
        text = path.read_text(errors="replace")
    except OSError:  # the source is not at hand (IR from elsewhere): a plain pointer then
        return None
    line = int(fields.get("line", "0"))
    here = "\n".join(text.split("\n")[line - 1 : line + 1]).partition("{")[0]  # x[4] in the body says nothing
    match = re.search(rf"\b{re.escape(fields['name'])}\s*\[\s*(?:static\s+|const\s+)*(\w+)\s*\]", here)
    if not match:
        return None
    size = match[1]
    if not size.isdigit():
        macro = re.search(rf"^[ \t]*#[ \t]*define[ \t]+{re.escape(size)}[ \t]+\(?(\d+)\)?", text, re.M)
        size = macro[1] if macro else ""
    return int(size) if size.isdigit() and 1 <= int(size) <= 64 else None


def _result_kind(debug: DebugInfo, ref: str | None, returned: str) -> Kind | None:
    if ref is not None:
        base, _ = debug.resolve(None if ref == "null" else ref)
        return _primitive(debug, base)[0]
    return _IR_KINDS.get(returned)


def _tie_counts(parameters: list[CParameter], arrays: Sequence[ArraySpec], function: str) -> tuple[CParameter, ...]:
    by_name = {p.name: n for n, p in enumerate(parameters)}
    for spec in arrays:
        if spec.name not in by_name or parameters[by_name[spec.name]].length is None:
            pointers = ", ".join(p.name for p in parameters if p.length is not None) or "none"
            raise OptionError(
                f"--array {spec.name}: {function} has no pointer parameter of that name (it has: {pointers})"
            )
        if spec.count is None:
            continue
        at = by_name.get(spec.count)
        if at is None or parameters[at].kind.is_float or parameters[at].length is not None:
            raise OptionError(
                f"--array {spec.name}: {function} has no integer parameter {spec.count!r} to hold the length"
            )
        count = parameters[at]
        if count.limit is None or spec.length < count.limit:  # it may be the length of several
            parameters[at] = replace(count, count_of=spec.name, limit=spec.length)
    return tuple(parameters)


def with_null(signature: CSignature, compared: Mapping[int, bool]) -> CSignature:
    """Mark the pointers (by position) that the subject compares with NULL."""
    parameters = tuple(replace(p, nullable=True) if compared.get(n) and p.length is not None else p
                       for n, p in enumerate(signature.parameters))  # fmt: skip
    return replace(signature, parameters=parameters)


def glue(signature: CSignature, header: str, symbol: str, entry: str, inline: bool) -> str:
    """IR of ``void entry(const int64_t *words)``: decodes the words, calls ``symbol`` or takes it in (Clang's -O0 says
    ``noinline`` of all functions), keeps the result's bits."""
    returned, declared = ir_parameters(header)
    body: list[str] = []
    arguments = []
    word = buffer = 0
    for number, (parameter, ir_type) in enumerate(zip(signature.parameters, declared, strict=False)):
        if parameter.length is None:
            value = _decode(body, f"p{number}", word, parameter.kind, ir_type.type)
            word += 1
        else:
            value, word = _pointer(body, number, parameter, word, buffer)
            buffer += 1
        arguments.append(f"{ir_type.type} {ir_type.attributes.split(' align')[0]} {value}")
    call = f"call {returned} @{symbol}({', '.join(arguments)}){' alwaysinline' if inline else ''}"
    body.append(call if returned == "void" else f"%result = {call}")
    _keep_result(body, returned, signature.result)
    lines = "\n".join("  " + line for line in body)
    return f"{IR}\ndefine void @{entry}(ptr %words) {{\n{lines}\n  ret void\n}}\n"


def _decode(body: list[str], name: str, word: int, kind: Kind, ir_type: str) -> str:
    body.append(f"%{name}.at = getelementptr i64, ptr %words, i64 {word}")
    body.append(f"%{name}.word = load i64, ptr %{name}.at")
    if kind.is_float:
        wide = kind == Kind.F64
        if wide:
            body.append(f"%{name}.value = call double @zeroin_double(i64 %{name}.word)")
        else:
            body.append(f"%{name}.low = trunc i64 %{name}.word to i32")
            body.append(f"%{name}.value = call float @zeroin_float(i32 %{name}.low)")
        if not wide and ir_type == "double":
            body.append(f"%{name}.wide = fpext float %{name}.value to double")
            return f"%{name}.wide"
        return f"%{name}.value"
    source = f"%{name}.word"
    if kind == Kind.U64:
        body.append(f"%{name}.flip = xor i64 {source}, -9223372036854775808")
        source = f"%{name}.flip"
    if ir_type == "i64":
        return source
    body.append(f"%{name}.value = trunc i64 {source} to {ir_type}")
    return f"%{name}.value"


def _pointer(body: list[str], number: int, parameter: CParameter, word: int, buffer: int) -> tuple[str, int]:
    name = f"p{number}"
    body.append(f"%{name}.table = load ptr, ptr @zeroin_buffers")
    body.append(f"%{name}.slot = getelementptr ptr, ptr %{name}.table, i64 {buffer}")
    body.append(f"%{name}.buffer = load ptr, ptr %{name}.slot")
    pointer = f"%{name}.buffer"
    if parameter.nullable:
        body.append(f"%{name}.null.at = getelementptr i64, ptr %words, i64 {word}")
        body.append(f"%{name}.null = load i64, ptr %{name}.null.at")
        body.append(f"%{name}.isnull = icmp ne i64 %{name}.null, 0")
        body.append(f"%{name}.pointer = select i1 %{name}.isnull, ptr null, ptr %{name}.buffer")
        pointer = f"%{name}.pointer"
        word += 1
    element = {Kind.F64: "double", Kind.F32: "float", Kind.BOOL: "i8"}.get(parameter.kind, f"i{parameter.kind.bits}")
    for index in range(parameter.length or 0):
        value = _decode(body, f"{name}.{index}", word, parameter.kind, element)
        body.append(f"%{name}.{index}.to = getelementptr {element}, ptr %{name}.buffer, i64 {index}")
        body.append(f"store {element} {value}, ptr %{name}.{index}.to")
        word += 1
    return pointer, word


def _keep_result(body: list[str], returned: str, kind: Kind | None) -> None:
    if kind is None:
        return
    if returned == "double":
        body.append("%bits = bitcast double %result to i64")
    elif returned == "float":
        body.append("%low = bitcast float %result to i32")
        body.append("%bits = zext i32 %low to i64")
    elif returned == "i64":
        body.append("%bits = add i64 %result, 0")
    elif re.fullmatch(r"i\d+", returned):
        body.append(f"%bits = zext {returned} %result to i64")
    else:
        return
    body.append("store i64 %bits, ptr @zeroin_result")
