"""Three C libraries as they are written: which branches of their functions are decided."""
