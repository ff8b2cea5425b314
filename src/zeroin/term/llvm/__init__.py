"""Terms as native code: their values, and branch distances."""
