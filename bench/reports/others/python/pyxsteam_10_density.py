"""https://github.com/drunsinn/pyXSteam/issues/10

A bisection ends when a fixed tolerance is reached, which rounding prevents for some pressures (found by trying:
pressure=83.6). In the report temperatures are searched.
"""


def pressure_at(density: float) -> float:
    return 0.1 + 304.0 * ((density / 997.0) ** 7.15 - 1.0)


def reported(pressure: float) -> float:
    if not 0.1 <= pressure <= 100.0:
        raise ValueError("the pressure lies outside 0.1 to 100 MPa")
    low, high = 900.0, 1100.0
    density = 997.0
    found = pressure_at(density)
    while abs(found - pressure) > 2e-13:  # fault: hang
        if found > pressure:
            high = density
        else:
            low = density
        density = (low + high) / 2.0
        found = pressure_at(density)
    return density


def mended(pressure: float) -> float:
    if not 0.1 <= pressure <= 100.0:
        raise ValueError("the pressure lies outside 0.1 to 100 MPa")
    low, high = 900.0, 1100.0
    density = 997.0
    for _ in range(100):
        found = pressure_at(density)
        if found == pressure:
            break
        if found > pressure:
            high = density
        else:
            low = density
        density = (low + high) / 2.0
    return density
