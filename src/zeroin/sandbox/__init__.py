"""What keeps code under test from doing harm: Landlock for files, seccomp for system calls, a guard for forks.

Knows nothing of targets or languages.
"""
