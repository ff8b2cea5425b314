"""bench/libraries: which functions are chosen, what each needs, and what the page says of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from bench.decided import Function, decide, parser_of
from bench.libraries.decided import _asked, _options, _target
from bench.libraries.subjects import Entry, File, Library, _static
from bench.python import decided as python_decided

from zeroin import Budget, Options
from zeroin.languages.c.front.compile import compile_all

FILES = {
    "a.c": """double b(double); extern const int table[2]; static double sign(double x) { return x < 0 ? -1 : 1; }
              double a(double x) { return x > table[0] ? b(x) : sign(x); }""",
    "b.c": """double c(double); double b(double x) { return 2 * c(x); }""",
    "c.c": """double c(double x) { if (x != x) return 0; return x; } const int table[2] = {3, 4};
              long double d(long double x) { return x > 1 ? 2 : 3; }""",
    "e.c": """int e(int n) { switch (n) { case 2: return 1; case 3: return 5; } return 0; }
              double tanh(double x) { if (x * x < 0) return 7; return x; }""",
}


@pytest.fixture
def paths(tmp_path: Path) -> tuple[Path, ...]:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tuple(sorted(tmp_path.glob("*.c")))


def test_functions_with_branches_and_the_files_that_they_need(paths: tuple[Path, ...]) -> None:
    found = list(Library("l 1", paths, (), lambda file, one: True).entries())
    assert [(entry.function, [other.name for other in entry.others]) for entry in found] == [
        ("sign", ["b.c", "c.c"]), ("a", ["b.c", "c.c"]), ("c", []), ("e", []), ("tanh", []),
    ]  # fmt: skip


def test_the_first_that_are_not_static(paths: tuple[Path, ...]) -> None:
    library = Library("l 1", paths, (), lambda file, one: file.path.name != "c.c" and not _static(one), most=2)
    assert [entry.function for entry in library.entries()] == ["a", "e"]


def test_what_a_file_needs(paths: tuple[Path, ...]) -> None:
    path = paths[0]
    assert File(path, compile_all([path])[0]).needed == {"b", "table"}


def test_what_is_asked_for() -> None:
    entry = Entry("ERFA 2.0.1", Path("ab.c"), "eraAb", (), ())
    assert [_asked(entry, [name]) for name in ("erfa", "ERFA", "eraAb", "musl", "ab")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_the_page_has_a_row_for_each_library(paths: tuple[Path, ...], capsys: pytest.CaptureFixture[str]) -> None:
    entries = [Entry(f"library {n}", paths[3], name, (), ()) for n, name in enumerate(("e", "tanh"))]

    def options_of(entry: Entry) -> Callable[[Budget, int], Options]:
        return lambda budget, seed: _options(entry, Budget(5_000_000, 60.0), seed)

    functions = [Function(_target(one), options_of(one), one.library) for one in entries]
    options = parser_of("bench.libraries.decided", "").parse_args([])
    assert decide(functions, options, "two", ["bench.libraries.decided"], ["a machine"], paths[0].parent) == 0
    page = capsys.readouterr().out
    assert "| library 0 | 1 | 3 | 3 | 0 | 0 | 100.0 % |" in page
    assert "| library 1 | 1 | 2 | 1 | 1 | 0 | 100.0 % |" in page
    assert "| 0 | 5 | 4 | 1 | 0 | 100.0 % |" in page
    assert "`tanh` 2: `x * x < 0` true | infeasible" in page


def test_a_name_that_no_function_has_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert python_decided.main(["--only", "no.such"]) == 2
    assert "bench.python.decided: --only names no function of this benchmark" in capsys.readouterr().err
