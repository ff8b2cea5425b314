"""Write the IR that calls a function under test: it decodes words into arguments and stores the bits of the result.

*Words* are 64-bit integers in the order of the values they encode (:mod:`zeroin.words`), one or two for each number.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Callable, Mapping, Sequence

from ....native.words import IR
from ....words import Kind
from ..front.layout import Array, BitField, Callback, Extent, Layout, Scalar, Structure, Text, as_array, cells
from ..front.parameters import CParameter, CSignature
from ..front.pointees import Pointee, PointeePlace
from ..front.signature import ir_parameters
from ..llvm_ir.ir import quoted

_PAGE = mmap.PAGESIZE
_UNROLLED = 64  # arrays of up to so many elements are written without a loop


# ptr zeroin_text(words, buffer, count, moves): writes a string into a buffer of `count` bytes, clears the other bytes
# and returns the string's address. With `moves`, the string ends at the buffer's end if guard pages follow, so that a
# read beyond its final 0 crashes.
_TEXT = f"""
define internal ptr @zeroin_text(ptr %words, ptr %buffer, i64 %count, i1 %moves) {{
  %most = sub i64 %count, 1
  br label %search
search:
  %n = phi i64 [ 0, %0 ], [ %further, %more ]
  %ended = icmp uge i64 %n, %most
  br i1 %ended, label %found, label %look
look:
  %there = getelementptr i64, ptr %words, i64 %n
  %word = load i64, ptr %there
  %is.zero = icmp eq i64 %word, 0
  br i1 %is.zero, label %found, label %more
more:
  %further = add i64 %n, 1
  br label %search
found:
  %end = getelementptr i8, ptr %buffer, i64 %count
  %address = ptrtoint ptr %end to i64
  %in.page = and i64 %address, {_PAGE - 1}
  %at.wall = icmp eq i64 %in.page, 0
  %is.moved = and i1 %moves, %at.wall
  %space = sub i64 %most, %n
  %skipped = select i1 %is.moved, i64 %space, i64 0
  %text = getelementptr i8, ptr %buffer, i64 %skipped
  br label %clear
clear:
  %i = phi i64 [ 0, %found ], [ %i.next, %clear ]
  %cleared = getelementptr i8, ptr %buffer, i64 %i
  store i8 0, ptr %cleared
  %i.next = add i64 %i, 1
  %clears = icmp ult i64 %i.next, %count
  br i1 %clears, label %clear, label %copy
copy:
  %j = phi i64 [ 0, %clear ], [ %j.next, %put ]
  %copies = icmp ult i64 %j, %n
  br i1 %copies, label %put, label %done
put:
  %source = getelementptr i64, ptr %words, i64 %j
  %taken = load i64, ptr %source
  %byte = trunc i64 %taken to i8
  %target = getelementptr i8, ptr %text, i64 %j
  store i8 %byte, ptr %target
  %j.next = add i64 %j, 1
  br label %copy
done:
  ret ptr %text
}}"""


Placing = Callable[["Body", CSignature, Mapping[str, str]], Sequence[str]]

# The block that catches an uncaught C++ exception and hands it to the runtime.
_CAUGHT = """
thrown:
  %landed = landingpad { ptr, i32 } catch ptr @_ZTISt9exception catch ptr null
  %thrown.at = extractvalue { ptr, i32 } %landed, 0
  %selected = extractvalue { ptr, i32 } %landed, 1
  %standard = call i32 @llvm.eh.typeid.for(ptr @_ZTISt9exception)
  %is.standard = icmp eq i32 %selected, %standard
  %object = call ptr @__cxa_begin_catch(ptr %thrown.at)
  %type = call ptr @__cxa_current_exception_type()
  %exception = select i1 %is.standard, ptr %object, ptr null
  call void @zeroin_caught(ptr %thrown.at, ptr %type, ptr %exception)
  call void @__cxa_end_catch()
  call void @zeroin_uncaught()
  ret void
