"""The state between calls: what static and global variables hold whenever a call of the function begins.

Calls, one after the other, are like the turns of a loop. Its variables are the contents of the program's variables. It
begins with their initial values, and each function that other code may call is a way through a turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ....model.invariants import Loop, Way
from ....model.memory import MemoryValue, Object, Unreadable, as_sort, load
from ....model.merging import Memory
from ....native import machine
from ....term.core.build import TRUE
from ....term.core.nodes import Term, variable
from ....term.core.sorts import Sort, bits
from ....term.core.typing_rules import MATH
from ..front.call_sequence import ENTRY as SEQUENCE
from ..front.layout import STUB
from ..front.set_up import ENTRY as SET_UP
from .calls import JUMPS
from .code import Program
from .types import Type
from .variables import Globals

_MOST_CELLS, _MOST_CALLERS = 16, 8  # numbers in all variables together; functions that may be called in between
_MOST_FUNCTIONS = 200  # that code outside may call: those of a larger program are not read
# Functions that leave others without a return, so that variables may have values from the middle of a call.
_LEAVING = (*JUMPS, "llvm.eh.sjlj.longjmp", "setcontext", "swapcontext", "__cxa_throw", "_Unwind_Resume",
            "__cxa_rethrow")  # fmt: skip
# Library functions that return and call no code of others; the second ones also for float and long double.
_WITHOUT_FLOATS = (
    "abs labs llabs div ldiv lldiv atoi atol atoll atof strtol strtoul strtoll strtoull strtod strtof rand srand time "
    "memchr memcmp memcpy memmove memset strcat strchr strcmp strcpy strcspn strlen strncat strncmp strncpy strnlen "
    "strpbrk strrchr strspn strstr strtok stpcpy isalnum isalpha isblank iscntrl isdigit isgraph islower isprint "
    "ispunct isspace isupper isxdigit tolower toupper __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc "
    "__errno_location clock"
)
_OF_FLOATS = (
    "cbrt erf erfc lgamma tgamma j0 j1 jn y0 y1 yn nexttoward remquo scalbn scalbln ilogb logb frexp ldexp modf fma "
    "rint lrint llrint lround llround nearbyint trunc round floor ceil fabs fdim exp2 exp10 log1p expm1 sincos nan"
)
_QUIET = {*_WITHOUT_FLOATS.split(), *(name + end for name in (*MATH, *_OF_FLOATS.split()) for end in ("", "f", "l"))}
_TRAPS = ("llvm.trap", "llvm.debugtrap", "llvm.ubsantrap")


@dataclass(frozen=True)
class Cell:
    """A number in a variable.

    Attributes:
        of: the variable.
        offset: its offset in the variable, in bytes.
        size: its size in bytes.
        value: what it holds when a call begins, a variable of terms.
        initial: what it holds at the beginning of the program, a constant.
    """

    of: Object
    offset: int
    size: int
    value: Term
    initial: Term


@dataclass
class CallState:
    """The variables of a program that keep a state between calls.

    Attributes:
        names: the names of the variables.
        cells: the numbers in them.
        callers: the other functions that may change them, and that code outside may call.
    """

    names: list[str] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    callers: list[str] = field(default_factory=list)

    def memory(self, objects: Iterable[Object]) -> Memory:
        """Return the contents of memory when a call begins; ``objects`` are further ones whose cells are known."""
        found = Memory({one: one for one in objects}).copy()
        for cell in self.cells:
            found.of(cell.of).cells[cell.offset] = cell.value, cell.size
        return found

    @property
    def objects(self) -> dict[Object, Object]:
        """The variables, each with an object that has what it holds when a call begins."""
        return self.memory(()).objects

    def loop(self, turns: Iterable[Way]) -> Loop:
        """Return the calls as a loop."""
        entry = Way(TRUE, tuple(cell.initial for cell in self.cells))
        return Loop(tuple(cell.value for cell in self.cells), (entry,), tuple(turns), has_few_values=True)

    def left(self, cell: Cell, memory: Memory) -> MemoryValue | None:
        """Return what a number is in a memory; None if it is unknown."""
        try:
            return as_sort(load(memory.of(cell.of), cell.offset, cell.size), cell.value.sort)
        except Unreadable:
            return None


def call_state(program: Program, variables: Globals, entry: str, keeps: bool) -> CallState:
    """Return the state that a function keeps between calls, as far as only this program changes it.

    Args:
        program: the code.
        variables: the objects of its variables, with their initial values.
        entry: the name of the function.
        keeps: whether code outside of the program is assumed to set no variables.

    Returns:
        The state. It is empty if other code may change it in a way that is not known.
    """
    mentions: dict[str, frozenset[str]] = {}
    used = reached(program, entry, mentions)
    names = [name for name in sorted(used) if program.keeps_state(name) and (keeps or not program.may_be_set(name))]
    if not names or any(program.is_function(name) for name in _LEAVING):
        return CallState()
    ours = {entry, SEQUENCE, SET_UP}
    others = [name for name in program.defined() if name not in ours and not name.startswith(STUB)]
    if any(entry in reached(program, name, mentions) for name in others):  # perhaps in the middle of a change
        return CallState()
    outside = [name for name in others if program.is_called_from_outside(name)]
    if len(outside) > _MOST_FUNCTIONS:
        return CallState()
    callers = [name for name in outside if not reached(program, name, mentions).isdisjoint(names)]
    cells = [cell for name in names for cell in _cells(program, variables, name)]
    if len(callers) > _MOST_CALLERS or not 0 < len(cells) <= _MOST_CELLS:
        return CallState()
    return CallState(names, cells, callers)


def may_call_back(called: str | None) -> bool:
    """Return whether a function without code may run other code of the program, or not return."""
    return called is None or called in _TRAPS or not (called.startswith("llvm.") or called in _QUIET)


def is_of_user(called: str | None) -> bool:
    """Return whether a function without code may be the user's, so that it may set global variables.

    Args:
        called: the name of the function; None for a call by address, which may call one.
    """
    return called is None or not (called.startswith("llvm.") or machine.has_symbol(called))


def reached(program: Program, name: str, mentions: dict[str, frozenset[str]]) -> set[str]:
    """Return the names of all functions and variables that a function uses, directly or not.

    Args:
        program: the code.
        name: the name of the function.
        mentions: a cache: for each function or variable, the names in its own code or initial value.
    """
    found, waiting = set[str](), [name]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            if one not in mentions:
                mentions[one] = frozenset(program.mentioned(one))
            waiting += mentions[one]
    return found


def _cells(program: Program, variables: Globals, name: str) -> Iterator[Cell]:
    """Yield the integers in a variable whose initial value is known."""
    initial = variables.object(name)
    try:
        type_ = program.reader((program.initial(name) or ("", False))[0], variables).type()
    except Unreadable:
        return
    for sort, offset, size in _numbers(type_, 0):
        try:
            value = as_sort(load(initial, offset, size), sort)
        except Unreadable:
            continue
        yield Cell(initial, offset, size, variable(f"@{name}+{offset}", sort), value)


def _numbers(type_: Type, at: int) -> Iterator[tuple[Sort, int, int]]:
    """Yield sort, offset and size of each integer in a type that begins at an offset."""
    if not type_.is_scalar:
        for inner, offset in type_.members[: _MOST_CELLS + 1]:
            yield from _numbers(inner, at + offset)
    elif type_.name.startswith("i"):
        yield bits(8 * type_.stored), at, type_.stored
