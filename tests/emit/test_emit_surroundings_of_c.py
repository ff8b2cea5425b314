"""What C functions return of the day, the environment or the machine is pinned by no test, and the report says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from zeroin import Budget, Options
from zeroin.emit.files import deliver
from zeroin.emit.test_header import Batch
from zeroin.languages.c.emit.test_file import CTest
from zeroin.suite.suite import Suite
from zeroin.worker.parent import cover

HEAD = "#include <stdlib.h>\n#include <string.h>\n#include <sys/utsname.h>\n#include <time.h>\n#include <unistd.h>\n"
ASKING = {
    "(int)(time(NULL) / 86400)": "the clock",
    "({ struct timespec t; clock_gettime(CLOCK_REALTIME, &t); (int)(t.tv_sec / 86400); })": "the clock",
    'getenv("PATH") ? 5 : 6': "the environment",
    'getenv("ZEROIN_IS_NOT_SET") ? 5 : 6': "the environment",
    "({ time_t t = 0; localtime(&t)->tm_hour; })": "the environment",
    "(int)sysconf(_SC_NPROCESSORS_ONLN)": "the machine",
    "({ struct utsname u; uname(&u); u.nodename[0]; })": "the machine",
    "getpid()": "the process",
}


def covered(tmp_path: Path, body: str) -> Suite:
    (tmp_path / "f.c").write_text(f"{HEAD}int f(int x) {{ {body} }}\n")
    return cover(f"{tmp_path}/f.c:f", Options(Budget(20_000, 60.0)))


@pytest.mark.parametrize("asked", ASKING)
def test_what_depends_on_it_is_left_out_alone(tmp_path: Path, asked: str) -> None:
    suite = covered(tmp_path, f"if (x > 3) return {asked}; return x / 2;")
    varies = {kept.replay.varies for kept in suite.inputs if suite.signature.arguments(kept.words)[0] > 3}
    assert varies == {ASKING[asked]}
    assert {kept.replay.varies for kept in suite.inputs if suite.signature.arguments(kept.words)[0] <= 3} == {""}
    shown = [suite.signature.show_result(kept.replay) for kept in suite.inputs if kept.replay.varies]
    assert all(text.endswith(f"(depends on {ASKING[asked]})") for text in shown)
    written = deliver(CTest(), Batch((suite,)), tmp_path / "out")
    assert any(f"is left out of the test: its result depends on {ASKING[asked]}" in note for note in written.remarks)
    text = written.path.read_text()
    assert text.count("\nstatic void test_") == sum(not kept.replay.varies for kept in suite.inputs) > 0


@pytest.mark.parametrize("asked", [
    "({ struct timespec a, b; clock_gettime(CLOCK_MONOTONIC, &a); clock_gettime(CLOCK_MONOTONIC, &b);"
    "   b.tv_sec - a.tv_sec > 5; })",
    'getenv("PATH") ? 5 : 5', "({ time_t t = 0; gmtime(&t)->tm_hour; })", "(int)sysconf(_SC_PAGESIZE)",
])  # fmt: skip
def test_what_does_not_depend_on_it_is_tested(tmp_path: Path, asked: str) -> None:
    suite = covered(tmp_path, f"if (x > 3) return {asked}; return x / 2;")
    assert {kept.replay.varies for kept in suite.inputs} == {""}


def test_no_proof_rests_on_it(tmp_path: Path) -> None:
    suite = covered(tmp_path, 'char c = (char)x; if (c > 3 && getenv("ZEROIN_IS_NOT_SET")) return 1; return 2;')
    (verdict,) = [v for v in suite.verdicts if v.verdict != "covered"]
    assert (verdict.branch.id, verdict.verdict) == ("1T", "undecided")
