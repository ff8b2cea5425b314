/* https://github.com/ClickHouse/ClickHouse/issues/11378

   The division takes its unsigned divisor for a signed one, unlike the check
   before it: a = -9223372036854775808, b = 255 divides the least number by -1. */
#include <cstdint>

static bool overflows(std::int64_t a, std::int64_t b)
{
    return a == INT64_MIN && b == -1;
}

std::int64_t reported(std::int64_t a, std::uint8_t b)
{
    if (b == 0)
        return 0;
    if (overflows(a, b))
        return INT64_MAX;
    return a / static_cast<std::int8_t>(b); /* fault: intoverflow */
}

std::int64_t mended(std::int64_t a, std::uint8_t b)
{
    if (b == 0)
        return 0;
    if (overflows(a, b))
        return INT64_MAX;
    return a / static_cast<std::int64_t>(b);
}
