"""How functions are named: by users, by the linker, in other letters."""

from __future__ import annotations

from pathlib import Path

import pytest

from programs import Programs
from zeroin.errors import TargetError
from zeroin.languages.c.front.compile import compile_all
from zeroin.languages.c.front.symbols import find, own_functions, target_names, written_name
from zeroin.languages.c.llvm_ir.debug_info import DebugInfo
from zeroin.languages.c.llvm_ir.ir import Module, bare, quoted, read
from zeroin.worker.locations import parse_target

NAMES = """
namespace outer { namespace inner { int nested(int x) { return x; } int f(long x) { return 7; } }
struct S { static int fixed(int x) { return x + 1; } }; }
namespace { int hidden(const double &x) { return x > 3.0; } }
int f(int x) { return x; }
static int f(double x) { return hidden(x) + outer::S::fixed(3) + [](int y) { return y; }(3); }
int g(int x) { return f(x + 0.5); }
"""


@pytest.mark.parametrize(
    ("wanted", "symbol", "name"),
    [
        ("outer::inner::nested", "_ZN5outer5inner6nestedEi", "outer::inner::nested"),
        ("inner::nested", "_ZN5outer5inner6nestedEi", "inner::nested"),
        ("nested", "_ZN5outer5inner6nestedEi", "nested"),
        ("S::fixed", "_ZN5outer1S5fixedEi", "S::fixed"),
        ("hidden", "_ZN12_GLOBAL__N_16hiddenERKd", "hidden"),
        ("f(int)", "_Z1fi", "f"),
        ("::f( double )", "_ZL1fd", "f"),
        ("inner::f", "_ZN5outer5inner1fEl", "inner::f"),
        ("_Z1fi", "_Z1fi", "_Z1fi"),
    ],
)
def test_a_function_of_cxx_by_any_of_its_names(programs: Programs, wanted: str, symbol: str, name: str) -> None:
    module, debug = _named_functions(programs)
    function = find(module, debug, wanted, Path("program.cpp"))
    assert (function.name, written_name(function, debug, wanted)) == (symbol, name)


def test_an_ambiguous_name_lists_what_tells_the_functions_apart(programs: Programs) -> None:
    module, debug = _named_functions(programs)
    with pytest.raises(TargetError, match=r"f is overloaded; name one of 'f\(int\)', 'f\(double\)'"):
        find(module, debug, "f", Path("program.cpp"))
    names = target_names(own_functions(module, debug, Path("program.cpp")), debug)
    assert names == ["nested", "outer::inner::f", "outer::S::fixed", "hidden", "f(int)", "f(double)", "g"]


def _named_functions(programs: Programs) -> tuple[Module, DebugInfo]:
    (text,) = compile_all([programs.write(NAMES, ".cpp")])
    return read(text), DebugInfo(text)


def test_names_in_other_letters(programs: Programs) -> None:
    text = 'int größe(int höhe) { const char *ö = "ä"; if (ö[0] && höhe > 3) return 1; return 0; }\n'
    subject = programs.load(text, "größe")
    assert subject.signature.prototype == "int größe(int höhe)"
    assert [site.condition for site in subject.sites] == ["ö[0]", "höhe > 3"]
    assert [subject.replay((x,)).result for x in (3, 4)] == [0, 1]


@pytest.mark.parametrize("name", ["f", "größe", 'with "quotes"', "back\\slash", "$dollar", "1st"])
def test_names_are_read_as_they_are_written(name: str) -> None:
    assert bare(quoted(name)) == name
    assert quoted(name).isascii()


@pytest.mark.parametrize(
    ("text", "where", "function"),
    [
        ("a.cpp:f", "a.cpp", "f"),
        ("a.cpp:ns::S::f", "a.cpp", "ns::S::f"),
        ("a.cpp:::f(int, double)", "a.cpp", "::f(int, double)"),
        ("a.cpp:ns::operator/(int)", "a.cpp", "ns::operator/(int)"),
        ("a.cpp::f", "a.cpp", "f"),
        ("a.cpp::ns::f", "a.cpp", "ns::f"),
        ("m.py::C::g", "m.py", "C.g"),
        ("a.cpp", "a.cpp", None),
        ("b:c.cpp:ns::f", "b:c.cpp", "ns::f"),
        ("b:c.cpp", "b:c.cpp", None),
        ("d:e/a.cpp:ns::f", "d:e/a.cpp", "ns::f"),
    ],
)
def test_targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, where: str, function: str | None) -> None:
    monkeypatch.chdir(tmp_path)
    Path("d:e").mkdir()
    for file in ("a.cpp", "b:c.cpp", "d:e/a.cpp", "m.py"):
        Path(file).write_text("int f(int x) { return x; }")
    assert parse_target(text) == (where, function)
