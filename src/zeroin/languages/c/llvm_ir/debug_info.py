"""What a module's debug metadata says: source positions, and the types of a function's parameters."""

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
    """A place in the source; ``file`` is an absolute path, or "" where nothing is known."""

    file: str
    line: int
    column: int


_QUALIFIERS = ("DW_TAG_const_type", "DW_TAG_volatile_type", "DW_TAG_restrict_type")
_MARKS = {"DW_TAG_pointer_type": "*", "DW_TAG_reference_type": "&", "DW_TAG_rvalue_reference_type": "&&"}
ANY_NUMBER = str(2**64 - 1)  # of elements of a view
# What templates of C++'s library have by default, up to the bracket that it ends with.
_DEFAULT = re.compile(rf", (?:std::(?:allocator|less|char_traits|default_delete|hash|equal_to)<|{ANY_NUMBER}UL)")
_INLINE = re.compile(r"\bstd::(?:__\w+::)+")
_DECLARED = re.compile(r"#dbg_declare\(ptr (%[^,]+), (!\d+), !DIExpression\(\)")
_GLOBAL = re.compile(r"^(@[^ ]+) = .*!dbg (!\d+)$", re.M)


class DebugInfo:
    """Reads the metadata nodes of a module's text on demand."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._nodes: dict[str, tuple[str, str]] = {
            m[1]: (m[2], m[3]) if m[2] else ("", m[4] or "") for m in _NODE.finditer(text)
        }

    def kind(self, ref: str | None) -> str:
        """``DIBasicType`` and so on; "" for a plain tuple or an unknown node."""
        return self._nodes.get(ref or "", ("", ""))[0]

    def fields(self, ref: str | None) -> dict[str, str]:
        """The named fields of a node, strings without their quotes."""
        body = self._nodes.get(ref or "", ("", ""))[1]
        return {m[1]: bare(m[2].strip()) for m in _FIELD.finditer(body)}

    def items(self, ref: str | None) -> list[str]:
        """The elements of a tuple node."""
        kind, body = self._nodes.get(ref or "", ("", ""))
        return [part.strip() for part in body.split(",")] if not kind and body.strip() else []

    def position(self, ref: str | None) -> Position:
        """Where a ``DILocation`` points."""
        fields = self.fields(ref)
        if not fields:
            return Position("", 0, 0)
        if "inlinedAt" in fields:
            return self.position(fields["inlinedAt"])
        return Position(self._file(fields.get("scope")), int(fields.get("line", 0)), int(fields.get("column", 0)))

    def _file(self, scope: str | None) -> str:
        seen = set()
        while scope and scope not in seen:
            seen.add(scope)
            fields = self.fields(scope)
            if "filename" in fields:
                return os.path.join(fields.get("directory", ""), fields["filename"])
            scope = fields.get("file") or fields.get("scope")
        return ""

    @cached_property
    def _arguments(self) -> dict[str, dict[int, dict[str, str]]]:
        found: dict[str, dict[int, dict[str, str]]] = {}
        for ref, (kind, _) in self._nodes.items():
            if kind == "DILocalVariable":
                fields = self.fields(ref)
                if "arg" in fields:
                    found.setdefault(fields["scope"], {})[int(fields["arg"])] = fields
        return found

    @cached_property
    def _variables(self) -> dict[tuple[str, str], dict[str, str]]:
        """Variables in memory, by function and name; global ones by name alone."""
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
        """The type of a variable of a function, or of a global one, by the name of its place in memory."""
        found = self._variables.get(("" if name.startswith("@") else subprogram, name))
        return None if found is None else found.get("type", "")

    def variable_name(self, subprogram: str, name: str) -> str:
        """The same variable's name in the source; "" if there is none."""
        return self._variables.get(("" if name.startswith("@") else subprogram, name), {}).get("name", "")

    def arguments(self, subprogram: str) -> dict[int, dict[str, str]]:
        """The described parameters of a function, by position from 1."""
        return self._arguments.get(subprogram, {})

    def qualified_name(self, subprogram: str | None) -> str:
        """``ns::S::g``; anonymous namespaces need no name, and a file has none."""
        described = self.fields(subprogram)
        parts = [described.get("name", "")]
        scope = self.fields(described.get("scope"))
        while scope:
            if "filename" not in scope and scope.get("name"):
                parts.append(scope["name"])
            scope = self.fields(scope.get("scope"))
        return "::".join(reversed(parts))

    def class_of(self, subprogram: str | None) -> str | None:
        """The class, or structure, that a function is a member of."""
        scope = self.fields(subprogram).get("scope")
        return scope if self.kind(scope) == "DICompositeType" else None

    def is_member(self, subprogram: str | None) -> bool:
        """Whether a function is called on an object."""
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
        """A type's name for a declaration: without qualifiers, in C++ with the namespaces that it is in."""
        ref = self.unqualified(ref)
        name = self.type_name(ref)
        plain = self.fields(ref).get("name")
        return name.replace(plain, self.qualified_name(ref)) if self.is_cxx and plain else name

    def full_name(self, subprogram: str | None) -> str:
        """``ns::g(int, const double &)``, which tells overloads apart."""
        types = self.items(self.fields(self.fields(subprogram).get("type")).get("types"))[1:]
        spelled = self.in_cxx if self.is_cxx else self.type_name
        return f"{self.qualified_name(subprogram)}({', '.join(map(spelled, types))})"

    def in_cxx(self, ref: str | None) -> str:
        """A type as C++ writes it, with the namespaces that it is in, and without what templates of its library have
        by default."""
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
        """Strip typedefs and qualifiers: the type node underneath, and the names passed on the way."""
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
        """A type without the qualifiers of its own, which say nothing to who passes a value."""
        while self.fields(ref).get("tag") in _QUALIFIERS:
            ref = self.fields(ref).get("baseType")
        return ref

    def is_constant(self, ref: str | None) -> bool:
        """Whether a type, or one that it is another name of, is ``const``."""
        while self.kind(ref) == "DIDerivedType":
            fields = self.fields(ref)
            if fields.get("tag") == "DW_TAG_const_type":
                return True
            if fields.get("tag") not in (*_QUALIFIERS, "DW_TAG_typedef"):
                break
            ref = fields.get("baseType")
        return False

    def type_name(self, ref: str | None) -> str:
        """The type as C writes it."""
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
    """A type's name without what templates of C++'s library have by default."""
    at = 0
    while found := _DEFAULT.search(name, at):
        end, depth = found.end(), int(found[0].endswith("<"))
        while depth and end < len(name):
            depth += (name[end] == "<") - (name[end] == ">")
            end += 1
        at, name = found.start(), name[: found.start()] + name[end:]
    return name
