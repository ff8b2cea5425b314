"""A call of a function, as far as it has been carried out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from .code import Code
from .values import BlockValue

OF_OBJECTS = "@"  # the names of hidden variables of the outermost call that hold what attributes are begin so


@dataclass
class Frame:
    """A call.

    Attributes:
        code: of the function.
        globals: where it looks for names.
        stack: the calls up to it, by place.
        at: the next instruction.
        variables: what they hold.
        values: the stack of values, the top last.
        outer: the stack of the call that the function was defined in; None outside of one.
        discards: whether nobody wants what it returns: it is an ``__init__``.
    """

    code: Code
    globals: Mapping[str, object]
    stack: tuple[int, ...] = ()
    at: int = 0
    variables: dict[str, BlockValue] = field(default_factory=dict)
    values: list[BlockValue] = field(default_factory=list)
    discards: bool = False
    outer: tuple[int, ...] | None = None

    def copy(self) -> Frame:
        return replace(self, variables=dict(self.variables), values=list(self.values))

    def drop_dead(self) -> None:
        """Forget what nobody reads any more."""
        live = self.code.live[self.at]
        if self.at:  # a call may be under way: it may raise an exception, or decide where this goes on
            step = self.code.body[self.at - 1]
            labels = [*step.labels, *([step.handler[0]] if step.handler is not None else [])]
            live = live.union(*(self.code.live[label.at] for label in labels))
        self.variables = {name: self.variables[name] for name in sorted(self.variables)
                          if name in live or name in self.code.captured or name.startswith(OF_OBJECTS)}  # fmt: skip

    @property
    def holdings(self) -> Iterator[tuple[str, BlockValue]]:
        """All that it holds, with names."""
        yield from self.variables.items()
        yield from ((f"#{n}", value) for n, value in enumerate(self.values))
