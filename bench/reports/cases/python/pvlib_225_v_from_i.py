"""https://github.com/pvlib/pvlib-python/issues/225

The voltage of a solar module is found with the Lambert W function of an exponential, and for an ordinary module that
exponential overflows before W brings it back: current=0.0, light=5.136695, dark=1.8739027472625636e-09, series=1.065,
shunt=381.68, thermal=2.681527737715915.
"""

import math


def w_from_log(log_x: float) -> float:
    if log_x < -40.0:
        return math.exp(log_x)
    if log_x <= 1.0:
        w = math.log1p(math.exp(log_x))
    else:
        w = log_x - math.log(log_x)
    for _ in range(40):
        w -= (w + math.log(w) - log_x) * w / (w + 1.0)
    return w


def check(current: float, light: float, dark: float, series: float, shunt: float, thermal: float) -> None:
    if not (0.0 <= current <= 100.0 and 0.0 <= light <= 100.0):
        raise ValueError("a current lies outside 0 to 100")
    if not (1e-20 <= dark <= 1.0 and 0.0 <= series <= 1000.0):
        raise ValueError("no such module")
    if not (0.001 <= shunt <= 1e6 and 0.01 <= thermal <= 1000.0):
        raise ValueError("no such module")


def reported(current: float, light: float, dark: float, series: float, shunt: float, thermal: float) -> float:
    check(current, light, dark, series, shunt, thermal)
    growth = math.exp(shunt * (light + dark - current) / thermal)  # fault: OverflowError
    argument = dark * shunt / thermal * growth
    if math.isinf(argument):
        raise ValueError("the voltage cannot be found")
    if argument == 0.0:
        w = 0.0
    else:
        w = w_from_log(math.log(argument))
    return (light + dark) * shunt - current * (series + shunt) - thermal * w


def mended(current: float, light: float, dark: float, series: float, shunt: float, thermal: float) -> float:
    check(current, light, dark, series, shunt, thermal)
    log_argument = math.log(dark) + math.log(shunt) - math.log(thermal)
    log_argument += shunt * (light + dark - current) / thermal
    if log_argument < -700.0:
        w = 0.0
    else:
        w = w_from_log(log_argument)
    source = (light + dark) * shunt
    drop = current * (series + shunt)
    return source - drop - thermal * w
