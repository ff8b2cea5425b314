"""The languages that targets are written in, one folder each.

``registry.py`` finds the language of a file; code outside of this package names no language. A language's folder has
these packages: ``front`` finds targets and their parameters, ``run`` instruments and runs them, ``read`` turns them
into terms, ``mutate`` makes mutants, ``emit`` writes tests, and ``measure`` runs a coverage tool.
"""
