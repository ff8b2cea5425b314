/* https://github.com/BelledonneCommunications/bcg729/issues/21

   A root between two places is interpolated by half of the difference of the
   values, which is shifted to zero if they are neighbours: before = -1,
   after = 0. */

int reported(int low, int high, int before, int after)
{
    if (low < -32768 || low > 32767 || high < low || high > 32767)
        return 0;
    if (before < -65536 || before > 65536 || after < -65536 || after > 65536)
        return 0;
    if ((before < 0) == (after < 0))
        return low;
    int slope = (after - before) >> 1;
    int part = before * 1024 / slope; /* fault: divzero */
    int middle = low - (high - low) * part / 2048;
    if (middle < low)
        return low;
    return middle > high ? high : middle;
}

int mended(int low, int high, int before, int after)
{
    if (low < -32768 || low > 32767 || high < low || high > 32767)
        return 0;
    if (before < -65536 || before > 65536 || after < -65536 || after > 65536)
        return 0;
    if ((before < 0) == (after < 0))
        return low;
    int slope = (after - before) / 2;
    if (slope == 0)
        return low;
    int part = before * 1024 / slope;
    int middle = low - (high - low) * part / 2048;
    if (middle < low)
        return low;
    return middle > high ? high : middle;
}
