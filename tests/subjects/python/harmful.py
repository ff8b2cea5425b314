"""Functions that would harm the files beside this one, or the machine. Do not call them."""

import contextlib
import multiprocessing
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import threading

HERE = pathlib.Path(__file__).parent
KEEP = str(HERE / "keep.txt")


def cleanup(name: str, n: int) -> int:
    if n > 3:
        os.remove(name)
    return n


def deletes(n: int) -> int:
    if n > 3:
        for name in os.listdir(HERE):
            os.remove(HERE / name)
    return n


def swallows(n: int) -> int:
    if n > 3:
        with contextlib.suppress(BaseException):
            os.remove(KEEP)
    return n


def loops(n: int) -> int:
    while n > 3:
        try:
            os.remove(KEEP)
        except:  # noqa: E722
            continue
    return n


def raises_after(n: int) -> int:
    if n > 3:
        try:
            os.remove(KEEP)
        finally:
            raise ValueError("no")
    return n


def deletes_tree(n: int) -> int:
    if n > 3:
        shutil.rmtree("notes", ignore_errors=True)
    return n


def deletes_later(n: int) -> int:
    if n > 3:
        thread = threading.Thread(target=swallows, args=(n,))
        thread.start()
        thread.join()
    return n


def renames(n: int) -> int:
    if n > 3:
        os.rename(KEEP, "mine.txt")
    return n


def overwrites(n: int) -> int:
    if n > 3:
        pathlib.Path(os.path.relpath(KEEP)).write_text("gone")
    return n


def truncates(n: int) -> int:
    if n > 3:
        os.truncate(KEEP, 0)
    return n


def hides(n: int) -> int:
    if n > 3:
        os.chmod(KEEP, 0)
    return n


def follows_link(n: int) -> int:
    if n > 3:
        os.symlink(KEEP, "link")
        pathlib.Path("link").write_text("gone")
    return n


def links(n: int) -> int:
    if n > 3:
        os.link(KEEP, "mine.txt")
    return n


def litters(n: int) -> int:
    if n > 3:
        (HERE / "marker").touch()
    return n


def makes_folder(n: int) -> int:
    if n > 3:
        os.makedirs(HERE / "marker")
    return n


def makes_pipe(n: int) -> int:
    if n > 3:
        os.mkfifo(HERE / "marker")
    return n


def opens_database(n: int) -> int:
    if n > 3:
        sqlite3.connect(HERE / "marker").execute("create table t (x)")
    return n


def runs(n: int) -> int:
    if n > 3:
        subprocess.run(["touch", HERE / "marker"], check=False)
    return n


def calls_shell(n: int) -> int:
    if n > 3:
        os.system(f"touch '{HERE}/marker'")
    return n


def spawns(n: int) -> int:
    if n > 3:
        os.posix_spawn("/bin/sh", ["sh", "-c", f"touch '{HERE}/marker'"], {})
    return n


def multiplies(n: int) -> int:
    if n > 3:
        multiprocessing.get_context("spawn").Process(target=print).start()
    return n


def forks(n: int) -> int:
    if n > 3 and os.fork() == 0:
        (HERE / "marker").touch()
        os._exit(0)
    return n


def kills(n: int) -> int:
    if n > 3:
        os.kill(os.getppid(), signal.SIGKILL)
    return n


def connects(n: int) -> int:
    if n > 3:
        socket.create_connection(("127.0.0.1", 9))
    return n


# ---- what is allowed ----


def reads(n: int) -> str:
    if n > 3:
        return open(KEEP).read()
    return ""


def writes(n: int) -> list[str]:
    before = os.listdir()
    path = pathlib.Path("mine.txt")
    path.touch()
    path.write_text("x" * n if 3 < n < 10 else "")
    os.makedirs("deep/deeper")
    os.rename("mine.txt", "deep/deeper/mine.txt")
    if os.path.getsize("deep/deeper/mine.txt") > 0:
        shutil.rmtree("deep")
        return ["full", *before]
    os.truncate("deep/deeper/mine.txt", 5)
    return before


def prints(n: int) -> int:
    with open(os.devnull, "w") as nothing:
        if n > 3:
            print(n, file=nothing)
    return n
