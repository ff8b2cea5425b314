"""What the test of a function of LLVM IR declares, whose source is not there: structures, and functions to be given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..subject.llvm.layout import Array, Layout, OddFloat, Scalar, Structure
from ..subject.llvm.parameters import CSignature
from .c_values import Writer


def structures(layouts: Iterable[Layout]) -> list[Structure]:
    """All that are in these layouts, each behind those that are in it."""
    return list(dict.fromkeys(one for layout in layouts for one in _structures(layout)))


def _structures(layout: Layout) -> Iterator[Structure]:
    if isinstance(layout, Array):
        yield from _structures(layout.element)
    elif isinstance(layout, Structure) and not isinstance(layout, OddFloat):
        for field in layout.fields:
            yield from _structures(field.layout)
        yield layout


def names(found: Iterable[Structure], own: str) -> dict[Structure, str]:
    """A name for each."""
    return {one: f"struct {own}type_{number}" for number, one in enumerate(found)}


def names_of_callees(signature: CSignature, own: str) -> dict[str, str]:
    """A name for each function that a parameter may point to, by that for the linker."""
    callbacks = (parameter.callback for parameter in signature.parameters if parameter.callback)
    symbols = dict.fromkeys(callee.symbol for callback in callbacks for callee in callback.callees)
    return {symbol: f"{own}callee_{number}" for number, symbol in enumerate(symbols)}


def definitions(writer: Writer) -> str:
    """Of the structures that have a name of ours."""
    return "".join(f"{name} {{ {_fields(one, writer)} }};\n" for one, name in writer.types.items())


def _fields(structure: Structure, writer: Writer) -> str:
    """Padding is where the compiler puts it, too."""
    fields = []
    for field in structure.fields:
        inner = field.layout.element if isinstance(field.layout, Array) else field.layout
        type_ = writer.type(inner.kind) if isinstance(inner, Scalar) else writer.structure(inner)
        size = f"[{field.layout.count}]" if isinstance(field.layout, Array) else ""
        fields.append(f"{type_} {field.name}{size};")
    return " ".join(fields)
