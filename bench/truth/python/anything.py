"""An object for parameters without a type: whatever is done with it may come out in any way."""

from __future__ import annotations

import random
from typing import Any


class Anything:
    """Comparisons, truth, membership and ``len`` are drawn, and so are attributes, items and results of calls; the same
    seed behaves alike in every run.

    Args:
        seed: of what is drawn.
    """

    def __init__(self, seed: int) -> None:
        self._drawn = random.Random(seed)

    def _decides(self, *_: Any) -> bool:
        return self._drawn.random() < 0.5

    def _value(self, *_: Any, **__: Any) -> Any:
        return self._drawn.choice((0, 1, 2, 3, 5, 7, -4, True, False, None, "a", 0.5, self))

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = _decides
    __bool__ = _decides
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __and__ = __rand__ = __mod__ = _value
    __call__ = __getitem__ = __neg__ = __abs__ = __rshift__ = __xor__ = __or__ = _value
    __hash__ = object.__hash__

    def __len__(self) -> int:
        return self._drawn.randrange(4)

    def __int__(self) -> int:
        return self._drawn.randrange(-3, 9)

    __index__ = __int__

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._value()
