"""Functions of C++ whose parameters are containers or strings of its library: an adapter is compiled with them, which
takes pointers and lengths, makes the containers, and calls the function. Nobody sees it: sites, names and tests are the
function's."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from ... import cache, scratch
from ...errors import CompileError, UnsupportedParameter
from . import ir, symbols
from .compile import CXX_SUFFIXES, compile_all
from .containers import Container, length_of
from .debuginfo import ANY_NUMBER, DebugInfo
from .described import RECORDS, Refused, is_pointer, layout_of
from .layout import Extent, Text, as_array
from .needed import ADAPTER
from .options import LlvmOptions
from .parameters import CParameter, CSignature
from .signature import read_signature
from .sizes import MOST_ELEMENTS, with_extent
from .texts import literals, room_for

NAME, MAKER = "adapted_by_zeroin", "made_by_zeroin"
_OWNERS, _VIEWS = ("vector", "deque", "list", "set", "multiset"), ("span",)
_STRINGS = ("basic_string", "basic_string_view")
_MOST, _MOST_COMPARED = 8, 62  # elements: by default, and because the code compares with so many
_COMPARED = re.compile(r"icmp \w+ i64 (?:%\S+, (\d+)|(\d+), %\S+)")


@dataclass(frozen=True)
class _Given:
    """A parameter of the function.

    Attributes:
        name: in the source.
        type: as the source writes it.
        container: if it is one.
        moved: whether it is to be given as a temporary.
    """

    name: str
    type: str
    container: Container | None = None
    moved: bool = False


def adapted(path: Path, function: str, texts: Sequence[str], options: LlvmOptions) -> list[str]:
    """The IR of a subject's files, the first of which is that of the adapter and the subject where one is needed.

    Raises:
        TargetError: there is no such function.
        CompileError: the adapter does not compile.
    """
    if path.suffix not in CXX_SUFFIXES:
        return list(texts)
    module, debug = ir.read(texts[0]), DebugInfo(texts[0])
    entry = symbols.find(module, debug, function, path)
    if debug.is_member(entry.subprogram):
        cls = debug.class_of(entry.subprogram)
        if any(makes(function, cls, debug) for function in module.functions.values()):
            return list(texts)
        try:
            return _compiled(_making(path, debug.qualified_name(entry.subprogram).rpartition("::")[0]), texts, options)
        except CompileError:  # there is no constructor that anybody may call
            return list(texts)
    given = _given(entry, debug)
    if not any(one.container for one in given):
        return list(texts)
    return _compiled(_source(path, entry, debug, given), texts, options)


def _compiled(source: str, texts: Sequence[str], options: LlvmOptions) -> list[str]:
    """The IR of a subject's files, in which that of this source takes the place of the first one's."""
    place = cache.folder("code")
    with scratch.folder() if place is None else nullcontext(place) as folder:
        file = folder / f"{ADAPTER}{hashlib.sha256(source.encode(errors='surrogateescape')).hexdigest()[:40]}.cpp"
        file.write_text(source, errors="surrogateescape")
        return [*compile_all([file], options.flags), *texts[1:]]


def signature_of(entry: ir.Function, module: ir.Module, debug: DebugInfo, written: str, own: Sequence[ir.Function],
                 options: LlvmOptions) -> CSignature:  # fmt: skip
    """The signature of a function; of one that is called by an adapter with the parameters that the adapter has, of
    which only those of the function are shown.

    Raises:
        UnsupportedParameter, OptionError: as :func:`read_signature`.
    """
    specs = options.arrays, options.strings, module, own, options.rooms
    try:
        signature = read_signature(module.functions.get(NAME, entry), debug, written, *specs)
    except UnsupportedParameter as error:
        raise _in_users_words(error, written, _given(entry, debug)) from error
    if NAME not in module.functions:
        return signature
    types = debug.items(debug.fields(debug.fields(entry.subprogram).get("type")).get("types"))
    given = {one.name: one for one in _given(entry, debug)}
    parameters = _shown(signature.parameters, given, entry, module, options)
    return replace(signature, parameters=tuple(parameters), result_type=debug.type_name(types[0]),
                   call=debug.qualified_name(entry.subprogram), symbol=entry.name, called=NAME)  # fmt: skip


def _in_users_words(error: UnsupportedParameter, written: str, given: Sequence[_Given]) -> UnsupportedParameter:
    """The same, but for types of the library, whose fields are nobody's concern."""
    for one in given:
        if f"parameter {one.name!r} has" in str(error) and "std::" in one.type:
            changed = one.type.endswith(" &") and not one.type.startswith("const ")
            why = "a container that may be changed, or one" if changed else "one"
            return UnsupportedParameter(f"{written}: parameter {one.name!r} has type {one.type!r}, a type of the C++ "
                                        f"library that is not supported ({why} of what can not be driven); write a "
                                        "small function that makes it")  # fmt: skip
    return error


def _shown(parameters: Sequence[CParameter], given: Mapping[str, _Given], entry: ir.Function, module: ir.Module,
           options: LlvmOptions) -> Iterator[CParameter]:  # fmt: skip
    lengths = {_length(name, given): name for name, one in given.items() if one.container}
    told = {spec.name: spec.length for spec in options.arrays}
    characters = {spec.name: spec.characters for spec in options.strings}
    compared = [int(one or other) for block in entry.blocks for one, other in _COMPARED.findall("\n".join(block.lines))]
    most = max([_MOST, *(number + 2 for number in compared if number <= _MOST_COMPARED)])
    for parameter in parameters:
        own, counted = given.get(parameter.name), lengths.get(parameter.name)
        if counted is not None:
            yield replace(parameter, name=length_of(counted), type="std::size_t", count_of=counted, is_guess=True,
                          limit=min(told.get(counted, most), MOST_ELEMENTS), is_shown=False)  # fmt: skip
        elif own is None or own.container is None:
            yield parameter if own is None else replace(parameter, type=own.type)
        elif own.container.element == "char":
            room = characters.get(parameter.name) or room_for(literals(module, entry.name), entry)
            yield replace(parameter, type=own.type, container=own.container, layout=Text.of(room), extent=None,
                          is_guess=False)  # fmt: skip
        else:
            extent = Extent((length_of(parameter.name),), min(told.get(parameter.name, most), MOST_ELEMENTS))
            plain = replace(parameter, type=own.type, container=own.container, is_guess=False,
                            layout=as_array(parameter.layout))  # fmt: skip
            yield with_extent(plain, extent)


