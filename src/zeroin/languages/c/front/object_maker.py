"""What makes an object whose member function is called."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .parameters import CSignature


@dataclass(frozen=True)
class Maker:
    """A constructor.

    Attributes:
        signature: what it is given.
        symbol: its name in IR.
        header: its ``define`` line there.
        size: of an object, in bytes.
        type: the qualified name of its class.
        object: what tests call an object.
    """

    signature: CSignature
    symbol: str
    header: str
    size: int
    type: str
    object: str

    def named(self, method: CSignature) -> CSignature:
        """The signature of a member function, as it is called."""
        return replace(method, name=f"{self.object}.{method.call.rpartition('::')[2]}")
