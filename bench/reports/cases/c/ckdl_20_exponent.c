/* https://github.com/tjol/ckdl/pull/20

   The digits of an exponent are gathered in an int without a limit; the
   string "0e10000000000" overflows it. */

int reported(const char *s)
{
    int sign = 1;
    int exponent = 0;
    while (*s != '\0' && *s != 'e' && *s != 'E')
        s++;
    if (*s == '\0')
        return 0;
    s++;
    if (*s == '-') {
        sign = -1;
        s++;
    } else if (*s == '+') {
        s++;
    }
    while (*s >= '0' && *s <= '9') {
        exponent = exponent * 10 + (*s - '0'); /* fault: intoverflow */
        s++;
    }
    return sign * exponent;
}

int mended(const char *s)
{
    int sign = 1;
    int exponent = 0;
    while (*s != '\0' && *s != 'e' && *s != 'E')
        s++;
    if (*s == '\0')
        return 0;
    s++;
    if (*s == '-') {
        sign = -1;
        s++;
    } else if (*s == '+') {
        s++;
    }
    while (*s >= '0' && *s <= '9') {
        exponent = exponent * 10 + (*s - '0');
        if (exponent > 100000)
            exponent = 100000;
        s++;
    }
    return sign * exponent;
}
