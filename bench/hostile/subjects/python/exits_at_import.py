"""A module that can not be imported: it exits."""

import sys


# expects: refused
def f(x: int) -> int:
    if x > 100:
        return 2
    return 0


sys.exit()
