"""What a subject is linked with: its other files, what is not there, and Clang's C++ library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from programs import Programs, run_alone
from zeroin.errors import CompileError, MissingSymbol
from zeroin.languages.c.front.compile import compile_all
from zeroin.languages.c.front.symbols import apart_from_ours, hide, parse
from zeroin.languages.c.run import linking
from zeroin.languages.c.run.builds import for_search
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.native import machine

LINKED = """
extern int nowhere(int) __attribute__((weak));
extern const int nothing __attribute__((weak));
static inline __attribute__((always_inline)) int within(int x) { return x > 5 ? 1 : 0; }
inline int only_inline(int x) { return x > 100 ? 2 : 0; }
inline __attribute__((always_inline)) int is_inline(int x) { return x > 100 ? 3 : 0; }
extern int is_inline(int);
int elsewhere[4];
int f(int x) { if (nowhere && &nothing) return nowhere(x) + nothing; return x > 7 ? within(x) : only_inline(x); }
int g(int x) { if (x > 3) return 1; else if (elsewhere[x & 3] == 9) return 2; return 0; }
"""


def test_what_is_weak_and_nowhere_is_null(programs: Programs) -> None:
    subject = programs.load(LINKED)
    assert [subject.replay((x,)).result for x in (0, 8)] == [0, 1]
    assert [subject.observe((x,)).result for x in (0, 8)] == [0, 1]


def test_what_is_inlined_has_no_sites_in_its_caller(programs: Programs) -> None:
    assert [site.condition for site in programs.load(LINKED).sites] == ["nowhere", "&nothing", "x > 7"]


def test_a_condition_may_begin_like_a_keyword(programs: Programs) -> None:
    assert [site.condition for site in programs.load(LINKED, "g").sites] == ["x > 3", "elsewhere[x & 3] == 9"]


@pytest.mark.parametrize(("name", "result"), [("only_inline", 2), ("is_inline", 3)])
def test_inline_functions(programs: Programs, name: str, result: int) -> None:
    subject = programs.load(LINKED, name)
    assert [subject.replay((x,)).result for x in (100, 101)] == [0, result]


def test_files_share_headers_and_variables_of_old_c(programs: Programs) -> None:
    header = programs.write("inline int shared(int x) { return x + 1; }\nint common;\n", "shared.h")
    others = tuple(programs.write(f'#include "{header}"\ninline int own{n}(int x) {{ return shared(x); }}\n'
                                  f"int g{n}(int x) {{ common++; return own{n}(x); }}\n", f"other{n}.c")
                   for n in range(2))  # fmt: skip
    text = f'#include "{header}"\nint g0(int), g1(int);\nint f(int x) {{ x = g0(x) + g1(x); return x + common; }}\n'
    assert programs.load(text, others=others).replay((3,)).result == 10


@pytest.mark.parametrize("count", [1, 2])
def test_what_is_defined_twice_is_named(programs: Programs, count: int) -> None:
    others = tuple(programs.write(f"int twice = {n};\n", f"twice{n}.c") for n in range(2))[:count]
    text = "int twice = 5;\nint f(int x) { return twice + x; }\n" if count == 1 else "int f(int x) { return x; }\n"
    with pytest.raises(CompileError, match=r"twice is defined in more than one of the files: leave one out of --with"):
        programs.load(text, others=others)


def test_files_are_made_ready_once_for_all_subjects_that_give_them_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made: list[list[str]] = []

    def noted(texts: Any, used: list[str], *rest: Any, make: Any = linking._make) -> Any:
        made.append(used)
        return make(texts, used, *rest)

    monkeypatch.setattr(linking, "_make", noted)
    path = tmp_path / "other.c"
    path.write_text("int given(int); int g(int x) { return given(x) + 1; }\n")
    texts = compile_all([path])

    def ready(*entry: str) -> str:
        others = linking.link_others(texts, entry, "s.", for_search, path, ())
        assert others is not None
        return str(others.module())

    assert "@s.given(" in ready("f", "given")
    assert "@s.given(" in ready("given", "h")
    assert "@given(" in ready("f", "h")
    assert made == [["given"], []]


def test_many_foreign_functions_at_any_size_of_the_data() -> None:
    """LLVM ends the process where the table of their addresses does not fit the room that it has reserved."""
    script = """
    from zeroin.native.machine import MachineCode
    roots = ("sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p sqrt "
             "cbrt ceil floor trunc round rint nearbyint fabs erf erfc lgamma tgamma logb").split()
    names = [root + suffix for root in roots for suffix in ("", "f", "l")]
    declared = [f"declare void @{name}()" for name in names]
    body = [f"call void @{name}()" for name in names]
    for size in range(64, 4096, 192):
        data = f"@data = global [{size} x i8] c\\"" + "a" * size + "\\""
        MachineCode.of_text("\\n".join([*declared, data, "define void @f() {", *body, "ret void", "}"]))
    print("done")
    """
    assert run_alone(script) == "done\n"


CONTAINERS = """
#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
int f(int n) {
  std::vector<int> xs;
  for (int i = 0; i < (n & 31); i++) xs.push_back(i * n);
  std::sort(xs.begin(), xs.end());
  std::map<std::string, int> counts;
  counts[std::to_string(n)] = 3;
  std::optional<int> last;
  if (!xs.empty()) last = xs.back();
  try {
    return last.value() + counts.at("5");
  } catch (const std::bad_optional_access &) {
    return 1;
  } catch (const std::out_of_range &error) {
    return std::string(error.what()).empty() ? 2 : 3;
  }
}
int g(int n) { std::ostringstream text; text << n; return text.str().size() > 3; }
"""


def test_the_second_name_of_a_constructor_does_not_keep_what_nobody_calls(programs: Programs) -> None:
    path = programs.write(
        "struct A { A(); ~A(); int x; }; A::A() : x(1) {} A::~A() { x = 0; }\n"
        "struct B : A {}; int f(int x) { return x; } int g(int x) { B b; return b.x + x; }\n",
        ".cpp",
    )
    module = parse(apart_from_ours(compile_all([path])[0]), path)
    hide(module)
    machine.without_dead_code(module)
    assert [function.name for function in module.functions if not function.is_declaration] == []
    assert LlvmSubject(path, "g").replay((4,)).result == 5


def test_the_cxx_library(programs: Programs) -> None:
    subject = programs.load(CONTAINERS, name=".cpp")
    assert [subject.replay((n,)).result for n in (0, 5, 6)] == [1, 23, 3]
    assert [subject.observe((n,)).result for n in (0, 5, 6)] == [1, 23, 3]


def test_what_the_cxx_library_does_not_have_is_named_as_the_source_does(programs: Programs) -> None:
    with pytest.raises(MissingSymbol, match=r"needs the C\+\+ library's std::.*, which is not included"):
        programs.load(CONTAINERS, "g", ".cpp")
