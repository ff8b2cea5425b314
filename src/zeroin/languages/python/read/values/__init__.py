"""Python functions, read: values that carry terms ride along a real run in CPython."""
