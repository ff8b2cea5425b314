/* https://github.com/ecmwf/eckit/issues/102

   An angle is brought into a range of 360 degrees by steps of 360, which do not
   change it any more if it is very large: angle = 1e36, minimum = 0. */
#include <cmath>

double reported(double angle, double minimum)
{
    if (!std::isfinite(angle))
        return 0.0;
    if (!(std::fabs(minimum) <= 360.0))
        return 0.0;
    while (angle < minimum)
        angle += 360.0;
    while (angle >= minimum + 360.0) /* fault: hang */
        angle -= 360.0;
    return angle;
}

double mended(double angle, double minimum)
{
    if (!std::isfinite(angle))
        return 0.0;
    if (!(std::fabs(minimum) <= 360.0))
        return 0.0;
    angle = std::fmod(angle, 360.0);
    while (angle < minimum)
        angle += 360.0;
    while (angle >= minimum + 360.0)
        angle -= 360.0;
    return angle;
}
