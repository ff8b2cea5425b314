"""``zeroin boundary``: find inputs on the boundary of each comparison, and next to it on either side.

A boundary may also be proved unreachable (Fu & Su 2016, section 4.4.2). The command is ``cover`` with other goals.
"""

from __future__ import annotations

from .cover import run

__all__ = ["run"]
