/* https://github.com/betaflight/betaflight/pull/8475

   A filter whose cutoff is above half of the sampling rate is silently turned
   off (0) instead of limited: cutoff = 5000, rate = 8000. */

int reported(int cutoff, int rate)
{
    if (cutoff <= 0 || rate <= 1)
        return 0;
    int nyquist = rate / 2;
    if (cutoff > nyquist) /* fault: branch */
        return 0;
    return cutoff;
}

int mended(int cutoff, int rate)
{
    if (cutoff <= 0 || rate <= 1)
        return 0;
    int nyquist = rate / 2;
    if (cutoff > nyquist)
        return nyquist;
    return cutoff;
}
