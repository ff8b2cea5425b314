/* https://github.com/adobe-type-tools/psautohint/pull/113

   How far an inner point of a curve lies from the chord takes a cross product
   of fixed-point numbers in an int: dx = -51456, dy = 0, x = 0, y = 43008. */
#include <stdint.h>
#include <stdlib.h>

#define FARTHEST 500000

static int is_near(int value)
{
    return value >= -FARTHEST && value <= FARTHEST;
}

int reported(int dx, int dy, int x, int y)
{
    if (!is_near(dx) || !is_near(dy) || !is_near(x) || !is_near(y))
        return 0;
    if (abs(dx) < 128 && abs(dy) < 128)
        return 1;
    int longest = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
    int cross = dx * y - dy * x; /* fault: intoverflow */
    if (cross < 0)
        cross = -cross;
    return cross / longest <= 64;
}

int mended(int dx, int dy, int x, int y)
{
    if (!is_near(dx) || !is_near(dy) || !is_near(x) || !is_near(y))
        return 0;
    if (abs(dx) < 128 && abs(dy) < 128)
        return 1;
    int longest = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
    int64_t cross = (int64_t)dx * y - (int64_t)dy * x;
    if (cross < 0)
        cross = -cross;
    return cross / longest <= 64;
}
