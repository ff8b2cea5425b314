"""Mutants of Python functions."""
