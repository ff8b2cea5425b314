"""The one place that optimises LLVM modules and turns them into machine code of this machine."""

from __future__ import annotations

import ctypes
from functools import cache

import llvmlite.binding as llvm


@cache
def load_target() -> None:
    """Make LLVM know the machine that it runs on."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()  # for inline assembly, which LLVM gives up the process over otherwise


@cache
def host() -> tuple[str, str]:
    """The name of this machine's processor, and what it can do, as LLVM says it."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def target_machine(level: int = 2) -> llvm.TargetMachine:
    """This host's code generator (JIT); a new one each time, because an engine takes it over and frees it."""
    load_target()
    target, (name, features) = llvm.Target.from_default_triple(), host()
    return target.create_target_machine(name, features, opt=level, jit=True, reloc="pic", codemodel="small")


def optimise(module: llvm.ModuleRef, level: int = 2) -> None:
    """Run LLVM's standard pipeline of the level on the module, in place."""
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    builder = llvm.create_pass_builder(target_machine(level), options)
    without_dead_code(module)  # the pipeline simplifies functions before it removes them
    builder.getModulePassManager().run(module, builder)


def without_dead_code(module: llvm.ModuleRef) -> None:
    """Remove what nothing refers to that is visible."""
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(target_machine(), llvm.create_pipeline_tuning_options()))


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


def call_by_table(module: llvm.ModuleRef) -> None:
    """Have calls of functions from outside load the address from a table, as uses of variables from outside do. Else
    LLVM calls a jump that loads it, and reserves no memory for the table's entries that only such jumps use: where the
    last page of data is nearly full, it ends the process."""
    for function in module.functions:
        if function.is_declaration and not function.name.startswith("llvm."):
            function.add_function_attribute("nonlazybind")
    module.link_in(llvm.parse_assembly(_TABLE_FOR_LIBRARY))  # what LLVM itself calls, such as memcpy


_TABLE_FOR_LIBRARY = '!llvm.module.flags = !{!0}\n!0 = !{i32 7, !"RtLibUseGOT", i32 1}\n'


def _engine(module: llvm.ModuleRef) -> llvm.ExecutionEngine:
    """What compiles into this process, all of an object's sections side by side: LLVM's own memory manager puts each
    where there is room, and ends a process in which that is too far apart for the code of the small model."""
    return llvm.create_mcjit_compiler(module, target_machine(), use_lmm=True)


def object_file(module: llvm.ModuleRef) -> bytes:
    """Machine code of an optimised module, to be loaded by :func:`load_object` or with others by
    :meth:`MachineCode.of_objects`: what it refers to may lie anywhere."""
    call_by_table(module)
    return bytes(target_machine().emit_object(module))


def load_object(code: bytes) -> llvm.ExecutionEngine:
    """An object file of :func:`call_by_table`'s modules, in this process as long as what is returned lives."""
    engine = _engine(llvm.parse_assembly(""))
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


class MachineCode:
    """Modules compiled into this process. Addresses stay valid as long as the engine lives."""

    def __init__(self, module: llvm.ModuleRef) -> None:
        call_by_table(module)
        self._engine = _engine(module)
        self._engine.finalize_object()
        self._engine.run_static_constructors()

    @classmethod
    def of_text(cls, text: str) -> MachineCode:
        """Compile IR as it is written."""
        load_target()
        return cls(llvm.parse_assembly(text))

    @classmethod
    def of_objects(cls, *codes: bytes) -> MachineCode:
        """Load object files of :func:`object_file`, as :meth:`add_objects` does."""
        load_target()
        code = cls(llvm.parse_assembly(""))
        code.add_objects(*codes)
        return code

    def add_objects(self, *codes: bytes) -> None:
        """Load further object files; they see the external names of all that is there. No constructor is run."""
        for code in codes:
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()

    def add(self, module: llvm.ModuleRef) -> None:
        """Compile a further module; it sees the external names of those before it, whose constructors run again."""
        call_by_table(module)
        self._engine.add_module(module)
        self._engine.finalize_object()
        self._engine.run_static_constructors()

    def function(self, name: str) -> int:
        """Address of a function."""
        return int(self._engine.get_function_address(name))

    def variable(self, name: str) -> int:
        """Address of a global variable."""
        return int(self._engine.get_global_value_address(name))
