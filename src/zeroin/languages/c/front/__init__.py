"""The front end for C: compile source files, find the target's function, and describe its parameters.

The result is a :class:`.parameters.CSignature`. Nothing in this package runs code of the target.
"""
