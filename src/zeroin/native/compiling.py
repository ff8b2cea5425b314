"""Compilation of kernels, callbacks and intrinsics by Numba.

:mod:`zeroin.native.kernel` imports this module only when there is something to compile. The import of Numba takes
longer than the search for inputs of most functions.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from llvmlite import ir
from numba import cfunc, config, njit, typeof, types
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target
from numba.extending import intrinsic, overload
from numba.np.arrayobj import populate_array

cpu_target.typing_context.refresh()  # imports the rest of Numba now; later, a subject's modules might shadow its own
cpu_target.target_context.refresh()

CELLS = types.CPointer(types.int64)  # the address of int64 cells; ``cells[i]`` works on it in native code
_OPTIONS = {"nogil": True, "error_model": "numpy"}


def parsed(signature: Any) -> Any:
    """Return Numba's signature for a text such as ``float64(cells, int64)``; a signature is returned as it is.

    The text is evaluated as Python code, so it must come from zeroin.
    """
    return eval(signature, {}, {**vars(types), "cells": CELLS}) if isinstance(signature, str) else signature


def type_of(made: Any) -> Any:
    """Return Numba's type of a global variable with this value."""
    cpu_target.typing_context.refresh()  # the value may have been made just now
    return cpu_target.typing_context.resolve_value_type(made)


# ---- intrinsics: functions that kernels may call; zeroin.native.kernel describes them ----


@intrinsic
def call_objective(typingctx: Any, address: Any, words: Any) -> Any:
    """Call ``double (*)(const int64_t *)`` at an address with the address of words."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = ir.PointerType()
        function_type = ir.FunctionType(ir.DoubleType(), [pointer])
        function = builder.inttoptr(args[0], function_type.as_pointer())
        return builder.call(function, [builder.inttoptr(args[1], pointer)])

    return types.float64(types.int64, types.int64), codegen


@intrinsic
def call_void(typingctx: Any, address: Any, words: Any) -> Any:
    """Call ``void (*)(const int64_t *)`` at an address with the address of words."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = ir.PointerType()
        function_type = ir.FunctionType(ir.VoidType(), [pointer])
        function = builder.inttoptr(args[0], function_type.as_pointer())
        builder.call(function, [builder.inttoptr(args[1], pointer)])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), codegen


@intrinsic
def byte_at(typingctx: Any, address: Any) -> Any:
    """Return the unsigned byte at an address, as int64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.inttoptr(args[0], ir.IntType(8).as_pointer())
        return builder.zext(builder.load(pointer), ir.IntType(64))

    return types.int64(types.int64), codegen


@intrinsic
def cells_at(typingctx: Any, address: Any) -> Any:
    """Return the memory at an address as int64 cells."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], ir.IntType(64).as_pointer())

    return CELLS(types.int64), codegen


@intrinsic
def data_of(typingctx: Any, array: Any) -> Any:
    """Return the address of an array's content."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        return builder.ptrtoint(data, ir.IntType(64))

    return types.int64(array), codegen


@intrinsic
def address_of(typingctx: Any, cells: Any) -> Any:
    """Return the address of cells."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ptrtoint(args[0], ir.IntType(64))

    return types.int64(CELLS), codegen


