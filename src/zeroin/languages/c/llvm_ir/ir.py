"""A small parser and printer for LLVM IR text: modules, functions, basic blocks and instructions.

llvmlite reads and compiles IR but can not change it, so probes are inserted into the text. Clang writes one instruction
a line (except for a switch). Values that we insert have names, so Clang's numbering of unnamed values stays valid.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

_TOKEN = re.compile(r'c"(?:[^"\\]|\\.)*"|@("[^"]+"|[-\w$.]+)|!?"(?:[^"\\]|\\.)*"')
_LABEL = re.compile(r'^("[^"]+"|[-\w$.]+):')
_DEFINE = re.compile(r'^define\b[^@]*@("[^"]+"|[-\w$.]+)\(')
_VALUE = re.compile(r'^\s+%("[^"]+"|[-\w$.]+) = (.*)$')
_TARGET = re.compile(r'label %("[^"]+"|[-\w$.]+)')
_MENTION = re.compile(r'@("[^"]+"|[-\w$.]+)')
_CASE = re.compile(r'\bi\d+ (-?\d+|true|false), label %("[^"]+"|[-\w$.]+)')
_METADATA = re.compile(r", !(?!tbaa)[\w.]+ !\d+")
_OF_TYPE = re.compile(r", !tbaa[\w.]* (!\d+)")
_NODE = re.compile(r"(!\d+) = ")
_DBG = re.compile(r", !dbg (!\d+)")
_GLOBAL = re.compile(r'^@("[^"]+"|[-\w$.]+) = (.*)$')
_COMDAT = re.compile(r"^(define\b.*?|@.*?),? comdat(?:\([^)]*\))?(?= \{| personality| align|, align|, !|$)")
_DECLARED_NULL = re.compile(r"^declare\b[^@(]* null\(")
_WEAK = re.compile(r"(?:declare (?:!dbg !\d+ )?|@[^=]+ = )extern_weak ")
_PLAIN = re.compile(r"[-\w$.]+", re.ASCII)
_ESCAPE = re.compile(rb"\\(?:([0-9A-Fa-f]{2})|\\)")
_SIGNED = re.compile(r"( = (?:add|sub|mul|shl)(?: nuw)?) nsw(?= )")
_UNUSUAL = re.compile(rb"[^ !#-\[\]-~]")
_DECLARE = re.compile(r'^declare\b[^@]*@("[^"]+"|[-\w$.]+)\(')


def bare(name: str) -> str:
    """Return a name without the quotes and escapes that IR uses for unusual names."""
    return unescaped(name[1:-1]) if name.startswith('"') else name


def unescaped(text: str) -> str:
    """Decode the escapes of an IR string, without its quotes: ``gr\\C3\\B6sse`` is größe in UTF-8.

    Bytes that are not UTF-8 become surrogates (``surrogateescape``).
    """
    if "\\" not in text:
        return text
    plain = _ESCAPE.sub(lambda m: bytes((int(m[1], 16),)) if m[1] else b"\\", text.encode(errors="surrogateescape"))
    return plain.decode(errors="surrogateescape")


def _in_quotes(name: str) -> str:
    """Return a name as IR writes it in quotes, with unusual bytes escaped."""
    plain = name.encode(errors="surrogateescape")
    return '"' + _UNUSUAL.sub(lambda m: b"\\%02X" % ord(m[0]), plain).decode() + '"'


def wrapping(text: str) -> str:
    """Return the code without the ``nsw`` flags of ``add``, ``sub``, ``mul`` and ``shl``: signed integers then wrap."""
    return _SIGNED.sub(r"\1", text)


def mentioned(text: str) -> list[str]:
    """Return the names of all globals in a text without ``@``, in order and with repetitions.

    Names inside string constants and metadata count, too.
    """
    return [bare(name) for name in _MENTION.findall(text)]


def quoted(name: str) -> str:
    """Return a global's name as IR writes it after the ``@``: in quotes if it has unusual characters."""
    return name if _PLAIN.fullmatch(name) and not name[0].isdigit() else _in_quotes(name)


@dataclass
class Block:
    """A basic block: its label and its instructions, one string each (a switch is one string of several lines)."""

    label: str
    lines: list[str] = field(default_factory=list)
    implicit: bool = False  # the text has no label; LLVM numbers the block after the parameters

    @property
    def terminator(self) -> str:
        """The last instruction of the block; empty if the block is empty."""
        return self.lines[-1] if self.lines else ""

    @property
    def successors(self) -> list[str]:
        """The labels of the blocks that the terminator branches to; empty if it leaves the function.

        The order is that of the text: the true and the false side of a ``br``; the default of a ``switch``, then its
        cases. A label may come several times.
        """
        return [bare(t) for t in _TARGET.findall(self.terminator)]


