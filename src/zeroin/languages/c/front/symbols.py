"""Names and symbols in a subject's IR modules: rename library functions, find the target, report missing symbols."""

from __future__ import annotations

import ctypes
import difflib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from pathlib import Path

import llvmlite.binding as llvm

from ....errors import CompileError, MissingSymbol, TargetError
from ....native import machine
from ....native.cells import Disturbs
from ...lines import name_at
from ..llvm_ir import ir
from ..llvm_ir.debug_info import DebugInfo
from ..run import undefined_behaviour
from .layout import STUB
from .printed_types import with_our_names

# Calls of these functions go to guards.c instead: they would end this process, or allocate memory that is never freed.
_GUARDED = ("abort malloc calloc realloc free setrlimit close dup2 dup3 write atexit at_quick_exit on_exit "
            "pthread_atfork pthread_exit reallocarray malloc_usable_size memalign aligned_alloc posix_memalign "
            "memcpy mempcpy strcpy stpcpy strncpy strcat strdup strndup __cxa_atexit __dso_handle")  # fmt: skip
# Sources of nondeterminism, each with the functions that read it. Its position is a bit of ``zeroin_elsewhere`` in
# guards.c.
SURROUNDINGS = {
    "the clock": "time gettimeofday clock_gettime timespec_get",
    "the environment": "getenv secure_getenv localtime localtime_r mktime ctime ctime_r",
    "the machine": "gethostname uname sysconf get_nprocs get_nprocs_conf",
    "the process": "getpid getppid",
}
RENAMED = {
    **dict.fromkeys(("exit", "_exit", "_Exit", "quick_exit"), "zeroin_exit"),
    **{name: f"zeroin_{name}" for name in (*_GUARDED.split(), *" ".join(SURROUNDINGS.values()).split())},
    "__assert_fail": "zeroin_assert",
    "setrlimit64": "zeroin_setrlimit",
}
# Calls that could harm the machine go to guards.c, too, unless the user gives this permission (``--allow``).
GUARDS = {
    "files": "unlink unlinkat remove rmdir rename renameat renameat2 mkdir mkdirat mkfifo mknod mkstemp mkstemp64 "
             "mkdtemp link linkat symlink symlinkat truncate truncate64 chmod fchmodat chown lchown fchownat ftruncate "
             "ftruncate64 fchmod fchown utime utimes utimensat futimens flock "
             "open open64 openat openat64 creat creat64 fopen fopen64 freopen freopen64 "
             "shm_open shm_unlink sem_open sem_unlink mq_open mq_unlink shmget semget msgget",
    "processes": "execl execlp execle execv execvp execve execvpe execveat posix_spawn posix_spawnp fexecve system "
                 "popen fork vfork kill killpg sigqueue",
    "network": "socket connect bind getaddrinfo gethostbyname sendto",
}  # fmt: skip
# The state of the process that is restored after each run, if the subject calls one of these functions.
DISTURBING = {
    Disturbs.FLOATS: "fesetround fesetenv feupdateenv feholdexcept fesetexceptflag feraiseexcept feclearexcept "
                     "fetestexcept fegetexceptflag feenableexcept fedisableexcept llvm.x86.sse.ldmxcsr "
                     "llvm.set.rounding llvm.set.fpenv llvm.set.fpmode llvm.reset.fpenv llvm.reset.fpmode",
    Disturbs.SIGNALS: "signal sigaction sigprocmask pthread_sigmask sigaltstack alarm ualarm setitimer siginterrupt "
                      "sigignore sighold sigset bsd_signal __sysv_signal sigsuspend sigpause",
    Disturbs.LOCALE: "setlocale uselocale",
    Disturbs.FOLDER: "chdir fchdir",
    Disturbs.LIMITS: "setrlimit setrlimit64 prlimit prlimit64",
    Disturbs.FILES: "open open64 openat openat64 creat creat64 fopen fopen64 freopen freopen64 fdopen tmpfile "
                    "tmpfile64 mkstemp mkstemp64 dup dup2 dup3 pipe pipe2 socketpair close fclose closefrom "
                    "close_range memfd_create eventfd epoll_create1 timerfd_create signalfd opendir fcntl fcntl64",
    Disturbs.MASK: "umask",
    Disturbs.ENVIRONMENT: "setenv unsetenv putenv clearenv environ __environ",
    Disturbs.RANDOM: "rand srand random srandom drand48 lrand48 mrand48 srand48 seed48 lcong48",
    Disturbs.ERRNO: "__errno_location",
}  # fmt: skip
_FLOAT_CONTROL = re.compile(r'asm[^"\n]*"[^"]*(?:ldmxcsr|fldcw|fldenv|frstor|fxrstor|msr\s+fpcr)')
_THREAD_LOCAL = re.compile(r" thread_local(?:\(\w+\))? (?:global|constant)")
_THREAD_ADDRESS = re.compile(
    r'(?:tail )?call [^@\n]*@llvm\.threadlocal\.address\.p0\(ptr[^@\n]*(@(?:"[^"]*"|[\w$.]+))\)'
)
KEPT = re.compile(r"zeroin_")
# The alias that Clang emits if a class's complete-object and base-object constructors (or destructors) are the same.
_SAME_FOR_BASE = re.compile(
    r"\n(@_Z\w*[CD])(1E\w* = )(?:weak_odr )?((?:dso_local )?unnamed_addr alias [^@\n]*(?:\1)2E)"
)
# Mangled names in namespace std: a function, a variable, or a class's tables.
_OF_CXX = re.compile(r"_Z(?:T\w|GV)?N?K?St")
# A function of the C++ library that throws, and the call that throws.
_LIBRARY_THROWS = re.compile(r"^define [^@\n]*@_ZN?K?St(?:(?!^}).)*?@__cxa_throw\((?:(?!^}).)*", re.M | re.S)
_THROW = re.compile(r"^( +)(?:call|invoke) void @__cxa_throw\(ptr (?:noundef )?(%[-\w$.]+),", re.M)
_DECLARED = re.compile(r"^(?:declare\b[^@\n]*@(_Z[\w.$]+)\(|@(_Z[\w.$]+) = external )", re.M)
PREFIXES = ("s.", "p.", "q.", "z.", "m.")  # of a subject's symbols in the instrumented build ("s.") and other builds
# Entry points that Python calls by their addresses.
_CALLED = ("zeroin_objective", "zeroin_replay", "zeroin_call_plain", "zeroin_call_unoptimised",
           "zeroin_call_sanitized", "zeroin_call_mutant")  # fmt: skip


