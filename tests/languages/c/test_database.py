"""Compile databases: what of a command says what a source means, and which database is a file's."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from zeroin.errors import OptionError
from zeroin.languages.c.front.compile import compile_all
from zeroin.languages.c.front.compile_commands import Database, found_for


def database(folder: Path, *entries: dict[str, Any]) -> Database:
    (path := folder / "compile_commands.json").write_text(json.dumps(entries))
    return Database.read(path)


def flags(folder: Path, command: str) -> tuple[list[str], list[str]]:
    """Of a file ``src/a.c`` compiled in ``build``: what is used, and what of the rest is worth a word."""
    for name in ("src", "build"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "src" / "a.c").touch()
    found = database(folder, {"directory": str(folder / "build"), "file": "../src/a.c", "command": command})
    used = found.flags_of(folder / "src" / "a.c")
    return list(used), list(found.dropped)


@pytest.mark.parametrize(
    ("command", "used"),
    [
        ("cc -DA=1 -D B -U C -std=c11 -c -o a.o ../src/a.c", ["-DA=1", "-DB", "-UC", "-std=c11"]),
        ("cc '-DNAME=\"a b\"' -ansi -pthread", ['-DNAME="a b"', "-ansi", "-pthread"]),
        ("ccache gcc -I../include -isystem ../sys -iquote../q -include ../c.h",
         ["-Iinclude", "-isystem", "sys", "-iquoteq", "-include", "c.h"]),
        ("cc -I /usr/include/x -I.", ["-I", "/usr/include/x", "-Ibuild"]),
        ("cc -fno-exceptions -funsigned-char -fshort-enums", ["-fno-exceptions", "-funsigned-char", "-fshort-enums"]),
        ("cc -O2 -g3 -Wall -Werror=format -MD -MF a.d -MT a.o -fPIC -fstack-protector-strong -flto -c ../src/a.c", []),
        ("cc -o -DNOT -x c++ -DYES", ["-DYES"]),
    ],
)  # fmt: skip
def test_what_says_what_the_source_means_is_used(
    command: str, used: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert flags(tmp_path, command) == (used, [])


@pytest.mark.parametrize(
    "flag",
    ["-march=armv7-a", "-mcpu=cortex-m4", "-mthumb", "-fsanitize=address", "-specs=nano.specs", "-target arm-none-eabi",
     "--sysroot /opt/arm", "-fconserve-stack", "-mfloat-abi=hard", "-Xclang -load"],
)  # fmt: skip
def test_what_is_of_another_compiler_or_machine_is_left_out_and_said(flag: str, tmp_path: Path) -> None:
    assert flags(tmp_path, f"cc -DA {flag} -DB -c a.c") == (["-DA", "-DB"], [flag])


def test_flags_seen_from_elsewhere_find_the_same_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "limit.h").write_text("#define LIMIT 7\n")
    (tmp_path / "args").write_text("-DFAST -I../include")
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path / "src")
    used, _ = flags(tmp_path, "cc @../args -O3")
    assert used == ["-DFAST", "-I../include"]
    source = tmp_path / "src" / "a.c"
    source.write_text('#include "limit.h"\n#ifndef FAST\n#error slow\n#endif\nint f(int x) { return x > LIMIT; }\n')
    assert "icmp sgt i32" in compile_all([source], used)[0]


def test_of_several_entries_the_first_counts_and_others_have_none(tmp_path: Path) -> None:
    (tmp_path / "a.c").touch()
    found = database(
        tmp_path, *({"directory": str(tmp_path), "file": "a.c", "arguments": ["cc", f"-D{n}"]} for n in "AB")
    )
    assert found.flags_of(tmp_path / "a.c") == ("-DA",)
    assert found.flags_of(tmp_path / "b.c") == ()
    assert found.used == {tmp_path / "a.c"}


def test_one_of_another_machine_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"none of its files exists on this machine \(/home/them/p/a\.c\); make"):
        database(tmp_path, {"directory": "/home/them/p", "file": "a.c", "command": "cc a.c"})
    (tmp_path / "b.c").touch()
    database(tmp_path, {"directory": "/home/them", "file": "a.c"}, {"directory": str(tmp_path), "file": "b.c"})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "can not be read as a compile database"),
        ('{"a": 1}', 'has no "file"'),
        ('[{"directory": "/"}]', 'entry 1 has no "file"'),
        ('[{"file": "a.c", "command": "cc \'"}]', "entry 1 has a .command. that can not be read"),
        ('[{"file": "a.c", "command": 7}]', "entry 1 has a .command. that can not be read"),
        ('[{"file": "a.c", "arguments": [1]}]', "must be a string"),
    ],
)
def test_what_is_no_database_is_refused_in_one_line(text: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(text)
    with pytest.raises(OptionError, match=complaint) as caught:
        Database.read(tmp_path / "c.json")
    assert len(str(caught.value).splitlines()) == 1


def test_the_database_of_a_file_is_the_nearest_in_its_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    source = tmp_path / "p" / "lib" / "src" / "a.c"
    source.parent.mkdir(parents=True)
    source.touch()

    def put(folder: str) -> Path:
        place = tmp_path / folder / "compile_commands.json"
        place.parent.mkdir(exist_ok=True)
        place.write_text("[]")
        return Path(os.path.relpath(place))

    put("")
    assert found_for(source) is None  # no repository: only beside it
    (tmp_path / "p" / ".git").mkdir()
    assert found_for(source) is None  # not beyond the root
    assert put("p/build") == found_for(source)
    assert put("p") == found_for(tmp_path / "p")
    assert put("p/lib") == found_for(source)
    assert put("p/lib/src") == found_for(source)
