"""The installed command on classes: their constructors and methods, called in an order that the search chooses."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from e2e.test_cli_python import SAMPLES, pytest_run, zeroin
from emit.test_emit_pytest import RULES, ruff

Report = dict[str, Any]


@pytest.fixture(scope="module")
def covered(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    folder = tmp_path_factory.mktemp("classes")
    (folder / "ruff.toml").write_text("line-length = 120\n")
    (folder / "classes.py").write_text((SAMPLES / "classes.py").read_text())
    result = zeroin("cover", "classes.py:Stack", "classes:Vault", "--evals", 300_000, "--budget", 60, "--out", "out",
                    "--json", "found.json", "--measure", "coverage", "--suite", "small", cwd=folder)  # fmt: skip
    targets = json.loads((folder / "found.json").read_text())["targets"]
    return SimpleNamespace(folder=folder, result=result, stack=targets[0], vault=targets[1])


def results_of(target: Report) -> list[tuple[list[str], list[str] | None]]:
    return [(kept["exact"][0], kept.get("results")) for kept in target["inputs"]]


def test_all_branches_of_the_constructor_and_of_the_methods_are_covered(covered: SimpleNamespace) -> None:
    for target in (covered.stack, covered.vault):
        assert {branch["verdict"] for branch in target["branches"]} == {"covered"}
    functions = {branch["function"] for branch in covered.stack["branches"]}
    assert functions == {"Stack.__init__", "Stack.push", "Stack.peek", "Stack.__contains__"}
    assert covered.result.returncode == 1  # popping from an empty stack raises what the code does not raise itself
    assert [f["message"] for f in covered.stack["findings"]] == ["raised: IndexError: pop from empty list"]


def test_three_calls_in_the_right_order_are_found(covered: SimpleNamespace) -> None:
    ends = [calls for calls, results in results_of(covered.vault) if results and '"as it should be"' in results]
    assert ends
    for calls in ends:
        at = calls.index("vault.open(4711)")
        assert calls[at + 1 : at + 4] == ["vault.read()", "vault.read()", "vault.close()"]


def test_every_method_is_called(covered: SimpleNamespace) -> None:
    calls = " ".join(call for sequence, _ in results_of(covered.stack) for call in sequence)
    assert all(part in calls for part in ("stack.push(", "stack.pop()", "stack.peek()", "len(stack)", " in stack"))


def test_the_report_reads_as_code_does(covered: SimpleNamespace) -> None:
    shown = covered.result.stdout
    assert "Stack(capacity: int), then up to 8 of pop(), peek(), __len__(), push(x: int), __contains__(x: int)" in shown
    assert "stack.push(0); stack.push(0) raises Full: only 1" in shown
    assert "vault = Vault(); " in shown
    assert "vault.open(4711); vault.read(); vault.read(); vault.close()" in shown
    assert "note: save: not called: its parameter 'file' has type IO[str], and files can not be generated" in shown
    assert "tests fail" not in shown


def test_the_tests_are_plain_code_and_pass(covered: SimpleNamespace) -> None:
    out = covered.folder / "out"
    text = (out / "test_zeroin_classes_stack.py").read_text()
    assert '    stack = Stack(1)\n    stack.push(0)\n    with pytest.raises(Full, match=r"^only 1$"):\n' in text
    assert "import zeroin" not in text
    for file in ("test_zeroin_classes_stack.py", "test_zeroin_classes_vault.py"):
        ruff(["format", "--diff"], out / file)
        ruff(["check", "--select", RULES], out / file)
    assert " passed" in pytest_run(out)
    assert " failed" not in pytest_run(out)


def test_a_file_alone_stands_for_its_functions(covered: SimpleNamespace) -> None:
    shown = zeroin("show", "classes.py", cwd=covered.folder).stdout
    assert "above(x: int)" in shown
    assert "then up to" not in shown


def test_showing_a_class(covered: SimpleNamespace) -> None:
    shown = zeroin("show", "classes:Vault", cwd=covered.folder).stdout
    assert shown.startswith("Vault(), then up to 8 of read(), close(), open(code: int)  classes")
    assert "calls        list[read() | close() | open(code: int)]" in shown
    assert "3 sites, 6 branches" in shown


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("Vaul", "has no function 'Vaul'; there are Vault, Full"),
        ("Vault.shut", "Vault: has no function 'shut'; there are open, read, close"),
        ("Shape", "classes:Shape: is an abstract class (area), which has no objects"),
        ("Reader", "Reader: parameter 'file' has type IO[str], and files can not be generated"),
        ("Full", "classes:Full: is a class without a constructor and public methods of its own"),
    ],
)
def test_what_can_not_be_driven_is_one_line(covered: SimpleNamespace, target: str, message: str) -> None:
    result = zeroin("cover", f"classes.py:{target}", cwd=covered.folder)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
