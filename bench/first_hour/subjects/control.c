/* Motion control: PID, a Kalman filter for position and speed, motion profiles. */
#include <assert.h>
#include <math.h>
#include <stdbool.h>

struct pid {
    double kp, ki, kd;
    double out_min, out_max; /* out_min <= out_max */
    double integral;
    double last_error;
    bool primed;
};

/* State of a constant velocity model. */
struct kalman {
    double x, v;          /* position, speed */
    double p00, p01, p11; /* covariance */
    double q, r;          /* noise of the process and of the measurement, both positive */
};

static double clamp(double x, double low, double high)
{
    if (x < low)
        return low;
    if (x > high)
        return high;
    return x;
}

/* One step of `dt` seconds, which must be positive. Integrates only while the output is within its limits. */
double pid_step(struct pid *p, double setpoint, double measured, double dt)
{
    assert(dt > 0.0);

    double error = setpoint - measured;
    double derivative = 0.0;
    if (p->primed)
        derivative = (error - p->last_error) / dt;
    p->last_error = error;
    p->primed = true;

    double integral = p->integral + error * dt;
    double raw = p->kp * error + p->ki * integral + p->kd * derivative;
    double out = clamp(raw, p->out_min, p->out_max);
    if (out == raw || (raw > out && error < 0.0) || (raw < out && error > 0.0))
        p->integral = integral;
    return out;
}

/* Predicts over `dt`, then takes the position `z` in, unless it is five sigma away. True if it was taken. */
bool kalman_step(struct kalman *k, double z, double dt)
{
    k->x += k->v * dt;
    k->p00 += dt * (2.0 * k->p01 + dt * k->p11) + k->q * dt * dt * dt / 3.0;
    k->p01 += dt * k->p11 + k->q * dt * dt / 2.0;
    k->p11 += k->q * dt;

    if (!isfinite(z))
        return false;
    double innovation = z - k->x;
    double s = k->p00 + k->r;
    if (innovation * innovation > 25.0 * s)
        return false;

    double gain_x = k->p00 / s;
    double gain_v = k->p01 / s;
    k->x += gain_x * innovation;
    k->v += gain_v * innovation;
    k->p11 -= gain_v * k->p01;
    k->p01 -= gain_x * k->p01;
    k->p00 -= gain_x * k->p00;
    return true;
}

/* Position at `t` of a move over `distance` from rest to rest: accelerate, cruise, brake.
 * vmax and amax are positive; NAN where they are not. */
double trapezoid_position(double t, double distance, double vmax, double amax)
{
    if (!(vmax > 0.0) || !(amax > 0.0))
        return NAN;
    double sign = distance < 0.0 ? -1.0 : 1.0;
    double length = fabs(distance);

    double ramp = vmax / amax;
    double cruise;
    if (vmax * ramp > length) { /* never reaches vmax */
        ramp = sqrt(length / amax);
        cruise = 0.0;
    } else {
        cruise = length / vmax - ramp;
    }
    double total = 2.0 * ramp + cruise;

    if (t <= 0.0)
        return 0.0;
    if (t >= total)
        return distance;
    if (t < ramp)
        return sign * 0.5 * amax * t * t;
    if (t < ramp + cruise)
        return sign * amax * ramp * (t - 0.5 * ramp);
    double rest = total - t;
    return sign * (length - 0.5 * amax * rest * rest);
}
