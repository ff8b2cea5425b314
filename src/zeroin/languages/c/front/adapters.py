"""Adapters for C++ functions whose parameters or results are types of the C++ library.

An adapter is generated C++ that includes the subject's source. It takes pointers and lengths, makes the containers,
calls the function, and can print results as text. Sites, names and tests remain those of the function, so users do
not see the adapter (``docs/decisions/0014-adapters-for-containers.md``).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from .... import cache, scratch
from ....errors import CompileError, UnsupportedParameter
from ..llvm_ir import ir
from ..llvm_ir.debug_info import ANY_NUMBER, DebugInfo
from ..options import LlvmOptions
from . import symbols
from .array_sizes import MOST_ELEMENTS, with_extent
from .compile import CXX_SUFFIXES, compile_all
from .containers import Container, length_of
from .debug_info_types import RECORDS, NoLayout, is_pointer, layout_of
from .inline_functions import ADAPTER
from .layout import Array, Extent, Text, as_array
from .parameters import CParameter, CSignature
from .printed_types import KEEPS, RETURNED, ROOMY, is_shown, members_of, prelude
from .signature import read_signature
from .string_constants import literals, room_for

NAME, MAKER = "adapted_by_zeroin", "made_by_zeroin"
_OWNERS, _VIEWS = ("array", "vector", "deque", "list", "set", "multiset"), ("span",)
_STRINGS = ("basic_string", "basic_string_view")
# Maximal length of a container: by default, and the largest number in a comparison that raises the default.
_MOST, _MOST_COMPARED = 8, 62
_COMPARED = re.compile(r"icmp \w+ i64 (?:%\S+, (\d+)|(\d+), %\S+)")


@dataclass(frozen=True)
class _Given:
    """A parameter of the function behind the adapter.

    Attributes:
        name: name in the source, or ``arg1`` if it has none.
        type: type in C++, with namespaces.
        container: the container type; None for an ordinary parameter.
        moved: whether it is an rvalue reference, so the argument must be a temporary.
        ref: ref of the type's debug info node.
    """

    name: str
    type: str
    container: Container | None = None
    moved: bool = False
    ref: str = ""


def adapted(path: Path, function: str, texts: Sequence[str], options: LlvmOptions,
            sanitized: bool = False) -> list[str]:  # fmt: skip
    """Compile an adapter for the target's function if it needs one.

    A C++ function needs one if a parameter is a container, if values are compared as printed text, or if only an
    implicit constructor makes its object. The adapter's source is kept in the cache, if there is one.

    Args:
        path: the target's source file.
        function: name of the target's function.
        texts: IR of the subject's files, that of ``path`` first.
        options: the loading options.
        sanitized: whether to compile with sanitizers, as ``texts`` were.

    Returns:
        The texts as a new list. If there is an adapter, the first one is the IR of the adapter with the included
        source.

    Raises:
        TargetError: there is no such function, or several have this name.
        CompileError: the adapter does not compile, and the function can not be called without it.
    """
    if path.suffix not in CXX_SUFFIXES:
        return list(texts)
    module, debug = ir.read(texts[0]), DebugInfo(texts[0])
    if methods := symbols.methods_of(module, debug, function, path):
        return _of_member(path, methods[0][0], module, debug, texts, options, sanitized, shows_results=False)
    entry = symbols.find(module, debug, function, path)
    if debug.is_member(entry.subprogram):
        return _of_member(path, entry, module, debug, texts, options, sanitized)
    given = _given(entry, debug)
    if given is None:
        return list(texts)
    needed = any(one.container for one in given)
    for shows, members in _ways(entry, debug, given):
        try:
            return _compiled(_source(path, entry, debug, given, shows, members), texts, options, sanitized)
        except CompileError:  # a type to print can not be named or not be moved: try to print less
            continue
    return _compiled(_source(path, entry, debug, given, (), ()), texts, options, sanitized) if needed else list(texts)


def _of_member(path: Path, entry: ir.Function, module: ir.Module, debug: DebugInfo, texts: Sequence[str],
               options: LlvmOptions, sanitized: bool, shows_results: bool = True) -> list[str]:  # fmt: skip
    """Compile an adapter for a member function if it needs one; see :func:`adapted`.

    It makes an object by an implicit constructor, which has no code of its own. If ``shows_results`` is true, it also
    prints the result as text. If it does not compile, the texts stay as they are.
    """
    cls = debug.class_of(entry.subprogram)
    type_, _, name = debug.qualified_name(entry.subprogram).rpartition("::")
    has_maker = any(makes(function, cls, debug) for function in module.functions.values())
    making = "" if has_maker else _making(type_)
    for shows, members in [*(_ways(entry, debug, ()) if shows_results else ()), ((), ())]:
        try:
            if shows:
                shown = prelude(members) + _calling_member(entry, debug, type_, name)
                return _compiled(_included(path) + shown + making, texts, options, sanitized)
            return _compiled(_included(path) + making, texts, options, sanitized) if making else list(texts)
        except CompileError:  # no accessible constructor, or a private function
            continue
    return list(texts)


def _ways(
    entry: ir.Function, debug: DebugInfo, given: Sequence[_Given]
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the choices for what an adapter prints, the most complete first; empty if there is nothing to print.

    Returns:
        Pairs of the names to print (``RETURNED`` for the result) and of generated C++ functions that print classes.
    """
    types = debug.items(debug.fields(debug.fields(entry.subprogram).get("type")).get("types"))
    outputs = [one for one in given if one.container and one.container.is_output]
    shows = (*((RETURNED,) if is_shown(debug, types[0]) else ()), *(one.name for one in outputs))
    if not shows:
        return []
    members = members_of(debug, [types[0], *(one.ref for one in outputs)])
    return [(shows, members), (shows, ())] if members else [(shows, ())]


