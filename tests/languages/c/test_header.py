"""C's constants are Python's."""

from __future__ import annotations

from zeroin.languages.c.run.cells_header import PATH, text


def test_the_header_is_made_from_the_constants() -> None:
    assert PATH.read_text() == text(), "run python -m zeroin.languages.c.run.cells_header"
