/* https://github.com/portapack-mayhem/mayhem-firmware/pull/768

   A tiny negative angle such as -1e-8f, wrapped into one turn, rounds to a
   whole turn, so the interpolation reads one element past the table. */
#include <math.h>

static const float sine[17] = {
    0.0f, 0.38268343f, 0.70710678f, 0.92387953f,
    1.0f, 0.92387953f, 0.70710678f, 0.38268343f,
    0.0f, -0.38268343f, -0.70710678f, -0.92387953f,
    -1.0f, -0.92387953f, -0.70710678f, -0.38268343f, 0.0f,
};

float reported(float radians)
{
    if (!(fabsf(radians) <= 1e6f))
        return 0.0f;
    float turns = radians * 0.15915494f;
    float part = turns - floorf(turns);
    float place = part * 16.0f;
    int index = (int)place;
    float rest = place - (float)index;
    float here = sine[index];
    return here + rest * (sine[index + 1] - here); /* fault: bounds */
}

float mended(float radians)
{
    if (!(fabsf(radians) <= 1e6f))
        return 0.0f;
    float turns = radians * 0.15915494f;
    float part = turns - floorf(turns);
    if (part >= 1.0f)
        part = 0.0f;
    float place = part * 16.0f;
    int index = (int)place;
    float rest = place - (float)index;
    float here = sine[index];
    return here + rest * (sine[index + 1] - here);
}
