"""Whether what is read is what runs."""
