"""Runs under angr's own Python: inputs of a compiled function, a line of JSON each, and ``exhausted`` when every path
has been followed to its end. ``JOB`` is a JSON file with the
program, the function's symbol and prototype, its parameters (bits of a word, how many words, whether it is a pointer)
and the seconds."""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Any

import angr
import claripy

_AREA, _STEP = 0x7100_0000, 0x1000  # where what pointers point to lies

Key = tuple[int | None, int]  # the block before, and the block


def main(job: dict[str, Any]) -> None:
    """Breadth first, angr's default, until the time is up; the caller ends what takes longer."""
    until = time.monotonic() + job["seconds"]
    project = angr.Project(job["program"], load_options={"auto_load_libs": True})
    words, arguments, areas = symbols(job["parameters"])
    symbol = project.loader.find_symbol(job["symbol"])
    state = project.factory.call_state(
        symbol.rebased_addr, *arguments, prototype=job["prototype"],
        add_options={angr.options.ZERO_FILL_UNCONSTRAINED_MEMORY, angr.options.ZERO_FILL_UNCONSTRAINED_REGISTERS},
    )  # fmt: skip
    for address, own in areas:
        for number, word in enumerate(own):
            state.memory.store(address + number * (word.size() // 8), word, endness=project.arch.memory_endness)
    manager = project.factory.simgr(state)
    seen, told = set[Key](), 0
    while manager.active and time.monotonic() < until:
        manager.step()
        fresh = [s for s in manager.active if is_new(s, seen)]
        ended = manager.deadended
        for reached in (*fresh, *ended[told:]):
            if reached.satisfiable():
                print(json.dumps([reached.solver.eval(word) for word in words]), flush=True)
        told = len(ended)
    if not manager.active and not manager.errored and not manager.unconstrained:
        print("exhausted", flush=True)


def symbols(parameters: list[dict[str, Any]]) -> tuple[list[Any], list[Any], list[tuple[int, list[Any]]]]:
    """All words, the arguments, and what stands where pointers point to."""
    words, arguments, areas = list[Any](), list[Any](), list[tuple[int, list[Any]]]()
    for number, parameter in enumerate(parameters):
        own = [claripy.BVS(f"w{number}_{k}", parameter["bits"]) for k in range(parameter["words"])]
        words += own
        if parameter["pointer"]:
            areas.append((_AREA + number * _STEP, own))
            arguments.append(claripy.BVV(areas[-1][0], 64))
        else:
            arguments.append(own[0].raw_to_fp() if parameter["float"] else own[0])
    return words, arguments, areas


def is_new(state: Any, seen: set[Key]) -> bool:
    """Whether no state came to this block from the block before it."""
    blocks = state.history.bbl_addrs.hardcopy
    key = (blocks[-1] if blocks else None, state.addr)
    if key in seen:
        return False
    seen.add(key)
    return True


if __name__ == "__main__":
    logging.getLogger().setLevel(logging.CRITICAL)
    for name in ("angr", "cle", "pyvex", "claripy"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with open(sys.argv[1]) as file:
        main(json.load(file))
