"""``zeroin cover`` on code that takes strings apart, and on one whose buffer is too small."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import clang
from commands import zeroin

SOURCE = """\
#include <stdlib.h>
#include <string.h>

struct unit { const char *name; double factor; };
static const struct unit UNITS[] = {{"metre", 1.0}, {"inch", 0.0254}, {"lightyear", 9.46e15}};

double convert(const char *s, double x)
{
    for (int i = 0; i < 3; i++)
        if (strcmp(UNITS[i].name, s) == 0) return x * UNITS[i].factor;
    if (strncmp(s, "milli", 5) == 0 && s[5] == 'm') return x / 1000;
    if (atoi(s) == 42) return 1;
    if (strtod(s, NULL) == 3.25) return 2;
    return -1;
}

int number(const char *s)
{
    int sign = 1, n = 0;
    while (*s == ' ') s++;
    if (*s == '-') { sign = -1; s++; } else if (*s == '+') s++;
    if (*s < '0' || *s > '9') return -1;
    while (*s >= '0' && *s <= '9' && n < 100000) n = 10 * n + (*s++ - '0');
    if (*s) return -2;
    if (n == 1234 && sign < 0) return 7;
    return n * sign;
}

int trim(char *s)
{
    size_t n = strlen(s);
    while (n > 0 && s[n - 1] == ' ') s[--n] = 0;
    return n > 20 ? 2 : n == 0;
}

int third(const char *s) { return s[2] == 'x'; }
"""


def covered(folder: Path, function: str, *options: str) -> tuple[dict[str, Any], str]:
    """The JSON of one target and the report; the test is there, has no warnings and passes."""
    (folder / "s.c").write_text(SOURCE)
    done = zeroin("cover", f"s.c:{function}", "--budget", "10", "--json", "s.json", *options, cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    test = folder / "zeroin-out" / f"test_s_{function}.c"
    flags = ["-Wall", "-Wextra", "-Werror", "-fno-builtin", "-ffp-contract=off", "-fno-strict-aliasing", "-fwrapv"]
    clang.build(["cc", *flags, "-o", "program", test.name], test.parent)
    ran = subprocess.run([test.with_name("program")], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stdout
    return json.loads((folder / "s.json").read_text())["targets"][0], done.stdout


def test_all_branches_of_parsers(tmp_path: Path) -> None:
    for function in ("convert", "number", "trim"):
        target, report = covered(tmp_path, function)
        assert {branch["verdict"] for branch in target["branches"]} == {"covered"}
        assert target["findings"] == []
        assert all(kept["exact"][0].startswith('"') for kept in target["inputs"])
        assert re.search(rf'#0 +{function}\("', report)


def test_reading_beyond_a_string_is_a_crash(tmp_path: Path) -> None:
    target, _ = covered(tmp_path, "third")
    (finding,) = target["findings"]
    assert finding["kind"] == "crash"
    assert target["inputs"][finding["input"]]["exact"] == ['""']


def test_a_longer_string(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text("")
    done = zeroin("show", "s.c:third", "--string", "s=40", cwd=_with_source(tmp_path))
    assert "points to any string of at most 40 characters" in done.stdout
    path = zeroin("show", "s.c:third", "--path", "'abx'", cwd=tmp_path)
    assert "0 decisions, followed to the end" in path.stdout


def _with_source(folder: Path) -> Path:
    (folder / "s.c").write_text(SOURCE)
    return folder
