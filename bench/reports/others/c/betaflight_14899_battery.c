/* https://github.com/betaflight/betaflight/pull/14899

   The charge of a battery below its minimum wraps around and is shown as 100 %
   instead of 0: voltage = 320, minimum = 330, maximum = 420. */

unsigned int reported(unsigned int voltage, unsigned int minimum, unsigned int maximum)
{
    if (maximum > 65535u || minimum >= maximum)
        return 0;
    if (voltage >= maximum)
        return 100;
    unsigned int percent = (voltage - minimum) * 100u / (maximum - minimum);
    if (percent > 100u) /* fault: branch */
        percent = 100u;
    return percent;
}

unsigned int mended(unsigned int voltage, unsigned int minimum, unsigned int maximum)
{
    if (maximum > 65535u || minimum >= maximum)
        return 0;
    if (voltage >= maximum)
        return 100;
    if (voltage <= minimum)
        return 0;
    return (voltage - minimum) * 100u / (maximum - minimum);
}
