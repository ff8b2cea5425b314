/* Vectors of n doubles. */
#include <math.h>

/* Index of the value that is farthest from zero, the first of several; -1 for none. */
int argmax_abs(const double *x, int n)
{
    int best = -1;
    double largest = -1.0;
    for (int i = 0; i < n; i++) {
        if (fabs(x[i]) > largest) {
            largest = fabs(x[i]);
            best = i;
        }
    }
    return best;
}
