"""Test inputs for Python functions and classes."""
