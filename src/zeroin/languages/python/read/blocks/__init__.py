"""The numeric subset of Python, read from its syntax tree: blocks whose terms say what they do to the variables."""
