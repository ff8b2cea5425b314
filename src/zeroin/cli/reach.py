"""``zeroin reach``: find an input that reaches a line or takes a branch, or prove that there is none.

The command is ``cover`` with one goal (Fu & Su 2016, section 4.4.1).
"""

from __future__ import annotations

from .cover import run

__all__ = ["run"]
