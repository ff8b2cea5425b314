"""Functions that would change other people's files: those at /tmp/zeroin-hostile-victim. Do not call them."""

import contextlib
import os
import pathlib
import shutil
import sqlite3
import threading

_VICTIM = "/tmp/zeroin-hostile-victim"


class _Cleaner:
    def __del__(self):
        os.remove(_VICTIM)


# expects: forbidden delete a file
def deletes(x: int) -> int:
    if x > 100:
        return 2
    if x > 5:
        os.remove(_VICTIM)
    return 0


# expects: forbidden delete a file
def deletes_silently(x: int) -> int:
    if x == 77123:
        return 1
    with contextlib.suppress(BaseException):
        if x > 5:
            os.unlink(_VICTIM)
    return 0


# expects: forbidden delete a file
def deletes_in_thread(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        thread = threading.Thread(target=os.remove, args=(_VICTIM,))
        thread.start()
        thread.join()
    return 0


# expects: forbidden delete a file
def deletes_when_forgotten(x: int) -> int:
    if x < -100:
        return 2
    if x > 5:
        _Cleaner()
    return 0


# What is not there in an empty folder might be there in the user's.
# expects: forbidden delete a file
def deletes_what_is_not_there(x: int) -> int:
    if x > 100:
        return 2
    if x % 7 == 3:
        os.remove("zeroin-hostile-victim")
    return 0


# expects: forbidden remove a folder
def deletes_tree(x: int) -> int:
    if x > 100:
        return 2
    if x > 5:
        shutil.rmtree(_VICTIM)
    return 0


# expects: forbidden write a file
def overwrites(x: int) -> int:
    if x > 100:
        return 2
    if x > 5:
        with open(f"{_VICTIM}/file.txt", "w") as stream:
            stream.write("gone")
    return 0


# expects: forbidden write a file
def appends_above(x: int) -> int:
    if x == 77123:
        return 1
    if x > 5:
        pathlib.Path("../zeroin-hostile-victim").open("a").close()
    return 0


# expects: forbidden write a file
def opens_by_flags(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        os.close(os.open(_VICTIM, os.O_WRONLY | os.O_CREAT, 0o600))
    return 0


# expects: forbidden write a file
def copies(x: float) -> int:
    if x < -100.0:
        return 2
    if x > 5.0:
        shutil.copyfile(__file__, _VICTIM)
    return 0


# expects: forbidden
def touches(x: int) -> int:
    if x > 100:
        return 2
    if x > 5:
        pathlib.Path(_VICTIM).touch()
    return 0


# expects: forbidden rename a file
def renames(x: int) -> int:
    if x > 100:
        return 2
    if x % 7 == 3:
        os.rename(_VICTIM, f"{_VICTIM}-moved")
    return 0


# expects: forbidden rename a file
def replaces(x: int) -> int:
    if x == 77123:
        return 1
    if x > 5:
        os.replace(_VICTIM, "mine.txt")
    return 0


# expects: forbidden change a file
def hides(x: int) -> int:
    if x > 100:
        return 2
    if x > 5:
        os.chmod(_VICTIM, 0o700)
    return 0


# expects: forbidden make a folder
def makes_folder(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        os.makedirs(f"{_VICTIM}/new")
    return 0


# expects: forbidden make a link
def links(x: int) -> int:
    if x > 100:
        return 2
    if x > 5:
        os.symlink(_VICTIM, f"{_VICTIM}-link")
    return 0


# expects: forbidden open a database
def opens_database(x: int) -> int:
    if x > 100:
        return 2
    if x > 5:
        sqlite3.connect(f"{_VICTIM}.db").close()
    return 0
