/* https://github.com/MapServer/MapServer/issues/4961

   The end of a line that can not be projected is bisected until the rest is
   short; with very big coordinates the middle equals an end and nothing changes
   any more: start = 0, end = 1e20, limit = 5e19. */
#include <math.h>

double reported(double start, double end, double limit)
{
    if (!(fabs(start) <= limit))
        return end;
    if (fabs(end) <= limit)
        return end;
    while (fabs(start - end) > 0.01) { /* fault: hang */
        double middle = (start + end) * 0.5;
        if (fabs(middle) <= limit)
            start = middle;
        else
            end = middle;
    }
    return start;
}

double mended(double start, double end, double limit)
{
    if (!(fabs(start) <= limit))
        return end;
    if (fabs(end) <= limit)
        return end;
    for (int turn = 0; turn < 5000 && fabs(start - end) > 0.01; turn++) {
        double middle = start * 0.5 + end * 0.5;
        if (middle == start || middle == end)
            break;
        if (fabs(middle) <= limit)
            start = middle;
        else
            end = middle;
    }
    return start;
}