def _compiled(source: str, texts: Sequence[str], options: LlvmOptions, sanitized: bool) -> list[str]:
    """Compile an adapter's source; return the texts with its IR in place of the first one.

    The source file stays in the cache; without a cache it is temporary.

    Raises:
        CompileError: the adapter does not compile.
    """
    place = cache.folder("code")
    with scratch.folder() if place is None else nullcontext(place) as folder:
        file = folder / f"{ADAPTER}{hashlib.sha256(source.encode(errors='surrogateescape')).hexdigest()[:40]}.cpp"
        file.write_text(source, errors="surrogateescape")
        return [*compile_all([file], options.cc, sanitized), *texts[1:]]


def signature_of(entry: ir.Function, module: ir.Module, debug: DebugInfo, written: str, own: Sequence[ir.Function],
                 options: LlvmOptions) -> CSignature:  # fmt: skip
    """Read the signature of a function.

    If there is an adapter, the parameters are the adapter's; ``is_shown`` marks those that the function has, too. A
    result that the adapter prints has no layout.

    Args:
        entry: the target's IR function.
        module: its module, which may have an adapter.
        debug: debug info of the module.
        written: name of the function for messages and reports.
        own: functions that function pointers may be set to.
        options: the loading options.

    Raises:
        UnsupportedParameter, OptionError: see :func:`read_signature`.
    """
    specs = options.arrays, options.strings, module, own, options.rooms
    try:
        given = _given(entry, debug) or ()
        function = module.functions.get(NAME, entry) if any(one.container for one in given) else entry
        signature = read_signature(function, debug, written, *specs)
    except UnsupportedParameter as error:
        raise _in_users_words(error, written, _given(entry, debug)) from error
    if NAME not in module.functions:
        return signature
    types = debug.items(debug.fields(debug.fields(entry.subprogram).get("type")).get("types"))
    given = _given(entry, debug) or ()
    parameters = _shown(signature.parameters, {one.name: one for one in given}, entry, module, options)
    shows, members = next(iter(_ways(entry, debug, given)), ((), ()))
    if not any(KEEPS in name for name in module.functions):
        shows = ()
    if not any("zeroin_members" in name or "zeroin_says" in name for name in module.functions):
        members = ()
    is_text = RETURNED in shows
    return replace(signature, parameters=tuple(parameters), call=debug.qualified_name(entry.subprogram),
                   result_type=debug.in_cxx(types[0]) if is_text else debug.type_name(types[0]),
                   result=None if is_text else signature.result, symbol=entry.name, called=NAME, shows=shows,
                   members=members)  # fmt: skip


def _in_users_words(error: UnsupportedParameter, written: str, given: Sequence[_Given] | None) -> UnsupportedParameter:
    """Reword an error about a type of the C++ library, so that it does not mention the type's private fields.

    Args:
        error: the error. Any other error is returned unchanged.
        written: name of the function for messages.
        given: the function's parameters; None: no adapter can call the function.
    """
    for one in given or ():
        if f"parameter {one.name!r} has" in str(error) and "std::" in one.type:
            changed = one.type.endswith(" &") and not one.type.startswith("const ")
            why = "it may be changed, or has" if changed else "it has"
            return UnsupportedParameter(f"{written}: parameter {one.name!r} has type {one.type!r}, a type of the C++ "
                                        f"library that is not supported ({why} elements of an unsupported type); "
                                        "write a small function that makes it")  # fmt: skip
    return error


