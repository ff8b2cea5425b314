"""Assertions at the top of a function: what callers have to see to.

An assertion is one of them if it is about local variables, has no effect, and calls nothing of the code under test.
Before it stand only other such assertions, and local variables that are computed without an effect. An assertion begins
in the source at its ``assert``. A test has no preconditions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Set
from itertools import islice

from ....subject.base import Site
from ..llvm_ir import ir
from ..llvm_ir.debug_info import DebugInfo

_FAILS = "@__assert_fail("
_ASSERTS = re.compile(r"(call void @__assert_fail\(ptr[^@]*@(\S+), ptr[^@]*@\S+, i32 (?:noundef )?)(\d+)(?=, )")
_MARK = 1 << 31  # on the line of an assertion that is one of these, for guards.c
_CALL = re.compile(r"\b(?:call|invoke)\b[^@]*@(\"[^\"]+\"|[-\w$.]+)\(")
_STORE = re.compile(r"^\s+store (?!volatile|atomic).*, ptr (%[^,\s]+)")
_PART = re.compile(r"^\s+(%\S+) = (?:getelementptr|bitcast)\b.*?\bptr (%[^,\s]+)")
_LOCAL = re.compile(r"^\s+(%\S+) = alloca ")
_WRITES = re.compile(r"@(?:llvm\.)?mem(?:cpy|move|set)\b[^(]*\(ptr[^%@]*(%[^,\s)]+)")
_READ = re.compile(r"\bptr[^,%@]* (%[-\w$.]+)")  # addresses that an instruction uses
_DEFINED = re.compile(r"^\s+(%\S+) = ")
_EFFECT = re.compile(r"^\s+(?:%\S+ = )?(?:store|(?:(?:must|no)?tail )?call|invoke|atomicrmw|cmpxchg|fence|va_arg"
                     r"|load (?:volatile|atomic))\b")  # fmt: skip
# What the C library computes without an effect, and what is part of the code in C++ (of Clang's library, of GCC's).
_PURE = re.compile(
    r"(?:llvm\.(?!set|x86|aarch64|va_|mem)\S+|l?l?abs|(?:fabs|sqrt|cbrt|hypot|floor|ceil|round|trunc|rint|nearbyint|fmin"
    r"|fmax|fmod|fdim|pow|exp|exp2|log|log2|log10|sin|cos|tan|asin|acos|atan|atan2|copysign|__isnan|__isinf|__finite"
    r"|__fpclassify|__signbit)[fl]?|isnan|isinf|is(?:alnum|alpha|blank|digit|lower|print|punct|space|upper|xdigit)"
    r"|to(?:lower|upper)|str(?:len|nlen|n?cmp|r?chr|str|n?casecmp)|memcmp|memchr)$"
)
_PURE_CXX = re.compile(r"_ZNKSt|_ZNSt3__16__math|_ZNSt3__1\d(?:max|min|abs)B|_ZSt\d(?:abs|isnan|isinf|isfinite)[dfe]$")
_LONGEST = 80  # characters of an assertion that are shown
_MOST_BLOCKS = 100  # between a condition and where its ways come together

SourcePosition = tuple[int, int]


class Preconditions:
    """Those of a subject.

    Args:
        module: that defines it, with its debug info. Its assertions are marked.
        entry: its symbol.
        debug: of the module.
        name: of the function in the source.
    """

    def __init__(self, module: ir.Module, entry: str, debug: DebugInfo, name: str) -> None:
        self._entry, self._debug = entry, debug
        self._is_test = name.rpartition(":")[2].startswith("test_")
        self._texts = self.mark(module)

    def mark(self, module: ir.Module) -> dict[int, str]:
        """Mark the assertions in a copy of the module, so that a run which fails one tells which; for each of the lines
        that they tell how it is shown."""
        function, found = module.functions[self._entry], dict[int, str]()
        if self._is_test or all(_where(block) < 0 for block in function.blocks):
            return found
        texts = module.initialisers()
        for block in {
            block.label: block for block in _Top(function, self._debug, module.functions.keys()).failing()
        }.values():
            line = block.lines[_where(block)]
            match = _ASSERTS.search(line)
            text = re.search(r'c"([^"]*)\\00"', texts.get(ir.bare(match[2]), "")) if match else None
            if match and text:
                begins = self._debug.position(ir.location(line)).line
                found[int(match[3])] = f'"assert({_short(ir.unescaped(text[1]))})" (line {begins or match[3]})'
                block.lines[_where(block)] = _ASSERTS.sub(rf"\g<1>{int(match[3]) - _MARK}", line)
        return found

    def unmet(self, line: int, covered: Callable[[], Set[int]], sites: Iterable[Site]) -> str:
        """What an input does that fails a marked assertion; empty if it is none.

        Args:
            line: that the assertion told; 0: it is not marked.
            covered: the outcomes that the run took. If a condition turned out both ways, the subject has called itself,
                and that is no matter of who called it first.
            sites: of the subject itself.
        """
        text = self._texts.get(line, "")
        taken = covered() if text else frozenset()
        if not text or any({2 * site.number, 2 * site.number + 1} <= taken for site in sites):
            return ""
        return f"fails {text}, which stands at the top: a precondition"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _where(block: ir.Block) -> int:
    """The place of a block's failed assertion among its instructions; -1: it has none."""
    return next((at for at, line in enumerate(block.lines) if _FAILS in line), -1)


