"""The core of terms: nodes, sorts, typing rules, evaluation and simplification."""
