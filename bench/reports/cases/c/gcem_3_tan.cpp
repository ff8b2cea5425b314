/* https://github.com/kthohr/gcem/issues/3

   The tangent takes multiples of pi off its argument, counting them in an int;
   x = 1e12 holds more of them than fit. */
#include <cmath>

static const double pi = 3.141592653589793;

double reported(double x)
{
    double y = std::fabs(x);
    if (y > pi)
        y = y - pi * static_cast<int>(y / pi); /* fault: cast */
    double t = std::tan(y);
    if (x < 0.0)
        return -t;
    return t;
}

double mended(double x)
{
    double y = std::fabs(x);
    if (std::isinf(y))
        return 0.0;
    double t = std::tan(y);
    if (x < 0.0)
        return -t;
    return t;
}
