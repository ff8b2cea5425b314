"""A module that can not be imported: it ends the process."""

import os


# expects: refused
def f(x: int) -> int:
    if x > 100:
        return 2
    return 0


os._exit(3)
