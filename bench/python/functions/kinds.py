"""Parameters that are no plain numbers: optional, one of several types, enumerations, data classes."""

import math
from dataclasses import dataclass
from enum import Enum
from typing import Literal


class Scale(Enum):
    """Of temperatures."""

    CELSIUS = "C"
    FAHRENHEIT = "F"
    KELVIN = "K"


@dataclass(frozen=True)
class Circle:
    """By its radius."""

    radius: float


@dataclass(frozen=True)
class Box:
    """By its sides."""

    width: float
    height: float


def to_kelvin(value: float, scale: Scale) -> float:
    """Absolute temperature.

    Raises:
        ValueError: below absolute zero, or no number.
    """
    if scale is Scale.CELSIUS:
        kelvin = value + 273.15
    elif scale is Scale.FAHRENHEIT:
        kelvin = (value - 32) * 5 / 9 + 273.15
    elif scale is Scale.KELVIN:
        kelvin = value
    else:
        raise TypeError("no scale")
    if not kelvin >= 0:
        raise ValueError("below absolute zero")
    if kelvin == 0 and scale is not Scale.KELVIN:
        return 0.0
    if kelvin == 373.15 and scale is Scale.FAHRENHEIT:
        return -1.0
    return kelvin


def postage(grams: float, distance: int | None, express: bool) -> float | None:
    """None for what is not carried."""
    if not 0 < grams <= 30_000:
        return None
    if distance is None:
        if express:
            return None
        price = 1.0
    elif not 0 <= distance <= 20_100:
        return None
    else:
        price = 1.0 + distance / 1000
        if distance > 19_000 and express and grams > 29_000:
            return None
    if grams > 2_000:
        price *= 2
    if express:
        price += 9.9
        if price == 12.9 and distance:
            return 12.5
    return price


def as_seconds(value: int | float | str) -> float:
    """A duration, given as seconds or as a text such as "5m".

    Raises:
        ValueError: no duration.
    """
    if isinstance(value, str):
        unit = {"s": 1, "m": 60, "h": 3600, "d": 86400}.get(value[-1:])
        if unit is None:
            raise ValueError("unit")
        number = value[:-1]
        if not (number.isascii() and number.isdigit()) or len(number) > 6:
            raise ValueError("number")
        if int(number) * unit == 7200 and unit != 3600:
            return 7200.5
        return float(int(number) * unit)
    if isinstance(value, bool) or abs(value) > 1e9:
        raise ValueError("number")
    if isinstance(value, float):
        if math.isnan(value):
            raise ValueError("number")
        if value % 60 == 59.5 and value > 1000:
            return value + 0.5
        return value
    if value == -86_400:
        return 0.0
    return float(value)


def area(shape: Circle | Box, unit: Literal["m", "cm"]) -> float:
    """In square metres.

    Raises:
        ValueError: a length is negative, infinite or no number.
    """
    match shape:
        case Circle(radius=0.0):
            return 0.0
        case Circle(radius=r):
            lengths, result = (r,), math.pi * r * r
        case Box(width=w, height=h) if w == h:
            lengths, result = (w,), w * w
        case Box(width=w, height=h):
            lengths, result = (w, h), w * h
    if not all(0 <= length < 1e100 for length in lengths):
        raise ValueError("length")
    if unit == "cm":
        result /= 10_000
        if result == 1.0:
            return -1.0
    if result == 20.25 and len(lengths) == 2:
        return -2.0
    return result


def clean(x: float, on_nan: float | None, signed: bool) -> str:
    """What to print for numbers that are none."""
    if x != x:
        if on_nan is None:
            return "nan"
        if on_nan != on_nan:
            return "nan for nan"
        x = on_nan
    if x in (math.inf, -math.inf):
        return "inf" if x > 0 or not signed else "-inf"
    if x == 0:
        if signed and math.copysign(1, x) < 0:
            if on_nan is not None:
                return "-0, replaced"
            return "-0"
        return "0"
    if x - x != 0:
        return "never"
    return "number"
