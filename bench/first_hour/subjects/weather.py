"""Derived quantities of a weather station."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, field
from enum import IntEnum


class Unit(IntEnum):
    CELSIUS = 0
    FAHRENHEIT = 1
    KELVIN = 2


class Comfort(IntEnum):
    COLD = 0
    FINE = 1
    HOT = 2
    DANGEROUS = 3


@dataclass
class Calibration:
    """Points that were measured, and a drift per day since.

    Attributes:
        raw: readings, ascending, at least two.
        true: what was there, as many.
        drift: per day.
    """

    raw: list[float] = field(default_factory=lambda: [0.0, 1.0])
    true: list[float] = field(default_factory=lambda: [0.0, 1.0])
    drift: float = 0.0

    def apply(self, reading: float, days: float = 0.0) -> float:
        """The calibrated value; readings outside are extrapolated."""
        reading -= self.drift * days
        i = bisect_right(self.raw, reading) - 1
        if i < 0:
            i = 0
        elif i > len(self.raw) - 2:
            i = len(self.raw) - 2
        slope = (self.true[i + 1] - self.true[i]) / (self.raw[i + 1] - self.raw[i])
        return self.true[i] + slope * (reading - self.raw[i])


@dataclass(frozen=True)
class Reading:
    temperature: float
    humidity: float  # per cent
    wind: float | None = None  # km/h, none without an anemometer


def convert(value: float, source: Unit, target: Unit = Unit.CELSIUS) -> float:
    """Convert a temperature; ValueError below absolute zero."""
    if source == Unit.FAHRENHEIT:
        celsius = (value - 32.0) * 5.0 / 9.0
    elif source == Unit.KELVIN:
        celsius = value - 273.15
    else:
        celsius = value
    if celsius < -273.15:
        raise ValueError("below absolute zero")
    if target == Unit.FAHRENHEIT:
        return celsius * 9.0 / 5.0 + 32.0
    if target == Unit.KELVIN:
        return celsius + 273.15
    return celsius


def felt_temperature(reading: Reading) -> float:
    """Wind chill where it is cold, humidex where it is hot, else the temperature itself. Degrees Celsius."""
    if not 0.0 <= reading.humidity <= 100.0:
        raise ValueError("humidity must be in 0..100")
    t = reading.temperature
    if t <= 10.0 and reading.wind is not None and reading.wind > 4.8:
        power = reading.wind**0.16
        return 13.12 + 0.6215 * t - 11.37 * power + 0.3965 * t * power
    if t >= 20.0 and reading.humidity > 40.0:
        pressure = 6.112 * 10 ** (7.5 * t / (237.7 + t)) * reading.humidity / 100.0
        return t + 5.0 / 9.0 * (pressure - 10.0)
    return t


def comfort(temperature: float, humidity: float) -> Comfort:
    """How it feels, from the dew point (Magnus formula). Temperature in Celsius, humidity in per cent, above 0."""
    gamma = math.log(humidity / 100.0) + 17.62 * temperature / (243.12 + temperature)
    dew_point = 243.12 * gamma / (17.62 - gamma)
    if temperature < 16.0:
        return Comfort.COLD
    if dew_point > 26.0 or temperature > 40.0:
        return Comfort.DANGEROUS
    if dew_point > 18.0 or temperature > 30.0:
        return Comfort.HOT
    return Comfort.FINE


def interpolate(x: float, xs: list[float], ys: list[float], extrapolate: float | None = None) -> float:
    """Piecewise linear function through the points, xs strictly ascending.

    Outside of the points the value is `extrapolate`, or the nearest point's if that is None.
    """
    if len(xs) != len(ys) or not xs:
        raise ValueError("need as many ys as xs, and one at least")
    if any(xs[i + 1] <= xs[i] for i in range(len(xs) - 1)):
        raise ValueError("xs must ascend")
    if x < xs[0]:
        return ys[0] if extrapolate is None else extrapolate
    if x > xs[-1]:
        return ys[-1] if extrapolate is None else extrapolate
    for i in range(len(xs) - 1):
        if x <= xs[i + 1]:
            t = (x - xs[i]) / (xs[i + 1] - xs[i])
            return ys[i] + t * (ys[i + 1] - ys[i])
    return ys[-1]
