"""The report as a folder of HTML pages: an index, the annotated sources, and a page for each function.

The pages need no server and no network. Nothing here is imported unless such a report is written.
"""

from __future__ import annotations

from .pages import fragment, prepare_folder, write_pages

__all__ = ["fragment", "prepare_folder", "write_pages"]
