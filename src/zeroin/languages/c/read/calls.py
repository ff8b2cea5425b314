"""Calls of functions without code: those whose results are terms, and those that work on memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....model.memory import NULL, MemoryValue, Object, Pointer, Unreadable, copy, forget, store
from ....term.core.evaluate import signed
from ....term.core.nodes import Op, Term, constant, make
from ....term.core.sorts import bits
from .access import to_memory
from .library import CHARACTERS, WRITING, function, has_class
from .run_record import Record
from .strings import PREFIX, STRINGS, StringsOfRun
from .types import Type, sort_of, type_of
from .uninitialised import FORGET, OPEN

_TO_NEAREST = 0  # FE_TONEAREST; nothing is read of code that may change how floats are rounded
_ROOM = 256  # bytes for what is allocated in a size that an input decides, at least
_LARGEST = 1 << 16  # bytes of what is allocated, copied or set
ERRNO = f"{PREFIX}zeroin_errno"  # the variable behind ``errno`` in c_library.c
SET_JUMPS = ("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp")
JUMPS = ("longjmp", "_longjmp", "siglongjmp", "__longjmp_chk")
CHECKS = ("zeroin_check", "zeroin_forbid")  # calls that end a run whose last argument is true
NOTHING = ("llvm.lifetime", "llvm.dbg", "llvm.assume", "llvm.experimental.noalias",
            "llvm.donothing", "llvm.prefetch", "llvm.stacksave", "llvm.stackrestore", "llvm.invariant",
            "llvm.sideeffect")  # fmt: skip


def call_library(record: Record, name: str, arguments: Sequence[MemoryValue | None],
                 result: Type | None) -> MemoryValue | None:  # fmt: skip
    """Carry out a call of a function that is defined elsewhere, and return its result.

    Args:
        record: the run. It receives the constraints that fix addresses and sizes to their values in the run.
        name: the name of the function.
        arguments: the values of the arguments. The objects that they point to may be changed.
        result: the type of the result; None if there is none.

    Returns:
        The result; None if there is none or it is not a number. Allocations never fail.

    Raises:
        Unreadable: the function is unknown, or its effect can not be expressed.
    """
    if name.startswith(NOTHING):
        return None
    if name.startswith(OPEN):
        return record.unset(sort_of(result))
    if name == FORGET:
        target, offset = _place(record, arguments[0])
        size = record.pinned(arguments[1]) if isinstance(arguments[1], Term) else -1
        forget(target, offset, target.size - offset if size < 0 else size)
        return None
    if name in STRINGS:
        return STRINGS[name](StringsOfRun(record), arguments)
    if (both := written(name, arguments)) is not None:
        value, stored = both
        store(*_place(record, arguments[-1]), type_of(stored.sort).stored, to_memory(stored))
        return value
    for prefix, does in _MEMORY.items():
        if name == prefix or name.startswith(f"{prefix}."):
            return does(record, arguments)
    found = value_of(name, arguments, result)
    if found is not None:
        return found
    if name.startswith("zeroin_unknown"):  # in c_library.c
        raise Unreadable("it reads a number in a string that zeroin can not follow")
    raise Unreadable(f"it calls {name}, which zeroin can not read")


def is_known(name: str, arguments: Sequence[MemoryValue | None], result: Type | None) -> bool:
    """Return whether a function without code depends only on its arguments and the memory they point to.

    This is False for functions that allocate, as an allocation may fail.
    """
    plain = ".".join(name.split(".")[: 2 if name.startswith("llvm.") else 1])
    known = (
        name.startswith(NOTHING)
        or name in STRINGS
        or name in WRITING
        or (plain in _MEMORY and plain not in _ALLOCATING)
    )
    return known or value_of(name, arguments, result) is not None


def may_set_errno(name: str) -> bool:
    """Return whether a function without code may set ``errno``, as C lets any function of the library do.

    Functions of characters and strings do not, in any library.
    """
    return not (name.startswith(("llvm.", "zeroin_")) or name in STRINGS or name in CHARACTERS or name in _MOVING)


def written(name: str, arguments: Sequence[MemoryValue | None]) -> tuple[Term, Term] | None:
    """Return the result of a function that stores a number, and that number; None if it is no such function."""
    *numbers, _ = arguments or (None,)
    terms = [one for one in numbers if isinstance(one, Term)]
    return WRITING[name](terms) if name in WRITING and len(terms) == len(numbers) else None


def value_of(name: str, arguments: Sequence[MemoryValue | None],
             result: Type | None) -> Term | tuple[Term, ...] | None:  # fmt: skip
    """Return the result of a function of numbers; None if it is not known, or if it is not of the type ``result``."""
    if name == "fegetround":
        return constant(bits(32), _TO_NEAREST)
    if name.startswith("llvm.is.fpclass") and isinstance(arguments[0], Term) and isinstance(arguments[1], Term):
        found = has_class(arguments[0], int(arguments[1].data))
        if found is not None:
            return found
    if all(isinstance(argument, Term) for argument in arguments):
        terms = [argument for argument in arguments if isinstance(argument, Term)]
        if name.startswith(("llvm.abs", "llvm.expect")):
            terms = terms[:1]
        value = function(name, terms)
        if value is None or result is None:
            return value
        kinds = [value.sort] if isinstance(value, Term) else [part.sort for part in value]
        wanted = [result.sort] if result.is_scalar else [part.sort for part, _ in result.members]
        return value if kinds == wanted else None
    return None


def _size(record: Record, value: MemoryValue | None) -> int:
    """Return a number of bytes, fixed to its value in the run.

    Raises:
        Unreadable: it is no number, negative, or too large.
    """
    if not isinstance(value, Term):
        raise Unreadable("a size is not a number")
    size = record.pinned(value)
    if not 0 <= size <= _LARGEST:
        raise Unreadable(f"a block of {size} bytes is too large to follow")
    return size


def _place(record: Record, value: MemoryValue | None) -> tuple[Object, int]:
    """Return the object and the offset in bytes of an address, fixed to its value in the run.

    Raises:
        Unreadable: the object is unknown.
    """
    if not isinstance(value, Pointer) or value.to is None:
        raise Unreadable("memory is accessed at an unknown address")
    return value.to, record.pinned(value.offset)


def _copied(record: Record, arguments: Sequence[MemoryValue | None]) -> MemoryValue | None:
    """Carry out ``memcpy`` or ``memmove``."""
    size = _size(record, arguments[2])
    if size:
        copy(*_place(record, arguments[0]), *_place(record, arguments[1]), size)
    return arguments[0]


def _set(record: Record, arguments: Sequence[MemoryValue | None]) -> MemoryValue | None:
    """Carry out ``memset``."""
    size, value = _size(record, arguments[2]), arguments[1]
    if not isinstance(value, Term):
        raise Unreadable("memory is set to a value that is not a number")
    if size:
        target, offset = _place(record, arguments[0])
        byte = constant(bits(8), record.pinned(value))
        if offset == 0 and size == target.size and byte.data == 0:
            target.cells.clear()
            target.zeroed = True
        else:
            for at in range(offset, offset + size):
                store(target, at, 1, byte)
    return arguments[0]


def _room(record: Record, value: MemoryValue | None) -> int:
    """Return the number of bytes to allocate for a size: more than in the run, if an input decides it.

    So the path condition allows other sizes, up to that number.

    Raises:
        Unreadable: it is no number, negative, or too large.
    """
    if not isinstance(value, Term) or value.is_constant:
        return _size(record, value)
    record.check(value)
    size = signed(record.value(value), value.sort.width)
    if not 0 <= size <= _LARGEST:
        raise Unreadable(f"a block of {size} bytes is too large to follow")
    room = max(2 * size, _ROOM)
    record.note(make(Op.BV_ULE, value, constant(value.sort, room)), "memory has room for more than the run", pins=True)
    return room


def _allocated(record: Record, arguments: Sequence[MemoryValue | None]) -> MemoryValue:
    """Return the address of a new object, as ``malloc`` does."""
    return Pointer(Object("allocated memory", _room(record, arguments[0])), NULL.offset)


def _allocated_zero(record: Record, arguments: Sequence[MemoryValue | None]) -> MemoryValue:
    """Return the address of a new object of zeros, as ``calloc`` does."""
    size = _room(record, arguments[0]) * _room(record, arguments[1])
    return Pointer(Object("allocated memory", size, zeroed=True), NULL.offset)


def _reallocated(record: Record, arguments: Sequence[MemoryValue | None]) -> MemoryValue:
    """Return the address of a new object with the old contents, as ``realloc`` does, and free the old object."""
    made = Object("allocated memory", _room(record, arguments[1]))
    old = arguments[0]
    if isinstance(old, Pointer) and old.to is not None:
        copy(made, 0, old.to, 0, min(old.to.size, made.size))
        old.to.is_live = False
    return Pointer(made, NULL.offset)


def _freed(record: Record, arguments: Sequence[MemoryValue | None]) -> None:
    """Carry out ``free``: the object may not be used any more."""
    if isinstance(arguments[0], Pointer) and arguments[0].to is not None:
        arguments[0].to.is_live = False


def _of_one(record: Record, arguments: Sequence[MemoryValue | None]) -> MemoryValue | None:
    """Return the first argument."""
    return arguments[0]


_MOVING = ("memcpy", "memmove", "memset")
_ALLOCATING = ("malloc", "calloc", "realloc")
_MEMORY: dict[str, Callable[[Record, Sequence[MemoryValue | None]], MemoryValue | None]] = {
    "llvm.memcpy": _copied, "llvm.memmove": _copied, "memcpy": _copied, "memmove": _copied, "llvm.memset": _set,
    "memset": _set, "malloc": _allocated, "calloc": _allocated_zero,
    "realloc": _reallocated, "free": _freed, "llvm.launder": _of_one,
    "llvm.expect": _of_one,
}  # fmt: skip
