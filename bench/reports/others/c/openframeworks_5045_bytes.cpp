/* https://github.com/openframeworks/openFrameworks/issues/5045

   The bytes of a picture are its bits divided by eight, and the bits do not fit
   in an int: width = 10000, height = 10000, format = 2 (32 bits per pixel). */
#include <cstdint>

static int bits_of(int format)
{
    switch (format) {
    case 0:
        return 8;
    case 1:
        return 24;
    case 2:
        return 32;
    default:
        return 0;
    }
}

int reported(int width, int height, int format)
{
    if (width <= 0 || height <= 0)
        return 0;
    if (width > 20000 || height > 20000)
        return -1;
    int bits = bits_of(format);
    if (bits == 0)
        return -1;
    return width * height * bits / 8; /* fault: intoverflow */
}

int mended(int width, int height, int format)
{
    if (width <= 0 || height <= 0)
        return 0;
    if (width > 20000 || height > 20000)
        return -1;
    int bits = bits_of(format);
    if (bits == 0)
        return -1;
    return width * height * (bits / 8);
}