def renamed(allowed: Collection[str] = ()) -> dict[str, str]:
    """Return the C library functions to replace by functions of our runtime, as a map from old to new names.

    Args:
        allowed: permissions that the user gives: ``files``, ``network``, ``processes``.
    """
    guarded = [name for what, names in GUARDS.items() if what not in allowed for name in names.split()]
    # open64 and its kind share a guard with the plain function: file offsets have 64 bits in both.
    return {**RENAMED, **{name: f"zeroin_{name.removesuffix('64')}" for name in guarded}}


def apart_from_ours(text: str) -> str:
    """Return a subject's IR, changed so that it can be linked with our runtime.

    - Symbols that begin with ``zeroin_`` are renamed, so that they do not clash with the runtime's.

    - Thread-local variables become global ones, since compiled memory has no thread-local storage.

    - Inline functions get code (``linkonce_odr``), even if another file is meant to provide it.

    - Aliases of constructors and destructors become discardable.

    - ``noalias`` is removed from results of allocations. A write to the heap must happen even if nothing reads the
      value, because it may be out of bounds.

    - Functions of the C++ library record the exception that they throw. As the next exception may get the same memory,
      every throw deletes the record of an exception at its address.
    """
    text = with_our_names(text.replace("@zeroin_", "@own.zeroin_")).replace(" noalias ptr @", " ptr @")
    text = text.replace("\ndefine available_externally ", "\ndefine linkonce_odr ")
    text = _SAME_FOR_BASE.sub(r"\n\1\2linkonce_odr \3", text)
    text = _THROW.sub(r"\1call void @zeroin_throws(ptr \2)\n\g<0>", text)
    text = _LIBRARY_THROWS.sub(lambda found: _THROW.sub(r"\1store ptr \2, ptr @zeroin_raised\n\g<0>", found[0]), text)
    if "thread_local" in text:
        text = _THREAD_LOCAL.sub(" global", text)
    if "@llvm.threadlocal.address" in text:
        text = _THREAD_ADDRESS.sub(r"getelementptr i8, ptr \1, i64 0", text)
    return text


