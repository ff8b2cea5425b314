"""A file whose name has a space in it."""


# expects: exception ZeroDivisionError
def is_in_spaced_file(x: int) -> int:
    if x > 100:
        return 2
    return 1 // (x - 7) if x == 7 else 0