@dataclass
class Function:
    """A function definition: the ``define`` line and its blocks, the entry block first.

    Attributes:
        name: the name without ``@`` and quotes.
        header: the ``define`` line, with ``{``.
        blocks: the blocks in the order of the text.
    """

    name: str
    header: str
    blocks: list[Block]

    @property
    def subprogram(self) -> str | None:
        """The ref of the function's debug info node (``!17``); None without debug info."""
        match = re.search(r"!dbg (!\d+)", self.header)
        return match[1] if match else None

    @property
    def parameters(self) -> list[str]:
        """The IR names of the parameters, without ``%``, in order; also that of a hidden one such as ``sret``."""
        # Drop the parentheses of attributes such as byval(%struct.s).
        inside = re.sub(r"(?<=\w)\([^()]*\)", "", self.header[self.header.index("(") :])
        return re.findall(r"%([-\w$.]+)(?=[,)])", inside)

    def definitions(self) -> dict[str, tuple[str, str]]:
        """Return the definition of every value: its block's label and the right-hand side, by name without ``%``."""
        found = {}
        for block in self.blocks:
            for line in block.lines:
                match = _VALUE.match(line)
                if match:
                    found[bare(match[1])] = (block.label, match[2])
        return found


@dataclass
class Module:
    """A module as a list of parts in the order of its text: function definitions, and all other lines."""

    parts: list[str | Function]

    @property
    def functions(self) -> dict[str, Function]:
        """The function definitions by name: a new dict at each access, with the module's own functions."""
        return {p.name: p for p in self.parts if isinstance(p, Function)}

    def initialisers(self) -> dict[str, str]:
        """Return the definition of each global variable by name: the text with its linkage, type and initial value.

        External variables, which have no initial value, and aliases are included.
        """
        lines = (_GLOBAL.match(part) for part in self.parts if isinstance(part, str))
        return {bare(match[1]): match[2] for match in lines if match}

    def defined(self) -> set[str]:
        """Return the names of the functions, variables and aliases that the module defines."""
        names = set(self.functions)
        for part in self.parts:
            if isinstance(part, str):
                match = _GLOBAL.match(part)
                if match and not re.match(r"(extern_weak |external )", match[2]):
                    names.add(bare(match[1]))
        return names

    def weak(self) -> set[str]:
        """Return the names of ``extern_weak`` symbols, which are null unless another module defines them."""
        lines = (part for part in self.parts if isinstance(part, str) and _WEAK.match(part))
        return {bare(match[1]) for line in lines if (match := _DECLARE.match(line) or _GLOBAL.match(line))}

    def text(self) -> str:
        """Return the module as IR text."""
        out: list[str] = []
        for part in self.parts:
            if isinstance(part, str):
                out.append(part)
                continue
            out.append(part.header)
            for block in part.blocks:
                if not block.implicit:
                    out.append(f"{quoted_label(block.label)}:")
                out.extend(block.lines)
            out.append("}")
        return "\n".join(out) + "\n"


def quoted_label(label: str) -> str:
    """Return a block's label as IR writes it: in quotes if it has unusual characters."""
    return label if _PLAIN.fullmatch(label) else _in_quotes(label)


def read(text: str) -> Module:
    """Parse a module's text. It is not checked that the text is valid IR.

    Comments and debug records (``#dbg_declare``) inside functions are left out. So
    :meth:`zeroin.languages.c.llvm_ir.debug_info.DebugInfo.variable` needs the original text.
    """
    parts: list[str | Function] = []
    lines = iter(text.splitlines())
    for line in lines:
        match = _DEFINE.match(line)
        parts.append(_read_function(bare(match[1]), line, lines) if match else line)
    return Module(parts)


def _read_function(name: str, header: str, lines: Iterator[str]) -> Function:
    """Read a function's body. This consumes the lines up to its closing brace."""
    blocks = [Block("")]
    for line in lines:
        if line == "}":
            break
        label = _LABEL.match(line)
        if label:
            if blocks[-1].lines or blocks[-1].label:
                blocks.append(Block(bare(label[1])))
            else:
                blocks[-1].label = bare(label[1])
            continue
        stripped = line.strip()
        if not stripped or stripped.startswith((";", "#dbg_")):
            continue
        if stripped.startswith("switch ") and "]" not in line:
            line = "\n".join([line, *_until_bracket(lines)])
        elif blocks[-1].lines and _continues(blocks[-1].lines[-1]):
            blocks[-1].lines[-1] += " " + stripped
            continue
        blocks[-1].lines.append(line)
    if not blocks[0].label:
        blocks[0].label = _entry_label(header)
        blocks[0].implicit = True
    return Function(name, header, blocks)


