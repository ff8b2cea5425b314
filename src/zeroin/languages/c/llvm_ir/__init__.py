"""LLVM IR as text: modules, instructions, control flow and debug information. Knows nothing of targets."""
