"""A file whose name is that of no module."""


# expects: nothing | undecided 1
def is_in_bad_file(x: int) -> int:
    if x > 100:
        return 2
    return 1 if x == 77123 else 0
