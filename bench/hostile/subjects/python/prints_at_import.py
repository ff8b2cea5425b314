"""A module that talks when it is imported."""

import sys

print("this is printed at import")
print("this as well", file=sys.stderr)


# expects: nothing
def is_printed_before(x: int) -> int:
    if x > 100:
        return 2
    return 1 if x % 7 == 3 else 0
