"""Kernels and callbacks: Python functions that are compiled to machine code and cached on disk.

Numba compiles them. It is imported only if a function's machine code is not in the cache. This module also has
functions by which kernels use raw addresses.
"""

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

F = TypeVar("F", bound=Callable[..., object])
RARE = kernel_helper.RARE


class Native:
    """A wrapper of an object that kernels use. Numba's object is made on first use, to import Numba only if needed.

    Args:
        make: makes Numba's object. It is called at most once.
    """

    def __init__(self, make: Callable[[], object]) -> None:
        self._make = make

    @cached_property
    def part(self) -> object:
        """Numba's object."""
        return self._make()

    @property
    def _numba_type_(self) -> object:  # Numba reads this attribute of global variables
        return load_numba().type_of(self.part)


_PATH = tuple(folder for folder in sys.path if folder)


def load_numba() -> Any:
    """Return the module :mod:`zeroin.native.compiling`, which imports Numba on the first call.

    A subject may have a module with the name of a standard module, such as ``random``. Such modules are hidden during
    the import, so that Numba gets Python's own.
    """
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
    """Whether a module came from a folder that was not on the path when this process started."""
    file = getattr(module, "__file__", None)
    return bool(file) and module.__name__ != "__main__" and not str(file).startswith((*_PATH, sys.prefix, _PACKAGE))


_PACKAGE = str(Path(__file__).parents[1])


def __getattr__(name: str) -> Any:
    if name == "CELLS":  # Numba's type of the values that ``cells_at`` returns
        return load_numba().CELLS
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _intrinsic(name: str) -> Any:
    return Native(lambda: getattr(load_numba(), name))


# The following objects are for use in kernels only.
# Calls ``((double (*)(const int64_t *))address)(words)``; both arguments are addresses as int64.
call_objective = _intrinsic("call_objective")
# Calls ``((void (*)(const int64_t *))address)(words)``; both arguments are addresses as int64.
call_void = _intrinsic("call_void")
# Returns the unsigned byte at an address, as int64.
byte_at = _intrinsic("byte_at")
# Returns the memory at an address as cells: ``cells[i]`` is an int64. Unlike an array, cells have no reference count.
cells_at = _intrinsic("cells_at")
# Returns the address of cells.
address_of = _intrinsic("address_of")
# Returns the address of an array's content, like ``array.ctypes.data``, which takes longer to compile.
data_of = _intrinsic("data_of")


def caller(signature: str) -> Any:
    """Return a function ``call(address, values)`` for kernels, which calls native code at an address.

    Args:
        signature: the types of the result and of the values, such as ``float64(int64, int64)``. A kernel passes the
            values as a tuple; they are cast to these types.
    """
    return Native(lambda: load_numba().caller(signature))


def external(name: str, signature: str) -> Any:
    """Return a function of the C library or of CPython, for kernels.

    Args:
        name: the exported name.
        signature: the types of the result and of the arguments, such as ``float64(float64)``.
    """
    return Native(lambda: load_numba().external(name, signature))


def overloaded(**options: object) -> Callable[[Callable[..., object]], Any]:
    """Return a decorator for functions that select an implementation by the types of the arguments.

    The decorated function gets Numba's types and returns the implementation, as with
    :func:`numba.extending.overload`. Only kernels can call the result.

    Args:
        options: further arguments of :func:`numba.extending.overload`.
    """
    return lambda choose: Native(lambda: load_numba().overloaded(choose, options))


_around_loading: list[Callable[[], AbstractContextManager[None]]] = [nullcontext]


@contextmanager
def loading_inside(context: Callable[[], AbstractContextManager[None]]) -> Iterator[None]:
    """Load and compile kernels within another context, for the duration of this one, in the whole process.

    A search uses this to exclude the time from its budget. Of nested calls, only the innermost context is entered.

    Args:
        context: makes the context in which a kernel is loaded or compiled on its first call.
    """
    _around_loading.append(context)
    try:
        yield
    finally:
        _around_loading.pop()


