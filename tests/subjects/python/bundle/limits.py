"""What the other module needs."""

LIMIT = 4.0


def doubled(x: float) -> float:
    return 2 * x if x > 0 else x
