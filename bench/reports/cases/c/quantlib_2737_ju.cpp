/* https://github.com/lballabio/QuantLib/issues/2737

   The approximation of an American option divides zero by zero when the rate is
   exactly zero: r = 0, t = 1, variance = 0.09, beta = 0.5. */
#include <cmath>

double reported(double r, double t, double variance, double beta)
{
    if (!(variance >= 1e-8) || !(std::fabs(r * t) <= 700.0))
        return 0.0;
    double discount = std::exp(-r * t);
    double alpha = -2.0 * std::log(discount) / variance;
    double h = 1.0 - discount;
    double b = beta - 1.0;
    double root = std::sqrt(b * b + 4.0 * alpha / h); /* fault: nan */
    return (root - b) / 2.0;
}

double mended(double r, double t, double variance, double beta)
{
    if (!(variance >= 1e-8) || !(std::fabs(r * t) <= 700.0))
        return 0.0;
    double x = r * t;
    double growth = x == 0.0 ? 1.0 : x / -std::expm1(-x);
    double b = beta - 1.0;
    double root = std::sqrt(b * b + 8.0 * growth / variance);
    return (root - b) / 2.0;
}
