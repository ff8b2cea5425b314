/* 3 by 3 matrices and tables. */
#include <float.h>
#include <math.h>
#include <stdbool.h>

typedef double mat3[3][3];

static double det2(double a, double b, double c, double d)
{
    return a * d - b * c;
}

/* The inverse by cofactors. False, and `out` untouched, if m is singular to working precision. */
bool mat3_invert(const double m[3][3], double out[3][3])
{
    double scale = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (fabs(m[i][j]) > scale)
                scale = fabs(m[i][j]);

    double c0 = det2(m[1][1], m[1][2], m[2][1], m[2][2]);
    double c1 = det2(m[1][2], m[1][0], m[2][2], m[2][0]);
    double c2 = det2(m[1][0], m[1][1], m[2][0], m[2][1]);
    double det = m[0][0] * c0 + m[0][1] * c1 + m[0][2] * c2;
    if (fabs(det) <= 8.0 * DBL_EPSILON * scale * scale * scale)
        return false;

    out[0][0] = c0 / det;
    out[1][0] = c1 / det;
    out[2][0] = c2 / det;
    out[0][1] = det2(m[0][2], m[0][1], m[2][2], m[2][1]) / det;
    out[1][1] = det2(m[0][0], m[0][2], m[2][0], m[2][2]) / det;
    out[2][1] = det2(m[0][1], m[0][0], m[2][1], m[2][0]) / det;
    out[0][2] = det2(m[0][1], m[0][2], m[1][1], m[1][2]) / det;
    out[1][2] = det2(m[0][2], m[0][0], m[1][2], m[1][0]) / det;
    out[2][2] = det2(m[0][0], m[0][1], m[1][0], m[1][1]) / det;
    return true;
}

/* Linear interpolation in the n points (x[i], y[i]), x ascending; held constant outside. n must be at least 1. */
double interp1(const double *x, const double *y, int n, double xq)
{
    if (isnan(xq))
        return xq;
    if (xq <= x[0])
        return y[0];
    if (xq >= x[n - 1])
        return y[n - 1];

    int low = 0, high = n - 1;
    while (high - low > 1) {
        int mid = low + (high - low) / 2;
        if (x[mid] <= xq)
            low = mid;
        else
            high = mid;
    }
    double t = (xq - x[low]) / (x[high] - x[low]);
    return y[low] + t * (y[high] - y[low]);
}

/* Type K thermocouple, millivolts to degrees, from a table in steps of 50 degrees. NAN outside of it. */
double type_k_celsius(double millivolts)
{
    static const double table[] = {0.000, 2.023, 4.096, 6.138, 8.138, 10.153, 12.209, 14.293, 16.397, 18.516, 20.644};
    enum { LAST = sizeof table / sizeof table[0] - 1 };

    if (!(millivolts >= table[0] && millivolts <= table[LAST]))
        return NAN;
    int i = 0;
    while (i < LAST - 1 && millivolts > table[i + 1])
        i++;
    return 50.0 * (i + (millivolts - table[i]) / (table[i + 1] - table[i]));
}
