"""The languages that targets are written in, one folder each.

``registry`` finds the language of a file; no other room names one. A folder holds all that concerns its language:
``front`` finds targets and their parameters, ``run`` instruments and runs them, ``read`` turns them into terms,
``mutate`` makes mutants, ``emit`` writes tests, ``measure`` asks a coverage tool.
"""
