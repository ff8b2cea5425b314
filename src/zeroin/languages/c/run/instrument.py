"""Find the sites of compiled functions and put a probe in front of each.

Works on Clang's unoptimised IR, where every condition of the source is a branch of its own::

    before   %24 = icmp slt i32 %23, 1044381696
             br i1 %24, label %25, label %32
    after    %24 = icmp slt i32 %23, 1044381696
             %zi.0.a = sext i32 %23 to i64
             call void @zeroin_probe_int(i64 0, i64 4, i64 %zi.0.a, i64 1044381696, i1 zeroext %24)
             br i1 %24, label %25, label %32
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from .... import distance as d
from ....subject.base import STEPS, Site
from ....subject.constant import Constant
from ....subject.graph import Graph
from ....words import Kind
from ..front.condition_text import case_names, condition_text, line_text, operation_text
from ..llvm_ir.constrained_float import plain
from ..llvm_ir.control_flow import FunctionFlow, connect, live_blocks, places_of, read_call
from ..llvm_ir.debug_info import DebugInfo, Position
from ..llvm_ir.instructions import Instruction, instruction
from ..llvm_ir.ir import Block, Function, bare, location, switch_cases
from ..llvm_ir.signedness import Signs
from .boundaries import boundaries
from .faults import FaultMessage, Operations, operations_of, probe_of
from .predicates import ProbedComparison, apart, class_test, difference, is_made, selects_handler

_INT_OPS = {"eq": d.EQ, "ne": d.NE_ORDERED, "sgt": d.GT, "sge": d.GE, "slt": d.LT, "sle": d.LE,
            "ugt": d.GT, "uge": d.GE, "ult": d.LT, "ule": d.LE}  # fmt: skip
_FLOAT_OPS = {"oeq": 1, "ogt": 2, "oge": 3, "olt": 4, "ole": 5, "one": 6, "ord": 7,
              "uno": 8, "ueq": 9, "ugt": 10, "uge": 11, "ult": 12, "ule": 13, "une": 14}  # fmt: skip
_COMPARES = re.compile(r"^(?:\s*%\S+ = )?[if]cmp ")
MOST_INLINED = 80  # probes; the time to compile inlined probes grows with the square of their number


@dataclass
class Instrumented:
    """The sites of all instrumented functions, their control flow, and the constants that the code compares with.

    Attributes:
        sites: the places with a probe, in the order of their numbers.
        flows: the control flow of each function, the entry function first.
        pointed: names in the initial values of global variables; such functions may be called through pointers.
        defined: names of the functions that the subject's own file defines.
        constants: constants in comparisons and in switch cases.
        null_compared: for each function, the positions of the parameters that it compares with NULL.
        tables: IR of the tables that hold the case values of switches.
        faults: for each site that is a fault of an operation, its message.
        strange: types of numbers that get no probe, for a remark in the report.
        groups: how many groups of sites there are; a switch is a group, and so are the boundaries of one comparison.
        suffix: the end of the probe functions' names: ``_apart`` if probes are called instead of inlined.
        measured: whether the probes of faults also compute the distance to the fault.
    """

    sites: list[Site] = field(default_factory=list)
    flows: list[FunctionFlow] = field(default_factory=list)
    pointed: Set[str] = frozenset()
    defined: Set[str] = frozenset()
    constants: set[Constant] = field(default_factory=set)
    null_compared: dict[str, set[int]] = field(default_factory=dict)
    tables: list[str] = field(default_factory=list)
    faults: dict[int, FaultMessage] = field(default_factory=dict)
    strange: set[str] = field(default_factory=set)
    groups: int = 0
    suffix: str = ""
    measured: bool = True

    def graph(self, again: bool = False, first: Collection[str] = ()) -> Graph:
        """Return the graph that says which sites may follow each branch, through calls too.

        Args:
            again: whether one run may call the entry function several times.
            first: names of functions that a run may call before each call of the entry function.
        """
        return connect(self.flows, len(self.sites), self.pointed, again, first)


def instrument(functions: Sequence[Function], debug: DebugInfo, pointed: Set[str] = frozenset(),
               defined: Set[str] = frozenset(), line: tuple[str, int] = ("", 0),
               boundary: bool = False, find: Sequence[str] = (), measured: bool = True) -> Instrumented:  # fmt: skip
    """Insert probes into functions, in place, and return the sites that have them.

    Args:
        functions: the functions to instrument, the entry function first.
        debug: the debug info of their module.
        pointed: names in the initial values of global variables; such functions may be called through pointers.
        defined: names of the functions that the subject's own file defines.
        line: a file and a line in it, which becomes a site of its own; ``("", 0)``: no line.
        boundary: whether the boundaries of each comparison become sites.
        find: the kinds of faults (:data:`zeroin.config.FAULTS`) that become sites.
        measured: whether the probes of faults compute distances; symbolic execution needs none.
    """
    result = Instrumented(pointed=pointed, defined=defined, measured=measured)
    writers = [_Writer(function, debug, result, find) for function in functions]
    branching = sum(len(block.successors) > 1 for function in functions for block in function.blocks)
    result.suffix = "_apart" if branching + sum(writer.count_faults() for writer in writers) > MOST_INLINED else ""
    for writer in writers:
        writer.find_sites(places_of(writer.function, debug, *line), boundary)
        result.flows.append(writer.flow)
    return result


class _Writer:
    """Instruments one function. ``find_sites`` does the work; the results go to ``result`` and ``flow``."""

    def __init__(self, function: Function, debug: DebugInfo, result: Instrumented, find: Sequence[str]) -> None:
        self.function, self.debug, self.result, self.find = function, debug, result, find
        self.source_name = debug.qualified_name(function.subprogram) if debug.is_cxx else ""
        self.values = function.definitions()
        self.flow = FunctionFlow(function)
        self.signs = Signs(debug, function.subprogram, self._right)
        self.operations = (
            operations_of(
                function,
                self._right,
                result.defined,
                result.strange,
                lambda name: debug.is_constant(debug.variable("", name)),
            )
            if find
            else None
        )
        self.operands: dict[str, list[tuple[str, str]]] = {}  # (value, line) of &&/|| operands that a block computes
        self.operand_phis: set[str] = set()
        self.inserted: dict[str, list[tuple[int, list[str]]]] = {b.label: [] for b in function.blocks}

    def find_sites(self, marked: Mapping[str, int], boundary: bool) -> None:
        """Number the function's sites in the order of the code and insert their probes.

        Args:
            marked: for the label of a block, the position in it that becomes a site.
            boundary: whether each comparison gets three more sites, for its boundaries.
        """
        self._find_operands()
        self._find_constants()
        marks = {}
        for block in live_blocks(self.function):
            for position, line in enumerate(map(plain, block.lines)):
                if marked.get(block.label) == position:
                    marks[block.label] = position, self._mark(block, line)
                if self.operations is not None:
                    self._find_faults(self.operations, block, position, line)
                if " = select i1 " in line and (chooses := instruction(line)) is not None:
                    self._add(block, position, chooses.values[0], line, "select")
                elif boundary and (compares := _comparison(line)):
                    self._bound(block, position + 1, compares, line)
                elif call := read_call(line):
                    self.flow.note(block, call)
            for value, line in self.operands.get(block.label, ()):
                self._add(block, len(block.lines) - 1, value, line, "operand")
            self._terminator(block)
        for block in self.function.blocks:
            probes = [*reversed(self.inserted[block.label]), *([marks[block.label]] if block.label in marks else [])]
            for position, lines in sorted(probes, key=lambda item: -item[0]):  # the mark's probe comes first
                block.lines[position:position] = lines

    def _bound(self, block: Block, position: int, comparison: Instruction, line: str) -> None:
        """Add sites for the boundaries of a comparison."""
        predicate, type_, (left, right) = comparison.predicate, comparison.type, comparison.values
        place = self.debug.position(location(line))
        if not place.line:
            return  # made by the compiler
        if any(selects_handler(side, self._right) for side in (left, right)):
            return
        name = f"%zi.{len(self.result.sites)}"
        found = boundaries(type_, predicate, left, right, name, self._right, self.signs)
        if not found and (comparison.opcode == "fcmp" or (type_[1:].isdigit() and int(type_[1:]) > 64)):
            self.result.strange.add(type_)
        text = condition_text(place.file, place.line, place.column) or re.sub(r", !dbg.*", "", line.partition("= ")[2])
        for step, one in zip(STEPS, found, strict=False):
            number = self._site(block, place, text, "boundary", group=self.result.groups, case=step)
            probe = f"  call void @zeroin_probe_int{self.result.suffix}(i64 {number}, i64 {one.op}"
            operands = f"i64 {one.left}, i64 {one.right}, i1 zeroext {one.holds}"
            self.inserted[block.label].append((position, [*one.prepare, f"{probe}, {operands})"]))
        self.result.groups += bool(found)

    def count_faults(self) -> int:
        """Return how many sites for faults the function will have."""
        if self.operations is None:
            return 0
        lines = (line for block in live_blocks(self.function) for line in block.lines)
        return sum(fault.shown.kind in self.find for line in lines for fault in self.operations.faults(plain(line)))

    def _find_faults(self, operations: Operations, block: Block, position: int, line: str) -> None:
        """Add sites for the faults that an operation may have."""
        place = self.debug.position(location(line))
        if not place.line and self.function.subprogram:
            return  # made by the compiler
        for fault in operations.faults(line):
            if fault.shown.kind not in self.find:
                continue
            text = operation_text(place.file, place.line, place.column) or re.sub(r", !dbg.*", "", line.strip())
            number = self._site(block, place, text, fault.shown.kind, silent=fault.shown.is_silent,
                                meant=fault.is_meant)  # fmt: skip
            self.result.faults[number] = fault.shown
            lines = probe_of(fault, number, self.result.suffix, self.result.measured)
            self.inserted[block.label].append((position + fault.after, lines))

    def _mark(self, block: Block, line: str) -> list[str]:
        """Add the site of a line that the search has to reach, and return its probe."""
        place = self.debug.position(location(line))
        number = self._site(block, place, line_text(place.file, place.line), "line")
        probe = f"  call void @zeroin_probe_int{self.result.suffix}(i64 {number}"
        return [f"{probe}, i64 {d.EQ}, i64 0, i64 0, i1 zeroext true)"]

    def _find_operands(self) -> None:
        """Find the second operands of ``x = a && b;``: in the IR, such an operand is not a branch but enters a phi."""
        for name, (_, text) in list(self.values.items()):
            phi = instruction(text) if text.startswith("phi i1 ") else None
            incoming = phi.operands if phi is not None else ()
            computed = [one for one in incoming if one.value.startswith("%")]
            if (
                len(computed) != 1
                or len(incoming) < 2
                or any(one.value not in ("true", "false") for one in incoming if one.value[0] != "%")
            ):
                continue
            value, source = computed[0].value, bare(computed[0].block)
            if not self._right(value).startswith("phi i1 "):  # the operands of an inner && or || are sites already
                self.operands.setdefault(source, []).append((value, self._right(value)))
            self.operand_phis.add(name)

    def _find_constants(self) -> None:
        """Record the constants in the function's comparisons."""
        for block in self.function.blocks:
            for line in block.lines:
                compares = _comparison(plain(line))
                if compares is not None:
                    self.result.constants.update(_constants(compares.type, *compares.values))

    def _terminator(self, block: Block) -> None:
        """Add the sites of a conditional branch or a switch.

        There are none if it decides on a constant, if both sides lead to the same block, if the compiler made the
        condition, or if the condition's operands are sites already.
        """
        line, position = block.terminator, len(block.lines) - 1
        ends = instruction(line) if line.lstrip().startswith(("br i1 ", "switch ")) else None
        if ends is None or not (decides := ends.values[0]).startswith("%"):
            return
        if ends.opcode == "switch":
            self._switch(block, ends.type, decides, line)
            return
        targets = block.successors
        if bare(decides[1:]) in self.operand_phis or targets[0] == targets[1] or is_made(decides, self._right):
            return
        number = self._add(block, position, decides, line, "branch")
        self.flow.jumps[2 * number], self.flow.jumps[2 * number + 1] = targets

    def _switch(self, block: Block, type_: str, value: str, line: str) -> None:
        """Add a site for each case of a switch; none if the compiler made the switch, or for more than 64 bits."""
        cases = switch_cases(line)
        default = block.successors[0]
        width = int(type_[1:])
        if not cases or width > 64:
            return
        place = self._position(line, value)
        if not place.line and self.function.subprogram:
            return  # made by the compiler: such a switch continues after a C++ cleanup
        text = condition_text(place.file, place.line, place.column)
        text = re.sub(r"^switch\s*\(", "", text) or value
        group = self.result.groups
        self.result.groups += 1
        names = {value: name for name in reversed(case_names(place.file, place.line))
                 for value in self.debug.enumerators.get(name.rpartition("::")[2], ())}  # fmt: skip
        self._probe_chain(block, type_, value, cases, len(self.result.sites))
        for index, (case, target) in enumerate(cases):
            last = index == len(cases) - 1
            number = self._site(block, place, text, "switch", group=group, case=case, last=last,
                                case_name=names.get(case, ""))  # fmt: skip
            self.result.constants.update(_constants(type_, str(case)))
            self.flow.jumps[2 * number] = target
            if last:
                self.flow.jumps[2 * number + 1] = default

    def _probe_chain(self, block: Block, type_: str, value: str, cases: list[tuple[int, str]], first: int) -> None:
        """Insert the probe of a switch, which acts like a chain of comparisons that ends at the first equal case."""
        name = f"%zi.{first}"
        lines = [] if type_ == "i64" else [f"  {name}.v = sext {type_} {value} to i64"]
        operand = value if type_ == "i64" else f"{name}.v"
        width = int(type_[1:])
        values = [case - (1 << width) if case >= 1 << (width - 1) else case for case, _ in cases]
        table = ", ".join(f"i64 {v}" for v in values)
        lines.append(
            f"  call void @zeroin_probe_switch(i64 {first}, i64 {operand}, i64 {len(values)}, ptr @zi.cases.{first})"
        )
        self.result.tables.append(f"@zi.cases.{first} = private constant [{len(values)} x i64] [{table}]")
        self.inserted[block.label].append((len(block.lines) - 1, lines))

    def _add(self, block: Block, position: int, condition: str, line: str, form: str) -> int:
        """Add a site for a condition, an i1, and return its number.

        Args:
            block: the block that evaluates it.
            position: the position in the block for the probe.
            condition: the condition.
            line: the instruction that uses it, for its position in the source.
            form: the form of the site.
        """
        number = len(self.result.sites)
        compare = self._comparison(condition, number)
        place = self._position(line, condition)
        text = condition_text(place.file, place.line, place.column) or re.sub(r", !dbg.*", "", self._right(condition))
        self._site(block, place, text, form)
        kind, type_ = ("float", "double") if compare.is_float else ("int", "i64")
        operands = f"i64 {compare.op}, {type_} {compare.left}, {type_} {compare.right}"
        probe = (
            f"  call void @zeroin_probe_{kind}{self.result.suffix}(i64 {number}, {operands}, i1 zeroext {condition})"
        )
        self.inserted[block.label].append((position, [*compare.prepare, probe]))
        return number

    def _site(self, block: Block, place: Position, text: str, form: str, group: int = -1, case: int | None = None,
              last: bool = False, silent: bool = False, case_name: str = "", meant: bool = False) -> int:  # fmt: skip
        """Add a site of this function, and return its number.

        Args:
            block: the block that evaluates it.
            place: its position in the source.
            text: the condition as text.
            form, group, case, last, silent, case_name, meant: see :class:`Site`.
        """
        number = len(self.result.sites)
        self.result.sites.append(Site(number, self.function.name, place.file, place.line, place.column, text, form,
                                      group, case, last, self.source_name, silent, case_name, meant))  # fmt: skip
        self.flow.note(block, number)
        return number

    def _right(self, value: str) -> str:
        """Return the right-hand side of a value's definition; the value itself if it has none."""
        return self.values.get(bare(value[1:]), ("", value))[1]

    def _position(self, line: str, condition: str) -> Position:
        """Return the position of a condition or, if it has none, of the line that uses it; else line 0."""
        for candidate in (self._right(condition), line):
            place = self.debug.position(location(candidate))
            if place.line:
                return place
        return Position("", 0, 0)

    def _comparison(self, value: str, number: int) -> ProbedComparison:
        """Return the comparison that computes an i1, looking through negations and conversions to int and back."""
        negated, text = False, self._right(value)
        for _ in range(8):
            test = instruction(text) if text.startswith(("icmp ", "xor i1 ")) else None
            if test is None or len(test.operands) < 2:
                break
            left, right = test.values
            if test.predicate in ("ne", "eq") and right == "0":
                behind = self._right(left)
                wider = instruction(behind) if behind.startswith("zext ") else None
                if wider is None or wider.operands[0].type != "i1":
                    break
                negated ^= test.predicate == "eq"
                value = wider.values[0]
            elif test.opcode == "xor" and right == "true":
                negated = not negated
                value = left
            else:
                break
            text = self._right(value)
        found = self._compare(text, number) or class_test(text, f"%zi.{number}") or self._truth(value, number)
        found.op = found.op ^ d.ANY if negated else found.op
        return found

    def _compare(self, text: str, number: int) -> ProbedComparison | None:
        """Return the comparison that an instruction makes; None if it makes none, or one that no probe supports."""
        compares = _comparison(plain(text))
        if compares is None:
            return None
        predicate, type_, (left, right) = compares.predicate, compares.type, compares.values
        name = f"%zi.{number}"
        if compares.opcode == "fcmp":
            if type_ == "x86_fp80":
                return apart(name, predicate, left, right)
            if type_ not in ("double", "float", "half") or predicate not in _FLOAT_OPS:
                return None
            if type_ == "double":
                return ProbedComparison(True, _FLOAT_OPS[predicate], [], left, right)
            widened = [f"  {name}.{n} = fpext {type_} {side} to double" for n, side in (("a", left), ("b", right))]
            return ProbedComparison(True, _FLOAT_OPS[predicate], widened, f"{name}.a", f"{name}.b")
        if type_ == "ptr":
            self._note_null(left, right)
            addresses = [f"  {name}.a = ptrtoint ptr {left} to i64", f"  {name}.b = ptrtoint ptr {right} to i64"]
            return ProbedComparison(False, _INT_OPS[predicate], addresses, f"{name}.a", f"{name}.b")
        if not re.fullmatch(r"i\d+", type_) or int(type_[1:]) > 64:
            return None
        unsigned = predicate[0] == "u"
        if right == "0" and not unsigned and (lines := difference(self._right(left), f"{name}.a", self.result.defined)):
            return ProbedComparison(False, _INT_OPS[predicate], lines, f"{name}.a", "0")
        prepare = list[str]()
        a = self._widen(prepare, f"{name}.a", type_, left, unsigned)
        b = self._widen(prepare, f"{name}.b", type_, right, unsigned)
        return ProbedComparison(False, _INT_OPS[predicate], prepare, a, b)

    @staticmethod
    def _widen(prepare: list[str], name: str, type_: str, operand: str, unsigned: bool) -> str:
        """Convert an operand to a signed 64-bit integer, keeping the order. Return its name."""
        if type_ != "i64":
            prepare.append(f"  {name} = {'zext' if unsigned else 'sext'} {type_} {operand} to i64")
            return name
        if unsigned:
            prepare.append(f"  {name} = xor i64 {operand}, -9223372036854775808")
            return name
        return operand

    @staticmethod
    def _truth(value: str, number: int) -> ProbedComparison:
        """Return the comparison of an i1 with 0, for a condition of which no comparison is known."""
        return ProbedComparison(
            False, d.NE_ORDERED, [f"  %zi.{number}.a = zext i1 {value} to i64"], f"%zi.{number}.a", "0"
        )

    def _note_null(self, left: str, right: str) -> None:
        """Record which parameter is compared with NULL. At -O0 a parameter is loaded from its stack slot."""
        if "null" not in (left, right):
            return
        pointer = left if right == "null" else right
        behind = self._right(pointer)
        load = instruction(behind) if behind.startswith("load ptr, ") else None
        for line in self.function.blocks[0].lines if load is not None else ():
            store = instruction(line) if line.lstrip().startswith("store ptr ") else None
            if load is not None and store is not None and store.values[1:] == load.values and store.values[0][0] == "%":
                self.result.null_compared.setdefault(self.function.name, set()).add(
                    _position_of(self.function, bare(store.values[0][1:]))
                )
        if load is None and pointer.startswith("%"):
            self.result.null_compared.setdefault(self.function.name, set()).add(
                _position_of(self.function, pointer[1:])
            )


