"""Evaluation of measurements."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Line:
    slope: float
    intercept: float
    r_squared: float


def moving_average(values, window):
    """Means of each `window` values in a row. `values` is a list of numbers, `window` a positive int."""
    if window < 1:
        raise ValueError("window must be positive")
    if len(values) < window:
        return []
    total = sum(values[:window])
    means = [total / window]
    for i in range(window, len(values)):
        total += values[i] - values[i - window]
        means.append(total / window)
    return means


def find_peaks(values: list[float], threshold: float = 0.0, min_distance: int = 1) -> list[int]:
    """Indices of local maxima above the threshold; of two that are too near the higher one stays."""
    peaks: list[int] = []
    for i in range(1, len(values) - 1):
        if values[i] <= threshold:
            continue
        if values[i - 1] < values[i] >= values[i + 1]:
            if peaks and i - peaks[-1] < min_distance:
                if values[i] > values[peaks[-1]]:
                    peaks[-1] = i
            else:
                peaks.append(i)
    return peaks


def linear_fit(xs: list[float], ys: list[float]) -> Line:
    """Least squares line through the points (xs[i], ys[i]).

    Raises:
        ValueError: the lists are not of the same length, or have fewer than two points.
    """
    if len(xs) != len(ys):
        raise ValueError("xs and ys must have the same length")
    n = len(xs)
    if n < 2:
        raise ValueError("need two points")
    mean_x = sum(xs) / n
    mean_y = sum(ys) / n
    sxx = sum((x - mean_x) ** 2 for x in xs)
    sxy = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    syy = sum((y - mean_y) ** 2 for y in ys)
    slope = sxy / sxx
    if syy == 0:
        r_squared = 1.0
    else:
        r_squared = sxy * sxy / (sxx * syy)
    return Line(slope, mean_y - slope * mean_x, r_squared)


def crossings(signal: np.ndarray, level: float = 0.0) -> np.ndarray:
    """Where a sampled signal rises through the level, as fractional indices."""
    if signal.ndim != 1:
        raise ValueError("signal must have one dimension")
    if signal.size < 2:
        return np.empty(0)
    found = []
    for i in range(signal.size - 1):
        before, after = signal[i] - level, signal[i + 1] - level
        if before < 0 <= after:
            found.append(i + before / (before - after))
    return np.array(found)


def kalman_step(
    x: np.ndarray, p: np.ndarray, z: float, q: float = 1e-3, r: float = 1e-1
) -> tuple[np.ndarray, np.ndarray, bool]:
    """One step of a constant velocity filter, with a time step of one.

    Args:
        x: position and speed, shape (2,).
        p: their covariance, shape (2, 2).
        z: the measured position.
        q: noise of the process.
        r: noise of the measurement, positive.

    Returns:
        State, covariance, and whether the measurement was taken.
    """
    if x.shape != (2,) or p.shape != (2, 2):
        raise ValueError("x must be of shape (2,), p of (2, 2)")
    if r <= 0:
        raise ValueError("r must be positive")
    f = np.array([[1.0, 1.0], [0.0, 1.0]])
    x = f @ x
    p = f @ p @ f.T + q * np.eye(2)
    s = p[0, 0] + r
    innovation = z - x[0]
    if innovation**2 > 9 * s:
        return x, p, False
    gain = p[:, 0] / s
    x = x + gain * innovation
    p = p - np.outer(gain, p[0])
    return x, p, True
