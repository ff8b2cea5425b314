"""Kepler's equation, and what a mission planner asks of an orbit."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Orbit:
    """Semi-major axis in km, and eccentricity."""

    axis: float
    eccentricity: float


def solve_kepler(mean: float, eccentricity: float) -> float:
    """The eccentric anomaly E with E - e sin E = M, in radians."""
    if not 0.0 <= eccentricity < 1.0:
        raise ValueError("not an ellipse")
    anomaly = mean if eccentricity < 0.8 else math.pi
    for _ in range(50):
        error = anomaly - eccentricity * math.sin(anomaly) - mean
        if abs(error) < 1e-15:
            break
        slope = 1.0 - eccentricity * math.cos(anomaly)
        if slope <= 0.0:
            raise ArithmeticError("Newton's method has no next step")
        anomaly -= error / slope
    if anomaly == mean and eccentricity > 0.0 and mean != 0.0:
        return anomaly  # a fixed point: sin E is zero
    if anomaly > 2 * math.pi and math.sin(mean) > 0.99999999:
        return anomaly - 2 * math.pi
    return anomaly


def classify(orbit: Orbit, speed: float | None = None) -> str:
    """What kind of orbit it is, and whether a speed in km/s is the circular one."""
    if orbit.axis <= 6378.0 or not 0.0 <= orbit.eccentricity < 1.0:
        return "impact"
    if speed is not None and math.isclose(speed, math.sqrt(398600.4418 / orbit.axis), rel_tol=1e-12):
        return "circular speed"
    return "circular" if orbit.eccentricity == 0.0 else "elliptic"
