"""Control flow of a function's blocks: loops, and what can be entered at all."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .ir import Block, Function


def add_fuel(function: Function) -> None:
    """Burn fuel on entry and at every loop header, in place."""
    for label in {function.blocks[0].label, *_loop_headers(function)}:
        block = next(b for b in function.blocks if b.label == label)
        at = next(n for n, line in enumerate(block.lines) if " = phi " not in line and " landingpad " not in line)
        block.lines.insert(at, "  call void @zeroin_burn()")


def live_blocks(function: Function) -> list[Block]:
    """The blocks that control can enter: ``sizeof x == 4 ? ... : ...`` leaves code behind that it can not."""
    blocks = {b.label: b for b in function.blocks}
    seen, queue = {function.blocks[0].label}, [function.blocks[0].label]
    while queue:
        block = blocks[queue.pop()]
        constant = re.search(r"br i1 (true|false), ", block.terminator)
        targets = block.successors
        if constant:
            targets = targets[:1] if constant[1] == "true" else targets[1:]
        for target in targets:
            if target not in seen:
                seen.add(target)
                queue.append(target)
    return [b for b in function.blocks if b.label in seen]


def _loop_headers(function: Function) -> set[str]:
    """Targets of the edges that go back to a block on the current depth-first path."""
    blocks = {b.label: b for b in function.blocks}
    headers, state = set(), dict.fromkeys(blocks, 0)
    stack: list[tuple[str, Iterable[str]]] = []

    def enter(label: str) -> None:
        state[label] = 1
        stack.append((label, iter(blocks[label].successors)))

    enter(function.blocks[0].label)
    while stack:
        label, successors = stack[-1]
        following = next(iter(successors), None)
        if following is None:
            state[label] = 2
            stack.pop()
        elif state[following] == 1:
            headers.add(following)
        elif state[following] == 0:
            enter(following)
    return headers
