/* Angles in degrees. */
#include <math.h>

#define RADIANS 0.017453292519943295

/* The same direction in [-180, 180). */
double wrap_degrees(double angle)
{
    double wrapped = fmod(angle + 180.0, 360.0);
    if (wrapped < 0.0)
        wrapped += 360.0;
    return wrapped - 180.0;
}

/* On which side of a track of this course a place lies, whose bearing from a point of the track is given:
 * 1 starboard, -1 port, 0 within half a degree of the track, ahead or astern. */
int side_of_track(double course, double bearing)
{
    double off = fmod(bearing - course, 360.0);
    if (off < 0.0)
        off += 360.0;
    if (off <= 0.5 || off >= 359.5 || fabs(off - 180.0) <= 0.5)
        return 0;
    return off < 180.0 ? 1 : -1;
}
