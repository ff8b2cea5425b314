"""The page with the results: one part of the bench writes its section, and leaves those of the others."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).with_name("RESULTS.md")


def write_section(text: str, page: Path = PAGE) -> None:
    """Put a section, which begins with its heading, in the place of the one of the same heading, or at the end."""
    heading = text.partition("\n")[0]
    old = page.read_text() if page.exists() else ""
    sections = [part for part in re.split(r"^(?=# )", old, flags=re.MULTILINE) if part.strip()]
    headings = [part.partition("\n")[0] for part in sections]
    if heading in headings:
        sections[headings.index(heading)] = text
    else:
        sections.append(text)
    page.write_text("\n".join(part.strip("\n") + "\n" for part in sections))
