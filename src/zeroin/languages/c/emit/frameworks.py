"""Write the cases of a C or C++ test without a framework, or for GoogleTest, Unity or CMocka."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from pathlib import Path

from ....escaping import plain
from ....words import Kind
from ..front.layout import OddFloat, Scalar, cells
from .cases import Case, Check
from .header import HEADER_NAME

_WIDTH = 120  # columns


class Framework:
    """Writes a test without a framework: a table of cases, and a ``main`` that runs them.

    Subclasses write tests for frameworks.

    Attributes:
        name: the framework's name, which the names of test files contain; empty for no framework.
        headers: the headers to include, with their brackets or quotes.
        libraries: the linker options for the framework.
        is_cxx: whether tests must be C++, even for a C subject.
    """

    name = ""
    headers: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    is_cxx = False

    def head(self) -> str:
        """Return the text in front of the included subject."""
        lines = [*(f"#include {header}" for header in self.headers), f'#include "{HEADER_NAME}"']
        return "\n".join(lines) + "\n"

    def case(self, case: Case, source: Path) -> str:
        """Return the function of a test case.

        Args:
            case: the case.
            source: the subject's source file, after which some frameworks name a group of tests.
        """
        checks = (line for check in case.checks for line in self._checked(check))
        return _function(case, f"static void {case.name}(void)", [*case.lines, *checks])

    def end(self, cases: Sequence[Case]) -> str:
        """Return the text after the cases, such as a ``main`` function that runs them."""
        modes = [f"ZEROIN_{'DISABLED' if case.crash else 'ALONE' if case.alone else 'CASE'}({case.name}),"
                 for case in cases]  # fmt: skip
        table = ["static const struct zeroin_case cases[] = {", *(f"    {mode}" for mode in modes), "};"]
        given = "cases, sizeof cases / sizeof *cases" if cases else "0, 0"
        body = [*(table if cases else []), f"return zeroin_main(argc, argv, {given});"]
        return "int main(int argc, char **argv)\n" + _block(body)

    def check(self, check: Check) -> str:
        """Return the statement for a comparison."""
        if check.throws:
            return (
                f"ZEROIN_THROWS({check.got}, {check.expected});"
                if check.expected
                else f"ZEROIN_THROWS_ANY({check.got});"
            )
        size = f", {check.count}" if check.kind == "text" else ""
        return f"ZEROIN_EQ_{check.kind.upper()}({check.got}, {check.expected}{size});"

    def _checked(self, check: Check) -> list[str]:
        """Return the statements before a comparison, and the comparison, in a loop if it compares several elements."""
        if not check.got:
            return [*check.before]
        if not check.index:
            return [*check.before, self.check(check)]
        return [*check.before, self._loop(check), f"    {self.check(check)}"]

    def _loop(self, check: Check) -> str:
        """Return the head of the loop over the elements that a comparison compares."""
        return f"ZEROIN_EACH({check.index}, {check.count})"

    def _alone(self, case: Case) -> str:
        """Return a function for a case in a process of its own, which does not use the framework."""
        checks = (line for check in case.checks for line in Framework()._checked(check))
        return _function(case, f"static void {case.name}_alone(void)", [*case.lines, *checks])


class _Other(Framework):
    """Writes tests for a framework."""

    def _loop(self, check: Check) -> str:
        return f"for ({check.index} = 0; {check.index} < {check.count}; {check.index}++)"


class GoogleTest(_Other):
    """Writes tests for GoogleTest, which compile a C source as C++."""

    name = "googletest"
    headers = ("<gtest/gtest.h>",)
    libraries = ("-lgtest_main", "-lgtest", "-lpthread")
    is_cxx = True

    def case(self, case: Case, source: Path) -> str:
        stem = "".join(word.capitalize() for word in re.findall(r"[A-Za-z0-9]+", source.stem)) or "Tests"
        name = ("DISABLED_" if case.crash else "") + case.name.removeprefix("test_")
        head = f"TEST({stem if stem[0].isalpha() else f'T{stem}'}, {name})"
        if case.alone and not case.crash:
            return f"{self._alone(case)}\n{head}\n{_block([f'EXPECT_TRUE(zeroin_alone({case.name}_alone));'])}"
        checks = (line for check in case.checks for line in self._checked(check))
        return _function(case, head, [*case.lines, *checks])

    def end(self, cases: Sequence[Case]) -> str:
        return ""

    def check(self, check: Check) -> str:
        if check.throws and not check.expected:
            return f"EXPECT_ANY_THROW((void){check.got});"
        if check.throws:
            return f"EXPECT_THROW((void){check.got}, {check.expected});"
        if check.shown:
            return f"EXPECT_STREQ(zeroin_shown({check.got}), {check.expected});"
        index = f' << "{check.index} = " << {check.index}' if check.index else ""
        if check.number is None:
            return f"EXPECT_TRUE(zeroin_same_text({check.got}, {check.expected}, {check.count})){index};"
        if not _is_integer(check.number):
            return f"EXPECT_PRED2(zeroin_same_{check.kind}, {check.got}, {check.expected}){index};"
        wide = isinstance(check.number, Scalar) and check.number.enumeration
        got, expected = (f"(long long)({text})" if wide else text for text in (check.got, check.expected))
        return f"EXPECT_EQ({got}, {expected}){index};"


class Unity(_Other):
    """Writes tests for Unity."""

    name = "unity"
    headers = ('"unity.h"',)
    libraries = ("-lunity",)

    def head(self) -> str:
        return f"{super().head()}\nvoid setUp(void) {{}}\nvoid tearDown(void) {{}}\n"

    def case(self, case: Case, source: Path) -> str:
        head = f"static void {case.name}(void)"
        if case.crash:
            return _function(case, head, [f"TEST_IGNORE_MESSAGE({_string(case.crash)});", *case.lines])
        if case.alone:
            return f"{self._alone(case)}\n{head}\n{_block([f'TEST_ASSERT_TRUE(zeroin_alone({case.name}_alone));'])}"
        checks = (line for check in case.checks for line in self._checked(check))
        return _function(case, head, [*case.lines, *checks])

    def end(self, cases: Sequence[Case]) -> str:
        runs = (f"RUN_TEST({case.name});" for case in cases)
        return "int main(void)\n" + _block(["UNITY_BEGIN();", *runs, "return UNITY_END();"])

    def check(self, check: Check) -> str:
        if check.throws:
            return f"TEST_ASSERT_TRUE({_throws(check)});"
        if check.shown:
            return f"TEST_ASSERT_EQUAL_STRING({check.expected}, zeroin_shown({check.got}));"
        if check.number is None:
            return f"TEST_ASSERT_EQUAL_MEMORY({check.expected}, {check.got}, {check.count});"
        if not _is_integer(check.number):
            same = f"zeroin_same_{check.kind}({check.got}, {check.expected})"
            return f"TEST_ASSERT_TRUE_MESSAGE({same}, {_string(f'{check.got} is not {check.expected}')});"
        kind = cells(check.number)[0].kind
        size = "INT" if kind is Kind.BOOL else f"{'INT' if kind.signed else 'UINT'}{kind.bits}"
        return f"TEST_ASSERT_EQUAL_{size}({check.expected}, {check.got});"


class CMocka(_Other):
    """Writes tests for CMocka."""

    name = "cmocka"
    headers = ("<setjmp.h>", "<stdarg.h>", "<stddef.h>", "<stdint.h>", "<cmocka.h>")
    libraries = ("-lcmocka",)

    def case(self, case: Case, source: Path) -> str:
        head, first = f"static void {case.name}(void **state)", "(void)state;"
        if case.crash:
            return _function(case, head, [first, "skip();", *case.lines])
        if case.alone:
            body = [first, f"assert_true(zeroin_alone({case.name}_alone));"]
            return f"{self._alone(case)}\n{head}\n{_block(body)}"
        checks = (line for check in case.checks for line in self._checked(check))
        return _function(case, head, [first, *case.lines, *checks])

    def end(self, cases: Sequence[Case]) -> str:
        if not cases:
            return "int main(void)\n" + _block(["return 0;"])
        table = (f"    cmocka_unit_test({case.name})," for case in cases)
        return "int main(void)\n" + _block(["const struct CMUnitTest cases[] = {", *table, "};",
                                            "return cmocka_run_group_tests(cases, NULL, NULL);"])  # fmt: skip

    def check(self, check: Check) -> str:
        if check.throws:
            return f"assert_true({_throws(check)});"
        if check.shown:
            return f"assert_string_equal(zeroin_shown({check.got}), {check.expected});"
        if check.number is None:
            return f"assert_memory_equal({check.got}, {check.expected}, {check.count});"
        if not _is_integer(check.number):
            return f"assert_true(zeroin_same_{check.kind}({check.got}, {check.expected}));"
        return f"assert_int_equal({check.got}, {check.expected});"


def _throws(check: Check) -> str:
    """Return an expression that is true if the call of a check throws what is expected (anything, if that is empty)."""
    return f"ZEROIN_CAUGHT({check.got}, {f'{check.expected} const &' if check.expected else '...'})"


def _is_integer(number: Scalar | OddFloat) -> bool:
    """Whether a number is an integer, a bool or an enumeration."""
    return isinstance(number, Scalar) and not number.kind.is_float


def _function(case: Case, head: str, lines: Sequence[str]) -> str:
    """Return a function with a comment that says what the case is for."""
    about = "Run only when it is named: " * bool(case.crash) + (case.crash or case.about)
    return f"{comment(about)}\n" * bool(about) + f"{head}\n{_block(lines)}"


def _block(lines: Sequence[str]) -> str:
    """Return statements in braces, indented; long lines are broken."""
    return "{\n" + "".join(f"    {part}\n" for line in lines for part in _wrapped(line)) + "}\n"


def _wrapped(line: str) -> list[str]:
    """Break a line that is too long, unless it contains a string or a character."""
    if len(line) <= _WIDTH - 4 or '"' in line or "'" in line:
        return [line]
    glued = line.replace(" ", "\0").replace(",\0", ", ")  # break only behind commas
    parts = textwrap.wrap(glued, _WIDTH - 4, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return [part.replace("\0", " ") for part in parts]


def _string(text: str) -> str:
    """Return a string literal of C."""
    shown = plain(" ".join(text.split())).replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?")
    return f'"{shown}"'


def comment(text: str) -> str:
    """Return a comment of C, of at most 120 columns if the words allow. ``*/`` and ``/*`` in the text get a space."""
    inner = plain(" ".join(text.split())).replace("*/", "* /").replace("/*", "/ *")
    lines = textwrap.wrap(inner, _WIDTH - 6, break_long_words=False, break_on_hyphens=False)
    return f"/* {chr(10).join(lines)} */".replace("\n", "\n * ")
