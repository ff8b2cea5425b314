"""From ``file.py:function`` to a target: import its module, find its function, and read its parameters.

Offers :class:`.signature.PythonSignature`.
"""
