/* https://github.com/synthetos/TinyG/issues/150

   The time of a move is its length over the mean velocity, which is zero when
   it starts and ends at rest: length = 1, entry = 0, leave = 0. */
#include <math.h>

double reported(double length, double entry, double leave)
{
    if (!(length > 0.0))
        return 0.0;
    if (entry < 0.0)
        entry = 0.0;
    if (leave < 0.0)
        leave = 0.0;
    return 2.0 * length / (entry + leave); /* fault: overflow */
}

double mended(double length, double entry, double leave)
{
    if (!(length > 0.0))
        return 0.0;
    if (entry < 0.0)
        entry = 0.0;
    if (leave < 0.0)
        leave = 0.0;
    return 2.0 * length / fmax(entry + leave, 1e-6);
}
