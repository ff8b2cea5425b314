"""Values that are compared as printed text, because they have no fixed memory layout: mostly results of C++ classes.

In a replay, an adapter prints the value; a generated test prints it in the same way (``shown.h``). For each class that
the source defines, a generated C++ function prints its members.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ....subject.base import Replay, Termination
from ..llvm_ir.debug_info import DebugInfo
from ..replay import CReplay
from .debug_info_types import RECORDS, NoLayout, is_pointer, layout_of, scalar_of
from .layout import Array, Layout, Structure

HEADER = Path(__file__).parents[1] / "run" / "runtime" / "shown.h"
RETURNED = ""  # the name of the result among the names of printed values
NOTHING = "?"  # the text of a value that can not be printed
# Variables of runtime.c that an adapter prints into. The adapter has them under this prefix, since symbols that begin
# with "zeroin_" are reserved for us; ``symbols.apart_from_ours`` renames them.
_PREFIX = "adapted_by_zeroin_"
KEEPS, ROOMY = f"{_PREFIX}keeps", f"{_PREFIX}roomy"
_KEEPS = f"""\
extern "C" {{
extern char {_PREFIX}shown[65536];
extern long long {_PREFIX}shown_size, {_PREFIX}shown_hash, {_PREFIX}shows;
}}
template <class T> static void {KEEPS}(const T &value)
{{
    if (!{_PREFIX}shows || {_PREFIX}shown_size + (long long)zeroin_inside::text::most > 65536)
        return;
    char *at = {_PREFIX}shown + {_PREFIX}shown_size;
    zeroin_inside::text to(at);
    zeroin_inside::show(to, value);
    unsigned long size = to.end() + 1, hash = (unsigned long){_PREFIX}shown_hash;
    for (unsigned long k = 0; k < size; k++)
        hash = (hash ^ (unsigned char)at[k]) * 1099511628211ULL;
    {_PREFIX}shown_hash = (long long)hash;
    {_PREFIX}shown_size += (long long)size;
}}
// A mutant may write behind a container: with this room it hits nothing of ours before its fuel is used up.
template <class T> static auto {ROOMY}(T &made, int) -> decltype((void)made.reserve(1))
{{
    if ({_PREFIX}shows)
        made.reserve(made.size() + 16384);
}}
template <class T> static void {ROOMY}(T &, long) {{}}
"""
_OURS = re.compile(r"@adapted_by_zeroin_(shown|shown_size|shown_hash|shows)\b")
_SAYS = re.compile(r"[a-zA-Z_]\w*")  # names of functions, but not of operators


@dataclass(frozen=True)
class PrintedValues:
    """The part of a signature that says which values are compared as printed text.

    Attributes:
        shows: names of the printed values: parameters, and :data:`RETURNED` for the result.
        members: C++ functions that print the members of classes.
        parameters: the signature's parameters.
    """

    shows: tuple[str, ...] = field(default=(), kw_only=True)
    members: tuple[str, ...] = field(default=(), kw_only=True)
    parameters: tuple[Any, ...]

    @property
    def makes_containers(self) -> bool:
        """Whether an adapter makes containers from parameters."""
        return any(parameter.container for parameter in self.parameters)

    def compares(self, replay: Replay) -> bool:
        """See :meth:`zeroin.subject.base.Signature.compares`."""
        if not isinstance(replay, CReplay) or replay.outcome is not Termination.RETURNED or replay.threw:
            return True
        outputs = zip((p for p in self.parameters if p.is_pointer), replay.outputs, strict=False)
        changes = any(p.is_output and after for p, after in outputs)
        return changes or bool(self.texts(replay)) or (replay.result is not None and RETURNED not in self.shows)

    def texts(self, replay: Replay) -> dict[str, str]:
        """Return the printed values of a run by their names in :attr:`shows`, without those that can not be printed."""
        shown = zip(self.shows, replay.shown if isinstance(replay, CReplay) else (), strict=False)
        return {name: text for name, text in shown if text != NOTHING}

    def left_texts(self, replay: Replay) -> dict[str, str]:
        """Return the printed parameters of a run, without the result."""
        return {name: text for name, text in self.texts(replay).items() if name != RETURNED}


def with_our_names(text: str) -> str:
    """Rename the variables that an adapter prints into to their names in ``runtime.c``."""
    return _OURS.sub(r"@zeroin_\1", text)


def is_shown(debug: DebugInfo, ref: str | None) -> bool:
    """Whether a result of this type is compared as printed text: references, and classes without a plain layout."""
    base, _ = debug.resolve(ref)
    fields = debug.fields(base)
    if fields.get("tag") in ("DW_TAG_reference_type", "DW_TAG_rvalue_reference_type"):
        target = debug.resolve(fields.get("baseType"))[0]
        return debug.kind(target) != "DISubroutineType"
    if fields.get("tag") not in RECORDS or is_pointer(debug, base):
        return False
    try:
        return any("std::" in name for name in _types(layout_of(debug, ref)))
    except NoLayout:
        return True


def _types(layout: Layout) -> Iterator[str]:
    """Yield the names of the structure types in a layout."""
    inner = layout.element if isinstance(layout, Array) else layout
    if isinstance(inner, Structure):
        yield inner.type
        for one in inner.fields:
            yield from _types(one.layout)


def prelude(members: Sequence[str]) -> str:
    """Return the C++ code with which an adapter prints values; it comes after the subject's source."""
    return f'#include "{HEADER}"\n{in_namespace(members)}{_KEEPS}'


