"""Assertions at the top of a function count as preconditions: callers must satisfy them, so a failure is no finding.

Such an assertion reads local variables, has no side effects, and calls no code under test. Only other such assertions,
and local variables that are computed without side effects, may come before it. In the source, an assertion begins at
its ``assert``. Functions whose name begins with ``test_`` have no preconditions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import islice

from ....subject.base import Site
from ..llvm_ir import ir
from ..llvm_ir.debug_info import DebugInfo

_FAILS = "@__assert_fail("
_ASSERTS = re.compile(r"(call void @__assert_fail\(ptr[^@]*@(\S+), ptr[^@]*@\S+, i32 (?:noundef )?)(\d+)(?=, )")
_MARK = 1 << 31  # marks a precondition for guards.c: the top bit of the line number that its assertion reports
_CALL = re.compile(r"\b(?:call|invoke)\b[^@]*@(\"[^\"]+\"|[-\w$.]+)\(")
_STORE = re.compile(r"^\s+store (?!volatile|atomic).*, ptr (%[^,\s]+)")
_PART = re.compile(r"^\s+(%\S+) = (?:getelementptr|bitcast)\b.*?\bptr (%[^,\s]+)")
_LOCAL = re.compile(r"^\s+(%\S+) = alloca ")
_WRITES = re.compile(r"@(?:llvm\.)?mem(?:cpy|move|set)\b[^(]*\(ptr[^%@]*(%[^,\s)]+)")
_READ = re.compile(r"\bptr[^,%@]* (%[-\w$.]+)")  # the addresses that an instruction uses
_DEFINED = re.compile(r"^\s+(%\S+) = ")
_EFFECT = re.compile(r"^\s+(?:%\S+ = )?(?:store|(?:(?:must|no)?tail )?call|invoke|atomicrmw|cmpxchg|fence|va_arg"
                     r"|load (?:volatile|atomic))\b")  # fmt: skip
# Functions without side effects: of the C library, and of the C++ libraries of Clang and GCC.
_PURE = re.compile(
    r"(?:llvm\.(?!set|x86|aarch64|va_|mem)\S+|l?l?abs|(?:fabs|sqrt|cbrt|hypot|floor|ceil|round|trunc|rint|nearbyint|fmin"
    r"|fmax|fmod|fdim|pow|exp|exp2|log|log2|log10|sin|cos|tan|asin|acos|atan|atan2|copysign|__isnan|__isinf|__finite"
    r"|__fpclassify|__signbit)[fl]?|isnan|isinf|is(?:alnum|alpha|blank|digit|lower|print|punct|space|upper|xdigit)"
    r"|to(?:lower|upper)|str(?:len|nlen|n?cmp|r?chr|str|n?casecmp)|memcmp|memchr)$"
)
_PURE_CXX = re.compile(r"_ZNKSt|_ZNSt3__16__math|_ZNSt3__1\d(?:max|min|abs)B|_ZSt\d(?:abs|isnan|isinf|isfinite)[dfe]$")
_LONGEST = 80  # characters of an assertion in the report
_MOST_BLOCKS = 100  # the most blocks between a condition and the block where its branches join

SourcePosition = tuple[int, int]


class Preconditions:
    """The preconditions of a subject.

    Args:
        module: the subject's module with debug info; its preconditions are marked in place.
        entries: IR names of the functions under test: one, or the methods of a class.
        debug: debug info of the module.
        name: name of the function in the source.
    """

    def __init__(self, module: ir.Module, entries: Sequence[str], debug: DebugInfo, name: str) -> None:
        self._entries, self._debug = entries, debug
        self._is_test = name.rpartition(":")[2].startswith("test_")
        self._texts = self.mark(module)

    def mark(self, module: ir.Module) -> dict[int, str]:
        """Mark the precondition assertions in a module, in place, so that a run reports which one failed.

        Args:
            module: the subject's module, or a copy of it.

        Returns:
            For each line number that a failed precondition reports, its text for people. Empty if there are no
            preconditions, and if the module is marked already.
        """
        found = dict[int, str]()
        functions = [module.functions[name] for name in self._entries]
        if self._is_test or all(_where(block) < 0 for function in functions for block in function.blocks):
            return found
        texts = module.initialisers()
        failing = (_Top(function, self._debug, module.functions.keys()).failing() for function in functions)
        for block in {id(block): block for blocks in failing for block in blocks}.values():
            line = block.lines[_where(block)]
            match = _ASSERTS.search(line)
            text = re.search(r'c"([^"]*)\\00"', texts.get(ir.bare(match[2]), "")) if match else None
            if match and text:
                begins = self._debug.position(ir.location(line)).line
                found[int(match[3])] = f'"assert({_short(ir.unescaped(text[1]))})" (line {begins or match[3]})'
                block.lines[_where(block)] = _ASSERTS.sub(rf"\g<1>{int(match[3]) - _MARK}", line)
        return found

    def unmet(self, line: int, covered: Callable[[], Set[int]], sites: Iterable[Site]) -> str:
        """Describe the precondition that an input violates.

        Args:
            line: line that the failed assertion reported; 0 if it is no precondition.
            covered: returns the numbers of the branches that the run took.
            sites: the sites in the subject's own function. If the run took both branches of one of them, the function
                called itself. The failed call is then the fault of the code under test, and not of the input.

        Returns:
            The description; empty if the input violates no precondition.
        """
        text = self._texts.get(line, "")
        taken = covered() if text else frozenset()
        if not text or any({2 * site.number, 2 * site.number + 1} <= taken for site in sites):
            return ""
        return f"fails {text}, which stands at the top: a precondition"


def _short(text: str) -> str:
    """Return the text of an assertion, cut to the maximal length in the report."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _where(block: ir.Block) -> int:
    """Return the position of the call that reports a failed assertion in a block; -1 if there is none."""
    return next((at for at, line in enumerate(block.lines) if _FAILS in line), -1)


