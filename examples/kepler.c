/* Kepler's equation M = E - e sin E, solved for the eccentric anomaly E by Newton's method. */
#include <math.h>

double solve(double M, double e)
{
    if (e < 0.0 || e >= 1.0)
        return NAN;
    double E = e < 0.8 ? M : 3.141592653589793;
    for (int i = 0; i < 50; i++) {
        double f = E - e * sin(E) - M;
        if (fabs(f) < 1e-15)
            break;
        E -= f / (1.0 - e * cos(E));
    }
    if (E == M && e > 0.0 && M != 0.0)
        return E;                        /* a fixed point: sin E is zero */
    if (E > 6.283185307179586 && sin(M) > 0.99999999)
        return E - 6.283185307179586;
    return E;
}
