"""Write the suites of a source file as one C or C++ test file, with or without a test framework, for any compiler."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ....emit import Emitter
from ....emit.test_header import Batch, assumed_in, made_by, mark, relative
from ....emit.trial import InputKey, Trial, prestart
from ....escaping import plain, shell_word
from ....subject.base import Target
from ....suite.suite import Suite
from ..front.compile import CXX_SUFFIXES, IR_SUFFIXES
from ..front.parameters import CSignature
from ..front.printed_types import in_namespace
from ..language import CTarget
from .call_sequences import cases_of
from .cases import Case, Untested
from .declarations import declarations, symbols
from .frameworks import CMocka, Framework, GoogleTest, Unity, comment
from .header import HEADER_NAME, HEADER_TEXT
from .set_up import stubs
from .trial import LENIENT, SEMANTICS, tried, tried_in, usual
from .values import Writer

_WIDTH = 117  # columns of a line in a comment
_PATH_FLAGS = ("-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I", "-L")


class CTest(Emitter):
    """Writes a test without a framework: a program in C, or in C++ for a C++ subject.

    The program includes the subject's source by a relative path. It runs every input that returned, and compares result
    and outputs bit for bit; any NaN equals any NaN. It prints a line for each difference, then ``N passed, M failed``.
    It ends with status 1 if anything failed. If the command line names cases, it runs only those; cases that crash run
    only then.
    """

    languages = ("c", "llvm")
    kind = "c"
    framework = Framework()

    def file_name(self, batch: Batch) -> str:
        """Return ``test_<stem>.c`` or ``test_<stem>_<function>.c``, or a name with ``.cpp`` for C++.

        The name also says what the search looked for, if that was not everything, and names the framework. It is
        ``batch.name`` if that is set.
        """
        if batch.name:
            return batch.name
        stem = re.sub(r"\W+", "_", batch.stem(batch.target.path.stem)).strip("_")
        name = f"_{self.framework.name}" if self.framework.name else ""
        return f"{batch.file_stem(stem, 'test_{}')}{name}{'.cpp' if self._is_cxx(batch.target) else '.c'}"

    def text(self, batch: Batch, folder: Path) -> str:
        name, target, cases = self.file_name(batch), target_of(batch), self._cases(batch)
        tested = [case for case in cases if isinstance(case, Case)]
        written = [
            comment(f"Not tested: {case.text}") + "\n" if isinstance(case, Untested)
            else self.framework.case(case, target.path) for case in cases
        ]  # fmt: skip
        parts = [self._header(batch, folder, name, tested), self.framework.head(),
                 self._subject(batch, folder), *self._stubs(batch, written), *written,
                 self.framework.end(tested)]  # fmt: skip
        return "\n".join(part for part in parts if part)

    def _stubs(self, batch: Batch, cases: Iterable[str]) -> list[str]:
        """Return the definitions of the stubs that the cases use."""
        text = "\n".join(cases)
        several = (stubs(signature_of(suite), self._writer(batch)) for suite in batch.suites)
        return [defined for some in several for name, defined in some.items() if re.search(rf"\b{name}\b", text)]

    def companions(self) -> dict[str, str]:
        return {HEADER_NAME: HEADER_TEXT}

    def names(self, batch: Batch) -> dict[str, InputKey]:
        """Return the inputs of the cases that the test runs by default, by the cases' names."""
        return {case.name: case.input for case in self._cases(batch) if isinstance(case, Case) and not case.crash}

    def prepare(self) -> None:
        prestart("zeroin.languages.c.emit.trial_process")

    def tried(self, test: Path, batch: Batch) -> Trial:
        target = target_of(batch)
        command = compile_command(target, test.parent, test.name, self.framework, batch)
        return tried(test, self.names(batch), batch, target, command, further_sources(target))

    def _is_cxx(self, target: Target) -> bool:
        """Whether the test is C++."""
        return self.framework.is_cxx or is_cxx(target)

    def _cases(self, batch: Batch) -> list[Case | Untested]:
        """Return the cases of all suites, and the inputs without a case, in the order of the file."""
        writer, titles = self._writer(batch), set[str]()
        return [case for number, (suite, call) in enumerate(zip(batch.suites, _calls(batch), strict=True))
                for case in cases_of(number, suite, call, writer, titles, batch.stateful).all()]  # fmt: skip

    def _writer(self, batch: Batch) -> Writer:
        """Return a writer for the test's language, which has names for what a test of LLVM IR declares."""
        cxx = self._is_cxx(batch.target)
        if not is_ir(batch.target):
            return Writer(cxx)
        types, callees = symbols([signature_of(suite) for suite in batch.suites])
        return Writer(cxx, False, types, callees)

    def _header(self, batch: Batch, folder: Path, name: str, cases: list[Case]) -> str:
        """Return the comment at the start of the file, with the commands that make, compile and run the test."""
        target, program = target_of(batch), Path(name).stem
        source = relative(target.path, folder)
        of = f"{source}" if batch.whole else f"{', '.join(s.target.function for s in batch.suites)} in {source}"
        command = compile_command(target, folder, name, self.framework, batch)
        lines = [
            plain(f"Tests of {of}, generated by zeroin."),
            "Made by:",
            "",
            *map(_in_comment, made_by(batch, self.kind, _WIDTH)),
            "",
            *assumed_in(batch),
            mark(batch, folder),
            "Run in this file's folder:",
            "",
            _in_comment(f"    {' '.join(map(shell_word, command))}"),
            f"    ./{program}",
        ]
        if cases and not self.framework.name:
            lines += ["", f"./{program} {cases[-1].name} runs one case."]
        if is_ir(target):
            lines.append("The subject is LLVM IR: Clang compiles and links it. Its functions must not be internal.")
        elif not self._is_cxx(target) and not {*LENIENT} & {*batch.flags}:
            lines += ["If the compiler is too new for an old source, add:",
                      *(f"    {' '.join(LENIENT[at : at + 2])}" for at in range(0, len(LENIENT), 2))]  # fmt: skip
        text = "\n * ".join(lines).replace("*/", "* /").replace("/*", "/ *")
        return f"/* {text} */\n".replace("\n * \n", "\n *\n")

    def _subject(self, batch: Batch, folder: Path) -> str:
        """Return the text that includes the subject's source; for LLVM IR, the declarations of its functions."""
        if is_ir(batch.target):
            return declarations([signature_of(suite) for suite in batch.suites], _calls(batch), self._writer(batch))
        include = f'#include "{relative(batch.target.path, folder)}"'
        if any(signature_of(suite).beside_main for suite in batch.suites):
            include = f"#define main zeroin_subject_main\n{include}\n#undef main"
        members = dict.fromkeys(one for suite in batch.suites for one in signature_of(suite).members)
        return f"{include}\n" + f"\n{in_namespace([*members])}" * bool(members)


