"""A module that can not be imported: it raises."""


# expects: refused
def f(x: int) -> int:
    if x > 100:
        return 2
    return 0


raise RuntimeError("this module can not be imported")
