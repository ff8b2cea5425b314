"""Instrument a Python function and run it, in CPython (``probes``) or as machine code made by Numba (``native``).

The public class is :class:`.engine.PythonSubject`.
"""
