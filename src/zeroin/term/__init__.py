"""Terms: typed conditions over inputs, made from Python expressions or SMT-LIB, or by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import lazily

if TYPE_CHECKING:
    from .build import FALSE, RNE, TRUE
    from .expression import parse
    from .from_smtlib import read as read_smtlib
    from .nodes import Op, Term, constant, make, variable
    from .sorts import BOOL, FLOAT32, FLOAT64, INT, REAL, Sort, bits

__all__ = ["BOOL", "FALSE", "FLOAT32", "FLOAT64", "INT", "REAL", "RNE", "TRUE", "Op", "Sort", "Term", "bits",
           "constant", "make", "parse", "read_smtlib", "variable"]  # fmt: skip

__getattr__ = lazily(__name__, {
    "FALSE": "build", "RNE": "build", "TRUE": "build", "parse": "expression",
    "read_smtlib": "from_smtlib:read", "Op": "nodes", "Term": "nodes", "constant": "nodes", "make": "nodes",
    "variable": "nodes", "BOOL": "sorts", "FLOAT32": "sorts", "FLOAT64": "sorts", "INT": "sorts", "REAL": "sorts",
    "Sort": "sorts", "bits": "sorts",
})  # fmt: skip
