"""Type inference: the types of parameters that have no annotation, from how the code uses them."""