class _Top:
    """The search for preconditions at the beginning of a function.

    Args:
        function: the IR function.
        debug: debug info of its module.
        defined: names of the functions of the code under test, which count as having side effects.
    """

    def __init__(self, function: ir.Function, debug: DebugInfo, defined: Set[str]) -> None:
        self._debug, self._defined, self._first = debug, defined, function.blocks[0]
        self._blocks = {block.label: block for block in function.blocks}
        self._locals = set[str]()
        for line in (line for block in function.blocks for line in block.lines):
            part = _PART.match(line)
            match = part if part and part[2] in self._locals else _LOCAL.match(line)
            self._locals.update([match[1]] if match else [])

    def failing(self) -> Iterator[ir.Block]:
        """Yield the blocks in which the assertions at the top fail. A block may be yielded several times."""
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
        """Find the block where the branches of a condition join, ignoring those that end in a failed assertion.

        Returns:
            The joining block, and the blocks between; None and an empty list if there is none nearby.
        """
        near = list(islice(self._reached(block.successors, ""), _MOST_BLOCKS))
        for candidate in near:
            inside = list(islice(self._reached(block.successors, candidate.label), _MOST_BLOCKS))
            ends = [one for one in inside if not one.successors and _where(one) < 0]
            turns = len(inside) == _MOST_BLOCKS or any(one is block for one in inside)
            if _where(candidate) < 0 and not ends and not turns:
                return candidate, inside
        return None, []

    def _reached(self, labels: list[str], without: str) -> Iterator[ir.Block]:
        """Yield the blocks reachable from these labels on paths without the block ``without``, the nearest first."""
        seen, waiting = {without, *labels}, [label for label in labels if label != without]
        while waiting:
            block = self._blocks[waiting.pop(0)]
            yield block
            new = [label for label in block.successors if label not in seen]
            seen.update(new)
            waiting += new

    def _has_effect(self, line: str) -> bool:
        """Whether an instruction may have a side effect: anything but a change of a local variable."""
        if not _EFFECT.match(line):
            return False
        written, call = _STORE.match(line) or _WRITES.search(line), _CALL.search(line)
        if written:
            return written[1] not in self._locals
        name = ir.bare(call[1]) if call else ""
        return not (_PURE_CXX.match(name) or (_PURE.match(name) and name not in self._defined))

    def _place(self, line: str) -> SourcePosition:
        """Return the line and the column of an instruction in the source, from 1; both are 0 if unknown."""
        position = self._debug.position(ir.location(line))
        return position.line, position.column
