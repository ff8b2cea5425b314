"""A C (or C++) test from a suite: one file, no framework, any compiler."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ..subject.base import Branch, Outcome, Target, Words
from ..subject.llvm.compile import CXX_SUFFIXES, IR_SUFFIXES
from ..subject.llvm.language import CTarget
from ..subject.llvm.layout import Array, Layout, OddFloat, Scalar, Structure, Text, as_array, cells, runs, written
from ..subject.llvm.parameters import CParameter, CReplay, CSignature
from ..suite.suite import Input, Suite
from ..words import OWN_WORDS, Kind, word_from_bits
from . import Emitter
from .c_runtime import helpers_for, main_of
from .c_trial import LENIENT, SEMANTICS, tried
from .c_types import definitions, names, names_of_callees, structures
from .c_values import Writer
from .header import digest_of, made_by, mark, relative, short
from .trial import Trial, start_ahead

_FEW = 16  # structures of an array that are compared one by one
_WIDTH = 117  # of a line in a comment
_LONGEST = 1000  # arguments in a message

# Ends of a run that do no harm to whoever runs the test.
_SHOWN = (Outcome.SEGV, Outcome.FPE, Outcome.ILL, Outcome.ABORT, Outcome.ASSERTED, Outcome.STACK, Outcome.EXITED)
_PATH_FLAGS = ("-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I", "-L")


class CTest(Emitter):
    """A self-contained program in C, or in C++ for a C++ subject.

    It includes the subject's source by a relative path, runs every input that returned and compares result and outputs
    bit for bit (any NaN equals any NaN). It prints a line for each difference, then ``N passed, M failed``, and ends
    with status 1 if anything failed. Given a number it runs that case alone; one that crashes, only then.
    """

    languages = ("c", "llvm")

    def file_name(self, suite: Suite) -> str:
        """``test_<stem>_<function>.c``, or ``.cpp`` for a C++ subject; with what was looked for, if not everything."""
        stem = re.sub(r"\W+", "_", f"{suite.target.path.stem}_{suite.target.function}_{suite.options.goal}").strip("_")
        return f"test_{short(stem)}{'.cpp' if is_cxx(suite.target) else '.c'}"

    def text(self, suite: Suite, folder: Path) -> str:
        signature = _signature(suite)
        own = f"zeroin_{digest_of(suite.target, folder)[:6]}_"
        types = names(structures(signature.layouts), own) if is_ir(suite.target) else {}
        writer = Writer.of(is_cxx(suite.target), user_flags(target_of(suite).cc), own, types,
                           names_of_callees(signature, own) if is_ir(suite.target) else {})  # fmt: skip
        first = _first_takers(suite)
        call = signature.call
        call = f"{own}subject_main" if call == "main" else f"{own}subject" if is_ir(suite.target) else call
        cases, runs = [], []
        for number, kept in enumerate(suite.inputs):
            if kept.outcome is Outcome.RETURNED and not kept.untested:
                cases.append(_case(suite, number, call, writer, first.get(number, [])))
                run = f"{own}run_alone" if suite.stateful else f"{own}run"
                runs.append(f"    {run}({number}, {own}case_{number});\n")
            elif kept.outcome in _SHOWN:
                cases.append(_crash(suite, number, call, writer))
                runs.append(f"    {own}run_asked({number}, {own}case_{number});\n")
            else:
                cases.append(_not_run(suite, number, kept))
        if suite.stateful:
            runs.insert(0, f"    {own}program = {own}words[0];\n")
        body = "\n".join([*cases, main_of("".join(runs), own)])
        name = self.file_name(suite)
        head = [_header(suite, folder, name), helpers_for(body, name, writer.cxx, own)]
        return "\n".join([*head, _subject(target_of(suite), folder, signature, writer), body])

    def prepare(self) -> None:
        start_ahead()

    def tried(self, test: Path, suite: Suite) -> Trial:
        target = target_of(suite)
        return tried(test, suite, target, _further_sources(target))


def target_of(suite: Suite) -> CTarget:
    """The suite's target, which is one of C."""
    assert isinstance(suite.target, CTarget)
    return suite.target


def is_cxx(target: Target) -> bool:
    """Whether the target's own file is C++."""
    return target.path.suffix in CXX_SUFFIXES


