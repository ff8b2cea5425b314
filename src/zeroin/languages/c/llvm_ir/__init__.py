"""LLVM IR as text: modules, instructions, control flow and debug information.

This package knows nothing about targets or searches.
"""
