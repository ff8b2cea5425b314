/* https://github.com/ampl/gsl/issues/79

   A conical function meant for x below 1 takes the root of a negative number
   outside of that range: tau = 1, mu = 2, x = 3. */
#include <math.h>

double reported(double tau, double mu, double x)
{
    if (mu == 0.0)
        return 0.0;
    double beta = tau / mu;
    double beta2 = beta * beta;
    double p = x / sqrt(beta2 * (1.0 - x * x) + 1.0); /* fault: nan */
    return mu * atan(p);
}

double mended(double tau, double mu, double x)
{
    if (mu == 0.0 || !(fabs(x) < 1.0))
        return 0.0;
    double beta = tau / mu;
    double beta2 = beta * beta;
    double p = x / sqrt(beta2 * (1.0 - x * x) + 1.0);
    return mu * atan(p);
}
