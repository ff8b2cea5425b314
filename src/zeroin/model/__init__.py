"""The subject as data of symbolic execution: blocks of terms, memory, path conditions and paths ahead of a run."""
