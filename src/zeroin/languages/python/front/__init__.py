"""Load a Python target: import its module, find the function or class, and read its parameters.

The result is a :class:`.signature.PythonSignature` and a :class:`.signature.Call`.
"""
