"""Optimisation of LLVM modules, and their compilation to machine code for this machine."""

from __future__ import annotations

import ctypes
from functools import cache

import llvmlite.binding as llvm


@cache
def load_target() -> None:
    """Initialise LLVM's code generator for this machine."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()  # without it, inline assembly makes LLVM abort the process


@cache
def host() -> tuple[str, str]:
    """Return the name and the features of this machine's processor, in LLVM's notation, such as ``+avx,-sse4a``."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def target_machine(level: int = 2) -> llvm.TargetMachine:
    """Return a new code generator (JIT) for this machine.

    Each engine needs its own, because it takes the code generator over and frees it.

    Args:
        level: the level of optimisation, from 0 to 3.
    """
    load_target()
    target, (name, features) = llvm.Target.from_default_triple(), host()
    return target.create_target_machine(name, features, opt=level, jit=True, reloc="pic", codemodel="small")


def optimise(module: llvm.ModuleRef, level: int = 2) -> None:
    """Run LLVM's standard optimisation pipeline of this level, from 0 to 3, on the module, in place."""
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    builder = llvm.create_pass_builder(target_machine(level), options)
    without_dead_code(module)  # saves time: the pipeline simplifies functions before it removes dead ones
    builder.getModulePassManager().run(module, builder)


def without_dead_code(module: llvm.ModuleRef) -> None:
    """Remove functions and variables that no externally visible symbol refers to, in place."""
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(target_machine(), llvm.create_pipeline_tuning_options()))


def has_symbol(name: str) -> bool:
    """Whether a loaded library of this process exports the symbol, so that machine code may call it."""
    return llvm.address_of_symbol(name) is not None


@cache
def load_libraries() -> None:
    """Make the C and math libraries visible to compiled subjects, and the C++ library if it exists."""
    for name in ("libm.so.6", "libstdc++.so.6", "libm.dylib"):
        try:
            ctypes.CDLL(name, ctypes.RTLD_GLOBAL)
        except OSError:  # absent on this platform, or no C++ library: linking names a missing symbol later
            continue
        llvm.load_library_permanently(name)


def call_by_table(module: llvm.ModuleRef) -> None:
    """Have calls of external functions load the address from a table, as uses of external variables do; in place.

    Otherwise LLVM calls a stub that loads the address. It reserves no memory for table entries that only stubs use, and
    aborts the process if the last page of data is nearly full.
    """
    for function in module.functions:
        if function.is_declaration and not function.name.startswith("llvm."):
            function.add_function_attribute("nonlazybind")
    module.link_in(llvm.parse_assembly(_TABLE_FOR_LIBRARY))  # for LLVM's own calls, such as memcpy


_TABLE_FOR_LIBRARY = """
declare void @_Unwind_Resume(ptr) nonlazybind
@llvm.compiler.used = appending global [1 x ptr] [ptr @_Unwind_Resume], section "llvm.metadata"
!llvm.module.flags = !{!0}
!0 = !{i32 7, !"RtLibUseGOT", i32 1}
"""


def _engine(module: llvm.ModuleRef) -> llvm.ExecutionEngine:
    """Return an engine that compiles into this process, with all sections of an object side by side.

    LLVM's default memory manager may place them too far apart for the small code model, and then aborts the process.
    """
    return llvm.create_mcjit_compiler(module, target_machine(), use_lmm=True)


def object_file(module: llvm.ModuleRef) -> bytes:
    """Compile an optimised module to an object file, whose external symbols may lie anywhere in memory.

    The module is changed (:func:`call_by_table`).
    :func:`load_object` loads one such file, :meth:`MachineCode.of_objects` several.
    """
    call_by_table(module)
    return bytes(target_machine().emit_object(module))


def load_object(code: bytes) -> llvm.ExecutionEngine:
    """Load a file made by :func:`object_file` into this process, for the lifetime of the returned engine.

    A missing external symbol causes no error here.
    """
    engine = _engine(llvm.parse_assembly(""))
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


class MachineCode:
    """LLVM modules compiled into this process. Addresses stay valid for the lifetime of this object.

    Args:
        module: the first module. It is changed and taken over, and its constructors run.
    """

    def __init__(self, module: llvm.ModuleRef) -> None:
        call_by_table(module)
        self._engine = _engine(module)
        self._engine.finalize_object()
        self._engine.run_static_constructors()

    @classmethod
    def of_text(cls, text: str) -> MachineCode:
        """Compile LLVM IR without optimisation of the module. Its constructors run."""
        load_target()
        return cls(llvm.parse_assembly(text))

    @classmethod
    def of_objects(cls, *codes: bytes) -> MachineCode:
        """Load files made by :func:`object_file`, as :meth:`add_objects` does."""
        load_target()
        code = cls(llvm.parse_assembly(""))
        code.add_objects(*codes)
        return code

    def add_objects(self, *codes: bytes) -> None:
        """Load further object files. They see the external symbols of all loaded code; constructors do not run."""
        for code in codes:
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()

    def add(self, module: llvm.ModuleRef) -> None:
        """Compile a further module, which sees the external symbols of earlier ones. All constructors run (again).

        The module is changed and taken over.
        """
        call_by_table(module)
        self._engine.add_module(module)
        self._engine.finalize_object()
        self._engine.run_static_constructors()

    def function(self, name: str) -> int:
        """Return the address of a function; 0 if there is none of that name."""
        return int(self._engine.get_function_address(name))

    def variable(self, name: str) -> int:
        """Return the address of a global variable; 0 if there is none of that name."""
        return int(self._engine.get_global_value_address(name))
