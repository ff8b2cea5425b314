"""Configurations: which file counts, what it may say, and that the command line says it instead."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from zeroin.cli.configuration import actions_of
from zeroin.cli.main import build_parser, command_line
from zeroin.cli.options import read_options
from zeroin.errors import OptionError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def parsed(text: str = "", *arguments: str, command: str = "cover") -> argparse.Namespace:
    """The command line ``cover a.py ARGUMENTS`` in a folder with this ``zeroin.toml``."""
    if text:
        Path("zeroin.toml").write_text(text)
    return command_line([command, "a.py", *arguments]).parsed


def test_each_option_can_be_configured(folder: Path) -> None:
    found = parsed(
        'budget = 2.5\nevals = 1000\nseed = 7\nminimizer = "es(mu=15)"\nno-native = true\nquiet = true\n'
        "callees = false\n"
        'include = "one"\nallow = ["files", "network"]\nemit = ["none"]\njson = "r.json"\nfail-under = 90\n'
        'find = "nan"\n'
        'measure = "gcov"\ncc = ["-DA=a b", "-O2"]\ntypes = ["f: x: float", "y: int"]\narray = "xs=8,n"\n'
    )  # fmt: skip
    assert (found.budget, found.evals, found.seed, found.minimizer) == (2.5, 1000, 7, "es(mu=15)")
    assert (found.native, found.quiet, found.callees, found.measure) == (False, True, False, "gcov")
    assert (found.include, found.allow, found.emit, found.find) == (["one"], ["files", "network"], ["none"], ["nan"])
    assert (found.reports, found.fail_under, found.cc) == ([("json", "r.json")], 90, "'-DA=a b' -O2")
    assert (found.types, found.arrays) == (["f: x: float", "y: int"], ["xs=8,n"])


def test_the_command_line_counts_instead(folder: Path) -> None:
    text = 'budget = 2\nallow = ["files"]\njson = "a"\nsmt2 = "b"\ncc = "-DA"\nquiet = true\nno-native = true\n'
    found = parsed(text, "--bud", "3", "--allow", "network", "--json", "c", "--cc=-DB")  # abbreviated, too
    assert (found.budget, found.allow, found.cc, found.quiet) == (3.0, ["network"], "-DB", True)
    assert dict(found.reports) == {"json": "c", "smt2": "b"}
    assert parsed(text, "--budget", "10").budget == 10.0  # the default is said, too
    plain = command_line(["cover", "a.py", "--no-config"]).parsed
    assert (plain.budget, plain.quiet, plain.native, plain.reports) == (None, False, True, [])


def test_what_is_no_option_of_the_command_is_no_mistake(folder: Path) -> None:
    text = "resume = true\nfind = ['all']\nbudget = 3\ncc = '-DA'\n"
    reach = parsed(text, "--line", "3", command="reach")
    assert (reach.resume, reach.find, reach.budget) == (False, [], 3)
    shown = parsed(text, command="show")
    assert shown.cc == "-DA"
    assert not hasattr(shown, "budget")


def test_the_nearest_file_counts_and_zeroin_toml_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = folder / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    assert parsed().seed == 0
    (folder / "pyproject.toml").write_text("[tool.zeroin]\nseed = 1\n")
    assert parsed().seed == 1
    (folder / "a" / "pyproject.toml").write_text("[tool.other]\nzeroin = 1\n")  # has none
    assert parsed().seed == 1
    (folder / "zeroin.toml").write_text("seed = 2\n")
    assert parsed().seed == 2
    (folder / "a" / "pyproject.toml").write_text("[tool.zeroin]\nseed = 3\n")
    assert parsed().seed == 3
    assert parsed("", "--config", "../../zeroin.toml").seed == 2


def test_paths_are_those_of_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a").mkdir()
    (folder / "zeroin.toml").write_text(
        'out = "made"\njson = "r.json"\nwith = ["x.c", "/abs/y.c"]\ncc = "-Iinclude -isystem sys -I/usr/x -DA=b/c"\n'
        'compile-commands = "build"\n'
    )
    monkeypatch.chdir(folder / "a")
    found = parsed()
    assert (found.out, found.reports, found.compile_commands) == ("../made", [("json", "../r.json")], "../build")
    assert [Path(one).resolve() for one in found.others] == [(folder / "x.c").resolve(), Path("/abs/y.c")]
    assert found.cc == "-I../include -isystem ../sys -I/usr/x -DA=b/c"
    (folder / "zeroin.toml").write_text('objective = "own.py:Edge"\nminimizer = "own.py:M"\n')
    assert (parsed().objective, parsed().minimizer) == (f"{folder}/own.py:Edge", f"{folder}/own.py:M")
    (folder / "zeroin.toml").write_text('objective = "own:Edge"\nminimizer = "es"\n')
    assert (parsed().objective, parsed().minimizer) == ("own:Edge", "es")
    (folder / "zeroin.toml").write_text('json = "-"\ncompile-commands = "none"\n')
    assert (parsed().reports, parsed().compile_commands) == ([("json", "-")], "none")


REFUSED = [
    ("bugdet = 3", "zeroin.toml: unknown key 'bugdet'; did you mean budget?"),
    ("fail_under = 3", "zeroin.toml: unknown key 'fail_under'; did you mean fail-under?"),
    ("allow-finding = []", "zeroin.toml: unknown key 'allow-finding'; did you mean allow-findings?"),
    ("zzz = 3", "zeroin.toml: unknown key 'zzz'; there are allow, allow-findings, array,"),
    ("line = 3", "zeroin.toml: unknown key 'line'"),
    ('budget = "ten"', 'zeroin.toml: budget: give a number, not "ten"'),
    ("seed = 1.5", "zeroin.toml: seed: give a whole number, not 1.5"),
    ("seed = true", "zeroin.toml: seed: give a whole number, not true"),
    ("quiet = 1", "zeroin.toml: quiet: give true or false, not 1"),
    ("engine = 3", "zeroin.toml: engine: give a string, not 3"),
    ('engine = ["a"]', "zeroin.toml: engine: give a string, not ['a']"),
    ("include = 3", "zeroin.toml: include: give a string, or a list of strings, not 3"),
    ("include = [3]", "zeroin.toml: include: give a string, or a list of strings, not 3"),
    ('measure = "x"', 'zeroin.toml: measure: choose from gcov, coverage, mutants, not "x"'),
    ('cc = "-D\'"', "zeroin.toml: cc: No closing quotation"),
    ("[budget]\nx = 1", "zeroin.toml: budget: give a number, not a table"),
    ('target = "a.py"', 'zeroin.toml: target: give tables of targets, such as [target."src/pid.c:step"]'),
    ('[target."a.py:f"]\nbugdet = 3', "zeroin.toml: target \"a.py:f\": unknown key 'bugdet'; did you mean budget?"),
    ('[target."a.py:f"]\njobs = 3', "zeroin.toml: target \"a.py:f\": unknown key 'jobs'"),
    ('[target."a.py:f"]\njson = "x"', "zeroin.toml: target \"a.py:f\": unknown key 'json'"),
    ('[target."a.py:f"]\nbudget = "x"', 'zeroin.toml: target "a.py:f": budget: give a number, not "x"'),
    ("allow-findings = 3", "zeroin.toml: allow-findings: give strings, such as ["),
    ('allow-findings = ["a.py:f"]', "zeroin.toml: allow-findings: 'a.py:f' names no finding; write \"TARGET: KIND\""),
    ("a = 1\nb = = 2\n", "zeroin.toml:2: is not TOML: Invalid value, column 5; fix it, or use --no-config"),
    ('a = 1\nb = """2\n', "zeroin.toml:3: is not TOML: Unterminated string; fix it, or"),
    ("a = 1\na = 2", "zeroin.toml:2: is not TOML: Cannot overwrite a value"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=[text[:40] for text, _ in REFUSED])