def is_ir(target: Target) -> bool:
    """Whether the target's own file is LLVM IR."""
    return target.path.suffix in IR_SUFFIXES


def user_flags(cc: Iterable[str]) -> list[str]:
    """The user's compiler flags without the compiler's name that may lead them."""
    flags = list(cc)
    return flags[1:] if flags and not flags[0].startswith("-") else flags


# ---- header and subject ----


def _header(suite: Suite, folder: Path, name: str) -> str:
    target = target_of(suite)
    program = Path(name).stem
    lines = [
        f"Tests of {target.function} in {relative(target.path, folder)}, generated by zeroin.",
        "Made by:",
        "",
        *made_by(suite, "c", _WIDTH),
        "",
        mark(suite, folder),
        "To be run in this file's folder:",
        "",
        f"    {shlex.join(compile_command(target, folder, name))}",
        f"    ./{program}",
        "",
        f"./{program} 3 runs case 3 alone.",
    ]
    if is_ir(target):
        lines.append("The subject is LLVM IR: Clang compiles and links it. Its function must not be internal.")
    elif not is_cxx(target):
        lines.append(f"If the compiler is too new for an old source, add: {' '.join(LENIENT)}")
    return _comment("\n * ".join(lines)).replace("\n * \n", "\n *\n") + "\n"


def compile_command(target: CTarget, folder: Path, name: str) -> list[str]:
    """The command that compiles and links the emitted test; it is to be run in ``folder``."""
    languages = {is_cxx(target), *(path.suffix in CXX_SUFFIXES for path in target.others)}
    named = bool(target.cc) and not target.cc[0].startswith("-")
    if named:
        compiler = target.cc[0]
    else:
        compiler = "clang" if is_ir(target) else "c++" if languages == {True} else "cc"
    libraries = ["-lm"] if languages == {False} or compiler == "c++" else ["-lstdc++", "-lm"]
    flags, sources = (
        _moved(user_flags(target.cc), folder),
        (relative(path, folder) for path in _further_sources(target)),
    )
    return [compiler, *SEMANTICS, "-o", Path(name).stem, name, *sources, *flags, *libraries]


def _further_sources(target: CTarget) -> list[Path]:
    """What is compiled beside the test, which includes the target's own file unless that is IR."""
    return [*([target.path] if is_ir(target) else []), *target.others]


def _moved(flags: list[str], folder: Path) -> list[str]:
    """The flags with the relative paths in them relative to ``folder`` instead of the current directory."""
    moved: list[str] = []
    for flag in flags:
        option = next((o for o in _PATH_FLAGS if flag.startswith(o) and len(flag) > len(o)), "")
        if moved and moved[-1] in _PATH_FLAGS:
            option = ""
        elif not option:
            moved.append(flag)
            continue
        path = Path(flag.removeprefix(option))
        # ``-include math.h`` may as well be found on the include path, which moves with its own flags.
        moved.append(option + (path.as_posix() if path.is_absolute() or not path.exists() else relative(path, folder)))
    return moved


def _subject(target: Target, folder: Path, signature: CSignature, writer: Writer) -> str:
    if is_ir(target):
        return _prototype(signature, writer)
    lines = [f"#define main {writer.own}subject_main", f'#include "{relative(target.path, folder)}"', "#undef main"]
    if re.fullmatch(r"[A-Za-z_]\w*", signature.call) and signature.call != "main":
        lines.append(f"#undef {signature.call}")  # <tgmath.h> and the like define macros of functions' names
    return "\n".join(lines) + "\n"


def _prototype(signature: CSignature, writer: Writer) -> str:
    def spelled(layout: Layout) -> str:
        assert not isinstance(layout, Array)
        return writer.type(layout.kind) if isinstance(layout, Scalar) else writer.structure(layout)

    def given(parameter: CParameter) -> str:
        if parameter.callback:
            return "void (*)(void)"
        return "void *" if parameter.is_pointer else spelled(parameter.layout)

    types = [given(parameter) for parameter in signature.parameters]
    callees = "".join(f'extern void {name}(void) __asm__("{symbol}");\n' for symbol, name in writer.callees.items())
    returned = "void" if signature.result is None else spelled(signature.result)
    return (
        definitions(writer)
        + callees
        + (
            "/* The symbol may be a name that C reserves or can not spell. */\n"
            f'extern {returned} {writer.own}subject({", ".join(types) or "void"}) __asm__("{signature.symbol}");\n'
        )
    )


