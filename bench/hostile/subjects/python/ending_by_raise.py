"""Functions that raise what is no ordinary exception."""


class _Farewell(BaseException):
    pass


# expects: nothing
def raises_own_base(x: int) -> int:
    if x > 100:
        raise _Farewell(f"{x} is too much")
    return 1 if x == 77 else 0


# expects: nothing
def raises_interrupt(x: int) -> int:
    if x == 77123:
        return 1
    if x > 5:
        raise KeyboardInterrupt
    return 0


# expects: nothing
def raises_generator_exit(x: int) -> int:
    if x < -100:
        return 1
    if x > 5:
        raise GeneratorExit("out")
    return 0


# expects: nothing
def raises_group(x: int) -> int:
    if x == 77123:
        return 1
    if x > 5:
        raise ExceptionGroup("two", [ValueError("first"), TypeError("second")])
    return 0


# expects: nothing
def splits_group(x: int) -> int:
    result = 0
    try:
        if x > 5:
            raise ExceptionGroup("one", [ValueError("only")])
    except* ValueError:
        result = 1
    return 2 if x > 100 else result
