"""Terms from Python expressions, as people write conditions."""