def _signature(suite: Suite) -> CSignature:
    assert isinstance(suite.signature, CSignature)
    return suite.signature


# ---- cases ----


def _first_takers(suite: Suite) -> dict[int, list[Branch]]:
    """The branches that each input is the first to take."""
    found: dict[int, list[Branch]] = {}
    for verdict in suite.verdicts:
        if verdict.input is not None:
            found.setdefault(verdict.input, []).append(verdict.branch)
    return found


def _named(branch: Branch, suite: Suite) -> str:
    site = branch.site
    elsewhere = "" if Path(site.file).name in ("", suite.target.path.name) else f"{Path(site.file).name}:"
    return f"{elsewhere}{site.line}: {site.condition or 'branch ' + branch.id} {branch.label}"


def _case(suite: Suite, number: int, call: str, writer: Writer, branches: list[Branch]) -> str:
    signature, kept = _signature(suite), suite.inputs[number]
    replay = kept.replay if isinstance(kept.replay, CReplay) else CReplay(kept.outcome)
    declarations: list[str] = []
    arguments, checks = [], []
    shown = _shown(suite, kept.words)
    outputs = iter(replay.outputs)
    for parameter, words in signature.split(kept.words):
        mine = parameter.own(parameter.tidy(words))
        arguments.append(_argument(writer, parameter, mine, declarations))
        after = next(outputs, None) if parameter.is_pointer else None
        if parameter.is_output and mine is not None and after is not None:
            name = _identifier(parameter.name)
            expected = [word_from_bits(c.kind, bits) for c, bits in zip(parameter.cells, after, strict=True)]
            declarations.append(writer.variable(parameter, f"{writer.own}out_{name}", expected))
            checks += _checks(writer, parameter.layout, shown, f"left {parameter.name}", f"in_{name}", f"out_{name}")
    invocation = f"{call}({', '.join(arguments)})"
    bits = signature.result_bits(replay)
    if signature.result is None or bits is None:
        run = [f"{invocation};"]
    else:
        run = _result_check(writer, signature, bits, invocation, shown, declarations)
    what = [_named(branch, suite) for branch in branches] or ["takes no branch first"]
    return _function(writer, number, "; ".join(what), [*declarations, *run, *checks])


def _crash(suite: Suite, number: int, call: str, writer: Writer) -> str:
    """The call, with a wall behind each array and then with one before it: leaving it is a crash, as it was here."""
    signature, kept, own = _signature(suite), suite.inputs[number], writer.own
    declarations: list[str] = []
    copies, arguments = [], []
    for parameter, words in signature.split(kept.words):
        mine = parameter.own(parameter.tidy(words))
        if isinstance(parameter.layout, Text) and not parameter.is_output and mine is not None:
            mine = mine[: mine.index(0) + 1]  # the wall stands where it ends
            parameter = replace(parameter, layout=Text.of(len(mine) - 1), is_output=True)
        argument = _argument(writer, parameter, mine, declarations)
        if parameter.is_pointer and mine is not None:
            name, element = _identifier(parameter.name), writer.element(parameter)
            declarations.append(f"{element} *{own}at_{name};")
            copies.append(f"{own}at_{name} = ({element} *){own}walled(&{own}in_{name}, sizeof {own}in_{name});")
            argument = writer.pointer(replace(parameter, layout=as_array(parameter.layout)), f"{own}at_{name}")
        arguments.append(argument)
    body = [*copies, f"{call}({', '.join(arguments)});"]
    if copies:
        body = [f"for ({own}before = 0; {own}before < 2; {own}before++) {{", *(f"    {b}" for b in body), "}"]
    what = f"Case {number} is run only when asked for: {_shown(suite, kept.words)}: {kept.replay.ending}"
    return _function(writer, number, what, [*declarations, *body])


def _argument(writer: Writer, parameter: CParameter, mine: Words | None, declarations: list[str]) -> str:
    """The argument for a parameter, and the declaration of a variable that it needs."""
    if parameter.callback:
        return writer.value(parameter, len(parameter.callback.callees) if mine is None else mine[0])
    if mine is None:
        return writer.pointer(parameter, None)
    if isinstance(parameter.layout, Scalar):
        return writer.value(parameter, mine[0])
    if isinstance(parameter.layout, OddFloat) and not parameter.is_pointer:
        return writer.odd_float(mine)
    text = writer.text(parameter, mine)
    if text is not None:
        return text
    name = f"{writer.own}in_{_identifier(parameter.name)}"
    declarations.append(writer.variable(parameter, name, mine))
    return writer.pointer(parameter, name) if parameter.is_pointer else name


