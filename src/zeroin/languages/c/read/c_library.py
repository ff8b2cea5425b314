"""The code of functions of the C library, which is read like that of the user (``c_library.c``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

import llvmlite.binding as llvm

from ....native import machine
from ..front.compile import LIBRARY, compile_all
from ..front.symbols import parse
from ..llvm_ir import ir
from .strings import OWN, PREFIX

_FUNCTION = re.compile(r"^(?!static)[a-z][\w *]*?\b(\w+)\([^;]*\{", re.M)
_DECLARED = re.compile(r"^declare\b[^@]*@([\w$.]+)\(", re.M)
_TARGET = re.compile(r"^target (?:datalayout|triple) = .*$", re.M)
# Which of equal elements these find, or put first, is not known, so proofs do not read their code.
OPEN = frozenset(("bsearch", "qsort"))
# What these do depends on the locale.
LOCAL = ("__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "isalnum", "isalpha", "isblank", "iscntrl",
         "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "tolower", "toupper")  # fmt: skip


@cache
def names() -> frozenset[str]:
    """Return the names of the functions that there is code for."""
    return frozenset(_FUNCTION.findall(LIBRARY.read_text()))


def library_for(texts: Sequence[str]) -> str:
    """Return the IR of the code for functions that IR texts declare; empty if they declare none.

    Args:
        texts: the IR of the program's files.

    Raises:
        CompileError, MissingDependency, ZeroinError: see :func:`zeroin.languages.c.front.compile.compile_all`.
    """
    if not names().intersection(name for text in texts for name in _DECLARED.findall(text)):
        return ""
    (text,) = compile_all([LIBRARY])
    return text if _TARGET.findall(text) == _TARGET.findall(texts[0]) else ""


def link_library(module: llvm.ModuleRef, text: str) -> set[str]:
    """Link the code of those functions into a module that it declares, and does not define.

    Args:
        module: the module, which is changed.
        text: from :func:`library_for`.

    Returns:
        The names of these functions.
    """
    library = ir.read(text)
    ir.strip_debug(library)
    known = parse(library.text(), LIBRARY)
    types = {function.name: str(function.global_value_type) for function in known.functions}
    declared = {one.name: str(one.global_value_type) for one in module.functions if one.is_declaration}
    wanted = {name for name in names() if name in declared and _fits(declared[name], types.get(name, ""))}
    if not wanted:
        return wanted
    needed = _needed(library, wanted)
    text = ir.Module([part for part in library.parts if _name(part) in needed]).text()
    defined = {one.name for one in module.functions if not one.is_declaration}
    others = ({*needed, *OWN} - wanted) | (
        defined & set(ir.mentioned(text))
    )  # the program may have others of these names
    code = parse(ir.rename(text, lambda name: f"{PREFIX}{name}" if name in others else name), LIBRARY)
    _simplify(code)
    module.link_in(code)
    for name in wanted:
        module.get_function(name).linkage = llvm.Linkage.internal
    return wanted


def _fits(declared: str, defined: str) -> bool:
    """Return whether a declaration fits a definition, which has parameters where the declaration has ``...``."""
    return declared == defined or (declared.endswith(", ...)") and defined.startswith(declared.removesuffix("...)")))


def _simplify(code: llvm.ModuleRef) -> None:
    """Replace short branches by choices of values, so that they are no conditions of a path."""
    passes = llvm.create_new_function_pass_manager()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    builder = llvm.create_pass_builder(machine.target_machine(), llvm.create_pipeline_tuning_options())
    for function in code.functions:
        if not function.is_declaration:
            passes.run(function, builder)


def _needed(library: ir.Module, wanted: Iterable[str]) -> set[str]:
    """Return the names of all functions and variables that functions need, with these, and ``""``."""
    texts = {_name(part): part if isinstance(part, str) else ir.Module([part]).text() for part in library.parts}
    found, waiting = {""}, [*wanted]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [one for one in ir.mentioned(texts.get(name, "")) if one in texts]
    return found


def _name(part: str | ir.Function) -> str:
    """Return the name of the function or variable that a part of a module defines; empty if it is no such part."""
    if isinstance(part, ir.Function):
        return part.name
    found = re.match(r"@([\w$.]+) = ", part)
    return found[1] if found else ""
