"""The functions of FloPSy's evaluation as conditions (Lakhotia et al. 2010, table 2), and what the paper reports."""

from __future__ import annotations

_THETA = "(atan(x2 / x1) / (2 * pi) if x1 > 0 else atan(x2 / x1) / (2 * pi) + 0.5 if x1 < 0 else 0.0)"

FUNCTIONS = {
    "Beale": "1.5 - x1 * (1.0 - x2) == 0",
    "Freudenstein and Roth": "(-13 + x1 + ((5 - x2) * x2 - 2) * x2) + (-29 + x1 + ((x2 + 1) * x2 - 14) * x2) == 0",
    "Helical valley": f"10 * (x3 - 10 * {_THETA}) == 0 and 10 * (sqrt(x1 * x1 + x2 * x2) - 1) == 0 and x3 == 0",
    "Powell": "pow(10.0, 4.0) * x1 * x2 - 1 == 0 and pow(e, -x1) + pow(e, -x2) - 1.0001 == 0",
    "Rosenbrock": "pow(1 - x1, 2.0) + 100 * pow(x2 - x1 * x1, 2.0) == 0",
    "Wood": "10 * (x2 - x1 * x1) == 0 and 1 - x1 == 0 and sqrt(90.0) * (x4 - x3 * x3) == 0 and 1 - x3 == 0 "
            "and sqrt(10.0) * (x2 + x4 - 2) == 0 and pow(10.0, -0.5) * (x2 - x4) == 0",
}  # fmt: skip

# What section 4.4 says in words, of 30 runs each; figure 2 has bars without numbers.
PAPER = {
    "Beale": "AVM 27 of 30", "Freudenstein and Roth": "", "Helical valley": "", "Powell": "ES never",
    "Rosenbrock": "only ES; AVM never", "Wood": "",
}  # fmt: skip