class _InAFramework(CTest):
    """A test for a framework. Its trial runs the cases without the framework, which may not be installed.

    If all cases pass, and the framework is installed, the trial compiles and runs the file itself as well. During the
    trial, the test without the framework is in the folder, too.
    """

    def tried(self, test: Path, batch: Batch) -> Trial:
        plain, unnamed = CTest(), replace(batch, name="")
        alone = test.with_name(f"{test.stem}-plain{Path(plain.file_name(unnamed)).suffix}")
        try:
            alone.write_text(plain.text(unnamed, test.parent), encoding="utf-8", errors="surrogateescape")
            trial = plain.tried(alone, unnamed)
        finally:
            alone.unlink(missing_ok=True)
        if trial.instead is not None:
            return replace(trial, instead=replace(trial.instead, name=batch.name))
        if trial.failed or trial.whole or trial.untried:
            return trial
        return tried_in(self.framework, test, batch, compile_command(
            target_of(batch), test.parent, test.name, self.framework, batch))  # fmt: skip


class GoogleTestFile(_InAFramework):
    """Writes tests for GoogleTest."""

    kind = "googletest"
    framework = GoogleTest()


class UnityFile(_InAFramework):
    """Writes tests for Unity."""

    kind = "unity"
    framework = Unity()


class CMockaFile(_InAFramework):
    """Writes tests for CMocka."""

    kind = "cmocka"
    framework = CMocka()


