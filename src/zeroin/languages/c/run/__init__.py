"""Instrument a compiled function, load it, and run it in this process.

The entry point is :class:`zeroin.languages.c.run.engine.LlvmSubject`. The folder ``runtime`` holds the C code that is
linked with the function under test: probes, guards, clock and heap.
"""
