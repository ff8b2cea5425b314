"""Dynamic symbolic execution: the tree of the paths known so far, and who chooses what is flipped next."""
