/* https://github.com/pnggroup/libpng/pull/805

   A sample is spread over the full depth in steps of its significant bits; with
   bits = 0 the steps are zero and the loop never ends (value = 1, depth = 8). */

unsigned int reported(unsigned int value, int bits, int depth)
{
    unsigned int out = 0;
    if (depth < 1 || depth > 16)
        return 0;
    if (bits < 0 || bits > depth)
        return 0;
    value &= (1u << depth) - 1u;
    for (int j = depth - bits; j > -bits; j -= bits) { /* fault: hang */
        if (j > 0)
            out |= value << j;
        else
            out |= value >> -j;
    }
    return out & ((1u << depth) - 1u);
}

unsigned int mended(unsigned int value, int bits, int depth)
{
    unsigned int out = 0;
    if (depth < 1 || depth > 16)
        return 0;
    if (bits < 1 || bits > depth)
        return 0;
    value &= (1u << depth) - 1u;
    for (int j = depth - bits; j > -bits; j -= bits) {
        if (j > 0)
            out |= value << j;
        else
            out |= value >> -j;
    }
    return out & ((1u << depth) - 1u);
}