@intrinsic
def array_at(typingctx: Any, data: Any, shape: Any) -> Any:
    """Return the array that lies at a pointer in C order. ``numba.carray`` would count references."""
    array = types.Array(data.dtype, shape.count, "C")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(data.dtype)))
        lengths = cgutils.unpack_tuple(builder, args[1])
        strides = [size]
        for length in reversed(lengths[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        made = context.make_array(array)(context, builder)
        populate_array(made, args[0], lengths, strides, size, None)
        return made._getvalue()

    return array(data, shape), codegen


def caller(of: str) -> Any:
    """Return an intrinsic that calls the function at an address; see :func:`zeroin.native.kernel.caller`."""
    wanted = parsed(of)

    @intrinsic
    def call(typingctx: Any, address: Any, values: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kinds = [context.get_value_type(a) for a in wanted.args]
            function_type = ir.FunctionType(context.get_value_type(wanted.return_type), kinds)
            function = builder.inttoptr(args[0], function_type.as_pointer())
            given = signature.args[1].types
            passed = [
                context.cast(builder, builder.extract_value(args[1], n), given[n], a) for n, a in enumerate(wanted.args)
            ]
            return builder.call(function, passed)

        return wanted.return_type(types.int64, values), codegen

    return call


def external(name: str, signature: str) -> Any:
    """Return a function that this process exports, for kernels."""
    return types.ExternalFunction(name, parsed(signature))


def overloaded(choose: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Return a function for kernels whose implementation ``choose`` selects by the types of the arguments.

    Args:
        choose: gets Numba's types of the arguments and returns the implementation.
        options: further arguments of :func:`numba.extending.overload`.
    """

    def stub(*arguments: Any) -> Any:
        raise TypeError("native only")

    overload(stub, strict=False, **options)(choose)
    return stub


# ---- compiling ----


@contextlib.contextmanager
def _paused_collector() -> Iterator[None]:
    """Pause the garbage collector, which takes a tenth of compilation and finds no garbage."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextlib.contextmanager
def _only_text() -> Iterator[None]:
    """Have Numba produce only LLVM IR within this context, in all threads of the process. It can not be nested.

    Otherwise, Numba would optimise each part, and again inside each part that calls it, and make machine code of all
    of them. None of that code would run.
    """
    codegen = cpu_target.target_context.codegen()
    nothing: dict[str, Any] = {"_add_module": lambda _: None, "set_env": lambda *_: None}
    vars(codegen).update(nothing)
    instead: dict[str, Any] = {
        "_finalize_specific": lambda _: None, "_optimize_functions": lambda *_: None,
        "_optimize_final_module": lambda _: None,
        "get_pointer_to_function": lambda library, _: library._ensure_finalized() or 0,
    }  # fmt: skip
    before = {name: getattr(JITCodeLibrary, name) for name in instead}
    for name, function in instead.items():
        setattr(JITCodeLibrary, name, function)
    try:
        with _paused_collector():
            yield
    finally:
        for name, function in before.items():
            setattr(JITCodeLibrary, name, function)
        for name in nothing:
            delattr(codegen, name)


def part(function: Callable[..., Any], inline: bool, allocates: bool) -> Any:
    """Return a Python function as a Numba function that other kernels call. Python can not call it.

    Args:
        function: the Python function.
        inline: whether it is inlined into its callers.
        allocates: whether it makes or copies arrays.
    """
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": inline, "_nrt": allocates}
    return _plain(njit(**options, **_OPTIONS)(function))


def whole(function: Callable[..., Any], allocates: bool, folder: str | None) -> Any:
    """Return a kernel that Python calls through Numba.

    Args:
        function: the Python function.
        allocates: whether it makes or copies arrays.
        folder: the folder in which Numba caches it; None: no cache.
    """
    before = config.CACHE_DIR
    config.CACHE_DIR = folder or ""
    try:
        return _plain(njit(cache=folder is not None, no_cfunc_wrapper=True, _nrt=allocates, **_OPTIONS)(function))
    finally:
        config.CACHE_DIR = before


def _plain(dispatcher: Any) -> Any:
    """Have a dispatcher compile one version for all literals: not one for f(x, 1) and another for f(x, 2).

    It changes the dispatcher and returns it.
    """
    compile_for = dispatcher.compile

    def compile_unliteral(arguments: Any) -> Any:
        with _paused_collector():
            return compile_for(tuple(map(types.unliteral, arguments)))

    dispatcher.compile = compile_unliteral
    return dispatcher


def ready(dispatcher: Any, arguments: Sequence[Any]) -> None:
    """Compile or load a dispatcher's version for arguments of the types that these have, without a call."""
    dispatcher.compile(tuple(map(typeof, arguments)))


def callback(function: Callable[..., Any], signature: Any, run: bool = False) -> Any:
    """Return a C function for a Python function.

    Args:
        function: the Python function.
        signature: its signature, see :func:`parsed`.
        run: whether to make machine code that can run; otherwise, only LLVM IR is made.
    """
    with _paused_collector() if run else _only_text():
        return cfunc(parsed(signature), forceinline=True)(function)


_RESULTS = {types.none: "none", types.boolean: "boolean", types.float64: "float64", types.float32: "float32",
            types.int64: "int64", types.uint64: "uint64", types.int32: "int32"}  # fmt: skip


def entry(kernel: Any, forms: Sequence[Any]) -> tuple[str, str, str] | None:
    """Make a C function that calls a kernel.

    Args:
        kernel: the kernel (:class:`zeroin.native.kernel.Kernel`).
        forms: the forms of its arguments, see :func:`zeroin.native.kernel.form_of`.

    Returns:
        LLVM IR with the C function, the function's name in it, and the type of the result. None if the result is not
        a single number.
    """
    names: list[str] = []
    kinds: list[Any] = []
    scope: dict[str, Any] = {"array_at": array_at, "kernel": kernel}
    arguments = [_argument(form, names, kinds, scope) for form in forms]
    text = f"def entry({', '.join(names)}):\n    return kernel({', '.join(arguments)})\n"
    exec(text, scope)
    with _only_text():
        compiled = njit(no_cpython_wrapper=True, _nrt=False, **_OPTIONS)(scope["entry"])
        compiled.compile(tuple(kinds))
        (overload,) = compiled.overloads.values()
        (text,) = compiled.inspect_llvm().values()
    result = overload.signature.return_type
    return (text, overload.fndesc.llvm_cfunc_wrapper_name, _RESULTS[result]) if result in _RESULTS else None


def _argument(form: Any, names: list[str], kinds: list[Any], scope: dict[str, Any]) -> str:
    """Return the expression that rebuilds an argument from C values.

    Args:
        form: the form of the argument.
        names: receives the names of the C values.
        kinds: receives their types.
        scope: receives the classes that the expression uses.
    """
    name = f"a{len(names)}"
    if form == "none":
        return "None"
    if isinstance(form, str):
        names.append(name)
        kinds.append({"boolean": types.int64, "cells": CELLS}.get(form) or getattr(types, form))
        return f"{name} != 0" if form == "boolean" else name
    if isinstance(form[0], type):
        scope[form[0].__name__] = form[0]
        return f"{form[0].__name__}({', '.join(_argument(item, names, kinds, scope) for item in form[1:])})"
    dtype, dimensions = form
    shape = [f"{name}_{n}" for n in range(dimensions)]
    names += [name, *shape]
    kinds += [types.CPointer(getattr(types, dtype)), *[types.intp] * dimensions]
    return f"array_at({name}, ({', '.join(shape)},))"