def _entry_label(header: str) -> str:
    """Return the number that LLVM gives an unlabelled entry block: one more than the last numbered parameter."""
    numbered = re.findall(r"%(\d+)(?=[,)])", header)
    return str(int(numbered[-1]) + 1) if numbered else "0"


def _continues(line: str) -> bool:
    """Whether the next line belongs to this one: an invoke's destinations stand on the line after it."""
    return " invoke " in f" {line.strip()}" and "unwind label" not in line


def _until_bracket(lines: Iterator[str]) -> list[str]:
    """Return the lines up to the first one that begins with ``]``. This consumes them."""
    taken = []
    for line in lines:
        taken.append(line)
        if line.strip().startswith("]"):
            break
    return taken


def switch_cases(terminator: str) -> list[tuple[int, str]]:
    """Return the case values of a switch and the labels that they branch to, in order; empty for other terminators.

    The default is left out. The operand must not be a constant: it would be taken for a case.
    """
    words = {"true": "1", "false": "0"}
    return [(int(words.get(value, value)), bare(target)) for value, target in _CASE.findall(terminator)]


def location(line: str) -> str | None:
    """Return the ref of an instruction's debug location (``!17``); None if it has none."""
    match = _DBG.search(line)
    return match[1] if match else None


def strip_debug(module: Module) -> None:
    """Remove all metadata except TBAA (the types of memory accesses), in place.

    Without debug info, inserted calls need no debug locations, and the optimiser has less work. Afterwards,
    :func:`location` finds nothing in the module.
    """
    kept: list[str | Function] = []
    types, nodes = set[str](), dict[str, str]()
    for part in module.parts:
        if isinstance(part, Function):
            part.header = re.sub(r" !dbg !\d+", "", part.header)
            for block in part.blocks:
                block.lines = [_METADATA.sub("", line) for line in block.lines]
                types.update(name for line in block.lines if "!tbaa" in line for name in _OF_TYPE.findall(line))
            kept.append(part)
        elif not part.startswith("!"):
            kept.append(re.sub(r",? !dbg !\d+", "", part))
        elif match := _NODE.match(part):
            nodes[match[1]] = part
    module.parts = [*kept, *_needed(nodes, types)]


def _needed(nodes: Mapping[str, str], names: Iterable[str]) -> list[str]:
    """Return the metadata nodes with these names, and all nodes that they refer to."""
    found, queue = dict[str, str](), [*names]
    while queue:
        name = queue.pop()
        if name not in found:
            found[name] = nodes[name]
            queue += re.findall(r"!\d+", nodes[name].partition(" = ")[2])
    return [*found.values()]


def rename(text: str, new: Callable[[str], str | None]) -> str:
    """Return a module's text with its global symbols renamed; string constants stay as they are.

    COMDAT groups carry the old names and are removed: LLVM's own linker, which gets the result, merges without them.

    Args:
        text: the module's text.
        new: returns the new name for an old one, both without ``@`` and quotes. It is called for every occurrence of
            every global, also of intrinsics. None replaces a declared symbol by null.
    """

    def replace(match: re.Match[str]) -> str:
        if not match[1]:
            return match[0]
        name = new(bare(match[1]))
        return f"@{quoted(name)}" if name is not None else "null"

    lines = (
        line if line.startswith(("source_filename", "; ")) else _TOKEN.sub(replace, _COMDAT.sub(r"\1", line))
        for line in text.splitlines() if not line.startswith("$")
    )  # fmt: skip
    return "\n".join(_declared_once(lines)) + "\n"


def _declared_once(lines: Iterable[str]) -> Iterator[str]:
    """Drop repeated declarations, which arise when two functions get the same name, and declarations of null."""
    declared = set()
    for line in lines:
        if line.startswith("null = ") or _DECLARED_NULL.match(line):
            continue
        match = _DECLARE.match(line)
        if match and match[1] in declared:
            continue
        if match:
            declared.add(match[1])
        yield line


def wrap(module: Module) -> None:
    """Make signed integers wrap on overflow in the whole module, in place; see :func:`wrapping`."""
    for function in module.functions.values():
        for block in function.blocks:
            block.lines[:] = map(wrapping, block.lines)
