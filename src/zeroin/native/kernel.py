"""Kernels and callbacks: Python functions as machine code, kept on disk, and calls of raw addresses. Numba, which
compiles them, is imported only for those that are not on disk."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import importlib
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

import llvmlite.binding as llvm
import numpy as np

from .. import cache as files
from . import kernel_helper
from .machine import load_libraries, load_object, load_target, object_file, optimise, target_machine

F = TypeVar("F", bound=Callable[..., Any])
RARE = kernel_helper.RARE


class Native:
    """Something that kernels can use; Numba's object for it is made when Numba first meets it."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    @cached_property
    def part(self) -> Any:
        """Numba's object."""
        return self._make()

    @property
    def _numba_type_(self) -> Any:  # Numba asks the values of global variables for it
        return load_numba().type_of(self.part)


_PATH = tuple(folder for folder in sys.path if folder)


def load_numba() -> Any:
    """The module that needs Numba. A subject's own ``random.py`` may be imported by now, or be found first: Numba gets
    Python's."""
    if "zeroin.native.compiling" not in sys.modules:
        path, sys.path[:] = sys.path[:], _PATH
        foreign = {name: module for name, module in sys.modules.items() if _is_foreign(module)}
        for name in foreign:
            del sys.modules[name]
        try:
            importlib.import_module("zeroin.native.compiling")
        finally:
            sys.path[:] = path
            sys.modules.update(foreign)
    return sys.modules["zeroin.native.compiling"]


def _is_foreign(module: ModuleType) -> bool:
    """Whether it came from a folder that was not on the path when this process started."""
    file = getattr(module, "__file__", None)
    return bool(file) and module.__name__ != "__main__" and not str(file).startswith((*_PATH, sys.prefix, _PACKAGE))


_PACKAGE = str(Path(__file__).parents[1])


def __getattr__(name: str) -> Any:
    if name == "CELLS":  # Numba's type of what ``cells_at`` returns
        return load_numba().CELLS
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _intrinsic(name: str) -> Any:
    return Native(lambda: getattr(load_numba(), name))


# Native: ``((double (*)(const int64_t *))address)(words)``; both arguments are addresses as int64.
call_objective = _intrinsic("call_objective")
# Native: ``((void (*)(const int64_t *))address)(words)``; both arguments are addresses as int64.
call_void = _intrinsic("call_void")
# Native: the unsigned byte at an address, as int64.
byte_at = _intrinsic("byte_at")
# Native: an address as cells: ``cells[i]`` is an int64. Unlike an array, they have no reference count to keep.
cells_at = _intrinsic("cells_at")
# Native: cells as an address.
address_of = _intrinsic("address_of")
# Native: the address of an array's content (what ``array.ctypes.data`` is, compiled sooner).
data_of = _intrinsic("data_of")


def caller(signature: str) -> Any:
    """Native: ``call(address, values)`` calls the function at an address with a tuple of values of these types."""
    return Native(lambda: load_numba().caller(signature))


def external(name: str, signature: str) -> Any:
    """Native: a function of the C library or of CPython."""
    return Native(lambda: load_numba().external(name, signature))


