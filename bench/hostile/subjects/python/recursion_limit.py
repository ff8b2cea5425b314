"""A function that leaves little stack to all that come after it."""

import sys


# expects: nothing
def lowers_limit(x: int) -> int:
    if x > 5:
        sys.setrecursionlimit(60)
    return 2 if x > 100 else 0
