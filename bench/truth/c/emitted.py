"""The tests that zeroin writes of a file of programs: do they pass, and do they assert something?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from zeroin import Suite, ZeroinError
from zeroin.emit.files import deliver
from zeroin.emit.test_header import Batch
from zeroin.languages.plugins import EMITTERS

from ...emitted import build, program_of, run
from ..verdicts import Checked
from .truth import CLANG, TRAPPING, gcc

_CASE = re.compile(r"^static void (test_\w+)\(void\)\n\{\n(.*?)^\}", re.M | re.S)
_ASSERTION = re.compile(r"\bZEROIN_(?!CASE)\w+\(")
_NAMED = re.compile(r"\btest_(f\d+)_?")
_WRAPPING = "-fwrapv"  # says what overflow means; a test must not need it


def check_tests(suites: Mapping[str, Suite], checked: Mapping[str, Checked], folder: Path) -> None:
    """Write the tests of these suites into the folder, and note what is wrong with them.

    Args:
        suites: by the function's name, all of one source.
        checked: what is known of each function.
    """
    try:
        written = deliver(EMITTERS["c"](), Batch(tuple(suites.values())), folder)
    except ZeroinError as error:
        for one in checked.values():
            one.fails(f"no test is written: {error}")
        return
    for refused, why in written.refused:
        checked[refused.target.function].fails(f"no test is written: {why}")
    for name, suite in suites.items():
        for kept in suite.inputs:
            if kept.untested:
                checked[name].fails(f"{suite.signature.show(kept.words)} is left out: {kept.untested}")
    check_cases(written.path.read_text(), checked)
    check_runs(written.path, checked)


def check_cases(text: str, checked: Mapping[str, Checked]) -> None:
    for case, body in _CASE.findall(text):
        named = _NAMED.match(case)
        if named and named[1] in checked and f"ZEROIN_DISABLED({case})" not in text:  # a crash, which is not run
            checked[named[1]].tests += 1
            if not _ASSERTION.search(body):
                checked[named[1]].asserts_nothing(case)
    for one in checked.values():
        if one.tests == 0 and any(one.program.truth.branches.values()):  # not all inputs do what is undefined
            one.asserts_nothing("there is no test of it")


def check_runs(test: Path, checked: Mapping[str, Checked]) -> None:
    """Compile and run the tests in several ways."""
    for what, compiler, flags in _ways():
        without = (_WRAPPING,) if flags[0] in TRAPPING else ()
        built = build(test, flags, compiler, without)
        if built.code:
            for one in checked.values():
                one.fails(f"{what}: it does not compile: {built.output.strip()[:300]}")
            continue
        ended = run([str(program_of(test))], test.parent)
        if ended.code:
            _blame(what, test, ended.output, checked)


def _ways() -> Iterator[tuple[str, Sequence[str], Sequence[str]]]:
    for level in ("-O0", "-O2"):
        yield f"Clang {level}", (), (level,)
        yield from ((f"gcc {level}", own, (level,)) for own in filter(None, [gcc()]))
    yield "Clang's sanitizer for undefined behaviour", CLANG, (*TRAPPING, "-w")


def _blame(what: str, test: Path, output: str, checked: Mapping[str, Checked]) -> None:
    """Find the functions whose cases fail: each case is run alone."""
    cases = [name for name, _ in _CASE.findall(test.read_text())]
    blamed = False
    for case in cases:
        named, ended = _NAMED.match(case), run([str(program_of(test)), case], test.parent)
        if ended.code and named and named[1] in checked:
            checked[named[1]].fails(f"{what}: {case} ends with {ended.code}: {ended.output.strip()[:200]}")
            blamed = True
    if not blamed:
        next(iter(checked.values())).fails(f"{what}: {output.strip()[:300]}, though each case passes alone")
