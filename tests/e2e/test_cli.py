"""The command, as a user runs it: mostly in this process, and started where its start or its end is tested."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commands import zeroin
from e2e.conftest import Command

ROOT = Path(__file__).parents[2]
HOSTILE = ROOT / "tests" / "subjects" / "c" / "hostile.c"
KEPLER = ROOT / "examples" / "kepler.c"
ZEROIN = [sys.executable, "-m", "zeroin"]


def compile_and_run(test: Path) -> subprocess.CompletedProcess[str]:
    program = test.with_suffix("")
    flags = ["-w", "-fno-builtin", "-ffp-contract=off", "-fno-sanitize=all", "-fwrapv"]
    clang = [sys.executable, "-m", "ziglang", "cc", *flags]
    subprocess.run([*clang, str(test), "-o", str(program), "-lm"], check=True, capture_output=True)
    return subprocess.run([str(program)], capture_output=True, text=True)


def test_cover_writes_a_test_that_passes(tmp_path: Path) -> None:
    result = zeroin("cover", f"{KEPLER}:solve", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "20 branches: 20 covered" in result.stdout
    assert "Searched by" not in result.stdout
    run = compile_and_run(tmp_path / "zeroin-out" / "test_kepler_solve.c")
    assert run.returncode == 0, run.stdout
    assert re.fullmatch(r"\d+ passed, 0 failed", run.stdout.strip().splitlines()[-1])


LIMITS = "int f(int n, double x) { if (x > 1.0 && 1e300 + x <= 1.0) return 1; return n; }\n"


def test_what_no_input_takes_is_proved(tmp_path: Path) -> None:
    (tmp_path / "limits.c").write_text(LIMITS)
    result = zeroin("cover", "limits.c:f", "--fail-under", "100", "--json", "r.json", "-v", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert re.search(r"1e300 \+ x <= 1.0 \| T infeasible \(proved by \w+ in [\d.]+ s, \w+ agrees\)  F #", result.stdout)
    assert "4 branches: 3 covered by 2 inputs, 1 proved infeasible, 0 undecided." in result.stdout
    assert "Stopped because every branch is covered or proved infeasible." in result.stdout
    (target,) = json.loads((tmp_path / "r.json").read_text())["targets"]
    proofs = {branch["verdict"]: branch["proof"] for branch in target["branches"]}
    assert proofs["covered"] is None
    assert set(proofs["infeasible"]) == {"solver", "method", "seconds", "assumptions", "confirmed_by"}
    assert len(proofs["infeasible"]["confirmed_by"]) == 1


def test_a_proof_alone_finds_what_models_take(tmp_path: Path) -> None:
    (tmp_path / "limits.c").write_text(LIMITS)
    result = zeroin("cover", "limits.c:f", "--engine", "prove", "-v", cwd=tmp_path)
    assert "3 covered by 2 inputs, 1 proved infeasible, 0 undecided." in result.stdout
    assert "Searched by prove." in result.stdout


def test_show_runs_nothing(tmp_path: Path) -> None:
    result = zeroin("show", f"{KEPLER}:solve", cwd=tmp_path)
    assert result.returncode == 0
    assert "10 sites, 20 branches (0T, ...: for --branch), 2 words of input" in result.stdout
    assert not list(tmp_path.iterdir())


def test_json_on_stdout_is_all_there_is(tmp_path: Path) -> None:
    result = zeroin("cover", f"{KEPLER}:solve", "--json", "-", "--emit", "none", cwd=tmp_path)
    report = json.loads(result.stdout)
    assert report["schema"] == 1
    (target,) = report["targets"]
    assert {b["verdict"] for b in target["branches"]} == {"covered"}
    assert all(len(i["args"]) == len(i["exact"]) == 2 for i in target["inputs"])
    assert not (tmp_path / "zeroin-out").exists()


def test_same_seed_same_suite(tmp_path: Path) -> None:
    def inputs(*extra: object) -> object:
        result = zeroin("cover", f"{KEPLER}:solve", "--json", "-", "--emit", "none", *extra, cwd=tmp_path)
        return json.loads(result.stdout)["targets"][0]["inputs"]

    assert inputs("--seed", 5) == inputs("--seed", 5, "--jobs", 2)


@pytest.mark.parametrize(
    ("function", "kind", "message"),
    [
        ("segv", "crash", "SIGSEGV"),
        ("divides", "crash", "SIGFPE"),
        ("aborts", "crash", "SIGABRT"),
        ("exits", "crash", "status 3"),
        ("asserts", "assertion", "x != 12345"),
        ("loops", "hang", "did not return"),
        ("sleeps", "hang", "did not return"),
        ("recurses", "crash", "stack overflow"),
        ("hoards", "crash", "memory"),
        ("kills", "crash", "SIGKILL"),
        ("always_segv", "crash", "SIGSEGV"),
        ("always_hangs", "hang", "did not return"),
    ],
)
def test_hostile_subjects_become_findings(function: str, kind: str, message: str, tmp_path: Path) -> None:
    result = zeroin(
        "cover", f"{HOSTILE}:{function}", "--budget", 3, "--json", "-", "--emit", "none", "--memory", 64, cwd=tmp_path
    )
    assert result.returncode == 1, result.stderr
    (target,) = json.loads(result.stdout)["targets"]
    assert any(f["kind"] == kind and message in f["message"] for f in target["findings"]), target["findings"]
    assert {b["verdict"] for b in target["branches"]} == {"covered"}


def test_an_array_of_which_nobody_says_the_length_grows(tmp_path: Path) -> None:
    """What it reads behind the one element that it had first is no finding."""
    result = zeroin("cover", f"{HOSTILE}:overruns", "--budget", 3, "--json", "-", "--emit", "none", cwd=tmp_path)
    (target,) = json.loads(result.stdout)["targets"]
    assert (result.returncode, target["findings"]) == (0, [])
    assert {b["verdict"] for b in target["branches"]} == {"covered"}
    assert all(len(kept["args"][0]) == 2 for kept in target["inputs"])


def test_the_path_of_a_run_is_shown(tmp_path: Path) -> None:
    (tmp_path / "g.c").write_text(
        "static const int t[4] = {2, 3, 5, 7};\n"
        "int g(double x, unsigned n, const int *p) {\n"
        "  if (x * x < 2.5 && n > 3) return t[n & 3] == 5 ? 1 : 2;\n"
        "  if (p == 0) return 3;\n"
        "  return *p > 100 ? 4 : rand() > n;\n"
        "}\n"
    )
    done = zeroin("show", "g.c:g", "--path", "1.5, 6, None", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    path = done.stdout.partition("path of ")[2].splitlines()
    assert path[0] == "g(1.5, 6, None)"
    assert [line.split(" | ")[1].strip() for line in path[2:6]] == [
        "x * x < 2.5                                  T",
        "n > 3                                        T",
        "an index is within t",
        "t[n & 3] == 5                                T",
    ]
    assert path[2].endswith(" | (fp.lt (fp.mul RNE x x) 2.5)")
    assert path[-1] == "3 decisions, followed to the end"
    done = zeroin("show", "g.c:g", "--path", "nan, 6, [7]", cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "3 decisions, followed up to here: it calls rand, which zeroin can not read"


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [("if (n > 2) kill(getpid(), 9); return n;", 2, "zeroin: g.c:g: the run ends its process (SIGKILL)\n"),
     ("if (n > 2) *(volatile int *)0 = 1; return n;", 0, "a null pointer is dereferenced\nthe run crashed\n"),
     ("if (n > 2) while (n) n |= 1; return n;", 0, "decisions were recorded\nthe run hung\n"),
     ("if (n > 2) sleep(100); return n;", 0, "it calls sleep, which zeroin can not read\nthe run hung\n")],
    ids=["kills", "crashes", "turns", "sleeps"],
)  # fmt: skip
def test_the_path_of_a_run_that_does_not_return(body: str, status: int, said: str, tmp_path: Path) -> None:
    (tmp_path / "g.c").write_text(f"#include <signal.h>\n#include <unistd.h>\nint g(int n) {{ {body} }}\n")
    done = zeroin("show", "g.c:g", "--path", "7", cwd=tmp_path)
    assert done.returncode == status, done.stderr
    assert (done.stdout + done.stderr).endswith(said)


def test_arguments_that_are_none_are_refused(tmp_path: Path) -> None:
    (tmp_path / "g.c").write_text("int g(double x, unsigned n) { return x > n ? 1 : 2; }\n")
    done = zeroin("show", "g.c:g", "--path", "1.5, -1", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "zeroin: n: -1 does not fit; it is any unsigned 32-bit integer\n"


@pytest.mark.parametrize("target", ["import none\nf:f", "a\x0b.c:f", "none.c:f\u2028g"])
def test_a_refusal_is_one_line_whatever_it_quotes(target: str, tmp_path: Path) -> None:
    (tmp_path / "none.c").write_text("int g(int n) { return n > 3; }\n")
    done = zeroin("show", target, cwd=tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_noise_of_the_subject_is_not_shown(tmp_path: Path) -> None:
    result = zeroin("cover", f"{HOSTILE}:noisy", cwd=tmp_path)
    assert result.returncode == 0
    assert "noise" not in result.stdout + result.stderr
    assert "noisy(77) = 1" in result.stdout


def test_variables_of_the_subject_start_afresh(tmp_path: Path) -> None:
    result = zeroin("cover", f"{HOSTILE}:counts", "--evals", 100_000, cwd=tmp_path)
    assert "count++ > 3" in result.stdout
    times = [int(n) for n in re.findall(r"#\d+ +counts\(-?\d+\) (\d+) times = 1", result.stdout)]
    assert times
    assert min(times) >= 5


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupt_keeps_what_was_found(number: signal.Signals, tmp_path: Path) -> None:
    target = f"{HOSTILE}:mixes"
    with searching(tmp_path, target) as process:
        process.send_signal(number)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert "undecided: it was interrupted; --resume goes on." in out
    assert "mixes(" in out
    assert (tmp_path / "zeroin-out" / "test_hostile_mixes.c").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_comes_when_all_is_done_changes_nothing(number: signal.Signals) -> None:
    """While the interpreter ends, which takes a while."""
    code = f"""if True:
        import atexit, os, sys
        from zeroin.__main__ import main
        atexit.register(os.kill, os.getpid(), {int(number)})
        sys.argv = ["zeroin", "solve", "-e", "x == 2"]
        sys.exit(main())"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def searching(folder: Path, *arguments: object) -> subprocess.Popen[str]:
    """A search without an end; its first line of progress has been read."""
    command = [*ZEROIN, "cover", *map(str, arguments), "--evals", str(10**12), "--budget", "600"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    process.stderr.readline()
    time.sleep(0.5)
    return process


def test_what_is_interrupted_before_it_begins_is_named(tmp_path: Path) -> None:
    never = "int {}(int n) {{ if (erfc(n) > 3) return 1; return 0; }}\n"  # nobody proves that
    (tmp_path / "many.c").write_text(
        "double erfc(double);\n" + "".join(never.format(name) for name in ("f", "g", "h", "i"))
    )
    with searching(tmp_path, "many.c", "--jobs", "2") as process:
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    text = (tmp_path / "zeroin-out" / "test_many.c").read_text()
    tried = [name for name in ("f", "g", "h", "i") if f"ZEROIN_EQ_INT({name}(" in text]
    assert tried[0] == "f"
    begun = [line for line in errors.splitlines() if "interrupted before the search began" in line]
    assert len(tried) + len(begun) == 2
    assert "zeroin: interrupted; not tried: many.c:h, many.c:i" in errors
    told = f"{len(tried)} branch{'es' * (len(tried) > 1)}"  # each function has one that is undecided
    assert re.search(rf"^{told}( of f, g)? undecided: it was interrupted; --resume goes on\.$", out, re.M)


def test_a_killed_search_is_resumed(tmp_path: Path) -> None:
    with searching(tmp_path, f"{HOSTILE}:mixes") as process:
        process.kill()
        process.communicate(timeout=60)
    (found,) = (tmp_path / "zeroin-out" / ".found").glob("*.jsonl")
    calls = [json.loads(line)["call"] for line in found.read_text().splitlines()[1:]]
    assert calls
    result = zeroin("cover", f"{HOSTILE}:mixes", "--resume", "--evals", 1, "--json", "-", cwd=tmp_path)
    assert result.returncode == 0
    (target,) = json.loads(result.stdout)["targets"]
    covered = {branch["id"] for branch in target["branches"] if branch["verdict"] == "covered"}
    assert covered == {"0F", "0T", "1F"}
    assert target["notes"] == []


ONE_LINE = [
    (["cover", "missing.c:f"], "missing.c: no such file"),
    (["cover", "ok.c:f", ".:f"], ".: is a folder; name a file in it"),
    (["cover", "empty.c"], "empty.c: the file is empty"),
    (["cover", "ok.c:nope"], "no function 'nope'; it defines"),
    (["cover", "ok.c:"], "a function's name is missing"),
    (["cover", "text.txt:f"], "not a C, C++ or LLVM IR file"),
    (["cover", "ok.c:s"], "parameter 'v' has type 'struct s', whose field 'a' is a pointer"),
    (["cover", "ok.c:v"], "variable number of arguments"),
    (["cover", "ok.c:m"], "calls other, which other.c defines: add --with other.c"),
    (["cover", "ok.c:f", "--budget", "0"], "--budget 0"),
    (["cover", "ok.c:f", "--budget", "-3"], "--budget -3"),
    (["cover", "ok.c:f", "--budget", "nan"], "--budget nan"),
    (["cover", "ok.c:f", "--evals", "0"], "--evals 0"),
    (["cover", "ok.c:f", "--seed", "-1"], "--seed -1"),
    (["cover", "ok.c:f", "--jobs", "0"], "--jobs 0"),
    (["cover", "ok.c:f", "--engine", "magic"], "choose from hybrid, seeds, minimize, targets, chance, near, random"),
    (["cover", "ok.c:f", "--minimizer", "magic"], "there are avm"),
    (["cover", "ok.c:f", "--minimizer", "es(parents=3)"], "es has no parameter 'parents'; there are mu, lambda"),
    (["cover", "ok.c:f", "--minimizer", "basinhopping(n_iter=nan)"], "n_iter=nan: give a whole number"),
    (["cover", "ok.c:f", "--distance", "magic"], "there are ulp"),
    (["cover", "ok.c:f", "--array", "x"], "NAME=LENGTH"),
    (["cover", "ok.c:f", "--array", "x=3"], "no pointer parameter"),
    (["cover", "ok.c:f", "--with", "missing.c"], "missing.c: no such file"),
    (["cover", "ok.c:f", "--cc", "nocompiler -O1"], "no compiler 'nocompiler' on PATH"),
    (["cover", "ok.c:f", "--out", "/proc/none"], "--out /proc/none: can not be written to"),
    (["cover", "ok.c:f", "--json", "/nowhere/x.json"], "--json /nowhere/x.json: can not be written to"),
    (
        ["cover", "ok.c:f", "--emit", "ada"],
        "--emit ada: no such kind; choose from c, pytest, googletest, unity, cmocka, json, junit, sarif, smt2, none",
    ),
    (["cover", "ok.c:f", "--fail-under", "101"], "--fail-under 101"),
    (["cover", "ok.c:f", "--budget", "ten"], "argument --budget"),
    (["cover"], "required: TARGET"),
    ([], "required: COMMAND"),
]


@pytest.mark.parametrize(("arguments", "message"), ONE_LINE, ids=lambda value: str(value)[:50])
def test_bad_requests_get_one_line(here: Command, arguments: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "empty.c").touch()
    (tmp_path / "text.txt").write_text("hello")
    (tmp_path / "other.c").write_text("int other(int x) { return x; }\n")
    (tmp_path / "ok.c").write_text(
        "struct s { int *a; };\nint other(int x);\nint f(int x) { return x > 3 ? 1 : 0; }\n"
        "int s(struct s v) { return v.a == 0; }\n"
        "int v(int n, ...) { return n; }\nint m(int x) { return other(x) > 2 ? 1 : 2; }\n"
    )
    result = here(*arguments, cwd=tmp_path)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert result.stdout == ""


def test_compiler_message_is_shown_once(tmp_path: Path) -> None:
    (tmp_path / "bad.c").write_text("int f(int x { return x; }\nint g(int x) { return x; }\n")
    result = zeroin("cover", "bad.c:f", "bad.c:g", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.count("expected ')'") == 1
    assert "bad.c: does not compile" in result.stderr


def test_a_file_is_all_its_functions(tmp_path: Path) -> None:
    (tmp_path / "two.c").write_text(
        "int f(int x) { return x > 3 ? 1 : 0; }\nint g(int x) { return x; }\n"
        "struct s { int *a; };\nint h(struct s v) { return *v.a; }\n"
    )
    result = zeroin("cover", "two.c", cwd=tmp_path)
    assert result.returncode == 0
    assert "complete       2 of 2     two.c:f\n" in result.stdout
    assert "2 branches: 2 covered by 3 inputs" not in result.stdout
    result = zeroin("cover", "two.c", "-v", cwd=tmp_path)
    assert result.returncode == 0
    assert "2 branches: 2 covered by 3 inputs" in result.stdout
    assert "No branches: any input covers it." in result.stdout
    quiet = zeroin("cover", "two.c", "--quiet", cwd=tmp_path)
    lines = "complete       2 of 2     two.c:f\ncomplete       0 of 0     two.c:g\n"
    assert quiet.stdout == (
        f"{lines}2 functions: 2 complete, 0 incomplete, 1 skipped.\n2 branches: 2 covered, 0 undecided.\n"
    )
    assert "h: parameter 'v' has type 'struct s'" in result.stderr


def test_without_branches_any_number_of_values_may_be_worth_trying(tmp_path: Path) -> None:
    (tmp_path / "sum.c").write_text("int f(int n, int m) { return n + m; }\n")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / ".zeroin").write_text("mine")
    result = zeroin("cover", "sum.c:f", "--assume", "1234567 < n < 1234570", "--out", "out", cwd=tmp_path)
    assert result.returncode == 1  # n + m overflows
    assert "#0 f(1234568, " in result.stdout
    assert "failed" not in result.stdout
    assert (tmp_path / "out" / ".zeroin").read_text() == "mine"


def test_closed_stdout_is_one_line(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    process = subprocess.run(
        [*ZEROIN, "cover", f"{KEPLER}:solve", "--quiet"], cwd=tmp_path, stdout=write, stderr=subprocess.PIPE, text=True
    )
    os.close(write)
    assert process.returncode == 2
    assert process.stderr.strip().splitlines() == ["zeroin: stdout was closed before everything was written"]


def test_fail_under(tmp_path: Path) -> None:
    (tmp_path / "hard.c").write_text("int f(int x) { if (x > 3 && x < 2) return 1; return 0; }\n")
    assert zeroin("cover", "hard.c:f", "--evals", 10_000, "--fail-under", 90, cwd=tmp_path).returncode == 1
    assert zeroin("cover", "hard.c:f", "--evals", 10_000, "--fail-under", 70, cwd=tmp_path).returncode == 0


def test_gcov_agrees(tmp_path: Path) -> None:
    result = zeroin("cover", f"{KEPLER}:solve", "--measure", "gcov", cwd=tmp_path)
    assert "branches 20 of 20" in result.stdout


def test_a_function_that_remembers_gets_a_test_that_passes(tmp_path: Path) -> None:
    (tmp_path / "memory.c").write_text(
        "static int calls; static double last = 1.5;\n"
        "double f(int a) { calls++; if (a > 3) last *= 2; return last + calls; }\n"
    )
    assert zeroin("cover", "memory.c:f", cwd=tmp_path).returncode == 0
    run = compile_and_run(tmp_path / "zeroin-out" / "test_memory_f.c")
    assert run.returncode == 0, run.stdout
    assert run.stdout.strip() == "1 passed, 0 failed"
    test = (tmp_path / "zeroin-out" / "test_memory_f.c").read_text()
    assert len(re.findall(r"\bf\(-?\d+\)", test)) > test.count("static void test_f")  # several calls in a case


def test_show_of_a_file_goes_through_all_its_functions(tmp_path: Path) -> None:
    result = zeroin("show", HOSTILE, cwd=tmp_path)
    assert result.returncode == 0
    assert result.stderr == ""
    assert result.stdout.count("words of input") == 16


def test_a_name_may_be_longer_than_that_of_any_file(tmp_path: Path) -> None:
    name = "a_long_name_" * 25
    (tmp_path / "f.c").write_text(f"int {name}(int x) {{ return x == 77123 ? 1 : 0; }}\n")
    done = zeroin("cover", f"f.c:{name}", "--evals", "3000", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "2 covered" in done.stdout