def test_what_can_not_be_is_one_line_that_names_the_file(text: str, message: str, folder: Path) -> None:
    with pytest.raises(OptionError) as caught:
        parsed(text)
    assert str(caught.value).startswith(message)
    assert len(str(caught.value).splitlines()) == 1


def test_other_files_are_refused_too(folder: Path) -> None:
    (folder / "zeroin.toml").write_bytes(b"# fine\nout = '\xff'\n")
    with pytest.raises(OptionError, match=r"^zeroin.toml:2: is not UTF-8"):
        parsed()
    with pytest.raises(OptionError, match=r"^--config none.toml: no such file"):
        parsed("", "--config", "none.toml")
    (folder / "pyproject.toml").write_text("[tool.other]\n")
    with pytest.raises(OptionError, match=r"^pyproject.toml: has no table \[tool.zeroin\]"):
        parsed("", "--config", "pyproject.toml")
    (folder / "pyproject.toml").write_text("tool.zeroin = 3\n")
    with pytest.raises(OptionError, match=r"must be a table"):
        parsed("", "--config", "pyproject.toml")
    assert parsed("", "--no-config").seed == 0
    with pytest.raises(SystemExit):
        parsed("", "--no-config", "--config", "pyproject.toml")


def test_a_pyproject_that_says_nothing_of_zeroin_may_be_anything(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[[[")
    assert parsed().seed == 0
    (folder / "pyproject.toml").write_text("[tool.zeroin]\n[[[")
    with pytest.raises(OptionError, match=r"pyproject.toml:2: is not TOML"):
        parsed()


def test_keys_are_the_long_options(folder: Path) -> None:
    commands = build_parser().commands
    known = actions_of({name: commands[name] for name in ("cover", "reach", "boundary", "show")})
    assert {"budget", "jobs", "out", "quiet", "cc", "with", "json", "find", "resume", "fail-under"} <= known.keys()
    assert not {"help", "config", "no-config", "line", "path", "branch", "j", "var"} & known.keys()


@pytest.mark.parametrize(
    ("given", "find", "usual"),
    [((), (), True), (("none",), (), False), ((" none ",), (), False), (("none,none",), (), False),
     (("nan, cast", "nan"), ("nan", "cast"), True)],
)  # fmt: skip
def test_none_turns_the_search_for_usual_faults_off(
    folder: Path, given: tuple[str, ...], find: tuple[str, ...], usual: bool
) -> None:
    options = read_options(parsed("", *(part for text in given for part in ("--find", text))))
    assert (options.find, options.faults) == (find, usual)