def overloaded(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorates a function that gets Numba's types of the arguments and returns the function to call (as
    :func:`numba.extending.overload` does)."""
    return lambda choose: Native(lambda: load_numba().overloaded(choose, options))


_around_loading: list[Callable[[], AbstractContextManager[None]]] = [nullcontext]


@contextmanager
def loading_inside(context: Callable[[], AbstractContextManager[None]]) -> Iterator[None]:
    """While this lasts, a kernel that is needed for the first time is loaded, or compiled, inside of such a context: a
    search does not count that time."""
    _around_loading.append(context)
    try:
        yield
    finally:
        _around_loading.pop()


class Kernel(Native):
    """A function that runs as machine code, called by other kernels or by Python.

    For kernels it is compiled as a part of them; for Python, with an entry in C, and then it is kept on disk.
    """

    def __init__(self, function: Callable[..., Any], inline: bool, allocates: bool, rare: bool = False) -> None:
        super().__init__(lambda: load_numba().part(function, inline, allocates))
        functools.update_wrapper(self, function)
        if rare:
            function.__qualname__ += RARE  # which Numba makes a part of its name in LLVM's text
        self.py_func = function
        self._allocates = allocates
        self._entries: dict[tuple[Form, ...], Callable[..., Any] | None] = {}

    def __call__(self, *arguments: Any) -> Any:
        return self.prepared(*arguments)()

    def prepared(self, *arguments: Any) -> Callable[[], Any]:
        """A call with these arguments, to be made often. Arrays are taken where they lie: keep them."""
        values: list[Any] = []
        forms = tuple([form_of(argument, values) for argument in arguments])
        if forms not in self._entries:
            with _around_loading[-1]():
                entry = self._entries[forms] = self._entry(forms)
                if entry is None:
                    load_numba().ready(self._whole, arguments)
        entry = self._entries[forms]
        return functools.partial(self._whole, *arguments) if entry is None else functools.partial(entry, *values)

    def _entry(self, forms: tuple[Form, ...]) -> Callable[..., Any] | None:
        """The machine code for arguments of these forms; None if only Numba can call it."""
        if self._allocates or not all(forms):
            return None
        made = _kept(self.py_func, forms, lambda: load_numba().entry(self, forms))
        if made is None:
            return None
        address, result = made
        function = ctypes.CFUNCTYPE(_C_TYPES[result], *c_types(forms))(address)
        return (lambda *values: bool(function(*values) & 1)) if result == "boolean" else function

    @cached_property
    def _whole(self) -> Any:
        folder = files.kernels() if _is_ours(self.py_func) else None
        return load_numba().whole(self.py_func, self._allocates, None if folder is None else str(folder))


# What an argument is to machine code: a number (``int64``), ``none``, an array (its numbers and dimensions), or a named
# tuple of such (its class and their forms); "" for anything else. In a tuple whose class says ``only_indexed``, int64
# arrays of one dimension are bare ``cells``: without a length there is less to compile, and to pass on.
Form = str | tuple[Any, ...]

_C_TYPES: dict[str, Any] = {
    "none": None, "cells": ctypes.c_void_p, "boolean": ctypes.c_uint8,
    "float64": ctypes.c_double, "float32": ctypes.c_float,
    **{f"{'u' * u}int{n}": getattr(ctypes, f"c_{'u' * u}int{n}") for u in (0, 1) for n in (8, 16, 32, 64)},
}  # fmt: skip


_NAMES: dict[Any, str] = {np.dtype(name): name for name in _C_TYPES if name not in ("none", "cells", "boolean")}
_NUMBERS: dict[Any, str] = {
    float: "float64", int: "int64", bool: "boolean", np.bool_: "boolean", **{d.type: n for d, n in _NAMES.items()},
}  # fmt: skip


def form_of(argument: Any, values: list[Any]) -> Form:
    """The form of an argument; its values, as C gets them, are added to the list."""
    if argument is None:
        return "none"
    number = _NUMBERS.get(type(argument))
    if number is not None:
        values.append(argument.item() if isinstance(argument, np.generic) else argument)
        return number
    if isinstance(argument, np.ndarray):
        if not argument.flags.carray or argument.dtype not in _NAMES:
            return ""
        values += (argument.ctypes.data, *argument.shape)
        return _NAMES[argument.dtype], argument.ndim
    if isinstance(argument, tuple) and hasattr(argument, "_fields"):
        bare = getattr(argument, "only_indexed", False)
        forms = tuple([_form_inside(item, values, bare) for item in argument])
        return (type(argument), *forms) if all(forms) else ""
    values.append(argument)
    return "int64" if isinstance(argument, int) else ""


def _form_inside(item: Any, values: list[Any], bare: bool) -> Form:
    form = form_of(item, values)
    if not bare or form != ("int64", 1):
        return form
    values.pop()
    return "cells"


def c_types(forms: Iterable[Form]) -> list[Any]:
    """The types of the values that arguments of these forms become."""
    types: list[Any] = []
    for form in forms:
        if isinstance(form, str):
            types += {"none": [], "boolean": [ctypes.c_int64]}.get(form, [_C_TYPES[form]])
        elif isinstance(form[0], type):
            types += c_types(form[1:])
        else:
            types += [ctypes.c_void_p, *[ctypes.c_int64] * form[1]]
    return types


def kernel(function: F) -> F:
    """Compile a function to machine code on first use; it runs without the interpreter's lock, and makes and
    copies no arrays."""
    return cast(F, Kernel(function, inline=False, allocates=False))


def allocating(function: F) -> F:
    """A :func:`kernel` that makes or copies arrays (``x[:] = y`` may, too). Numba is loaded to call it."""
    return cast(F, Kernel(function, inline=False, allocates=True))


def inlined(function: F) -> F:
    """A :func:`kernel` that its callers, kernels all of them, take in whole."""
    return cast(F, Kernel(function, inline=True, allocates=False))


def rare(function: F) -> F:
    """A :func:`kernel` that its callers call now and then: its code stays apart from theirs, out of the way of what
    they do often."""
    return cast(F, Kernel(function, inline=False, allocates=False, rare=True))


class Callback:
    """A function that native code calls by its address; compiled, and kept on disk, when that is first asked for."""

    def __init__(self, signature: Any, function: Callable[..., Any]) -> None:
        self._signature, self._function = signature, function

    @cached_property
    def address(self) -> int:
        made = _kept(self._function, str(self._signature), self._compile)
        if made is None:
            self._compiled = load_numba().callback(self._function, self._signature, run=True)
            return int(self._compiled.address)
        return made[0]

    def _compile(self) -> tuple[str, str, str]:
        text = load_numba().callback(self._function, self._signature)
        return text.inspect_llvm(), text.native_name, "none"


def callback(signature: Any) -> Callable[[Callable[..., Any]], Callback]:
    """Compile a function that native code can call by its ``.address``. What is kept on disk has the values of the
    function's globals in it: they must not differ from process to process, as addresses do.

    Args:
        signature: such as ``float64(cells, int64)``, where ``cells`` is the address of int64 cells; or one of Numba's.
    """
    return functools.partial(Callback, signature)


# ---- machine code that is kept ----


def _is_ours(function: Callable[..., Any]) -> bool:
    """Whether the function is of this package; the state of the sources says nothing about others."""
    return function.__module__.startswith("zeroin.")


def _kept(
    function: Callable[..., Any], forms: str | tuple[Form, ...], make: Callable[[], Any]
) -> tuple[int, str] | None:
    """The address of machine code and the type of its result, from disk or else of LLVM IR that ``make`` returns with
    the name of the function in it; None if it needs more than C libraries and CPython.

    Args:
        forms: of the arguments; of a callback, its signature.
    """
    what = forms if isinstance(forms, str) else repr(forms)
    place = f"{function.__module__}.{function.__qualname__}:{function.__code__.co_firstlineno}"
    symbol = f"zeroin_{hashlib.sha256(f'{place} {what}'.encode()).hexdigest()[:32]}"
    folder = files.kernels() if _is_ours(function) else None
    with kernel_helper.asked(function, forms):
        kept = files.kept(folder and folder / symbol, lambda: _made(make, symbol))
    if kept is None:
        return None
    result, _, code = kept.partition(b"\n")
    return _load(symbol, code), result.decode()


def _made(make: Callable[[], Any], symbol: str) -> bytes | None:
    """The type of the result, and the machine code."""
    made = make()
    code = made and _object_of(made[0], made[1], symbol)
    return made[2].encode() + b"\n" + code if code else None


def _object_of(text: str, name: str, symbol: str) -> bytes | None:
    """Machine code of LLVM IR, with one function, called ``symbol``; None if it needs functions of Numba's."""
    load_target()
    load_libraries()
    module = llvm.parse_assembly(text.replace("{ noinline }", "{ alwaysinline }"))
    module.get_function(name).name = symbol
    for value in [*module.functions, *module.global_variables]:
        if not value.is_declaration and value.name != symbol:
            value.linkage = "internal"
    for value in module.functions:
        if RARE in value.name and not value.is_declaration:
            value.add_function_attribute("cold")
            value.add_function_attribute("noinline")
    optimise(module, 3)
    passes = llvm.create_new_module_pass_manager()  # all calls return now that nothing went wrong: what if not goes
    for name in ("ipsccp", "instruction_combine", "simplify_cfg", "global_dead_code_eliminate", "strip_dead_prototype"):
        getattr(passes, f"add_{name}_pass")()
    passes.run(module, llvm.create_pass_builder(target_machine(), llvm.create_pipeline_tuning_options()))
    process = ctypes.CDLL(None)
    for value in [*module.functions, *module.global_variables]:
        if value.is_declaration and not value.name.startswith("llvm.") and not hasattr(process, value.name):
            return None
    return object_file(module)


def _load(symbol: str, code: bytes) -> int:
    """The address of a function of an object file."""
    load_libraries()
    engine = load_object(code)
    _loaded.append(engine)  # its memory is the code's
    return int(engine.get_function_address(symbol))


_loaded: list[llvm.ExecutionEngine] = []
