"""Mutants of compiled functions."""
