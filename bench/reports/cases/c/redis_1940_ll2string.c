/* https://github.com/redis/redis/issues/1940

   To print a number, its sign is dropped by a negation as a signed number;
   for LLONG_MIN the negation overflows. */

int reported(long long value)
{
    int length = 1;
    unsigned long long rest = (unsigned long long)value;
    if (value < 0) {
        rest = (unsigned long long)-value; /* fault: intoverflow */
        length = 2;
    }
    while (rest >= 10) {
        rest /= 10;
        length++;
    }
    return length;
}

int mended(long long value)
{
    int length = 1;
    unsigned long long rest = (unsigned long long)value;
    if (value < 0) {
        rest = 0ULL - rest;
        length = 2;
    }
    while (rest >= 10) {
        rest /= 10;
        length++;
    }
    return length;
}
