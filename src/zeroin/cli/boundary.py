"""``zeroin boundary``: for each comparison an input on its boundary and one next to it on either side, or a proof that
there is none: a ``cover`` that looks for nothing else (Fu & Su 2016, section 4.4.2)."""

from __future__ import annotations

from .cover import run

__all__ = ["run"]