class Kernel(Native):
    """A function that runs as machine code. Kernels and Python can call it.

    In another kernel, it is compiled as a part of that one. For calls from Python, it is compiled with an entry point
    in C, and cached on disk.

    Args:
        function: the Python function.
        inline: whether it is inlined into the kernels that call it.
        allocates: whether it makes or copies arrays.
        rare: whether it is called rarely, so that its code is kept apart from that of its callers. Then the function's
            qualified name is changed.

    Attributes:
        py_func: the Python function, not compiled.
    """

    def __init__(self, function: Callable[..., object], inline: bool, allocates: bool, rare: bool = False) -> None:
        super().__init__(lambda: load_numba().part(function, inline, allocates))
        functools.update_wrapper(self, function)
        if rare:
            function.__qualname__ += RARE  # Numba's name for it in LLVM IR contains this
        self.py_func = function
        self._allocates = allocates
        self._entries: dict[tuple[Form, ...], Callable[..., object] | None] = {}

    def __call__(self, *arguments: object) -> object:
        return self.prepared(*arguments)()

    def prepared(self, *arguments: object) -> Callable[[], object]:
        """Return a function without parameters that calls the kernel with these arguments, for repeated calls.

        It uses the arrays' addresses: the caller must keep the arrays alive, and calls see their current content.
        Numbers are passed as they are now. The first call with arguments of new types loads or compiles the kernel.
        """
        values: list[object] = []
        forms = tuple([form_of(argument, values) for argument in arguments])
        if forms not in self._entries:
            with _around_loading[-1]():
                entry = self._entries[forms] = self._entry(forms)
                if entry is None:
                    load_numba().ready(self._whole, arguments)
        entry = self._entries[forms]
        return functools.partial(self._whole, *arguments) if entry is None else functools.partial(entry, *values)

    def _entry(self, forms: tuple[Form, ...]) -> Callable[..., object] | None:
        """Return the machine code for arguments of these forms; None if only Numba can call the kernel."""
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
        """The kernel as Numba's own object, for arguments that only Numba can pass."""
        folder = files.kernels() if _is_ours(self.py_func) else None
        return load_numba().whole(self.py_func, self._allocates, None if folder is None else str(folder))


# The form of an argument is its type for machine code: a number ("int64"), "none", an array (the type of its numbers,
# and the number of dimensions), or a named tuple (its class, and the forms of its items); "" for anything else. In a
# named tuple whose class sets ``only_indexed``, int64 arrays of one dimension are passed without their length, as
# "cells": this saves compilation and arguments.
Form = str | tuple[Any, ...]

_C_TYPES: dict[str, Any] = {
    "none": None, "cells": ctypes.c_void_p, "boolean": ctypes.c_uint8,
    "float64": ctypes.c_double, "float32": ctypes.c_float,
    **{f"{'u' * u}int{n}": getattr(ctypes, f"c_{'u' * u}int{n}") for u in (0, 1) for n in (8, 16, 32, 64)},
}  # fmt: skip


_NAMES: dict[Any, str] = {np.dtype(name): name for name in _C_TYPES if name not in ("none", "cells", "boolean")}
_NUMBERS: dict[object, str] = {
    float: "float64", int: "int64", bool: "boolean", np.bool_: "boolean", **{d.type: n for d, n in _NAMES.items()},
}  # fmt: skip


def form_of(argument: object, values: list[object]) -> Form:
    """Return the form of an argument, and append the values that are passed for it in C to ``values``.

    Returns:
        The form. "" if only Numba can pass the argument; then ``values`` must not be used.
    """
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


def _form_inside(item: object, values: list[object], bare: bool) -> Form:
    """Return the form of a named tuple's item, as :func:`form_of` does.

    Args:
        item: the item.
        values: receives the values that are passed for it in C.
        bare: whether an int64 array of one dimension is passed without its length, as "cells".
    """
    form = form_of(item, values)
    if not bare or form != ("int64", 1):
        return form
    values.pop()
    return "cells"


def c_types(forms: Iterable[Form]) -> list[Any]:
    """Return the C types of the values that are passed for arguments of these forms, none of which is ""."""
    types: list[object] = []
    for form in forms:
        if isinstance(form, str):
            types += {"none": [], "boolean": [ctypes.c_int64]}.get(form, [_C_TYPES[form]])
        elif isinstance(form[0], type):
            types += c_types(form[1:])
        else:
            types += [ctypes.c_void_p, *[ctypes.c_int64] * form[1]]
    return types


def kernel(function: F) -> F:
    """Compile a function to machine code on first use. It runs without the interpreter's lock.

    The function must not make or copy arrays. A division of floats by zero does not raise: it gives infinity or NaN.

    Returns:
        A :class:`Kernel`, typed as the function.
    """
    return cast(F, Kernel(function, inline=False, allocates=False))


