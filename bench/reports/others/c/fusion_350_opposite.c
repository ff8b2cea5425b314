/* https://github.com/xioTechnologies/Fusion/pull/350

   If sensor and reference point away from each other, their cross product is
   made a unit vector; it is zero if they are exactly opposite:
   sensor = (0, 0, -1), reference = (0, 0, 1). */
#include <math.h>

float reported(float sx, float sy, float sz, float rx, float ry, float rz)
{
    if (!(fabsf(sx) <= 16.0f && fabsf(sy) <= 16.0f && fabsf(sz) <= 16.0f))
        return 0.0f;
    if (!(fabsf(rx) <= 1.0f && fabsf(ry) <= 1.0f && fabsf(rz) <= 1.0f))
        return 0.0f;
    float x = sy * rz - sz * ry;
    float y = sz * rx - sx * rz;
    float z = sx * ry - sy * rx;
    if (sx * rx + sy * ry + sz * rz < 0.0f) {
        float length = sqrtf(x * x + y * y + z * z);
        x /= length; /* fault: nan */
    }
    return x;
}

float mended(float sx, float sy, float sz, float rx, float ry, float rz)
{
    if (!(fabsf(sx) <= 16.0f && fabsf(sy) <= 16.0f && fabsf(sz) <= 16.0f))
        return 0.0f;
    if (!(fabsf(rx) <= 1.0f && fabsf(ry) <= 1.0f && fabsf(rz) <= 1.0f))
        return 0.0f;
    float x = sy * rz - sz * ry;
    float y = sz * rx - sx * rz;
    float z = sx * ry - sy * rx;
    if (sx * rx + sy * ry + sz * rz < 0.0f) {
        float length = sqrtf(x * x + y * y + z * z);
        if (length < 1e-6f)
            return 1.0f;
        x /= length;
    }
    return x;
}
