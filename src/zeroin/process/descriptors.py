"""Wait for file descriptors."""

from __future__ import annotations

import math
import select
from collections.abc import Sequence

_LONGEST = 86_400.0  # seconds: Linux takes at most 2**31 milliseconds


def poll(descriptors: Sequence[int], seconds: float = math.inf, ending: int | None = None) -> list[int]:
    """Wait until a descriptor is readable or closed. Return those that are; none if that takes too long.

    Args:
        descriptors: the descriptors to wait for.
        seconds: the time limit; 0 or less: do not wait. Of a limit of more than a day, only the first day is waited.
        ending: a further descriptor, of which only the closing counts. The result contains it then, too.
    """
    watched = select.poll()
    for descriptor in descriptors:
        watched.register(descriptor, select.POLLIN)
    if ending is not None:
        watched.register(ending, 0)
    milliseconds = None if math.isinf(seconds) else math.ceil(1000 * min(max(0.0, seconds), _LONGEST))
    return [descriptor for descriptor, _ in watched.poll(milliseconds)]