class _Top:
    """The beginning of a function; ``defined`` are the names of those whose effects are not known."""

    def __init__(self, function: ir.Function, debug: DebugInfo, defined: Set[str]) -> None:
        self._debug, self._defined, self._first = debug, defined, function.blocks[0]
        self._blocks = {block.label: block for block in function.blocks}
        self._locals = set[str]()
        for line in (line for block in function.blocks for line in block.lines):
            part = _PART.match(line)
            match = part if part and part[2] in self._locals else _LOCAL.match(line)
            self._locals.update([match[1]] if match else [])

    def failing(self) -> Iterator[ir.Block]:
        """The blocks in which the assertions at the top fail."""
        block, seen = self._first, set[str]()
        since = list[str]()  # instructions since the last assertion: the condition of the next one is among them
        while block.label not in seen:
            seen.add(block.label)
            if any(map(self._has_effect, block.lines)):
                return
            since += block.lines
            ways = set(block.successors)
            if len(ways) == 1:
                block = self._blocks[ways.pop()]
                continue
            joined, inside = self._joined(block)
            failed = [one for one in inside if _where(one) >= 0]
            others = [line for one in inside if _where(one) < 0 for line in one.lines]
            if joined is None or any(map(self._has_effect, others)):
                return
            since += others
            if failed:
                choices = [self._place(one.terminator) for one in [block, *inside] if len(set(one.successors)) > 1]
                begins = max(self._place(one.lines[_where(one)]) for one in failed)
                if min(choices) < begins:
                    return
                asked = [line for line in since if self._place(line) >= begins]
                read = {name for line in asked for name in _READ.findall(line)}
                if read - {match[1] for match in map(_DEFINED.match, asked) if match}:  # not global variables alone
                    yield from failed
                since = []
            block = joined

    def _joined(self, block: ir.Block) -> tuple[ir.Block | None, list[ir.Block]]:
        """The first block in which all ways from here come together, but for those that end in a failed assertion; and
        the blocks between. No block if there is none near."""
        near = list(islice(self._reached(block.successors, ""), _MOST_BLOCKS))
        for candidate in near:
            inside = list(islice(self._reached(block.successors, candidate.label), _MOST_BLOCKS))
            ends = [one for one in inside if not one.successors and _where(one) < 0]
            turns = len(inside) == _MOST_BLOCKS or any(one is block for one in inside)
            if _where(candidate) < 0 and not ends and not turns:
                return candidate, inside
        return None, []

    def _reached(self, labels: list[str], without: str) -> Iterator[ir.Block]:
        """The blocks from these on, the nearest first, as far as they are reached without a certain one."""
        seen, waiting = {without, *labels}, [label for label in labels if label != without]
        while waiting:
            block = self._blocks[waiting.pop(0)]
            yield block
            new = [label for label in block.successors if label not in seen]
            seen.update(new)
            waiting += new

    def _has_effect(self, line: str) -> bool:
        """Whether an instruction may do more than give a value to a local variable."""
        if not _EFFECT.match(line):
            return False
        written, call = _STORE.match(line) or _WRITES.search(line), _CALL.search(line)
        if written:
            return written[1] not in self._locals
        name = ir.bare(call[1]) if call else ""
        return not (_PURE_CXX.match(name) or (_PURE.match(name) and name not in self._defined))

    def _place(self, line: str) -> SourcePosition:
        position = self._debug.position(ir.location(line))
        return position.line, position.column
