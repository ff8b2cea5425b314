"""Mutants that no test can kill, and why: results, outputs and exceptions are the same, bit by bit."""

from __future__ import annotations

# By target, and by mutant as the page writes it.
EQUIVALENT: dict[str, dict[str, str]] = {}
