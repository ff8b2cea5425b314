"""A package whose modules import each other."""