def allocating(function: F) -> F:
    """Compile a :func:`kernel` that makes or copies arrays (``x[:] = y`` may do so). A call imports Numba."""
    return cast(F, Kernel(function, inline=False, allocates=True))


def inlined(function: F) -> F:
    """Compile a :func:`kernel` that is inlined into the kernels that call it. Python does not call it."""
    return cast(F, Kernel(function, inline=True, allocates=False))


def rare(function: F) -> F:
    """Compile a :func:`kernel` that is called rarely. Its code is kept apart from the hot code of its callers."""
    return cast(F, Kernel(function, inline=False, allocates=False, rare=True))


class Callback:
    """A function that native code calls by its address. It is compiled and cached on first use of the address.

    Args:
        signature: see :func:`callback`.
        function: the Python function.
    """

    def __init__(self, signature: object, function: Callable[..., object]) -> None:
        self._signature, self._function = signature, function

    @cached_property
    def address(self) -> int:
        """The address of the machine code, which is valid as long as this object exists."""
        made = _kept(self._function, str(self._signature), self._compile)
        if made is None:
            self._compiled = load_numba().callback(self._function, self._signature, run=True)
            return int(self._compiled.address)
        return made[0]

    def _compile(self) -> tuple[str, str, str]:
        text = load_numba().callback(self._function, self._signature)
        return text.inspect_llvm(), text.native_name, "none"


def callback(signature: object) -> Callable[[Callable[..., object]], Callback]:
    """Return a decorator that compiles a function which native code can call by its ``.address``.

    The cached machine code contains the values of the function's global variables. So these must be the same in every
    process; addresses, for example, are not.

    Args:
        signature: a text such as ``float64(cells, int64)``, where ``cells`` is the address of int64 cells; or a
            signature of Numba's.
    """
    return functools.partial(Callback, signature)


# ---- cached machine code ----


def _is_ours(function: Callable[..., object]) -> bool:
    """Whether the function belongs to this package. Only then does the cache notice changes of its source."""
    return function.__module__.startswith("zeroin.")


def _kept(
    function: Callable[..., Any], forms: str | tuple[Form, ...], make: Callable[[], Any]
) -> tuple[int, str] | None:
    """Load a function's machine code from the cache, or compile and cache it.

    Args:
        function: the function.
        forms: the forms of the arguments; for a callback, its signature.
        make: returns LLVM IR, the function's name in it, and the type of the result; None if that is not possible.

    Returns:
        The address, which stays valid until the process ends, and the type of the result. None if the code needs
        functions beyond C libraries and CPython, or if ``make`` returns None.
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
    """Compile the content of a cached file: the type of the result, a line break, and the machine code.

    Args:
        make: see :func:`_kept`.
        symbol: the name of the function in the machine code.

    Returns:
        The content. None if ``make`` returns None, or if the code needs Numba's functions.
    """
    made = make()
    code = made and _object_of(made[0], made[1], symbol)
    return made[2].encode() + b"\n" + code if code else None


def _object_of(text: str, name: str, symbol: str) -> bytes | None:
    """Compile LLVM IR to an object file that exports one function as ``symbol``; None if it needs Numba's functions."""
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
    # After optimisation, it is known that no call returns an error. These passes remove the handling of such errors.
    passes = llvm.create_new_module_pass_manager()
    for name in ("ipsccp", "instruction_combine", "simplify_cfg", "global_dead_code_eliminate", "strip_dead_prototype"):
        getattr(passes, f"add_{name}_pass")()
    passes.run(module, llvm.create_pass_builder(target_machine(), llvm.create_pipeline_tuning_options()))
    process = ctypes.CDLL(None)
    for value in [*module.functions, *module.global_variables]:
        if value.is_declaration and not value.name.startswith("llvm.") and not hasattr(process, value.name):
            return None
    return object_file(module)


def _load(symbol: str, code: bytes) -> int:
    """Load an object file until the process ends, and return the address of its function.

    The file must define ``symbol``; this is not checked.
    """
    load_libraries()
    engine = load_object(code)
    _loaded.append(engine)  # the engine owns the code's memory
    return int(engine.get_function_address(symbol))


_loaded: list[llvm.ExecutionEngine] = []
