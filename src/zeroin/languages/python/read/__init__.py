"""Symbolic execution of Python functions: in ``values`` along a run in CPython, in ``blocks`` from the syntax tree."""
