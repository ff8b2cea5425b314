"""Write the declarations for tests of LLVM IR, which can not include a source: of structures and of functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..front.layout import Array, Layout, OddFloat, Scalar, Structure
from ..front.parameters import CParameter, CSignature
from .values import Writer


def structures(layouts: Iterable[Layout]) -> list[Structure]:
    """Return all structures in some layouts, each once, inner structures before outer ones."""
    return list(dict.fromkeys(one for layout in layouts for one in _structures(layout)))


def _structures(layout: Layout) -> Iterator[Structure]:
    """Yield the structures in a layout, inner ones first. They may repeat."""
    if isinstance(layout, Array):
        yield from _structures(layout.element)
    elif isinstance(layout, Structure) and not isinstance(layout, OddFloat):
        for field in layout.fields:
            yield from _structures(field.layout)
        yield layout


def symbols(signatures: Sequence[CSignature]) -> tuple[dict[Structure, str], dict[str, str]]:
    """Choose names for what the test declares.

    Returns:
        The names of structures, and the names of the functions that parameters may point to, by their linker names.
    """
    found = structures(layout for signature in signatures for layout in signature.layouts)
    callbacks = (p.callback for signature in signatures for p in signature.parameters if p.callback)
    callees = dict.fromkeys(callee.symbol for callback in callbacks for callee in callback.callees)
    return ({one: f"struct type_{number}" for number, one in enumerate(found)},
            {symbol: f"callee_{number}" for number, symbol in enumerate(callees)})  # fmt: skip


def declarations(signatures: Sequence[CSignature], calls: Sequence[str], writer: Writer) -> str:
    """Return the declarations of structures and functions.

    Args:
        signatures: the signatures of the functions under test.
        calls: the names by which the test calls them, in the same order.
        writer: has the names of structures and of other functions.
    """
    types = "".join(f"{name} {{ {_fields(one, writer)} }};\n" for one, name in writer.types.items())
    callees = "".join(f'extern void {name}(void) __asm__("{symbol}");\n' for symbol, name in writer.callees.items())
    own = "".join(_prototype(one, call, writer) for one, call in zip(signatures, calls, strict=True))
    return f"{types}{callees}/* The symbols may be names that C reserves or can not spell. */\n{own}"


def _prototype(signature: CSignature, call: str, writer: Writer) -> str:
    """Return the declaration of a function under test, with the name by which the test calls it."""

    def spelled(layout: Layout) -> str:
        assert not isinstance(layout, Array)
        return writer.type(layout.kind) if isinstance(layout, Scalar) else writer.structure(layout)

    def given(parameter: CParameter) -> str:
        if parameter.callback:
            return "void (*)(void)"
        return "void *" if parameter.is_pointer else spelled(parameter.layout)

    types = [given(parameter) for parameter in signature.parameters if parameter.is_passed]
    returned = "void" if signature.result is None else spelled(signature.result)
    return f'extern {returned} {call}({", ".join(types) or "void"}) __asm__("{signature.symbol}");\n'


def _fields(structure: Structure, writer: Writer) -> str:
    """Return the fields of a structure. They need no padding: the compiler adds the same."""
    fields = []
    for field in structure.fields:
        inner = field.layout.element if isinstance(field.layout, Array) else field.layout
        type_ = writer.type(inner.kind) if isinstance(inner, Scalar) else writer.structure(inner)
        size = f"[{field.layout.count}]" if isinstance(field.layout, Array) else ""
        fields.append(f"{type_} {field.name}{size};")
    return " ".join(fields)
