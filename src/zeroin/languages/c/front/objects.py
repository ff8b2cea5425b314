"""Choose the constructor that makes an object, on which the member function under test is called."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from ....errors import UnsupportedParameter
from ..llvm_ir.debug_info import DebugInfo
from ..llvm_ir.ir import Function, Module
from ..options import LlvmOptions
from .adapters import MAKER, makes, signature_of
from .any_method import AnyMethod, Method, any_method
from .call_sequence import fits
from .object_maker import Constructor
from .parameters import CSignature
from .signature import read_signature
from .symbols import target_names


def read_callable(function: Function, name: str, module: Module, debug: DebugInfo, options: LlvmOptions,
                  own: Sequence[Function]) -> tuple[CSignature, Constructor | None]:  # fmt: skip
    """Read the signature of a function and, if it is a member function, choose the object's constructor.

    Args:
        function: the IR function.
        name: name of the function for messages and reports.
        module: its module.
        debug: debug info of the module.
        options: the loading options.
        own: functions that function pointers may be set to.

    Returns:
        The signature, and the constructor; None if the function is no member.

    Raises:
        UnsupportedParameter, OptionError: see :func:`zeroin.languages.c.front.signature.read_signature`.
    """

    def read(other: Function, named: str) -> CSignature:
        return read_signature(other, debug, named, (), (), module, own, options.rooms)

    signature = signature_of(function, module, debug, name, own, options)
    return signature, maker_of(function, name, module, debug, read)


def read_class(
    methods: Sequence[tuple[Function, int]], name: str, module: Module, debug: DebugInfo, options: LlvmOptions,
    own: Sequence[Function],
) -> tuple[AnyMethod, Constructor, list[Function]]:  # fmt: skip
    """Read the signature of one call of any method of a class, and choose the object's constructor.

    A method with a parameter that is not supported is left out, with a note.

    Args:
        methods: the methods, each with the offset of its class in the object, in bytes.
        name: name of the class for messages and reports.
        module, debug, options, own: see :func:`read_callable`.

    Returns:
        The signature, the constructor, and the methods that are called.

    Raises:
        UnsupportedParameter: no constructor, or no method, can be called.
        OptionError: see :func:`zeroin.languages.c.front.signature.read_signature`.
    """

    def read(function: Function, named: str) -> CSignature:
        return read_signature(function, debug, named, (), (), module, own, options.rooms)

    maker = maker_of(methods[0][0], name, module, debug, read)
    assert maker is not None
    found, called, notes = list[Method](), list[Function](), list[str]()
    names = target_names([function for function, _ in methods], debug)
    for (function, offset), full in zip(methods, names, strict=True):
        short = _last(full)
        try:
            signature = read(function, short)
        except UnsupportedParameter as error:
            notes.append(f"not called: {error}")
            continue
        if (strange := next((p for p in signature.parameters if not fits(p)), None)) is not None:
            notes.append(f"not called: {short}: parameter {strange.name!r} has type {strange.type!r}, which is not "
                         "supported in call sequences")  # fmt: skip
            continue
        found.append(Method(short, maker.named(signature), offset))
        called.append(function)
    if not found:
        raise UnsupportedParameter(f"{name}: no method can be called; {'; '.join(notes)}")
    return any_method(name, found, notes), maker, called


def _last(name: str) -> str:
    """Return the name of a method without its class: ``push(ns::T)`` for ``ns::Stack::push(ns::T)``."""
    before, bracket, types = name.partition("(")
    return before.rpartition("::")[2] + bracket + types


def maker_of(method: Function, name: str, module: Module, debug: DebugInfo,
             read: Callable[[Function, str], CSignature]) -> Constructor | None:  # fmt: skip
    """Choose the constructor for a member function's class: of the callable ones, that with the most parameters.

    Copy and move constructors are left out. An implicit constructor of an adapter is taken at once.

    Args:
        method: the member function.
        name: name of the member function, for messages.
        module: its module.
        debug: debug info of the module.
        read: reads the signature of an IR function; its second argument is the name for messages. If it raises
            :class:`UnsupportedParameter`, the constructor can not be called.

    Returns:
        The constructor; None if ``method`` is no member function.

    Raises:
        UnsupportedParameter: no constructor can be called, or not the destructor.
    """
    if not debug.is_member(method.subprogram):
        return None
    cls = debug.class_of(method.subprogram)
    type_ = debug.qualified_name(method.subprogram).rpartition("::")[0]
    own = debug.fields(cls).get("name", "object").partition("<")[0]
    called = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", own).lower()
    called += "_" * (called == own)
    if _has_no_callable_destructor(debug, cls, own):
        raise UnsupportedParameter(f"{name}: the destructor of {type_} is private, protected or deleted; write a "
                                   "function that makes an object and calls it")  # fmt: skip
    size = int(debug.fields(cls).get("size", "0")) // 8
    if MAKER in module.functions:
        return Constructor(
            CSignature(f"{type_} {called}", ()), MAKER, module.functions[MAKER].header, size, type_, called
        )
    why, found = "", list[CSignature]()
    makers = [f for f in module.functions.values() if makes(f, cls, debug)]
    for function in makers:
        try:
            signature = read(function, type_)
        except UnsupportedParameter as error:
            why = why or f": {error}"
            continue
        if not _copies(signature, own):
            found.append(signature)
    if not found:
        raise UnsupportedParameter(f"{name}: no constructor of {type_} can be called{why}")
    best = max(found, key=lambda one: len(one.parameters))
    signature = replace(best, name=f"{type_} {called}")
    return Constructor(signature, best.symbol, module.functions[best.symbol].header, size, type_, called)


def _has_no_callable_destructor(debug: DebugInfo, cls: str | None, own: str) -> bool:
    """Return whether a variable of a class can not be declared, since its destructor can not be called."""
    is_class = debug.fields(cls).get("tag") == "DW_TAG_class_type"
    for element in debug.items(debug.fields(cls).get("elements")):
        member = debug.fields(element)
        if member.get("name") == f"~{own}":
            flags = f"{member.get('flags', '')} {member.get('spFlags', '')}"
            hidden = "DIFlagPrivate" in flags or "DIFlagProtected" in flags
            return hidden or (is_class and "DIFlagPublic" not in flags) or "DISPFlagDeleted" in flags
    return False


def _copies(signature: CSignature, own: str) -> bool:
    """Whether a constructor takes another object of the class (a copy or move constructor)."""
    return len(signature.parameters) == 1 and own in re.findall(r"\w+", signature.parameters[0].type)