def _shown(parameters: Sequence[CParameter], given: Mapping[str, _Given], entry: ir.Function, module: ir.Module,
           options: LlvmOptions) -> Iterator[CParameter]:  # fmt: skip
    """Yield the adapter's parameters with the function's types, containers, and the limits of their lengths."""
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
        elif own.container.count:
            array = Array(as_array(parameter.layout).element, own.container.count)
            yield replace(parameter, type=own.type, container=own.container, is_guess=False, layout=array, extent=None)
        elif own.container.element == "char" and own.container.is_string:
            said = characters.get(parameter.name)
            layout = Text.of(said or room_for(literals(module, entry.name), entry), not said)
            yield replace(parameter, type=own.type, container=own.container, layout=layout, extent=None,
                          is_guess=False)  # fmt: skip
        else:
            extent = Extent((length_of(parameter.name),), min(told.get(parameter.name, most), MOST_ELEMENTS))
            plain = replace(parameter, type=own.type, container=own.container, is_guess=False,
                            layout=as_array(parameter.layout))  # fmt: skip
            yield with_extent(plain, extent)


def makes(function: ir.Function, cls: str | None, debug: DebugInfo) -> bool:
    """Whether a function is a public constructor of a class; copy and move constructors count.

    Args:
        function: the IR function.
        cls: ref of the class's debug info node; for None, the result is False.
        debug: debug info of the module.
    """
    ref = function.subprogram
    own = ref is not None and debug.class_of(ref) == cls and debug.makes_or_ends(ref)
    return own and not debug.fields(ref).get("name", "~").startswith("~") and not debug.is_hidden(ref)


# ---- the source ----


def _making(type_: str) -> str:
    """Return C++ of a function that makes an object with the implicit default constructor."""
    return f'#include <new>\nextern "C" void {MAKER}(void *at)\n{{\n    new (at)::{type_}();\n}}\n'


def _calling_member(entry: ir.Function, debug: DebugInfo, type_: str, name: str) -> str:
    """Return C++ of an adapter that calls a member function and prints its result."""
    types = debug.items(debug.fields(debug.fields(entry.subprogram).get("type")).get("types"))
    names, returned = debug.arguments(entry.subprogram or ""), debug.in_cxx(types[0])
    this = debug.fields(types[1]).get("baseType")
    parameters, arguments = [f"{'const ' * debug.is_constant(this)}::{type_} *zeroin_object"], list[str]()
    for position, described in enumerate(types[2:]):
        own = names.get(position + 2, {}).get("name") or f"arg{position + 1}"
        written = debug.in_cxx(names.get(position + 2, {}).get("type") or described)
        parameters.append(f"{written} {own}")
        arguments.append(f"static_cast<{written}>({own})" if written.endswith("&&") else own)
    lines = [f"{returned} zeroin_returned = zeroin_object->{name}({', '.join(arguments)});",
             f"{KEEPS}(zeroin_returned);", f"return static_cast<{returned}>(zeroin_returned);"
             if "&" in returned else "return zeroin_returned;"]  # fmt: skip
    body = "".join(f"    {line}\n" for line in lines)
    return f'extern "C" {returned} {NAME}({", ".join(parameters)})\n{{\n{body}}}\n'


def _source(path: Path, entry: ir.Function, debug: DebugInfo, given: Sequence[_Given], shows: Sequence[str],
            members: Sequence[str]) -> str:  # fmt: skip
    """Return C++ of an adapter for a function that is no member; it includes the subject's source.

    Args:
        path: the subject's source file.
        entry: the IR function.
        debug: debug info of its module.
        given: the function's parameters.
        shows: names of the values to print, see :func:`_ways`; empty: print nothing.
        members: C++ functions that print classes; ignored if ``shows`` is empty.
    """
    names = {one.name: one for one in given}
    parameters, lines, arguments, behind = list[str](), list[str](), list[str](), list[str]()
    for number, one in enumerate(given):
        if one.container is None:
            parameters.append(f"{one.type} {one.name}")
            arguments.append(f"static_cast<{one.type}>({one.name})" if one.moved else one.name)
            continue
        made, length = f"zeroin_made_{number}", _length(one.name, names)
        kind = "" if one.container.changes else "const "
        parameters.append(f"{kind}{one.container.element} *{one.name}")
        if one.container.is_string:
            lines.append(f"{one.container.type} {made}({one.name});")
        elif one.container.count:
            lines.append(f"{one.container.type} {made};")
            lines.append(f"for (int k = 0; k < {one.container.count}; k++) {made}[k] = {one.name}[k];")
        else:
            parameters.append(f"unsigned long {length}")
            end = length if one.container.is_view else f"{one.name} + {length}"
            lines.append(f"{one.container.type} {made}({one.name}, {end});")
        arguments.append(f"static_cast<{one.container.type} &&>({made})" if one.moved else made)
        lines += [f"{ROOMY}({made}, 0);"] * bool(shows and not (one.container.is_view or one.container.count))
        behind += [f"{KEEPS}({made});"] * (one.name in shows)
    types = debug.items(debug.fields(debug.fields(entry.subprogram).get("type")).get("types"))
    call, returned = f"::{debug.qualified_name(entry.subprogram)}({', '.join(arguments)})", debug.in_cxx(types[0])
    if not shows:
        lines.append(f"return {call};")
    elif types[0] == "null":
        lines += [f"{call};", *behind]
    else:
        lines.append(f"{returned} zeroin_returned = {call};")
        lines += [f"{KEEPS}(zeroin_returned);"] * (RETURNED in shows) + behind
        lines.append(f"return static_cast<{returned}>(zeroin_returned);" if "&" in returned else
                     "return zeroin_returned;")  # fmt: skip
    body = "".join(f"    {line}\n" for line in lines)
    head = _included(path) + (prelude(members) if shows else "")
    return f'{head}extern "C" {returned} {NAME}({", ".join(parameters)})\n{{\n{body}}}\n'


