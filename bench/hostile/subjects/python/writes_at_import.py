"""A module that tries to write to somebody else's file when it is imported."""

import pathlib

pathlib.Path("/tmp/zeroin-hostile-victim").write_text("gone")


# expects: refused
def f(x: int) -> int:
    if x > 100:
        return 2
    return 0
