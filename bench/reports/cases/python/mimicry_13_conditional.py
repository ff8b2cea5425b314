"""https://github.com/mjs2600/mimicry/issues/13

A sampler draws the value of a parent variable from the whole range of integers and looks up its conditional table,
which knows only the values that were observed: parents=[1, 3], children=[5, 7], u=0.5.
"""


def conditional_table(parents: list[int], children: list[int]) -> dict[int, list[int]]:
    if len(parents) != len(children) or not parents:
        raise ValueError("two lists of one length are needed")
    table: dict[int, list[int]] = {}
    for parent, child in zip(parents, children):
        if abs(parent) > 1000000 or abs(child) > 1000000:
            raise ValueError("an observation is too large")
        table.setdefault(parent, []).append(child)
    return table


def reported(parents: list[int], children: list[int], u: float) -> float:
    if not 0.0 <= u < 1.0:
        raise ValueError("u must lie in [0, 1)")
    table = conditional_table(parents, children)
    low, high = min(parents), max(parents)
    drawn = low + int(u * (high - low + 1))
    if drawn > high:
        drawn = high
    row = table[drawn]  # fault: KeyError
    return sum(row) / len(row)


def mended(parents: list[int], children: list[int], u: float) -> float:
    if not 0.0 <= u < 1.0:
        raise ValueError("u must lie in [0, 1)")
    table = conditional_table(parents, children)
    known = sorted(table)
    place = int(u * len(known))
    if place >= len(known):
        place = len(known) - 1
    row = table[known[place]]
    return sum(row) / len(row)
