/* https://github.com/nothings/stb/issues/1168

   The size of a Vorbis codebook axis is verified by a power that is cast to
   int; entries = 1 and dim = 516 give 2^516, about 2.1e155. */
#include <math.h>

int reported(int entries, int dim)
{
    if (entries < 1 || entries > 0xffffff)
        return -1;
    if (dim < 1 || dim > 65535)
        return -1;
    int r = (int)floor(exp(log((double)entries) / dim));
    if ((int)floor(pow(r + 1.0, dim)) <= entries) /* fault: cast */
        ++r;
    if (pow(r + 1.0, dim) <= entries)
        return -1;
    return r;
}

int mended(int entries, int dim)
{
    if (entries < 1 || entries > 0xffffff)
        return -1;
    if (dim < 1 || dim > 65535)
        return -1;
    int r = (int)floor(exp(log((double)entries) / dim));
    if (floor(pow(r + 1.0, dim)) <= entries)
        ++r;
    if (pow(r + 1.0, dim) <= entries)
        return -1;
    return r;
}
