/* https://github.com/morganstanley/binlog/issues/62

   Ticks of a clock become nanoseconds by a product that is divided afterwards;
   ticks = 31534085395 with frequency = 10000000 leave 64 bits. */
#include <cstdint>

std::int64_t reported(std::int64_t ticks, std::int64_t frequency)
{
    if (frequency <= 0)
        return 0;
    if (ticks < 0)
        return -1;
    if (frequency == 1000000000)
        return ticks;
    return ticks * 1000000000 / frequency; /* fault: intoverflow */
}

std::int64_t mended(std::int64_t ticks, std::int64_t frequency)
{
    if (frequency <= 0)
        return 0;
    if (ticks < 0)
        return -1;
    if (frequency == 1000000000)
        return ticks;
    std::int64_t seconds = ticks / frequency;
    std::int64_t rest = ticks % frequency;
    if (seconds >= INT64_MAX / 1000000000)
        return INT64_MAX;
    if (rest <= INT64_MAX / 1000000000)
        return seconds * 1000000000 + rest * 1000000000 / frequency;
    return seconds * 1000000000 + rest / (frequency / 1000000000 + 1);
}
