"""The one place that optimises LLVM modules, turns them into machine code and calls raw addresses."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


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
def load_byte(typingctx: Any, address: Any) -> Any:
    """Native: the byte at an address."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.inttoptr(args[0], cgutils.voidptr_t)
        return builder.zext(builder.load(pointer, typ=ir.IntType(8)), ir.IntType(64))

    return types.int64(types.int64), codegen


@cache
def target_machine(level: int = 2) -> llvm.TargetMachine:
    """This host's code generator (JIT)."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
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