"""


def glue(signature: CSignature, header: str, function: str, prefix: str, entry: str, inline: bool,
         throws: bool = False, placed: Placing = lambda *_: []) -> str:  # fmt: skip
    """Return the IR of ``void entry(const int64_t *words)``: it decodes words, calls a function and keeps the result.

    Args:
        signature: the function's signature.
        header: the function's ``define`` line.
        function: its name.
        prefix: the prefix of the subject's names.
        entry: the name of the function to write.
        inline: whether the call is inlined. Clang's ``-O0`` marks all functions as ``noinline``, so the call says it.
        throws: whether the function may throw C++ exceptions, which are caught here.
        placed: returns the pointer arguments of functions whose pointers may lead to the same memory; an empty list:
            each pointer gets memory of its own.
    """
    returned, declared = ir_parameters(header)
    body = Body()
    arguments = []
    given = iter(declared)
    if signature.result_size:
        result = body.buffer(len(signature.pointers))
        body.clear(result, signature.result_size)
        arguments.append(f"ptr sret([{signature.result_size} x i8]) {next(given).alignment} {result}")
    word = pointers = 0
    counts = _counts(body, signature)
    several = placed(body, signature, counts)
    owners, addresses, places = dict[str, str](), dict[str, str](), dict[str, tuple[PointeePlace, int]]()
    for parameter in signature.parameters:
        if isinstance(parameter, PointeePlace):
            places[parameter.of] = parameter, word
        elif isinstance(parameter, Pointee):
            if isinstance(parameter.layout, Callback):
                there = body.choice(parameter.layout, word, prefix)
            else:
                there = _pointer(body, parameter, word, pointers, counts)
                there = addresses[parameter.name] = _elsewhere(body, there, places.get(parameter.name), addresses)
            body.add(f"store ptr {there}, ptr {body.at('i8', owners[parameter.of], parameter.field.offset)}, align 1")
            if parameter.is_pointer:
                owners[parameter.name] = body.buffer(pointers)
                pointers += 1
        elif not parameter.is_passed:
            pass
        elif isinstance(parameter.layout, Callback):
            next(given)
            arguments.append(f"ptr {body.choice(parameter.layout, word, prefix)}")
        elif isinstance(parameter.layout, Scalar):
            one = next(given)
            value = body.decode("%words", word, parameter.kind, one.type)
            arguments.append(f"{one.type} {one.extension} {value}")
        elif parameter.is_pointer:
            there = several[pointers] if several else _pointer(body, parameter, word, pointers, counts)
            arguments.append(f"ptr {there}")
            addresses[parameter.name], owners[parameter.name] = there, _begin(body, parameter, there, pointers)
            next(given)
            pointers += 1
        else:
            copy = body.copy(parameter.layout, word)
            pieces = parameter.pieces
            arguments += [f"{type_} {body.load(type_, copy, at)}" for type_, at in pieces]
            passed, *_ = [next(given) for _ in range(max(1, len(pieces)))]
            if not pieces:
                size = parameter.layout.size
                how = f"byval([{size} x i8]) {passed.alignment}" if passed.is_by_value else ""
                arguments.append(f"ptr {how} {copy}")
        word += parameter.arity
    call = f"{returned} @{quoted(prefix + function)}({', '.join(arguments)}){' alwaysinline' if inline else ''}"
    call = f"invoke {call} to label %returned unwind label %thrown" if throws else f"call {call}"
    body.add(call if returned == "void" else f"%result = {call}")
    if throws:
        body.label("returned")
    _keep_result(body, returned, signature)
    personality, caught = (" personality ptr @__gxx_personality_v0", _CAUGHT) if throws else ("", "")
    return f"{IR}{_TEXT}\ndefine void @{entry}(ptr %words){personality} {{\n{body.text()}  ret void\n{caught}}}\n"


def _counts(body: Body, signature: CSignature) -> dict[str, str]:
    """Load the parameters that count array elements. Return their IR values by name; negative counts become 0."""
    wanted = {name for p in signature.pointers if p.extent is not None for name in p.extent.names}
    found, word = dict[str, str](), 0
    for parameter in signature.parameters:
        if parameter.name in wanted:
            value = body.new(f"load i64, ptr {body.at('i64', '%words', word)}")
            if parameter.kind == Kind.U64:
                value = body.new(f"xor i64 {value}, -9223372036854775808")
            is_less = body.new(f"icmp slt i64 {value}, 0")
            found[parameter.name] = body.new(f"select i1 {is_less}, i64 0, i64 {value}")
        word += parameter.arity
    return found


def _pointer(body: Body, parameter: CParameter, word: int, number: int, counts: Mapping[str, str]) -> str:
    """Fill the memory of a pointer parameter from words. Return the pointer, which is NULL if the words say so."""
    buffer = body.buffer(number)
    if parameter.extent is not None:
        buffer = _counted(body, parameter, parameter.extent, buffer, word + parameter.has_null_word, counts)
    elif isinstance(parameter.layout, Text):
        first, moves = body.at("i64", "%words", word + parameter.nullable), str(not parameter.is_output).lower()
        buffer = body.new(f"call ptr @zeroin_text(ptr {first}, ptr {buffer}, i64 {parameter.layout.count}, i1 {moves})")
    else:
        body.put(parameter.layout, buffer, 0, "%words", word + parameter.nullable)
    if not parameter.nullable:
        return buffer
    absent = body.new(f"load i64, ptr {body.at('i64', '%words', word)}")
    is_null = body.new(f"icmp ne i64 {absent}, 0")
    return body.new(f"select i1 {is_null}, ptr null, ptr {buffer}")


def _elsewhere(body: Body, own: str, place: tuple[PointeePlace, int] | None, addresses: Mapping[str, str]) -> str:
    """Return the address that a pointer field gets: ``own``, or that of another pointer if the words say so.

    Args:
        body: gets the instructions.
        own: the address of the field's own object, or NULL.
        place: the parameter that says where it leads, and its word; None: it leads to its own object.
        addresses: the values of other pointers, by the names of their parameters.
    """
    if place is None:
        return own
    chosen = body.new(f"load i64, ptr {body.at('i64', '%words', place[1])}")
    for number, other in enumerate(place[0].others, 1):
        is_it = body.new(f"icmp eq i64 {chosen}, {number}")
        own = body.new(f"select i1 {is_it}, ptr {addresses[other]}, ptr {own}")
    return own


def _begin(body: Body, parameter: CParameter, pointer: str, number: int) -> str:
    """Return the address of the memory of a pointer parameter, also if the pointer is NULL.

    Args:
        body: gets the instructions.
        parameter: the parameter.
        pointer: its value.
        number: its number among the pointer parameters.
    """
    return pointer if not parameter.nullable else body.buffer(number)


def _counted(body: Body, parameter: CParameter, extent: Extent, buffer: str, word: int,
             counts: Mapping[str, str]) -> str:  # fmt: skip
    """Write the elements that the array has in this call, and return their address.

    The elements end at the buffer's end if guard pages follow there; else they begin at its beginning.
    """
    layout = as_array(parameter.layout)
    size, length = layout.element.size, length_of_array(body, extent, counts)
    end = body.new(f"ptrtoint ptr {body.at('i8', buffer, extent.most * size)} to i64")
    at_wall = body.new(f"icmp eq i64 {body.new(f'and i64 {end}, {_PAGE - 1}')}, 0")
    left = body.new(f"mul i64 {body.new(f'sub i64 {extent.most}, {length}')}, {size}")
    begin = body.at("i8", buffer, body.new(f"select i1 {at_wall}, i64 {left}, i64 0"))
    body.put_many(layout.element, begin, body.at("i64", "%words", word), body.least(length, str(layout.count)))
    if extent.most > layout.count:
        body.clear_from(begin, layout.count * size, body.new(f"mul i64 {length}, {size}"))
    return begin


def length_of_array(body: Body, extent: Extent, counts: Mapping[str, str]) -> str:
    """Compute how many elements an array has in this call.

    Args:
        body: gets the instructions.
        extent: how the length follows from counts.
        counts: the IR values of the counts, by parameter name.

    Returns:
        The IR value of the length, an i64.
    """
    length = "1"
    for name in extent.counts:
        length = body.new(f"mul i64 {length}, {counts[name]}")
    length = body.new(f"add i64 {body.new(f'mul i64 {length}, {extent.step}')}, {extent.further}")
    length = body.new(f"add i64 {length}, {counts[extent.spare]}") if extent.spare else length
    return body.least(length, str(extent.most))


def _keep_result(body: Body, returned: str, signature: CSignature) -> None:
    """Store the result: a number's bits in a variable of the runtime, a structure in its buffer.

    Nothing is stored if the result can not be compared, or if the function has written it to memory itself.
    """
    layout = signature.result
    if layout is None or signature.result_size:
        return
    if not isinstance(layout, Scalar):
        first = cells(layout)[0].offset // 8 * 8
        body.add(f"store {returned} %result, ptr {body.at('i8', body.buffer(len(signature.pointers)), first)}, align 1")
        return
    value = "%result"
    if returned in ("double", "float"):
        value = body.new(f"bitcast {returned} %result to i{layout.kind.bits}")
    elif not re.fullmatch(r"i\d+", returned):
        return
    width = layout.kind.bits if returned in ("double", "float") else int(returned[1:])
    if width < 64:
        value = body.new(f"zext i{width} {value} to i64")
    body.add(f"store i64 {value}, ptr @zeroin_result")


class Body:
    """Builds the body of a function in IR. Values and blocks get numbered names."""

    def __init__(self) -> None:
        self._allocas: list[str] = []
        self._lines: list[str] = []
        self._count = 0

    def text(self) -> str:
        """Return all instructions, one per line; those that allocate local variables come first."""
        return "".join(f"  {line}\n" for line in (*self._allocas, *self._lines))

    def add(self, line: str) -> None:
        """Add an instruction that has no result, or that names its result itself."""
        self._lines.append(line)

    def label(self, name: str) -> None:
        """Begin a block."""
        self._lines.append(f"{name}:")

    def name(self) -> str:
        """Return a new name for a value or a block, without ``%``."""
        self._count += 1
        return f"v{self._count}"

    def new(self, right: str) -> str:
        """Add an instruction and return the name of its result."""
        name = f"%{self.name()}"
        self.add(f"{name} = {right}")
        return name

    def at(self, type_: str, base: str, index: int | str) -> str:
        """Return the address of the element with this index, of elements of this type. Index 0 adds no instruction."""
        return base if index == 0 else self.new(f"getelementptr {type_}, ptr {base}, i64 {index}")

    def load(self, type_: str, base: str, offset: int) -> str:
        """Load a value that lies ``offset`` bytes behind an address."""
        return self.new(f"load {type_}, ptr {self.at('i8', base, offset)}, align 1")

    def variable(self, type_: str, alignment: int = 16) -> str:
        """Add a local variable and return its address."""
        name = f"%{self.name()}"
        self._allocas.append(f"{name} = alloca {type_}, align {alignment}")
        return name

    def buffer(self, number: int) -> str:
        """Return the address of the memory of a pointer parameter, by its number from 0.

        The number after those of all pointer parameters is that of the result's memory.
        """
        table = self.new("load ptr, ptr @zeroin_buffers")
        return self.new(f"load ptr, ptr {self.at('ptr', table, number)}")

    def copy(self, layout: Layout, word: int) -> str:
        """Decode words, from this one on, into a new local variable. Return its address."""
        made = self.variable(f"[{layout.size} x i8]")
        self.put(layout, made, 0, "%words", word)
        return made

    def clear(self, at: str, size: int) -> None:
        """Set ``size`` bytes from an address on to 0."""
        self.clear_from(at, 0, str(size))

    def clear_from(self, at: str, first: int, end: str) -> None:
        """Set the bytes from ``first`` up to, but not including, ``end`` to 0; both are offsets from ``at``."""
        index, loop = self.begin(first, end)
        self.add(f"store i8 0, ptr {self.at('i8', at, index)}")
        self.turn(index, loop)

    def put(self, layout: Layout, base: str, offset: int, words: str, word: int) -> None:
        """Decode a value from words and store it; padding is set to 0.

        Args:
            layout: the layout of the value.
            base: the address of the outermost value.
            offset: the offset of this value in it, in bytes.
            words: the address of the words.
            word: the number of this value's first word.
        """
        if isinstance(layout, BitField):
            self._put_bits(layout, base, offset, words, word)
        elif isinstance(layout, Scalar):
            type_ = {Kind.F64: "double", Kind.F32: "float"}.get(layout.kind, f"i{8 * layout.size}")
            value = self.decode(words, word, layout.kind, type_)
            self.add(f"store {type_} {value}, ptr {self.at('i8', base, offset)}, align 1")
        elif isinstance(layout, Array):
            self._put_array(layout, base, offset, words, word)
        else:
            for at in _bytes_of_bits(layout):
                self.add(f"store i8 0, ptr {self.at('i8', base, offset + at)}")
            for field in layout.fields:
                self.put(field.layout, base, offset + field.offset, words, word)
                word += len(cells(field.layout))
            for gap in _padding(layout):
                self.add(f"store i8 0, ptr {self.at('i8', base, offset + gap)}")

    def _put_bits(self, layout: BitField, base: str, offset: int, words: str, word: int) -> None:
        """Decode a bit-field from words and store it in bytes, in which its bits are 0."""
        type_, place = f"i{8 * layout.size}", self.at("i8", base, offset)
        value = self.decode(words, word, layout.kind, "i64")
        if layout.size != 8:
            value = self.new(f"{'trunc' if layout.size < 8 else 'zext'} i64 {value} to {type_}")
        value = self.new(f"and {type_} {value}, {(1 << layout.width) - 1}")
        value = self.new(f"shl {type_} {value}, {layout.bit}")
        before = self.new(f"load {type_}, ptr {place}, align 1")
        self.add(f"store {type_} {self.new(f'or {type_} {before}, {value}')}, ptr {place}, align 1")

    def _put_array(self, layout: Array, base: str, offset: int, words: str, word: int) -> None:
        """Decode an array from words and store it, in a loop if it is long."""
        size, step = layout.element.size, len(cells(layout.element))
        if layout.count <= _UNROLLED:
            for number in range(layout.count):
                self.put(layout.element, base, offset + number * size, words, word + number * step)
            return
        self.put_many(layout.element, self.at("i8", base, offset), self.at("i64", words, word), str(layout.count))

    def put_many(self, element: Scalar | Structure, begin: str, words: str, count: str) -> None:
        """Decode ``count`` elements from words and store them one after the other, in a loop."""
        size, step = element.size, len(cells(element))
        index, loop = self.begin(0, count)
        there = self.at(f"[{size} x i8]", begin, index)
        self.put(element, there, 0, self.at(f"[{step} x i64]", words, index), 0)
        self.turn(index, loop)

    def least(self, one: str, other: str) -> str:
        """Return the smaller of two numbers that are not negative."""
        is_less = self.new(f"icmp ult i64 {one}, {other}")
        return self.new(f"select i1 {is_less}, i64 {one}, i64 {other}")

    def begin(self, first: int, count: str) -> tuple[str, tuple[str, str, str]]:
        """Begin a loop over the indices from ``first`` up to, but not including, ``count``. It may have no iteration.

        Returns:
            The index, and the loop's state for :meth:`turn`.
        """
        counter, head, inside, done = self.variable("i64"), self.name(), self.name(), self.name()
        self.add(f"store i64 {first}, ptr {counter}")
        self.add(f"br label %{head}")
        self.label(head)
        index = self.new(f"load i64, ptr {counter}")
        self.add(f"br i1 {self.new(f'icmp ult i64 {index}, {count}')}, label %{inside}, label %{done}")
        self.label(inside)
        return index, (counter, head, done)

    def turn(self, index: str, loop: tuple[str, str, str]) -> None:
        """End the body of a loop that :meth:`begin` began."""
        counter, head, done = loop
        self.add(f"store i64 {self.new(f'add i64 {index}, 1')}, ptr {counter}")
        self.add(f"br label %{head}")
        self.label(done)

    def choice(self, callback: Callback, word: int, prefix: str) -> str:
        """Return the address of the function that a word chooses for a callback parameter; null beyond the last."""
        value, chosen = self.new(f"load i64, ptr {self.at('i64', '%words', word)}"), "null"
        for number, callee in enumerate(callback.callees):
            is_it = self.new(f"icmp eq i64 {value}, {number}")
            chosen = self.new(f"select i1 {is_it}, ptr @{quoted(prefix + callee.symbol)}, ptr {chosen}")
        return chosen

    def decode(self, words: str, word: int, kind: Kind, ir_type: str) -> str:
        """Decode a word to a value of an IR type. Half and long double numbers become integers with their bits.

        Args:
            words: the address of the words.
            word: the number of the word behind that address, from 0.
            kind: the kind of the number.
            ir_type: the IR type of the result.
        """
        value = self.new(f"load i64, ptr {self.at('i64', words, word)}")
        if kind == Kind.F64:
            return self.new(f"call double @zeroin_double(i64 {value})")
        if kind == Kind.F32:
            low = self.new(f"trunc i64 {value} to i32")
            single = self.new(f"call float @zeroin_float(i32 {low})")
            return self.new(f"fpext float {single} to double") if ir_type == "double" else single
        if kind == Kind.F80:
            value = self.new(f"call i64 @zeroin_extended(i64 {value})")
        if kind == Kind.F16:
            sign = self.new(f"ashr i64 {value}, 63")
            size = self.new(f"xor i64 {value}, {sign}")
            value = self.new(f"or i64 {size}, {self.new(f'and i64 {sign}, {1 << 15}')}")
        if kind == Kind.U64:
            value = self.new(f"xor i64 {value}, -9223372036854775808")
        return value if ir_type == "i64" else self.new(f"trunc i64 {value} to {ir_type}")


def _bytes_of_bits(layout: Structure) -> list[int]:
    """Return the offsets of the bytes that have bit-fields of a structure, without those of inner structures."""
    own = [(field.offset, field.layout) for field in layout.fields if isinstance(field.layout, BitField)]
    return sorted({at for offset, one in own for at in range(offset, offset + one.size)})


def _padding(layout: Structure) -> list[int]:
    """Return the offsets of the bytes between the fields and behind them."""
    used = {at for field in layout.fields for at in range(field.offset, field.offset + field.layout.size)}
    return [at for at in range(layout.size) if at not in used]
