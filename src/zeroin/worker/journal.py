"""A file of the inputs found so far, from which a later search of the same target can start (``--resume``).

Inputs are stored as ordered words (:mod:`zeroin.words`): 64-bit integers in the order of the values that they encode.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..subject.base import Signature, Target, Words

_LONGEST = 300  # characters of a call shown in the file


class Journal:
    """The journal of one target: a JSON line that identifies the target, and one JSON line for each input.

    Args:
        folder: the folder of the file; it is created before the first write.
        target: the target.

    Attributes:
        trouble: why writing failed; empty if it did not. No further inputs are written after a failure. It is never
            reset.
    """

    def __init__(self, folder: Path, target: Target) -> None:
        name = hashlib.sha256(f"{target.path.resolve()}:{target.function}".encode(errors="surrogatepass")).hexdigest()
        self._folder, self._path, self._target = folder, folder / f"{name[:16]}.jsonl", target
        self._signature: Signature | None = None
        self._written: set[Words] = set()
        self.trouble = ""

    def read(self, signature: Signature) -> tuple[int, list[Words]]:
        """Read the journal.

        Returns:
            The number of searches that have written to it, and their inputs that fit the signature; 0 and no inputs if
            there is no such file, if the parameters have changed, or if the file is damaged.
        """
        entries = list(self._entries())
        searches = entries[0].get("searches", 0) if entries else None
        if not isinstance(searches, int) or entries[0].get("kinds") != _kinds(signature):
            return 0, []
        ranges = signature.ranges()
        found = [tuple(entry["words"]) for entry in entries[1:] if _are_words(entry.get("words"), ranges)]
        return searches, list(dict.fromkeys(found))

    def open(self, signature: Signature, resume: bool) -> tuple[tuple[int, list[Words]], list[str]]:
        """Begin a new journal; keep the inputs of earlier searches if ``resume`` is set, else discard them.

        Returns:
            The result of :meth:`read` (0 and no inputs without ``resume``), and notes for the user, mostly none.
        """
        earlier: tuple[int, list[Words]] = self.read(signature) if resume else (0, [])
        self.begin(signature, earlier[0] + 1, earlier[1])
        nothing = "nothing to resume: no earlier search has found inputs for this signature"
        return earlier, [nothing] if resume and not earlier[1] else []

    def begin(self, signature: Signature, searches: int, known: Sequence[Words]) -> None:
        """Write a new journal in place of an old one. A failure is noted in ``trouble``.

        Args:
            signature: the target's signature.
            searches: the number of searches so far, including this one.
            known: inputs to begin with.
        """
        self._signature, self._written = signature, set(known)
        head = {"target": self._target.text, "kinds": _kinds(signature), "searches": searches}
        new = self._path.with_suffix(".new")
        with self._noting_trouble():
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / ".gitignore").write_text("*\n")
            new.write_text("".join(json.dumps(entry) + "\n" for entry in [head, *map(self._entry, known)]))
            new.replace(self._path)

    def note(self, words: Words) -> None:
        """Append an input, unless it is already there or writing has failed before. Call :meth:`begin` first.

        A failure is noted in ``trouble``.
        """
        if not self.trouble and words not in self._written:
            self._written.add(words)
            with self._noting_trouble(), self._path.open("a") as file:
                file.write(json.dumps(self._entry(words)) + "\n")

    def _entry(self, words: Words) -> dict[str, object]:
        """Return the line of an input as data: its words, and the start of its call as text."""
        assert self._signature is not None
        return {"words": words, "call": self._signature.show(words)[:_LONGEST]}

    @contextlib.contextmanager
    def _noting_trouble(self) -> Iterator[None]:
        """Note an error of the file system in ``trouble`` instead of raising it."""
        try:
            yield
        except OSError as error:
            self.trouble = f"{self._path}: {error.strerror}"

    def _entries(self) -> Iterator[dict[str, Any]]:
        """Yield all complete lines; none of an unreadable file. A killed search may have left an incomplete one."""
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
    """Return whether data from a file are the words of an input with these ranges."""
    return (
        isinstance(found, list)
        and len(found) == len(ranges)
        and all(type(word) is int and low <= word <= high for word, (low, high) in zip(found, ranges, strict=True))
    )
