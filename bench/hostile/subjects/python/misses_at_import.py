"""A module that can not be imported: it needs another one that nobody has."""

import zeroin_hostile_missing


# expects: refused
def f(x: int) -> int:
    if x > 100:
        return zeroin_hostile_missing.two
    return 0