def _function(writer: Writer, number: int, comment: str, lines: Iterable[str]) -> str:
    text = "".join(f"    {line}\n" for line in lines)
    return f"{_comment(comment)}\nstatic void {writer.own}case_{number}(void)\n{{\n{text}}}\n"


def _checks(writer: Writer, layout: Layout, shown: str, what: str, got: str, expected: str) -> list[str]:
    """Comparisons of all numbers of one variable with those of another."""
    own, found = writer.own, []
    if (
        isinstance(layout, Array)
        and isinstance(layout.element, Structure)
        and layout.count > _FEW
        and not any(cell.kind in OWN_WORDS for cell in cells(layout.element))
    ):
        for cell in cells(layout.element):
            places = [f"{own}{name}[0]{cell.path}" for name in (got, expected)]
            texts = ", ".join(map(_string, (shown, what, cell.path)))
            sizes = f"sizeof {places[0]}, {layout.count}, sizeof {own}{got}[0]"
            found.append(f"{own}check_each({texts}, {_letter(cell.kind)}, &{places[0]}, &{places[1]}, {sizes});")
        return found
    for path, part in runs(layout):
        first = "[0]" if isinstance(part, Array) else ""
        places = [f"{own}{name}{path}{first}" for name in (got, expected)]
        if cells(part)[0].kind in OWN_WORDS:
            check = "check_long" if cells(part)[0].kind is Kind.F80 else "check_half"
            count = part.count if isinstance(part, Array) else 1
            texts = f"{_string(shown)}, {_string((what + path).rstrip())}"
            found.append(f"{own}{check}({texts}, &{places[0]}, &{places[1]}, {count});")
            continue
        kind, name = cells(part)[0].kind, _string(what + path + " =" * (bool(path) and not first))
        sizes = f"sizeof {places[0]}, {part.count}" if isinstance(part, Array) else f"sizeof {places[0]}"
        check = f"check_{'array' if isinstance(part, Array) else 'part'}"
        found.append(f"{own}{check}({_string(shown)}, {name}, {_letter(kind)}, &{places[0]}, &{places[1]}, {sizes});")
    return found


def _result_check(writer: Writer, signature: CSignature, bits: tuple[int, ...], invocation: str, shown: str,
                  declarations: list[str]) -> list[str]:  # fmt: skip
    own, layout = writer.own, signature.result
    assert isinstance(layout, Scalar | Structure)
    words = [word_from_bits(cell.kind, one) for cell, one in zip(cells(layout), bits, strict=True)]
    type_ = writer.type(layout.kind) if isinstance(layout, Scalar) else writer.structure(layout)
    declarations.append(writer.declared(layout, type_, f"{own}expected", words))
    cast = f"({type_})" if isinstance(layout, Scalar) else ""
    declarations.append(f"{type_} {own}returned = {cast}{invocation};")
    return _checks(writer, layout, shown, "returned" if cast else "returned ", "returned", "expected")


def _not_run(suite: Suite, number: int, kept: Input) -> str:
    return (
        _comment(f"Case {number} is not run: {_shown(suite, kept.words)}: {kept.untested or kept.replay.ending}") + "\n"
    )


# ---- text ----


def _shown(suite: Suite, words: Words) -> str:
    """``f(0x1p-1, {1, 2}, NULL)``, exactly."""
    shown = f"{suite.signature.name}({', '.join(map(written, suite.signature.exact(words)))})"
    return shown if len(shown) <= _LONGEST else shown[:_LONGEST] + " ..."


def _letter(kind: Kind) -> str:
    if kind.is_float:
        return "'d'" if kind == Kind.F64 else "'f'"
    return "'i'" if kind.signed else "'u'"


def _identifier(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _comment(text: str) -> str:
    """A comment; what would end or begin one inside it is taken apart."""
    inner = text.replace("*/", "* /").replace("/*", "/ *")
    return f"/* {inner} */"
