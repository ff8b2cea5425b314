"""``zeroin reach``: an input that comes to a line or takes a branch, or a proof that there is none: a ``cover`` that
looks for nothing else (Fu & Su 2016, section 4.4.1)."""

from __future__ import annotations

from .cover import run

__all__ = ["run"]
