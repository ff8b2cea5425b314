"""A reader for a module's debug metadata: source positions, types, and names of functions and parameters.

A ``ref`` is the number of a metadata node as IR writes it (``!17``). A ``subprogram`` is the ref of a function's node.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cached_property

from .ir import bare

_NODE = re.compile(r"^(!\d+) = (?:distinct )?(?:!(DI\w+)\((.*)\)|!\{(.*)\})\s*$", re.M)
_FIELD = re.compile(r'(\w+): ("(?:[^"\\]|\\.)*"|[^,()]+(?:\([^)]*\))?)')


@dataclass(frozen=True)
class Position:
    """A position in a source file.

    Attributes:
        file: absolute path; "" if the position is unknown.
        line: line from 1; 0 if unknown.
        column: column from 1; 0 if unknown.
    """

    file: str
    line: int
    column: int


_QUALIFIERS = ("DW_TAG_const_type", "DW_TAG_volatile_type", "DW_TAG_restrict_type")
_MARKS = {"DW_TAG_pointer_type": "*", "DW_TAG_reference_type": "&", "DW_TAG_rvalue_reference_type": "&&"}
ANY_NUMBER = str(2**64 - 1)  # std::dynamic_extent, the number of elements of a span whose length is not fixed
# Default template arguments in the C++ library, up to the bracket that opens their own arguments.
_DEFAULT = re.compile(rf", (?:std::(?:allocator|less|char_traits|default_delete|hash|equal_to)<|{ANY_NUMBER}UL)")
_INLINE = re.compile(r"\bstd::(?:__\w+::)+")
_DECLARED = re.compile(r"#dbg_declare\(ptr (%[^,]+), (!\d+), !DIExpression\(\)")
_GLOBAL = re.compile(r"^(@[^ ]+) = .*!dbg (!\d+)$", re.M)


class DebugInfo:
    """Reads the metadata nodes of a module's text on demand.

    Args:
        text: the IR as the compiler wrote it. :meth:`variable` needs its debug records, which ``ir.read`` leaves out.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._nodes: dict[str, tuple[str, str]] = {
            m[1]: (m[2], m[3]) if m[2] else ("", m[4] or "") for m in _NODE.finditer(text)
        }

    def kind(self, ref: str | None) -> str:
        """Return the kind of a node, such as ``DIBasicType``; "" for a plain tuple or an unknown node."""
        return self._nodes.get(ref or "", ("", ""))[0]

    def fields(self, ref: str | None) -> dict[str, str]:
        """Return the named fields of a node as text, strings without their quotes; empty for an unknown node."""
        body = self._nodes.get(ref or "", ("", ""))[1]
        return {m[1]: bare(m[2].strip()) for m in _FIELD.finditer(body)}

    def items(self, ref: str | None) -> list[str]:
        """Return the entries of a tuple node, such as ``!7`` or ``null``; empty for any other node, and for None."""
        kind, body = self._nodes.get(ref or "", ("", ""))
        return [part.strip() for part in body.split(",")] if not kind and body.strip() else []

    def position(self, ref: str | None) -> Position:
        """Return the position of a ``DILocation``; for inlined code, that of the outermost call.

        For None or an unknown node, the position is unknown (line 0).
        """
        fields = self.fields(ref)
        if not fields:
            return Position("", 0, 0)
        if "inlinedAt" in fields:
            return self.position(fields["inlinedAt"])
        return Position(self._file(fields.get("scope")), int(fields.get("line", 0)), int(fields.get("column", 0)))

    def _file(self, scope: str | None) -> str:
        """Return the path of the file that a scope lies in; "" if unknown."""
        seen = set()
        while scope and scope not in seen:
            seen.add(scope)
            fields = self.fields(scope)
            if "filename" in fields:
                return os.path.join(fields.get("directory", ""), fields["filename"])
            scope = fields.get("file") or fields.get("scope")
        return ""

    @cached_property
    def enumerators(self) -> dict[str, set[int]]:
        """The values of all enumerators, by their names without scopes. Enumerations may share a name."""
        found: dict[str, set[int]] = {}
        for ref, (kind, _) in self._nodes.items():
            if kind == "DIEnumerator":
                fields = self.fields(ref)
                if re.fullmatch(r"-?\d+", fields.get("value", "")):
                    found.setdefault(fields.get("name", ""), set()).add(int(fields["value"]))
        return found

    @cached_property
    def _arguments(self) -> dict[str, dict[int, dict[str, str]]]:
        """The fields of the described parameters, by subprogram and by position from 1."""
        found: dict[str, dict[int, dict[str, str]]] = {}
        for ref, (kind, _) in self._nodes.items():
            if kind == "DILocalVariable":
                fields = self.fields(ref)
                if "arg" in fields:
                    found.setdefault(fields["scope"], {})[int(fields["arg"])] = fields
        return found

    @cached_property
    def _variables(self) -> dict[tuple[str, str], dict[str, str]]:
        """The described variables in memory, by (subprogram, IR name); the subprogram of a global variable is ""."""
        found = {}
        for name, ref in _GLOBAL.findall(self._text):
            found["", name] = self.fields(self.fields(ref).get("var"))
        for name, ref in _DECLARED.findall(self._text):
            described = self.fields(ref)
            scope = described.get("scope")
            while self.kind(scope) in ("DILexicalBlock", "DILexicalBlockFile"):
                scope = self.fields(scope).get("scope")
            found[scope or "", name] = described
        return found

    def variable(self, subprogram: str, name: str) -> str | None:
        """Return the type's ref of a local or global variable.

        Args:
            subprogram: the function with the variable; ignored for global variables.
            name: the variable's IR name, ``%x.addr`` or ``@x``.

        Returns:
            The ref of the type, "" if its description has no type; None if the variable is not described.
        """
        found = self._variables.get(("" if name.startswith("@") else subprogram, name))
        return None if found is None else found.get("type", "")

    def variable_name(self, subprogram: str, name: str) -> str:
        """Return the source name of a variable, see :meth:`variable`; "" if it is not described."""
        return self._variables.get(("" if name.startswith("@") else subprogram, name), {}).get("name", "")

    def arguments(self, subprogram: str) -> dict[int, dict[str, str]]:
        """Return the fields of a function's described parameters, by position from 1; ``this`` counts.

        The dicts are shared: do not change them.
        """
        return self._arguments.get(subprogram, {})

    def qualified_name(self, subprogram: str | None) -> str:
        """Return the name of a function or type with its scopes: ``ns::S::g``; "" if it is not described.

        Anonymous namespaces are left out.
        """
        described = self.fields(subprogram)
        parts = [described.get("name", "")]
        scope = self.fields(described.get("scope"))
        while scope:
            if "filename" not in scope and scope.get("name"):
                parts.append(scope["name"])
            scope = self.fields(scope.get("scope"))
        return "::".join(reversed(parts))

    def class_of(self, subprogram: str | None) -> str | None:
        """Return the ref of the class, structure or union that a function is a member of; None if there is none."""
        scope = self.fields(subprogram).get("scope")
        return scope if self.kind(scope) == "DICompositeType" else None

    def is_member(self, subprogram: str | None) -> bool:
        """Whether a function has a ``this`` parameter."""
        first = self.arguments(subprogram or "").get(1, {})
        return "DIFlagArtificial" in first.get("flags", "") and first.get("name") == "this"

    def makes_or_ends(self, subprogram: str | None) -> bool:
        """Whether a function is a constructor or a destructor."""
        name, own = (self.fields(ref).get("name", "") for ref in (subprogram, self.class_of(subprogram)))
        return bool(own) and name.partition("<")[0].removeprefix("~") == own.partition("<")[0]

    def is_hidden(self, subprogram: str | None) -> bool:
        """Whether a function is a private or protected member."""
        flags = self.fields(self.fields(subprogram).get("declaration")).get("flags", "")
        is_class = self.fields(self.class_of(subprogram)).get("tag") == "DW_TAG_class_type"
        return "DIFlagPrivate" in flags or "DIFlagProtected" in flags or (is_class and "DIFlagPublic" not in flags)

    @cached_property
    def is_cxx(self) -> bool:
        """Whether the source is C++."""
        return any(k == "DICompileUnit" and "C_plus_plus" in body for k, body in self._nodes.values())

    def spelled(self, ref: str | None) -> str:
        """Return a type's name for a declaration: without its qualifiers, and with its namespaces in C++."""
        ref = self.unqualified(ref)
        name = self.type_name(ref)
        plain = self.fields(ref).get("name")
        return name.replace(plain, self.qualified_name(ref)) if self.is_cxx and plain else name

    def full_name(self, subprogram: str | None) -> str:
        """Return a function's name with its parameter types: ``ns::g(int, const double &)``, without ``this``."""
        types = self.items(self.fields(self.fields(subprogram).get("type")).get("types"))[
            1 + self.is_member(subprogram) :
        ]
        spelled = self.in_cxx if self.is_cxx else self.type_name
        return f"{self.qualified_name(subprogram)}({', '.join(map(spelled, types))})"

    def in_cxx(self, ref: str | None) -> str:
        """Return a type as C++ writes it: with namespaces, without default template arguments of the C++ library."""
        fields = self.fields(ref)
        tag, inner = fields.get("tag", ""), fields.get("baseType")
        if tag in _MARKS and self.kind(inner) != "DISubroutineType":
            return f"{self.in_cxx(inner)} {_MARKS[tag]}".replace("* ", "*")
        if tag in _QUALIFIERS:
            word, text = tag[len("DW_TAG_") : -len("_type")], self.in_cxx(inner)
            return f"{text}{word}" if text.endswith("*") else f"{word} {text}"
        if not fields.get("name"):
            return self.type_name(ref)
        return re.sub(r"\s+>", ">", _without_defaults(_INLINE.sub("std::", self.qualified_name(ref))))

    def resolve(self, ref: str | None) -> tuple[str | None, list[str]]:
        """Strip typedefs and qualifiers.

        Returns:
            The ref of the type underneath (None for ``void``, or ``null`` if that was given), and the names of the
            typedefs on the way, the outermost first.
        """
        names = []
        while self.kind(ref) == "DIDerivedType":
            fields = self.fields(ref)
            if fields.get("tag") == "DW_TAG_typedef":
                names.append(fields.get("name", ""))
            elif fields.get("tag") not in _QUALIFIERS:
                break
            ref = fields.get("baseType")
        return ref, names

    def unqualified(self, ref: str | None) -> str | None:
        """Return a type's ref without its top-level qualifiers, which do not matter when a value is passed.

        Qualifiers inside a typedef stay.
        """
        while self.fields(ref).get("tag") in _QUALIFIERS:
            ref = self.fields(ref).get("baseType")
        return ref

    def is_constant(self, ref: str | None) -> bool:
        """Whether a type is ``const``, also through typedefs."""
        while self.kind(ref) == "DIDerivedType":
            fields = self.fields(ref)
            if fields.get("tag") == "DW_TAG_const_type":
                return True
            if fields.get("tag") not in (*_QUALIFIERS, "DW_TAG_typedef"):
                break
            ref = fields.get("baseType")
        return False

    def type_name(self, ref: str | None) -> str:
        """Return a type as C writes it, ``const double *``; ``void`` for None and for ``null``."""
        if ref is None or ref == "null":
            return "void"
        fields = self.fields(ref)
        tag = fields.get("tag", "")
        if tag == "DW_TAG_pointer_type":
            if self.kind(fields.get("baseType")) == "DISubroutineType":
                result, *given = map(self.type_name, self.items(self.fields(fields.get("baseType")).get("types")))
                return f"{result} (*)({', '.join(given)})"
            inner = self.type_name(fields.get("baseType"))
            return inner + ("*" if inner.endswith("*") else " *")
        if tag == "DW_TAG_reference_type":
            return self.type_name(fields.get("baseType")) + " &"
        if tag in _QUALIFIERS:
            word = tag[len("DW_TAG_") : -len("_type")]
            return f"{word} {self.type_name(fields.get('baseType'))}"
        prefix = {
            "DW_TAG_enumeration_type": "enum ",
            "DW_TAG_structure_type": "struct ",
            "DW_TAG_union_type": "union ",
            "DW_TAG_class_type": "class ",
        }.get(tag, "")
        if tag == "DW_TAG_array_type":
            return self.type_name(fields.get("baseType")) + "[]"
        if self.kind(ref) == "DISubroutineType":
            return "function"
        return prefix + fields.get("name", "(unnamed)")


def _without_defaults(name: str) -> str:
    """Return a type's name without default template arguments of the C++ library."""
    at = 0
    while found := _DEFAULT.search(name, at):
        end, depth = found.end(), int(found[0].endswith("<"))
        while depth and end < len(name):
            depth += (name[end] == "<") - (name[end] == ">")
            end += 1
        at, name = found.start(), name[: found.start()] + name[end:]
    return name
