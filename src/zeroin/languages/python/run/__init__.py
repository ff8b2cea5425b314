"""Instrument a Python function and run it: in CPython (``probes``), or compiled by Numba (``native``).

Offers :class:`.engine.PythonSubject`.
"""
