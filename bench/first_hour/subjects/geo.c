/* Positions on the earth. Angles in degrees, lengths in metres. */
#include <math.h>
#include <stddef.h>

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

#define DEG (M_PI / 180.0)
#define WGS84_A 6378137.0
#define WGS84_F (1.0 / 298.257223563)
#define MAX_ITERATIONS 100

enum { GEO_OK = 0, GEO_DOMAIN = 1, GEO_NO_CONVERGENCE = 2 };

/* Unit vector to the compass bearing: y[0] to the east, y[1] to the north. Returns the quadrant 1 to 4, 0 if
 * the bearing is not in [0, 360). */
int polar(double bearing, double *y)
{
    if (!(bearing >= 0.0 && bearing < 360.0))
        return 0;
    y[0] = sin(bearing * DEG);
    y[1] = cos(bearing * DEG);
    if (bearing < 90.0)
        return 1;
    if (bearing < 180.0)
        return 4;
    if (bearing < 270.0)
        return 3;
    return 2;
}

/* UTM zone with the exceptions of Norway and Svalbard; 0 outside of 80 S to 84 N. */
int utm_zone(double lat, double lon)
{
    if (!(lat >= -80.0 && lat <= 84.0) || !isfinite(lon))
        return 0;
    lon = fmod(lon + 180.0, 360.0);
    if (lon < 0.0)
        lon += 360.0;
    lon -= 180.0;

    if (lat >= 56.0 && lat < 64.0 && lon >= 3.0 && lon < 12.0)
        return 32;
    if (lat >= 72.0) {
        if (lon >= 0.0 && lon < 9.0)
            return 31;
        if (lon >= 9.0 && lon < 21.0)
            return 33;
        if (lon >= 21.0 && lon < 33.0)
            return 35;
        if (lon >= 33.0 && lon < 42.0)
            return 37;
    }
    int zone = (int)((lon + 180.0) / 6.0) + 1;
    return zone > 60 ? 60 : zone;
}

/* Distance on the WGS 84 ellipsoid by Vincenty's inverse formula. */
int vincenty_inverse(double lat1, double lon1, double lat2, double lon2, double *metres)
{
    if (!(fabs(lat1) <= 90.0 && fabs(lat2) <= 90.0 && fabs(lon1) <= 180.0 && fabs(lon2) <= 180.0))
        return GEO_DOMAIN;

    const double b = WGS84_A * (1.0 - WGS84_F);
    double u1 = atan((1.0 - WGS84_F) * tan(lat1 * DEG));
    double u2 = atan((1.0 - WGS84_F) * tan(lat2 * DEG));
    double su1 = sin(u1), cu1 = cos(u1), su2 = sin(u2), cu2 = cos(u2);
    double L = (lon2 - lon1) * DEG;
    double lambda = L;

    for (int i = 0; i < MAX_ITERATIONS; i++) {
        double sl = sin(lambda), cl = cos(lambda);
        double t = cu1 * su2 - su1 * cu2 * cl;
        double sin_sigma = sqrt(cu2 * sl * cu2 * sl + t * t);
        if (sin_sigma == 0.0) {
            *metres = 0.0;
            return GEO_OK;
        }
        double cos_sigma = su1 * su2 + cu1 * cu2 * cl;
        double sigma = atan2(sin_sigma, cos_sigma);
        double sin_alpha = cu1 * cu2 * sl / sin_sigma;
        double cos2_alpha = 1.0 - sin_alpha * sin_alpha;
        double cos_2m = cos2_alpha > 0.0 ? cos_sigma - 2.0 * su1 * su2 / cos2_alpha : 0.0;
        double C = WGS84_F / 16.0 * cos2_alpha * (4.0 + WGS84_F * (4.0 - 3.0 * cos2_alpha));
        double inner = cos_2m + C * cos_sigma * (2.0 * cos_2m * cos_2m - 1.0);
        double next = L + (1.0 - C) * WGS84_F * sin_alpha * (sigma + C * sin_sigma * inner);
        if (fabs(next - lambda) < 1e-12) {
            double uu = cos2_alpha * (WGS84_A * WGS84_A - b * b) / (b * b);
            double A = 1.0 + uu / 16384.0 * (4096.0 + uu * (uu * (320.0 - 175.0 * uu) - 768.0));
            double B = uu / 1024.0 * (256.0 + uu * (uu * (74.0 - 47.0 * uu) - 128.0));
            double delta = B * sin_sigma
                * (cos_2m + B / 4.0 * (cos_sigma * (2.0 * cos_2m * cos_2m - 1.0)
                    - B / 6.0 * cos_2m * (4.0 * sin_sigma * sin_sigma - 3.0) * (4.0 * cos_2m * cos_2m - 3.0)));
            *metres = b * A * (sigma - delta);
            return GEO_OK;
        }
        lambda = next;
    }
    return GEO_NO_CONVERGENCE;
}
