"""Functions that read files and write where they may, so that nothing needs to stop them."""

import contextlib
import os
import pathlib
import sqlite3
import tempfile


# expects: nothing
def reads_itself(x: int) -> str:
    if x > 100:
        return "much"
    if x > 5:
        with open(__file__, encoding="utf-8") as stream:
            return stream.readline()
    return ""


# expects: nothing
def writes_here(x: int) -> int:
    if x > 5:
        with open("note.txt", "w") as stream:
            stream.write("x" * (x % 10))
        return os.path.getsize("note.txt")
    return -2 if x < -100 else -1


# expects: nothing
def deletes_own(x: int) -> int:
    if x > 5:
        pathlib.Path("own.txt").write_text("mine")
        os.rename("own.txt", "moved.txt")
        os.remove("moved.txt")
    return len(os.listdir()) if x > 100 else 0


# expects: nothing
def uses_temporary_folder(x: int) -> int:
    if x > 5:
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "a.txt").write_text("a")
            return len(os.listdir(folder))
    return -2 if x < -100 else -1


# expects: nothing
def uses_database(x: int) -> int:
    if x > 5:
        with contextlib.closing(sqlite3.connect(":memory:")) as base:
            return base.execute("select 2 + ?", (x % 10,)).fetchone()[0]
    return -2 if x < -100 else -1
