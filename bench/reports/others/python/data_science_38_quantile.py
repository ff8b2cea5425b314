"""https://github.com/joelgrus/data-science-from-scratch/pull/38

The place of a quantile is its share of the number of values, which is one place behind the end for a share of one:
values=[1.0, 2.0, 3.0], share=1.0.
"""


def reported(values: list[float], share: float) -> float:
    if not values:
        raise ValueError("no values")
    if not 0.0 <= share <= 1.0:
        raise ValueError("the share lies outside 0 to 1")
    for value in values:
        if value != value:
            raise ValueError("a value is no number")
    place = int(share * len(values))
    return sorted(values)[place]  # fault: IndexError


def mended(values: list[float], share: float) -> float:
    if not values:
        raise ValueError("no values")
    if not 0.0 <= share <= 1.0:
        raise ValueError("the share lies outside 0 to 1")
    for value in values:
        if value != value:
            raise ValueError("a value is no number")
    place = min(int(share * len(values)), len(values) - 1)
    return sorted(values)[place]
