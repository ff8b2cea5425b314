# expects: refused
def f(x: int) -> int:
    if x > 100
        return 2
    return 0
