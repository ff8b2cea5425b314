/* https://github.com/rv701/SPL06-007/issues/8

   A coefficient of a barometer with 20 bits is read as if it had no sign; the
   pressure becomes negative and the altitude is NaN: raw = -4000000,
   sea_level = 1011.3. */
#include <cmath>

static double pressure(int raw, double c00, double c10, double c20, double c30)
{
    double scaled = raw / 7864320.0;
    return (c00 + scaled * (c10 + scaled * (c20 + scaled * c30))) / 100.0;
}

double reported(int raw, double sea_level)
{
    if (raw < -(1 << 23) || raw >= (1 << 23))
        return -9999.0;
    if (!(sea_level >= 800.0 && sea_level <= 1100.0))
        return -9999.0;
    double here = pressure(raw, 79984.0, 991617.0, -9945.0, -1304.0);
    return 44330.0 * (1.0 - std::pow(here / sea_level, 0.1903)); /* fault: nan */
}

double mended(int raw, double sea_level)
{
    if (raw < -(1 << 23) || raw >= (1 << 23))
        return -9999.0;
    if (!(sea_level >= 800.0 && sea_level <= 1100.0))
        return -9999.0;
    double here = pressure(raw, 79984.0, -56959.0, -9945.0, -1304.0);
    if (here <= 0.0)
        return -9999.0;
    return 44330.0 * (1.0 - std::pow(here / sea_level, 0.1903));
}
