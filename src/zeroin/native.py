"""The one place that optimises LLVM modules, turns them into machine code and calls raw addresses."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import gc
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite.binding as llvm
from llvmlite import ir
from numba import cfunc, config, njit, types
from numba.extending import intrinsic, typeof_impl

F = TypeVar("F", bound=Callable[..., Any])


@intrinsic
def call_objective(typingctx: Any, address: Any, words: Any) -> Any:
    """Native: ``((double (*)(const int64_t *))address)(words)``; both arguments are addresses as int64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = ir.PointerType()
        function_type = ir.FunctionType(ir.DoubleType(), [pointer])
        function = builder.inttoptr(args[0], function_type.as_pointer())
        return builder.call(function, [builder.inttoptr(args[1], pointer)])

    return types.float64(types.int64, types.int64), codegen


@intrinsic
def call_void(typingctx: Any, address: Any, words: Any) -> Any:
    """Native: ``((void (*)(const int64_t *))address)(words)``; both arguments are addresses as int64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = ir.PointerType()
        function_type = ir.FunctionType(ir.VoidType(), [pointer])
        function = builder.inttoptr(args[0], function_type.as_pointer())
        builder.call(function, [builder.inttoptr(args[1], pointer)])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), codegen


def caller(result: Any, *arguments: Any) -> Any:
    """Native: ``call(address, values)`` calls the function at an address with a tuple of values of these types."""

    @intrinsic
    def call(typingctx: Any, address: Any, values: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            wanted = [context.get_value_type(a) for a in arguments]
            function_type = ir.FunctionType(context.get_value_type(result), wanted)
            function = builder.inttoptr(args[0], function_type.as_pointer())
            given = signature.args[1].types
            passed = [
                context.cast(builder, builder.extract_value(args[1], n), given[n], a) for n, a in enumerate(arguments)
            ]
            return builder.call(function, passed)

        return result(types.int64, values), codegen

    return call


@intrinsic
def byte_at(typingctx: Any, address: Any) -> Any:
    """Native: the unsigned byte at an address, as int64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.inttoptr(args[0], ir.IntType(8).as_pointer())
        return builder.zext(builder.load(pointer), ir.IntType(64))

    return types.int64(types.int64), codegen


_KEPT_CACHES = 4
_FROZEN = ("native.py", "words.py")  # kernels have values of these in them


def _cache_folder() -> str:
    """Where compiled kernels are kept: one folder for each state of the sources that have kernels. Numba by itself
    would take a kernel for fresh although a function that it calls, in another file, has changed."""
    package = Path(__file__).parent
    state = hashlib.sha256(version("numba").encode())
    for source in sorted(package.rglob("*.py")):
        content = source.read_bytes()
        if b"native import" in content or source.name in _FROZEN:
            state.update(str(source).encode() + content)
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "zeroin"
    folder = base / state.hexdigest()[:16]
    if not folder.exists():
        _remove_old(base)
    return str(folder)


def is_cold() -> bool:
    """Whether no kernel has been compiled for this state of the sources yet."""
    return not Path(_cache_folder()).exists()


def _remove_old(base: Path) -> None:
    """Of the folders of other states, keep the newest few."""
    others = sorted(base.glob("*/"), key=lambda p: p.stat().st_mtime, reverse=True) if base.is_dir() else []
    for old in others[_KEPT_CACHES:]:
        shutil.rmtree(old, ignore_errors=True)


@contextlib.contextmanager
def _paused_collector() -> Iterator[None]:
    """A compiler makes many objects and no garbage: looking for some takes a tenth of its time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _Cached:
    """Decorate with Numba, with the cache in our own folder and without touching Numba's settings for others."""

    folder = ""

    def __enter__(self) -> None:
        _Cached.folder = _Cached.folder or _cache_folder()
        self._before = config.CACHE_DIR
        config.CACHE_DIR = _Cached.folder

    def __exit__(self, *_: object) -> None:
        config.CACHE_DIR = self._before


def cache_folder() -> Path:
    """Where this process keeps the kernels that it compiles."""
    with _Cached():
        return Path(_Cached.folder)


class Kernel:
    """A function that runs as machine code, called by other kernels or by Python.

    For kernels it is compiled as a part of them; for Python, with an entry that makes machine values of objects, and
    then it is kept on disk. Most kernels need no such entry, which takes longer to compile than they do.
    """

    def __init__(self, function: Callable[..., Any], inline: bool, allocates: bool) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": allocates}
        self.part = _plain(njit(no_cpython_wrapper=True, forceinline=inline, **self._options)(function))

    @cached_property
    def whole(self) -> Any:
        """For Python."""
        with _Cached():
            return _plain(njit(cache=True, **self._options)(self.py_func))

    def __call__(self, *arguments: Any) -> Any:
        return self.whole(*arguments)


@typeof_impl.register(Kernel)
def _type_of_kernel(kernel: Kernel, context: Any) -> Any:
    return typeof_impl(kernel.part, context)


