"""A subject that is read rather than run: terms, and the paths that runs take through them."""
