"""Functions that ask for more memory than there is, at once or little by little, or keep what they got."""

import functools
import mmap

_kept = []


@functools.cache
def _blob(n):
    return bytes(100_000 + n % 2)


# expects: crash memory
def asks_too_much(x: int) -> int:
    if x > 100:
        return 2
    return len([0] * 10**12) if x > 5 else 0


# expects: crash memory
def asks_for_long_text(x: int) -> int:
    if x == 77123:
        return 1
    if x % 7 == 3:
        return len("ab" * 10**13)
    return 0


# expects: crash memory
def asks_for_buffer(x: float) -> int:
    if x < -100.0:
        return 2
    if x > 5.0:
        return len(bytearray(1 << 44))
    return 0


# expects: crash memory
def asks_for_all_numbers(x: int) -> int:
    if x > 100:
        return 2
    if x > 5:
        return len(list(range(10**12)))
    return 0


# expects: crash memory
def shifts_far(x: int) -> int:
    if x > 100:
        return 2
    return (1 << 10**13) % 7 if x == 4 else 0


# expects: abnormal
def doubles_text(x: int) -> int:
    text = "x"
    if x > 100:
        return 2
    while x == 4:
        text += text
    return len(text)


# expects: crash memory
def grows_list(x: int) -> int:
    data = []
    if x == 77123:
        return 1
    while x == 4:
        data.append(bytes(10**8))
    return 2 if x > 100 else 0


# expects: crash memory
def grows_dict(x: int) -> int:
    table = {}
    if x > 100:
        return 2
    while x == 4:
        table[len(table)] = bytes(10**7)
    return len(table)


# expects: exception OSError
def maps_too_much(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        mmap.mmap(-1, 1 << 50)
    return 0


# expects: nothing
def catches_shortage(x: int) -> int:
    try:
        if x > 5:
            return len([0] * 10**17)
    except MemoryError:
        return 2 if x > 100 else 1
    return 0


# expects: nothing
def leaks(x: int) -> int:
    _kept.append(bytes(100_000))
    if x > 100:
        return 2
    return 1 if x == 77 else 0


# expects: nothing
def leaks_into_cache(x: int) -> int:
    if x > 100:
        return 2
    return len(_blob(x)) if x > 5 else 0


# expects: nothing
def leaks_in_circles(x: int) -> int:
    circle = [bytes(100_000)]
    circle.append(circle)
    if x == 77123:
        return 1
    return len(circle) if x > 5 else 0


# expects: nothing
def returns_much(x: int) -> bytes:
    if x > 100:
        return b"short"
    return bytes(50_000_000) if x == 4 else b""
