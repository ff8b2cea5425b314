"""Which variables nobody changes, from a module's text."""

from __future__ import annotations

import pytest

from zeroin.languages.c.read.constant_variables import changed

_READ = """
@x = global i32 3, align 4
@t = internal global [3 x i32] [i32 1, i32 2, i32 3]
define i32 @f(i64 %n) {
  %1 = load i32, ptr @x, align 4
  %2 = getelementptr inbounds [3 x i32], ptr @t, i64 0, i64 %n
  %3 = load i32, ptr %2, align 4
  %4 = load i32, ptr getelementptr inbounds ([3 x i32], ptr @t, i64 0, i64 1), align 4
  ret i32 %3
}
define void @g(ptr %2) {
  store i32 1, ptr %2
  ret void
}
"""


def test_what_is_only_read_is_changed_by_nobody() -> None:
    assert changed(_READ, ["x", "t"]) == set()


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("store i32 0, ptr @x, align 4", {"x"}),
        ("store i32 0, ptr getelementptr inbounds ([3 x i32], ptr @t, i64 0, i64 1)", {"t"}),
        ("store i32 0, ptr %2, align 4", {"t"}),
        ("%5 = getelementptr i8, ptr %2, i64 4\n  store i32 0, ptr %5", {"t"}),
        ("call void @g(ptr @x)", {"x"}),
        ("%5 = select i1 %b, ptr @x, ptr %2", {"x", "t"}),
        ("%5 = load volatile i32, ptr @x, align 4", {"x"}),
        ("%5 = load atomic i32, ptr @x seq_cst, align 4", {"x"}),
        ("%5 = atomicrmw add ptr @x, i32 1 seq_cst", {"x"}),
        ("ret ptr %2", {"t"}),
    ],
)
def test_what_is_written_or_whose_address_leaves(line: str, found: set[str]) -> None:
    assert changed(_READ.replace("  ret i32 %3", f"  {line}\n  ret i32 %3"), ["x", "t"]) == found


def test_what_is_written_above_where_its_address_is_made() -> None:
    """In a loop, of code that was optimised."""
    text = """
@t = internal global [9 x i32] zeroinitializer
define void @f(ptr %p) {
0:
  br label %1
1:
  %2 = phi ptr [ %p, %0 ], [ %4, %1 ]
  store i32 1, ptr %2
  %4 = getelementptr i8, ptr %3, i64 4
  %3 = getelementptr i8, ptr @t, i64 4
  br label %1
}
"""
    assert changed(text, ["t"]) == {"t"}


def test_an_address_in_an_initial_value_leaves() -> None:
    assert changed(_READ + "@p = global ptr @x\n", ["x", "t", "p"]) == {"x"}


def test_assembly_may_change_everything() -> None:
    assert changed('module asm "movl $1, x"\n' + _READ, ["x", "t"]) == {"x", "t"}


def test_unusual_names() -> None:
    text = '@"a b" = global i32 3\ndefine void @f() {\n  store i32 1, ptr @"a b"\n  ret void\n}\n'
    assert changed(text, ["a b"]) == {"a b"}
