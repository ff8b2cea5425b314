"""Exploration of real libraries: coverage, and what the solvers were asked (Lakhotia et al. 2010, section 4.2)."""
