"""LLVM's types and constants, from their text."""

from __future__ import annotations

import operator
import re
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ....model.memory import ADDRESS, NULL, Function, MemoryValue, Pointer, Unreadable
from ....term.core.build import FALSE, TRUE
from ....term.core.evaluate import signed
from ....term.core.nodes import Op, Term, constant, intern, make
from ....term.core.sorts import BOOL, FLOAT32, FLOAT64, Sort, bits
from ..llvm_ir.instructions import TOKEN

_SORTS = {"double": FLOAT64, "float": FLOAT32, "i1": BOOL}
_SIZES = {"double": 8, "float": 4, "ptr": 8, "x86_fp80": 16, "fp128": 16, "half": 2, "bfloat": 2, "void": 0}
_IN_VECTORS = {"double", "float", "i8", "i16", "i32", "i64"}  # whose elements lie as in an array
NEVER_SET = "a value that was never set"
_FLAGS = {"inbounds", "nuw", "nsw", "nusw", "exact", "disjoint", "nneg"}
_CASTS = {"ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "trunc", "addrspacecast"}  # of constant expressions
_COMPUTED = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "xor": operator.xor}


@dataclass(frozen=True)
class Type:
    """A type of LLVM.

    Attributes:
        name: LLVM's name of a number or address, such as ``i32`` or ``ptr``; empty for all other types.
        parts: the types of a structure's members; for an array or a vector, the type of its elements.
        count: the number of elements of an array or a vector; None for all other types.
        packed: whether a structure has no gaps.
        vector: whether it is a vector.
    """

    name: str = ""
    parts: tuple[Type, ...] = ()
    count: int | None = None
    packed: bool = False
    vector: bool = False

    @cached_property
    def size(self) -> int:
        """The size in bytes as an element of an array, with the padding."""
        if self.count is not None:
            return self.count * self.parts[0].size
        if self.name:
            return _SIZES[self.name] if self.name in _SIZES else 1 << max(0, (int(self.name[1:]) - 1).bit_length() - 3)
        end = self.offsets[-1] + self.parts[-1].size if self.parts else 0
        return -(-end // self.align) * self.align

    @cached_property
    def stored(self) -> int:
        """The number of bytes that a load or store of a number or address accesses."""
        whole = re.fullmatch(r"i(\d+)", self.name)
        return -(-int(whole[1]) // 8) if whole else 10 if self.name == "x86_fp80" else self.size

    @cached_property
    def align(self) -> int:
        """The alignment in bytes."""
        if self.name or self.vector:
            return max(1, self.size)
        return 1 if self.packed else max((part.align for part in self.parts), default=1)

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """The offsets in bytes of a structure's members."""
        found, end = [], 0
        for part in self.parts:
            if not self.packed:
                end = -(-end // part.align) * part.align
            found.append(end)
            end += part.size
        return tuple(found)

    @cached_property
    def has_gaps(self) -> bool:
        """Whether it contains bytes that belong to none of its numbers."""
        if self.name or self.vector:
            return self.stored != self.size
        inside = sum(part.size for part in self.parts) * (1 if self.count is None else self.count)
        return inside != self.size or any(part.has_gaps for part in self.parts)

    @property
    def is_scalar(self) -> bool:
        """Whether it is a number or an address."""
        return bool(self.name)

    @cached_property
    def sort(self) -> Sort:
        """The sort of a number.

        Raises:
            Unreadable: the type is no number that terms have.
        """
        if self.name in _SORTS:
            return _SORTS[self.name]
        if re.fullmatch(r"i\d+", self.name):
            return bits(int(self.name[1:]))
        raise Unreadable(f"a value of type {self.name or 'of several parts'} is used")

    def member(self, index: int) -> tuple[Type, int]:
        """Return the type and the offset in bytes of a member or an element."""
        if self.count is not None:
            return self.parts[0], index * self.parts[0].size
        return self.parts[index], self.offsets[index]

    @cached_property
    def members(self) -> list[tuple[Type, int]]:
        """All members or elements, each with its type and its offset in bytes."""
        return [self.member(n) for n in range(self.count if self.count is not None else len(self.parts))]


def type_of(sort: Sort) -> Type:
    """Return the type of numbers of a sort."""
    return Type(next((name for name, one in _SORTS.items() if one == sort), f"i{sort.width}"))


def sort_of(type_: Type | None) -> Sort | None:
    """Return the sort of a type's values; None if these are not numbers, or if there is no type."""
    try:
        return None if type_ is None else type_.sort
    except Unreadable:
        return None


class Reader:
    """Reads types and constants from a text in LLVM IR, from left to right. Each method moves on.

    Args:
        text: the text, such as ``[2 x i32] [i32 1, i32 2]``.
        named: the definitions of the named types, by name.
        of_global: returns the value of a global name, such as ``@x``.
    """

    def __init__(self, text: str, named: Mapping[str, str], of_global: Callable[[str], MemoryValue]) -> None:
        self._tokens, self._at = TOKEN.findall(text), 0
        self._named, self._of_global = named, of_global

    @property
    def peek(self) -> str:
        """The next token, which is not taken; empty at the end."""
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def take(self, expected: str = "") -> str:
        """Return the next token and move on; an empty one at the end.

        Args:
            expected: the token that must come next; empty: any.

        Raises:
            Unreadable: another token comes next.
        """
        token = self.peek
        if expected and token != expected:
            raise Unreadable(f"zeroin can not read {' '.join(self._tokens)[:60]}")
        self._at += 1
        return token

    def skip(self, *words: str) -> None:
        """Skip all tokens that are one of these words."""
        while self.peek in words:
            self.take()

    def type(self) -> Type:
        """Return the next type.

        Raises:
            Unreadable: the type is not supported.
        """
        token = self.take()
        if token.startswith("%"):
            if token not in self._named:
                raise Unreadable(f"the type {token} is used, which is not defined")
            return Reader(self._named[token], self._named, self._of_global).type()
        if token in ("[", "<") and self.peek.isdigit():
            count = int(self.take())
            self.take("x")
            part = self.type()
            self.take("]" if token == "[" else ">")
            if token == "<" and (part.name not in _IN_VECTORS or count & (count - 1)):
                raise Unreadable("a vector is used")
            return Type(parts=(part,), count=count, vector=token == "<")
        if token in ("{", "<{"):
            end, parts = {"{": "}", "<{": "}>"}[token], []
            while self.peek != end:
                parts.append(self.type())
                self.skip(",")
            self.take(end)
            return Type(parts=tuple(parts), packed=token == "<{")
        if token in _SIZES or re.fullmatch(r"i\d+", token):
            return Type(token)
        raise Unreadable(f"the type {token} is used")

    def typed(self) -> tuple[Type, MemoryValue | None]:
        """Return the next type, and the constant after it.

        Raises:
            Unreadable: see :meth:`type` and :meth:`value`.
        """
        type_ = self.type()
        return type_, self.value(type_)

    def value(self, type_: Type) -> MemoryValue | None:
        """Return the next constant, which is of this type. None for an undefined value that is not a number.

        An undefined number is an open value.

        Raises:
            Unreadable: the constant can not be expressed.
        """
        token = self.take()
        if token in ("undef", "poison"):
            nothing = zero(type_)
            return make(Op.OPEN, nothing, data=NEVER_SET) if isinstance(nothing, Term) else None
        if token == "zeroinitializer" or token == "none":
            return zero(type_)
        if token == "null":
            return NULL
        if token in ("dso_local_equivalent", "no_cfi"):
            token = self.take()
        if token.startswith("@"):
            return self._of_global(token)
        if token in ("getelementptr", *_CASTS, *_COMPUTED):
            return self._expression(token, type_)
        if token in ("[", "{", "<{", "<"):
            parts = []
            while self.peek not in ("]", "}", "}>", ">", ""):
                parts.append(self.typed()[1])
                self.skip(",")
            self.take()
            members = type_.members
            if len(parts) != len(members):
                raise Unreadable("zeroin can not read a constant")
            return tuple(part if part is not None else zero(t) for part, (t, _) in zip(parts, members, strict=True))
        if token.startswith('c"'):
            return tuple(constant(bits(8), byte) for byte in _bytes(token[2:-1]))
        if token == "splat":
            self.take("(")
            _, value = self.typed()
            return (value,) * (type_.count or 0) if value is not None else None
        return _number(token, type_)

    def _expression(self, opcode: str, type_: Type) -> MemoryValue:
        """Return a constant expression whose opcode has been taken.

        Raises:
            Unreadable: the expression is not supported.
        """
        self.skip(*_FLAGS)
        if self.peek == "inrange":
            while self.take() not in (")", ""):
                pass
        self.take("(")
        if opcode == "getelementptr":
            return self._address()
        _, value = self.typed()
        if opcode in _CASTS:
            self.take("to")
            to = self.type()
            self.take(")")
            return _cast(opcode, value, to)
        self.take(",")
        _, other = self.typed()
        self.take(")")
        if isinstance(value, Pointer) and isinstance(other, Pointer) and opcode == "sub" and value.to is other.to:
            value, other = value.offset, other.offset
        if not (isinstance(value, Term) and isinstance(other, Term)):
            raise Unreadable("an address is converted to a number")
        if not (value.is_constant and value.sort.is_bits and other.is_constant and other.sort == value.sort):
            raise Unreadable("zeroin can not read a constant")
        return constant(value.sort, _COMPUTED[opcode](value.data, other.data))

    def _address(self) -> Pointer:
        """Read the rest of a constant ``getelementptr (``, up to its closing parenthesis; return the address.

        Raises:
            Unreadable: the address has no known base or offset.
        """
        type_ = self.type()
        self.take(",")
        _, base = self.typed()
        offset = 0
        first = True
        while self.peek == ",":
            self.take()
            _, index = self.typed()
            if not isinstance(index, Term):
                raise Unreadable("zeroin can not read a constant address")
            number = signed(index.data, index.sort.width)
            if first:
                offset, first = number * type_.size, False
            else:
                type_, step = type_.member(number)
                offset += step
        self.take(")")
        if not isinstance(base, Pointer):
            raise Unreadable("zeroin can not read a constant address")
        return Pointer(base.to, constant(ADDRESS, base.offset.data + offset))


def _cast(opcode: str, value: MemoryValue | None, to: Type) -> MemoryValue:
    """Return the result of a cast in a constant expression. An address keeps its value if all 8 bytes of it are used.

    Raises:
        Unreadable: a part of an address is used, or the cast is not supported.
    """
    if isinstance(value, Pointer | Function):
        if to.size == 8 and opcode != "trunc":
            return NULL.offset if value == NULL and to.name != "ptr" else value
        raise Unreadable("a part of an address is used")
    if not isinstance(value, Term) or not value.is_constant:
        raise Unreadable("zeroin can not read a constant")
    if to.name == "ptr":
        return Pointer(None, constant(ADDRESS, value.data))
    if value.sort.is_float or to.sort.is_float:
        raise Unreadable("zeroin can not read a constant")
    return _number(str(int(value.data)), to) if to.sort != BOOL else TRUE if value.data & 1 else FALSE


def zero(type_: Type) -> MemoryValue:
    """Return the value of a type whose bits are all 0.

    Raises:
        Unreadable: the type contains numbers that terms do not have.
    """
    if type_.count is not None:
        return (zero(type_.parts[0]),) * type_.count
    if not type_.is_scalar:
        return tuple(map(zero, type_.parts))
    if type_.name == "ptr":
        return NULL
    if type_.name == "i1":
        return FALSE
    return intern(Op.CONSTANT, (), 0, type_.sort)


def _number(token: str, type_: Type) -> Term:
    """Return a number from its text.

    Raises:
        Unreadable: the text is no number, or the type is none.
    """
    sort = type_.sort
    if sort == BOOL:
        return TRUE if token in ("true", "1", "-1") else FALSE
    try:
        if not sort.is_float:
            return constant(sort, int(token))
        if not token.startswith("0x"):
            return constant(sort, float(token))
    except ValueError as error:  # of an address that is a number, for example
        raise Unreadable(f"{token} is not a number") from error
    pattern = intern(Op.CONSTANT, (), int(token, 16), bits(64))
    value = make(Op.FP_FROM_BITS, pattern, data=FLOAT64)
    if sort == FLOAT64:
        return intern(Op.CONSTANT, (), pattern.data, FLOAT64) if not _is_nan(pattern.data) else value
    return constant(FLOAT32, struct.unpack("<d", struct.pack("<Q", pattern.data))[0])


def _is_nan(pattern: int) -> bool:
    """Return whether the bits of a double are those of a NaN."""
    return pattern & (1 << 63) - 1 > 0x7FF << 52


def _bytes(text: str) -> bytes:
    """Return the bytes of a string constant, whose text may contain escapes."""
    return re.sub(rb"\\([0-9A-Fa-f]{2}|\\)", lambda m: b"\\" if m[1] == b"\\" else bytes([int(m[1], 16)]),
                  text.encode("utf-8", "surrogateescape"), flags=re.S)  # fmt: skip
