"""Generate ``runtime/cells.h``: the constants of :mod:`zeroin.native.cells` that C code needs.

``python -m zeroin.languages.c.run.cells_header`` writes the file.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag
from pathlib import Path

from ....distance import ANY, EQ
from ....native import cells
from ....subject.base import Termination

PATH = Path(__file__).with_name("runtime") / "cells.h"
_DOOR = ("LEFT", "CLOSED")
_DATA = ("NEWS", "NEWS_OF_ABNORMAL_RUN", "OF_FLOATS", "OF_INTEGERS", "NORMALISED")


def text() -> str:
    """Return the content of ``cells.h``."""
    enums = [
        _enum("Where a run that did not return ended", "OUTCOME", _members(Termination)),
        _enum("Why a door is closed", "STOP", _members(cells.Stop)),
        _enum("What is known of the pen at an outcome", "ASKED", _members(cells.ProbeMode)),
        _enum("Cells of a door", "DOOR", {name: getattr(cells, name) for name in _DOOR}),
        _enum("Cells of a question's data", "DATA", {name: getattr(cells, name) for name in _DATA}),
        _enum("What a run may change besides memory", "DISTURBS", _members(cells.Disturbs)),
        _enum("Exit status of a process that ends itself", "STATUS", {"TOO_LONG": cells.TOO_LONG}),
        _enum("Comparisons, as sets of relations", "RELATION", {"EQ": EQ, "ANY": ANY}),
    ]
    return "/* Made from zeroin/native/cells.py by python -m zeroin.languages.c.run.cells_header. */\n" + "".join(enums)


def _members(kind: type[IntEnum] | type[IntFlag]) -> dict[str, int]:
    """Return the numbers of an enumeration's members, by name."""
    return {str(member.name): int(member) for member in kind}


def _enum(what: str, prefix: str, members: dict[str, int]) -> str:
    """Return an enumeration in C, with the comment ``what`` in front. All names get the prefix and ``_``."""
    lines = "".join(f"  {prefix}_{name} = {value},\n" for name, value in members.items())
    return f"\n/* {what}. */\nenum {{\n{lines}}};\n"


if __name__ == "__main__":
    PATH.write_text(text())