def _included(path: Path) -> str:
    """Return the C++ line ``#include "/absolute/path"``, with its line end."""
    include = str(path.absolute()).replace("\\", "\\\\").replace('"', '\\"')
    return f'#include "{include}"\n'


def _length(name: str, taken: Mapping[str, object]) -> str:
    """Return a free name for the parameter with a container's length."""
    length = f"{name}_size"
    while length in taken:
        length += "_"
    return length


def _given(entry: ir.Function, debug: DebugInfo) -> list[_Given] | None:
    """Return the parameters of a function in order; empty if it has none.

    Returns:
        The parameters; None if no adapter can call the function (no debug info, ``this``, or ``...``).
    """
    types = debug.items(debug.fields(debug.fields(entry.subprogram).get("type")).get("types"))
    names = debug.arguments(entry.subprogram or "")
    given = []
    for position, described in enumerate(types[1:]):
        fields = names.get(position + 1, {})
        ref = fields.get("type") or described
        if "DIFlagArtificial" in fields.get("flags", "") or ref == "null":
            return None
        is_moved = debug.fields(debug.resolve(ref)[0]).get("tag") == "DW_TAG_rvalue_reference_type"
        given.append(_Given(fields.get("name") or f"arg{position + 1}", debug.in_cxx(ref), _container(debug, ref),
                            is_moved, ref))  # fmt: skip
    return given if types else None


def _container(debug: DebugInfo, ref: str | None) -> Container | None:
    """Return the supported container type of a parameter, by value or by reference; None if it is no such type."""
    base, _ = debug.resolve(ref)
    is_output = False
    if is_pointer(debug, base):
        tag, target = debug.fields(base).get("tag", ""), debug.fields(base).get("baseType")
        if tag == "DW_TAG_pointer_type":
            return None
        is_output = not (debug.is_constant(target) or tag == "DW_TAG_rvalue_reference_type")
        ref, base = target, debug.resolve(target)[0]
    described = debug.fields(base)
    name = described.get("name", "").partition("<")[0]
    if described.get("tag") not in RECORDS or not debug.in_cxx(base).startswith(f"std::{name}<"):
        return None
    arguments = [debug.fields(one) for one in debug.items(described.get("templateParams"))]
    element = debug.unqualified(arguments[0].get("type")) if arguments else None
    type_ = debug.in_cxx(debug.unqualified(ref))
    if name in _STRINGS:
        is_view = name == "basic_string_view" and is_output
        is_char = debug.type_name(element) == "char" and not is_view
        return Container(type_, "char", is_string=True, is_output=is_output) if is_char else None
    if name not in _OWNERS + _VIEWS or (name in _VIEWS and ANY_NUMBER not in described["name"]):
        return None
    try:
        layout_of(debug, element)
    except NoLayout:
        return None
    written = debug.in_cxx(arguments[0].get("type"))
    count = int(arguments[1].get("value", "").split()[-1]) if name == "array" else 0
    if name == "array" and not 0 < count <= MOST_ELEMENTS:
        return None
    if type_.startswith(f"std::{name}<"):  # not a typedef of the source
        type_ = f"std::array<{written}, {count}>" if count else f"std::{name}<{written}>"
    is_view = name in _VIEWS
    if is_view and is_output:
        return None
    changes = is_view and not debug.is_constant(arguments[0].get("type"))
    return Container(type_, debug.in_cxx(element), is_view, changes, count, is_output)