def _plain(dispatcher: Any) -> Any:
    """The dispatcher, which makes one version for all literal arguments: not one for f(x, 1) and one for f(x, 2)."""
    compile_for = dispatcher.compile

    def compile_unliteral(arguments: Any) -> Any:
        with _paused_collector():
            return compile_for(tuple(map(types.unliteral, arguments)))

    dispatcher.compile = compile_unliteral
    return dispatcher


def kernel(function: F) -> F:
    """Compile a function to machine code on first use; it runs without the interpreter's lock, and makes and
    copies no arrays."""
    return cast(F, Kernel(function, inline=False, allocates=False))


def allocating(function: F) -> F:
    """A :func:`kernel` that makes or copies arrays (``x[:] = y`` may, too)."""
    return cast(F, Kernel(function, inline=False, allocates=True))


def inlined(function: F) -> F:
    """A :func:`kernel` that its callers, kernels all of them, take in whole."""
    return cast(F, Kernel(function, inline=True, allocates=False))


class Callback:
    """A function that native code calls by its address; compiled, and kept on disk, when that is first asked for."""

    def __init__(self, signature: Any, function: Callable[..., Any]) -> None:
        self._signature, self._function = signature, function

    @cached_property
    def address(self) -> int:
        with _Cached(), _paused_collector():
            self._compiled = cfunc(self._signature, cache=True, forceinline=True)(self._function)
        return int(self._compiled.address)


def callback(signature: Any) -> Callable[[Callable[..., Any]], Callback]:
    """Compile a function that native code can call by its ``.address``. What is kept on disk has the values of the
    function's globals in it: they must not differ from process to process, as addresses do."""
    return functools.partial(Callback, signature)


CELLS = types.CPointer(types.int64)  # the address of int64 cells; ``cells[i]`` works on it in native code


@intrinsic
def cells_at(typingctx: Any, address: Any) -> Any:
    """Native: an address as CELLS. Unlike an array, CELLS have no reference count to keep."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], ir.IntType(64).as_pointer())

    return CELLS(types.int64), codegen


@intrinsic
def data_of(typingctx: Any, array: Any) -> Any:
    """Native: the address of an array's content (what ``array.ctypes.data`` is, compiled sooner)."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        return builder.ptrtoint(data, ir.IntType(64))

    return types.int64(array), codegen


@intrinsic
def address_of(typingctx: Any, cells: Any) -> Any:
    """Native: CELLS as an address."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ptrtoint(args[0], ir.IntType(64))

    return types.int64(CELLS), codegen


@cache
def load_target() -> None:
    """Make LLVM know the machine that it runs on."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def target_machine(level: int = 2) -> llvm.TargetMachine:
    """This host's code generator (JIT); a new one each time, because an engine takes it over and frees it."""
    load_target()
    target = llvm.Target.from_default_triple()
    features = llvm.get_host_cpu_features().flatten()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=level, jit=True, reloc="pic", codemodel="small"
    )


def optimise(module: llvm.ModuleRef, level: int = 2) -> None:
    """Run LLVM's standard pipeline of the level on the module, in place."""
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    builder = llvm.create_pass_builder(target_machine(level), options)
    builder.getModulePassManager().run(module, builder)


def has_symbol(name: str) -> bool:
    """Whether machine code may call ``name``: a library of this process exports it."""
    return llvm.address_of_symbol(name) is not None


@cache
def load_libraries() -> None:
    """Make the C and math libraries (and, where it exists, the C++ library) visible to compiled subjects."""
    for name in ("libm.so.6", "libstdc++.so.6", "libm.dylib"):
        try:
            ctypes.CDLL(name, ctypes.RTLD_GLOBAL)
        except OSError:  # not on this platform, or no C++ library installed: a missing symbol is named later
            continue
        llvm.load_library_permanently(name)


class Engine:
    """Modules compiled into this process. Addresses stay valid as long as the engine lives."""

    def __init__(self, module: llvm.ModuleRef) -> None:
        self._engine = llvm.create_mcjit_compiler(module, target_machine())
        self._engine.finalize_object()
        self._engine.run_static_constructors()

    @classmethod
    def of_text(cls, text: str) -> Engine:
        """Compile IR as it is written."""
        load_target()
        return cls(llvm.parse_assembly(text))

    def add(self, module: llvm.ModuleRef) -> None:
        """Compile a further module; it sees the external names of those before it."""
        self._engine.add_module(module)
        self._engine.finalize_object()

    def function(self, name: str) -> int:
        """Address of a function."""
        return int(self._engine.get_function_address(name))

    def variable(self, name: str) -> int:
        """Address of a global variable."""
        return int(self._engine.get_global_value_address(name))

    def size_of(self, type_: llvm.TypeRef) -> int:
        """Bytes that a variable of the type takes."""
        return int(self._engine.target_data.get_abi_size(type_))
