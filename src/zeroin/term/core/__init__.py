"""Terms themselves: nodes, sorts, typing rules, evaluation and simplification."""
