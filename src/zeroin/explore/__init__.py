"""Dynamic symbolic execution: the tree of known paths, and the frontiers that choose which decision is flipped next."""
