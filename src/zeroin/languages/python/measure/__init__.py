"""The coverage of a Python suite as coverage.py counts it."""
