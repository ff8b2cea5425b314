"""Instrument a compiled function, load it, and run it in this process.

Offers :class:`.engine.LlvmSubject`. ``runtime`` holds the C code that runs beside the target.
"""
