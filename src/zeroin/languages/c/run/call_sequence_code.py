"""The IR of a function that calls another one several times in a row: what its parameters point to says how, see
:mod:`zeroin.languages.c.front.call_sequence`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ....subject.constant import Constant
from ..front.call_sequence import ENTRY, SequenceSignature, in_a_row
from ..front.layout import Array, Layout, Scalar, Structure, cells
from ..front.object_maker import Maker
from ..front.parameters import CSignature
from ..front.signature import IrParameter, ir_parameters
from ..llvm_ir.ir import Function, Module, bare, mentioned, quoted, read
from ..read.constant_variables import changed
from .call_code import Body
from .undefined_behaviour import is_of_check

_VARIABLE = re.compile(r"(?:[\w()]+ )*?global (\S+) ")
_LOAD = re.compile(r'^\s+(%\S+) = load (?:volatile )?\S+, ptr @("[^"]+"|[-\w$.]+)')
_COMPUTED = re.compile(r"^\s+(%\S+) = (?:f?(?:add|sub|mul)|and|or|xor|shl|sext|zext|trunc) ")
_STORE = re.compile(r'^\s+store (?:volatile )?(\S+) [^@,]+, ptr @("[^"]+"|[-\w$.]+),')
_PART = re.compile(r"^\s+(%\S+) = getelementptr ")
_FILLED = re.compile(r'@llvm\.mem(?:cpy|move|set)[\w.]*\(ptr (?:align \d+ )?@("[^"]+"|[-\w$.]+)')
_CALL = re.compile(r"\b(?:call|invoke) ")


def put_in_a_row(signature: CSignature, module: Module, functions: Sequence[Function], maker: Maker | None,
                 constants: Iterable[Constant], most: int) -> tuple[CSignature, str]:  # fmt: skip
    """Have a run make several calls, if the function keeps a state, or is called on an object.

    Args:
        signature: of one call.
        module: gets the function that makes the calls.
        functions: the one that is called, and all that it calls.
        maker, constants, most: see :func:`zeroin.languages.c.front.call_sequence.in_a_row`.

    Returns:
        The signature, and the IR of the function that makes the calls; empty if a run is a single call.
    """
    if maker is None and (most < 2 or not keeps_state(module, functions)):
        return signature, ""
    found = in_a_row(signature, constants, most, maker)
    if not isinstance(found, SequenceSignature):
        return found, ""
    text = calls(found, module.functions[signature.entry].header, signature.entry)
    module.parts.extend(read(text).parts)
    return found, text


def calls(signature: SequenceSignature, header: str, function: str) -> str:
    """IR of ``void calls.in.a.row(i8 count, ptr steps, ptr returned)``; before these come the parameters of the
    constructor, if there is an object.

    Args:
        header: the ``define`` line of the function that is called.
        function: its name.
    """
    body = Body()
    returned, declared = ir_parameters(header)
    parameters = ["i8 zeroext %count", "ptr %steps", *["ptr %returned"] * (signature.each.result is not None)]
    made = ""
    if signature.maker is not None:
        made = body.variable(f"[{signature.maker.size} x i8]")
        given = ir_parameters(signature.maker.header)[1][1:]
        arguments = [f"{one.type} {one.attributes} %made.{number}" for number, one in enumerate(given)]
        body.add(f"call void @{quoted(signature.maker.symbol)}({', '.join([f'ptr {made}', *arguments])})")
        parameters = [*arguments, *parameters]
    count = body.new("zext i8 %count to i64")
    index, calls_loop = body.begin(0, count)
    element = signature.steps.element
    step = body.at(f"[{element.size} x i8]", "%steps", index)
    times = body.new(f"zext i16 {body.load('i16', step, element.fields[-1].offset)} to i64")
    shown = body.new("load i64, ptr @zeroin_shown_size") if signature.each.shows else ""
    turn, same_loop = body.begin(0, times)
    if shown:  # of a call that is made several times, the texts of the last time
        body.add(f"store i64 {shown}, ptr @zeroin_shown_size")
    place = _place(body, signature, index)
    _call(body, signature, returned, declared, function, made, step, place)
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
          this: str, step: str, place: str) -> None:  # fmt: skip
    """Call it, of an object if there is one, with the fields of a step, and put what it returns there."""
    given, arguments = iter(declared), list[str]()
    if signature.each.result_size:
        result = place or body.variable(f"[{signature.each.result_size} x i8]")
        arguments.append(f"ptr sret([{signature.each.result_size} x i8]) {next(given).alignment} {result}")
    if this:
        next(given)
        arguments.append(f"ptr {this}")
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


def keeps_state(module: Module, functions: Sequence[Function]) -> bool:
    """Whether functions, of which the first one is called, find in a variable what an earlier call has put there, and
    not only to count it on."""
    types = {name: found[1] for name, text in module.initialisers().items() if (found := _VARIABLE.match(text))}
    text = Module(list(functions)).text()
    if not types.keys() & set(mentioned(text)):
        return False
    read = {name for one in functions for name in _read(one)} & types.keys()
    return bool((read & changed(text, read)) - _overwritten(functions[0], types))


def _read(function: Function) -> Iterator[str]:
    """The variables of which a function uses what is in them, for something else than what it puts there."""
    lines = [line for block in function.blocks for line in block.lines]
    for line in (line for line in lines if "@" in line):
        load, part = _LOAD.match(line), _PART.match(line)
        if part and _is_only_written(part[1], lines):
            continue
        for name in mentioned(_STORE.sub("", _FILLED.sub("", line))):
            if load is None or not _is_counted_on(load[1], bare(load[2]), lines):
                yield name


def _users(value: str, lines: Sequence[str]) -> Iterator[str]:
    """The instructions that use a value."""
    used = re.compile(rf"{re.escape(value)}(?![\w.$-])")
    return (line for line in lines if used.search(line) and not line.lstrip().startswith(f"{value} = "))


def _is_only_written(address: str, lines: Sequence[str]) -> bool:
    """Whether all that is done with an address is to store something there."""
    for line in _users(address, lines):
        part = _PART.match(line)
        stored = re.match(rf"\s+store .*, ptr {re.escape(address)}(?:,|$)", line)
        if not stored and not (part and _is_only_written(part[1], lines)):
            return False
    return True


def _is_counted_on(value: str, variable: str, lines: Sequence[str]) -> bool:
    """Whether all that is done with a value is to compute another one from it, and to store that where it was."""
    for line in _users(value, lines):
        if (store := _STORE.match(line)) and bare(store[2]) == variable:
            continue
        if is_of_check(line):
            continue
        made = _COMPUTED.match(line)
        if made is None or not _is_counted_on(made[1], variable, lines):
            return False
    return True


def _overwritten(function: Function, types: Mapping[str, str]) -> set[str]:
    """The variables of these types that a function writes as a whole before anything else happens to them."""
    found, seen = set[str](), set[str]()
    for line in function.blocks[0].lines:
        if _CALL.search(line) and "@llvm." not in line:
            break
        if (match := _STORE.match(line)) and types.get(name := bare(match[2])) == match[1] and name not in seen:
            found.add(name)
        seen.update(mentioned(line))
    return found
