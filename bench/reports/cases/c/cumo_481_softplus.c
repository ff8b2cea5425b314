/* https://github.com/sonots/cumo/pull/481

   Softplus written as the logarithm of 1 + exp(x) is infinite as soon as the
   exponential is, though its value is x: xs = {1000}, n = 1. */
#include <math.h>

static double softplus(double x)
{
    return log(1.0 + exp(x)); /* fault: overflow */
}

double reported(const double *xs, int n)
{
    double sum = 0.0;
    if (n <= 0)
        return 0.0;
    for (int i = 0; i < n; i++)
        sum += softplus(xs[i]);
    return sum / n;
}

double mended(const double *xs, int n)
{
    double sum = 0.0;
    if (n <= 0)
        return 0.0;
    for (int i = 0; i < n; i++) {
        double high = xs[i] > 0.0 ? xs[i] : 0.0;
        sum += high + log1p(exp(-fabs(xs[i])));
    }
    return sum / n;
}
