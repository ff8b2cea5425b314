"""Controllers and limiters with a state."""

from __future__ import annotations

from collections import deque


class PID:
    """Controller with a clamped output and conditional integration."""

    def __init__(self, kp: float, ki: float, kd: float, low: float = -1.0, high: float = 1.0) -> None:
        if low >= high:
            raise ValueError("low must be below high")
        self.kp, self.ki, self.kd = kp, ki, kd
        self.low, self.high = low, high
        self.integral = 0.0
        self.last_error: float | None = None

    def update(self, error: float, dt: float) -> float:
        """The output for an error after `dt` seconds, a positive number."""
        if dt <= 0:
            raise ValueError("dt must be positive")
        slope = 0.0 if self.last_error is None else (error - self.last_error) / dt
        self.last_error = error
        integral = self.integral + error * dt
        output = self.kp * error + self.ki * integral + self.kd * slope
        if output > self.high:
            return self.high
        if output < self.low:
            return self.low
        self.integral = integral
        return output


class MovingAverage:
    """Mean of the last `size` samples; values that are too far from it are left out."""

    def __init__(self, size: int, reject: float | None = None) -> None:
        if size < 1:
            raise ValueError("size must be positive")
        self.samples: deque[float] = deque(maxlen=size)
        self.reject = reject
        self.rejected = 0

    def add(self, sample: float) -> float:
        if self.reject is not None and self.samples:
            mean = sum(self.samples) / len(self.samples)
            if abs(sample - mean) > self.reject:
                self.rejected += 1
                if self.rejected <= 3:
                    return mean
                self.samples.clear()
        self.rejected = 0
        self.samples.append(sample)
        return sum(self.samples) / len(self.samples)


class Thermostat:
    """Heater with hysteresis and a least time between two switches."""

    def __init__(self, target: float, band: float = 0.5, min_cycle: float = 60.0) -> None:
        self.target = target
        self.band = band
        self.min_cycle = min_cycle
        self.heating = False
        self.since = 0.0

    def step(self, temperature: float, now: float) -> bool:
        """Is the heater on, `now` seconds after the start?"""
        wanted = self.heating
        if temperature < self.target - self.band:
            wanted = True
        elif temperature > self.target + self.band:
            wanted = False
        if wanted != self.heating and now - self.since >= self.min_cycle:
            self.heating = wanted
            self.since = now
        return self.heating


class RateLimiter:
    """Token bucket."""

    def __init__(self, rate: float, burst: int) -> None:
        if rate <= 0 or burst < 1:
            raise ValueError("rate and burst must be positive")
        self.rate = rate
        self.burst = burst
        self.tokens = float(burst)
        self.last: float | None = None

    def allow(self, now: float, cost: int = 1) -> bool:
        """May something that costs so many tokens happen `now` (seconds, never going back)?"""
        if cost < 0:
            raise ValueError("cost must not be negative")
        if self.last is not None:
            if now < self.last:
                raise ValueError("time went back")
            self.tokens = min(self.burst, self.tokens + (now - self.last) * self.rate)
        self.last = now
        if cost > self.tokens:
            return False
        self.tokens -= cost
        return True
