"""Atheris: libFuzzer for Python, with floats by ``ConsumeFloat`` and from raw bits; the inputs are its corpus."""

from __future__ import annotations

from .base import ToolRun, Work, drive, ensure_venv

TITLE = "Atheris: arguments by `ConsumeFloat` and the like, and from raw bits"
MODES = ("consume", "bits")
DETERMINISTIC = False
_PINS = ("atheris==3.0.0",)


def version() -> str:
    """As pinned."""
    return ", ".join(_PINS)


def run(work: Work) -> ToolRun:
    """One run to fuzz, one to turn the corpus into calls: libFuzzer ends the process that fuzzes."""
    python = ensure_venv("atheris", *_PINS)
    corpus = work.folder / "corpus"
    corpus.mkdir()
    fuzzed = drive(python, "with_atheris.py", work, 2 * work.seconds + 30, corpus=str(corpus), decode=False)
    decoded = drive(python, "with_atheris.py", work, 60, corpus=str(corpus), decode=True)
    return ToolRun(decoded.inputs, seconds=fuzzed.seconds, note=fuzzed.note or decoded.note)
