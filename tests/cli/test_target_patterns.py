"""How a configuration names targets and findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from zeroin.cli.target_patterns import FindingPattern, TargetPattern
from zeroin.errors import OptionError
from zeroin.languages.c.language import CTarget
from zeroin.languages.python.language import PythonTarget
from zeroin.subject.base import Target
from zeroin.suite.suite import Finding


def c(name: str = "src/pid.c", function: str = "step") -> Target:
    return CTarget(f"{name}:{function}", Path(name), function)


def py(function: str = "Vault.open") -> Target:
    return PythonTarget(f"pack.mod:{function}", Path("pack/mod.py"), function, module="pack.mod")


@pytest.mark.parametrize(
    ("text", "target", "meant"),
    [
        ("src/pid.c:step", c(), True),
        ("src/pid.c", c(), True),
        ("./src/../src/pid.c:step", c(), True),
        ("src/*.c:s*", c(), True),
        ("src/pid.c:stop", c(), False),
        ("pid.c:step", c(), False),
        ("src/pid.c:ns::step", c(function="ns::step"), True),
        ("src/pid.c:step(int)", c(function="step(int)"), True),
        ("src/pid.c:operator[]", c(function="operator[]"), True),
        ("pack.mod:Vault.open", py(), True),
        ("pack/mod.py:Vault.open", py(), True),
        ("pack.mod:Vault.*", py(), True),
        ("pack.mod:Vault", py(), False),
        ("pack.*", py(), True),
        ("pack", py(), False),
    ],
)
def test_targets(text: str, target: Target, meant: bool) -> None:
    assert TargetPattern.of(text, Path()).is_of(target) == meant


def test_files_are_looked_for_from_the_folder_of_the_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path / "src")
    assert TargetPattern.of("src/pid.c:step", tmp_path).is_of(c("pid.c"))
    assert not TargetPattern.of("pid.c:step", tmp_path).is_of(c("pid.c"))


FINDING = Finding("exception", (1,), "raised: ValueError: math domain error")


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("src/pid.c:step: exception", True),
        ("src/pid.c: exception", True),
        ("src/pid.c:step: ValueError", True),
        ("src/pid.c:step: exception: math domain", True),
        ("src/pid.c:step: ValueError: math domain", True),
        ("src/pid.c:step: crash", False),
        ("src/pid.c:step: crash: math domain", False),
        ("src/pid.c:step: TypeError", False),
        ("src/pid.c:other: exception", False),
    ],
)
def test_findings(text: str, allowed: bool) -> None:
    assert FindingPattern.of(text, Path(), "x").allows(c(), FINDING) == allowed


@pytest.mark.parametrize("text", ["", "src/pid.c:step", "src/pid.c:step:", "src/pid.c:step: ", ": crash"])
def test_what_names_no_finding_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match="names no finding; write"):
        FindingPattern.of(text, Path(), "zeroin.toml: allow-findings")
