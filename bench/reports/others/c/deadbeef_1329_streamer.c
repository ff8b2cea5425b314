/* https://github.com/DeaDBeeF-Player/deadbeef/issues/1329

   The blocks of one second are rounded down to none if a second has fewer bytes
   than a block, and a remainder is taken by them: rate = 119, bits = 8,
   channels = 1, block = 120. */

int reported(int rate, int bits, int channels, int block, int count)
{
    if (rate < 1 || rate > 384000 || channels < 1 || channels > 8)
        return -1;
    if (bits != 8 && bits != 16 && bits != 24 && bits != 32)
        return -1;
    if (block < 1 || count < 0)
        return -1;
    int second = rate * channels * (bits / 8);
    int blocks = second / block;
    if (count % blocks == 0) /* fault: divzero */
        return count / blocks;
    return 0;
}

int mended(int rate, int bits, int channels, int block, int count)
{
    if (rate < 1 || rate > 384000 || channels < 1 || channels > 8)
        return -1;
    if (bits != 8 && bits != 16 && bits != 24 && bits != 32)
        return -1;
    if (block < 1 || count < 0)
        return -1;
    int second = rate * channels * (bits / 8);
    int blocks = second / block;
    if (blocks < 1)
        blocks = 1;
    if (count % blocks == 0)
        return count / blocks;
    return 0;
}
