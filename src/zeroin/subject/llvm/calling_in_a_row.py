"""The IR of a function that calls another one several times in a row: what its parameters point to says how, see
:mod:`zeroin.subject.llvm.sequence`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .calling import Body
from .ir import Function, Module, mentioned, quoted
from .layout import Array, Layout, Scalar, Structure, cells
from .read.steady import changed
from .sequence import ENTRY, SequenceSignature
from .signature import IrParameter, ir_parameters

_VARIABLE = re.compile(r"^(?:[\w()]+ )*?global ")
_STORE = re.compile(r"^\s+store \S+ [^@,]+, ptr @")


def calls(signature: SequenceSignature, header: str, function: str) -> str:
    """IR of ``void zeroin.calls(i8 count, ptr steps, ptr returned)``.

    Args:
        header: the ``define`` line of the function that is called.
        function: its name.
    """
    body = Body()
    returned, declared = ir_parameters(header)
    parameters = ["i8 zeroext %count", "ptr %steps", *["ptr %returned"] * (signature.each.result is not None)]
    count = body.new("zext i8 %count to i64")
    index, calls_loop = body.begin(0, count)
    element = signature.steps.element
    step = body.at(f"[{element.size} x i8]", "%steps", index)
    times = body.new(f"zext i16 {body.load('i16', step, element.fields[-1].offset)} to i64")
    turn, same_loop = body.begin(0, times)
    place = _place(body, signature, index)
    _call(body, signature, returned, declared, function, step, place)
    body.turn(turn, same_loop)
    body.turn(index, calls_loop)
    return f"\ndefine void @{ENTRY}({', '.join(parameters)}) {{\n{body.text()}  ret void\n}}\n"


def _place(body: Body, signature: SequenceSignature, index: str) -> str:
    """Where what a call returns is put; empty for nowhere."""
    if signature.each.result is None:
        return ""
    kept = signature.parameters[-1].layout
    assert isinstance(kept, Array)
    return body.at(f"[{kept.element.size} x i8]", "%returned", index)


def _call(body: Body, signature: SequenceSignature, returned: str, declared: list[IrParameter], function: str,
          step: str, place: str) -> None:  # fmt: skip
    """Call it with the fields of a step, and put what it returns there."""
    given, arguments = iter(declared), list[str]()
    if signature.each.result_size:
        result = place or body.variable(f"[{signature.each.result_size} x i8]")
        arguments.append(f"ptr sret([{signature.each.result_size} x i8]) {next(given).alignment} {result}")
    for parameter, field in zip(signature.each.parameters, signature.steps.element.fields, strict=False):
        at = body.at("i8", step, field.offset)
        if isinstance(field.layout, Scalar) and not parameter.is_pointer:
            one = next(given)
            arguments.append(f"{one.type} {one.extension} {_number(body, field.layout, one.type, at)}")
        elif parameter.is_pointer or not parameter.pieces:
            one = next(given)
            how = f"byval([{field.layout.size} x i8]) {one.alignment}" if one.is_by_value else ""
            arguments.append(f"ptr {how} {at}")
        else:
            arguments += [f"{type_} {body.load(type_, at, offset)}" for type_, offset in parameter.pieces]
            for _ in parameter.pieces:
                next(given)
    call = f"call {returned} @{quoted(function)}({', '.join(arguments)})"
    if returned == "void":
        body.add(call)
        return
    value = body.new(call)
    if place and not signature.each.result_size and signature.each.result is not None:
        _put(body, signature.each.result, returned, value, place)


def _number(body: Body, layout: Scalar, type_: str, at: str) -> str:
    """A number in memory, as the type of an argument."""
    stored = type_ if type_ in ("float", "double") else f"i{8 * layout.size}"
    value = body.load(stored, at, 0)
    return value if stored == type_ else body.new(f"trunc {stored} {value} to {type_}")


def _put(body: Body, layout: Layout, returned: str, value: str, place: str) -> None:
    """Store what has been returned in registers."""
    if isinstance(layout, Structure):
        first = cells(layout)[0].offset // 8 * 8
        body.add(f"store {returned} {value}, ptr {body.at('i8', place, first)}, align 1")
        return
    stored = returned if re.fullmatch(r"float|double", returned) else f"i{8 * layout.size}"
    if stored != returned:
        value = body.new(f"zext {returned} {value} to {stored}")
    body.add(f"store {stored} {value}, ptr {place}, align 1")


def keeps_state(module: Module, functions: Iterable[Function]) -> bool:
    """Whether functions find in a variable what they have put there in an earlier call."""
    variables = {name for name, text in module.initialisers().items() if _VARIABLE.search(text)}
    text = Module(list(functions)).text()
    read = {name for line in text.splitlines() if not _STORE.match(line) for name in mentioned(line)}
    return bool(variables & read & changed(text, variables & read))
