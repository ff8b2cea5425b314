"""The functions. Tools import each module by its path, as a module of its own."""
