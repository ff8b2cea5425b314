"""Translation of terms to SMT-LIB 2.6 text, and of SMT-LIB scripts to terms."""
