"""Write the IR of a function that makes a call sequence: it calls a stateful function several times.

:mod:`zeroin.languages.c.front.call_sequence` defines its parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ....subject.constant import Constant
from ..front.any_method import AnyMethod
from ..front.call_sequence import ENTRY, SequenceSignature, in_a_row
from ..front.layout import Array, Field, Layout, Scalar, Structure, cells
from ..front.object_maker import Constructor
from ..front.parameters import CSignature
from ..front.signature import ir_parameters
from ..llvm_ir.ir import Function, Module, bare, mentioned, quoted, read
from ..read.constant_variables import changed
from .call_code import Body
from .undefined_behaviour import is_of_check

_OBJECT_ALIGNMENT = 128  # also for classes that ask for more than usual
_VARIABLE = re.compile(r"(?:[\w()]+ )*?global (\S+) ")
_LOAD = re.compile(r'^\s+(%\S+) = load (?:volatile )?\S+, ptr @("[^"]+"|[-\w$.]+)')
_COMPUTED = re.compile(r"^\s+(%\S+) = (?:f?(?:add|sub|mul)|and|or|xor|shl|sext|zext|trunc) ")
_STORE = re.compile(r'^\s+store (?:volatile )?(\S+) [^@,]+, ptr @("[^"]+"|[-\w$.]+),')
_PART = re.compile(r"^\s+(%\S+) = getelementptr ")
_FILLED = re.compile(r'@llvm\.mem(?:cpy|move|set)[\w.]*\(ptr (?:align \d+ )?@("[^"]+"|[-\w$.]+)')
_CALL = re.compile(r"\b(?:call|invoke) ")


def make_sequence(signature: CSignature, module: Module, functions: Sequence[Function], maker: Constructor | None,
                 constants: Iterable[Constant], most: int) -> tuple[CSignature, str]:  # fmt: skip
    """Make each run a call sequence, if the function keeps a state or is called on an object.

    Args:
        signature: the signature of one call.
        module: gets the function that makes the calls.
        functions: the function under test, and all functions that it calls.
        maker, constants, most: see :func:`zeroin.languages.c.front.call_sequence.in_a_row`.

    Returns:
        The signature of a run, and the IR of the function that makes the calls. The IR is empty if a run is one call.

    Raises:
        UnsupportedParameter: a parameter of a member function can not be passed in a call sequence.
    """
    if maker is None and (most < 2 or not keeps_state(module, functions)):
        return signature, ""
    found = in_a_row(signature, constants, most, maker)
    if not isinstance(found, SequenceSignature):
        return found, ""
    text = calls(found, module)
    module.parts.extend(read(text).parts)
    return found, text


def calls(signature: SequenceSignature, module: Module) -> str:
    """Return the IR of ``void calls.in.a.row(i8 count, ptr steps, ptr returned)``.

    If the function is called on an object, the constructor's parameters come first.

    Args:
        signature: the signature of the call sequence.
        module: the module of the functions that it calls.
    """
    body = Body()
    parameters = ["i8 zeroext %count", "ptr %steps", *["ptr %returned"] * (signature.each.result is not None)]
    made = ""
    if signature.maker is not None:
        made = body.variable(f"[{signature.maker.size} x i8]", _OBJECT_ALIGNMENT)
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
    if shown:  # a call that is made several times keeps the printed results of the last time only
        body.add(f"store i64 {shown}, ptr @zeroin_shown_size")
    place = _place(body, signature, index)
    if isinstance(signature.each, AnyMethod):
        _call_any(body, signature.each, signature.steps.element.fields, module, made, step, place)
    else:
        _call(body, signature.each, signature.steps.element.fields, module, made, step, place)
    body.turn(turn, same_loop)
    body.turn(index, calls_loop)
    return f"\ndefine void @{ENTRY}({', '.join(parameters)}) {{\n{body.text()}  ret void\n}}\n"


def _place(body: Body, signature: SequenceSignature, index: str) -> str:
    """Return the address for the result of a call; empty if results are not compared."""
    if signature.each.result is None:
        return ""
    kept = signature.parameters[-1].layout
    assert isinstance(kept, Array)
    return body.at(f"[{kept.element.size} x i8]", "%returned", index)


def _call_any(body: Body, each: AnyMethod, fields: Sequence[Field], module: Module, this: str, step: str,
              place: str) -> None:  # fmt: skip
    """Call the method that the first field of a step chooses. The other arguments are those of :func:`_call`."""
    chosen, end, at = body.load("i8", step, fields[0].offset), body.name(), 1
    labels = [body.name() for _ in each.methods]
    ways = " ".join(f"i8 {number}, label %{label}" for number, label in enumerate(labels))
    body.add(f"switch i8 {chosen}, label %{end} [ {ways} ]")
    for number, (label, method) in enumerate(zip(labels, each.methods, strict=True)):
        body.label(label)
        own = fields[at : at + len(method.signature.parameters)]
        at += len(own)
        result = body.at("i8", place, each.result_place(number)) if method.signature.result is not None else ""
        _call(body, method.signature, own, module, body.at("i8", this, method.offset), step, result)
        body.add(f"br label %{end}")
    body.label(end)


def _call(body: Body, called: CSignature, fields: Sequence[Field], module: Module, this: str, step: str,
          place: str) -> None:  # fmt: skip
    """Call a function with the fields of a step, and store the result.

    Args:
        body: gets the instructions.
        called: the signature of the function.
        fields: for each parameter, its field in the structure for a call.
        module: the module of the function.
        this: the address of the object; empty for a plain function.
        step: the address of the structure.
        place: the address for the result; empty if results are not compared.
    """
    returned, declared = ir_parameters(module.functions[called.entry].header)
    given, arguments = iter(declared), list[str]()
    if called.result_size:
        result = place or body.variable(f"[{called.result_size} x i8]")
        arguments.append(f"ptr sret([{called.result_size} x i8]) {next(given).alignment} {result}")
    if this:
        next(given)
        arguments.append(f"ptr {this}")
    for parameter, field in zip(called.parameters, fields, strict=False):
        at = body.at("i8", step, field.offset)
        if isinstance(field.layout, Scalar) and not parameter.is_pointer:
            one = next(given)
            arguments.append(f"{one.type} {one.extension} {number_at(body, field.layout, one.type, at)}")
        elif parameter.is_pointer or not parameter.pieces:
            one = next(given)
            how = f"byval([{field.layout.size} x i8]) {one.alignment}" if one.is_by_value else ""
            arguments.append(f"ptr {how} {at}")
        else:
            arguments += [f"{type_} {body.load(type_, at, offset)}" for type_, offset in parameter.pieces]
            for _ in parameter.pieces:
                next(given)
    call = f"call {returned} @{quoted(called.entry)}({', '.join(arguments)})"
    if returned == "void":
        body.add(call)
        return
    value = body.new(call)
    if place and not called.result_size and called.result is not None:
        _put(body, called.result, returned, value, place)


def number_at(body: Body, layout: Scalar, type_: str, at: str) -> str:
    """Load a number and convert it to the type of an argument."""
    stored = type_ if type_ in ("float", "double") else f"i{8 * layout.size}"
    value = body.load(stored, at, 0)
    return value if stored == type_ else body.new(f"trunc {stored} {value} to {type_}")


def _put(body: Body, layout: Layout, returned: str, value: str, place: str) -> None:
    """Store a result that was returned in registers."""
    if isinstance(layout, Structure):
        first = cells(layout)[0].offset // 8 * 8
        body.add(f"store {returned} {value}, ptr {body.at('i8', place, first)}, align 1")
        return
    stored = returned if re.fullmatch(r"float|double", returned) else f"i{8 * layout.size}"
    if stored != returned:
        value = body.new(f"zext {returned} {value} to {stored}")
    body.add(f"store {stored} {value}, ptr {place}, align 1")


def keeps_state(module: Module, functions: Sequence[Function]) -> bool:
    """Whether a function keeps a state: a static variable whose old value influences a later call.

    A mere counter does not count, nor a variable that the function overwrites before it is read.

    Args:
        module: the module of the functions.
        functions: the function under test first, then all functions that it calls.
    """
    types = {name: found[1] for name, text in module.initialisers().items() if (found := _VARIABLE.match(text))}
    text = Module(list(functions)).text()
    if not types.keys() & set(mentioned(text)):
        return False
    read = {name for one in functions for name in used_values(one)} & types.keys()
    return bool((read & changed(text, read)) - _overwritten(functions[0], types))


def used_values(function: Function) -> Iterator[str]:
    """Yield the globals, functions too, whose value a function uses other than to compute the variable's next value.

    A global may come several times.
    """
    lines = [line for block in function.blocks for line in block.lines]
    for line in (line for line in lines if "@" in line):
        load, part = _LOAD.match(line), _PART.match(line)
        if part and _is_only_written(part[1], lines):
            continue
        for name in mentioned(_STORE.sub("", _FILLED.sub("", line))):
            if load is None or not _is_counted_on(load[1], bare(load[2]), lines):
                yield name


def _users(value: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield the instructions that use a value."""
    used = re.compile(rf"{re.escape(value)}(?![\w.$-])")
    return (line for line in lines if used.search(line) and not line.lstrip().startswith(f"{value} = "))


def _is_only_written(address: str, lines: Sequence[str]) -> bool:
    """Whether an address is only used to store something there."""
    for line in _users(address, lines):
        part = _PART.match(line)
        stored = re.match(rf"\s+store .*, ptr {re.escape(address)}(?:,|$)", line)
        if not stored and not (part and _is_only_written(part[1], lines)):
            return False
    return True


def _is_counted_on(value: str, variable: str, lines: Sequence[str]) -> bool:
    """Whether a value is only used to compute the next value of the variable it was loaded from."""
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
    """Return the variables that a function overwrites completely, at its beginning, before it uses them otherwise."""
    found, seen = set[str](), set[str]()
    for line in function.blocks[0].lines:
        if _CALL.search(line) and "@llvm." not in line:
            break
        if (match := _STORE.match(line)) and types.get(name := bare(match[2])) == match[1] and name not in seen:
            found.add(name)
        seen.update(mentioned(line))
    return found
