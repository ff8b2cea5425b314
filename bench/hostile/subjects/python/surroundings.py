"""Functions that change the process around them: the interpreter, its modules, folders and streams."""

import builtins
import gc
import io
import math
import os
import sys
import warnings

_files = []


def _ignore(frame, event, argument):
    return None


def _count(items):
    return items.__len__()


def _nothing(*values):
    return 0


# expects: nothing
def sets_environment(x: int) -> int:
    if x > 5:
        os.environ["ZEROIN_HOSTILE"] = str(x % 10)
    return 2 if x > 100 else 0


# expects: nothing
def empties_environment(x: int) -> int:
    if x > 5:
        os.environ.clear()
    return 2 if x > 100 else 0


# expects: nothing
def changes_folder(x: int) -> int:
    if x > 5:
        os.chdir("/")
    return 2 if x > 100 else 0


# expects: nothing
def changes_mask(x: int) -> int:
    if x > 5:
        os.umask(0o077)
    return 2 if x > 100 else 0


# expects: nothing
def traces(x: int) -> int:
    if x > 5:
        sys.settrace(_ignore)
    return 2 if x > 100 else 0


# expects: nothing
def profiles(x: int) -> int:
    if x == 4:
        sys.setprofile(_ignore)
    return 2 if x > 100 else 0


# expects: nothing
def replaces_len(x: int) -> int:
    if x > 5:
        builtins.len = _count
    return 2 if x > 100 else 0


# expects: nothing
def breaks_len(x: int) -> int:
    if x > 5:
        builtins.len = lambda items: 0
    return 2 if x > 100 else 0


# expects: nothing
def breaks_sqrt(x: int) -> int:
    if x > 5:
        math.sqrt = _nothing
    return 2 if x > 100 else 0


# expects: nothing
def uses_broken_floor(x: float) -> int:
    if x > 5.0:
        math.floor = _nothing
    return math.floor(2.5) if x < 1000.0 else 7


# expects: nothing
def forgets_itself(x: int) -> int:
    if x > 5:
        sys.modules.pop(__name__, None)
    return 2 if x > 100 else 0


# expects: nothing
def forgets_modules(x: int) -> int:
    if x == 4:
        for name in ("json", "decimal", "fractions", "datetime"):
            sys.modules.pop(name, None)
    return 2 if x > 100 else 0


# expects: nothing
def changes_path(x: int) -> int:
    if x > 5:
        sys.path.insert(0, "/zeroin-hostile")
    return 2 if x > 100 else 0


# expects: nothing
def makes_warnings_errors(x: int) -> int:
    if x > 5:
        warnings.simplefilter("error")
    return 2 if x > 100 else 0


# expects: nothing
def stops_collecting(x: int) -> int:
    if x > 5:
        gc.disable()
    return 2 if x > 100 else 0


# expects: nothing
def prints_much(x: int) -> int:
    if x == 4:
        print("noise " * 10_000)
        print("noise", file=sys.stderr)
        os.write(1, b"noise\n" * 100)
    return 2 if x > 100 else 0


# expects: nothing
def replaces_stdout(x: int) -> int:
    if x > 5:
        sys.stdout = io.StringIO()
        print("nobody reads this")
    return 2 if x > 100 else 0


# expects: nothing
def has_no_stdout(x: int) -> int:
    if x > 5:
        sys.stdout = sys.stderr = None
    return 2 if x > 100 else 0


# expects: nothing
def leaves_closed_stdout(x: int) -> int:
    if x > 5:
        sys.stdout = open(os.devnull, "w")
        sys.stdout.close()
    return 2 if x > 100 else 0


# expects: nothing
def leaks_files(x: int) -> int:
    if x > 5:
        _files.append(open(os.devnull))
    return 2 if x > 100 else 0


# What it closes is not its own.
# expects: abnormal
def closes_descriptors(x: int) -> int:
    if x == 77123:
        return 1
    if x > 5:
        os.closerange(3, 256)
    return 0
