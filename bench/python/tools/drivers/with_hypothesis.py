"""Draws examples from the type hints' strategies, and keeps those that take a new branch."""

from __future__ import annotations

import inspect
import json
import sys
import time
import typing
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from inside import Tracer, call_text, load

_ROUND = 2000


class Enough(KeyboardInterrupt):
    """Hypothesis lets it through."""


def main(path: str) -> None:
    """Rounds with one seed after the other."""
    job, function = load(path)
    deadline = time.monotonic() + job["seconds"]
    tracer = Tracer(function, job["source"], job["branches"])
    hints = typing.get_type_hints(function)
    strategies = [st.from_type(hints[name]) for name in inspect.signature(function).parameters]
    kept: list[str] = []

    def example(arguments: tuple[object, ...]) -> None:
        text = call_text(job["function"], list(arguments))
        if tracer.run(lambda: function(*arguments)):
            kept.append(text)
        if tracer.complete or time.monotonic() > deadline:
            raise Enough

    options = settings(
        max_examples=_ROUND,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    number = job["seed"] * 1_000_000
    try:
        while True:
            number += 1
            seed(number)(options(given(st.tuples(*strategies))(example)))()
    except Enough:
        pass
    Path(job["answer"]).write_text(json.dumps(kept))


if __name__ == "__main__":
    main(sys.argv[1])
