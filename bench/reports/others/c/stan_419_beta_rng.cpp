/* https://github.com/stan-dev/math/issues/419

   A draw from a beta distribution is a share of two others, which are both zero
   for small parameters: alpha = 1e-10, beta = 1e-9, u = 0.5, v = 0.5. */
#include <algorithm>
#include <cmath>

double reported(double alpha, double beta, double u, double v)
{
    if (!(alpha >= 1e-15 && alpha <= 1.0 && beta >= 1e-15 && beta <= 1.0))
        return -1.0;
    if (!(u > 0.0 && u < 1.0 && v > 0.0 && v < 1.0))
        return -1.0;
    double x = std::pow(u, 1.0 / alpha);
    double y = std::pow(v, 1.0 / beta);
    if (x + y > 1.0)
        return -2.0;
    return x / (x + y); /* fault: nan */
}

double mended(double alpha, double beta, double u, double v)
{
    if (!(alpha >= 1e-15 && alpha <= 1.0 && beta >= 1e-15 && beta <= 1.0))
        return -1.0;
    if (!(u > 0.0 && u < 1.0 && v > 0.0 && v < 1.0))
        return -1.0;
    double x = std::pow(u, 1.0 / alpha);
    double y = std::pow(v, 1.0 / beta);
    if (x + y > 1.0)
        return -2.0;
    if (x + y > 0.0)
        return x / (x + y);
    double log_x = std::log(u) / alpha;
    double log_y = std::log(v) / beta;
    double most = std::max(log_x, log_y);
    x = std::exp(log_x - most);
    y = std::exp(log_y - most);
    return x / (x + y);
}
