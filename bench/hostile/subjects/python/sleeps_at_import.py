"""A module that takes its time to be imported."""

import time

time.sleep(0.5)


# expects: nothing | undecided 1
def is_late(x: int) -> int:
    if x > 100:
        return 2
    return 1 if x == 77123 else 0
