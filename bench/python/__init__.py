"""Python functions that are hard to cover, and what zeroin and other tools cover of them."""