_NEAR = re.compile(
    r'^(declare|@(?:"[^"]*"|[^ ]+) = (?:external|extern_weak)) (?:(?:dso_local|hidden|protected) )+', re.M
)


def parse(text: str, path: Path) -> llvm.ModuleRef:
    """Parse IR with LLVM; ``path`` is the file to name in the message.

    What the IR only declares may lie anywhere in memory afterwards. Code for a program takes a hidden symbol to be
    near: LLVM would end the process if it is not.

    Raises:
        CompileError: this LLVM can not read the text.
    """
    try:
        return llvm.parse_assembly(_NEAR.sub(r"\1 ", text))
    except RuntimeError as error:
        raise CompileError(f"{path}: LLVM {llvm.llvm_version_info[0]} can not read its IR", str(error)) from error


_OURS = {
    "zeroin_burn": "declare void @zeroin_burn()",
    "zeroin_probe_float": "declare void @zeroin_probe_float(i64, i64, double, double, i1 zeroext)",
    "zeroin_probe_int": "declare void @zeroin_probe_int(i64, i64, i64, i64, i1 zeroext)",
    "zeroin_probe_float_apart": "declare void @zeroin_probe_float_apart(i64, i64, double, double, i1 zeroext)",
    "zeroin_probe_int_apart": "declare void @zeroin_probe_int_apart(i64, i64, i64, i64, i1 zeroext)",
    "zeroin_probe_switch": "declare void @zeroin_probe_switch(i64, i64, i64, ptr)",
    "zeroin_check": "declare void @zeroin_check(ptr, i64, i64, i1 zeroext)",
    "zeroin_forbid": "declare void @zeroin_forbid(ptr, i64, i64, i1 zeroext)",
    "zeroin_undefined": "declare void @zeroin_undefined(ptr, i64, i64)",
    "zeroin_operands": "declare void @zeroin_operands(i64, i64, i64, i64, i1 zeroext)",
    "zeroin_throws": "declare void @zeroin_throws(ptr)",
    "zeroin_raised": "@zeroin_raised = external global ptr",
    "zeroin_caught": "declare void @zeroin_caught(ptr, ptr, ptr)",
    "zeroin_uncaught": "declare void @zeroin_uncaught()",
    "zeroin_difference": "declare i64 @zeroin_difference(ptr, ptr, i64, i64)",
    "zeroin_apart": "declare i64 @zeroin_apart(x86_fp80, x86_fp80, i64)",
    "zeroin_buffers": "@zeroin_buffers = external global ptr",
    "zeroin_result": "@zeroin_result = external global i64",
    "zeroin_pattern": "@zeroin_pattern = external global i64",
    "zeroin_mutant": "@zeroin_mutant = external global i64",
}


