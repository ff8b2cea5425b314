"""From source files to a target: compile them, find its function, and read its parameters.

Offers :class:`.signature.CSignature`. Runs nothing of the target.
"""
