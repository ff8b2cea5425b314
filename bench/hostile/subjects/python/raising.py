"""Functions that raise on purpose, but nothing that is easy to handle: what they raise is how they behave."""

import warnings


class _Silent(Exception):
    def __str__(self):
        raise RuntimeError("no words for it")


class _Coded(Exception):
    """Can not be made again from its arguments."""

    def __init__(self, code, place):
        super().__init__(f"code {code}")
        self.place = place


class _Numbered(Exception):
    made = 0

    def __init__(self):
        _Numbered.made += 1
        super().__init__(f"number {_Numbered.made}")


# expects: nothing | undecided 1
def raises_own(x: int) -> int:
    if x > 100:
        raise ValueError(f"{x % 10} of many")
    return 1 if x == 77123 else 0


# expects: nothing
def raises_local(x: int) -> int:
    class Odd(Exception):
        pass

    if x % 2 == 1:
        raise Odd("an odd number")
    return 2 if x > 100 else 0


# Its class has a module, but is not to be found there.
# expects: nothing
def raises_made(x: int) -> int:
    if x > 5:
        raise type("Made", (Exception,), {})("made for this")
    return 2 if x < -100 else 0


# expects: nothing
def raises_silent(x: int) -> int:
    if x > 5:
        raise _Silent(x)
    return 2 if x < -100 else 0


# expects: nothing
def raises_coded(x: int) -> int:
    if x == 77123:
        raise _Coded(3, "here")
    return 2 if x > 100_000 else 0


# expects: nothing
def raises_numbered(x: int) -> int:
    if x > 5:
        raise _Numbered
    return 2 if x < -100 else 0


# expects: nothing
def raises_with_address(x: int) -> int:
    if x > 5:
        raise ValueError(f"bad object {object()!r}")
    return 2 if x < -100 else 0


# expects: nothing
def chains(x: int) -> int:
    if x > 100:
        return 2
    try:
        return 100 // (x - 7)
    except ZeroDivisionError as error:
        raise ValueError("there is no seventh") from error


# expects: nothing
def raises_surrogates(x: int) -> int:
    if x > 5:
        raise ValueError("\ud800 is half of a letter\x00")
    return 2 if x < -100 else 0


# expects: nothing
def raises_quotes(x: int) -> int:
    if x > 5:
        raise KeyError("""'"'" \\ {x} %s\n[a-z]*(""")
    return 2 if x < -100 else 0


# expects: nothing
def raises_at_length(x: int) -> int:
    if x == 77123:
        return 1
    if x > 5:
        raise ValueError("long " * 20_000)
    return 0


# expects: nothing
def raises_many_arguments(x: int) -> int:
    if x > 5:
        raise OSError(2, "no such thing", "there")
    return 2 if x < -100 else 0


# expects: nothing
def raises_stop(x: int) -> int:
    if x > 100:
        return 2
    if x > 5:
        raise StopIteration(x % 10)
    return 0


# expects: nothing
def asserts_by_hand(x: int) -> int:
    if x > 5:
        raise AssertionError("by hand")
    return 2 if x < -100 else 0


# expects: nothing
def raises_itself_as_cause(x: int) -> int:
    if x > 5:
        error = ValueError("its own cause")
        raise error from error
    return 2 if x < -100 else 0


# expects: nothing
def warns(x: int) -> int:
    if x > 5:
        warnings.warn("this is old", DeprecationWarning, stacklevel=2)
    return 2 if x > 100 else 0