def _comparison(line: str) -> Instruction | None:
    """Parse a line of IR; None if it is no comparison."""
    return instruction(line) if _COMPARES.search(line) else None


def _position_of(function: Function, name: str) -> int:
    """Return the position of the parameter with this IR name; -1 if there is none."""
    names = function.parameters
    return names.index(name) if name in names else -1


def _constants(type_: str, *operands: str) -> Iterator[Constant]:
    """Yield the operands that are constants; two parts for a long double. IR writes a ``float`` as a double."""
    for operand in map(str.strip, operands):
        if type_ in ("double", "float"):
            if re.fullmatch(r"0x[0-9A-F]{16}", operand):
                yield Constant(Kind.F64, int(operand, 16))
            elif re.fullmatch(r"-?\d+\.\d+e[+-]\d+", operand):
                yield Constant.of_float(float(operand))
        elif type_ == "half" and operand.startswith("0xH"):
            yield Constant(Kind.F16, int(operand[3:], 16))
        elif type_ == "x86_fp80" and operand.startswith("0xK"):
            yield Constant(Kind.F80, int(operand[3:19], 16))
            yield Constant.of_integer(int(operand[19:], 16), 16)
        elif re.fullmatch(r"i\d+", type_) and re.fullmatch(r"-?\d+", operand):
            width = min(int(type_[1:]), 64)
            if -(1 << width - 1) <= int(operand) < 1 << width:
                yield Constant.of_integer(int(operand), width)
