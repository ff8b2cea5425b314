/* https://github.com/pnggroup/libpng/issues/366

   The bytes of a row are counted with 32 bits; width = 0x55555555 with
   channels = 3, depth = 8, interlaced = 0 wraps to zero, which then divides. */
#include <stdint.h>

uint32_t reported(uint32_t width, uint32_t channels, int depth, int interlaced)
{
    if (width == 0 || channels == 0 || channels > 4)
        return 0;
    uint32_t factor = width * channels;
    if (depth > 8)
        factor *= 2;
    factor += 1;
    if (interlaced)
        factor += 6;
    return 0x7fffffffu / factor; /* fault: divzero */
}

uint32_t mended(uint32_t width, uint32_t channels, int depth, int interlaced)
{
    if (width == 0 || channels == 0 || channels > 4)
        return 0;
    uint64_t factor = (uint64_t)width * channels;
    if (depth > 8)
        factor *= 2;
    factor += 1;
    if (interlaced)
        factor += 6;
    return (uint32_t)(0x7fffffffu / factor);
}
