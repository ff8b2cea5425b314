"""Terms: typed expressions over inputs, built from Python expressions, from SMT-LIB, or by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import lazily

if TYPE_CHECKING:
    from .core.build import FALSE, RNE, TRUE
    from .core.nodes import Op, Term, constant, make, variable
    from .core.sorts import BOOL, FLOAT32, FLOAT64, INT, REAL, Sort, bits
    from .expression.parser import parse
    from .smt.reader import read as read_smtlib
    from .smt.reader import read_all as read_all_smtlib

__all__ = ["BOOL", "FALSE", "FLOAT32", "FLOAT64", "INT", "REAL", "RNE", "TRUE", "Op", "Sort", "Term", "bits",
           "constant", "make", "parse", "read_all_smtlib", "read_smtlib", "variable"]  # fmt: skip

__getattr__ = lazily(__name__, {
    "FALSE": "core.build", "RNE": "core.build", "TRUE": "core.build", "parse": "expression.parser",
    "read_smtlib": "smt.reader:read", "read_all_smtlib": "smt.reader:read_all", "Op": "core.nodes",
    "Term": "core.nodes", "constant": "core.nodes", "make": "core.nodes",
    "variable": "core.nodes", "BOOL": "core.sorts", "FLOAT32": "core.sorts", "FLOAT64": "core.sorts",
    "INT": "core.sorts", "REAL": "core.sorts", "Sort": "core.sorts", "bits": "core.sorts",
})  # fmt: skip
