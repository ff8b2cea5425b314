"""https://github.com/dsavransky/EXOSIMS/issues/8

Newton's iteration for Kepler's equation stops when two steps differ by less than a fixed tolerance, but for a large
anomaly neighbouring floats lie further apart than that and the steps swing between them (a limit of turns ends this
in the report): mean=9.0, eccentricity=0.9.
"""

import math


def reported(mean: float, eccentricity: float) -> float:
    if not abs(mean) <= 1e6:
        raise ValueError("the anomaly is too large or no number")
    if not 0.0 <= eccentricity <= 0.95:
        raise ValueError("the eccentricity lies outside 0 to 0.95")
    if eccentricity == 0.0:
        return mean
    anomaly = mean + eccentricity * math.sin(mean)
    change = 1.0
    while change > 1e-15:  # fault: hang
        error = anomaly - eccentricity * math.sin(anomaly) - mean
        following = anomaly - error / (1.0 - eccentricity * math.cos(anomaly))
        change = abs(following - anomaly)
        anomaly = following
    return anomaly


def mended(mean: float, eccentricity: float) -> float:
    if not abs(mean) <= 1e6:
        raise ValueError("the anomaly is too large or no number")
    if not 0.0 <= eccentricity <= 0.95:
        raise ValueError("the eccentricity lies outside 0 to 0.95")
    inner = math.remainder(mean, 2.0 * math.pi)
    low, high = inner - 1.0, inner + 1.0
    anomaly = inner + eccentricity * math.sin(inner)
    for _ in range(100):
        error = anomaly - eccentricity * math.sin(anomaly) - inner
        if error > 0.0:
            high = anomaly
        else:
            low = anomaly
        following = anomaly - error / (1.0 - eccentricity * math.cos(anomaly))
        if following == anomaly:
            break
        if not low < following < high:
            following = (low + high) / 2.0
        anomaly = following
    return mean + (anomaly - inner)
