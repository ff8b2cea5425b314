/* https://github.com/TauLabs/TauLabs/issues/477

   The remainder keeps the sign of the angle, so the sine table is read before
   its first element for negative angles such as -90. */

static const int sine[19] = {
    0, 174, 342, 500, 643, 766, 866, 940, 985, 1000,
    985, 940, 866, 766, 643, 500, 342, 174, 0,
};

int reported(int degrees)
{
    int step = degrees % 360 / 10;
    int sign = 1;
    if (step > 18) {
        step -= 18;
        sign = -1;
    }
    return sign * sine[step]; /* fault: bounds */
}

int mended(int degrees)
{
    int turn = degrees % 360;
    if (turn < 0)
        turn += 360;
    int step = turn / 10;
    int sign = 1;
    if (step > 18) {
        step -= 18;
        sign = -1;
    }
    return sign * sine[step];
}
