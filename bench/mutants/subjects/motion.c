/* Controllers. */
#include <math.h>

#define FAN_OFF 35
#define FAN_FULL 70

/* The next value on the way to `target`: at most `up` more, at most `down` less. Both are positive. */
double slew_limit(double current, double target, double up, double down)
{
    double step = target - current;
    if (step > up)
        return current + up;
    if (step < -down)
        return current - down;
    return target;
}

/* A PI step of 10 ms; the integral is held while the output is at its limits of 0 and 100. */
double pi_step(double error, double *integral)
{
    const double kp = 2.5, ki = 0.8, dt = 0.01;
    double candidate = *integral + error * dt;
    double output = kp * error + ki * candidate;
    if (output > 100.0)
        return 100.0;
    if (output < 0.0)
        return 0.0;
    *integral = candidate;
    return output;
}

/* Duty in per cent of a fan: off below 35 degrees, full from 70, in between from 20; full if the sensor fails. */
int fan_duty(int celsius, int sensor_ok)
{
    if (!sensor_ok || celsius >= FAN_FULL)
        return 100;
    if (celsius < FAN_OFF)
        return 0;
    return 20 + (celsius - FAN_OFF) * 80 / (FAN_FULL - FAN_OFF);
}