def _in_comment(command: str) -> str:
    """Return a shell command that contains no ``*/`` and no ``/*``: ``'a*/b.c'`` becomes ``'a*''/b.c'``."""
    return command.replace("*/", "*''/").replace("/*", "/''*")


def target_of(batch: Batch | Suite) -> CTarget:
    """Return the target of a suite, or the first target of a batch."""
    assert isinstance(batch.target, CTarget)
    return batch.target


def signature_of(suite: Suite) -> CSignature:
    """Return the signature of the function that a suite's inputs call, once or in a call sequence."""
    assert isinstance(suite.signature, CSignature)
    return suite.signature.of_call


def is_cxx(target: Target) -> bool:
    """Whether the target's own file is C++ source."""
    return target.path.suffix in CXX_SUFFIXES


def is_ir(target: Target) -> bool:
    """Whether the target's own file is LLVM IR."""
    return target.path.suffix in IR_SUFFIXES


def user_flags(cc: Iterable[str]) -> list[str]:
    """Return the user's compiler flags, without the compiler's name if they begin with it."""
    flags = list(cc)
    return flags[1:] if flags and not flags[0].startswith("-") else flags


def _calls(batch: Batch) -> list[str]:
    """Return the name by which the test calls each suite's function."""
    if is_ir(batch.target):
        return [f"subject_{number}_{re.sub(r'[^A-Za-z0-9]+', '_', suite.target.function)}"
                for number, suite in enumerate(batch.suites)]  # fmt: skip
    calls = (signature_of(suite).call for suite in batch.suites)
    return ["zeroin_subject_main" if call == "main" else call for call in calls]


def compile_command(target: CTarget, folder: Path, name: str, framework: Framework = CTest.framework,
                    batch: Batch | None = None) -> list[str]:  # fmt: skip
    """Return the command that compiles and links an emitted test, as words that are not quoted for a shell.

    The program gets the name of the test without its suffix.

    Args:
        target: the target, with the user's compiler and flags.
        folder: the folder of the test, in which the command must run.
        name: the file name of the test.
        framework: the test framework to link.
        batch: may have another compiler and further flags, for tests that the usual command can not compile. None: it
            has not. The user's compiler takes precedence.
    """
    languages = {framework.is_cxx or is_cxx(target), *(path.suffix in CXX_SUFFIXES for path in target.others)}
    named = bool(target.cc) and not target.cc[0].startswith("-")
    cxx = framework.is_cxx if is_ir(target) else languages == {True}
    compiler = (*target.cc[:1],) if named else batch.compiler if batch and batch.compiler else usual(cxx, is_ir(target))
    libraries = ["-lm"] if languages == {False} or compiler[-1].endswith("++") else ["-lstdc++", "-lm"]
    flags = [*_moved(user_flags(target.cc), folder), *(batch.flags if batch else ())]
    sources = (relative(path, folder) for path in further_sources(target))
    return [*compiler, *SEMANTICS, "-o", Path(name).stem, name, *sources, *flags, *framework.libraries, *libraries]


def further_sources(target: CTarget) -> list[Path]:
    """Return the files to compile beside the test. The test includes the target's own file, unless that is LLVM IR."""
    return [*([target.path] if is_ir(target) else []), *target.others]


def _moved(flags: list[str], folder: Path) -> list[str]:
    """Return flags with their relative paths relative to ``folder`` instead of the current directory.

    Paths of missing files stay as they are.
    """
    moved: list[str] = []
    for flag in flags:
        option = next((o for o in _PATH_FLAGS if flag.startswith(o) and len(flag) > len(o)), "")
        if moved and moved[-1] in _PATH_FLAGS:
            option = ""
        elif not option:
            moved.append(flag)
            continue
        path = Path(flag.removeprefix(option))
        # A missing path may be found on the include path (``-include math.h``), whose own flags are moved here as well.
        moved.append(option + (path.as_posix() if path.is_absolute() or not path.exists() else relative(path, folder)))
    return moved
