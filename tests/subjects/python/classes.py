"""Classes that keep something between calls."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import IO


class Full(Exception):
    pass


class Stack:
    """Of integers."""

    def __init__(self, capacity: int) -> None:
        if capacity < 1:
            raise ValueError("no room")
        self.items: list[int] = []
        self.capacity = capacity

    def push(self, x: int) -> None:
        if len(self.items) == self.capacity:
            raise Full(f"only {self.capacity}")
        self.items.append(x)

    def pop(self) -> int:
        return self.items.pop()

    def peek(self) -> int | None:
        return self.items[-1] if self.items else None

    def __len__(self) -> int:
        return len(self.items)

    def __contains__(self, x: int) -> bool:
        return self.items.count(x) > 0

    def save(self, file: IO[str]) -> None:
        file.write(str(self.items))


class Vault:
    """Has to be opened with its code, read twice, and closed."""

    def __init__(self) -> None:
        self.open_, self.reads = False, 0

    def open(self, code: int) -> None:
        self.open_, self.reads = code == 4711, 0

    def read(self) -> int:
        if not self.open_:
            raise RuntimeError("closed")
        self.reads += 1
        return self.reads

    def close(self) -> str:
        done, self.open_ = self.reads, False
        if done == 2:
            return "as it should be"
        return "too early or too late"


class Shape(ABC):
    @abstractmethod
    def area(self) -> float: ...


class Reader:
    def __init__(self, file: IO[str]) -> None:
        self.file = file

    def first(self) -> str:
        return self.file.readline()


def above(x: int) -> int:
    return 1 if x > 3 else 2
