"""What a search finds, written to a file as it is found; a later search of the same target can start from it."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..subject.base import Signature, Target, Words

_LONGEST = 300  # characters of a call


class Journal:
    """Of one target: a line of JSON that says what it belongs to, and one for each input.

    Args:
        folder: where the file is; made when there is something to write.
        target: whose inputs.

    Attributes:
        trouble: why nothing is written any more; empty if all is.
    """

    def __init__(self, folder: Path, target: Target) -> None:
        name = hashlib.sha256(f"{target.path.resolve()}:{target.function}".encode(errors="surrogatepass")).hexdigest()
        self._folder, self._path, self._target = folder, folder / f"{name[:16]}.jsonl", target
        self._signature: Signature | None = None
        self._written: set[Words] = set()
        self.trouble = ""

    def read(self, signature: Signature) -> tuple[int, list[Words]]:
        """How many searches have written to it, and the inputs that fit the signature; none if there is no file."""
        entries = list(self._entries())
        if not entries or entries[0].get("kinds") != _kinds(signature):
            return 0, []
        ranges = signature.ranges()
        found = [tuple(entry["words"]) for entry in entries[1:] if _are_words(entry.get("words"), ranges)]
        return int(entries[0].get("searches", 0)), list(dict.fromkeys(found))

    def open(self, signature: Signature, resume: bool) -> tuple[tuple[int, list[Words]], list[str]]:
        """Start anew, from what is there if that is wanted; what :meth:`read` says, and notes for the user."""
        earlier: tuple[int, list[Words]] = self.read(signature) if resume else (0, [])
        self.begin(signature, earlier[0] + 1, earlier[1])
        nothing = "there is nothing to resume: no earlier search has found inputs that fit"
        return earlier, [nothing] if resume and not earlier[1] else []

    def begin(self, signature: Signature, searches: int, known: Sequence[Words]) -> None:
        """Start anew, with inputs that are known; ``searches`` have written to it, this one included."""
        self._signature, self._written = signature, set(known)
        head = {"target": self._target.text, "kinds": _kinds(signature), "searches": searches}
        new = self._path.with_suffix(".new")
        with self._noting_trouble():
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / ".gitignore").write_text("*\n")
            new.write_text("".join(json.dumps(entry) + "\n" for entry in [head, *map(self._entry, known)]))
            new.replace(self._path)

    def note(self, words: Words) -> None:
        """Add what was found."""
        if not self.trouble and words not in self._written:
            self._written.add(words)
            with self._noting_trouble(), self._path.open("a") as file:
                file.write(json.dumps(self._entry(words)) + "\n")

    def _entry(self, words: Words) -> dict[str, Any]:
        assert self._signature is not None
        return {"words": words, "call": self._signature.show(words)[:_LONGEST]}

    @contextlib.contextmanager
    def _noting_trouble(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.trouble = f"{self._path}: {error.strerror}"

    def _entries(self) -> Iterator[dict[str, Any]]:
        """All whole lines; a search that is killed may leave half of one."""
        try:
            text = self._path.read_text(errors="replace")
        except OSError:
            return
        for line in text.splitlines():
            with contextlib.suppress(ValueError):
                entry = json.loads(line)
                if isinstance(entry, dict):
                    yield entry


def _kinds(signature: Signature) -> list[str]:
    return [kind.name for kind in signature.kinds]


def _are_words(found: object, ranges: Sequence[tuple[int, int]]) -> bool:
    return (
        isinstance(found, list)
        and len(found) == len(ranges)
        and all(type(word) is int and low <= word <= high for word, (low, high) in zip(found, ranges, strict=True))
    )
