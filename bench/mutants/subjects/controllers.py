"""Controllers without a state of their own."""


def deadband(error: float, width: float = 0.5, gain: float = 2.0) -> float:
    """Nothing within the width, and from there on proportional."""
    if width < 0:
        raise ValueError("width must not be negative")
    if error > width:
        return gain * (error - width)
    if error < -width:
        return gain * (error + width)
    return 0.0


def heater(temperature: float, on: bool, target: float = 20.0) -> bool:
    """Is the heater on, that has been on or not?"""
    if temperature <= target - 0.5:
        return True
    if temperature >= target + 0.5:
        return False
    return on and temperature < target + 0.25


def pi_step(error: float, integral: float, dt: float) -> tuple[float, float]:
    """Output in 0 to 100, and the integral, which is held at the limits."""
    if dt <= 0:
        raise ValueError("dt must be positive")
    candidate = integral + error * dt
    output = 2.5 * error + 0.8 * candidate
    if output > 100:
        return 100.0, integral
    if output < 0:
        return 0.0, integral
    return output, candidate
