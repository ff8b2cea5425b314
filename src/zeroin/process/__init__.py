"""Child processes: start them, exchange messages with them, watch their end, and end them.

Workers and their jobs, solvers, and trials of emitted tests all run in such processes. This room knows nothing of what
the processes do.
"""
