"""LLVM IR read as terms."""