def makes(function: ir.Function, cls: str | None, debug: DebugInfo) -> bool:
    """Whether it is a constructor of the class that anybody may call."""
    ref = function.subprogram
    own = ref is not None and debug.class_of(ref) == cls and debug.makes_or_ends(ref)
    return own and not debug.fields(ref).get("name", "~").startswith("~") and not debug.is_hidden(ref)


# ---- the source ----


def _making(path: Path, type_: str) -> str:
    """C++ of what makes an object of a class whose constructor is not written down."""
    return f'{_included(path)}#include <new>\nextern "C" void {MAKER}(void *at)\n{{\n    new (at)::{type_}();\n}}\n'


def _source(path: Path, entry: ir.Function, debug: DebugInfo, given: Sequence[_Given]) -> str:
    """C++ of the adapter, with the subject's own in front of it."""
    names = {one.name: one for one in given}
    parameters, lines, arguments = list[str](), list[str](), list[str]()
    for number, one in enumerate(given):
        if one.container is None:
            parameters.append(f"{one.type} {one.name}")
            arguments.append(f"static_cast<{one.type}>({one.name})" if one.moved else one.name)
            continue
        made, length = f"zeroin_made_{number}", _length(one.name, names)
        kind = "" if one.container.changes else "const "
        parameters.append(f"{kind}{one.container.element} *{one.name}")
        if one.container.element == "char":
            lines.append(f"{one.container.type} {made}({one.name});")
        else:
            parameters.append(f"unsigned long {length}")
            end = length if one.container.is_view else f"{one.name} + {length}"
            lines.append(f"{one.container.type} {made}({one.name}, {end});")
        arguments.append(f"static_cast<{one.container.type} &&>({made})" if one.moved else made)
    types = debug.items(debug.fields(debug.fields(entry.subprogram).get("type")).get("types"))
    call = f"return ::{debug.qualified_name(entry.subprogram)}({', '.join(arguments)});"
    body = "".join(f"    {line}\n" for line in (*lines, call))
    returned = debug.in_cxx(types[0])
    return f'{_included(path)}extern "C" {returned} {NAME}({", ".join(parameters)})\n{{\n{body}}}\n'


def _included(path: Path) -> str:
    include = str(path.absolute()).replace("\\", "\\\\").replace('"', '\\"')
    return f'#include "{include}"\n'


def _length(name: str, taken: Mapping[str, object]) -> str:
    """Of the parameter for the length of a container."""
    length = f"{name}_size"
    while length in taken:
        length += "_"
    return length


def _given(entry: ir.Function, debug: DebugInfo) -> list[_Given]:
    """The parameters of a function that an adapter could call; none of one that it can not."""
    types = debug.items(debug.fields(debug.fields(entry.subprogram).get("type")).get("types"))[1:]
    names = debug.arguments(entry.subprogram or "")
    given = []
    for position, described in enumerate(types):
        fields = names.get(position + 1, {})
        ref = fields.get("type") or described
        if "DIFlagArtificial" in fields.get("flags", "") or ref == "null":
            return []
        is_moved = debug.fields(debug.resolve(ref)[0]).get("tag") == "DW_TAG_rvalue_reference_type"
        given.append(_Given(fields.get("name") or f"arg{position + 1}", debug.in_cxx(ref), _container(debug, ref),
                            is_moved))  # fmt: skip
    return given


def _container(debug: DebugInfo, ref: str | None) -> Container | None:
    """The container that a parameter of this type takes: itself, or a reference that does not change it."""
    base, _ = debug.resolve(ref)
    if is_pointer(debug, base):
        tag, target = debug.fields(base).get("tag", ""), debug.fields(base).get("baseType")
        if tag == "DW_TAG_pointer_type" or not (debug.is_constant(target) or tag == "DW_TAG_rvalue_reference_type"):
            return None
        ref, base = target, debug.resolve(target)[0]
    described = debug.fields(base)
    name = described.get("name", "").partition("<")[0]
    if described.get("tag") not in RECORDS or not debug.in_cxx(base).startswith(f"std::{name}<"):
        return None
    arguments = [debug.fields(one) for one in debug.items(described.get("templateParams"))]
    element = debug.unqualified(arguments[0].get("type")) if arguments else None
    type_ = debug.in_cxx(debug.unqualified(ref))
    if name in _STRINGS:
        return Container(type_, "char") if debug.type_name(element) == "char" else None
    if name not in _OWNERS + _VIEWS or (name in _VIEWS and ANY_NUMBER not in described["name"]):
        return None
    try:
        layout_of(debug, element)
    except Refused:
        return None
    if type_.startswith(f"std::{name}<"):  # no name that the source gives it
        type_ = f"std::{name}<{debug.in_cxx(arguments[0].get('type'))}>"
    is_view = name in _VIEWS
    changes = is_view and not debug.is_constant(arguments[0].get("type"))
    return Container(type_, debug.in_cxx(element), is_view, changes)
