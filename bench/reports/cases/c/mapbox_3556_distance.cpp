/* https://github.com/mapbox/mapbox-gl-native/issues/3556

   The cosine of the angle between two equal points can round to a number above
   1, whose arc cosine is NaN: both points at 40.71199035644531, -74.0081. */
#include <cmath>

double reported(double lat1, double lon1, double lat2, double lon2)
{
    const double rad = 3.141592653589793 / 180.0;
    if (std::fabs(lat1) > 90.0 || std::fabs(lat2) > 90.0)
        return -1.0;
    double a1 = lat1 * rad, a2 = lon1 * rad;
    double b1 = lat2 * rad, b2 = lon2 * rad;
    double t1 = std::cos(a1) * std::cos(a2) * std::cos(b1) * std::cos(b2);
    double t2 = std::cos(a1) * std::sin(a2) * std::cos(b1) * std::sin(b2);
    double t3 = std::sin(a1) * std::sin(b1);
    return 6378137.0 * std::acos(t1 + t2 + t3); /* fault: nan */
}

double mended(double lat1, double lon1, double lat2, double lon2)
{
    const double rad = 3.141592653589793 / 180.0;
    if (std::fabs(lat1) > 90.0 || std::fabs(lat2) > 90.0)
        return -1.0;
    double a1 = lat1 * rad, a2 = lon1 * rad;
    double b1 = lat2 * rad, b2 = lon2 * rad;
    double t1 = std::cos(a1) * std::cos(a2) * std::cos(b1) * std::cos(b2);
    double t2 = std::cos(a1) * std::sin(a2) * std::cos(b1) * std::sin(b2);
    double t3 = std::sin(a1) * std::sin(b1);
    double cosine = std::fmax(-1.0, std::fmin(1.0, t1 + t2 + t3));
    return 6378137.0 * std::acos(cosine);
}
