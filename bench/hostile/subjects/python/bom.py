"""A file that begins with a byte order mark."""


# expects: nothing | undecided 1
def is_behind_mark(x: int) -> int:
    if x > 100:
        return 2
    return 1 if x == 77123 else 0
