/* https://github.com/redorav/hlslpp/issues/68

   The angle between two rotations is the arc cosine of their product, which
   rounding takes above one for nearly equal ones, such as a = b =
   (-0.0112188980, -0.0367633253, -0.00361495349, -0.999254525). */
#include <cmath>

static float dot(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

float reported(const float a[4], const float b[4], float t)
{
    if (!(t >= 0.0f && t <= 1.0f))
        return a[0];
    if (!(std::fabs(dot(a, a) - 1.0f) < 1e-4f && std::fabs(dot(b, b) - 1.0f) < 1e-4f))
        return 0.0f;
    float cosine = dot(a, b);
    float sign = 1.0f;
    if (cosine < 0.0f) {
        cosine = -cosine;
        sign = -1.0f;
    }
    if (cosine == 1.0f)
        return a[0];
    float angle = std::acos(cosine); /* fault: nan */
    return (std::sin((1.0f - t) * angle) * a[0] + sign * std::sin(t * angle) * b[0]) / std::sin(angle);
}

float mended(const float a[4], const float b[4], float t)
{
    if (!(t >= 0.0f && t <= 1.0f))
        return a[0];
    if (!(std::fabs(dot(a, a) - 1.0f) < 1e-4f && std::fabs(dot(b, b) - 1.0f) < 1e-4f))
        return 0.0f;
    float cosine = dot(a, b);
    float sign = 1.0f;
    if (cosine < 0.0f) {
        cosine = -cosine;
        sign = -1.0f;
    }
    if (cosine > 0.9995f)
        return (1.0f - t) * a[0] + sign * t * b[0];
    float angle = std::acos(cosine);
    return (std::sin((1.0f - t) * angle) * a[0] + sign * std::sin(t * angle) * b[0]) / std::sin(angle);
}
