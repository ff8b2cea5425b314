"""The translation of terms to LLVM IR: values of terms, and branch distances of conditions."""
