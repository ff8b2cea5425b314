/* https://github.com/dwavesystems/dwave-optimization/issues/555

   Softmax takes the exponential of the numbers as they are; those above 709
   become infinite and their share is NaN: xs = {800, 1, 1}, n = 3. */
#include <cmath>

double reported(const double *xs, int n)
{
    if (n <= 0)
        return 0.0;
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += std::exp(xs[i]);
    if (sum == 0.0)
        return 1.0 / n;
    return std::exp(xs[0]) / sum; /* fault: nan */
}

double mended(const double *xs, int n)
{
    if (n <= 0)
        return 0.0;
    double most = xs[0];
    for (int i = 1; i < n; i++)
        if (xs[i] > most)
            most = xs[i];
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += std::exp(xs[i] - most);
    return std::exp(xs[0] - most) / sum;
}
