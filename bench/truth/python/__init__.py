"""Random Python programs, and the truth about their branches: all inputs are run under CPython."""
