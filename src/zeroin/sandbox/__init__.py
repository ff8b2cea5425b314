"""The sandbox around code under test: Landlock for files, seccomp for system calls, and functions to fork through both.

It depends on no language.
"""
