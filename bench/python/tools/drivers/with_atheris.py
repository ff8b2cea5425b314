"""Fuzzes a function, arguments by their types; or turns the corpus into calls."""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import inspect
import json
import struct
import sys
import types
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import atheris
from inside import call_text, load

_LONGEST = 16


class Consumer:
    """Makes values of bytes."""

    def __init__(self, data: bytes, bits: bool) -> None:
        self._data = atheris.FuzzedDataProvider(data)
        self._bits = bits

    def value(self, hint: Any) -> object:
        """Of any type that the benchmark's functions have."""
        origin, parts = typing.get_origin(hint), typing.get_args(hint)
        if origin is typing.Literal:
            return parts[self._choice(len(parts))]
        if origin in (typing.Union, types.UnionType):
            return self.value(parts[self._choice(len(parts))])
        if origin is list:
            return [self.value(parts[0]) for _ in range(self._choice(_LONGEST + 1))]
        if hint is type(None):
            return None
        if hint is bool:
            return self._data.ConsumeBool()
        if hint is int:
            return self._integer()
        if hint is float:
            return self._float()
        if hint is str:
            return self._text()
        if isinstance(hint, type) and issubclass(hint, enum.Enum):
            return list(hint)[self._choice(len(hint))]
        if isinstance(hint, type) and dataclasses.is_dataclass(hint):
            return hint(*(self.value(h) for h in typing.get_type_hints(hint).values()))
        raise TypeError(f"no value of {hint}")

    def _choice(self, number: int) -> int:
        return self._data.ConsumeIntInRange(0, number - 1)

    def _integer(self) -> int:
        if self._bits:
            return int.from_bytes(self._data.ConsumeBytes(8), "little", signed=True)
        return self._data.ConsumeInt(8)

    def _float(self) -> float:
        if self._bits:
            return struct.unpack("<d", self._data.ConsumeBytes(8).ljust(8, b"\0"))[0]
        return self._data.ConsumeFloat()

    def _text(self) -> str:
        if self._bits:
            return self._data.ConsumeBytes(self._choice(_LONGEST + 1)).decode("latin-1")
        return self._data.ConsumeUnicodeNoSurrogates(_LONGEST)


def main(path: str) -> None:
    """libFuzzer ends the process itself when its time is up."""
    atheris.enabled_hooks.add("str")
    with atheris.instrument_imports(include=[Path(json.loads(Path(path).read_text())["source"]).stem]):
        job, function = load(path)
    hints = typing.get_type_hints(function)
    order = [hints[name] for name in inspect.signature(function).parameters]

    def arguments(data: bytes) -> list[object]:
        consumer = Consumer(data, job["mode"] == "bits")
        return [consumer.value(hint) for hint in order]

    if job["decode"]:
        _decode(job, arguments)
        return

    def one(data: bytes) -> None:
        values = arguments(data)
        with contextlib.suppress(Exception):
            function(*values)

    flags = [f"-max_total_time={max(1, round(job['seconds']))}", f"-seed={job['seed'] + 1}", "-max_len=256"]
    atheris.Setup([sys.argv[0], *flags, "-verbosity=0", job["corpus"]], one)
    atheris.Fuzz()


def _decode(job: dict[str, Any], arguments: Callable[[bytes], list[object]]) -> None:
    """An empty input is always tried first by libFuzzer, and not kept."""
    contents = [b"", *(file.read_bytes() for file in sorted(Path(job["corpus"]).iterdir()))]
    texts = dict.fromkeys(call_text(job["function"], arguments(data)) for data in contents)
    Path(job["answer"]).write_text(json.dumps(list(texts)))


if __name__ == "__main__":
    main(sys.argv[1])