def asked_tables(outcomes: int, faults: bool) -> str:
    """Return IR that defines the tables that probes use.

    Args:
        outcomes: number of the subject's branches, two for each site.
        faults: whether faults are searched for. Then there is a table for operands, three words for each site.
    """
    tables = (("asked", "i8", outcomes), ("levels", "i32", outcomes), ("seen", "i64", outcomes // 2 * 3 * faults))
    return "".join(f"@zeroin_{name} = dso_local global [{max(1, length)} x {type_}] zeroinitializer\n"
                   for name, type_, length in tables)  # fmt: skip


_OF_CATCHING = {
    "__gxx_personality_v0": "declare i32 @__gxx_personality_v0(...)",
    "__cxa_begin_catch": "declare ptr @__cxa_begin_catch(ptr)",
    "__cxa_end_catch": "declare void @__cxa_end_catch()",
    "__cxa_current_exception_type": "declare ptr @__cxa_current_exception_type()",
    "llvm.eh.typeid.for": "declare i32 @llvm.eh.typeid.for(ptr)",
    "_ZTISt9exception": "@_ZTISt9exception = external constant ptr",
}


def may_throw(texts: Iterable[str]) -> bool:
    """Whether the code of these IR texts may throw C++ exceptions."""
    return any("@__gxx_personality_v0" in text or "@__cxa_throw" in text for text in texts)


def declare_ours(text: str) -> str:
    """Return the IR with declarations of the runtime's functions and variables that it uses."""
    lines = [line for name, line in _OURS.items() if f"@{name}" in text]
    lines += undefined_behaviour.declarations(text)
    if "@zeroin_caught" in text:
        lines += [line for name, line in _OF_CATCHING.items()
                  if not re.search(rf"^(?:declare\b[^@]*@{name}[.\w]*\(|@{name} = )", text, re.M)]  # fmt: skip
    return text + "\n".join(lines) + "\n"


def own_functions(module: ir.Module, debug: DebugInfo, path: Path) -> list[ir.Function]:
    """Return the functions that a source file itself defines, in order of their lines; for IR, all functions.

    Functions from headers and lambdas are left out. Only the file's name without folders counts, so a header of the
    same name is not left out.
    """
    functions = list(module.functions.values())
    if path.suffix in (".ll", ".bc"):
        return functions
    own = (function for function in functions if _own(function, debug, path))
    return sorted(own, key=lambda function: int(debug.fields(function.subprogram).get("line", 0)))


def _own(function: ir.Function, debug: DebugInfo, path: Path) -> bool:
    """Whether a file of this name defines the function, and it is no lambda."""
    described = debug.fields(function.subprogram)
    where, scope = debug.fields(described.get("file")).get("filename", ""), described.get("scope")
    unnamed = debug.kind(scope) == "DICompositeType" and "name" not in debug.fields(scope)
    return Path(where).name == path.name and not unnamed


def by_name(functions: Iterable[ir.Function], debug: DebugInfo) -> list[ir.Function]:
    """Return the functions that tests can call by name: no constructors, destructors or private members."""
    return [one for one in functions if not (debug.makes_or_ends(one.subprogram) or debug.is_hidden(one.subprogram))]


def functions_of(path: Path, texts: Sequence[str]) -> list[str]:
    """Return the target names of all functions in a file that tests can call, in order of their lines.

    Functions from headers and ``main`` are left out.

    Args:
        path: the source file.
        texts: IR texts; the first is that of the source file, and the others are ignored.
    """
    module, debug = ir.read(texts[0]), DebugInfo(texts[0])
    own = by_name(own_functions(module, debug, path), debug)
    return target_names([f for f in own if f.name != "main"], debug)


def function_at(path: Path, texts: Sequence[str], line: int) -> str:
    """Return the target name of the function whose definition has a line.

    Args:
        path: the source file.
        texts: IR texts; the first is that of the source file, and the others are ignored.
        line: the line, from 1.

    Raises:
        TargetError: the line is in no function that tests can call; the message names the nearest one.
    """
    module, debug = ir.read(texts[0]), DebugInfo(texts[0])
    own = by_name(own_functions(module, debug, path), debug)
    spans = [(name, *_span(one, debug)) for name, one in zip(target_names(own, debug), own, strict=True)]
    source, code = path.read_text(errors="replace").splitlines(), line
    while 1 < code <= len(source) and source[code - 1].lstrip().startswith("}"):
        code -= 1  # no code comes from a closing brace
    return name_at(spans, code, str(path), line)


def _span(function: ir.Function, debug: DebugInfo) -> tuple[int, int]:
    """Return the first line of a function, and the last one that its code comes from."""
    first = int(debug.fields(function.subprogram).get("line", 0))
    lines = {debug.position(ir.location(text)).line for block in function.blocks for text in block.lines}
    return first, max([first, *lines])


def target_names(functions: Sequence[ir.Function], debug: DebugInfo) -> list[str]:
    """Return the shortest unique name of each function: ``f``, ``ns::f``, ``ns::f(int)``, or the linker's name.

    A member function always has its class: ``ns::C::f``.
    """
    spellings = [_spellings(function, debug) for function in functions]
    counts = [Counter(column) for column in zip(*spellings, strict=True)]
    return [next((name for name, count in zip(names, counts, strict=True) if count[name] == 1), names[-1])
            for names in spellings]  # fmt: skip


def _spellings(function: ir.Function, debug: DebugInfo) -> tuple[str, str, str, str]:
    """Return a function's names, the shortest first: plain, with scopes, with parameter types, the linker's.

    The plain name of a member function has its scopes. Without debug info, all are the linker's name.
    """
    ref = function.subprogram
    name = debug.fields(ref).get("name")
    if name is None:
        return (function.name,) * 4
    qualified = debug.qualified_name(ref)
    return qualified if debug.class_of(ref) else name, qualified, debug.full_name(ref), function.name


def find(module: ir.Module, debug: DebugInfo, wanted: str, path: Path) -> ir.Function:
    """Find a function by the name that the user gave.

    Args:
        module: the IR module.
        debug: its debug info.
        wanted: the name. Outer namespaces may be left out; parameter types choose between overloads. The linker's name
            is accepted, too.
        path: the source file; its own functions are preferred to those of headers.

    Raises:
        TargetError: no function or several functions have this name.
    """
    if wanted in module.functions:
        return module.functions[wanted]
    own = own_functions(module, debug, path)
    for functions in (own, list(module.functions.values())):
        for fits in (_is, _is_inside):
            found = [f for f in functions if any(fits(wanted, name) for name in _spellings(f, debug)[1:3])]
            if len(found) == 1:
                return found[0]
            if found:
                choices = ", ".join(f"'{name}'" for name in target_names(found, debug))
                raise TargetError(f"{path}: {wanted} is overloaded; name one of {choices}")
    if _is_template(path, wanted):
        why = "is a template that the file does not instantiate; write a function that calls it"
        raise TargetError(f"{path}: {wanted} {why}")
    raise TargetError(f"{path}: no function {wanted!r}; {_defined(path, target_names(own, debug), wanted)}")


def methods_of(module: ir.Module, debug: DebugInfo, wanted: str, path: Path) -> list[tuple[ir.Function, int]]:
    """Return the public methods of a class that the user names, and those that it inherits from public bases.

    Constructors, destructors, and methods of virtual bases are left out. So is the ``const`` one of two methods that
    are equal otherwise, since the object is not constant.

    Args:
        module: the IR module.
        debug: its debug info.
        wanted: the name of the class. Outer namespaces may be left out.
        path: the source file, which defines at least one member function.

    Returns:
        Each method with the offset of its class in the object, in bytes. Empty if there is no such class.

    Raises:
        TargetError: the class has no public method.
    """
    own = own_functions(module, debug, path)
    members = [f for f in own if debug.is_member(f.subprogram)]
    plain = {debug.qualified_name(f.subprogram) for f in own if debug.class_of(f.subprogram) is None}
    if any(_is(wanted, name) or _is_inside(wanted, name) for name in plain):  # a function may have the name of a class
        return []
    classes = dict.fromkeys(debug.class_of(one.subprogram) for one in members if path.suffix not in (".ll", ".bc"))
    for fits in (_is, _is_inside):
        found = [cls for cls in classes if fits(wanted, debug.qualified_name(cls))]
        if len(found) > 1:
            names = ", ".join(f"'{debug.qualified_name(cls)}'" for cls in found)
            raise TargetError(f"{path}: there are several classes {wanted}; name one of {names}")
        if found and not (methods := list(_methods(module, debug, found[0]))):
            raise TargetError(f"{path}: the class {wanted} has no public method; name a function")
        if found:
            return methods
    return []


def _methods(module: ir.Module, debug: DebugInfo, cls: str | None, at: int = 0,
             hidden: Set[str] = frozenset()) -> Iterator[tuple[ir.Function, int]]:  # fmt: skip
    """Yield the public methods of a class, in the order of their lines, then those of its bases.

    Args:
        module: the IR module.
        debug: its debug info.
        cls: the class.
        at: the offset of the class in the object, in bytes.
        hidden: names of methods that a derived class has, too.
    """
    own = [
        f for f in module.functions.values() if debug.class_of(f.subprogram) == cls and debug.is_member(f.subprogram)
    ]
    own = sorted(by_name(own, debug), key=lambda function: int(debug.fields(function.subprogram).get("line", 0)))
    several = dict[tuple[str, ...], ir.Function]()
    for one in own:
        types = debug.items(debug.fields(debug.fields(one.subprogram).get("type")).get("types"))
        same = (debug.fields(one.subprogram).get("name", ""), *map(debug.in_cxx, types[2:]))
        this = debug.fields(types[1]).get("baseType")
        if same[0] not in hidden and (same not in several or not debug.is_constant(this)):
            several[same] = one
    yield from ((one, at) for one in several.values())
    hidden = hidden | {name for name, *_ in several}
    for part in map(debug.fields, debug.items(debug.fields(cls).get("elements"))):
        flags, is_class = part.get("flags", ""), debug.fields(cls).get("tag") == "DW_TAG_class_type"
        is_public = "DIFlagPublic" in flags or not (is_class or "DIFlagPrivate" in flags or "DIFlagProtected" in flags)
        if part.get("tag") == "DW_TAG_inheritance" and is_public and "DIFlagVirtual" not in flags:
            base = debug.resolve(part.get("baseType"))[0]
            yield from _methods(module, debug, base, at + int(part.get("offset", "0")) // 8, hidden)


def _is_template(path: Path, wanted: str) -> bool:
    """Whether a source defines a function template of this name."""
    name = re.escape(wanted.split("::")[-1])
    return path.suffix not in (".ll", ".bc") and bool(
        re.search(rf"\btemplate\s*<[^;{{}}]*>[^;{{}}()]*\b{name}\s*\(", path.read_text(errors="replace"))
    )


def _is(wanted: str, name: str) -> bool:
    """Whether both are the same name, apart from spaces, keywords such as ``struct``, and a leading ``::``."""
    return _without_spaces(wanted).removeprefix("::") == _without_spaces(name)


def _without_spaces(name: str) -> str:
    """Remove spaces, and keywords such as ``struct`` in front of types."""
    return re.sub(r"\b(?:class|struct|union|enum)\s|\s", "", name)


def _is_inside(wanted: str, name: str) -> bool:
    """Whether ``name`` is ``wanted`` with further scopes in front; False if ``wanted`` begins with ``::``."""
    return not wanted.startswith("::") and _without_spaces(name).endswith(f"::{_without_spaces(wanted)}")


def written_name(function: ir.Function, debug: DebugInfo, wanted: str) -> str:
    """Return the name that the user gave; if it has parameter types, the qualified name without them."""
    _, qualified, full, _ = _spellings(function, debug)
    return qualified if full != qualified and (_is(wanted, full) or _is_inside(wanted, full)) else wanted


def _defined(path: Path, names: Sequence[str], wanted: str) -> str:
    """Return a message that lists the functions of a file, the most similar names first."""
    close = difflib.get_close_matches(wanted, names, n=3, cutoff=0.4)
    last = re.split(r"::|\.", wanted)[-1]
    close += [n for n in names if n not in close and difflib.get_close_matches(last, [n.split("::")[-1]], cutoff=0.6)]
    names = close + sorted(n for n in names if n not in close)
    shown = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
    return f"it defines {shown or 'no function'}"


def callees(module: ir.Module, entry: ir.Function) -> list[ir.Function]:
    """Return all functions of the module that the entry may call, directly or not, also through tables of addresses.

    The entry itself is left out, even if it is recursive. The order is arbitrary.
    """
    functions, tables = module.functions, module.initialisers()
    found: dict[str, ir.Function] = {}
    seen, queue = {entry.name}, [entry.name]
    while queue:
        name = queue.pop()
        blocks = functions[name].blocks if name in functions else []
        text = "\n".join([tables.get(name, ""), *(line for block in blocks for line in block.lines)])
        for mentioned in ir.mentioned(text):
            if mentioned not in seen and (mentioned in functions or mentioned in tables):
                seen.add(mentioned)
                queue.append(mentioned)
                if mentioned in functions:
                    found[mentioned] = functions[mentioned]
    return list(found.values())


def with_callees(module: ir.Module, entries: Iterable[ir.Function]) -> list[ir.Function]:
    """Return functions, and then all functions that they may call, see :func:`callees`; each one once."""
    entries = list(entries)
    found = {one.name: one for one in entries}
    for entry in entries:
        found |= {one.name: one for one in callees(module, entry) if one.name not in found}
    return list(found.values())


def mutable_globals(linked: llvm.ModuleRef) -> list[tuple[str, llvm.TypeRef]]:
    """Return the subject's variables that are not constant after optimisation, with their types.

    The variables get external linkage in ``linked``, so that their addresses can be looked up and their values
    restored. Thread-local variables are left out, and so are those of stubs, which each run sets up.
    """
    found, of_stubs = [], tuple(prefix + STUB for prefix in PREFIXES)
    for variable in linked.global_variables:
        text = str(variable)
        name = variable.name
        if variable.is_declaration or KEPT.match(name) or not name.startswith(PREFIXES) or name.startswith(of_stubs):
            continue
        if re.search(r"= (?:[\w()]+ )*?global ", text) and "thread_local" not in text:
            variable.linkage = "external"
            found.append((variable.name, variable.global_value_type))
    return found


def surroundings(declared: Iterable[str]) -> dict[int, str]:
    """Return the sources of nondeterminism that a subject may read, by their positions in :data:`SURROUNDINGS`.

    An example is ``{0: "the clock"}``. The result is empty if there are none.

    Args:
        declared: names of the undefined symbols that the linked subject refers to.
    """
    names = {name.removeprefix("zeroin_") for name in declared}
    return {number: what for number, (what, known) in enumerate(SURROUNDINGS.items()) if names & {*known.split()}}


def disturbs(declared: Iterable[str], texts: Iterable[str]) -> Disturbs:
    """Return the state besides memory that runs of a subject may change, such as the rounding mode or the locale.

    Args:
        declared: names of the undefined symbols that the linked subject refers to, without unreachable code.
        texts: the subject's IR, which may have inline assembly.
    """
    names = {name.removeprefix("zeroin_") for name in declared}
    found = Disturbs(0)
    for what, known in DISTURBING.items():
        if not set(known.split()).isdisjoint(names):
            found |= what
    if any(_FLOAT_CONTROL.search(text) for text in texts):
        found |= Disturbs.FLOATS
    return found


def hide(linked: llvm.ModuleRef) -> None:
    """Make symbols internal, in place, except the runtime's variables and the entry points that Python calls.

    LLVM can then drop functions that have been inlined everywhere.
    """
    for function in linked.functions:
        if not (function.is_declaration or function.name in _CALLED):
            function.linkage = "internal"
    for variable in linked.global_variables:
        if not (variable.is_declaration or KEPT.match(variable.name) or variable.name.startswith("llvm.")):
            variable.linkage = "internal"


def needs_library(texts: Iterable[str]) -> bool:
    """Whether the IR declares symbols of C++'s namespace ``std`` that this process does not provide.

    A declared symbol counts even if another of the texts defines it.
    """
    used = {a or b for text in texts for a, b in _DECLARED.findall(text) if _OF_CXX.match(a or b)}
    return not all(map(machine.has_symbol, used))


def demangled(name: str) -> str:
    """Return the source form of a mangled C++ name; the name itself if it can not be demangled here."""
    if not (name.startswith("_Z") and machine.has_symbol("__cxa_demangle")):
        return name
    library = ctypes.CDLL("libstdc++.so.6")
    library.__cxa_demangle.restype = ctypes.c_void_p
    status = ctypes.c_int()
    found = library.__cxa_demangle(name.encode(), None, None, ctypes.byref(status))
    return (ctypes.string_at(found).decode() if found else name).replace("std::__1::", "std::")


def missing(name: str, path: Path) -> MissingSymbol:
    """Return the error for an undefined symbol; it suggests a file in the subject's folder that defines the symbol.

    The other C and C++ files in that folder are read for this.
    """
    # A definition: type, name, parameters, K&R parameter declarations if any, and an opening brace.
    definition = re.compile(
        rf"^[ \t]*(?!return\b)[A-Za-z_][\w \t*]*\b{re.escape(name)}\s*\([^;{{}}]*\)(?:\s|#\w+|[\w\s,*\[\]]+;)*\{{", re.M
    )
    if _OF_CXX.match(name):
        return MissingSymbol(f"{path}: needs the C++ library's {demangled(name)}, which is not included (streams and "
                             "threads are not): write a small wrapper without it")  # fmt: skip
    for candidate in sorted(path.parent.iterdir()):
        if candidate.suffix not in (".c", ".cc", ".cpp", ".cxx") or candidate.name == path.name:
            continue
        if definition.search(candidate.read_text(errors="replace")):
            said = f"{path}: calls {name}, which {candidate.name} defines: add --with {candidate}"
            return MissingSymbol(said, str(candidate))
    return MissingSymbol(f"{path}: calls {name}, which is not defined; name the file that defines it with --with FILE")
