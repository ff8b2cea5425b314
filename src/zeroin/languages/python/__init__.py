"""Python functions and classes."""