def in_namespace(members: Sequence[str]) -> str:
    """Return C++ code that declares and then defines these functions in the namespace ``zeroin_inside``.

    Args:
        members: the definitions. The first line of each is its head, without ``{``. Without members, the code is empty.
    """
    if not members:
        return ""
    heads = "".join(f"{one.partition(chr(10))[0]};\n" for one in members)
    return f"namespace zeroin_inside {{\n{heads}{''.join(members)}}}\n"


def members_of(debug: DebugInfo, refs: Sequence[str | None]) -> tuple[str, ...]:
    """Return C++ functions that print the source's own classes which occur in these types.

    Args:
        debug: debug info of the module.
        refs: refs of the types.
    """
    records = _Records(debug)
    for ref in refs:
        records.visit(ref)
    return tuple(text for text in records.found.values() if text)


@dataclass
class _Records:
    """The classes that occur in types, each with the C++ text of its function; empty if it needs none."""

    debug: DebugInfo
    found: dict[str, str] = field(default_factory=dict)

    def visit(self, ref: str | None) -> None:
        """Add a type and all types inside it."""
        debug = self.debug
        base, _ = debug.resolve(ref)
        fields = debug.fields(base)
        tag = fields.get("tag", "")
        if tag in ("DW_TAG_reference_type", "DW_TAG_rvalue_reference_type", "DW_TAG_array_type"):
            self.visit(fields.get("baseType"))
        if tag not in RECORDS or base is None or base in self.found:
            return
        name = debug.in_cxx(base)
        self.found[base] = ""
        if name.startswith("std::"):
            for one in debug.items(fields.get("templateParams")):
                described = debug.fields(one)
                several = debug.items(described.get("value")) if "_pack" in described.get("tag", "") else [one]
                for part in several:
                    self.visit(debug.fields(part).get("type"))
            return
        if not fields.get("name") or tag == "DW_TAG_union_type" or self._is_local(base):
            return
        members = list(self._members(base, "value.it"))
        self.found[base] = _written("zeroin_members", name, members)
        if not members:
            self.found[base] = _written("zeroin_says", name, list(self._says(base)))

    def _is_local(self, ref: str | None) -> bool:
        """Whether code at the end of the file can not name a type: local in a function, or private in a class."""
        while ref:
            fields = self.debug.fields(ref)
            if self.debug.kind(ref) in ("DISubprogram", "DILexicalBlock"):
                return True
            if "DIFlagPrivate" in fields.get("flags", "") or "DIFlagProtected" in fields.get("flags", ""):
                return True
            ref = fields.get("scope")
        return False

    def _members(self, ref: str | None, value: str) -> Iterator[tuple[str, str]]:
        """Yield the public fields of a class and its bases: the printed name, and the C++ expression.

        The types of the class's own fields are visited.
        """
        debug, seen = self.debug, set[str]()
        for element in debug.items(debug.fields(ref).get("elements")):
            member = debug.fields(element)
            name, tag, flags = member.get("name", ""), member.get("tag", ""), member.get("flags", "")
            if debug.kind(element) == "DISubprogram" or "DIFlagStaticMember" in flags or self._is_hidden(ref, flags):
                continue
            type_ = debug.resolve(member.get("baseType"))[0]
            if tag == "DW_TAG_inheritance" or (not name and debug.fields(type_).get("tag") == "DW_TAG_structure_type"):
                for shown, written in self._members(type_, value):
                    if shown not in seen:
                        seen.add(shown)
                        yield shown, written
            elif tag == "DW_TAG_member" and name and not name.startswith("_vptr$"):
                self.visit(member.get("baseType"))
                seen.add(f".{name}")
                yield f".{name}", f"{value}.{name}"

    def _is_hidden(self, ref: str | None, flags: str) -> bool:
        """Whether a member with these flags is private or protected in the class ``ref``."""
        is_class = self.debug.fields(ref).get("tag") == "DW_TAG_class_type"
        return "DIFlagPrivate" in flags or "DIFlagProtected" in flags or (is_class and "DIFlagPublic" not in flags)

    def _says(self, ref: str | None) -> Iterator[tuple[str, str]]:
        """Yield the public const functions without parameters that return a number or a string.

        The form is that of :meth:`_members`.
        """
        debug = self.debug
        for element in debug.items(debug.fields(ref).get("elements")):
            function = debug.fields(element)
            types = debug.items(debug.fields(function.get("type")).get("types"))
            name = function.get("name", "")
            if debug.kind(element) != "DISubprogram" or self._is_hidden(ref, function.get("flags", "")):
                continue
            if len(types) != 2 or types[0] == "null" or not _SAYS.fullmatch(name):
                continue
            this = debug.fields(types[1])
            on_object = "DIFlagArtificial" in this.get("flags", "") and debug.is_constant(this.get("baseType"))
            returned = debug.resolve(types[0])[0]
            if on_object and (scalar_of(debug, returned) or debug.in_cxx(returned).startswith("std::basic_string<")):
                yield f".{name}()", f"value.it.{name}()"


def _written(function: str, type_: str, members: Sequence[tuple[str, str]]) -> str:
    """Return C++ of a function that prints the members of an object; empty if there are none."""
    if not members:
        return ""
    lines = [f'    member(to, "{", " if at else "{"}{shown}", {text});\n' for at, (shown, text) in enumerate(members)]
    head = f"inline void {function}(text &to, value_of<::{type_}> value)"
    return f"{head}\n{{\n{''.join(lines)}    to.put('}}');\n}}\n"
