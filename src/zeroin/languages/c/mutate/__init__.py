"""Mutants of compiled functions: generate them in LLVM IR, and run them."""
