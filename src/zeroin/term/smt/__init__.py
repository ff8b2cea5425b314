"""Terms as SMT-LIB 2.6 text, and back."""
