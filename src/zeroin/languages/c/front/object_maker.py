"""The constructor call that makes an object, on which a member function is then called."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .parameters import CSignature


@dataclass(frozen=True)
class Constructor:
    """A constructor.

    Attributes:
        signature: signature of the constructor. Its name is the type and the object's variable: ``ns::C c``.
        symbol: name of its IR function. For an implicit constructor, this is a function of the adapter.
        header: ``define`` line of its IR function.
        size: size of an object in bytes.
        type: qualified name of the class.
        object: name of the object's variable in tests.
    """

    signature: CSignature
    symbol: str
    header: str
    size: int
    type: str
    object: str

    def named(self, method: CSignature) -> CSignature:
        """Return a member function's signature. Its name is the text of a call in tests: ``object.method``."""
        return replace(method, name=f"{self.object}.{method.call.rpartition('::')[2]}")
